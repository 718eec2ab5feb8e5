//! The order of a derivative: how many others lie inside of it.
//!
//! A round of expansions is no order: what becomes known late may lie innermost. So graphs know of how many derivatives they are part
//! ([`gradus_ir::Graph::order`]), which the simplifier keeps.

use crate::flow::Ask;
use gradus_ir::{GraphId, Module, Nest, NodeId, Prim};
use slotmap::SecondaryMap;

/// The graphs that each graph refers to, but for rules of derivatives: those are other code than the function's.
pub type References = SecondaryMap<GraphId, Vec<GraphId>>;

/// The references of all graphs.
pub fn references(m: &Module, nest: &Nest) -> References {
    nest.graphs().iter().map(|&g| (g, refers(m, nest, g, 1))).collect()
}

/// The graphs that a graph refers to, but for what is an operand of a function with rules from a number on: 0 is the function, the others are the
/// rules.
pub fn refers(m: &Module, nest: &Nest, g: GraphId, first: u32) -> Vec<GraphId> {
    let is_rule = |user: NodeId, index: u32| index >= first && m.as_prim(user) == Some(Prim::Ruled);
    let mut found = Vec::new();
    for n in nest.schedule(g).iter().copied().chain(m[g].ret) {
        let users = m[n].users();
        if users.is_empty() || !users.iter().all(|u| is_rule(u.node, u.index)) {
            let inputs = m[n].inputs().iter().enumerate().filter(|&(i, _)| !is_rule(n, i as u32));
            found.extend(inputs.filter_map(|(_, &input)| m.as_graph(input)));
        }
    }
    found
}

/// The order that a derivative of each graph has: as many as are in what the graph reaches, and one more than those it asks for.
/// From `most` on they are not told apart.
pub fn of_derivatives(
    m: &Module,
    nest: &Nest,
    references: &References,
    asks: &[Ask],
    most: usize,
) -> SecondaryMap<GraphId, usize> {
    // How much a graph is at least when another one is so much.
    let mut above: SecondaryMap<GraphId, Vec<(GraphId, usize)>> = nest.graphs().iter().map(|&g| (g, Vec::new())).collect();
    for &g in nest.graphs() {
        references[g].iter().for_each(|&h| above[h].push((g, 0)));
    }
    for ask in asks {
        above[ask.of].push((m[ask.node].graph.expect("an operator belongs to a graph"), 1));
    }
    let asks_itself = |g| nest.schedule(g).iter().any(|&n| m.as_prim(n).is_some_and(|p| p.is_operator()));
    let start = |g: GraphId| m[g].order.max(usize::from(asks_itself(g))).min(most);
    let mut orders: SecondaryMap<GraphId, usize> = nest.graphs().iter().map(|&g| (g, start(g))).collect();
    let mut work: Vec<GraphId> = nest.graphs().to_vec();
    while let Some(g) = work.pop() {
        for &(h, more) in &above[g] {
            let least = (orders[g] + more).min(most);
            if orders[h] < least {
                orders[h] = least;
                work.push(h);
            }
        }
    }
    orders
}
