//! Closure conversion: what is differentiated has functions without free variables.
//!
//! A closure with captures becomes `partial(@f, captures…)`, its captures being leading parameters of `f`. So the order of
//! captures, which the derivative of a closure and the place that made it have to agree on at every order (docs/strategies.md
//! §1, "Capture layout"), is a parameter list, and no pass can prune one without the other. Blocks keep their free variables.

use gradus_ir::cfg::Cfg;
use gradus_ir::{Flavor, GraphId, Kind, Module, Nest, NodeId, Prim, Role};
use rustc_hash::{FxHashMap, FxHashSet};

/// Converts all that the entry reaches, whose nesting `nest` is. Gives the nesting of what comes out. Expects and leaves a module
/// without garbage.
pub fn close(m: &mut Module, nest: Nest) -> Nest {
    let entry = m.entry.expect("a typed module has an entry");
    let changed = own_rules(m, &nest) | expand_partials(m, &nest);
    let nest = if changed { Nest::new(m, &[entry]) } else { nest };
    let cfg = Cfg::new(m, &nest);
    let lifted: Vec<GraphId> = nest.graphs().iter().copied().filter(|&g| cfg.is_function(g) && !nest.is_closed(g)).collect();
    if lifted.is_empty() {
        if changed {
            m.collect_garbage(&[entry]);
        }
        return nest;
    }
    lift(m, &nest, &cfg, &lifted);
    m.collect_garbage(&[entry]);
    Nest::new(m, &[entry])
}

/// Lets functions take what they capture.
fn lift(m: &mut Module, nest: &Nest, cfg: &Cfg, lifted: &[GraphId]) {
    let owner = |g: GraphId| cfg.function_of(g).root;
    let is_lifted: FxHashSet<GraphId> = lifted.iter().copied().collect();
    let mut params: FxHashMap<(GraphId, NodeId), NodeId> = FxHashMap::default();
    for &h in lifted {
        let captured: Vec<NodeId> = nest.free(h).collect();
        for &v in &captured {
            let (ty, name, span) = (m[v].ty.clone(), m[v].name.clone(), m[v].span);
            params.insert((h, v), m.add_param(h, ty, name, span));
        }
        let own = m[h].params.len() - captured.len();
        m[h].params.rotate_left(own);
    }
    for &g in nest.graphs() {
        let f = owner(g);
        let outer = |m: &Module, v: NodeId| match m[v].graph {
            Some(o) if owner(o) != f => params[&(f, v)],
            _ => v,
        };
        let nodes: Vec<NodeId> = nest.schedule(g).iter().copied().chain(m[g].ret).collect();
        let mut made: FxHashMap<GraphId, NodeId> = FxHashMap::default();
        for n in nodes {
            for i in 0..m[n].inputs().len() {
                let input = m[n].inputs()[i];
                let Some(h) = m.as_graph(input).filter(|h| is_lifted.contains(h)) else {
                    let v = outer(m, input);
                    m.set_input(n, i, v);
                    continue;
                };
                let captured: Vec<NodeId> = nest.free(h).map(|v| outer(m, v)).collect();
                if m[n].kind == Kind::Call && i == 0 {
                    continue; // below, with all arguments at once
                }
                let closure = if cfg.is_branch(n) {
                    block_around(m, h, &captured)
                } else {
                    *made.entry(h).or_insert_with(|| partial(m, g, h, &captured))
                };
                m.set_input(n, i, closure);
            }
            if m[n].kind == Kind::Call
                && let Some(h) = m.as_graph(m[n].inputs()[0]).filter(|h| is_lifted.contains(h))
            {
                let captured: Vec<NodeId> = nest.free(h).map(|v| outer(m, v)).collect();
                let callee = m.graph_ref(h);
                let args = m[n].inputs()[1..].to_vec();
                m.set_inputs(n, std::iter::once(callee).chain(captured).chain(args).collect());
            }
        }
    }
    for &h in lifted {
        m.graph_ref(h);
    }
}

fn partial(m: &mut Module, g: GraphId, h: GraphId, captured: &[NodeId]) -> NodeId {
    let f = m.graph_ref(h);
    let inputs: Vec<NodeId> = std::iter::once(f).chain(captured.iter().copied()).collect();
    let types: Vec<_> = inputs.iter().map(|&n| m[n].ty.clone()).collect();
    let ty = Prim::Partial.result_type(&types).expect("captures fit the parameters made for them");
    let span = m[h].span;
    m.prim(g, Prim::Partial, inputs, ty, span)
}

/// A block that calls `h` with its captures: a branch arm that several functions share is a function, and an arm stays a graph.
fn block_around(m: &mut Module, h: GraphId, captured: &[NodeId]) -> NodeId {
    let (name, role, span, result) = (m[h].name.clone(), m[h].role, m[h].span, m[h].result.clone());
    let block = m.add_graph(name, Flavor::Block, role, span);
    m.declare_result(block, result.clone());
    let own: Vec<NodeId> = m[h].params[captured.len()..].to_vec();
    let args: Vec<NodeId> = own
        .into_iter()
        .map(|p| {
            let (ty, name, span) = (m[p].ty.clone(), m[p].name.clone(), m[p].span);
            m.add_param(block, ty, name, span)
        })
        .collect();
    let callee = m.graph_ref(h);
    let all: Vec<NodeId> = captured.iter().copied().chain(args).collect();
    let call = m.call(block, callee, &all, result, span);
    m.set_result(block, call);
    m.graph_ref(block)
}

/// Gives every call of a function with rules its own: handed on as a capture it would be a function like any other, without rules.
/// Says whether there were any to give.
fn own_rules(m: &mut Module, nest: &Nest) -> bool {
    let mut calls = Vec::new();
    for &g in nest.graphs() {
        let called = |&n: &NodeId| (m[n].kind == Kind::Call).then(|| (g, n, m[n].inputs()[0]));
        let has_rules = |&(_, _, callee): &(GraphId, NodeId, NodeId)| m.as_prim(callee) == Some(Prim::Ruled);
        calls.extend(nest.schedule(g).iter().filter_map(called).filter(has_rules).filter(|&(_, _, c)| m[c].graph != Some(g)));
    }
    for &(g, call, callee) in &calls {
        let (inputs, ty, span) = (m[callee].inputs().to_vec(), m[callee].ty.clone(), m[callee].span);
        let own = m.prim(g, Prim::Ruled, inputs, ty, span);
        m.set_input(call, 0, own);
    }
    !calls.is_empty()
}

/// Partial applications that are not the closures this pass makes (a graph with one fixed number of captures wherever it is a
/// value) become closures: λ(b…). f(a…, b…). Says whether there were any.
fn expand_partials(m: &mut Module, nest: &Nest) -> bool {
    let mut bound: FxHashMap<GraphId, Option<usize>> = FxHashMap::default();
    let mut partials = Vec::new();
    for &g in nest.graphs() {
        for n in nest.schedule(g).iter().copied().chain(m[g].ret) {
            for (i, &input) in m[n].inputs().iter().enumerate() {
                let Some(h) = m.as_graph(input) else { continue };
                let count = match m[n].kind {
                    Kind::Call if i == 0 => continue,
                    Kind::Prim(Prim::Partial) if i == 0 => m[n].inputs().len() - 1,
                    _ => 0,
                };
                bound.entry(h).and_modify(|c| *c = c.filter(|&c| c == count)).or_insert(Some(count));
            }
            if m.as_prim(n) == Some(Prim::Partial) {
                partials.push(n);
            }
        }
    }
    let is_regular =
        |m: &Module, n: NodeId| m.as_graph(m[n].inputs()[0]).is_some_and(|h| bound[&h].is_some() && nest.is_closed(h));
    partials.retain(|&n| !is_regular(m, n));
    for &n in &partials {
        let inputs = m[n].inputs().to_vec();
        let (ty, span) = (m[n].ty.clone(), m[n].span);
        let sig = ty.signature().expect("a partial application is a function").clone();
        let eta = m.add_graph("partial", Flavor::Function, Role::Primal, span);
        m.declare_result(eta, sig.result.clone());
        let params: Vec<NodeId> = sig.params.iter().map(|t| m.add_param(eta, t.clone(), None, span)).collect();
        let args: Vec<NodeId> = inputs[1..].iter().copied().chain(params).collect();
        let call = m.call(eta, inputs[0], &args, sig.result, span);
        m.set_result(eta, call);
        let closure = m.graph_ref(eta);
        m.replace(n, closure);
    }
    !partials.is_empty()
}
