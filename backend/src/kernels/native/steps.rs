//! Steps of a body as machine code, at a place in the loops.

use super::allocate::{Allocated, Last, Reg, Step, load_op};
use super::body::Memory;
use super::calls::Stub;
use super::emit::{At, BEHIND, BYTES, Emitter, HELPER, POINTERS, TAIL, VECTOR, lanes};
use super::encode::{Address, Base, Condition, Gpr, Instruction, Operand, RAX, RBP, RCX, RDI};
use super::opcodes as ops;
use super::stages::TOGETHER;

impl Emitter<'_> {
    /// The register of a pointer.
    pub fn pointer(&mut self, pointer: u32) -> Gpr {
        POINTERS.get(pointer as usize).copied().unwrap_or_else(|| {
            self.code.load(RAX, self.pointer_word(pointer as usize));
            RAX
        })
    }

    /// The address of the elements at a place, of so many bytes each.
    pub fn elements(&mut self, pointer: u32, at: At, bytes: i32) -> Address {
        let base = Base::Register(self.pointer(pointer));
        let index = at.indexed.then_some((RCX.0, bytes.trailing_zeros() as u8));
        Address { base, index, offset: at.vectors * VECTOR as i32 * bytes }
    }

    pub fn memory(&mut self, memory: Memory, at: At) -> Operand {
        match memory {
            Memory::Constant(word) => {
                Operand::Broadcast(Address { base: Base::Table(self.code.word(word)), index: None, offset: 0 })
            }
            Memory::Input(input) => Operand::Broadcast(Address::at(RDI, 8 * input as i32)),
            Memory::Element(pointer) => Operand::Broadcast(Address::at(self.pointer(pointer), 0)),
            Memory::Elements(pointer, ahead) => Operand::Memory(self.elements(pointer, at.ahead(ahead), 8)),
            Memory::Stage(slot) => {
                let number = slot as i32 * TOGETHER as i32 + at.vectors;
                Operand::Memory(Address::at(RBP, self.frame.stages + BYTES * number))
            }
            Memory::Frame(slot) => Operand::Memory(Address::at(RBP, self.frame.vectors + BYTES * slot as i32)),
        }
    }

    /// The last operand of an instruction on eight elements, of which memory may have so many bytes.
    pub fn last(&mut self, last: Last, at: At, ahead: u8, bytes: u8) -> Operand {
        match last {
            Last::Register(reg) => Operand::Register(register(reg, at.ahead(ahead))),
            Last::Memory(memory) => self.memory(memory, at),
            Last::Bytes(pointer) => Operand::Memory(self.elements(pointer, at.ahead(ahead), i32::from(bytes) / VECTOR as i32)),
        }
    }

    pub fn steps(&mut self, body: &Allocated, at: At) {
        body.steps.iter().for_each(|(step, ahead)| self.step(step, *ahead, at));
    }

    pub fn step(&mut self, step: &Step, ahead: u8, at: At) {
        match *step {
            Step::Vector { op, reg, second, last, mask, zero, tail, immediate } => {
                // Lanes behind the end are 0 from where they are read: memory may hold subnormal numbers there, which are slow.
                let reads = matches!(last, Last::Memory(Memory::Elements(..)) | Last::Bytes(_));
                let cuts = at.tail && reads && mask == 0 && !tail;
                let mut last = self.last(last, at, ahead, op.bytes);
                let at = at.ahead(ahead);
                // What only broadcasts says so by itself.
                if let (Operand::Broadcast(address), true) = (last, op == ops::BROADCAST || op == ops::BROADCAST_NARROW) {
                    last = Operand::Memory(address);
                }
                let mask = if cuts || tail && at.tail { TAIL } else { mask };
                let zero = zero || cuts && !op.gives_mask();
                let second = second.map_or(0, |second| register(second, at));
                self.code.vector(&Instruction { op, reg: register(reg, at), second, last, mask, zero, immediate });
            }
            Step::Mask { op, reg, second, last } => self.code.mask(op, reg, second, last),
            Step::Gather { to, index, mask, pointer, stride, op: gather } => {
                let bytes = i32::from(gather.bytes);
                let at = at.ahead(ahead);
                let indices = self.code.words(std::array::from_fn(|lane| (lane as i64 * i64::from(stride)) as u64));
                let indices = Operand::Memory(Address { base: Base::Table(indices), index: None, offset: 0 });
                self.plain(ops::LOAD, index, 0, indices);
                let (op, from) = if at.tail { (ops::MASK_OR, TAIL) } else { (ops::MASK_XNOR, mask) };
                if at.tail {
                    self.plain(ops::XOR, to, to, Operand::Register(to));
                }
                self.code.mask(op, mask, from, from);
                let mut base = self.pointer(pointer);
                if at.indexed {
                    let place = base;
                    if base == RAX {
                        self.code.store(self.word(HELPER), RAX);
                    }
                    self.code.multiply(RAX, RCX, bytes * stride);
                    if place == RAX {
                        self.code.add_memory(RAX, self.word(HELPER));
                    } else {
                        self.code.add_register(RAX, place);
                    }
                    base = RAX;
                }
                let offset = at.vectors * VECTOR as i32 * bytes * stride;
                let from = Address { base: Base::Register(base), index: Some((index, bytes.trailing_zeros() as u8)), offset };
                let last = Operand::Memory(from);
                self.code.vector(&Instruction { op: gather, reg: to, second: 0, last, mask, zero: false, immediate: None });
            }
            Step::Joined { to, mask, number } => self.joined(to, mask, number, at.ahead(ahead)),
            Step::Store { pointer, from, op } => {
                let at = at.ahead(ahead);
                let last = Operand::Memory(self.elements(pointer, at, i32::from(op.bytes) / VECTOR as i32));
                let mask = if at.tail { TAIL } else { 0 };
                let reg = register(from, at);
                self.code.vector(&Instruction { op, reg, second: 0, last, mask, zero: false, immediate: None });
            }
            Step::StoreMask { pointer, mask, room } => {
                let ones = Base::Table(self.code.words([0x0101_0101_0101_0101; 8]));
                let ones = Operand::Memory(Address { base: ones, index: None, offset: 0 });
                let (op, immediate) = (ops::MOVE_BYTES, None);
                self.code.vector(&Instruction { op, reg: room, second: 0, last: ones, mask, zero: true, immediate });
                let last = Operand::Memory(self.elements(pointer, at.ahead(ahead), 1));
                let (op, mask) = if at.tail { (ops::STORE_BYTES, TAIL) } else { (ops::STORE_EIGHT, 0) };
                self.code.vector(&Instruction { op, reg: room, second: 0, last, mask, zero: false, immediate });
            }
            Step::Call { prim, args, to, mask } => {
                let [entry, back] = [self.code.label(), self.code.label()];
                match mask {
                    Some(mask) => {
                        if at.tail {
                            self.code.mask(ops::MASK_OR, mask, mask, BEHIND);
                        }
                        self.code.mask(ops::MASK_TEST, mask, 0, mask);
                        self.code.jump_if(Condition::NotCarry, entry);
                    }
                    None => self.code.jump(entry),
                }
                self.code.bind(back);
                self.stubs.push(Stub { entry, back, prim, args, to, mask, at });
            }
        }
    }
}

impl Emitter<'_> {
    /// The vector of a joined value, at a place that is known: of each part the lanes that are its own.
    fn joined(&mut self, to: u8, mask: u8, number: u32, at: At) {
        let nest = self.nest;
        let first = at.vectors as usize * VECTOR;
        let end = nest.inner.min(first + VECTOR);
        let own = nest.joined[number as usize].iter().filter(|part| part.points.start < end && first < part.points.end);
        for (i, part) in own.enumerate() {
            let (from, until) = (part.points.start.max(first), part.points.end.min(end));
            let mask = if (from, until) == (first, end) { 0 } else { mask };
            if mask != 0 {
                let lanes = (1_u32 << (until - first)) - (1 << (from - first));
                self.code.number(RAX, lanes as i32);
                self.code.mask(ops::MASK_FROM_GENERAL, mask, 0, RAX.0);
            }
            let op = load_op(part.memory);
            let mut last = self.memory(part.memory, at);
            if let Operand::Broadcast(address) = last {
                last = Operand::Memory(address);
            }
            let zero = mask != 0 && i == 0;
            self.code.vector(&Instruction { op, reg: to, second: 0, last, mask, zero, immediate: None });
        }
    }
}

/// The number of a register.
fn register(reg: Reg, at: At) -> u8 {
    match reg {
        Reg::Own(register) => register,
        Reg::Lanes(fold) => lanes(fold, at.part),
    }
}
