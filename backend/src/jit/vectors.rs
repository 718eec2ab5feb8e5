//! Vectors: records are read and written inline where they lie in the handle; all else is a call of the runtime, as
//! `runtime::vectors` says.

use super::layout::{Field, WORD, fields, flat};
use super::lower::{Lower, TRUSTED, word_offset};
use super::memory::REFS;
use super::object;
use super::runtime::{handle, offsets};
use crate::error::BackendError;
use cranelift::codegen::ir::BlockArg;
use cranelift::prelude::{InstBuilder, IntCC, Value};
use gradus_ir::{NodeId, Prim, Span, Type};

impl Lower<'_, '_> {
    /// `element`: the record at an index, or the one of zeros.
    pub fn record_at(&mut self, inputs: &[NodeId]) -> Result<Vec<Value>, BackendError> {
        let (vector, index, record) = self.vector(Prim::Element, inputs)?;
        self.record_in(vector, index, &record)
    }

    fn record_in(&mut self, vector: Value, index: Value, record: &Type) -> Result<Vec<Value>, BackendError> {
        let scalars = flat([record]);
        if scalars.is_empty() {
            return Ok(Vec::new());
        }
        let layout = self.layout_of(record)?;
        let [near, far, ready] = std::array::from_fn(|_| self.b.create_block());
        self.b.set_cold_block(far);
        let at = self.b.append_block_param(ready, WORD);
        let capacity = self.b.ins().load(WORD, TRUSTED, vector, handle::CAPACITY);
        let is_near = self.b.ins().icmp(IntCC::UnsignedLessThan, index, capacity);
        self.b.ins().brif(is_near, near, &[], far, &[]);

        self.b.switch_to_block(near);
        let place = self.place_in(vector, index, scalars.len());
        self.b.ins().jump(ready, &[BlockArg::from(place)]);

        self.b.switch_to_block(far);
        let found = self.rare("gradus_find", &[&[self.context, vector, index], &layout[..]].concat(), WORD)?;
        self.b.ins().jump(ready, &[BlockArg::from(found)]);

        self.b.switch_to_block(ready);
        Ok(self.load(&scalars, at, 0))
    }

    /// `replace`: in place where nobody else has the vector.
    pub fn replaced(&mut self, inputs: &[NodeId], span: Span) -> Result<Vec<Value>, BackendError> {
        let (vector, index, record) = self.vector(Prim::Replace, inputs)?;
        let new = self.operands(&inputs[2..])?;
        self.hand_out(&inputs[..1])?;
        Ok(vec![self.with_record(vector, index, &new, &record, span)?])
    }

    /// The vector with a record, in exchange for a reference to the vector.
    fn with_record(
        &mut self,
        vector: Value,
        index: Value,
        new: &[Value],
        record: &Type,
        span: Span,
    ) -> Result<Value, BackendError> {
        if new.is_empty() {
            return Ok(vector);
        }
        let layout = self.layout_of(record)?;
        let [own, near, far, ready] = std::array::from_fn(|_| self.b.create_block());
        self.b.set_cold_block(far);
        let after = self.b.append_block_param(ready, WORD);
        let capacity = self.b.ins().load(WORD, TRUSTED, vector, handle::CAPACITY);
        let is_near = self.b.ins().icmp(IntCC::UnsignedLessThan, index, capacity);
        self.b.ins().brif(is_near, own, &[], far, &[]);

        self.b.switch_to_block(own);
        let refs = self.b.ins().load(WORD, TRUSTED, vector, REFS);
        let is_unique = self.b.ins().icmp_imm_s(IntCC::Equal, refs, 1);
        self.b.ins().brif(is_unique, near, &[], far, &[]);

        self.b.switch_to_block(near);
        let place = self.place_in(vector, index, new.len());
        self.store(new, place, 0);
        self.b.ins().jump(ready, &[BlockArg::from(vector)]);

        self.b.switch_to_block(far);
        let slot = self.stack_slot(new.len());
        let address = self.b.ins().stack_addr(WORD, slot, 0);
        self.store(new, address, 0);
        let args = [&[self.context, vector, index, address], &layout[..]].concat();
        let made = self.rare_memory("gradus_replace", &args, span)?;
        self.b.ins().jump(ready, &[BlockArg::from(made)]);

        self.b.switch_to_block(ready);
        Ok(after)
    }

    /// The sum of two vectors.
    pub fn add_vectors(&mut self, inputs: &[NodeId], span: Span) -> Result<Vec<Value>, BackendError> {
        let record = self.record_type(Prim::Gadd, inputs)?;
        let operands = self.operands(inputs)?;
        self.hand_out(&inputs[..1])?;
        self.hand_out(&inputs[1..])?;
        if self.unit.symbols.is_some() {
            return self.sum_of_records(operands[0], operands[1], &record, span);
        }
        let place = self.place(span);
        Ok(vec![self.helper("gradus_add_vectors", &[self.context, operands[0], operands[1], place], WORD)?])
    }

    /// The sum of two vectors in an object file, whose vectors have no changes: a loop over the records of the second one.
    fn sum_of_records(&mut self, a: Value, b: Value, record: &Type, span: Span) -> Result<Vec<Value>, BackendError> {
        let (scalars, kinds) = (flat([record]), fields(record));
        if kinds.contains(&Field::Box) {
            return Err(object::unsupported(object::SUM));
        }
        let [head, body, done] = std::array::from_fn(|_| self.b.create_block());
        let [sum, i] = [0; 2].map(|_| self.b.append_block_param(head, WORD));
        let zero = self.word(0);
        self.b.ins().jump(head, &[BlockArg::from(a), BlockArg::from(zero)]);
        self.b.switch_to_block(head);
        let capacity = self.b.ins().load(WORD, TRUSTED, b, handle::CAPACITY);
        let is_left = self.b.ins().icmp(IntCC::UnsignedLessThan, i, capacity);
        self.b.ins().brif(is_left, body, &[], done, &[]);

        self.b.switch_to_block(body);
        let place = self.place_in(b, i, scalars.len());
        let term = self.load(&scalars, place, 0);
        let old = self.record_in(sum, i, record)?;
        let terms = old.iter().zip(&term).zip(&kinds);
        let new: Vec<Value> =
            terms.map(|((&x, &y), kind)| if *kind == Field::Float { self.b.ins().fadd(x, y) } else { x }).collect();
        let after = self.with_record(sum, i, &new, record, span)?;
        let next = self.b.ins().iadd_imm_s(i, 1);
        self.b.ins().jump(head, &[BlockArg::from(after), BlockArg::from(next)]);

        self.b.switch_to_block(done);
        self.release_vector(b)?;
        Ok(vec![sum])
    }

    /// The vector of zeros.
    pub fn zero_vector(&mut self) -> Value {
        self.b.ins().iadd_imm_s(self.context, i64::from(offsets::ZEROS))
    }

    /// A vector that an object or a record holds, where null is the one of zeros. The reference is one more, if it is not moved.
    pub fn held_vector(&mut self, vector: Value, is_moved: bool) -> Value {
        let zero = self.zero_vector();
        let is_null = self.b.ins().icmp_imm_s(IntCC::Equal, vector, 0);
        let held = self.b.ins().select(is_null, zero, vector);
        if !is_moved {
            self.retain_array(held, 1);
        }
        held
    }

    /// A reference less to a vector.
    pub fn release_vector(&mut self, vector: Value) -> Result<(), BackendError> {
        let refs = self.b.ins().load(WORD, TRUSTED, vector, REFS);
        let less = self.b.ins().iadd_imm_s(refs, -1);
        let [last, others, next] = std::array::from_fn(|_| self.b.create_block());
        self.b.ins().brif(less, others, &[], last, &[]);
        self.b.switch_to_block(last);
        self.helper_effect("gradus_release_vector", &[self.context, vector])?;
        self.b.ins().jump(next, &[]);
        self.b.switch_to_block(others);
        self.b.ins().store(TRUSTED, less, vector, REFS);
        self.b.ins().jump(next, &[]);
        self.b.switch_to_block(next);
        Ok(())
    }

    /// A vector, an index, and the type of the records.
    fn vector(&mut self, prim: Prim, inputs: &[NodeId]) -> Result<(Value, Value, Type), BackendError> {
        let record = self.record_type(prim, inputs)?;
        match self.operands(&inputs[..2])?[..] {
            [vector, index] => Ok((vector, index, record)),
            _ => Err(super::no_such_operands(prim)),
        }
    }

    fn record_type(&self, prim: Prim, inputs: &[NodeId]) -> Result<Type, BackendError> {
        self.unit.m[inputs[0]].ty.element().cloned().ok_or_else(|| super::no_such_operands(prim))
    }

    /// How records lie, as helpers are told: their shape. In an object file it is the record of zeros and the number of words.
    fn layout_of(&mut self, record: &Type) -> Result<Vec<Value>, BackendError> {
        let [shape, zero] = self.box_shape(&fields(record))?;
        if self.unit.symbols.is_none() {
            return Ok(vec![shape]);
        }
        let words = self.word(flat([record]).len() as i64);
        Ok(vec![self.b.ins().iadd_imm_s(zero, 8), words])
    }

    /// Where a record of so many words lies.
    fn place_in(&mut self, vector: Value, index: Value, words: usize) -> Value {
        let records = self.b.ins().load(WORD, TRUSTED, vector, handle::RECORDS);
        let offset = self.b.ins().imul_imm_s(index, i64::from(word_offset(words)));
        self.b.ins().iadd(records, offset)
    }
}
