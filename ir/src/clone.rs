//! Copies of graphs.

use crate::graph::{GraphId, Kind, Module, NodeId};
use crate::nest::Nest;
use rustc_hash::{FxHashMap, FxHashSet};

/// Copies `graphs`, those around others before them. References among them go to the copies; nodes in `map` are replaced by what
/// it says, and the copied nodes are added to it. What is nested in one of the graphs must be among them.
pub fn clone_graphs(
    m: &mut Module,
    nest: &Nest,
    graphs: &[GraphId],
    map: &mut FxHashMap<NodeId, NodeId>,
) -> FxHashMap<GraphId, GraphId> {
    let mut copies: FxHashMap<GraphId, GraphId> = FxHashMap::default();
    for &g in graphs {
        let original = m[g].clone();
        let copy = m.add_graph(original.name, original.flavor, original.role, original.span);
        m.raise_order(copy, original.order);
        for p in original.params {
            let param = m[p].clone();
            map.insert(p, m.add_param(copy, param.ty, param.name, param.span));
        }
        m.declare_result(copy, original.result);
        copies.insert(g, copy);
    }
    // The constants of the copies stand for those of the originals.
    for &g in graphs {
        if let Some(constant) = m.graph_const(g) {
            let copy = m.graph_ref(copies[&g]);
            map.insert(constant, copy);
        }
    }
    for &g in graphs {
        let copy = copies[&g];
        for &n in nest.schedule(g) {
            let node = m[n].clone();
            let inputs: Vec<NodeId> = node.inputs().iter().map(|i| *map.get(i).unwrap_or(i)).collect();
            let new = match node.kind {
                Kind::Prim(p) => m.prim(copy, p, inputs, node.ty, node.span),
                Kind::Call => m.call(copy, inputs[0], &inputs[1..], node.ty, node.span),
                ref kind => unreachable!("{kind:?} is not scheduled"),
            };
            if let Some(name) = node.name {
                m.set_name(new, name);
            }
            map.insert(n, new);
        }
        let result = m.result(g);
        m.set_result(copy, *map.get(&result).unwrap_or(&result));
    }
    copies
}

/// `q` and the graphs it reaches that capture one of `variables`, or something of one of these graphs; outer ones first: what
/// has to be copied for a copy of `q` with other values for the variables, nothing if there are none. `owner` is the graph that a captured node belongs to.
pub fn graphs_with(nest: &Nest, q: GraphId, variables: &[NodeId], owner: impl Fn(NodeId) -> Option<GraphId>) -> Vec<GraphId> {
    if variables.is_empty() {
        return Vec::new();
    }
    let variables: FxHashSet<NodeId> = variables.iter().copied().collect();
    let mut found = vec![q];
    let mut members: FxHashSet<GraphId> = FxHashSet::from_iter([q]);
    let mut next = 0;
    while next < found.len() {
        for &h in nest.refers(found[next]) {
            let captures = |v: NodeId| variables.contains(&v) || owner(v).is_some_and(|o| members.contains(&o));
            if !members.contains(&h) && nest.free(h).any(captures) {
                members.insert(h);
                found.push(h);
            }
        }
        next += 1;
    }
    found.sort_by_key(|&h| nest.depth(h));
    found
}
