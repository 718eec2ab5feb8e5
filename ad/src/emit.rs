//! The emission of derivatives: their entries, and what both strategies share.
//!
//! `K(g)` is emitted for a region (the graphs that tail calls reach from one function, [`Program::region`]) by one of the two
//! strategies, and has one signature whichever it is:
//!
//! ```text
//! K(g)(p…, k) = (y, pb)     pb(ȳ) = k(D(g)), a tail call
//! D(g)        = the cotangents of g's parameters: the live leaves, in order
//! J(f)(a…)    = K(f)(a…, λ(D). (D…))
//! ```
//!
//! So the result type of `k` is concrete: the tuple of D. Where a callee that is not known may call K, the result type is opaque,
//! since such a callee has one `K` for all its callers: boxed at the end of the chain, opened in `J`.

use crate::analysis::{Facts, Variant};
use crate::cot::{Act, Cot};
use crate::plan::{Decision, Plan, Strategy};
use crate::program::{Program, Tail};
use crate::stack::flow::Flow;
use crate::sweep::{Maker, Sweep};
use crate::varied;
use gradus_ir::build::Builder;
use gradus_ir::prim::Reverse;
use gradus_ir::{Const, Flavor, GraphId, Kind, Module, NodeId, Prim, Role, Span, Type, prim};
use rustc_hash::FxHashMap;
use std::collections::VecDeque;

/// Emits derivative graphs into a module.
pub struct Emitter<'m, 'p> {
    pub b: Builder<'m>,
    pub program: &'p Program,
    pub facts: &'p FxHashMap<Variant, Facts>,
    plan: (&'p Plan, usize),
    /// What was decided for the functions so far.
    pub decisions: Vec<Decision>,
    /// The unknown callees of the primal whose derivatives were asked for, and the operators that do.
    pub asked: Vec<(Prim, NodeId)>,
    /// The known entry per variant: `fn(params…) -> (Y, fn(Ȳ) -> (live leaves of D…))`.
    entries: FxHashMap<Variant, GraphId>,
    /// K of a variant's function, per variant and whether its result type is opaque.
    pub regions: FxHashMap<(Variant, bool), GraphId>,
    pending: VecDeque<(Variant, bool)>,
}

/// The copy of one region.
pub struct Region<'p> {
    pub facts: &'p Facts,
    /// The cotangent of the function's result.
    pub up: Act,
    /// What continuations give back.
    pub result: Type,
    /// The forward copy of each graph.
    pub k: FxHashMap<GraphId, GraphId>,
    /// The forward copy of each primal node, and the pullback of each call that has one.
    pub copies: FxHashMap<NodeId, NodeId>,
    pub pullbacks: FxHashMap<NodeId, NodeId>,
}

/// Makes nodes of the adjoint in one graph.
pub struct Nodes<'a, 'm> {
    pub b: &'a mut Builder<'m>,
    pub graph: GraphId,
    pub copies: &'a FxHashMap<NodeId, NodeId>,
    pub pullbacks: &'a FxHashMap<NodeId, NodeId>,
}

impl Maker for Nodes<'_, '_> {
    type V = NodeId;
    fn module(&self) -> &Module {
        self.b.m
    }
    fn primal(&mut self, n: NodeId) -> NodeId {
        self.copies.get(&n).copied().unwrap_or(n)
    }
    fn constant(&mut self, value: Const, ty: Type) -> NodeId {
        self.b.m.constant(value, ty)
    }
    fn zero(&mut self, ty: &Type) -> NodeId {
        self.b.zero(self.graph, ty)
    }
    fn prim(&mut self, prim: Prim, operands: &[NodeId], span: Span) -> NodeId {
        self.b.prim(self.graph, prim, operands, span)
    }
    fn unpack(&mut self, boxed: NodeId, ty: Type, span: Span) -> NodeId {
        self.b.unpack(self.graph, boxed, ty, span)
    }
    fn pull(&mut self, n: NodeId, cotangent: NodeId) -> NodeId {
        let span = self.b.m[n].span;
        self.b.call(self.graph, self.pullbacks[&n], &[cotangent], None, span)
    }
}

impl<'m, 'p> Emitter<'m, 'p> {
    /// Emits into `m`, of which `program` and `facts` speak, derivatives of an order by a plan.
    pub fn new(m: &'m mut Module, program: &'p Program, facts: &'p FxHashMap<Variant, Facts>, plan: (&'p Plan, usize)) -> Self {
        let (decisions, asked, entries, regions, pending) = Default::default();
        Emitter { b: Builder::new(m), program, facts, plan, decisions, asked, entries, regions, pending }
    }

    /// The graph of `J f` (or of another operator of reverse mode, as `prim` says) as of a value, by the contract of
    /// docs/strategies.md §1; the first `captures` parameters of `f` are what its closure holds.
    pub fn value(&mut self, f: GraphId, prim: Prim, captures: usize) -> GraphId {
        let operator = prim.as_reverse().expect("an operator of reverse mode");
        let variant = Variant::of_value(self.b.m, f, operator);
        let entry = match operator.tail {
            false => self.value_j(&variant, captures),
            true => self.value_k(&variant, captures),
        };
        while let Some((variant, opaque)) = self.pending.pop_front() {
            self.region(&variant, opaque);
        }
        entry
    }

    // --- the entries of a function as a value

    fn value_j(&mut self, variant: &Variant, captures: usize) -> GraphId {
        let f = variant.function;
        let span = self.b.m[f].span;
        let (types, result) = self.signature(f);
        let pb_type = match prim::j_type(&types[captures..], &result) {
            Type::Fn(sig) => sig.result.clone(),
            other => unreachable!("{other} is the type of a J"),
        };
        let j = self.graph(f, "J", Role::Forward, pb_type);
        let args = self.params(j, &types, Some(f));
        let (y, back) = if variant.up.is_zero() {
            let callee = self.b.m.graph_ref(f);
            let y = self.b.call(j, callee, &args, None, span);
            let (back, _) = self.pullback(f, &result);
            let leaves: Vec<Act> = vec![Cot::Zero; types.len()];
            let values = self.cotangents(back, &leaves, &types, captures, &mut std::iter::empty(), span);
            let all = self.b.tuple(back, &values, span);
            self.b.m.set_result(back, all);
            (y, back)
        } else {
            let down = self.facts[variant].params().to_vec();
            let known = self.entry(variant);
            let callee = self.b.m.graph_ref(known);
            let t = self.b.call(j, callee, &args, None, span);
            let (y, pb) = (self.b.get(j, t, 0, span), self.b.get(j, t, 1, span));
            let (back, cotangent) = self.pullback(f, &result);
            let r = self.b.call(back, pb, &[cotangent], None, span);
            let count: usize = down.iter().map(Act::count).sum();
            let leaves: Vec<NodeId> = (0..count).map(|i| self.b.get(back, r, i, span)).collect();
            let values = self.cotangents(back, &down, &types, captures, &mut leaves.into_iter(), span);
            let all = self.b.tuple(back, &values, span);
            self.b.m.set_result(back, all);
            (y, back)
        };
        let back = self.b.m.graph_ref(back);
        let pair = self.b.tuple(j, &[y, back], span);
        self.b.m.set_result(j, pair);
        j
    }

    fn value_k(&mut self, variant: &Variant, captures: usize) -> GraphId {
        let f = variant.function;
        let span = self.b.m[f].span;
        let (types, result) = self.signature(f);
        let Type::Fn(sig) = prim::k_type(&types[captures..], &result) else { unreachable!("K has a function type") };
        let entry = self.graph(f, "K", Role::Forward, sig.result.clone());
        let args = self.params(entry, &types, Some(f));
        let k = self.b.m.add_param(entry, sig.params.last().expect("K takes a continuation").clone(), Some("k".into()), span);
        if variant.up.is_zero() {
            let callee = self.b.m.graph_ref(f);
            let y = self.b.call(entry, callee, &args, None, span);
            let (back, _) = self.pullback(f, &result);
            let leaves: Vec<Act> = vec![Cot::Zero; types.len()];
            let values = self.cotangents(back, &leaves, &types, captures, &mut std::iter::empty(), span);
            let end = self.b.call(back, k, &values, None, span);
            self.b.m.set_result(back, end);
            let back = self.b.m.graph_ref(back);
            let pair = self.b.tuple(entry, &[y, back], span);
            self.b.m.set_result(entry, pair);
        } else {
            let down = self.facts[variant].params().to_vec();
            let (end, leaves) = self.continuation(f, &down, &types, Type::Opaque, "end");
            let values = self.cotangents(end, &down, &types, captures, &mut leaves.into_iter(), span);
            let jump = self.b.call(end, k, &values, None, span);
            self.b.m.set_result(end, jump);
            let whole = self.region_entry(variant, true);
            self.enter(entry, whole, args, end, span);
        }
        entry
    }

    /// The cotangents of a function as a value: the box of its captures', then its arguments', each as a whole.
    fn cotangents(
        &mut self,
        g: GraphId,
        acts: &[Act],
        types: &[Type],
        captures: usize,
        leaves: &mut impl Iterator<Item = NodeId>,
        span: Span,
    ) -> Vec<NodeId> {
        let filled: Vec<Cot<NodeId>> = acts.iter().map(|a| a.fill(leaves)).collect();
        let none = (FxHashMap::default(), FxHashMap::default());
        let mut callee = |_: &_| unreachable!("nothing is swept here");
        let maker = Nodes { b: &mut self.b, graph: g, copies: &none.0, pullbacks: &none.1 };
        let mut sweep = Sweep::new(maker, &mut callee);
        let captured = Type::tuple(types[..captures].iter().cloned());
        let environment = Cot::tuple(filled[..captures].to_vec());
        let boxed = if environment.is_zero() {
            sweep.maker.constant(Const::Zero, Type::Opaque)
        } else {
            let whole = sweep.whole(environment, &captured, span);
            sweep.maker.prim(Prim::Pack, &[whole], span)
        };
        let args = filled[captures..].iter().zip(&types[captures..]);
        let mut values = vec![boxed];
        values.extend(args.map(|(c, t)| sweep.whole(c.clone(), t, span)));
        values
    }

    // --- the entries of a function whose callers are known

    /// `fn(params…) -> (Y, fn(Ȳ) -> (live leaves of D…))`.
    fn entry(&mut self, variant: &Variant) -> GraphId {
        if let Some(&g) = self.entries.get(variant) {
            return g;
        }
        let f = variant.function;
        let span = self.b.m[f].span;
        let (types, result) = self.signature(f);
        let facts = &self.facts[variant];
        let down = facts.params().to_vec();
        let leaves = leaf_types(&down, &types);
        let content = Type::tuple(leaves.iter().cloned());
        let pair = Type::tuple([result.clone(), Type::func([result.cotangent()], content.clone())]);
        let j = self.graph(f, "J", Role::Forward, pair);
        self.entries.insert(variant.clone(), j);
        let args = self.params(j, &types, Some(f));
        let opaque = facts.region.iter().any(|&g| matches!(self.program.tail(self.b.m, g, &facts.region), Tail::Unknown { .. }));
        let end_type = if opaque { Type::Opaque } else { content.clone() };
        let (end, values) = self.continuation(f, &down, &types, end_type, "end");
        let mut all = self.b.tuple(end, &values, span);
        if opaque {
            all = self.b.prim(end, Prim::Pack, &[all], span);
        }
        self.b.m.set_result(end, all);
        let whole = self.region_entry(variant, opaque);
        if opaque {
            let callee = self.b.m.graph_ref(whole);
            let k = self.b.m.graph_ref(end);
            let args: Vec<NodeId> = args.into_iter().chain([k]).collect();
            let t = self.b.call(j, callee, &args, None, span);
            let (y, pb) = (self.b.get(j, t, 0, span), self.b.get(j, t, 1, span));
            let (back, cotangent) = self.pullback(f, &result);
            let r = self.b.call(back, pb, &[cotangent], None, span);
            let opened = self.b.unpack(back, r, content, span);
            self.b.m.set_result(back, opened);
            let back = self.b.m.graph_ref(back);
            let pair = self.b.tuple(j, &[y, back], span);
            self.b.m.set_result(j, pair);
        } else {
            self.enter(j, whole, args, end, span);
        }
        j
    }

    /// Lets `g` end in a call of the K `whole` with the continuation `end`.
    pub fn enter(&mut self, g: GraphId, whole: GraphId, args: Vec<NodeId>, end: GraphId, span: Span) {
        let callee = self.b.m.graph_ref(whole);
        let k = self.b.m.graph_ref(end);
        let args: Vec<NodeId> = args.into_iter().chain([k]).collect();
        let call = self.b.call(g, callee, &args, None, span);
        self.b.m.set_result(g, call);
    }

    /// K of the function of a variant, declared; its body follows.
    pub fn region_entry(&mut self, variant: &Variant, opaque: bool) -> GraphId {
        let key = (variant.clone(), opaque);
        if let Some(&g) = self.regions.get(&key) {
            return g;
        }
        let result = self.end_type(variant, opaque);
        let g = self.declare_k(variant.function, &self.facts[variant].down[variant.function].clone(), &result);
        self.regions.insert(key.clone(), g);
        self.pending.push_back(key);
        g
    }

    pub fn end_type(&self, variant: &Variant, opaque: bool) -> Type {
        if opaque {
            return Type::Opaque;
        }
        let (types, _) = self.signature(variant.function);
        Type::tuple(leaf_types(self.facts[variant].params(), &types))
    }

    /// Declares K(g): its parameters and `k`, its result type.
    pub fn declare_k(&mut self, g: GraphId, down: &[Act], end: &Type) -> GraphId {
        let (types, result) = self.signature(g);
        let span = self.b.m[g].span;
        let pair = Type::tuple([result.clone(), Type::func([result.cotangent()], end.clone())]);
        let k = self.graph(g, "fwd", Role::Forward, pair);
        self.params(k, &types, Some(g));
        let leaves = leaf_types(down, &self.input_types(g));
        self.b.m.add_param(k, Type::func(leaves, end.clone()), Some("k".into()), span);
        k
    }

    // --- the body of a region

    fn region(&mut self, variant: &Variant, opaque: bool) {
        let facts = &self.facts[variant];
        let (result, k) = (self.end_type(variant, opaque), FxHashMap::default());
        let (copies, pullbacks) = Default::default();
        let region = Region { facts, up: variant.up.clone(), result, k, copies, pullbacks };
        let entry = self.regions[&(variant.clone(), opaque)];
        let flow = Flow::new(self.b.m, self.program, &facts.region);
        let decision = self.plan.0.decide(self.plan.1, &self.b.m[variant.function].name, &flow);
        let strategy = decision.strategy;
        self.decisions.push(decision);
        match (strategy, flow) {
            (Strategy::Stack, Ok(flow)) => self.stack(entry, region, flow),
            _ => self.closure(entry, region),
        }
    }

    /// The graphs of a region, owners before those nested in them: a copy exists before it is captured.
    pub fn owners_first(&self, region: &Region<'_>) -> Vec<GraphId> {
        let mut order = region.facts.region.clone();
        order.sort_by_key(|&g| self.program.nest.depth(g));
        order
    }

    /// Lets `k` be the forward copy of `g`, with the parameters it has.
    pub fn set_copy(&self, region: &mut Region<'_>, g: GraphId, k: GraphId) {
        region.k.insert(g, k);
        region.copies.extend(self.b.m[g].params.iter().copied().zip(self.b.m[k].params.iter().copied()));
    }

    /// Copies the nodes of `g`; calls that have a cotangent become calls of J.
    pub fn forward(&mut self, g: GraphId, region: &mut Region<'_>) {
        let k = region.k[&g];
        let tail = self.program.tail(self.b.m, g, &region.facts.region);
        let result = self.b.m.result(g);
        let tail_call = (!matches!(tail, Tail::Return(_))).then_some(result);
        let program = self.program;
        for &n in program.nest.schedule(g) {
            if Some(n) == tail_call || program.cfg.is_branch(n) {
                continue;
            }
            let node = &self.b.m[n];
            let (ty, span, name) = (node.ty.clone(), node.span, node.name.clone());
            let inputs: Vec<NodeId> = node.inputs().iter().map(|i| region.copies.get(i).copied().unwrap_or(*i)).collect();
            let copy = match node.kind {
                Kind::Prim(p) => self.b.apply(k, p.in_derivative(), &inputs, ty, span),
                _ => match self.j_of_call(n, &inputs, region.facts, k) {
                    Some(j) => {
                        let t = self.b.call(k, j, &inputs[1..], None, span);
                        let pullback = self.b.get(k, t, 1, span);
                        region.pullbacks.insert(n, pullback);
                        self.b.get(k, t, 0, span)
                    }
                    None => self.b.m.call(k, inputs[0], &inputs[1..], ty, span),
                },
            };
            if let Some(name) = name {
                self.b.m.set_name(copy, name);
            }
            region.copies.insert(n, copy);
        }
    }

    /// What a call that is not in tail position becomes a call of, if it has a cotangent that somebody receives.
    pub fn j_of_call(&mut self, n: NodeId, inputs: &[NodeId], facts: &Facts, k: GraphId) -> Option<NodeId> {
        let up = facts.calls.get(&n)?;
        let primal = self.b.m[n].inputs().to_vec();
        if let Some(function) = self.b.m.as_graph(primal[0]) {
            let varied = varied::of_args(facts.varied.as_ref(), &primal[1..]);
            let variant = Variant { function, up: up.clone(), varied };
            if self.facts[&variant].params().iter().all(Cot::is_zero) {
                return None;
            }
            let entry = self.entry(&variant);
            return Some(self.b.m.graph_ref(entry));
        }
        let args: Vec<Type> = inputs[1..].iter().map(|&a| self.b.m[a].ty.clone()).collect();
        let ty = prim::j_type(&args, &self.b.m[n].ty);
        let span = self.b.m[n].span;
        let last = varied::is_last(facts.varied.as_ref(), primal[0], &primal[1..]);
        let prim = Reverse { tail: false, last }.prim();
        self.asked.push((prim, primal[0]));
        Some(self.b.apply(k, prim, &[inputs[0]], ty, span))
    }

    // --- small things

    /// The live part of a cotangent that came as a whole.
    pub fn live_part(&mut self, g: GraphId, value: NodeId, act: &Act, ty: &Type, span: Span) -> Cot<NodeId> {
        match act {
            Cot::Zero => Cot::Zero,
            Cot::Live(()) => Cot::Live(value),
            Cot::Tuple(fields) => {
                let types = ty.fields().expect("a tuple of cotangents belongs to a tuple");
                let fields = fields.iter().zip(types).enumerate().map(|(i, (f, t))| {
                    if f.is_zero() {
                        return Cot::Zero;
                    }
                    let field = self.b.get(g, value, i, span);
                    self.live_part(g, field, f, t, span)
                });
                Cot::tuple(fields.collect())
            }
        }
    }

    pub fn signature(&self, g: GraphId) -> (Vec<Type>, Type) {
        let params = self.b.m[g].params.iter().map(|&p| self.b.m[p].ty.clone()).collect();
        (params, self.b.m[g].result.clone())
    }

    /// The types of a graph's free variables, then of its parameters.
    pub fn input_types(&self, g: GraphId) -> Vec<Type> {
        self.program.nest.free(g).chain(self.b.m[g].params.iter().copied()).map(|n| self.b.m[n].ty.clone()).collect()
    }

    pub fn graph(&mut self, of: GraphId, what: &str, role: Role, result: Type) -> GraphId {
        let name = format!("{}.{what}", self.b.m[of].name);
        let span = self.b.m[of].span;
        let g = self.b.m.add_graph(name, Flavor::Function, role, span);
        self.b.m.declare_result(g, result);
        g
    }

    pub fn params(&mut self, g: GraphId, types: &[Type], like: Option<GraphId>) -> Vec<NodeId> {
        let models = like.map(|f| self.b.m[f].params.clone()).unwrap_or_default();
        let mut params = Vec::with_capacity(types.len());
        for (i, ty) in types.iter().enumerate() {
            let (name, span) = match models.get(i) {
                Some(&p) => (self.b.m[p].name.clone(), self.b.m[p].span),
                None => (None, Span::NONE),
            };
            params.push(self.b.m.add_param(g, ty.clone(), name, span));
        }
        params
    }

    /// One parameter per live leaf.
    pub fn leaf_params(&mut self, g: GraphId, act: &Act, ty: &Type, name: Option<std::sync::Arc<str>>) -> Vec<NodeId> {
        let mut types = Vec::new();
        act.leaf_types(ty, &mut types);
        let name: Option<std::sync::Arc<str>> = name.map(|n| format!("g{n}").into());
        types.into_iter().map(|t| self.b.m.add_param(g, t, name.clone(), Span::NONE)).collect()
    }

    /// A graph that receives the live leaves of `down`, a cotangent per input of the given types.
    pub fn continuation(
        &mut self,
        of: GraphId,
        down: &[Act],
        types: &[Type],
        result: Type,
        what: &str,
    ) -> (GraphId, Vec<NodeId>) {
        let g = self.graph(of, what, Role::Backward, result);
        let mut leaves = Vec::new();
        for (act, ty) in down.iter().zip(types) {
            leaves.extend(self.leaf_params(g, act, ty, None));
        }
        (g, leaves)
    }

    /// The pullback graph of a function as a whole, and its parameter.
    pub fn pullback(&mut self, f: GraphId, result: &Type) -> (GraphId, NodeId) {
        self.pullback_to(f, result, Type::Unknown)
    }

    pub fn pullback_to(&mut self, g: GraphId, result: &Type, end: Type) -> (GraphId, NodeId) {
        let back = self.graph(g, "bwd", Role::Backward, end);
        let p = self.b.m.add_param(back, result.cotangent(), Some("gy".into()), Span::NONE);
        (back, p)
    }
}

pub fn leaf_types(acts: &[Act], types: &[Type]) -> Vec<Type> {
    let mut leaves = Vec::new();
    for (act, ty) in acts.iter().zip(types) {
        act.leaf_types(ty, &mut leaves);
    }
    leaves
}
