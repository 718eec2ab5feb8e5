//! Construction of the typed module from the completed analysis.

use super::abs::{Abs, Boxed, Closure, Sequence};
use super::calls::{Callee, Target};
use super::effects::{Manner, Site, Sites};
use super::engine::{Engine, Unassigned};
use super::failing;
use super::instances::InstId;
use super::layout::{Layout, is_callee_only, made_by, never_exists, never_returns};
use super::prims::{Ops, Out, Value};
use super::state::State;
use crate::data::{Boundary, Content, Form};
use crate::graph::{Const, GraphId, Kind, Module, NodeId};
use crate::prim::{Prim, j_type};
use crate::span::{Diagnostic, Span};
use crate::types::Type;
use rustc_hash::{FxHashMap, FxHashSet};

/// The typed module under construction.
pub(super) struct Emitter {
    pub(super) e: Engine,
    pub(super) layout: Layout,
    /// The state in the graph that is being made.
    pub(super) state: State,
    /// What the call before, which is witnessed, has printed.
    pub(super) witness: Option<NodeId>,
    pub(super) out: Module,
    graphs: FxHashMap<InstId, GraphId>,
    /// The state at the beginning of each.
    states: FxHashMap<InstId, State>,
    pub(super) nodes: FxHashMap<(InstId, NodeId), NodeId>,
    /// The blocks that only one jump leads to, on no condition, as in loops that are unrolled: each is a part of the graph that this jump
    /// would be in, where what is taken out of a tuple is known to be what was put in. With the instances that jump to them.
    parts: FxHashMap<InstId, InstId>,
    /// All constants were found before.
    wants_constant: bool,
}

/// The place where nodes go.
#[derive(Clone, Copy)]
pub(super) struct Place {
    pub(super) instance: InstId,
    pub(super) graph: GraphId,
    pub(super) span: Span,
}

/// What was found of how values enter and leave.
struct Forms {
    known: Vec<Boxed>,
    boxes: Vec<Option<Content>>,
}

pub(super) type Result<T> = std::result::Result<T, Diagnostic>;

impl Emitter {
    /// Builds the typed module whose entry is this instance.
    pub(super) fn emit(mut e: Engine, entry: InstId) -> std::result::Result<Module, Vec<Diagnostic>> {
        let layout = Layout::new(&mut e, entry);
        let lost = layout.misplaced(&mut e);
        if !lost.is_empty() {
            return Err(lost);
        }
        let mut out = Module::new();
        out.source = e.m.source.clone();
        out.floats = e.m.floats;
        let (graphs, states, nodes) = Default::default();
        let all = layout.instances();
        let parts = parts(&e, &all);
        let mut emitter = Emitter {
            e,
            layout,
            state: State::default(),
            witness: None,
            out,
            graphs,
            states,
            nodes,
            parts,
            wants_constant: false,
        };
        let own = emitter.own(&all);
        let built = emitter.build(&own, entry).map_err(|d| vec![d])?;
        if let Some(changed) = emitter.e.classes.changed {
            return Err(vec![changed]);
        }
        let (entry, boundary) = built;
        let mut out = emitter.out;
        out.boundary = boundary;
        out.entry = Some(entry);
        failing::settle(&mut out, entry);
        out.collect_garbage(&[entry]);
        Ok(out)
    }

    /// Makes all graphs. Gives the one that runs, and how values enter and leave it.
    fn build(&mut self, own: &[InstId], entry: InstId) -> Result<(GraphId, Boundary)> {
        for &id in own {
            self.declare(id)?;
        }
        for &id in own {
            self.body(id)?;
        }
        Ok((self.begin(entry, self.graphs[&entry])?, self.boundary(entry)?))
    }

    /// The instances with graphs of their own, each after those that hold its free variables: a part may be made later than what is
    /// nested in it.
    fn own(&self, all: &[InstId]) -> Vec<InstId> {
        let host =
            |id: InstId| std::iter::successors(Some(id), |id| self.parts.get(id).copied()).last().expect("itself at least");
        let (mut order, mut seen) = (Vec::new(), FxHashSet::default());
        for &id in all.iter().filter(|id| !self.parts.contains_key(id)) {
            let around = |&id: &InstId| self.e.instances[id].parent.map(host);
            let chain: Vec<InstId> = std::iter::successors(Some(id), around).take_while(|&id| seen.insert(id)).collect();
            order.extend(chain.into_iter().rev());
        }
        order
    }

    pub(super) fn ty(&mut self, a: &Abs) -> Result<Type> {
        self.layout.ty(&mut self.e.classes, &self.e.m, a)
    }

    /// How values enter and leave an entry.
    fn boundary(&mut self, entry: InstId) -> Result<Boundary> {
        let (args, result) = (self.e.instances[entry].args.clone(), self.e.instances[entry].result.clone());
        let mut forms = Forms { known: Vec::new(), boxes: Vec::new() };
        let params = args.iter().map(|a| self.form(a, &mut forms)).collect::<Result<_>>()?;
        let result = Some(self.form(&result, &mut forms)?);
        let boxes = forms.boxes.into_iter().map(|b| b.expect("every box was described")).collect();
        Ok(Boundary { params, result, boxes })
    }

    fn form(&mut self, a: &Abs, forms: &mut Forms) -> Result<Form> {
        Ok(match a {
            Abs::Tuple(items, of) => {
                let items = items.iter().map(|a| self.form(a, forms)).collect::<Result<_>>()?;
                if *of == Sequence::List { Form::List(items) } else { Form::Tuple(items) }
            }
            Abs::Record(schema, items) => {
                if let Some(element) = a.element() {
                    // A list that is always empty could be of anything.
                    let element = if element.is_bottom() { &Abs::None } else { element };
                    return Ok(Form::Unbounded(Box::new(self.form(element, forms)?)));
                }
                Form::Record(schema.clone(), items.iter().map(|a| self.form(a, forms)).collect::<Result<_>>()?)
            }
            Abs::Boxed(boxed) => {
                if let Some(i) = forms.known.iter().position(|b| b == boxed) {
                    return Ok(Form::Boxed(i));
                }
                let i = forms.known.len();
                forms.known.push(boxed.clone());
                forms.boxes.push(None);
                let content = self.e.classes.content(boxed);
                let fields = content.iter().map(|a| self.form(a, forms)).collect::<Result<_>>()?;
                let ty = self.ty(&Abs::Tuple(content, Sequence::Tuple))?;
                forms.boxes[i] = Some((boxed.schema.clone(), fields, ty));
                Form::Boxed(i)
            }
            Abs::Union(kinds) => {
                let mut all = Vec::with_capacity(kinds.len());
                for kind in kinds.iter() {
                    all.push((self.e.classes.tag(kind), self.form(kind, forms)?));
                }
                Form::Union(all)
            }
            other => Form::Plain(self.ty(other)?),
        })
    }

    fn declare(&mut self, id: InstId) -> Result<()> {
        let instance = &self.e.instances[id];
        let (source, args) = (instance.graph, instance.args.clone());
        let result = self.e.instances[instance.function].result.clone();
        let graph = self.e.m[source].clone();
        let g = self.out.add_graph(graph.name, graph.flavor, graph.role, graph.span.or(instance.site));
        for (&param, abs) in graph.params.iter().zip(&args) {
            let ty = self.ty(abs)?;
            let (name, span) = (self.e.m[param].name.clone(), self.e.m[param].span);
            let p = self.out.add_param(g, ty, name, span);
            self.nodes.insert((id, param), p);
        }
        let sites = self.sites_at(id);
        // Blocks hand on what is the function's own, too.
        let inside = &self.layout.does(self.e.instances[id].function).inside;
        let taken = if self.e.instances[id].function == id { sites.clone() } else { inside.clone() };
        let state = self.take_state(g, &taken)?;
        self.states.insert(id, state);
        let result = self.result_type(&result, &sites)?;
        self.out.declare_result(g, result);
        self.graphs.insert(id, g);
        Ok(())
    }

    /// Makes what is in a graph: what its instance computes, and what comes after that.
    fn body(&mut self, id: InstId) -> Result<()> {
        let graph = self.graphs[&id];
        self.state = self.states[&id].clone();
        let mut next = Some(id);
        while let Some(id) = next {
            next = self.part(id, graph)?;
        }
        Ok(())
    }

    /// Makes in a graph what an instance computes. Gives the block that goes on there, if there is one.
    fn part(&mut self, id: InstId, graph: GraphId) -> Result<Option<InstId>> {
        let source = self.e.instances[id].graph;
        if let Some(read) = self.e.instances[id].unassigned {
            let value = self.unassigned(id, graph, read)?;
            self.out.set_result(graph, value);
            return Ok(None);
        }
        let result = self.e.m.result(source);
        let next = match self.e.instances[id].calls.get(&result) {
            Some(Target::Blocks { targets, .. }) => targets.iter().copied().find(|target| self.parts.contains_key(target)),
            _ => None,
        };
        for &node in self.e.scopes.schedule(source).iter().filter(|&&node| next.is_none() || node != result) {
            let at = Place { instance: id, graph, span: self.e.place(id, node) };
            if never_exists(&mut self.e, id, node) {
                let why = self.why_there_is_none(at, node);
                let mut ops = self.ops(at);
                let operands = [ops.int(0), ops.string(&why), ops.tuple(&[])];
                let value = self.failure(at, &operands)?;
                self.out.set_result(graph, value);
                return Ok(None);
            }
            if let Some(new) = self.node(at, node)? {
                if let Some(name) = self.e.m[node].name.clone() {
                    self.out.set_name(new, name);
                }
                self.nodes.insert((id, node), new);
                if let Some(f) = never_returns(&mut self.e, id, node) {
                    let value = self.after_endless(at, f, new)?;
                    self.out.set_result(graph, value);
                    return Ok(None);
                }
            }
        }
        if let Some(next) = next {
            let at = Place { instance: id, graph, span: self.e.place(id, result) };
            let given = self.e.m[result].inputs()[1..].to_vec();
            let to = self.e.instances[next].args.clone();
            let args = self.arguments(at, &given, &to)?;
            let params = self.e.m[self.e.instances[next].graph].params.iter();
            self.nodes.extend(params.zip(args).map(|(&param, arg)| ((next, param), arg)));
            return Ok(Some(next));
        }
        let value = match self.e.instances[id].calls.get(&result) {
            Some(Target::Blocks { .. }) => self.nodes[&(id, result)],
            _ if self.e.m.as_prim(result) == Some(Prim::Fail) => {
                let at = Place { instance: id, graph, span: self.e.place(id, result) };
                let inputs = self.e.m[result].inputs().to_vec();
                let operands = inputs.iter().map(|&n| self.operand(at, n)).collect::<Result<Vec<Value>>>()?;
                self.failure(at, &operands)?
            }
            _ => {
                let ret = self.e.m[source].ret.expect("a complete graph");
                let at = Place {
                    instance: id,
                    graph,
                    span: self.e.m[result].span.or(self.e.m[ret].span).or(self.e.instances[id].site),
                };
                let value = self.operand(at, result)?;
                let function = self.e.instances[id].function;
                let to = self.e.instances[function].result.clone();
                let value = self.ops(at).coerce(&value, &to).node;
                let sites = self.sites_at(id);
                self.with_state(at, value, &sites)?
            }
        };
        self.out.set_result(graph, value);
        Ok(None)
    }

    /// What a function returns where a variable that it reads has no value.
    fn unassigned(&mut self, id: InstId, graph: GraphId, read: Unassigned) -> Result<NodeId> {
        let at = Place { instance: id, graph, span: read.span };
        let name = self.e.m[read.variable].name.clone();
        let variable = name.map_or_else(|| "a variable".into(), |name| format!("the variable `{name}`"));
        let mut ops = self.ops(at);
        let operands = [ops.int(0), ops.string(&format!("UnboundLocalError: {variable} has no value here")), ops.tuple(&[])];
        self.failure(at, &operands)
    }

    /// What a function returns where it fails: the content of an empty box, which nobody gets to see.
    fn failure(&mut self, at: Place, operands: &[Value]) -> Result<NodeId> {
        let function = self.e.instances[at.instance].function;
        let to = self.e.instances[function].result.clone();
        let sites = self.sites_at(at.instance);
        let to = if sites.are_none() {
            to
        } else {
            Abs::tuple(std::iter::once(to).chain(sites.iter().map(|site| self.layout.site(site))))
        };
        let done = Value { abs: Abs::I64(None), node: self.now(at, Site::Output)? };
        let mut ops = self.ops(at);
        let failed = ops.say(Prim::Fail, &[&[done], &operands[1..]].concat())?;
        let failed = Value { abs: Abs::I64(None), ..failed };
        let zero = ops.int(0);
        let never = ops.op(Prim::Eq, &[&failed, &zero], Abs::Bool(None));
        let empty = ops.constant(Const::Zero, Type::Opaque, Abs::Opaque);
        let empty = ops.op(Prim::Guard, &[&empty, &never], Abs::Opaque);
        Ok(ops.unpack(&empty, to).node)
    }

    /// What a function returns after a call of one that never does: it has failed, or never gets there.
    fn after_endless(&mut self, at: Place, called: InstId, call: NodeId) -> Result<NodeId> {
        let result = Value { abs: self.e.instances[called].result.clone(), node: call };
        let mut ops = self.ops(at);
        let operands = [ops.int(0), ops.string("there is no value here: {}"), ops.tuple(&[result])];
        self.failure(at, &operands)
    }

    /// What is wrong where there is no value.
    fn why_there_is_none(&mut self, at: Place, node: NodeId) -> String {
        let inputs = self.e.m[node].inputs().to_vec();
        let values: Vec<Value> =
            inputs.iter().map(|&n| Value { abs: self.e.operand(at.instance, n), node: NodeId::default() }).collect();
        let why = self.e.m.as_prim(node).and_then(|prim| self.e.lacks(at.instance, prim, &inputs, &values));
        why.unwrap_or_else(|| "there is no value here".into())
    }

    pub(super) fn ops(&mut self, at: Place) -> Ops<'_> {
        let out = Out { m: &mut self.out, g: at.graph, layout: &self.layout, source: &self.e.m };
        Ops { out: Some(out), span: at.span, classes: &mut self.e.classes, wants_constant: &mut self.wants_constant }
    }

    fn node(&mut self, at: Place, node: NodeId) -> Result<Option<NodeId>> {
        debug_assert!(
            self.e.is_in_order(at.instance, node, &self.layout),
            "{:?} does something, and its order is not known",
            self.e.m[node].kind
        );
        self.made(at, node)
    }

    fn made(&mut self, at: Place, node: NodeId) -> Result<Option<NodeId>> {
        if let Some(&on_cell) = self.layout.cells.uses.get(&(at.instance, node)) {
            return self.on_cell(at, node, on_cell).map(Some);
        }
        if let Some(target) = self.e.instances[at.instance].calls.get(&node).cloned() {
            return self.call(at, node, target).map(Some);
        }
        if self.e.m.as_prim(node) == Some(Prim::ByObject) {
            let value = self.e.m[node].inputs()[1];
            return Ok(Some(self.operand(at, value)?.node));
        }
        if let Some(value) = self.effect(at, node)? {
            return Ok(Some(value));
        }
        let abs = self.e.operand(at.instance, node);
        let is_closure = made_by(&mut self.e, at.instance, node).is_some();
        let constant = match &abs {
            // Blocks and derivatives are chosen where they are called; closures are made where they are used.
            Abs::Bottom | Abs::Func(_) if is_closure || is_callee_only(&self.e.m, node) => return Ok(None),
            _ if self.e.m.as_prim(node) == Some(Prim::Assigned) => return Ok(None),
            Abs::Bottom => unreachable!("a value that does not exist is used"),
            Abs::Bool(Some(v)) => Some(self.out.bool(*v)),
            Abs::I64(Some(v)) => Some(self.out.i64(*v)),
            Abs::None => Some(self.out.constant(Const::None, Type::None)),
            Abs::Ref(_) if self.e.m.as_prim(node) == Some(Prim::SiteOf) => Some(self.out.i64(0)),
            Abs::Str(Some(s)) => Some(self.out.constant(Const::Str(s.clone()), Type::Str)),
            _ => None,
        };
        if constant.is_some() {
            return Ok(constant);
        }
        let Kind::Prim(prim) = self.e.m[node].kind else { unreachable!("calls have targets") };
        let mut inputs = self.e.m[node].inputs().to_vec();
        if prim == Prim::Attribute {
            // A function of the library is of no concern to a field.
            inputs[2] = self.e.m.constant(Const::None, Type::None);
        }
        let operands = inputs.iter().map(|&n| self.operand(at, n)).collect::<Result<Vec<Value>>>()?;
        let value = match prim {
            Prim::After => self.after(at, &operands[0], &operands[1]),
            _ => self.ops(at).apply(prim, &operands)?,
        };
        let mut ops = self.ops(at);
        Ok(Some(ops.coerce(&value, &abs).node))
    }

    /// The typed value of a node of the untyped module.
    pub(super) fn operand(&mut self, at: Place, node: NodeId) -> Result<Value> {
        let abs = self.e.operand(at.instance, node);
        if let Some(closure) = made_by(&mut self.e, at.instance, node) {
            return Ok(Value { abs, node: self.closure(at, closure)? });
        }
        let node = match &self.e.m[node].kind {
            Kind::Const(c) => {
                let c = if abs == Abs::Unassigned { Const::Zero } else { c.clone() };
                let ty = self.ty(&abs)?;
                self.out.constant(c, ty)
            }
            _ => {
                let owner = self.e.m[node].graph.expect("not a constant");
                let home = self.e.instances.home(at.instance, owner);
                let whole = Value { abs: self.e.whole(at.instance, node), node: self.nodes[&(home, node)] };
                if matches!(whole.abs, Abs::Union(_)) && whole.abs != abs {
                    return Ok(self.ops(at).known_as(&whole, &abs));
                }
                whole.node
            }
        };
        Ok(Value { abs, node })
    }

    /// The value that represents a closure.
    fn closure(&mut self, at: Place, closure: Closure) -> Result<NodeId> {
        let entries = self.layout.entries(&mut self.e, closure).to_vec();
        let mut functions = Vec::with_capacity(entries.len());
        for entry in entries {
            let member = entry.member(closure).expect("all members were called");
            let sites = self.layout.sites_of(&entry);
            functions.push(self.member(member, &entry.signature.args, &entry.result, &sites)?);
        }
        if let &[one] = &functions[..] {
            return Ok(one);
        }
        let types: Vec<Type> = functions.iter().map(|&f| self.out[f].ty.clone()).collect();
        Ok(self.out.prim(at.graph, Prim::Tuple, functions, Type::tuple(types), at.span))
    }

    /// The function that an instance is for these arguments, which it may have joined with others, and for these sites.
    pub(super) fn member(&mut self, id: InstId, given: &[Abs], result: &Abs, sites: &Sites) -> Result<NodeId> {
        let graph = self.graphs[&id];
        let function = self.out.graph_ref(graph);
        let params = given.iter().map(|a| self.ty(a)).collect::<Result<Vec<Type>>>()?;
        let own = self.out[function].ty.signature().expect("a function").params.clone();
        if sites == self.layout.sites(id) && own.iter().zip(&params).all(|(a, b)| a.fits(b)) {
            return Ok(function);
        }
        let (name, flavor, role, span) = {
            let g = &self.out[graph];
            (g.name.clone(), g.flavor, g.role, g.span)
        };
        let adapter = self.out.add_graph(name, flavor, role, span);
        let to = self.e.instances[id].args.clone();
        let at = Place { instance: id, graph: adapter, span };
        let mut args = Vec::with_capacity(params.len());
        for ((ty, from), to) in params.into_iter().zip(given).zip(&to) {
            let p = self.out.add_param(adapter, ty, None, span);
            args.push(self.ops(at).coerce(&Value { abs: from.clone(), node: p }, to).node);
        }
        let around = std::mem::take(&mut self.state);
        self.state = self.take_state(adapter, sites)?;
        let own = self.layout.sites(id).clone();
        let value = self.invoke(at, function, args, result, &own, Manner::Plain)?;
        let value = self.with_state(at, value, sites)?;
        self.state = around;
        self.out.set_result(adapter, value);
        Ok(self.out.graph_ref(adapter))
    }

    fn call(&mut self, at: Place, node: NodeId, target: Target) -> Result<NodeId> {
        let inputs = self.e.m[node].inputs().to_vec();
        let manner = self.e.manner(node);
        match target {
            Target::Blocks { condition, targets } => {
                let graphs: Vec<NodeId> = targets.iter().map(|t| self.graphs[t]).map(|g| self.out.graph_ref(g)).collect();
                let callee = match condition {
                    None => graphs[0],
                    Some(c) => {
                        let c = self.operand(at, c)?;
                        let ty = self.out[graphs[0]].ty.clone();
                        self.out.prim(at.graph, Prim::Select, vec![c.node, graphs[0], graphs[1]], ty, at.span)
                    }
                };
                let to = self.e.instances[targets[0]].args.clone();
                let mut args = self.arguments(at, &inputs[1..], &to)?;
                let inside = self.layout.does(self.e.instances[at.instance].function).inside.clone();
                args.extend(self.given(at, &inside, Manner::Plain)?);
                let ty = self.out[self.graphs[&targets[0]]].result.clone();
                Ok(self.out.call(at.graph, callee, &args, ty, at.span))
            }
            Target::Function(callee) => {
                let (function, to, result) = self.callee(at, inputs[0], &callee)?;
                let args = self.arguments(at, &inputs[1..], &to)?;
                self.invoke(at, function, args, &result, &self.sites_of(&callee), manner)
            }
            Target::Instead(callee, given) => {
                let (function, to, result) = self.callee(at, inputs[0], &callee)?;
                let args = self.arguments(at, &given, &to)?;
                self.invoke(at, function, args, &result, &self.sites_of(&callee), manner)
            }
            Target::Derivative(callee) => {
                let operand = self.e.m[inputs[0]].inputs()[0];
                let (function, to, _) = self.derived(at, operand, &callee)?;
                let mut args = self.arguments(at, &inputs[1..], &to)?;
                let sites = self.sites_of(&callee);
                args.extend(self.given(at, &sites, manner)?);
                let signature = self.out[function].ty.signature().expect("a function with a signature");
                let ty = j_type(&signature.params, &signature.result);
                let result = ty.signature().expect("a function").result.clone();
                let derivative = self.out.prim(at.graph, Prim::J, vec![function], ty, at.span);
                let pair = self.out.call(at.graph, derivative, &args, result, at.span);
                self.taken_reverse(at, pair, &sites, manner)
            }
            Target::Pushforward(callee) => {
                let (function, to, result) = self.derived(at, inputs[0], &callee)?;
                let (args, tangents) = (self.operand(at, inputs[1])?, self.operand(at, inputs[2])?);
                let params = self.out[function].ty.signature().expect("a function with a signature").params.clone();
                let mut operands = vec![self.out.constant(Const::Zero, Type::Opaque)];
                let mut ops = self.ops(at);
                for (i, to) in to.iter().enumerate() {
                    let arg = ops.field(&args, i);
                    operands.push(ops.coerce(&arg, to).node);
                }
                let sites = self.sites_of(&callee);
                operands.extend(self.given(at, &sites, manner)?);
                let mut ops = self.ops(at);
                for (i, ty) in params[..to.len()].iter().enumerate() {
                    let tangent = ops.field(&tangents, i);
                    operands.push(ops.tangent(&tangent, ty).node);
                }
                operands.extend(self.no_tangents(at, &sites)?);
                let mut ops = self.ops(at);
                let derivative = ops.op(Prim::F, &[&Value { abs: Abs::Bottom, node: function }], Abs::Bottom).node;
                let ty = self.out[derivative].ty.signature().expect("a function").result.clone();
                let pair = self.out.call(at.graph, derivative, &operands, ty, at.span);
                let pair = self.taken_forward(at, pair, &sites, manner)?;
                let pair = Value { abs: Abs::tuple([result.clone(), result.cotangent()]), node: pair };
                let mut ops = self.ops(at);
                let (y, tangent) = (ops.field(&pair, 0), ops.field(&pair, 1));
                let tangent = ops.shaped(&tangent, &result);
                let tangent = self.after(at, &tangent, &y);
                Ok(self.ops(at).tuple(&[y, tangent]).node)
            }
            Target::Applied(callee) => self.applied(at, node, &callee),
            Target::Ruled(ruled) => self.applied_ruled(at, &inputs, &ruled),
            Target::Pullback(_) => {
                let pullback = self.operand(at, inputs[0])?.node;
                let seed = self.operand(at, inputs[1])?.node;
                let result = self.out[pullback].ty.signature().expect("a function").result.clone();
                Ok(self.out.call(at.graph, pullback, &[seed], result, at.span))
            }
        }
    }

    /// Calls a function with arguments and the sites that it touches; gives its result.
    pub(super) fn invoke(
        &mut self,
        at: Place,
        function: NodeId,
        mut args: Vec<NodeId>,
        result: &Abs,
        sites: &Sites,
        manner: Manner,
    ) -> Result<NodeId> {
        args.extend(self.given(at, sites, manner)?);
        let ty = self.result_type(result, sites)?;
        let both = self.out.call(at.graph, function, &args, ty, at.span);
        Ok(self.taken(at, both, sites, manner))
    }

    /// The function that is called, what its parameters are, and what it returns.
    pub(super) fn callee(&mut self, at: Place, node: NodeId, callee: &Callee) -> Result<(NodeId, Vec<Abs>, Abs)> {
        match callee {
            Callee::Known(id, _) => {
                let function = self.out.graph_ref(self.graphs[id]);
                let instance = &self.e.instances[*id];
                Ok((function, instance.args.clone(), instance.result.clone()))
            }
            Callee::Value { signature, result, .. } => {
                let value = self.operand(at, node)?.node;
                let function = self.entry(at, value, callee);
                Ok((function, signature.args.clone(), result.clone()))
            }
        }
    }

    /// The same for a function whose derivative is called: it takes what the call gives, so that tangents and cotangents are shaped
    /// like that, and not like what the instance has joined it with.
    pub(super) fn derived(&mut self, at: Place, node: NodeId, callee: &Callee) -> Result<(NodeId, Vec<Abs>, Abs)> {
        let Callee::Known(id, args) = callee else { return self.callee(at, node, callee) };
        let result = self.e.instances[*id].result.clone();
        Ok((self.member(*id, args, &result, &self.layout.sites(*id).clone())?, args.to_vec(), result))
    }

    /// The part of a function value, or of what is represented as one, that belongs to the signature of a call.
    pub(super) fn entry(&mut self, at: Place, value: NodeId, callee: &Callee) -> NodeId {
        let Callee::Value { closure, signature, .. } = callee else { return value };
        let entries = self.layout.entries(&mut self.e, *closure);
        if entries.len() == 1 {
            return value;
        }
        let index = entries.iter().position(|entry| entry.signature == *signature).expect("a signature of the class");
        let ty = self.out[value].ty.fields().expect("a tuple of functions")[index].clone();
        self.out.prim(at.graph, Prim::Get(index as u32), vec![value], ty, at.span)
    }

    /// The arguments of a call, keywords left out, as the parameters want them.
    fn arguments(&mut self, at: Place, inputs: &[NodeId], to: &[Abs]) -> Result<Vec<NodeId>> {
        inputs
            .iter()
            .zip(to)
            .map(|(&n, to)| {
                let value = self.operand(at, n)?;
                Ok(self.ops(at).coerce(&value, to).node)
            })
            .collect()
    }
}

/// The blocks among these instances that only one jump leads to, on no condition.
fn parts(e: &Engine, all: &[InstId]) -> FxHashMap<InstId, InstId> {
    let (mut found, mut seen): (FxHashMap<InstId, InstId>, FxHashSet<InstId>) = Default::default();
    for &id in all {
        let instance = &e.instances[id];
        let result = e.m.result(instance.graph);
        for (&call, target) in &instance.calls {
            let Target::Blocks { condition, targets } = target else { continue };
            let goes_on = call == result && condition.is_none() && instance.unassigned.is_none();
            for &target in targets {
                if seen.insert(target) && goes_on {
                    found.insert(target, id);
                } else {
                    found.remove(&target);
                }
            }
        }
    }
    found
}
