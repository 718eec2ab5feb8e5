//! Arrays in the frame of a function.
//!
//! An array that is made in a block, and that nothing but operations of the block read, needs no block of memory and no count of
//! references: it gets a place in the frame, from the step that makes it to the last that reads it.

use super::fusion::Step;
use super::layout::array_bytes;
use super::lower::Lower;
use super::runtime::MOST_SCALARS;
use crate::arrays::ALIGN;
use crate::order;
use gradus_ir::{Kind, NodeId};
use rustc_hash::{FxHashMap, FxHashSet};

/// The most bytes of an array in a frame.
const MOST_BYTES: usize = 2 << 10;

/// The most bytes of arrays in a frame at once.
const MOST_FRAME: usize = 16 << 10;

/// The places of a block's arrays, in bytes. Before them is room for results that are scalars: kernels write whole vectors.
#[derive(Default)]
pub struct Frame {
    places: FxHashMap<NodeId, usize>,
    bytes: usize,
}

/// Bytes of the frame that are taken until after a step.
struct Taken {
    start: usize,
    end: usize,
    until: usize,
}

impl Frame {
    /// The place of an array, if it has one.
    pub fn place(&self, n: NodeId) -> Option<usize> {
        self.places.get(&n).copied()
    }

    /// The place of a result that is a scalar, by its number.
    pub fn room(i: usize) -> usize {
        assert!(i < MOST_SCALARS, "an operation has few scalars");
        i * ALIGN
    }

    /// How large it is.
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// The lowest place for so many bytes.
    fn take(&mut self, taken: &mut Vec<Taken>, bytes: usize, until: usize) -> Option<usize> {
        let bytes = bytes.next_multiple_of(ALIGN);
        let mut start = MOST_SCALARS * ALIGN;
        let mut at = 0;
        while let Some(next) = taken.get(at)
            && next.start < start + bytes
        {
            start = next.end;
            at += 1;
        }
        let end = start + bytes;
        if end > MOST_FRAME {
            return None;
        }
        taken.insert(at, Taken { start, end, until });
        self.bytes = self.bytes.max(end);
        Some(start)
    }
}

impl Lower<'_, '_> {
    /// The places of the arrays of a block but for those that are parts of others. `needed` says which are used outside of it or at its end.
    pub fn place_arrays(&self, steps: &[Step], needed: &dyn Fn(NodeId) -> bool) -> Frame {
        let m = self.unit.m;
        // The last step that reads an array, and arrays that have an owner.
        let mut last: FxHashMap<NodeId, usize> = FxHashMap::default();
        let mut owned: FxHashSet<NodeId> = FxHashSet::default();
        for (i, step) in steps.iter().enumerate().rev() {
            for &n in step.defines() {
                let is_small = array_bytes(&m[n].ty).is_some_and(|bytes| bytes <= MOST_BYTES);
                if !is_small || needed(n) || self.parts.has(n) || self.parts.has_whole(n) || !self.makes_array(step) {
                    owned.insert(n);
                }
            }
            if let Step::Alias(n, base) = step {
                let until = last.get(n).copied().unwrap_or(i);
                last.entry(*base).and_modify(|last| *last = until.max(*last)).or_insert(until);
                if owned.contains(n) {
                    owned.insert(*base);
                }
                continue;
            }
            for n in self.step_operands(step) {
                last.entry(n).and_modify(|last| *last = i.max(*last)).or_insert(i);
                if !self.only_reads(step, n) {
                    owned.insert(n);
                }
            }
        }
        let mut frame = Frame::default();
        let mut taken = Vec::new();
        for (i, step) in steps.iter().enumerate() {
            for &n in step.defines() {
                let place = match (step, array_bytes(&m[n].ty)) {
                    (Step::Alias(_, base), _) => frame.place(*base),
                    (_, Some(bytes)) if !owned.contains(&n) => {
                        let until = last.get(&n).copied().unwrap_or(i);
                        frame.take(&mut taken, bytes, until)
                    }
                    (_, Some(_)) => None,
                    (_, None) => {
                        frame.bytes = frame.bytes.max(MOST_SCALARS * ALIGN);
                        None
                    }
                };
                frame.places.extend(place.map(|place| (n, place)));
            }
            taken.retain(|taken| taken.until > i);
        }
        frame
    }

    /// Whether a step computes its results as arrays of its own.
    fn makes_array(&self, step: &Step) -> bool {
        match step {
            Step::Node(n) => self.is_operation(*n) && !order::updates(self.unit.m, *n),
            Step::Product(..) | Step::Kernel(_) | Step::Alias(..) => true,
        }
    }

    /// Whether a step does nothing with an array but read it.
    fn only_reads(&self, step: &Step, n: NodeId) -> bool {
        let m = self.unit.m;
        match step {
            Step::Node(k) => self.is_operation(*k) && !(order::updates(m, *k) && m[*k].inputs()[0] == n),
            Step::Product(..) | Step::Kernel(_) | Step::Alias(..) => true,
        }
    }

    /// Whether a node is an operation on arrays.
    pub fn is_operation(&self, n: NodeId) -> bool {
        matches!(self.unit.m[n].kind, Kind::Prim(prim) if self.is_array_node(prim, n))
    }
}
