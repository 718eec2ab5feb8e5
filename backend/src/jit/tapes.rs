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
        let other = self.room(tape, records, span)?;
        self.b.ins().jump(ready, &[BlockArg::from(other)]);

        self.b.switch_to_block(ready);
        let address = self.record(buffer, more, record.len());
        self.store(&record, address, 0);
        self.b.ins().store(TRUSTED, more, buffer, offsets::TAPE_LEN);
        Ok(vec![buffer, more])
    }

    /// The buffer where a record can be put after these of a tape. An object file leaves all of it to its runtime.
    fn room(&mut self, tape: Value, records: Value, span: Span) -> Result<Value, BackendError> {
        let args = [self.context, tape, records];
        if self.unit.symbols.is_some() {
            return self.rare_memory("gradus_room", &args, span);
        }
        let id = match self.unit.room {
            Some(id) => id,
            None => self.unit.preserving("room", vec![WORD; args.len()])?,
        };
        self.unit.room = Some(id);
        let buffer = self.call_preserving(id, &args, WORD);
        Ok(self.given_memory(buffer, span))
    }

    /// The code of [`Lower::room`]: the constant without room gives way to the free buffer that was given back last, if that is one
    /// for records of so many words. So does `Context::room`, which is called for all else.
    pub fn free_room(&mut self, params: &[Value]) -> Result<(), BackendError> {
        let &[tape, records, address] = params else {
            return Err(BackendError::Internal { message: "a tape, its records, and a place for the result".into() });
        };
        let [look, check, take, copy, done, other] = std::array::from_fn(|_| self.b.create_block());
        self.b.set_cold_block(other);
        let capacity = self.b.ins().load(WORD, TRUSTED, tape, offsets::TAPE_CAPACITY);
        self.b.ins().brif(capacity, other, &[], look, &[]);
        self.b.switch_to_block(look);
        let own = self.b.ins().load(WORD, TRUSTED, self.context, offsets::FREE_TAPES);
        self.b.ins().brif(own, check, &[], other, &[]);
        self.b.switch_to_block(check);
        let [words, wanted] = [own, tape].map(|tape| self.b.ins().load(WORD, TRUSTED, tape, offsets::TAPE_RECORD));
        let room = self.b.ins().load(WORD, TRUSTED, own, offsets::TAPE_CAPACITY);
        let fits = self.b.ins().icmp(IntCC::Equal, words, wanted);
        let has_room = self.b.ins().icmp_imm_s(IntCC::NotEqual, room, 0);
        let is_ready = self.b.ins().band(fits, has_room);
        self.b.ins().brif(is_ready, take, &[], other, &[]);

        self.b.switch_to_block(take);
        let next = self.b.ins().load(WORD, TRUSTED, own, offsets::TAPE_NEXT);
        self.b.ins().store(TRUSTED, next, self.context, offsets::FREE_TAPES);
        self.count(offsets::USED_TAPES, 1);
        let [len, given, most, before] =
            [offsets::TAPE_LEN, offsets::TAPE_GIVEN, offsets::TAPE_BEFORE, offsets::TAPE_BEFORE + word_offset(1)]
                .map(|offset| self.b.ins().load(WORD, TRUSTED, own, offset));
        let bytes = self.b.ins().imul(len, words);
        let bytes = self.b.ins().ishl_imm_u(bytes, 3);
        let most = self.b.ins().umax(most, bytes);
        let pushed = self.b.ins().isub(len, given);
        let before = self.b.ins().iadd(before, pushed);
        let shape = self.b.ins().load(WORD, TRUSTED, tape, offsets::TAPE_SHAPE);
        let none = self.word(0);
        for (value, offset) in [
            (most, offsets::TAPE_BEFORE),
            (before, offsets::TAPE_BEFORE + word_offset(1)),
            (none, offsets::TAPE_LEN),
            (none, offsets::TAPE_GIVEN),
            (shape, offsets::TAPE_SHAPE),
        ] {
            self.b.ins().store(TRUSTED, value, own, offset);
        }
        // Record 0, from the last word to the first; it has one at least.
        let [to, from] = [own, tape].map(|tape| self.b.ins().load(WORD, TRUSTED, tape, offsets::TAPE_WORDS));
        let left = self.b.append_block_param(copy, WORD);
        self.b.ins().jump(copy, &[BlockArg::from(words)]);
        self.b.switch_to_block(copy);
        let less = self.b.ins().iadd_imm_s(left, -1);
        let offset = self.b.ins().ishl_imm_u(less, 3);
        let [to, from] = [to, from].map(|words| self.b.ins().iadd(words, offset));
        let word = self.b.ins().load(WORD, TRUSTED, from, 0);
        self.b.ins().store(TRUSTED, word, to, 0);
        self.b.ins().brif(less, copy, &[BlockArg::from(less)], done, &[]);
        self.b.switch_to_block(done);
        self.b.ins().store(TRUSTED, own, address, 0);
        self.b.ins().return_(&[]);

        self.b.switch_to_block(other);
        let id = self.unit.rare_call("gradus_room", vec![WORD; 3], WORD)?;
        let function = self.function_ref(id);
        self.b.ins().call(function, &[self.context, tape, records, address]);
        self.b.ins().return_(&[]);
        Ok(())
    }

    /// `pop`: a tape with a smaller number, and the record.
    pub fn pop(&mut self, inputs: &[NodeId]) -> Result<Vec<Value>, BackendError> {
        let m = self.unit.m;
        let record = m[inputs[0]].ty.record().ok_or_else(|| super::no_such_operands(Prim::Pop))?;
        let (tape, records) = self.tape(inputs[0])?;
        if self.has_references(inputs[0]) {
            self.moved.push(inputs[0]);
        }
        // A comparison as a number would set one byte of a register and wait for the rest. In a loop of the adjoint the rest may
        // come from the record before, and steps would not overlap. A choice does not wait.
        let less = self.b.ins().iadd_imm_s(records, -1);
        let rest = self.b.ins().select(records, less, records);
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
