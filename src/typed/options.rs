//! Values that may not be there: options, and the data of the variants of an enum.

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
