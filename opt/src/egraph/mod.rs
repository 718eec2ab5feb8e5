//! Tier 1 of simplification: equality saturation of whole functions.
//!
//! A *region* is a function with its blocks ([`gradus_ir::cfg`]). Its parameters and what it uses of enclosing functions are
//! leaves, its returns and calls the roots, and everything else floats: equal computations of all blocks share a class, and
//! extraction decides what is computed and where. A nested closure is a region of its own. The result is taken only if it
//! costs less, so running this again changes nothing at some point.

pub mod analysis;
pub mod blocks;
pub mod cost;
pub mod extract;
pub mod lang;
pub mod rebuild;
pub mod schedule;
pub mod sign;

use crate::Math;
use crate::rules::Choice;
use analysis::Facts;
use blocks::{Blocks, Shape};
use egg::{EGraph, Id, Runner, StopReason};
use extract::{Original, Space};
use gradus_ir::cfg::{Cfg, Function};
use gradus_ir::{Const, Effect, GraphId, Kind, Module, Nest, NodeId, Prim, Type};
use lang::{Children, Op, Term};
use rebuild::Plan;
use rustc_hash::{FxHashMap, FxHashSet, FxHasher};
use schedule::Schedule;
use std::collections::BTreeMap;
use std::hash::{Hash, Hasher};
use std::sync::Arc;
use std::time::Duration;

/// What saturation may do.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Options {
    /// The rules.
    pub rules: Arc<Choice>,
    /// Which of them apply.
    pub math: Math,
    /// Whether no derivative is left to take: what gives other derivatives waits for that, and so does what holds over the reals alone.
    pub last: bool,
    /// The most iterations of all rules.
    pub iterations: usize,
    /// The most e-nodes for each node put in, of a region that is not large; beyond a hundred. What is gained is found long before:
    /// associativity and distribution alone make as many as they may.
    pub growth: usize,
    /// The most e-nodes of a large region, beyond three for each node put in.
    pub nodes: usize,
    /// A region of more nodes is cut into pieces, at its blocks, and a block at its live values.
    pub piece: usize,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            rules: Choice::table(),
            math: Math::Exact,
            last: true,
            iterations: 10,
            growth: 16,
            nodes: 10_000,
            piece: 20_000,
        }
    }
}

/// What saturation did.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Stats {
    /// Regions, or pieces of them, that were saturated.
    pub regions: usize,
    /// Functions that were left alone, since nothing was found to do in them before.
    pub settled: usize,
    /// How many regions became cheaper.
    pub improved: usize,
    /// Iterations, of all regions together.
    pub iterations: usize,
    /// How many regions stopped because no rule found anything new, at the limit of iterations, at that of e-nodes.
    pub stops: [usize; 3],
    /// How many regions stopped since rules found two constants to be equal, and stayed as they were.
    pub contradictions: usize,
    /// E-nodes at the end, of all regions together, and of the largest.
    pub enodes: (usize, usize),
    /// How often each rule found something new.
    pub fired: BTreeMap<String, usize>,
    /// Applications before and after.
    pub applications: (usize, usize),
}

/// The functions in which nothing was found to do, by fingerprints of all that saturation sees of them. Two with one fingerprint, which
/// is unlikely, would cost an improvement.
#[derive(Clone, Default, Debug)]
pub struct Settled(FxHashSet<u64>);

/// The fingerprint of a function, for saturation with these options.
fn fingerprint(m: &Module, nest: &Nest, function: &Function, options: &Options) -> u64 {
    let mut hasher = FxHasher::default();
    options.hash(&mut hasher);
    for &g in &function.blocks {
        g.hash(&mut hasher);
        for n in nest.schedule(g).iter().copied().chain(m[g].ret) {
            (n, &m[n].kind, &m[n].ty, m[n].inputs()).hash(&mut hasher);
            let captured = m[n].inputs().iter().filter_map(|&i| m.as_graph(i)).filter(|h| !function.blocks.contains(h));
            captured.filter(|&h| nest.contains(h)).for_each(|h| nest.free(h).for_each(|v| v.hash(&mut hasher)));
        }
    }
    hasher.finish()
}

/// Simplifies every function that the entry reaches (all functions, in a module without entry), but for those that are settled.
pub fn saturate(m: &mut Module, options: &Options, settled: &mut Settled) -> Stats {
    let mut stats = Stats::default();
    let roots: Vec<GraphId> = match m.entry {
        Some(entry) => vec![entry],
        None => m.graphs().map(|(g, _)| g).collect(),
    };
    let nest = Nest::new(m, &roots);
    let cfg = Cfg::new(m, &nest);
    for function in cfg.functions() {
        let fingerprint = fingerprint(m, &nest, function, options);
        if settled.0.contains(&fingerprint) {
            stats.settled += 1;
            continue;
        }
        let improved = stats.improved;
        let blocks = Blocks::new(&shapes(&cfg, function));
        let pieces = pieces(&nest, function, options.piece);
        if let [piece] = &pieces[..] {
            Region::new(m, &nest, &cfg, &blocks, piece).simplify(options, &mut stats);
        } else {
            for piece in &pieces {
                // Earlier pieces have moved what closures capture.
                let nest = Nest::new(m, &roots);
                Region::new(m, &nest, &cfg, &blocks, piece).simplify(options, &mut stats);
            }
        }
        if stats.improved == improved {
            settled.0.insert(fingerprint);
        }
    }
    stats
}

fn shapes(cfg: &Cfg, function: &Function) -> Vec<Shape> {
    let mut entries: FxHashMap<GraphId, usize> = FxHashMap::default();
    for &g in &function.blocks {
        for next in cfg.terminator(g).successors() {
            *entries.entry(next).or_default() += 1;
        }
    }
    let shape = |&graph: &GraphId| {
        let idom = cfg.idom(graph).filter(|_| graph != function.root);
        let branches = idom.is_some_and(|d| cfg.terminator(d).successors().count() > 1);
        let header = cfg.innermost_loop(graph).map(|l| function.loops[l].header);
        Shape { graph, idom, header, loops: cfg.loop_depth(graph), arm: branches && entries.get(&graph) == Some(&1) }
    };
    function.blocks.iter().map(shape).collect()
}

/// The nodes of a function, operands first, in pieces of bounded size.
fn pieces(nest: &Nest, function: &Function, size: usize) -> Vec<Vec<NodeId>> {
    let mut pieces: Vec<Vec<NodeId>> = Vec::new();
    let mut current: Vec<NodeId> = Vec::new();
    for &g in &function.blocks {
        let nodes = nest.schedule(g);
        if current.len() + nodes.len() > size && !current.is_empty() {
            pieces.push(std::mem::take(&mut current));
        }
        for chunk in nodes.chunks(size) {
            if current.len() + chunk.len() > size {
                pieces.push(std::mem::take(&mut current));
            }
            current.extend(chunk);
        }
    }
    pieces.push(current);
    pieces
}

/// A region, or a piece of one, on its way through an e-graph.
struct Region<'a> {
    m: &'a mut Module,
    nest: &'a Nest,
    cfg: &'a Cfg,
    blocks: &'a Blocks,
    own: FxHashSet<NodeId>,
    egraph: EGraph<Term, Facts>,
    classes: FxHashMap<NodeId, Id>,
    unpacked: FxHashMap<Type, u32>,
    originals: Vec<Original>,
    roots: Vec<(Id, u32)>,
}

impl<'a> Region<'a> {
    fn new(m: &'a mut Module, nest: &'a Nest, cfg: &'a Cfg, blocks: &'a Blocks, piece: &[NodeId]) -> Region<'a> {
        // An earlier piece may have left nothing that needs a node of this one.
        let own: FxHashSet<NodeId> = piece.iter().copied().filter(|&n| m.has_node(n)).collect();
        let facts = Facts { floats: m.floats, ..Facts::default() };
        let mut region = Region {
            m,
            nest,
            cfg,
            blocks,
            own,
            egraph: EGraph::new(facts),
            classes: FxHashMap::default(),
            unpacked: FxHashMap::default(),
            originals: Vec::with_capacity(piece.len()),
            roots: Vec::new(),
        };
        for &n in piece.iter().filter(|n| region.own.contains(n)).collect::<Vec<_>>() {
            region.put_in(n);
        }
        for (b, &g) in (0..).zip(blocks.graphs()) {
            let users: Vec<NodeId> = nest.schedule(g).iter().copied().chain(region.m[g].ret).collect();
            for user in users {
                if !region.own.contains(&user) {
                    region.use_from_outside(user, b);
                }
            }
        }
        region
    }

    fn home(&self, n: NodeId) -> Option<u32> {
        home(self.m, self.blocks, n)
    }

    /// What a graph constant captures of this region, unless it is a block of it.
    fn captures(&self, n: NodeId) -> Vec<NodeId> {
        match self.m.as_graph(n) {
            Some(g) if self.blocks.number(g).is_none() && self.nest.contains(g) => {
                self.nest.free(g).filter(|&v| self.m.has_node(v) && self.home(v).is_some()).collect()
            }
            _ => Vec::new(),
        }
    }

    /// The class of an input: of a node that was put in, or of a leaf.
    fn class(&mut self, n: NodeId) -> Id {
        if let Some(&class) = self.classes.get(&n) {
            return class;
        }
        debug_assert!(!self.own.contains(&n), "operands come first");
        let op = match self.m[n].as_const() {
            Some(Const::F64(bits)) => Op::F64(*bits),
            Some(Const::I64(v)) => Op::I64(*v),
            Some(Const::Bool(v)) => Op::Bool(*v),
            Some(Const::Zero) if self.m[n].ty == Type::Opaque => Op::Zero,
            _ => Op::Node(n),
        };
        let children: Children = self.captures(n).into_iter().map(|v| self.class(v)).collect();
        self.egraph.analysis.leaves.insert(n, self.m[n].ty.clone());
        let class = self.egraph.add(Term::new(op, children));
        self.classes.insert(n, class);
        class
    }

    fn put_in(&mut self, n: NodeId) {
        let children: Children = self.m[n].inputs().to_vec().into_iter().map(|i| self.class(i)).collect();
        let op = match self.m[n].kind {
            Kind::Prim(Prim::Unpack) => {
                let ty = self.m[n].ty.clone();
                let types = &mut self.egraph.analysis.unpacked;
                Op::Unpack(*self.unpacked.entry(ty.clone()).or_insert_with(|| {
                    types.push(ty);
                    types.len() as u32 - 1
                }))
            }
            Kind::Prim(p) if p.effect(&[]) != Effect::Linear && !self.cfg.is_branch(n) && self.has_own_type(n, p) => Op::Prim(p),
            _ => Op::Pinned(n),
        };
        if matches!(op, Op::Pinned(_)) {
            self.egraph.analysis.leaves.insert(n, self.m[n].ty.clone());
        }
        let term = Term::new(op, children);
        let class = self.egraph.add(term.clone());
        self.classes.insert(n, class);
        let block = self.home(n).expect("the nodes of a region belong to its blocks");
        self.originals.push(Original { node: n, class, term, block });
    }

    /// Whether the operands alone say the type of a node.
    fn has_own_type(&self, n: NodeId, p: Prim) -> bool {
        let operands: Vec<Type> = self.m[n].inputs().iter().map(|&i| self.m[i].ty.clone()).collect();
        p.result_type(&operands).as_ref() == Some(&self.m[n].ty)
    }

    /// Makes roots of what a node needs that is not put in: a return, or a node of another piece.
    fn use_from_outside(&mut self, user: NodeId, block: u32) {
        for input in self.m[user].inputs().to_vec() {
            for n in std::iter::once(input).chain(self.captures(input)) {
                if self.own.contains(&n) {
                    let class = self.class(n);
                    self.roots.push((class, block));
                }
            }
        }
    }

    fn simplify(mut self, options: &Options, stats: &mut Stats) {
        stats.regions += 1;
        stats.applications.0 += self.originals.len();
        let given = self.originals.len();
        let limit = (100 + options.growth * given).min(options.nodes + 3 * given);
        self.egraph.analysis.node_limit = limit;
        self.egraph.rebuild();
        let rules = options.rules.compiled(options.math, options.last, given);
        let runner = Runner::<Term, Facts, ()>::new(Facts::default())
            .with_egraph(self.egraph)
            .with_iter_limit(options.iterations)
            .with_node_limit(limit)
            .with_time_limit(Duration::MAX)
            .with_scheduler(Schedule::new(rules.clone(), 1000.max(2 * given)))
            .with_hook(|runner| match runner.egraph.analysis.contradiction {
                Some([a, b]) => Err(format!("{a:?} equals {b:?}")),
                None => Ok(()),
            })
            .run(&rules.rewrites);
        self.egraph = EGraph::default();
        stats.iterations += runner.iterations.len();
        stats.stops[match runner.stop_reason {
            Some(StopReason::Saturated) => 0,
            Some(StopReason::NodeLimit(_)) => 2,
            _ => 1,
        }] += 1;
        for iteration in &runner.iterations {
            for (name, count) in &iteration.applied {
                *stats.fired.entry(name.to_string()).or_default() += count;
            }
        }
        let egraph = runner.egraph;
        if egraph.analysis.contradiction.is_some() {
            stats.contradictions += 1;
            stats.applications.1 += given;
            return;
        }
        stats.enodes.0 += egraph.total_size();
        stats.enodes.1 = stats.enodes.1.max(egraph.total_size());

        for o in &mut self.originals {
            o.class = egraph.find(o.class);
            for child in &mut o.term.children {
                *child = egraph.find(*child);
            }
        }
        let (m, blocks) = (self.m, self.blocks);
        let space = Space::new(&egraph, blocks, &self.originals, |n| home(m, blocks, n));
        let plans = space
            .select(&self.originals, &self.roots)
            .map(|selection| Plan::new(&space, blocks, selection, &self.roots, |n| home(m, blocks, n)));
        let [first, second] = plans;
        let plan = if second.cost < first.cost { second } else { first };
        if plan.cost < rebuild::original_cost(&self.originals, blocks) {
            stats.improved += 1;
            stats.applications.1 += plan.applications(&space);
            plan.write(m, &space, blocks, &self.originals, &egraph.analysis.unpacked);
        } else {
            stats.applications.1 += given;
        }
    }
}

/// The block that a node belongs to, if it belongs to the function.
fn home(m: &Module, blocks: &Blocks, n: NodeId) -> Option<u32> {
    m[n].graph.and_then(|g| blocks.number(g))
}

#[cfg(test)]
mod random;
#[cfg(test)]
mod tests;
