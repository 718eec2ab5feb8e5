//! Values that go into a program and come out of it.

use crate::array::{DType, Dims};
use crate::data::Schema;
use crate::key::Key;
use crate::types::Type;
use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

/// What stands for a float among values: a float, or a number of another kind that a program is run over.
pub trait Number: Clone + PartialEq + fmt::Debug {
    /// Prints it as a program of Python would, or as it is written by hand.
    fn print(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result;

    /// The nearest decimal of some length, of two that are as near the even one, as Rust writes floats: `-0.50`, `-5.0e-1`. None of
    /// what is no decimal, which is printed as it is.
    fn rounded(&self, _to: Rounding) -> Option<String> {
        None
    }

    /// An array as a program prints it, by itself or inside of something else.
    fn print_array(array: &Array<Self>, _is_inside: bool) -> String {
        array.to_string()
    }
}

/// What a number is rounded to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Rounding {
    /// So many digits after the point.
    Places(usize),
    /// So many after the first digit, and an exponent.
    Digits(usize),
    /// So many after the point, of a hundred times the number.
    Percent(usize),
}

impl Number for f64 {
    fn print(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&crate::format::repr(*self))
    }

    fn rounded(&self, to: Rounding) -> Option<String> {
        self.is_finite().then(|| match to {
            Rounding::Places(n) => format!("{self:.n$}"),
            Rounding::Digits(n) => format!("{self:.n$e}"),
            Rounding::Percent(n) => format!("{:.n$}", self * 100.0),
        })
    }

    fn print_array(array: &Array, is_inside: bool) -> String {
        if is_inside { crate::format::array_repr(array) } else { crate::format::array_text(array) }
    }
}

/// Data: what a program takes and returns, with `F` for its floats. Functions are not data.
#[derive(Clone, PartialEq, Debug)]
pub enum Value<F = f64> {
    /// A float.
    F64(F),
    /// An integer.
    I64(i64),
    /// A boolean.
    Bool(bool),
    /// A string.
    Str(Arc<str>),
    /// `None`.
    None,
    /// The structural zero.
    Zero,
    /// An array of at least one axis.
    Array(Array<F>),
    /// A tuple.
    Tuple(Arc<[Value<F>]>),
    /// A list.
    List(Arc<[Value<F>]>),
    /// An instance of a class, or a dict: the values of its fields.
    Record(Arc<Schema>, Arc<[Value<F>]>),
}

/// An array: its shape, and its elements in row-major order.
#[derive(Clone, PartialEq, Debug)]
pub struct Array<F = f64> {
    shape: Dims,
    elements: Arc<Elements<F>>,
}

/// The elements of an array.
#[derive(Clone, PartialEq, Debug)]
pub enum Elements<F = f64> {
    /// Booleans.
    Bool(Vec<bool>),
    /// Integers.
    I64(Vec<i64>),
    /// Floats of 32 bits.
    F32(Vec<f32>),
    /// Floats.
    F64(Vec<F>),
}

impl<F> Elements<F> {
    /// Their type.
    pub fn dtype(&self) -> DType {
        match self {
            Elements::Bool(_) => DType::Bool,
            Elements::I64(_) => DType::I64,
            Elements::F32(_) => DType::F32,
            Elements::F64(_) => DType::F64,
        }
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        match self {
            Elements::Bool(v) => v.len(),
            Elements::I64(v) => v.len(),
            Elements::F32(v) => v.len(),
            Elements::F64(v) => v.len(),
        }
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl Elements {
    /// One of them.
    pub fn get(&self, i: usize) -> Value {
        match self {
            Elements::F32(v) => Value::F64(v[i].into()),
            Elements::Bool(v) => Value::Bool(v[i]),
            Elements::I64(v) => Value::I64(v[i]),
            Elements::F64(v) => Value::F64(v[i]),
        }
    }
}

impl<F> Array<F> {
    /// The array of a shape with these elements in row-major order. Panics if there are more or fewer, or if the shape is that of a
    /// scalar.
    pub fn new(shape: Dims, elements: Elements<F>) -> Array<F> {
        assert!(!shape.is_empty(), "an array has an axis");
        assert_eq!(shape.count(), elements.len(), "an array of shape ({shape}) has as many elements");
        Array { shape, elements: Arc::new(elements) }
    }

    /// The shape.
    pub fn shape(&self) -> Dims {
        self.shape
    }

    /// The elements, in row-major order.
    pub fn elements(&self) -> &Elements<F> {
        &self.elements
    }

    /// The type of the elements.
    pub fn dtype(&self) -> DType {
        self.elements.dtype()
    }
}

impl Array {
    /// The elements, in row-major order: not copied if nobody else has the array.
    pub fn into_elements(self) -> Elements {
        Arc::unwrap_or_clone(self.elements)
    }

    /// The array of a shape with these floats in row-major order, rounded to floats of this type. Panics as [`Array::new`], and if
    /// the type is not one of floats.
    pub fn of_floats(dtype: DType, shape: Dims, floats: Vec<f64>) -> Array {
        let elements = match dtype {
            DType::F32 => Elements::F32(floats.into_iter().map(|v| v as f32).collect()),
            DType::F64 => Elements::F64(floats),
            DType::Bool | DType::I64 => panic!("{} is no type of floats", dtype.name()),
        };
        Array::new(shape, elements)
    }

    /// The floats, if it is an array of floats; those of 32 bits as ones of 64.
    pub fn floats(&self) -> Option<Cow<'_, [f64]>> {
        match &*self.elements {
            Elements::F32(v) => Some(v.iter().map(|&v| v.into()).collect()),
            Elements::F64(v) => Some(v.into()),
            Elements::Bool(_) | Elements::I64(_) => None,
        }
    }
}

impl<F> Value<F> {
    /// The tuple of `items`.
    pub fn tuple(items: impl IntoIterator<Item = Value<F>>) -> Value<F> {
        Value::Tuple(items.into_iter().collect())
    }

    /// The list of `items`.
    pub fn list(items: impl IntoIterator<Item = Value<F>>) -> Value<F> {
        Value::List(items.into_iter().collect())
    }

    /// The type.
    pub fn ty(&self) -> Type {
        match self {
            Value::F64(_) => Type::F64,
            Value::I64(_) => Type::I64,
            Value::Bool(_) => Type::Bool,
            Value::Str(_) => Type::Str,
            Value::None => Type::None,
            Value::Zero => Type::Zero,
            Value::Array(array) => Type::Array(array.elements.dtype(), array.shape),
            Value::Tuple(items) => Type::tuple(items.iter().map(Value::ty)),
            Value::List(items) => Type::List(items.iter().map(Value::ty).collect()),
            Value::Record(schema, items) => Type::Record(schema.clone(), items.iter().map(Value::ty).collect()),
        }
    }
}

impl Value {
    /// The items, if it is a tuple or a list: not copied if nobody else has it.
    pub fn into_items(self) -> Option<Vec<Value>> {
        let (Value::Tuple(mut items) | Value::List(mut items)) = self else { return None };
        Some(match Arc::get_mut(&mut items) {
            Some(items) => items.iter_mut().map(|item| std::mem::replace(item, Value::None)).collect(),
            None => items.to_vec(),
        })
    }

    /// Whether both are the same to the bit, all NaNs counted as one. (`==` on values is that of floats.)
    pub fn same_bits(&self, other: &Value) -> bool {
        match (self, other) {
            (Value::F64(a), Value::F64(b)) => a.to_bits() == b.to_bits() || a.is_nan() && b.is_nan(),
            (Value::Array(a), Value::Array(b)) => {
                a.shape == b.shape
                    && a.elements.dtype() == b.elements.dtype()
                    && a.elements.len() == b.elements.len()
                    && (0..a.elements.len()).all(|i| a.elements.get(i).same_bits(&b.elements.get(i)))
            }
            (Value::Record(s, a), Value::Record(t, b)) => s == t && a.iter().zip(b.iter()).all(|(a, b)| a.same_bits(b)),
            (Value::Tuple(a), Value::Tuple(b)) | (Value::List(a), Value::List(b)) => {
                a.len() == b.len() && a.iter().zip(b.iter()).all(|(a, b)| a.same_bits(b))
            }
            (a, b) => a == b,
        }
    }
}

impl From<f64> for Value {
    fn from(v: f64) -> Value {
        Value::F64(v)
    }
}

impl From<i64> for Value {
    fn from(v: i64) -> Value {
        Value::I64(v)
    }
}

impl From<bool> for Value {
    fn from(v: bool) -> Value {
        Value::Bool(v)
    }
}

/// Items between brackets.
fn written<F: Number>(f: &mut fmt::Formatter<'_>, items: &[Value<F>], open: &str, close: &str) -> fmt::Result {
    f.write_str(open)?;
    for (i, item) in items.iter().enumerate() {
        f.write_str(if i > 0 { ", " } else { "" })?;
        fmt::Display::fmt(item, f)?;
    }
    f.write_str(close)
}

/// As Python prints it; floats with the shortest decimal that comes back.
impl<F: Number> fmt::Display for Value<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::F64(v) => v.print(f),
            Value::I64(v) => write!(f, "{v}"),
            Value::Bool(true) => f.write_str("True"),
            Value::Bool(false) => f.write_str("False"),
            Value::Str(s) => write!(f, "{s:?}"),
            Value::None => f.write_str("None"),
            Value::Zero => f.write_str("zero"),
            Value::Array(array) => array.fmt(f),
            Value::Tuple(items) => written(f, items, "(", if items.len() == 1 { ",)" } else { ")" }),
            Value::List(items) => written(f, items, "[", "]"),
            Value::Record(schema, items) if schema.is_complex() && items.iter().all(|v| matches!(v, Value::F64(_))) => {
                let [re, im] = [0, 1].map(|i| items[i].to_string());
                let [real, imag] = [&re, &im].map(|part| part.strip_suffix(".0").unwrap_or(part));
                let plus = if imag.starts_with('-') { "" } else { "+" };
                if real == "0" { write!(f, "{imag}j") } else { write!(f, "({real}{plus}{imag}j)") }
            }
            Value::Record(schema, items) => {
                let (open, is, close) = match &schema.class {
                    Some(class) => (format!("{class}("), "=", ")"),
                    None => ("{".into(), ": ", "}"),
                };
                f.write_str(&open)?;
                for (i, (name, item)) in schema.fields.iter().zip(items.iter()).enumerate() {
                    let comma = if i > 0 { ", " } else { "" };
                    match schema.class {
                        Some(_) => write!(f, "{comma}{name}{is}{item}")?,
                        None => write!(f, "{comma}{}{is}{item}", Key::of(name))?,
                    }
                }
                f.write_str(close)
            }
        }
    }
}

/// Arrays of more elements are printed without those in the middle of their axes.
const PRINTED: usize = 1000;

/// How many elements are printed at either end of a long axis.
const EDGE: usize = 3;

/// Nested lists, as `tolist` of NumPy gives them.
impl<F: Number> fmt::Display for Array<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sizes: Vec<usize> = self.shape.sizes().collect();
        let edge = if self.elements.len() > PRINTED { EDGE } else { usize::MAX };
        nested(f, &self.elements, &sizes, 0, edge)
    }
}

/// What follows `start` elements: one, or a list of what is inside of the first axis.
fn nested<F: Number>(
    f: &mut fmt::Formatter<'_>,
    elements: &Elements<F>,
    sizes: &[usize],
    start: usize,
    edge: usize,
) -> fmt::Result {
    let Some((&length, inner)) = sizes.split_first() else {
        return match elements {
            Elements::Bool(v) => write!(f, "{}", Value::<F>::Bool(v[start])),
            Elements::I64(v) => write!(f, "{}", v[start]),
            Elements::F32(v) => f64::from(v[start]).print(f),
            Elements::F64(v) => v[start].print(f),
        };
    };
    let stride: usize = inner.iter().product();
    let is_long = length > edge.saturating_mul(2);
    f.write_str("[")?;
    for i in 0..length {
        if is_long && i >= edge && i < length - edge {
            if i == edge {
                f.write_str(", ...")?;
            }
            continue;
        }
        if i > 0 {
            f.write_str(", ")?;
        }
        nested(f, elements, inner, start + i * stride, edge)?;
    }
    f.write_str("]")
}

impl From<Array> for Value {
    fn from(array: Array) -> Value {
        Value::Array(array)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prints_as_python_does() {
        let value = Value::tuple([
            1.0.into(),
            2_i64.into(),
            true.into(),
            Value::None,
            Value::tuple([f64::NEG_INFINITY.into()]),
            Value::tuple([]),
            f64::NAN.into(),
            (-0.0).into(),
        ]);
        assert_eq!(value.to_string(), "(1.0, 2, True, None, (-inf,), (), nan, -0.0)");
        assert_eq!(value.ty().to_string(), "(f64, i64, bool, none, (f64,), (), f64, f64)");
    }

    #[test]
    fn bits_tell_zeros_apart_but_not_nans() {
        let value = |v: f64| Value::tuple([v.into()]);
        assert!(value(f64::NAN).same_bits(&value(-f64::NAN)));
        assert!(!value(0.0).same_bits(&value(-0.0)));
        assert!(value(0.0) == value(-0.0));
        assert!(!value(1.0).same_bits(&Value::I64(1)));
    }
}
