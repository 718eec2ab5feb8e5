//! Rust values as arguments and results.

use crate::Error;
use gradus_ir::{Type, Value};

/// A Rust value that a program takes or gives: `f64`, `i64`, `i32`, `bool`, tuples and arrays of them; `()` for what has no
/// derivative.
pub trait Data: Sized {
    /// How many words it takes in compiled code: one for each scalar.
    const WORDS: usize;
    /// The type of an argument.
    fn ty() -> Type;
    /// Whether a result of this type can be read.
    fn reads(ty: &Type) -> bool {
        *ty == Self::ty()
    }
    /// Writes the words of an argument.
    fn to_words(&self, words: &mut [u64]);
    /// Reads a result; none if it is out of range.
    fn from_words(words: &[u64]) -> Option<Self>;
    /// The value as the program sees it.
    fn to_value(&self) -> Value;
    /// The value, if it is one of this type.
    fn from_value(v: &Value) -> Option<Self>;
}

impl Data for f64 {
    const WORDS: usize = 1;
    fn ty() -> Type {
        Type::F64
    }
    fn to_words(&self, words: &mut [u64]) {
        words[0] = self.to_bits();
    }
    fn from_words(words: &[u64]) -> Option<f64> {
        Some(f64::from_bits(words[0]))
    }
    fn to_value(&self) -> Value {
        Value::F64(*self)
    }
    fn from_value(v: &Value) -> Option<f64> {
        match v {
            Value::F64(v) => Some(*v),
            _ => None,
        }
    }
}

impl Data for i64 {
    const WORDS: usize = 1;
    fn ty() -> Type {
        Type::I64
    }
    fn to_words(&self, words: &mut [u64]) {
        words[0] = self.cast_unsigned();
    }
    fn from_words(words: &[u64]) -> Option<i64> {
        Some(words[0].cast_signed())
    }
    fn to_value(&self) -> Value {
        Value::I64(*self)
    }
    fn from_value(v: &Value) -> Option<i64> {
        match v {
            Value::I64(v) => Some(*v),
            _ => None,
        }
    }
}

impl Data for i32 {
    const WORDS: usize = 1;
    fn ty() -> Type {
        Type::I64
    }
    fn to_words(&self, words: &mut [u64]) {
        i64::from(*self).to_words(words);
    }
    fn from_words(words: &[u64]) -> Option<i32> {
        i64::from_words(words)?.try_into().ok()
    }
    fn to_value(&self) -> Value {
        Value::I64((*self).into())
    }
    fn from_value(v: &Value) -> Option<i32> {
        i64::from_value(v)?.try_into().ok()
    }
}

impl Data for bool {
    const WORDS: usize = 1;
    fn ty() -> Type {
        Type::Bool
    }
    fn to_words(&self, words: &mut [u64]) {
        words[0] = u64::from(*self);
    }
    fn from_words(words: &[u64]) -> Option<bool> {
        Some(words[0] != 0)
    }
    fn to_value(&self) -> Value {
        Value::Bool(*self)
    }
    fn from_value(v: &Value) -> Option<bool> {
        match v {
            Value::Bool(v) => Some(*v),
            _ => None,
        }
    }
}

/// `None`, and the gradient of what has none.
impl Data for () {
    const WORDS: usize = 0;
    fn ty() -> Type {
        Type::None
    }
    fn reads(ty: &Type) -> bool {
        matches!(ty, Type::None | Type::Zero)
    }
    fn to_words(&self, _: &mut [u64]) {}
    fn from_words(_: &[u64]) -> Option<()> {
        Some(())
    }
    fn to_value(&self) -> Value {
        Value::None
    }
    fn from_value(v: &Value) -> Option<()> {
        matches!(v, Value::None | Value::Zero).then_some(())
    }
}

/// The arguments of a call: a tuple of data, or one `f64`.
pub trait Args {
    /// The arguments as the program sees them.
    fn to_values(&self) -> Vec<Value>;
}

impl Args for f64 {
    fn to_values(&self) -> Vec<Value> {
        vec![Value::F64(*self)]
    }
}

impl Args for &[Value] {
    fn to_values(&self) -> Vec<Value> {
        self.to_vec()
    }
}

macro_rules! tuples {
    ($( ($($t:ident $i:tt),+); )*) => { $(
        impl<$($t: Data),+> Data for ($($t,)+) {
            const WORDS: usize = 0 $(+ $t::WORDS)+;
            fn ty() -> Type {
                Type::tuple([$($t::ty()),+])
            }
            fn reads(ty: &Type) -> bool {
                match ty {
                    Type::Tuple(items) => items.len() == [$($i),+].len() $(&& $t::reads(&items[$i]))+,
                    _ => false,
                }
            }
            #[allow(unused_assignments, reason = "the place after the last field is not read")]
            fn to_words(&self, words: &mut [u64]) {
                let mut at = 0;
                $(self.$i.to_words(&mut words[at..at + $t::WORDS]); at += $t::WORDS;)+
            }
            #[allow(unused_assignments, reason = "the place after the last field is not read")]
            fn from_words(words: &[u64]) -> Option<Self> {
                let mut at = 0;
                Some(($({ let field = $t::from_words(&words[at..at + $t::WORDS])?; at += $t::WORDS; field },)+))
            }
            fn to_value(&self) -> Value {
                Value::tuple([$(self.$i.to_value()),+])
            }
            fn from_value(v: &Value) -> Option<Self> {
                match v {
                    Value::Tuple(items) if items.len() == [$($i),+].len() => Some(($($t::from_value(&items[$i])?,)+)),
                    _ => None,
                }
            }
        }

        impl<$($t: Data),+> Args for ($($t,)+) {
            fn to_values(&self) -> Vec<Value> {
                vec![$(self.$i.to_value()),+]
            }
        }
    )* };
}

tuples! {
    (A 0);
    (A 0, B 1);
    (A 0, B 1, C 2);
    (A 0, B 1, C 2, D 3);
    (A 0, B 1, C 2, D 3, E 4);
    (A 0, B 1, C 2, D 3, E 4, F 5);
    (A 0, B 1, C 2, D 3, E 4, F 5, G 6);
    (A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7);
}

/// A tuple whose items are of one type.
impl<T: Data, const N: usize> Data for [T; N] {
    const WORDS: usize = N * T::WORDS;
    fn ty() -> Type {
        Type::tuple((0..N).map(|_| T::ty()))
    }
    fn reads(ty: &Type) -> bool {
        matches!(ty, Type::Tuple(items) if items.len() == N && items.iter().all(T::reads))
    }
    fn to_words(&self, words: &mut [u64]) {
        for (i, item) in self.iter().enumerate() {
            item.to_words(&mut words[i * T::WORDS..(i + 1) * T::WORDS]);
        }
    }
    fn from_words(words: &[u64]) -> Option<Self> {
        all(std::array::from_fn(|i| T::from_words(&words[i * T::WORDS..(i + 1) * T::WORDS])))
    }
    fn to_value(&self) -> Value {
        Value::tuple(self.iter().map(T::to_value))
    }
    fn from_value(v: &Value) -> Option<Self> {
        match v {
            Value::Tuple(items) if items.len() == N => all(std::array::from_fn(|i| T::from_value(&items[i]))),
            _ => None,
        }
    }
}

/// All items, if none is missing.
fn all<T, const N: usize>(items: [Option<T>; N]) -> Option<[T; N]> {
    items.iter().all(Option::is_some).then(|| items.map(|item| item.expect("no item is missing")))
}

/// Reads a result.
pub(crate) fn read<T: Data>(v: &Value) -> Result<T, Error> {
    T::from_value(v).ok_or_else(|| {
        Error::Arguments(format!("the result is {v}, a {}, which is no {}", v.ty().describe(), std::any::type_name::<T>()))
    })
}
