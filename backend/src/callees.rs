//! Selects that only choose whom a call calls.

use gradus_ir::{GraphId, Kind, Module, NodeId, Prim};
use rustc_hash::FxHashSet;

/// The selects of a graph whose every use is as the callee of one of the graph's calls, directly or through another such select.
/// They need no function value: the call branches.
pub fn callee_selects(m: &Module, g: GraphId, schedule: &[NodeId]) -> FxHashSet<NodeId> {
    let mut found = FxHashSet::default();
    // Users come after what they use.
    for &n in schedule.iter().rev() {
        let only_called = |found: &FxHashSet<NodeId>| {
            m[n].users().iter().all(|u| {
                m[u.node].graph == Some(g)
                    && match m[u.node].kind {
                        Kind::Call => u.index == 0,
                        Kind::Prim(Prim::Select) => u.index > 0 && found.contains(&u.node),
                        _ => false,
                    }
            })
        };
        if m[n].kind == Kind::Prim(Prim::Select) && m[n].ty.is_fn() && only_called(&found) {
            found.insert(n);
        }
    }
    found
}
