//! The stack strategy (docs/strategies.md §5; Innes, "Don't Unroll Adjoint" 2018 §3, and 2019 §2.3): the adjoint runs over the
//! transposed control flow, and reads values of the primal from tapes.
//!
//! ```text
//! block p, of edges p→q     ⟶ p′: a copy; its edges as they are, the result of a return to one exit
//! exit(y)                   ⟶ return (y, λȳ. by which edge it was entered: its transpose)
//! adjoint of p, with E(p)   ⟶ p̄(E): [add(E); reverse; D(p)], then by which edge p was entered: its transpose, with D(p)
//! edge q→p, transposed      ⟶ q̄(D(p) as E(q), zeros filled in); of the entry: k(D)
//! edge back to a header     ⟶ forward: push(tape, record); transposed: pop
//! a loop left from more than one block is entered through one block in the transpose, which branches to where the edge was from
//! ```
//!
//! E(p), what the edges out of p give a cotangent to, and D(p), the cotangents of the free variables and parameters of p, are
//! those of the closure strategy: transposed control flow is its continuations with the callee known. A header knows by a count
//! of trips whether to go back; other blocks with several edges into them by an index. Both are variables like the values that
//! the reverse sweep reads, see [`frames`]: what the adjoint needs of an iteration makes up the loop's record; what it needs of
//! the function as a whole the pullback captures, so that code without loops has no tape.

mod counted;
mod dominators;
pub mod flow;
mod frames;

use crate::analysis::{Variant, merged};
use crate::cot::{Act, Cot};
use crate::emit::{Emitter, Nodes, Region};
use crate::program::Tail;
use crate::sweep::{Maker, Sweep};
use flow::Flow;
use frames::{Block, End, Frames, Half, Start, Var};
use gradus_ir::build::Builder;
use gradus_ir::{Const, GraphId, Module, NodeId, Prim, Role, Span, Type};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// What a block is given in the transpose, E.
type Given = BTreeMap<NodeId, Act>;

/// Makes nodes of the adjoint of one block.
struct Adjoint<'a, 'm> {
    b: &'a mut Builder<'m>,
    frames: &'a mut Frames,
    block: usize,
    region: &'a Region<'a>,
}

impl Adjoint<'_, '_> {
    fn graph(&mut self) -> GraphId {
        self.frames.block(Half::Adjoint, self.block).graph
    }

    /// A node of the forward half.
    fn read(&mut self, n: NodeId) -> NodeId {
        match self.b.m[n].graph {
            Some(_) => self.frames.at_start(self.b.m, Half::Adjoint, self.block, Var::Node(n)),
            None => n,
        }
    }
}

impl Maker for Adjoint<'_, '_> {
    type V = NodeId;
    fn module(&self) -> &Module {
        self.b.m
    }
    fn primal(&mut self, n: NodeId) -> NodeId {
        let copy = self.region.copies.get(&n).copied().unwrap_or(n);
        self.read(copy)
    }
    fn constant(&mut self, value: Const, ty: Type) -> NodeId {
        self.b.m.constant(value, ty)
    }
    fn zero(&mut self, ty: &Type) -> NodeId {
        let g = self.graph();
        self.b.zero(g, ty)
    }
    fn prim(&mut self, prim: Prim, operands: &[NodeId], span: Span) -> NodeId {
        let g = self.graph();
        self.b.prim(g, prim, operands, span)
    }
    fn unpack(&mut self, boxed: NodeId, ty: Type, span: Span) -> NodeId {
        let g = self.graph();
        self.b.unpack(g, boxed, ty, span)
    }
    fn pull(&mut self, n: NodeId, cotangent: NodeId) -> NodeId {
        let (g, span) = (self.graph(), self.b.m[n].span);
        let pullback = self.read(self.region.pullbacks[&n]);
        self.b.call(g, pullback, &[cotangent], None, span)
    }
}

/// The transposition of one region.
struct Transpose<'a, 'm, 'p> {
    e: &'a mut Emitter<'m, 'p>,
    region: &'a Region<'p>,
    frames: Frames,
    /// E per block, and the parameters of the adjoint block that hold it.
    given: Vec<Given>,
    received: Vec<Received>,
    dispatch: Vec<Option<Dispatch>>,
    /// Per loop: the block where a record is popped, and the one that takes it apart.
    popped: FxHashMap<usize, (usize, usize)>,
}

/// The block through which all enter a transposed loop that the primal leaves from more than one block.
struct Dispatch {
    block: usize,
    /// What any of those blocks is given.
    given: Given,
}

/// Cotangents on their way from one block to the next.
type Received = Vec<(NodeId, Cot<NodeId>)>;

impl<'p> Emitter<'_, 'p> {
    /// The body of a region by stacks; `entry` is K of its function.
    pub fn stack(&mut self, entry: GraphId, mut region: Region<'p>, flow: Flow) {
        let graphs = region.facts.region.clone();
        let pair = self.b.m[entry].result.clone();
        let mut home = FxHashMap::default();
        for (p, &g) in graphs.iter().enumerate() {
            let k = self.graph(g, "fwd", Role::Forward, pair.clone());
            let (types, _) = self.signature(g);
            self.params(k, &types, Some(g));
            self.set_copy(&mut region, g, k);
            home.insert(k, p);
        }
        for g in self.owners_first(&region) {
            self.forward(g, &mut region);
        }
        let frames = Frames::new(flow.clone(), home);
        let (given, received, dispatch, popped) = Default::default();
        let mut t = Transpose { e: self, region: &region, frames, given, received, dispatch, popped };
        t.forward_half(entry, &flow);
        if flow.live[flow.exit()] {
            t.adjoint_half(entry, &flow);
        }
        let Transpose { mut frames, e, .. } = t;
        frames.settle(e.b.m);
        frames.remove_trivial(e.b.m);
        frames.finish(&mut e.b, Half::Forward);
        frames.finish(&mut e.b, Half::Adjoint);
    }
}

impl Transpose<'_, '_, '_> {
    fn copy(&self, n: NodeId) -> NodeId {
        self.region.copies.get(&n).copied().unwrap_or(n)
    }

    fn graph_of(&self, p: usize) -> GraphId {
        self.region.facts.region[p]
    }

    // --- the forward half

    /// The blocks, the exit, and a block per arm of a branch, where what the edge changes is defined.
    fn forward_half(&mut self, entry: GraphId, flow: &Flow) {
        let exit = flow.exit();
        let (root, pair) = (self.graph_of(0), self.e.b.m[entry].result.clone());
        for p in 0..=exit {
            let graph = match p == exit {
                true => self.e.graph(root, "exit", Role::Forward, pair.clone()),
                false => self.region.k[&self.graph_of(p)],
            };
            let mut block = Block::new(graph, Vec::new());
            if let Some(l) = flow.header_of(p) {
                block.start = Start::Iteration(l);
            }
            self.frames.add(Half::Forward, block);
        }
        let result = self.e.b.m[root].result.clone();
        let graph = self.frames.block(Half::Forward, exit).graph;
        self.e.b.m.add_param(graph, result, Some("y".into()), Span::NONE);
        for (e, edge) in flow.edges.iter().enumerate() {
            let block = match edge.from {
                None => self.frames.add(Half::Forward, Block { start: Start::Origin, ..Block::new(entry, Vec::new()) }),
                Some(p) if flow.succs[p].len() == 1 => p,
                Some(p) => {
                    let graph = self.e.graph(self.graph_of(p), "edge", Role::Forward, pair.clone());
                    self.frames.add(Half::Forward, Block::new(graph, vec![p]))
                }
            };
            self.frames.set_edge(Half::Forward, e, block);
            let args = match edge.from {
                None => self.e.b.m[entry].params.split_last().map(|(_, params)| params.to_vec()).unwrap_or_default(),
                Some(_) => edge.args.iter().map(|&a| self.copy(a)).collect(),
            };
            self.frames.block(Half::Forward, block).end = End::Jump { to: edge.to, args };
            self.frames.block(Half::Forward, edge.to).preds.push(block);
            let (var, siblings) = match (flow.latch_of(e), flow.header_of(edge.to)) {
                (Some(l), _) => (Var::Latch(l), &flow.loops[l].latches),
                (None, Some(l)) => (Var::Pred(edge.to), &flow.loops[l].entries),
                (None, None) => (Var::Pred(edge.to), &flow.preds[edge.to]),
            };
            let index = siblings.iter().position(|&s| s == e).expect("an edge is among those into its block");
            let index = self.e.b.m.i64(index as i64);
            self.frames.define(Half::Forward, block, var, index);
        }
        for (p, tail) in flow.tails.iter().enumerate() {
            if let Tail::Branch { condition, .. } = tail {
                let to = [0, 1].map(|arm| self.frames.edge(Half::Forward, flow.succs[p][arm]));
                self.frames.block(Half::Forward, p).end = End::If { condition: self.copy(*condition), to };
            }
        }
        self.frames.seal(Half::Forward);
        for (l, this) in flow.loops.iter().enumerate() {
            let zero = self.e.b.m.i64(0);
            for &e in &this.entries {
                self.frames.define(Half::Forward, self.frames.edge(Half::Forward, e), Var::Count(l), zero);
            }
            for &e in &this.latches {
                let block = self.frames.edge(Half::Forward, e);
                let graph = self.frames.block(Half::Forward, block).graph;
                let count = self.frames.at_start(self.e.b.m, Half::Forward, block, Var::Count(l));
                let one = self.e.b.m.i64(1);
                let next = self.e.b.prim(graph, Prim::WrapAdd, &[count, one], Span::NONE);
                self.frames.define(Half::Forward, block, Var::Count(l), next);
            }
        }
    }

    // --- the adjoint half

    fn adjoint_half(&mut self, entry: GraphId, flow: &Flow) {
        let exit = flow.exit();
        let root = self.graph_of(0);
        let result = self.e.b.m[root].result.clone();
        let (back, cotangent) = self.e.pullback_to(root, &result, self.region.result.clone());
        self.given = (0..exit).map(|p| self.given(p)).collect();
        self.transpose(back, flow);
        self.frames.seal(Half::Adjoint);

        let mut down = vec![Vec::new(); exit];
        for p in (0..exit).filter(|&p| flow.live[p]) {
            down[p] = self.body(p);
        }
        for (e, edge) in flow.edges.iter().enumerate().filter(|(_, edge)| flow.live[edge.to]) {
            let Some(from) = edge.from else { continue };
            let block = self.frames.edge(Half::Adjoint, e);
            let received = if edge.to == exit {
                let value = edge.args[0];
                let graph = self.frames.block(Half::Adjoint, block).graph;
                let (ty, span) = (self.e.b.m[value].ty.clone(), self.e.b.m[value].span);
                vec![(value, self.e.live_part(graph, cotangent, &self.region.up, &ty, span))]
            } else {
                let nodes = self.e.program.nest.free(self.graph_of(edge.to)).chain(edge.args.iter().copied());
                nodes.zip(down[edge.to].iter().cloned()).collect()
            };
            self.go_on(block, from, &flow.repeated(e), received);
        }
        self.record(flow);

        // The transpose of the way into the region ends the adjoint; the exit gives back the pullback.
        let done = self.frames.block(Half::Adjoint, self.frames.edge(Half::Adjoint, 0)).graph;
        let mut leaves = Vec::new();
        down[0].iter().for_each(|c| c.values(&mut leaves));
        let k = *self.e.b.m[entry].params.last().expect("K takes a continuation");
        let end = self.e.b.call(done, k, &leaves, None, Span::NONE);
        self.e.b.m.set_result(done, end);
        let graph = self.frames.block(Half::Forward, exit).graph;
        let (y, back) = (self.e.b.m[graph].params[0], self.e.b.m.graph_ref(back));
        let pair = self.e.b.tuple(graph, &[y, back], Span::NONE);
        self.e.b.m.set_result(graph, pair);
    }

    /// E of a block.
    fn given(&self, p: usize) -> Given {
        let (m, facts) = (&*self.e.b.m, self.region.facts);
        match &self.frames.flow.tails[p] {
            Tail::Return(value) => merged(m, [(*value, self.region.up.clone())]),
            Tail::Jump { target, args } => {
                let nodes = self.e.program.nest.free(*target).chain(args.iter().copied());
                merged(m, nodes.zip(facts.down[*target].iter().cloned()))
            }
            Tail::Branch { .. } => facts.joins[self.graph_of(p)].clone(),
            Tail::Unknown { .. } => unreachable!("such a region has no flow"),
        }
    }

    /// Makes the blocks of the adjoint, and says how they follow each other.
    fn transpose(&mut self, back: GraphId, flow: &Flow) {
        let exit = flow.exit();
        for p in 0..exit {
            let block = self.adjoint_block(p, "bwd", None);
            let received = self.parameters(block, &self.given[p].clone());
            self.received.push(received);
        }
        self.frames.add(Half::Adjoint, Block { start: Start::Origin, ..Block::new(back, Vec::new()) });
        let mut asked: Vec<(usize, Var)> = Vec::new();
        for p in (0..=exit).filter(|&p| flow.live[p]) {
            match flow.header_of(p) {
                None => self.ways(p, &flow.preds[p], Var::Pred(p), &mut asked),
                Some(l) => {
                    let this = &flow.loops[l];
                    let [pop, leave] = ["pop", "leave"].map(|what| self.adjoint_block(p, what, Some(p)));
                    let popped = self.adjoint_block(p, "popped", Some(pop));
                    self.frames.block(Half::Adjoint, popped).start = Start::Popped(l);
                    self.frames.block(Half::Adjoint, pop).end = End::Jump { to: popped, args: Vec::new() };
                    self.popped.insert(l, (pop, popped));
                    self.ways(popped, &this.latches, Var::Latch(l), &mut asked);
                    self.ways(leave, &this.entries, Var::Pred(p), &mut asked);
                    self.frames.block(Half::Adjoint, p).end = End::If { condition: NodeId::default(), to: [pop, leave] };
                    asked.push((p, Var::Count(l)));
                }
            }
        }
        let mut arms = Vec::new();
        for (l, this) in flow.loops.iter().enumerate() {
            if this.dispatch.is_empty() {
                self.dispatch.push(None);
                continue;
            }
            let block = self.adjoint_block(this.header, "again", None);
            let graph = self.frames.block(Half::Adjoint, block).graph;
            let which = self.e.b.m.add_param(graph, Type::I64, Some("which".into()), Span::NONE);
            let mut given = Given::new();
            for (&n, act) in this.dispatch.iter().flat_map(|&q| &self.given[q]) {
                given.entry(n).and_modify(|a| *a = a.join(act)).or_insert_with(|| act.clone());
            }
            let received = self.parameters(block, &given);
            let to: Vec<usize> = this.dispatch.iter().map(|&q| self.adjoint_block(q, "back", Some(block))).collect();
            arms.extend(to.iter().zip(&this.dispatch).map(|(&arm, &q)| (arm, q, l, received.clone())));
            self.frames.block(Half::Adjoint, block).end = End::Switch { index: which, to };
            self.dispatch.push(Some(Dispatch { block, given }));
        }
        for (arm, q, l, received) in arms {
            let mut within: Vec<usize> = flow.around(q).take_while(|&inner| inner != l).collect();
            within.reverse();
            let target = self.target(q, &within);
            self.frames.block(Half::Adjoint, target).preds.push(arm);
            self.go_on(arm, q, &within, received);
        }
        for (e, edge) in flow.edges.iter().enumerate().filter(|(_, edge)| flow.live[edge.to]) {
            let Some(from) = edge.from else { continue };
            let target = self.target(from, &flow.repeated(e));
            let block = self.frames.edge(Half::Adjoint, e);
            self.frames.block(Half::Adjoint, target).preds.push(block);
        }
        self.choose(asked);
    }

    /// Lets a block go on to the transpose of one of the edges, by the index that `var` holds.
    fn ways(&mut self, block: usize, edges: &[usize], var: Var, asked: &mut Vec<(usize, Var)>) {
        if let [one] = edges[..] {
            return self.frames.set_edge(Half::Adjoint, one, block);
        }
        let to = edges.iter().map(|&e| {
            let from = self.frames.flow.edges[e].from.unwrap_or(0);
            let edge = self.adjoint_block(from, "back", Some(block));
            self.frames.set_edge(Half::Adjoint, e, edge);
            edge
        });
        let to = to.collect();
        self.frames.block(Half::Adjoint, block).end = End::Switch { index: NodeId::default(), to };
        asked.push((block, var));
    }

    /// Reads the indices and counts that blocks choose by, and counts down where the adjoint goes back in a loop.
    fn choose(&mut self, asked: Vec<(usize, Var)>) {
        for (block, var) in asked {
            let value = self.frames.at_start(self.e.b.m, Half::Adjoint, block, var);
            let graph = self.frames.block(Half::Adjoint, block).graph;
            let (zero, one) = (self.e.b.m.i64(0), self.e.b.m.i64(1));
            if let Var::Count(l) = var {
                let more = self.e.b.prim(graph, Prim::Gt, &[value, zero], Span::NONE);
                let (pop, popped) = self.popped[&l];
                let edge = self.frames.block(Half::Adjoint, pop).graph;
                let next = self.e.b.prim(edge, Prim::WrapSub, &[value, one], Span::NONE);
                self.frames.define(Half::Adjoint, popped, var, next);
                let End::If { condition, .. } = &mut self.frames.block(Half::Adjoint, block).end else {
                    unreachable!("a header goes back or on")
                };
                *condition = more;
            } else if let End::Switch { index, .. } = &mut self.frames.block(Half::Adjoint, block).end {
                *index = value;
            }
        }
    }

    /// The reverse sweep over a block. Gives D, with zeros filled in.
    fn body(&mut self, p: usize) -> Vec<Cot<NodeId>> {
        let g = self.graph_of(p);
        let (program, all, facts) = (self.e.program, self.e.facts, self.region.facts);
        let mut callee = |callee: &Variant| all[callee].params().to_vec();
        let maker = Adjoint { b: &mut self.e.b, frames: &mut self.frames, block: p, region: self.region };
        let mut sweep = Sweep::new(maker, &mut callee).of(&facts.varied);
        for (n, c) in std::mem::take(&mut self.received[p]) {
            sweep.add(n, c, Span::NONE);
        }
        sweep.run(program.nest.schedule(g));
        let inputs: Vec<NodeId> = program.nest.free(g).chain(sweep.maker.b.m[g].params.iter().copied()).collect();
        let filled = inputs.into_iter().zip(&facts.down[g]).map(|(n, act)| {
            let (c, ty) = (sweep.get(n), sweep.maker.b.m[n].ty.clone());
            let mut leaves = Vec::new();
            sweep.leaves(c, act, &ty, &mut leaves);
            act.fill(&mut leaves.into_iter())
        });
        filled.collect()
    }

    /// The block where the transpose goes on to `from`, entering or repeating these loops.
    fn target(&self, from: usize, loops: &[usize]) -> usize {
        loops.iter().find_map(|&l| self.dispatch[l].as_ref()).map_or(from, |d| d.block)
    }

    /// Lets `block` end by going there, with the sum of what it received.
    fn go_on(&mut self, block: usize, from: usize, loops: &[usize], received: Received) {
        let graph = self.frames.block(Half::Adjoint, block).graph;
        let dispatch = loops.iter().find_map(|&l| self.dispatch[l].as_ref().map(|d| (d, l)));
        let (to, given) = match dispatch {
            Some((d, _)) => (d.block, &d.given),
            None => (from, &self.given[from]),
        };
        let mut args = Vec::new();
        if let Some((_, l)) = dispatch {
            let which = self.frames.flow.loops[l].dispatch.iter().position(|&q| q == from);
            args.push(self.e.b.m.i64(which.expect("a loop is left from its exits") as i64));
        }
        let mut callee = |_: &_| unreachable!("nothing is swept here");
        let maker = Nodes { b: &mut self.e.b, graph, copies: &self.region.copies, pullbacks: &self.region.pullbacks };
        let mut sweep = Sweep::new(maker, &mut callee);
        for (n, c) in received {
            sweep.add(n, c, Span::NONE);
        }
        for (&n, act) in given {
            let (c, ty) = (sweep.get(n), sweep.maker.b.m[n].ty.clone());
            sweep.leaves(c, act, &ty, &mut args);
        }
        self.frames.block(Half::Adjoint, block).end = End::Jump { to, args };
    }

    /// Emits the pushes and pops of what turned out to be needed of each iteration.
    fn record(&mut self, flow: &Flow) {
        self.frames.settle(self.e.b.m);
        for (l, this) in flow.loops.iter().enumerate() {
            let slots = self.frames.slots[l].clone();
            if slots.is_empty() {
                continue;
            }
            let tape = Type::tape(Type::tuple(slots.iter().map(|&var| self.frames.ty(self.e.b.m, var))));
            self.frames.tapes[l] = Some(tape.clone());
            let empty = self.e.b.m.constant(Const::Undefined, tape);
            self.frames.define(Half::Forward, self.frames.edge(Half::Forward, 0), Var::Tape(l), empty);
            for &e in &this.latches {
                let block = self.frames.edge(Half::Forward, e);
                let graph = self.frames.block(Half::Forward, block).graph;
                let m = &mut *self.e.b.m;
                let values: Vec<NodeId> = slots.iter().map(|&s| self.frames.at_end(m, Half::Forward, block, s)).collect();
                let before = self.frames.at_start(m, Half::Forward, block, Var::Tape(l));
                let record = self.e.b.tuple(graph, &values, Span::NONE);
                let after = self.e.b.prim(graph, Prim::Push, &[before, record], Span::NONE);
                self.frames.define(Half::Forward, block, Var::Tape(l), after);
            }
            let (pop, popped) = self.popped[&l];
            let graph = self.frames.block(Half::Adjoint, pop).graph;
            let tape = self.frames.at_start(self.e.b.m, Half::Adjoint, pop, Var::Tape(l));
            let both = self.e.b.prim(graph, Prim::Pop, &[tape], Span::NONE);
            let (rest, record) = (self.e.b.get(graph, both, 0, Span::NONE), self.e.b.get(graph, both, 1, Span::NONE));
            self.frames.define(Half::Adjoint, popped, Var::Tape(l), rest);
            let args = (0..slots.len()).map(|i| self.e.b.get(graph, record, i, Span::NONE)).collect();
            self.frames.block(Half::Adjoint, pop).end = End::Jump { to: popped, args };
        }
    }

    // --- small things

    /// A block of the adjoint that belongs to block `p` of the primal.
    fn adjoint_block(&mut self, p: usize, what: &str, pred: Option<usize>) -> usize {
        let graph = self.e.graph(self.graph_of(p), what, Role::Backward, self.region.result.clone());
        self.frames.add(Half::Adjoint, Block::new(graph, pred.into_iter().collect()))
    }

    /// Parameters of an adjoint block for what it is given.
    fn parameters(&mut self, block: usize, given: &Given) -> Received {
        let graph = self.frames.block(Half::Adjoint, block).graph;
        let mut received = Vec::new();
        for (&n, act) in given {
            let (ty, name) = (self.e.b.m[n].ty.clone(), self.e.b.m[n].name.clone());
            let params = self.e.leaf_params(graph, act, &ty, name);
            received.push((n, act.fill(&mut params.into_iter())));
        }
        received
    }
}
