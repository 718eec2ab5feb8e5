//! Values as JSON: how arguments come in and answers go out (docs/command.md).

mod cotangent;

pub use cotangent::{cotangent_like, read_cotangent, read_cotangent_in};

use gradus_ir::{Array, Dims, Elements, Key, Schema, Value};
use serde_json::{Map, Number, Value as Json, json};
use std::sync::Arc;

/// How the floats of values, or the numbers in their place, are written.
pub trait Notation {
    /// A float.
    type Number: Clone;

    /// Whether a string is a number, if it can be one, where no type is said.
    const STRINGS: bool;

    /// A number of JSON, by its text.
    fn number(&self, text: &str) -> Result<Self::Number, String>;

    /// A string that is a number; none if it is none.
    fn word(&self, text: &str) -> Option<Result<Self::Number, String>>;

    /// An element of an array of floats of 32 bits; none where there is no such array.
    fn single(&self, number: &Self::Number) -> Option<f32>;

    /// A derivative as it is shown. The neutral element of sums of cotangents is -0.0, which nobody asked for.
    fn shown(&self, number: &Self::Number) -> Self::Number {
        number.clone()
    }

    /// Writes a number.
    fn write(&self, number: &Self::Number) -> Json;
}

/// Floats: numbers of JSON, but for NaN and the infinities.
#[derive(Clone, Copy, Debug)]
pub struct Doubles;

impl Notation for Doubles {
    type Number = f64;

    const STRINGS: bool = false;

    fn number(&self, text: &str) -> Result<f64, String> {
        text.parse().ok().filter(|v: &f64| v.is_finite()).ok_or_else(|| format!("{text} does not fit into 64 bits"))
    }

    fn word(&self, text: &str) -> Option<Result<f64, String>> {
        match text {
            "nan" => Some(Ok(f64::NAN)),
            "inf" => Some(Ok(f64::INFINITY)),
            "-inf" => Some(Ok(f64::NEG_INFINITY)),
            _ => None,
        }
    }

    fn single(&self, number: &f64) -> Option<f32> {
        Some(*number as f32)
    }

    fn shown(&self, number: &f64) -> f64 {
        number + 0.0
    }

    fn write(&self, v: &f64) -> Json {
        match v {
            v if v.is_nan() => json!("nan"),
            v if v.is_infinite() => json!(if *v > 0.0 { "inf" } else { "-inf" }),
            v => json!(v),
        }
    }
}

/// The JSON of a text, which may begin with a mark of its encoding, and have the words that Python writes for floats that are no
/// numbers of JSON: `NaN`, `Infinity` and `-Infinity`.
pub fn parse(text: &str) -> Result<Json, serde_json::Error> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    serde_json::from_str(text).or_else(|e| match with_floats(text) {
        Some(text) => serde_json::from_str(&text),
        None => Err(e),
    })
}

/// The text with these words, where they are outside of strings, as arguments that say their type; none if there are none.
fn with_floats(text: &str) -> Option<String> {
    const WORDS: [(&str, &str); 3] = [("NaN", "nan"), ("Infinity", "inf"), ("-Infinity", "-inf")];
    let (mut found, mut rest, mut is_string, mut has_words) = (String::new(), text, false, false);
    while let Some(c) = rest.chars().next() {
        let length = match WORDS.iter().find(|(word, _)| !is_string && rest.starts_with(word)) {
            Some((word, float)) => {
                has_words = true;
                found += &json!({"t": "f64", "v": float}).to_string();
                rest = &rest[word.len()..];
                continue;
            }
            // What comes after it is no end of the string.
            None if c == '\\' => 1 + rest[1..].chars().next().map_or(0, char::len_utf8),
            None => c.len_utf8(),
        };
        is_string ^= c == '"';
        found += &rest[..length];
        rest = &rest[length..];
    }
    has_words.then_some(found)
}

/// Reads one argument: `2.0` is a float, `3` an integer, `true`, `null`, a string; nested lists of numbers an array, other lists lists; `{"t": …, "v": …}` says its
/// type.
pub fn read(j: &Json) -> Result<Value, String> {
    read_in(&Doubles, j)
}

/// [`read`] with floats as a notation has them.
pub fn read_in<N: Notation>(notation: &N, j: &Json) -> Result<Value<N::Number>, String> {
    match j {
        Json::Null => Ok(Value::None),
        Json::Bool(b) => Ok(Value::Bool(*b)),
        Json::String(s) => match notation.word(s).filter(|_| N::STRINGS) {
            Some(number) => Ok(Value::F64(number?)),
            None => Ok(Value::Str(s.as_str().into())),
        },
        Json::Number(n) if is_float(n) => Ok(Value::F64(notation.number(&n.to_string())?)),
        Json::Number(n) => integer(n).map(Value::I64),
        Json::Array(items) => match array(notation, j)? {
            Some(array) => Ok(Value::Array(array)),
            None => Ok(Value::list(items.iter().map(|item| read_in(notation, item)).collect::<Result<Vec<_>, _>>()?)),
        },
        Json::Object(fields) => read_typed(notation, fields),
    }
}

fn is_float(n: &Number) -> bool {
    n.as_str().contains(['.', 'e', 'E'])
}

fn integer(n: &Number) -> Result<i64, String> {
    n.as_i64().ok_or_else(|| format!("{n} does not fit into 64 bits"))
}

/// The array that nested lists of numbers are, if they are of one length in each depth: of floats if any number is one.
fn array<N: Notation>(notation: &N, j: &Json) -> Result<Option<Array<N::Number>>, String> {
    let mut shape = Vec::new();
    let mut level = vec![j];
    while let Some(Json::Array(first)) = level.first() {
        let is_like = |item: &&Json| item.as_array().is_some_and(|items| items.len() == first.len());
        if !level.iter().all(is_like) {
            return Ok(None);
        }
        shape.push(first.len() as i64);
        level = level.into_iter().filter_map(Json::as_array).flatten().collect();
    }
    let is_number = |item: &&Json| match item {
        Json::Number(_) => true,
        Json::String(s) => N::STRINGS && notation.word(s).is_some(),
        typed => matches!(tagged(typed), Some(("f64", _))),
    };
    if level.is_empty() || !level.iter().all(is_number) {
        return Ok(None);
    }
    let integers: Option<Vec<&Number>> = level.iter().map(|item| item.as_number().filter(|n| !is_float(n))).collect();
    let elements = match integers {
        Some(integers) => Elements::I64(integers.into_iter().map(integer).collect::<Result<_, _>>()?),
        None => {
            let floats = level.into_iter().filter_map(|item| read_float(notation, item));
            Elements::F64(floats.collect::<Result<_, _>>()?)
        }
    };
    Ok(Some(Array::new(Dims::new(shape), elements)))
}

/// `{"t": "array", "dtype": "float64", "shape": [2, 3], "data": […]}`, the data in row-major order.
fn read_array<N: Notation>(notation: &N, fields: &Map<String, Json>) -> Result<Value<N::Number>, String> {
    let shape: Option<Vec<i64>> = fields.get("shape").and_then(Json::as_array).and_then(|a| a.iter().map(Json::as_i64).collect());
    let (Some(shape), Some(data)) = (shape, fields.get("data").and_then(Json::as_array)) else {
        return Err("an array has a \"shape\", a list of ints, and \"data\", a list".into());
    };
    let misfit = |what: &str| format!("the data of an array of {what} holds something else");
    let floats = |what: &str| -> Result<Vec<N::Number>, String> {
        data.iter().map(|v| read_float(notation, v).unwrap_or_else(|| Err(misfit(what)))).collect()
    };
    let elements = match fields.get("dtype").and_then(Json::as_str) {
        Some("float64") => Elements::F64(floats("float64")?),
        Some("float32") => {
            let singles: Option<Vec<f32>> = floats("float32")?.iter().map(|v| notation.single(v)).collect();
            Elements::F32(singles.ok_or_else(|| misfit("float32"))?)
        }
        Some("int64") => Elements::I64(data.iter().map(Json::as_i64).collect::<Option<_>>().ok_or_else(|| misfit("int64"))?),
        Some("bool") => Elements::Bool(data.iter().map(Json::as_bool).collect::<Option<_>>().ok_or_else(|| misfit("bool"))?),
        _ => return Err("the \"dtype\" of an array is float64, float32, int64 or bool".into()),
    };
    let count = shape.iter().try_fold(1, |count: usize, &n| count.checked_mul(usize::try_from(n).ok()?));
    if count != Some(elements.len()) {
        return Err(format!("an array of shape {shape:?} does not have {} elements", elements.len()));
    }
    if shape.is_empty() {
        return Ok(match elements {
            Elements::Bool(v) => Value::Bool(v[0]),
            Elements::I64(v) => Value::I64(v[0]),
            Elements::F32(_) => Value::F64(floats("float32")?.remove(0)),
            Elements::F64(mut v) => Value::F64(v.remove(0)),
        });
    }
    Ok(Value::Array(Array::new(Dims::new(shape), elements)))
}

fn read_typed<N: Notation>(notation: &N, fields: &Map<String, Json>) -> Result<Value<N::Number>, String> {
    if fields.get("t").and_then(Json::as_str) == Some("array") {
        return read_array(notation, fields);
    }
    let (t, v) = match (fields.get("t").and_then(Json::as_str), fields.get("v")) {
        (Some(t), Some(v)) => (t, v),
        (Some(t), None) if TYPES.contains(&t) => {
            return Err(format!(
                "the \"v\" of {{\"t\": \"{t}\"}}, its value, is missing; write {{\"t\": \"dict\", \"v\": …}} for a dict"
            ));
        }
        _ => return record(notation, None, fields),
    };
    let misfit = || format!("{v} is no value of type {t}");
    match t {
        "f64" => read_float(notation, v).unwrap_or_else(|| Err(misfit())).map(Value::F64),
        "i64" => v.as_i64().map(Value::I64).ok_or_else(misfit),
        "bool" => v.as_bool().map(Value::Bool).ok_or_else(misfit),
        "str" => v.as_str().map(|s| Value::Str(s.into())).ok_or_else(misfit),
        "none" => v.is_null().then_some(Value::None).ok_or_else(misfit),
        "tuple" | "list" => {
            let items = v.as_array().ok_or_else(misfit)?;
            let items = items.iter().map(|item| read_in(notation, item)).collect::<Result<Vec<_>, _>>()?;
            Ok(if t == "list" { Value::list(items) } else { Value::tuple(items) })
        }
        "complex" => match v.as_array().map(Vec::as_slice) {
            Some([re, im]) => {
                let part = |j| read_float(notation, j).unwrap_or_else(|| Err(misfit())).map(Value::F64);
                Ok(Value::Record(Schema::complex(), [part(re)?, part(im)?].into()))
            }
            _ => Err(misfit()),
        },
        "dict" => record(notation, None, v.as_object().ok_or_else(misfit)?),
        "struct" => {
            let class = fields.get("cls").and_then(Json::as_str).ok_or("a struct has a \"cls\", the name of its class")?;
            record(notation, Some(class), v.as_object().ok_or_else(misfit)?)
        }
        other => Err(format!("there is no argument type `{other}`; there are array, {}", TYPES.join(", "))),
    }
}

/// The types that an argument may say, beside that of arrays, whose value is in several parts.
const TYPES: [&str; 10] = ["f64", "i64", "bool", "str", "none", "complex", "tuple", "list", "dict", "struct"];

/// The type that an argument says, and its value.
fn tagged(j: &Json) -> Option<(&str, &Json)> {
    let t = j.get("t")?.as_str().filter(|t| TYPES.contains(t))?;
    Some((t, j.get("v")?))
}

/// An instance of a class, or a dict.
fn record<N: Notation>(notation: &N, class: Option<&str>, fields: &Map<String, Json>) -> Result<Value<N::Number>, String> {
    let name = |k: &String| if class.is_some() { k.as_str().into() } else { Key::Str(k.as_str().into()).name() };
    let schema = Schema { class: class.map(Into::into), fields: fields.keys().map(name).collect() };
    Ok(Value::Record(schema.into(), fields.values().map(|v| read_in(notation, v)).collect::<Result<_, _>>()?))
}

/// A number, or a string that is one; none if it is neither.
fn read_float<N: Notation>(notation: &N, j: &Json) -> Option<Result<N::Number, String>> {
    match j {
        Json::String(s) => notation.word(s),
        Json::Number(n) => Some(notation.number(n.as_str())),
        typed => tagged(typed).filter(|(t, _)| *t == "f64").and_then(|(_, v)| read_float(notation, v)),
    }
}

/// A value that holds floats as one of a notation: a float is the shortest decimal nearest to it.
pub fn convert<N: Notation>(notation: &N, value: &Value) -> Result<Value<N::Number>, String> {
    let number = |v: &f64| match v {
        v if v.is_finite() => notation.number(&format!("{v:e}")),
        v if v.is_nan() => notation.word("nan").expect("a number"),
        v => notation.word(if *v > 0.0 { "inf" } else { "-inf" }).expect("a number"),
    };
    Ok(match value {
        Value::F64(v) => Value::F64(number(v)?),
        Value::I64(v) => Value::I64(*v),
        Value::Bool(v) => Value::Bool(*v),
        Value::Str(s) => Value::Str(s.clone()),
        Value::None => Value::None,
        Value::Zero => Value::Zero,
        Value::Array(array) => {
            let elements = match array.elements() {
                Elements::Bool(v) => Elements::Bool(v.clone()),
                Elements::I64(v) => Elements::I64(v.clone()),
                Elements::F32(v) => Elements::F32(v.clone()),
                Elements::F64(v) => Elements::F64(v.iter().map(number).collect::<Result<_, _>>()?),
            };
            Value::Array(Array::new(array.shape(), elements))
        }
        Value::Tuple(items) => Value::Tuple(items.iter().map(|item| convert(notation, item)).collect::<Result<_, _>>()?),
        Value::List(items) => Value::List(items.iter().map(|item| convert(notation, item)).collect::<Result<_, _>>()?),
        Value::Record(schema, items) => {
            let items = items.iter().map(|item| convert(notation, item)).collect::<Result<_, _>>()?;
            Value::Record(schema.clone(), items)
        }
    })
}

/// Writes a value. NaN and the infinities are strings; what holds no data is null.
pub fn write(v: &Value) -> Json {
    write_in(&Doubles, v)
}

/// [`write()`] with floats as a notation has them.
pub fn write_in<N: Notation>(notation: &N, v: &Value<N::Number>) -> Json {
    match v {
        Value::F64(v) => notation.write(v),
        Value::I64(v) => json!(v),
        Value::Bool(v) => json!(v),
        Value::Str(s) => json!(&**s),
        Value::None | Value::Zero => Json::Null,
        Value::Array(array) => write_rows(notation, array.elements(), &array.shape(), 0),
        Value::Tuple(items) | Value::List(items) => Json::Array(items.iter().map(|item| write_in(notation, item)).collect()),
        Value::Record(schema, items) => {
            let items = items.iter().map(|item| write_in(notation, item));
            let text = |name: &Arc<str>| if schema.class.is_some() { name.to_string() } else { Key::of(name).text() };
            Json::Object(schema.fields.iter().map(text).zip(items).collect())
        }
    }
}

/// The elements of an array from `start` on, as nested lists of this shape.
fn write_rows<N: Notation>(notation: &N, elements: &Elements<N::Number>, shape: &[i64], start: usize) -> Json {
    let Some((&length, inner)) = shape.split_first() else {
        return match elements {
            Elements::Bool(v) => json!(v[start]),
            Elements::I64(v) => json!(v[start]),
            Elements::F32(v) => Doubles.write(&v[start].into()),
            Elements::F64(v) => notation.write(&v[start]),
        };
    };
    let stride: i64 = inner.iter().product();
    Json::Array((0..length).map(|i| write_rows(notation, elements, inner, start + (i * stride) as usize)).collect())
}
