//! What a program changes beside its values: a status, and a heap for boxes. Both are values here, carried through branches, loops and
//! calls that may change them.

use crate::function::Emit;
use crate::module::{Fault, Unit};
use crate::op::Val;
use crate::tensor::{Element, Tensor};
use gradus_ir::{NodeId, TrapKind};

/// The status: 0, or the number of a fault.
pub const STATUS: usize = 0;
/// The first word of the heap that is free.
pub const FREE: usize = 1;
/// The heap: words of 64 bits.
pub const HEAP: usize = 2;

/// The values of the parts; none as long as a part is as at the beginning.
pub type World = [Option<Val>; 3];

/// Some of the parts.
pub type Parts = [bool; 3];

/// What is in one of both.
pub fn either(a: Parts, b: Parts) -> Parts {
    [0, 1, 2].map(|part| a[part] || b[part])
}

/// The numbers of parts, in order.
pub fn numbers(parts: Parts) -> Vec<usize> {
    (0..parts.len()).filter(|&part| parts[part]).collect()
}

impl Unit<'_> {
    /// The type of a part of the world.
    pub fn part_type(&self, part: usize) -> Tensor {
        match part {
            STATUS => Tensor::scalar(Element::I32),
            FREE => Tensor::scalar(Element::I64),
            _ => Tensor::new(Element::I64, [self.heap_words()]),
        }
    }
}

impl Emit<'_, '_> {
    /// A part of the world as it is here.
    pub fn part(&mut self, part: usize) -> Val {
        if let Some(value) = &self.world[part] {
            return value.clone();
        }
        let ty = self.unit.part_type(part);
        // The first word of the heap is that of the box that is zero.
        self.b().int(ty, i64::from(part == FREE))
    }

    /// The status as it is here.
    pub fn status(&mut self) -> Val {
        self.part(STATUS)
    }

    /// Sets the status if a boolean holds, unless something has gone wrong before.
    pub fn fault_if(&mut self, condition: &Val, fault: Fault) {
        let number = self.unit.fault(fault);
        let before = self.status();
        let b = self.b();
        let (zero, number) = (b.int(before.ty, 0), b.int(before.ty, number));
        let is_first = b.compare("EQ", &before, &zero);
        let both = b.same("and", &[condition, &is_first]);
        self.world[STATUS] = Some(self.b().select(&both, &number, &before));
    }

    /// The same of a trap at the place of a node.
    pub fn trap_if(&mut self, condition: &Val, kind: TrapKind, n: NodeId) {
        let span = self.unit.m[n].span;
        self.fault_if(condition, Fault::Trap(kind, span));
    }
}
