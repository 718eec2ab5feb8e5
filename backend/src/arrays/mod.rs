//! Operations on arrays, compiled for their shapes: what both executors call.
//!
//! An array is a pointer to its elements, dense and in row-major order; its type and shape are those of the node. [`Operation`] is
//! one node, or several that are one kernel. Elementwise primitives, what only moves elements, and reductions are kernels
//! ([`crate::kernels`]); the others are in `moves` (parts of arrays), `linear` (matrices) and `order` (sums and places along an axis).
#![allow(unsafe_code, reason = "arrays are addresses; what is public and not marked is checked")]

mod apply;
mod kernel;
mod linear;
mod moves;
mod order;
mod storage;

pub use apply::Operand;
pub use kernel::{Fusion, Layout, can_fuse};
pub(crate) use linear::Linear;
pub(crate) use moves::Move;
pub use storage::{Slice, Storage, copy, export};

use crate::kernels::Kernel;
use gradus_ir::{ArrayOp, DType, Dims, Prim, TrapKind, Type};
use smallvec::SmallVec;

/// Bytes that can be read beyond the end of an array, and the alignment of its first element.
pub const ALIGN: usize = 64;

/// An operation, compiled.
#[derive(Debug)]
pub struct Operation {
    pub(crate) code: Code,
    /// The types of the operands.
    pub operands: Vec<Type>,
    /// Element type and number of elements of each result; a scalar is one element.
    pub results: Vec<(DType, usize)>,
    /// Whether the one result begins as the first operand, and only a part of it is written.
    pub updates: bool,
}

#[derive(Debug)]
pub(crate) enum Code {
    Kernel(Box<Kernel>),
    /// Kernels for ranges of rows of the results.
    Rows(Vec<Rows>),
    Move(Move),
    Linear(Linear),
    Order(order::Order),
}

/// A kernel for a range of rows.
#[derive(Debug)]
pub(crate) struct Rows {
    pub kernel: Kernel,
    /// Its operands among those of the operation.
    pub operands: Vec<usize>,
    /// The number of elements of a result before its rows.
    pub before: usize,
}

impl Operation {
    /// An application of one primitive to operands of these types, at least one of them or the result an array. None if it is no
    /// primitive on arrays.
    pub fn of(prim: Prim, operands: &[Type], result: &Type) -> Option<Operation> {
        let (dtype, shape) = result.as_array()?;
        let results = vec![(dtype, shape.count())];
        let Prim::Array(op, attribute) = prim else {
            let kernel = kernel::single(prim, operands, result)?;
            return Some(Operation::fused(kernel, operands.to_vec(), results));
        };
        use ArrayOp::*;
        let updates = matches!(op, Put | PutAdd | SetAt | AddAt | Scatter | ScatterAdd);
        let code = match op {
            Broadcast | SumTo | MaxTo | MinTo | Reshape | Transpose | Slice => {
                Code::Kernel(Box::new(kernel::single(prim, operands, result)?))
            }
            Put | PutAdd | At | SetAt | AddAt | Indices | Gather | GatherLast | Scatter | ScatterAdd | Concat | Make | Iota
            | Table => Code::Move(Move::new(op, attribute, operands, shape)),
            MatMul | Solve | LogDet | DetSign | Cholesky | LowerHalf => Code::Linear(Linear::new(op, operands)),
            CumSum | ArgMax | ArgMin | ArgSort => Code::Order(order::Order::new(op, attribute, operands)),
        };
        Some(Operation { code, operands: operands.to_vec(), results, updates })
    }

    /// The product of two matrices of floats, or of stacks of them, of these types that are views of the operands.
    pub fn product(matrices: &[Type; 2], operands: Vec<Type>, layouts: [Layout; 2], result: &Type) -> Operation {
        let (dtype, shape) = result.as_array().expect("a product is an array");
        let code = Code::Linear(Linear::product(matrices, layouts));
        Operation { code, operands, results: vec![(dtype, shape.count())], updates: false }
    }

    /// Several nodes as one kernel, or as kernels for ranges of rows of so many elements: each with the numbers of its operands and
    /// its first row. Only a single one may reduce.
    pub fn kernels(
        mut ranges: Vec<(Kernel, Vec<usize>, usize)>,
        row: usize,
        operands: Vec<Type>,
        results: Vec<(DType, usize)>,
    ) -> Operation {
        if ranges.len() == 1 {
            let (kernel, ..) = ranges.remove(0);
            return Operation::fused(kernel, operands, results);
        }
        let rows = ranges.into_iter().map(|(kernel, operands, first)| Rows { kernel, operands, before: first * row });
        Operation { code: Code::Rows(rows.collect()), operands, results, updates: false }
    }

    /// Several nodes as one kernel.
    pub fn fused(kernel: Kernel, operands: Vec<Type>, results: Vec<(DType, usize)>) -> Operation {
        Operation { code: Code::Kernel(Box::new(kernel)), operands, results, updates: false }
    }

    /// Code that does what [`Operation::run`] does and always succeeds, a function of the addresses of `inputs` and of `outputs` by
    /// the C convention; none if there is none.
    pub fn entry(&self) -> Option<*const u8> {
        match &self.code {
            Code::Kernel(kernel) => kernel.entry(),
            _ => None,
        }
    }

    /// Whether it can fail.
    pub fn may_trap(&self) -> bool {
        matches!(self.code, Code::Move(_))
    }

    /// The number of bytes of result `i`.
    pub fn bytes(&self, i: usize) -> usize {
        let (dtype, count) = self.results[i];
        dtype.bytes() * count
    }

    /// Runs it. A scalar operand is its word: a float its bits, a boolean 0 or 1.
    ///
    /// # Safety
    /// `inputs` are as many words as operands, each the address of an array of the operand's type and shape, aligned and readable as
    /// [`ALIGN`] says, or a scalar; `outputs` the addresses of as many results, writable and aligned, none of which overlaps an
    /// operand but one that has the same type and shape. Where the operation updates, the result holds what the first operand holds.
    pub unsafe fn run(&self, inputs: &[u64], outputs: &[*mut u8]) -> Result<(), TrapKind> {
        match &self.code {
            // SAFETY: by the contract, which is that of kernels, too.
            Code::Kernel(kernel) => unsafe { kernel.run(inputs.as_ptr(), outputs.as_ptr()) },
            Code::Rows(ranges) => {
                for Rows { kernel, operands, before } in ranges {
                    let words: SmallVec<[u64; 32]> = operands.iter().map(|&i| inputs[i]).collect();
                    let starts = outputs.iter().zip(&self.results).map(|(output, (dtype, _))| {
                        // SAFETY: the rows are within the result.
                        unsafe { output.add(before * dtype.bytes()) }
                    });
                    let starts: SmallVec<[*mut u8; 8]> = starts.collect();
                    // SAFETY: by the contract, each range writes rows of its own.
                    unsafe { kernel.run(words.as_ptr(), starts.as_ptr()) }
                }
            }
            // SAFETY: by the contract.
            Code::Move(code) => unsafe { code.run(inputs, outputs[0]) }?,
            // SAFETY: by the contract.
            Code::Linear(code) => unsafe { code.run(inputs, outputs[0]) },
            // SAFETY: by the contract.
            Code::Order(code) => unsafe { code.run(inputs, outputs[0]) },
        }
        Ok(())
    }
}

/// The distances of neighbours along each axis of a dense array, in elements.
pub fn strides(shape: Dims) -> Vec<isize> {
    let mut strides = vec![1; shape.len()];
    for axis in (1..shape.len()).rev() {
        strides[axis - 1] = strides[axis] * shape[axis] as isize;
    }
    strides
}

/// Sizes of an array around an axis: what comes before it, its length, what comes after it.
pub fn around(shape: Dims, axis: usize) -> [usize; 3] {
    let product = |part: &[i64]| part.iter().map(|&n| n as usize).product::<usize>();
    [product(&shape[..axis]), shape[axis] as usize, product(&shape[axis + 1..])]
}
