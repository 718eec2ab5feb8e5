//! What is recorded: records of tapes hold what the adjoint still reads once it is simplified (AD.md §5, rule 10).
//!
//! A *class* is the tape-typed nodes that one and the same tape flows through: from the empty tape over pushes, parameters and
//! captures to pops. Of a class all of whose places are known, a field of the record goes if
//!
//! * *dead*: no pop reads it;
//! * *equal*: every push gives it the value of another field;
//! * *constant*: every push gives it one constant;
//! * *recomputed*: every push gives it a cheap function of constants and other fields that are kept.
//!
//! If none is left, so do the pushes and pops.

use crate::nesting::fixed_graphs;
use crate::report::PassReport;
use gradus_ir::{Const, GraphId, Kind, Module, Nest, NodeId, Prim, Type};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;

/// Shrinks records.
pub(crate) fn run(m: &mut Module, nest: &Nest, report: &mut PassReport) {
    for class in classes(m, nest) {
        let Some(sites) = Sites::new(m, &class) else { continue };
        let sources = sites.sources(m);
        let kept = sources.iter().filter(|s| matches!(s, Source::Kept(_))).count();
        if kept == sources.len() {
            continue;
        }
        for source in &sources {
            match source {
                Source::Dead => report.count("dead fields", 1),
                Source::Kept(_) => {}
                Source::Constant(_) => report.count("constant fields", 1),
                Source::Same(_) => report.count("equal fields", 1),
                Source::Computed(..) => report.count("recomputed fields", 1),
            }
        }
        rewrite(m, &class, &sites, &sources);
    }
}

// --- classes

struct Union {
    parent: FxHashMap<NodeId, NodeId>,
    open: FxHashSet<NodeId>,
}

impl Union {
    fn root(&mut self, n: NodeId) -> NodeId {
        let mut root = n;
        while let Some(&up) = self.parent.get(&root) {
            root = up;
        }
        let mut at = n;
        while at != root {
            at = self.parent.insert(at, root).unwrap_or(root);
        }
        root
    }

    fn join(&mut self, a: NodeId, b: NodeId) {
        let (a, b) = (self.root(a), self.root(b));
        if a != b {
            self.parent.insert(b, a);
            if self.open.contains(&b) {
                self.open.insert(a);
            }
        }
    }

    /// Gives up on what flows through a node.
    fn give_up(&mut self, n: NodeId) {
        let root = self.root(n);
        self.open.insert(root);
    }
}

/// The classes of tapes whose places are all known, each in the order of the graphs.
fn classes(m: &Module, nest: &Nest) -> Vec<Vec<NodeId>> {
    let is_tape = |&n: &NodeId| matches!(m[n].ty, Type::Tape(_));
    let all = |&g: &GraphId| m[g].params.iter().chain(nest.schedule(g)).copied().filter(is_tape).collect::<Vec<_>>();
    let tapes: Vec<NodeId> = nest.graphs().iter().flat_map(all).collect();
    if tapes.is_empty() {
        return Vec::new();
    }
    let fixed = fixed_graphs(m);
    let mut union = Union { parent: FxHashMap::default(), open: FxHashSet::default() };
    for &n in &tapes {
        for source in sources_of(m, &fixed, n).unwrap_or_else(|| {
            union.give_up(n);
            Vec::new()
        }) {
            match m[source].graph {
                Some(_) => union.join(n, source),
                None => {}
            }
        }
        if !m[n].users().iter().all(|u| is_known_use(m, &fixed, u.node, u.index as usize)) {
            union.give_up(n);
        }
    }
    let mut classes: BTreeMap<usize, Vec<NodeId>> = BTreeMap::new();
    let mut number: FxHashMap<NodeId, usize> = FxHashMap::default();
    for &n in &tapes {
        let root = union.root(n);
        if !union.open.contains(&root) {
            let next = number.len();
            classes.entry(*number.entry(root).or_insert(next)).or_default().push(n);
        }
    }
    classes.into_values().collect()
}

/// The tapes that a node passes on, if they are known.
fn sources_of(m: &Module, fixed: &FxHashSet<GraphId>, n: NodeId) -> Option<Vec<NodeId>> {
    let inputs = m[n].inputs();
    match m[n].kind {
        Kind::Param => {
            let g = m[n].graph.expect("a parameter belongs to a graph");
            let i = m[g].params.iter().position(|&p| p == n)?;
            bindings(m, fixed, g, i)
        }
        Kind::Prim(Prim::Push) => Some(vec![inputs[0]]),
        Kind::Prim(Prim::Get(0)) if m.as_prim(inputs[0]) == Some(Prim::Pop) => Some(vec![m[inputs[0]].inputs()[0]]),
        Kind::Prim(Prim::Select) => Some(inputs[1..].to_vec()),
        Kind::Prim(Prim::Gadd) => Some(inputs.to_vec()),
        _ => None,
    }
}

/// What parameter `i` of a graph is given, if all its uses are calls and closures that say.
fn bindings(m: &Module, fixed: &FxHashSet<GraphId>, g: GraphId, i: usize) -> Option<Vec<NodeId>> {
    if fixed.contains(&g) {
        return None;
    }
    let users = m.graph_const(g).map_or(&[][..], |c| m[c].users());
    let given = users.iter().map(|u| {
        let binds = m[u.node].kind == Kind::Call || m.as_prim(u.node) == Some(Prim::Partial);
        (u.index == 0 && binds).then(|| m[u.node].inputs().get(i + 1).copied()).flatten()
    });
    given.collect()
}

/// Whether a tape stays in its class where it is operand `index` of `user`.
fn is_known_use(m: &Module, fixed: &FxHashSet<GraphId>, user: NodeId, index: usize) -> bool {
    match m[user].kind {
        Kind::Prim(Prim::Push) => index == 0,
        Kind::Prim(Prim::Pop | Prim::Select | Prim::Gadd) => true,
        Kind::Call | Kind::Prim(Prim::Partial) => {
            m.as_graph(m[user].inputs()[0]).is_some_and(|g| index > 0 && bindings(m, fixed, g, index - 1).is_some())
        }
        _ => false,
    }
}

// --- fields

/// Where a class is written and read.
struct Sites {
    /// The record type's fields.
    types: Vec<Type>,
    pushes: Vec<NodeId>,
    pops: Vec<NodeId>,
    /// Per field: the nodes that are it.
    reads: Vec<Vec<NodeId>>,
}

/// What becomes of a field.
#[derive(Clone, PartialEq, Debug)]
enum Source {
    Dead,
    /// The field with this number in the new record.
    Kept(usize),
    Constant(NodeId),
    /// The same as another field.
    Same(usize),
    /// A primitive of fields and constants.
    Computed(Prim, Type, Vec<Operand>),
}

#[derive(Clone, Copy, PartialEq, Debug)]
enum Operand {
    Field(usize),
    Constant(NodeId),
}

impl Sites {
    /// None where a record is not taken apart on the spot, or is no tuple.
    fn new(m: &Module, class: &[NodeId]) -> Option<Sites> {
        let types = m[*class.first()?].ty.record()?.fields()?.to_vec();
        let mut sites = Sites { reads: vec![Vec::new(); types.len()], types, pushes: Vec::new(), pops: Vec::new() };
        for &n in class {
            if m.as_prim(n) == Some(Prim::Push) {
                sites.pushes.push(n);
            }
            for user in m[n].users() {
                if m.as_prim(user.node) == Some(Prim::Pop) {
                    sites.pops.push(user.node);
                }
            }
        }
        // Pops of the empty tape are of no class.
        for &push in &sites.pushes {
            if m.as_prim(m[push].inputs()[1]) != Some(Prim::Tuple) {
                return None;
            }
        }
        for &pop in &sites.pops {
            for part in m[pop].users().to_vec() {
                match m.as_prim(part.node) {
                    Some(Prim::Get(0)) => {}
                    Some(Prim::Get(1)) => {
                        for read in m[part.node].users() {
                            let Some(Prim::Get(i)) = m.as_prim(read.node) else { return None };
                            sites.reads[i as usize].push(read.node);
                        }
                    }
                    _ => return None,
                }
            }
        }
        Some(sites)
    }

    /// What every push gives a field, in the order of the pushes.
    fn pushed(&self, m: &Module, field: usize) -> Vec<NodeId> {
        self.pushes.iter().map(|&push| m[m[push].inputs()[1]].inputs()[field]).collect()
    }

    fn sources(&self, m: &Module) -> Vec<Source> {
        let pushed: Vec<Vec<NodeId>> = (0..self.types.len()).map(|i| self.pushed(m, i)).collect();
        // Operands before what is computed from them, as nodes are made in that order.
        let mut live: Vec<usize> = (0..self.types.len()).filter(|&i| !self.reads[i].is_empty()).collect();
        live.sort_by_key(|&i| pushed[i].first().copied());
        let mut sources = vec![Source::Dead; self.types.len()];
        let mut kept: Vec<usize> = Vec::new();
        for &i in &live {
            let values = &pushed[i];
            let constant = values.first().filter(|&&v| m[v].graph.is_none() && values.iter().all(|&w| w == v));
            let same = kept.iter().copied().find(|&j| pushed[j] == *values && self.types[j] == self.types[i]);
            sources[i] = match (constant, same) {
                (Some(&v), _) => Source::Constant(v),
                (_, Some(j)) => Source::Same(j),
                _ => computed(m, values, &kept, &pushed).unwrap_or_else(|| {
                    kept.push(i);
                    Source::Kept(0)
                }),
            };
        }
        kept.sort_unstable();
        for (k, &i) in kept.iter().enumerate() {
            sources[i] = Source::Kept(k);
        }
        sources
    }
}

/// What every push gives a field as one cheap function of constants and of fields that are kept.
fn computed(m: &Module, values: &[NodeId], kept: &[usize], pushed: &[Vec<NodeId>]) -> Option<Source> {
    let prim = m.as_prim(*values.first()?)?;
    let ty = m[values[0]].ty.clone();
    if !is_cheap(prim, &ty) || values.iter().any(|&v| m.as_prim(v) != Some(prim)) {
        return None;
    }
    let operands = (0..m[values[0]].inputs().len()).map(|k| {
        let given: Vec<NodeId> = values.iter().map(|&v| m[v].inputs()[k]).collect();
        if m[given[0]].graph.is_none() && given.iter().all(|&v| v == given[0]) {
            return Some(Operand::Constant(given[0]));
        }
        kept.iter().copied().find(|&j| pushed[j] == given).map(Operand::Field)
    });
    Some(Source::Computed(prim, ty, operands.collect::<Option<_>>()?))
}

/// Whether computing a primitive again costs no more than a place in the record: it is total, and one instruction or two.
fn is_cheap(prim: Prim, ty: &Type) -> bool {
    use Prim::*;
    match prim {
        Float | Not | And | Or | Lt | Le | Gt | Ge | Eq | Ne | WrapAdd | WrapSub => true,
        Add | Sub | Mul | Neg | Abs => *ty == Type::F64,
        _ => false,
    }
}

// --- the new record

fn rewrite(m: &mut Module, class: &[NodeId], sites: &Sites, sources: &[Source]) {
    let kept: Vec<usize> = (0..sources.len()).filter(|&i| matches!(sources[i], Source::Kept(_))).collect();
    let record = Type::tuple(kept.iter().map(|&i| sites.types[i].clone()));
    let tape = Type::tape(record.clone());
    let empty = m.constant(Const::Zero, tape.clone());

    for (field, reads) in sites.reads.iter().enumerate() {
        for &read in reads {
            let value = value_of(m, read, sources, field, sites);
            m.replace(read, value);
        }
    }
    for &push in &sites.pushes {
        let (g, span) = (m[push].graph.expect("an application belongs to a graph"), m[push].span);
        let values: Vec<NodeId> = kept.iter().map(|&i| m[m[push].inputs()[1]].inputs()[i]).collect();
        let tuple = m.prim(g, Prim::Tuple, values, record.clone(), span);
        m.set_input(push, 1, tuple);
    }
    for &pop in &sites.pops {
        m.set_type(pop, Type::tuple([tape.clone(), record.clone()]));
        for part in m[pop].users().to_vec() {
            let ty = if m.as_prim(part.node) == Some(Prim::Get(0)) { &tape } else { &record };
            m.set_type(part.node, ty.clone());
        }
    }
    for &n in class {
        m.set_type(n, tape.clone());
        // The empty tape is a constant, shared by all tapes of one type.
        for i in 0..m[n].inputs().len() {
            let input = m[n].inputs()[i];
            if m[input].graph.is_none() && matches!(m[input].ty, Type::Tape(_)) {
                m.set_input(n, i, empty);
            }
        }
        if m[n].kind == Kind::Param {
            let g = m[n].graph.expect("a parameter belongs to a graph");
            let i = m[g].params.iter().position(|&p| p == n).expect("the parameters of a graph are listed");
            let c = m.graph_ref(g);
            for user in m[c].users().to_vec() {
                if m[m[user.node].inputs()[i + 1]].graph.is_none() {
                    m.set_input(user.node, i + 1, empty);
                }
            }
        }
    }
    if kept.is_empty() {
        for &push in &sites.pushes {
            m.replace(push, empty);
        }
        for &pop in &sites.pops {
            for part in m[pop].users().to_vec() {
                if m.as_prim(part.node) == Some(Prim::Get(0)) {
                    m.replace(part.node, empty);
                }
            }
        }
    }
}

/// The value of a field, where `read` reads it.
fn value_of(m: &mut Module, read: NodeId, sources: &[Source], field: usize, sites: &Sites) -> NodeId {
    let (g, span, from) = (m[read].graph.expect("an application belongs to a graph"), m[read].span, m[read].inputs()[0]);
    match sources[field].clone() {
        Source::Dead => unreachable!("a field that is read is live"),
        Source::Kept(k) => m.prim(g, Prim::Get(k as u32), vec![from], sites.types[field].clone(), span),
        Source::Constant(value) => value,
        Source::Same(other) => value_of(m, read, sources, other, sites),
        Source::Computed(prim, ty, operands) => {
            let operands = operands
                .into_iter()
                .map(|o| match o {
                    Operand::Constant(value) => value,
                    Operand::Field(i) => value_of(m, read, sources, i, sites),
                })
                .collect();
            m.prim(g, prim, operands, ty, span)
        }
    }
}
