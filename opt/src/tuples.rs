//! Parameters that are taken apart: of graphs whose calls are all known.
//!
//! A parameter of a tuple type becomes one parameter a field. The calls pass the fields, and the graph makes the tuple anew;
//! what takes the tuple apart again folds away. A box that is made by `pack` at the calls becomes its contents likewise, unless
//! those hold the parameter's own box: a list that a loop makes longer has no last part.

use crate::calls::known_calls;
use crate::fold::select_parts;
use crate::nesting::fixed_graphs;
use crate::report::PassReport;
use gradus_ir::{Const, GraphId, Kind, Module, Nest, NodeId, Prim, Type};
use rustc_hash::FxHashSet;

/// Takes parameters apart.
pub(crate) fn run(m: &mut Module, nest: &Nest, report: &mut PassReport) {
    let fixed = fixed_graphs(m);
    let returned = m.graphs().map(|(g, _)| m.result(g)).filter(|&n| m[n].ty == Type::Opaque).collect();
    for &g in nest.graphs() {
        let splits = |m: &Module, &p: &NodeId| matches!(m[p].ty, Type::Tuple(_) | Type::Opaque);
        if m[g].params.iter().any(|p| splits(m, p))
            && let Some(calls) = known_calls(m, &fixed, g)
        {
            for i in (0..m[g].params.len()).rev() {
                let p = m[g].params[i];
                match m[p].ty.clone() {
                    Type::Tuple(fields) => {
                        split_tuple(m, g, i, &fields, &calls);
                        report.count("tuples", 1);
                    }
                    Type::Opaque => {
                        if let Some(Content { ty, may_be_zero }) = content(m, g, i, &calls)
                            && !grows(m, &fixed, p)
                            && (!may_be_zero || is_opened_as(m, p, &ty, &returned))
                        {
                            open_box(m, g, i, ty, &calls);
                            report.count("boxes", 1);
                        }
                    }
                    _ => {}
                }
            }
            m.graph_ref(g);
        }
    }
}

fn split_tuple(m: &mut Module, g: GraphId, i: usize, fields: &[Type], calls: &[NodeId]) {
    let p = m[g].params[i];
    let (ty, name, span) = (m[p].ty.clone(), m[p].name.clone(), m[p].span);
    let parts: Vec<NodeId> = fields
        .iter()
        .enumerate()
        .map(|(j, field)| {
            let name = name.as_ref().map(|name| format!("{name}.{j}").into());
            m.add_param(g, field.clone(), name, span)
        })
        .collect();
    let whole = m.prim(g, Prim::Tuple, parts.clone(), ty, span);
    substitute(m, g, i, &parts, whole);
    for &call in calls {
        let arg = m[call].inputs()[i + 1];
        let caller = m[call].graph.expect("a call belongs to a graph");
        let args: Vec<NodeId> = match m.as_prim(arg) {
            Some(Prim::Tuple) => m[arg].inputs().to_vec(),
            _ => {
                let get = |(j, field): (usize, &Type)| m.prim(caller, Prim::Get(j as u32), vec![arg], field.clone(), span);
                fields.iter().enumerate().map(get).collect()
            }
        };
        pass(m, call, i, &args);
    }
}

/// What is in a box.
struct Content {
    ty: Type,
    /// Whether the box may be the zero box, which is the zero of every type.
    may_be_zero: bool,
}

/// The contents of an opaque parameter, if every call passes a box of one type, made on the spot, or the zero box.
fn content(m: &Module, g: GraphId, i: usize, calls: &[NodeId]) -> Option<Content> {
    let p = m[g].params[i];
    let (mut content, mut may_be_zero): (Option<&Type>, bool) = (None, false);
    let mut seen: FxHashSet<NodeId> = FxHashSet::default();
    let mut stack: Vec<NodeId> = calls.iter().map(|&c| m[c].inputs()[i + 1]).collect();
    while let Some(n) = stack.pop() {
        if n == p || !seen.insert(n) {
            continue;
        }
        match m.as_prim(n) {
            _ if m[n].as_const() == Some(&Const::Zero) => may_be_zero = true,
            Some(Prim::Pack) => {
                let ty = &m[m[n].inputs()[0]].ty;
                if content.is_some_and(|c| c != ty) {
                    return None;
                }
                content = Some(ty);
            }
            Some(Prim::Gadd) => stack.extend(m[n].inputs()),
            _ => {
                let (_, a, b) = select_parts(m, n)?;
                stack.extend([a, b]);
            }
        }
    }
    Some(Content { ty: content?.clone(), may_be_zero })
}

/// Whether whoever gets the box `p` opens it as this type. Only then can the zero box become the zero of the type: a function value
/// that is not known may have captures of any.
fn is_opened_as(m: &Module, p: NodeId, ty: &Type, returned: &FxHashSet<NodeId>) -> bool {
    let mut seen: FxHashSet<NodeId> = FxHashSet::default();
    let mut stack = vec![p];
    while let Some(n) = stack.pop() {
        if !seen.insert(n) {
            continue;
        }
        if returned.contains(&n) {
            return false;
        }
        for u in m[n].users() {
            match m[u.node].kind {
                Kind::Prim(Prim::Unpack) if m[u.node].ty == *ty => {}
                Kind::Prim(Prim::Gadd | Prim::Select) => stack.push(u.node),
                Kind::Call if u.index > 0 => match m.as_graph(m[u.node].inputs()[0]) {
                    Some(callee) => stack.push(m[callee].params[u.index as usize - 1]),
                    None => return false,
                },
                _ => return false,
            }
        }
    }
    true
}

/// Whether a box that is passed for the parameter `p` holds the one that was passed before.
fn grows(m: &Module, fixed: &FxHashSet<GraphId>, p: NodeId) -> bool {
    let args = |p: NodeId| -> Vec<NodeId> {
        let g = m[p].graph.expect("a parameter belongs to a graph");
        let Some(i) = m[g].params.iter().position(|&q| q == p) else { return Vec::new() };
        known_calls(m, fixed, g).into_iter().flatten().map(|c| m[c].inputs()[i + 1]).collect()
    };
    // Nodes, and whether they are looked at within a box.
    let mut stack: Vec<(NodeId, bool)> = args(p).into_iter().map(|n| (n, false)).collect();
    let mut seen: FxHashSet<(NodeId, bool)> = FxHashSet::default();
    while let Some((n, inside)) = stack.pop() {
        if n == p && inside {
            return true;
        }
        if !matches!(m[n].ty, Type::Tuple(_) | Type::Opaque) || !seen.insert((n, inside)) {
            continue;
        }
        match m[n].kind {
            Kind::Param => stack.extend(args(n).into_iter().map(|n| (n, inside))),
            Kind::Prim(Prim::Pack) => stack.push((m[n].inputs()[0], true)),
            Kind::Prim(Prim::Tuple | Prim::Get(_) | Prim::Select | Prim::Gadd) => {
                stack.extend(m[n].inputs().iter().map(|&n| (n, inside)));
            }
            _ => {}
        }
    }
    false
}

fn open_box(m: &mut Module, g: GraphId, i: usize, ty: Type, calls: &[NodeId]) {
    let p = m[g].params[i];
    let (name, span) = (m[p].name.clone(), m[p].span);
    let part = m.add_param(g, ty.clone(), name, span);
    let whole = m.prim(g, Prim::Pack, vec![part], Type::Opaque, span);
    substitute(m, g, i, &[part], whole);
    for &call in calls {
        let arg = m[call].inputs()[i + 1];
        let caller = m[call].graph.expect("a call belongs to a graph");
        let open = m.prim(caller, Prim::Unpack, vec![arg], ty.clone(), span);
        pass(m, call, i, &[open]);
    }
}

/// Puts `parts`, the last parameters of `g`, in the place of parameter `i`, and `whole` in the place of its uses.
pub(crate) fn substitute(m: &mut Module, g: GraphId, i: usize, parts: &[NodeId], whole: NodeId) {
    let p = m[g].params[i];
    m.replace(p, whole);
    let params = &mut m[g].params;
    params.truncate(params.len() - parts.len());
    params.splice(i..=i, parts.iter().copied());
    m.remove_node(p);
}

/// Passes `args` in the place of argument `i`.
pub(crate) fn pass(m: &mut Module, call: NodeId, i: usize, args: &[NodeId]) {
    let mut inputs = m[call].inputs().to_vec();
    inputs.splice(i + 1..=i + 1, args.iter().copied());
    m.set_inputs(call, inputs);
}
