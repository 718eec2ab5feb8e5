//! Values as arrays of the host, and back.

use gradus_ir::{Array, DType, Dims, Elements, Form, Type, Value};
use gradus_pjrt::{Element, HostArray};

/// The arrays that a value is made of, in order. The value fits the form.
pub fn flatten(value: &Value, out: &mut Vec<HostArray>) {
    match value {
        Value::F64(v) => out.push((*v).into()),
        Value::I64(v) => out.push((*v).into()),
        Value::Bool(v) => out.push((*v).into()),
        Value::Array(array) => out.push(host_array(array)),
        Value::Tuple(items) | Value::List(items) | Value::Record(_, items) => items.iter().for_each(|item| flatten(item, out)),
        Value::Str(_) | Value::None | Value::Zero => {}
    }
}

fn host_array(array: &Array) -> HostArray {
    let dims = array.shape().to_vec();
    let (element, bytes) = match array.elements() {
        Elements::Bool(v) => (Element::Bool, v.iter().map(|&v| v.into()).collect()),
        Elements::I64(v) => (Element::I64, v.iter().flat_map(|v| v.to_ne_bytes()).collect()),
        Elements::F32(v) => (Element::F32, v.iter().flat_map(|v| v.to_ne_bytes()).collect()),
        Elements::F64(v) => (Element::F64, v.iter().flat_map(|v| v.to_ne_bytes()).collect()),
    };
    HostArray { element, dims, bytes }
}

/// The value of a form, made of the next arrays. None if they do not fit.
pub fn value(form: &Form, arrays: &mut impl Iterator<Item = HostArray>) -> Option<Value> {
    let mut all = |forms: &[Form]| forms.iter().map(|form| value(form, arrays)).collect::<Option<Vec<Value>>>();
    Some(match form {
        Form::Plain(ty) => plain(ty, arrays)?,
        Form::Tuple(forms) => Value::tuple(all(forms)?),
        Form::List(forms) => Value::list(all(forms)?),
        Form::Record(schema, forms) => Value::Record(schema.clone(), all(forms)?.into()),
        Form::Boxed(_) | Form::Unbounded(_) | Form::Union(_) => return None,
    })
}

fn plain(ty: &Type, arrays: &mut impl Iterator<Item = HostArray>) -> Option<Value> {
    Some(match ty {
        Type::Str => Value::Str("".into()),
        Type::None => Value::None,
        Type::Zero => Value::Zero,
        Type::Tuple(items) => Value::tuple(items.iter().map(|ty| plain(ty, arrays)).collect::<Option<Vec<Value>>>()?),
        Type::F64 => Value::F64(*arrays.next()?.floats()?.first()?),
        Type::I64 => Value::I64(*arrays.next()?.ints()?.first()?),
        Type::Bool => Value::Bool(*arrays.next()?.bools()?.first()?),
        Type::Array(dtype, shape) => array(*dtype, *shape, &arrays.next()?)?.into(),
        _ => return None,
    })
}

fn array(dtype: DType, shape: Dims, found: &HostArray) -> Option<Array> {
    let elements = match dtype {
        DType::Bool => Elements::Bool(found.bools()?),
        DType::I64 => Elements::I64(found.ints()?),
        DType::F32 => Elements::F32(found.singles()?),
        DType::F64 => Elements::F64(found.floats()?),
    };
    (elements.len() == shape.count()).then(|| Array::new(shape, elements))
}
