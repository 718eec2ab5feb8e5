//! Values as JSON: how arguments come in and answers go out (DESIGN.md, "The command").

use gradus_ir::{Array, Dims, Elements, Schema, Type, Value};
use serde_json::{Map, Value as Json, json};

/// Reads one argument: `2.0` is a float, `3` an integer, `true`, `null`, a string; nested lists of numbers an array, other lists tuples; `{"t": …, "v": …}` says its
/// type.
pub fn read(j: &Json) -> Result<Value, String> {
    match j {
        Json::Null => Ok(Value::None),
        Json::Bool(b) => Ok(Value::Bool(*b)),
        Json::String(s) => Ok(Value::Str(s.as_str().into())),
        Json::Number(n) if n.is_f64() => Ok(Value::F64(n.as_f64().expect("checked"))),
        Json::Number(n) => n.as_i64().map(Value::I64).ok_or_else(|| format!("{n} does not fit into 64 bits")),
        Json::Array(items) => match array(j)? {
            Some(array) => Ok(array.into()),
            None => Ok(Value::tuple(items.iter().map(read).collect::<Result<Vec<_>, _>>()?)),
        },
        Json::Object(fields) => read_typed(fields),
    }
}

/// The array that nested lists of numbers are, if they are of one length in each depth: of floats if any number is one.
fn array(j: &Json) -> Result<Option<Array>, String> {
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
    if level.is_empty() || !level.iter().all(|item| item.is_number()) {
        return Ok(None);
    }
    let elements = if level.iter().any(|n| n.is_f64()) {
        Elements::F64(level.into_iter().filter_map(Json::as_f64).collect())
    } else {
        let integer = |n: &Json| n.as_i64().ok_or_else(|| format!("{n} does not fit into 64 bits"));
        Elements::I64(level.into_iter().map(integer).collect::<Result<_, _>>()?)
    };
    Ok(Some(Array::new(Dims::new(shape), elements)))
}

/// `{"t": "array", "dtype": "float64", "shape": [2, 3], "data": […]}`, the data in row-major order.
fn read_array(fields: &Map<String, Json>) -> Result<Value, String> {
    let shape: Option<Vec<i64>> =
        fields.get("shape").and_then(Json::as_array).map(|a| a.iter().filter_map(Json::as_i64).collect());
    let (Some(shape), Some(data)) = (shape, fields.get("data").and_then(Json::as_array)) else {
        return Err("an array has a \"shape\" and \"data\"".into());
    };
    let misfit = |what: &str| format!("the data of an array of {what} holds something else");
    let elements = match fields.get("dtype").and_then(Json::as_str) {
        Some("float64") => Elements::F64(data.iter().map(read_float).collect::<Option<_>>().ok_or_else(|| misfit("float64"))?),
        Some("float32") => {
            let floats = data.iter().map(|v| read_float(v).map(|v| v as f32));
            Elements::F32(floats.collect::<Option<_>>().ok_or_else(|| misfit("float32"))?)
        }
        Some("int64") => Elements::I64(data.iter().map(Json::as_i64).collect::<Option<_>>().ok_or_else(|| misfit("int64"))?),
        Some("bool") => Elements::Bool(data.iter().map(Json::as_bool).collect::<Option<_>>().ok_or_else(|| misfit("bool"))?),
        _ => return Err("the \"dtype\" of an array is float64, float32, int64 or bool".into()),
    };
    if shape.iter().any(|&n| n < 0) || Dims::new(&shape).count() != elements.len() {
        return Err(format!("an array of shape {shape:?} does not have {} elements", elements.len()));
    }
    if shape.is_empty() {
        return Ok(elements.get(0));
    }
    Ok(Array::new(Dims::new(shape), elements).into())
}

fn read_typed(fields: &Map<String, Json>) -> Result<Value, String> {
    if fields.get("t").and_then(Json::as_str) == Some("array") {
        return read_array(fields);
    }
    let (Some(Json::String(t)), Some(v)) = (fields.get("t"), fields.get("v")) else {
        return record(None, fields);
    };
    let misfit = || format!("{v} is no value of type {t}");
    match t.as_str() {
        "f64" => read_float(v).map(Value::F64).ok_or_else(misfit),
        "i64" => v.as_i64().map(Value::I64).ok_or_else(misfit),
        "bool" => v.as_bool().map(Value::Bool).ok_or_else(misfit),
        "str" => v.as_str().map(|s| Value::Str(s.into())).ok_or_else(misfit),
        "none" => v.is_null().then_some(Value::None).ok_or_else(misfit),
        "tuple" | "list" => {
            let items = v.as_array().ok_or_else(misfit)?;
            Ok(Value::tuple(items.iter().map(read).collect::<Result<Vec<_>, _>>()?))
        }
        "dict" => record(None, v.as_object().ok_or_else(misfit)?),
        "struct" => {
            let class = fields.get("cls").and_then(Json::as_str).ok_or("a struct has a \"cls\", the name of its class")?;
            record(Some(class), v.as_object().ok_or_else(misfit)?)
        }
        other => Err(format!("there is no argument type `{other}`; there are f64, i64, bool, str, none, array, tuple, list, dict and struct")),
    }
}

/// An instance of a class, or a dict.
fn record(class: Option<&str>, fields: &Map<String, Json>) -> Result<Value, String> {
    let schema = Schema { class: class.map(Into::into), fields: fields.keys().map(|k| k.as_str().into()).collect() };
    Ok(Value::Record(schema.into(), fields.values().map(read).collect::<Result<_, _>>()?))
}

/// A number, or one of the strings "nan", "inf", "-inf".
fn read_float(j: &Json) -> Option<f64> {
    match j.as_str() {
        Some("nan") => Some(f64::NAN),
        Some("inf") => Some(f64::INFINITY),
        Some("-inf") => Some(f64::NEG_INFINITY),
        Some(_) => None,
        None => j.as_f64(),
    }
}

/// Reads a cotangent of a result of type `ty`, which decides what the numbers are.
pub fn read_cotangent(j: &Json, ty: &Type) -> Result<Value, String> {
    match (ty, j) {
        (Type::F64, _) => read_float(j).map(Value::F64).ok_or_else(|| format!("{j} is no cotangent of a result of type float")),
        (Type::Array(dtype, shape), Json::Array(_)) if dtype.is_float() => {
            let misfit = || format!("{j} is no cotangent of a result of type {}", ty.describe());
            match array(j)? {
                Some(array) if array.shape() == *shape => {
                    let floats = (0..shape.count()).map(|i| match array.elements().get(i) {
                        Value::F64(v) => v,
                        Value::I64(v) => v as f64,
                        _ => unreachable!("an array of numbers"),
                    });
                    Ok(Array::of_floats(*dtype, *shape, floats.collect()).into())
                }
                _ => Err(misfit()),
            }
        }
        (Type::Tuple(types), Json::Array(items)) if types.len() == items.len() => {
            let fields = items.iter().zip(types.iter()).map(|(j, t)| read_cotangent(j, t));
            Ok(Value::tuple(fields.collect::<Result<Vec<_>, _>>()?))
        }
        (Type::Tuple(types), Json::Null) if ty.is_inert() => {
            Ok(Value::tuple(types.iter().map(|t| read_cotangent(j, t)).collect::<Result<Vec<_>, _>>()?))
        }
        (t, Json::Null) if t.is_inert() => Ok(Value::Zero),
        (t, _) if t.is_inert() => Err(format!("{j} is no cotangent of a result of type {}; write null", t.describe())),
        _ => Err(format!("{j} is no cotangent of a result of type {}", ty.describe())),
    }
}

/// Writes a value. NaN and the infinities are strings; a negative zero is a zero; what holds no data is null.
pub fn write(v: &Value) -> Json {
    match v {
        Value::F64(v) if v.is_nan() => json!("nan"),
        Value::F64(v) if v.is_infinite() => json!(if *v > 0.0 { "inf" } else { "-inf" }),
        Value::F64(v) => json!(v + 0.0),
        Value::I64(v) => json!(v),
        Value::Bool(v) => json!(v),
        Value::Str(s) => json!(&**s),
        Value::None | Value::Zero => Json::Null,
        Value::Array(array) => write_rows(array.elements(), &array.shape(), 0),
        Value::Tuple(items) => Json::Array(items.iter().map(write).collect()),
        Value::Record(schema, items) => {
            Json::Object(schema.fields.iter().map(|name| name.to_string()).zip(items.iter().map(write)).collect())
        }
    }
}

/// The elements of an array from `start` on, as nested lists of this shape.
fn write_rows(elements: &Elements, shape: &[i64], start: usize) -> Json {
    let Some((&length, inner)) = shape.split_first() else { return write(&elements.get(start)) };
    let stride: i64 = inner.iter().product();
    Json::Array((0..length).map(|i| write_rows(elements, inner, start + (i * stride) as usize)).collect())
}
