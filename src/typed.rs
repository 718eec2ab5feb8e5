//! Rust values as arguments and results.

use crate::Error;
use gradus_ir::{Schema, Type, Value};
use num_complex::Complex64;

/// A Rust value that a program takes: `f64`, `i64`, `i32`, `bool`, `Complex64` of `num_complex`, tuples and Rust arrays of them, which are tuples of the
/// program; `()` for no tangent; arrays of `ndarray`, views of them and references to them, of `f64`, `i64` or `bool`.
///
/// What is copied: each run takes its own copy of the arrays among its arguments, into memory that is aligned as kernels want it,
/// and each array of the result is copied out of that memory once. Beside that,
///
/// * an array that is given by value and in standard layout becomes a [`Value`] as it is, and so does every result an array;
/// * a view, what is behind a reference, and an array in another layout are copied to become a [`Value`]. Where the same large
///   array is an argument of many calls, such as the data of a training loop, this copy is made once if the array is made a
///   `Value` first, by [`Argument::into_value`]: clones of a `Value` share their elements.
pub trait Argument {
    /// The value as the program sees it.
    fn into_value(self) -> Value;
}

/// A Rust value that a program gives: what it takes, but for views; `()` for what has no derivative.
pub trait Answer: Sized {
    /// The value, if it is one of this type.
    fn from_value(v: Value) -> Option<Self>;
}

/// Data of a size that its Rust type says, which [`Native`](crate::Native) passes in words: all but arrays of `ndarray`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no data of a fixed size",
    note = "arrays go through `Function::call`, `grad`, `value_and_grad` and `jvp`"
)]
pub trait Data: Argument + Answer {
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
}

macro_rules! scalars {
    ($($t:ty: $variant:ident;)*) => { $(
        impl Argument for $t {
            fn into_value(self) -> Value {
                Value::$variant(self.into())
            }
        }

        impl Answer for $t {
            fn from_value(v: Value) -> Option<$t> {
                match v {
                    Value::$variant(v) => v.try_into().ok(),
                    _ => None,
                }
            }
        }
    )* };
}

scalars! {
    f64: F64;
    i64: I64;
    i32: I64;
    bool: Bool;
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
}

/// `None`, and the gradient of what has none.
impl Argument for () {
    fn into_value(self) -> Value {
        Value::None
    }
}

impl Answer for () {
    fn from_value(v: Value) -> Option<()> {
        matches!(v, Value::None | Value::Zero).then_some(())
    }
}

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
}

impl Argument for Complex64 {
    fn into_value(self) -> Value {
        Value::Record(Schema::complex(), [Value::F64(self.re), Value::F64(self.im)].into())
    }
}

impl Answer for Complex64 {
    fn from_value(v: Value) -> Option<Complex64> {
        match &v {
            Value::Record(schema, items) if schema.is_complex() => match items[..] {
                [Value::F64(re), Value::F64(im)] => Some(Complex64 { re, im }),
                _ => None,
            },
            _ => None,
        }
    }
}

impl Args for Complex64 {
    fn into_values(self) -> Vec<Value> {
        vec![self.into_value()]
    }
}

impl Argument for Value {
    fn into_value(self) -> Value {
        self
    }
}

impl Answer for Value {
    fn from_value(v: Value) -> Option<Value> {
        Some(v)
    }
}

/// The arguments of a call: a tuple of them, or a single number or array.
pub trait Args {
    /// The arguments as the program sees them.
    fn into_values(self) -> Vec<Value>;
}

impl Args for f64 {
    fn into_values(self) -> Vec<Value> {
        vec![Value::F64(self)]
    }
}

impl Args for &[Value] {
    fn into_values(self) -> Vec<Value> {
        self.to_vec()
    }
}

macro_rules! tuples {
    ($( ($($t:ident $i:tt),+); )*) => { $(
        impl<$($t: Argument),+> Argument for ($($t,)+) {
            fn into_value(self) -> Value {
                Value::tuple([$(self.$i.into_value()),+])
            }
        }

        impl<$($t: Answer),+> Answer for ($($t,)+) {
            fn from_value(v: Value) -> Option<Self> {
                let items = v.into_items().filter(|items| items.len() == [$($i),+].len())?;
                let mut items = items.into_iter();
                Some(($($t::from_value(items.next()?)?,)+))
            }
        }

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
        }

        impl<$($t: Argument),+> Args for ($($t,)+) {
            fn into_values(self) -> Vec<Value> {
                vec![$(self.$i.into_value()),+]
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
impl<T: Argument, const N: usize> Argument for [T; N] {
    fn into_value(self) -> Value {
        Value::tuple(self.into_iter().map(T::into_value))
    }
}

impl<T: Answer, const N: usize> Answer for [T; N] {
    fn from_value(v: Value) -> Option<Self> {
        let items: Option<Vec<T>> = v.into_items()?.into_iter().map(T::from_value).collect();
        items?.try_into().ok()
    }
}

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
}

/// All items, if none is missing.
fn all<T, const N: usize>(items: [Option<T>; N]) -> Option<[T; N]> {
    items.iter().all(Option::is_some).then(|| items.map(|item| item.expect("no item is missing")))
}

/// Reads a result.
pub(crate) fn read<T: Answer>(v: Value) -> Result<T, Error> {
    // What cannot be read is shown in the message, if it is short.
    let (ty, scalar) = (v.ty(), (!matches!(v, Value::Array(_) | Value::Tuple(_))).then(|| v.clone()));
    T::from_value(v).ok_or_else(|| {
        let shown = scalar.map_or_else(String::new, |v| format!("{v}, a "));
        let message = format!("the result is {shown}{}, which is no {}", ty.describe(), std::any::type_name::<T>());
        Error::Arguments(message)
    })
}
