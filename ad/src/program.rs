//! How a program is divided for differentiation: functions, their blocks, and regions of tail calls.

use gradus_ir::{GraphId, Kind, Module, Nest, NodeId, Prim};
use petgraph::graph::DiGraph;
use rustc_hash::FxHashMap;
use slotmap::SecondaryMap;

/// How a graph ends.
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
    owner: SecondaryMap<GraphId, GraphId>,
    cycle: SecondaryMap<GraphId, usize>,
}

/// A reference to a graph, seen from the graph that refers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Reference {
    /// Callee of a tail call.
    Jump,
    /// Arm of a `select` that is only the callee of a tail call.
    Arm,
    /// Anything else: a value, or the callee of a call that is not in tail position.
    Other,
}

impl Program {
    /// Divides what `roots` reach. Expects a module without garbage.
    pub fn new(m: &Module, roots: &[GraphId]) -> Program {
        let nest = Nest::new(m, roots);
        let references: Vec<(GraphId, GraphId, Reference)> = references(m, &nest);
        let owner = owners(&nest, roots, &references);
        let cycle = tail_cycles(&nest, &owner, &references);
        Program { nest, owner, cycle }
    }

    /// The function a graph is a block of; a function is its own owner.
    pub fn owner(&self, g: GraphId) -> GraphId {
        self.owner[g]
    }

    /// Whether the graph is a function, not a block.
    pub fn is_function(&self, g: GraphId) -> bool {
        self.owner[g] == g
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
        !self.is_function(callee) || self.cycle[self.owner[caller]] == self.cycle[callee]
    }

    fn tail_within(&self, m: &Module, g: GraphId, within: impl Fn(GraphId) -> bool) -> Tail {
        let result = m.result(g);
        if !m.is_tail_call(result) || m[result].graph != Some(g) {
            return Tail::Return(result);
        }
        let (callee, args) = (m[result].inputs()[0], m[result].inputs()[1..].to_vec());
        if let Some(target) = m.as_graph(callee) {
            return if within(target) { Tail::Jump { target, args } } else { Tail::Return(result) };
        }
        if let Some((condition, targets)) = branch(m, callee, g) {
            return Tail::Branch { condition, targets, args };
        }
        Tail::Unknown { callee, args }
    }
}

/// The `select` between two graphs that `g` ends in a call of, if it does.
pub fn branch_arms(m: &Module, g: GraphId) -> Option<NodeId> {
    let result = m.result(g);
    let tail = m.is_tail_call(result) && m[result].graph == Some(g);
    tail.then(|| m[result].inputs()[0]).filter(|&c| branch(m, c, g).is_some())
}

/// Condition and arms, if `callee` is a `select` between two graphs, of the same graph as its only user.
fn branch(m: &Module, callee: NodeId, g: GraphId) -> Option<(NodeId, [GraphId; 2])> {
    let node = &m[callee];
    let own = node.graph == Some(g) && node.users().len() == 1;
    if node.kind != Kind::Prim(Prim::Select) || !own {
        return None;
    }
    let [condition, a, b] = node.inputs() else { return None };
    Some((*condition, [m.as_graph(*a)?, m.as_graph(*b)?]))
}

fn references(m: &Module, nest: &Nest) -> Vec<(GraphId, GraphId, Reference)> {
    let mut found = Vec::new();
    for &g in nest.graphs() {
        let result = m.result(g);
        let tail = (m.is_tail_call(result) && m[result].graph == Some(g)).then_some(result);
        let arm = branch_arms(m, g);
        found.extend(m.as_graph(result).map(|h| (g, h, Reference::Other)));
        for &n in nest.schedule(g) {
            for (i, &input) in m[n].inputs().iter().enumerate() {
                if let Some(h) = m.as_graph(input) {
                    let kind = match () {
                        () if Some(n) == tail && i == 0 => Reference::Jump,
                        () if Some(n) == arm => Reference::Arm,
                        () => Reference::Other,
                    };
                    found.push((g, h, kind));
                }
            }
        }
    }
    found
}

/// A graph that is only tail-called, and from one function only, is a block of that function.
fn owners(nest: &Nest, roots: &[GraphId], references: &[(GraphId, GraphId, Reference)]) -> SecondaryMap<GraphId, GraphId> {
    #[derive(Clone, Copy, PartialEq)]
    enum Owner {
        One(GraphId),
        Several,
    }
    let mut functions: Vec<GraphId> = roots.to_vec();
    functions.extend(references.iter().filter(|r| r.2 == Reference::Other).map(|r| r.1));
    let mut callees: FxHashMap<GraphId, Vec<GraphId>> = FxHashMap::default();
    let mut callers: FxHashMap<GraphId, Vec<GraphId>> = FxHashMap::default();
    for &(g, h, _) in references {
        callees.entry(g).or_default().push(h);
        callers.entry(h).or_default().push(g);
    }
    loop {
        let mut owner: SecondaryMap<GraphId, Owner> = functions.iter().map(|&f| (f, Owner::One(f))).collect();
        let mut work: Vec<GraphId> = functions.clone();
        while let Some(g) = work.pop() {
            for &h in callees.get(&g).into_iter().flatten() {
                let joined = match owner.get(h) {
                    Some(_) if functions.contains(&h) => continue,
                    None => owner[g],
                    Some(&known) if known == owner[g] => continue,
                    Some(Owner::Several) => continue,
                    Some(_) => Owner::Several,
                };
                owner.insert(h, joined);
                work.push(h);
            }
        }
        // Of the graphs that several functions reach, the first ones on the way are functions of their own.
        let found = functions.len();
        for &h in nest.graphs() {
            if owner.get(h) == Some(&Owner::Several) {
                let mut direct: Vec<GraphId> = Vec::new();
                for &g in callers.get(&h).into_iter().flatten() {
                    if let Some(&Owner::One(o)) = owner.get(g)
                        && !direct.contains(&o)
                    {
                        direct.push(o);
                    }
                }
                if direct.len() > 1 {
                    functions.push(h);
                }
            }
        }
        if functions.len() == found {
            return nest
                .graphs()
                .iter()
                .map(|&g| match owner.get(g) {
                    Some(&Owner::One(o)) => (g, o),
                    // A cycle that several functions enter at several places.
                    _ => (g, g),
                })
                .collect();
        }
    }
}

/// The strongly connected components of functions under tail calls.
fn tail_cycles(
    nest: &Nest,
    owner: &SecondaryMap<GraphId, GraphId>,
    references: &[(GraphId, GraphId, Reference)],
) -> SecondaryMap<GraphId, usize> {
    let mut graph: DiGraph<GraphId, ()> = DiGraph::new();
    let index: FxHashMap<GraphId, _> = nest.graphs().iter().map(|&g| (g, graph.add_node(g))).collect();
    for &(g, h, kind) in references {
        if kind != Reference::Other && owner[h] == h {
            graph.add_edge(index[&owner[g]], index[&h], ());
        }
    }
    let components = petgraph::algo::kosaraju_scc(&graph);
    components.iter().enumerate().flat_map(|(i, c)| c.iter().map(move |&n| (n, i))).map(|(n, i)| (graph[n], i)).collect()
}
