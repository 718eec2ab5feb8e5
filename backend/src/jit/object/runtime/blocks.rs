//! Memory of arrays: blocks, as `crate::jit::runtime::arrays` has them.

use super::{BLOCKS, Code};
use crate::error::BackendError;
use crate::jit::layout::WORD;
use crate::jit::runtime::{HEADER, offsets};
use cranelift::codegen::ir::BlockArg;
use cranelift::prelude::{InstBuilder, IntCC, Value};
use cranelift_module::Module;

/// Where the header of a block has the elements of the block before, after the number of references and the class.
pub(super) const BLOCK_NEXT: i32 = 16 - HEADER as i32;

impl Code<'_> {
    pub(super) fn block(&mut self, context: Value, class: Value) -> Result<(), BackendError> {
        // As `class_bytes` of the runtime has it: four classes for each power of two, from 64 bytes on.
        let power = self.b.ins().ushr_imm_u(class, 2);
        let quarter = self.b.ins().band_imm_u(class, 3);
        let sixteen = self.b.ins().iconst(WORD, 16);
        let step = self.b.ins().ishl(sixteen, power);
        let whole = self.b.ins().ishl_imm_u(step, 2);
        let part = self.b.ins().imul(quarter, step);
        let bytes = self.b.ins().iadd(whole, part);
        // A multiple of the alignment, as `aligned_alloc` wants it.
        let bytes = self.b.ins().iadd_imm_s(bytes, 2 * HEADER as i64 - 1);
        let bytes = self.b.ins().band_imm_s(bytes, -(HEADER as i64));
        let align = self.b.ins().iconst(WORD, HEADER as i64);
        let block = self.take("aligned_alloc", &[align, bytes])?;
        let elements = self.b.ins().iadd_imm_s(block, HEADER as i64);
        let before = self.load(context, BLOCKS);
        let null = self.b.ins().iconst(WORD, 0);
        self.store(null, block, 0);
        self.store(class, block, 8);
        self.store(before, elements, BLOCK_NEXT);
        self.store(elements, context, BLOCKS);
        self.store(null, elements, 0);
        self.b.ins().return_(&[elements]);
        Ok(())
    }

    /// A block for so many bytes, with one reference.
    pub(super) fn array(&mut self, context: Value, bytes: Value) -> Result<(), BackendError> {
        // As `class_of` of the runtime has it.
        let least = self.b.ins().iconst(WORD, 64);
        let bytes = self.b.ins().umax(bytes, least);
        let zeros = self.b.ins().clz(bytes);
        let highest = self.b.ins().iconst(WORD, 63);
        let power = self.b.ins().isub(highest, zeros);
        let one = self.b.ins().iconst(WORD, 1);
        let whole = self.b.ins().ishl(one, power);
        let step = self.b.ins().ushr_imm_u(whole, 2);
        let rest = self.b.ins().isub(bytes, whole);
        let rest = self.b.ins().iadd(rest, step);
        let rest = self.b.ins().iadd_imm_s(rest, -1);
        let shift = self.b.ins().iadd_imm_s(power, -2);
        let quarter = self.b.ins().ushr(rest, shift);
        let class = self.b.ins().iadd_imm_s(power, -6);
        let class = self.b.ins().ishl_imm_u(class, 2);
        let class = self.b.ins().iadd(class, quarter);

        let offset = self.b.ins().ishl_imm_u(class, 3);
        let list = self.b.ins().iadd(context, offset);
        let first = self.load(list, offsets::FREE_ARRAYS);
        let [none, ready] = self.blocks();
        let elements = self.b.append_block_param(ready, WORD);
        self.b.ins().brif(first, ready, &[BlockArg::from(first)], none, &[]);
        self.b.switch_to_block(none);
        let fresh = self.take("gradus_block", &[context, class])?;
        self.b.ins().jump(ready, &[BlockArg::from(fresh)]);
        self.b.switch_to_block(ready);
        let next = self.load(elements, 0);
        self.store(next, list, offsets::FREE_ARRAYS);
        self.store(one, elements, -(HEADER as i32));
        let used = self.load(context, offsets::USED_ARRAYS);
        let used = self.b.ins().iadd_imm_s(used, 1);
        self.store(used, context, offsets::USED_ARRAYS);
        self.b.ins().return_(&[elements]);
        Ok(())
    }

    pub(super) fn zeros(&mut self, context: Value, bytes: Value, bits: Value) -> Result<(), BackendError> {
        let array = self.take("gradus_array", &[context, bytes])?;
        let end = self.b.ins().iadd(array, bytes);
        let [head, body, done] = self.blocks();
        let at = self.b.append_block_param(head, WORD);
        self.b.ins().jump(head, &[BlockArg::from(array)]);
        self.b.switch_to_block(head);
        let is_left = self.b.ins().icmp(IntCC::UnsignedLessThan, at, end);
        self.b.ins().brif(is_left, body, &[], done, &[]);
        self.b.switch_to_block(body);
        // Blocks are longer than their arrays.
        self.store(bits, at, 0);
        let next = self.b.ins().iadd_imm_s(at, 8);
        self.b.ins().jump(head, &[BlockArg::from(next)]);
        self.b.switch_to_block(done);
        self.b.ins().return_(&[array]);
        Ok(())
    }

    pub(super) fn copy(&mut self, context: Value, array: Value, bytes: Value) -> Result<(), BackendError> {
        let copy = self.take("gradus_array", &[context, bytes])?;
        let config = self.module.target_config();
        self.b.call_memcpy(config, copy, array, bytes);
        self.b.ins().return_(&[copy]);
        Ok(())
    }
}
