//! Cotangents of results: what is not given otherwise than as an argument, but read as the result says it is.

use super::{Doubles, Notation, array, read_array, read_float, tagged};
use crate::{Error, Function};
use gradus_ir::{Array, Boundary, DType, Diagnostic, Dims, Elements, Form, Key, Schema, Span, Type, Value};
use serde_json::{Map, Value as Json, json};
use std::sync::Arc;

/// An example shows arrays of so many elements.
const SHOWN: usize = 8;

/// Reads a cotangent of the result of a function of arguments of these types: written as an argument that is like the result, but
/// that `null` stands for no cotangent, a list for a tuple, and `{"x": 1.0}` for an instance, too.
pub fn read_cotangent(j: &Json, function: &Function, types: &[Type]) -> Result<Value, Error> {
    read_cotangent_in(&Doubles, j, function, types)
}

/// [`read_cotangent`] with floats as a notation has them.
pub fn read_cotangent_in<N: Notation>(
    notation: &N,
    j: &Json,
    function: &Function,
    types: &[Type],
) -> Result<Value<N::Number>, Error> {
    let boundary = &function.boundary(types)?;
    let result = boundary.result.as_ref().expect("the result has a form");
    Reader { notation, boundary }.read(result, j).map_err(|Misfit { path, message }| {
        let place = if path.is_empty() { String::new() } else { format!("in `{path}` of it, ") };
        let message = format!("the seed does not fit the result, {}: {place}{message}", a(&boundary.type_of(result)));
        let hint = match example(boundary, result, &mut Vec::new()) {
            Some(like) => format!("write it like {like}; null stands for no cotangent"),
            None => "null stands for no cotangent".into(),
        };
        Error::Refused(vec![Diagnostic::refused(Span::NONE, message).hint(hint)])
    })
}

/// A cotangent of the result of a function of arguments of these types, to show how one is written; none where there are large arrays
/// in it.
pub fn cotangent_like(function: &Function, types: &[Type]) -> Option<Json> {
    let boundary = function.boundary(types).ok()?;
    example(&boundary, boundary.result.as_ref()?, &mut Vec::new())
}

/// What does not fit, and where: as a program would write it behind the result.
struct Misfit {
    path: String,
    message: String,
}

impl Misfit {
    fn here(message: String) -> Misfit {
        Misfit { path: String::new(), message }
    }

    fn within(self, step: &str) -> Misfit {
        Misfit { path: format!("{step}{}", self.path), ..self }
    }
}

struct Reader<'a, N> {
    notation: &'a N,
    boundary: &'a Boundary,
}

impl<N: Notation> Reader<'_, N> {
    fn read(&self, form: &Form, j: &Json) -> Result<Value<N::Number>, Misfit> {
        let (tag, bare) = tagged(j).map_or((None, j), |(tag, v)| (Some(tag), v));
        let misfit = || Misfit::here(format!("{j} is no cotangent of {}", a(&self.boundary.type_of(form))));
        if matches!((tag, bare), (None | Some("none"), Json::Null)) {
            return Ok(Value::None);
        }
        match form {
            Form::Plain(Type::F64) if matches!(tag, None | Some("f64" | "i64")) => self.number(bare).ok_or_else(misfit)?,
            Form::Plain(Type::Array(dtype, shape)) if dtype.is_float() => {
                let given = match j {
                    Json::Array(_) => array(self.notation, j),
                    Json::Object(fields) if tag.is_none() => read_array(self.notation, fields).map(|v| match v {
                        Value::Array(array) => Some(array),
                        _ => None,
                    }),
                    _ => Ok(None),
                };
                let given = given.map_err(Misfit::here)?.filter(|given| given.shape() == *shape);
                self.floats(*dtype, *shape, given.ok_or_else(misfit)?.elements())
            }
            Form::Plain(ty) => Err(Misfit::here(format!("{j} is given where {} has no cotangent", a(ty)))),
            Form::Tuple(forms) | Form::List(forms) => match self.items(tag, bare) {
                Some(items) if items.len() == forms.len() => self.all(forms.iter().zip(items)).map(|all| match form {
                    Form::List(_) => Value::list(all),
                    _ => Value::tuple(all),
                }),
                _ => Err(misfit()),
            },
            Form::Unbounded(element) => {
                let items = self.items(tag, bare).ok_or_else(misfit)?;
                self.all(items.iter().map(|j| (&**element, j))).map(Value::list)
            }
            Form::Record(schema, _) if schema.is_complex() => {
                let parts = match (tag, bare) {
                    (Some("complex"), Json::Array(parts)) => match &parts[..] {
                        [re, im] => self.number(re).zip(self.number(im)),
                        _ => None,
                    },
                    (None | Some("struct"), Json::Object(fields)) if fields.len() == 2 => {
                        let part = |name| fields.get(name).and_then(|j| self.number(j));
                        part("real").zip(part("imag"))
                    }
                    _ => self.number(bare).zip(self.number(&json!(0.0))),
                };
                let (re, im) = parts.ok_or_else(misfit)?;
                Ok(Value::Record(schema.clone(), [re?, im?].into()))
            }
            Form::Record(schema, forms) => self.fields(schema, forms, j, misfit),
            Form::Boxed(i) => {
                let (schema, forms, _) = &self.boundary.boxes[*i];
                self.fields(schema, forms, j, misfit)
            }
            Form::Union(kinds) => {
                let none = |form: &Form| *form == Form::Plain(Type::None);
                let mut kinds = kinds.iter().map(|(_, kind)| kind).filter(|kind| !none(kind));
                let first = kinds.next().ok_or_else(misfit)?;
                let read = self.read(first, j);
                kinds.fold(read, |read, kind| read.or_else(|e| self.read(kind, j).map_err(|_| e)))
            }
        }
    }

    /// A number, if it is one.
    fn number(&self, j: &Json) -> Option<Result<Value<N::Number>, Misfit>> {
        read_float(self.notation, j).map(|v| v.map(Value::F64).map_err(Misfit::here))
    }

    /// The floats of an array that is given, with elements of any type of numbers.
    fn floats(&self, dtype: DType, shape: Dims, given: &Elements<N::Number>) -> Result<Value<N::Number>, Misfit> {
        let number = |text: String| self.notation.number(&text).map_err(Misfit::here);
        let floats: Vec<N::Number> = match given {
            Elements::F64(v) => v.clone(),
            Elements::I64(v) => v.iter().map(|v| number(v.to_string())).collect::<Result<_, _>>()?,
            Elements::F32(v) => v.iter().map(|v| number(format!("{v:e}"))).collect::<Result<_, _>>()?,
            Elements::Bool(_) => return Err(Misfit::here("an array of bools is no cotangent".into())),
        };
        let singles = (dtype == DType::F32).then(|| floats.iter().map(|v| self.notation.single(v)).collect()).flatten();
        Ok(Value::Array(Array::new(shape, singles.map_or(Elements::F64(floats), Elements::F32))))
    }

    fn items<'j>(&self, tag: Option<&str>, bare: &'j Json) -> Option<&'j Vec<Json>> {
        bare.as_array().filter(|_| matches!(tag, None | Some("tuple" | "list")))
    }

    fn all<'f>(&self, items: impl Iterator<Item = (&'f Form, &'f Json)>) -> Result<Vec<Value<N::Number>>, Misfit> {
        items.enumerate().map(|(i, (form, j))| self.read(form, j).map_err(|e| e.within(&format!("[{i}]")))).collect()
    }

    /// The fields of an instance or a dict, each of which is given.
    fn fields(
        &self,
        schema: &Arc<Schema>,
        forms: &[Form],
        j: &Json,
        misfit: impl Fn() -> Misfit,
    ) -> Result<Value<N::Number>, Misfit> {
        let object = j.as_object().ok_or_else(&misfit)?;
        let given = match tagged(j) {
            Some(("dict", Json::Object(fields))) if schema.class.is_none() => fields,
            Some(("struct", Json::Object(fields)))
                if object.get("cls").and_then(Json::as_str) == schema.class.as_deref() && schema.class.is_some() =>
            {
                fields
            }
            None => object,
            _ => return Err(misfit()),
        };
        let names: Vec<String> = schema.fields.iter().map(|name| written(schema, name)).collect();
        if let Some(other) = given.keys().find(|name| !names.contains(name)) {
            return Err(Misfit::here(format!("{} has no `{other}`", schema.name())));
        }
        let read = |(i, name): (usize, &String)| {
            let missing = || Misfit::here(format!("`{name}` of {} is not given", schema.name()));
            let step = if schema.class.is_some() { format!(".{name}") } else { format!("[{}]", Key::of(&schema.fields[i])) };
            self.read(&forms[i], given.get(name).ok_or_else(missing)?).map_err(|e| e.within(&step))
        };
        Ok(Value::Record(schema.clone(), names.iter().enumerate().map(read).collect::<Result<_, _>>()?))
    }
}

/// The name of a field or the key of a dict, as JSON has it.
fn written(schema: &Schema, name: &Arc<str>) -> String {
    if schema.class.is_some() { name.to_string() } else { Key::of(name).text() }
}

/// A value of a type, as messages call it.
fn a(ty: &Type) -> String {
    let said = ty.describe();
    let article = match said.chars().next() {
        _ if said.starts_with("None") || said.starts_with("an ") => "",
        Some('a' | 'e' | 'i' | 'o' | 'u') => "an ",
        _ => "a ",
    };
    format!("{article}{said}")
}

/// A cotangent of a form; `open` are the boxes around it.
fn example(boundary: &Boundary, form: &Form, open: &mut Vec<usize>) -> Option<Json> {
    let mut all = |forms: &[Form]| forms.iter().map(|f| example(boundary, f, open)).collect::<Option<Vec<Json>>>();
    let named = |schema: &Schema, fields: Vec<Json>| {
        let names = schema.fields.iter().map(|name| written(schema, name));
        Json::Object(names.zip(fields).collect::<Map<_, _>>())
    };
    Some(match form {
        Form::Plain(Type::F64) => json!(1.0),
        Form::Plain(Type::Array(dtype, shape)) if dtype.is_float() => {
            let is_shown = shape.count() <= SHOWN;
            let rows =
                shape.iter().rev().fold(json!(1.0), |row, &n| Json::Array(vec![row; if is_shown { n as usize } else { 0 }]));
            is_shown.then_some(rows)?
        }
        Form::Plain(_) => Json::Null,
        Form::Tuple(forms) | Form::List(forms) => Json::Array(all(forms)?),
        Form::Unbounded(element) => Json::Array(vec![example(boundary, element, open)?]),
        Form::Record(schema, forms) => named(schema, all(forms)?),
        Form::Boxed(i) if open.contains(i) => Json::Null,
        Form::Boxed(i) => {
            let (schema, forms, _) = &boundary.boxes[*i];
            open.push(*i);
            let fields = forms.iter().map(|f| example(boundary, f, open)).collect::<Option<Vec<Json>>>();
            open.pop();
            named(schema, fields?)
        }
        Form::Union(kinds) => example(boundary, &kinds.last()?.1, open)?,
    })
}
