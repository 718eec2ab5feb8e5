//! x86-64 machine code: the encoding of instructions, labels, and a table of constants behind the code.
//!
//! The numbers are those of the manual (Intel, *Architectures Software Developer's Manual*, volume 2). Vector instructions have the
//! prefix EVEX, those of masks VEX.

use super::opcodes::{Map, Op};
use rustc_hash::FxHashMap;

/// A general register.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Gpr(pub u8);

pub const RAX: Gpr = Gpr(0);
pub const RCX: Gpr = Gpr(1);
pub const RDX: Gpr = Gpr(2);
pub const RBX: Gpr = Gpr(3);
pub const RSP: Gpr = Gpr(4);
pub const RBP: Gpr = Gpr(5);
pub const RSI: Gpr = Gpr(6);
pub const RDI: Gpr = Gpr(7);

/// A place in memory.
#[derive(Clone, Copy, Debug)]
pub struct Address {
    pub base: Base,
    /// A register and the power of two that it is multiplied by.
    pub index: Option<(u8, u8)>,
    pub offset: i32,
}

/// Where an address starts.
#[derive(Clone, Copy, Debug)]
pub enum Base {
    Register(Gpr),
    /// A word of the table of constants.
    Table(u32),
}

impl Address {
    /// So many bytes after where a register points.
    pub fn at(base: Gpr, offset: i32) -> Address {
        Address { base: Base::Register(base), index: None, offset }
    }
}

/// The last operand of an instruction.
#[derive(Clone, Copy, Debug)]
pub enum Operand {
    Register(u8),
    Memory(Address),
    /// One word, which stands for all of a vector.
    Broadcast(Address),
}

/// A vector instruction: its operands, and the lanes that it writes.
#[derive(Clone, Copy, Debug)]
pub struct Instruction {
    pub op: Op,
    pub reg: u8,
    pub second: u8,
    pub last: Operand,
    /// The mask register; 0 is none.
    pub mask: u8,
    /// Whether lanes that are not in the mask become 0.
    pub zero: bool,
    pub immediate: Option<u8>,
}

/// A place in the code.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Label(usize);

/// The condition of a jump.
#[derive(Clone, Copy, Debug)]
#[repr(u8)]
pub enum Condition {
    Below = 2,
    NotCarry = 3,
    NotZero = 5,
}

/// Code in the making.
#[derive(Default)]
pub struct Code {
    bytes: Vec<u8>,
    labels: Vec<Option<usize>>,
    /// Where the distance to a label is to be written.
    jumps: Vec<(usize, Label)>,
    table: Vec<u64>,
    words: FxHashMap<u64, u32>,
    /// Where the distance to a word of the table is to be written, and the end of that instruction.
    reads: Vec<(usize, usize, u32)>,
}

impl Code {
    /// The code and its table, to be placed where addresses are multiples of 64.
    pub fn finish(mut self) -> Vec<u8> {
        for (at, label) in self.jumps {
            let to = self.labels[label.0].expect("labels are bound");
            self.bytes[at..at + 4].copy_from_slice(&(to as i32 - (at as i32 + 4)).to_le_bytes());
        }
        self.bytes.resize(self.bytes.len().next_multiple_of(64), 0xCC);
        let table = self.bytes.len();
        for (at, end, word) in self.reads {
            let distance = table as i32 + 8 * word as i32 - end as i32;
            self.bytes[at..at + 4].copy_from_slice(&distance.to_le_bytes());
        }
        self.bytes.extend(self.table.iter().flat_map(|word| word.to_le_bytes()));
        self.bytes
    }

    /// How many bytes there are.
    pub fn len(&self) -> usize {
        self.bytes.len()
    }

    /// The place of a word in the table.
    pub fn word(&mut self, word: u64) -> u32 {
        let table = &mut self.table;
        *self.words.entry(word).or_insert_with(|| {
            table.push(word);
            table.len() as u32 - 1
        })
    }

    /// The place of a vector in the table.
    pub fn words(&mut self, words: [u64; 8]) -> u32 {
        self.table.extend(words);
        self.table.len() as u32 - 8
    }

    pub fn label(&mut self) -> Label {
        self.labels.push(None);
        Label(self.labels.len() - 1)
    }

    pub fn bind(&mut self, label: Label) {
        self.labels[label.0] = Some(self.bytes.len());
    }

    /// A vector instruction.
    pub fn vector(&mut self, instruction: &Instruction) {
        let Instruction { op, reg, second, last, mask, zero, immediate } = *instruction;
        // The fourth and the fifth bit of what is in the last place: of a register, or of base and index.
        let (b, x, index_high) = match last {
            Operand::Register(r) => (r >> 3 & 1, r >> 4 & 1, 0),
            Operand::Memory(Address { base, index, .. }) | Operand::Broadcast(Address { base, index, .. }) => {
                let base = if let Base::Register(base) = base { base.0 } else { 0 };
                let index = index.map_or(0, |(register, _)| register);
                (base >> 3 & 1, index >> 3 & 1, index >> 4 & 1)
            }
        };
        let broadcast = matches!(last, Operand::Broadcast(_));
        let high = if index_high != 0 { 1 } else { second >> 4 & 1 };
        let not = |bit: u8, at: u32| (bit & 1 ^ 1) << at;
        self.bytes.extend([
            0x62,
            not(reg >> 3, 7) | not(x, 6) | not(b, 5) | not(reg >> 4, 4) | op.map as u8,
            u8::from(op.wide) << 7 | (!second & 15) << 3 | 4 | op.prefix as u8,
            u8::from(zero) << 7 | op.length << 5 | u8::from(broadcast) << 4 | not(high, 3) | mask,
            op.code,
        ]);
        let scale = if broadcast { 8 } else { i32::from(op.bytes) };
        self.last(reg, last, scale, immediate);
    }

    /// An instruction on masks.
    pub fn mask(&mut self, op: Op, reg: u8, second: u8, last: u8) {
        debug_assert!(op.map == Map::M0F && last < 8);
        let first = (reg >> 3 ^ 1) << 7 | (!second & 15) << 3 | op.length << 2 | op.prefix as u8;
        self.bytes.extend([0xC5, first, op.code, 0xC0 | (reg & 7) << 3 | last]);
    }

    /// What comes after the opcode: registers or an address, whose offset may be a byte that counts so many bytes, and a number.
    fn last(&mut self, reg: u8, last: Operand, scale: i32, immediate: Option<u8>) {
        let reg = (reg & 7) << 3;
        match last {
            Operand::Register(r) => self.bytes.push(0xC0 | reg | r & 7),
            Operand::Memory(address) | Operand::Broadcast(address) => match address.base {
                Base::Table(word) => {
                    self.bytes.push(reg | 5);
                    let at = self.bytes.len();
                    self.reads.push((at, at + 4 + usize::from(immediate.is_some()), word));
                    self.bytes.extend([0; 4]);
                }
                Base::Register(Gpr(base)) => {
                    let short = address.offset % scale == 0 && i8::try_from(address.offset / scale).is_ok();
                    let form = match address.offset {
                        0 if base & 7 != 5 => 0,
                        _ if short => 0x40,
                        _ => 0x80,
                    };
                    match address.index {
                        None if base & 7 != 4 => self.bytes.push(form | reg | base & 7),
                        None => self.bytes.extend([form | reg | 4, 0x24]),
                        Some((index, power)) => self.bytes.extend([form | reg | 4, power << 6 | (index & 7) << 3 | base & 7]),
                    }
                    match form {
                        0 => {}
                        0x40 => self.bytes.push((address.offset / scale) as u8),
                        _ => self.bytes.extend(address.offset.to_le_bytes()),
                    }
                }
            },
        }
        self.bytes.extend(immediate);
    }

    /// An instruction on words of 64 bits, in registers or memory.
    fn general(&mut self, code: u8, reg: u8, last: Operand) {
        let (b, x) = match last {
            Operand::Register(r) => (r >> 3, 0),
            Operand::Memory(Address { base, index, .. }) | Operand::Broadcast(Address { base, index, .. }) => {
                (if let Base::Register(base) = base { base.0 >> 3 } else { 0 }, index.map_or(0, |(index, _)| index >> 3))
            }
        };
        self.bytes.extend([0x48 | (reg >> 3) << 2 | x << 1 | b, code]);
        self.last(reg, last, 1, None);
    }

    pub fn load(&mut self, to: Gpr, from: Address) {
        self.general(0x8B, to.0, Operand::Memory(from));
    }

    pub fn store(&mut self, to: Address, from: Gpr) {
        self.general(0x89, from.0, Operand::Memory(to));
    }

    /// Stores a number.
    pub fn store_number(&mut self, to: Address, v: i32) {
        self.general(0xC7, 0, Operand::Memory(to));
        self.bytes.extend(v.to_le_bytes());
    }

    pub fn copy(&mut self, to: Gpr, from: Gpr) {
        self.general(0x89, from.0, Operand::Register(to.0));
    }

    pub fn number(&mut self, to: Gpr, v: i32) {
        self.general(0xC7, 0, Operand::Register(to.0));
        self.bytes.extend(v.to_le_bytes());
    }

    /// An address of the program.
    pub fn address(&mut self, to: Gpr, v: u64) {
        self.bytes.extend([0x48 | to.0 >> 3, 0xB8 | to.0 & 7]);
        self.bytes.extend(v.to_le_bytes());
    }

    pub fn add(&mut self, to: Gpr, v: i32) {
        self.add_to(Operand::Register(to.0), v);
    }

    /// Adds a number to a register or to a word in memory.
    pub fn add_to(&mut self, to: Operand, v: i32) {
        match i8::try_from(v) {
            Ok(v) => {
                self.general(0x83, 0, to);
                self.bytes.push(v as u8);
            }
            Err(_) => {
                self.general(0x81, 0, to);
                self.bytes.extend(v.to_le_bytes());
            }
        }
    }

    pub fn add_register(&mut self, to: Gpr, from: Gpr) {
        self.general(0x01, from.0, Operand::Register(to.0));
    }

    pub fn add_memory(&mut self, to: Gpr, from: Address) {
        self.general(0x03, to.0, Operand::Memory(from));
    }

    /// The product of a register and a number.
    pub fn multiply(&mut self, to: Gpr, from: Gpr, v: i32) {
        self.general(0x69, to.0, Operand::Register(from.0));
        self.bytes.extend(v.to_le_bytes());
    }

    pub fn and(&mut self, to: Gpr, v: i32) {
        self.general(0x81, 4, Operand::Register(to.0));
        self.bytes.extend(v.to_le_bytes());
    }

    pub fn exclusive_or(&mut self, to: Gpr, v: i32) {
        self.general(0x81, 6, Operand::Register(to.0));
        self.bytes.extend(v.to_le_bytes());
    }

    /// Whether a register and a number have bits in common.
    pub fn test(&mut self, a: Gpr, v: i32) {
        self.general(0xF7, 0, Operand::Register(a.0));
        self.bytes.extend(v.to_le_bytes());
    }

    pub fn compare(&mut self, a: Gpr, v: i32) {
        self.general(0x81, 7, Operand::Register(a.0));
        self.bytes.extend(v.to_le_bytes());
    }

    pub fn push(&mut self, register: Gpr) {
        self.bytes.extend([0x40 | register.0 >> 3, 0x50 | register.0 & 7]);
    }

    pub fn pop(&mut self, register: Gpr) {
        self.bytes.extend([0x40 | register.0 >> 3, 0x58 | register.0 & 7]);
    }

    pub fn jump(&mut self, to: Label) {
        self.bytes.push(0xE9);
        self.distance(to);
    }

    pub fn jump_if(&mut self, condition: Condition, to: Label) {
        self.bytes.extend([0x0F, 0x80 | condition as u8]);
        self.distance(to);
    }

    pub fn call(&mut self, to: Label) {
        self.bytes.push(0xE8);
        self.distance(to);
    }

    fn distance(&mut self, to: Label) {
        self.jumps.push((self.bytes.len(), to));
        self.bytes.extend([0; 4]);
    }

    pub fn call_register(&mut self, to: Gpr) {
        self.bytes.extend([0x40 | to.0 >> 3, 0xFF, 0xD0 | to.0 & 7]);
    }

    /// Ends vectors: other code may use narrow ones without delay.
    pub fn zero_upper(&mut self) {
        self.bytes.extend([0xC5, 0xF8, 0x77]);
    }

    pub fn ret(&mut self) {
        self.bytes.push(0xC3);
    }
}
