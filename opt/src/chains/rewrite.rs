//! Tapes in the place of the closures of a chain.

use super::{Chain, Site};
use crate::tuples::{pass, substitute};
use gradus_ir::clone::clone_graphs;
use gradus_ir::{Const, Flavor, FnType, GraphId, Module, Nest, NodeId, Prim, Role, Span, Type};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;
use std::ops::Range;

/// A value of the chain.
#[derive(Clone)]
struct Chained {
    /// For each closure, what the list holds of it: its tape, or what it captures.
    held: Vec<Vec<NodeId>>,
    /// The state of each group in whose loop it is: how often it came back to the group, and by which other closure it came there.
    states: BTreeMap<usize, Vec<NodeId>>,
}

impl Chained {
    fn parts(&self) -> Vec<NodeId> {
        self.held.iter().chain(self.states.values()).flatten().copied().collect()
    }
}

impl Chain {
    pub(super) fn rewrite(&self, m: &mut Module, nest: &Nest) {
        let params = || self.groups.iter().enumerate().flat_map(|(i, group)| group.params.iter().map(move |&p| (i, p)));
        let mut values: FxHashMap<NodeId, Chained> = FxHashMap::default();
        for (i, p) in params() {
            let g = m[p].graph.expect("a parameter has a graph");
            let value = self.parameters(m, g, i, p);
            values.insert(p, value);
        }
        let applies = self.applies(m, nest);
        for (i, p) in params() {
            let calls = m[p].users().iter().filter(|u| u.index == 0).map(|u| u.node).collect();
            call_apply(m, calls, applies[i], &values[&p]);
        }
        let mut args: FxHashMap<NodeId, Vec<(Site, Chained)>> = FxHashMap::default();
        for (i, group) in self.groups.iter().enumerate() {
            for &site in &group.sites {
                let value = self.argument(m, site, i, &values);
                args.entry(site.param).or_default().push((site, value));
            }
        }
        // What was added last is still last in its graph.
        for (_, p) in params().collect::<Vec<_>>().into_iter().rev() {
            let g = m[p].graph.expect("a parameter has a graph");
            let i = m[g].params.iter().position(|&q| q == p).expect("it is one of them");
            for (site, value) in args.remove(&p).unwrap_or_default() {
                pass(m, site.call, i, &value.parts());
            }
            // Other calls may still pass it, in the place of what comes next.
            let nothing = m.constant(Const::Undefined, m[p].ty.clone());
            substitute(m, g, i, &values[&p].parts(), nothing);
            m.graph_ref(g);
        }
    }

    /// Parameters for a value of a group in the place of `p`.
    fn parameters(&self, m: &mut Module, g: GraphId, group: usize, p: NodeId) -> Chained {
        let (name, span) = (m[p].name.clone(), m[p].span);
        self.value(m, group, |m, ty, what| {
            let name = name.as_ref().map(|name| format!("{name}.{what}").into());
            m.add_param(g, ty, name, span)
        })
    }

    /// A value of a group, of parts that are made by type and name.
    fn value(&self, m: &mut Module, group: usize, mut part: impl FnMut(&mut Module, Type, &str) -> NodeId) -> Chained {
        let mut held = vec![Vec::new(); self.members.len()];
        for &k in &self.held[group] {
            let fields = self.fields(m, k);
            held[k] = match self.members[k].repeats {
                true if fields.is_empty() => Vec::new(),
                true => vec![part(m, Type::tape(Type::tuple(fields)), "tape")],
                false => fields.into_iter().enumerate().map(|(j, ty)| part(m, ty, &j.to_string())).collect(),
            };
        }
        let mut state = |&i: &usize| (i, self.state(i).map(|what| part(m, Type::I64, what)).collect());
        let states = self.states[group].iter().map(&mut state).collect();
        Chained { held, states }
    }

    /// The ints that are the state of a group.
    fn state(&self, group: usize) -> impl Iterator<Item = &'static str> {
        let end = (self.others(group).count() > 1).then_some("end");
        self.back[group].map(|_| "count").into_iter().chain(end)
    }

    /// The types of what is kept of a closure: the state of the value before, and what else it captures.
    fn fields(&self, m: &Module, k: usize) -> Vec<Type> {
        let ints = self.kept(k).flat_map(|i| self.state(i)).map(|_| Type::I64);
        ints.chain(self.members[k].lifted.iter().map(|&v| m[v].ty.clone())).collect()
    }

    /// The value that is passed instead of a closure.
    fn argument(&self, m: &mut Module, site: Site, group: usize, values: &FxHashMap<NodeId, Chained>) -> Chained {
        let (arg, caller, span) = (site.argument(m), m[site.call].graph.expect("a call belongs to a graph"), m[site.call].span);
        if let Some(value) = values.get(&arg) {
            return value.clone();
        }
        let mut value = self.value(m, group, |m, ty, _| m.constant(Const::Undefined, ty));
        let q = m.as_graph(arg);
        let Some(&k) = self.own[group].iter().find(|&&k| Some(self.members[k].graph) == q) else { return value };
        let member = &self.members[k];
        let mut fields = Vec::new();
        if let Some((p, group)) = member.before {
            let before = &values[&p];
            self.held[group].iter().for_each(|&k| value.held[k].clone_from(&before.held[k]));
            before.states.iter().for_each(|(i, state)| _ = value.states.get_mut(i).map(|own| own.clone_from(state)));
            fields.extend(self.kept(k).flat_map(|i| &before.states[&i]));
        }
        fields.extend(&member.lifted);
        match self.others(group).position(|other| other == k) {
            None => self.count(m, caller, Prim::WrapAdd, value.states.get_mut(&group)),
            Some(number) => {
                let state = self.state(group).map(|what| m.i64(if what == "end" { number as i64 } else { 0 })).collect();
                value.states.insert(group, state);
            }
        }
        if member.repeats && !fields.is_empty() {
            let record = Type::tuple(self.fields(m, k));
            let values = m.prim(caller, Prim::Tuple, fields, record.clone(), span);
            fields = vec![m.prim(caller, Prim::Push, vec![value.held[k][0], values], Type::tape(record), span)];
        }
        value.held[k] = fields;
        value
    }

    /// One more or less of the times that a list came back to a group.
    fn count(&self, m: &mut Module, g: GraphId, by: Prim, state: Option<&mut Vec<NodeId>>) {
        let (one, span) = (m.i64(1), m[g].span);
        let count = &mut state.expect("values of a group have its state")[0];
        *count = m.prim(g, by, vec![*count, one], Type::I64, span);
    }

    /// The graphs that call what is at the end of a list, one for each group.
    fn applies(&self, m: &mut Module, nest: &Nest) -> Vec<GraphId> {
        let heads: Vec<(GraphId, Chained, Vec<NodeId>)> = (0..self.groups.len()).map(|i| self.head(m, i)).collect();
        for (i, (head, value, args)) in heads.iter().enumerate() {
            let target = |k: usize| self.target(m, nest, k, (*head, value), args, &heads);
            let targets: Vec<GraphId> = self.others(i).map(target).collect();
            let (mut start, state) = (*head, &value.states[&i]);
            if let Some(k) = self.back[i] {
                let (zero, back) = (m.i64(0), self.target(m, nest, k, (*head, value), args, &heads));
                start = block(m, *head, "start");
                branch(m, *head, Prim::Gt, [state[0], zero], [back, start]);
            }
            // A binary search for the number.
            let mut work: Vec<(GraphId, Range<usize>)> = vec![(start, 0..targets.len())];
            while let Some((b, range)) = work.pop() {
                if range.len() == 1 {
                    jump(m, b, targets[range.start], &[]);
                    continue;
                }
                let middle = range.start + range.len() / 2;
                let arms = [range.start..middle, middle..range.end].map(|part| match part.len() {
                    1 => targets[part.start],
                    _ => {
                        let arm = block(m, *head, "arm");
                        work.push((arm, part));
                        arm
                    }
                });
                let middle = m.i64(middle as i64);
                let end = *state.last().expect("a number where there are several");
                branch(m, b, Prim::Lt, [end, middle], arms);
            }
        }
        heads.into_iter().map(|(head, ..)| head).collect()
    }

    /// A graph that takes a value of a group and what its closures take.
    fn head(&self, m: &mut Module, group: usize) -> (GraphId, Chained, Vec<NodeId>) {
        let p = self.groups[group].params[0];
        let FnType { params, result } = m[p].ty.signature().expect("a function").clone();
        let (name, span) = (m[p].name.clone().unwrap_or_else(|| "chain".into()), m[p].span);
        let caller = m[p].users().iter().find(|u| u.index == 0).and_then(|u| m[u.node].graph);
        let role = caller.map_or(Role::Primal, |caller| m[caller].role);
        let head = m.add_graph(format!("{name}.apply"), Flavor::Block, role, span);
        m.declare_result(head, result);
        let value = self.parameters(m, head, group, p);
        let args = params.into_iter().map(|ty| m.add_param(head, ty, None, span)).collect();
        (head, value, args)
    }

    /// A block that takes a closure off the list and calls a copy of it.
    fn target(
        &self,
        m: &mut Module,
        nest: &Nest,
        k: usize,
        (head, value): (GraphId, &Chained),
        args: &[NodeId],
        heads: &[(GraphId, Chained, Vec<NodeId>)],
    ) -> GraphId {
        let member = &self.members[k];
        let target = block(m, head, "link");
        let mut before = value.clone();
        let fields = self.take(m, target, k, &mut before.held[k]);
        let lifted = &fields[fields.len() - member.lifted.len()..];
        let mut map = member.lifted.iter().copied().zip(lifted.iter().copied()).collect();
        let copies = clone_graphs(m, nest, &member.nest, &mut map);
        if let Some((p, group)) = member.before {
            let copied: FxHashSet<GraphId> = copies.values().copied().collect();
            let calls = m[p].users().iter().filter(|u| m[u.node].graph.is_some_and(|g| copied.contains(&g)));
            let calls = calls.map(|u| u.node).collect();
            let own = member.group;
            if self.back[own] == Some(k) {
                self.count(m, target, Prim::WrapSub, before.states.get_mut(&own));
            }
            before.states.retain(|i, _| self.states[group].contains(i));
            let mut ints = fields.iter().copied();
            self.kept(k).for_each(|i| _ = before.states.insert(i, ints.by_ref().take(self.state(i).count()).collect()));
            (0..before.held.len()).filter(|k| !self.held[group].contains(k)).for_each(|k| before.held[k].clear());
            call_apply(m, calls, heads[group].0, &before);
        }
        jump(m, target, copies.get(&member.graph).copied().unwrap_or(member.graph), args);
        target
    }

    /// The part of a value that is of one closure. If that is the last record of a tape, it is taken off.
    fn take(&self, m: &mut Module, block: GraphId, k: usize, held: &mut [NodeId]) -> Vec<NodeId> {
        if !self.members[k].repeats || held.is_empty() {
            return held.to_vec();
        }
        let (types, span) = (self.fields(m, k), m[block].span);
        let (ty, record) = (m[held[0]].ty.clone(), Type::tuple(types.clone()));
        let popped = m.prim(block, Prim::Pop, vec![held[0]], Type::tuple([ty.clone(), record.clone()]), span);
        let mut get = |tuple: NodeId, i: usize, ty: Type| m.prim(block, Prim::Get(i as u32), vec![tuple], ty, span);
        held[0] = get(popped, 0, ty);
        let record = get(popped, 1, record);
        types.into_iter().enumerate().map(|(i, ty)| get(record, i, ty)).collect()
    }
}

/// Lets calls of a value of the chain call `apply` with its parts.
fn call_apply(m: &mut Module, calls: Vec<NodeId>, apply: GraphId, value: &Chained) {
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
