//! Expansion of `J`: which ones, in which order, and what is left for run time.

use crate::activity;
use crate::analysis::{Variant, analyse};
use crate::checkpoint::{self, RunAgain};
use crate::convert;
use crate::emit::Emitter;
use crate::flow::{Ask, asks, reached};
use crate::forward::{self, Beside, Forward};
use crate::order;
use crate::plan::{Decision, Plan, Strategy};
use crate::program::Program;
use crate::tower;
use crate::trace;
use gradus_ir::build;
use gradus_ir::prim::Reverse;
use gradus_ir::{Const, GraphId, Kind, Module, Nest, NodeId, Prim, Span};
use petgraph::algo::kosaraju_scc;
use petgraph::graph::DiGraph;
use rustc_hash::{FxHashMap, FxHashSet};
use slotmap::SecondaryMap;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Why a program cannot be differentiated; the user's fault, at the user's place.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum AdError {
    /// A function asks for its own derivative, so the order has no bound.
    #[error("the derivative of `{name}` needs the derivative of itself, to an order without bound")]
    Unbounded {
        /// The function.
        name: String,
        /// Where it asks.
        span: Span,
    },
    /// A derivative of what is traced, or places on the tape that only the run knows: a plan without traces has the derivative.
    #[error("the derivative cannot be traced: it is that of a traced one, or goes through boxes whose places only the run knows")]
    Traced {
        /// Where it is asked for.
        span: Span,
    },
    /// The Taylor series of what gives a function, by a derivative alone.
    #[error("there is no Taylor series of a function that gives a function and that has a rule, or that only the run knows")]
    Series {
        /// Where it is asked for.
        span: Span,
    },
}

/// What an expansion did.
#[derive(Clone, Debug, Default)]
pub struct Expanded {
    /// The derivatives that were expanded.
    pub count: usize,
    /// How many of the derivatives that were made lie one inside of the other, with those made before.
    pub orders: usize,
    /// The nodes that were made for those of them that were not there yet.
    pub nodes: usize,
    /// The strategy of each function that was differentiated in reverse.
    pub decisions: Vec<Decision>,
    /// The loops that are run again from a few of their states.
    pub again: Vec<RunAgain>,
}

/// A derivative that is asked for: of the graph `of`, by the node `node`.
struct Request {
    node: NodeId,
    prim: Prim,
    of: GraphId,
    /// The captures of the closure, if it has any.
    captured: Vec<NodeId>,
}

/// Expands the `J`s of known functions whose bodies ask for no further derivative: the innermost. Nothing is expanded when no `J`
/// of a known function is left. `m` must be typed; its garbage is collected.
///
/// A function that became known only after [`expand_unknown`] keeps the derivative it was given there. So does a closure on a cycle
/// of references: the functions that its derivative calls may give it back, and derived anew whenever inlining makes it known it
/// would be unrolled without end. All else is derived where it is known. Without inlining this ends, since the functions that a
/// function refers to are fewer, or on a cycle with it; copies made between two calls are for the caller to bound.
pub fn expand(m: &mut Module, plan: &Plan) -> Result<Expanded, AdError> {
    let mut again = Vec::new();
    loop {
        if let Some(done) = expand_or_prepare(m, plan, &mut again)? {
            return Ok(Expanded { again, ..done });
        }
    }
}

/// Expands the innermost derivatives; or rewrites something before they are taken, and gives nothing.
fn expand_or_prepare(m: &mut Module, plan: &Plan, again: &mut Vec<RunAgain>) -> Result<Option<Expanded>, AdError> {
    let entry = m.entry.expect("a typed module has an entry");
    m.collect_garbage(&[entry]);
    let nest = distribute(m, entry)?;
    if requests(m, &nest).is_empty() {
        return Ok(Some(Expanded::default()));
    }
    let nest = convert::close(m, nest);
    let requests = requests(m, &nest);
    let mut made = Emitted::default();
    for r in &requests {
        made.extend(m.derivatives.get(&(r.of, r.prim)).map(|&d| ((r.of, r.prim, r.captured.len()), d)));
    }
    let asking: FxHashSet<GraphId> = requests.iter().filter_map(|r| m[r.node].graph).collect();
    // But for rules: what a rule asks for is asked for wherever it is, whether the derivative that calls it was made or not.
    let references = order::references(m, &nest);
    let reach_of = |g: GraphId| reach(g, |g| &references[g]);
    let mut innermost: FxHashMap<GraphId, bool> = FxHashMap::default();
    for r in &requests {
        innermost.entry(r.of).or_insert_with(|| reach_of(r.of).all(|g| !asking.contains(&g)));
    }
    let kept: FxHashSet<GraphId> = innermost.keys().copied().filter(|&g| is_kept(m, &nest, g)).collect();
    let is_made = |r: &Request| made.contains_key(&(r.of, r.prim, r.captured.len()));
    let chosen: Vec<&Request> = requests.iter().filter(|r| innermost[&r.of] || is_made(r)).collect();
    if chosen.is_empty() {
        // Each function reaches the request of another: somewhere a function reaches the request for its own derivative.
        let is_own = |r: &&Request| reach_of(r.of).any(|g| m[r.node].graph == Some(g));
        let unbounded = |r: &Request| AdError::Unbounded { name: m[r.of].name.to_string(), span: m[r.node].span };
        return requests.iter().find(is_own).map(unbounded).map_or(Ok(Some(Expanded::default())), Err);
    }
    let new: Vec<&Request> = chosen.iter().copied().filter(|r| !is_made(r)).collect();
    let mut series = tower::of_unknown(m, &derivative_nodes(m, &nest), |f| known_function(m, f).is_some());
    if !series.is_empty() {
        let differentiated: FxHashSet<GraphId> = new.iter().flat_map(|r| reach_of(r.of)).collect();
        series.retain(|&n| m[n].graph.is_some_and(|g| differentiated.contains(&g)));
    }
    if !series.is_empty() {
        tower::lower(m, entry, series)?;
        return Ok(None);
    }
    check_untraced(m, &nest, new.iter().map(|r| (r.of, r.node)))?;
    let orders = order::of_derivatives(m, &nest, &references, &[], MAX_ORDER);
    let rewritten = run_again(m, &nest, &orders, plan, new.iter().map(|r| (r.of, r.prim)));
    if rewritten.is_some() {
        again.extend(rewritten);
        return Ok(None);
    }
    let has_own = |r: &Request| r.prim.as_forward().is_some() && !is_made(r) && !kept.contains(&r.of) && is_called(m, r.node);
    let (calls, values): (Vec<&Request>, Vec<&Request>) = chosen.iter().copied().partition(|r| has_own(r));
    let new = values.iter().filter(|r| !is_made(r));
    let wanted: Vec<Wanted> = new.clone().map(|r| (r.of, r.prim, r.captured.len())).collect();
    let mut done = Expanded { count: chosen.len(), ..Expanded::default() };
    let traces = match plan.uses(Strategy::Trace) {
        true => traces(m, &nest, &requests, &new.copied().collect::<Vec<_>>()),
        false => Traces::default(),
    };
    let emitted = emit(m, &wanted, (plan, &traces), &orders, &mut done, |_, _| Vec::new())?;
    for (&(g, prim, _), &derivative) in emitted.iter().filter(|((g, ..), _)| kept.contains(g)) {
        m.derivatives.insert((g, prim), derivative);
    }
    made.extend(emitted);
    push_calls(m, &calls, &orders, &mut done);
    for r in values {
        let g = m[r.node].graph.expect("a request is a node of a graph");
        let mut closure = m.graph_ref(made[&(r.of, r.prim, r.captured.len())]);
        if !r.captured.is_empty() {
            let operands: Vec<NodeId> = std::iter::once(closure).chain(r.captured.iter().copied()).collect();
            let ty = m[r.node].ty.clone();
            let span = m[r.node].span;
            closure = m.prim(g, Prim::Partial, operands, ty, span);
        }
        m.replace(r.node, closure);
    }
    m.collect_garbage(&[entry]);
    prune(m, entry);
    Ok(Some(done))
}

/// Gives the functions that can reach a `J` of an unknown callee their derivatives for run time ([`Module::derivatives`]), until
/// all that these need in turn is there. To be called when [`expand`] has nothing left to do. Gives the number of derivatives that
/// were missing.
pub fn expand_unknown(m: &mut Module, plan: &Plan) -> Result<Expanded, AdError> {
    let entry = m.entry.expect("a typed module has an entry");
    let mut done = Expanded::default();
    let mut origins: FxHashMap<GraphId, Arc<str>> = FxHashMap::default();
    m.collect_garbage(&[entry]);
    let mut nest = Nest::new(m, &[entry]);
    let operators = derivative_nodes(m, &nest);
    let series = tower::of_unknown(m, &operators, |_| false);
    if !series.is_empty() {
        tower::lower(m, entry, series)?;
        nest = Nest::new(m, &[entry]);
    }
    loop {
        let operators = derivative_nodes(m, &nest);
        if operators.is_empty() {
            break;
        }
        if trace::through_rules(m, &operators)? {
            nest = Nest::new(m, &[entry]);
            continue;
        }
        nest = convert::close(m, nest);
        let reached = reached(m, &nest);
        check_bounded(m, &nest, &reached.asks, &origins)?;
        let mut seen: FxHashSet<(GraphId, Prim)> = m.derivatives.keys().copied().collect();
        let mut missing = |asks: &mut dyn Iterator<Item = Wanted>| -> Vec<Wanted> {
            asks.filter(|&(of, prim, _)| seen.insert((of, prim))).collect()
        };
        let wanted = missing(&mut reached.asks.iter().map(|a| (a.of, a.prim, a.captures)));
        if wanted.is_empty() {
            break;
        }
        check_untraced(m, &nest, reached.asks.iter().map(|a| (a.of, a.node)))?;
        let orders = order::of_derivatives(m, &nest, &order::references(m, &nest), &reached.asks, MAX_ORDER);
        if let Some(again) = run_again(m, &nest, &orders, plan, wanted.iter().map(|w| (w.0, w.1))) {
            done.again.push(again);
            m.collect_garbage(&[entry]);
            nest = Nest::new(m, &[entry]);
            continue;
        }
        // What the new derivatives ask for in turn is what reaches the callees that they are derived from, as far as it is known yet.
        let emitted = emit(m, &wanted, (plan, &Traces::default()), &orders, &mut done, |prim, callee| {
            missing(&mut reached.functions(callee).into_iter().map(|(of, captures)| (of, prim, captures)))
        })?;
        done.count += emitted.len();
        for ((g, prim, _), derivative) in emitted {
            m.derivatives.insert((g, prim), derivative);
            origins.insert(derivative, origins.get(&g).unwrap_or(&m[g].name).clone());
        }
        m.collect_garbage(&[entry]);
        nest = Nest::new(m, &[entry]);
    }
    prune(m, entry);
    Ok(done)
}

/// Checks that no derivative asks for the derivative of itself: it would get one, which would ask for its own in turn. `origins`
/// names the function that each derivative is one of, to whatever order.
fn check_bounded(m: &Module, nest: &Nest, asks: &[Ask], origins: &FxHashMap<GraphId, Arc<str>>) -> Result<(), AdError> {
    let mut needs: DiGraph<GraphId, ()> = DiGraph::new();
    let index: SecondaryMap<GraphId, _> = nest.graphs().iter().map(|&g| (g, needs.add_node(g))).collect();
    for &g in nest.graphs() {
        needs.extend_with_edges(nest.refers(g).iter().map(|&h| (index[g], index[h])));
    }
    let asking = |a: &Ask| index[m[a.node].graph.expect("an operator belongs to a graph")];
    let of_derivatives: Vec<&Ask> = asks.iter().filter(|a| origins.contains_key(&a.of)).collect();
    needs.extend_with_edges(of_derivatives.iter().map(|a| (asking(a), index[a.of])));
    let components = kosaraju_scc(&needs);
    let mut component = vec![0; needs.node_count()];
    for (i, members) in components.iter().enumerate() {
        members.iter().for_each(|n| component[n.index()] = i);
    }
    match of_derivatives.iter().find(|a| component[asking(a).index()] == component[index[a.of].index()]) {
        Some(a) => Err(AdError::Unbounded { name: origins[&a.of].to_string(), span: m[a.node].span }),
        None => Ok(()),
    }
}

/// Checks that no derivative is taken of what is traced, as its operations are not those of the function.
fn check_untraced(m: &Module, nest: &Nest, asked: impl Iterator<Item = (GraphId, NodeId)>) -> Result<(), AdError> {
    if !m.has_trace() {
        return Ok(());
    }
    let traced: FxHashSet<GraphId> = trace::traced(m);
    for (of, node) in asked {
        if reach(of, |g| nest.refers(g)).any(|g| traced.contains(&g)) {
            return Err(AdError::Traced { span: m[node].span });
        }
    }
    Ok(())
}

/// Forgets the derivatives that nothing can ask for any more: their signatures are fixed, and what they refer to stays alive. To
/// know that, those that can be asked for must all be there.
fn prune(m: &mut Module, entry: GraphId) {
    if m.derivatives.is_empty() {
        return;
    }
    let asked: FxHashSet<(GraphId, Prim)> = asks(m, &Nest::new(m, &[entry])).iter().map(|a| (a.of, a.prim)).collect();
    if asked.iter().all(|key| m.derivatives.contains_key(key)) {
        m.derivatives.retain(|key, _| asked.contains(key));
        m.collect_garbage(&[entry]);
    }
}

/// A derivative as a value: of a graph, by an operator, with so many captures.
type Wanted = (GraphId, Prim, usize);

/// Derivatives as values.
type Emitted = FxHashMap<Wanted, GraphId>;

/// Orders from this one on are not told apart.
const MAX_ORDER: usize = 64;

/// Emits the derivatives of some functions as values, those of each order by themselves, and those that these are found to need by
/// `more`: it is given an operator, and the unknown callee of the primal whose derivative it asks for.
fn emit(
    m: &mut Module,
    wanted: &[Wanted],
    plan: (&Plan, &Traces),
    orders: &SecondaryMap<GraphId, usize>,
    done: &mut Expanded,
    mut more: impl FnMut(Prim, NodeId) -> Vec<Wanted>,
) -> Result<Emitted, AdError> {
    let mut by_order: BTreeMap<usize, Vec<Wanted>> = BTreeMap::new();
    wanted.iter().for_each(|w| by_order.entry(orders[w.0]).or_default().push(*w));
    let mut all = Emitted::default();
    while let Some((order, mut wanted)) = by_order.pop_first() {
        let roots: Vec<GraphId> = m.entry.into_iter().chain(wanted.iter().map(|w| w.0)).collect();
        let program = Program::new(m, &roots);
        while !wanted.is_empty() {
            let mut decisions = Vec::new();
            let made = (&mut all, &mut decisions);
            let asked = making(m, order, done, |m| emit_order(m, &program, &wanted, (plan, order), made))?;
            done.decisions.extend(decisions);
            wanted.clear();
            for new in asked.into_iter().flat_map(|(prim, callee)| more(prim, callee)) {
                match orders[new.0] == order {
                    true => wanted.push(new),
                    false => by_order.entry(orders[new.0]).or_default().push(new),
                }
            }
        }
    }
    Ok(all)
}

/// Makes derivatives of an order.
fn making<T>(m: &mut Module, order: usize, done: &mut Expanded, make: impl FnOnce(&mut Module) -> T) -> T {
    let (before, nodes) = (m.graphs().map(|(g, _)| g).collect::<FxHashSet<GraphId>>(), m.node_count());
    let made = make(m);
    let new: Vec<GraphId> = m.graphs().map(|(g, _)| g).filter(|g| !before.contains(g)).collect();
    new.into_iter().for_each(|g| m.raise_order(g, order + 1));
    done.orders = done.orders.max(order + 1);
    done.nodes += m.node_count() - nodes;
    made
}

/// Emits the derivatives of functions, which are all of one order. Gives the unknown callees whose derivatives these ask for.
fn emit_order(
    m: &mut Module,
    program: &Program,
    wanted: &[Wanted],
    ((plan, traces), order): ((&Plan, &Traces), usize),
    (made, decisions): (&mut Emitted, &mut Vec<Decision>),
) -> Result<Vec<(Prim, NodeId)>, AdError> {
    let (forward, reverse): (Vec<_>, Vec<_>) = wanted.iter().partition(|w| Beside::by(w.1).is_some());
    let (traced, reverse): (Vec<Wanted>, Vec<Wanted>) = reverse.into_iter().partition(|&(g, prim, _)| {
        plan.asked(order, checkpoint::source_name(&m[g].name)) == Strategy::Trace && traces.contains_key(&(g, prim))
    });
    let variants: Vec<Variant> = reverse
        .iter()
        .map(|&(g, prim, _)| Variant::of_value(m, g, prim.as_reverse().expect("forward mode is not here")))
        .filter(|variant| !variant.up.is_zero())
        .collect();
    let facts = analyse(m, program, &variants);
    let mut emitter = Emitter::new(m, program, &facts, (plan, order));
    for (g, prim, captures) in reverse {
        made.entry((g, prim, captures)).or_insert_with(|| emitter.value(g, prim, captures));
    }
    decisions.extend(emitter.decisions);
    let mut asked = emitter.asked;
    let variants: Vec<activity::Variant> = forward.iter().map(|w| forward::value_variant(m, w.0)).collect();
    let facts = activity::analyse(m, program, &variants);
    let mut by_prim: BTreeMap<Prim, Vec<Wanted>> = BTreeMap::new();
    forward.into_iter().for_each(|w| by_prim.entry(w.1).or_default().push(w));
    for (prim, wanted) in by_prim {
        let mut emitter = Forward::new(m, program, &facts, Beside::by(prim).expect("an operator of forward mode"));
        for (g, prim, captures) in wanted {
            made.entry((g, prim, captures)).or_insert_with(|| emitter.value(g, captures));
        }
        asked.extend(emitter.finish()?);
    }
    let varied = |m: &Module, w: &Wanted| varied_of(m, w.0, w.1).expect("what is traced is no call in tail position");
    let variants: Vec<activity::Variant> = traced.iter().map(|w| trace::variant(m, w.0, &varied(m, w))).collect();
    let facts = activity::analyse(m, program, &variants);
    for (g, prim, captures) in traced {
        let (function, varied) = (checkpoint::source_name(&m[g].name).to_owned(), varied(m, &(g, prim, captures)));
        let mut emitter = Forward::new(m, program, &facts, Beside::Place);
        made.entry((g, prim, captures)).or_insert_with(|| emitter.traced(g, captures, &varied, traces[&(g, prim)]));
        asked.extend(emitter.finish()?);
        decisions.push(Decision { function, strategy: Strategy::Trace, reason: "as asked" });
    }
    Ok(asked)
}

/// Which parameters of a function vary in its derivative by an operator of reverse mode; none for the entry of calls in tail position.
fn varied_of(m: &Module, g: GraphId, operator: Prim) -> Option<Vec<bool>> {
    let Reverse { tail, last } = operator.as_reverse()?;
    let count = m[g].params.len();
    (!tail).then(|| (0..count).map(|i| !last || i + 1 == count).collect())
}

/// The derivatives of reverse mode that can be traced, and of each whether its pullback is called once.
type Traces = FxHashMap<(GraphId, Prim), bool>;

/// Those among new requests that can be traced: no derivative is taken of who asks.
fn traces(m: &Module, nest: &Nest, requests: &[Request], new: &[&Request]) -> Traces {
    let mut found = Traces::default();
    let within: FxHashSet<GraphId> = requests.iter().flat_map(|q| reach(q.of, |g| nest.refers(g))).collect();
    let can = |r: &Request| {
        let varied = varied_of(m, r.of, r.prim);
        varied.is_some_and(|varied| trace::can_trace(m, r.of, &varied, &checkpoint::differentiated(m, nest, r.of)))
    };
    for r in new {
        if m[r.node].graph.is_some_and(|g| !within.contains(&g)) && can(r) {
            let once = is_pulled_once(m, r.node);
            found.entry((r.of, r.prim)).and_modify(|all| *all &= once).or_insert(once);
        }
    }
    found
}

/// Whether a derivative of reverse mode is called and nothing else, and the pullback of each call is called once.
fn is_pulled_once(m: &Module, operator: NodeId) -> bool {
    let is_call = |u: &gradus_ir::Use| m[u.node].kind == Kind::Call && u.index == 0;
    let users = |n: NodeId| m[n].users().iter();
    let once = |pullback: NodeId| {
        users(pullback).len() == 1 && users(pullback).all(|u| is_call(u) && m[u.node].graph == m[pullback].graph)
    };
    let pulled = |u: &gradus_ir::Use| match m.as_prim(u.node) {
        Some(Prim::Get(0)) => true,
        Some(Prim::Get(_)) => m[u.node].graph == m[operator].graph && once(u.node),
        _ => false,
    };
    users(operator).all(|u| is_call(u) && m[u.node].graph == m[operator].graph && users(u.node).all(pulled))
}

/// Lets a loop be run again, if reverse mode of what is wanted goes through one in a function that asks for it.
fn run_again(
    m: &mut Module,
    nest: &Nest,
    orders: &SecondaryMap<GraphId, usize>,
    plan: &Plan,
    wanted: impl Iterator<Item = (GraphId, Prim)>,
) -> Option<RunAgain> {
    if !plan.uses(Strategy::Checkpoint) {
        return None;
    }
    let mut functions: FxHashSet<GraphId> = FxHashSet::default();
    for (of, _) in wanted.filter(|(_, prim)| prim.as_reverse().is_some()) {
        let asked = |g: &GraphId| plan.asked(orders[of], checkpoint::source_name(&m[*g].name)) == Strategy::Checkpoint;
        functions.extend(checkpoint::differentiated(m, nest, of).into_iter().filter(asked));
    }
    checkpoint::apply(m, nest, &functions, plan.slots.max(1))
}

/// Whether a derivative is called and nothing else, so that each call can have one of its own.
fn is_called(m: &Module, operator: NodeId) -> bool {
    m[operator].users().iter().all(|u| m[u.node].kind == Kind::Call && u.index == 0)
}

/// Puts the forward mode of known functions in the place of the calls that ask for it: each for the tangents it gives.
fn push_calls(m: &mut Module, requests: &[&Request], orders: &SecondaryMap<GraphId, usize>, done: &mut Expanded) {
    let mut by_order: BTreeMap<usize, Vec<&Request>> = BTreeMap::new();
    requests.iter().for_each(|r| by_order.entry(orders[r.of]).or_default().push(r));
    for (order, requests) in by_order {
        making(m, order, done, |m| push_calls_of_order(m, &requests));
    }
}

fn push_calls_of_order(m: &mut Module, requests: &[&Request]) {
    let mut calls: Vec<(NodeId, &Request)> = Vec::new();
    for r in requests {
        let mut users: Vec<NodeId> = m[r.node].users().iter().map(|u| u.node).collect();
        users.sort_unstable();
        calls.extend(users.into_iter().map(|call| (call, *r)));
    }
    if calls.is_empty() {
        return;
    }
    let mut roots = vec![m.entry.expect("a typed module has an entry")];
    roots.extend(requests.iter().map(|r| r.of));
    let program = Program::new(m, &roots);
    let order = |r: &Request| r.prim.as_forward().expect("an operator of forward mode");
    let variants: Vec<activity::Variant> =
        calls.iter().map(|(call, r)| forward::call_variant(m, *call, r.of, r.captured.len(), order(r))).collect();
    let facts = activity::analyse(m, &program, &variants);
    let mut by_order: BTreeMap<usize, Vec<(NodeId, &Request)>> = BTreeMap::new();
    calls.into_iter().for_each(|(call, r)| by_order.entry(order(r)).or_default().push((call, r)));
    let mut replaced = Vec::new();
    for (order, calls) in by_order {
        let mut emitter = Forward::new(m, &program, &facts, Beside::Series(order));
        replaced.extend(calls.into_iter().map(|(call, r)| (call, emitter.call(call, r.of, &r.captured))));
    }
    for (call, tuple) in replaced {
        m.replace(call, tuple);
    }
}

/// `J(select(c, f, g))` is `select(c, J f, J g)` (docs/strategies.md §1). Of functions that are all known it is so for everybody
/// who asks, at the `select` itself, so that their calls can share a branch: where each had its own, n choices in a row would
/// become 2ⁿ. A partial application of another graph is repeated where it is derived, so that it is still known when free
/// variables have become parameters. Gives the nesting of what comes out.
fn distribute(m: &mut Module, entry: GraphId) -> Result<Nest, AdError> {
    let nest = Nest::new(m, &[entry]);
    let mut work: Vec<NodeId> = derivative_nodes(m, &nest);
    let mut changed = trace::through_rules(m, &work)?;
    let mut shared: FxHashMap<(NodeId, Prim), NodeId> = FxHashMap::default();
    while let Some(n) = work.pop() {
        if !m.has_node(n) || m[n].users().is_empty() {
            continue;
        }
        let (Kind::Prim(p), f) = (m[n].kind.clone(), m[n].inputs()[0]) else { continue };
        let g = m[n].graph.expect("an application belongs to a graph");
        let ty = m[n].ty.clone();
        if let Some(rule) = build::fold(m, g, p, &[f], &ty) {
            m.replace(n, rule);
            changed = true;
            continue;
        }
        if let (Prim::Taylor(order), Some(Prim::Ruled)) = (p, m.as_prim(f)) {
            let rule = m[f].inputs()[2];
            let (series, below) = tower::of_derivative(m, n, order as usize, rule)?;
            m.replace(n, series);
            changed = true;
            work.push(below);
            continue;
        }
        if m.as_prim(f) == Some(Prim::Partial) && m[f].graph != Some(g) {
            let (inputs, ty, span) = (m[f].inputs().to_vec(), m[f].ty.clone(), m[f].span);
            let own = m.prim(g, Prim::Partial, inputs, ty, span);
            m.set_input(n, 0, own);
            changed = true;
        }
        if m.as_prim(f) != Some(Prim::Select) {
            continue;
        }
        changed = true;
        if let Some(&choice) = shared.get(&(f, p)) {
            m.replace(n, choice);
            continue;
        }
        // What is not known may have no derivative, and that is to be found out only where the program asks.
        let is_shared = chooses_among_known(m, f);
        let g = if is_shared { m[f].graph.expect("a select belongs to a graph") } else { g };
        let (ty, span) = (m[n].ty.clone(), m[n].span);
        let [c, a, b] = m[f].inputs().to_vec()[..] else { unreachable!("select has three operands") };
        let arms = [a, b].map(|arm| m.prim(g, p, vec![arm], ty.clone(), span));
        let choice = m.prim(g, Prim::Select, vec![c, arms[0], arms[1]], ty, span);
        m.replace(n, choice);
        if is_shared {
            shared.insert((f, p), choice);
        }
        work.extend(arms);
    }
    Ok(if changed { Nest::new(m, &[entry]) } else { nest })
}

/// Whether a value is a known function, whichever way the `select`s go that choose it.
fn chooses_among_known(m: &Module, f: NodeId) -> bool {
    let mut values = vec![f];
    let mut seen: FxHashSet<NodeId> = FxHashSet::default();
    while let Some(v) = values.pop() {
        if m.as_prim(v) != Some(Prim::Select) {
            if known_function(m, v).is_none() {
                return false;
            }
        } else if seen.insert(v) {
            values.extend(&m[v].inputs()[1..]);
        }
    }
    true
}

/// The graph of a function that is known, and what its closure captures.
fn known_function(m: &Module, f: NodeId) -> Option<(GraphId, Vec<NodeId>)> {
    match m[f].kind {
        Kind::Const(Const::Graph(of)) => Some((of, Vec::new())),
        Kind::Prim(Prim::Partial) => m.as_graph(m[f].inputs()[0]).map(|of| (of, m[f].inputs()[1..].to_vec())),
        _ => None,
    }
}

fn derivative_nodes(m: &Module, nest: &Nest) -> Vec<NodeId> {
    let is = |n: &NodeId| m.as_prim(*n).is_some_and(Prim::is_operator);
    nest.graphs().iter().flat_map(|&g| nest.schedule(g)).copied().filter(is).collect()
}

/// The derivatives of known functions that are asked for, in the order of the graphs.
fn requests(m: &Module, nest: &Nest) -> Vec<Request> {
    let mut found = Vec::new();
    for node in derivative_nodes(m, nest) {
        let Kind::Prim(prim) = m[node].kind else { continue };
        let known = known_function(m, m[node].inputs()[0]);
        found.extend(known.map(|(of, captured)| Request { node, prim, of, captured }));
    }
    found
}

/// Whether a function has one derivative for the whole program: closures of it are values, and it refers to itself, directly or
/// through others.
fn is_kept(m: &Module, nest: &Nest, g: GraphId) -> bool {
    let is_value = |closure: NodeId| {
        m[closure].users().iter().any(|u| match m[u.node].kind {
            Kind::Call => u.index > 0,
            Kind::Prim(Prim::Partial) => u.index > 0,
            Kind::Prim(p) => !p.is_operator(),
            Kind::Param | Kind::Const(_) | Kind::Return => true,
        })
    };
    let Some(constant) = m.graph_const(g) else { return false };
    let partials = m[constant].users().iter().map(|u| u.node).filter(|&n| m.as_prim(n) == Some(Prim::Partial));
    let escapes = is_value(constant) || partials.into_iter().any(is_value);
    escapes && nest.refers(g).iter().any(|&h| reach(h, |g| nest.refers(g)).any(|x| x == g))
}

/// All graphs that one reaches, itself first.
fn reach<'a>(root: GraphId, refers: impl Fn(GraphId) -> &'a [GraphId]) -> impl Iterator<Item = GraphId> {
    let mut seen: Vec<GraphId> = vec![root];
    let mut set: FxHashSet<GraphId> = seen.iter().copied().collect();
    let mut i = 0;
    while i < seen.len() {
        for &h in refers(seen[i]) {
            if set.insert(h) {
                seen.push(h);
            }
        }
        i += 1;
    }
    seen.into_iter()
}
