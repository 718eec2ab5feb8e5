//! What the machine computes with: floats, or other numbers in their place. The machine does not depend on it otherwise.

use super::code::ArrayNode;
use super::value::Val;
use crate::arrays::{Operand, Storage};
use crate::error::{Failure, RunError};
use crate::usage::Usage;
use gradus_ir::eval::{self, Scalar};
use gradus_ir::{Array, DType, Dims, Number, Prim, Span, Trap};
use std::fmt::Debug;
use std::rc::Rc;

/// What floats and arrays are, and what primitives do to them.
pub trait Arithmetic: Clone + Debug {
    /// What stands for a float outside of the machine.
    type Number: Number;
    /// What stands for a float in the machine.
    type Float: Clone + Debug;
    /// An array of any type.
    type Array: Debug;

    /// What a literal of the program stands for.
    fn literal(&self, v: f64) -> Self::Float;

    /// The number that an integer is.
    fn integer(&self, v: i64) -> Self::Float;

    /// An array of zero cotangents, or of zeros of another type. None if there is no memory for it.
    fn zero(&self, dtype: DType, shape: Dims) -> Option<Self::Array>;

    /// A number that enters the machine.
    fn import(&self, number: &Self::Number) -> Self::Float;

    /// An array that enters the machine.
    fn import_array(&self, array: &Array<Self::Number>) -> Self::Array;

    /// A number that leaves the machine.
    fn export(&self, float: &Self::Float) -> Result<Self::Number, RunError>;

    /// An array that leaves the machine.
    fn export_array(&self, array: &Self::Array) -> Result<Array<Self::Number>, RunError>;

    /// A float of 64 bits as functions of the host take it; none if it is another number.
    fn bits(&self, float: &Self::Float) -> Option<u64>;

    /// The sum of two cotangents.
    fn add(&self, a: &Self::Float, b: &Self::Float) -> Self::Float;

    /// The sum of two cotangents, which are of one type.
    fn add_arrays(&self, a: &Self::Array, b: &Self::Array, usage: &mut Usage) -> Result<Self::Array, Failure>;

    /// A primitive on scalars; none where it is no such primitive or does not take these.
    fn scalar(&self, prim: Prim, operands: &[Scalar<Self::Float>], span: Span) -> Option<Result<Scalar<Self::Float>, RunError>>;

    /// An operation on arrays. One that updates a part of an array does so in place where nobody else has it.
    fn array(&self, node: &ArrayNode, operands: Vec<Val<Self>>, span: Span, usage: &mut Usage) -> Result<Val<Self>, RunError>;
}

/// Floats of 64 bits: their arithmetic is that of [`eval`], their arrays are those of compiled code.
#[derive(Clone, Copy, Debug)]
pub struct Doubles;

impl Arithmetic for Doubles {
    type Number = f64;
    type Float = f64;
    type Array = Storage;

    fn literal(&self, v: f64) -> f64 {
        v
    }

    fn integer(&self, v: i64) -> f64 {
        v as f64
    }

    fn zero(&self, dtype: DType, shape: Dims) -> Option<Storage> {
        Storage::zero(dtype, shape)
    }

    fn import(&self, number: &f64) -> f64 {
        *number
    }

    fn import_array(&self, array: &Array) -> Storage {
        Storage::import(array)
    }

    fn export(&self, float: &f64) -> Result<f64, RunError> {
        Ok(*float)
    }

    fn export_array(&self, array: &Storage) -> Result<Array, RunError> {
        Ok(array.export())
    }

    fn bits(&self, float: &f64) -> Option<u64> {
        Some(float.to_bits())
    }

    fn add(&self, a: &f64, b: &f64) -> f64 {
        a + b
    }

    fn add_arrays(&self, a: &Storage, b: &Storage, usage: &mut Usage) -> Result<Storage, Failure> {
        usage.heap_bytes += a.dtype.bytes() * a.shape.count();
        a.plus(b)
    }

    #[inline]
    fn scalar(&self, prim: Prim, operands: &[Scalar], span: Span) -> Option<Result<Scalar, RunError>> {
        eval::eval(prim, operands).map(|result| result.map_err(|kind| Trap { kind, span }.into()))
    }

    fn array(
        &self,
        node: &ArrayNode,
        operands: Vec<Val<Doubles>>,
        span: Span,
        usage: &mut Usage,
    ) -> Result<Val<Doubles>, RunError> {
        let ArrayNode { operation, ty, .. } = node;
        let internal = |message: &str| RunError::Internal { message: message.into() };
        let mut operands = operands;
        let (dtype, shape) = ty.as_array().ok_or_else(|| internal("an operation on arrays gives one"))?;
        let result = match operands.first_mut() {
            Some(first) if operation.updates => match std::mem::replace(first, Val::None) {
                Val::Array(array) => Rc::try_unwrap(array).or_else(|shared| shared.copied().ok_or(())),
                _ => return Err(internal("an operation updates an array")),
            },
            _ => {
                usage.heap_bytes += operation.bytes(0);
                Storage::new(dtype, shape).ok_or(())
            }
        };
        let mut result = result.map_err(|()| RunError::no_memory(span))?;
        let operands = operands.iter().map(|v| match v {
            Val::Array(array) => Some(Operand::Array(array)),
            Val::None => Some(Operand::Result),
            v => v.as_scalar().map(Operand::Scalar),
        });
        let operands: Option<Vec<Operand<'_>>> = operands.collect();
        operands
            .and_then(|operands| operation.apply(&operands, &mut result))
            .ok_or_else(|| internal("operands of an operation on arrays have its types"))?
            .map_err(|kind| Trap { kind, span })?;
        Ok(match result.scalar() {
            Some(scalar) => scalar.into(),
            None => Val::Array(Rc::new(result)),
        })
    }
}
