//! Values across blocks (docs/strategies.md §5, rules 5 and 6): both halves of a derivative as control-flow graphs under
//! construction, in which the values that cross blocks are variables.
//!
//! Block parameters (φ's) are made on demand (Braun et al., "Simple and efficient construction of static single assignment form",
//! 2013). Two kinds of block give a variable another meaning than its predecessors do: the header of a loop in the forward half
//! begins an iteration, so that what belongs to the iteration is undefined; and where the adjoint goes back in a loop, what belongs
//! to the iteration is popped. What the adjoint asks for there is what is recorded; what reaches its start unchanged is what the
//! pullback captures.
//!
//! Once a half has all its blocks, no φ is made where the ways to a block part and meet again without a new meaning in between: the
//! variable is what it was where they part (Cytron et al., "Efficiently computing static single assignment form and the
//! control dependence graph", 1991). So what crosses many loops needs no φ at each of them.

use super::dominators::Dominators;
use super::flow::Flow;
use gradus_ir::build::Builder;
use gradus_ir::{Const, Flavor, GraphId, Module, NodeId, Prim, Span, Type};
use rustc_hash::FxHashMap;

/// What crosses blocks. Loops and blocks are numbered as in [`Flow`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Var {
    /// A node of the forward half: a value, or the pullback of a call.
    Node(NodeId),
    /// By which of its edges a block was entered; of a header, which of those from outside.
    Pred(usize),
    /// By which of its latches an iteration of a loop ended.
    Latch(usize),
    /// How often a loop went back to its header.
    Count(usize),
    /// The records of a loop.
    Tape(usize),
}

/// A half of the derivative.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Half {
    Forward,
    Adjoint,
}

/// Where the variables of a block come from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Start {
    /// From its predecessors.
    Flow,
    /// It has none: undefined in the forward half; in the adjoint, what they are at the forward half's exit.
    Origin,
    /// An iteration of the loop begins.
    Iteration(usize),
    /// A record of the loop was popped.
    Popped(usize),
}

/// How a block ends.
#[derive(Clone, Debug)]
pub enum End {
    /// As was emitted already.
    Emitted,
    /// Goes to a block, with arguments for the parameters it was made with.
    Jump { to: usize, args: Vec<NodeId> },
    /// Goes to the first block if a condition holds, else to the second.
    If { condition: NodeId, to: [usize; 2] },
    /// Goes to the block of an index.
    Switch { index: NodeId, to: Vec<usize> },
}

/// A block under construction.
#[derive(Clone, Debug)]
pub struct Block {
    pub graph: GraphId,
    pub start: Start,
    pub preds: Vec<usize>,
    pub end: End,
    /// The variables that are its further parameters, in their order.
    pub phis: Vec<usize>,
}

struct Phi {
    half: Half,
    block: usize,
    var: Var,
    param: NodeId,
    args: Vec<NodeId>,
}

/// Both halves.
pub struct Frames {
    pub flow: Flow,
    /// Both halves begin with the blocks and the exit, numbered as in [`Flow`].
    pub(super) blocks: [Vec<Block>; 2],
    /// The block where an edge's own work is done: that of its source in the forward half, and of its target in the adjoint,
    /// unless that has other edges too.
    edges: FxHashMap<(Half, usize), usize>,
    /// The block of each graph of the forward half that holds copies.
    pub(super) home: FxHashMap<GraphId, usize>,
    /// What is recorded of an iteration of each loop: the parameters of the block where it is popped.
    pub slots: Vec<Vec<Var>>,
    /// The types of tapes, once all slots are known.
    pub tapes: Vec<Option<Type>>,
    pub(super) defs: FxHashMap<(Half, usize, Var), NodeId>,
    pub(super) starts: FxHashMap<(Half, usize, Var), NodeId>,
    phis: Vec<Phi>,
    settled: usize,
    aliases: FxHashMap<NodeId, NodeId>,
    /// Of each half, once it has all its blocks: its dominators, and where the iterations of each loop begin or are popped.
    shapes: [Option<Shape>; 2],
}

struct Shape {
    dominators: Dominators,
    starts: FxHashMap<usize, usize>,
}

impl Block {
    /// A block that takes its variables from `preds`.
    pub fn new(graph: GraphId, preds: Vec<usize>) -> Block {
        Block { graph, start: Start::Flow, preds, end: End::Emitted, phis: Vec::new() }
    }
}

impl Frames {
    /// Nothing is asked for yet. `home`: the block of each forward graph.
    pub fn new(flow: Flow, home: FxHashMap<GraphId, usize>) -> Frames {
        let loops = flow.loops.len();
        let (blocks, edges, defs, starts, phis, aliases) = Default::default();
        let (slots, tapes) = (vec![Vec::new(); loops], vec![None; loops]);
        let shapes = [None, None];
        Frames { flow, blocks, edges, home, slots, tapes, defs, starts, phis, settled: 0, aliases, shapes }
    }

    /// Says that a half has all its blocks, and all of them their predecessors.
    pub fn seal(&mut self, half: Half) {
        let blocks = &self.blocks[half as usize];
        let preds: Vec<&[usize]> = blocks.iter().map(|block| &block.preds[..]).collect();
        let root = blocks.iter().position(|block| block.start == Start::Origin).expect("a half has a beginning");
        let starts = blocks.iter().enumerate().filter_map(|(b, block)| match block.start {
            Start::Iteration(l) | Start::Popped(l) => Some((l, b)),
            Start::Flow | Start::Origin => None,
        });
        self.shapes[half as usize] = Some(Shape { dominators: Dominators::new(root, &preds), starts: starts.collect() });
    }

    /// For a block with several predecessors the one that all ways to it go through, if a variable has no new meaning after that.
    fn unchanged_since(&self, m: &Module, half: Half, block: usize, var: Var) -> Option<usize> {
        let Shape { dominators, starts } = self.shapes[half as usize].as_ref()?;
        let from = dominators.immediate(block)?;
        let owners = std::iter::successors(self.owner(m, var), |&l| self.flow.loops[l].parent);
        let mut changes: Vec<usize> = owners.filter_map(|l| starts.get(&l).copied()).collect();
        let edge = |e: &usize| self.edges[&(half, *e)];
        match (half, var) {
            (Half::Forward, Var::Node(n)) => changes.extend(m[n].graph.and_then(|g| self.home.get(&g))),
            (Half::Forward, Var::Pred(b)) => changes.extend(self.flow.preds[b].iter().map(edge)),
            (Half::Forward, Var::Latch(l) | Var::Tape(l)) => changes.extend(self.flow.loops[l].latches.iter().map(edge)),
            (Half::Forward, Var::Count(l)) => {
                let this = &self.flow.loops[l];
                changes.extend(this.entries.iter().chain(&this.latches).map(edge));
            }
            (Half::Adjoint, Var::Count(l) | Var::Tape(l)) => changes.extend(starts.get(&l)),
            (Half::Adjoint, Var::Node(_) | Var::Pred(_) | Var::Latch(_)) => {}
        }
        (!changes.iter().any(|&change| dominators.strictly(from, change))).then_some(from)
    }

    /// Whether all ways to a block lead through another one, in a half that has all its blocks.
    pub fn dominates(&self, half: Half, a: usize, b: usize) -> bool {
        self.shapes[half as usize].as_ref().is_some_and(|shape| shape.dominators.strictly(a, b))
    }

    /// Adds a block.
    pub fn add(&mut self, half: Half, block: Block) -> usize {
        self.blocks[half as usize].push(block);
        self.blocks[half as usize].len() - 1
    }

    /// A block.
    pub fn block(&mut self, half: Half, b: usize) -> &mut Block {
        &mut self.blocks[half as usize][b]
    }

    /// The block of an edge.
    pub fn edge(&self, half: Half, e: usize) -> usize {
        self.edges[&(half, e)]
    }

    /// Sets the block of an edge.
    pub fn set_edge(&mut self, half: Half, e: usize, block: usize) {
        self.edges.insert((half, e), block);
    }

    /// Lets a variable have a value from the end of a block on.
    pub fn define(&mut self, half: Half, block: usize, var: Var, value: NodeId) {
        self.defs.insert((half, block, var), value);
    }

    /// The innermost loop each iteration of which has a value of its own for a variable.
    pub(super) fn owner(&self, m: &Module, var: Var) -> Option<usize> {
        match var {
            Var::Node(n) => self.flow.innermost[self.home[&m[n].graph.expect("constants do not cross blocks")]],
            Var::Pred(b) => match self.flow.innermost[b] {
                Some(l) if self.flow.loops[l].header == b => self.flow.loops[l].parent,
                around => around,
            },
            Var::Latch(l) => Some(l),
            Var::Count(l) => self.flow.loops[l].parent,
            Var::Tape(_) => None,
        }
    }

    /// Whether a variable belongs to the iterations of a loop.
    pub(super) fn owns(&self, m: &Module, l: usize, var: Var) -> bool {
        std::iter::successors(self.owner(m, var), |&l| self.flow.loops[l].parent).any(|o| o == l)
    }

    /// The type of a variable.
    pub fn ty(&self, m: &Module, var: Var) -> Type {
        match var {
            Var::Node(n) => m[n].ty.clone(),
            Var::Pred(_) | Var::Latch(_) | Var::Count(_) => Type::I64,
            Var::Tape(l) => self.tapes[l].clone().expect("tapes are read once all slots are known"),
        }
    }

    /// The value of a variable where a block ends.
    pub fn at_end(&mut self, m: &mut Module, half: Half, block: usize, var: Var) -> NodeId {
        if let Some(&value) = self.defs.get(&(half, block, var)) {
            return value;
        }
        match var {
            Var::Node(n) if half == Half::Forward && m[n].graph.is_some_and(|g| self.home.get(&g) == Some(&block)) => n,
            _ => self.at_start(m, half, block, var),
        }
    }

    /// The value of a variable where a block starts.
    pub fn at_start(&mut self, m: &mut Module, half: Half, block: usize, var: Var) -> NodeId {
        let mut path = Vec::new();
        let mut b = block;
        let value = loop {
            if let Some(&value) = self.starts.get(&(half, b, var)) {
                break value;
            }
            path.push(b);
            let this = &self.blocks[half as usize][b];
            match this.start {
                Start::Origin if half == Half::Forward => break m.constant(Const::Undefined, self.ty(m, var)),
                Start::Origin => match self.counted_trips(m, b, None, var) {
                    Some(trips) => break trips,
                    None => break self.at_start(m, Half::Forward, self.flow.exit(), var),
                },
                Start::Iteration(l) if self.owns(m, l, var) => break m.constant(Const::Undefined, self.ty(m, var)),
                Start::Popped(l) if self.owns(m, l, var) => break self.slot(m, b, l, var),
                _ => {}
            }
            let pred = match this.preds[..] {
                [pred] => pred,
                _ => match self.unchanged_since(m, half, b, var) {
                    Some(from) => from,
                    None => break self.phi(m, half, b, var),
                },
            };
            let defined = match var {
                Var::Node(n) if half == Half::Forward && m[n].graph.is_some_and(|g| self.home.get(&g) == Some(&pred)) => Some(n),
                _ => self.defs.get(&(half, pred, var)).copied(),
            };
            if let Some(value) = defined {
                break value;
            }
            b = pred;
        };
        for b in path {
            self.starts.insert((half, b, var), value);
        }
        value
    }

    fn slot(&mut self, m: &mut Module, b: usize, l: usize, var: Var) -> NodeId {
        let counted = match var {
            Var::Node(n) => self.counted(m, b, l, n),
            _ => self.counted_trips(m, b, Some(l), var),
        };
        if let Some(value) = counted {
            return value;
        }
        self.slots[l].push(var);
        self.param(m, Half::Adjoint, b, var)
    }

    fn phi(&mut self, m: &mut Module, half: Half, block: usize, var: Var) -> NodeId {
        let param = self.param(m, half, block, var);
        self.blocks[half as usize][block].phis.push(self.phis.len());
        self.phis.push(Phi { half, block, var, param, args: Vec::new() });
        param
    }

    fn param(&self, m: &mut Module, half: Half, block: usize, var: Var) -> NodeId {
        let graph = self.blocks[half as usize][block].graph;
        let (name, span) = match var {
            Var::Node(n) => (m[n].name.clone(), m[n].span),
            Var::Pred(_) => (Some("from".into()), Span::NONE),
            Var::Latch(_) => (Some("latch".into()), Span::NONE),
            Var::Count(_) => (Some("trips".into()), Span::NONE),
            Var::Tape(_) => (Some("tape".into()), Span::NONE),
        };
        m.add_param(graph, self.ty(m, var), name, span)
    }

    /// Finds the arguments of all φ's, until there are no new ones.
    pub fn settle(&mut self, m: &mut Module) {
        while self.settled < self.phis.len() {
            let Phi { half, block, var, .. } = self.phis[self.settled];
            let preds = self.blocks[half as usize][block].preds.clone();
            let args = preds.into_iter().map(|p| self.at_end(m, half, p, var)).collect();
            self.phis[self.settled].args = args;
            self.settled += 1;
        }
    }

    /// What a node stands for after φ's were removed.
    fn resolve(&self, mut n: NodeId) -> NodeId {
        while let Some(&other) = self.aliases.get(&n) {
            n = other;
        }
        n
    }

    /// Removes the φ's that are always one and the same value.
    pub fn remove_trivial(&mut self, m: &mut Module) {
        let mut changed = true;
        while changed {
            changed = false;
            for i in 0..self.phis.len() {
                let param = self.phis[i].param;
                if self.aliases.contains_key(&param) {
                    continue;
                }
                let mut args = self.phis[i].args.iter().map(|&a| self.resolve(a)).filter(|&a| a != param);
                let Some(value) = args.next() else { continue };
                if !args.all(|a| a == value) {
                    continue;
                }
                m.replace(param, value);
                self.aliases.insert(param, value);
                changed = true;
            }
        }
        for block in self.blocks.iter_mut().flatten() {
            let before = block.phis.len();
            block.phis.retain(|&p| !self.aliases.contains_key(&self.phis[p].param));
            if block.phis.len() < before {
                m[block.graph].params.retain(|p| !self.aliases.contains_key(p));
                m.graph_ref(block.graph);
            }
        }
    }

    /// Emits how the blocks of a half end.
    pub fn finish(&mut self, b: &mut Builder<'_>, half: Half) {
        for i in 0..self.blocks[half as usize].len() {
            let Block { graph, end, .. } = self.blocks[half as usize][i].clone();
            let graph_of = |frames: &Frames, to: usize| frames.blocks[half as usize][to].graph;
            match end {
                End::Emitted => {}
                End::Jump { to, args } => {
                    let target = &self.blocks[half as usize][to];
                    let way = target.preds.iter().position(|&p| p == i).expect("a jump is an edge");
                    let args: Vec<NodeId> = args
                        .into_iter()
                        .chain(target.phis.iter().map(|&p| self.phis[p].args[way]))
                        .map(|n| self.resolve(n))
                        .collect();
                    let callee = b.m.graph_ref(target.graph);
                    let call = b.call(graph, callee, &args, None, Span::NONE);
                    b.m.set_result(graph, call);
                }
                End::If { condition, to } => {
                    let arms = to.map(|to| graph_of(self, to));
                    branch(b, graph, self.resolve(condition), arms);
                }
                End::Switch { index, to } => {
                    let arms: Vec<GraphId> = to.into_iter().map(|to| graph_of(self, to)).collect();
                    let index = self.resolve(index);
                    switch(b, graph, index, &arms, 0);
                }
            }
        }
    }
}

fn branch(b: &mut Builder<'_>, graph: GraphId, condition: NodeId, arms: [GraphId; 2]) {
    let [first, second] = arms.map(|g| b.m.graph_ref(g));
    let choice = b.prim(graph, Prim::Select, &[condition, first, second], Span::NONE);
    let call = b.call(graph, choice, &[], None, Span::NONE);
    b.m.set_result(graph, call);
}

/// Ends `graph` by going to `arms[index - first]`, by halves.
fn switch(b: &mut Builder<'_>, graph: GraphId, index: NodeId, arms: &[GraphId], first: i64) {
    let middle = arms.len() / 2;
    let (low, high) = arms.split_at(middle);
    let from = first + middle as i64;
    let bound = b.m.i64(from);
    let condition = b.prim(graph, Prim::Lt, &[index, bound], Span::NONE);
    let arms = [(low, first), (high, from)].map(|(part, first)| match part {
        [one] => *one,
        many => {
            let (name, role, result) = (b.m[graph].name.clone(), b.m[graph].role, b.m[graph].result.clone());
            let inner = b.m.add_graph(name, Flavor::Block, role, Span::NONE);
            b.m.declare_result(inner, result);
            switch(b, inner, index, many, first);
            inner
        }
    });
    branch(b, graph, condition, arms);
}
