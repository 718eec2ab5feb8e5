//! Rust types as types of programs: the traits, scalars, tuples and structs.

use super::words::{Input, Known, Output, Sizes};
use gradus_ir::{Const, Schema, Type};
use num_complex::Complex64;
use std::sync::Arc;

/// A Rust type that programs have a type for.
///
/// | in Rust | in a program | its gradient |
/// |---|---|---|
/// | `f64` | a float | `f64` |
/// | `i64`, `bool` | an int, a bool | `()` |
/// | other integers, but those that an `i64` does not hold | an int, cut to the type where it is a result | `()` |
/// | `()` | `None` | `()` |
/// | `Complex64` of `num_complex` | a complex number | `Complex64` |
/// | tuples, `[T; N]` | a tuple | the same of gradients |
/// | `Vec<T>`, and arrays of `ndarray` with `f64`, `f32`, `i64` or `bool` | an array | the same for floats, `()` for others |
/// | `Option<T>` | whether there is a value, and the value or zeros | `()` and the gradient in the value |
/// | `Result<T, E>` | whether it is `Ok`, the value and the error, or zeros | `()` and the gradients in both |
/// | a struct or an enum that is a [`Record`] | an instance of the class of its name | what the struct says |
///
/// An argument that gradients are not taken in is a [`Constant`], one that shapes depend on is [`Static`].
///
/// The trait is implemented for these types and by way of [`Record`]; it is not meant to be implemented otherwise.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no type of programs",
    note = "a struct becomes one by implementing `gradus::Record`; arguments are named by the types that own them: `Vec<f64>` for `&[f64]`"
)]
pub trait Data: Sized {
    /// What gradients in a value of the type are, and cotangents and tangents of it.
    type Gradient: Data;
    /// Whether gradients in values of the type are of the type itself.
    #[doc(hidden)]
    type IsOwnGradient: Answer;
    /// What is given for it: itself, but for [`Constant`] and [`Static`].
    #[doc(hidden)]
    type Taken;
    /// How many scalars and arrays it has.
    #[doc(hidden)]
    const WORDS: usize;
    /// Whether arrays are among them.
    #[doc(hidden)]
    const HAS_ARRAYS: bool;
    /// Whether programs are compiled for sizes that the type does not say.
    #[doc(hidden)]
    const IS_OPEN: bool;
    /// Whether it holds floats, in which gradients are taken.
    #[doc(hidden)]
    const IS_ACTIVE: bool;
    /// The type of programs, with these sizes.
    #[doc(hidden)]
    fn ty(known: &mut Known) -> Type;
    /// Whether a result of this type can be read.
    #[doc(hidden)]
    fn reads(ty: &Type) -> bool;
    /// Reads a result.
    #[doc(hidden)]
    fn read(from: &mut Output) -> Self;
    /// Gives the sizes of an argument that the type does not say.
    #[doc(hidden)]
    fn sizes(arg: &impl Argument<Self::Taken>, to: &mut Sizes) {
        arg.sizes(to);
    }
    /// Gives the sizes of a value that is not there: arrays of nothing.
    #[doc(hidden)]
    fn absent_sizes(to: &mut Sizes);
    /// Puts the words of a value that is not there: zeros.
    #[doc(hidden)]
    fn absent(to: &mut Input);
}

/// A yes or no about types, which chooses one of two types.
pub trait Answer {
    /// Yes, if both are.
    type And<B: Answer>: Answer;
    /// The first type for yes, the second for no.
    type Choose<Y: Data, N: Data>: Data;
}

/// The answer yes.
#[derive(Debug)]
pub enum Yes {}

/// The answer no.
#[derive(Debug)]
pub enum No {}

impl Answer for Yes {
    type And<B: Answer> = B;
    type Choose<Y: Data, N: Data> = Y;
}

impl Answer for No {
    type And<B: Answer> = No;
    type Choose<Y: Data, N: Data> = N;
}

/// A Rust value that is passed where a program takes a `K`.
///
/// For a `K` that is a scalar, the scalar (for `i64` an `i32`, too, which literals are in doubt); for a tuple, a tuple of what its
/// items take; for a struct, the struct or a reference to it; for an array, an array, a view of one or a reference to one; for a
/// `Vec`, also a slice, an array of Rust, and a reference to these.
///
/// Arrays are copied once on their way in, into memory that is aligned as kernels want it, and once on their way out.
#[diagnostic::on_unimplemented(message = "a program that takes a `{K}` does not take a `{Self}` for it", label = "is no `{K}`")]
pub trait Argument<K> {
    /// Gives the sizes that `K` does not say.
    #[doc(hidden)]
    fn sizes(&self, _: &mut Sizes) {}
    /// Puts its words.
    #[doc(hidden)]
    fn write(&self, to: &mut Input);
}

/// The arguments of a function: a tuple of types, or the type of the only one if that is no tuple.
#[diagnostic::on_unimplemented(message = "`{Self}` is no list of arguments", note = "arguments are a tuple: `(f64, i64)`")]
pub trait Args: Data {
    /// Whether there is one argument, which is not in a tuple.
    #[doc(hidden)]
    const IS_SINGLE: bool = true;
    /// The types of the arguments, each with its value where that is known.
    #[doc(hidden)]
    fn list(known: &mut Known) -> Vec<(Type, Option<Const>)> {
        vec![(Self::ty(known), known.constant.take())]
    }
    /// The numbers of the arguments that gradients are taken in.
    #[doc(hidden)]
    fn active() -> Vec<usize> {
        if Self::IS_ACTIVE { vec![0] } else { Vec::new() }
    }
}

/// A struct as an instance of a class of programs, a frozen dataclass with the same name and fields.
///
/// `#[derive(gradus::Value)]` implements it. By hand:
///
/// ```
/// use gradus::{Argument, Engine, Record, Source};
///
/// #[derive(Clone, Copy, PartialEq, Debug)]
/// struct Line { slope: f64, offset: f64 }
///
/// impl Record for Line {
///     const NAME: &'static str = "Line";
///     const FIELDS: &'static [&'static str] = &["slope", "offset"];
///     type Fields = (f64, f64);
///     type Gradient = Line;
///     fn fields(&self) -> impl Argument<(f64, f64)> {
///         (self.slope, self.offset)
///     }
///     fn from_fields((slope, offset): (f64, f64)) -> Line {
///         Line { slope, offset }
///     }
/// }
///
/// let program = Engine::default().parse(Source::new("line.py", "
/// from dataclasses import dataclass
///
/// @dataclass(frozen=True)
/// class Line:
///     slope: float
///     offset: float
///
/// def at(line, x): return line.slope * x + line.offset
/// "))?;
/// let gradient = program.function("at")?.grad::<(Line, f64)>()?;
/// let line = Line { slope: 2.0, offset: 1.0 };
/// assert_eq!(gradient.call((line, 3.0))?, (Line { slope: 3.0, offset: 1.0 }, 2.0));
/// # Ok::<(), gradus::Error>(())
/// ```
pub trait Record: Sized {
    /// The name of the class.
    const NAME: &'static str;
    /// The names of the fields, in the order of the class.
    const FIELDS: &'static [&'static str];
    /// The fields as a tuple, `()` if there are none.
    type Fields: Data;
    /// What gradients are: the struct itself if every field is its own gradient, else a struct of the gradients of the fields, a
    /// `Record` of the same name.
    type Gradient: Data;
    /// The fields, or references to them.
    fn fields(&self) -> impl Argument<Self::Fields>;
    /// A struct of these fields.
    fn from_fields(fields: Self::Fields) -> Self;
}

/// An argument that is constant to derivatives: no gradient is computed for it, and `()` stands in its place.
///
/// ```
/// use gradus::{Constant, Engine, Source};
///
/// let text = "def loss(w, x, y): return (w * x - y) ** 2";
/// let loss = Engine::default().parse(Source::new("loss.py", text))?.function("loss")?;
/// let gradient = loss.grad::<(f64, Constant<f64>, Constant<f64>)>()?;
/// assert_eq!(gradient.call((2.0, 3.0, 5.0))?, (6.0, (), ()));
/// # Ok::<(), gradus::Error>(())
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Constant<T>(pub T);

/// An integer that is known when a program is compiled, for shapes depend on it. It is compiled for each value that calls have.
///
/// ```
/// use gradus::{Engine, Source, Static};
///
/// let text = "import numpy as np\ndef f(x, n): return (x * np.ones(n)).sum()";
/// let gradient = Engine::default().parse(Source::new("f.py", text))?.function("f")?.grad::<(f64, Static<i64>)>()?;
/// assert_eq!(gradient.call((2.0, 3))?, (3.0, ()));
/// # Ok::<(), gradus::Error>(())
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Static<T>(pub T);

macro_rules! scalars {
    ($($t:ty, $ty:ident, $gradient:ty, $own:ident, $is_active:expr, $to:expr, $from:expr;)*) => { $(
        impl Data for $t {
            type Gradient = $gradient;
            type IsOwnGradient = $own;
            type Taken = $t;
            const WORDS: usize = 1;
            const HAS_ARRAYS: bool = false;
            const IS_OPEN: bool = false;
            const IS_ACTIVE: bool = $is_active;
            fn ty(_: &mut Known) -> Type {
                Type::$ty
            }
            fn reads(ty: &Type) -> bool {
                *ty == Type::$ty
            }
            #[inline]
            fn read(from: &mut Output) -> $t {
                $from(from.word())
            }
            fn absent_sizes(_: &mut Sizes) {}
            fn absent(to: &mut Input) {
                to.word(0);
            }
        }

        impl Argument<$t> for $t {
            #[inline]
            fn write(&self, to: &mut Input) {
                to.word($to(*self));
            }
        }

        impl Argument<$t> for &$t {
            #[inline]
            fn write(&self, to: &mut Input) {
                Argument::<$t>::write(*self, to);
            }
        }

        impl Args for $t {}
    )* };
}

scalars! {
    f64, F64, f64, Yes, true, f64::to_bits, f64::from_bits;
    i64, I64, (), No, false, i64::cast_unsigned, u64::cast_signed;
    bool, Bool, (), No, false, u64::from, |word| word != 0;
    i8, I64, (), No, false, |v| i64::from(v).cast_unsigned(), |word| word as i8;
    i16, I64, (), No, false, |v| i64::from(v).cast_unsigned(), |word| word as i16;
    i32, I64, (), No, false, |v| i64::from(v).cast_unsigned(), |word| word as i32;
    isize, I64, (), No, false, |v| v as u64, |word| word as isize;
    u8, I64, (), No, false, u64::from, |word| word as u8;
    u16, I64, (), No, false, u64::from, |word| word as u16;
    u32, I64, (), No, false, u64::from, |word| word as u32;
    usize, I64, (), No, false, |v| v as u64, |word| word as usize;
}

impl Argument<i64> for i32 {
    #[inline]
    fn write(&self, to: &mut Input) {
        to.word(i64::from(*self).cast_unsigned());
    }
}

impl Data for () {
    type Gradient = ();
    type IsOwnGradient = Yes;
    type Taken = ();
    const WORDS: usize = 0;
    const HAS_ARRAYS: bool = false;
    const IS_OPEN: bool = false;
    const IS_ACTIVE: bool = false;
    fn ty(_: &mut Known) -> Type {
        Type::None
    }
    fn reads(ty: &Type) -> bool {
        match ty {
            Type::None | Type::Zero => true,
            Type::Tuple(items) | Type::Record(_, items) => items.iter().all(<()>::reads),
            _ => false,
        }
    }
    #[inline]
    fn read(_: &mut Output) {}
    fn absent_sizes(_: &mut Sizes) {}
    fn absent(_: &mut Input) {}
}

impl Argument<()> for () {
    #[inline]
    fn write(&self, _: &mut Input) {}
}

impl Argument<()> for &() {
    #[inline]
    fn write(&self, _: &mut Input) {}
}

/// No arguments.
impl Args for () {
    const IS_SINGLE: bool = false;
    fn list(_: &mut Known) -> Vec<(Type, Option<Const>)> {
        Vec::new()
    }
}

impl Data for Complex64 {
    type Gradient = Complex64;
    type IsOwnGradient = Yes;
    type Taken = Complex64;
    const WORDS: usize = 2;
    const HAS_ARRAYS: bool = false;
    const IS_OPEN: bool = false;
    const IS_ACTIVE: bool = true;
    fn ty(_: &mut Known) -> Type {
        Type::Record(Schema::complex(), [Type::F64, Type::F64].into())
    }
    fn reads(ty: &Type) -> bool {
        matches!(ty, Type::Record(schema, _) if schema.is_complex())
    }
    #[inline]
    fn read(from: &mut Output) -> Complex64 {
        Complex64 { re: f64::read(from), im: f64::read(from) }
    }
    fn absent_sizes(_: &mut Sizes) {}
    fn absent(to: &mut Input) {
        <[f64; 2]>::absent(to);
    }
}

impl Argument<Complex64> for Complex64 {
    #[inline]
    fn write(&self, to: &mut Input) {
        to.word(self.re.to_bits());
        to.word(self.im.to_bits());
    }
}

impl Args for Complex64 {}

/// Whether a result is nothing, which is read as data that is nothing.
fn is_nothing<T: Data>(ty: &Type) -> bool {
    T::WORDS == 0 && <()>::reads(ty)
}

macro_rules! tuples {
    (@own $last:ident) => { $last::IsOwnGradient };
    (@own $t:ident $($more:ident)+) => { <$t::IsOwnGradient as Answer>::And<tuples!(@own $($more)+)> };
    ($( ($($t:ident $k:ident $i:tt),+); )*) => { $(
        impl<$($t: Data),+> Data for ($($t,)+) {
            type Gradient = ($($t::Gradient,)+);
            type IsOwnGradient = tuples!(@own $($t)+);
            type Taken = Self;
            const WORDS: usize = 0 $(+ $t::WORDS)+;
            const HAS_ARRAYS: bool = false $(|| $t::HAS_ARRAYS)+;
            const IS_OPEN: bool = false $(|| $t::IS_OPEN)+;
            const IS_ACTIVE: bool = false $(|| $t::IS_ACTIVE)+;
            fn ty(known: &mut Known) -> Type {
                Type::tuple([$($t::ty(known)),+])
            }
            fn reads(ty: &Type) -> bool {
                match ty {
                    Type::Tuple(items) => items.len() == [$($i),+].len() $(&& $t::reads(&items[$i]))+,
                    ty => is_nothing::<Self>(ty),
                }
            }
            #[inline]
            fn read(from: &mut Output) -> Self {
                ($($t::read(from),)+)
            }
            fn absent_sizes(to: &mut Sizes) {
                $($t::absent_sizes(to);)+
            }
            fn absent(to: &mut Input) {
                $($t::absent(to);)+
            }
        }

        impl<$($k: Data, $t: Argument<$k::Taken>),+> Argument<($($k,)+)> for ($($t,)+) {
            #[inline]
            fn sizes(&self, to: &mut Sizes) {
                $($k::sizes(&self.$i, to);)+
            }
            #[inline]
            fn write(&self, to: &mut Input) {
                $(self.$i.write(to);)+
            }
        }

        impl<$($t: Data),+> Args for ($($t,)+) {
            const IS_SINGLE: bool = false;
            fn list(known: &mut Known) -> Vec<(Type, Option<Const>)> {
                vec![$(($t::ty(known), known.constant.take())),+]
            }
            fn active() -> Vec<usize> {
                let is_active = [$($t::IS_ACTIVE),+];
                (0..is_active.len()).filter(|&i| is_active[i]).collect()
            }
        }
    )* };
}

tuples! {
    (A KA 0);
    (A KA 0, B KB 1);
    (A KA 0, B KB 1, C KC 2);
    (A KA 0, B KB 1, C KC 2, D KD 3);
    (A KA 0, B KB 1, C KC 2, D KD 3, E KE 4);
    (A KA 0, B KB 1, C KC 2, D KD 3, E KE 4, F KF 5);
    (A KA 0, B KB 1, C KC 2, D KD 3, E KE 4, F KF 5, G KG 6);
    (A KA 0, B KB 1, C KC 2, D KD 3, E KE 4, F KF 5, G KG 6, H KH 7);
    (A KA 0, B KB 1, C KC 2, D KD 3, E KE 4, F KF 5, G KG 6, H KH 7, I KI 8);
    (A KA 0, B KB 1, C KC 2, D KD 3, E KE 4, F KF 5, G KG 6, H KH 7, I KI 8, J KJ 9);
    (A KA 0, B KB 1, C KC 2, D KD 3, E KE 4, F KF 5, G KG 6, H KH 7, I KI 8, J KJ 9, K KK 10);
    (A KA 0, B KB 1, C KC 2, D KD 3, E KE 4, F KF 5, G KG 6, H KH 7, I KI 8, J KJ 9, K KK 10, L KL 11);
}

/// A tuple whose items are of one type.
impl<T: Data, const N: usize> Data for [T; N] {
    type Gradient = [T::Gradient; N];
    type IsOwnGradient = T::IsOwnGradient;
    type Taken = Self;
    const WORDS: usize = N * T::WORDS;
    const HAS_ARRAYS: bool = T::HAS_ARRAYS;
    const IS_OPEN: bool = T::IS_OPEN;
    const IS_ACTIVE: bool = T::IS_ACTIVE && N > 0;
    fn ty(known: &mut Known) -> Type {
        Type::tuple((0..N).map(|_| T::ty(known)))
    }
    fn reads(ty: &Type) -> bool {
        match ty {
            Type::Tuple(items) => items.len() == N && items.iter().all(T::reads),
            ty => is_nothing::<Self>(ty),
        }
    }
    #[inline]
    fn read(from: &mut Output) -> Self {
        std::array::from_fn(|_| T::read(from))
    }
    fn absent_sizes(to: &mut Sizes) {
        (0..N).for_each(|_| T::absent_sizes(to));
    }
    fn absent(to: &mut Input) {
        (0..N).for_each(|_| T::absent(to));
    }
}

impl<T: Data, const N: usize> Args for [T; N] {}

impl<K: Data, T: Argument<K>, const N: usize> Argument<[K; N]> for [T; N] {
    fn sizes(&self, to: &mut Sizes) {
        self.iter().for_each(|item| item.sizes(to));
    }
    #[inline]
    fn write(&self, to: &mut Input) {
        self.iter().for_each(|item| item.write(to));
    }
}

impl<K: Data, T: Argument<K>, const N: usize> Argument<[K; N]> for &[T; N] {
    fn sizes(&self, to: &mut Sizes) {
        self.iter().for_each(|item| item.sizes(to));
    }
    #[inline]
    fn write(&self, to: &mut Input) {
        self.iter().for_each(|item| item.write(to));
    }
}

impl<T: Record> Data for T {
    type Gradient = T::Gradient;
    type IsOwnGradient = <T::Fields as Data>::IsOwnGradient;
    type Taken = T;
    const WORDS: usize = T::Fields::WORDS;
    const HAS_ARRAYS: bool = T::Fields::HAS_ARRAYS;
    const IS_OPEN: bool = T::Fields::IS_OPEN;
    const IS_ACTIVE: bool = T::Fields::IS_ACTIVE;
    fn ty(known: &mut Known) -> Type {
        let fields = match T::Fields::ty(known) {
            Type::Tuple(items) => items,
            _ => [].into(),
        };
        assert_eq!(fields.len(), T::FIELDS.len(), "`{}` has a name for each field", T::NAME);
        let names = T::FIELDS.iter().map(|&name| name.into()).collect();
        Type::Record(Arc::new(Schema { class: Some(T::NAME.into()), fields: names }), fields)
    }
    fn reads(ty: &Type) -> bool {
        match ty {
            Type::Record(schema, items) => {
                schema.class.as_deref() == Some(T::NAME)
                    && schema.fields.iter().map(|name| &**name).eq(T::FIELDS.iter().copied())
                    && (T::Fields::reads(&Type::Tuple(items.clone())) || items.is_empty())
            }
            ty => is_nothing::<Self>(ty),
        }
    }
    #[inline]
    fn read(from: &mut Output) -> T {
        T::from_fields(T::Fields::read(from))
    }
    fn absent_sizes(to: &mut Sizes) {
        T::Fields::absent_sizes(to);
    }
    fn absent(to: &mut Input) {
        T::Fields::absent(to);
    }
}

impl<T: Record> Argument<T> for T {
    fn sizes(&self, to: &mut Sizes) {
        self.fields().sizes(to);
    }
    #[inline]
    fn write(&self, to: &mut Input) {
        self.fields().write(to);
    }
}

impl<T: Record> Argument<T> for &T {
    fn sizes(&self, to: &mut Sizes) {
        self.fields().sizes(to);
    }
    #[inline]
    fn write(&self, to: &mut Input) {
        self.fields().write(to);
    }
}

impl<T: Record> Args for T {}

impl<T: Data> Data for Constant<T> {
    type Gradient = ();
    type IsOwnGradient = No;
    type Taken = T::Taken;
    const WORDS: usize = T::WORDS;
    const HAS_ARRAYS: bool = T::HAS_ARRAYS;
    const IS_OPEN: bool = T::IS_OPEN;
    const IS_ACTIVE: bool = false;
    fn ty(known: &mut Known) -> Type {
        T::ty(known)
    }
    fn reads(ty: &Type) -> bool {
        T::reads(ty)
    }
    fn read(from: &mut Output) -> Constant<T> {
        Constant(T::read(from))
    }
    fn sizes(arg: &impl Argument<T::Taken>, to: &mut Sizes) {
        T::sizes(arg, to);
    }
    fn absent_sizes(to: &mut Sizes) {
        T::absent_sizes(to);
    }
    fn absent(to: &mut Input) {
        T::absent(to);
    }
}

impl Data for Static<i64> {
    type Gradient = ();
    type IsOwnGradient = No;
    type Taken = i64;
    const WORDS: usize = 1;
    const HAS_ARRAYS: bool = false;
    const IS_OPEN: bool = true;
    const IS_ACTIVE: bool = false;
    fn ty(known: &mut Known) -> Type {
        known.constant = Some(Const::I64(known.next()));
        Type::I64
    }
    fn reads(ty: &Type) -> bool {
        i64::reads(ty)
    }
    fn read(from: &mut Output) -> Static<i64> {
        Static(i64::read(from))
    }
    fn sizes(arg: &impl Argument<i64>, to: &mut Sizes) {
        let mut word = [0];
        arg.write(&mut Input::scalars(&mut word));
        to.0.push(word[0].cast_signed());
    }
    fn absent_sizes(to: &mut Sizes) {
        to.0.push(0);
    }
    fn absent(to: &mut Input) {
        to.word(0);
    }
}

macro_rules! only_arguments {
    ($($t:ty),*) => { $(
        /// Of a function with one argument.
        impl Argument<Static<i64>> for $t {
            fn sizes(&self, to: &mut Sizes) {
                Static::<i64>::sizes(self, to);
            }
            fn write(&self, to: &mut Input) {
                Argument::<i64>::write(self, to);
            }
        }
    )* };
}

only_arguments!(i64, i32);

impl Args for Static<i64> {}
