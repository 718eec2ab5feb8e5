//! The primitives of arrays that are not elementwise: one table row each. Elementwise primitives are those of scalars, applied to
//! arrays of one shape; broadcasting is a primitive of its own, so no other has to undo it.
//!
//! An operation has an attribute, a list of integers. Where the attribute is a shape and a scalar is as good as an array, the empty
//! shape is that of scalars.

use super::{DType, Dims};
use crate::prim::Effect;
use crate::types::Type;

macro_rules! array_ops {
    ($( $(#[$doc:meta])* $variant:ident $text:literal $arity:tt $effect:ident; )*) => {
        /// An operation on arrays.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
        pub enum ArrayOp {
            $( $(#[$doc])* $variant, )*
        }

        impl ArrayOp {
            /// All of them.
            pub const ALL: &'static [ArrayOp] = &[ $( ArrayOp::$variant ),* ];

            /// The name in the text form, without attribute.
            pub fn name(self) -> &'static str {
                match self { $( ArrayOp::$variant => $text, )* }
            }

            /// The number of operands; none where any number is possible.
            pub fn arity(self) -> Option<usize> {
                match self { $( ArrayOp::$variant => array_ops!(@arity $arity), )* }
            }

            /// What executing it can do.
            pub fn effect(self) -> Effect {
                match self { $( ArrayOp::$variant => Effect::$effect, )* }
            }
        }
    };
    (@arity any) => { None };
    (@arity $n:literal) => { Some($n) };
}

array_ops! {
    // variant   text          arity effect

    /// Attribute: a shape. The operand broadcast to it.
    Broadcast   "broadcast"   1   Pure;
    /// Attribute: a shape that broadcasts to that of the operand. The sums of the elements that broadcasting would make of one.
    SumTo       "sum_to"      1   Pure;
    /// The greatest in place of the sum. NaN if one is.
    MaxTo       "max_to"      1   Pure;
    /// The least in place of the sum. NaN if one is.
    MinTo       "min_to"      1   Pure;
    /// Attribute: a shape of as many elements. The elements in row-major order.
    Reshape     "reshape"     1   Pure;
    /// Attribute: for each axis of the result that of the operand.
    Transpose   "transpose"   1   Pure;
    /// Attribute: for each axis first element, step and number of elements.
    Slice       "slice"       1   Pure;
    /// Attribute as for `slice`. The first operand with the second in the place of the slice.
    Put         "put"         2   Linear;
    /// The same with the second operand added to the slice.
    PutAdd      "put_add"     2   Linear;
    /// The element, or the array of elements, at indices into the first axes, which are in range.
    At          "at"          any Pure;
    /// The array, a value and indices: the array with the value there.
    SetAt       "set_at"      any Linear;
    /// The same with the value added.
    AddAt       "add_at"      any Linear;
    /// Attribute: a length. Places on an axis of that length for integers, negative ones counted from its end.
    Indices     "indices"     1   Trap;
    /// The elements of the first operand along its first axis at the places in the second, which are in range.
    Gather      "gather"      2   Pure;
    /// The same, but zero for a place that comes again later: what the values of `scatter` are there in the end.
    GatherLast  "gather_last" 2   Pure;
    /// An array, places on its first axis, values: the array with the values there. The last one of equal places counts.
    Scatter     "scatter"     3   Linear;
    /// The same with the values added.
    ScatterAdd  "scatter_add" 3   Linear;
    /// Attribute: an axis. The operands one after the other along it.
    Concat      "concat"      any Pure;
    /// The product of matrices; leading axes are those of stacks of matrices.
    MatMul      "matmul"      2   Pure;
    /// Attribute: an axis. The sums of the elements up to each one.
    CumSum      "cumsum"      1   Pure;
    /// Attribute: an axis. The place of the first greatest element; of the first NaN if there is one.
    ArgMax      "argmax"      1   Pure;
    /// Attribute: an axis. The place of the first least element; of the first NaN if there is one.
    ArgMin      "argmin"      1   Pure;
    /// The places of the elements along the last axis in ascending order, NaNs last, equal ones in order.
    ArgSort     "argsort"     1   Pure;
    /// The solution x of `a x = b` for a square matrix and a matrix.
    Solve       "solve"       2   Pure;
    /// The logarithm of the absolute value of the determinant of a square matrix.
    LogDet      "logdet"      1   Pure;
    /// The sign of the determinant of a square matrix: -1, 0 or 1.
    DetSign     "det_sign"    1   Pure;
    /// The lower triangular matrix l with `l lᵀ = a`, a symmetric and positive definite; NaN everywhere if it is not. Reads the lower
    /// triangle.
    Cholesky    "cholesky"    1   Pure;
    /// The lower triangle of a square matrix with half its diagonal, zeros above.
    LowerHalf   "lower_half"  1   Pure;
    /// Attribute: a shape. The array of these elements, in row-major order.
    Make        "array"       any Pure;
    /// Attribute: a shape. For each element its number along the axis that is the last integer of the attribute.
    Iota        "iota"        0   Pure;
    /// Attribute: integers. The array of them, on one axis.
    Table       "table"       0   Pure;
}

impl ArrayOp {
    /// The operation with this name.
    pub fn from_name(name: &str) -> Option<ArrayOp> {
        ArrayOp::ALL.iter().copied().find(|op| op.name() == name)
    }

    /// Whether it has an attribute.
    pub fn has_attribute(self) -> bool {
        use ArrayOp::*;
        !matches!(
            self,
            At | SetAt
                | AddAt
                | Gather
                | GatherLast
                | Scatter
                | ScatterAdd
                | MatMul
                | ArgSort
                | Solve
                | LogDet
                | DetSign
                | Cholesky
                | LowerHalf
        )
    }

    /// The type of the result on operands of these types; none if they do not fit.
    pub fn result_type(self, attribute: Dims, operands: &[Type]) -> Option<Type> {
        use ArrayOp::*;
        if self.arity().is_some_and(|n| n != operands.len()) {
            return None;
        }
        let first = operands.first().map(Type::as_array);
        let (dtype, shape) = match first {
            Some(found) => found?,
            None => (DType::I64, Dims::NONE),
        };
        let second = || operands[1].as_array();
        let is_float = dtype == DType::F64;
        let same_but = |shape: Dims| Some(Type::array(dtype, shape));
        match self {
            Broadcast | Reshape if attribute.iter().any(|&n| n < 0) => None,
            Broadcast if shape.broadcasts_to(attribute) => same_but(attribute),
            SumTo | MaxTo | MinTo if dtype != DType::Bool && attribute.broadcasts_to(shape) => same_but(attribute),
            Reshape if attribute.count() == shape.count() => same_but(attribute),
            Transpose if is_permutation(attribute) && attribute.len() == shape.len() => {
                same_but(Dims::new(attribute.iter().map(|&axis| shape[axis as usize]).collect::<Vec<_>>()))
            }
            Slice => same_but(slice_shape(attribute, shape)?),
            Put | PutAdd => (second()? == (dtype, slice_shape(attribute, shape)?)).then(|| operands[0].clone()),
            At => same_but(indexed(shape, &operands[1..])?),
            SetAt | AddAt => {
                let (value, indices) = operands[1..].split_first()?;
                (*value == Type::array(dtype, indexed(shape, indices)?)).then(|| operands[0].clone())
            }
            Indices => (dtype == DType::I64 && attribute.len() == 1).then(|| operands[0].clone()),
            Gather | GatherLast => match second()? {
                (DType::I64, at) if !shape.is_empty() => same_but(Dims::new([&at[..], &shape[1..]].concat())),
                _ => None,
            },
            Scatter | ScatterAdd => match second()? {
                (DType::I64, at) if !shape.is_empty() => {
                    let values = Dims::new([&at[..], &shape[1..]].concat());
                    (operands[2] == Type::array(dtype, values)).then(|| operands[0].clone())
                }
                _ => None,
            },
            Concat => {
                let axis = axis_of(attribute, shape)?;
                let mut length = 0;
                for operand in operands {
                    let (other, size) = operand.as_array()?;
                    if other != dtype || size.len() != shape.len() || size.with(axis, 0) != shape.with(axis, 0) {
                        return None;
                    }
                    length += size[axis];
                }
                same_but(shape.with(axis, length))
            }
            MatMul => {
                let (other, right) = second()?;
                let stack = shape.len().checked_sub(2)?;
                let fits = dtype == other && dtype != DType::Bool && right.len() == shape.len();
                let fits = fits && shape[..stack] == right[..stack] && shape[stack + 1] == right[stack];
                fits.then(|| Type::array(dtype, shape.with(stack + 1, right[stack + 1])))
            }
            Make => {
                let fits = operands.len() == attribute.count() && shape.is_empty() && operands.iter().all(|o| *o == operands[0]);
                (fits && !attribute.is_empty()).then(|| Type::array(dtype, attribute))
            }
            CumSum if dtype != DType::Bool => axis_of(attribute, shape).map(|_| operands[0].clone()),
            ArgMax | ArgMin => {
                let axis = axis_of(attribute, shape)?;
                (shape[axis] > 0).then(|| Type::array(DType::I64, shape.without(axis)))
            }
            ArgSort if !shape.is_empty() => Some(Type::array(DType::I64, shape)),
            Solve if is_float => {
                let (other, right) = second()?;
                (other == dtype && is_square(shape) && right.len() == 2 && right[0] == shape[0]).then(|| operands[1].clone())
            }
            LogDet | DetSign if is_float && is_square(shape) => Some(Type::F64),
            Cholesky | LowerHalf if is_float && is_square(shape) => Some(operands[0].clone()),
            Iota => {
                let (&axis, shape) = attribute.split_last()?;
                (0..shape.len() as i64).contains(&axis).then(|| Type::array(DType::I64, Dims::new(shape)))
            }
            Table => Some(Type::array(DType::I64, Dims::new([attribute.len() as i64]))),
            _ => None,
        }
    }
}

fn is_square(shape: Dims) -> bool {
    shape.len() == 2 && shape[0] == shape[1]
}

fn is_permutation(axes: Dims) -> bool {
    (0..axes.len() as i64).all(|axis| axes.contains(&axis))
}

fn axis_of(attribute: Dims, shape: Dims) -> Option<usize> {
    let &[axis] = &attribute[..] else { return None };
    usize::try_from(axis).ok().filter(|&axis| axis < shape.len())
}

/// The shape of a slice of an array of shape `shape`; none if it is not within the array.
fn slice_shape(slice: Dims, shape: Dims) -> Option<Dims> {
    let axes = slice.chunks_exact(3);
    if axes.len() != shape.len() || !axes.remainder().is_empty() || shape.is_empty() {
        return None;
    }
    let is_within = |(axis, &length): (&[i64], &i64)| {
        let [first, step, count] = axis else { return false };
        let last = first + step * (count - 1);
        *count == 0 || *count > 0 && *step != 0 && (0..length).contains(first) && (0..length).contains(&last)
    };
    axes.clone().zip(shape.iter()).all(is_within).then(|| Dims::new(axes.map(|axis| axis[2]).collect::<Vec<_>>()))
}

fn indexed(shape: Dims, indices: &[Type]) -> Option<Dims> {
    let fits = !indices.is_empty() && indices.len() <= shape.len() && indices.iter().all(|t| *t == Type::I64);
    fits.then(|| shape.without_first(indices.len()))
}

/// The permutation that undoes this one.
pub fn inverse(axes: Dims) -> Dims {
    let mut back = vec![0; axes.len()];
    for (i, &axis) in axes.iter().enumerate() {
        back[axis as usize] = i as i64;
    }
    Dims::new(back)
}
