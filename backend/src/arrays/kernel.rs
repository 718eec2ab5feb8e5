//! Kernels of nodes: elementwise primitives and reductions, with what only moves elements folded into the way operands are read.

use super::strides;
use crate::kernels::{Builder, Joined, Kernel, Reduction, ValueId};
use gradus_ir::eval::Scalar;
use gradus_ir::{ArrayOp, DType, Dims, Prim, Sig, Type};

/// How the elements of an array lie in memory, along the axes of an iteration.
#[derive(Clone, PartialEq, Debug)]
pub struct Layout {
    /// The place of the first element.
    pub offset: isize,
    /// The distance of neighbours along each axis.
    pub strides: Vec<isize>,
}

impl Layout {
    /// That of a dense array.
    pub fn dense(shape: Dims) -> Layout {
        Layout { offset: 0, strides: strides(shape) }
    }

    /// Whether an array of shape `shape` that lies like this is the dense array of shape `base` as a whole.
    pub fn is_dense(&self, shape: Dims, base: Dims) -> bool {
        let lies = |(n, (a, b)): (&i64, (&isize, &isize))| *n == 1 || a == b;
        let same = shape.iter().zip(self.strides.iter().zip(&strides(shape))).all(lies);
        self.offset == 0 && same && shape.count() == base.count()
    }

    /// That of a dense list from an element on, and which element that is, if this is one.
    pub fn list(&self) -> Option<isize> {
        (self.strides == [1]).then_some(self.offset)
    }

    /// Lets it begin so many rows later.
    pub fn skip_rows(&mut self, rows: i64) {
        if let Some(stride) = self.strides.first() {
            self.offset += rows as isize * stride;
        }
    }

    /// The distances of rows and of columns of the matrices that lie like this.
    pub fn matrix(&self) -> [isize; 2] {
        match self.strides[..] {
            [.., down, right] => [down, right],
            _ => unreachable!("a matrix has two axes"),
        }
    }

    /// Where matrix `i` of a stack begins whose leading axes have these lengths.
    pub fn matrix_in_stack(&self, stack: &[usize], mut i: usize) -> isize {
        let mut at = self.offset;
        for (&length, stride) in stack.iter().zip(&self.strides).rev() {
            at += (i % length) as isize * stride;
            i /= length;
        }
        at
    }

    /// What an operation that only moves elements, from an array of this layout and shape, gives; none if that has no layout.
    pub fn moved(&self, op: ArrayOp, attribute: Dims, shape: Dims, result: Dims) -> Option<Layout> {
        let mut offset = self.offset;
        let strides = match op {
            ArrayOp::Broadcast => {
                let new = result.len() - shape.len();
                let stride = |axis: usize| if axis < new || shape[axis - new] == 1 { 0 } else { self.strides[axis - new] };
                (0..result.len()).map(stride).collect()
            }
            ArrayOp::Transpose => attribute.iter().map(|&axis| self.strides[axis as usize]).collect(),
            ArrayOp::Slice => {
                let cuts = attribute.chunks_exact(3);
                for (cut, stride) in cuts.clone().zip(&self.strides) {
                    offset += cut[0] as isize * stride;
                }
                cuts.zip(&self.strides).map(|(cut, stride)| cut[1] as isize * stride).collect()
            }
            ArrayOp::Reshape => reshaped(&self.strides, shape, result)?,
            _ => return None,
        };
        Some(Layout { offset, strides })
    }
}

/// The distances after a change of shape, if axes were only split, joined where they lie one behind the other, or are of length 1.
fn reshaped(old: &[isize], shape: Dims, result: Dims) -> Option<Vec<isize>> {
    if shape.contains(&0) {
        return Some(strides(result));
    }
    // Axes of length 1 have any distance; what is left must be runs of axes that lie dense.
    let mut runs: Vec<(i64, isize)> = Vec::new();
    for (&n, &stride) in shape.iter().zip(old).filter(|(n, _)| **n != 1) {
        match runs.last_mut() {
            Some((length, last)) if *last == stride * n as isize => (*length, *last) = (*length * n, stride),
            _ => runs.push((n, stride)),
        }
    }
    let mut new = vec![0; result.len()];
    let mut runs = runs.into_iter().rev();
    let mut left = 1;
    let mut stride = 0;
    for axis in (0..result.len()).rev().filter(|&axis| result[axis] != 1) {
        if left == 1 {
            (left, stride) = runs.next()?;
        }
        if left % result[axis] != 0 {
            return None;
        }
        new[axis] = stride;
        stride *= result[axis] as isize;
        left /= result[axis];
    }
    Some(new)
}

/// Whether a primitive can be part of a kernel.
pub fn can_fuse(prim: Prim) -> bool {
    match prim {
        Prim::Array(op, _) => {
            use ArrayOp::*;
            matches!(op, Broadcast | SumTo | MaxTo | MinTo | Reshape | Transpose | Slice)
        }
        Prim::Select | Prim::Float | Prim::Int | Prim::Narrow | Prim::Widen | Prim::Powi => true,
        _ => matches!(prim.sig(), Sig::Float | Sig::Num | Sig::NumTotal | Sig::Int | Sig::Compare | Sig::Bool),
    }
}

/// A kernel under construction.
pub struct Fusion {
    builder: Builder,
    extents: Dims,
}

impl Fusion {
    /// A kernel that iterates over this shape.
    pub fn new(extents: Dims) -> Fusion {
        let sizes: Vec<usize> = extents.sizes().collect();
        Fusion { builder: Builder::new(&sizes), extents }
    }

    /// The next operand: an array that is read as its layout along the axes of the iteration says.
    pub fn array(&mut self, dtype: DType, layout: &Layout) -> ValueId {
        self.builder.array(dtype, layout.offset, &layout.strides)
    }

    /// The next operand, a scalar.
    pub fn scalar(&mut self, dtype: DType) -> ValueId {
        self.builder.scalar(dtype)
    }

    /// The next operands, but for constants, one behind the other along the one axis of the iteration: each with where it begins.
    pub fn joined(&mut self, dtype: DType, parts: &[(usize, Joined)]) -> ValueId {
        self.builder.joined(dtype, parts)
    }

    /// A constant.
    pub fn literal(&mut self, v: Scalar) -> ValueId {
        self.builder.literal(v)
    }

    /// A primitive, element by element.
    pub fn apply(&mut self, prim: Prim, operands: &[ValueId]) -> ValueId {
        self.builder.apply(prim, operands)
    }

    /// The next result: an array of the shape of the iteration.
    pub fn store(&mut self, value: ValueId) {
        self.builder.store(value);
    }

    /// The next result: the values reduced to a shape that broadcasts to that of the iteration.
    pub fn reduce(&mut self, op: ArrayOp, value: ValueId, to: Dims) {
        let by = match op {
            ArrayOp::SumTo => Reduction::Sum,
            ArrayOp::MaxTo => Reduction::Max,
            _ => Reduction::Min,
        };
        let missing = self.extents.len() - to.len();
        let kept = |axis: usize| axis >= missing && (to[axis - missing] != 1 || self.extents[axis] == 1);
        let kept: Vec<bool> = (0..self.extents.len()).map(kept).collect();
        self.builder.reduce(by, value, &kept, to.is_empty());
    }

    /// The kernel.
    pub fn finish(self) -> Kernel {
        self.builder.finish()
    }
}

/// The kernel of one application.
pub fn single(prim: Prim, operands: &[Type], result: &Type) -> Option<Kernel> {
    let (_, shape) = result.as_array()?;
    let Prim::Array(op, attribute) = prim else {
        let mut fusion = Fusion::new(shape);
        let mut values = Vec::with_capacity(operands.len());
        for operand in operands {
            let (dtype, own) = operand.as_array()?;
            values.push(if own.is_empty() { fusion.scalar(dtype) } else { fusion.array(dtype, &Layout::dense(own)) });
        }
        let value = fusion.apply(prim, &values);
        fusion.store(value);
        return Some(fusion.finish());
    };
    let (dtype, own) = operands.first()?.as_array()?;
    if matches!(op, ArrayOp::SumTo | ArrayOp::MaxTo | ArrayOp::MinTo) {
        let mut fusion = Fusion::new(own);
        let value = if own.is_empty() { fusion.scalar(dtype) } else { fusion.array(dtype, &Layout::dense(own)) };
        fusion.reduce(op, value, attribute);
        return Some(fusion.finish());
    }
    let mut fusion = Fusion::new(shape);
    let value = if own.is_empty() {
        fusion.scalar(dtype)
    } else {
        let value = fusion.array(dtype, &Layout::dense(own).moved(op, attribute, own, shape)?);
        // A scalar has 64 bits.
        if shape.is_empty() && dtype == DType::F32 { fusion.apply(Prim::Widen, &[value]) } else { value }
    };
    fusion.store(value);
    Some(fusion.finish())
}
