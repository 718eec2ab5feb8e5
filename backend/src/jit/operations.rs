//! Operations on arrays as calls: of the machine code of a kernel, or of the runtime.

use super::frame::Frame;
use super::fusion::Read;
use super::layout::{WORD, array_bytes, width};
use super::lower::{Lower, TRUSTED, word_offset};
use super::memory::REFS;
use super::runtime::MOST_RESULTS;
use crate::arrays::{ALIGN, Operation};
use crate::error::BackendError;
use cranelift::codegen::ir::StackSlot;
use cranelift::prelude::{AbiParam, InstBuilder, IntCC, Value, types};
use gradus_ir::{GraphId, NodeId, Span};

impl Lower<'_, '_> {
    /// An operation whose one result is `n`.
    pub fn call_array(
        &mut self,
        n: NodeId,
        operation: Operation,
        inputs: &[NodeId],
        span: Span,
    ) -> Result<Vec<Value>, BackendError> {
        let operands = self.operands(inputs)?;
        let reads: Vec<Read> = inputs.iter().map(|&base| Read { base, at: None, layout: None }).collect();
        if !operation.updates {
            return self.run_array(operation, &reads, &operands, &[(n, Vec::new())], span);
        }
        let own = self.updated(inputs, operands[0], operation.bytes(0), span)?;
        let last = self.last_reads(&reads[1..], &operands[1..]);
        self.apply(operation, &operands, &[own], span)?;
        self.release_all(&last);
        Ok(vec![own])
    }

    /// What an update of the first of `inputs`, whose value is `array`, writes to: itself if nobody else has it, or a copy.
    pub fn updated(&mut self, inputs: &[NodeId], array: Value, bytes: usize, span: Span) -> Result<Value, BackendError> {
        let n = inputs[0];
        if self.gives_up(n) && !inputs[1..].contains(&n) {
            self.moved.push(n);
            if !self.sole.contains(n) {
                return self.exchange(array, bytes, true, span);
            }
            if cfg!(debug_assertions) {
                let refs = self.b.ins().load(WORD, TRUSTED, array, REFS);
                let is_sole = self.b.ins().icmp_imm_s(IntCC::Equal, refs, 1);
                self.fault_unless(is_sole, span);
            }
            Ok(array)
        } else {
            self.copied(array, bytes, span)
        }
    }

    /// Arguments for a block, with arrays of their own where it asks for these.
    pub fn made_sole(&mut self, target: GraphId, taken: &[NodeId], mut args: Vec<Value>) -> Result<Vec<Value>, BackendError> {
        let m = self.unit.m;
        let mut at = 0;
        for (&param, &arg) in m[target].params.iter().zip(taken) {
            if let Some((dtype, shape)) = m[param].ty.as_array().filter(|_| self.sole.is_made(param, arg)) {
                args[at] = self.exchange(args[at], dtype.bytes() * shape.count(), true, m[arg].span)?;
            }
            at += width(&m[param].ty);
        }
        Ok(args)
    }

    /// Whether the present step is the last to use a node. Constants are made anew for each use.
    fn gives_up(&self, n: NodeId) -> bool {
        self.unit.m[n].graph.is_none() || self.has_references(n) && self.is_last_use(n)
    }

    /// The arrays that the present step is the last to use, with their values and the number of the first operand that is one. An
    /// array that is read from somewhere inside is released by itself.
    fn last_reads(&mut self, reads: &[Read], values: &[Value]) -> Vec<Last> {
        let m = self.unit.m;
        let mut last: Vec<Last> = Vec::new();
        for (number, (read, &value)) in reads.iter().zip(values).enumerate() {
            let n = read.base;
            let Some(bytes) = array_bytes(&m[n].ty).filter(|_| read.at.is_none() && self.gives_up(n)) else { continue };
            let is_constant = m[n].graph.is_none();
            if is_constant || !last.iter().any(|last| last.n == n) {
                let is_only = is_constant || reads.iter().filter(|read| read.base == n).count() == 1;
                last.push(Last { n, value, bytes, number, is_only });
            }
        }
        self.moved.extend(last.iter().map(|last| last.n));
        last
    }

    fn release_all(&mut self, last: &[Last]) {
        for last in last {
            self.release_array(last.value, last.bytes);
        }
    }

    /// Runs an operation on operands, `values`, for its results: nodes, each with the operands whose place it can take.
    pub fn run_array(
        &mut self,
        operation: Operation,
        operands: &[Read],
        values: &[Value],
        results: &[(NodeId, Vec<usize>)],
        span: Span,
    ) -> Result<Vec<Value>, BackendError> {
        assert!(results.len() <= MOST_RESULTS, "an operation has few results");
        let m = self.unit.m;
        let mut last = self.last_reads(operands, values);
        let mut addresses = Vec::with_capacity(results.len());
        let mut scalars = (0..).map(Frame::room);
        for (n, fits) in results {
            let Some(bytes) = array_bytes(&m[*n].ty) else {
                addresses.extend(scalars.next().map(|place| self.frame_address(place)));
                continue;
            };
            let fitting = last.iter().position(|last| last.is_only && fits.contains(&last.number));
            if let Some(address) = self.part_address(*n)? {
                addresses.push(address);
                continue;
            }
            addresses.push(match (self.frame.place(*n), fitting) {
                (Some(place), _) => self.frame_address(place),
                (None, Some(i)) => self.exchange(last.remove(i).value, bytes, false, span)?,
                (None, None) => self.new_array(bytes, span)?,
            });
        }
        self.apply(operation, values, &addresses, span)?;
        self.release_all(&last);
        let mut out = Vec::with_capacity(results.len());
        for ((n, _), &address) in results.iter().zip(&addresses) {
            out.push(match m[*n].ty.as_array() {
                Some((dtype, shape)) if shape.is_empty() => self.load_element(dtype, address),
                _ => address,
            });
        }
        Ok(out)
    }

    /// Calls an operation with operands and the addresses of its results.
    fn apply(&mut self, operation: Operation, operands: &[Value], results: &[Value], span: Span) -> Result<(), BackendError> {
        if self.unit.symbols.is_some() {
            return self.apply_inline(&operation, operands, results, span);
        }
        self.count(super::runtime::offsets::OPERATIONS, 1);
        let slot = self.at_least(self.addresses, 8 * (operands.len() + results.len()));
        self.addresses = Some(slot);
        let inputs = self.b.ins().stack_addr(WORD, slot, 0);
        self.store(operands, inputs, 0);
        self.store(results, inputs, operands.len());
        let outputs = self.b.ins().iadd_imm_s(inputs, i64::from(word_offset(operands.len())));

        let mut signature = self.unit.module.make_signature();
        signature.params = vec![AbiParam::new(WORD); 3];
        let may_trap = operation.may_trap();
        if may_trap {
            signature.returns.push(AbiParam::new(types::I32));
        }
        let (number, address) = self.unit.operation(operation);
        let table = self.operation_table();
        let entry = self.load_constant(&[WORD], table, number)[0];
        let address = self.word(address as i64);
        let signature = self.b.import_signature(signature);
        let call = self.b.ins().call_indirect(signature, entry, &[inputs, outputs, address]);
        if may_trap {
            let kind = self.b.inst_results(call)[0];
            let [trap, next] = [self.b.create_block(), self.b.create_block()];
            self.b.set_cold_block(trap);
            self.b.ins().brif(kind, trap, &[], next, &[]);
            self.b.switch_to_block(trap);
            let (kind, place) = (self.b.ins().uextend(WORD, kind), self.place(span));
            let code = self.b.ins().bor(kind, place);
            self.raise(code)?;
            self.b.switch_to_block(next);
        }
        Ok(())
    }

    /// Lets the frame have the places of a block.
    pub fn begin_frame(&mut self) {
        let bytes = self.frame.bytes();
        self.frame_start = None;
        if bytes > 0 {
            // Frames are not as aligned as arrays are.
            let slot = self.at_least(self.frame_slot, bytes + ALIGN);
            self.frame_slot = Some(slot);
            let start = self.b.ins().stack_addr(WORD, slot, 0);
            let start = self.b.ins().iadd_imm_s(start, ALIGN as i64 - 1);
            self.frame_start = Some(self.b.ins().band_imm_s(start, -(ALIGN as i64)));
        }
    }

    fn frame_address(&mut self, place: usize) -> Value {
        let start = self.frame_start.expect("a block with places in the frame");
        self.b.ins().iadd_imm_s(start, place as i64)
    }

    /// A slot of at least so many bytes: this one, if there is one.
    fn at_least(&mut self, slot: Option<StackSlot>, bytes: usize) -> StackSlot {
        let slot = slot.unwrap_or_else(|| self.stack_slot(0));
        let size = &mut self.b.func.sized_stack_slots[slot].size;
        *size = (*size).max(u32::try_from(bytes.next_multiple_of(16)).expect("frames are smaller than 4 GiB"));
        slot
    }
}

/// An array that is used for the last time.
struct Last {
    n: NodeId,
    value: Value,
    bytes: usize,
    /// The operand that it is.
    number: usize,
    /// Whether it is no other one.
    is_only: bool,
}
