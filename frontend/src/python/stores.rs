//! What is read after each write.
//!
//! In the IR a write makes another value, so a program is right only if nothing that shares memory with what is written to is read
//! afterwards under another name. Which values are read after a write is known here, from the order of the statements; which of
//! them share memory with it only inference knows ([`gradus_ir::Memory`]).

use super::boxed::boxed;
use super::escape::{Flow, Reach};
use super::lower::{Frame, Lowerer};
use super::ssa::{BlockId, Point, Ssa};
use gradus_ir::{Boxed, Flavor, Kind, NodeId, Prim, Span, Write};
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
        let put = |&n: &NodeId| Some((n, boxed(&self.m, n).filter(|(_, value)| !frame.put_back.contains(value))?));
        let sets: Vec<_> = frame.made.iter().filter_map(put).collect();
        let has_boxes =
            !sets.is_empty() || frame.made.iter().any(|&n| self.m.has_node(n) && self.m.as_prim(n) == Some(Prim::Opened));
        let has_boxes = has_boxes || self.may_have_boxes();
        if self.in_library || frame.stores.is_empty() && !has_boxes {
            return;
        }
        let ssa = &frame.ssa;
        let flow = Flow::new(&self.m, frame, &self.inside, &self.stamps, self.program.objects.are_some());
        let sets: Vec<_> = sets.into_iter().filter_map(|(n, set)| Some((flow.place_of(n)?.0, set))).collect();
        let calls = if has_boxes { self.own_calls(frame, &flow) } else { Vec::new() };
        let at = calls.iter().map(|c| c.0);
        let points: Vec<Point> = frame.stores.iter().map(|s| s.point).chain(sets.iter().map(|s| s.0)).chain(at).collect();
        let news = frame.stores.iter().map(|s| ssa.value(s.write.new)).chain(sets.iter().map(|s| s.1.1));
        let news: Vec<NodeId> = news.chain(calls.iter().map(|c| c.1)).collect();
        let mut by_block: FxHashMap<BlockId, Vec<usize>> = FxHashMap::default();
        for (i, point) in points.iter().enumerate() {
            by_block.entry(point.0).or_default().push(i);
        }
        let after: Vec<Reach> = points.iter().map(|&point| Reach::new(ssa, vec![point], None)).collect();
        let mut later: Vec<Vec<(NodeId, Span)>> = vec![Vec::new(); points.len()];
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
                let (point, after) = (points[i], &after[i]);
                if n != news[i] && live.after(point) {
                    let place = reads.iter().filter(|(at, _)| after.contains(*at)).min_by_key(|(at, _)| (at.1 < point.1, at.1));
                    let place = place.filter(|(at, _)| at.1 < u32::MAX).map(|(_, span)| *span);
                    later[i].push((n, place.or_else(|| flow.later_read(n, after)).unwrap_or(Span::NONE)));
                }
            }
        }
        let (mut later, mut writes, mut puts) = (later.into_iter(), Vec::new(), Vec::new());
        for (Store { write, point }, later) in frame.stores.iter().zip(later.by_ref()) {
            let mut write = Write { later, ..write.clone() };
            write.replace(|n| ssa.value(n));
            let made = flow.place_of(write.old).map(|(made, _)| made);
            let before = |at: Point| Reach::new(ssa, vec![at], made).contains(*point);
            let in_boxes = sets.iter().filter(|(at, _)| before(*at)).map(|&(_, (_, value))| (value, self.m[value].span));
            write.later.extend(in_boxes);
            let handed = calls.iter().filter(|(at, _)| before(*at)).flat_map(|&(_, call)| {
                let args = self.m[call].inputs().iter();
                args.map(move |&arg| (call, arg))
            });
            write.handed = handed.collect();
            writes.push((ssa.graph(point.0), write));
        }
        for ((point, (of, value)), later) in sets.iter().zip(later.by_ref()) {
            let [of, value] = [*of, *value].map(|n| ssa.value(n));
            let later = later.into_iter().map(|(n, _)| n).collect();
            puts.push((ssa.graph(point.0), Boxed { of, value, later }));
        }
        let after = later.map(|later| later.into_iter().map(|(n, _)| n).collect());
        let after: Vec<(NodeId, Vec<NodeId>)> = calls.iter().map(|c| c.1).zip(after).collect();
        let taken = self.taken_from_boxes(&flow, ssa, &frame.made);
        let memory = &mut self.m.memory;
        memory.taken.extend(taken);
        memory.after.extend(after);
        writes.into_iter().for_each(|(graph, write)| memory.writes.entry(graph).or_default().push(write));
        puts.into_iter().for_each(|(graph, put)| memory.boxed.entry(graph).or_default().push(put));
    }

    /// The calls that may be of functions of the program, which may put their arguments into boxes.
    pub fn own_calls(&self, frame: &Frame<'a>, flow: &Flow<'_, 'a>) -> Vec<(Point, NodeId)> {
        let is_own = |&n: &NodeId| {
            self.m.has_node(n) && {
                let callee = self.m[n].inputs().first().and_then(|&callee| self.m.as_graph(callee)).map(|g| &self.m[g]);
                match self.m[n].kind {
                    Kind::Call => callee.is_none_or(|g| g.flavor == Flavor::Function || self.classes.is_class(&g.name)),
                    _ => self.may_act(n),
                }
            }
        };
        let place = |n: NodeId| Some((flow.place_of(n)?.0, n));
        frame.made.iter().copied().filter(is_own).filter_map(place).collect()
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
