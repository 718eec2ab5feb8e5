//! How values enter compiled code and leave it: as words, one for each scalar; arrays and boxes by their addresses.

use super::layout::{fields as fields_of, width};
use super::{Compiled, Imported, runtime};
use crate::arrays::Storage;
use crate::boundary::{content_type, kind_of, record, record_type, too_deep};
use crate::error::RunError;
use crate::strings;
use gradus_ir::{Boundary, Form, Type, Value};
use std::sync::Arc;

impl Compiled {
    /// Appends the words of a value of a form.
    pub(super) fn import_form(&self, form: &Form, value: &Value, to: &mut Imported) {
        match (form, value) {
            (
                Form::Tuple(forms) | Form::List(forms) | Form::Record(_, forms),
                Value::Tuple(items) | Value::List(items) | Value::Record(_, items),
            ) => {
                forms.iter().zip(items.iter()).for_each(|(form, item)| self.import_form(form, item, to));
            }
            (Form::Boxed(i), Value::Record(_, items)) => {
                let (_, forms, ty) = &self.boundary.boxes[*i];
                self.import_box(ty, to, |to| {
                    forms.iter().zip(items.iter()).for_each(|(form, value)| self.import_form(form, value, to));
                });
            }
            (Form::Unbounded(element), Value::Tuple(items) | Value::List(items)) => {
                to.words.push(items.len() as u64);
                self.import_vector(element, items, to);
            }
            (Form::Union(kinds), value) => {
                let (tag, kind) = kind_of(&self.boundary, kinds, value);
                to.words.push(tag.cast_unsigned());
                match (kind, value) {
                    (_, Value::None) => to.words.push(0),
                    (Form::Boxed(_), value) => self.import_form(kind, value, to),
                    (kind, value) => self.import_box(&content_type(kind), to, |to| self.import_form(kind, value, to)),
                }
            }
            (Form::Plain(Type::F64), Value::I64(v)) => import(&Value::F64(*v as f64), to),
            (_, value) => import(value, to),
        }
    }

    /// Appends the place of the first element of a list and the address of the vector.
    fn import_vector(&self, element: &Form, items: &[Value], to: &mut Imported) {
        let outer = std::mem::take(&mut to.words);
        for item in items {
            match record_type(element) {
                (_, true) => self.import_box(&content_type(element), to, |to| self.import_form(element, item, to)),
                (_, false) => self.import_form(element, item, to),
            }
        }
        let records = std::mem::replace(&mut to.words, outer).into_boxed_slice();
        let (memory, handle) = runtime::foreign_vector(&records, items.len());
        to.words.extend([0, handle]);
        to.boxes.extend([records, memory]);
    }

    /// Appends the address of a box of what is imported.
    fn import_box(&self, ty: &Type, to: &mut Imported, content: impl FnOnce(&mut Imported)) {
        let outer = std::mem::take(&mut to.words);
        content(to);
        let words = std::mem::replace(&mut to.words, outer);
        // Nobody opens a box whose shape the code does not know.
        let shape = self.shapes.get(&fields_of(ty)).filter(|_| !words.is_empty());
        let Some(shape) = shape else { return to.words.push(0) };
        let object: Box<[u64]> = std::iter::once(shape.zero[0]).chain(words).collect();
        to.words.push(object.as_ptr().expose_provenance() as u64);
        to.boxes.push(object);
    }
}

/// Appends the words of a value as it is.
fn import(value: &Value, to: &mut Imported) {
    match value {
        Value::F64(v) => to.words.push(v.to_bits()),
        Value::I64(v) => to.words.push(*v as u64),
        Value::Bool(v) => to.words.push(u64::from(*v)),
        Value::Str(s) => to.words.push(strings::number(s).into()),
        Value::None | Value::Zero => {}
        Value::Array(array) => {
            let storage = Storage::import(array);
            to.words.push(storage.address() as u64);
            to.arrays.push(storage);
        }
        Value::Tuple(items) | Value::List(items) | Value::Record(_, items) => items.iter().for_each(|item| import(item, to)),
    }
}

/// Reads the words of results.
pub(super) struct Reader<'a> {
    pub(super) boundary: &'a Boundary,
}

impl Reader<'_> {
    /// The value of a form that the next words are, nested no more than so deep.
    pub(super) fn form(&self, form: &Form, words: &mut dyn Iterator<Item = u64>, depth: usize) -> Result<Value, RunError> {
        let depth = depth.checked_sub(1).ok_or_else(too_deep)?;
        let fields = |forms: &[Form], words: &mut dyn Iterator<Item = u64>| -> Result<Arc<[Value]>, RunError> {
            forms.iter().map(|form| self.form(form, words, depth)).collect()
        };
        Ok(match form {
            Form::Plain(ty) => self.plain(ty, words),
            Form::Tuple(forms) => Value::Tuple(fields(forms, words)?),
            Form::List(forms) => Value::List(fields(forms, words)?),
            Form::Record(schema, forms) => record(schema, fields(forms, words)?),
            Form::Boxed(i) => {
                let (schema, forms, ty) = &self.boundary.boxes[*i];
                let content = runtime::read_box(next(words), width(ty));
                Value::Record(schema.clone(), fields(forms, &mut content.into_iter())?)
            }
            Form::Unbounded(element) => {
                let count = next(words) as usize;
                let (first, vector) = (next(words) as usize, next(words));
                let (record, is_boxed) = record_type(element);
                let (fields, content) = (fields_of(&record), width(&content_type(element)));
                let items = (first..first + count).map(|i| {
                    let record = runtime::read_record(vector, i, &fields);
                    let words = if is_boxed { runtime::read_box(record[0], content) } else { record };
                    self.form(element, &mut words.into_iter(), depth)
                });
                Value::list(items.collect::<Result<Vec<_>, _>>()?)
            }
            Form::Union(kinds) => {
                let (tag, boxed) = (next(words).cast_signed(), next(words));
                let (_, kind) = kinds.iter().find(|(t, _)| *t == tag).expect("the tag of a kind");
                match kind {
                    Form::Boxed(_) => self.form(kind, &mut std::iter::once(boxed), depth)?,
                    kind => {
                        let content = runtime::read_box(boxed, width(&content_type(kind)));
                        self.form(kind, &mut content.into_iter(), depth)?
                    }
                }
            }
        })
    }

    /// The value of a data type that the next words are.
    fn plain(&self, ty: &Type, words: &mut dyn Iterator<Item = u64>) -> Value {
        match ty {
            Type::F64 => Value::F64(f64::from_bits(next(words))),
            Type::I64 => Value::I64(next(words).cast_signed()),
            Type::Bool => Value::Bool(next(words) != 0),
            Type::Str => Value::Str(strings::text(next(words))),
            Type::None => Value::None,
            Type::Zero => Value::Zero,
            &Type::Array(dtype, shape) => Value::Array(runtime::read_array(next(words), dtype, shape)),
            Type::Tuple(items) => Value::tuple(items.iter().map(|item| self.plain(item, words)).collect::<Vec<_>>()),
            other => unreachable!("a result is data, not {other}"),
        }
    }
}

fn next(words: &mut dyn Iterator<Item = u64>) -> u64 {
    words.next().expect("a result has as many words as its type")
}
