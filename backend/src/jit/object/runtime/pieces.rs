//! What helpers are made of: loads and stores, calls, failures, branches and loops.

use super::{Code, NAMES};
use crate::error::BackendError;
use crate::jit::jit_error;
use crate::jit::layout::WORD;
use cranelift::codegen::ir::BlockArg;
use cranelift::prelude::{AbiParam, InstBuilder, MemFlagsData, TrapCode, Type as Clif, Value};
use cranelift_module::{Linkage, Module};
use gradus_ir::TrapKind;

impl Code<'_> {
    pub(super) fn blocks<const N: usize>(&mut self) -> [cranelift::prelude::Block; N] {
        std::array::from_fn(|_| self.b.create_block())
    }

    pub(super) fn load(&mut self, address: Value, offset: i32) -> Value {
        self.b.ins().load(WORD, MemFlagsData::trusted(), address, offset)
    }

    pub(super) fn store(&mut self, value: Value, address: Value, offset: i32) {
        self.b.ins().store(MemFlagsData::trusted(), value, address, offset);
    }

    /// Calls a helper or a function of the C library; gives its result, or something if it has none.
    pub(super) fn call(&mut self, name: &str, args: &[Value], result: Option<Clif>) -> Result<Value, BackendError> {
        let mut signature = self.module.make_signature();
        signature.params = args.iter().map(|&a| AbiParam::new(self.b.func.dfg.value_type(a))).collect();
        signature.returns = result.into_iter().map(AbiParam::new).collect();
        let linkage = if NAMES.contains(&name) { Linkage::Local } else { Linkage::Import };
        let id = self.module.declare_function(name, linkage, &signature).map_err(jit_error)?;
        let function = self.module.declare_func_in_func(id, self.b.func);
        let call = self.b.ins().call(function, args);
        Ok(self.b.inst_results(call).first().copied().unwrap_or(args[0]))
    }

    /// Memory by a helper or a function of the C library; returns null if there is none.
    pub(super) fn take(&mut self, name: &str, args: &[Value]) -> Result<Value, BackendError> {
        let memory = self.call(name, args, Some(WORD))?;
        let [none, some] = self.blocks();
        self.b.ins().brif(memory, some, &[], none, &[]);
        self.b.switch_to_block(none);
        self.b.ins().return_(&[memory]);
        self.b.switch_to_block(some);
        Ok(memory)
    }

    /// Ends a block with a failure.
    pub(super) fn fail(&mut self, context: Value, place: Value, kind: TrapKind) -> Result<(), BackendError> {
        let code = self.b.ins().bor_imm_u(place, kind as i64);
        self.call("gradus_raise", &[context, code], None)?;
        self.b.ins().trap(TrapCode::unwrap_user(1));
        Ok(())
    }

    /// Returns an undefined function as it is.
    pub(super) fn return_if_null(&mut self, object: Value) {
        let [some, none] = self.blocks();
        self.b.ins().brif(object, some, &[], none, &[]);
        self.b.switch_to_block(none);
        self.b.ins().return_(&[object]);
        self.b.switch_to_block(some);
    }

    /// Fails by a fault of the compiler, whose code is that of the place.
    pub(super) fn fault_if(&mut self, condition: Value, context: Value, place: Value) -> Result<(), BackendError> {
        let [failed, next] = self.blocks();
        self.b.ins().brif(condition, failed, &[], next, &[]);
        self.b.switch_to_block(failed);
        self.call("gradus_raise", &[context, place], None)?;
        self.b.ins().trap(TrapCode::unwrap_user(1));
        self.b.switch_to_block(next);
        Ok(())
    }

    pub(super) fn fail_if(&mut self, condition: Value, context: Value, place: Value, kind: TrapKind) -> Result<(), BackendError> {
        let [failed, next] = self.blocks();
        self.b.ins().brif(condition, failed, &[], next, &[]);
        self.b.switch_to_block(failed);
        self.fail(context, place, kind)?;
        self.b.switch_to_block(next);
        Ok(())
    }

    /// Does something with each entry of a list, and goes on to the one that it gives, until there is none.
    pub(super) fn each(
        &mut self,
        first: Value,
        body: impl FnOnce(&mut Self, Value) -> Result<Value, BackendError>,
    ) -> Result<(), BackendError> {
        let [head, some, done] = self.blocks();
        let entry = self.b.append_block_param(head, WORD);
        self.b.ins().jump(head, &[BlockArg::from(first)]);
        self.b.switch_to_block(head);
        self.b.ins().brif(entry, some, &[], done, &[]);
        self.b.switch_to_block(some);
        let next = body(self, entry)?;
        self.b.ins().jump(head, &[BlockArg::from(next)]);
        self.b.switch_to_block(done);
        Ok(())
    }
}
