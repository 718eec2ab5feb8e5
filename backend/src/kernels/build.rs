//! The expressions that kernels are built from.

use super::blocks::block;
use super::isa::Isa;
use super::reduce::Reduction;
use super::view::View;
use gradus_ir::eval::Scalar;
use gradus_ir::{DType, Prim};

/// The type of a primitive's result on elements of these types, if kernels compute it.
pub fn result_dtype(prim: Prim, operands: &[DType]) -> Option<DType> {
    let lanes: Vec<DType> = operands.iter().map(|dtype| dtype.scalar()).collect();
    match (prim, operands) {
        (Prim::Widen, [DType::F32]) => return Some(DType::F64),
        (Prim::Narrow, [DType::F64]) => return Some(DType::F32),
        (Prim::Widen | Prim::Narrow, _) => return None,
        _ if operands.contains(&DType::F32) && operands.contains(&DType::F64) => return None,
        _ => {}
    }
    let (_, dtype) = block(prim, &lanes, 0, Isa::Baseline)?;
    Some(if dtype == DType::F64 && operands.contains(&DType::F32) { DType::F32 } else { dtype })
}

/// Whether a primitive gives floats of 32 bits of such floats, and needs no rounding.
fn stays_narrow(prim: Prim) -> bool {
    use Prim::*;
    matches!(prim, Neg | Abs | Sign | Min | Max | Minimum | Maximum | Copysign | Floor | Ceil | Round | Trunc | Narrow | Select)
}

/// A value of a kernel: one element for each point of its iteration space. Floats of 32 bits are so in memory alone: between loads and
/// stores they are floats of 64 bits that stand for the same numbers, and what a primitive gives is rounded.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct ValueId(pub(super) u32);

impl ValueId {
    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }
}

/// Where a part of a value comes from.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Part {
    /// Elements that lie dense: that of the first point is at `offset`.
    Array {
        input: u32,
        offset: isize,
    },
    Scalar {
        input: u32,
    },
    Literal(u64),
}

/// What a value is.
#[derive(Clone, Debug)]
pub(crate) enum Expr {
    Array {
        input: u32,
        view: View,
        /// The strides of the view along the axes of the iteration space.
        strides: Vec<isize>,
    },
    Scalar {
        input: u32,
    },
    Literal(u64),
    /// Of an iteration space of one axis: each part from its first point to that of the next.
    Joined(Vec<(usize, Part)>),
    Apply {
        prim: Prim,
        operands: Vec<ValueId>,
    },
    /// The same value: what an output takes of an array is read before any output is written.
    Copy(ValueId),
}

impl Expr {
    /// The values that this is computed from.
    pub fn operands(&self) -> &[ValueId] {
        match self {
            Expr::Apply { operands, .. } => operands,
            Expr::Copy(value) => std::slice::from_ref(value),
            _ => &[],
        }
    }
}

#[derive(Clone, Debug)]
pub(crate) enum Output {
    Store(ValueId),
    /// To elements of this type.
    Reduce {
        by: Reduction,
        value: ValueId,
        kept: Vec<bool>,
        dtype: DType,
    },
}

impl Output {
    /// The value that the output is made of.
    pub fn value(&self) -> ValueId {
        let (Output::Store(value) | Output::Reduce { value, .. }) = *self;
        value
    }
}

/// What follows in a value that is joined of parts.
#[derive(Clone, Copy, Debug)]
pub enum Joined {
    /// Elements of an array that lie dense, from this one on.
    Array {
        /// The number of the first element.
        offset: isize,
    },
    /// A scalar, for each point.
    Scalar,
    /// A constant, for each point.
    Literal(Scalar),
}

/// The bits of a constant.
fn word(v: Scalar) -> (u64, DType) {
    match v {
        Scalar::F64(v) => (v.to_bits(), DType::F64),
        Scalar::I64(v) => (v as u64, DType::I64),
        Scalar::Bool(v) => (v.into(), DType::Bool),
    }
}

/// Builds a [`super::Kernel`].
#[derive(Clone, Debug)]
pub struct Builder {
    pub(crate) extents: Vec<usize>,
    pub(crate) exprs: Vec<(Expr, DType)>,
    pub(crate) outputs: Vec<Output>,
    pub(super) inputs: u32,
}

impl Builder {
    /// A kernel over an iteration space, whose points are taken in row-major order.
    pub fn new(extents: &[usize]) -> Builder {
        Builder { extents: extents.to_vec(), exprs: Vec::new(), outputs: Vec::new(), inputs: 0 }
    }

    fn value(&mut self, expr: Expr, dtype: DType) -> ValueId {
        self.exprs.push((expr, dtype));
        ValueId(self.exprs.len() as u32 - 1)
    }

    fn input(&mut self) -> u32 {
        self.inputs += 1;
        self.inputs - 1
    }

    /// The next input, a pointer to the first element of an array: at the point (i, …) the element at `offset` + i·stride + …,
    /// counted in elements. A stride of 0 repeats, a negative one reverses.
    pub fn array(&mut self, dtype: DType, offset: isize, strides: &[isize]) -> ValueId {
        let view = View::new(&self.extents, offset, strides);
        let input = self.input();
        self.value(Expr::Array { input, view, strides: strides.to_vec() }, dtype)
    }

    /// The next input, a scalar: the bits of a float, an integer, or 0 or 1. It is the same at all points.
    pub fn scalar(&mut self, dtype: DType) -> ValueId {
        let input = self.input();
        self.value(Expr::Scalar { input }, dtype)
    }

    /// A constant.
    pub fn literal(&mut self, v: Scalar) -> ValueId {
        let (word, dtype) = word(v);
        self.value(Expr::Literal(word), dtype)
    }

    /// The elements of several arrays one behind the other, of each from an offset on, or a scalar again and again: the next inputs,
    /// but for constants. Each comes with the point of its first element. The iteration space has one axis, and there are none of
    /// floats of 32 bits.
    pub fn joined(&mut self, dtype: DType, parts: &[(usize, Joined)]) -> ValueId {
        assert!(self.extents.len() == 1 && parts[0].0 == 0, "parts follow each other along one axis");
        assert!(dtype != DType::F32, "floats of 32 bits are not put together");
        let parts = parts.iter().map(|&(start, part)| match part {
            Joined::Array { offset } => (start, Part::Array { input: self.input(), offset }),
            Joined::Scalar => (start, Part::Scalar { input: self.input() }),
            Joined::Literal(v) => (start, Part::Literal(word(v).0)),
        });
        let parts = parts.collect();
        self.value(Expr::Joined(parts), dtype)
    }

    /// A primitive of these operands, element by element.
    ///
    /// # Panics
    /// If no kernel computes it; [`result_dtype`] tells.
    pub fn apply(&mut self, prim: Prim, operands: &[ValueId]) -> ValueId {
        let types: Vec<DType> = operands.iter().map(|&v| self.dtype(v)).collect();
        let Some(dtype) = result_dtype(prim, &types) else { panic!("kernels have no {} of {types:?}", prim.name()) };
        if prim == Prim::Widen {
            return self.value(Expr::Copy(operands[0]), dtype);
        }
        let apply = Expr::Apply { prim, operands: operands.to_vec() };
        if dtype != DType::F32 || stays_narrow(prim) {
            return self.value(apply, dtype);
        }
        let wide = self.value(apply, DType::F64);
        self.value(Expr::Apply { prim: Prim::Narrow, operands: vec![wide] }, dtype)
    }

    /// The type of a value's elements.
    pub fn dtype(&self, value: ValueId) -> DType {
        self.exprs[value.index()].1
    }

    /// The types of the elements of values between loads and stores.
    pub(super) fn lanes(&self, values: &[ValueId]) -> Vec<DType> {
        values.iter().map(|&v| self.dtype(v).scalar()).collect()
    }

    /// The next output: the value at all points, dense in row-major order. The output may be the array that an input is, if the
    /// points have the same places in both.
    pub fn store(&mut self, value: ValueId) {
        let value = match &self.exprs[value.index()] {
            (Expr::Array { .. } | Expr::Joined(_), dtype) => self.value(Expr::Copy(value), *dtype),
            _ => value,
        };
        self.outputs.push(Output::Store(value));
    }

    /// The next output: the value reduced along the axes that are not `kept`, dense in row-major order of those that are. There is
    /// no sum of booleans. Of floats of 32 bits the result is rounded once; it has elements of this type, or of 64 bits where `wide`.
    pub fn reduce(&mut self, by: Reduction, value: ValueId, kept: &[bool], wide: bool) {
        let dtype = self.dtype(value);
        assert!(by != Reduction::Sum || dtype != DType::Bool, "booleans have no sum");
        let dtype = if wide { dtype.scalar() } else { dtype };
        self.outputs.push(Output::Reduce { by, value, kept: kept.to_vec(), dtype });
    }
}
