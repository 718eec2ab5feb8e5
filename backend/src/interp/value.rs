//! Values as the machine holds them: 16 bytes, cheap to copy, released without recursion.

use super::arithmetic::Arithmetic;
use super::heap::Buffer;
use crate::boundary::{content_type, kind_of, record, record_type, too_deep};
use crate::error::RunError;
use crate::memory;
use crate::strings;
use gradus_ir::eval::Scalar;
use gradus_ir::{Boundary, Form, Span, Type, Value};
use std::rc::Rc;

/// A value; 16 bytes where floats are floats. Scalars are variants of their own, as a `Scalar` in it would not leave room for the other variants' tag.
#[derive(Debug)]
pub enum Val<A: Arithmetic> {
    F64(A::Float),
    I64(i64),
    Bool(bool),
    /// A string: its number in the table of the run.
    Str(u32),
    None,
    /// The structural zero.
    Zero,
    Tuple(Rc<Fields<A>>),
    /// A function: a graph, and what its frame begins with, the captures and bound arguments.
    Fn(u32, Rc<Fields<A>>),
    /// A box with one field, or the zero box.
    Opaque(Option<Rc<Fields<A>>>),
    /// A tape: the number of its records, and what begins with them; none if they hold no values.
    Tape(u32, Option<Rc<Buffer<A>>>),
    /// A vector: its records, up to the last one that was written.
    Vec(Rc<Fields<A>>),
    /// An array.
    Array(Rc<A::Array>),
    /// A function that is not looked at.
    Undefined,
}

/// Not derived: that would ask for arrays that can be cloned, where clones share them.
impl<A: Arithmetic> Clone for Val<A> {
    fn clone(&self) -> Val<A> {
        match self {
            Val::F64(v) => Val::F64(v.clone()),
            Val::I64(v) => Val::I64(*v),
            Val::Bool(v) => Val::Bool(*v),
            Val::Str(i) => Val::Str(*i),
            Val::None => Val::None,
            Val::Zero => Val::Zero,
            Val::Tuple(items) => Val::Tuple(items.clone()),
            Val::Fn(graph, bound) => Val::Fn(*graph, bound.clone()),
            Val::Opaque(content) => Val::Opaque(content.clone()),
            Val::Tape(records, buffer) => Val::Tape(*records, buffer.clone()),
            Val::Vec(records) => Val::Vec(records.clone()),
            Val::Array(array) => Val::Array(array.clone()),
            Val::Undefined => Val::Undefined,
        }
    }
}

impl<A: Arithmetic> From<Scalar<A::Float>> for Val<A> {
    fn from(scalar: Scalar<A::Float>) -> Val<A> {
        match scalar {
            Scalar::F64(v) => Val::F64(v),
            Scalar::I64(v) => Val::I64(v),
            Scalar::Bool(v) => Val::Bool(v),
        }
    }
}

/// The fields of a heap object.
#[derive(Debug)]
pub struct Fields<A: Arithmetic>(pub Vec<Val<A>>);

impl<A: Arithmetic> Default for Fields<A> {
    fn default() -> Fields<A> {
        Fields(Vec::new())
    }
}

impl<A: Arithmetic> Fields<A> {
    /// The fields, whose memory is counted until they are dropped.
    pub fn new(fields: Vec<Val<A>>) -> Fields<A> {
        memory::take(size_of_val(&fields[..]));
        Fields(fields)
    }

    /// Appends to them.
    pub fn extend<R>(&mut self, append: impl FnOnce(&mut Vec<Val<A>>) -> R) -> R {
        let before = self.0.len();
        let result = append(&mut self.0);
        memory::take((self.0.len() - before) * size_of::<Val<A>>());
        result
    }

    /// The objects that nobody else refers to, taken out of all fields.
    fn take_objects(&mut self) -> impl Iterator<Item = Fields<A>> {
        memory::give(size_of_val(&self.0[..]));
        self.0.drain(..).filter_map(Val::into_unique_object)
    }
}

impl<A: Arithmetic> Val<A> {
    /// The scalar that this is, if it is one: a string is its number.
    pub fn as_scalar(&self) -> Option<Scalar<A::Float>> {
        match self {
            Val::Str(i) => Some(Scalar::I64(i64::from(*i))),
            Val::F64(v) => Some(Scalar::F64(v.clone())),
            Val::I64(v) => Some(Scalar::I64(*v)),
            Val::Bool(v) => Some(Scalar::Bool(*v)),
            _ => None,
        }
    }

    pub fn tuple(items: Vec<Val<A>>) -> Val<A> {
        Val::Tuple(Rc::new(Fields::new(items)))
    }

    /// The zero of a type of cotangents. None if there is no memory for its arrays.
    pub fn zero(arithmetic: &A, ty: &Type) -> Option<Val<A>> {
        Some(match ty {
            Type::F64 => Val::F64(arithmetic.literal(-0.0)),
            &Type::Array(dtype, shape) => Val::Array(Rc::new(arithmetic.zero(dtype, shape)?)),
            Type::Tuple(items) => Val::tuple(items.iter().map(|item| Val::zero(arithmetic, item)).collect::<Option<_>>()?),
            Type::Opaque => Val::Opaque(None),
            Type::Tape(_) => Val::Tape(0, None),
            Type::Vec(_) => Val::Vec(Rc::default()),
            _ => Val::Zero,
        })
    }

    /// A value of a type where it is not looked at, but for operations that are done in vain; the zero of a type of cotangents. None
    /// if there is no memory for its arrays.
    pub fn undefined(arithmetic: &A, ty: &Type) -> Option<Val<A>> {
        Some(match ty {
            Type::I64 => Val::I64(0),
            Type::Bool => Val::Bool(false),
            Type::None => Val::None,
            Type::Str | Type::AnyFn | Type::Fn(_) => Val::Undefined,
            Type::Tuple(items) => Val::tuple(items.iter().map(|item| Val::undefined(arithmetic, item)).collect::<Option<_>>()?),
            other => return Val::zero(arithmetic, other),
        })
    }

    /// The object, if this is the only reference to it.
    fn into_unique_object(self) -> Option<Fields<A>> {
        match self {
            Val::Tuple(object) | Val::Vec(object) | Val::Fn(_, object) | Val::Opaque(Some(object)) => Rc::into_inner(object),
            Val::Tape(_, Some(buffer)) => Rc::into_inner(buffer).map(Buffer::into_fields),
            _ => None,
        }
    }
}

/// Objects form chains as long as the loops of the program: what would be dropped recursively is taken apart first.
impl<A: Arithmetic> Drop for Fields<A> {
    fn drop(&mut self) {
        let mut objects: Vec<Fields<A>> = self.take_objects().collect();
        while let Some(mut object) = objects.pop() {
            objects.extend(object.take_objects());
        }
    }
}

impl<A: Arithmetic> Val<A> {
    /// A value of a form that enters the machine.
    pub fn import(arithmetic: &A, boundary: &Boundary, form: &Form, value: &Value<A::Number>) -> Val<A> {
        let fields = |forms: &[Form], items: &[Value<A::Number>]| {
            Val::tuple(forms.iter().zip(items).map(|(f, v)| Self::import(arithmetic, boundary, f, v)).collect())
        };
        match (form, value) {
            (
                Form::Tuple(forms) | Form::List(forms) | Form::Record(_, forms),
                Value::Tuple(items) | Value::List(items) | Value::Record(_, items),
            ) => fields(forms, items),
            (Form::Boxed(i), Value::Record(_, items)) => boxed(fields(&boundary.boxes[*i].1, items)),
            (Form::Unbounded(element), Value::Tuple(items) | Value::List(items)) => {
                let is_boxed = record_type(element).1;
                let import = |v| Self::import(arithmetic, boundary, element, v);
                let records = items.iter().map(import).map(|item| if is_boxed { boxed(item) } else { item }).collect();
                let elements = Val::tuple(vec![Val::I64(0), Val::Vec(Rc::new(Fields::new(records)))]);
                Val::tuple(vec![Val::I64(items.len() as i64), elements])
            }
            (Form::Union(kinds), value) => {
                let (tag, kind) = kind_of(boundary, kinds, value);
                let content = match (kind, Self::import(arithmetic, boundary, kind, value)) {
                    (_, Val::None) => Val::Opaque(None),
                    (Form::Boxed(_), content) => content,
                    (_, content) => boxed(content),
                };
                Val::tuple(vec![Val::I64(*tag), content])
            }
            (_, Value::F64(v)) => Val::F64(arithmetic.import(v)),
            (Form::Plain(Type::F64), Value::I64(v)) => Val::F64(arithmetic.integer(*v)),
            (_, Value::I64(v)) => Val::I64(*v),
            (_, Value::Bool(v)) => Val::Bool(*v),
            (_, Value::Str(s)) => Val::Str(strings::number(s)),
            (_, Value::None) => Val::None,
            (_, Value::Zero) => Val::Zero,
            (_, Value::Array(array)) => Val::Array(Rc::new(arithmetic.import_array(array))),
            (Form::Plain(Type::Tuple(types)), Value::Tuple(items)) => {
                let forms: Vec<Form> = types.iter().cloned().map(Form::Plain).collect();
                fields(&forms, items)
            }
            (form, value) => unreachable!("a {} was checked to be of {form:?}", value.ty()),
        }
    }

    /// A value of a form that leaves the machine, nested no more than so deep.
    pub fn export(
        arithmetic: &A,
        boundary: &Boundary,
        form: &Form,
        value: &Val<A>,
        depth: usize,
    ) -> Result<Value<A::Number>, RunError> {
        let depth = depth.checked_sub(1).ok_or_else(too_deep)?;
        let fields = |forms: &[Form], items: &Val<A>| match items {
            Val::Tuple(items) => {
                forms.iter().zip(&items.0).map(|(f, v)| Self::export(arithmetic, boundary, f, v, depth)).collect()
            }
            _ => Err(not_data()),
        };
        Ok(match (form, value) {
            (Form::Tuple(forms), value) => Value::Tuple(fields(forms, value)?),
            (Form::List(forms), value) => Value::List(fields(forms, value)?),
            (Form::Record(schema, forms), value) => record(schema, fields(forms, value)?),
            (Form::Boxed(i), Val::Opaque(content)) => {
                let (schema, forms, ty) = &boundary.boxes[*i];
                let content = content.as_ref().map_or_else(|| Val::undefined(arithmetic, ty), |c| Some(c.0[0].clone()));
                let content = content.ok_or_else(|| RunError::no_memory(Span::NONE))?;
                Value::Record(schema.clone(), fields(forms, &content)?)
            }
            (Form::Unbounded(element), Val::Tuple(pair)) => {
                let [Val::I64(count), Val::Tuple(elements)] = &pair.0[..] else { return Err(not_data()) };
                let [Val::I64(first), Val::Vec(records)] = &elements.0[..] else { return Err(not_data()) };
                let is_boxed = record_type(element).1;
                let zero = Val::undefined(arithmetic, &content_type(element)).ok_or_else(|| RunError::no_memory(Span::NONE))?;
                let items = (*first..first + count).map(|i| {
                    let record = usize::try_from(i).ok().and_then(|i| records.0.get(i));
                    let item = match record {
                        Some(Val::Opaque(content)) if is_boxed => content.as_ref().map_or(&zero, |content| &content.0[0]),
                        Some(record) => record,
                        None => &zero,
                    };
                    Self::export(arithmetic, boundary, element, item, depth)
                });
                Value::list(items.collect::<Result<Vec<_>, _>>()?)
            }
            (Form::Union(kinds), Val::Tuple(pair)) => {
                let [Val::I64(tag), boxed @ Val::Opaque(content)] = &pair.0[..] else { return Err(not_data()) };
                match (kinds.iter().find(|(t, _)| t == tag), content) {
                    (Some((_, kind @ Form::Boxed(_))), _) => Self::export(arithmetic, boundary, kind, boxed, depth)?,
                    (Some((_, kind)), Some(content)) => Self::export(arithmetic, boundary, kind, &content.0[0], depth)?,
                    (Some((_, kind)), None) => {
                        let content =
                            Val::undefined(arithmetic, &content_type(kind)).ok_or_else(|| RunError::no_memory(Span::NONE))?;
                        Self::export(arithmetic, boundary, kind, &content, depth)?
                    }
                    (None, _) => return Err(not_data()),
                }
            }
            (_, Val::F64(v)) => Value::F64(arithmetic.export(v)?),
            (_, Val::I64(v)) => Value::I64(*v),
            (_, Val::Bool(v)) => Value::Bool(*v),
            (_, Val::Str(i)) => Value::Str(strings::text((*i).into())),
            (_, Val::None) => Value::None,
            (_, Val::Zero) => Value::Zero,
            (_, Val::Array(array)) => Value::Array(arithmetic.export_array(array)?),
            (Form::Plain(Type::Tuple(types)), value) => {
                let forms: Vec<Form> = types.iter().cloned().map(Form::Plain).collect();
                Value::Tuple(fields(&forms, value)?)
            }
            _ => return Err(not_data()),
        })
    }
}

fn boxed<A: Arithmetic>(content: Val<A>) -> Val<A> {
    Val::Opaque(Some(Rc::new(Fields::new(vec![content]))))
}

fn not_data() -> RunError {
    RunError::Internal { message: "the result of the entry graph is data".into() }
}
