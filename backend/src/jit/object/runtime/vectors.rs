//! Vectors, as `crate::jit::runtime::vectors` has them, but without changes: who writes where others read takes a copy.

use super::Code;
use crate::error::BackendError;
use crate::jit::layout::WORD;
use crate::jit::runtime::{HEADER, handle, offsets};
use cranelift::codegen::ir::BlockArg;
use cranelift::prelude::{InstBuilder, IntCC, Value};
use cranelift_module::Module;

/// Where a block has the number of its references, and its class.
const REFS: i32 = -(HEADER as i32);
const CLASS: i32 = REFS + 8;
const HANDLE_BYTES: i64 = 16;
/// The least room that a vector is given.
const LEAST: i64 = 4;

impl Code<'_> {
    /// The vector with a record, in exchange for a reference: another reader has it, or there is no room.
    pub(super) fn replace(
        &mut self,
        context: Value,
        vector: Value,
        [index, record]: [Value; 2],
        [zero, words]: [Value; 2],
    ) -> Result<(), BackendError> {
        let width = self.b.ins().ishl_imm_u(words, 3);
        let records = self.load(vector, handle::RECORDS);
        let capacity = self.load(vector, handle::CAPACITY);
        let twice = self.b.ins().iadd(capacity, capacity);
        let least = self.b.ins().iconst(WORD, LEAST);
        let more = self.b.ins().iadd_imm_s(index, 1);
        let more = self.b.ins().umax(more, twice);
        let more = self.b.ins().umax(more, least);
        let is_in = self.b.ins().icmp(IntCC::UnsignedLessThan, index, capacity);
        let room = self.b.ins().select(is_in, capacity, more);
        let bytes = self.b.ins().imul(room, width);
        let own = self.take("gradus_array", &[context, bytes])?;
        let old = self.b.ins().imul(capacity, width);
        let config = self.module.target_config();
        self.b.call_memcpy(config, own, records, old);
        // Zeros from there on.
        let [head, body, done] = self.blocks();
        let at = self.b.append_block_param(head, WORD);
        let [start, end] = [old, bytes].map(|offset| self.b.ins().iadd(own, offset));
        self.b.ins().jump(head, &[BlockArg::from(start)]);
        self.b.switch_to_block(head);
        let is_left = self.b.ins().icmp(IntCC::UnsignedLessThan, at, end);
        self.b.ins().brif(is_left, body, &[], done, &[]);
        self.b.switch_to_block(body);
        self.b.call_memcpy(config, at, zero, width);
        let next = self.b.ins().iadd(at, width);
        self.b.ins().jump(head, &[BlockArg::from(next)]);

        self.b.switch_to_block(done);
        let [grown, shared, ready] = self.blocks();
        let to = self.b.append_block_param(ready, WORD);
        let less = self.load(vector, REFS);
        let less = self.b.ins().iadd_imm_s(less, -1);
        self.b.ins().brif(less, shared, &[], grown, &[]);
        self.b.switch_to_block(grown);
        self.give_back(context, records);
        self.b.ins().jump(ready, &[BlockArg::from(vector)]);
        self.b.switch_to_block(shared);
        let bytes = self.b.ins().iconst(WORD, HANDLE_BYTES);
        let new = self.take("gradus_array", &[context, bytes])?;
        self.store(less, vector, REFS);
        self.b.ins().jump(ready, &[BlockArg::from(new)]);
        self.b.switch_to_block(ready);
        self.store(own, to, handle::RECORDS);
        self.store(room, to, handle::CAPACITY);
        let offset = self.b.ins().imul(index, width);
        let place = self.b.ins().iadd(own, offset);
        self.b.call_memcpy(config, place, record, width);
        self.b.ins().return_(&[to]);
        Ok(())
    }

    /// Gives back a vector that nobody refers to any more.
    pub(super) fn release_vector(&mut self, context: Value, vector: Value) -> Result<(), BackendError> {
        let records = self.load(vector, handle::RECORDS);
        [records, vector].into_iter().for_each(|block| self.give_back(context, block));
        self.b.ins().return_(&[]);
        Ok(())
    }

    /// Puts a block among the free ones.
    fn give_back(&mut self, context: Value, block: Value) {
        let class = self.load(block, CLASS);
        let offset = self.b.ins().ishl_imm_u(class, 3);
        let list = self.b.ins().iadd(context, offset);
        let first = self.load(list, offsets::FREE_ARRAYS);
        self.store(first, block, 0);
        self.store(block, list, offsets::FREE_ARRAYS);
        let used = self.load(context, offsets::USED_ARRAYS);
        let used = self.b.ins().iadd_imm_s(used, -1);
        self.store(used, context, offsets::USED_ARRAYS);
    }
}
