//! Parameters that need not be: of graphs whose calls are all known.
//!
//! * *Dead*: no result depends on it, be it that it only feeds itself around a loop.
//! * *Invariant*: every call passes one and the same value, or the parameter itself. The graph captures the value instead, which
//!   is in scope: all uses of the graph are calls from where the value is. A function that captures nothing yet starts to only
//!   for a function, whose calls become known.
//! * *Unit*: the type has one value (`zero`, `none`).

use crate::calls::known_calls;
use crate::nesting::fixed_graphs;
use crate::number::share_name;
use crate::policy::mentions_fn;
use crate::report::PassReport;
use gradus_ir::{Const, GraphId, Kind, Module, Nest, NodeId, Type};
use slotmap::SecondaryMap;

/// Removes dead, invariant and unit parameters.
pub(crate) fn run(m: &mut Module, nest: &Nest, report: &mut PassReport) {
    let fixed = fixed_graphs(m);
    let mut known: SecondaryMap<GraphId, Vec<NodeId>> = SecondaryMap::new();
    for &g in nest.graphs() {
        if !m[g].params.is_empty()
            && let Some(calls) = known_calls(m, &fixed, g)
        {
            known.insert(g, calls);
        }
    }
    let live = live_nodes(m, nest, &known);
    for &g in nest.graphs() {
        let Some(calls) = known.get(g) else { continue };
        for i in (0..m[g].params.len()).rev() {
            let p = m[g].params[i];
            if !live.contains_key(p) {
                remove(m, g, i, calls);
                report.count("dead", 1);
            } else if let Some(value) = unit(m, p) {
                m.replace(p, value);
                remove(m, g, i, calls);
                report.count("unit", 1);
            } else if let Some(value) = invariant(m, g, i, calls)
                && may_capture(m, nest, g, value, calls)
            {
                share_name(m, p, value);
                m.replace(p, value);
                remove(m, g, i, calls);
                report.count("invariant", 1);
            }
        }
    }
}

/// Takes a parameter off its graph and its argument off the calls.
fn remove(m: &mut Module, g: GraphId, i: usize, calls: &[NodeId]) {
    for &call in calls {
        let mut inputs = m[call].inputs().to_vec();
        inputs.remove(i + 1);
        m.set_inputs(call, inputs);
    }
    // Dead nodes may still use it; it goes with them.
    m[g].params.remove(i);
    m.graph_ref(g);
}

/// The nodes that some result depends on. An argument of a known graph counts only if the parameter does.
fn live_nodes(m: &Module, nest: &Nest, known: &SecondaryMap<GraphId, Vec<NodeId>>) -> SecondaryMap<NodeId, ()> {
    let mut position: SecondaryMap<NodeId, usize> = SecondaryMap::new();
    for g in known.keys() {
        for (i, &p) in m[g].params.iter().enumerate() {
            position.insert(p, i);
        }
    }
    let mut live: SecondaryMap<NodeId, ()> = SecondaryMap::new();
    let mut stack: Vec<NodeId> = nest.graphs().iter().filter_map(|&g| m[g].ret).collect();
    while let Some(n) = stack.pop() {
        if live.insert(n, ()).is_some() {
            continue;
        }
        let node = &m[n];
        match node.kind {
            Kind::Param => {
                if let Some(&i) = position.get(n)
                    && let Some(calls) = node.graph.and_then(|g| known.get(g))
                {
                    stack.extend(calls.iter().filter(|&&c| live.contains_key(c)).map(|&c| m[c].inputs()[i + 1]));
                }
            }
            Kind::Call => {
                let callee = node.inputs()[0];
                stack.push(callee);
                match m.as_graph(callee).filter(|&g| known.contains_key(g)) {
                    Some(g) => {
                        let args = m[g].params.iter().zip(&node.inputs()[1..]);
                        stack.extend(args.filter(|&(&p, _)| live.contains_key(p)).map(|(_, &a)| a));
                    }
                    None => stack.extend(&node.inputs()[1..]),
                }
            }
            _ => stack.extend(node.inputs()),
        }
    }
    live
}

fn unit(m: &mut Module, p: NodeId) -> Option<NodeId> {
    match m[p].ty {
        Type::Zero => Some(m.zero()),
        Type::None => Some(m.constant(Const::None, Type::None)),
        _ => None,
    }
}

/// The one value that all calls pass for parameter `i`, not counting the parameter itself.
fn invariant(m: &Module, g: GraphId, i: usize, calls: &[NodeId]) -> Option<NodeId> {
    let p = m[g].params[i];
    let mut args = calls.iter().map(|&c| m[c].inputs()[i + 1]).filter(|&a| a != p);
    let value = args.next()?;
    (args.all(|a| a == value) && m[value].graph != Some(g) && m[value].ty.fits(&m[p].ty)).then_some(value)
}

/// Whether `g` should capture `value` rather than take it as an argument. Data cost a function a parameter either way.
fn may_capture(m: &Module, nest: &Nest, g: GraphId, value: NodeId, calls: &[NodeId]) -> bool {
    m[value].graph.is_none() || nest.parent(g).is_some() || mentions_fn(&m[value].ty) || calls.iter().all(|&c| m.is_tail_call(c))
}
