//! Copies of graphs.

use gradus_ir::{GraphId, Kind, Module, Nest, NodeId};
use rustc_hash::FxHashMap;

/// Copies `graphs`, those around others before them. References among them go to the copies; nodes in `map` are replaced by what
/// it says, and the copied nodes are added to it. What is nested in one of the graphs must be among them.
pub(crate) fn clone_graphs(
    m: &mut Module,
    nest: &Nest,
    graphs: &[GraphId],
    map: &mut FxHashMap<NodeId, NodeId>,
) -> FxHashMap<GraphId, GraphId> {
    let mut copies: FxHashMap<GraphId, GraphId> = FxHashMap::default();
    for &g in graphs {
        let original = m[g].clone();
        let copy = m.add_graph(original.name, original.flavor, original.role, original.span);
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
