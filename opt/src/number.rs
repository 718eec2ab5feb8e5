//! Value numbering: folds every node and shares equal ones, in one sweep over the nesting of graphs.
//!
//! A node may be replaced by an equal one of its own graph or of a graph around it. The latter is executed whenever the former
//! is, and what it needs is what the inner graph captures already: no trap is added, and no node comes to depend on itself. Calls
//! are shared within one graph only, since a call may enter a graph that would then capture its result. What is linear is not
//! shared.

use crate::fold::{Folded, fold};
use crate::nesting::Tree;
use crate::report::PassReport;
use gradus_ir::{Effect, Kind, Module, Nest, NodeId, Type};
use rustc_hash::FxHashMap;

/// What makes two nodes equal.
type Key = (Kind, Vec<NodeId>, Type);

/// Folds and shares.
pub(crate) fn run(m: &mut Module, nest: &Nest, report: &mut PassReport) {
    let tree = Tree::new(nest);
    // The nodes with a key, innermost last. In preorder, a graph that was left never comes back.
    let mut seen: FxHashMap<Key, Vec<NodeId>> = FxHashMap::default();
    for &g in tree.preorder() {
        for &n in nest.schedule(g) {
            if m[n].users().is_empty() {
                continue;
            }
            if fold_fully(m, n, report) || m.as_prim(n).is_some_and(|p| p.effect(&[]) == Effect::Linear) {
                continue;
            }
            let key = key_of(m, n);
            let is_call = m[n].kind == Kind::Call;
            let same = seen.entry(key).or_default();
            while let Some(&last) = same.last()
                && !m[last].graph.is_some_and(|owner| tree.is_within(g, owner))
            {
                same.pop();
            }
            match same.last() {
                Some(&last) if !is_call || m[last].graph == Some(g) => {
                    share_name(m, n, last);
                    m.replace(n, last);
                    report.count("shared", 1);
                }
                _ => same.push(n),
            }
        }
    }
}

/// Folds until nothing applies; true if the node was replaced.
fn fold_fully(m: &mut Module, n: NodeId, report: &mut PassReport) -> bool {
    loop {
        match fold(m, n) {
            Folded::No => return false,
            Folded::Changed => report.count("folded", 1),
            Folded::To(same) => {
                share_name(m, n, same);
                m.replace(n, same);
                report.count("folded", 1);
                return true;
            }
        }
    }
}

/// Keeps the name of a variable alive where the node that takes over has none.
pub(crate) fn share_name(m: &mut Module, from: NodeId, to: NodeId) {
    if let Some(name) = m[from].name.clone() {
        m.set_name(to, name);
    }
}

fn key_of(m: &Module, n: NodeId) -> Key {
    let node = &m[n];
    let mut inputs = node.inputs().to_vec();
    if m.as_prim(n).is_some_and(|p| p.is_commutative()) {
        inputs.sort_unstable();
    }
    (node.kind.clone(), inputs, node.ty.clone())
}
