//! Straight-line code over vectors of eight elements, before it has registers.
//!
//! A value is a vector of words or, if it is boolean, a mask. It is computed by an instruction, or has a home in memory, from where
//! it is loaded whenever it is needed.

use super::opcodes::{self as ops, Op, compare};
use gradus_ir::elementary::Machine;
use gradus_ir::{Prim, eval};
use rustc_hash::FxHashMap;

/// A vector or a mask.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Value(pub u32);

impl Value {
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// Where a vector lies.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Memory {
    /// A word for all lanes.
    Constant(u64),
    /// A scalar input, for all lanes.
    Input(u32),
    /// The element at a pointer, for all lanes.
    Element(u32),
    /// The elements from a pointer on, so many vectors ahead.
    Elements(u32, u8),
    /// A vector of the frame.
    Frame(u32),
    /// A vector of the frame, one for each of those that are taken together.
    Stage(u32),
}

/// What an instruction reads.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Arg {
    None,
    Value(Value),
    /// The lanes of a reduction, as they are so far.
    Lanes(u32),
    /// Bytes from a pointer on, which are no vector.
    Bytes(u32),
}

/// How an instruction works.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Form {
    /// `to = a op b`, or `to = op b`. Only lanes of the mask are written; those that are not are 0 if `zero` says so.
    Vector { zero: bool },
    /// A shift of `b`, with the digit of its opcode.
    Shift(u8),
    /// `to = a·b + c`.
    MulAdd,
    /// `to = a op b` on masks.
    Mask,
    /// The elements of a stride from a pointer on.
    Gather { pointer: u32, stride: i32 },
    /// A value that is put together of parts, by its number.
    Joined(u32),
    /// A function of the elements of `a`, `b` and `c`, element by element, where the mask is not set; elsewhere `onto`.
    Call { prim: Prim, onto: Option<Value> },
    /// Lanes of a reduction joined with `b`, or `b` itself.
    Join { fold: u32 },
    /// Writes `b` to the frame.
    Keep(Memory),
    /// Writes `b` from a pointer on.
    Store { pointer: u32 },
    /// Writes a mask as booleans.
    StoreMask { pointer: u32 },
}

/// An instruction.
#[derive(Clone, Copy, Debug)]
pub struct Inst {
    pub form: Form,
    pub op: Op,
    pub immediate: Option<u8>,
    pub args: [Arg; 3],
    pub mask: Option<Value>,
    pub to: Option<Value>,
    /// How many vectors ahead it works.
    pub ahead: u8,
}

/// Code for one vector.
#[derive(Default)]
pub struct Body {
    pub insts: Vec<Inst>,
    /// Of each value whether it is a mask, and its home.
    pub values: Vec<(bool, Option<Memory>)>,
    homes: FxHashMap<Memory, Value>,
    /// Of values that are those of floats of 32 bits, these floats.
    narrowed: FxHashMap<Value, Value>,
}

impl Body {
    fn value(&mut self, is_mask: bool, home: Option<Memory>) -> Value {
        self.values.push((is_mask, home));
        Value(self.values.len() as u32 - 1)
    }

    /// The value of a home.
    pub fn at(&mut self, home: Memory) -> Value {
        if let Some(&value) = self.homes.get(&home) {
            return value;
        }
        let value = self.value(false, Some(home));
        self.homes.insert(home, value);
        value
    }

    pub fn constant(&mut self, word: u64) -> Value {
        self.at(Memory::Constant(word))
    }

    fn inst(&mut self, inst: Inst, is_mask: bool) -> Value {
        let to = self.value(is_mask, None);
        self.insts.push(Inst { to: Some(to), ..inst });
        to
    }

    fn plain(form: Form, op: Op, args: [Arg; 3]) -> Inst {
        Inst { form, op, immediate: None, args, mask: None, to: None, ahead: 0 }
    }

    pub fn two(&mut self, op: Op, a: Value, b: Value) -> Value {
        self.inst(Body::plain(Form::Vector { zero: false }, op, [Arg::Value(a), Arg::Value(b), Arg::None]), false)
    }

    pub fn one(&mut self, op: Op, b: Value) -> Value {
        self.inst(Body::plain(Form::Vector { zero: false }, op, [Arg::None, Arg::Value(b), Arg::None]), false)
    }

    /// Rounded to an integer, as the number says.
    pub fn round(&mut self, how: u8, b: Value) -> Value {
        let inst = Body::plain(Form::Vector { zero: false }, ops::ROUND, [Arg::None, Arg::Value(b), Arg::None]);
        self.inst(Inst { immediate: Some(how), ..inst }, false)
    }

    fn shift(&mut self, (op, digit): (Op, u8), b: Value, by: u32) -> Value {
        let inst = Body::plain(Form::Shift(digit), op, [Arg::None, Arg::Value(b), Arg::None]);
        self.inst(Inst { immediate: Some(by as u8), ..inst }, false)
    }

    /// Where a comparison holds, of those lanes that are in the mask.
    pub fn compare(&mut self, op: Op, kind: u8, a: Value, b: Value, mask: Option<Value>) -> Value {
        let inst = Body::plain(Form::Vector { zero: false }, op, [Arg::Value(a), Arg::Value(b), Arg::None]);
        let immediate = if op == ops::TEST { None } else { Some(kind) };
        self.inst(Inst { immediate, mask, ..inst }, true)
    }

    /// `a` where the mask is set, else `b`.
    pub fn select(&mut self, mask: Value, a: Value, b: Value) -> Value {
        self.blend(ops::BLEND, mask, a, b)
    }

    /// The same by an instruction.
    pub fn blend(&mut self, op: Op, mask: Value, a: Value, b: Value) -> Value {
        let inst = Body::plain(Form::Vector { zero: false }, op, [Arg::Value(b), Arg::Value(a), Arg::None]);
        self.inst(Inst { mask: Some(mask), ..inst }, false)
    }

    /// `a` where the mask is set, else 0; a value with a home.
    pub fn spread(&mut self, mask: Value, a: Value) -> Value {
        let inst = Body::plain(Form::Vector { zero: true }, ops::BROADCAST, [Arg::None, Arg::Value(a), Arg::None]);
        self.inst(Inst { mask: Some(mask), ..inst }, false)
    }

    /// Two masks, or one twice.
    pub fn masks(&mut self, op: Op, a: Value, b: Value) -> Value {
        self.inst(Body::plain(Form::Mask, op, [Arg::Value(a), Arg::Value(b), Arg::None]), true)
    }

    pub fn mask_not(&mut self, b: Value) -> Value {
        self.inst(Body::plain(Form::Mask, ops::MASK_NOT, [Arg::None, Arg::Value(b), Arg::None]), true)
    }

    /// The elements of a stride from a pointer on.
    pub fn gather(&mut self, op: Op, pointer: u32, stride: i32) -> Value {
        self.inst(Body::plain(Form::Gather { pointer, stride }, op, [Arg::None; 3]), false)
    }

    /// Floats of 32 bits from a pointer on, widened.
    pub fn load_narrow(&mut self, pointer: u32) -> Value {
        let elements = [Arg::None, Arg::Bytes(pointer), Arg::None];
        let wide = self.inst(Body::plain(Form::Vector { zero: false }, ops::WIDEN, elements), false);
        let narrow = self.inst(Body::plain(Form::Vector { zero: false }, ops::LOAD_NARROW, elements), false);
        self.same(wide, narrow);
        wide
    }

    /// The float of 32 bits at a home, for all lanes, widened.
    pub fn spread_narrow(&mut self, home: Memory) -> Value {
        let element = self.at(home);
        let (wide, narrow) = (self.one(ops::WIDEN, element), self.one(ops::BROADCAST_NARROW, element));
        self.same(wide, narrow);
        wide
    }

    /// Rounded to floats of 32 bits, and widened.
    pub fn rounded(&mut self, b: Value) -> Value {
        if let Some(Memory::Constant(word)) = self.values[b.index()].1 {
            return self.constant(eval::narrow(f64::from_bits(word)).to_bits());
        }
        let narrow = self.one(ops::NARROW, b);
        self.widened(narrow)
    }

    /// Floats of 32 bits as floats of 64.
    pub fn widened(&mut self, narrow: Value) -> Value {
        let wide = self.one(ops::WIDEN, narrow);
        self.same(wide, narrow);
        wide
    }

    /// Says that a value is another one, widened.
    pub fn same(&mut self, wide: Value, narrow: Value) {
        self.narrowed.insert(wide, narrow);
    }

    /// The floats of 32 bits that a value is the values of.
    pub fn narrow(&mut self, wide: Value) -> Value {
        if let Some(&narrow) = self.narrowed.get(&wide) {
            return narrow;
        }
        let narrow = match self.values[wide.index()].1 {
            Some(Memory::Constant(word)) => self.single((f64::from_bits(word) as f32).to_bits()),
            _ => self.one(ops::NARROW, wide),
        };
        self.same(wide, narrow);
        narrow
    }

    /// A constant of 32 bits.
    pub fn single(&mut self, bits: u32) -> Value {
        self.constant(u64::from(bits) << 32 | u64::from(bits))
    }

    /// A value that is put together of parts.
    pub fn joined(&mut self, number: u32) -> Value {
        self.inst(Body::plain(Form::Joined(number), ops::LOAD, [Arg::None; 3]), false)
    }

    /// Booleans from a pointer on.
    pub fn load_mask(&mut self, pointer: u32) -> Value {
        let bytes = [Arg::None, Arg::Bytes(pointer), Arg::None];
        let words = self.inst(Body::plain(Form::Vector { zero: false }, ops::LOAD_BYTES, bytes), false);
        self.compare(ops::TEST, 0, words, words, None)
    }

    /// A primitive, element by element: where the mask is not set, while it is `onto` elsewhere.
    pub fn call(&mut self, prim: Prim, args: &[Value], onto: Option<(Value, Value)>) -> Value {
        let arg = |i: usize| args.get(i).map_or(Arg::None, |&v| Arg::Value(v));
        let (onto, mask) = onto.unzip();
        let inst = Body::plain(Form::Call { prim, onto }, ops::MOVE, [arg(0), arg(1), arg(2)]);
        self.inst(Inst { mask, ..inst }, false)
    }

    /// Joins a value to the lanes of a reduction; by [`ops::MOVE`], puts it there.
    pub fn join(&mut self, fold: u32, op: Op, b: Value) {
        let a = if op == ops::MOVE { Arg::None } else { Arg::Lanes(fold) };
        self.insts.push(Body::plain(Form::Join { fold }, op, [a, Arg::Value(b), Arg::None]));
    }

    /// `b op lanes`.
    pub fn with_lanes(&mut self, op: Op, b: Value, fold: u32) -> Value {
        self.inst(Body::plain(Form::Vector { zero: false }, op, [Arg::Value(b), Arg::Lanes(fold), Arg::None]), false)
    }

    /// Writes a value to the frame.
    pub fn keep(&mut self, home: Memory, value: Value) {
        let args = [Arg::None, Arg::Value(value), Arg::None];
        self.insts.push(Body::plain(Form::Keep(home), ops::STORE, args));
    }

    /// Writes a value from a pointer on, as floats of 32 bits.
    pub fn store_narrow(&mut self, pointer: u32, value: Value) {
        let narrow = self.narrow(value);
        let args = [Arg::None, Arg::Value(narrow), Arg::None];
        self.insts.push(Body::plain(Form::Store { pointer }, ops::STORE_NARROW, args));
    }

    /// Writes a value from a pointer on.
    pub fn store(&mut self, pointer: u32, value: Value) {
        let is_mask = self.values[value.index()].0;
        let (form, op) = match is_mask {
            true => (Form::StoreMask { pointer }, ops::STORE_BYTES),
            false => (Form::Store { pointer }, ops::STORE),
        };
        self.insts.push(Body::plain(form, op, [Arg::None, Arg::Value(value), Arg::None]));
    }

    /// The greater or the lesser, as NumPy has it: a NaN if there is one, and the first of equals.
    pub fn extreme(&mut self, op: Op, a: Value, b: Value) -> Value {
        // The instruction gives the second operand if one is a NaN, or if they are equal.
        let value = self.two(op, b, a);
        let unordered = self.compare(ops::COMPARE, compare::UNORDERED, b, b, None);
        self.select(unordered, b, value)
    }
}

impl Body {
    /// Code for two vectors at once, whose instructions alternate: one waits while the other works.
    pub fn pair(&self) -> Body {
        let mut pair = Body::default();
        let mut copies = [const { Vec::new() }; 2];
        for &(is_mask, home) in &self.values {
            let first = pair.value(is_mask, home);
            copies[0].push(first);
            copies[1].push(match home {
                Some(Memory::Elements(pointer, _)) => pair.value(is_mask, Some(Memory::Elements(pointer, 1))),
                Some(_) => first,
                None => pair.value(is_mask, None),
            });
        }
        for inst in &self.insts {
            for (ahead, values) in (0..).zip(&copies) {
                let copy = |v: Value| values[v.index()];
                let args = inst.args.map(|arg| if let Arg::Value(v) = arg { Arg::Value(copy(v)) } else { arg });
                let form = match inst.form {
                    Form::Call { prim, onto } => Form::Call { prim, onto: onto.map(copy) },
                    form => form,
                };
                pair.insts.push(Inst { form, args, mask: inst.mask.map(copy), to: inst.to.map(copy), ahead, ..*inst });
            }
        }
        pair
    }
}

impl Inst {
    /// The values that are read.
    pub fn operands(&self) -> impl Iterator<Item = Value> + use<> {
        let onto = if let Form::Call { onto, .. } = self.form { onto } else { None };
        let args = self.args.into_iter().filter_map(|arg| if let Arg::Value(v) = arg { Some(v) } else { None });
        args.chain(self.mask).chain(onto)
    }
}

/// Formulas become instructions on vectors.
impl Machine for Body {
    type Real = Value;
    type Word = Value;

    fn real(&mut self, v: f64) -> Value {
        self.constant(v.to_bits())
    }
    fn add(&mut self, a: Value, b: Value) -> Value {
        self.two(ops::ADD, a, b)
    }
    fn sub(&mut self, a: Value, b: Value) -> Value {
        self.two(ops::SUB, a, b)
    }
    fn mul(&mut self, a: Value, b: Value) -> Value {
        self.two(ops::MUL, a, b)
    }
    fn div(&mut self, a: Value, b: Value) -> Value {
        self.two(ops::DIV, a, b)
    }
    fn mul_add(&mut self, a: Value, b: Value, c: Value) -> Value {
        let args = [a, b, c].map(Arg::Value);
        self.inst(Body::plain(Form::MulAdd, ops::FMA_231, args), false)
    }
    fn bits(&mut self, a: Value) -> Value {
        a
    }
    fn float(&mut self, a: Value) -> Value {
        a
    }
    fn convert(&mut self, a: Value) -> Value {
        self.one(ops::INT_TO_FLOAT, a)
    }
    fn word(&mut self, v: u64) -> Value {
        self.constant(v)
    }
    fn word_add(&mut self, a: Value, b: Value) -> Value {
        self.two(ops::INT_ADD, a, b)
    }
    fn word_sub(&mut self, a: Value, b: Value) -> Value {
        self.two(ops::INT_SUB, a, b)
    }
    fn and(&mut self, a: Value, b: Value) -> Value {
        self.two(ops::AND, a, b)
    }
    fn xor(&mut self, a: Value, b: Value) -> Value {
        self.two(ops::XOR, a, b)
    }
    fn shl(&mut self, a: Value, by: u32) -> Value {
        self.shift(ops::SHIFT_LEFT, a, by)
    }
    fn sar(&mut self, a: Value, by: u32) -> Value {
        self.shift(ops::SHIFT_RIGHT, a, by)
    }
}
