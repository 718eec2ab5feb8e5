//! Calls that are not as the function is written: with defaults left out, with keywords or stars, of partial applications and of
//! derivatives. Each becomes a graph of the untyped module that takes what the call gives, nested where the closure was made; so
//! the rest of the analysis knows graphs only.
//!
//! ```text
//! f(x, b=y)           wrapper(x, y) = f(x, default, y)
//! partial(f, a)(x)    wrapper(x)    = f(a, x)
//! f(*t)               wrapper(t)    = f(t[0], t[1])    for a tuple of two
//! grad(f)(x)          wrapper(x)    = gradient(pullback(1.0)[1], x)    where (_, pullback) = J(f)(x)
//! ```

use super::abs::{Abs, Closure};
use super::callable::{Bundle, has_bundle};
use super::calls::Shape;
use super::dispatch::Dispatch;
use super::engine::{Engine, Stop};
use super::instances::InstId;
use super::prims::{Ops, Result, Value};
use super::sequences::kind_of;
use super::signature::Source;
use super::texts::Piece;
use crate::array::ArrayOp;
use crate::array::DType;
use crate::data::Schema;
use crate::graph::{Const, Flavor, GraphId, NodeId, Role};
use crate::prim::Prim;
use crate::span::{Diagnostic, Span};
use crate::types::Type;
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;
use std::sync::Arc;

/// The wrappers made so far.
#[derive(Default)]
pub(super) struct Wrappers {
    made: FxHashMap<(Wrapped, Shape), GraphId>,
    graphs: FxHashSet<GraphId>,
    /// Those that take gradients, for which results must be floats; or pairs of one and something else, where that is true.
    gradients: FxHashMap<GraphId, bool>,
    /// Those that give every parameter of what they call by its place.
    adapters: FxHashSet<GraphId>,
}

impl Wrappers {
    /// A graph that was made for something that is called in one way.
    pub(super) fn get(&self, what: &Wrapped) -> Option<GraphId> {
        self.made.get(&(what.clone(), Shape { count: 0, keywords: [].into() })).copied()
    }

    /// The same, of what is called in one of several ways.
    pub(super) fn made(&self, key: &(Wrapped, Shape)) -> Option<GraphId> {
        self.made.get(key).copied()
    }

    pub(super) fn note(&mut self, key: (Wrapped, Shape), g: GraphId) {
        self.made.insert(key, g);
    }

    pub(super) fn put(&mut self, what: Wrapped, g: GraphId) {
        self.made.insert((what, Shape { count: 0, keywords: [].into() }), g);
    }

    /// Whether the graph is a wrapper.
    pub(super) fn is_wrapper(&self, g: GraphId) -> bool {
        self.graphs.contains(&g)
    }

    /// Whether the graph takes the arguments of a call in their order, for a function that is written there.
    pub(super) fn is_adapter(&self, g: GraphId) -> bool {
        self.adapters.contains(&g)
    }

    /// Whether the graph takes a gradient. A `J` elsewhere is of a function with any result.
    pub(super) fn is_gradient(&self, g: GraphId) -> bool {
        self.gradients.contains_key(&g)
    }

    /// Of a graph that takes a gradient, whether the function gives something beside the float.
    pub(super) fn gradient_with_more(&self, g: GraphId) -> Option<bool> {
        self.gradients.get(&g).copied()
    }
}

/// What a wrapper calls.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(super) enum Wrapped {
    Graph(GraphId),
    Partial(NodeId),
    /// The method by this name of an instance of one of these classes, or a function of the library.
    Method(NodeId, Vec<(Option<Arc<str>>, GraphId)>),
    Dispatch(Dispatch),
    /// A function that may be `None`.
    Present,
    /// A record that is a partial application or a bound method; or one of several kinds of values, which have these names.
    Call(Option<Bundle>, Vec<Arc<str>>),
    /// The record that a bound method is, or the instance, if it is called itself.
    MethodRecord(Option<GraphId>),
    /// A primitive with a tuple of so many arguments for such a record, and in which way it is called.
    AppliedToRecord(Prim, usize, usize, (bool, bool)),
    JvpOfRecord,
    /// `jvp` where a tangent is given for these arguments, which are ints.
    JvpInInts(Vec<bool>),
    /// What is printed, where lists are in it whose length only the run knows.
    Printed(Vec<Piece>),
    /// The callee of a call with stars, with so many positional arguments, and these others.
    Applied(NodeId, usize, Vec<Keyword>),
    /// Differentiated with respect to these arguments of the call.
    Grad(NodeId, Vec<usize>),
    /// The arguments of a call of a graph, with so many positional ones and others by these names.
    Bound(GraphId, usize, Vec<Arc<str>>),
}

/// An argument of a call with stars that is not given by its place.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(super) enum Keyword {
    Named(Arc<str>),
    /// `**d`.
    Dict(Arc<Schema>),
}

type Name = Option<Arc<str>>;

impl Engine {
    /// What a `partial` or `grad` node makes.
    pub(super) fn made(&mut self, id: InstId, node: NodeId) -> std::result::Result<Abs, Stop> {
        let inputs = self.m[node].inputs().to_vec();
        let function = self.operand(id, inputs[0]);
        if inputs.iter().any(|&n| self.operand(id, n).is_bottom()) {
            return Ok(Abs::Bottom);
        }
        match function {
            Abs::Func(_) => Ok(Abs::Func([Closure::Made(node, id)].into())),
            // What calls an instance is a record, too.
            ref instance if self.is_callable(instance) => match self.m.as_prim(node) {
                Some(Prim::Grad { .. }) => Ok(Abs::Func([Closure::Made(node, id)].into())),
                _ => {
                    self.wanted_records.nodes.insert(node);
                    Ok(Abs::Bottom)
                }
            },
            other => {
                let name = self.m.as_prim(node).expect("a primitive").name();
                let d = Diagnostic::refused(self.m[node].span, format!("`{name}` needs a function, this is {}", other.a()));
                Err(d.label(self.m[inputs[0]].span, format!("this is {}", other.a())).into())
            }
        }
    }

    /// The graph, and the instance it is nested in, that a call of this shape of a closure calls.
    pub(super) fn resolve(
        &mut self,
        caller: Option<InstId>,
        closure: Closure,
        shape: &Shape,
        span: Span,
    ) -> Result<(GraphId, Option<InstId>)> {
        let (wrapper, from) = match closure {
            Closure::Graph(g, parent)
                if shape.keywords.is_empty()
                    && self.m[g].params.len() == shape.count
                    && (self.m.is_positional(g) || caller.is_some_and(|c| self.wrappers.is_adapter(self.instances[c].graph))) =>
            {
                return Ok((g, parent));
            }
            Closure::Graph(g, parent) => (self.adapter(g, shape, span)?, parent),
            Closure::Made(node, at) if self.bound_arguments(node).is_some() => (self.partial(node, at, shape), Some(at)),
            Closure::Made(node, at) if self.m.as_prim(node) == Some(Prim::Attribute) => {
                (self.bound_method(caller, node, at, shape)?, Some(at))
            }
            Closure::Made(node, at) => (self.gradient_wrapper(caller, node, at, shape)?, Some(at)),
        };
        let parent = self.scopes.parent(wrapper).map(|p| self.instances.home(from.expect("a wrapper with a parent"), p));
        Ok((wrapper, parent))
    }

    pub(super) fn new_wrapper(
        &mut self,
        name: Arc<str>,
        flavor: Flavor,
        params: &[(Name, Span)],
        span: Span,
    ) -> (GraphId, Vec<NodeId>) {
        let g = self.m.add_graph(name, flavor, Role::Primal, span);
        let params = params.iter().map(|(name, span)| self.m.add_param(g, Type::Unknown, name.clone(), *span)).collect();
        (g, params)
    }

    /// A wrapper for what a node of an instance makes: what is known there is known in it.
    fn new_wrapper_at(&mut self, at: InstId, name: Arc<str>, params: &[(Name, Span)], span: Span) -> (GraphId, Vec<NodeId>) {
        let made = self.new_wrapper(name, Flavor::Function, params, span);
        let facts = self.facts_at(at);
        self.facts.inherit(made.0, facts);
        made
    }

    pub(super) fn finish_wrapper(&mut self, key: (Wrapped, Shape), g: GraphId, schedule: Vec<NodeId>) -> GraphId {
        self.m.set_result(g, *schedule.last().expect("a wrapper calls something"));
        self.scopes.add(&self.m, g, schedule);
        self.wrappers.made.insert(key, g);
        self.wrappers.graphs.insert(g);
        g
    }

    /// Takes the arguments of a call in their order, and fills in the defaults.
    fn adapter(&mut self, g: GraphId, shape: &Shape, span: Span) -> Result<GraphId> {
        let key = (Wrapped::Graph(g), shape.clone());
        if let Some(&wrapper) = self.wrappers.made.get(&key) {
            return Ok(wrapper);
        }
        let sources = self.bind(g, shape, span)?;
        let graph = &self.m[g];
        let (name, flavor, place) = (graph.name.clone(), graph.flavor, graph.span);
        let mut params: Vec<(Name, Span)> = vec![(None, place); shape.count];
        for (source, &param) in sources.iter().zip(&graph.params) {
            if let Source::Argument(i) = source {
                params[*i] = (self.m[param].name.clone(), self.m[param].span);
            }
        }
        let (wrapper, params) = self.new_wrapper(name, flavor, &params, place);
        let mut schedule = Vec::new();
        let mut args = Vec::with_capacity(sources.len());
        for source in sources {
            args.push(match source {
                Source::Argument(i) => params[i],
                // What is no constant is a graph that stands for a value of the top level.
                Source::Default(node) if self.m.as_graph(node).is_some_and(|g| self.m.memory.globals.contains(&g)) => {
                    let value = self.m.call(wrapper, node, &[], Type::Unknown, place);
                    schedule.push(value);
                    value
                }
                // Of a function that is a record, one of its fields.
                Source::Default(node) if self.m[node].graph == Some(g) => {
                    let mut operands = self.m[node].inputs().to_vec();
                    operands[0] = params[0];
                    schedule.push(self.m.prim(wrapper, Prim::Attribute, operands, Type::Unknown, place));
                    schedule[schedule.len() - 1]
                }
                Source::Default(node) => node,
                Source::Rest(range) => {
                    let rest = self.m.prim(wrapper, Prim::Tuple, params[range].to_vec(), Type::Unknown, place);
                    schedule.push(rest);
                    rest
                }
                Source::Keywords(named) => {
                    let none = self.m.constant(Const::None, Type::None);
                    let names = named.iter().map(|(name, _)| self.m.constant(Const::Str(name.clone()), Type::Str));
                    let names: Vec<NodeId> = std::iter::once(none).chain(names.collect::<Vec<_>>()).collect();
                    let values = named.iter().map(|&(_, i)| params[i]).collect();
                    let both = [names, values].map(|all| self.m.prim(wrapper, Prim::Tuple, all, Type::Unknown, place));
                    let dict = self.m.prim(wrapper, Prim::Record, both.to_vec(), Type::Unknown, place);
                    schedule.extend([both[0], both[1], dict]);
                    dict
                }
            });
        }
        let callee = self.m.graph_ref(g);
        let call = self.m.call(wrapper, callee, &args, Type::Unknown, place);
        schedule.push(call);
        self.wrappers.adapters.insert(wrapper);
        Ok(self.finish_wrapper(key, wrapper, schedule))
    }

    /// Calls `callee` with `leading` arguments and then the wrapper's own.
    pub(super) fn forward(
        &mut self,
        g: GraphId,
        callee: NodeId,
        leading: &[NodeId],
        params: &[NodeId],
        shape: &Shape,
        span: Span,
    ) -> NodeId {
        let mut args = [leading, params].concat();
        if shape.keywords.is_empty() {
            return self.m.call(g, callee, &args, Type::Unknown, span);
        }
        args.insert(0, callee);
        args.extend(shape.keywords.iter().map(|k| self.m.constant(Const::Str(k.clone()), Type::Str)));
        self.m.prim(g, Prim::CallKw(shape.keywords.len() as u32), args, Type::Unknown, span)
    }

    /// How many positional arguments a partial application binds, and the names of the others; none for any other node.
    fn bound_arguments(&self, node: NodeId) -> Option<(usize, Rc<[Arc<str>]>)> {
        let given = self.m[node].inputs().len() - 1;
        match self.m.as_prim(node)? {
            Prim::Partial => Some((given, [].into())),
            Prim::PartialKw(n) => {
                let (shape, inputs) = self.shape(node);
                Some((inputs.len() - 1 - n as usize, shape.keywords))
            }
            _ => None,
        }
    }

    fn partial(&mut self, node: NodeId, at: InstId, shape: &Shape) -> GraphId {
        let key = (Wrapped::Partial(node), shape.clone());
        if let Some(&wrapper) = self.wrappers.made.get(&key) {
            return wrapper;
        }
        let span = self.m[node].span;
        let (bound, names) = self.bound_arguments(node).expect("a partial application");
        let inputs = self.m[node].inputs().to_vec();
        let (wrapper, params) = self.new_wrapper_at(at, "partial".into(), &shape.names(span), span);
        // What the call names counts, not what was bound by that name.
        let values = inputs[1 + bound..].iter().copied().zip(names.iter().cloned());
        let (values, names): (Vec<NodeId>, Vec<Arc<str>>) = values.filter(|(_, name)| !shape.keywords.contains(name)).unzip();
        let args = [&params[..], &values[..]].concat();
        let keywords = [&shape.keywords[..], &names[..]].concat().into();
        let shape = Shape { count: bound + args.len(), keywords };
        let call = self.forward(wrapper, inputs[0], &inputs[1..=bound], &args, &shape, span);
        self.finish_wrapper(key, wrapper, vec![call])
    }

    /// A method of a value: called with it for the first argument. Of a value of several kinds, that of its class.
    fn bound_method(&mut self, caller: Option<InstId>, node: NodeId, at: InstId, shape: &Shape) -> Result<GraphId> {
        let span = self.m[node].span;
        let inputs = self.m[node].inputs().to_vec();
        let name = match self.m[inputs[1]].as_const() {
            Some(Const::Str(name)) => name.clone(),
            other => unreachable!("the name of an attribute is a constant, not {other:?}"),
        };
        if let Some(caller) = caller {
            self.instances.read(at, caller);
        }
        let receiver = self.operand(at, inputs[0]);
        if let Some(callee) = has_bundle(&receiver).then(|| self.call_of_record(&receiver, shape)).flatten() {
            let key = (Wrapped::Method(node, vec![(None, callee)]), shape.clone());
            if let Some(&wrapper) = self.wrappers.made.get(&key) {
                return Ok(wrapper);
            }
            let (g, params) = self.new_wrapper_at(at, name, &shape.names(span), span);
            let args = [&inputs[..1], &params[..]].concat();
            let callee = self.m.graph_ref(callee);
            let call = self.m.call(g, callee, &args, Type::Unknown, span);
            return Ok(self.finish_wrapper(key, g, vec![call]));
        }
        let mut methods = Vec::new();
        for kind in receiver.kinds() {
            let found = self.method(kind, &name).map_err(|stop| match stop {
                Stop::Error(d) | Stop::Fatal(d) => *d,
                Stop::Enter(_) | Stop::Unassigned(_) => unreachable!("a class has its methods"),
            })?;
            methods.extend(found.map(|g| (kind.exact_name(), g)));
        }
        if methods.is_empty() {
            methods.extend(self.m.as_graph(inputs[2]).map(|g| (None, g)));
        }
        let key = (Wrapped::Method(node, methods.clone()), shape.clone());
        if let Some(&wrapper) = self.wrappers.made.get(&key) {
            return Ok(wrapper);
        }
        let (g, params) = self.new_wrapper_at(at, name, &shape.names(span), span);
        self.wrappers.graphs.insert(g);
        if let [(_, method)] = methods[..] {
            let callee = self.m.graph_ref(method);
            let mut schedule = Vec::new();
            let mut receiver_node = inputs[0];
            if let (Abs::Union(_), Some(class)) = (self.whole(at, inputs[0]), &methods[0].0) {
                let class = self.m.constant(Const::Str(class.clone()), Type::Str);
                receiver_node = self.m.prim(g, Prim::NarrowTo, vec![inputs[0], class], Type::Unknown, span);
                schedule.push(receiver_node);
            }
            schedule.push(self.forward(g, callee, &[receiver_node], &params, shape, span));
            return Ok(self.finish_wrapper(key, g, schedule));
        }
        let classes: Vec<Arc<str>> = methods.iter().filter_map(|(class, _)| class.clone()).collect();
        let mut rest = methods.iter();
        self.branch(g, inputs[0], &classes, &mut |e, arm, narrowed, schedule| {
            let &(_, method) = rest.next().expect("a method for each class");
            let callee = e.m.graph_ref(method);
            let call = e.forward(arm, callee, &[narrowed], &params, shape, span);
            schedule.push(call);
            call
        });
        self.wrappers.made.insert(key, g);
        Ok(g)
    }

    /// A call of this shape of a function that may be `None`, which is the first parameter.
    pub(super) fn call_of_present(&mut self, shape: &Shape) -> GraphId {
        let key = (Wrapped::Present, shape.clone());
        if let Some(&g) = self.wrappers.made.get(&key) {
            return g;
        }
        let (g, params) = self.made_graph("call", Flavor::Library, 1 + shape.count);
        let (mut schedule, none) = (Vec::new(), self.m.constant(Const::None, Type::None));
        let function = self.node_of(g, Prim::NarrowTo, &[params[0], none], &mut schedule);
        schedule.push(self.forward(g, function, &[], &params[1..], shape, Span::NONE));
        self.finish_wrapper(key, g, schedule)
    }

    /// The callee of a call with stars as a function of the tuple of its positional arguments, so many, and of the others, which have
    /// these names, or are dicts with these keys.
    pub(super) fn starred(&mut self, id: InstId, node: NodeId, callee: NodeId, count: usize, keywords: &[Keyword]) -> GraphId {
        let key = (Wrapped::Applied(node, count, keywords.to_vec()), Shape { count, keywords: [].into() });
        if let Some(&wrapper) = self.wrappers.made.get(&key) {
            return wrapper;
        }
        let span = self.m[node].span;
        let flavor = if self.is_library(id) { Flavor::Library } else { Flavor::Function };
        let (wrapper, params) = self.new_wrapper("apply".into(), flavor, &vec![(None, span); 1 + keywords.len()], span);
        let get = |i| self.m.prim(wrapper, Prim::Get(i), vec![params[0]], Type::Unknown, span);
        let mut schedule: Vec<NodeId> = (0..count as u32).map(get).collect();
        let (mut args, mut names) = (schedule.clone(), Vec::new());
        for (keyword, &param) in keywords.iter().zip(&params[1..]) {
            match keyword {
                Keyword::Named(name) => {
                    args.push(param);
                    names.push(name.clone());
                }
                Keyword::Dict(schema) => {
                    for name in &schema.fields {
                        let text = self.m.constant(Const::Str(name.clone()), Type::Str);
                        args.push(self.m.prim(wrapper, Prim::GetItem, vec![param, text], Type::Unknown, span));
                        schedule.extend(args.last());
                        names.push(name.clone());
                    }
                }
            }
        }
        let shape = Shape { count: args.len(), keywords: names.into() };
        schedule.push(self.forward(wrapper, callee, &[], &args, &shape, span));
        self.finish_wrapper(key, wrapper, schedule)
    }

    /// The names of a closure's parameters, if they are known.
    fn parameter_names(&mut self, caller: Option<InstId>, closure: Closure) -> Option<Vec<Name>> {
        let (mut bound, mut at) = (0, closure);
        let mut seen = FxHashSet::default();
        loop {
            match at {
                Closure::Graph(g, _) if self.m[g].tail.rest => return None,
                Closure::Graph(g, _) => {
                    let names = self.m[g].params.iter().map(|&p| self.m[p].name.clone());
                    return Some(names.skip(bound).collect());
                }
                Closure::Made(..) if !seen.insert(at) => return None,
                Closure::Made(node, home) => {
                    bound += self.bound_arguments(node).map_or(0, |(bound, _)| bound);
                    if let Some(caller) = caller {
                        self.instances.read(home, caller);
                    }
                    match self.operand(home, self.m[node].inputs()[0]) {
                        Abs::Func(set) => at = set[0],
                        instance => {
                            let named = self.m[node].inputs().get(1).and_then(|&n| self.m[n].as_const());
                            let name = match (self.m.as_prim(node), named) {
                                (Some(Prim::Attribute), Some(Const::Str(name))) => name.clone(),
                                _ => "__call__".into(),
                            };
                            let Ok(Some(method)) = self.method(&instance, &name) else { return None };
                            (bound, at) = (bound + 1, Closure::Graph(method, None));
                        }
                    }
                }
            }
        }
    }

    /// The gradient of the operand of a `grad` node, for a call of this shape.
    fn gradient_wrapper(&mut self, caller: Option<InstId>, node: NodeId, at: InstId, shape: &Shape) -> Result<GraphId> {
        let Some(Prim::Grad { value, many, aux, allow_int }) = self.m.as_prim(node) else { unreachable!("no operator") };
        let span = self.m[node].span;
        let inputs = self.m[node].inputs().to_vec();
        // An instance that is called like a function is differentiated by its `__call__`.
        let (functions, is_instance) = match self.operand(at, inputs[0]) {
            Abs::Func(functions) => (functions, false),
            _ => ([Closure::Made(node, at)].into(), true),
        };
        if let Some(caller) = caller {
            self.instances.read(at, caller);
        }
        let names = self.parameter_names(caller, functions[0]);
        let positions = self.differentiated_arguments(names.as_deref(), &inputs[1..], shape, span, functions[0])?;
        for &other in &functions[1..] {
            let names = self.parameter_names(caller, other);
            if self.differentiated_arguments(names.as_deref(), &inputs[1..], shape, span, other)? != positions {
                let message = "the functions that may be differentiated here have other names for their parameters";
                return Err(Diagnostic::refused(span, message).hint("say by numbers what to differentiate with respect to"));
            }
        }
        let key = (Wrapped::Grad(node, positions.clone()), shape.clone());
        if let Some(&wrapper) = self.wrappers.made.get(&key) {
            return Ok(wrapper);
        }
        let name = self.m.as_prim(node).expect("a primitive").name();
        let own: Vec<(Name, Span)> = (0..shape.count)
            .map(|i| match i.checked_sub(shape.positional()) {
                Some(k) => (Some(shape.keywords[k].clone()), span),
                None => (names.as_ref().and_then(|names| names.get(i).cloned().flatten()), span),
            })
            .collect();
        let (g, params) = self.new_wrapper_at(at, name.into(), &own, span);
        self.wrappers.gradients.insert(g, aux);
        let add = |e: &mut Engine, schedule: &mut Vec<NodeId>, prim, operands| {
            let n = e.m.prim(g, prim, operands, Type::Unknown, span);
            schedule.push(n);
            n
        };
        let mut schedule = Vec::new();
        let mut given = params.clone();
        if !allow_int {
            for &i in &positions {
                given[i] = add(self, &mut schedule, Prim::Differentiable, vec![params[i]]);
            }
        }
        let function = if is_instance { self.call_method(g, inputs[0], &mut schedule) } else { inputs[0] };
        let j = add(self, &mut schedule, Prim::J, vec![function]);
        let pair = self.forward(g, j, &[], &given, shape, span);
        schedule.push(pair);
        let y = add(self, &mut schedule, Prim::Get(0), vec![pair]);
        let pullback = add(self, &mut schedule, Prim::Get(1), vec![pair]);
        let mut one = self.m.f64(1.0);
        // Nothing depends on what is given beside the float.
        let none = self.m.constant(Const::None, Type::None);
        if self.m.one_element && !aux {
            let shape = add(self, &mut schedule, Prim::ShapeOf, vec![y]);
            one = add(self, &mut schedule, Prim::Lift(ArrayOp::Broadcast), vec![one, shape]);
        }
        let more = aux.then(|| add(self, &mut schedule, Prim::Get(1), vec![y]));
        if let Some(more) = more {
            let what = self.m.constant(Const::Str("what is given beside the float".into()), Type::Str);
            let zero = add(self, &mut schedule, Prim::Given, vec![none, more, what]);
            one = add(self, &mut schedule, Prim::Tuple, vec![one, zero]);
        }
        let cotangents = self.m.call(g, pullback, &[one], Type::Unknown, span);
        schedule.push(cotangents);
        let mut gradients = Vec::with_capacity(positions.len());
        for &i in &positions {
            let cotangent = add(self, &mut schedule, Prim::Get(i as u32 + 1), vec![cotangents]);
            let prim = if allow_int { Prim::Shown } else { Prim::Gradient };
            gradients.push(add(self, &mut schedule, prim, vec![cotangent, params[i]]));
        }
        let gradient = if many { add(self, &mut schedule, Prim::Tuple, gradients) } else { gradients[0] };
        let gradient = add(self, &mut schedule, Prim::After, vec![gradient, y]);
        if value {
            add(self, &mut schedule, Prim::Tuple, vec![y, gradient]);
        } else if let Some(more) = more {
            add(self, &mut schedule, Prim::Tuple, vec![gradient, more]);
        }
        Ok(self.finish_wrapper(key, g, schedule))
    }

    /// Which arguments of the call a `grad` names.
    fn differentiated_arguments(
        &self,
        names: Option<&[Name]>,
        wrt: &[NodeId],
        shape: &Shape,
        span: Span,
        of: Closure,
    ) -> Result<Vec<usize>> {
        let refuse = |message: String| {
            let d = Diagnostic::refused(span, message);
            Err(match of {
                Closure::Graph(g, _) => d.label(self.m[g].span, "the function is defined here"),
                Closure::Made(..) => d,
            })
        };
        let mut positions = Vec::new();
        let first = [Const::I64(0)];
        let wrt: Vec<&Const> =
            if wrt.is_empty() { first.iter().collect() } else { wrt.iter().filter_map(|&n| self.m[n].as_const()).collect() };
        for which in wrt {
            let index = match which {
                &Const::I64(i) => {
                    let count = names.map_or(shape.count, <[Name]>::len);
                    if !(-(count as i64)..count as i64).contains(&i) {
                        let s = if count == 1 { "" } else { "s" };
                        return refuse(format!(
                            "there is no argument {i} to differentiate with respect to, the function has {count} argument{s}"
                        ));
                    }
                    i.rem_euclid(count as i64) as usize
                }
                Const::Str(name) => match names.and_then(|names| names.iter().position(|n| n.as_ref() == Some(name))) {
                    Some(i) => i,
                    None => return refuse(format!("there is no argument `{name}` to differentiate with respect to")),
                },
                other => unreachable!("{other:?} does not name an argument"),
            };
            let name = names.and_then(|names| names.get(index).cloned().flatten());
            let keyword = shape.keywords.iter().position(|k| name.as_ref() == Some(k));
            match (index < shape.positional(), keyword) {
                (true, _) => positions.push(index),
                (false, Some(k)) => positions.push(shape.positional() + k),
                (false, None) => {
                    let name = name.map_or_else(|| format!("{index}"), |n| format!("`{n}`"));
                    return refuse(format!(
                        "the argument {name} is to be differentiated with respect to, but the call does not give it"
                    ));
                }
            }
        }
        Ok(positions)
    }
}

impl Ops<'_> {
    /// A cotangent as the user of `grad` sees it: `None` where the argument has no derivative.
    pub(super) fn gradient(&mut self, cotangent: &Value, argument: &Value) -> Result<Value> {
        match &argument.abs {
            // An int is a float for the function.
            Abs::F64(_) | Abs::I64(_) | Abs::Array(DType::F32 | DType::F64, _) => Ok(cotangent.clone()),
            Abs::Array(..) => self
                .refuse(format!("there is no derivative with respect to {}", argument.abs.a()))
                .map_err(|d| d.hint("give a float: write `3.0`, not `3`")),
            Abs::Tuple(..) | Abs::Record(..) if !has_float(&argument.abs) => {
                let what = argument.abs.schema().map_or_else(|| kind_of(&argument.abs).name(), |s| s.name());
                self.refuse(format!("there is no derivative with respect to a {what} that holds no float"))
                    .map_err(|d| d.hint("write `3.0`, not `3`"))
            }
            Abs::Tuple(..) | Abs::Record(..) => Ok(self.shaped(cotangent, &argument.abs)),
            other => self.refuse(format!("there is no derivative with respect to {}", other.a())),
        }
    }

    /// A cotangent or tangent without what has none: `None` in its place.
    pub(super) fn shaped(&mut self, cotangent: &Value, argument: &Abs) -> Value {
        match argument {
            Abs::F64(_) | Abs::Array(DType::F32 | DType::F64, _) => cotangent.clone(),
            Abs::Tuple(items, _) if items.iter().all(all_floats) => Value { abs: argument.broaden(), node: cotangent.node },
            Abs::Tuple(items, _) | Abs::Record(_, items) => {
                let mut fields = Vec::with_capacity(items.len());
                for (i, item) in items.iter().enumerate() {
                    let field = self.field(cotangent, i);
                    fields.push(self.shaped(&field, item));
                }
                let tuple = self.tuple(&fields);
                self.alike_parts(argument, &tuple)
            }
            _ => self.none(),
        }
    }
}

pub(super) fn has_float(a: &Abs) -> bool {
    match a {
        Abs::F64(_) | Abs::Array(DType::F32 | DType::F64, _) | Abs::Boxed(_) => true,
        Abs::Tuple(items, _) | Abs::Record(_, items) | Abs::Union(items) => items.iter().any(has_float),
        Abs::Elements(element) => has_float(element),
        _ => false,
    }
}

fn all_floats(a: &Abs) -> bool {
    match a {
        Abs::F64(_) | Abs::Array(DType::F32 | DType::F64, _) => true,
        Abs::Tuple(items, _) => items.iter().all(all_floats),
        _ => false,
    }
}
