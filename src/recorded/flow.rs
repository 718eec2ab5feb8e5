//! Where a value goes: through tuples, selects and calls of known graphs, to what reads it.

use gradus_ir::{Const, GraphId, Kind, Module, Nest, NodeId, Prim, Use};
use rustc_hash::{FxHashMap, FxHashSet};

/// A value: a node, or the part of it that a way through tuples leads to.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Part {
    pub node: NodeId,
    pub way: Vec<usize>,
}

impl Part {
    /// The whole of a node.
    pub fn whole(node: NodeId) -> Part {
        Part { node, way: Vec::new() }
    }

    /// Part `field` of the tuple that `node` is.
    fn field(node: NodeId, field: usize, way: &[usize]) -> Part {
        Part { node, way: std::iter::once(field).chain(way.iter().copied()).collect() }
    }
}

/// What a module's executors run, and who calls whom in it.
pub struct Flow<'m> {
    pub m: &'m Module,
    pub nest: Nest,
    live: FxHashSet<NodeId>,
    /// The calls of each graph.
    calls: FxHashMap<GraphId, Vec<NodeId>>,
}

impl<'m> Flow<'m> {
    /// Analyses what the entry reaches.
    pub fn new(m: &'m Module) -> Flow<'m> {
        let nest = Nest::new(m, m.entry.as_slice());
        let (mut live, mut calls) = (FxHashSet::default(), FxHashMap::<GraphId, Vec<NodeId>>::default());
        for &g in nest.graphs() {
            live.extend(nest.schedule(g).iter().copied().chain(m[g].ret));
            for &n in nest.schedule(g).iter().filter(|&&n| m[n].kind == Kind::Call) {
                for (callee, _) in callees(m, m[n].inputs()[0]) {
                    calls.entry(callee).or_default().push(n);
                }
            }
        }
        Flow { m, nest, live, calls }
    }

    /// The nodes of a graph that run, in the order of the schedule.
    pub fn uses(&self, n: NodeId) -> impl Iterator<Item = Use> {
        let mut users: Vec<Use> = self.m[n].users().iter().copied().filter(|u| self.live.contains(&u.node)).collect();
        users.sort_unstable_by_key(|u| (u.node, u.index));
        users.into_iter()
    }

    /// What reads a value, among the uses within graphs of `scope` or in those it is passed on to.
    pub fn readers(&self, value: Part, scope: Option<GraphId>) -> Vec<Use> {
        let within = |u: &Use| scope.is_none_or(|s| self.m[u.node].graph.is_some_and(|g| self.nest.is_within(g, s)));
        let mut seen: FxHashSet<Part> = FxHashSet::default();
        let (mut found, mut work) = (Vec::new(), Vec::new());
        for u in self.uses(value.node).filter(within) {
            self.step(u, &value.way, &mut work, &mut found);
        }
        while let Some(part) = work.pop() {
            if seen.insert(part.clone()) {
                self.uses(part.node).for_each(|u| self.step(u, &part.way, &mut work, &mut found));
            }
        }
        found
    }

    /// Goes on with a value by one use: to where it is passed, or it is read there.
    fn step(&self, u: Use, way: &[usize], passed: &mut Vec<Part>, read: &mut Vec<Use>) {
        let (m, index) = (self.m, u.index as usize);
        let same = Part { node: u.node, way: way.to_vec() };
        let before = passed.len();
        match m[u.node].kind {
            Kind::Prim(Prim::Tuple) => passed.push(Part::field(u.node, index, way)),
            Kind::Prim(Prim::Get(_)) if way.is_empty() => passed.push(same),
            Kind::Prim(Prim::Get(field)) => {
                if way[0] == field as usize {
                    passed.push(Part { node: u.node, way: way[1..].to_vec() });
                }
                return;
            }
            Kind::Prim(Prim::Select) if index > 0 => passed.push(same),
            Kind::Prim(Prim::Push) if index == 0 => passed.push(same),
            Kind::Prim(Prim::Pop) => {
                passed.push(Part::field(u.node, 0, way));
                read.push(u);
            }
            Kind::Prim(Prim::Partial) | Kind::Call if index > 0 => {
                let to = callees(m, m[u.node].inputs()[0]);
                passed.extend(
                    to.iter()
                        .filter_map(|&(g, bound)| m[g].params.get(bound + index - 1))
                        .map(|&param| Part { node: param, way: way.to_vec() }),
                );
            }
            Kind::Return => {
                let g = m[u.node].graph.expect("a return belongs to a graph");
                let calls = self.calls.get(&g).into_iter().flatten();
                passed.extend(calls.map(|&call| Part { node: call, way: way.to_vec() }));
            }
            _ => {}
        }
        if passed.len() == before {
            read.push(u);
        }
    }

    /// Whether the use of a function value is to be called, or to be chosen for that.
    pub fn is_callee(&self, u: Use) -> bool {
        let mut work = vec![u];
        while let Some(u) = work.pop() {
            match self.m[u.node].kind {
                Kind::Call if u.index == 0 => {}
                Kind::Prim(Prim::Select) if u.index > 0 => work.extend(self.uses(u.node)),
                _ => return false,
            }
        }
        true
    }
}

/// The graphs that a callee is known to be, each with the number of arguments that are bound already; none if it is not known.
fn callees(m: &Module, callee: NodeId) -> Vec<(GraphId, usize)> {
    let (mut found, mut work) = (Vec::new(), vec![(callee, 0)]);
    while let Some((n, bound)) = work.pop() {
        let inputs = m[n].inputs();
        match m[n].kind {
            Kind::Const(Const::Graph(g)) => found.push((g, bound)),
            Kind::Prim(Prim::Select) => work.extend(inputs[1..].iter().map(|&arm| (arm, bound))),
            Kind::Prim(Prim::Partial) => work.push((inputs[0], bound + inputs.len() - 1)),
            _ => {}
        }
    }
    found
}
