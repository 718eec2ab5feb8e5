//! Registers for straight-line code: where all are taken, the value whose next use is farthest away makes place (Belady 1966).

use super::body::{Arg, Body, Form, Inst, Memory, Value};
use super::opcodes::{self as ops, Op};
use gradus_ir::Prim;

/// A register of vectors.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reg {
    Own(u8),
    /// The one that holds a part of a reduction's lanes; which part, the place in the loop says.
    Lanes(u32),
}

/// The last operand of a step.
#[derive(Clone, Copy, Debug)]
pub enum Last {
    Register(Reg),
    Memory(Memory),
    Bytes(u32),
}

/// An instruction with registers.
#[derive(Clone, Copy, Debug)]
pub enum Step {
    /// `tail` says that at the end of an axis only the elements that are left are written.
    Vector {
        op: Op,
        reg: Reg,
        second: Option<Reg>,
        last: Last,
        mask: u8,
        zero: bool,
        tail: bool,
        immediate: Option<u8>,
    },
    /// On masks.
    Mask {
        op: Op,
        reg: u8,
        second: u8,
        last: u8,
    },
    Gather {
        to: u8,
        index: u8,
        mask: u8,
        pointer: u32,
        stride: i32,
        op: Op,
    },
    /// A value that is put together of parts, by its number.
    Joined {
        to: u8,
        mask: u8,
        number: u32,
    },
    Store {
        pointer: u32,
        from: Reg,
        op: Op,
    },
    StoreMask {
        pointer: u32,
        mask: u8,
        room: u8,
    },
    /// Of those elements that are not in the mask.
    Call {
        prim: Prim,
        args: [Option<Last>; 3],
        to: u8,
        mask: Option<u8>,
    },
}

/// A body with registers.
#[derive(Default, Debug)]
pub struct Allocated {
    /// Each with how many vectors ahead it works.
    pub steps: Vec<(Step, u8)>,
    /// How many vectors of the frame are used.
    pub frame: u32,
    /// Whether there are calls.
    pub calls: bool,
}

/// Mask registers: 0 and 1 are for the ends of axes.
const MASKS: std::ops::Range<u8> = 2..8;

struct Allocator<'a> {
    body: &'a Body,
    /// The uses of each value that are left, the next one last.
    uses: Vec<Vec<u32>>,
    register: Vec<Option<u8>>,
    homes: Vec<Option<Memory>>,
    vectors: Vec<Option<Value>>,
    masks: [Option<Value>; 8],
    /// What the present instruction needs: of vectors, of masks.
    pinned: [u32; 2],
    /// How many vectors ahead the present instruction works.
    ahead: u8,
    /// Vectors of the frame that are free again.
    free: Vec<u32>,
    out: Allocated,
}

/// Gives a body registers, so many vectors of them, and vectors of the frame from a number on. None if there are not enough
/// registers of masks.
pub fn allocate(body: &Body, registers: usize, frame: u32) -> Option<Allocated> {
    let mut uses = vec![Vec::new(); body.values.len()];
    let is_dead = |uses: &[Vec<u32>], inst: &Inst| inst.to.is_some_and(|to| uses[to.index()].is_empty());
    for (at, inst) in body.insts.iter().enumerate().rev() {
        if is_dead(&uses, inst) {
            continue;
        }
        for v in inst.operands() {
            if uses[v.index()].last() != Some(&(at as u32)) {
                uses[v.index()].push(at as u32);
            }
        }
    }
    let mut allocator = Allocator {
        body,
        uses,
        register: vec![None; body.values.len()],
        homes: body.values.iter().map(|&(_, home)| home).collect(),
        vectors: vec![None; registers],
        masks: [None; 8],
        pinned: [0; 2],
        ahead: 0,
        free: Vec::new(),
        out: Allocated { frame, ..Allocated::default() },
    };
    let is_store = |inst: &Inst| matches!(inst.form, Form::Store { .. } | Form::StoreMask { .. });
    let first_store = body.insts.iter().position(is_store);
    let dead: Vec<bool> = body.insts.iter().map(|inst| is_dead(&allocator.uses, inst)).collect();
    for (at, inst) in body.insts.iter().enumerate().filter(|&(at, _)| !dead[at]) {
        if Some(at) == first_store {
            allocator.before_stores();
        }
        allocator.inst(at as u32, inst)?;
    }
    Some(allocator.out)
}

impl Allocator<'_> {
    /// Reads what is still needed of arrays: an output may be where an input is.
    fn before_stores(&mut self) {
        for v in (0..self.homes.len()).map(|v| Value(v as u32)) {
            let of_array = matches!(self.homes[v.index()], Some(Memory::Elements(..) | Memory::Element(_)));
            if of_array && !self.uses[v.index()].is_empty() {
                self.pinned = [0; 2];
                self.load(v);
                self.homes[v.index()] = None;
            }
        }
    }

    fn inst(&mut self, at: u32, inst: &Inst) -> Option<()> {
        self.pinned = [0; 2];
        self.ahead = inst.ahead;
        let last_use = |uses: &[u32]| uses == [at];
        match inst.form {
            Form::Vector { zero } => {
                let [mut a, mut b, _] = inst.args;
                if inst.op.commutes && !self.in_register(a) && self.in_register(b) {
                    (a, b) = (b, a);
                }
                let second = self.read(a);
                let last = self.last(b, inst.op);
                let mask = self.mask_of(inst);
                self.end_uses(at, inst);
                let to = inst.to.expect("a result");
                let reg = if self.body.values[to.index()].0 { self.define_mask(to)? } else { self.define(to) };
                let reg = Reg::Own(reg);
                let (op, immediate) = (inst.op, inst.immediate);
                self.push(Step::Vector { op, reg, second, last, mask, zero, tail: false, immediate });
            }
            Form::Shift(digit) => {
                let last = self.last(inst.args[1], inst.op);
                self.end_uses(at, inst);
                let second = Some(Reg::Own(self.define(inst.to.expect("a result"))));
                let (op, immediate) = (inst.op, inst.immediate);
                self.vector(op, Reg::Own(digit), second, last, immediate);
            }
            Form::MulAdd => self.mul_add(at, inst, last_use),
            Form::Mask => {
                let [a, b, _] = inst.args.map(|arg| if let Arg::Value(v) = arg { self.mask(v) } else { 0 });
                self.end_uses(at, inst);
                let reg = self.define_mask(inst.to.expect("a result"))?;
                self.push(Step::Mask { op: inst.op, reg, second: a, last: b });
            }
            Form::Gather { pointer, stride } => {
                let (index, to, mask) = (self.take(), self.take(), self.take_mask()?);
                let to = self.define_in(inst.to.expect("a result"), to);
                self.push(Step::Gather { to, index, mask, pointer, stride, op: inst.op });
            }
            Form::Joined(number) => {
                let mask = self.take_mask()?;
                let to = self.define(inst.to.expect("a result"));
                self.push(Step::Joined { to, mask, number });
            }
            Form::Call { prim, onto } => {
                let args = inst.args.map(|arg| match arg {
                    Arg::Value(v) => Some(match self.register[v.index()] {
                        Some(r) => {
                            self.pinned[0] |= 1 << r;
                            Last::Register(Reg::Own(r))
                        }
                        None => Last::Memory(self.homes[v.index()].expect("a value is somewhere")),
                    }),
                    _ => None,
                });
                let mask = inst.mask.map(|mask| self.mask(mask));
                let to = inst.to.expect("a result");
                let register = onto.map(|onto| {
                    let register = self.load(onto);
                    if last_use(&self.uses[onto.index()]) {
                        register
                    } else {
                        let copy = self.take();
                        self.vector(ops::MOVE, Reg::Own(copy), None, Last::Register(Reg::Own(register)), None);
                        copy
                    }
                });
                self.end_uses(at, inst);
                let to = match register {
                    Some(register) => self.define_in(to, register),
                    None => self.define(to),
                };
                self.out.calls = true;
                self.push(Step::Call { prim, args, to, mask });
            }
            Form::Join { fold } => {
                let last = self.last(inst.args[1], inst.op);
                let reg = Reg::Lanes(fold);
                let second = matches!(inst.args[0], Arg::Lanes(_)).then_some(reg);
                let op = match last {
                    Last::Memory(memory) if inst.op == ops::MOVE => load_op(memory),
                    _ => inst.op,
                };
                let (mask, zero, immediate) = (0, false, None);
                self.push(Step::Vector { op, reg, second, last, mask, zero, tail: true, immediate });
                self.end_uses(at, inst);
            }
            Form::Keep(home) => {
                let reg = self.read(inst.args[1]).expect("a value");
                self.vector(ops::STORE, reg, None, Last::Memory(home), None);
                self.end_uses(at, inst);
            }
            Form::Store { pointer } => {
                let from = self.read(inst.args[1]).expect("a value");
                self.push(Step::Store { pointer, from, op: inst.op });
                self.end_uses(at, inst);
            }
            Form::StoreMask { pointer } => {
                let Arg::Value(v) = inst.args[1] else { return None };
                let (mask, room) = (self.mask(v), self.take());
                self.push(Step::StoreMask { pointer, mask, room });
                self.end_uses(at, inst);
            }
        }
        Some(())
    }

    fn push(&mut self, step: Step) {
        self.out.steps.push((step, self.ahead));
    }

    fn vector(&mut self, op: Op, reg: Reg, second: Option<Reg>, last: Last, immediate: Option<u8>) {
        self.push(Step::Vector { op, reg, second, last, mask: 0, zero: false, tail: false, immediate });
    }

    /// A product and a sum: one of the three operands makes place for the result, another may be in memory.
    fn mul_add(&mut self, at: u32, inst: &Inst, last_use: impl Fn(&[u32]) -> bool) {
        let [Arg::Value(mut a), Arg::Value(mut b), Arg::Value(c)] = inst.args else { unreachable!("three values") };
        if self.register[a.index()].is_none() {
            // If a factor is in memory, then the second one.
            (a, b) = (b, a);
        }
        let in_memory = |s: &Self, v: Value| s.register[v.index()].is_none();
        let once = |v: Value| [a, b, c].iter().filter(|&&k| k == v).count() == 1;
        let memory = [c, b].into_iter().find(|&v| in_memory(self, v) && once(v));
        // Those that are in registers stay there.
        let (out, inside): (Vec<_>, Vec<_>) =
            [a, b, c].into_iter().filter(|&v| Some(v) != memory).partition(|&v| in_memory(self, v));
        for v in inside.into_iter().chain(out) {
            self.load(v);
        }
        let register = |s: &Self, v: Value| Reg::Own(s.register[v.index()].expect("a register"));
        let dies = |s: &Self, v: Value| last_use(&s.uses[v.index()]) && once(v);
        let last = memory.map(|v| Last::Memory(self.homes[v.index()].expect("a value is somewhere")));
        // The operation, the operand in whose place the result goes, and the others.
        let (op, place, second, third) = if memory == Some(c) && (dies(self, a) || dies(self, b)) {
            let (place, other) = if dies(self, a) { (a, b) } else { (b, a) };
            (ops::FMA_213, place, other, c)
        } else if memory == Some(b) && dies(self, c) && b != a {
            (ops::FMA_231, c, a, b)
        } else if memory == Some(b) && dies(self, a) {
            (ops::FMA_132, a, c, b)
        } else if memory.is_none() && dies(self, c) {
            (ops::FMA_231, c, a, b)
        } else if memory.is_none() && (dies(self, a) || dies(self, b)) {
            let (place, other) = if dies(self, a) { (a, b) } else { (b, a) };
            (ops::FMA_213, place, other, c)
        } else {
            // A copy of the one in memory, or of the summand.
            let new = self.take();
            let from = last.unwrap_or_else(|| Last::Register(register(self, c)));
            let op = if let Last::Memory(memory) = from { load_op(memory) } else { ops::MOVE };
            self.vector(op, Reg::Own(new), None, from, None);
            let (op, second, third) = match memory == Some(b) && b != c {
                true => (ops::FMA_213, register(self, a), register(self, c)),
                false => (ops::FMA_231, register(self, a), register(self, b)),
            };
            self.end_uses(at, inst);
            let to = self.define_in(inst.to.expect("a result"), new);
            self.vector(op, Reg::Own(to), Some(second), Last::Register(third), None);
            return;
        };
        let (to, second) = (register(self, place), register(self, second));
        let last = if memory == Some(third) { last.expect("its home") } else { Last::Register(register(self, third)) };
        self.end_uses(at, inst);
        let Reg::Own(to) = to else { unreachable!("a register of its own") };
        let to = self.define_in(inst.to.expect("a result"), to);
        self.vector(op, Reg::Own(to), Some(second), last, None);
    }

    fn in_register(&self, arg: Arg) -> bool {
        match arg {
            Arg::Value(v) => self.register[v.index()].is_some(),
            _ => true,
        }
    }

    /// An operand in a register.
    fn read(&mut self, arg: Arg) -> Option<Reg> {
        match arg {
            Arg::Value(v) => Some(Reg::Own(self.load(v))),
            Arg::Lanes(fold) => Some(Reg::Lanes(fold)),
            Arg::None | Arg::Bytes(_) => None,
        }
    }

    /// The last operand, which may be in memory: it stays there if it is not worth a register.
    fn last(&mut self, arg: Arg, op: Op) -> Last {
        match arg {
            Arg::Value(v) if self.register[v.index()].is_none() => {
                let home = self.homes[v.index()].expect("a value is somewhere");
                let only = op == ops::BROADCAST || self.uses[v.index()].len() == 1;
                if only || !matches!(home, Memory::Elements(..) | Memory::Frame(_) | Memory::Stage(_)) {
                    return Last::Memory(home);
                }
                Last::Register(Reg::Own(self.load(v)))
            }
            Arg::Value(v) if op == ops::BROADCAST => Last::Memory(self.homes[v.index()].expect("a constant has a home")),
            Arg::Bytes(pointer) => Last::Bytes(pointer),
            arg => Last::Register(self.read(arg).expect("an operand")),
        }
    }

    /// The register of a value.
    fn load(&mut self, v: Value) -> u8 {
        if let Some(register) = self.register[v.index()] {
            self.pinned[0] |= 1 << register;
            return register;
        }
        let home = self.homes[v.index()].expect("a value is somewhere");
        let register = self.take();
        self.vector(load_op(home), Reg::Own(register), None, Last::Memory(home), None);
        self.define_in(v, register)
    }

    fn mask(&mut self, v: Value) -> u8 {
        let register = self.register[v.index()].expect("masks stay in registers");
        self.pinned[1] |= 1 << register;
        register
    }

    fn mask_of(&mut self, inst: &Inst) -> u8 {
        inst.mask.map_or(0, |mask| self.mask(mask))
    }

    /// Values that are not used any more leave their registers.
    fn end_uses(&mut self, at: u32, inst: &Inst) {
        for v in inst.operands() {
            let uses = &mut self.uses[v.index()];
            if uses.last() == Some(&at) {
                uses.pop();
            }
            if uses.is_empty() {
                self.leave(v);
                if let (Some(Memory::Frame(slot)), None) = (self.homes[v.index()], self.body.values[v.index()].1) {
                    self.homes[v.index()] = None;
                    self.free.push(slot);
                }
            }
        }
    }

    fn leave(&mut self, v: Value) {
        if let Some(register) = self.register[v.index()].take() {
            let list = if self.body.values[v.index()].0 { &mut self.masks[..] } else { &mut self.vectors[..] };
            list[register as usize] = None;
        }
    }

    /// A register that nothing is in, until it is defined or the instruction ends.
    fn take(&mut self) -> u8 {
        let is_pinned = |pinned: u32, r: usize| pinned >> r & 1 == 1;
        let free = (0..self.vectors.len()).find(|&r| self.vectors[r].is_none() && !is_pinned(self.pinned[0], r));
        let register = free.unwrap_or_else(|| {
            let next_use = |&r: &usize| {
                let v = self.vectors[r].expect("no register is free");
                let next = self.uses[v.index()].last().copied().unwrap_or(u32::MAX);
                // What has a home need not be saved.
                (self.homes[v.index()].is_some(), next)
            };
            let candidates = (0..self.vectors.len()).filter(|&r| !is_pinned(self.pinned[0], r));
            let register = candidates.max_by_key(next_use).expect("instructions have few operands");
            let v = self.vectors[register].expect("no register is free");
            self.save(v, register as u8);
            self.leave(v);
            register
        });
        self.pinned[0] |= 1 << register;
        register as u8
    }

    /// Gives a value a home in memory.
    fn save(&mut self, v: Value, register: u8) {
        if self.homes[v.index()].is_some() {
            return;
        }
        let slot = self.free.pop().unwrap_or_else(|| {
            self.out.frame += 1;
            self.out.frame - 1
        });
        let home = Memory::Frame(slot);
        self.homes[v.index()] = Some(home);
        self.vector(ops::STORE, Reg::Own(register), None, Last::Memory(home), None);
    }

    fn take_mask(&mut self) -> Option<u8> {
        let free = MASKS.clone().find(|&r| self.masks[r as usize].is_none() && self.pinned[1] >> r & 1 == 0)?;
        self.pinned[1] |= 1 << free;
        Some(free)
    }

    /// A register for a result: operands that are used for the last time have left theirs.
    fn define(&mut self, v: Value) -> u8 {
        self.pinned[0] = 0;
        let register = self.take();
        self.define_in(v, register)
    }

    fn define_in(&mut self, v: Value, register: u8) -> u8 {
        self.vectors[register as usize] = Some(v);
        self.register[v.index()] = Some(register);
        self.pinned[0] |= 1 << register;
        if self.uses[v.index()].is_empty() {
            self.leave(v);
        }
        register
    }

    fn define_mask(&mut self, v: Value) -> Option<u8> {
        self.pinned[1] = 0;
        let register = self.take_mask()?;
        self.masks[register as usize] = Some(v);
        self.register[v.index()] = Some(register);
        if self.uses[v.index()].is_empty() {
            self.leave(v);
        }
        Some(register)
    }
}

/// The instruction that loads from a home.
pub fn load_op(home: Memory) -> Op {
    match home {
        Memory::Elements(..) | Memory::Frame(_) | Memory::Stage(_) => ops::LOAD,
        Memory::Constant(_) | Memory::Input(_) | Memory::Element(_) => ops::BROADCAST,
    }
}
