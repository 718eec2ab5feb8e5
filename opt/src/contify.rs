//! Contification: a call that is not in tail position becomes a jump, and what follows it a continuation.
//!
//! ```text
//! h: r = call f(a…); …r…; return v        h: return call f(a…)        k(r): …r…; return v
//! f: … return u                           f: … return call k(u)
//! ```
//! The nodes of `h` that depend on `r` move to `k`; those that do not stay and are executed before, as they would have been. If `f` ends
//! in a tree of tail calls, each of its leaves calls `k`. So a branch or a loop of a function that was inlined in the middle of
//! another is control flow of the latter.

use crate::calls::{select_tree, tail_call};
use crate::fold::select_parts;
use gradus_ir::{Flavor, GraphId, Kind, Module, NodeId, Type};
use rustc_hash::FxHashSet;

/// Splits the graph of `call`, whose callee enters `blocks` and nothing else. Returns the nodes that were moved or made; none if
/// nothing was done, because the result of the graph does not depend on the call.
pub(crate) fn contify(m: &mut Module, call: NodeId, blocks: &[GraphId]) -> Option<Vec<NodeId>> {
    let h = m[call].graph.expect("a call belongs to a graph");
    let later = dependents(m, h, call);
    let value = m.result(h);
    if value != call && !later.contains(&value) {
        return None;
    }
    let (name, role, result) = (format!("{}.after", m[h].name), m[h].role, m[h].result.clone());
    let (span, ty) = (m[call].span, m[call].ty.clone());
    let k = m.add_graph(name, Flavor::Block, role, span);
    m.declare_result(k, result.clone());
    let r = m.add_param(k, ty, m[call].name.clone(), span);
    let mut touched: Vec<NodeId> = later.into_iter().collect();
    touched.sort_unstable();
    for &n in &touched {
        m.set_graph(n, k);
    }
    m.replace(call, r);
    let value = m.result(h);
    m.set_result(k, value);
    m.set_type(call, result.clone());
    m.set_result(h, call);
    touched.extend(leave_to(m, blocks, k, &result));
    retype(m, h, call, &result);
    Some(touched)
}

/// Lets `blocks` continue in `k` instead of returning; `result` is what `k` returns. Returns the jumps.
fn leave_to(m: &mut Module, blocks: &[GraphId], k: GraphId, result: &Type) -> Vec<NodeId> {
    let mut jumps = Vec::new();
    let members: FxHashSet<GraphId> = blocks.iter().copied().collect();
    for &b in blocks {
        m.declare_result(b, result.clone());
        m.graph_ref(b);
    }
    let k = m.graph_ref(k);
    for &b in blocks {
        match tail_call(m, b) {
            Some((call, targets)) if targets.iter().all(|t| members.contains(t)) => retype(m, b, call, result),
            _ => {
                let value = m.result(b);
                let span = m[value].span;
                let jump = m.call(b, k, &[value], result.clone(), span);
                m.set_result(b, jump);
                jumps.push(jump);
            }
        }
    }
    jumps
}

/// Gives the tail call of a graph, and the tree of `select`s that chooses its callee, the type that follows from `result`.
fn retype(m: &mut Module, g: GraphId, call: NodeId, result: &Type) {
    m.set_type(call, result.clone());
    let ret = m[g].ret.expect("the graph has a return");
    m.set_type(ret, result.clone());
    for n in select_tree(m, m[call].inputs()[0]) {
        if let Some((_, arm, _)) = select_parts(m, n) {
            m.set_type(n, m[arm].ty.clone());
        }
    }
}

/// The nodes of `h` that need the result of `start`: as an operand, or because they refer to a graph that captures such a node.
fn dependents(m: &Module, h: GraphId, start: NodeId) -> FxHashSet<NodeId> {
    let mut found: FxHashSet<NodeId> = FxHashSet::default();
    let mut captured: FxHashSet<GraphId> = FxHashSet::default();
    let mut stack = vec![start];
    while let Some(n) = stack.pop() {
        for u in m[n].users() {
            let mut inner = vec![u.node];
            while let Some(user) = inner.pop() {
                let Some(owner) = m[user].graph else { continue };
                if owner == h {
                    if m[user].kind != Kind::Return && found.insert(user) {
                        stack.push(user);
                    }
                } else if captured.insert(owner)
                    && let Some(constant) = m.graph_const(owner)
                {
                    inner.extend(m[constant].users().iter().map(|u| u.node));
                }
            }
        }
    }
    found
}
