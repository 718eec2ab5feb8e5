//! From graphs to code: schedules, slots, captures.

use super::code::{ArrayNode, Constant, GraphCode, Inst, Op, Operand, Operands, Place, Program, Target, derivative_index};
use super::heap::width;
use crate::arrays::Operation;
use crate::boundary;
use crate::callees::callee_selects;
use crate::error::BackendError;
use crate::order;
use gradus_ir::{Const, Flavor, GraphId, Kind, Module, Nest, NodeId, Prim, Sig, Span, Type};
use rustc_hash::{FxHashMap, FxHashSet};
use slotmap::SecondaryMap;

/// Compiles what the entry graph reaches. `keeps_frames` says that a call of a function keeps the frame of its caller in tail position,
/// too; calls of blocks never do, since they are loops.
pub fn compile(m: &Module, keeps_frames: bool) -> Result<Program, BackendError> {
    let internal = |message: &str| BackendError::Internal { message: message.into() };
    let entry = m.entry.ok_or_else(|| internal("the module has an entry"))?;
    let nest = Nest::new(m, &[entry]);
    if !nest.is_closed(entry) {
        return Err(internal("the entry graph has no free variables"));
    }
    let params: Vec<Type> = m[entry].params.iter().map(|&p| m[p].ty.clone()).collect();
    let boundary = boundary::of(m, entry)?;
    let index = nest.graphs().iter().enumerate().map(|(i, &g)| (g, i as u32)).collect();
    let program = Program { params, boundary, ..Program::default() };
    let (pool, types) = (FxHashMap::default(), FxHashMap::default());
    let mut compiler = Compiler { m, nest: &nest, index, program, pool, types, keeps_frames };
    for &g in nest.graphs() {
        compiler.graph(g)?;
    }
    Ok(compiler.program)
}

struct Compiler<'a> {
    m: &'a Module,
    nest: &'a Nest,
    index: SecondaryMap<GraphId, u32>,
    program: Program,
    pool: FxHashMap<Constant, Operand>,
    types: FxHashMap<Type, u32>,
    keeps_frames: bool,
}

/// What is known while one graph is compiled.
#[derive(Default)]
struct Frame {
    slots: FxHashMap<NodeId, u32>,
    closures: FxHashMap<GraphId, u32>,
    /// The nodes of which only fields are used, that are parts of a tape.
    parts: FxHashMap<NodeId, Part>,
    /// The selects that only choose a callee.
    targets: FxHashMap<NodeId, u32>,
    size: u32,
}

/// What a `pop`, or a field of its result, stands for.
#[derive(Clone)]
struct Part {
    tape: Operand,
    what: What,
}

#[derive(Clone)]
enum What {
    /// The tape without its last record, and that; the type of the record.
    Both(Type),
    /// The tape without its last record.
    Rest,
    /// What is of this type in the last record, after so many values.
    Record(Type, usize),
}

impl Frame {
    fn fresh(&mut self) -> u32 {
        self.size += 1;
        self.size - 1
    }
}

impl Compiler<'_> {
    fn graph(&mut self, g: GraphId) -> Result<(), BackendError> {
        let (m, nest) = (self.m, self.nest);
        let mut frame = Frame::default();
        for n in nest.free(g).chain(m[g].params.iter().copied()) {
            let slot = frame.fresh();
            frame.slots.insert(n, slot);
        }
        let inputs = frame.size as usize;
        let start = self.program.insts.len();
        let schedule = order::schedule(m, nest, g);
        let callees = callee_selects(m, g, &schedule);
        let result = m.result(g);
        for n in schedule {
            if callees.contains(&n) {
                let target = self.select_target(&mut frame, n)?;
                frame.targets.insert(n, target);
                continue;
            }
            self.node(&mut frame, n, n == result)?;
        }
        // A call in tail position has returned already.
        if m[result].graph != Some(g) || !self.is_tail_call(result) {
            let operands = self.operands(&mut frame, &[result])?;
            self.emit(Op::Return, operands, 0, m[result].span);
        }
        let derivatives = Prim::OPERATORS.map(|p| m.derivatives.get(&(g, p)).and_then(|&d| self.index.get(d).copied()));
        let insts = start..self.program.insts.len();
        self.mark_last_reads(insts.clone());
        let graph = &m[g];
        let function = (graph.flavor == Flavor::Function).then(|| (graph.name.clone(), graph.span));
        self.program.graphs.push(GraphCode { function, insts, slots: frame.size as usize, inputs, derivatives });
        Ok(())
    }

    /// Marks the operands that are the last to read their slot. What an instruction reads twice stays.
    fn mark_last_reads(&mut self, insts: std::ops::Range<usize>) {
        let mut read = FxHashSet::default();
        let mut shared: FxHashMap<u32, usize> = FxHashMap::default();
        let target = |op: Op| match op {
            Op::Call { target } | Op::TailCall { target } => Some(target),
            _ => None,
        };
        for i in insts.clone() {
            if let Some(target) = target(self.program.insts[i].op) {
                *shared.entry(target).or_default() += 1;
            }
        }
        for i in insts.rev() {
            let inst = self.program.insts[i];
            let list = |o: Operands| o.start as usize..(o.start + o.len) as usize;
            let mut own: Vec<usize> = list(inst.operands).collect();
            let mut others: Vec<Operand> = Vec::new();
            let mut targets: Vec<u32> = target(inst.op).into_iter().collect();
            while let Some(t) = targets.pop() {
                match self.program.targets[t as usize] {
                    Target::Known { captures, .. } if shared.get(&t) == Some(&1) => own.extend(list(captures)),
                    Target::Known { captures, .. } => others.extend(&self.program.operands[list(captures)]),
                    Target::Value(operand) => others.push(operand),
                    Target::Select { condition, then, otherwise } => {
                        others.push(condition);
                        targets.extend([then, otherwise]);
                    }
                }
            }
            let mut times: FxHashMap<usize, usize> = FxHashMap::default();
            let slot = |o: Operand| if let Place::Slot(slot) = o.place() { Some(slot) } else { None };
            for &o in own.iter().map(|&k| &self.program.operands[k]).chain(&others) {
                if let Some(slot) = slot(o) {
                    *times.entry(slot).or_default() += 1;
                }
            }
            for k in own {
                let operand = self.program.operands[k];
                if slot(operand).is_some_and(|s| times[&s] == 1 && !read.contains(&s)) {
                    self.program.operands[k] = operand.last();
                }
            }
            read.extend(times.into_keys());
        }
    }

    fn node(&mut self, frame: &mut Frame, n: NodeId, is_result: bool) -> Result<(), BackendError> {
        let node = &self.m[n];
        if let Some(part) = self.part(frame, n)? {
            self.define_part(frame, n, part);
            return Ok(());
        }
        let (op, inputs) = match node.kind {
            Kind::Call => {
                let target = self.target(frame, node.inputs()[0])?;
                let op = if is_result && self.is_tail_call(n) { Op::TailCall { target } } else { Op::Call { target } };
                (op, &node.inputs()[1..])
            }
            Kind::Prim(prim) => (self.op(prim, n)?, node.inputs()),
            _ => unreachable!("schedules hold applications only"),
        };
        let operands = self.operands(frame, inputs)?;
        let dst = frame.fresh();
        frame.slots.insert(n, dst);
        self.emit(op, operands, dst, node.span);
        Ok(())
    }

    /// Whether a node that is the result of its graph is a call that replaces the frame.
    fn is_tail_call(&self, n: NodeId) -> bool {
        self.m[n].kind == Kind::Call && (!self.keeps_frames || self.is_block(self.m[n].inputs()[0]))
    }

    /// Whether a callee is a block, or one of several.
    fn is_block(&self, callee: NodeId) -> bool {
        match (self.m.as_graph(callee), self.m.as_prim(callee)) {
            (Some(g), _) => self.m[g].flavor == Flavor::Block,
            (None, Some(Prim::Select)) => self.m[callee].inputs()[1..].iter().all(|&arm| self.is_block(arm)),
            (None, _) => false,
        }
    }

    fn op(&mut self, prim: Prim, n: NodeId) -> Result<Op, BackendError> {
        Ok(match prim {
            Prim::Select if !self.m[self.m[n].inputs()[0]].ty.is_array() => Op::Select,
            Prim::Tuple => Op::Tuple,
            Prim::Get(i) => Op::Get(i),
            Prim::Partial => Op::Partial,
            Prim::Pack => Op::Pack,
            Prim::Unpack => Op::Unpack { zero: self.constant(Constant::Undefined(self.m[n].ty.clone())) },
            Prim::Gadd => Op::Gadd,
            Prim::Element | Prim::Replace => {
                let Some(record) = self.m[self.m[n].inputs()[0]].ty.element() else {
                    return Err(BackendError::Internal { message: format!("{} takes a vector", prim.name()) });
                };
                let zero = self.constant(Constant::Undefined(record.clone()));
                if prim == Prim::Element { Op::Element { zero } } else { Op::Replace { zero } }
            }
            _ if let Some(kind) = prim.guards() => Op::Guard(kind),
            Prim::Host(host) => Op::Host(host),
            Prim::Trace(op) => Op::Trace { op, zero: self.constant(Constant::Undefined(self.m[n].ty.clone())) },
            Prim::Print | Prim::Fail => {
                let template = match self.m[self.m[n].inputs()[1]].as_const() {
                    Some(Const::Str(template)) => template.clone(),
                    _ => return Err(BackendError::Internal { message: "a template is a constant".into() }),
                };
                self.program.templates.push(template);
                Op::Say { template: self.program.templates.len() as u32 - 1, fails: prim == Prim::Fail }
            }
            Prim::Push => match self.m[self.m[n].inputs()[0]].ty.record() {
                Some(record) => Op::Push { record: self.ty(record.clone()) },
                None => return Err(BackendError::Internal { message: "push takes a tape".into() }),
            },
            _ => match derivative_index(prim) {
                Some(index) => Op::Derivative(index),
                None if prim.sig() == Sig::Source => {
                    return Err(BackendError::Internal { message: format!("inference resolves {}", prim.name()) });
                }
                None => {
                    let types: Vec<Type> = self.m[n].inputs().iter().map(|&i| self.m[i].ty.clone()).collect();
                    let ty = self.m[n].ty.clone();
                    if !matches!(prim, Prim::Array(..)) && !ty.is_array() && !types.iter().any(Type::is_array) {
                        return Ok(Op::Scalar(prim));
                    }
                    let operation = Operation::of(prim, &types, &ty)
                        .ok_or_else(|| BackendError::Internal { message: format!("{} works on arrays", prim.name()) })?;
                    self.program.operations.push(ArrayNode { prim, ty, operation });
                    Op::Array { operation: (self.program.operations.len() - 1) as u32 }
                }
            },
        })
    }

    /// The part of a tape that a node stands for, if it does.
    fn part(&mut self, frame: &mut Frame, n: NodeId) -> Result<Option<Part>, BackendError> {
        let m = self.m;
        let Some(&input) = m[n].inputs().first() else { return Ok(None) };
        let what = match (m.as_prim(n), frame.parts.get(&input).map(|part| &part.what)) {
            (Some(Prim::Pop), _) => match m[input].ty.record() {
                Some(record) => What::Both(record.clone()),
                None => return Err(BackendError::Internal { message: "pop takes a tape".into() }),
            },
            (Some(Prim::Get(0)), Some(What::Both(_))) => What::Rest,
            (Some(Prim::Get(_)), Some(What::Both(record))) => What::Record(record.clone(), 0),
            (Some(Prim::Get(i)), Some(What::Record(Type::Tuple(items), offset))) => {
                let before: usize = items[..i as usize].iter().map(width).sum();
                What::Record(items[i as usize].clone(), offset + before)
            }
            _ => return Ok(None),
        };
        let tape = match frame.parts.get(&input) {
            Some(part) => part.tape,
            None => self.operand(frame, input)?,
        };
        Ok(Some(Part { tape, what }))
    }

    /// Makes the value that a part is, unless only fields of it are used here.
    fn define_part(&mut self, frame: &mut Frame, n: NodeId, part: Part) {
        let m = self.m;
        let fields_only =
            m[n].users().iter().all(|u| m[u.node].graph == m[n].graph && matches!(m.as_prim(u.node), Some(Prim::Get(_))));
        if fields_only {
            frame.parts.insert(n, part);
            return;
        }
        let (tape, span) = (self.list(&[part.tape]), m[n].span);
        let value = |compiler: &mut Self, frame: &mut Frame, op: Op, operands: Operands| {
            let dst = frame.fresh();
            compiler.emit(op, operands, dst, span);
            dst
        };
        let record = |compiler: &mut Self, ty: Type, offset: usize| Op::Record {
            offset: offset as u32,
            empty: compiler.constant(Constant::Undefined(ty.clone())),
            ty: compiler.ty(ty),
        };
        let slot = match part.what {
            What::Rest => value(self, frame, Op::Rest, tape),
            What::Record(ty, offset) => {
                let op = record(self, ty, offset);
                value(self, frame, op, tape)
            }
            What::Both(ty) => {
                let op = record(self, ty, 0);
                let fields = [value(self, frame, Op::Rest, tape), value(self, frame, op, tape)].map(Operand::slot);
                let fields = self.list(&fields);
                value(self, frame, Op::Tuple, fields)
            }
        };
        frame.slots.insert(n, slot);
    }

    fn ty(&mut self, ty: Type) -> u32 {
        *self.types.entry(ty).or_insert_with_key(|ty| {
            self.program.types.push(ty.clone());
            (self.program.types.len() - 1) as u32
        })
    }

    /// The target that a callee node stands for.
    fn target(&mut self, frame: &mut Frame, callee: NodeId) -> Result<u32, BackendError> {
        if let Some(&target) = frame.targets.get(&callee) {
            return Ok(target);
        }
        let target = match self.m.as_graph(callee) {
            Some(g) => Target::Known { graph: self.index[g], captures: self.captures(frame, g)? },
            None => Target::Value(self.operand(frame, callee)?),
        };
        Ok(self.add_target(target))
    }

    fn select_target(&mut self, frame: &mut Frame, select: NodeId) -> Result<u32, BackendError> {
        let &[condition, then, otherwise] = self.m[select].inputs() else {
            return Err(BackendError::Internal { message: "select has three operands".into() });
        };
        let target = Target::Select {
            condition: self.operand(frame, condition)?,
            then: self.target(frame, then)?,
            otherwise: self.target(frame, otherwise)?,
        };
        Ok(self.add_target(target))
    }

    fn add_target(&mut self, target: Target) -> u32 {
        self.program.targets.push(target);
        (self.program.targets.len() - 1) as u32
    }

    fn operands(&mut self, frame: &mut Frame, nodes: &[NodeId]) -> Result<Operands, BackendError> {
        let list = nodes.iter().map(|&n| self.operand(frame, n)).collect::<Result<Vec<_>, _>>()?;
        Ok(self.list(&list))
    }

    fn captures(&mut self, frame: &mut Frame, g: GraphId) -> Result<Operands, BackendError> {
        self.operands(frame, &self.nest.free(g).collect::<Vec<NodeId>>())
    }

    fn list(&mut self, list: &[Operand]) -> Operands {
        let operands = Operands { start: self.program.operands.len() as u32, len: list.len() as u32 };
        self.program.operands.extend(list);
        operands
    }

    fn operand(&mut self, frame: &mut Frame, n: NodeId) -> Result<Operand, BackendError> {
        let Some(constant) = self.m[n].as_const() else {
            let slot = frame
                .slots
                .get(&n)
                .ok_or_else(|| BackendError::Internal { message: format!("node {n:?} is computed before it is used") })?;
            return Ok(Operand::slot(*slot));
        };
        let constant = match constant {
            Const::F64(bits) => Constant::F64(*bits),
            Const::I64(v) => Constant::I64(*v),
            Const::Bool(v) => Constant::Bool(*v),
            Const::Str(s) => Constant::Str(s.clone()),
            Const::None => Constant::None,
            Const::Zero => Constant::Zero(self.m[n].ty.clone()),
            Const::Undefined => Constant::Undefined(self.m[n].ty.clone()),
            &Const::Graph(g) if self.nest.is_closed(g) => Constant::Graph(self.index[g]),
            &Const::Graph(g) => return self.closure(frame, g),
        };
        Ok(self.constant(constant))
    }

    /// The closure of a graph, made at its first use in a frame.
    fn closure(&mut self, frame: &mut Frame, g: GraphId) -> Result<Operand, BackendError> {
        if let Some(&slot) = frame.closures.get(&g) {
            return Ok(Operand::slot(slot));
        }
        // Free variables are no constants, so this does not come back here.
        let captures = self.captures(frame, g)?;
        let dst = frame.fresh();
        frame.closures.insert(g, dst);
        self.emit(Op::Closure { graph: self.index[g] }, captures, dst, Span::NONE);
        Ok(Operand::slot(dst))
    }

    fn constant(&mut self, constant: Constant) -> Operand {
        *self.pool.entry(constant).or_insert_with_key(|constant| {
            self.program.constants.push(constant.clone());
            Operand::constant(self.program.constants.len() - 1)
        })
    }

    fn emit(&mut self, op: Op, operands: Operands, dst: u32, span: Span) {
        self.program.insts.push(Inst { op, operands, dst, span });
    }
}
