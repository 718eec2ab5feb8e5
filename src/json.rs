//! Values as JSON: how arguments come in and answers go out (DESIGN.md, "The command").

use gradus_ir::{Type, Value};
use serde_json::{Map, Value as Json, json};

/// Reads one argument: `2.0` is a float, `3` an integer, `true`, `null`, a string; an array is a tuple; `{"t": …, "v": …}` says its
/// type.
pub fn read(j: &Json) -> Result<Value, String> {
    match j {
        Json::Null => Ok(Value::None),
        Json::Bool(b) => Ok(Value::Bool(*b)),
        Json::String(s) => Ok(Value::Str(s.as_str().into())),
        Json::Number(n) if n.is_f64() => Ok(Value::F64(n.as_f64().expect("checked"))),
        Json::Number(n) => n.as_i64().map(Value::I64).ok_or_else(|| format!("{n} does not fit into 64 bits")),
        Json::Array(items) => Ok(Value::tuple(items.iter().map(read).collect::<Result<Vec<_>, _>>()?)),
        Json::Object(fields) => read_typed(fields),
    }
}

fn read_typed(fields: &Map<String, Json>) -> Result<Value, String> {
    let (Some(Json::String(t)), Some(v)) = (fields.get("t"), fields.get("v")) else {
        return Err("an object is an argument only as {\"t\": TYPE, \"v\": VALUE}".into());
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
        other => Err(format!("there is no argument type `{other}`; there are f64, i64, bool, str, none, tuple and list")),
    }
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
        Value::Tuple(items) => Json::Array(items.iter().map(write).collect()),
    }
}
