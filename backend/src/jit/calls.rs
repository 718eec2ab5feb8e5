//! Calls and tail calls, of graphs and of function values.

use super::layout::{RESULT_REGISTERS, WORD, flat, register_results};
use super::lower::{Lower, TRUSTED};
use super::runtime::offsets;
use super::unit::tail_signature;
use crate::error::BackendError;
use cranelift::codegen::ir::{BlockArg, Inst, SigRef};
use cranelift::prelude::{InstBuilder, IntCC, Type as Clif, Value};
use gradus_ir::{GraphId, NodeId, Span, TrapKind, Type};

impl Lower<'_, '_> {
    /// Calls `callee`. A select that only chooses a callee becomes a branch between calls.
    pub fn call(&mut self, callee: NodeId, args: &[Value], ty: &Type, span: Span) -> Result<Vec<Value>, BackendError> {
        self.check_stack(callee, span);
        if !self.callees.contains(&callee) {
            return self.call_one(callee, args, ty);
        }
        let join = self.b.create_block();
        for scalar in flat([ty]) {
            self.b.append_block_param(join, scalar);
        }
        self.for_each_callee(callee, |lower, callee| {
            let results = lower.call_one(callee, args, ty)?;
            let results: Vec<BlockArg> = results.into_iter().map(BlockArg::from).collect();
            lower.b.ins().jump(join, &results);
            Ok(())
        })?;
        self.b.switch_to_block(join);
        Ok(self.b.block_params(join).to_vec())
    }

    /// Returns what `callee` returns.
    pub fn tail_call(&mut self, callee: NodeId, taken: &[NodeId], args: &[Value]) -> Result<(), BackendError> {
        self.for_each_callee(callee, |lower, callee| {
            if let Some(g) = lower.unit.m.as_graph(callee) {
                let captured: Vec<NodeId> = lower.unit.nest.free(g).collect();
                lower.hand_over(taken, &captured)?;
                return lower.tail_call_graph(g, args);
            }
            lower.hand_over(taken, &[])?;
            let (code, args) = lower.function_value(callee, args)?;
            // A tail call gives what the caller gives.
            let results = lower.b.func.signature.returns.iter().map(|r| r.value_type).collect();
            let signature = lower.signature(&args, results);
            lower.b.ins().return_call_indirect(signature, code, &args);
            Ok(())
        })
    }

    /// Returns what a graph returns.
    pub fn tail_call_graph(&mut self, g: GraphId, args: &[Value]) -> Result<(), BackendError> {
        let args = self.graph_args(g, args)?;
        self.enter(g, &args);
        Ok(())
    }

    /// Tail-calls the direct entry of a graph with all that it takes.
    pub fn enter(&mut self, g: GraphId, args: &[Value]) {
        let function = self.function_ref(self.unit.entries[g]);
        self.b.ins().return_call(function, args);
    }

    fn call_one(&mut self, callee: NodeId, args: &[Value], ty: &Type) -> Result<Vec<Value>, BackendError> {
        let call = match self.unit.m.as_graph(callee) {
            Some(g) => {
                let captured: Vec<NodeId> = self.unit.nest.free(g).collect();
                for n in captured {
                    self.retain(n, 1)?;
                }
                let args = self.graph_args(g, args)?;
                let function = self.function_ref(self.unit.entries[g]);
                self.b.ins().call(function, &args)
            }
            None => {
                let (code, args) = self.function_value(callee, args)?;
                let signature = self.signature(&args, register_results(ty));
                self.b.ins().call_indirect(signature, code, &args)
            }
        };
        Ok(self.results(call, ty))
    }

    /// The results of a call, from registers and from the context.
    pub fn results(&mut self, call: Inst, ty: &Type) -> Vec<Value> {
        let mut results = self.b.inst_results(call).to_vec();
        let scalars = flat([ty]);
        if scalars.len() > results.len() {
            let area = self.b.ins().load(WORD, TRUSTED, self.context, offsets::RESULTS);
            results.extend(self.load(&scalars[results.len()..], area, 0));
        }
        results
    }

    /// Returns values, in registers and in the context, or puts them where the host wants them.
    pub fn return_values(&mut self, values: &[Value]) {
        if let Some(address) = self.results {
            return self.give_results(values, address);
        }
        let (registers, rest) = values.split_at(values.len().min(RESULT_REGISTERS));
        if !rest.is_empty() {
            let area = self.b.ins().load(WORD, TRUSTED, self.context, offsets::RESULTS);
            self.store(rest, area, 0);
        }
        self.b.ins().return_(registers);
    }

    /// Emits code for each function that a callee may be, each at the end of a branch of its own.
    fn for_each_callee(
        &mut self,
        callee: NodeId,
        mut emit: impl FnMut(&mut Self, NodeId) -> Result<(), BackendError>,
    ) -> Result<(), BackendError> {
        let mut work = vec![(None, callee)];
        while let Some((block, callee)) = work.pop() {
            if let Some(block) = block {
                self.b.switch_to_block(block);
            }
            if !self.callees.contains(&callee) {
                emit(self, callee)?;
                continue;
            }
            let m = self.unit.m;
            let &[condition, then, otherwise] = m[callee].inputs() else {
                return Err(super::no_such_operands(gradus_ir::Prim::Select));
            };
            let condition = self.operand(condition)?;
            let blocks = [self.b.create_block(), self.b.create_block()];
            self.b.ins().brif(condition, blocks[0], &[], blocks[1], &[]);
            work.push((Some(blocks[1]), otherwise));
            work.push((Some(blocks[0]), then));
        }
        Ok(())
    }

    /// What the direct entry of a graph takes: context, captures, arguments.
    fn graph_args(&mut self, g: GraphId, args: &[Value]) -> Result<Vec<Value>, BackendError> {
        let captures = self.captures(g)?;
        Ok([self.context].into_iter().chain(captures).chain(args.iter().copied()).collect())
    }

    /// The code of a function value, and what it takes: context, object, arguments.
    fn function_value(&mut self, callee: NodeId, args: &[Value]) -> Result<(Value, Vec<Value>), BackendError> {
        self.unit.stats.indirect_calls += 1;
        let object = self.operand(callee)?;
        let descriptor = self.b.ins().load(WORD, TRUSTED, object, 0);
        let code = self.b.ins().load(WORD, TRUSTED, descriptor, offsets::CODE);
        Ok((code, [self.context, object].into_iter().chain(args.iter().copied()).collect()))
    }

    pub fn signature(&mut self, args: &[Value], results: Vec<Clif>) -> SigRef {
        let params = args.iter().map(|&a| self.b.func.dfg.value_type(a)).collect();
        self.b.import_signature(tail_signature(params, results))
    }

    /// Checks before a call that the stack has room for what runs until the next check.
    fn check_stack(&mut self, callee: NodeId, span: Span) {
        if self.unit.m.as_graph(callee).is_some_and(|g| self.unit.leaves.contains(&g)) {
            return;
        }
        let pointer = self.b.ins().get_stack_pointer(WORD);
        let limit = self.b.ins().load(WORD, TRUSTED, self.context, offsets::STACK_LIMIT);
        let exhausted = self.b.ins().icmp(IntCC::UnsignedLessThan, pointer, limit);
        self.trap_if(exhausted, TrapKind::RecursionLimit, span);
    }
}
