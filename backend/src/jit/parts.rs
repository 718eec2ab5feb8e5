//! Arrays that are computed where they are parts of another.
//!
//! Operations that put arrays one behind the other copy them. A part that nothing else reads is better written to its place at
//! once: the whole is taken when the first such part is computed, and copies are left for the others alone.

use super::fusion::{Step, is_reduction};
use super::layout::array_bytes;
use super::lower::Lower;
use crate::arrays::around;
use crate::error::BackendError;
use crate::order;
use cranelift::prelude::{InstBuilder, Value};
use gradus_ir::{ArrayOp, DType, Module, NodeId, Prim};
use rustc_hash::{FxHashMap, FxHashSet};

/// How many elements reductions and conversions write at a time. Where they end in fewer, nothing may follow.
const AT_ONCE: usize = 8;

/// The parts of a block, and the wholes that are begun.
#[derive(Default)]
pub struct Parts {
    /// Of each part the whole, and how many bytes of it come before.
    of: FxHashMap<NodeId, (NodeId, usize)>,
    wholes: FxHashSet<NodeId>,
    begun: FxHashMap<NodeId, Value>,
}

impl Parts {
    /// Whether an array is a part.
    pub fn has(&self, n: NodeId) -> bool {
        self.of.contains_key(&n)
    }

    /// Whether an array is put together of parts.
    pub fn has_whole(&self, n: NodeId) -> bool {
        self.wholes.contains(&n)
    }
}

/// The arrays that a node puts one behind the other.
fn pieces(m: &Module, n: NodeId) -> &[NodeId] {
    match (m.as_prim(n), m[n].ty.shape()) {
        (Some(Prim::Array(ArrayOp::Concat, axis)), Some(shape)) if around(shape, axis[0] as usize)[0] == 1 => m[n].inputs(),
        _ => &[],
    }
}

impl Lower<'_, '_> {
    /// The parts of a block. `needed` says which nodes are used outside of it or at its end.
    pub fn parts_in_place(&self, steps: &[Step], needed: &dyn Fn(NodeId) -> bool) -> Parts {
        let m = self.unit.m;
        let mut readers: FxHashMap<NodeId, usize> = FxHashMap::default();
        let mut makers: FxHashMap<NodeId, &Step> = FxHashMap::default();
        for step in steps {
            self.step_operands(step).into_iter().for_each(|n| *readers.entry(n).or_default() += 1);
            makers.extend(step.defines().iter().map(|&n| (n, step)));
        }
        let mut parts = Parts::default();
        // Wholes of wholes come first.
        for step in steps.iter().rev() {
            let Step::Node(whole) = *step else { continue };
            let mut offset = 0;
            for (i, &piece) in pieces(m, whole).iter().enumerate() {
                let bytes = array_bytes(&m[piece].ty).expect("a part is an array");
                let is_once = pieces(m, whole).iter().filter(|&&other| other == piece).count() == 1;
                let is_last = i + 1 == pieces(m, whole).len() && !parts.has(whole);
                // The same elements by other names, down to what computes them.
                let mut names = vec![piece];
                while let Some(Step::Alias(_, base)) = makers.get(&names[names.len() - 1]) {
                    names.push(*base);
                }
                let is_alone = |n: &NodeId| !needed(*n) && readers.get(n) == Some(&1);
                let is_made = |n: &NodeId| makers.get(n).is_some_and(|step| self.writes_within(step, *n, is_last));
                if bytes > 0 && is_once && names.iter().all(is_alone) && names.last().is_some_and(is_made) {
                    parts.of.extend(names.into_iter().map(|n| (n, (whole, offset))));
                    parts.wholes.insert(whole);
                }
                offset += bytes;
            }
        }
        parts
    }

    /// Whether a step computes an array and writes no other elements, but for some behind it if it is the last part.
    fn writes_within(&self, step: &Step, n: NodeId, is_last: bool) -> bool {
        let m = self.unit.m;
        let Some((dtype, shape)) = m[n].ty.as_array() else { return false };
        match step {
            Step::Node(_) => self.is_operation(n) && !order::updates(m, n),
            Step::Product(..) => true,
            // Floats of 32 bits are reduced with 64 bits, in their place if there is room.
            Step::Kernel(_) if is_reduction(m, n) => dtype != DType::F32 && (is_last || shape.count().is_multiple_of(AT_ONCE)),
            // They are stored row by row.
            Step::Kernel(_) => {
                dtype != DType::F32 || is_last || shape.last().is_some_and(|&row| (row as usize).is_multiple_of(AT_ONCE))
            }
            Step::Alias(..) => false,
        }
    }

    /// Where a part goes.
    pub fn part_address(&mut self, n: NodeId) -> Result<Option<Value>, BackendError> {
        let Some(&(whole, offset)) = self.parts.of.get(&n) else { return Ok(None) };
        let start = self.whole(whole)?;
        Ok(Some(self.b.ins().iadd_imm_s(start, offset as i64)))
    }

    /// Where what is put together of parts lies.
    fn whole(&mut self, n: NodeId) -> Result<Value, BackendError> {
        if let Some(&begun) = self.parts.begun.get(&n) {
            return Ok(begun);
        }
        let bytes = array_bytes(&self.unit.m[n].ty).expect("an array");
        let start = match self.part_address(n)? {
            Some(start) => start,
            None => self.new_array(bytes, self.unit.m[n].span)?,
        };
        self.parts.begun.insert(n, start);
        Ok(start)
    }

    /// Copies the parts that are not in their places yet.
    pub fn rest_of_whole(&mut self, n: NodeId) -> Result<Vec<Value>, BackendError> {
        let m = self.unit.m;
        let start = self.whole(n)?;
        let config = self.unit.module.target_config();
        let mut offset = 0;
        for &piece in m[n].inputs() {
            let bytes = array_bytes(&m[piece].ty).expect("a part is an array");
            if !self.parts.has(piece) && bytes > 0 {
                let from = self.operand(piece)?;
                let to = self.b.ins().iadd_imm_s(start, offset as i64);
                let size = self.word(bytes as i64);
                self.b.call_memcpy(config, to, from, size);
                if m[piece].graph.is_none() {
                    // Constants are made anew for each use.
                    self.release_array(from, bytes);
                }
            }
            offset += bytes;
        }
        Ok(vec![start])
    }
}
