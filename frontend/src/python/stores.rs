//! What is read after each write.
//!
//! In the IR a write makes another value, so a program is right only if nothing that shares memory with what is written to is read
//! afterwards under another name. Which values are read after a write is known here, from the order of the statements; which of
//! them share memory with it only inference knows ([`gradus_ir::Memory`]).

use super::escape::{Flow, Reach};
use super::lower::{Frame, Lowerer};
use super::ssa::{BlockId, Point, Ssa};
use gradus_ir::{NodeId, Span, Write};
use rustc_hash::{FxHashMap, FxHashSet};

/// A write of the function under construction; what is read later is not known yet.
pub struct Store {
    pub write: Write,
    pub point: Point,
}

impl<'a> Lowerer<'a, '_> {
    /// Notes that control has just written to something.
    pub fn store(&mut self, write: Write) {
        let point = self.point();
        self.frame().stores.push(Store { write, point });
    }

    /// Hands the steps of a complete function on to inference, and its writes, each with the values that are read after it.
    pub fn note_writes(&mut self, frame: &Frame<'a>) {
        for &n in &frame.made {
            if let Some(g) = self.m[n].graph.filter(|_| self.may_act(n)) {
                self.m.memory.steps.entry(g).or_default().push(n);
            }
        }
        if self.in_library || frame.stores.is_empty() {
            return;
        }
        let ssa = &frame.ssa;
        let flow = Flow::new(&self.m, frame, &self.inside, &self.stamps);
        let mut by_block: FxHashMap<BlockId, Vec<usize>> = FxHashMap::default();
        for (i, s) in frame.stores.iter().enumerate() {
            by_block.entry(s.point.0).or_default().push(i);
        }
        let after: Vec<Reach> = frame.stores.iter().map(|s| Reach::new(ssa, vec![s.point], None)).collect();
        let mut later: Vec<Vec<(NodeId, Span)>> = vec![Vec::new(); frame.stores.len()];
        let mut seen = FxHashSet::default();
        let parameters = self.m[frame.graph].params.iter().copied().chain(ssa.phis().map(|(phi, _, _)| phi));
        for n in parameters.chain(frame.made.iter().copied()) {
            if !self.m.has_node(n) || !seen.insert(n) {
                continue;
            }
            let Some((made, None)) = flow.place_of(n) else { continue };
            let reads = flow.reads(n);
            let live = Live::new(ssa, made, &reads);
            for i in live.blocks().flat_map(|b| by_block.get(&b).into_iter().flatten().copied()) {
                let (store, after) = (&frame.stores[i], &after[i]);
                if n != ssa.value(store.write.new) && live.after(store.point) {
                    let place =
                        reads.iter().filter(|(at, _)| after.contains(*at)).min_by_key(|(at, _)| (at.1 < store.point.1, at.1));
                    let place = place.filter(|(at, _)| at.1 < u32::MAX).map(|(_, span)| *span);
                    later[i].push((n, place.or_else(|| flow.later_read(n, after)).unwrap_or(Span::NONE)));
                }
            }
        }
        for (Store { write, point }, later) in frame.stores.iter().zip(later) {
            let mut write = Write { later, ..write.clone() };
            write.replace(|n| ssa.value(n));
            self.m.memory.writes.entry(ssa.graph(point.0)).or_default().push(write);
        }
    }
}

/// Where a value is live.
struct Live {
    made: Point,
    /// The last read in each block that reads it.
    last: FxHashMap<BlockId, u32>,
    /// The blocks at whose end it is.
    at_end: FxHashSet<BlockId>,
}

impl Live {
    fn new(ssa: &Ssa<'_>, made: Point, reads: &[(Point, Span)]) -> Live {
        let mut last = FxHashMap::default();
        // Reads are in the order of blocks, and of time within a block.
        last.extend(reads.iter().map(|(at, _)| *at));
        let mut at_end = FxHashSet::default();
        let mut work: Vec<BlockId> = last.keys().copied().filter(|&b| b != made.0).collect();
        while let Some(b) = work.pop() {
            for &before in ssa.predecessors(b) {
                if at_end.insert(before) && before != made.0 {
                    work.push(before);
                }
            }
        }
        Live { made, last, at_end }
    }

    /// The blocks where it is live somewhere.
    fn blocks(&self) -> impl Iterator<Item = BlockId> {
        let read = self.last.keys().filter(|b| !self.at_end.contains(b));
        self.at_end.iter().chain(read).copied()
    }

    fn after(&self, at: Point) -> bool {
        let exists = self.made.0 != at.0 || self.made.1 < at.1;
        exists && (self.at_end.contains(&at.0) || self.last.get(&at.0).is_some_and(|&last| last > at.1))
    }
}
