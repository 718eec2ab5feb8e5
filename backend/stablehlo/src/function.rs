//! The nodes of a block, and calls.

use crate::builder::Builder;
use crate::flow::Head;
use crate::module::{Fault, Unit};
use crate::op::Val;
use crate::recursion::Machine;
use crate::refusal::{Reason, Refusal};
use crate::tensor::{Element, Tensor, leaves};
use crate::world::{World, numbers};
use gradus_ir::cfg::Terminator;
use gradus_ir::{Const, GraphId, Kind, NodeId, Prim, Span, TrapKind, Type};
use rustc_hash::FxHashMap;

/// A function that is being written.
pub struct Emit<'u, 'm> {
    pub unit: &'u mut Unit<'m>,
    env: FxHashMap<NodeId, Vec<Val>>,
    /// The parts of the world, if they may be others than at the beginning.
    pub world: World,
    /// The loops that are being written, an outer one before those within it.
    pub heads: Vec<Head>,
    /// The functions that call each other, one of which is being written.
    pub machine: Option<Machine>,
}

impl<'u, 'm> Emit<'u, 'm> {
    pub fn new(unit: &'u mut Unit<'m>) -> Emit<'u, 'm> {
        Emit { unit, env: FxHashMap::default(), world: World::default(), heads: Vec::new(), machine: None }
    }

    pub fn b(&mut self) -> &mut Builder {
        &mut self.unit.builder
    }

    /// The tensors of a type.
    pub fn leaves(&self, ty: &Type) -> Result<Vec<Tensor>, Reason> {
        leaves(ty, self.unit.room)
    }

    /// Lets a node stand for values.
    pub fn bind(&mut self, n: NodeId, values: Vec<Val>) {
        self.env.insert(n, values);
    }

    /// Lets the parameters of a block stand for the values of arguments.
    pub fn bind_params(&mut self, block: GraphId, values: &[Val]) {
        let m = self.unit.m;
        let mut values = values.iter().cloned();
        for &p in &m[block].params {
            let count = self.leaves(&m[p].ty).map_or(0, |types| types.len());
            let own = values.by_ref().take(count).collect();
            self.bind(p, own);
        }
    }

    /// The tensors of a node.
    pub fn values(&mut self, n: NodeId) -> Result<Vec<Val>, Refusal> {
        let m = self.unit.m;
        match m[n].as_const() {
            Some(constant) => self.constant(&constant.clone(), &m[n].ty).map_err(|r| r.at(m[n].span)),
            None => match self.env.get(&n) {
                Some(values) => Ok(values.clone()),
                // Nothing else is left out.
                None => Err(Reason::UnknownFunction.at(m[n].span)),
            },
        }
    }

    /// The tensors of nodes, one after the other.
    pub fn all_values(&mut self, nodes: &[NodeId]) -> Result<Vec<Val>, Refusal> {
        let mut all = Vec::new();
        for &n in nodes {
            all.extend(self.values(n)?);
        }
        Ok(all)
    }

    /// The one tensor of a node.
    pub fn value(&mut self, n: NodeId) -> Result<Val, Refusal> {
        let span = self.unit.m[n].span;
        self.values(n)?.into_iter().next().ok_or(Reason::Untyped.at(span))
    }

    fn constant(&mut self, constant: &Const, ty: &Type) -> Result<Vec<Val>, Reason> {
        let types = self.leaves(ty)?;
        let b = self.b();
        Ok(match constant {
            Const::F64(bits) => vec![b.float(types[0], f64::from_bits(*bits))],
            Const::I64(value) => vec![b.int(types[0], *value)],
            Const::Bool(value) => vec![b.bool(types[0], *value)],
            Const::Str(_) | Const::None => Vec::new(),
            // The zero of a cotangent is the identity of addition; the empty tape has no records.
            Const::Zero if ty.record().is_none() => types.into_iter().map(|ty| b.neutral(ty)).collect(),
            Const::Zero | Const::Undefined => types.into_iter().map(|ty| b.zeros(ty)).collect(),
            Const::Graph(_) => return Err(Reason::UnknownFunction),
        })
    }

    // --- nodes

    /// The nodes of a block, but for the jump at its end: of those behind one of them, if that is given. Gives the call that the rest has to
    /// wait for, if there is one.
    pub fn nodes(&mut self, block: GraphId, behind: Option<NodeId>) -> Result<Option<NodeId>, Refusal> {
        let (m, nest, cfg) = (self.unit.m, self.unit.nest, self.unit.cfg);
        let last = match cfg.terminator(block) {
            Terminator::Return(_) => None,
            Terminator::Jump { call, .. } | Terminator::Branch { call, .. } | Terminator::TailCall { call } => Some(call),
        };
        let schedule = nest.schedule(block);
        let start = behind.and_then(|n| schedule.iter().position(|&other| other == n)).map_or(0, |at| at + 1);
        for &n in &schedule[start..] {
            // Functions are looked up where they are called.
            if Some(n) == last || m[n].ty.is_fn() {
                continue;
            }
            if self.machine.as_ref().is_some_and(|machine| machine.waits(n)) {
                return Ok(Some(n));
            }
            let values = self.node(n)?;
            self.bind(n, values);
        }
        Ok(None)
    }

    fn node(&mut self, n: NodeId) -> Result<Vec<Val>, Refusal> {
        let m = self.unit.m;
        let (inputs, span) = (m[n].inputs(), m[n].span);
        let prim = match m[n].kind {
            Kind::Call => return self.call(n),
            Kind::Prim(prim) => prim,
            _ => return Err(Reason::Untyped.at(span)),
        };
        match prim {
            Prim::Tuple => self.all_values(inputs),
            Prim::Get(i) => {
                let fields = m[inputs[0]].ty.fields().ok_or(Reason::Untyped.at(span))?;
                let widths = fields.iter().map(|ty| self.leaves(ty).map(|types| types.len()));
                let widths = widths.collect::<Result<Vec<usize>, Reason>>().map_err(|r| r.at(span))?;
                let before: usize = widths[..i as usize].iter().sum();
                Ok(self.values(inputs[0])?[before..before + widths[i as usize]].to_vec())
            }
            Prim::Barrier | Prim::StopGradient => self.values(inputs[0]),
            Prim::NestLevel(level) => Ok(vec![self.b().int(Tensor::scalar(Element::I64), level.into())]),
            Prim::Select if !m[n].ty.is_array() => {
                let condition = self.value(inputs[0])?;
                let (a, b) = (self.values(inputs[1])?, self.values(inputs[2])?);
                Ok(a.iter().zip(&b).map(|(a, b)| self.b().select(&condition, a, b)).collect())
            }
            Prim::Element => self.element(n),
            Prim::Replace => self.replaced(n),
            Prim::Push => self.push(n),
            Prim::Pop => self.pop(n),
            Prim::Fail => {
                let always = self.b().bool(Tensor::scalar(Element::Pred), true);
                self.trap_if(&always, TrapKind::Failed, n);
                self.values(inputs[0])
            }
            Prim::Gadd if m[n].ty.record().is_some() => Err(Reason::Derivative.at(span)),
            Prim::Pack => {
                let content = self.values(inputs[0])?;
                Ok(vec![self.pack(&m[inputs[0]].ty, &content)])
            }
            Prim::Unpack => {
                let place = self.value(inputs[0])?;
                let types = self.leaves(&m[n].ty).map_err(|r| r.at(span))?;
                Ok(self.unpack(&place, &types))
            }
            _ if let Some(kind) = prim.guards() => {
                let fits = self.value(inputs[1])?;
                let misfits = self.b().same("not", &[&fits]);
                self.trap_if(&misfits, kind, n);
                self.values(inputs[0])
            }
            Prim::Gadd => {
                let (a, b) = (self.values(inputs[0])?, self.values(inputs[1])?);
                self.sum(&m[n].ty, &a, &b).map_err(|r| r.at(span))
            }
            Prim::J | Prim::K | Prim::JLast | Prim::KLast | Prim::F | Prim::T | Prim::Ruled => Err(Reason::Derivative.at(span)),
            Prim::Print => Err(Reason::Prints.at(span)),
            Prim::Trace(_) => Err(Reason::Traced.at(span)),
            Prim::Host(_) => Err(Reason::Host.at(span)),
            Prim::Int if m[inputs[0]].ty == Type::Str => Err(Reason::Strings.at(span)),
            Prim::Array(op, attribute) => Ok(vec![self.array(op, attribute, n)?]),
            _ => {
                let operands = self.all_values(inputs)?;
                Ok(vec![self.elementwise(prim, &operands, n)?])
            }
        }
    }

    // --- vectors

    /// The record of a vector at an index; zero where none can have been written.
    fn element(&mut self, n: NodeId) -> Result<Vec<Val>, Refusal> {
        let inputs = self.unit.m[n].inputs();
        let (buffers, index) = (self.values(inputs[0])?, self.value(inputs[1])?);
        let elements = self.unit.room.elements;
        let b = self.b();
        let [zero, end] = [0, elements].map(|bound| b.int(index.ty, bound));
        let is_above = b.compare("GE", &index, &zero);
        let is_below = b.compare("LT", &index, &end);
        let is_there = b.same("and", &[&is_above, &is_below]);
        let record = buffers.iter().map(|buffer| {
            let part = self.record(buffer, &index);
            let b = self.b();
            let nothing = b.neutral(part.ty);
            b.select(&is_there, &part, &nothing)
        });
        Ok(record.collect())
    }

    fn replaced(&mut self, n: NodeId) -> Result<Vec<Val>, Refusal> {
        let inputs = self.unit.m[n].inputs();
        let (buffers, index, record) = (self.values(inputs[0])?, self.value(inputs[1])?, self.values(inputs[2])?);
        let elements = self.unit.room.elements;
        let b = self.b();
        let end = b.int(index.ty, elements);
        let is_full = b.compare("GE", &index, &end);
        self.fault_if(&is_full, Fault::Long);
        Ok(buffers.iter().zip(&record).map(|(buffer, value)| self.with_record(buffer, value, &index)).collect())
    }

    // --- tapes

    fn push(&mut self, n: NodeId) -> Result<Vec<Val>, Refusal> {
        let inputs = self.unit.m[n].inputs();
        let (tape, record) = (self.values(inputs[0])?, self.values(inputs[1])?);
        let (count, buffers) = tape.split_first().ok_or(Reason::Untyped)?;
        if !self.unit.is_exact {
            let records = self.unit.room.records;
            let b = self.b();
            let records = b.int(count.ty, records);
            let is_full = b.compare("GE", count, &records);
            self.fault_if(&is_full, Fault::Full);
        }
        let b = self.b();
        let one = b.int(count.ty, 1);
        let mut after = vec![b.same("add", &[count, &one])];
        for (buffer, value) in buffers.iter().zip(&record) {
            after.push(self.with_record(buffer, value, count));
        }
        Ok(after)
    }

    /// Of the empty tape, itself and the zero of a record.
    fn pop(&mut self, n: NodeId) -> Result<Vec<Val>, Refusal> {
        let tape = self.values(self.unit.m[n].inputs()[0])?;
        let (count, buffers) = tape.split_first().ok_or(Reason::Untyped)?;
        let b = self.b();
        let (zero, one) = (b.int(count.ty, 0), b.int(count.ty, 1));
        let less = b.same("subtract", &[count, &one]);
        let at_last = b.same("maximum", &[&less, &zero]);
        let has_records = b.compare("GT", count, &zero);
        let mut record = Vec::new();
        for buffer in buffers {
            let part = self.record(buffer, &at_last);
            let b = self.b();
            let nothing = b.neutral(part.ty);
            record.push(b.select(&has_records, &part, &nothing));
        }
        Ok([&[at_last], buffers, &record[..]].concat())
    }

    /// The part of a buffer that belongs to a record.
    pub fn record(&mut self, buffer: &Val, number: &Val) -> Val {
        let rest = &buffer.ty.dims[1..];
        let at = self.place(buffer, number);
        let part = self.b().dynamic_slice(buffer, &at, &[&[1], rest].concat());
        self.b().reshape(&part, rest)
    }

    /// A buffer with another record.
    pub fn with_record(&mut self, buffer: &Val, value: &Val, number: &Val) -> Val {
        let part = self.b().reshape(value, value.ty.stacked(1).dims);
        let at = self.place(buffer, number);
        self.b().dynamic_update(buffer, &part, &at)
    }

    /// Where a record begins in a buffer.
    fn place(&mut self, buffer: &Val, number: &Val) -> Vec<Val> {
        let zero = self.b().int(number.ty, 0);
        let mut at = vec![zero; buffer.ty.dims.len()];
        at[0] = number.clone();
        at
    }

    // --- calls

    /// The result of a call.
    pub fn call(&mut self, n: NodeId) -> Result<Vec<Val>, Refusal> {
        let m = self.unit.m;
        let args = self.all_values(&m[n].inputs()[1..])?;
        self.call_value(m[n].inputs()[0], args, m[n].span)
    }

    /// Calls what a node stands for.
    fn call_value(&mut self, callee: NodeId, args: Vec<Val>, span: Span) -> Result<Vec<Val>, Refusal> {
        let m = self.unit.m;
        if let Some(g) = m.as_graph(callee) {
            return self.call_graph(g, args, span);
        }
        let inputs = m[callee].inputs();
        match m.as_prim(callee) {
            Some(Prim::Partial) => {
                let bound = self.all_values(&inputs[1..])?;
                self.call_value(inputs[0], [bound, args].concat(), span)
            }
            Some(Prim::Select) => {
                let condition = self.value(inputs[0])?;
                let other = args.clone();
                self.choose_values(&condition, |e| e.call_value(inputs[1], args, span), |e| e.call_value(inputs[2], other, span))
            }
            _ => Err(Reason::UnknownFunction.at(span)),
        }
    }

    /// Calls a function of the module.
    pub fn call_graph(&mut self, g: GraphId, args: Vec<Val>, span: Span) -> Result<Vec<Val>, Refusal> {
        let nest = self.unit.nest;
        let Some(name) = self.unit.names.get(&g).cloned() else { return Err(Reason::UnknownFunction.at(span)) };
        let free: Vec<NodeId> = nest.free(g).collect();
        let mut operands = args;
        operands.extend(self.all_values(&free)?);
        let mut types = self.leaves(&self.unit.m[g].result).map_err(|r| r.at(span))?;
        let world = self.unit.worlds.get(&g).copied().unwrap_or_default();
        let parts = numbers(world);
        let given: Vec<Val> = parts.iter().map(|&part| self.part(part)).collect();
        types.splice(0..0, given.iter().map(|v| v.ty));
        operands.extend(given);
        let mut results = self.b().call(&name, &operands, &types);
        for (&part, value) in parts.iter().zip(results.drain(..parts.len())) {
            self.world[part] = Some(value);
        }
        Ok(results)
    }
}
