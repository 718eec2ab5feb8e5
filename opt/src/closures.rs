//! Defunctionalisation: a parameter that is always one of several known closures becomes a tag and their captures.
//!
//! ```text
//! a: return call j(@f)                 a: return call j(0, x, -0.0)      (@f captures x)
//! b: return call j(@g)                 b: return call j(1, -0.0, y)      (@g captures y)
//! j(p): … call p(u) …                  j(tag, x, y): p = select(tag == 0, partial(@f', x), partial(@g', y)); … call p(u) …
//! ```
//! `@f'` is `@f` with its captures as first parameters. The call of a `select` of closures becomes a branch ([`crate::inline`]), so
//! that no closure is left unless `j` hands it on to something unknown. Captures that `j` has as well stay captures.
//!
//! A parameter of a recursive graph is left alone where a closure would become larger with each turn, because it captures a
//! function itself: such a chain stays on the heap.

use crate::calls::{known_calls, select_leaves, select_tree};
use crate::clone::clone_graphs;
use crate::fold::select_parts;
use crate::nesting::{fixed_graphs, recursive_graphs};
use crate::policy::mentions_fn;
use crate::report::PassReport;
use crate::tuples::{pass, substitute};
use gradus_ir::{Const, GraphId, Kind, Module, Nest, NodeId, Prim, Type};
use rustc_hash::{FxHashMap, FxHashSet};

/// No parameter is turned into a tag for more closures than this.
const MAX_ALTERNATIVES: usize = 16;
/// Nor into more parameters than this.
const MAX_CAPTURES: usize = 64;

/// Turns parameters into tags and captures, as long as the module has at most `limit` nodes.
pub(crate) fn run(m: &mut Module, nest: &Nest, limit: usize, report: &mut PassReport) {
    let fixed = fixed_graphs(m);
    let recursive = recursive_graphs(nest);
    let mut pass = Pass { m, nest, recursive, changed: FxHashSet::default(), replaced: FxHashMap::default() };
    for &g in nest.graphs() {
        if !pass.m[g].params.iter().any(|&p| pass.m[p].ty.is_fn()) {
            continue;
        }
        let Some(calls) = known_calls(pass.m, &fixed, g) else { continue };
        for i in (0..pass.m[g].params.len()).rev() {
            if pass.m[pass.m[g].params[i]].ty.is_fn()
                && pass.m.node_count() <= limit
                && let Some(alternatives) = pass.alternatives(g, i, &calls)
            {
                pass.rewrite(g, i, &calls, alternatives);
                report.count("tags", 1);
            }
        }
    }
}

/// One closure that a parameter may be: `partial(@graph, bound…)`, or just `@graph`.
struct Alternative {
    graph: GraphId,
    /// How many arguments are bound by `partial`.
    bound: usize,
    /// The free variables that become parameters.
    lifted: Vec<NodeId>,
    /// The types of the lifted variables and the bound arguments.
    types: Vec<Type>,
    /// What is copied to make the lifted graph.
    nest: Vec<GraphId>,
}

struct Pass<'a> {
    m: &'a mut Module,
    nest: &'a Nest,
    recursive: FxHashSet<GraphId>,
    /// Graphs whose nodes are no longer what `nest` says. A closure that needs one of them waits for the next round.
    changed: FxHashSet<GraphId>,
    /// Parameters that were rewritten, and what took their place.
    replaced: FxHashMap<NodeId, NodeId>,
}

impl Pass<'_> {
    /// Graph and number of bound arguments of a known closure.
    fn closure(&self, n: NodeId) -> Option<(GraphId, usize)> {
        let m = &self.m;
        match m[n].kind {
            Kind::Const(Const::Graph(q)) => Some((q, 0)),
            Kind::Prim(Prim::Partial) => m.as_graph(m[n].inputs()[0]).map(|q| (q, m[n].inputs().len() - 1)),
            _ => None,
        }
    }

    /// What parameter `i` of `g` may be, if that is worth knowing and can be said.
    fn alternatives(&self, g: GraphId, i: usize, calls: &[NodeId]) -> Option<Vec<Alternative>> {
        let p = self.m[g].params[i];
        let is_callee = self.m[p].users().iter().any(|u| self.m[u.node].kind == Kind::Call);
        let is_chosen = || self.m[p].users().iter().any(|u| matches!(self.m.as_prim(u.node), Some(Prim::Select | Prim::Partial)));
        if !is_callee && !is_chosen() {
            return None;
        }
        let mut found: Vec<Alternative> = Vec::new();
        for &call in calls {
            for leaf in select_leaves(self.m, self.m[call].inputs()[i + 1]) {
                if leaf == p {
                    continue;
                }
                let (graph, bound) = self.closure(leaf)?;
                if found.iter().any(|a| a.graph == graph && a.bound == bound) {
                    continue;
                }
                if found.len() == MAX_ALTERNATIVES {
                    return None;
                }
                found.push(self.alternative(g, graph, self.m[leaf].inputs())?);
            }
        }
        let captures = found.iter().map(|a| a.types.len()).sum::<usize>();
        let grows = self.recursive.contains(&g) && found.iter().any(|a| a.types.iter().any(mentions_fn));
        (!found.is_empty() && captures <= MAX_CAPTURES && !grows).then_some(found)
    }

    /// `inputs` are those of the `partial`, if it is one.
    fn alternative(&self, g: GraphId, q: GraphId, inputs: &[NodeId]) -> Option<Alternative> {
        if !self.nest.contains(q) {
            return None;
        }
        let in_scope: FxHashSet<NodeId> = self.nest.free(g).iter().copied().collect();
        let variables: Vec<NodeId> = self.nest.free(q).iter().copied().filter(|v| !in_scope.contains(v)).collect();
        let nest = self.graphs_with(q, &variables);
        if nest.contains(&g) || nest.iter().any(|x| self.changed.contains(x)) {
            return None;
        }
        let lifted: Vec<NodeId> = variables.iter().map(|v| *self.replaced.get(v).unwrap_or(v)).collect();
        let bound = inputs.iter().skip(1);
        let types = lifted.iter().chain(bound.clone()).map(|&v| self.m[v].ty.clone()).collect();
        Some(Alternative { graph: q, bound: bound.count(), lifted, types, nest })
    }

    /// `q` and the graphs it reaches that capture one of `variables`, or something of one of these graphs; outer ones first.
    fn graphs_with(&self, q: GraphId, variables: &[NodeId]) -> Vec<GraphId> {
        let variables: FxHashSet<NodeId> = variables.iter().copied().collect();
        let mut found = vec![q];
        let mut members: FxHashSet<GraphId> = FxHashSet::from_iter([q]);
        let mut next = 0;
        while next < found.len() {
            for &h in self.nest.refers(found[next]) {
                let owned = |v: &NodeId| match self.replaced.get(v) {
                    Some(&v) => self.m[v].graph,
                    None => self.m[*v].graph,
                };
                let captures = |v: &NodeId| variables.contains(v) || owned(v).is_some_and(|o| members.contains(&o));
                if !members.contains(&h) && self.nest.free(h).iter().any(captures) {
                    members.insert(h);
                    found.push(h);
                }
            }
            next += 1;
        }
        found.sort_by_key(|&h| self.nest.depth(h));
        found
    }

    fn rewrite(&mut self, g: GraphId, i: usize, calls: &[NodeId], alternatives: Vec<Alternative>) {
        let p = self.m[g].params[i];
        let (ty, name, span) = (self.m[p].ty.clone(), self.m[p].name.clone(), self.m[p].span);
        let closures: Vec<NodeId> = alternatives.iter().map(|a| self.lift(a)).collect();
        let m = &mut *self.m;

        // The parameters and what is made of them: the tag, where there is a choice, then the captures of each alternative.
        let tagged = alternatives.len() > 1;
        let field = |what: &str| name.as_ref().map(|name| format!("{name}.{what}").into());
        let mut parts = Vec::new();
        if tagged {
            parts.push(m.add_param(g, Type::I64, field("tag"), span));
        }
        let mut values = Vec::new();
        for (alternative, &closure) in alternatives.iter().zip(&closures) {
            let captures: Vec<NodeId> = alternative
                .types
                .iter()
                .enumerate()
                .map(|(j, t)| m.add_param(g, t.clone(), field(&j.to_string()), span))
                .collect();
            parts.extend(&captures);
            values.push(match captures[..] {
                [] => closure,
                _ => {
                    let inputs = [&[closure][..], &captures].concat();
                    m.prim(g, Prim::Partial, inputs, ty.clone(), span)
                }
            });
        }
        let mut whole = values.pop().expect("one alternative at least");
        for (tag, value) in values.into_iter().enumerate().rev() {
            let number = m.i64(tag as i64);
            let is = m.prim(g, Prim::Eq, vec![parts[0], number], Type::Bool, span);
            whole = m.prim(g, Prim::Select, vec![is, value, whole], ty.clone(), span);
        }
        let is_param = |n: NodeId| n == p;
        // What the calls pass is found before the parameter goes, since a call may pass the parameter itself.
        let mut args = Vec::new();
        for &call in calls {
            args.push(arguments(m, call, i, is_param, &alternatives, tagged, &parts));
        }
        substitute(m, g, i, &parts, whole);
        for (&call, args) in calls.iter().zip(args) {
            pass(m, call, i, &args);
            self.changed.extend(m[call].graph);
        }
        m.graph_ref(g);
        self.changed.insert(g);
        self.replaced.insert(p, whole);
    }

    /// The graph of an alternative with its lifted variables as first parameters.
    fn lift(&mut self, alternative: &Alternative) -> NodeId {
        let (m, q) = (&mut *self.m, alternative.graph);
        if alternative.lifted.is_empty() {
            return m.graph_ref(q);
        }
        let original = m[q].clone();
        let lifted = m.add_graph(original.name, original.flavor, original.role, original.span);
        let mut map = FxHashMap::default();
        for &v in &alternative.lifted {
            let variable = m[v].clone();
            map.insert(v, m.add_param(lifted, variable.ty, variable.name, variable.span));
        }
        let params: Vec<NodeId> = original
            .params
            .iter()
            .map(|&p| {
                let param = m[p].clone();
                m.add_param(lifted, param.ty, param.name, param.span)
            })
            .collect();
        let copies = clone_graphs(m, self.nest, &alternative.nest, &mut map);
        let copy = m.graph_ref(copies[&q]);
        let call = m.call(lifted, copy, &params, original.result.clone(), original.span);
        m.declare_result(lifted, original.result);
        m.set_result(lifted, call);
        m.graph_ref(lifted)
    }
}

/// What `call` passes for parameter `i` instead: tag and captures. A capture of an alternative that is not taken is anything.
fn arguments(
    m: &mut Module,
    call: NodeId,
    i: usize,
    is_param: impl Fn(NodeId) -> bool,
    alternatives: &[Alternative],
    tagged: bool,
    parts: &[NodeId],
) -> Vec<NodeId> {
    let caller = m[call].graph.expect("a call belongs to a graph");
    let arg = m[call].inputs()[i + 1];
    let span = m[call].span;
    let mut known: FxHashMap<NodeId, Vec<Option<NodeId>>> = FxHashMap::default();
    for n in select_tree(m, arg) {
        let values = if is_param(n) {
            parts.iter().copied().map(Some).collect()
        } else if let Some((c, a, b)) = select_parts(m, n) {
            let pairs: Vec<_> = known[&a].iter().copied().zip(known[&b].iter().copied()).collect();
            let choose = |pair: (Option<NodeId>, Option<NodeId>)| match pair {
                (Some(x), Some(y)) if x != y => {
                    let ty = m[x].ty.clone();
                    Some(m.prim(caller, Prim::Select, vec![c, x, y], ty, span))
                }
                (x, y) => x.or(y),
            };
            pairs.into_iter().map(choose).collect()
        } else {
            leaf_arguments(m, n, alternatives, tagged)
        };
        known.insert(n, values);
    }
    let types = tagged.then_some(&Type::I64).into_iter().chain(alternatives.iter().flat_map(|a| &a.types));
    let types: Vec<Type> = types.cloned().collect();
    known[&arg].iter().zip(types).map(|(value, ty)| value.unwrap_or_else(|| m.constant(Const::Undefined, ty))).collect()
}

/// The tag and the captures of a closure that is known.
fn leaf_arguments(m: &mut Module, leaf: NodeId, alternatives: &[Alternative], tagged: bool) -> Vec<Option<NodeId>> {
    let (graph, bound) = match m.as_graph(leaf) {
        Some(q) => (q, Vec::new()),
        None => (m.as_graph(m[leaf].inputs()[0]).expect("a known closure"), m[leaf].inputs()[1..].to_vec()),
    };
    let mine = alternatives.iter().position(|a| a.graph == graph && a.bound == bound.len()).expect("an alternative");
    let mut values = Vec::new();
    if tagged {
        values.push(Some(m.i64(mine as i64)));
    }
    for (tag, alternative) in alternatives.iter().enumerate() {
        if tag == mine {
            values.extend(alternative.lifted.iter().chain(&bound).copied().map(Some));
        } else {
            values.extend(alternative.types.iter().map(|_| None));
        }
    }
    values
}
