//! What is recorded: records of tapes hold what the adjoint still reads once it is simplified (AD.md §5, rule 10).
//!
//! A *class* is the tape-typed nodes that one and the same tape flows through: from the empty tape over pushes, parameters and
//! captures to pops. Of a class all of whose places are known, a field of the record goes if
//!
//! * *dead*: no pop reads it;
//! * *equal*: every push gives it the value of another field;
//! * *invariant*: every push gives it one value, a constant or one from outside of the loop that both halves have in scope;
//! * *recomputed*: every push gives it the same few cheap operations on invariants, on other fields that are kept, and on what is
//!   recomputed already;
//! * *closure*: every push gives it a closure of the same graph; its captures take its place, and the pop makes it anew.
//!
//! If none is left, the pushes and pops go too.
//!
//! The last three need that every record that is popped was pushed, and was not summed with another. So they are for tapes that begin
//! `undefined`, as what a loop records does; of a tape of cotangents, which begins with `zero`, a pop may go below the first record.

use crate::clone::{clone_graphs, graphs_with};
use crate::nesting::{Tree, fixed_graphs, scopes};
use crate::report::PassReport;
use gradus_ir::cfg::Cfg;
use gradus_ir::{Const, GraphId, Kind, Module, Nest, NodeId, Prim, Type};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::{BTreeMap, BTreeSet};

/// A closure with more captures than this stays one.
const MAX_CAPTURES: usize = 64;

/// How many operations are executed again rather than that one value is recorded.
const MAX_COMPUTED: usize = 8;

/// Shrinks records.
pub(crate) fn run(m: &mut Module, nest: &Nest, report: &mut PassReport) {
    let classes = classes(m, nest);
    if classes.is_empty() {
        return;
    }
    let scopes = scopes(nest, &Cfg::new(m, nest));
    for class in classes {
        let Some(sites) = Sites::new(m, &class.nodes) else { continue };
        let invariants = Invariants::new(m, &scopes, &class.nodes);
        let pushed_only = class.pushed_only;
        let (computed, numbers) = Default::default();
        let mut fields = Fields { m, nest, pushed_only, invariants, kept: Vec::new(), computed, numbers };
        let sources = fields.sources(&sites);
        let Fields { kept, computed, .. } = fields;
        if sources.iter().all(|s| matches!(s, Source::Is(Operand::Field(_)))) && kept.len() == sources.len() {
            continue;
        }
        for source in &sources {
            match source {
                Source::Is(Operand::Field(_)) => {}
                Source::Dead => report.count("dead fields", 1),
                Source::Is(Operand::Value(_)) => report.count("invariant fields", 1),
                Source::Is(Operand::Computed(_)) => report.count("recomputed fields", 1),
                Source::Closure { .. } => report.count("closures taken apart", 1),
            }
        }
        report.count("records", 1);
        rewrite(m, nest, &class.nodes, &sites, &sources, (&kept, &computed));
        if sources.iter().any(|s| matches!(s, Source::Closure { .. })) {
            return; // Other tapes may be in graphs that were copied; they wait for the next round.
        }
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

/// Tape-typed nodes that one tape flows through.
struct Class {
    /// The nodes, in the order of the graphs.
    nodes: Vec<NodeId>,
    /// Whether each record that is popped is one that was pushed.
    pushed_only: bool,
}

/// The classes of tapes whose places are all known.
fn classes(m: &Module, nest: &Nest) -> Vec<Class> {
    let is_tape = |&n: &NodeId| matches!(m[n].ty, Type::Tape(_));
    let all = |&g: &GraphId| m[g].params.iter().chain(nest.schedule(g)).copied().filter(is_tape).collect::<Vec<_>>();
    let tapes: Vec<NodeId> = nest.graphs().iter().flat_map(all).collect();
    if tapes.is_empty() {
        return Vec::new();
    }
    let fixed = fixed_graphs(m);
    let mut union = Union { parent: FxHashMap::default(), open: FxHashSet::default() };
    // What may be popped though it was not pushed: zeros below a tape of cotangents, and sums.
    let mut others: FxHashSet<NodeId> = FxHashSet::default();
    for &n in &tapes {
        for source in sources_of(m, &fixed, n).unwrap_or_else(|| {
            union.give_up(n);
            Vec::new()
        }) {
            match m[source].as_const() {
                None => union.join(n, source),
                Some(Const::Undefined) => {}
                Some(_) => _ = others.insert(n),
            }
        }
        if m.as_prim(n) == Some(Prim::Gadd) {
            others.insert(n);
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
    let class = |nodes: Vec<NodeId>| Class { pushed_only: !nodes.iter().any(|n| others.contains(n)), nodes };
    classes.into_values().map(class).collect()
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
        Kind::Prim(Prim::Get(0)) if m.as_prim(inputs[0]) == Some(Prim::Pop) => {
            let tape = m[inputs[0]].inputs()[0];
            m[tape].graph.map(|_| vec![tape])
        }
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

/// A value that the adjoint has without the old field.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Operand {
    /// The field with this number in the new record.
    Field(usize),
    /// A constant, or a value from outside of the loop.
    Value(NodeId),
    /// What is computed again, by its number.
    Computed(usize),
}

/// A primitive of values that the adjoint has, those with smaller numbers among the computed ones.
#[derive(Clone, PartialEq, Debug)]
struct Computed {
    prim: Prim,
    ty: Type,
    operands: Vec<Operand>,
    /// What it is at every push.
    values: Vec<NodeId>,
}

/// What becomes of a field.
#[derive(Clone, PartialEq, Debug)]
enum Source {
    Dead,
    Is(Operand),
    /// A closure of `graph`: the variables it captures from the loop, and the values of these and then of the bound arguments.
    Closure {
        graph: GraphId,
        captured: Vec<NodeId>,
        values: Vec<Operand>,
    },
}

/// A field of the new record: its type, and what each push gives it.
type Field = (Type, Vec<NodeId>);

impl Sites {
    /// None where a record is not made and taken apart on the spot, or is no tuple.
    fn new(m: &Module, class: &[NodeId]) -> Option<Sites> {
        let types = m[*class.first()?].ty.record()?.fields()?.to_vec();
        let mut sites = Sites { reads: vec![Vec::new(); types.len()], types, pushes: Vec::new(), pops: Vec::new() };
        for &n in class {
            if m.as_prim(n) == Some(Prim::Push) {
                sites.pushes.push(n);
            }
            sites.pops.extend(m[n].users().iter().map(|u| u.node).filter(|&u| m.as_prim(u) == Some(Prim::Pop)));
        }
        if sites.pushes.iter().any(|&push| m.as_prim(m[push].inputs()[1]) != Some(Prim::Tuple)) {
            return None;
        }
        for part in sites.pops.iter().flat_map(|&pop| m[pop].users()) {
            match m.as_prim(part.node)? {
                Prim::Get(0) => {}
                Prim::Get(1) => {
                    for read in m[part.node].users() {
                        let Prim::Get(i) = m.as_prim(read.node)? else { return None };
                        sites.reads[i as usize].push(read.node);
                    }
                }
                _ => return None,
            }
        }
        Some(sites)
    }

    /// What every push gives a field, in the order of the pushes.
    fn pushed(&self, m: &Module, field: usize) -> Vec<NodeId> {
        self.pushes.iter().map(|&push| m[m[push].inputs()[1]].inputs()[field]).collect()
    }
}

/// What comes from outside of all loops that a tape goes around, in both halves, and is in the scope of both.
struct Invariants<'a> {
    scopes: &'a Tree,
    /// The graphs that the tape is a parameter of.
    owners: BTreeSet<GraphId>,
}

impl<'a> Invariants<'a> {
    fn new(m: &Module, scopes: &'a Tree, class: &[NodeId]) -> Invariants<'a> {
        let params = class.iter().filter(|&&n| m[n].kind == Kind::Param);
        Invariants { scopes, owners: params.filter_map(|&n| m[n].graph).collect() }
    }

    fn contains(&self, m: &Module, v: NodeId) -> bool {
        let around = |owner: GraphId| self.owners.iter().all(|&g| g != owner && self.scopes.is_within(g, owner));
        !self.owners.is_empty() && m[v].graph.is_some_and(around)
    }
}

/// The fields of the new record, as far as they are decided.
struct Fields<'a> {
    m: &'a Module,
    nest: &'a Nest,
    /// [`Class::pushed_only`].
    pushed_only: bool,
    invariants: Invariants<'a>,
    kept: Vec<Field>,
    computed: Vec<Computed>,
    /// The numbers of what is computed, by what it is at every push.
    numbers: FxHashMap<Vec<NodeId>, usize>,
}

impl Fields<'_> {
    fn sources(&mut self, sites: &Sites) -> Vec<Source> {
        let pushed: Vec<Vec<NodeId>> = (0..sites.types.len()).map(|i| sites.pushed(self.m, i)).collect();
        // Operands before what is computed from them, as nodes are made in that order.
        let mut live: Vec<usize> = (0..sites.types.len()).filter(|&i| !sites.reads[i].is_empty()).collect();
        live.sort_by_key(|&i| pushed[i].first().copied());
        let mut sources = vec![Source::Dead; sites.types.len()];
        for i in live {
            let source = match self.known(&pushed[i], &sites.types[i]) {
                Some(operand) => Some(Source::Is(operand)),
                None if self.pushed_only => self.compute(&pushed[i]).map(Source::Is).or_else(|| self.closure(&pushed[i])),
                None => None,
            };
            sources[i] = source.unwrap_or_else(|| Source::Is(self.keep(pushed[i].clone(), sites.types[i].clone())));
        }
        sources
    }

    fn keep(&mut self, values: Vec<NodeId>, ty: Type) -> Operand {
        self.known(&values, &ty).unwrap_or_else(|| {
            self.kept.push((ty, values));
            Operand::Field(self.kept.len() - 1)
        })
    }

    /// One value at every push that the adjoint has already.
    fn known(&self, values: &[NodeId], ty: &Type) -> Option<Operand> {
        let &first = values.first()?;
        let m = self.m;
        let outside = match m.as_graph(first) {
            Some(g) => self.nest.free(g).all(|v| self.invariants.contains(m, v)),
            None => m[first].graph.is_none() || self.invariants.contains(m, first),
        };
        let is_zero = matches!(ty, Type::F64) && m.as_f64(first).is_some_and(|v| v.to_bits() == (-0.0_f64).to_bits())
            || m[first].as_const() == Some(&Const::Zero);
        if outside && (self.pushed_only || is_zero) && values.iter().all(|&v| v == first) {
            return Some(Operand::Value(first));
        }
        let field = self.kept.iter().position(|(t, kept)| t == ty && kept == values).map(Operand::Field);
        field.or_else(|| self.numbers.get(values).copied().map(Operand::Computed))
    }

    /// What every push gives a field as a cheap function of what the adjoint has. A word in the record costs a store, a load and its
    /// part of the cache; so many operations are dearer.
    fn compute(&mut self, values: &[NodeId]) -> Option<Operand> {
        let before = self.computed.len();
        let found = self.derive(values, &mut { MAX_COMPUTED });
        if found.is_none() {
            for computed in self.computed.drain(before..) {
                self.numbers.remove(&computed.values);
            }
        }
        found
    }

    fn derive(&mut self, values: &[NodeId], budget: &mut usize) -> Option<Operand> {
        let m = self.m;
        let ty = m[*values.first()?].ty.clone();
        if let Some(known) = self.known(values, &ty) {
            return Some(known);
        }
        let prim = m.as_prim(values[0])?;
        if !is_cheap(prim, &ty) || values.iter().any(|&v| m.as_prim(v) != Some(prim)) {
            return None;
        }
        *budget = budget.checked_sub(1)?;
        let mut operands = Vec::with_capacity(m[values[0]].inputs().len());
        for k in 0..m[values[0]].inputs().len() {
            let given: Vec<NodeId> = values.iter().map(|&v| m[v].inputs()[k]).collect();
            operands.push(self.derive(&given, budget)?);
        }
        self.numbers.insert(values.to_vec(), self.computed.len());
        self.computed.push(Computed { prim, ty, operands, values: values.to_vec() });
        Some(Operand::Computed(self.computed.len() - 1))
    }

    /// What every push gives a field as a closure of one graph: its captures become fields.
    fn closure(&mut self, values: &[NodeId]) -> Option<Source> {
        let m = self.m;
        let closures: Vec<(GraphId, &[NodeId])> = values
            .iter()
            .map(|&v| match m.as_prim(v) {
                Some(Prim::Partial) => m.as_graph(m[v].inputs()[0]).map(|q| (q, &m[v].inputs()[1..])),
                _ => m.as_graph(v).map(|q| (q, &[][..])),
            })
            .collect::<Option<_>>()?;
        let &(graph, bound) = closures.first()?;
        if closures.iter().any(|c| c.0 != graph || c.1.len() != bound.len()) || !self.nest.contains(graph) {
            return None;
        }
        let captured: Vec<NodeId> = self.nest.free(graph).filter(|&v| !self.invariants.contains(m, v)).collect();
        if captured.len() + bound.len() > MAX_CAPTURES {
            return None;
        }
        let fields = captured.iter().map(|&v| vec![v; values.len()]);
        let bound = (0..bound.len()).map(|i| closures.iter().map(|c| c.1[i]).collect());
        let fields: Vec<Vec<NodeId>> = fields.chain(bound).collect();
        let values = fields.into_iter().map(|values| {
            let ty = m[values[0]].ty.clone();
            self.keep(values, ty)
        });
        let values = values.collect();
        Some(Source::Closure { graph, captured, values })
    }
}

/// Whether a primitive may be computed again instead of being recorded: it is total, and one instruction or two.
fn is_cheap(prim: Prim, ty: &Type) -> bool {
    use Prim::*;
    match prim {
        Float | Not | And | Or | Lt | Le | Gt | Ge | Eq | Ne | WrapAdd | WrapSub => true,
        Add | Sub | Mul | Neg | Abs => *ty == Type::F64,
        _ => false,
    }
}

// --- the new record

fn rewrite(
    m: &mut Module,
    nest: &Nest,
    class: &[NodeId],
    sites: &Sites,
    sources: &[Source],
    (kept, computed): (&[Field], &[Computed]),
) {
    let record = Type::tuple(kept.iter().map(|(ty, _)| ty.clone()));
    let tape = Type::tape(record.clone());
    let mut made = Made { kept, computed, nodes: FxHashMap::default() };
    // What is read may be pushed again.
    let mut replaced: FxHashMap<NodeId, NodeId> = FxHashMap::default();
    for (reads, source) in sites.reads.iter().zip(sources) {
        for &read in reads {
            let value = made.value_of(m, nest, read, source);
            m.replace(read, value);
            replaced.insert(read, value);
        }
    }
    for (i, &push) in sites.pushes.iter().enumerate() {
        let (g, span) = (m[push].graph.expect("an application belongs to a graph"), m[push].span);
        let values: Vec<NodeId> = kept.iter().map(|(_, values)| replaced.get(&values[i]).copied().unwrap_or(values[i])).collect();
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
    // A tape without records is a constant, shared by all tapes of one type.
    let retype = |m: &mut Module, n: NodeId, i: usize| {
        let input = m[n].inputs()[i];
        if let Some(constant) = m[input].as_const().cloned()
            && matches!(m[input].ty, Type::Tape(_))
        {
            let empty = m.constant(constant, tape.clone());
            m.set_input(n, i, empty);
        }
    };
    for &n in class {
        m.set_type(n, tape.clone());
        (0..m[n].inputs().len()).for_each(|i| retype(m, n, i));
        if m[n].kind == Kind::Param {
            let g = m[n].graph.expect("a parameter belongs to a graph");
            let i = m[g].params.iter().position(|&p| p == n).expect("the parameters of a graph are listed");
            let constant = m.graph_ref(g);
            for user in m[constant].users().to_vec() {
                retype(m, user.node, i + 1);
            }
        }
    }
    if kept.is_empty() {
        let rests = sites.pops.iter().flat_map(|&pop| m[pop].users()).map(|u| u.node);
        let rests: Vec<NodeId> = rests.filter(|&n| m.as_prim(n) == Some(Prim::Get(0))).collect();
        let empty = m.constant(Const::Zero, tape);
        for &n in sites.pushes.iter().chain(&rests) {
            m.replace(n, empty);
        }
    }
}

/// What was made of the new record.
struct Made<'a> {
    kept: &'a [Field],
    computed: &'a [Computed],
    /// What was computed again from a record, in a graph.
    nodes: FxHashMap<(NodeId, GraphId, usize), NodeId>,
}

impl Made<'_> {
    /// The value of a field, where `read` reads it.
    fn value_of(&mut self, m: &mut Module, nest: &Nest, read: NodeId, source: &Source) -> NodeId {
        match source {
            Source::Dead => unreachable!("a field that is read is live"),
            Source::Is(operand) => self.operand(m, read, *operand),
            Source::Closure { graph, captured, values } => {
                let values: Vec<NodeId> = values.iter().map(|&o| self.operand(m, read, o)).collect();
                let (variables, bound) = values.split_at(captured.len());
                let mut map: FxHashMap<NodeId, NodeId> = captured.iter().copied().zip(variables.iter().copied()).collect();
                let graphs = graphs_with(nest, *graph, captured, |v| m[v].graph);
                let copies = clone_graphs(m, nest, &graphs, &mut map);
                let closure = m.graph_ref(copies.get(graph).copied().unwrap_or(*graph));
                if bound.is_empty() {
                    return closure;
                }
                let (g, span, ty) = (m[read].graph.expect("an application belongs to a graph"), m[read].span, m[read].ty.clone());
                m.prim(g, Prim::Partial, [&[closure], bound].concat(), ty, span)
            }
        }
    }

    /// A value, beside `read`.
    fn operand(&mut self, m: &mut Module, read: NodeId, operand: Operand) -> NodeId {
        let (g, span, record) = (m[read].graph.expect("an application belongs to a graph"), m[read].span, m[read].inputs()[0]);
        let Operand::Computed(number) = operand else { return self.given(m, read, operand) };
        let mut needed = BTreeSet::new();
        let mut work = vec![number];
        while let Some(k) = work.pop() {
            if !self.nodes.contains_key(&(record, g, k)) && needed.insert(k) {
                work.extend(self.computed[k].operands.iter().filter_map(|o| match o {
                    Operand::Computed(k) => Some(*k),
                    _ => None,
                }));
            }
        }
        for k in needed {
            let Computed { prim, ty, operands, .. } = &self.computed[k];
            let operands = operands.iter().map(|&o| self.given(m, read, o)).collect();
            let node = m.prim(g, *prim, operands, ty.clone(), span);
            self.nodes.insert((record, g, k), node);
        }
        self.given(m, read, operand)
    }

    /// A value that is there, or in the record.
    fn given(&self, m: &mut Module, read: NodeId, operand: Operand) -> NodeId {
        let (g, span, record) = (m[read].graph.expect("an application belongs to a graph"), m[read].span, m[read].inputs()[0]);
        match operand {
            Operand::Value(value) => value,
            Operand::Computed(k) => self.nodes[&(record, g, k)],
            Operand::Field(k) => m.prim(g, Prim::Get(k as u32), vec![record], self.kept[k].0.clone(), span),
        }
    }
}
