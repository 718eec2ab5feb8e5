//! The machine: a stack of slots, a stack of frames.

use super::arithmetic::Arithmetic;
use super::code::{Constant, Inst, Op, Operand, Operands, Place, Program, Target};
use super::heap::{Heap, read};
use super::trace::Trace;
use super::value::Val;
use crate::error::{Failure, RunError};
use crate::interrupt;
use crate::memory;
use crate::output;
use crate::strings;
use crate::usage::Usage;
use gradus_ir::eval::Scalar;
use gradus_ir::format::fill;
use gradus_ir::{Boundary, Call, Host, Span, Trap, TrapKind, Type, Value};
use rustc_hash::FxHashSet;
use std::rc::Rc;

/// The most frames, and the most slots in them all, before the recursion limit is reached.
const MAX_FRAMES: usize = 2_000_000;
const MAX_SLOTS: usize = 1 << 26;

/// A call that has not returned.
struct Frame {
    /// The caller's place of return.
    pc: usize,
    /// The caller's slots.
    base: usize,
    /// The caller's slot for the result.
    dst: u32,
    /// The graph that is called.
    graph: u32,
}

struct Machine<'a, A: Arithmetic> {
    program: &'a Program,
    arithmetic: A,
    constants: Vec<Val<A>>,
    heap: Heap<A>,
    trace: Trace<A>,
    slots: Vec<Val<A>>,
    frames: Vec<Frame>,
    base: usize,
    pc: usize,
    /// So many more calls may be made, those of blocks counted.
    calls: u64,
}

/// Runs graph 0 on arguments of its parameter types.
pub fn run<A: Arithmetic>(
    program: &Program,
    arithmetic: A,
    args: &[Value<A::Number>],
) -> Result<(Value<A::Number>, Usage), RunError> {
    trace(program, arithmetic, args, u64::MAX).map_err(|ended| ended.error)
}

/// Why a run ended without a value.
pub struct Ended {
    pub error: RunError,
    /// The calls that had not returned, the innermost first.
    pub calls: Vec<Call>,
}

/// The same with so many calls at most.
pub fn trace<A: Arithmetic>(
    program: &Program,
    arithmetic: A,
    args: &[Value<A::Number>],
    calls: u64,
) -> Result<(Value<A::Number>, Usage), Ended> {
    let constants = program.constants.iter().map(|c| constant(&arithmetic, c)).collect::<Option<_>>();
    let constants = constants.ok_or_else(|| Ended { error: RunError::no_memory(Span::NONE), calls: Vec::new() })?;
    let boundary = &program.boundary;
    let arguments = boundary.params.iter().zip(args);
    let slots = arguments.map(|(form, arg)| Val::import(&arithmetic, boundary, form, arg)).collect();
    let (heap, trace, frames) = (Heap::default(), Trace::default(), Vec::new());
    let mut machine = Machine { program, arithmetic, constants, heap, trace, slots, frames, base: 0, pc: 0, calls };
    let result = machine.enter(0).and_then(|()| machine.run()).and_then(|result| {
        let form = boundary.result.as_ref().expect("a boundary has a result");
        Val::export(&machine.arithmetic, boundary, form, &result, Boundary::MAX_DEPTH)
    });
    match result {
        Ok(value) => Ok((value, machine.heap.usage)),
        Err(error) => Err(Ended { error, calls: machine.led() }),
    }
}

/// A constant; none if there is no memory for it.
fn constant<A: Arithmetic>(arithmetic: &A, constant: &Constant) -> Option<Val<A>> {
    Some(match constant {
        Constant::F64(bits) => Val::F64(arithmetic.literal(f64::from_bits(*bits))),
        Constant::I64(v) => Val::I64(*v),
        Constant::Bool(v) => Val::Bool(*v),
        Constant::Str(s) => Val::Str(strings::number(s)),
        Constant::None => Val::None,
        Constant::Zero(ty) => return Val::zero(arithmetic, ty),
        Constant::Undefined(ty) => return Val::undefined(arithmetic, ty),
        Constant::Graph(g) => Val::Fn(*g, Rc::default()),
    })
}

impl<A: Arithmetic> Machine<'_, A> {
    /// A value as it is printed.
    fn shown(&self, value: &Val<A>) -> Result<Value<A::Number>, RunError> {
        Ok(match value {
            Val::F64(v) => Value::F64(self.arithmetic.export(v)?),
            Val::I64(v) => Value::I64(*v),
            Val::Bool(v) => Value::Bool(*v),
            Val::Str(i) => Value::Str(strings::text((*i).into())),
            Val::Array(array) => Value::Array(self.arithmetic.export_array(array)?),
            _ => return Err(internal("numbers, strings and arrays are printed")),
        })
    }
}

fn internal(message: &str) -> RunError {
    RunError::Internal { message: message.into() }
}

impl<'a, A: Arithmetic> Machine<'a, A> {
    fn run(&mut self) -> Result<Val<A>, RunError> {
        let program = self.program;
        loop {
            let inst = &program.insts[self.pc];
            self.pc += 1;
            match inst.op {
                Op::Call { target } => self.call(target, inst)?,
                Op::TailCall { target } => self.tail_call(target, inst)?,
                Op::Return => {
                    let value = self.take(program.operands(inst.operands)[0]);
                    self.slots.truncate(self.base);
                    let Some(frame) = self.frames.pop() else { return Ok(value) };
                    (self.pc, self.base) = (frame.pc, frame.base);
                    self.slots[self.base + frame.dst as usize] = value;
                }
                Op::Array { operation } => {
                    let value = self.array(operation, inst)?;
                    self.slots[self.base + inst.dst as usize] = value;
                }
                op => {
                    let value = self.value(op, inst)?;
                    if matches!(op, Op::Tuple | Op::Closure { .. } | Op::Partial | Op::Pack | Op::Gadd) && !memory::fits(0) {
                        return Err(RunError::no_memory(inst.span));
                    }
                    self.slots[self.base + inst.dst as usize] = value;
                }
            }
        }
    }

    /// The value of an instruction that is no call.
    fn value(&mut self, op: Op, inst: &Inst) -> Result<Val<A>, RunError> {
        Ok(match op {
            Op::Scalar(prim) => {
                let mut operands = [const { Scalar::Bool(false) }; 3];
                let len = inst.operands.len as usize;
                for (i, operand) in operands.iter_mut().take(len).enumerate() {
                    *operand = self.scalar(inst, i)?;
                }
                match self.arithmetic.scalar(prim, operands.get(..len).unwrap_or_default(), inst.span) {
                    Some(value) => value?.into(),
                    None => return Err(internal(&format!("{} does not take these operands", prim.name()))),
                }
            }
            Op::Select => match self.scalar(inst, 0)? {
                Scalar::Bool(true) => self.take(self.program.operands(inst.operands)[1]),
                _ => self.take(self.program.operands(inst.operands)[2]),
            },
            Op::Tuple => Val::tuple(self.take_all(inst.operands)),
            Op::Get(i) => match self.operand(inst, 0) {
                Val::Tuple(items) if (i as usize) < items.0.len() => items.0[i as usize].clone(),
                _ => return Err(internal("get takes a field of a tuple")),
            },
            Op::Closure { graph } => {
                let fields = self.take_all(inst.operands);
                Val::Fn(graph, self.heap.object(fields))
            }
            Op::Partial => match self.operand(inst, 0) {
                &Val::Fn(graph, ref bound) => {
                    let fields = bound.0.iter().chain(self.all(inst.operands).skip(1)).cloned().collect();
                    Val::Fn(graph, self.heap.object(fields))
                }
                Val::Undefined => Val::Undefined,
                _ => return Err(internal("partial takes a function")),
            },
            Op::Pack => {
                let payload = self.take(self.program.operands(inst.operands)[0]);
                Val::Opaque(Some(self.heap.object(vec![payload])))
            }
            Op::Unpack { zero } => match self.operand(inst, 0) {
                Val::Opaque(Some(object)) => object.0[0].clone(),
                Val::Opaque(None) => self.get(zero).clone(),
                _ => return Err(internal("unpack takes a box")),
            },
            Op::Say { template, fails } => {
                let values = match self.operand(inst, 2) {
                    Val::Tuple(items) => items.0.iter().map(|v| self.shown(v)).collect::<Result<Vec<_>, RunError>>()?,
                    _ => return Err(internal("what is printed is a tuple")),
                };
                let template = &self.program.templates[template as usize];
                if fails {
                    return Err(RunError::Failed { message: fill(template, &values), span: inst.span });
                }
                output::print(template, &values);
                self.operand(inst, 0).clone()
            }
            Op::Host(host) => self.host(host, inst)?,
            Op::Trace { op, zero } => {
                let (operands, zero) = (self.take_all(inst.operands), self.get(zero).clone());
                self.trace.apply(op, operands, &zero, (&self.arithmetic, &mut self.heap), inst.span)?
            }
            Op::Guard(kind) => match (self.operand(inst, 0), self.operand(inst, 1)) {
                (value, Val::Bool(true)) => value.clone(),
                (_, Val::Bool(false)) => return Err(Trap { kind, span: inst.span }.into()),
                _ => return Err(internal("guard takes a condition")),
            },
            Op::Gadd => {
                let (a, b) = (self.operand(inst, 0).clone(), self.operand(inst, 1).clone());
                self.heap.sum(&self.arithmetic, a, b).map_err(|failure| match failure {
                    Failure::Shape => internal("boxes that are added have one layout"),
                    Failure::Memory => RunError::no_memory(inst.span),
                })?
            }
            Op::Element { zero } => match (self.operand(inst, 0), self.operand(inst, 1)) {
                (Val::Vec(records), &Val::I64(i)) => {
                    let record = usize::try_from(i).ok().and_then(|i| records.0.get(i));
                    record.unwrap_or_else(|| self.get(zero)).clone()
                }
                _ => return Err(internal("element takes a vector and an index")),
            },
            Op::Replace { zero } => {
                let &[vector, index, record] = self.program.operands(inst.operands) else {
                    return Err(internal("replace takes a vector, an index and a record"));
                };
                let zero = self.get(zero).clone();
                let (vector, index, record) = (self.take(vector), self.take(index), self.take(record));
                let (Val::Vec(records), Val::I64(index)) = (vector, index) else {
                    return Err(internal("replace takes a vector and an index"));
                };
                let replaced = self.heap.replaced(records, index, record, &zero);
                Val::Vec(replaced.ok_or_else(|| RunError::no_memory(inst.span))?)
            }
            Op::Push { record } => {
                let &[tape, value] = self.program.operands(inst.operands) else {
                    return Err(internal("push takes a tape and a record"));
                };
                let (tape, value) = (self.take(tape), self.take(value));
                let Val::Tape(records, buffer) = tape else { return Err(internal("push takes a tape")) };
                let more = records.checked_add(1).ok_or_else(|| RunError::no_memory(inst.span))?;
                let buffer = self.heap.push(records, buffer, &self.program.types[record as usize], &value);
                let buffer = buffer.map_err(|failure| match failure {
                    Failure::Shape => internal("push takes a record of the tape"),
                    Failure::Memory => RunError::no_memory(inst.span),
                });
                Val::Tape(more, buffer?)
            }
            Op::Rest => match self.operand(inst, 0) {
                Val::Tape(0 | 1, _) => Val::Tape(0, None),
                Val::Tape(records, buffer) => Val::Tape(records - 1, buffer.clone()),
                _ => return Err(internal("pop takes a tape")),
            },
            Op::Record { offset, ty, empty } => match self.operand(inst, 0) {
                Val::Tape(0, _) => self.get(empty).clone(),
                Val::Tape(records, buffer) => {
                    let ty = &self.program.types[ty as usize];
                    read(records - 1, buffer.as_ref(), ty, offset as usize)
                        .ok_or_else(|| internal("a tape has records of its type"))?
                }
                _ => return Err(internal("pop takes a tape")),
            },
            Op::Derivative(index) => match self.operand(inst, 0) {
                Val::Fn(graph, bound) => {
                    let derivative = self.program.graphs[*graph as usize].derivatives[index];
                    Val::Fn(derivative.ok_or_else(|| internal("the derivative of a function value exists"))?, bound.clone())
                }
                Val::Undefined => Val::Undefined,
                _ => return Err(internal("J takes a function")),
            },
            Op::Call { .. } | Op::TailCall { .. } | Op::Return | Op::Array { .. } => unreachable!("these are no values"),
        })
    }

    /// Calls a function of the host, which knows no numbers but floats.
    fn host(&self, host: Host, inst: &Inst) -> Result<Val<A>, RunError> {
        let function = host.function();
        let mut words = Vec::new();
        for i in 0..inst.operands.len as usize {
            self.words(self.operand(inst, i), &mut words)?;
        }
        let mut results = vec![0; crate::host::width(&function.result)];
        if !crate::host::call(function, &words, &mut results) {
            return Err(RunError::Failed { message: output::message(), span: inst.span });
        }
        Ok(self.value_of(&function.result, &mut results.iter()))
    }

    /// Appends the words of a value.
    fn words(&self, value: &Val<A>, words: &mut Vec<u64>) -> Result<(), RunError> {
        match value {
            Val::Tuple(items) => return items.0.iter().try_for_each(|item| self.words(item, words)),
            Val::None | Val::Zero => {}
            Val::F64(v) => {
                words.push(self.arithmetic.bits(v).ok_or_else(|| internal("functions of the host take floats of 64 bits"))?)
            }
            Val::I64(v) => words.push(v.cast_unsigned()),
            Val::Bool(v) => words.push((*v).into()),
            _ => return Err(internal("functions of the host take numbers")),
        }
        Ok(())
    }

    /// The value of a type that the next words are.
    fn value_of(&self, ty: &Type, words: &mut std::slice::Iter<u64>) -> Val<A> {
        let mut word = || *words.next().expect("a result has as many words as its type");
        match ty {
            Type::F64 => Val::F64(self.arithmetic.literal(f64::from_bits(word()))),
            Type::I64 => Val::I64(word().cast_signed()),
            Type::Bool => Val::Bool(word() != 0),
            Type::Tuple(items) => Val::tuple(items.iter().map(|item| self.value_of(item, words)).collect()),
            _ => Val::None,
        }
    }

    fn call(&mut self, target: u32, inst: &Inst) -> Result<(), RunError> {
        if self.frames.len() >= MAX_FRAMES || self.slots.len() >= MAX_SLOTS {
            return Err(Trap { kind: TrapKind::RecursionLimit, span: inst.span }.into());
        }
        let base = self.slots.len();
        self.count_call(inst)?;
        let graph = self.push_inputs(target, inst.operands)?;
        self.frames.push(Frame { pc: self.pc, base: self.base, dst: inst.dst, graph });
        self.base = base;
        self.enter(graph)
    }

    fn tail_call(&mut self, target: u32, inst: &Inst) -> Result<(), RunError> {
        if interrupt::is_asked() {
            return Err(Trap { kind: TrapKind::Interrupted, span: inst.span }.into());
        }
        self.count_call(inst)?;
        let top = self.slots.len();
        let graph = self.push_inputs(target, inst.operands)?;
        self.slots.drain(self.base..top);
        self.enter(graph)
    }

    fn count_call(&mut self, inst: &Inst) -> Result<(), RunError> {
        let interrupted = || Trap { kind: TrapKind::Interrupted, span: inst.span };
        self.calls = self.calls.checked_sub(1).ok_or_else(interrupted)?;
        Ok(())
    }

    /// The calls that have not returned, those of one graph at one place once.
    fn led(&self) -> Vec<Call> {
        let mut seen = FxHashSet::default();
        let mut calls = Vec::new();
        for frame in self.frames.iter().rev().filter(|f| seen.insert((f.pc, f.graph))) {
            let place = self.program.insts[frame.pc - 1].span;
            // A call at the place of the function itself is one that fills in its arguments.
            if let Some((name, _)) = self.program.graphs[frame.graph as usize].function.as_ref().filter(|(_, own)| *own != place)
            {
                calls.push(Call { function: name.clone(), place });
            }
        }
        calls
    }

    /// Begins a graph whose inputs lie on top of the stack.
    fn enter(&mut self, graph: u32) -> Result<(), RunError> {
        let code = &self.program.graphs[graph as usize];
        if self.slots.len() != self.base + code.inputs {
            return Err(internal("a call passes as many arguments as the graph has parameters"));
        }
        self.slots.resize(self.base + code.slots, Val::None);
        self.pc = code.insts.start;
        Ok(())
    }

    /// Pushes what the frame of the callee begins with.
    fn push_inputs(&mut self, mut target: u32, args: Operands) -> Result<u32, RunError> {
        let program = self.program;
        let graph = loop {
            match program.targets[target as usize] {
                Target::Known { graph, captures } => {
                    self.push_all(captures);
                    break graph;
                }
                Target::Value(operand) => {
                    let Val::Fn(graph, bound) = self.get(operand).clone() else {
                        return Err(internal("a call calls a function"));
                    };
                    self.slots.extend_from_slice(&bound.0);
                    break graph;
                }
                Target::Select { condition, then, otherwise } => {
                    target = match self.get(condition) {
                        Val::Bool(true) => then,
                        _ => otherwise,
                    }
                }
            }
        };
        self.push_all(args);
        Ok(graph)
    }

    fn push_all(&mut self, operands: Operands) {
        for &operand in self.program.operands(operands) {
            let value = self.take(operand);
            self.slots.push(value);
        }
    }

    fn get(&self, operand: Operand) -> &Val<A> {
        match operand.place() {
            Place::Slot(slot) => &self.slots[self.base + slot],
            Place::Constant(index) => &self.constants[index],
        }
    }

    /// The value of an operand, moved out of its slot where nobody reads that any more.
    fn take(&mut self, operand: Operand) -> Val<A> {
        match operand.place() {
            Place::Slot(slot) if operand.is_last() => std::mem::replace(&mut self.slots[self.base + slot], Val::None),
            _ => self.get(operand).clone(),
        }
    }

    fn take_all(&mut self, operands: Operands) -> Vec<Val<A>> {
        self.program.operands(operands).iter().map(|&operand| self.take(operand)).collect()
    }

    fn array(&mut self, operation: u32, inst: &Inst) -> Result<Val<A>, RunError> {
        let operands = self.take_all(inst.operands);
        self.heap.usage.operations += 1;
        self.arithmetic.array(&self.program.operations[operation as usize], operands, inst.span, &mut self.heap.usage)
    }

    fn operand(&self, inst: &Inst, index: usize) -> &Val<A> {
        self.get(self.program.operands(inst.operands)[index])
    }

    fn scalar(&self, inst: &Inst, index: usize) -> Result<Scalar<A::Float>, RunError> {
        self.operand(inst, index).as_scalar().ok_or_else(|| internal("a primitive on scalars takes scalars"))
    }

    fn all(&self, operands: Operands) -> impl Iterator<Item = &Val<A>> {
        self.program.operands(operands).iter().map(|&operand| self.get(operand))
    }
}
