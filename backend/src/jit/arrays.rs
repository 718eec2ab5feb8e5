//! Operations on arrays: elements are read and written inline, all else is a call of the runtime.

use super::layout::{WORD, width};
use super::lower::{Lower, TRUSTED};
use super::ownership::is_counted;
use super::runtime::{ArrayCall, MOST_RESULTS};
use crate::arrays::{Operation, strides};
use crate::error::BackendError;
use cranelift::prelude::{InstBuilder, Type as Clif, Value, types};
use gradus_ir::{ArrayOp, DType, NodeId, Prim, Span, Type};

/// The scalar that an element is in a register.
fn register(dtype: DType) -> Clif {
    match dtype {
        DType::Bool => types::I8,
        DType::I64 => WORD,
        DType::F64 => types::F64,
    }
}

impl Lower<'_, '_> {
    /// Whether a node is an operation on arrays.
    pub fn is_array_node(&self, prim: Prim, n: NodeId) -> bool {
        let m = self.unit.m;
        match prim {
            Prim::Array(..) => true,
            Prim::Tuple | Prim::Get(_) | Prim::Partial | Prim::Pack | Prim::Unpack | Prim::Push | Prim::Pop | Prim::Gadd => false,
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
                let value = self.b.ins().load(register(dtype), TRUSTED, address, 0);
                self.end_uses(n, &[])?;
                Ok(vec![value])
            }
            Prim::Array(op @ (ArrayOp::SetAt | ArrayOp::AddAt), _)
                if !m[inputs[1]].ty.is_array() && (op == ArrayOp::SetAt || dtype == DType::F64) =>
            {
                let (array, value) = (self.operand(inputs[0])?, self.operand(inputs[1])?);
                let last = self.is_last_use(inputs[0]);
                let (bytes, flag, place) = (dtype.bytes() * first.count(), i64::from(last), self.place(span));
                let operands = [self.context, array, self.word(bytes as i64), self.word(flag), place];
                let own = self.owned(operands, last)?;
                let address = self.element(own, dtype, &strides(first), &inputs[2..])?;
                let value = if op == ArrayOp::AddAt {
                    let old = self.b.ins().load(types::F64, TRUSTED, address, 0);
                    self.b.ins().fadd(old, value)
                } else {
                    value
                };
                self.b.ins().store(TRUSTED, value, address, 0);
                let moved: &[NodeId] = if last { &inputs[..1] } else { &[] };
                self.end_uses(n, moved)?;
                Ok(vec![own])
            }
            _ => {
                let types: Vec<Type> = inputs.iter().map(|&i| m[i].ty.clone()).collect();
                let operation = Operation::of(prim, &types, &ty).ok_or_else(|| super::no_such_operands(prim))?;
                self.call_array(n, operation, inputs, span)
            }
        }
    }

    /// The array itself if it has one owner, or a copy.
    fn owned(&mut self, operands: [Value; 5], last: bool) -> Result<Value, BackendError> {
        if !last {
            return self.helper("gradus_own", &operands, WORD);
        }
        use cranelift::codegen::ir::BlockArg;
        use cranelift::prelude::IntCC;
        let [shared, ready] = [self.b.create_block(), self.b.create_block()];
        self.b.set_cold_block(shared);
        let own = self.b.append_block_param(ready, WORD);
        let array = operands[1];
        let refs = self.b.ins().load(WORD, TRUSTED, array, -(super::runtime::HEADER as i32));
        let unique = self.b.ins().icmp_imm_s(IntCC::Equal, refs, 1);
        self.b.ins().brif(unique, ready, &[BlockArg::from(array)], shared, &[]);
        self.b.switch_to_block(shared);
        let copy = self.rare("gradus_own", &operands, WORD)?;
        self.b.ins().jump(ready, &[BlockArg::from(copy)]);
        self.b.switch_to_block(ready);
        Ok(own)
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

    /// Calls the runtime for an operation whose one result is `n`.
    fn call_array(&mut self, n: NodeId, operation: Operation, inputs: &[NodeId], span: Span) -> Result<Vec<Value>, BackendError> {
        let m = self.unit.m;
        let is_array = |&i: &NodeId| m[i].ty.is_array();
        let once = |i: &NodeId| inputs.iter().filter(|k| *k == i).count() == 1;
        let last: Vec<bool> = inputs
            .iter()
            .map(|i| is_array(i) && once(i) && (m[*i].graph.is_none() || self.is_last_use(*i)))
            .collect();
        let moved: Vec<NodeId> = inputs.iter().zip(&last).filter(|(_, last)| **last).map(|(&i, _)| i).collect();
        let ty = &m[n].ty;
        let reuse = match operation.updates {
            true => vec![0],
            false if operation.is_pointwise() => (0..inputs.len()).filter(|&i| m[inputs[i]].ty == *ty).collect(),
            false => Vec::new(),
        };
        let call = ArrayCall { operation, last, scalar: vec![!ty.is_array()], reuse: vec![reuse] };
        let results = self.run_array(call, inputs, &[ty.clone()], span)?;
        self.end_uses(n, &moved)?;
        Ok(results)
    }

    /// Runs an operation on operands, for the scalars of its results.
    fn run_array(&mut self, call: ArrayCall, inputs: &[NodeId], results: &[Type], span: Span) -> Result<Vec<Value>, BackendError> {
        assert!(results.len() <= MOST_RESULTS, "an operation has few results");
        let operands = self.operands(inputs)?;
        let slot = self.stack_slot(operands.len() + results.len());
        let words = self.b.ins().stack_addr(WORD, slot, 0);
        self.store(&operands, words, 0);
        let address = self.unit.array_call(call);
        let (call, place) = (self.word(address as i64), self.place(span));
        self.helper_effect("gradus_array", &[self.context, call, words, place])?;
        let types: Vec<Clif> = super::layout::flat(results);
        debug_assert!(results.iter().all(|ty| width(ty) == 1 && (is_counted(ty) || !ty.is_array())));
        Ok(self.load(&types, words, operands.len()))
    }
}
