//! Defunctionalisation: a parameter that is always one of several known closures becomes a tag and their captures.
//!
//! ```text
//! a: return call j(@f)                 a: return call j(0, x)              (@f captures x)
//! b: return call j(@g)                 b: return call j(1, y)              (@g captures y)
//! j(p): … call p(u) …                  j(tag, v): … call @p(u) …
//!                                      p(u): return call select(tag < 1, @f', @g')(u)
//! ```
//! `@f'` and `@g'` are copies that capture the parameter `v` of `j`, which is `x` or `y` as the tag says: closures of which only one
//! is there at a time share their parameters, type by type, and a parameter that the closure at hand does not need is undefined.
//! So a join costs a parameter per capture of the largest closure, the choice is made in one place however often `p` is called, and the
//! backward part of a program with joins is the transpose of its control flow: `@p` is where it branches as the forward part joined.
//! Where `p` is not called but used as a value, that is a `select` by the tag.
//!
//! What dominates `j` is in scope there and stays a capture.
//!
//! A parameter of a recursive graph is left alone where a closure would become larger with each turn, because it captures a
//! function itself: such a chain stays on the heap.

use crate::budget::Budget;
use crate::calls::{known_calls, select_leaves, select_tree};
use crate::fold::select_parts;
use crate::nesting::{Tree, fixed_graphs, only_use, recursive_graphs, scopes};
use crate::policy::mentions_fn;
use crate::report::PassReport;
use crate::tuples::{pass, substitute};
use gradus_ir::cfg::Cfg;
use gradus_ir::clone::{clone_graphs, graphs_with};
use gradus_ir::{Const, Flavor, FnType, GraphId, Kind, Module, Nest, NodeId, Prim, Role, Type, Use};
use rustc_hash::{FxHashMap, FxHashSet};
use std::ops::Range;

/// Captured functions become parameters of a graph that has no more than so many then: closures that share the closures they capture
/// are a DAG, and the tree of them in which each has parameters of its own may be exponentially larger.
const WIDEST: usize = 64;

/// Turns parameters into tags and captures, as far as the budget allows.
pub(crate) fn run(m: &mut Module, nest: &Nest, budget: &mut Budget, report: &mut PassReport) {
    let fixed = fixed_graphs(m);
    let (recursive, scopes) = (recursive_graphs(nest), scopes(nest, &Cfg::new(m, nest)));
    let mut pass = Pass { m, nest, scopes, recursive, changed: FxHashSet::default(), replaced: FxHashMap::default() };
    // A closure that captures a function waits for that to become known, unless nothing else is left to do.
    for capture_functions in [false, true] {
        for &g in nest.graphs() {
            if !pass.m[g].params.iter().any(|&p| pass.m[p].ty.is_fn()) {
                continue;
            }
            let Some(calls) = known_calls(pass.m, &fixed, g) else { continue };
            for i in (0..pass.m[g].params.len()).rev() {
                if let Some(choice) = pass.choice(g, i, &calls)
                    && (capture_functions || !choice.slots.iter().any(mentions_fn))
                    && budget.take(pass.scopes.root(g).unwrap_or(g), pass.cost(&choice))
                {
                    pass.rewrite(g, i, &calls, &choice);
                    report.count("tags", 1);
                }
            }
        }
        if report.changed() {
            return;
        }
    }
}

/// The closures that a parameter may be.
struct Choice {
    alternatives: Vec<Alternative>,
    /// The types of the parameters for captures.
    slots: Vec<Type>,
}

/// One of them: `partial(@graph, bound…)`, or just `@graph`.
struct Alternative {
    graph: GraphId,
    /// How many arguments are bound by `partial`.
    bound: usize,
    /// The free variables that become parameters.
    lifted: Vec<NodeId>,
    /// Which parameters hold the lifted variables and the bound arguments.
    slots: Vec<usize>,
    /// What is copied for the captures to become parameters, outer graphs first.
    nest: Vec<GraphId>,
}

struct Pass<'a> {
    m: &'a mut Module,
    nest: &'a Nest,
    scopes: Tree,
    recursive: FxHashSet<GraphId>,
    /// Graphs whose nodes are no longer what `nest` says. A closure that needs one of them waits for the next round.
    changed: FxHashSet<GraphId>,
    /// Parameters that were rewritten, and whose they were. A closure that would have to capture one in another way waits.
    replaced: FxHashMap<NodeId, GraphId>,
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
    fn choice(&self, g: GraphId, i: usize, calls: &[NodeId]) -> Option<Choice> {
        let p = self.m[g].params[i];
        self.m[p].ty.signature()?;
        let matters = |n: NodeId| matches!(self.m[n].kind, Kind::Call | Kind::Prim(Prim::Select | Prim::Partial));
        if !self.m[p].users().iter().any(|u| matters(u.node)) {
            return None;
        }
        let mut choice = Choice { alternatives: Vec::new(), slots: Vec::new() };
        for &call in calls {
            for leaf in select_leaves(self.m, self.m[call].inputs()[i + 1]) {
                if leaf == p || self.m[leaf].as_const() == Some(&Const::Undefined) {
                    continue;
                }
                let (graph, bound) = self.closure(leaf)?;
                if !choice.alternatives.iter().any(|a| a.graph == graph && a.bound == bound) {
                    let alternative = self.alternative(g, graph, bound, &mut choice.slots)?;
                    choice.alternatives.push(alternative);
                }
            }
        }
        let captures_functions = choice.slots.iter().any(mentions_fn);
        let grows = captures_functions && self.recursive.contains(&g);
        let is_wide = captures_functions && self.m[g].params.len() + choice.slots.len() > WIDEST;
        // A copy of a closure that calls `g` would be one more call.
        let is_copied = |&call: &NodeId| {
            let copied = choice.alternatives.iter().filter(|a| !a.lifted.is_empty());
            self.m[call].graph.is_some_and(|caller| copied.into_iter().any(|a| a.nest.contains(&caller)))
        };
        (!choice.alternatives.is_empty() && !grows && !is_wide && !calls.iter().any(is_copied)).then_some(choice)
    }

    /// The cost of the copies, in nodes.
    fn cost(&self, choice: &Choice) -> usize {
        choice.alternatives.iter().flat_map(|a| self.staying(a)).map(|h| self.nest.schedule(h).len()).sum()
    }

    /// The graphs of a closure that are there besides once it is copied: those that others refer to, and what these refer to. All else
    /// moves.
    fn staying(&self, closure: &Alternative) -> Vec<GraphId> {
        let nest: FxHashSet<GraphId> = closure.nest.iter().copied().collect();
        let is_outside = |u: &Use| self.m[u.node].graph.is_none_or(|user| !nest.contains(&user));
        let stays = |&h: &GraphId| match self.m.graph_const(h) {
            _ if h == closure.graph => only_use(self.m, h).is_none(),
            Some(c) => self.m[c].users().iter().any(is_outside),
            None => false,
        };
        let mut staying: Vec<GraphId> = closure.nest.iter().copied().filter(stays).collect();
        let mut known: FxHashSet<GraphId> = staying.iter().copied().collect();
        let mut next = 0;
        while let Some(&at) = staying.get(next) {
            staying.extend(self.nest.refers(at).iter().copied().filter(|h| nest.contains(h) && known.insert(*h)));
            next += 1;
        }
        staying
    }

    fn alternative(&self, g: GraphId, q: GraphId, bound: usize, slots: &mut Vec<Type>) -> Option<Alternative> {
        if !self.nest.contains(q) {
            return None;
        }
        let in_scope = |v: NodeId| self.owner(v).is_some_and(|owner| owner != g && self.scopes.is_within(g, owner));
        let lifted: Vec<NodeId> = self.nest.free(q).filter(|&v| !in_scope(v)).collect();
        let nest = graphs_with(self.nest, q, &lifted, |v| self.owner(v));
        let is_stale = lifted.iter().any(|v| self.replaced.contains_key(v)) || nest.iter().any(|x| self.changed.contains(x));
        if nest.contains(&g) || is_stale {
            return None;
        }
        let places = places(self.m, lifted.iter().chain(&self.m[q].params[..bound]), slots);
        Some(Alternative { graph: q, bound, slots: places, lifted, nest })
    }

    /// The graph that a free variable belongs to.
    fn owner(&self, v: NodeId) -> Option<GraphId> {
        self.replaced.get(&v).copied().or_else(|| self.m[v].graph)
    }

    fn rewrite(&mut self, g: GraphId, i: usize, calls: &[NodeId], choice: &Choice) {
        let m = &mut *self.m;
        let p = m[g].params[i];
        let (name, span) = (m[p].name.clone(), m[p].span);
        let mut part = |ty: &Type, what: &str| {
            let name = name.as_ref().map(|name| format!("{name}.{what}").into());
            m.add_param(g, ty.clone(), name, span)
        };
        let tag = (choice.alternatives.len() > 1).then(|| part(&Type::I64, "tag"));
        let slots: Vec<NodeId> = choice.slots.iter().enumerate().map(|(j, ty)| part(ty, &j.to_string())).collect();
        let parts: Vec<NodeId> = tag.into_iter().chain(slots.iter().copied()).collect();
        // What the calls pass is found before the parameter goes, since a call may pass the parameter itself.
        let args: Vec<Vec<NodeId>> = calls.iter().map(|&call| arguments(m, call, i, p, choice, &parts)).collect();
        let values: Vec<NodeId> = choice.alternatives.iter().map(|a| self.value(g, p, a, &slots)).collect();
        let whole = match tag {
            Some(tag) => {
                self.call_apply(p, tag, &values);
                self.choose(g, p, tag, &values)
            }
            None => values[0],
        };
        let m = &mut *self.m;
        substitute(m, g, i, &parts, whole);
        for (&call, args) in calls.iter().zip(args) {
            pass(m, call, i, &args);
            self.changed.extend(m[call].graph);
        }
        m.graph_ref(g);
        self.changed.insert(g);
        self.replaced.insert(p, g);
    }

    /// A closure as seen from where its captures are parameters. One that captured nothing but what `partial` binds is the same as
    /// before: a derivative that is taken of it where it is unknown, and the box of its cotangent, are those of its graph.
    fn value(&mut self, g: GraphId, p: NodeId, alternative: &Alternative, slots: &[NodeId]) -> NodeId {
        let m = &mut *self.m;
        let mut places = alternative.slots.iter().map(|&s| slots[s]);
        let mut map: FxHashMap<NodeId, NodeId> = alternative.lifted.iter().copied().zip(&mut places).collect();
        let graph = match map.is_empty() {
            true => alternative.graph,
            false => clone_graphs(m, self.nest, &alternative.nest, &mut map)[&alternative.graph],
        };
        let callee = m.graph_ref(graph);
        match alternative.bound {
            0 => callee,
            _ => {
                let (ty, span) = (m[p].ty.clone(), m[p].span);
                m.prim(g, Prim::Partial, std::iter::once(callee).chain(places).collect(), ty, span)
            }
        }
    }

    /// Lets the calls of `p` call a graph that looks at the tag and calls the closure at hand.
    fn call_apply(&mut self, p: NodeId, tag: NodeId, values: &[NodeId]) {
        let m = &mut *self.m;
        let is_call = |u: &Use| u.index == 0 && m[u.node].kind == Kind::Call;
        let calls: Vec<NodeId> = m[p].users().iter().filter(|u| is_call(u)).map(|u| u.node).collect();
        if calls.is_empty() {
            return;
        }
        let (name, span) = (m[p].name.clone().unwrap_or_else(|| "apply".into()), m[p].span);
        let FnType { params, result } = m[p].ty.signature().expect("a function").clone();
        let role = m[calls[0]].graph.map_or(Role::Primal, |caller| m[caller].role);
        let new_block = |m: &mut Module, name: String| {
            let block = m.add_graph(name, Flavor::Block, role, span);
            m.declare_result(block, result.clone());
            block
        };
        let apply = new_block(m, name.to_string());
        let args: Vec<NodeId> = params.into_iter().map(|ty| m.add_param(apply, ty, None, span)).collect();
        // A binary search for the tag.
        let mut work: Vec<(GraphId, Range<usize>)> = vec![(apply, 0..values.len())];
        while let Some((b, range)) = work.pop() {
            let jump = if range.len() == 1 {
                m.call(b, values[range.start], &args, result.clone(), span)
            } else {
                let middle = range.start + range.len() / 2;
                let is_before = is_before(m, b, tag, middle);
                let arms = [range.start..middle, middle..range.end].map(|part| {
                    let arm = new_block(m, format!("{name}.arm"));
                    work.push((arm, part));
                    m.graph_ref(arm)
                });
                let ty = Type::func([], result.clone());
                let chosen = m.prim(b, Prim::Select, vec![is_before, arms[0], arms[1]], ty, span);
                m.call(b, chosen, &[], result.clone(), span)
            };
            m.set_result(b, jump);
        }
        let apply = m.graph_ref(apply);
        for call in calls {
            m.set_input(call, 0, apply);
        }
    }

    /// The closure at hand as a value, for uses of `p` that are not calls.
    fn choose(&mut self, g: GraphId, p: NodeId, tag: NodeId, values: &[NodeId]) -> NodeId {
        let m = &mut *self.m;
        let (ty, span) = (m[p].ty.clone(), m[p].span);
        let (&last, others) = values.split_last().expect("one alternative at least");
        others.iter().enumerate().rev().fold(last, |whole, (i, &value)| {
            let is_this = is_before(m, g, tag, i + 1);
            m.prim(g, Prim::Select, vec![is_this, value, whole], ty.clone(), span)
        })
    }
}

/// The slot of each capture of a closure, by type; there are as many slots as the closure with the most captures needs.
pub(crate) fn places<'a>(m: &Module, captures: impl IntoIterator<Item = &'a NodeId>, slots: &mut Vec<Type>) -> Vec<usize> {
    let mut taken: FxHashSet<usize> = FxHashSet::default();
    let place = |&v: &NodeId| {
        let ty = &m[v].ty;
        let free = (0..slots.len()).find(|s| slots[*s] == *ty && !taken.contains(s));
        let slot = free.unwrap_or_else(|| {
            slots.push(ty.clone());
            slots.len() - 1
        });
        taken.insert(slot);
        slot
    };
    captures.into_iter().map(place).collect()
}

/// `tag < bound`.
fn is_before(m: &mut Module, g: GraphId, tag: NodeId, bound: usize) -> NodeId {
    let (bound, span) = (m.i64(bound as i64), m[tag].span);
    m.prim(g, Prim::Lt, vec![tag, bound], Type::Bool, span)
}

/// What `call` passes for its argument `i`, the parameter `p`, instead: tag and captures.
fn arguments(m: &mut Module, call: NodeId, i: usize, p: NodeId, choice: &Choice, parts: &[NodeId]) -> Vec<NodeId> {
    let caller = m[call].graph.expect("a call belongs to a graph");
    let arg = m[call].inputs()[i + 1];
    let span = m[call].span;
    let mut known: FxHashMap<NodeId, Vec<NodeId>> = FxHashMap::default();
    for n in select_tree(m, arg) {
        let values = if n == p {
            parts.to_vec()
        } else if let Some((c, a, b)) = select_parts(m, n) {
            let choose = |(&x, &y): (&NodeId, &NodeId)| {
                let is_undefined = |v: NodeId| m[v].as_const() == Some(&Const::Undefined);
                if x == y || is_undefined(y) {
                    x
                } else if is_undefined(x) {
                    y
                } else {
                    let ty = m[x].ty.clone();
                    m.prim(caller, Prim::Select, vec![c, x, y], ty, span)
                }
            };
            known[&a].iter().zip(&known[&b]).map(choose).collect()
        } else {
            leaf_arguments(m, n, choice, parts)
        };
        known.insert(n, values);
    }
    known.remove(&arg).expect("the argument is the root of its tree")
}

/// The tag and the captures of a closure that is known; what is left of `parts` is undefined.
fn leaf_arguments(m: &mut Module, leaf: NodeId, choice: &Choice, parts: &[NodeId]) -> Vec<NodeId> {
    let types: Vec<Type> = parts.iter().map(|&p| m[p].ty.clone()).collect();
    let mut values: Vec<NodeId> = types.into_iter().map(|ty| m.constant(Const::Undefined, ty)).collect();
    if m[leaf].as_const() == Some(&Const::Undefined) {
        return values;
    }
    let (graph, bound) = match m.as_graph(leaf) {
        Some(q) => (q, Vec::new()),
        None => (m.as_graph(m[leaf].inputs()[0]).expect("a known closure"), m[leaf].inputs()[1..].to_vec()),
    };
    let is_this = |a: &Alternative| a.graph == graph && a.bound == bound.len();
    let mine = choice.alternatives.iter().position(is_this).expect("an alternative");
    let first = parts.len() - choice.slots.len();
    if first > 0 {
        values[0] = m.i64(mine as i64);
    }
    let alternative = &choice.alternatives[mine];
    for (&slot, &value) in alternative.slots.iter().zip(alternative.lifted.iter().chain(&bound)) {
        values[first + slot] = value;
    }
    values
}
