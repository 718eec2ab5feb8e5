//! The entries that sparse matrices were found to have ([`gradus_ir::entries`]).

use gradus_ir::entries::{is_asked, shape_of};
use gradus_ir::{ArrayOp, Dims, Kind, Module, NodeId, Prim};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// The most places of a matrix all of which are taken for entries.
const PLACES: usize = 1 << 22;

/// The entries of the matrices that a simplified module asks for: where values were scattered to; all places of a matrix that is made in
/// another way, if they are not too many. A matrix may be asked for in several calls of one function: what is an entry in one of them is
/// one in all.
pub fn found_entries(m: &Module) -> FxHashMap<Dims, Option<Dims>> {
    let mut found: FxHashMap<Dims, Option<Dims>> = FxHashMap::default();
    for (_, node) in m.nodes() {
        let (&Kind::Prim(Prim::Array(ArrayOp::Gather, _)), &[matrix, places]) = (&node.kind, node.inputs()) else { continue };
        let Some(asked) = table(m, places).filter(|&table| is_asked(table)) else { continue };
        let shape = shape_of(asked);
        let own = scattered(m, matrix).or_else(|| all_places(shape));
        let both = match (own, found.get(&asked)) {
            (Some(own), Some(Some(others))) => {
                let both: BTreeSet<i64> = own.iter().chain(others.iter()).copied().collect();
                Some(Dims::new(both.into_iter().collect::<Vec<_>>()))
            }
            (own, None) => own,
            _ => None,
        };
        found.insert(asked, both);
    }
    found
}

/// All places of a matrix of this shape, if they are not too many.
pub fn all_places(shape: Dims) -> Option<Dims> {
    let count = shape.count();
    (count <= PLACES).then(|| Dims::new((0..count as i64).collect::<Vec<_>>()))
}

fn table(m: &Module, n: NodeId) -> Option<Dims> {
    match m.as_prim(n) {
        Some(Prim::Array(ArrayOp::Table, table)) => Some(table),
        _ => None,
    }
}

/// The places that values were scattered to, over rows that depend on nothing.
fn scattered(m: &Module, x: NodeId) -> Option<Dims> {
    let Some(Prim::Array(ArrayOp::Scatter, _)) = m.as_prim(x) else { return None };
    let &[mut rows, places, _] = m[x].inputs() else { return None };
    while let Some(Prim::Array(ArrayOp::Reshape | ArrayOp::Transpose, _)) = m.as_prim(rows) {
        rows = m[rows].inputs()[0];
    }
    let is_repeated = matches!(m.as_prim(rows), Some(Prim::Array(ArrayOp::Broadcast, _)));
    table(m, places).filter(|places| is_repeated && places.is_sorted())
}
