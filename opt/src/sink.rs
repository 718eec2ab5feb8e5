//! Broadcast arrays are made where they are read.
//!
//! A kernel, or a product of matrices, reads what was broadcast through a layout, if that happens in its own block; across blocks the array
//! would have to be in memory. So what was moved out of a loop, since it is the same in all its iterations, comes back. This is for
//! programs that are run: what is equal is shared again by any other pass.

use gradus_ir::{ArrayOp, GraphId, Kind, Module, Nest, NodeId, Prim, Sig};
use rustc_hash::FxHashMap;

/// Gives each graph that reads a broadcast array of another one a copy of it. True if any does.
pub fn sink_broadcasts(m: &mut Module) -> bool {
    let Some(entry) = m.entry else { return false };
    let nest = Nest::new(m, &[entry]);
    let mut copies: FxHashMap<(GraphId, NodeId), NodeId> = FxHashMap::default();
    for &n in nest.graphs().iter().flat_map(|&g| nest.schedule(g)) {
        let Some(Prim::Array(ArrayOp::Broadcast, _)) = m.as_prim(n) else { continue };
        for u in m[n].users().to_vec() {
            let Some(g) = m[u.node].graph.filter(|&g| Some(g) != m[n].graph && reads_layouts(m, u.node)) else { continue };
            let copy = *copies.entry((g, n)).or_insert_with(|| {
                let node = m[n].clone();
                let Kind::Prim(prim) = node.kind else { unreachable!("it is an application") };
                m.prim(g, prim, node.inputs().to_vec(), node.ty, node.span)
            });
            m.set_input(u.node, u.index as usize, copy);
        }
    }
    m.collect_garbage(&[entry]);
    !copies.is_empty()
}

/// Whether a node reads operands that were only moved where they lie.
fn reads_layouts(m: &Module, n: NodeId) -> bool {
    match m.as_prim(n) {
        Some(Prim::Array(op, _)) => matches!(op, ArrayOp::MatMul | ArrayOp::SumTo | ArrayOp::MaxTo | ArrayOp::MinTo),
        Some(prim) => m[n].ty.is_array() && !matches!(prim.sig(), Sig::Own | Sig::Source),
        None => false,
    }
}
