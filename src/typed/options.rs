//! Values that may not be there: options, results, and the data of the variants of an enum.

use super::data::{Args, Argument, Data, No};
use super::words::{Input, Known, Output, Sizes};
use gradus_ir::Type;

/// Whether there is a value, and the value, or zeros in its place.
impl<T: Data> Data for Option<T> {
    type Gradient = ((), T::Gradient);
    type IsOwnGradient = No;
    type Taken = Self;
    const WORDS: usize = 1 + T::WORDS;
    const HAS_ARRAYS: bool = T::HAS_ARRAYS;
    const IS_OPEN: bool = T::IS_OPEN;
    const IS_ACTIVE: bool = T::IS_ACTIVE;
    fn ty(known: &mut Known) -> Type {
        Type::tuple([Type::Bool, T::ty(known)])
    }
    fn reads(ty: &Type) -> bool {
        matches!(ty, Type::Tuple(items) if matches!(&items[..], [Type::Bool, content] if T::reads(content)))
    }
    #[inline]
    fn read(from: &mut Output) -> Option<T> {
        let exists = bool::read(from);
        let content = T::read(from);
        exists.then_some(content)
    }
    fn absent_sizes(to: &mut Sizes) {
        T::absent_sizes(to);
    }
    fn absent(to: &mut Input) {
        bool::absent(to);
        T::absent(to);
    }
}

impl<K: Data, T: Argument<K::Taken>> Argument<Option<K>> for Option<T> {
    fn sizes(&self, to: &mut Sizes) {
        Argument::<Payload<K>>::sizes(self, to);
    }
    #[inline]
    fn write(&self, to: &mut Input) {
        self.is_some().write(to);
        Argument::<Payload<K>>::write(self, to);
    }
}

impl<T: Data> Args for Option<T> {}

/// What a variant of an enum holds, in a field that is zeros where a value is another variant. For what the macros make.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Payload<T>(pub T);

impl<T: Data> Data for Payload<T> {
    type Gradient = T::Gradient;
    type IsOwnGradient = No;
    type Taken = Self;
    const WORDS: usize = T::WORDS;
    const HAS_ARRAYS: bool = T::HAS_ARRAYS;
    const IS_OPEN: bool = T::IS_OPEN;
    const IS_ACTIVE: bool = T::IS_ACTIVE;
    fn ty(known: &mut Known) -> Type {
        T::ty(known)
    }
    fn reads(ty: &Type) -> bool {
        T::reads(ty)
    }
    #[inline]
    fn read(from: &mut Output) -> Payload<T> {
        Payload(T::read(from))
    }
    fn absent_sizes(to: &mut Sizes) {
        T::absent_sizes(to);
    }
    fn absent(to: &mut Input) {
        T::absent(to);
    }
}

impl<K: Data, T: Argument<K::Taken>> Argument<Payload<K>> for Option<T> {
    fn sizes(&self, to: &mut Sizes) {
        match self {
            Some(content) => K::sizes(content, to),
            None => K::absent_sizes(to),
        }
    }
    #[inline]
    fn write(&self, to: &mut Input) {
        match self {
            Some(content) => content.write(to),
            None => K::absent(to),
        }
    }
}

/// Whether it is `Ok`, the value, or zeros in its place, and the error, or zeros.
impl<T: Data, E: Data> Data for Result<T, E> {
    type Gradient = ((), T::Gradient, E::Gradient);
    type IsOwnGradient = No;
    type Taken = Self;
    const WORDS: usize = 1 + T::WORDS + E::WORDS;
    const HAS_ARRAYS: bool = T::HAS_ARRAYS || E::HAS_ARRAYS;
    const IS_OPEN: bool = T::IS_OPEN || E::IS_OPEN;
    const IS_ACTIVE: bool = T::IS_ACTIVE || E::IS_ACTIVE;
    fn ty(known: &mut Known) -> Type {
        Type::tuple([Type::Bool, T::ty(known), E::ty(known)])
    }
    fn reads(ty: &Type) -> bool {
        let Type::Tuple(items) = ty else { return false };
        matches!(&items[..], [Type::Bool, value, error] if T::reads(value) && E::reads(error))
    }
    #[inline]
    fn read(from: &mut Output) -> Result<T, E> {
        let is_ok = bool::read(from);
        let (value, error) = (T::read(from), E::read(from));
        if is_ok { Ok(value) } else { Err(error) }
    }
    fn absent_sizes(to: &mut Sizes) {
        T::absent_sizes(to);
        E::absent_sizes(to);
    }
    fn absent(to: &mut Input) {
        bool::absent(to);
        T::absent(to);
        E::absent(to);
    }
}

impl<K: Data, L: Data, T: Argument<K::Taken>, E: Argument<L::Taken>> Argument<Result<K, L>> for Result<T, E> {
    fn sizes(&self, to: &mut Sizes) {
        match self {
            Ok(value) => {
                K::sizes(value, to);
                L::absent_sizes(to);
            }
            Err(error) => {
                K::absent_sizes(to);
                L::sizes(error, to);
            }
        }
    }
    #[inline]
    fn write(&self, to: &mut Input) {
        self.is_ok().write(to);
        match self {
            Ok(value) => {
                value.write(to);
                L::absent(to);
            }
            Err(error) => {
                K::absent(to);
                error.write(to);
            }
        }
    }
}

impl<T: Data, E: Data> Args for Result<T, E> {}
