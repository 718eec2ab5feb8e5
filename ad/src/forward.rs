//! Forward mode: tangents computed beside values.
//!
//! ```text
//! F(f)(f′, a…, a′…) = (y, y′)              f′ the box of the tangents of f's captures
//!
//! n = p(a…)             ⟶  n, and n′ by the row of p
//! n = f(a…)             ⟶  (n, n′) = F(f)(f′, a…, a′…)
//! return r              ⟶  return (r, r′)
//! goto g(a…)            ⟶  goto F(g)(a…, a′…)
//! return f(a…)          ⟶  return F(f)(f′, a…, a′…)
//! ```
//!
//! Blocks stay blocks and tail calls stay tail calls: a loop runs in the memory it ran in, and nothing is recorded. A known callee
//! takes the live leaves of its tangents behind its arguments, and gives a tangent that is `zero` where it is so structurally; a
//! call without any live tangent is the call of the primal. Only `F` of an unknown function passes tangents as a whole.
//!
//! **Of a higher order** the same code gives the coefficients of Taylor series: in the place of each tangent stand those of a series,
//! without the value. What moves values moves them one by one; the rows of the table make those of a result (`ad/src/series.rs`).
//!
//! A tangent belongs to a variable of the program that is transformed, and an inner `F` or `J` is ordinary code by the time
//! that an outer one reads it; so the tangents of two orders cannot meet.

use crate::activity::{Facts, Variant, acts};
use crate::cot::{Act, Cot};
use crate::expand::AdError;
use crate::program::Program;
use crate::series::{self, Series, Terms};
use crate::sweep::{Maker, Sweep};
use crate::trace;
use gradus_ir::build::Builder;
use gradus_ir::cfg::{Target, Terminator};
use gradus_ir::{Const, Flavor, GraphId, Kind, Module, NodeId, Prim, Role, Span, Type};
use rustc_hash::FxHashMap;
use std::collections::VecDeque;
use std::sync::Arc;

/// The companions of a value: its tangent, the coefficients of its series, or its place on a tape.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Beside {
    /// The coefficients of its series up to an order: of order 1 its tangent.
    Series(usize),
    /// Its place on the tape of a derivative that is traced (`ad/src/trace.rs`).
    Place,
}

impl Beside {
    /// The companions that an operator computes.
    pub fn by(operator: Prim) -> Option<Beside> {
        match operator {
            Prim::T => Some(Beside::Place),
            other => other.as_forward().map(Beside::Series),
        }
    }

    /// The operator that does.
    fn operator(self) -> Prim {
        match self {
            Beside::Series(order) => Prim::forward(order),
            Beside::Place => Prim::T,
        }
    }

    /// How many there are.
    fn count(self) -> usize {
        match self {
            Beside::Series(order) => order,
            Beside::Place => 1,
        }
    }

    /// The type of one, beside a value of type `ty`.
    pub fn of(self, ty: &Type) -> Type {
        match self {
            Beside::Series(_) => ty.cotangent(),
            Beside::Place => ty.traced(),
        }
    }

    /// The type of one beside a result of type `ty`: `zero` in the place of what is structurally zero.
    fn of_result(self, ty: &Type, act: &Act) -> Type {
        match act {
            Cot::Zero if !ty.is_inert() => Type::Zero,
            Cot::Zero | Cot::Live(_) => self.of(ty),
            Cot::Tuple(acts) => {
                let types = ty.fields().expect("a tuple of tangents belongs to a tuple");
                Type::tuple(types.iter().zip(acts).map(|(t, a)| self.of_result(t, a)))
            }
        }
    }

    /// The type of a result with all of them.
    fn pair(self, ty: &Type, act: &Act) -> Type {
        Type::tuple(std::iter::once(ty.clone()).chain(std::iter::repeat_n(self.of_result(ty, act), self.count())))
    }
}

/// Emits the graphs of forward mode into a module.
pub struct Forward<'m, 'p> {
    pub b: Builder<'m>,
    program: &'p Program,
    facts: &'p FxHashMap<Variant, Facts>,
    beside: Beside,
    /// How many stand beside a value.
    order: usize,
    /// The unknown callees of the primal whose derivatives were asked for, and the operators that do.
    asked: Vec<(Prim, NodeId)>,
    /// Where boxes of places would be added to each other.
    unknown: Option<Span>,
    /// The entry per variant: `fn(params…, live leaves…) -> (Y, tangent)`.
    entries: FxHashMap<Variant, GraphId>,
    pending: VecDeque<Variant>,
}

/// Makes nodes beside the copies of primal nodes.
pub struct Nodes<'a, 'm, 'p> {
    pub forward: &'a mut Forward<'m, 'p>,
    pub graph: GraphId,
    pub copies: FxHashMap<NodeId, NodeId>,
}

/// Works on each coefficient by itself: what is no series is the same for all.
impl Maker for Nodes<'_, '_, '_> {
    type V = Series;
    fn module(&self) -> &Module {
        self.forward.b.m
    }
    fn primal(&mut self, n: NodeId) -> Series {
        let copy = self.copy(n);
        self.same(copy)
    }
    fn constant(&mut self, value: Const, ty: Type) -> Series {
        let constant = self.forward.b.m.constant(value, ty);
        self.same(constant)
    }
    fn beside(&self, ty: &Type) -> Type {
        self.forward.beside.of(ty)
    }
    fn zero(&mut self, ty: &Type) -> Series {
        let zero = self.forward.b.zero(self.graph, ty);
        self.same(zero)
    }
    fn prim(&mut self, prim: Prim, operands: &[Series], span: Span) -> Series {
        let of_order = |k: usize| operands.iter().map(|o| o[k]).collect::<Vec<NodeId>>();
        (0..self.forward.order).map(|k| self.forward.b.prim(self.graph, prim, &of_order(k), span)).collect()
    }
    fn unpack(&mut self, boxed: Series, ty: Type, span: Span) -> Series {
        boxed.into_iter().map(|boxed| self.forward.b.unpack(self.graph, boxed, ty.clone(), span)).collect()
    }
    fn pull(&mut self, _: NodeId, _: Series) -> Series {
        unreachable!("forward mode has no pullbacks")
    }
}

impl Nodes<'_, '_, '_> {
    fn same(&self, n: NodeId) -> Series {
        Series::from_elem(n, self.forward.order)
    }

    fn copy(&self, n: NodeId) -> NodeId {
        self.copies.get(&n).copied().unwrap_or(n)
    }

    fn primals(&self, nodes: &[NodeId]) -> Vec<NodeId> {
        nodes.iter().map(|&n| self.copy(n)).collect()
    }

    /// The tuple of a value and its tangent.
    fn pair(&mut self, value: NodeId, tangent: Series, span: Span) -> NodeId {
        let all: Vec<NodeId> = std::iter::once(value).chain(tangent).collect();
        self.forward.b.tuple(self.graph, &all, span)
    }

    /// The tangent in such a tuple.
    fn tangent(&mut self, pair: NodeId, span: Span) -> Series {
        (1..=self.forward.order).map(|k| self.get(pair, k, span)).collect()
    }

    fn call(&mut self, callee: GraphId, args: &[NodeId], span: Span) -> NodeId {
        let callee = self.forward.b.m.graph_ref(callee);
        self.forward.b.call(self.graph, callee, args, None, span)
    }

    fn get(&mut self, tuple: NodeId, i: usize, span: Span) -> NodeId {
        self.forward.b.get(self.graph, tuple, i, span)
    }

    fn finish(&mut self, result: NodeId) {
        self.forward.b.m.set_result(self.graph, result);
    }
}

impl<'m, 'p> Forward<'m, 'p> {
    /// Emits into `m`, of which `program` and `facts` speak.
    pub fn new(m: &'m mut Module, program: &'p Program, facts: &'p FxHashMap<Variant, Facts>, beside: Beside) -> Self {
        let (asked, unknown, entries, pending) = Default::default();
        Forward { b: Builder::new(m), program, facts, beside, order: beside.count(), asked, unknown, entries, pending }
    }

    /// Gives the unknown callees of the primal whose derivatives were asked for, and the operators that do.
    pub fn finish(self) -> Result<Vec<(Prim, NodeId)>, AdError> {
        self.unknown.map_or(Ok(self.asked), |span| Err(AdError::Traced { span }))
    }

    /// Runs `make` in the graph `g`, outside of any function that is transformed.
    pub fn within<T>(&mut self, g: GraphId, make: impl FnOnce(&mut Sweep<'_, Nodes<'_, 'm, 'p>>) -> T) -> T {
        let mut callee = |_: &_| unreachable!("nothing is swept in reverse");
        let maker = Nodes { forward: self, graph: g, copies: FxHashMap::default() };
        let done = make(&mut Sweep::new(maker, &mut callee));
        while let Some(variant) = self.pending.pop_front() {
            self.function(&variant);
        }
        done
    }

    /// The graph of `F f` as of a value; the first `captures` parameters of `f` are what its closure holds.
    pub fn value(&mut self, f: GraphId, captures: usize) -> GraphId {
        let (types, result) = self.signature(f);
        let span = self.b.m[f].span;
        let operator = self.beside.operator();
        let derived = operator.derived_type(&types[captures..], &result);
        let derived = derived.signature().expect("F has a function type");
        let name = format!("{}.{}", self.b.m[f].name, self.suffix());
        let g = self.b.m.add_graph(name, Flavor::Function, Role::Forward, span);
        self.b.m.declare_result(g, derived.result.clone());
        let names: Vec<Option<Arc<str>>> = self.b.m[f].params.iter().map(|&p| self.b.m[p].name.clone()).collect();
        let tangent = |k| names[captures..].iter().map(move |n| n.as_deref().map(|n| tangent_name(n, k)));
        let all = names.iter().cloned().chain((0..self.order).flat_map(tangent));
        let mut all: Vec<Option<Arc<str>>> = all.collect();
        all.splice(captures..captures, vec![None; self.order]);
        let params: Vec<Type> = types[..captures].iter().chain(&derived.params).cloned().collect();
        let params: Vec<NodeId> = params.into_iter().zip(all).map(|(ty, name)| self.b.m.add_param(g, ty, name, span)).collect();
        let given = Given::new(&params[..captures], &params[captures..], self.order);
        let variant = value_variant(self.b.m, f);
        self.within(g, |sweep| {
            let pair = push_call(sweep, &variant, &given, span);
            sweep.maker.finish(pair);
        });
        g
    }

    /// What a call of `F` of a known function, with these captures, becomes.
    pub fn call(&mut self, call: NodeId, f: GraphId, captured: &[NodeId]) -> NodeId {
        let variant = call_variant(self.b.m, call, f, captured.len(), self.order);
        let g = self.b.m[call].graph.expect("a call belongs to a graph");
        let (inputs, span) = (self.b.m[call].inputs()[1..].to_vec(), self.b.m[call].span);
        let given = Given::new(captured, &inputs, self.order);
        self.within(g, |sweep| push_call(sweep, &variant, &given, span))
    }

    /// The entry of a variant, declared; its body follows.
    fn entry(&mut self, variant: &Variant) -> GraphId {
        if let Some(&g) = self.entries.get(variant) {
            return g;
        }
        let g = self.declare(variant.0, &variant.1, &self.facts[variant].result);
        self.entries.insert(variant.clone(), g);
        self.pending.push_back(variant.clone());
        g
    }

    /// Declares F(g): its parameters, with a leaf per live tangent, and its result type.
    fn declare(&mut self, g: GraphId, acts: &[Act], result: &Act) -> GraphId {
        let graph = &self.b.m[g];
        let (name, flavor, span, params) =
            (format!("{}.{}", graph.name, self.suffix()), graph.flavor, graph.span, graph.params.clone());
        let pair = self.beside.pair(&graph.result, result);
        let dual = self.b.m.add_graph(name, flavor, Role::Forward, span);
        self.b.m.declare_result(dual, pair);
        let mut leaves: Vec<(Type, Option<Arc<str>>, Span)> = Vec::new();
        for (&p, act) in params.iter().zip(acts) {
            let (ty, name, span) = (self.b.m[p].ty.clone(), self.b.m[p].name.clone(), self.b.m[p].span);
            let mut types = Vec::new();
            act.leaves(&ty, &mut |leaf| types.push(self.beside.of(leaf)));
            let named = |k| name.as_deref().map(|n| tangent_name(n, k));
            leaves.extend(types.into_iter().flat_map(|t| (0..self.order).map(move |k| (t.clone(), named(k), span))));
            self.b.m.add_param(dual, ty, name, span);
        }
        for (ty, name, span) in leaves {
            self.b.m.add_param(dual, ty, name, span);
        }
        dual
    }

    /// The end of the names of derived functions.
    fn suffix(&self) -> &'static str {
        if self.beside == Beside::Place { "T" } else { "F" }
    }

    pub fn signature(&self, g: GraphId) -> (Vec<Type>, Type) {
        let params = self.b.m[g].params.iter().map(|&p| self.b.m[p].ty.clone()).collect();
        (params, self.b.m[g].result.clone())
    }

    /// Emits the body of a variant's function.
    fn function(&mut self, variant: &Variant) {
        let (program, facts) = (self.program, &self.facts[variant]);
        let function = program.cfg.function_of(variant.0);
        let root = function.root;
        let entry = self.entries[variant];
        // The function's own tail calls may bring tangents that a caller has not.
        let is_header = facts.params[root] != variant.1;
        let mut duals: FxHashMap<GraphId, GraphId> = FxHashMap::default();
        for &g in &function.blocks {
            let dual = if g == root && !is_header { entry } else { self.declare(g, &facts.params[g], &facts.result) };
            duals.insert(g, dual);
        }
        let mut callee = |_: &_| unreachable!("nothing is swept in reverse");
        let maker = Nodes { forward: self, graph: entry, copies: FxHashMap::default() };
        let mut body = Body { sweep: Sweep::new(maker, &mut callee), program, facts, duals, terms: Terms::default() };
        if is_header {
            body.enter_loop(entry, variant);
        }
        for &g in &function.blocks {
            body.block(g);
        }
    }
}

/// What a call of `F f` is given.
struct Given<'a> {
    captured: &'a [NodeId],
    /// The tangent of the callee.
    boxed: Series,
    args: &'a [NodeId],
    tangents: Vec<Series>,
}

impl<'a> Given<'a> {
    /// From the arguments of `F f`.
    fn new(captured: &'a [NodeId], given: &'a [NodeId], order: usize) -> Given<'a> {
        let (boxed, given) = given.split_at(order);
        let (args, rest) = given.split_at(given.len() / (order + 1));
        let tangents = (0..args.len()).map(|i| rest.iter().skip(i).step_by(args.len()).copied().collect()).collect();
        Given { captured, boxed: boxed.into(), args, tangents }
    }
}

/// The variant that serves `F f` as a value: every tangent may be there, and may be a materialised zero.
pub fn value_variant(m: &Module, f: GraphId) -> Variant {
    (f, m[f].params.iter().map(|&p| Act::full(&m[p].ty)).collect())
}

/// The variant that serves a call of `F f`, where `f` holds so many captures: a tangent that is the constant zero is none.
pub fn call_variant(m: &Module, call: NodeId, f: GraphId, captures: usize, order: usize) -> Variant {
    let (captured, params) = m[f].params.split_at(captures);
    let all = Given::new(&[], &m[call].inputs()[1..], order);
    let no_box = all.boxed.iter().all(|&boxed| is_zero(m, boxed));
    let of_capture = |&p: &NodeId| if no_box { Cot::Zero } else { Act::full(&m[p].ty) };
    let joined = |ty: &Type, series: &Series| series.iter().fold(Cot::Zero, |act, &t| act.join(&given(m, t, ty)));
    let given = params.iter().zip(&all.tangents).map(|(&p, series)| joined(&m[p].ty, series));
    (f, captured.iter().map(of_capture).chain(given).collect())
}

/// What is known of a tangent that a program gives.
fn given(m: &Module, tangent: NodeId, ty: &Type) -> Act {
    match (ty, m.as_prim(tangent)) {
        _ if ty.is_inert() || is_zero(m, tangent) => Cot::Zero,
        (Type::Tuple(items), Some(Prim::Tuple)) => {
            let fields = items.iter().zip(m[tangent].inputs());
            Cot::tuple(fields.map(|(t, &n)| given(m, n, t)).collect())
        }
        _ => Act::full(ty),
    }
}

/// Whether a tangent is the constant that [`gradus_ir::build::zero_value`] makes.
pub fn is_zero(m: &Module, n: NodeId) -> bool {
    match m[n].as_const() {
        Some(Const::F64(bits)) => *bits == (-0.0f64).to_bits(),
        Some(constant) => *constant == Const::Zero,
        None => false,
    }
}

/// The pair that a call of `F f` gives, by the entry of a variant.
fn push_call(sweep: &mut Sweep<'_, Nodes<'_, '_, '_>>, variant: &Variant, given: &Given<'_>, span: Span) -> NodeId {
    let (f, acts) = variant;
    let (types, result) = sweep.maker.forward.signature(*f);
    let mut tangents = Vec::with_capacity(types.len());
    let captures = given.captured.len();
    if acts[..captures].iter().all(Cot::is_zero) {
        tangents.resize(captures, Cot::Zero);
    } else {
        let captured = Type::tuple(types[..captures].iter().cloned());
        let content = sweep.maker.beside(&captured);
        let opened = sweep.maker.unpack(given.boxed.clone(), content, span);
        let fields = sweep.explode(opened, &captured, span);
        tangents.extend((0..captures).map(|i| fields.clone().into_field(i)));
    }
    for ((t, act), ty) in given.tangents.iter().zip(&acts[captures..]).zip(&types[captures..]) {
        tangents.push(part(sweep, t.clone(), act, ty, span));
    }
    let primals: Vec<NodeId> = given.captured.iter().chain(given.args).copied().collect();
    let full = Act::full(&result);
    pair(sweep, variant, &primals, tangents, &full, span)
}

/// Calls a variant, or the primal where no tangent comes of it, for a pair whose tangent is laid out as `to` says. The call is in
/// tail position if the variant's own result is laid out so.
pub fn pair(
    sweep: &mut Sweep<'_, Nodes<'_, '_, '_>>,
    variant: &Variant,
    primals: &[NodeId],
    tangents: Vec<Cot<Series>>,
    to: &Act,
    span: Span,
) -> NodeId {
    let (f, acts) = variant;
    let (types, ty) = sweep.maker.forward.signature(*f);
    let result = sweep.maker.forward.facts.get(variant).map_or(Cot::Zero, |facts| facts.result.clone());
    let (y, tangent) = if result.is_zero() {
        (sweep.maker.call(*f, primals, span), Cot::Zero)
    } else {
        let mut leaves = Vec::new();
        for ((tangent, act), ty) in tangents.into_iter().zip(acts).zip(&types) {
            sweep.leaves(tangent, act, ty, &mut leaves);
        }
        let entry = sweep.maker.forward.entry(variant);
        let t = sweep.maker.call(entry, &with_leaves(primals, leaves), span);
        let beside = sweep.maker.forward.beside;
        if beside.of_result(&ty, &result) == beside.of_result(&ty, to) {
            return t;
        }
        let (y, dy) = (sweep.maker.get(t, 0, span), sweep.maker.tangent(t, span));
        (y, part(sweep, dy, &result, &ty, span))
    };
    let tangent = laid_out(sweep, tangent, to, &ty, span);
    sweep.maker.pair(y, tangent, span)
}

/// The arguments of a variant.
fn with_leaves(primals: &[NodeId], leaves: Vec<Series>) -> Vec<NodeId> {
    primals.iter().copied().chain(leaves.into_iter().flatten()).collect()
}

/// Such arguments, as the leaves that they were made of.
fn leaves_of(nodes: &[NodeId], order: usize) -> impl Iterator<Item = Series> {
    nodes.chunks(order).map(Series::from)
}

/// The body of a function under transformation.
struct Body<'a, 'm, 'p> {
    sweep: Sweep<'a, Nodes<'a, 'm, 'p>>,
    program: &'p Program,
    facts: &'p Facts,
    /// F of each block.
    duals: FxHashMap<GraphId, GraphId>,
    /// The series in the block at hand.
    terms: Terms,
}

impl Body<'_, '_, '_> {
    fn module(&self) -> &Module {
        self.sweep.maker.module()
    }

    /// Lets the entry go to the function's own loop header, which takes more tangents.
    fn enter_loop(&mut self, entry: GraphId, (root, acts): &Variant) {
        let params = self.module()[entry].params.clone();
        let own = self.module()[*root].params.clone();
        let span = self.module()[*root].span;
        let (primals, leaves) = params.split_at(own.len());
        let (mut all, mut leaves) = (Vec::new(), leaves_of(leaves, self.sweep.maker.forward.order));
        for ((&p, act), header) in own.iter().zip(acts).zip(&self.facts.params[*root]) {
            let ty = self.module()[p].ty.clone();
            self.sweep.leaves(act.fill(&mut leaves), header, &ty, &mut all);
        }
        let jump = self.sweep.maker.call(self.duals[root], &with_leaves(primals, all), span);
        self.sweep.maker.finish(jump);
    }

    fn block(&mut self, g: GraphId) {
        let dual = self.duals[&g];
        self.sweep.maker.graph = dual;
        let params = self.module()[dual].params.clone();
        let own = self.module()[g].params.clone();
        let (primals, leaves) = params.split_at(own.len());
        let mut leaves = leaves_of(leaves, self.sweep.maker.forward.order);
        self.terms = Terms::default();
        for ((&p, &copy), act) in own.iter().zip(primals).zip(&self.facts.params[g]) {
            self.sweep.maker.copies.insert(p, copy);
            self.sweep.add(p, act.fill(&mut leaves), Span::NONE);
        }
        for n in self.program.body(g) {
            self.node(n);
        }
        self.terminator(g);
    }

    fn node(&mut self, n: NodeId) {
        let node = &self.module()[n];
        let (kind, ty, span, name) = (node.kind.clone(), node.ty.clone(), node.span, node.name.clone());
        let inputs = node.inputs().to_vec();
        let operands = self.sweep.maker.primals(&inputs);
        let graph = self.sweep.maker.graph;
        let (copy, tangent) = match kind {
            Kind::Prim(prim) => (self.sweep.maker.forward.b.apply(graph, prim.in_derivative(), &operands, ty, span), None),
            _ => self.call(n, &inputs, &operands),
        };
        if let Some(name) = name {
            self.sweep.maker.forward.b.m.set_name(copy, name);
        }
        self.sweep.maker.copies.insert(n, copy);
        match (kind, tangent) {
            (Kind::Prim(Prim::Gadd), _)
                if self.sweep.maker.forward.beside == Beside::Place && !acts(&self.sweep, &inputs).iter().any(Cot::is_zero) =>
            {
                self.sweep.maker.forward.unknown = Some(span);
            }
            (Kind::Prim(_), _) if self.sweep.maker.forward.beside == Beside::Place && trace::is_entry(self.module(), n) => {
                if let Some(place) = trace::entry(&mut self.sweep, n, &inputs) {
                    self.sweep.add(n, Cot::Live(Series::from_elem(place, 1)), span);
                }
            }
            (Kind::Prim(prim), _) if self.sweep.maker.forward.order > 1 && series::is_of_row(prim) => {
                self.series(n, prim, &inputs)
            }
            (Kind::Prim(prim), _) => self.sweep.push(n, prim),
            (_, Some(tangent)) => self.sweep.add(n, tangent, span),
            (_, None) => {}
        }
    }

    /// A call that is not in tail position, and its tangent if it has one.
    fn call(&mut self, n: NodeId, inputs: &[NodeId], operands: &[NodeId]) -> (NodeId, Option<Cot<Series>>) {
        let (ty, span, graph) = (self.module()[n].ty.clone(), self.module()[n].span, self.sweep.maker.graph);
        let tangents = acts(&self.sweep, inputs);
        let primal = |s: &mut Self| s.sweep.maker.forward.b.m.call(graph, operands[0], &operands[1..], ty.clone(), span);
        if tangents.iter().all(Cot::is_zero) {
            return (primal(self), None);
        }
        let Some(h) = self.module().as_graph(inputs[0]) else {
            let t = self.unknown(inputs, operands, &ty, span);
            let (y, dy) = (self.sweep.maker.get(t, 0, span), self.sweep.maker.tangent(t, span));
            return (y, Some(self.sweep.explode(dy, &ty, span)));
        };
        let variant = (h, tangents[1..].to_vec());
        let result = self.sweep.maker.forward.facts[&variant].result.clone();
        if result.is_zero() {
            return (primal(self), None);
        }
        let given = inputs[1..].iter().map(|&i| self.sweep.get(i)).collect();
        let t = pair(&mut self.sweep, &variant, &operands[1..], given, &result, span);
        let (y, dy) = (self.sweep.maker.get(t, 0, span), self.sweep.maker.tangent(t, span));
        (y, Some(part(&mut self.sweep, dy, &result, &ty, span)))
    }

    /// Gives the application of a primitive with a row the series of its result.
    fn series(&mut self, n: NodeId, prim: Prim, inputs: &[NodeId]) {
        let span = self.module()[n].span;
        let tangents: Vec<Cot<Series>> = inputs.iter().map(|&i| self.sweep.get(i)).collect();
        if tangents.iter().all(Cot::is_zero) || self.module()[n].ty.is_inert() {
            return;
        }
        let given: Vec<(NodeId, NodeId, Option<Series>)> = inputs
            .iter()
            .zip(tangents)
            .map(|(&i, t)| (i, self.sweep.maker.copy(i), if let Cot::Live(series) = t { Some(series) } else { None }))
            .collect();
        let (graph, value) = (self.sweep.maker.graph, self.sweep.maker.copy(n));
        let mut rows = series::Rows { b: &mut self.sweep.maker.forward.b, graph, terms: &mut self.terms, n, span };
        if let Some(series) = rows.application(prim, &given, value, self.sweep.maker.forward.order) {
            self.sweep.add(n, Cot::Live(series), span);
        }
    }

    /// The pair that a call of an unknown callee gives.
    fn unknown(&mut self, inputs: &[NodeId], operands: &[NodeId], ty: &Type, span: Span) -> NodeId {
        let graph = self.sweep.maker.graph;
        let types: Vec<Type> = inputs.iter().map(|&i| self.module()[i].ty.clone()).collect();
        let (order, operator) = (self.sweep.maker.forward.order, self.sweep.maker.forward.beside.operator());
        let derived = operator.derived_type(&types[1..], ty);
        let result = derived.signature().expect("F has a function type").result.clone();
        let mut whole = Vec::with_capacity(inputs.len());
        for (&i, t) in inputs.iter().zip(&types) {
            let tangent = self.sweep.get(i);
            whole.push(self.sweep.whole(tangent, t, span));
        }
        let tangents = (0..order).flat_map(|k| whole[1..].iter().map(move |series| series[k]));
        let args: Vec<NodeId> = whole[0].iter().copied().chain(operands[1..].iter().copied()).chain(tangents).collect();
        self.sweep.maker.forward.asked.push((operator, inputs[0]));
        let b = &mut self.sweep.maker.forward.b;
        let callee = b.apply(graph, operator, &operands[..1], derived, span);
        b.call(graph, callee, &args, Some(result), span)
    }

    fn terminator(&mut self, g: GraphId) {
        let terminator = self.program.cfg.terminator(g);
        let span = self.module()[self.module().result(g)].span;
        let args = terminator.args(self.module()).to_vec();
        let result = match terminator {
            Terminator::Return(value) => {
                let ty = self.module()[value].ty.clone();
                let (y, tangent) = (self.sweep.maker.copy(value), self.sweep.get(value));
                let tangent = laid_out(&mut self.sweep, tangent, &self.facts.result, &ty, span);
                self.sweep.maker.pair(y, tangent, span)
            }
            Terminator::Jump { target, .. } => self.jump(target, &args, span),
            Terminator::Branch { cond, arms, .. } => {
                let dual = self.sweep.maker.graph;
                let arms = arms.map(|arm| match arm {
                    Target::Block(block) if args.is_empty() => self.sweep.maker.forward.b.m.graph_ref(self.duals[&block]),
                    arm => self.arm(g, arm, &args, span),
                });
                self.sweep.maker.graph = dual;
                let condition = self.sweep.maker.copy(cond);
                let b = &mut self.sweep.maker.forward.b;
                let choice = b.prim(dual, Prim::Select, &[condition, arms[0], arms[1]], span);
                b.call(dual, choice, &[], None, span)
            }
            Terminator::TailCall { call } => {
                let inputs = self.module()[call].inputs().to_vec();
                match self.module().as_graph(inputs[0]) {
                    Some(h) => self.tail_call(g, h, &args, span),
                    None => {
                        let (operands, ty) = (self.sweep.maker.primals(&inputs), self.module()[call].ty.clone());
                        self.unknown(&inputs, &operands, &ty, span)
                    }
                }
            }
        };
        self.sweep.maker.finish(result);
    }

    /// A block that leads where an arm does, with its arguments.
    fn arm(&mut self, g: GraphId, arm: Target, args: &[NodeId], span: Span) -> NodeId {
        let (ty, result) = (self.module()[arm.graph()].result.clone(), &self.facts.result);
        let name = format!("{}.{}", self.module()[arm.graph()].name, self.sweep.maker.forward.suffix());
        let pair = self.sweep.maker.forward.beside.pair(&ty, result);
        let m = &mut *self.sweep.maker.forward.b.m;
        let block = m.add_graph(name, Flavor::Block, Role::Forward, span);
        m.declare_result(block, pair);
        self.sweep.maker.graph = block;
        let end = match arm {
            Target::Block(target) => self.jump(target, args, span),
            Target::Function(h) => self.tail_call(g, h, args, span),
        };
        self.sweep.maker.finish(end);
        self.sweep.maker.forward.b.m.graph_ref(block)
    }

    fn jump(&mut self, target: GraphId, args: &[NodeId], span: Span) -> NodeId {
        let mut leaves = Vec::new();
        for (&a, act) in args.iter().zip(&self.facts.params[target]) {
            let (tangent, ty) = (self.sweep.get(a), self.module()[a].ty.clone());
            self.sweep.leaves(tangent, act, &ty, &mut leaves);
        }
        let all = with_leaves(&self.sweep.maker.primals(args), leaves);
        self.sweep.maker.call(self.duals[&target], &all, span)
    }

    /// A tail call of a known function, in the block `g`.
    fn tail_call(&mut self, g: GraphId, h: GraphId, args: &[NodeId], span: Span) -> NodeId {
        let variant = (h, acts(&self.sweep, args));
        let is_live = self.program.in_cycle(g, h) || !variant.1.iter().all(Cot::is_zero);
        let tangents = args.iter().map(|&a| self.sweep.get(a)).collect();
        let primals = self.sweep.maker.primals(args);
        debug_assert!(!is_live || self.sweep.maker.forward.facts.contains_key(&variant), "the analysis has seen this call");
        pair(&mut self.sweep, &variant, &primals, tangents, &self.facts.result, span)
    }
}

/// The live part of a tangent that came as a whole, or laid out as `act` says.
fn part<M: Maker>(sweep: &mut Sweep<'_, M>, value: M::V, act: &Act, ty: &Type, span: Span) -> Cot<M::V> {
    match act {
        Cot::Zero => Cot::Zero,
        Cot::Live(()) => Cot::Live(value),
        Cot::Tuple(fields) => {
            let types = ty.fields().expect("a tuple of tangents belongs to a tuple");
            let mut parts = Vec::with_capacity(fields.len());
            for (i, (field, ty)) in fields.iter().zip(types).enumerate() {
                parts.push(match field {
                    Cot::Zero => Cot::Zero,
                    _ => {
                        let value = sweep.maker.prim(Prim::Get(i as u32), std::slice::from_ref(&value), span);
                        part(sweep, value, field, ty, span)
                    }
                });
            }
            Cot::tuple(parts)
        }
    }
}

/// A tangent of type [`Beside::of_result`], with zeros filled in.
fn laid_out<M: Maker>(sweep: &mut Sweep<'_, M>, tangent: Cot<M::V>, act: &Act, ty: &Type, span: Span) -> M::V {
    match act {
        Cot::Zero if !ty.is_inert() => sweep.maker.constant(Const::Zero, Type::Zero),
        Cot::Zero | Cot::Live(_) => sweep.whole(tangent, ty, span),
        Cot::Tuple(acts) => {
            let types = ty.fields().expect("a tuple of tangents belongs to a tuple");
            let mut values = Vec::with_capacity(acts.len());
            for (i, (act, ty)) in acts.iter().zip(types).enumerate() {
                values.push(laid_out(sweep, tangent.clone().into_field(i), act, ty, span));
            }
            sweep.maker.prim(Prim::Tuple, &values, span)
        }
    }
}

/// The name of the coefficient with this number, counted from 0.
fn tangent_name(name: &str, k: usize) -> Arc<str> {
    match k {
        0 => format!("d{name}"),
        _ => format!("d{}{name}", k + 1),
    }
    .into()
}
