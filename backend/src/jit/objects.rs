//! Heap objects: closures, partial applications, boxes.

use super::functions::object_fields;
use super::layout::{WORD, fields, flat};
use super::lower::{Lower, TRUSTED, word_offset};
use super::object;
use super::runtime::{Saying, offsets};
use crate::error::BackendError;
use cranelift::codegen::ir::BlockArg;
use cranelift::prelude::{InstBuilder, IntCC, Value};
use gradus_ir::{Const, GraphId, Host, NodeId, Prim, Span, Type};

impl Lower<'_, '_> {
    /// The function value of a graph: a closure over what it captures here. Made once in a block.
    pub fn closure(&mut self, g: GraphId) -> Result<Value, BackendError> {
        if let Some(&object) = self.closures.get(&g) {
            return Ok(object);
        }
        let captures = self.captures(g)?;
        let object = self.function_object(g, 0, &captures, self.unit.m[g].span)?;
        self.closures.insert(g, object);
        Ok(object)
    }

    /// `partial`: of a graph, or of a value.
    pub fn partial(&mut self, inputs: &[NodeId], span: Span) -> Result<Value, BackendError> {
        let bound = inputs.len() - 1;
        if let Some(g) = self.unit.m.as_graph(inputs[0]) {
            let mut fields = self.captures(g)?;
            fields.extend(self.operands(&inputs[1..])?);
            return self.function_object(g, bound, &fields, span);
        }
        let object = self.operand(inputs[0])?;
        let fields = self.operands(&inputs[1..])?;
        let ty = Type::tuple(inputs[1..].iter().map(|&i| self.unit.m[i].ty.clone()));
        self.retain_scalars(&ty, &fields, 1);
        let slot = self.stack_slot(fields.len());
        let address = self.b.ins().stack_addr(WORD, slot, 0);
        self.store(&fields, address, 0);
        let (bound, count, place) = (self.word(bound as i64), self.word(fields.len() as i64), self.place(span));
        self.unit.stats.allocation_sites += 1;
        self.helper("gradus_extend", &[self.context, object, bound, address, count, place], WORD)
    }

    /// `J` and its relatives, of a value.
    pub fn derivative(&mut self, prim: Prim, function: NodeId, span: Span) -> Result<Value, BackendError> {
        let object = self.operand(function)?;
        self.unit.stats.allocation_sites += 1;
        let index = Prim::OPERATORS.iter().position(|&p| p == prim).expect("a derivative operator");
        let (index, place) = (self.word(index as i64), self.place(span));
        self.helper("gradus_derivative", &[self.context, object, index, place], WORD)
    }

    fn function_object(&mut self, g: GraphId, bound: usize, fields: &[Value], span: Span) -> Result<Value, BackendError> {
        let ty = Type::tuple(object_fields(self.unit.m, self.unit.nest, g, bound).map(|n| self.unit.m[n].ty.clone()));
        self.retain_scalars(&ty, fields, 1);
        let descriptor = self.descriptor(g, bound)?;
        if fields.is_empty() {
            return Ok(descriptor);
        }
        self.object(descriptor, fields, span)
    }

    /// `pack`: a box, or the zero box for what has no scalars.
    pub fn pack(&mut self, payload: NodeId, span: Span) -> Result<Value, BackendError> {
        let shape = fields(&self.unit.m[payload].ty);
        let fields = self.operands(&[payload])?;
        self.hand_out(&[payload])?;
        if fields.is_empty() {
            return Ok(self.word(0));
        }
        let [shape, _] = self.box_shape(&shape)?;
        self.object(shape, &fields, span)
    }

    /// `unpack`: what lies in a box, or the zero of the type.
    pub fn unpack(&mut self, boxed: NodeId, ty: &Type, span: Span) -> Result<Vec<Value>, BackendError> {
        let types = flat([ty]);
        if types.is_empty() {
            return Ok(Vec::new());
        }
        let object = self.operand(boxed)?;
        let [shape, zero] = self.box_shape(&fields(ty))?;
        let is_zero = self.b.ins().icmp_imm_s(IntCC::Equal, object, 0);
        let object = self.b.ins().select(is_zero, zero, object);
        let header = self.b.ins().load(WORD, TRUSTED, object, 0);
        let fits = self.b.ins().icmp(IntCC::Equal, header, shape);
        self.fault_unless(fits, span);
        Ok(self.load(&types, object, 1))
    }

    /// Prints a template with the fields of a tuple in it, or fails with it. Gives the first operand.
    pub fn say(&mut self, prim: Prim, inputs: &[NodeId], span: Span) -> Result<Value, BackendError> {
        let m = self.unit.m;
        let Some(Const::Str(template)) = m[inputs[1]].as_const() else {
            return Err(BackendError::Internal { message: "a template is a constant".into() });
        };
        let types = m[inputs[2]].ty.fields().unwrap_or_default().to_vec();
        if self.unit.symbols.is_some() {
            return self.fail_by_code(prim, template, inputs[0], span);
        }
        let saying = self.unit.saying(Saying { template: template.clone(), types, fails: prim == Prim::Fail });
        let world = self.operand(inputs[0])?;
        let values = self.operands(&[inputs[2]])?;
        let slot = self.stack_slot(values.len().max(1));
        let words = self.b.ins().stack_addr(WORD, slot, 0);
        self.store(&values, words, 0);
        let (saying, place) = (self.word(saying), self.place(span));
        self.helper_effect("gradus_say", &[self.context, saying, words, place])?;
        Ok(world)
    }

    /// Calls a function of the host.
    pub fn host(&mut self, host: Host, inputs: &[NodeId], span: Span) -> Result<Vec<Value>, BackendError> {
        let function = host.function();
        if self.unit.symbols.is_some() {
            return Err(object::unsupported("a call of a function of the host"));
        }
        let values = self.operands(inputs)?;
        let scalars = flat([&function.result]);
        let slots = [self.stack_slot(values.len().max(1)), self.stack_slot(scalars.len().max(1))];
        let [args, results] = slots.map(|slot| self.b.ins().stack_addr(WORD, slot, 0));
        self.store(&values, args, 0);
        let address = (&raw const *function).expose_provenance() as i64;
        let (address, place) = (self.word(address), self.place(span));
        self.helper_effect("gradus_host", &[self.context, address, args, results, place])?;
        Ok(self.load(&scalars, results, 0))
    }

    /// A new object: the header, then the fields.
    fn object(&mut self, header: Value, fields: &[Value], span: Span) -> Result<Value, BackendError> {
        self.unit.stats.allocation_sites += 1;
        let bytes = i64::from(word_offset(fields.len() + 1));
        let [full, ready] = [self.b.create_block(), self.b.create_block()];
        self.b.set_cold_block(full);
        for _ in 0..2 {
            self.b.append_block_param(ready, WORD);
        }
        let start = self.b.ins().load(WORD, TRUSTED, self.context, offsets::BUMP);
        let limit = self.b.ins().load(WORD, TRUSTED, self.context, offsets::LIMIT);
        let end = self.b.ins().iadd_imm_s(start, bytes);
        let fits = self.b.ins().icmp(IntCC::UnsignedLessThanOrEqual, end, limit);
        self.b.ins().brif(fits, ready, &[BlockArg::from(start), BlockArg::from(end)], full, &[]);

        self.b.switch_to_block(full);
        let size = self.word(bytes);
        let start = self.rare_memory("gradus_grow", &[self.context, size], span)?;
        let end = self.b.ins().iadd_imm_s(start, bytes);
        self.b.ins().jump(ready, &[BlockArg::from(start), BlockArg::from(end)]);

        self.b.switch_to_block(ready);
        let (object, end) = (self.b.block_params(ready)[0], self.b.block_params(ready)[1]);
        self.b.ins().store(TRUSTED, end, self.context, offsets::BUMP);
        let made = self.b.ins().load(WORD, TRUSTED, self.context, offsets::OBJECTS);
        let made = self.b.ins().iadd_imm_s(made, 1);
        self.b.ins().store(TRUSTED, made, self.context, offsets::OBJECTS);
        self.store(&[header], object, 0);
        self.store(fields, object, 1);
        Ok(object)
    }
}
