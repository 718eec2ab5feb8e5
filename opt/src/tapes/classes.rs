//! Where one and the same tape flows.

use crate::nesting::fixed_graphs;
use gradus_ir::{Const, GraphId, Kind, Module, Nest, NodeId, Prim, Type};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;

/// Sets of nodes that are joined as it is found what flows where.
struct Union {
    parent: FxHashMap<NodeId, NodeId>,
    open: FxHashSet<NodeId>,
}

impl Union {
    fn root(&mut self, n: NodeId) -> NodeId {
        let mut root = n;
        while let Some(&up) = self.parent.get(&root) {
            root = up;
        }
        let mut at = n;
        while at != root {
            at = self.parent.insert(at, root).unwrap_or(root);
        }
        root
    }

    fn join(&mut self, a: NodeId, b: NodeId) {
        let (a, b) = (self.root(a), self.root(b));
        if a != b {
            self.parent.insert(b, a);
            if self.open.contains(&b) {
                self.open.insert(a);
            }
        }
    }

    /// Gives up on what flows through a node.
    fn give_up(&mut self, n: NodeId) {
        let root = self.root(n);
        self.open.insert(root);
    }
}

/// Tape-typed nodes that one tape flows through.
pub(super) struct Class {
    /// The nodes, in the order of the graphs.
    pub(super) nodes: Vec<NodeId>,
    /// Whether each record that is popped is one that was pushed.
    pub(super) pushed_only: bool,
}

/// The classes of tapes whose places are all known.
pub(super) fn classes(m: &Module, nest: &Nest) -> Vec<Class> {
    let is_tape = |&n: &NodeId| matches!(m[n].ty, Type::Tape(_));
    let all = |&g: &GraphId| m[g].params.iter().chain(nest.schedule(g)).copied().filter(is_tape).collect::<Vec<_>>();
    let tapes: Vec<NodeId> = nest.graphs().iter().flat_map(all).collect();
    if tapes.is_empty() {
        return Vec::new();
    }
    let (fixed, boxed) = (fixed_graphs(m), boxed(m, nest));
    let mut union = Union { parent: FxHashMap::default(), open: FxHashSet::default() };
    // What may be popped though it was not pushed: zeros below a tape of cotangents, and sums.
    let mut others: FxHashSet<NodeId> = FxHashSet::default();
    for &n in &tapes {
        for source in sources_of(m, &fixed, n).unwrap_or_else(|| {
            union.give_up(n);
            Vec::new()
        }) {
            match m[source].as_const() {
                None => union.join(n, source),
                Some(Const::Undefined) => {}
                Some(_) => _ = others.insert(n),
            }
        }
        if m.as_prim(n) == Some(Prim::Gadd) {
            others.insert(n);
        }
        let is_bound = || m[n].users().iter().any(|u| m.as_prim(u.node) == Some(Prim::Partial));
        let is_known = || m[n].users().iter().all(|u| is_known_use(m, &fixed, u.node, u.index as usize));
        if !is_known() || boxed.contains(&m[n].ty.cotangent()) && is_bound() {
            union.give_up(n);
        }
    }
    let mut classes: BTreeMap<usize, Vec<NodeId>> = BTreeMap::new();
    let mut number: FxHashMap<NodeId, usize> = FxHashMap::default();
    for &n in &tapes {
        let root = union.root(n);
        if !union.open.contains(&root) {
            let next = number.len();
            classes.entry(*number.entry(root).or_insert(next)).or_default().push(n);
        }
    }
    let class = |nodes: Vec<NodeId>| Class { pushed_only: !nodes.iter().any(|n| others.contains(n)), nodes };
    classes.into_values().map(class).collect()
}

/// The types of the tapes in boxes, while some derivative is still to be taken: that of a closure makes and opens boxes that the
/// derivative of the function which made the closure, taken before, must know.
fn boxed(m: &Module, nest: &Nest) -> FxHashSet<Type> {
    let nodes = || nest.graphs().iter().flat_map(|&g| nest.schedule(g)).copied();
    if !nodes().any(|n| m.as_prim(n).is_some_and(Prim::is_operator)) {
        return FxHashSet::default();
    }
    let content = |n: NodeId| match m.as_prim(n)? {
        Prim::Pack => m[m[n].inputs()[0]].ty.fields(),
        Prim::Unpack => m[n].ty.fields(),
        _ => None,
    };
    nodes().filter_map(content).flatten().filter(|ty| matches!(ty, Type::Tape(_))).cloned().collect()
}

/// The tapes that a node passes on, if they are known.
fn sources_of(m: &Module, fixed: &FxHashSet<GraphId>, n: NodeId) -> Option<Vec<NodeId>> {
    let inputs = m[n].inputs();
    match m[n].kind {
        Kind::Param => {
            let g = m[n].graph.expect("a parameter belongs to a graph");
            let i = m[g].params.iter().position(|&p| p == n)?;
            bindings(m, fixed, g, i)
        }
        Kind::Prim(Prim::Push) => Some(vec![inputs[0]]),
        Kind::Prim(Prim::Get(0)) if m.as_prim(inputs[0]) == Some(Prim::Pop) => {
            let tape = m[inputs[0]].inputs()[0];
            m[tape].graph.map(|_| vec![tape])
        }
        Kind::Prim(Prim::Select) => Some(inputs[1..].to_vec()),
        Kind::Prim(Prim::Gadd) => Some(inputs.to_vec()),
        _ => None,
    }
}

/// What parameter `i` of a graph is given, if all its uses are calls and closures that say.
pub(super) fn bindings(m: &Module, fixed: &FxHashSet<GraphId>, g: GraphId, i: usize) -> Option<Vec<NodeId>> {
    if fixed.contains(&g) {
        return None;
    }
    let users = m.graph_const(g).map_or(&[][..], |c| m[c].users());
    let given = users.iter().map(|u| {
        let binds = m[u.node].kind == Kind::Call || m.as_prim(u.node) == Some(Prim::Partial);
        (u.index == 0 && binds).then(|| m[u.node].inputs().get(i + 1).copied()).flatten()
    });
    given.collect()
}

/// Whether a tape stays in its class where it is operand `index` of `user`.
fn is_known_use(m: &Module, fixed: &FxHashSet<GraphId>, user: NodeId, index: usize) -> bool {
    match m[user].kind {
        Kind::Prim(Prim::Push) => index == 0,
        Kind::Prim(Prim::Pop | Prim::Select | Prim::Gadd) => true,
        Kind::Call | Kind::Prim(Prim::Partial) => {
            m.as_graph(m[user].inputs()[0]).is_some_and(|g| index > 0 && bindings(m, fixed, g, index - 1).is_some())
        }
        _ => false,
    }
}
