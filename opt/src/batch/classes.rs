//! What the nodes of a loop's body are, from one iteration to the next.

use super::affine::Affine;
use crate::interval::{ANY, Range, range};
use gradus_ir::cfg::{Cfg, Loop, Terminator};
use gradus_ir::{ArrayOp, Const, Dims, Floats, GraphId, Kind, Module, Nest, NodeId, Prim, Type};
use petgraph::Direction;
use petgraph::algo::dominators::simple_fast;
use petgraph::graph::{DiGraph, NodeIndex};
use rustc_hash::{FxHashMap, FxHashSet};
use slotmap::SecondaryMap;

/// How deep the range of an integer is looked for.
const DEPTH: usize = 6;

const READ: Prim = Prim::Array(ArrayOp::At, Dims::NONE);

/// What a node is.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Class {
    /// The same in all iterations.
    Same,
    /// An integer that changes evenly.
    Even(Affine),
    /// Different in each iteration, and not for what another one did.
    Rows,
    /// The array that a parameter of the header is, as written to, with its axes in another order.
    State { param: usize, order: Dims },
}

/// What a parameter of the header is.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Carried {
    /// It changes evenly.
    Even(Affine),
    /// It stays as it is.
    Same,
    /// Nothing reads it: it is what the last iteration left.
    Last,
    /// An array that each iteration reads and writes at a place of its own: with its axes in this order, on the one after those that have
    /// indices from outside of the loop.
    Rows { order: Dims, prefix: Vec<NodeId>, place: Affine },
    /// An array that is written once in each iteration, anywhere, and not read.
    Written,
}

/// The body of a loop of `n` iterations whose header alone leads out of it.
pub(super) struct Body<'a> {
    pub(super) nest: &'a Nest,
    pub(super) cfg: &'a Cfg,
    pub(super) header: GraphId,
    /// The blocks, the header first, each after those that dominate it.
    pub(super) blocks: &'a [GraphId],
    inside: FxHashSet<GraphId>,
    pub(super) n: i64,
    /// The nodes that an iteration needs.
    needed: FxHashSet<NodeId>,
    classes: SecondaryMap<NodeId, Class>,
    /// The counters of inner loops, by their parameters, with what is known of their values.
    counters: FxHashMap<NodeId, Range>,
    pub(super) carried: Vec<Carried>,
    /// Where ways that go apart come together again; the header stands for the end of an iteration.
    joins: FxHashMap<GraphId, GraphId>,
    /// The blocks on ways of which different iterations take different ones.
    masked: FxHashSet<GraphId>,
    /// What is passed for a parameter on the first of such ways.
    passed: SecondaryMap<NodeId, NodeId>,
}

impl<'a> Body<'a> {
    /// None where iterations depend on each other, or do what batches cannot.
    pub(super) fn new(m: &Module, nest: &'a Nest, cfg: &'a Cfg, this: &'a Loop, n: i64) -> Option<Body<'a>> {
        let inside: FxHashSet<GraphId> = this.body.iter().copied().collect();
        let (needed, classes, counters, carried, joins, masked, passed) = Default::default();
        let (header, blocks) = (this.header, &this.body[..]);
        let mut body = Body { nest, cfg, header, blocks, inside, n, needed, classes, counters, carried, joins, masked, passed };
        body.joins = body.find_joins();
        body.needed = body.find_needed(m);
        if body.makes_closures(m) {
            return None;
        }
        body.carried = (0..m[header].params.len()).map(|i| body.carried(m, i)).collect::<Option<_>>()?;
        body.counters = body.find_counters(m);
        body.classify(m)?;
        body.check_states(m)?;
        Some(body)
    }

    pub(super) fn is_needed(&self, n: NodeId) -> bool {
        self.needed.contains(&n)
    }

    /// Whether not all iterations come to a block.
    pub(super) fn is_masked(&self, block: GraphId) -> bool {
        self.masked.contains(&block)
    }

    pub(super) fn is_inside(&self, g: GraphId) -> bool {
        self.inside.contains(&g)
    }

    /// The class of a node that has one: what comes from elsewhere is the same in all iterations.
    pub(super) fn class(&self, m: &Module, n: NodeId) -> Option<Class> {
        match m[n].graph {
            Some(g) if self.is_inside(g) => self.classes.get(n).copied(),
            _ => Some(Class::Same),
        }
    }

    /// How a block ends, as far as it does within the loop.
    pub(super) fn terminator(&self, block: GraphId) -> Terminator {
        match self.cfg.terminator(block) {
            Terminator::Branch { arms, call, .. } if block == self.header => {
                let inner = if self.is_inside(arms[0].graph()) { arms[0] } else { arms[1] };
                Terminator::Jump { target: inner.graph(), call }
            }
            other => other,
        }
    }

    /// What the blocks of the loop, or others, pass for a parameter of the header.
    pub(super) fn arguments<'s>(
        &'s self,
        m: &'s Module,
        param: usize,
        from_inside: bool,
    ) -> impl Iterator<Item = NodeId> + use<'s, 'a> {
        let edges = &self.cfg.function_of(self.header).edges;
        let from = edges.neighbors_directed(NodeIndex::new(self.cfg.index(self.header)), Direction::Incoming);
        let from = from.map(|i| edges[i]).filter(move |&g| self.is_inside(g) == from_inside);
        from.map(move |g| self.cfg.terminator(g).args(m)[param])
    }

    /// Whether a function is used as a value, or called other than by a jump, that sees what an iteration has.
    fn makes_closures(&self, m: &Module) -> bool {
        let sees = |g| !self.nest.contains(g) || self.nest.free(g).any(|v| m[v].graph.is_some_and(|g| self.is_inside(g)));
        let is_closure = |&n: &NodeId| m.as_graph(n).is_some_and(sees);
        let passes = |&block: &GraphId| self.terminator(block).args(m).iter().any(is_closure);
        self.needed.iter().any(|&n| m[n].inputs().iter().any(is_closure)) || self.blocks.iter().any(passes)
    }

    fn find_needed(&self, m: &Module) -> FxHashSet<NodeId> {
        let mut needed = FxHashSet::default();
        let mut stack: Vec<NodeId> = Vec::new();
        for &block in self.blocks {
            let end = self.terminator(block);
            stack.extend(end.args(m));
            if let Terminator::Branch { cond, .. } = end {
                stack.push(cond);
            }
        }
        while let Some(n) = stack.pop() {
            if m[n].graph.is_some_and(|g| self.is_inside(g)) && needed.insert(n) {
                stack.extend(m[n].inputs());
            }
        }
        needed
    }

    fn carried(&self, m: &Module, i: usize) -> Option<Carried> {
        let p = m[self.header].params[i];
        let next: Vec<NodeId> = self.arguments(m, i, true).collect();
        if next.iter().all(|&v| v == p) {
            return Some(Carried::Same);
        }
        if m[p].ty == Type::I64
            && let Some(a) = self.even(m, i, &next)
        {
            return Some(Carried::Even(a));
        }
        let is_read = |u: &gradus_ir::Use| self.is_needed(u.node);
        let is_passed = self.blocks.iter().any(|&b| self.terminator(b).args(m).contains(&p));
        if !m[p].users().iter().any(is_read) && !is_passed {
            return Some(Carried::Last);
        }
        // How is found out later.
        m[p].ty.is_array().then_some(Carried::Written)
    }

    fn even(&self, m: &Module, i: usize, next: &[NodeId]) -> Option<Affine> {
        let p = m[self.header].params[i];
        let mut starts = self.arguments(m, i, false);
        let first = starts.next()?;
        let first = int(m, first).filter(|_| starts.all(|other| other == first))?;
        let step = |&v: &NodeId| match (m.as_prim(v)?, m[v].inputs()) {
            (Prim::Add | Prim::WrapAdd, &[a, b]) if a == p => int(m, b),
            (Prim::Add | Prim::WrapAdd, &[a, b]) if b == p => int(m, a),
            (Prim::Sub | Prim::WrapSub, &[a, b]) if a == p => int(m, b)?.checked_neg(),
            _ => None,
        };
        let step_of_first = next.first().and_then(step)?;
        let a = Affine { step: step_of_first, first };
        // The value after the last iteration is one, too.
        let is_even = next.iter().all(|v| step(v) == Some(a.step)) && i64::try_from(a.value(self.n)).is_ok();
        is_even.then_some(a)
    }

    fn find_counters(&self, m: &Module) -> FxHashMap<NodeId, Range> {
        let inner =
            self.cfg.function_of(self.header).loops.iter().filter(|l| self.is_inside(l.header) && l.header != self.header);
        let found = inner.filter_map(|l| {
            let counter = l.counter?;
            let values = Affine { step: counter.step, first: int(m, counter.start?)? };
            // One more than there are iterations.
            let count = i64::try_from(counter.trip_count(m)?).ok()?.checked_add(1)?;
            Some((m[l.header].params[counter.param], values.range(count)))
        });
        found.collect()
    }

    fn classify(&mut self, m: &Module) -> Option<()> {
        let header = &m[self.header];
        for (i, (&p, carried)) in header.params.iter().zip(&self.carried).enumerate() {
            let class = match carried {
                Carried::Even(a) => Class::Even(*a),
                Carried::Same | Carried::Last => Class::Same,
                Carried::Rows { .. } | Carried::Written => {
                    let rank = m[p].ty.shape()?.len() as i64;
                    Class::State { param: i, order: Dims::new((0..rank).collect::<Vec<_>>()) }
                }
            };
            self.classes.insert(p, class);
        }
        let mut changed = true;
        while std::mem::take(&mut changed) {
            for &block in self.blocks {
                for &n in self.nest.schedule(block) {
                    if self.is_needed(n)
                        && let Some(class) = self.transfer(m, n)?
                    {
                        changed |= self.classes.insert(n, class) != Some(class);
                    }
                }
                changed |= self.pass_on(m, block)?;
            }
        }
        Some(())
    }

    /// The immediate post-dominators of the blocks within an iteration.
    fn find_joins(&self) -> FxHashMap<GraphId, GraphId> {
        let mut back: DiGraph<GraphId, ()> = DiGraph::new();
        let end = back.add_node(self.header);
        let index: FxHashMap<GraphId, NodeIndex> = self.blocks.iter().map(|&b| (b, back.add_node(b))).collect();
        for &block in self.blocks {
            for next in self.terminator(block).successors() {
                back.add_edge(if next == self.header { end } else { index[&next] }, index[&block], ());
            }
        }
        let dominators = simple_fast(&back, end);
        let join = |&block: &GraphId| Some((block, back[dominators.immediate_dominator(index[&block])?]));
        self.blocks.iter().filter_map(join).collect()
    }

    /// The block where all ways from a branch come together, and those on the ways, each after those that lead to it.
    pub(super) fn ways(&self, branch: GraphId) -> Option<(GraphId, Vec<GraphId>)> {
        let join = *self.joins.get(&branch)?;
        let mut on_way: FxHashSet<GraphId> = FxHashSet::default();
        let mut stack: Vec<GraphId> = self.terminator(branch).successors().collect();
        while let Some(block) = stack.pop() {
            if block != join && on_way.insert(block) {
                stack.extend(self.terminator(block).successors());
            }
        }
        Some((join, self.blocks.iter().copied().filter(|b| on_way.contains(b)).collect()))
    }

    /// Whether different iterations take different ways at the end of a block.
    pub(super) fn parts(&self, m: &Module, block: GraphId) -> bool {
        matches!(self.terminator(block), Terminator::Branch { cond, .. } if self.class(m, cond).is_some_and(|c| c != Class::Same))
    }

    /// Joins what a block passes with what others pass.
    fn pass_on(&mut self, m: &Module, block: GraphId) -> Option<bool> {
        let end = self.terminator(block);
        if end.targets().any(|t| !self.is_inside(t.graph())) {
            return None;
        }
        let mut changed = false;
        let parts = self.parts(m, block);
        if parts {
            let (_, ways) = self.ways(block)?;
            // Where floats are numbers that have no value now and then, a comparison on a way that is not taken may fail. A loop may not end.
            let around = self.cfg.innermost_loop(block);
            if m.floats != Floats::Doubles || ways.iter().any(|&b| self.cfg.innermost_loop(b) != around) {
                return None;
            }
            for b in ways {
                changed |= self.masked.insert(b);
            }
        }
        let is_masked = parts || self.masked.contains(&block);
        for target in end.successors().filter(|&t| t != self.header) {
            for (&p, &a) in m[target].params.iter().zip(end.args(m)) {
                let Some(new) = self.class(m, a) else { continue };
                let differs = is_masked && *self.passed.entry(p)?.or_insert(a) != a;
                let joined = match (self.classes.get(p).copied(), new) {
                    (Some(Class::Same), Class::Same) if differs => Class::Rows,
                    (None, new) => new,
                    (Some(old), new) if old == new => new,
                    (Some(Class::State { .. }), _) | (_, Class::State { .. }) => return None,
                    _ => Class::Rows,
                };
                changed |= self.classes.insert(p, joined) != Some(joined);
            }
        }
        Some(changed)
    }

    /// The class of a node by those of its operands, as far as these have one.
    fn transfer(&self, m: &Module, n: NodeId) -> Option<Option<Class>> {
        let node = &m[n];
        let classes: Option<Vec<Class>> = node.inputs().iter().map(|&i| self.class(m, i)).collect();
        let Some(classes) = classes else { return Some(None) };
        if classes.iter().all(|&c| c == Class::Same) {
            return Some(Some(Class::Same));
        }
        let Kind::Prim(prim) = node.kind else { return None };
        let is_state = |c: &Class| matches!(c, Class::State { .. });
        if classes.iter().any(is_state) {
            let Class::State { param, order } = classes[0] else { return None };
            if classes[1..].iter().any(is_state) {
                return None;
            }
            return match prim {
                Prim::Array(ArrayOp::At, _) => Some(Some(Class::Rows)),
                Prim::Array(ArrayOp::SetAt | ArrayOp::AddAt, _) => Some(Some(classes[0])),
                Prim::Array(ArrayOp::Transpose, axes) => {
                    let order = Dims::new(axes.iter().map(|&axis| order[axis as usize]).collect::<Vec<_>>());
                    Some(Some(Class::State { param, order }))
                }
                _ => None,
            };
        }
        let evens: Option<Vec<Affine>> = node.inputs().iter().map(|&i| self.as_even(m, i)).collect();
        let even = evens.and_then(|evens| Affine::apply(prim, &evens, self.n));
        Some(Some(even.map_or(Class::Rows, Class::Even)))
    }

    /// An integer that changes evenly, or is a constant.
    pub(super) fn as_even(&self, m: &Module, n: NodeId) -> Option<Affine> {
        match self.class(m, n)? {
            Class::Even(a) => Some(a),
            Class::Same => int(m, n).map(Affine::constant),
            _ => None,
        }
    }

    /// The values that an integer has, as far as they are known.
    pub(super) fn range(&self, m: &Module, n: NodeId) -> Option<Range> {
        self.range_within(m, n, DEPTH)
    }

    fn range_within(&self, m: &Module, n: NodeId, depth: usize) -> Option<Range> {
        if let Some(a) = self.as_even(m, n) {
            return Some(a.range(self.n));
        }
        if let Some(&known) = self.counters.get(&n) {
            return Some(known);
        }
        let prim = m.as_prim(n).filter(|_| depth > 0 && m[n].ty == Type::I64)?;
        // Of some operands nothing need be known.
        let of = |&i: &NodeId| match (prim, &m[i].ty) {
            (Prim::Int | Prim::Select, Type::Bool) => Some((0, 1)),
            (Prim::Index | Prim::Mod, _) => self.range_within(m, i, depth - 1).or(Some(ANY)),
            _ => self.range_within(m, i, depth - 1),
        };
        let ranges: Vec<Range> = m[n].inputs().iter().map(of).collect::<Option<_>>()?;
        range(prim, &ranges)
    }

    /// Finds out where arrays are read and written that iterations hand on.
    fn check_states(&mut self, m: &Module) -> Option<()> {
        let mut accesses: Vec<Vec<NodeId>> = vec![Vec::new(); self.carried.len()];
        for &n in self.blocks.iter().flat_map(|&b| self.nest.schedule(b)).filter(|&&n| self.is_needed(n)) {
            if let Some(Prim::Array(ArrayOp::At | ArrayOp::SetAt | ArrayOp::AddAt, _)) = m.as_prim(n)
                && let Some(Class::State { param, .. }) = self.class(m, m[n].inputs()[0])
            {
                accesses[param].push(n);
            }
        }
        for (i, accesses) in accesses.iter().enumerate() {
            if self.carried[i] == Carried::Written {
                self.carried[i] = self.state(m, i, accesses)?;
            }
        }
        Some(())
    }

    fn state(&self, m: &Module, i: usize, accesses: &[NodeId]) -> Option<Carried> {
        let p = m[self.header].params[i];
        let whole = self.class(m, p);
        if self.arguments(m, i, true).any(|v| self.class(m, v) != whole) {
            return None;
        }
        let is_fixed = |&&i: &&NodeId| m[i].graph.is_none_or(|g| !self.is_inside(g));
        let place = |&n: &NodeId| {
            let indices = if m.as_prim(n) == Some(READ) { &m[n].inputs()[1..] } else { &m[n].inputs()[2..] };
            let Some(Class::State { order, .. }) = self.class(m, m[n].inputs()[0]) else { return None };
            let prefix: Vec<NodeId> = indices.iter().take_while(is_fixed).copied().collect();
            let place = self.as_even(m, *indices.get(prefix.len())?).filter(|a| a.step != 0)?;
            Some(Carried::Rows { order, prefix, place })
        };
        let mut places = accesses.iter().map(place);
        if let Some(first) = places.next()?
            && places.all(|other| other.as_ref() == Some(&first))
        {
            return Some(first);
        }
        match accesses {
            &[write] if m[write].inputs()[0] == p && self.arguments(m, i, true).all(|v| v == write) => {
                (m.as_prim(write) != Some(READ)).then_some(Carried::Written)
            }
            _ => None,
        }
    }

    /// The shape of the rows of an array that is handed on, in the order of its axes in which they come first.
    pub(super) fn row_shape(&self, m: &Module, param: usize) -> Option<Dims> {
        let Carried::Rows { order, prefix, .. } = &self.carried[param] else { return None };
        let shape = m[m[self.header].params[param]].ty.shape()?;
        Some(Dims::new(order[prefix.len() + 1..].iter().map(|&axis| shape[axis as usize]).collect::<Vec<_>>()))
    }
}

fn int(m: &Module, n: NodeId) -> Option<i64> {
    match m[n].as_const()? {
        &Const::I64(v) => Some(v),
        _ => None,
    }
}
