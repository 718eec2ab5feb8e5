//! The loop nest of a function.

use super::{Function, Target, Terminator};
use crate::graph::{Const, GraphId, Module, NodeId};
use crate::prim::Prim;
use crate::types::Type;
use petgraph::Direction;
use petgraph::graph::{DiGraph, NodeIndex};
use rustc_hash::FxHashSet;

/// A loop.
#[derive(Clone, Debug)]
pub struct Loop {
    /// The block where it is entered; if it is not reducible, the one of those that a depth-first walk meets first.
    pub header: GraphId,
    /// The blocks that jump back to the header.
    pub latches: Vec<GraphId>,
    /// All blocks, those of inner loops included, in reverse post-order; the header is the first.
    pub body: Vec<GraphId>,
    /// The ways out: a block of the loop, and the block or function it goes to.
    pub exits: Vec<(GraphId, Target)>,
    /// The loop around it, as an index into the loops of the function.
    pub parent: Option<usize>,
    /// 1 for an outermost loop.
    pub depth: u32,
    /// Whether it is entered at the header only, which then dominates the body: a natural loop.
    pub reducible: bool,
    /// What counts its iterations, where the header tests a counter.
    pub counter: Option<Counter>,
}

/// A header's parameter that each iteration changes by the same amount and the header compares with a loop invariant: the
/// iterations go on while `param test bound` holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Counter {
    /// The position among the parameters of the header.
    pub param: usize,
    /// Its value on entry, if it is the same node on all ways in.
    pub start: Option<NodeId>,
    /// What an iteration adds to it.
    pub step: i64,
    /// `lt`, `le`, `gt`, `ge` or `ne`.
    pub test: Prim,
    /// What it is compared with.
    pub bound: NodeId,
}

impl Counter {
    /// How often the test holds before it fails, where start and bound are constants. None also if that would take the counter
    /// out of its range.
    pub fn trip_count(&self, m: &Module) -> Option<u64> {
        let int = |n: NodeId| match m[n].as_const() {
            Some(&Const::I64(v)) => Some(i128::from(v)),
            _ => None,
        };
        let (start, bound, step) = (int(self.start?)?, int(self.bound)?, i128::from(self.step));
        // How far it is to the first value for which the test fails, and how fast it goes there.
        let (distance, step) = match self.test {
            Prim::Lt => (bound - start, step),
            Prim::Le => (bound - start + 1, step),
            Prim::Gt => (start - bound, -step),
            Prim::Ge => (start - bound + 1, -step),
            _ if start <= bound => (bound - start, step),
            _ => (start - bound, -step),
        };
        if distance <= 0 {
            return Some(0);
        }
        if step <= 0 || (self.test == Prim::Ne && distance % step != 0) {
            return None;
        }
        let trips = (distance + step - 1) / step;
        let last = start + trips * i128::from(self.step);
        i64::try_from(last).ok().and_then(|_| u64::try_from(trips).ok())
    }
}

/// The loops, outer ones first, and the innermost loop around each block.
///
/// Havlak, "Nesting of reducible and irreducible loops" (1997): from the last block of a depth-first walk to the first, each block
/// that is jumped back to collects what leads to those jumps, inner loops being one block by then.
pub(super) fn find(m: &Module, function: &Function, flow: Flow) -> (Vec<Loop>, Vec<Option<usize>>) {
    let walk = Walk::new(&function.edges);
    let count = function.blocks.len();
    // Per block: the header of the innermost loop around it, other than itself, and of the outermost one found so far
    // (union-find); if it is a header, the ways into its loop that do not lead through it.
    let mut around: Vec<Option<usize>> = vec![None; count];
    let mut outermost: Vec<usize> = (0..count).collect();
    let mut side_entries: Vec<Vec<usize>> = vec![Vec::new(); count];
    let mut is_header = vec![false; count];

    for &header in walk.order.iter().rev() {
        let (mut members, mut seen) = (Vec::new(), FxHashSet::from_iter([header]));
        for latch in predecessors(&function.edges, header).filter(|&p| walk.is_below(p, header)) {
            is_header[header] = true;
            let latch = find_root(&mut outermost, latch);
            if seen.insert(latch) {
                members.push(latch);
            }
        }
        let mut next = 0;
        while let Some(&block) = members.get(next) {
            next += 1;
            let forward = predecessors(&function.edges, block).filter(|&p| !walk.is_below(p, block));
            for entry in forward.chain(side_entries[block].clone()) {
                let entry = find_root(&mut outermost, entry);
                if !walk.is_below(entry, header) {
                    side_entries[header].push(entry);
                } else if seen.insert(entry) {
                    members.push(entry);
                }
            }
        }
        for block in members {
            around[block] = Some(header);
            outermost[block] = header;
        }
    }

    let mut loops: Vec<Loop> = Vec::new();
    let mut number: Vec<Option<usize>> = vec![None; count];
    for header in (0..count).filter(|&b| is_header[b]) {
        let parent = around[header].and_then(|h| number[h]);
        number[header] = Some(loops.len());
        loops.push(Loop {
            header: function.blocks[header],
            latches: Vec::new(),
            body: Vec::new(),
            exits: Vec::new(),
            parent,
            depth: parent.map_or(0, |p| loops[p].depth) + 1,
            reducible: side_entries[header].is_empty(),
            counter: None,
        });
    }
    let innermost: Vec<Option<usize>> = (0..count).map(|b| number[b].or(around[b].and_then(|h| number[h]))).collect();
    fill(function, &flow, &innermost, &mut loops);
    for this in &mut loops {
        this.counter = counter(m, function, &flow, this);
    }
    (loops, innermost)
}

/// What is known of each block of a function.
pub(super) struct Flow<'a> {
    pub(super) terminator: &'a dyn Fn(GraphId) -> Terminator,
    pub(super) index: &'a dyn Fn(GraphId) -> usize,
}

/// Puts each block into the loops around it, and each jump where it goes back or out.
fn fill(function: &Function, flow: &Flow, innermost: &[Option<usize>], loops: &mut [Loop]) {
    for (i, &block) in function.blocks.iter().enumerate() {
        let targets: Vec<(Target, Vec<usize>)> = (flow.terminator)(block)
            .targets()
            .map(|t| match t {
                Target::Block(g) => (t, chain(loops, innermost[(flow.index)(g)])),
                Target::Function(_) => (t, Vec::new()),
            })
            .collect();
        for l in chain(loops, innermost[i]) {
            let this = &mut loops[l];
            this.body.push(block);
            for (target, around) in &targets {
                if !around.contains(&l) {
                    this.exits.push((block, *target));
                } else if target.graph() == this.header && this.latches.last() != Some(&block) {
                    this.latches.push(block);
                }
            }
        }
    }
}

/// A loop and those around it.
fn chain(loops: &[Loop], innermost: Option<usize>) -> Vec<usize> {
    std::iter::successors(innermost, |&l| loops[l].parent).collect()
}

fn counter(m: &Module, function: &Function, flow: &Flow, this: &Loop) -> Option<Counter> {
    let header = this.header;
    let Terminator::Branch { cond, arms, .. } = (flow.terminator)(header) else { return None };
    let in_loop: FxHashSet<GraphId> = this.body.iter().copied().collect();
    let goes_on = match arms.map(|t| in_loop.contains(&t.graph())) {
        [a, b] if a != b && this.reducible => a,
        _ => return None,
    };
    let (test, &[a, b]) = (m.as_prim(cond)?, m[cond].inputs()) else { return None };
    let position = |n: NodeId| m[header].params.iter().position(|&p| p == n && m[p].ty == Type::I64);
    let (param, bound, test) = match (position(a), position(b)) {
        (Some(param), _) => (param, b, test),
        (None, Some(param)) => (param, a, mirrored(test)),
        (None, None) => return None,
    };
    let test = if goes_on { test } else { negated(test) };
    if !matches!(test, Prim::Lt | Prim::Le | Prim::Gt | Prim::Ge | Prim::Ne)
        || m[bound].graph.is_some_and(|g| in_loop.contains(&g))
    {
        return None;
    }

    let argument = |from: GraphId| (flow.terminator)(from).args(m)[param];
    let mut steps = this.latches.iter().map(|&latch| step(m, m[header].params[param], argument(latch)));
    let first = steps.next()??;
    if !steps.all(|s| s == Some(first)) {
        return None;
    }
    let outside = |&g: &GraphId| !in_loop.contains(&g);
    let entries = predecessors(&function.edges, (flow.index)(header)).map(|i| function.blocks[i]).filter(outside);
    let starts: Vec<NodeId> = entries.map(argument).collect();
    let start = match starts.split_first() {
        Some((&start, others)) if header != function.root && others.iter().all(|&s| s == start) => Some(start),
        _ => None,
    };
    Some(Counter { param, start, step: first, test, bound })
}

/// The constant that `next` adds to `param`.
fn step(m: &Module, param: NodeId, next: NodeId) -> Option<i64> {
    let int = |n: NodeId| match m[n].as_const() {
        Some(&Const::I64(v)) => Some(v),
        _ => None,
    };
    match (m.as_prim(next)?, m[next].inputs()) {
        (Prim::Add | Prim::WrapAdd, &[a, b]) if a == param => int(b),
        (Prim::Add | Prim::WrapAdd, &[a, b]) if b == param => int(a),
        (Prim::Sub | Prim::WrapSub, &[a, b]) if a == param => int(b)?.checked_neg(),
        _ => None,
    }
}

fn mirrored(test: Prim) -> Prim {
    match test {
        Prim::Lt => Prim::Gt,
        Prim::Le => Prim::Ge,
        Prim::Gt => Prim::Lt,
        Prim::Ge => Prim::Le,
        other => other,
    }
}

/// The test that holds where this one does not; of integers.
fn negated(test: Prim) -> Prim {
    match test {
        Prim::Lt => Prim::Ge,
        Prim::Le => Prim::Gt,
        Prim::Gt => Prim::Le,
        Prim::Ge => Prim::Lt,
        Prim::Eq => Prim::Ne,
        Prim::Ne => Prim::Eq,
        other => other,
    }
}

fn predecessors(edges: &DiGraph<GraphId, ()>, block: usize) -> impl Iterator<Item = usize> {
    edges.neighbors_directed(NodeIndex::new(block), Direction::Incoming).map(NodeIndex::index)
}

/// A depth-first walk from the root.
struct Walk {
    /// The blocks in the order in which they are met.
    order: Vec<usize>,
    /// For each block the positions in `order` of itself and of the last block below it.
    extent: Vec<(usize, usize)>,
}

impl Walk {
    fn new(edges: &DiGraph<GraphId, ()>) -> Walk {
        let mut walk = Walk { order: Vec::new(), extent: vec![(usize::MAX, 0); edges.node_count()] };
        let mut stack = vec![(0, false)];
        while let Some((block, entered)) = stack.pop() {
            if entered {
                walk.extent[block].1 = walk.order.len() - 1;
            } else if walk.extent[block].0 == usize::MAX {
                walk.extent[block].0 = walk.order.len();
                walk.order.push(block);
                stack.push((block, true));
                stack.extend(edges.neighbors(NodeIndex::new(block)).map(|n| (n.index(), false)));
            }
        }
        walk
    }

    /// Whether the walk meets `block` below `top`, or they are the same.
    fn is_below(&self, block: usize, top: usize) -> bool {
        let (first, last) = self.extent[top];
        (first..=last).contains(&self.extent[block].0)
    }
}

fn find_root(parents: &mut [usize], block: usize) -> usize {
    let mut root = block;
    while parents[root] != root {
        root = parents[root];
    }
    let mut at = block;
    while parents[at] != root {
        at = std::mem::replace(&mut parents[at], root);
    }
    root
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn trip_counts_are_those_of_the_loop_itself() {
        let mut m = Module::new();
        let tests = [Prim::Lt, Prim::Le, Prim::Gt, Prim::Ge, Prim::Ne];
        for (test, start, bound, step) in tests.iter().flat_map(|&test| {
            (-4..5).flat_map(move |start| (-4..5).flat_map(move |bound| (-3..4).map(move |step| (test, start, bound, step))))
        }) {
            let holds = |i: i64| match test {
                Prim::Lt => i < bound,
                Prim::Le => i <= bound,
                Prim::Gt => i > bound,
                Prim::Ge => i >= bound,
                _ => i != bound,
            };
            let trips = (0..100).find(|n| !holds(start + n * step)).map(|n| n as u64);
            let counter = Counter { param: 0, start: Some(m.i64(start)), step, test, bound: m.i64(bound) };
            assert_eq!(counter.trip_count(&m), trips, "from {start} by {step} while {} {bound}", test.name());
        }
        let last = m.i64(i64::MAX);
        let counter = Counter { param: 0, start: Some(m.i64(0)), step: 2, test: Prim::Lt, bound: last };
        assert_eq!(counter.trip_count(&m), None);
    }
}
