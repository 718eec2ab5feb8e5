//! Who calls a graph, and which graphs are the blocks of another.

use crate::fold::select_parts;
use gradus_ir::{GraphId, Kind, Module, NodeId, Prim};
use rustc_hash::FxHashSet;
use slotmap::SecondaryMap;

/// The calls of a graph, where all its uses are as callee; none where some other use exists or its signature is fixed.
pub(crate) fn known_calls(m: &Module, fixed: &FxHashSet<GraphId>, g: GraphId) -> Option<Vec<NodeId>> {
    if fixed.contains(&g) {
        return None;
    }
    let users = m.graph_const(g).map_or(&[][..], |c| m[c].users());
    let is_call = |n: NodeId| m[n].kind == Kind::Call;
    users.iter().all(|u| u.index == 0 && is_call(u.node)).then(|| users.iter().map(|u| u.node).collect())
}

/// The calls that reach a graph directly or as an arm of a `select`; none where it has some other use or its signature is fixed.
pub(crate) fn reaching_calls(m: &Module, fixed: &FxHashSet<GraphId>, g: GraphId) -> Option<Vec<NodeId>> {
    if fixed.contains(&g) {
        return None;
    }
    let mut calls = Vec::new();
    let mut values: Vec<NodeId> = m.graph_const(g).into_iter().collect();
    while let Some(v) = values.pop() {
        for u in m[v].users() {
            match m[u.node].kind {
                Kind::Call if u.index == 0 => calls.push(u.node),
                _ if u.index > 0 && select_parts(m, u.node).is_some() => values.push(u.node),
                _ => return None,
            }
        }
    }
    Some(calls)
}

/// The `select`s and leaves that a value may be, each once, operands first; a value that is no `select` is its own leaf.
pub(crate) fn select_tree(m: &Module, root: NodeId) -> Vec<NodeId> {
    let mut order = Vec::new();
    let mut seen: FxHashSet<NodeId> = FxHashSet::default();
    let mut stack = vec![(root, false)];
    while let Some((n, entered)) = stack.pop() {
        if entered {
            order.push(n);
        } else if seen.insert(n) {
            stack.push((n, true));
            if let Some((_, a, b)) = select_parts(m, n) {
                stack.extend([(b, false), (a, false)]);
            }
        }
    }
    order
}

/// The leaves of [`select_tree`], from left to right.
pub(crate) fn select_leaves(m: &Module, root: NodeId) -> Vec<NodeId> {
    let mut leaves = select_tree(m, root);
    leaves.retain(|&n| m.as_prim(n) != Some(Prim::Select));
    leaves
}

/// The tail call of a graph and the graphs it may enter, if it ends in one whose callees are all known.
pub(crate) fn tail_call(m: &Module, g: GraphId) -> Option<(NodeId, Vec<GraphId>)> {
    let call = m.result(g);
    if m[call].graph != Some(g) || !m.is_tail_call(call) {
        return None;
    }
    let targets = select_leaves(m, m[call].inputs()[0]).into_iter().map(|leaf| m.as_graph(leaf));
    Some((call, targets.collect::<Option<_>>()?))
}

/// The blocks of `f`: itself first, then the graphs that are entered by tail calls of its blocks and in no other way.
/// None if `f` is used otherwise than by `call` and by tail calls of its blocks.
pub(crate) fn blocks_of(m: &Module, fixed: &FxHashSet<GraphId>, f: GraphId, call: NodeId) -> Option<Vec<GraphId>> {
    let mut blocks = vec![f];
    let mut member: SecondaryMap<GraphId, ()> = SecondaryMap::new();
    member.insert(f, ());
    let mut next = 0;
    while next < blocks.len() {
        for (_, targets) in tail_call(m, blocks[next]).into_iter() {
            for t in targets {
                if member.insert(t, ()).is_none() {
                    blocks.push(t);
                }
            }
        }
        next += 1;
    }
    // Whoever is entered in another way is no block, and neither is, then, what only it enters.
    let mut suspects = blocks.clone();
    while let Some(t) = suspects.pop() {
        if !member.contains_key(t) {
            continue;
        }
        let enters = |n: NodeId| {
            n == call && t == f
                || m[n].graph.is_some_and(|g| {
                    member.contains_key(g)
                        && tail_call(m, g).is_some_and(|(c, targets)| c == n && targets.iter().all(|&x| member.contains_key(x)))
                })
        };
        if reaching_calls(m, fixed, t).is_some_and(|calls| calls.into_iter().all(enters)) {
            continue;
        }
        if t == f {
            return None;
        }
        member.remove(t);
        suspects.extend(tail_call(m, t).into_iter().flat_map(|(_, targets)| targets));
        // The other arms of a branch to `t` are entered by a call that stays a call.
        for n in m.graph_const(t).map(|c| reaching_selects(m, c)).unwrap_or_default() {
            if let Some(g) = m[n].graph
                && let Some((_, targets)) = tail_call(m, g)
            {
                suspects.extend(targets);
            }
        }
    }
    blocks.retain(|&b| member.contains_key(b));
    Some(blocks)
}

/// The calls that a value reaches through `select`s.
fn reaching_selects(m: &Module, value: NodeId) -> Vec<NodeId> {
    let mut calls = Vec::new();
    let mut values = vec![value];
    while let Some(v) = values.pop() {
        for u in m[v].users() {
            if m[u.node].kind == Kind::Call {
                calls.push(u.node);
            } else if select_parts(m, u.node).is_some() {
                values.push(u.node);
            }
        }
    }
    calls
}
