//! Operations on arrays: elements are read and written inline, all else is a call of the runtime.

use super::fusion::Read;
use super::layout::WORD;
use super::lower::{Lower, TRUSTED};
use crate::arrays::{Operation, strides};
use crate::error::BackendError;
use cranelift::prelude::{InstBuilder, Type as Clif, Value, types};
use gradus_ir::{ArrayOp, DType, NodeId, Prim, Span, Type};

/// An element as it is in memory.
fn stored(dtype: DType) -> Clif {
    match dtype {
        DType::Bool => types::I8,
        DType::I64 => WORD,
        DType::F32 => types::F32,
        DType::F64 => types::F64,
    }
}

impl Lower<'_, '_> {
    /// Whether a node is an operation on arrays.
    pub fn is_array_node(&self, prim: Prim, n: NodeId) -> bool {
        let m = self.unit.m;
        match prim {
            Prim::Array(..) => true,
            Prim::Tuple
            | Prim::Get(_)
            | Prim::Partial
            | Prim::Pack
            | Prim::Unpack
            | Prim::Push
            | Prim::Pop
            | Prim::Gadd
            | Prim::Host(_)
            | Prim::Trace(_) => false,
            _ if prim.guards().is_some() => false,
            Prim::Select => m[m[n].inputs()[0]].ty.is_array(),
            _ => m[n].inputs().iter().any(|&i| m[i].ty.is_array()),
        }
    }

    /// An operation on arrays. Releases what it is the last to use, or takes its place.
    pub fn array(&mut self, prim: Prim, n: NodeId, span: Span) -> Result<Vec<Value>, BackendError> {
        let m = self.unit.m;
        let (inputs, ty) = (m[n].inputs(), m[n].ty.clone());
        let (dtype, first) = match inputs.first() {
            Some(&x) => m[x].ty.as_array().ok_or_else(|| super::no_such_operands(prim))?,
            None => (DType::I64, gradus_ir::Dims::NONE),
        };
        match prim {
            Prim::Array(ArrayOp::At, _) if !ty.is_array() => {
                let array = self.operand(inputs[0])?;
                let address = self.element(array, dtype, &strides(first), &inputs[1..])?;
                Ok(vec![self.load_element(dtype, address)])
            }
            Prim::Array(op @ (ArrayOp::SetAt | ArrayOp::AddAt), _)
                if !m[inputs[1]].ty.is_array() && (op == ArrayOp::SetAt || dtype != DType::Bool) =>
            {
                let (array, value) = (self.operand(inputs[0])?, self.operand(inputs[1])?);
                let own = self.updated(inputs, array, dtype.bytes() * first.count(), span)?;
                let address = self.element(own, dtype, &strides(first), &inputs[2..])?;
                let value = if op == ArrayOp::AddAt {
                    let old = self.load_element(dtype, address);
                    if dtype.is_float() { self.b.ins().fadd(old, value) } else { self.b.ins().iadd(old, value) }
                } else {
                    value
                };
                let value = if dtype == DType::F32 { self.b.ins().fdemote(types::F32, value) } else { value };
                self.b.ins().store(TRUSTED, value, address, 0);
                Ok(vec![own])
            }
            Prim::Array(ArrayOp::Concat, _) if self.parts.has_whole(n) => self.rest_of_whole(n),
            _ => {
                let types: Vec<Type> = inputs.iter().map(|&i| m[i].ty.clone()).collect();
                let operation = Operation::of(prim, &types, &ty).ok_or_else(|| super::no_such_operands(prim))?;
                self.call_array(n, operation, inputs, span)
            }
        }
    }

    /// An element as a scalar.
    pub fn load_element(&mut self, dtype: DType, address: Value) -> Value {
        let value = self.b.ins().load(stored(dtype), TRUSTED, address, 0);
        if dtype == DType::F32 { self.b.ins().fpromote(types::F64, value) } else { value }
    }

    /// The address of an element.
    fn element(&mut self, array: Value, dtype: DType, strides: &[isize], indices: &[NodeId]) -> Result<Value, BackendError> {
        let mut address = array;
        for (stride, &index) in strides.iter().zip(indices) {
            let index = self.operand(index)?;
            let offset = self.b.ins().imul_imm_s(index, *stride as i64 * dtype.bytes() as i64);
            address = self.b.ins().iadd(address, offset);
        }
        Ok(address)
    }

    /// The word of an operand of a kernel: a scalar, or where an array begins.
    pub fn address(&mut self, read: &Read) -> Result<Value, BackendError> {
        let m = self.unit.m;
        let base = self.operand(read.base)?;
        match (read.at, m[read.base].ty.as_array()) {
            (Some(at), Some((dtype, shape))) => self.element(base, dtype, &strides(shape), &m[at].inputs()[1..]),
            _ => Ok(base),
        }
    }

    /// A product of matrices, or of stacks of them, that are views of arrays.
    pub fn product(&mut self, n: NodeId, reads: &[Read; 2]) -> Result<(), BackendError> {
        let m = self.unit.m;
        let [Some(a), Some(b)] = [&reads[0].layout, &reads[1].layout] else {
            return Err(super::no_such_operands(Prim::Array(ArrayOp::MatMul, gradus_ir::Dims::NONE)));
        };
        let types = reads.iter().map(|read| m[read.base].ty.clone()).collect();
        let matrices = [0, 1].map(|i| m[m[n].inputs()[i]].ty.clone());
        let operation = Operation::product(&matrices, types, [a.clone(), b.clone()], &m[n].ty);
        let operands = [self.address(&reads[0])?, self.address(&reads[1])?];
        let value = self.run_array(operation, reads, &operands, &[(n, Vec::new())], m[n].span)?;
        self.define(n, value);
        Ok(())
    }
}
