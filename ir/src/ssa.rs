//! Construction of static single assignment form, after Braun et al. 2013, *Simple and Efficient Construction of Static Single
//! Assignment Form*.
//!
//! Each basic block is a graph, its φ's are the graph's parameters, a jump is a tail call. A block reads what a dominating block
//! defines as a free variable. Unlike the paper, trivial φ's are removed when the function is complete, so that no node changes
//! while it is built, and the search for a definition keeps an explicit worklist. Where paths join and none of them assigns the
//! variable, the search goes on at the immediate dominator: values that live through many joins would need a φ at each.

use crate::graph::{Const, Flavor, GraphId, Module, NodeId, Role};
use crate::prim::Prim;
use crate::span::Span;
use crate::types::Type;
use rustc_hash::{FxHashMap, FxHashSet};
use std::hash::Hash;
use std::sync::Arc;

/// A variable of one function, as a front end knows it.
pub trait Variable: Copy + Eq + Hash {
    /// Its name in the source; none of a value that crosses blocks without one.
    fn name(&self) -> Option<&str>;
}

/// A basic block of one function.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct BlockId(u32);

/// The place of a definition or use: in which block, and when in it.
pub type Point = (BlockId, u32);

#[derive(Debug)]
struct Block<V> {
    graph: GraphId,
    preds: Vec<BlockId>,
    /// Whether all predecessors are known.
    sealed: bool,
    defs: FxHashMap<V, NodeId>,
    phis: Vec<Phi<V>>,
    end: Option<End>,
    /// The immediate dominator, as far as predecessors are known, and how many blocks dominate this one.
    dominator: Option<(BlockId, u32)>,
}

#[derive(Debug)]
struct Phi<V> {
    node: NodeId,
    var: V,
    /// One for each predecessor; empty while the block is not sealed.
    args: Vec<NodeId>,
}

#[derive(Clone, Copy, Debug)]
enum End {
    Jump(BlockId, Span),
    Branch { condition: NodeId, then: BlockId, otherwise: BlockId, span: Span },
    Return(NodeId, Span),
}

/// The blocks of one function under construction.
#[derive(Debug)]
pub struct Ssa<V> {
    blocks: Vec<Block<V>>,
    /// The value of a variable that was never assigned.
    undefined: NodeId,
    /// The blocks that assign a variable.
    writers: FxHashMap<V, Vec<BlockId>>,
    /// φ's whose arguments are to be looked up.
    pending: Vec<(BlockId, usize)>,
    /// What trivial φ's stand for, once the function is complete.
    forward: FxHashMap<NodeId, NodeId>,
    /// φ's that may stand for no value.
    partial: FxHashSet<NodeId>,
}

impl<V: Variable> Ssa<V> {
    /// The entry block of a function is the function's own graph.
    pub const ENTRY: BlockId = BlockId(0);

    /// A function with nothing but its entry.
    pub fn new(m: &mut Module, function: GraphId) -> Ssa<V> {
        let undefined = m.constant(Const::Undefined, Type::Unknown);
        let mut ssa = Ssa {
            blocks: Vec::new(),
            undefined,
            writers: FxHashMap::default(),
            pending: Vec::new(),
            forward: FxHashMap::default(),
            partial: FxHashSet::default(),
        };
        ssa.add(function);
        ssa.blocks[0].sealed = true;
        ssa
    }

    /// Takes the value from a variable.
    pub fn delete(&mut self, b: BlockId, var: V) {
        self.write(b, var, self.undefined);
    }

    /// A new block with no predecessors yet.
    pub fn block(&mut self, m: &mut Module, name: impl Into<Arc<str>>, span: Span) -> BlockId {
        let graph = m.add_graph(name, Flavor::Block, Role::Primal, span);
        self.add(graph)
    }

    fn add(&mut self, graph: GraphId) -> BlockId {
        let id = BlockId(self.blocks.len() as u32);
        self.blocks.push(Block {
            graph,
            preds: Vec::new(),
            sealed: false,
            defs: FxHashMap::default(),
            phis: Vec::new(),
            end: None,
            dominator: None,
        });
        id
    }

    /// The graph of a block.
    pub fn graph(&self, b: BlockId) -> GraphId {
        self.blocks[b.0 as usize].graph
    }

    /// The graphs of all blocks, in the order of their ids.
    pub fn graphs(&self) -> impl Iterator<Item = (BlockId, GraphId)> {
        self.blocks.iter().enumerate().map(|(i, b)| (BlockId(i as u32), b.graph))
    }

    /// Whether anything jumps here.
    pub fn is_reachable(&self, b: BlockId) -> bool {
        b == Self::ENTRY || !self.blocks[b.0 as usize].preds.is_empty()
    }

    /// Where the block goes.
    pub fn successors(&self, b: BlockId) -> impl Iterator<Item = BlockId> {
        let (first, second) = match self.blocks[b.0 as usize].end {
            Some(End::Jump(target, _)) => (Some(target), None),
            Some(End::Branch { then, otherwise, .. }) => (Some(then), Some(otherwise)),
            Some(End::Return(..)) | None => (None, None),
        };
        first.into_iter().chain(second)
    }

    /// The blocks that go to this one.
    pub fn predecessors(&self, b: BlockId) -> &[BlockId] {
        &self.blocks[b.0 as usize].preds
    }

    /// Ends a block with a jump.
    pub fn jump(&mut self, from: BlockId, to: BlockId, span: Span) {
        self.blocks[from.0 as usize].end = Some(End::Jump(to, span));
        self.link(from, to);
    }

    /// Ends a block with a two-way branch; its targets have no other predecessors.
    pub fn branch(&mut self, from: BlockId, condition: NodeId, then: BlockId, otherwise: BlockId, span: Span) {
        self.blocks[from.0 as usize].end = Some(End::Branch { condition, then, otherwise, span });
        for to in [then, otherwise] {
            self.link(from, to);
            self.blocks[to.0 as usize].sealed = true;
        }
    }

    /// Ends a block with the function's result.
    pub fn ret(&mut self, from: BlockId, value: NodeId, span: Span) {
        self.blocks[from.0 as usize].end = Some(End::Return(value, span));
    }

    fn link(&mut self, from: BlockId, to: BlockId) {
        let dominator = match self.blocks[to.0 as usize].dominator {
            None if to != Self::ENTRY && self.blocks[to.0 as usize].preds.is_empty() => Some(from),
            None => None,
            Some((before, _)) => self.common_dominator(before, from),
        };
        let dominator = dominator.map(|d| (d, self.depth(d) + 1));
        let to = &mut self.blocks[to.0 as usize];
        debug_assert!(!to.sealed, "a sealed block has all its predecessors");
        to.preds.push(from);
        to.dominator = dominator;
    }

    fn depth(&self, b: BlockId) -> u32 {
        self.blocks[b.0 as usize].dominator.map_or(0, |(_, depth)| depth)
    }

    /// The nearest block that dominates both; none where nothing is known to.
    fn common_dominator(&self, mut a: BlockId, mut b: BlockId) -> Option<BlockId> {
        while a != b {
            let deeper = if self.depth(a) < self.depth(b) { &mut b } else { &mut a };
            *deeper = self.blocks[deeper.0 as usize].dominator?.0;
        }
        Some(a)
    }

    /// The immediate dominator of a block where paths join, if none of the paths from there assigns a variable.
    fn passed_by(&self, b: BlockId, var: V) -> Option<BlockId> {
        /// Looking at more writers costs more than the φ.
        const WRITERS: usize = 8;
        let (dominator, depth) = self.blocks[b.0 as usize].dominator?;
        let deeper = self.writers.get(&var).into_iter().flatten().filter(|&&w| self.depth(w) >= depth);
        let is_elsewhere = |&w: &BlockId| self.common_dominator(dominator, w) != Some(dominator);
        (deeper.clone().count() <= WRITERS && deeper.clone().all(is_elsewhere)).then_some(dominator)
    }

    /// Says that a block has all its predecessors.
    pub fn seal(&mut self, m: &mut Module, b: BlockId) {
        let block = &mut self.blocks[b.0 as usize];
        block.sealed = true;
        self.pending.extend((0..block.phis.len()).map(|i| (b, i)));
        self.fill(m);
    }

    /// Assigns a variable at the end of a block.
    pub fn write(&mut self, b: BlockId, var: V, value: NodeId) {
        self.blocks[b.0 as usize].defs.insert(var, value);
        let writers = self.writers.entry(var).or_default();
        if writers.last() != Some(&b) {
            writers.push(b);
        }
    }

    /// The value of a variable at the end of a block. It may turn out to be a φ that stands for another node ([`Ssa::value`]), or
    /// for none ([`Ssa::is_assigned`]), when the function is complete.
    pub fn read(&mut self, m: &mut Module, b: BlockId, var: V) -> NodeId {
        let value = self.lookup(m, b, var);
        self.fill(m);
        value
    }

    fn lookup(&mut self, m: &mut Module, b: BlockId, var: V) -> NodeId {
        let mut at = b;
        let value = loop {
            let block = &self.blocks[at.0 as usize];
            if let Some(&value) = block.defs.get(&var) {
                break value;
            }
            if block.sealed
                && block.preds.len() > 1
                && let Some(dominator) = self.passed_by(at, var)
            {
                at = dominator;
                continue;
            }
            let block = &mut self.blocks[at.0 as usize];
            match block.preds[..] {
                [pred] if block.sealed => at = pred,
                [] if block.sealed => break self.undefined,
                _ => {
                    let name = var.name().map(Into::into);
                    let span = m[block.graph].span;
                    let node = m.add_param(block.graph, Type::Unknown, name, span);
                    if block.sealed {
                        self.pending.push((at, block.phis.len()));
                    }
                    block.phis.push(Phi { node, var, args: Vec::new() });
                    block.defs.insert(var, node);
                    break node;
                }
            }
        };
        self.blocks[b.0 as usize].defs.insert(var, value);
        value
    }

    fn fill(&mut self, m: &mut Module) {
        while let Some((b, i)) = self.pending.pop() {
            let var = self.blocks[b.0 as usize].phis[i].var;
            let preds = self.blocks[b.0 as usize].preds.clone();
            let args = preds.into_iter().map(|p| self.lookup(m, p, var)).collect();
            self.blocks[b.0 as usize].phis[i].args = args;
        }
    }

    /// Removes trivial and unused φ's and gives each block its terminator. Every reachable block has an end by now. `kept` are
    /// values that are used by something else than a node.
    pub fn finish(&mut self, m: &mut Module, kept: &[NodeId]) {
        self.forward_trivial_phis();
        self.find_partial_phis();
        let live = self.live_phis(m, kept);
        for block in &mut self.blocks {
            for i in (0..block.phis.len()).rev() {
                let node = block.phis[i].node;
                let target = resolve(&self.forward, node);
                if target != node || !live.contains(&node) {
                    m.replace(node, target);
                    m.remove_param(block.graph, i);
                    block.phis.remove(i);
                }
            }
        }
        for i in 0..self.blocks.len() {
            self.terminate(m, BlockId(i as u32));
        }
    }

    /// The node that a value read before [`Ssa::finish`] stands for.
    pub fn value(&self, n: NodeId) -> NodeId {
        resolve(&self.forward, n)
    }

    /// Whether a value read before [`Ssa::finish`] is one on every path.
    pub fn is_assigned(&self, n: NodeId) -> bool {
        let n = self.value(n);
        n != self.undefined && !self.partial.contains(&n)
    }

    /// The φ's that may be why a value is none: those with paths that bring no value, and those that they feed on the way to it.
    pub fn partial_on_the_way(&self, n: NodeId) -> Vec<NodeId> {
        let mut args: FxHashMap<NodeId, Vec<NodeId>> = FxHashMap::default();
        for (phi, _, arg) in self.phis() {
            args.entry(phi).or_default().push(arg);
        }
        let (mut found, mut work) = (Vec::new(), vec![self.value(n)]);
        while let Some(n) = work.pop() {
            if self.partial.contains(&n) && !found.contains(&n) {
                found.push(n);
                work.extend(args.get(&n).into_iter().flatten());
            }
        }
        found
    }

    /// Each φ with its block, once for each of its arguments.
    pub fn phis(&self) -> impl Iterator<Item = (NodeId, BlockId, NodeId)> {
        self.blocks.iter().enumerate().flat_map(move |(i, block)| {
            let phis = block.phis.iter();
            phis.flat_map(move |phi| phi.args.iter().map(move |&arg| (phi.node, BlockId(i as u32), self.value(arg))))
        })
    }

    /// A φ whose arguments are all one node, or the φ itself, stands for that node. To a fixed point: each φ found trivial puts the
    /// φ's that use it back on the list.
    fn forward_trivial_phis(&mut self) {
        let mut users: FxHashMap<NodeId, Vec<(usize, usize)>> = FxHashMap::default();
        let mut work = Vec::new();
        for (b, block) in self.blocks.iter().enumerate() {
            for (i, phi) in block.phis.iter().enumerate() {
                work.push((b, i));
                for &arg in &phi.args {
                    users.entry(arg).or_default().push((b, i));
                }
            }
        }
        while let Some((b, i)) = work.pop() {
            let phi = &self.blocks[b].phis[i];
            if self.forward.contains_key(&phi.node) {
                continue;
            }
            let mut same = None;
            let trivial = phi.args.iter().map(|&a| resolve(&self.forward, a)).filter(|&a| a != phi.node).all(|a| {
                let first = *same.get_or_insert(a);
                first == a
            });
            if !trivial {
                continue;
            }
            let (node, target) = (phi.node, same.unwrap_or(self.undefined));
            self.forward.insert(node, target);
            // Users of the φ are from now on users of what it stands for.
            let mut moved = users.remove(&node).unwrap_or_default();
            moved.retain(|&(b, i)| !self.forward.contains_key(&self.blocks[b].phis[i].node));
            work.extend(&moved);
            users.entry(target).or_default().extend(moved);
        }
        // Shorten the chains, so that following them is cheap from now on.
        let all: Vec<NodeId> = self.forward.keys().copied().collect();
        for start in all {
            let root = resolve(&self.forward, start);
            let mut n = start;
            while let Some(next) = self.forward.insert(n, root)
                && next != root
            {
                n = next;
            }
        }
    }

    fn find_partial_phis(&mut self) {
        let mut users: FxHashMap<NodeId, Vec<NodeId>> = FxHashMap::default();
        for (phi, _, arg) in self.phis() {
            users.entry(arg).or_default().push(phi);
        }
        let mut work = vec![self.undefined];
        while let Some(n) = work.pop() {
            for &user in users.get(&n).into_iter().flatten() {
                if self.value(user) == user && self.partial.insert(user) {
                    work.push(user);
                }
            }
        }
    }

    /// The φ's that something besides φ's uses, and those that feed them.
    fn live_phis(&self, m: &Module, kept: &[NodeId]) -> FxHashSet<NodeId> {
        let mut args: FxHashMap<NodeId, Vec<NodeId>> = FxHashMap::default();
        let mut work: Vec<NodeId> = kept.iter().map(|&n| self.value(n)).collect();
        for block in &self.blocks {
            work.extend(block.phis.iter().filter(|p| !m[p.node].users().is_empty()).map(|p| self.value(p.node)));
            work.extend(match block.end {
                Some(End::Branch { condition: value, .. } | End::Return(value, _)) => Some(self.value(value)),
                _ => None,
            });
            for phi in &block.phis {
                args.insert(phi.node, phi.args.iter().map(|&a| self.value(a)).collect());
            }
        }
        let mut live = FxHashSet::default();
        while let Some(n) = work.pop() {
            if live.insert(n) {
                work.extend(args.get(&n).into_iter().flatten());
            }
        }
        live
    }

    fn terminate(&self, m: &mut Module, b: BlockId) {
        let graph = self.graph(b);
        let result = match self.blocks[b.0 as usize].end {
            // Nothing jumps here, or there was an error.
            None => return,
            Some(End::Return(value, _)) => self.value(value),
            Some(End::Jump(to, span)) => {
                let target = &self.blocks[to.0 as usize];
                let index = target.preds.iter().position(|&p| p == b).expect("a jump is linked");
                let args: Vec<NodeId> = target.phis.iter().map(|phi| self.value(phi.args[index])).collect();
                let callee = m.graph_ref(target.graph);
                m.call(graph, callee, &args, Type::Unknown, span)
            }
            Some(End::Branch { condition, then, otherwise, span }) => {
                let arms = [then, otherwise].map(|arm| m.graph_ref(self.graph(arm)));
                let operands = vec![self.value(condition), arms[0], arms[1]];
                let select = m.prim(graph, Prim::Select, operands, Type::Unknown, span);
                m.call(graph, select, &[], Type::Unknown, span)
            }
        };
        m.set_result(graph, result);
        if let (Some(End::Return(_, span)), Some(ret)) = (self.blocks[b.0 as usize].end, m[graph].ret) {
            m.set_span(ret, span);
        }
    }
}

fn resolve(forward: &FxHashMap<NodeId, NodeId>, mut n: NodeId) -> NodeId {
    while let Some(&next) = forward.get(&n) {
        n = next;
    }
    n
}
