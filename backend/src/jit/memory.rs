//! The memory of arrays, inline: blocks are taken from the free ones, counted and given back, as `runtime::arrays` says.

use super::layout::WORD;
use super::lower::{Lower, TRUSTED};
use super::runtime::{HEADER, class_of, offsets};
use crate::error::BackendError;
use cranelift::codegen::ir::BlockArg;
use cranelift::prelude::{InstBuilder, IntCC, Value};
use gradus_ir::{DType, Span};

/// Where the number of references lies.
pub const REFS: i32 = -(HEADER as i32);

/// Where the context has the first free block for arrays of so many bytes.
fn free_blocks(bytes: usize) -> i32 {
    offsets::FREE_ARRAYS + 8 * class_of(bytes) as i32
}

/// The bits of eight bytes of zero cotangents. What is undefined consists of these, too, so they are an index that is in range and
/// a truth value: code may read it, though nobody uses what comes of it.
fn zero_bits(dtype: DType) -> i64 {
    let zero = (-0.0_f32).to_bits();
    match dtype {
        DType::F64 => (-0.0_f64).to_bits() as i64,
        DType::F32 => (u64::from(zero) << 32 | u64::from(zero)) as i64,
        DType::I64 | DType::Bool => 0,
    }
}

impl Lower<'_, '_> {
    /// An array of so many bytes, with one reference and without elements.
    pub fn new_array(&mut self, bytes: usize, span: Span) -> Result<Value, BackendError> {
        let [none, ready] = [self.b.create_block(), self.b.create_block()];
        self.b.set_cold_block(none);
        let array = self.b.append_block_param(ready, WORD);
        let first = self.b.ins().load(WORD, TRUSTED, self.context, free_blocks(bytes));
        self.b.ins().brif(first, ready, &[BlockArg::from(first)], none, &[]);
        self.b.switch_to_block(none);
        let class = self.word(class_of(bytes) as i64);
        let fresh = self.rare_memory("gradus_block", &[self.context, class], span)?;
        self.b.ins().jump(ready, &[BlockArg::from(fresh)]);
        self.b.switch_to_block(ready);
        let next = self.b.ins().load(WORD, TRUSTED, array, 0);
        self.b.ins().store(TRUSTED, next, self.context, free_blocks(bytes));
        let one = self.word(1);
        self.b.ins().store(TRUSTED, one, array, REFS);
        self.count(offsets::USED_ARRAYS, 1);
        Ok(array)
    }

    /// So many more references to an array.
    pub fn retain_array(&mut self, array: Value, times: usize) {
        let refs = self.b.ins().load(WORD, TRUSTED, array, REFS);
        let more = self.b.ins().iadd_imm_s(refs, times as i64);
        self.b.ins().store(TRUSTED, more, array, REFS);
    }

    /// A reference less to an array of so many bytes.
    pub fn release_array(&mut self, array: Value, bytes: usize) {
        let refs = self.b.ins().load(WORD, TRUSTED, array, REFS);
        let less = self.b.ins().iadd_imm_s(refs, -1);
        self.b.ins().store(TRUSTED, less, array, REFS);
        let [free, next] = [self.b.create_block(), self.b.create_block()];
        self.b.ins().brif(less, next, &[], free, &[]);
        self.b.switch_to_block(free);
        let first = self.b.ins().load(WORD, TRUSTED, self.context, free_blocks(bytes));
        self.b.ins().store(TRUSTED, first, array, 0);
        self.b.ins().store(TRUSTED, array, self.context, free_blocks(bytes));
        self.count(offsets::USED_ARRAYS, -1);
        self.b.ins().jump(next, &[]);
        self.b.switch_to_block(next);
    }

    /// An array of so many bytes to write to, in exchange for a reference to `array`: itself if nobody else has it. The elements of
    /// another one are `array`'s if `copy` says so.
    pub fn exchange(&mut self, array: Value, bytes: usize, copy: bool, span: Span) -> Result<Value, BackendError> {
        let [shared, ready] = [self.b.create_block(), self.b.create_block()];
        self.b.set_cold_block(shared);
        let own = self.b.append_block_param(ready, WORD);
        let refs = self.b.ins().load(WORD, TRUSTED, array, REFS);
        let is_unique = self.b.ins().icmp_imm_s(IntCC::Equal, refs, 1);
        self.b.ins().brif(is_unique, ready, &[BlockArg::from(array)], shared, &[]);
        self.b.switch_to_block(shared);
        let less = self.b.ins().iadd_imm_s(refs, -1);
        self.b.ins().store(TRUSTED, less, array, REFS);
        let other = if copy { self.copied(array, bytes, span)? } else { self.new_array(bytes, span)? };
        self.b.ins().jump(ready, &[BlockArg::from(other)]);
        self.b.switch_to_block(ready);
        Ok(own)
    }

    /// A copy of an array.
    pub fn copied(&mut self, array: Value, bytes: usize, span: Span) -> Result<Value, BackendError> {
        let bytes = self.word(bytes as i64);
        self.rare_memory("gradus_copy", &[self.context, array, bytes], span)
    }

    /// An array of so many bytes of zeros of this type.
    pub fn zeros(&mut self, dtype: DType, bytes: usize, span: Span) -> Result<Value, BackendError> {
        let (bytes, bits) = (self.word(bytes as i64), self.word(zero_bits(dtype)));
        self.rare_memory("gradus_zeros", &[self.context, bytes, bits], span)
    }

    /// An array that an object or a record holds, where null is one of zeros. The reference is one more, if it is not moved.
    pub fn held_array(
        &mut self,
        array: Value,
        dtype: DType,
        bytes: usize,
        is_moved: bool,
        span: Span,
    ) -> Result<Value, BackendError> {
        let [some, none, ready] = std::array::from_fn(|_| self.b.create_block());
        self.b.set_cold_block(none);
        let held = self.b.append_block_param(ready, WORD);
        self.b.ins().brif(array, some, &[], none, &[]);
        self.b.switch_to_block(none);
        let zeros = self.zeros(dtype, bytes, span)?;
        self.b.ins().jump(ready, &[BlockArg::from(zeros)]);
        self.b.switch_to_block(some);
        if !is_moved {
            self.retain_array(array, 1);
        }
        self.b.ins().jump(ready, &[BlockArg::from(array)]);
        self.b.switch_to_block(ready);
        Ok(held)
    }

    /// Adds to a number of the context.
    pub fn count(&mut self, offset: i32, by: i64) {
        let old = self.b.ins().load(WORD, TRUSTED, self.context, offset);
        let new = self.b.ins().iadd_imm_s(old, by);
        self.b.ins().store(TRUSTED, new, self.context, offset);
    }
}
