//! The instructions that kernels are made of.

/// The first bytes of an opcode.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Map {
    M0F = 1,
    M0F38 = 2,
    M0F3A = 3,
}

/// The prefix that an opcode had before there were vectors.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Prefix {
    Bare = 0,
    P66 = 1,
    F3 = 2,
    F2 = 3,
}

/// An instruction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Op {
    pub map: Map,
    pub prefix: Prefix,
    pub code: u8,
    /// W: whether elements have 64 bits.
    pub wide: bool,
    /// Of vectors: 0, 1 or 2 for 128, 256 or 512 bits.
    pub length: u8,
    /// How many bytes it takes of memory.
    pub bytes: u8,
    /// Whether its operands may be exchanged.
    pub commutes: bool,
}

/// An instruction on vectors of eight words.
const fn vector(map: Map, prefix: Prefix, code: u8) -> Op {
    Op { map, prefix, code, wide: true, length: 2, bytes: 64, commutes: false }
}

impl Op {
    const fn commuting(self) -> Op {
        Op { commutes: true, ..self }
    }

    /// On elements that are not words, and so many bytes of memory.
    const fn narrow(self, length: u8, bytes: u8) -> Op {
        Op { wide: false, length, bytes, ..self }
    }

    /// The same on eight floats of 32 bits, of instructions on floats of 64.
    pub const fn single(self) -> Op {
        let prefix = if matches!(self.map, M0F) { Bare } else { self.prefix };
        Op { prefix, ..self.narrow(1, 32) }
    }

    const fn scalar(self) -> Op {
        Op { length: 0, bytes: 8, ..self }
    }
}

use Map::{M0F, M0F3A, M0F38};
use Prefix::{Bare, F2, F3, P66};

pub const LOAD: Op = vector(M0F, P66, 0x10);
pub const STORE: Op = vector(M0F, P66, 0x11);
pub const MOVE: Op = vector(M0F, P66, 0x28);
pub const BROADCAST: Op = vector(M0F38, P66, 0x19).scalar_memory();
pub const STORE_ONE: Op = vector(M0F, F2, 0x11).scalar();
pub const STORE_ONE_NARROW: Op = vector(M0F, F3, 0x11).narrow(0, 4);
pub const GATHER: Op = vector(M0F38, P66, 0x93).scalar_memory();

pub const ADD: Op = vector(M0F, P66, 0x58).commuting();
pub const MUL: Op = vector(M0F, P66, 0x59).commuting();
pub const SUB: Op = vector(M0F, P66, 0x5C);
pub const MIN: Op = vector(M0F, P66, 0x5D);
pub const DIV: Op = vector(M0F, P66, 0x5E);
pub const MAX: Op = vector(M0F, P66, 0x5F);
pub const SQRT: Op = vector(M0F, P66, 0x51);
pub const ROUND: Op = vector(M0F3A, P66, 0x09);
/// The first factor is where the result goes, the second the last operand.
pub const FMA_132: Op = vector(M0F38, P66, 0x98);
/// The factors are where the result goes, and the second operand.
pub const FMA_213: Op = vector(M0F38, P66, 0xA8);
/// The factors are the second and the last operand.
pub const FMA_231: Op = vector(M0F38, P66, 0xB8);

pub const AND: Op = vector(M0F, P66, 0x54).commuting();
pub const OR: Op = vector(M0F, P66, 0x56).commuting();
pub const XOR: Op = vector(M0F, P66, 0x57).commuting();

pub const INT_ADD: Op = vector(M0F, P66, 0xD4).commuting();
pub const INT_SUB: Op = vector(M0F, P66, 0xFB);
pub const INT_MUL: Op = vector(M0F38, P66, 0x40).commuting();
pub const INT_MIN: Op = vector(M0F38, P66, 0x39).commuting();
pub const INT_MAX: Op = vector(M0F38, P66, 0x3D).commuting();
pub const INT_ABS: Op = vector(M0F38, P66, 0x1F);
/// Shifts by a number; with the digit of the opcode.
pub const SHIFT_LEFT: (Op, u8) = (vector(M0F, P66, 0x73), 6);
pub const SHIFT_RIGHT: (Op, u8) = (vector(M0F, P66, 0x72), 4);
pub const INT_TO_FLOAT: Op = vector(M0F, F3, 0xE6);
pub const FLOAT_TO_INT: Op = vector(M0F, P66, 0x7A);

/// Eight floats of 32 bits as floats of 64 bits.
pub const WIDEN: Op = vector(M0F, Bare, 0x5A).narrow(2, 32);
/// Eight floats of 64 bits as floats of 32 bits, in the lower half.
pub const NARROW: Op = vector(M0F, P66, 0x5A);
pub const LOAD_NARROW: Op = vector(M0F, Bare, 0x10).narrow(1, 32);
pub const STORE_NARROW: Op = vector(M0F, Bare, 0x11).narrow(1, 32);
pub const BROADCAST_NARROW: Op = vector(M0F38, P66, 0x18).narrow(1, 4);
pub const GATHER_NARROW: Op = vector(M0F38, P66, 0x93).narrow(2, 4);

/// Comparisons, whose result is a mask.
pub const COMPARE: Op = vector(M0F, P66, 0xC2);
pub const INT_COMPARE: Op = vector(M0F3A, P66, 0x1F);
/// Which words have a bit in common.
pub const TEST: Op = vector(M0F38, P66, 0x27);
/// The last operand where the mask is set, else the second.
pub const BLEND: Op = vector(M0F38, P66, 0x65);

/// Moves pairs of words as a number says.
pub const SHUFFLE_PAIRS: Op = vector(M0F3A, P66, 0x23);
/// Moves words within pairs as a number says.
pub const SHUFFLE_WORDS: Op = vector(M0F3A, P66, 0x05);

/// Eight bytes, each as a word.
pub const LOAD_BYTES: Op = vector(M0F38, P66, 0x32).narrow(2, 8);
/// Sixteen bytes, of which those are moved that the mask says.
pub const MOVE_BYTES: Op = vector(M0F, F2, 0x6F).narrow(0, 16);
pub const STORE_BYTES: Op = vector(M0F, F2, 0x7F).narrow(0, 16);
/// Eight bytes.
pub const STORE_EIGHT: Op = vector(M0F, P66, 0xD6).scalar();

impl Op {
    /// A vector of which one word comes from memory.
    const fn scalar_memory(self) -> Op {
        Op { bytes: 8, ..self }
    }

    /// Whether the result is a mask.
    pub const fn gives_mask(self) -> bool {
        matches!((self.map, self.code), (M0F, 0xC2) | (M0F3A, 0x1F) | (M0F38, 0x27))
    }

    /// An instruction on masks of eight bits.
    const fn of_masks(prefix: Prefix, code: u8, length: u8) -> Op {
        Op { map: M0F, prefix, code, wide: false, length, bytes: 1, commutes: false }
    }
}

pub const MASK_AND: Op = Op::of_masks(P66, 0x41, 1);
pub const MASK_NOT: Op = Op::of_masks(P66, 0x44, 0);
pub const MASK_OR: Op = Op::of_masks(P66, 0x45, 1);
pub const MASK_XNOR: Op = Op::of_masks(P66, 0x46, 1);
pub const MASK_XOR: Op = Op::of_masks(P66, 0x47, 1);
pub const MASK_AND_NOT: Op = Op::of_masks(P66, 0x42, 1);
/// Whether all bits of both are set is the carry.
pub const MASK_TEST: Op = Op::of_masks(P66, 0x98, 0);
pub const MASK_FROM_GENERAL: Op = Op::of_masks(P66, 0x92, 0);
pub const MASK_TO_GENERAL: Op = Op::of_masks(P66, 0x93, 0);

/// Kinds of comparisons.
pub mod compare {
    pub const EQ: u8 = 0;
    pub const LT: u8 = 1;
    pub const LE: u8 = 2;
    pub const UNORDERED: u8 = 3;
    pub const NE: u8 = 4;
    /// Of integers, and of floats if neither is a NaN.
    pub const GE: u8 = 13;
    pub const GT: u8 = 14;
    pub const INT_GE: u8 = 5;
    pub const INT_GT: u8 = 6;
}
