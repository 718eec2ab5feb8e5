//! How a program is divided for differentiation: functions, their blocks, and regions of tail calls.

use gradus_ir::cfg::{Cfg, Target, Terminator};
use gradus_ir::{GraphId, Module, Nest, NodeId};
use petgraph::graph::DiGraph;
use slotmap::SecondaryMap;

/// How a graph ends, as a member of a region.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Tail {
    /// Gives back a value.
    Return(NodeId),
    /// Calls a graph of its own region.
    Jump { target: GraphId, args: Vec<NodeId> },
    /// Calls one of two graphs of its own region.
    Branch { condition: NodeId, targets: [GraphId; 2], args: Vec<NodeId> },
    /// Calls a callee that is not known.
    Unknown { callee: NodeId, args: Vec<NodeId> },
}

/// Nesting and division of what some graphs reach.
#[derive(Debug)]
pub struct Program {
    /// Nesting and schedules.
    pub nest: Nest,
    /// Functions and blocks.
    pub cfg: Cfg,
    /// The cycle of tail calls between functions that a function is on.
    cycle: SecondaryMap<GraphId, usize>,
}

impl Program {
    /// Divides what `roots` reach. Expects a module without garbage.
    pub fn new(m: &Module, roots: &[GraphId]) -> Program {
        let nest = Nest::new(m, roots);
        let cfg = Cfg::new(m, &nest);
        let cycle = tail_cycles(m, &cfg);
        Program { nest, cfg, cycle }
    }

    /// The function a graph is a block of; a function is its own owner.
    pub fn owner(&self, g: GraphId) -> GraphId {
        self.cfg.function_of(g).root
    }

    /// The region of a function: the graphs reached from it by tail calls that are its blocks, lie on a cycle of tail calls, or
    /// are arms of a branch. Within it the accumulated backpropagator keeps tail calls tail calls; a tail call that leaves it
    /// becomes an ordinary call, whose nesting the program text bounds.
    pub fn region(&self, m: &Module, root: GraphId) -> Vec<GraphId> {
        let mut region = vec![root];
        let mut i = 0;
        while i < region.len() {
            let targets = match self.tail_within(m, region[i], |_| true) {
                Tail::Jump { target, .. } if self.joins(region[i], target) => vec![target],
                Tail::Branch { targets, .. } => targets.to_vec(),
                _ => Vec::new(),
            };
            for t in targets {
                if !region.contains(&t) {
                    region.push(t);
                }
            }
            i += 1;
        }
        region
    }

    /// How `g` ends, as a member of a region.
    pub fn tail(&self, m: &Module, g: GraphId, region: &[GraphId]) -> Tail {
        self.tail_within(m, g, |h| region.contains(&h))
    }

    fn joins(&self, caller: GraphId, callee: GraphId) -> bool {
        !self.cfg.is_function(callee) || self.in_cycle(caller, callee)
    }

    /// Whether the function of a graph and another function lie on one cycle of tail calls.
    pub fn in_cycle(&self, caller: GraphId, callee: GraphId) -> bool {
        self.cycle[self.owner(caller)] == self.cycle[callee]
    }

    /// The nodes of a graph but for what its terminator consists of.
    pub fn body(&self, g: GraphId) -> impl Iterator<Item = NodeId> + '_ {
        let last = match self.cfg.terminator(g) {
            Terminator::Return(_) => None,
            Terminator::Jump { call, .. } | Terminator::Branch { call, .. } | Terminator::TailCall { call } => Some(call),
        };
        self.nest.schedule(g).iter().copied().filter(move |&n| Some(n) != last && !self.cfg.is_branch(n))
    }

    fn tail_within(&self, m: &Module, g: GraphId, within: impl Fn(GraphId) -> bool) -> Tail {
        let terminator = self.cfg.terminator(g);
        let args = terminator.args(m).to_vec();
        match terminator {
            Terminator::Return(value) => Tail::Return(value),
            Terminator::Jump { target, .. } => Tail::Jump { target, args },
            Terminator::Branch { cond, arms, .. } => Tail::Branch { condition: cond, targets: arms.map(Target::graph), args },
            Terminator::TailCall { call } => {
                let callee = m[call].inputs()[0];
                match m.as_graph(callee) {
                    Some(target) if within(target) => Tail::Jump { target, args },
                    Some(_) => Tail::Return(call),
                    None => Tail::Unknown { callee, args },
                }
            }
        }
    }
}

/// The strongly connected components of functions under tail calls.
fn tail_cycles(m: &Module, cfg: &Cfg) -> SecondaryMap<GraphId, usize> {
    let mut graph: DiGraph<GraphId, ()> = DiGraph::new();
    let mut index = SecondaryMap::new();
    for f in cfg.functions() {
        index.insert(f.root, graph.add_node(f.root));
    }
    for f in cfg.functions() {
        for &block in &f.blocks {
            let terminator = cfg.terminator(block);
            let called = match terminator {
                Terminator::TailCall { call } => m.as_graph(m[call].inputs()[0]),
                _ => None,
            };
            let arms = terminator.targets().filter(|t| matches!(t, Target::Function(_))).map(Target::graph);
            for target in arms.chain(called) {
                graph.add_edge(index[f.root], index[target], ());
            }
        }
    }
    let components = petgraph::algo::kosaraju_scc(&graph);
    components.iter().enumerate().flat_map(|(i, c)| c.iter().map(move |&n| (n, i))).map(|(n, i)| (graph[n], i)).collect()
}
