//! Tapes: two words, the buffer and the number of records. Records are counted from 1; what comes out of an empty tape is record 0.

use super::layout::{WORD, flat};
use super::lower::{Lower, TRUSTED, word_offset};
use super::runtime::offsets;
use crate::error::BackendError;
use cranelift::codegen::ir::BlockArg;
use cranelift::prelude::{InstBuilder, IntCC, Value};
use gradus_ir::{NodeId, Prim, Span};

impl Lower<'_, '_> {
    /// `push`. Where the buffer has more records than this tape, or no room, the runtime gives one that can be written to.
    pub fn push(&mut self, n: NodeId, inputs: &[NodeId], span: Span) -> Result<Vec<Value>, BackendError> {
        let (tape, records) = self.tape(inputs[0])?;
        let record = self.operands(&inputs[1..])?;
        self.hand_out(inputs)?;
        let more = self.b.ins().iadd_imm_s(records, 1);
        if record.is_empty() {
            return Ok(vec![tape, more]);
        }
        let [full, ready] = std::array::from_fn(|_| self.b.create_block());
        self.b.set_cold_block(full);
        let buffer = self.b.append_block_param(ready, WORD);
        if !self.unit.linear.pushes.contains(&n) {
            let check = self.b.create_block();
            let len = self.b.ins().load(WORD, TRUSTED, tape, offsets::TAPE_LEN);
            let is_end = self.b.ins().icmp(IntCC::Equal, records, len);
            self.b.ins().brif(is_end, check, &[], full, &[]);
            self.b.switch_to_block(check);
        }
        let capacity = self.b.ins().load(WORD, TRUSTED, tape, offsets::TAPE_CAPACITY);
        let has_room = self.b.ins().icmp(IntCC::UnsignedLessThan, records, capacity);
        self.b.ins().brif(has_room, ready, &[BlockArg::from(tape)], full, &[]);

        self.b.switch_to_block(full);
        let other = self.rare_memory("gradus_room", &[self.context, tape, records], span)?;
        self.b.ins().jump(ready, &[BlockArg::from(other)]);

        self.b.switch_to_block(ready);
        let address = self.record(buffer, more, record.len());
        self.store(&record, address, 0);
        self.b.ins().store(TRUSTED, more, buffer, offsets::TAPE_LEN);
        Ok(vec![buffer, more])
    }

    /// `pop`: a tape with a smaller number, and the record.
    pub fn pop(&mut self, inputs: &[NodeId]) -> Result<Vec<Value>, BackendError> {
        let m = self.unit.m;
        let record = m[inputs[0]].ty.record().ok_or_else(|| super::no_such_operands(Prim::Pop))?;
        let (tape, records) = self.tape(inputs[0])?;
        if self.has_references(inputs[0]) {
            self.moved.push(inputs[0]);
        }
        let some = self.b.ins().icmp_imm_s(IntCC::NotEqual, records, 0);
        let some = self.b.ins().uextend(WORD, some);
        let rest = self.b.ins().isub(records, some);
        let mut result = vec![tape, rest];
        let types = flat([record]);
        if !types.is_empty() {
            let address = self.record(tape, records, types.len());
            result.extend(self.load(&types, address, 0));
        }
        Ok(result)
    }

    /// Puts the buffer of a tape before the other free ones, unless it is the constant without room.
    pub fn give_back(&mut self, tape: Value) {
        let [own, next] = [self.b.create_block(), self.b.create_block()];
        let capacity = self.b.ins().load(WORD, TRUSTED, tape, offsets::TAPE_CAPACITY);
        self.b.ins().brif(capacity, own, &[], next, &[]);
        self.b.switch_to_block(own);
        let first = self.b.ins().load(WORD, TRUSTED, self.context, offsets::FREE_TAPES);
        self.b.ins().store(TRUSTED, first, tape, offsets::TAPE_NEXT);
        self.b.ins().store(TRUSTED, tape, self.context, offsets::FREE_TAPES);
        self.count(offsets::USED_TAPES, -1);
        self.b.ins().jump(next, &[]);
        self.b.switch_to_block(next);
    }

    /// `gadd` of tapes: as many records as the longer one has.
    pub fn add_tapes(&mut self, inputs: &[NodeId], span: Span) -> Result<Vec<Value>, BackendError> {
        let ((a, m), (b, n)) = (self.tape(inputs[0])?, self.tape(inputs[1])?);
        let place = self.place(span);
        let sum = self.helper("gradus_gadd_tapes", &[self.context, a, m, b, n, place], WORD)?;
        Ok(vec![sum, self.b.ins().umax(m, n)])
    }

    /// The buffer and the number of records of a tape.
    fn tape(&mut self, n: NodeId) -> Result<(Value, Value), BackendError> {
        match self.operands(&[n])?[..] {
            [tape, records] => Ok((tape, records)),
            _ => Err(BackendError::Internal { message: "this operand is a tape".into() }),
        }
    }

    /// The address of a record of so many words.
    fn record(&mut self, tape: Value, number: Value, words: usize) -> Value {
        let start = self.b.ins().load(WORD, TRUSTED, tape, offsets::TAPE_WORDS);
        let offset = self.b.ins().imul_imm_s(number, i64::from(word_offset(words)));
        self.b.ins().iadd(start, offset)
    }
}
