//! Arrays of `ndarray`, vectors and slices.

use super::data::{Answer, Args, Argument, Data, No, Yes};
use super::words::{Input, Known, Output, Sizes};
use gradus_backend::Slice;
use gradus_ir::{DType, Dims, Elements, Type};
use ndarray::{Array, ArrayBase, Dimension, IxDyn, OwnedRepr};

/// What arrays hold: `f64`, `f32`, `i64` and `bool`.
pub trait Element: Copy + Sized + 'static {
    /// Whether an array of floats is its own gradient.
    #[doc(hidden)]
    type IsOwnGradient: Answer;
    /// What an array's gradient is, given the type of the array.
    type Gradient<A: Data>: Data;
    /// The type of elements.
    #[doc(hidden)]
    const DTYPE: DType;
    /// Elements of an array.
    #[doc(hidden)]
    fn slice(elements: &[Self]) -> Slice<'_>;
    /// The elements of an array, if they are of this type.
    #[doc(hidden)]
    fn unpack(elements: Elements) -> Option<Vec<Self>>;
    /// The one element of an array without axes, which is a scalar.
    #[doc(hidden)]
    fn to_word(self) -> u64;
    /// That element again.
    #[doc(hidden)]
    fn from_word(word: u64) -> Self;
}

macro_rules! elements {
    ($($t:ty: $variant:ident, $gradient:ty, $own:ident, $to:expr, $from:expr;)*) => { $(
        impl Element for $t {
            type IsOwnGradient = $own;
            type Gradient<A: Data> = $gradient;
            const DTYPE: DType = DType::$variant;

            fn slice(elements: &[$t]) -> Slice<'_> {
                Slice::$variant(elements)
            }

            fn unpack(elements: Elements) -> Option<Vec<$t>> {
                match elements {
                    Elements::$variant(v) => Some(v),
                    _ => None,
                }
            }

            fn to_word(self) -> u64 {
                $to(self)
            }

            fn from_word(word: u64) -> $t {
                $from(word)
            }
        }
    )* };
}

elements! {
    f64: F64, A, Yes, f64::to_bits, f64::from_bits;
    f32: F32, A, Yes, |v| f64::from(v).to_bits(), |word| f64::from_bits(word) as f32;
    i64: I64, (), No, i64::cast_unsigned, u64::cast_signed;
    bool: Bool, (), No, u64::from, |word| word != 0;
}

/// The type of an array of this many axes, whose lengths are known; without axes it is a scalar.
fn array_type<T: Element>(axes: usize, known: &mut Known) -> Type {
    let shape: Vec<i64> = (0..axes).map(|_| known.next()).collect();
    Type::array(T::DTYPE, Dims::new(shape))
}

/// Whether results of a type are arrays of so many axes, or of any number.
fn reads_array<T: Element>(axes: Option<usize>, ty: &Type) -> bool {
    match ty {
        Type::Array(dtype, shape) => *dtype == T::DTYPE && axes.is_none_or(|axes| shape.len() == axes),
        scalar => *scalar == Type::array(T::DTYPE, Dims::NONE) && axes.is_none_or(|axes| axes == 0),
    }
}

/// The lengths of the axes, and the elements, of an array or a scalar.
fn read_array<T: Element>(from: &mut Output) -> (Vec<usize>, Vec<T>) {
    if !from.is_array() {
        return (Vec::new(), vec![T::from_word(from.word())]);
    }
    let array = from.array();
    (array.shape().sizes().collect(), T::unpack(array.into_elements()).expect("the type of the result was checked"))
}

impl<T: Element, D: Dimension> Data for Array<T, D> {
    type Gradient = T::Gradient<Array<T, D>>;
    type IsOwnGradient = T::IsOwnGradient;
    type Taken = Self;
    const WORDS: usize = 1;
    const HAS_ARRAYS: bool = true;
    const IS_OPEN: bool = true;
    const IS_ACTIVE: bool = matches!(T::DTYPE, DType::F32 | DType::F64);
    fn ty(known: &mut Known) -> Type {
        let axes = D::NDIM.unwrap_or_else(|| known.next() as usize);
        array_type::<T>(axes, known)
    }
    fn reads(ty: &Type) -> bool {
        reads_array::<T>(D::NDIM, ty)
    }
    fn read(from: &mut Output) -> Self {
        let (shape, elements) = read_array(from);
        let array = Array::from_shape_vec(IxDyn(&shape), elements).and_then(Array::into_dimensionality);
        array.expect("the type of the result was checked")
    }
    fn absent_sizes(to: &mut Sizes) {
        match D::NDIM {
            Some(axes) => to.0.extend(std::iter::repeat_n(0, axes)),
            None => to.0.extend([1, 0]),
        }
    }
    fn absent(to: &mut Input) {
        match D::NDIM {
            Some(0) => to.word(0),
            _ => to.array(T::slice(&[])),
        }
    }
}

/// An array, or a view of one.
impl<T: Element, S: ndarray::Data<Elem = T>, D: Dimension> Argument<Array<T, D>> for ArrayBase<S, D> {
    fn sizes(&self, to: &mut Sizes) {
        if D::NDIM.is_none() {
            to.0.push(self.ndim() as i64);
        }
        to.0.extend(self.shape().iter().map(|&n| n as i64));
    }
    fn write(&self, to: &mut Input) {
        match (self.ndim(), self.as_slice()) {
            (0, _) => to.word(self.first().expect("an array without axes has an element").to_word()),
            (_, Some(elements)) => to.array(T::slice(elements)),
            (_, None) => to.array(T::slice(&self.iter().copied().collect::<Vec<T>>())),
        }
    }
}

impl<T: Element, S: ndarray::Data<Elem = T>, D: Dimension> Argument<Array<T, D>> for &ArrayBase<S, D> {
    fn sizes(&self, to: &mut Sizes) {
        Argument::<Array<T, D>>::sizes(*self, to);
    }
    fn write(&self, to: &mut Input) {
        Argument::<Array<T, D>>::write(*self, to);
    }
}

impl<T: Element, D: Dimension> Args for ArrayBase<OwnedRepr<T>, D> {}

impl<T: Element> Data for Vec<T> {
    type Gradient = T::Gradient<Vec<T>>;
    type IsOwnGradient = T::IsOwnGradient;
    type Taken = Self;
    const WORDS: usize = 1;
    const HAS_ARRAYS: bool = true;
    const IS_OPEN: bool = true;
    const IS_ACTIVE: bool = matches!(T::DTYPE, DType::F32 | DType::F64);
    fn ty(known: &mut Known) -> Type {
        array_type::<T>(1, known)
    }
    fn reads(ty: &Type) -> bool {
        reads_array::<T>(Some(1), ty)
    }
    fn read(from: &mut Output) -> Vec<T> {
        read_array(from).1
    }
    fn absent_sizes(to: &mut Sizes) {
        to.0.push(0);
    }
    fn absent(to: &mut Input) {
        to.array(T::slice(&[]));
    }
}

macro_rules! slices {
    ($($(#[$const:ident])? $t:ty),*) => { $(
        impl<T: Element $(, const $const: usize)?> Argument<Vec<T>> for $t {
            fn sizes(&self, to: &mut Sizes) {
                to.0.push(self.len() as i64);
            }
            fn write(&self, to: &mut Input) {
                to.array(T::slice(&self[..]));
            }
        }
    )* };
}

slices!(
    Vec<T>,
    &Vec<T>,
    &[T],
    &mut [T],
    #[N]
    [T; N],
    #[N]
    &[T; N]
);

impl<T: Element> Args for Vec<T> {}
