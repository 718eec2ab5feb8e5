//! The control flow of a region (docs/strategies.md §5, rules 1 and 2): blocks, edges, and the loop nest.

use crate::program::{Program, Tail};
use gradus_ir::{GraphId, Module, NodeId};
use petgraph::algo::dominators::simple_fast;
use petgraph::graph::{DiGraph, NodeIndex};
use rustc_hash::FxHashSet;

/// A way from one block to the next.
#[derive(Clone, Debug)]
pub struct Edge {
    /// The block it leaves; none where the region is entered.
    pub from: Option<usize>,
    /// The block it enters, or [`Flow::exit`].
    pub to: usize,
    /// The arguments for the block's parameters; at the exit, the result.
    pub args: Vec<NodeId>,
}

/// A natural loop.
#[derive(Clone, Debug)]
pub struct Loop {
    /// The only block where it is entered.
    pub header: usize,
    /// The loop around it.
    pub parent: Option<usize>,
    /// The edges back to the header.
    pub latches: Vec<usize>,
    /// The edges into the header from outside.
    pub entries: Vec<usize>,
    /// Where the transposed loop is entered in more than one block: the blocks from which the loop is left or goes back.
    pub dispatch: Vec<usize>,
    body: FxHashSet<usize>,
}

/// The blocks of a region, numbered in its order, and how they follow each other. All that leave the region by a return meet in
/// one virtual exit block.
#[derive(Clone, Debug)]
pub struct Flow {
    /// How each block ends.
    pub tails: Vec<Tail>,
    /// Edge 0 enters the region.
    pub edges: Vec<Edge>,
    /// The edges into each block, the exit included.
    pub preds: Vec<Vec<usize>>,
    /// The edges out of each block, in the order of a branch's arms.
    pub succs: Vec<Vec<usize>>,
    /// The loops, an outer one before those within it.
    pub loops: Vec<Loop>,
    /// The innermost loop around each block.
    pub innermost: Vec<Option<usize>>,
    /// Whether the exit can be reached from a block; elsewhere the adjoint never comes.
    pub live: Vec<bool>,
}

/// Why a region cannot be transposed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Obstacle {
    /// A callee in tail position is not known: what comes after it is handed to it as a closure.
    UnknownTail,
    /// A loop is entered in more than one block.
    Irreducible,
    /// No path leads to a return, where the adjoint would begin.
    Endless,
}

impl Obstacle {
    /// The obstacle as a clause.
    pub fn reason(self) -> &'static str {
        match self {
            Obstacle::UnknownTail => {
                "it ends in a call of a function that is not known, which takes its continuation as a closure"
            }
            Obstacle::Irreducible => "a loop of it is entered in more than one place",
            Obstacle::Endless => "it never returns",
        }
    }
}

impl Flow {
    /// Whether a block is one of a loop.
    pub fn is_around(&self, l: usize, block: usize) -> bool {
        self.loops[l].body.contains(&block)
    }

    /// Whether a loop is left from its header alone, on the second way out of that.
    pub fn ends_in_header(&self, l: usize) -> bool {
        let Loop { header, body, .. } = &self.loops[l];
        let stays = |&e: &usize| body.contains(&self.edges[e].to) || !self.live[self.edges[e].to];
        let inner = body.iter().filter(|p| *p != header).all(|&p| self.succs[p].iter().all(stays));
        inner && matches!(self.succs[*header][..], [then, otherwise] if stays(&then) && !stays(&otherwise))
    }

    /// The flow of `region`, the function first.
    pub fn new(m: &Module, program: &Program, region: &[GraphId]) -> Result<Flow, Obstacle> {
        let number = |g: GraphId| region.iter().position(|&h| h == g).expect("a tail call stays in the region");
        let exit = region.len();
        let tails: Vec<Tail> = region.iter().map(|&g| program.tail(m, g, region)).collect();
        let mut edges = vec![Edge { from: None, to: 0, args: Vec::new() }];
        for (i, tail) in tails.iter().enumerate() {
            let (targets, args) = match tail {
                Tail::Return(value) => (vec![exit], vec![*value]),
                Tail::Jump { target, args } => (vec![number(*target)], args.clone()),
                Tail::Branch { targets, args, .. } => (targets.map(number).to_vec(), args.clone()),
                Tail::Unknown { .. } => return Err(Obstacle::UnknownTail),
            };
            edges.extend(targets.into_iter().map(|to| Edge { from: Some(i), to, args: args.clone() }));
        }
        let (mut preds, mut succs) = (vec![Vec::new(); exit + 1], vec![Vec::new(); exit + 1]);
        for (e, edge) in edges.iter().enumerate() {
            preds[edge.to].push(e);
            if let Some(from) = edge.from {
                succs[from].push(e);
            }
        }
        let mut flow = Flow { tails, edges, preds, succs, loops: Vec::new(), innermost: vec![None; exit + 1], live: Vec::new() };
        flow.live = flow.reaching(&[exit], |_| true).into_iter().collect();
        if !flow.live[0] {
            return Err(Obstacle::Endless);
        }
        flow.find_loops()?;
        Ok(flow)
    }

    /// The number of the exit block.
    pub fn exit(&self) -> usize {
        self.tails.len()
    }

    /// The loops around a block, the innermost first.
    pub fn around(&self, block: usize) -> impl Iterator<Item = usize> {
        std::iter::successors(self.innermost[block], |&l| self.loops[l].parent)
    }

    /// The loop that a block is the header of.
    pub fn header_of(&self, block: usize) -> Option<usize> {
        self.innermost[block].filter(|&l| self.loops[l].header == block)
    }

    /// The loop that an edge goes back in.
    pub fn latch_of(&self, edge: usize) -> Option<usize> {
        self.innermost[self.edges[edge].to].filter(|&l| self.loops[l].latches.contains(&edge))
    }

    /// The loops that an edge leaves or goes back in, the outermost first: those whose transpose it enters or repeats.
    pub fn repeated(&self, edge: usize) -> Vec<usize> {
        let Edge { from, to, .. } = self.edges[edge];
        let Some(from) = from else { return Vec::new() };
        let mut loops: Vec<usize> =
            self.around(from).filter(|&l| !self.loops[l].body.contains(&to) || self.loops[l].header == to).collect();
        loops.reverse();
        loops
    }

    /// Which blocks reach one of `ends` by blocks that are `within`.
    fn reaching(&self, ends: &[usize], within: impl Fn(usize) -> bool) -> Vec<bool> {
        let mut found = vec![false; self.preds.len()];
        let mut work = ends.to_vec();
        while let Some(b) = work.pop() {
            if !std::mem::replace(&mut found[b], true) {
                work.extend(self.preds[b].iter().filter_map(|&e| self.edges[e].from).filter(|&p| within(p)));
            }
        }
        found
    }

    fn find_loops(&mut self) -> Result<(), Obstacle> {
        let count = self.exit();
        let mut graph: DiGraph<(), usize> = DiGraph::new();
        (0..=count).for_each(|_| _ = graph.add_node(()));
        for (e, edge) in self.edges.iter().enumerate() {
            if let Some(from) = edge.from {
                graph.add_edge(NodeIndex::new(from), NodeIndex::new(edge.to), e);
            }
        }
        let dominators = simple_fast(&graph, NodeIndex::new(0));
        let dominates = |a: usize, b: usize| {
            dominators.dominators(NodeIndex::new(b)).is_some_and(|mut all| all.any(|d| d == NodeIndex::new(a)))
        };
        let is_latch: Vec<bool> = self.edges.iter().map(|e| e.from.is_some_and(|from| dominates(e.to, from))).collect();
        graph.retain_edges(|g, e| !is_latch[g[e]]);
        if petgraph::algo::is_cyclic_directed(&graph) {
            return Err(Obstacle::Irreducible);
        }
        for header in 0..count {
            let (latches, entries): (Vec<usize>, Vec<usize>) = self.preds[header].iter().copied().partition(|&e| is_latch[e]);
            if latches.is_empty() {
                continue;
            }
            let sources: Vec<usize> = latches.iter().filter_map(|&e| self.edges[e].from).filter(|&b| b != header).collect();
            let reached = self.reaching(&sources, |b| b != header);
            let body: FxHashSet<usize> = (0..count).filter(|&b| reached[b] || b == header).collect();
            self.loops.push(Loop { header, parent: None, latches, entries, dispatch: Vec::new(), body });
        }
        self.loops.sort_by_key(|l| std::cmp::Reverse(l.body.len()));
        for l in 0..self.loops.len() {
            let this = &self.loops[l];
            let parent = (0..l).rev().find(|&outer| self.loops[outer].body.contains(&this.header));
            let leaves =
                |b: usize| self.succs[b].iter().map(|&e| self.edges[e].to).any(|to| self.live[to] && !this.body.contains(&to));
            let mut exits: Vec<usize> = this.body.iter().copied().filter(|&b| leaves(b)).collect();
            if exits.len() > 1 {
                exits.extend(this.latches.iter().filter_map(|&e| self.edges[e].from));
                exits.sort_unstable();
                exits.dedup();
            } else {
                exits.clear();
            }
            for &b in &this.body {
                self.innermost[b] = Some(l);
            }
            self.loops[l].parent = parent;
            self.loops[l].dispatch = exits;
        }
        Ok(())
    }
}
