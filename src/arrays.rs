//! Arrays of `ndarray` as arguments and results. What is copied: [`Argument`].

use crate::typed::{Answer, Args, Argument};
use gradus_ir::{Array, Dims, Elements, Value};
use ndarray::{ArrayBase, ArrayD, Dimension, IxDyn, OwnedRepr};

/// What arrays hold: `f64`, `f32`, `i64` and `bool`.
pub trait Element: Copy + Sized + 'static {
    /// Elements of this type.
    fn pack(elements: Vec<Self>) -> Elements;
    /// The elements, if they are of this type.
    fn unpack(elements: Elements) -> Option<Vec<Self>>;
}

macro_rules! elements {
    ($($t:ty: $variant:ident;)*) => { $(
        impl Element for $t {
            fn pack(elements: Vec<$t>) -> Elements {
                Elements::$variant(elements)
            }

            fn unpack(elements: Elements) -> Option<Vec<$t>> {
                match elements {
                    Elements::$variant(v) => Some(v),
                    _ => None,
                }
            }
        }
    )* };
}

elements! {
    f64: F64;
    f32: F32;
    i64: I64;
    bool: Bool;
}

/// The value of these elements in row-major order; an array without axes is a scalar.
fn value<A: Element>(shape: &[usize], elements: Vec<A>) -> Value {
    let elements = A::pack(elements);
    if shape.is_empty() {
        return elements.get(0);
    }
    let shape: Vec<i64> = shape.iter().map(|&n| n as i64).collect();
    Array::new(Dims::new(shape), elements).into()
}

/// An array, or a view of one, of NumPy's meaning: without axes it is a scalar.
impl<A: Element, S: ndarray::Data<Elem = A>, D: Dimension> Argument for ArrayBase<S, D> {
    fn into_value(self) -> Value {
        if !self.is_standard_layout() {
            return value(self.shape(), self.iter().copied().collect());
        }
        let array = self.into_owned();
        let (shape, count) = (array.shape().to_vec(), array.len());
        let (elements, start) = array.into_raw_vec_and_offset();
        let start = start.unwrap_or(0);
        // Slicing in place leaves an array that has more elements than it shows.
        let is_whole = start == 0 && elements.len() == count;
        value(&shape, if is_whole { elements } else { elements[start..start + count].to_vec() })
    }
}

/// What is behind a reference, copied.
impl<A: Element, S: ndarray::Data<Elem = A>, D: Dimension> Argument for &ArrayBase<S, D> {
    fn into_value(self) -> Value {
        self.view().into_value()
    }
}

impl<A: Element, S: ndarray::Data<Elem = A>, D: Dimension> Args for ArrayBase<S, D> {
    fn into_values(self) -> Vec<Value> {
        vec![self.into_value()]
    }
}

impl<A: Element, S: ndarray::Data<Elem = A>, D: Dimension> Args for &ArrayBase<S, D> {
    fn into_values(self) -> Vec<Value> {
        vec![self.into_value()]
    }
}

/// An array of as many axes as the result has; of any number for `ArrayD`, and of none for a scalar.
impl<A: Element, D: Dimension> Answer for ArrayBase<OwnedRepr<A>, D> {
    fn from_value(v: Value) -> Option<Self> {
        let (shape, elements) = match v {
            Value::Array(array) => (array.shape().sizes().collect(), A::unpack(array.into_elements())?),
            Value::F64(v) => (Vec::new(), A::unpack(Elements::F64(vec![v]))?),
            Value::I64(v) => (Vec::new(), A::unpack(Elements::I64(vec![v]))?),
            Value::Bool(v) => (Vec::new(), A::unpack(Elements::Bool(vec![v]))?),
            _ => return None,
        };
        ArrayD::from_shape_vec(IxDyn(&shape), elements).ok()?.into_dimensionality().ok()
    }
}
