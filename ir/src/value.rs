//! Values that go into a program and come out of it.

use crate::types::Type;
use std::fmt;
use std::sync::Arc;

/// Data: what a program takes and returns. Functions are not data.
#[derive(Clone, PartialEq, Debug)]
pub enum Value {
    /// A float.
    F64(f64),
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
    /// A tuple.
    Tuple(Arc<[Value]>),
}

impl Value {
    /// The tuple of `items`.
    pub fn tuple(items: impl IntoIterator<Item = Value>) -> Value {
        Value::Tuple(items.into_iter().collect())
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
            Value::Tuple(items) => Type::tuple(items.iter().map(Value::ty)),
        }
    }

    /// Whether both are the same to the bit, all NaNs counted as one. (`==` on values is that of floats.)
    pub fn same_bits(&self, other: &Value) -> bool {
        match (self, other) {
            (Value::F64(a), Value::F64(b)) => a.to_bits() == b.to_bits() || a.is_nan() && b.is_nan(),
            (Value::Tuple(a), Value::Tuple(b)) => a.len() == b.len() && a.iter().zip(b.iter()).all(|(a, b)| a.same_bits(b)),
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

/// As Python prints it; floats with the shortest decimal that comes back.
impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::F64(v) if v.is_nan() => f.write_str("nan"),
            Value::F64(v) => write!(f, "{v:?}"),
            Value::I64(v) => write!(f, "{v}"),
            Value::Bool(true) => f.write_str("True"),
            Value::Bool(false) => f.write_str("False"),
            Value::Str(s) => write!(f, "{s:?}"),
            Value::None => f.write_str("None"),
            Value::Zero => f.write_str("zero"),
            Value::Tuple(items) => {
                f.write_str("(")?;
                for (i, item) in items.iter().enumerate() {
                    if i > 0 {
                        f.write_str(", ")?;
                    }
                    item.fmt(f)?;
                }
                f.write_str(if items.len() == 1 { ",)" } else { ")" })
            }
        }
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
