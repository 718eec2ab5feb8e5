//! The loops around a body: over the axes of the iteration space, over the vectors of a row, and what is left at its end.
//!
//! ```text
//! for each outer axis          pointers move by their strides
//!   lanes = identity           of each reduction of rows
//!   for each block             of 4096 elements, if there are more
//!     for each group           of vectors: the body, once for each
//!     the body for the vectors that are left, and for the elements that are left, masked
//!     lanes are joined
//! ```
//!
//! All extents are numbers in the code.

use super::allocate::Allocated;
use super::body::Memory;
use super::calls::Stub;
use super::encode::{Address, Base, Code, Condition, Gpr, Instruction, Operand, RAX, RBP, RBX, RCX, RDI, RDX, RSI, RSP};
use super::opcodes::{self as ops, Op, compare};
use super::stages::TOGETHER;
use crate::kernels::reduce::{BLOCK, LANES, Reduction};
use gradus_ir::DType;
use std::ops::Range;

/// How many elements a vector has.
pub const VECTOR: usize = 8;

/// Registers that pointers are kept in; that of the outputs is read last.
pub const POINTERS: [Gpr; 11] = [Gpr(8), Gpr(9), Gpr(10), Gpr(11), RDX, RBX, Gpr(12), Gpr(13), Gpr(14), Gpr(15), RSI];

/// Those of them that belong to the caller.
const SAVED: [Gpr; 5] = [RBX, Gpr(12), Gpr(13), Gpr(14), Gpr(15)];

/// The mask of the elements that are left at the end of a row, and that of the others.
pub const TAIL: u8 = 1;
pub const BEHIND: u8 = 0;

/// What moves through an array.
#[derive(Clone, Debug)]
pub struct Pointer {
    pub input: bool,
    /// The number of the input or output.
    pub number: u32,
    /// Where it starts, and how far it moves along each outer axis, in bytes.
    pub offset: i32,
    pub steps: Vec<i64>,
}

/// A reduction of rows.
#[derive(Clone, Copy, Debug)]
pub struct RowFold {
    pub by: Reduction,
    pub dtype: DType,
    pub identity: u64,
    pub pointer: u32,
    /// Whether several rows come to one element of the output.
    pub joined: bool,
    /// If results are rounded to floats of 32 bits, the type that they are stored as.
    pub rounded: Option<DType>,
}

/// A part of a value: where it is, were it there at all points.
#[derive(Clone, Debug)]
pub struct Part {
    pub points: Range<usize>,
    pub memory: Memory,
}

/// What code is made of.
pub struct Nest<'a> {
    pub outer: &'a [usize],
    pub inner: usize,
    pub pointers: &'a [Pointer],
    /// What is computed once, and the vectors of the frame for it.
    pub prologue: &'a Allocated,
    pub body: &'a Allocated,
    /// The body for two vectors at once, if that is better.
    pub pair: Option<&'a Allocated>,
    /// The body in stages, if that is better, and how many values wait between them.
    pub stages: &'a [Allocated],
    pub waiting: u32,
    pub folds: &'a [RowFold],
    /// The values that are put together of parts. Then the code of a row has no loop.
    pub joined: &'a [Vec<Part>],
}

/// Where in a row the body is.
#[derive(Clone, Copy)]
pub struct At {
    /// Whether the first element is in a register, or 0.
    pub indexed: bool,
    /// Vectors from there on.
    pub vectors: i32,
    /// The part of the lanes that the vector joins.
    pub part: u8,
    pub tail: bool,
}

impl At {
    /// The place so many vectors ahead.
    pub fn ahead(self, vectors: u8) -> At {
        At { vectors: self.vectors + i32::from(vectors), part: self.part + vectors, ..self }
    }
}

/// The parts of the frame, in bytes from its start: operands and result of a call, vectors that wait between stages, other vectors,
/// saved registers, words.
pub struct Frame {
    pub stages: i32,
    pub vectors: i32,
    pub saved: i32,
    pub words: i32,
}

/// Code in the making.
pub struct Emitter<'a> {
    pub nest: &'a Nest<'a>,
    pub code: Code,
    pub frame: Frame,
    pub stubs: Vec<Stub>,
}

/// The bytes of a vector.
pub const BYTES: i32 = 64;

/// Words of the frame.
const STACK: i32 = 0;
pub const HELPER: i32 = 8;
pub const SET: i32 = 16;
pub const MASKS: i32 = 24;
const FIRST_WORD: i32 = MASKS + 64;

/// The most bytes of a frame, and of code.
const MOST_FRAME: i32 = 16 << 10;
const MOST_CODE: usize = 64 << 10;

/// The register of a part of the lanes of a reduction.
pub fn lanes(fold: u32, part: u8) -> u8 {
    31 - 4 * fold as u8 - part
}

/// The code of a nest: a function of the addresses of inputs and outputs. None if it would be too large.
pub fn emit(nest: &Nest<'_>) -> Option<Vec<u8>> {
    let calls = nest.body.calls || nest.prologue.calls;
    let stages = 4 * BYTES;
    let vectors = stages + BYTES * (TOGETHER as u32 * nest.waiting) as i32;
    let saved = vectors
        + BYTES
            * [nest.body, nest.prologue].into_iter().chain(nest.pair).chain(nest.stages).map(|body| body.frame).max().unwrap_or(0)
                as i32;
    let totals = BYTES * nest.folds.len() as i32;
    let words = saved + if calls { 32 * BYTES } else { 0 } + totals;
    let size = words + FIRST_WORD + 8 * (nest.outer.len() + nest.pointers.len()) as i32;
    if size > MOST_FRAME {
        return None;
    }
    let frame = Frame { stages, vectors, saved, words };
    let mut emitter = Emitter { nest, code: Code::default(), frame, stubs: Vec::new() };
    emitter.function(size)?;
    (emitter.code.len() <= MOST_CODE).then(|| emitter.code.finish())
}

impl Emitter<'_> {
    fn function(&mut self, size: i32) -> Option<()> {
        let nest = self.nest;
        let saved = SAVED.iter().filter(|r| POINTERS.iter().take(nest.pointers.len()).any(|p| p == *r));
        self.code.push(RBP);
        saved.clone().for_each(|&r| self.code.push(r));
        self.code.copy(RAX, RSP);
        self.code.and(RSP, -64);
        self.code.add(RSP, -((size + 63) & !63));
        self.code.copy(RBP, RSP);
        self.code.store(self.word(STACK), RAX);

        for (i, pointer) in nest.pointers.iter().enumerate() {
            let from = Address::at(if pointer.input { RDI } else { RSI }, 8 * pointer.number as i32);
            let to = POINTERS.get(i).copied().filter(|&r| r != RSI).unwrap_or(RAX);
            self.code.load(to, from);
            if pointer.offset != 0 {
                self.code.add(to, pointer.offset);
            }
            if to == RAX {
                self.code.store(self.pointer_word(i), RAX);
            }
        }
        if nest.pointers.len() >= POINTERS.len() {
            self.code.load(RSI, self.pointer_word(POINTERS.len() - 1));
        }
        let start = At { indexed: false, vectors: 0, part: 0, tail: false };
        self.steps(nest.prologue, start);
        let tail = nest.inner % VECTOR;
        if tail != 0 {
            self.code.number(RAX, (1 << tail) - 1);
            self.code.mask(ops::MASK_FROM_GENERAL, TAIL, 0, RAX.0);
            self.code.mask(ops::MASK_NOT, BEHIND, 0, TAIL);
        }

        let mut loops = Vec::new();
        for (axis, &extent) in nest.outer.iter().enumerate() {
            self.code.store_number(self.counter(axis), i32::try_from(extent).ok()?);
            let label = self.code.label();
            self.code.bind(label);
            loops.push(label);
        }
        self.row()?;
        for (axis, label) in loops.into_iter().enumerate().rev() {
            for (i, pointer) in nest.pointers.iter().enumerate() {
                // Back to where the axis inside of this one started.
                let inside = nest.outer.get(axis + 1).map_or(0, |&extent| extent as i64 * pointer.steps[axis + 1]);
                let step = i32::try_from(pointer.steps[axis] - inside).ok()?;
                if step != 0 {
                    let place = match POINTERS.get(i) {
                        Some(r) => Operand::Register(r.0),
                        None => Operand::Memory(self.pointer_word(i)),
                    };
                    self.code.add_to(place, step);
                }
            }
            self.code.add_to(Operand::Memory(self.counter(axis)), -1);
            self.code.jump_if(Condition::NotZero, label);
        }

        self.code.load(RSP, self.word(STACK));
        saved.rev().for_each(|&r| self.code.pop(r));
        self.code.pop(RBP);
        self.code.zero_upper();
        self.code.ret();
        self.out_of_line();
        Some(())
    }

    /// One row.
    fn row(&mut self) -> Option<()> {
        let nest = self.nest;
        let n = nest.inner;
        let end = i32::try_from(n).ok()?;
        let steps = nest.body.steps.len();
        if nest.folds.is_empty() {
            let unroll = if nest.stages.is_empty() {
                (64 / steps.max(1)).clamp(if nest.pair.is_some() { 2 } else { 1 }, 4) & !usize::from(nest.pair.is_some())
            } else {
                TOGETHER
            };
            let vectors = n / VECTOR;
            let straight = vectors <= unroll || vectors <= 16 && vectors * steps <= 256 || !nest.joined.is_empty();
            let looped = if straight { 0 } else { vectors / unroll * unroll };
            if looped > 0 {
                self.code.number(RCX, 0);
                self.repeated(unroll, |code| {
                    code.compare(RCX, (looped * VECTOR) as i32);
                    Condition::Below
                });
            }
            self.rest(looped > 0, 0, vectors - looped);
            return Some(());
        }

        let (block, group) = (BLOCK, if nest.stages.is_empty() { LANES } else { TOGETHER * VECTOR });
        let (blocks, left) = (n / block, n % block);
        let alone = n <= block;
        let parts = n.div_ceil(VECTOR).min(4) as u8;
        self.clear(parts);
        if !alone {
            for fold in 0..nest.folds.len() as u32 {
                let identity = self.constant(nest.folds[fold as usize].identity);
                self.plain(ops::BROADCAST, 0, 0, identity);
                self.plain(ops::STORE, 0, 0, Operand::Memory(self.total(fold)));
            }
        }
        let groups = if nest.joined.is_empty() { left / group } else { 0 };
        let indexed = !alone || left == 0 || groups > 1;
        if indexed {
            self.code.number(RCX, 0);
        }
        if !alone || left == 0 {
            let label = self.code.label();
            self.code.bind(label);
            self.repeated(group / VECTOR, |code| {
                code.test(RCX, block as i32 - 1);
                Condition::NotZero
            });
            self.finish(parts, alone);
            if !alone {
                self.clear(parts);
                self.code.compare(RCX, (blocks * block) as i32);
                self.code.jump_if(Condition::Below, label);
            }
        }
        if left > 0 {
            match groups {
                0 => {}
                1 if !indexed => self.vectors(0..group / VECTOR, false),
                _ => self.repeated(group / VECTOR, |code| {
                    code.compare(RCX, end - end % group as i32);
                    Condition::Below
                }),
            }
            let done = if groups == 1 && !indexed { group / VECTOR } else { 0 };
            self.rest(indexed, done, (left - groups * group) / VECTOR);
            self.finish(parts, alone);
        }
        for fold in 0..nest.folds.len() as u32 {
            self.result(fold, alone);
        }
        Some(())
    }

    /// The body for so many vectors at a time, as long as the condition says.
    fn repeated(&mut self, unroll: usize, condition: impl Fn(&mut Code) -> Condition) {
        let label = self.code.label();
        self.code.bind(label);
        if self.nest.stages.is_empty() {
            self.vectors(0..unroll, true);
        }
        for stage in self.nest.stages {
            for number in 0..unroll {
                let at = At { indexed: true, vectors: number as i32, part: number as u8 % 4, tail: false };
                self.steps(stage, at);
            }
        }
        self.code.add(RCX, (unroll * VECTOR) as i32);
        let condition = condition(&mut self.code);
        self.code.jump_if(condition, label);
    }

    /// The body for vectors of these numbers.
    fn vectors(&mut self, mut numbers: Range<usize>, indexed: bool) {
        while let Some(number) = numbers.next() {
            let at = At { indexed, vectors: number as i32, part: number as u8 % 4, tail: false };
            match self.nest.pair {
                Some(pair) if number % 2 == 0 && numbers.next().is_some() => self.steps(pair, at),
                _ => self.steps(self.nest.body, at),
            }
        }
    }

    /// The body for so many vectors from a number on, and for what is left of a row after that.
    fn rest(&mut self, indexed: bool, from: usize, vectors: usize) {
        let end = from + vectors;
        self.vectors(from..end, indexed);
        if !self.nest.inner.is_multiple_of(VECTOR) {
            self.steps(self.nest.body, At { indexed, vectors: end as i32, part: end as u8 % 4, tail: true });
        }
    }

    /// All lanes become identities.
    fn clear(&mut self, parts: u8) {
        for (fold, identity) in (0..).zip(self.nest.folds.iter().map(|fold| fold.identity)) {
            let identity = self.constant(identity);
            (0..parts).for_each(|part| self.plain(ops::BROADCAST, lanes(fold, part), 0, identity));
        }
    }

    /// Joins the lanes of a block: the result is in the first, and joins those of the blocks before if it is not alone.
    fn finish(&mut self, parts: u8, alone: bool) {
        for fold in 0..self.nest.folds.len() as u32 {
            let first = lanes(fold, 0);
            for (to, from) in [(0, 2), (1, 3), (0, 1)] {
                if from < parts {
                    self.join(fold, lanes(fold, to), lanes(fold, from));
                }
            }
            for (op, how) in [(ops::SHUFFLE_PAIRS, 0x4E), (ops::SHUFFLE_PAIRS, 0xB1), (ops::SHUFFLE_WORDS, 0x55)] {
                let second = if op == ops::SHUFFLE_PAIRS { first } else { 0 };
                let last = Operand::Register(first);
                self.code.vector(&Instruction { op, reg: 1, second, last, mask: 0, zero: false, immediate: Some(how) });
                self.join(fold, first, 1);
            }
            if !alone {
                let total = Operand::Memory(self.total(fold));
                self.plain(ops::LOAD, 2, 0, total);
                self.join(fold, 2, first);
                self.plain(ops::STORE, 2, 0, total);
            }
        }
    }

    /// Writes the result of a row.
    fn result(&mut self, fold: u32, alone: bool) {
        let RowFold { pointer, joined, rounded, .. } = self.nest.folds[fold as usize];
        let mut result = lanes(fold, 0);
        if !alone {
            self.plain(ops::LOAD, 2, 0, Operand::Memory(self.total(fold)));
            result = 2;
        }
        let place = Address::at(self.pointer(pointer), 0);
        if joined {
            self.plain(ops::BROADCAST, 3, 0, Operand::Memory(place));
            self.join(fold, 3, result);
            result = 3;
        }
        if rounded.is_some() {
            self.plain(ops::NARROW, 3, 0, Operand::Register(result));
            result = 3;
        }
        match rounded {
            Some(DType::F32) => self.plain(ops::STORE_ONE_NARROW, result, 0, Operand::Memory(place)),
            Some(_) => {
                self.plain(ops::WIDEN, result, 0, Operand::Register(result));
                self.plain(ops::STORE_ONE, result, 0, Operand::Memory(place));
            }
            None => self.plain(ops::STORE_ONE, result, 0, Operand::Memory(place)),
        }
    }

    /// `a = a joined with b`, in registers. The lowest is free for it.
    fn join(&mut self, fold: u32, a: u8, b: u8) {
        let RowFold { by, dtype, .. } = self.nest.folds[fold as usize];
        let last = Operand::Register(b);
        match by_instruction(by, dtype) {
            Ok(op) => self.plain(op, a, a, last),
            Err(op) => {
                self.plain(op, 0, b, Operand::Register(a));
                let kind = Some(compare::UNORDERED);
                let compare = Instruction { op: ops::COMPARE, reg: 2, second: b, last, mask: 0, zero: false, immediate: kind };
                self.code.vector(&compare);
                let blend = Instruction { op: ops::BLEND, reg: a, second: 0, last, mask: 2, zero: false, immediate: None };
                self.code.vector(&blend);
            }
        }
    }

    pub fn plain(&mut self, op: Op, reg: u8, second: u8, last: Operand) {
        self.code.vector(&Instruction { op, reg, second, last, mask: 0, zero: false, immediate: None });
    }

    fn constant(&mut self, word: u64) -> Operand {
        Operand::Memory(Address { base: Base::Table(self.code.word(word)), index: None, offset: 0 })
    }

    pub fn word(&self, offset: i32) -> Address {
        Address::at(RBP, self.frame.words + offset)
    }

    fn counter(&self, axis: usize) -> Address {
        self.word(FIRST_WORD + 8 * axis as i32)
    }

    pub fn pointer_word(&self, pointer: usize) -> Address {
        self.word(FIRST_WORD + 8 * (self.nest.outer.len() + pointer) as i32)
    }

    fn total(&self, fold: u32) -> Address {
        Address::at(RBP, self.frame.words - BYTES * (fold as i32 + 1))
    }
}

/// The instruction that joins two values; an error with one that does it for numbers only.
pub fn by_instruction(by: Reduction, dtype: DType) -> Result<Op, Op> {
    match (by, dtype) {
        (Reduction::Sum, DType::F64) => Ok(ops::ADD),
        (Reduction::Sum, _) => Ok(ops::INT_ADD),
        (Reduction::Max, DType::F64) => Err(ops::MAX),
        (Reduction::Min, DType::F64) => Err(ops::MIN),
        (Reduction::Max, _) => Ok(ops::INT_MAX),
        (Reduction::Min, _) => Ok(ops::INT_MIN),
    }
}
