//! Chains of closures become tapes: the backpropagators of a loop, each of which captures the one before.
//!
//! ```text
//! loop(…, k): … k(u) …  loop(…, @q) …     loop(…, t, n): … apply(t, n, u) …  loop(…, push(t, v), n + 1) …
//! q(x): … return k(e)                     apply(t, n, x): if n > 0: (t', v) = pop t; … return apply(t', n - 1, e)
//! start: loop(…, @b)                                      else: return b(x)          start: loop(…, empty, 0)
//! ```
//! The parameter `k` of the loop is either `@b`, which captures nothing of the loop, or `@q`, which captures the `k` of the trip before
//! and other values `v`. This is defunctionalisation (Reynolds 1972) with one more step: what it makes of such closures is a
//! linked list of records, and a list that only grows at its end and is only taken apart from there is a tape.
//!
//! Where there are several such closures, and loops in loops, whose closures capture each other's, a value is a tape and the number of
//! the closure at its end, a record holds the number of the closure before, and each group of parameters that are passed for each
//! other has its own `apply`. With one `@b` and one `@q` it is enough to count, as above.
//!
//! That the order is kept must be seen: whoever has a `k` hands it on once at most on every way, so that no two lists share an end, and a
//! closure does nothing with the `k` that it captures but call it.

use crate::calls::known_calls;
use crate::clone::{clone_graphs, graphs_with};
use crate::closures::places;
use crate::nesting::{Tree, fixed_graphs, scopes};
use crate::report::PassReport;
use crate::tuples::{pass, substitute};
use gradus_ir::cfg::Cfg;
use gradus_ir::{Const, Flavor, FnType, GraphId, Kind, Module, Nest, NodeId, Prim, Role, Span, Type};
use petgraph::unionfind::UnionFind;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;
use std::ops::Range;

/// Whether a graph takes a function, without which there is no chain.
pub fn takes_functions(m: &Module) -> bool {
    m.graphs().any(|(_, g)| g.params.iter().any(|&p| m[p].ty.is_fn()))
}

/// Turns chains into tapes, one after the other, since graphs are copied. The other passes wait until none is left: to run all of them
/// after each would take as many times as long as there are chains.
pub(crate) fn run(m: &mut Module, nest: &Nest, report: &mut PassReport) {
    let entry = m.entry.expect("only a typed module can be simplified");
    let mut changed = rewrite_one(m, nest);
    while changed {
        report.count("chains", 1);
        m.collect_garbage(&[entry]);
        changed = rewrite_one(m, &Nest::new(m, &[entry]));
    }
}

/// Turns a chain into a tape. False if there is none.
fn rewrite_one(m: &mut Module, nest: &Nest) -> bool {
    let candidates = candidates(m, nest);
    if candidates.is_empty() {
        return false;
    }
    let cfg = Cfg::new(m, nest);
    let view = View { nest, scopes: scopes(nest, &cfg), cfg };
    let Some(chain) = candidates.into_iter().find_map(|groups| Chain::new(m, &view, groups)) else { return false };
    chain.rewrite(m, nest);
    true
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

/// Function parameters that are passed for each other, and where something is passed for one of them.
#[derive(Default)]
struct Group {
    params: Vec<NodeId>,
    sites: Vec<Site>,
}

/// Groups of parameters of which all calls are known, those together whose closures capture each other's.
fn candidates(m: &Module, nest: &Nest) -> Vec<Vec<Group>> {
    let fixed = fixed_graphs(m);
    let (mut params, mut sites) = (Vec::new(), Vec::new());
    let mut numbers: FxHashMap<NodeId, usize> = FxHashMap::default();
    for &g in nest.graphs() {
        for (index, &param) in m[g].params.iter().enumerate().filter(|&(_, &p)| m[p].ty.signature().is_some()) {
            let Some(calls) = known_calls(m, &fixed, g) else { continue };
            numbers.insert(param, params.len());
            params.push(param);
            sites.extend(calls.into_iter().map(|call| Site { call, index, param }));
        }
    }
    let (mut passed, mut related) = (UnionFind::new(params.len()), UnionFind::new(params.len()));
    for site in &sites {
        let (param, arg) = (numbers[&site.param], site.argument(m));
        if let Some(&other) = numbers.get(&arg) {
            passed.union(param, other);
            related.union(param, other);
        }
        let captured = m.as_graph(arg).filter(|&q| nest.contains(q)).into_iter().flat_map(|q| nest.free(q));
        for &other in captured.filter_map(|v| numbers.get(&v)) {
            related.union(param, other);
        }
    }
    let mut candidates: BTreeMap<usize, BTreeMap<usize, Group>> = BTreeMap::new();
    for (i, &param) in params.iter().enumerate() {
        candidates.entry(related.find(i)).or_default().entry(passed.find(i)).or_default().params.push(param);
    }
    for site in sites {
        let i = numbers[&site.param];
        candidates.entry(related.find(i)).or_default().entry(passed.find(i)).or_default().sites.push(site);
    }
    candidates.into_values().map(|groups| groups.into_values().collect()).collect()
}

/// A closure of the chain.
struct Member {
    graph: GraphId,
    /// The value of the chain that it captures, and the group of that.
    before: Option<(NodeId, usize)>,
    /// What else it captures that is not in scope everywhere.
    lifted: Vec<NodeId>,
    /// The fields of a record that hold these.
    slots: Vec<usize>,
    /// What is copied for all this to come from a record.
    nest: Vec<GraphId>,
}

impl Member {
    fn has_record(&self) -> bool {
        self.before.is_some() || !self.lifted.is_empty()
    }
}

struct Chain {
    groups: Vec<Group>,
    /// The closures of each group.
    members: Vec<Vec<Member>>,
    /// The types of the fields of a record, after the number of the closure before.
    slots: Vec<Type>,
    /// Whether the number at the end is how many records there are.
    counts: bool,
}

impl Chain {
    fn new(m: &Module, view: &View, groups: Vec<Group>) -> Option<Chain> {
        let owner = |n: NodeId| m[n].graph;
        let group_of = |n: NodeId| groups.iter().position(|group| group.params.contains(&n));
        let mut closures: Vec<Vec<GraphId>> = Vec::new();
        for group in &groups {
            let mut found = Vec::new();
            for arg in group.sites.iter().map(|s| s.argument(m)) {
                match m.as_graph(arg) {
                    Some(q) if view.nest.contains(q) => found.extend((!found.contains(&q)).then_some(q)),
                    _ if group.params.contains(&arg) || m[arg].as_const() == Some(&Const::Undefined) => {}
                    _ => return None,
                }
            }
            closures.push(found);
        }
        // Values of the chain are called and passed on, the latter by nobody who takes it apart.
        let params = || groups.iter().flat_map(|group| &group.params).copied();
        let sites = || groups.iter().flat_map(|group| &group.sites);
        let members = || closures.iter().flatten().copied();
        let is_site = |n: NodeId, index: u32| sites().any(|s| s.call == n && s.index + 1 == index as usize);
        let is_called = |n: NodeId, index: u32| index == 0 && m[n].kind == Kind::Call;
        let is_in_member = |n: NodeId| owner(n).is_none_or(|g| members().any(|q| view.scopes.is_within(g, q)));
        let constants = members().filter_map(|q| m.graph_const(q));
        if !params().all(|p| m[p].users().iter().all(|u| is_called(u.node, u.index) || is_site(u.node, u.index)))
            || !constants.into_iter().all(|c| m[c].users().iter().all(|u| is_site(u.node, u.index)))
            || sites().any(|s| is_in_member(s.call))
        {
            return None;
        }
        // What is around all of the chain is the same where a closure is made and where it is called.
        let is_around = |v: NodeId, p: NodeId| owner(v).zip(owner(p)).is_some_and(|(o, g)| o != g && view.scopes.is_within(g, o));
        let mut slots = Vec::new();
        let mut all: Vec<Vec<Member>> = Vec::new();
        for found in &closures {
            let mut group = Vec::new();
            for &graph in found {
                let (before, captured): (Vec<NodeId>, Vec<NodeId>) = view.nest.free(graph).partition(|&v| group_of(v).is_some());
                let lifted: Vec<NodeId> = captured.into_iter().filter(|&v| !params().all(|p| is_around(v, p))).collect();
                let variables: Vec<NodeId> = before.iter().chain(&lifted).copied().collect();
                let nest = graphs_with(view.nest, graph, &variables, owner);
                let before = match before[..] {
                    [] => None,
                    [p] => Some((p, group_of(p)?)),
                    _ => return None,
                };
                group.push(Member { graph, before, slots: places(m, &lifted, &mut slots), lifted, nest });
            }
            all.push(group);
        }
        if !all.iter().flatten().any(|member| member.before.is_some()) {
            return None;
        }
        let counts = match &all[..] {
            [group] => group.len() == 2 && group.iter().filter(|member| member.has_record()).count() == 1,
            _ => false,
        };
        let chain = Chain { groups, members: all, slots, counts };
        chain.has_one_end(m, view).then_some(chain)
    }

    fn all(&self) -> impl Iterator<Item = &Member> {
        self.members.iter().flatten()
    }

    /// Whether each value of the chain is handed on once at most, as it is or as a part of a longer one.
    fn has_one_end(&self, m: &Module, view: &View) -> bool {
        let sites = || self.groups.iter().flat_map(|group| &group.sites);
        self.groups.iter().flat_map(|group| &group.params).all(|&p| {
            let Some(home) = m[p].graph else { return false };
            let captures = |g: GraphId| self.all().any(|member| member.graph == g && member.before.is_some_and(|(v, _)| v == p));
            let hands_on = |arg: NodeId| arg == p || m.as_graph(arg).is_some_and(captures);
            let blocks: Vec<GraphId> = sites().filter(|s| hands_on(s.argument(m))).filter_map(|s| m[s.call].graph).collect();
            let root = view.cfg.function_of(home).root;
            blocks.iter().all(|&b| view.cfg.function_of(b).root == root) && view.cfg.passes_one(home, &blocks)
        })
    }

    fn rewrite(&self, m: &mut Module, nest: &Nest) {
        let params: Vec<NodeId> = self.groups.iter().flat_map(|group| &group.params).copied().collect();
        let mut values: FxHashMap<NodeId, Chained> = FxHashMap::default();
        for &p in &params {
            let g = m[p].graph.expect("a parameter has a graph");
            let value = self.parameters(m, g, p);
            values.insert(p, value);
        }
        let applies = self.applies(m, nest);
        for (group, &apply) in self.groups.iter().zip(&applies) {
            for &p in &group.params {
                let calls = m[p].users().iter().filter(|u| u.index == 0).map(|u| u.node).collect();
                call_apply(m, calls, apply, values[&p]);
            }
        }
        let mut args: FxHashMap<NodeId, Vec<(Site, Chained)>> = FxHashMap::default();
        for (group, members) in self.groups.iter().zip(&self.members) {
            for &site in &group.sites {
                let value = self.argument(m, site, members, &values);
                args.entry(site.param).or_default().push((site, value));
            }
        }
        // What was added last is still last in its graph.
        for p in params.into_iter().rev() {
            let g = m[p].graph.expect("a parameter has a graph");
            let i = m[g].params.iter().position(|&q| q == p).expect("it is one of them");
            for (site, value) in args.remove(&p).unwrap_or_default() {
                pass(m, site.call, i, &value.parts());
            }
            substitute(m, g, i, &values[&p].parts(), values[&p].tape);
            m.graph_ref(g);
        }
    }

    /// Parameters for a value of the chain in the place of `p`.
    fn parameters(&self, m: &mut Module, g: GraphId, p: NodeId) -> Chained {
        let (name, span) = (m[p].name.clone(), m[p].span);
        let mut part = |ty: Type, what: &str| {
            let name = name.as_ref().map(|name| format!("{name}.{what}").into());
            m.add_param(g, ty, name, span)
        };
        Chained { tape: part(self.tape(), "tape"), end: part(Type::I64, if self.counts { "count" } else { "end" }) }
    }

    /// What is passed instead of a closure.
    fn argument(&self, m: &mut Module, site: Site, members: &[Member], values: &FxHashMap<NodeId, Chained>) -> Chained {
        let (arg, caller, span) = (site.argument(m), m[site.call].graph.expect("a call belongs to a graph"), m[site.call].span);
        if let Some(&value) = values.get(&arg) {
            return value;
        }
        let nothing = m.constant(Const::Undefined, self.tape());
        let Some(number) = m.as_graph(arg).and_then(|q| members.iter().position(|member| member.graph == q)) else {
            return Chained { tape: nothing, end: m.constant(Const::Undefined, Type::I64) };
        };
        let member = &members[number];
        let before = member.before.map(|(p, _)| values[&p]);
        let mut fields: Vec<NodeId> = self.fields().into_iter().map(|ty| m.constant(Const::Undefined, ty)).collect();
        let first = fields.len() - self.slots.len();
        if let (Some(before), false) = (before, self.counts) {
            fields[0] = before.end;
        }
        member.slots.iter().zip(&member.lifted).for_each(|(&slot, &v)| fields[first + slot] = v);
        let mut tape = before.map_or(nothing, |before| before.tape);
        if member.has_record() {
            let record = m.prim(caller, Prim::Tuple, fields, self.record(), span);
            tape = m.prim(caller, Prim::Push, vec![tape, record], self.tape(), span);
        }
        let end = match before.filter(|_| self.counts) {
            Some(before) => {
                let one = m.i64(1);
                m.prim(caller, Prim::WrapAdd, vec![before.end, one], Type::I64, span)
            }
            None if self.counts => m.i64(0),
            None => m.i64(number as i64),
        };
        Chained { tape, end }
    }

    /// The graphs that call what is at the end of a chain, one for each group.
    fn applies(&self, m: &mut Module, nest: &Nest) -> Vec<GraphId> {
        let heads: Vec<(GraphId, Chained)> = self.groups.iter().map(|group| self.head(m, group)).collect();
        for (members, &(head, value)) in self.members.iter().zip(&heads) {
            let args = m[head].params[2..].to_vec();
            let mut targets: Vec<GraphId> = Vec::new();
            for member in members {
                targets.push(self.target(m, nest, member, (head, value), &args, &heads));
            }
            if self.counts {
                let of = |has_record| members.iter().position(|member| member.has_record() == has_record).expect("one of each");
                let (zero, arms) = (m.i64(0), [targets[of(true)], targets[of(false)]]);
                branch(m, head, Prim::Gt, [value.end, zero], arms);
                continue;
            }
            // A binary search for the number.
            let mut work: Vec<(GraphId, Range<usize>)> = vec![(head, 0..targets.len())];
            while let Some((b, range)) = work.pop() {
                if range.len() == 1 {
                    jump(m, b, targets[range.start], &[]);
                    continue;
                }
                let middle = range.start + range.len() / 2;
                let arms = [range.start..middle, middle..range.end].map(|part| match part.len() {
                    1 => targets[part.start],
                    _ => {
                        let arm = block(m, head, "arm");
                        work.push((arm, part));
                        arm
                    }
                });
                let middle = m.i64(middle as i64);
                branch(m, b, Prim::Lt, [value.end, middle], arms);
            }
        }
        heads.into_iter().map(|(head, _)| head).collect()
    }

    /// A graph that takes a value of the chain and what its closure takes.
    fn head(&self, m: &mut Module, group: &Group) -> (GraphId, Chained) {
        let p = group.params[0];
        let FnType { params, result } = m[p].ty.signature().expect("a function").clone();
        let (name, span) = (m[p].name.clone().unwrap_or_else(|| "chain".into()), m[p].span);
        let caller = m[p].users().iter().find(|u| u.index == 0).and_then(|u| m[u.node].graph);
        let role = caller.map_or(Role::Primal, |caller| m[caller].role);
        let head = m.add_graph(format!("{name}.apply"), Flavor::Block, role, span);
        m.declare_result(head, result);
        let value = self.parameters(m, head, p);
        params.into_iter().for_each(|ty| _ = m.add_param(head, ty, None, span));
        (head, value)
    }

    /// A block that takes the record of a closure off the tape and calls a copy of it.
    fn target(
        &self,
        m: &mut Module,
        nest: &Nest,
        member: &Member,
        (head, value): (GraphId, Chained),
        args: &[NodeId],
        heads: &[(GraphId, Chained)],
    ) -> GraphId {
        let target = block(m, head, "link");
        if !member.has_record() {
            jump(m, target, member.graph, args);
            return target;
        }
        let span = m[head].span;
        let get = |m: &mut Module, tuple: NodeId, i: usize, ty: Type| m.prim(target, Prim::Get(i as u32), vec![tuple], ty, span);
        let popped = m.prim(target, Prim::Pop, vec![value.tape], Type::tuple([self.tape(), self.record()]), span);
        let (tape, record) = (get(m, popped, 0, self.tape()), get(m, popped, 1, self.record()));
        let fields = self.fields().into_iter().enumerate().map(|(i, ty)| get(m, record, i, ty)).collect::<Vec<_>>();
        let (before, slots) = fields.split_at(fields.len() - self.slots.len());
        let end = match before.first() {
            Some(&end) => end,
            None => {
                let one = m.i64(1);
                m.prim(target, Prim::WrapSub, vec![value.end, one], Type::I64, span)
            }
        };
        let mut map = member.lifted.iter().copied().zip(member.slots.iter().map(|&slot| slots[slot])).collect();
        let copies = clone_graphs(m, nest, &member.nest, &mut map);
        if let Some((p, group)) = member.before {
            let members: FxHashSet<GraphId> = copies.values().copied().collect();
            let calls = m[p].users().iter().filter(|u| m[u.node].graph.is_some_and(|g| members.contains(&g)));
            let calls = calls.map(|u| u.node).collect();
            call_apply(m, calls, heads[group].0, Chained { tape, end });
        }
        jump(m, target, copies[&member.graph], args);
        target
    }

    /// The types of a record's fields.
    fn fields(&self) -> Vec<Type> {
        (!self.counts).then_some(Type::I64).into_iter().chain(self.slots.iter().cloned()).collect()
    }

    fn record(&self) -> Type {
        Type::tuple(self.fields())
    }

    fn tape(&self) -> Type {
        Type::tape(self.record())
    }
}

/// A value of the chain.
#[derive(Clone, Copy)]
struct Chained {
    /// What the closures hold.
    tape: NodeId,
    /// The number of the last, in its group; or how many have records.
    end: NodeId,
}

impl Chained {
    fn parts(self) -> [NodeId; 2] {
        [self.tape, self.end]
    }
}

/// Lets calls of a value of the chain call `apply` with its parts.
fn call_apply(m: &mut Module, calls: Vec<NodeId>, apply: GraphId, value: Chained) {
    let apply = m.graph_ref(apply);
    for call in calls {
        let args = m[call].inputs()[1..].to_vec();
        m.set_inputs(call, [apply].into_iter().chain(value.parts()).chain(args).collect());
    }
}

/// A new block of the function of `apply`.
fn block(m: &mut Module, apply: GraphId, what: &str) -> GraphId {
    let (name, role, span, result) = (format!("{}.{what}", m[apply].name), m[apply].role, m[apply].span, m[apply].result.clone());
    let block = m.add_graph(name, Flavor::Block, role, span);
    m.declare_result(block, result);
    block
}

/// `return call target(args…)`
fn jump(m: &mut Module, block: GraphId, target: GraphId, args: &[NodeId]) {
    let (target, result, span) = (m.graph_ref(target), m[block].result.clone(), m[block].span);
    let call = m.call(block, target, args, result, span);
    m.set_result(block, call);
}

/// `return call (arms[0] if order(operands) else arms[1])()`
fn branch(m: &mut Module, block: GraphId, order: Prim, operands: [NodeId; 2], arms: [GraphId; 2]) {
    let (result, span): (Type, Span) = (m[block].result.clone(), m[block].span);
    let condition = m.prim(block, order, operands.to_vec(), Type::Bool, span);
    let [then, otherwise] = arms.map(|arm| m.graph_ref(arm));
    let chosen = m.prim(block, Prim::Select, vec![condition, then, otherwise], Type::func([], result.clone()), span);
    let call = m.call(block, chosen, &[], result, span);
    m.set_result(block, call);
}
