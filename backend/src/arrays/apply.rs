//! Operations on values that have an owner in Rust: checked, so safe.

use super::{Operation, Storage};
use crate::error::Failure;
use gradus_ir::eval::Scalar;
use gradus_ir::{DType, TrapKind};

/// An operand.
pub enum Operand<'a> {
    /// A scalar.
    Scalar(Scalar),
    /// An array.
    Array(&'a Storage),
    /// The array that is updated, which is in the result already.
    Result,
}

impl Operation {
    /// Runs it. None if the operands or the result are not of the types that it was compiled for.
    pub fn apply(&self, operands: &[Operand<'_>], result: &mut Storage) -> Option<Result<(), TrapKind>> {
        if operands.len() != self.operands.len() || self.results[..] != [(result.dtype, result.shape.count())] {
            return None;
        }
        let mut words = Vec::with_capacity(operands.len());
        for (i, (operand, expected)) in operands.iter().zip(&self.operands).enumerate() {
            words.push(match (operand, expected.as_array()?) {
                (Operand::Scalar(Scalar::F64(v)), (DType::F64, shape)) if shape.is_empty() => v.to_bits(),
                (Operand::Scalar(Scalar::I64(v)), (DType::I64, shape)) if shape.is_empty() => *v as u64,
                (Operand::Scalar(Scalar::Bool(v)), (DType::Bool, shape)) if shape.is_empty() => u64::from(*v),
                (Operand::Array(array), (dtype, shape)) if (array.dtype, array.shape) == (dtype, shape) && !shape.is_empty() => {
                    array.address() as u64
                }
                (Operand::Result, (dtype, shape)) if i == 0 && self.updates && (dtype, shape) == (result.dtype, result.shape) => {
                    0
                }
                _ => return None,
            });
        }
        // SAFETY: operands have the types of the operation, storage as many elements as its type says, and nobody else has the result.
        Some(unsafe { self.run(&words, &[result.address()]) })
    }
}

impl Storage {
    /// Its one element, if it has no axes.
    pub fn scalar(&self) -> Option<Scalar> {
        if !self.shape.is_empty() {
            return None;
        }
        let start = self.address();
        // SAFETY: there is one element of this type, which was written when the storage was a result.
        Some(unsafe {
            match self.dtype {
                DType::F32 => Scalar::F64(start.cast::<f32>().read().into()),
                DType::F64 => Scalar::F64(start.cast::<f64>().read()),
                DType::I64 => Scalar::I64(start.cast::<i64>().read()),
                DType::Bool => Scalar::Bool(start.read() != 0),
            }
        })
    }

    /// The sum with an array of the same type, of numbers.
    pub(crate) fn plus(&self, other: &Storage) -> Result<Storage, Failure> {
        let ty = gradus_ir::Type::Array(self.dtype, self.shape);
        let operation = Operation::of(gradus_ir::Prim::Add, &[ty.clone(), ty.clone()], &ty).ok_or(Failure::Shape)?;
        let mut sum = Storage::new(self.dtype, self.shape).ok_or(Failure::Memory)?;
        let added = operation.apply(&[Operand::Array(self), Operand::Array(other)], &mut sum);
        added.and_then(Result::ok).ok_or(Failure::Shape)?;
        Ok(sum)
    }
}
