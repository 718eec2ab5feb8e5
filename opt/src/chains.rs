//! Chains of closures become tapes: the backpropagators of a loop, each of which captures the one before.
//!
//! ```text
//! loop(…, k): … k(u) …  loop(…, @q) …     loop(…, t, n): … apply(t, n, u) …  loop(…, push(t, v), n + 1) …
//! q(x): … return k(e)                     apply(t, n, x): if n > 0: (t', v) = pop t; … return apply(t', n - 1, e)
//! start: loop(…, @b)                                      else: return b(x)          start: loop(…, empty, 0)
//! ```
//! The parameter `k` of the loop is either `@b`, which captures nothing of the loop, or one of some closures `@q` that capture the `k`
//! of the trip before and other values `v`. This is defunctionalisation (Reynolds 1972) with one more step: what it makes of such
//! closures is a linked list of records, and a list that only grows at its end and is only taken apart from there is a tape.
//!
//! That it is so must be seen: whoever has a `k` hands it on once at most on every way, so that no two lists share an end, and a closure
//! does nothing with the `k` that it captures but call it. If there are several `@q`, the records hold a tag.

use crate::calls::known_calls;
use crate::clone::{clone_graphs, graphs_with};
use crate::nesting::{Tree, fixed_graphs, scopes};
use crate::report::PassReport;
use crate::tuples::{pass, substitute};
use gradus_ir::cfg::Cfg;
use gradus_ir::{Const, Flavor, FnType, GraphId, Kind, Module, Nest, NodeId, Prim, Role, Type};
use petgraph::unionfind::UnionFind;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;
use std::ops::Range;

/// Turns one chain into a tape, if there is one. Others wait for the next round, since graphs are copied.
pub(crate) fn run(m: &mut Module, nest: &Nest, report: &mut PassReport) {
    let groups = groups(m, nest);
    if groups.is_empty() {
        return;
    }
    let cfg = Cfg::new(m, nest);
    let view = View { nest, scopes: scopes(nest, &cfg), cfg };
    for params in groups {
        if let Some(chain) = Chain::new(m, &view, params) {
            chain.rewrite(m, nest);
            report.count("chains", 1);
            return;
        }
    }
}

/// Function parameters that are passed for each other, where all calls of their graphs are known.
fn groups(m: &Module, nest: &Nest) -> Vec<Vec<NodeId>> {
    let fixed = fixed_graphs(m);
    let mut calls: Vec<(NodeId, Site)> = Vec::new();
    let mut numbers: FxHashMap<NodeId, usize> = FxHashMap::default();
    let mut params: Vec<NodeId> = Vec::new();
    for &g in nest.graphs() {
        let functions = (0..m[g].params.len()).map(|i| (i, m[g].params[i])).filter(|&(_, p)| m[p].ty.signature().is_some());
        for (index, param) in functions {
            let Some(known) = known_calls(m, &fixed, g) else { continue };
            numbers.insert(param, params.len());
            params.push(param);
            calls.extend(known.into_iter().map(|call| (param, Site { call, index, param })));
        }
    }
    let mut same = UnionFind::new(params.len());
    for (param, site) in calls {
        if let Some(&other) = numbers.get(&site.argument(m)) {
            same.union(numbers[&param], other);
        }
    }
    let mut groups: BTreeMap<usize, Vec<NodeId>> = BTreeMap::new();
    params.iter().enumerate().for_each(|(i, &p)| groups.entry(same.find(i)).or_default().push(p));
    groups.into_values().collect()
}

struct View<'a> {
    nest: &'a Nest,
    scopes: Tree,
    cfg: Cfg,
}

/// A place where a value of the chain is passed: the argument of a call for a parameter.
#[derive(Clone, Copy)]
struct Site {
    call: NodeId,
    index: usize,
    param: NodeId,
}

impl Site {
    fn argument(self, m: &Module) -> NodeId {
        m[self.call].inputs()[self.index + 1]
    }
}

/// A closure that captures a value of the chain.
struct Link {
    graph: GraphId,
    /// The value that it captures.
    before: NodeId,
    /// What else it captures that is not in scope everywhere.
    lifted: Vec<NodeId>,
    /// The fields of a record that hold these.
    slots: Vec<usize>,
    /// What is copied for all this to come from a record.
    nest: Vec<GraphId>,
}

/// The closure at the beginning.
struct Base {
    graph: GraphId,
    lifted: Vec<NodeId>,
    nest: Vec<GraphId>,
}

struct Chain {
    /// The parameters that hold a value of the chain.
    params: Vec<NodeId>,
    sites: Vec<Site>,
    base: Base,
    links: Vec<Link>,
    /// The types of the fields of a record, after the tag.
    slots: Vec<Type>,
}

impl Chain {
    fn new(m: &Module, view: &View, params: Vec<NodeId>) -> Option<Chain> {
        let fixed = fixed_graphs(m);
        let owner = |n: NodeId| m[n].graph;
        let mut sites = Vec::new();
        let mut members: Vec<GraphId> = Vec::new();
        for &p in &params {
            let g = owner(p)?;
            let i = m[g].params.iter().position(|&q| q == p)?;
            for call in known_calls(m, &fixed, g)? {
                let arg = m[call].inputs()[i + 1];
                let known = params.contains(&arg) || m[arg].as_const() == Some(&Const::Undefined);
                if let Some(q) = m.as_graph(arg).filter(|&q| view.nest.contains(q)) {
                    members.extend((!members.contains(&q)).then_some(q));
                } else if !known {
                    return None;
                }
                sites.push(Site { call, index: i, param: p });
            }
        }
        let is_site = |n: NodeId, index: u32| sites.iter().any(|s| s.call == n && s.index + 1 == index as usize);
        let is_in_member = |n: NodeId| owner(n).is_some_and(|g| members.iter().any(|&q| view.scopes.is_within(g, q)));
        // Values of the chain are called and passed on, and passed on by nobody who takes it apart.
        let is_called = |n: NodeId, index: u32| index == 0 && m[n].kind == Kind::Call;
        let in_order = params
            .iter()
            .all(|&p| m[p].users().iter().all(|u| is_called(u.node, u.index) || is_site(u.node, u.index)))
            && members.iter().all(|&q| m[m.graph_const(q).expect("it is used")].users().iter().all(|u| is_site(u.node, u.index)))
            && sites.iter().all(|s| !is_in_member(s.call));
        if !in_order {
            return None;
        }
        // What is in scope wherever the chain goes means the same where a closure is made and where it is called.
        let in_scope = |v: NodeId| {
            let is_around =
                |p: NodeId| owner(p) != owner(v) && owner(p).zip(owner(v)).is_some_and(|(g, o)| view.scopes.is_within(g, o));
            params.iter().all(|&p| is_around(p))
        };
        let (mut base, mut links, mut slots) = (None, Vec::new(), Vec::new());
        for &q in &members {
            let (before, captured): (Vec<NodeId>, Vec<NodeId>) = view.nest.free(q).iter().partition(|&&v| params.contains(&v));
            let lifted: Vec<NodeId> = captured.into_iter().filter(|&v| !in_scope(v)).collect();
            let variables: Vec<NodeId> = before.iter().chain(&lifted).copied().collect();
            let nest = graphs_with(view.nest, q, &variables, owner);
            match before[..] {
                [] if base.is_none() => base = Some(Base { graph: q, lifted, nest }),
                [before] => links.push(Link { graph: q, before, slots: places(m, &lifted, &mut slots), lifted, nest }),
                _ => return None,
            }
        }
        let (Some(base), false) = (base, links.is_empty()) else { return None };
        let chain = Chain { params, sites, base, links, slots };
        chain.has_one_end(m, view).then_some(chain)
    }

    /// Whether each value of the chain is handed on once at most, as it is or as a part of a longer one.
    fn has_one_end(&self, m: &Module, view: &View) -> bool {
        self.params.iter().all(|&p| {
            let home = m[p].graph.expect("a parameter has a graph");
            let hands_on = |s: &&Site| {
                let arg = s.argument(m);
                arg == p || self.links.iter().any(|l| l.before == p && m.as_graph(arg) == Some(l.graph))
            };
            let blocks: Vec<GraphId> = self.sites.iter().filter(hands_on).filter_map(|s| m[s.call].graph).collect();
            let root = view.cfg.function_of(home).root;
            blocks.iter().all(|&b| view.cfg.function_of(b).root == root) && view.cfg.passes_one(home, &blocks)
        })
    }

    fn rewrite(&self, m: &mut Module, nest: &Nest) {
        let before: Vec<NodeId> = self.params.clone();
        let parts: FxHashMap<NodeId, Parts> =
            before.into_iter().map(|p| (p, self.add_parts(m, m[p].graph.expect("a parameter has a graph")))).collect();
        let apply = self.apply(m, nest);
        for &p in &self.params {
            call_apply(m, m[p].users().iter().filter(|u| u.index == 0).map(|u| u.node).collect(), apply, &parts[&p]);
        }
        let args: Vec<Vec<NodeId>> = self.sites.iter().map(|&site| self.argument(m, site, &parts)).collect();
        // The parts that were added last are still the last.
        for &p in self.params.iter().rev() {
            let g = m[p].graph.expect("a parameter has a graph");
            let i = m[g].params.iter().position(|&q| q == p).expect("it is one of them");
            for (site, args) in self.sites.iter().zip(&args).filter(|(site, _)| site.param == p) {
                pass(m, site.call, i, args);
            }
            let parts = parts[&p].nodes();
            substitute(m, g, i, &parts, parts[0]);
            m.graph_ref(g);
        }
    }

    /// Parameters for the parts of a value of the chain.
    fn add_parts(&self, m: &mut Module, g: GraphId) -> Parts {
        let p = self.params[0];
        let (name, span) = (m[p].name.clone(), m[p].span);
        let part = |m: &mut Module, ty: Type, what: &str| {
            let name = name.as_ref().map(|name| format!("{name}.{what}").into());
            m.add_param(g, ty, name, span)
        };
        let (tape, count) = (part(m, self.tape(), "tape"), part(m, Type::I64, "count"));
        let base = self.base.lifted.iter().enumerate().map(|(i, &v)| part(m, m[v].ty.clone(), &i.to_string())).collect();
        Parts { tape, count, base }
    }

    /// What is passed instead of a closure.
    fn argument(&self, m: &mut Module, site: Site, parts: &FxHashMap<NodeId, Parts>) -> Vec<NodeId> {
        let (arg, caller, span) = (site.argument(m), m[site.call].graph.expect("a call belongs to a graph"), m[site.call].span);
        if let Some(parts) = parts.get(&arg) {
            return parts.nodes();
        }
        let undefined = |m: &mut Module, ty: Type| m.constant(Const::Undefined, ty);
        let (mut tape, mut count) = (undefined(m, self.tape()), m.i64(0));
        let Some(q) = m.as_graph(arg) else {
            let base = self.base.lifted.iter().map(|&v| undefined(m, m[v].ty.clone())).collect();
            return Parts { tape, count, base }.nodes();
        };
        let mut base = self.base.lifted.clone();
        if let Some(tag) = self.links.iter().position(|l| l.graph == q) {
            let (link, before) = (&self.links[tag], &parts[&self.links[tag].before]);
            let mut fields: Vec<NodeId> = self.slots.iter().map(|ty| m.constant(Const::Undefined, ty.clone())).collect();
            link.slots.iter().zip(&link.lifted).for_each(|(&slot, &v)| fields[slot] = v);
            if self.is_tagged() {
                fields.insert(0, m.i64(tag as i64));
            }
            let (record, one) = (m.prim(caller, Prim::Tuple, fields, self.record(), span), m.i64(1));
            tape = m.prim(caller, Prim::Push, vec![before.tape, record], self.tape(), span);
            count = m.prim(caller, Prim::WrapAdd, vec![before.count, one], Type::I64, span);
            base = before.base.clone();
        }
        Parts { tape, count, base }.nodes()
    }

    /// The graph that calls what is at the end of a chain.
    fn apply(&self, m: &mut Module, nest: &Nest) -> GraphId {
        let p = self.params[0];
        let FnType { params, result } = m[p].ty.signature().expect("a function").clone();
        let (name, span) = (m[p].name.clone().unwrap_or_else(|| "chain".into()), m[p].span);
        let caller = m[p].users().iter().find(|u| u.index == 0).and_then(|u| m[u.node].graph);
        let role = caller.map_or(Role::Primal, |caller| m[caller].role);
        let block = |m: &mut Module, what: &str| {
            let block = m.add_graph(format!("{name}.{what}"), Flavor::Block, role, span);
            m.declare_result(block, result.clone());
            block
        };
        let apply = block(m, "apply");
        let parts = self.add_parts(m, apply);
        let args: Vec<NodeId> = params.into_iter().map(|ty| m.add_param(apply, ty, None, span)).collect();

        let first = block(m, "first");
        let mut map = self.base.lifted.iter().copied().zip(parts.base.iter().copied()).collect();
        let base = copy(m, nest, self.base.graph, &self.base.nest, &mut map).0;
        jump(m, first, base, &args);

        let link = block(m, "link");
        let pair = Type::tuple([self.tape(), self.record()]);
        let popped = m.prim(link, Prim::Pop, vec![parts.tape], pair, span);
        let tape = m.prim(link, Prim::Get(0), vec![popped], self.tape(), span);
        let record = m.prim(link, Prim::Get(1), vec![popped], self.record(), span);
        let one = m.i64(1);
        let count = m.prim(link, Prim::WrapSub, vec![parts.count, one], Type::I64, span);
        let rest = Parts { tape, count, base: parts.base.clone() };
        let types: Vec<Type> = self.is_tagged().then_some(Type::I64).into_iter().chain(self.slots.iter().cloned()).collect();
        let fields = types.into_iter().zip(0..).map(|(ty, i)| m.prim(link, Prim::Get(i), vec![record], ty, span));
        let fields: Vec<NodeId> = fields.collect();
        let (tag, slots) = fields.split_at(usize::from(self.is_tagged()));
        let callees: Vec<GraphId> = self
            .links
            .iter()
            .map(|l| {
                let mut map = l.lifted.iter().copied().zip(l.slots.iter().map(|&s| slots[s])).collect();
                let (graph, copies) = copy(m, nest, l.graph, &l.nest, &mut map);
                let calls = m[l.before].users().iter().filter(|u| m[u.node].graph.is_some_and(|g| copies.contains(&g)));
                call_apply(m, calls.map(|u| u.node).collect(), apply, &rest);
                graph
            })
            .collect();
        // A binary search for the tag.
        let mut work: Vec<(GraphId, Range<usize>)> = vec![(link, 0..callees.len())];
        while let Some((b, range)) = work.pop() {
            if range.len() == 1 {
                jump(m, b, callees[range.start], &args);
                continue;
            }
            let middle = range.start + range.len() / 2;
            let arms = [range.start..middle, middle..range.end].map(|part| {
                let arm = block(m, "arm");
                work.push((arm, part));
                arm
            });
            let middle = m.i64(middle as i64);
            branch(m, b, Prim::Lt, [tag[0], middle], arms);
        }
        let zero = m.i64(0);
        branch(m, apply, Prim::Gt, [parts.count, zero], [link, first]);
        apply
    }

    fn is_tagged(&self) -> bool {
        self.links.len() > 1
    }

    fn record(&self) -> Type {
        Type::tuple(self.is_tagged().then_some(Type::I64).into_iter().chain(self.slots.iter().cloned()))
    }

    fn tape(&self) -> Type {
        Type::tape(self.record())
    }
}

/// A value of the chain.
struct Parts {
    /// What the links hold.
    tape: NodeId,
    /// How many there are.
    count: NodeId,
    /// What the first closure captures.
    base: Vec<NodeId>,
}

impl Parts {
    fn nodes(&self) -> Vec<NodeId> {
        [self.tape, self.count].into_iter().chain(self.base.iter().copied()).collect()
    }
}

/// The slot of each variable, by type; there are as many as the link with the most needs.
fn places(m: &Module, lifted: &[NodeId], slots: &mut Vec<Type>) -> Vec<usize> {
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
    lifted.iter().map(place).collect()
}

/// A copy of a closure for which `map` says what it captures, and all graphs that were copied; itself if that is nothing.
fn copy(
    m: &mut Module,
    nest: &Nest,
    graph: GraphId,
    graphs: &[GraphId],
    map: &mut FxHashMap<NodeId, NodeId>,
) -> (GraphId, FxHashSet<GraphId>) {
    let copies = clone_graphs(m, nest, graphs, map);
    (copies.get(&graph).copied().unwrap_or(graph), copies.into_values().collect())
}

/// Lets calls of a value of the chain call `apply` with its parts.
fn call_apply(m: &mut Module, calls: Vec<NodeId>, apply: GraphId, value: &Parts) {
    let apply = m.graph_ref(apply);
    for call in calls {
        let inputs = m[call].inputs()[1..].to_vec();
        m.set_inputs(call, [apply].into_iter().chain(value.nodes()).chain(inputs).collect());
    }
}

/// `return call target(args…)`
fn jump(m: &mut Module, block: GraphId, target: GraphId, args: &[NodeId]) {
    let (target, result, span) = (m.graph_ref(target), m[block].result.clone(), m[block].span);
    let call = m.call(block, target, args, result, span);
    m.set_result(block, call);
}

/// `return call (arms[0] if order(operands) else arms[1])()`
fn branch(m: &mut Module, block: GraphId, order: Prim, operands: [NodeId; 2], arms: [GraphId; 2]) {
    let (result, span) = (m[block].result.clone(), m[block].span);
    let condition = m.prim(block, order, operands.to_vec(), Type::Bool, span);
    let [then, otherwise] = arms.map(|arm| m.graph_ref(arm));
    let chosen = m.prim(block, Prim::Select, vec![condition, then, otherwise], Type::func([], result.clone()), span);
    let call = m.call(block, chosen, &[], result, span);
    m.set_result(block, call);
}
