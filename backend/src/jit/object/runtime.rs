//! What compiled code runs on, in Cranelift IR: the counterpart of `crate::jit::runtime`, which says what each helper does.
//!
//! A context is on the stack of the function for C. Its first fields are those of [`Context`], which compiled code reads and writes;
//! after them come the heads of three lists, of chunks, tapes and blocks of arrays, each made by `malloc`, and where a failure jumps.

use crate::error::BackendError;
use crate::jit::layout::WORD;
use crate::jit::runtime::{Context, Descriptor, HEADER, handle, offsets};
use blocks::BLOCK_NEXT;
use cranelift::codegen::ir::{BlockArg, UserFuncName};
use cranelift::prelude::{
    AbiParam, FunctionBuilder, FunctionBuilderContext, InstBuilder, IntCC, Signature, TrapCode, Value, types,
};
use cranelift_module::{FuncOrDataId, Module};
use cranelift_object::ObjectModule;
use gradus_ir::TrapKind;

mod blocks;
mod pieces;
mod vectors;

/// The helpers, callers before those that they call.
pub const NAMES: [&str; 16] = [
    "gradus_enter",
    "gradus_end",
    "gradus_derivative",
    "gradus_extend",
    "gradus_object",
    "gradus_find",
    "gradus_replace",
    "gradus_release_vector",
    "gradus_zeros",
    "gradus_copy",
    "gradus_array",
    "gradus_block",
    "gradus_room",
    "gradus_grow",
    "gradus_ipow",
    "gradus_raise",
];

/// Those that take memory.
pub const ALLOCATING: [&str; 8] = [
    "gradus_derivative",
    "gradus_extend",
    "gradus_replace",
    "gradus_zeros",
    "gradus_copy",
    "gradus_block",
    "gradus_room",
    "gradus_grow",
];

/// Those that may jump out of the code. The others give null where there is no memory.
pub const RAISING: [&str; 4] = ["gradus_derivative", "gradus_extend", "gradus_ipow", "gradus_raise"];

/// Fields of the context after those of [`Context`]: the last chunk of the arena, and how large the next one is.
const CHUNKS: i32 = (size_of::<Context>().next_multiple_of(16)) as i32;
const CHUNK_BYTES: i32 = CHUNKS + 8;
/// The last tape that was made.
const TAPES: i32 = CHUNKS + 16;
/// The elements of the last block for an array.
const BLOCKS: i32 = CHUNKS + 24;
/// What `setjmp` keeps: 200 bytes with glibc and musl on x86-64, 392 on 64-bit Arm.
const JUMP: i32 = CHUNKS + 32;
const JUMP_BYTES: usize = 512;

/// The size of a context.
pub const CONTEXT: usize = JUMP as usize + JUMP_BYTES;

/// The words of a context that are zero at first.
pub const ZEROED: [i32; 13] = [
    offsets::ZEROS + handle::RECORDS,
    offsets::ZEROS + handle::CAPACITY,
    offsets::BUMP,
    offsets::LIMIT,
    offsets::OBJECTS,
    offsets::USED_ARRAYS,
    offsets::OPERATIONS,
    offsets::FREE_TAPES,
    offsets::USED_TAPES,
    CHUNKS,
    CHUNK_BYTES,
    TAPES,
    BLOCKS,
];

/// The bytes of the first free blocks for arrays, which are null at first.
pub const FREE_BYTES: usize = offsets::FREE_ARRAYS_BYTES;

/// Fields of tapes beside those that compiled code reads: the words of a record, and the tape that was made before.
pub const TAPE_RECORD: i32 = offsets::TAPE_SHAPE;
const TAPE_BEFORE: i32 = offsets::TAPE_NEXT + 8;

/// The size of a tape.
pub const TAPE: usize = TAPE_BEFORE as usize + 8;

/// The size of a new buffer, in words, for records of few words.
const FIRST_WORDS: i64 = 32;
const FIRST_CHUNK: i64 = 64 << 10;
const LARGEST_CHUNK: i64 = 256 << 20;

/// Defines the helpers that are declared, and those that they call.
pub fn define(module: &mut ObjectModule) -> Result<(), BackendError> {
    let mut functions = FunctionBuilderContext::new();
    for name in NAMES {
        let Some(FuncOrDataId::Func(id)) = module.get_name(name) else { continue };
        let mut context = module.make_context();
        context.func.signature = Signature::clone(&module.declarations().get_function_decl(id).signature);
        context.func.name = UserFuncName::user(0, id.as_u32());
        let mut b = FunctionBuilder::new(&mut context.func, &mut functions);
        let entry = b.create_block();
        b.append_block_params_for_function_params(entry);
        b.switch_to_block(entry);
        let params = b.block_params(entry).to_vec();
        let mut code = Code { b, module: &mut *module };
        code.helper(name, &params)?;
        let Code { mut b, module: own } = code;
        b.seal_all_blocks();
        b.finalize(own.target_config());
        module.define_function(id, &mut context).map_err(|e| BackendError::Jit { message: format!("{e:?}") })?;
    }
    Ok(())
}

/// A helper in the making.
struct Code<'a> {
    b: FunctionBuilder<'a>,
    module: &'a mut ObjectModule,
}

impl Code<'_> {
    fn helper(&mut self, name: &str, params: &[Value]) -> Result<(), BackendError> {
        match (name, params) {
            ("gradus_enter", &[context, args, places, code]) => self.enter(context, args, places, code),
            ("gradus_end", &[context]) => self.end(context),
            ("gradus_derivative", &[context, object, index, place]) => self.derivative(context, object, index, place),
            ("gradus_extend", &[context, object, bound, new, count, place]) => {
                self.extend(context, object, bound, [new, count], place)
            }
            ("gradus_object", &[context, object, new, count, descriptor, place]) => {
                self.object(context, object, [new, count], descriptor, place)
            }
            ("gradus_raise", &[context, code]) => self.raise(context, code),
            ("gradus_grow", &[context, bytes]) => self.grow(context, bytes),
            ("gradus_room", &[context, tape, records]) => self.room(context, tape, records),
            ("gradus_block", &[context, class]) => self.block(context, class),
            ("gradus_array", &[context, bytes]) => self.array(context, bytes),
            ("gradus_zeros", &[context, bytes, bits]) => self.zeros(context, bytes, bits),
            ("gradus_copy", &[context, array, bytes]) => self.copy(context, array, bytes),
            ("gradus_find", &[_, _, _, zero, _]) => {
                self.b.ins().return_(&[zero]);
                Ok(())
            }
            ("gradus_replace", &[context, vector, index, record, zero, words]) => {
                self.replace(context, vector, [index, record], [zero, words])
            }
            ("gradus_release_vector", &[context, vector]) => self.release_vector(context, vector),
            ("gradus_ipow", &[context, a, n, place]) => self.ipow(context, a, n, place),
            _ => Err(BackendError::Internal { message: format!("{name} is no helper") }),
        }
    }

    /// Runs code; gives the status that it returns, or that of a failure. Nothing is used after a failure but that: what the first
    /// return of `setjmp` found in registers may be in memory that has been used since.
    fn enter(&mut self, context: Value, args: Value, places: Value, code: Value) -> Result<(), BackendError> {
        let buffer = self.b.ins().iadd_imm_s(context, i64::from(JUMP));
        let failed = self.call("_setjmp", &[buffer], Some(types::I32))?;
        let [first, second] = self.blocks();
        self.b.ins().brif(failed, second, &[], first, &[]);
        self.b.switch_to_block(second);
        self.b.ins().return_(&[failed]);
        self.b.switch_to_block(first);
        let mut signature = self.module.make_signature();
        signature.params = vec![AbiParam::new(WORD); 3];
        signature.returns.push(AbiParam::new(types::I32));
        let signature = self.b.import_signature(signature);
        let call = self.b.ins().call_indirect(signature, code, &[context, args, places]);
        let status = self.b.inst_results(call)[0];
        self.b.ins().return_(&[status]);
        Ok(())
    }

    /// Frees the memory of a run.
    fn end(&mut self, context: Value) -> Result<(), BackendError> {
        let first = self.load(context, CHUNKS);
        self.each(first, |code, chunk| {
            let next = code.load(chunk, 0);
            code.call("free", &[chunk], None)?;
            Ok(next)
        })?;
        let first = self.load(context, TAPES);
        self.each(first, |code, tape| {
            let (next, words) = (code.load(tape, TAPE_BEFORE), code.load(tape, offsets::TAPE_WORDS));
            code.call("free", &[words], None)?;
            code.call("free", &[tape], None)?;
            Ok(next)
        })?;
        let last = self.load(context, BLOCKS);
        self.each(last, |code, elements| {
            let next = code.load(elements, BLOCK_NEXT);
            let block = code.b.ins().iadd_imm_s(elements, -(HEADER as i64));
            code.call("free", &[block], None)?;
            Ok(next)
        })?;
        self.b.ins().return_(&[]);
        Ok(())
    }

    /// Leaves the code with the code of a failure.
    fn raise(&mut self, context: Value, code: Value) -> Result<(), BackendError> {
        let buffer = self.b.ins().iadd_imm_s(context, i64::from(JUMP));
        let status = self.b.ins().ireduce(types::I32, code);
        self.call("longjmp", &[buffer, status], None)?;
        self.b.ins().trap(TrapCode::unwrap_user(1));
        Ok(())
    }

    /// The object with its fields under the descriptor of the derivative. That of an undefined function is undefined.
    fn derivative(&mut self, context: Value, object: Value, index: Value, place: Value) -> Result<(), BackendError> {
        self.return_if_null(object);
        let descriptor = self.load(object, 0);
        let offset = self.b.ins().ishl_imm_u(index, 3);
        let entry = self.b.ins().iadd(descriptor, offset);
        let found = self.load(entry, offsets::DERIVATIVES);
        let missing = self.b.ins().icmp_imm_s(IntCC::Equal, found, 0);
        self.fault_if(missing, context, place)?;
        let none = self.b.ins().iconst(WORD, 0);
        self.under(context, object, [none, none], found, place)
    }

    /// The object with more arguments, whose descriptor is so many further on.
    fn extend(&mut self, context: Value, object: Value, bound: Value, new: [Value; 2], place: Value) -> Result<(), BackendError> {
        self.return_if_null(object);
        let descriptor = self.load(object, 0);
        let distance = self.b.ins().imul_imm_s(bound, size_of::<Descriptor>() as i64);
        let descriptor = self.b.ins().iadd(descriptor, distance);
        self.under(context, object, new, descriptor, place)
    }

    /// Returns the object with the fields of another one, and new ones, under a descriptor, which must be that of objects.
    fn under(
        &mut self,
        context: Value,
        object: Value,
        [new, count]: [Value; 2],
        descriptor: Value,
        place: Value,
    ) -> Result<(), BackendError> {
        let code = self.load(descriptor, offsets::CODE);
        let missing = self.b.ins().icmp_imm_s(IntCC::Equal, code, 0);
        self.fault_if(missing, context, place)?;
        let copy = self.call("gradus_object", &[context, object, new, count, descriptor, place], Some(WORD))?;
        self.b.ins().return_(&[copy]);
        Ok(())
    }

    fn object(
        &mut self,
        context: Value,
        object: Value,
        [new, count]: [Value; 2],
        descriptor: Value,
        place: Value,
    ) -> Result<(), BackendError> {
        let words = self.load(descriptor, offsets::OBJECT_WORDS);
        let [some, none, full, ready] = self.blocks();
        self.b.ins().brif(words, some, &[], none, &[]);
        // A descriptor is the object that holds nothing.
        self.b.switch_to_block(none);
        self.b.ins().return_(&[descriptor]);
        self.b.switch_to_block(some);
        let bytes = self.b.ins().ishl_imm_u(words, 3);
        let bytes = self.b.ins().iadd_imm_s(bytes, 8);
        let [start, limit] = [offsets::BUMP, offsets::LIMIT].map(|offset| self.load(context, offset));
        let end = self.b.ins().iadd(start, bytes);
        let fits = self.b.ins().icmp(IntCC::UnsignedLessThanOrEqual, end, limit);
        self.b.ins().brif(fits, ready, &[], full, &[]);
        self.b.switch_to_block(full);
        let room = self.call("gradus_grow", &[context, bytes], Some(WORD))?;
        let has_none = self.b.ins().icmp_imm_s(IntCC::Equal, room, 0);
        self.fail_if(has_none, context, place, TrapKind::OutOfMemory)?;
        self.b.ins().jump(ready, &[]);
        self.b.switch_to_block(ready);
        let result = self.load(context, offsets::BUMP);
        let end = self.b.ins().iadd(result, bytes);
        self.store(end, context, offsets::BUMP);
        self.store(descriptor, result, 0);
        let before = self.load(object, 0);
        let old = self.load(before, offsets::OBJECT_WORDS);
        let [old, more] = [old, count].map(|words| self.b.ins().ishl_imm_u(words, 3));
        let [from, to] = [object, result].map(|start| self.b.ins().iadd_imm_s(start, 8));
        let config = self.module.target_config();
        self.b.call_memcpy(config, to, from, old);
        let to = self.b.ins().iadd(to, old);
        self.b.call_memcpy(config, to, new, more);
        self.b.ins().return_(&[result]);
        Ok(())
    }

    /// A chunk begins with the address of the one before.
    fn grow(&mut self, context: Value, bytes: Value) -> Result<(), BackendError> {
        let first = self.b.ins().iconst(WORD, FIRST_CHUNK);
        let largest = self.b.ins().iconst(WORD, LARGEST_CHUNK);
        let planned = self.load(context, CHUNK_BYTES);
        let planned = self.b.ins().umax(planned, first);
        let twice = self.b.ins().iadd(planned, planned);
        let twice = self.b.ins().umin(twice, largest);
        self.store(twice, context, CHUNK_BYTES);
        let size = self.b.ins().umax(planned, bytes);
        let whole = self.b.ins().iadd_imm_s(size, 16);
        let chunk = self.take("malloc", &[whole])?;
        let before = self.load(context, CHUNKS);
        self.store(before, chunk, 0);
        self.store(chunk, context, CHUNKS);
        let start = self.b.ins().iadd_imm_s(chunk, 16);
        let end = self.b.ins().iadd(start, size);
        self.store(start, context, offsets::BUMP);
        self.store(end, context, offsets::LIMIT);
        self.b.ins().return_(&[start]);
        Ok(())
    }

    /// The tape itself, with a larger buffer, if its last record is that of the buffer; a copy otherwise, in a free one if there is.
    fn room(&mut self, context: Value, tape: Value, records: Value) -> Result<(), BackendError> {
        let [len, capacity, record] =
            [offsets::TAPE_LEN, offsets::TAPE_CAPACITY, TAPE_RECORD].map(|offset| self.load(tape, offset));
        let twice = self.b.ins().iadd(records, records);
        let few = self.b.ins().iconst(WORD, FIRST_WORDS);
        let few = self.b.ins().udiv(few, record);
        let least = self.b.ins().iconst(WORD, 3);
        let wanted = self.b.ins().umax(twice, few);
        let wanted = self.b.ins().umax(wanted, least);
        let record_bytes = self.b.ins().ishl_imm_u(record, 3);
        let with_zero = self.b.ins().iadd_imm_s(wanted, 1);
        let bytes = self.b.ins().imul(with_zero, record_bytes);

        let [owned, check, copied] = self.blocks();
        let is_end = self.b.ins().icmp(IntCC::Equal, len, records);
        self.b.ins().brif(is_end, check, &[], copied, &[]);
        self.b.switch_to_block(check);
        self.b.ins().brif(capacity, owned, &[], copied, &[]);

        self.b.switch_to_block(owned);
        let words = self.load(tape, offsets::TAPE_WORDS);
        let words = self.take("realloc", &[words, bytes])?;
        self.store(words, tape, offsets::TAPE_WORDS);
        self.store(wanted, tape, offsets::TAPE_CAPACITY);
        self.b.ins().return_(&[tape]);

        self.b.switch_to_block(copied);
        let [fresh, ready] = self.blocks();
        let new = self.b.append_block_param(ready, WORD);
        let free = self.load(context, offsets::FREE_TAPES);
        self.b.ins().brif(free, ready, &[BlockArg::from(free)], fresh, &[]);
        self.b.switch_to_block(fresh);
        let size = self.b.ins().iconst(WORD, TAPE as i64);
        let made = self.take("malloc", &[size])?;
        let before = self.load(context, TAPES);
        let none = self.b.ins().iconst(WORD, 0);
        for (value, offset) in [(none, offsets::TAPE_WORDS), (none, offsets::TAPE_NEXT), (before, TAPE_BEFORE)] {
            self.store(value, made, offset);
        }
        self.store(made, context, TAPES);
        self.b.ins().jump(ready, &[BlockArg::from(made)]);
        self.b.switch_to_block(ready);
        let words = self.load(new, offsets::TAPE_WORDS);
        let words = self.take("realloc", &[words, bytes])?;
        let next = self.load(new, offsets::TAPE_NEXT);
        self.store(next, context, offsets::FREE_TAPES);
        for (value, offset) in
            [(words, offsets::TAPE_WORDS), (records, offsets::TAPE_LEN), (wanted, offsets::TAPE_CAPACITY), (record, TAPE_RECORD)]
        {
            self.store(value, new, offset);
        }
        let given = self.b.ins().iadd_imm_s(records, 1);
        let given = self.b.ins().imul(given, record_bytes);
        let from = self.load(tape, offsets::TAPE_WORDS);
        let config = self.module.target_config();
        self.b.call_memcpy(config, words, from, given);
        self.b.ins().return_(&[new]);
        Ok(())
    }

    /// By the plan of [`gradus_ir::eval::powi_steps`], where a step that does not multiply multiplies by 1.
    fn ipow(&mut self, context: Value, a: Value, n: Value, place: Value) -> Result<(), BackendError> {
        let negative = self.b.ins().icmp_imm_s(IntCC::SignedLessThan, n, 0);
        self.fail_if(negative, context, place, TrapKind::NegativeExponent)?;
        let one = self.b.ins().iconst(WORD, 1);
        let [zero, some, head, body, done] = self.blocks();
        self.b.ins().brif(n, some, &[], zero, &[]);
        self.b.switch_to_block(zero);
        self.b.ins().return_(&[one]);

        self.b.switch_to_block(some);
        let leading = self.b.ins().clz(n);
        let highest = self.b.ins().iconst(WORD, 63);
        let steps = self.b.ins().isub(highest, leading);
        let [power, left] = [(); 2].map(|()| self.b.append_block_param(head, WORD));
        self.b.ins().jump(head, &[BlockArg::from(a), BlockArg::from(steps)]);
        self.b.switch_to_block(head);
        self.b.ins().brif(left, body, &[], done, &[]);
        self.b.switch_to_block(body);
        let left = self.b.ins().iadd_imm_s(left, -1);
        let bit = self.b.ins().ushr(n, left);
        let bit = self.b.ins().band_imm_u(bit, 1);
        let factor = self.b.ins().select(bit, a, one);
        let (square, overflow) = self.b.ins().smul_overflow(power, power);
        self.fail_if(overflow, context, place, TrapKind::IntegerOverflow)?;
        let (product, overflow) = self.b.ins().smul_overflow(square, factor);
        self.fail_if(overflow, context, place, TrapKind::IntegerOverflow)?;
        self.b.ins().jump(head, &[BlockArg::from(product), BlockArg::from(left)]);
        self.b.switch_to_block(done);
        self.b.ins().return_(&[power]);
        Ok(())
    }
}
