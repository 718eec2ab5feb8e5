//! Calls of functions, out of line.

use super::allocate::{Last, load_op};
use super::emit::{At, BYTES, Emitter, HELPER, MASKS, SET, TAIL};
use super::encode::{Address, Gpr, Label, Operand, RAX, RBP, RCX, RDI, RDX, RSI, RSP};
use super::helpers::helper;
use super::opcodes as ops;
use gradus_ir::Prim;

/// What calls may change.
const CHANGED: [Gpr; 8] = [RCX, RDX, RSI, RDI, Gpr(8), Gpr(9), Gpr(10), Gpr(11)];

/// A call out of line.
pub struct Stub {
    pub entry: Label,
    pub back: Label,
    pub prim: Prim,
    pub args: [Option<Last>; 3],
    pub to: u8,
    pub mask: Option<u8>,
    pub at: At,
}

impl Emitter<'_> {
    /// Calls of functions, and what saves the registers around them.
    pub fn out_of_line(&mut self) {
        if self.stubs.is_empty() {
            return;
        }
        let save = self.code.label();
        for Stub { entry, back, prim, args, to, mask, at } in std::mem::take(&mut self.stubs) {
            self.code.bind(entry);
            let place = |i: usize| Operand::Memory(Address::at(RBP, BYTES * i as i32));
            if mask.is_some() {
                self.plain(ops::STORE, to, 0, place(3));
            }
            let is_register = |arg: &Last| matches!(arg, Last::Register(_));
            let args = args.iter().enumerate().filter_map(|(i, arg)| Some((i, (*arg)?)));
            for (i, arg) in args.clone().filter(|(_, arg)| is_register(arg)) {
                let Operand::Register(reg) = self.last(arg, at, 0, ops::LOAD.bytes) else { unreachable!("a register") };
                self.plain(ops::STORE, reg, 0, place(i));
            }
            // What is in memory goes through the register of the result.
            for (i, arg) in args.filter(|(_, arg)| !is_register(arg)) {
                let Last::Memory(memory) = arg else { unreachable!("an operand") };
                let from = match self.memory(memory, at) {
                    Operand::Broadcast(address) => Operand::Memory(address),
                    from => from,
                };
                self.plain(load_op(memory), to, 0, from);
                self.plain(ops::STORE, to, 0, place(i));
            }
            match mask {
                Some(mask) => {
                    self.code.mask(ops::MASK_TO_GENERAL, RAX.0, 0, mask);
                    self.code.exclusive_or(RAX, 0xFF);
                }
                None if at.tail => self.code.mask(ops::MASK_TO_GENERAL, RAX.0, 0, TAIL),
                None => self.code.number(RAX, 0xFF),
            }
            self.code.store(self.word(SET), RAX);
            let helper = helper(prim).expect("a function for each call");
            self.code.address(RAX, helper as usize as u64);
            self.code.store(self.word(HELPER), RAX);
            self.code.call(save);
            self.plain(ops::LOAD, to, 0, place(3));
            self.code.jump(back);
        }
        self.code.bind(save);
        CHANGED.iter().for_each(|&r| self.code.push(r));
        // With the return address, the stack is aligned.
        self.code.add(RSP, -8);
        let saved = |r: u8, s: &Self| Operand::Memory(Address::at(RBP, s.frame.saved + BYTES * i32::from(r)));
        for r in 0..32 {
            self.plain(ops::STORE, r, 0, saved(r, self));
        }
        for mask in 0..8 {
            self.code.mask(ops::MASK_TO_GENERAL, RAX.0, 0, mask);
            self.code.store(self.word(MASKS + 8 * i32::from(mask)), RAX);
        }
        self.code.zero_upper();
        self.code.copy(RDI, RBP);
        self.code.load(RSI, self.word(SET));
        self.code.load(RAX, self.word(HELPER));
        self.code.call_register(RAX);
        for mask in 0..8 {
            self.code.load(RAX, self.word(MASKS + 8 * i32::from(mask)));
            self.code.mask(ops::MASK_FROM_GENERAL, mask, 0, RAX.0);
        }
        for r in 0..32 {
            self.plain(ops::LOAD, r, 0, saved(r, self));
        }
        self.code.add(RSP, 8);
        CHANGED.iter().rev().for_each(|&r| self.code.pop(r));
        self.code.ret();
    }
}
