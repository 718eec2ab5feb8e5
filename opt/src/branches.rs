//! Branches that are not needed.
//!
//! *Known conditions*: in an arm that nothing else enters, and in what only it refers to, the condition is a constant.
//!
//! *Empty arms*: where both arms return a value, or jump to the same place, without computing anything of their own, a `select` of the values
//! takes the place of the branch: `c ? j(x, y) : j(x, z)` is `j(x, select(c, y, z))`.

use crate::calls::tail_call;
use crate::fold::select_parts;
use crate::nesting::{Tree, only_use};
use crate::report::PassReport;
use gradus_ir::{GraphId, Module, Nest, NodeId, Prim, Use};

/// What an arm without nodes of its own does.
#[derive(PartialEq)]
enum Exit {
    Value(NodeId),
    Jump(NodeId),
}

/// Uses known conditions and turns branches with empty arms into `select`s.
pub(crate) fn run(m: &mut Module, nest: &Nest, report: &mut PassReport) {
    use_conditions(m, nest, report);
    empty_arms(m, nest, report);
}

/// A graph with one use runs only where the graph that uses it did; an arm, only where the condition had the value for it.
fn use_conditions(m: &mut Module, nest: &Nest, report: &mut PassReport) {
    let tree = Tree::with_parents(nest, |g| only_use(m, g).and_then(|u| m[u.node].graph));
    for &arm in nest.graphs() {
        let Some(only) = only_use(m, arm) else { continue };
        let Some((c, _, _)) = select_parts(m, only.node) else { continue };
        if m[c].graph.is_none() {
            continue;
        }
        let in_arm = |u: &Use| m[u.node].graph.is_some_and(|g| tree.is_within(g, arm));
        let uses: Vec<Use> = m[c].users().iter().copied().filter(in_arm).collect();
        let value = m.bool(only.index == 1);
        for u in &uses {
            m.set_input(u.node, u.index as usize, value);
        }
        report.count("known conditions", uses.len());
    }
}

fn empty_arms(m: &mut Module, nest: &Nest, report: &mut PassReport) {
    // Inner branches first, since an arm may become empty; a graph comes after those that refer to it.
    for &h in nest.graphs().iter().rev() {
        let Some((call, targets)) = tail_call(m, h) else { continue };
        let (&[a, b], Some((c, _, _))) = (&targets[..], select_parts(m, m[call].inputs()[0])) else { continue };
        if m[call].inputs().len() > 1 || a == h || b == h {
            continue;
        }
        let value = match (exit(m, nest, a), exit(m, nest, b)) {
            (Some(Exit::Value(x)), Some(Exit::Value(y))) => select(m, h, c, x, y),
            (Some(Exit::Jump(x)), Some(Exit::Jump(y))) => match merge(m, h, c, x, y) {
                Some(jump) => jump,
                None => continue,
            },
            _ => continue,
        };
        m.set_result(h, value);
        report.count("to select", 1);
    }
}

/// How an arm leaves, if it computes nothing, not even for graphs nested in it.
fn exit(m: &Module, nest: &Nest, arm: GraphId) -> Option<Exit> {
    let value = m.result(arm);
    match *nest.schedule(arm) {
        [] => Some(Exit::Value(value)),
        [n] if n == value && m.is_tail_call(n) && m[n].inputs()[0] != value => Some(Exit::Jump(n)),
        _ => None,
    }
}

fn select(m: &mut Module, g: GraphId, c: NodeId, x: NodeId, y: NodeId) -> NodeId {
    if x == y {
        return x;
    }
    let ty = Prim::Select.result_type(&[m[c].ty.clone(), m[x].ty.clone(), m[y].ty.clone()]);
    let (ty, span) = (ty.expect("both arms have the type of the result"), m[x].span);
    m.prim(g, Prim::Select, vec![c, x, y], ty, span)
}

/// One jump for two of the same callee.
fn merge(m: &mut Module, g: GraphId, c: NodeId, x: NodeId, y: NodeId) -> Option<NodeId> {
    let (xs, ys) = (m[x].inputs().to_vec(), m[y].inputs().to_vec());
    if xs[0] != ys[0] || xs.len() != ys.len() {
        return None;
    }
    let args: Vec<NodeId> = xs.iter().zip(&ys).skip(1).map(|(&x, &y)| select(m, g, c, x, y)).collect();
    let (ty, span) = (m[x].ty.clone(), m[x].span);
    Some(m.call(g, xs[0], &args, ty, span))
}
