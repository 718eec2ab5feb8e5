//! Branches that are not needed.
//!
//! *Known conditions*: in an arm that nothing else enters, and in what only it refers to, the condition is a constant.
//!
//! *Empty arms*: where both arms return a value, or jump to the same place, without computing anything of their own, a `select` of the values
//! takes the place of the branch: `c ? j(x, y) : j(x, z)` is `j(x, select(c, y, z))`.
//!
//! *Jumps to branches*: a jump to a block that only chooses by its one parameter goes where a known argument says. That is for programs
//! that are run alone: an adjoint would have to know by which of two ways a loop was left.

use crate::calls::{known_calls, tail_call};
use crate::fold::select_parts;
use crate::nesting::{Tree, fixed_graphs, only_use};
use crate::report::PassReport;
use gradus_ir::{Const, GraphId, Module, Nest, NodeId, Prim, Use};

/// What an arm without nodes of its own does.
#[derive(PartialEq)]
enum Exit {
    Value(NodeId),
    Jump(NodeId),
}

/// Uses known conditions and turns branches with empty arms into `select`s. `is_last`: no derivative is left to take.
pub(crate) fn run(m: &mut Module, nest: &Nest, is_last: bool, report: &mut PassReport) {
    use_conditions(m, nest, report);
    empty_arms(m, nest, report);
    if is_last {
        thread_jumps(m, nest, report);
    }
}

fn thread_jumps(m: &mut Module, nest: &Nest, report: &mut PassReport) {
    let fixed = fixed_graphs(m);
    for &j in nest.graphs() {
        let &[p] = &m[j].params[..] else { continue };
        let Some((call, arms)) = tail_call(m, j) else { continue };
        let (&[then, otherwise], &[choice]) = (&arms[..], m[call].inputs()) else { continue };
        // It does nothing else, and its arms do not need it.
        let chooses = select_parts(m, choice).is_some_and(|(c, _, _)| c == p) && nest.schedule(j).len() == 2;
        if !chooses || arms.iter().any(|&arm| arm == j || nest.free(arm).any(|v| m[v].graph == Some(j))) {
            continue;
        }
        for jump in known_calls(m, &fixed, j).unwrap_or_default() {
            let Some(g) = m[jump].graph.filter(|&g| m.result(g) == jump && m.is_tail_call(jump)) else { continue };
            let Some(&Const::Bool(taken)) = m[m[jump].inputs()[1]].as_const() else { continue };
            let (arm, ty, span) = (m.graph_ref(if taken { then } else { otherwise }), m[jump].ty.clone(), m[jump].span);
            let jump = m.call(g, arm, &[], ty, span);
            m.set_result(g, jump);
            report.count("jumps to branches", 1);
        }
    }
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
