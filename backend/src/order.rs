//! The order in which the nodes of a graph are executed.
//!
//! A schedule says what comes before what by operands alone. What updates an array in place destroys it for all who read it later, so
//! readers come first wherever they can: else the update would copy.

use gradus_ir::{ArrayOp, GraphId, Module, Nest, NodeId, Prim};
use rustc_hash::{FxHashMap, FxHashSet};

/// Whether the node updates the array or the vector that is its first operand.
pub fn updates(m: &Module, n: NodeId) -> bool {
    use ArrayOp::*;
    matches!(m.as_prim(n), Some(Prim::Replace | Prim::Array(Put | PutAdd | SetAt | AddAt | Scatter | ScatterAdd, _)))
}

/// The nodes of a graph, operands first, and readers of an array before what updates it.
pub fn schedule(m: &Module, nest: &Nest, g: GraphId) -> Vec<NodeId> {
    let schedule = nest.schedule(g);
    let updated: Vec<NodeId> = schedule.iter().copied().filter(|&n| updates(m, n)).collect();
    if updated.is_empty() {
        return schedule.to_vec();
    }
    let own: FxHashSet<NodeId> = schedule.iter().copied().collect();
    // Who must come before whom, beside operands.
    let mut first: FxHashMap<NodeId, Vec<NodeId>> = FxHashMap::default();
    let needs = |first: &FxHashMap<NodeId, Vec<NodeId>>, n: NodeId| -> Vec<NodeId> {
        let captures = m[n].inputs().iter().filter_map(|&i| m.as_graph(i)).flat_map(|h| nest.free(h));
        let before = first.get(&n).into_iter().flatten().copied();
        m[n].inputs().iter().copied().chain(captures).chain(before).filter(|i| own.contains(i)).collect()
    };
    for &n in &updated {
        let array = m[n].inputs()[0];
        if m[array].graph.is_none() {
            continue;
        }
        for reader in m[array].users().iter().map(|u| u.node).filter(|&r| r != n && own.contains(&r)) {
            // Unless the reader needs what the update gives.
            let mut stack = vec![reader];
            let mut seen = FxHashSet::default();
            let mut after = false;
            while let Some(k) = stack.pop() {
                after |= k == n;
                if seen.insert(k) && !after {
                    stack.extend(needs(&first, k));
                }
            }
            if !after {
                first.entry(n).or_default().push(reader);
            }
        }
    }
    let mut order = Vec::with_capacity(schedule.len());
    let mut done = FxHashSet::default();
    let mut stack: Vec<(NodeId, bool)> = schedule.iter().rev().map(|&n| (n, false)).collect();
    while let Some((n, ready)) = stack.pop() {
        if ready {
            if done.insert(n) {
                order.push(n);
            }
        } else if !done.contains(&n) {
            stack.push((n, true));
            stack.extend(needs(&first, n).into_iter().rev().filter(|i| !done.contains(i)).map(|i| (i, false)));
        }
    }
    order
}
