//! How C enters the code: scalars by value, arrays and results by pointers, a status back.

use super::runtime::{self, CONTEXT};
use super::{RECURSION, unsupported};
use crate::error::BackendError;
use crate::jit::layout::{STATUS, WORD, flat};
use crate::jit::lower::{Lower, TRUSTED};
use crate::jit::memory::REFS;
use crate::jit::ownership::{Counted, counted_slots};
use crate::jit::runtime::{FOREIGN, Needs, offsets};
use crate::jit::{Emitter, jit_error};
use cranelift::codegen::ir::StackSlot;
use cranelift::prelude::{AbiParam, InstBuilder, StackSlotData, StackSlotKind, Value};
use cranelift_module::{FuncId, Linkage};
use gradus_ir::{GraphId, NodeId, Prim, Span, TrapKind, Type};
use std::sync::Arc;

/// What the function for C is made of.
struct Body {
    trampoline: FuncId,
    /// How many of its parameters are arguments; the others are places of results.
    args: usize,
    needs: Needs,
    /// Whether a failure may jump back to it.
    jumps: bool,
    /// Whether it may take memory, which it has to free.
    allocates: bool,
}

impl Emitter<'_> {
    /// Defines the function for C, whose last parameters are the places of the results.
    pub fn export(&mut self, symbol: &str, entry: GraphId, trampoline: FuncId, reserve: usize) -> Result<(), BackendError> {
        let m = self.unit.m;
        let args = flat(m[entry].params.iter().map(|&p| &m[p].ty));
        let places = flat([&m[entry].result]);
        if places.is_empty() {
            return Err(unsupported("a function that returns nothing").at(m[entry].span));
        }
        let mut signature = self.unit.module.make_signature();
        signature.params = args.iter().copied().chain(places.iter().map(|_| WORD)).map(AbiParam::new).collect();
        signature.returns.push(AbiParam::new(STATUS));
        let id = self.unit.module.declare_function(symbol, Linkage::Export, &signature).map_err(jit_error)?;
        let uses = |names: &[&str]| names.iter().any(|name| self.unit.helpers.contains_key(name));
        let body = Body {
            trampoline,
            args: args.len(),
            needs: self.unit.needs(reserve),
            jumps: uses(&runtime::RAISING),
            allocates: uses(&runtime::ALLOCATING),
        };
        self.define(id, |lower, params| lower.export(&body, params))
    }
}

impl Lower<'_, '_> {
    /// The function for C. Its parameters are arguments as they are in words, and then the places of the results.
    fn export(&mut self, body: &Body, params: &[Value]) -> Result<(), BackendError> {
        let params = [&[self.context], params].concat();
        let (args, places) = params.split_at(body.args);
        let [args, places] = [args, places].map(|words| {
            let slot = self.stack_slot(words.len());
            let address = self.b.ins().stack_addr(WORD, slot, 0);
            self.store(words, address, 0);
            address
        });
        self.context = self.new_context(&body.needs);
        let function = self.function_ref(body.trampoline);
        let status = if body.jumps {
            let code = self.b.ins().func_addr(WORD, function);
            self.helper("gradus_enter", &[self.context, args, places, code], STATUS)?
        } else {
            let call = self.b.ins().call(function, &[self.context, args, places]);
            self.b.inst_results(call)[0]
        };
        if body.allocates {
            self.helper_effect("gradus_end", &[self.context])?;
        }
        self.b.ins().return_(&[status]);
        Ok(())
    }

    /// The context of a run that needs this, on the stack.
    fn new_context(&mut self, needs: &Needs) -> Value {
        if needs.nothing {
            return self.word(0);
        }
        let slot = self.aligned_slot(CONTEXT);
        let context = self.b.ins().stack_addr(WORD, slot, 0);
        let zero = self.word(0);
        for offset in runtime::ZEROED {
            self.b.ins().store(TRUSTED, zero, context, offset);
        }
        if self.unit.has_owners {
            let foreign = self.word(FOREIGN);
            self.b.ins().store(TRUSTED, foreign, context, offsets::ZEROS + REFS);
            let free = self.b.ins().iadd_imm_s(context, i64::from(offsets::FREE_ARRAYS));
            let bytes = self.word(runtime::FREE_BYTES as i64);
            let config = self.unit.module.target_config();
            let byte = self.b.ins().iconst(cranelift::prelude::types::I8, 0);
            self.b.call_memset(config, free, byte, bytes);
        }
        let pointer = self.b.ins().get_stack_pointer(WORD);
        let limit = self.b.ins().iadd_imm_s(pointer, -(RECURSION as i64));
        self.b.ins().store(TRUSTED, limit, context, offsets::STACK_LIMIT);
        if needs.results > 0 {
            let slot = self.stack_slot(needs.results);
            let results = self.b.ins().stack_addr(WORD, slot, 0);
            self.b.ins().store(TRUSTED, results, context, offsets::RESULTS);
        }
        context
    }

    /// Room on the stack that is aligned as the C library's registers want it.
    fn aligned_slot(&mut self, bytes: usize) -> StackSlot {
        let bytes = u32::try_from(bytes).expect("a context is small");
        self.b.create_sized_stack_slot(StackSlotData::new(StackSlotKind::ExplicitSlot, bytes, 4))
    }

    /// The arguments of an entry as compiled code takes them: copies of arrays.
    pub fn copied_in(&mut self, ty: &Type, given: Vec<Value>, span: Span) -> Result<Vec<Value>, BackendError> {
        let slots = counted_slots(ty).into_iter().zip(given);
        let copied = |(slot, value): (Option<_>, Value)| {
            let Some(Counted::Array(_, bytes)) = slot else { return Ok(value) };
            let own = self.new_array(bytes, span)?;
            self.copy_bytes(own, value, bytes);
            Ok(own)
        };
        slots.map(copied).collect()
    }

    /// Puts each result where the next of the words at `places` points to, and returns to C.
    pub fn give_to_places(&mut self, results: &[Value], places: Value) {
        let entry = self.unit.m.entry.expect("a typed module has an entry");
        let slots = counted_slots(&self.unit.m[entry].result);
        for (i, (slot, &value)) in slots.into_iter().zip(results).enumerate() {
            let place = self.load_constant(&[WORD], places, i)[0];
            match slot {
                Some(Counted::Array(_, bytes)) => self.copy_bytes(place, value, bytes),
                _ => _ = self.b.ins().store(TRUSTED, value, place, 0),
            }
        }
        self.return_well();
    }

    /// Copies elements that do not overlap.
    pub fn copy_bytes(&mut self, to: Value, from: Value, bytes: usize) {
        let config = self.unit.module.target_config();
        let bytes = self.word(bytes as i64);
        self.b.call_memcpy(config, to, from, bytes);
    }

    /// `fail`, by the code of a failure whose message is known. Gives the world, as `print` would.
    pub fn fail_by_code(&mut self, prim: Prim, message: &Arc<str>, world: NodeId, span: Span) -> Result<Value, BackendError> {
        if prim == Prim::Print {
            return Err(unsupported("`print`"));
        }
        let place = self.unit.place(span) >> 8;
        if let Some(symbols) = &mut self.unit.symbols {
            symbols.messages.insert(place, message.clone());
        }
        let always = self.b.ins().iconst(cranelift::prelude::types::I8, 1);
        self.trap_if(always, TrapKind::Failed, span);
        self.operand(world)
    }
}
