//! Calls: which instances a call reaches, and what they return.

use super::abs::{Abs, Closure};
use super::applied::Ruled;
use super::engine::{Engine, Stop};
use super::instances::{InstId, Instances, Request, Voice};
use super::layout::made_by;
use super::origins::MISSING;
use super::wrappers::Keyword;
use crate::graph::{Const, Flavor, GraphId, Kind, NodeId};
use crate::key::Key;
use crate::prim::Prim;
use crate::span::{Diagnostic, Span};
use std::rc::Rc;
use std::sync::Arc;

/// What the arguments of a call look like: the last ones may have keywords.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct Shape {
    pub(super) count: usize,
    pub(super) keywords: Rc<[Arc<str>]>,
}

impl Shape {
    pub(super) fn positional(&self) -> usize {
        self.count - self.keywords.len()
    }

    /// The names of the parameters of a wrapper for such calls, and the place where it is made.
    pub(super) fn names(&self, span: Span) -> Vec<(Option<Arc<str>>, Span)> {
        let name = |i: usize| i.checked_sub(self.positional()).map(|k| self.keywords[k].clone());
        (0..self.count).map(|i| (name(i), span)).collect()
    }
}

/// How a value of function type is called: the members of a class of closures have one instance for each signature.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct Signature {
    pub(super) shape: Shape,
    pub(super) args: Vec<Abs>,
    pub(super) voice: Voice,
}

impl Signature {
    pub(super) fn new(shape: Shape, args: Vec<Abs>) -> Signature {
        Signature { shape, args, voice: Voice::Loud }
    }
}

/// Who is called.
#[derive(Clone, Debug)]
pub(super) enum Callee {
    /// One function, which is in scope, and what it is specialised for by this call: the instance may have joined it with what
    /// others give.
    Known(InstId, Rc<[Abs]>),
    /// The callee's value, by one signature of its class.
    Value {
        /// Any member of the class.
        closure: Closure,
        signature: Signature,
        /// The instance of each member of the class.
        members: Rc<[(Closure, InstId)]>,
        result: Abs,
    },
}

impl Callee {
    /// All instances that may be called.
    pub(super) fn instances(&self, list: &mut Vec<InstId>) {
        match self {
            Callee::Known(id, _) => list.push(*id),
            Callee::Value { members, .. } => list.extend(members.iter().map(|(_, id)| id)),
        }
    }
}

/// What a call was found to be.
#[derive(Clone, Debug)]
pub(super) enum Target {
    /// A jump to a block, or a branch to one of two.
    Blocks {
        /// The condition, if it is not a constant.
        condition: Option<NodeId>,
        targets: Vec<InstId>,
    },
    Function(Callee),
    /// A call that stands for something else, with these arguments.
    Instead(Callee, Rc<[NodeId]>),
    /// A call of the derivative of the callee.
    Derivative(Callee),
    /// A `jvp` of the callee.
    Pushforward(Callee),
    /// A call with a tuple of arguments, of the callee or of a derivative of it.
    Applied(Callee),
    /// A call of a function with rules for its derivatives.
    Ruled(Box<Ruled>),
    /// A call of the pullback of one of these functions.
    Pullback(Rc<[InstId]>),
}

impl Target {
    /// All instances that are called.
    pub(super) fn instances(&self, list: &mut Vec<InstId>) {
        match self {
            Target::Blocks { targets, .. } => list.extend(targets),
            Target::Ruled(ruled) => ruled.instances(list),
            Target::Pullback(_) => {}
            _ => self.callee().into_iter().for_each(|callee| callee.instances(list)),
        }
    }

    /// The function that is called by its name.
    pub(super) fn known(&self) -> Option<InstId> {
        match self {
            Target::Function(Callee::Known(id, _)) | Target::Instead(Callee::Known(id, _), _) => Some(*id),
            _ => None,
        }
    }

    /// The function that is called, or whose derivative is.
    pub(super) fn callee(&self) -> Option<&Callee> {
        match self {
            Target::Function(callee)
            | Target::Derivative(callee)
            | Target::Pushforward(callee)
            | Target::Applied(callee)
            | Target::Instead(callee, _) => Some(callee),
            Target::Blocks { .. } | Target::Ruled(_) | Target::Pullback(_) => None,
        }
    }

    /// The place that decides the result.
    pub(super) fn result_span(&self, instances: &Instances) -> Span {
        let mut list = Vec::new();
        self.instances(&mut list);
        list.into_iter().map(|id| instances[id].result_span).find(|s| s.is_some()).unwrap_or(Span::NONE)
    }
}

/// More instances of blocks than this are not made where loops are unrolled.
const MAX_BLOCKS: usize = 10_000;

/// Nor are more if the arguments of all hold more values than this, as where lists of many lengths are gone over.
const MAX_HELD: usize = 1 << 23;

impl Engine {
    /// Looks at a call.
    pub(super) fn call(&mut self, id: InstId, node: NodeId) -> Result<Abs, Stop> {
        if let Some((condition, targets)) = self.block_callees(node) {
            return self.jump(id, node, condition, targets);
        }
        let (shape, inputs) = self.shape(node);
        let span = self.place(id, node);
        if let Kind::Prim(Prim::Apply(_)) = self.m[node].kind {
            return self.apply(id, node, shape, &inputs, span);
        }
        let (callee, derivative) = match self.m[inputs[0]].kind {
            Kind::Prim(Prim::J) => (self.m[inputs[0]].inputs()[0], true),
            _ => (inputs[0], false),
        };
        let function = self.operand(id, callee);
        let args: Vec<Abs> = inputs[1..].iter().map(|&n| self.operand(id, n)).collect();
        if function.is_bottom() || args.iter().any(Abs::is_bottom) {
            return Ok(Abs::Bottom);
        }
        self.check_assigned(id, node, &[callee], std::slice::from_ref(&function))?;
        self.check_assigned(id, node, &inputs[1..], &args)?;
        let spans: Vec<Span> = inputs[1..].iter().map(|&n| self.m[n].span.or(span)).collect();
        match function {
            Abs::Func(set) => {
                let is_made_here = made_by(self, id, callee).is_some();
                let called = self.function_call(id, &set, is_made_here, Signature::new(shape, args), &spans, span);
                if set.len() > 1 && matches!(called, Err(Stop::Error(_))) {
                    // It may be that a constant decides which of them is called.
                    self.wanted.push((id, callee));
                }
                let (target, result) = called?;
                let scalar = self.m[node].graph.and_then(|g| self.wrappers.gradient_with_more(g));
                let result = if derivative { self.differentiated(&target, &result, scalar, span)? } else { result };
                let target = if derivative { Target::Derivative(target) } else { Target::Function(target) };
                self.record(id, node, target);
                Ok(result)
            }
            Abs::Pullback(result, args, of) => {
                // The seed may have been made when less was known of the result: then nothing reaches this call any more.
                let seed = self.operand(id, inputs[1]);
                if !seed.is_cotangent_of(&result) {
                    let message = format!("a cotangent of {} is shaped like it, this is {}", result.a(), seed.a());
                    return Err(Diagnostic::refused(span, message).into());
                }
                self.record(id, node, Target::Pullback(of));
                Ok(Abs::tuple(std::iter::once(Abs::Opaque).chain(args.iter().map(Abs::cotangent))))
            }
            // An instance whose class says how it is called.
            ref instance if !derivative && let Some(method) = self.method(instance, "__call__")? => {
                let shape = Shape { count: shape.count + 1, keywords: shape.keywords };
                let args: Vec<Abs> = std::iter::once(function.clone()).chain(args).collect();
                let spans: Vec<Span> = std::iter::once(span).chain(spans).collect();
                let closure = Closure::Graph(method, None);
                let (callee, result) = self.function_call(id, &[closure], false, Signature::new(shape, args), &spans, span)?;
                self.record(id, node, Target::Instead(callee, inputs.into()));
                Ok(result)
            }
            // It fails where it is `None`.
            ref maybe if !derivative && matches!(maybe.present(), Some(Abs::Func(_))) => {
                let graph = self.call_of_present(&shape);
                self.stands_for(id, node, graph, inputs)
            }
            ref record if !derivative && !self.knows_bundles(id, record) => Ok(Abs::Bottom),
            ref record if !derivative && let Some(graph) = self.call_of_record(record, &shape) => {
                self.stands_for(id, node, graph, inputs)
            }
            other => Err(Diagnostic::refused(span, format!("{} cannot be called", other.a()))
                .label(self.m[callee].span, format!("this is {}", other.a()))
                .into()),
        }
    }

    /// A call with starred arguments, and with `**`: of a wrapper for that many, and for these keys.
    fn apply(&mut self, id: InstId, node: NodeId, shape: Shape, inputs: &[NodeId], span: Span) -> Result<Abs, Stop> {
        let function = self.operand(id, inputs[0]);
        let args: Vec<Abs> = inputs[1..].iter().map(|&n| self.operand(id, n)).collect();
        if function.is_bottom() || args.iter().any(Abs::is_bottom) {
            return Ok(Abs::Bottom);
        }
        self.check_assigned(id, node, &inputs[..1], &[function])?;
        let Abs::Tuple(items, _) = &args[0] else {
            if args[0].element().is_some() {
                self.wanted.push((id, inputs[1]));
                let d = Diagnostic::unsupported(span, "what follows `*` is a list whose length only the run knows");
                return Err(d.hint("hand on the list itself").into());
            }
            return Err(Diagnostic::refused(span, format!("what follows `*` is a tuple, this is {}", args[0].a())).into());
        };
        let mut keywords = Vec::with_capacity(shape.keywords.len());
        for (name, arg) in shape.keywords.iter().zip(&args[1..]) {
            keywords.push(match arg {
                _ if **name != *"**" => Keyword::Named(name.clone()),
                Abs::Record(schema, _) if schema.class.is_none() => {
                    if let Some(key) = schema.fields.iter().map(|name| Key::of(name)).find(|key| !matches!(key, Key::Str(_))) {
                        return Err(
                            Diagnostic::refused(span, format!("what follows `**` has strings for keys, not {key}")).into()
                        );
                    }
                    Keyword::Dict(schema.clone())
                }
                other => {
                    return Err(Diagnostic::refused(span, format!("what follows `**` is a dict, this is {}", other.a())).into());
                }
            });
        }
        let wrapper = self.starred(id, node, inputs[0], items.len(), &keywords);
        let parent = self.scopes.parent(wrapper).map(|p| self.instances.home(id, p));
        let spans: Vec<Span> = inputs[1..].iter().map(|&n| self.m[n].span.or(span)).collect();
        let signature = Signature::new(Shape { count: args.len(), keywords: [].into() }, args);
        let (callee, result) = self.function_call(id, &[Closure::Graph(wrapper, parent)], true, signature, &spans, span)?;
        self.record(id, node, Target::Function(callee));
        Ok(result)
    }

    /// The blocks that a call jumps to, if it does, and the condition.
    fn block_callees(&self, node: NodeId) -> Option<(Option<NodeId>, Vec<NodeId>)> {
        let callee = self.m[node].inputs()[0];
        if self.as_block(callee).is_some() {
            return Some((None, vec![callee]));
        }
        match (&self.m[callee].kind, self.m[callee].inputs()) {
            (Kind::Prim(Prim::Select), &[c, a, b]) if self.as_block(a).is_some() => Some((Some(c), vec![a, b])),
            _ => None,
        }
    }

    /// The shape of a call, and callee and arguments without the names of keywords.
    pub(super) fn shape(&self, node: NodeId) -> (Shape, Vec<NodeId>) {
        let inputs = self.m[node].inputs();
        let named = match self.m[node].kind {
            Kind::Prim(Prim::CallKw(n) | Prim::Apply(n) | Prim::PartialKw(n)) => n as usize,
            _ => 0,
        };
        let (inputs, names) = inputs.split_at(inputs.len() - named);
        let keywords = names.iter().map(|&n| match self.m[n].as_const() {
            Some(Const::Str(name)) => name.clone(),
            other => unreachable!("a keyword is a string, not {other:?}"),
        });
        (Shape { count: inputs.len() - 1, keywords: keywords.collect() }, inputs.to_vec())
    }

    fn jump(&mut self, id: InstId, node: NodeId, condition: Option<NodeId>, mut targets: Vec<NodeId>) -> Result<Abs, Stop> {
        let mut open = condition;
        if let Some(c) = condition {
            match self.operand(id, c) {
                Abs::Bottom => return Ok(Abs::Bottom),
                Abs::Bool(Some(taken)) => {
                    targets = vec![targets[if taken { 0 } else { 1 }]];
                    open = None;
                }
                Abs::Bool(None) => {}
                // A comparison of arrays, or one that a class defines.
                other => {
                    let d = Diagnostic::refused(self.place(id, c), format!("a condition is a bool, this is {}", other.a()));
                    return Err(d.hint("write `np.any(…)` or `np.all(…)` of an array, `bool(…)` of anything else").into());
                }
            }
        }
        let span = self.place(id, node);
        let inputs = self.m[node].inputs()[1..].to_vec();
        let given: Vec<Abs> = inputs.iter().map(|&n| self.operand(id, n)).collect();
        if given.iter().any(Abs::is_bottom) {
            return Ok(Abs::Bottom);
        }
        let spans: Vec<Span> = inputs.iter().map(|&n| self.m[n].span.or(span)).collect();
        let function = self.instances[id].function;
        let mut places = Vec::with_capacity(targets.len());
        for target in targets {
            let graph = self.as_block(target).expect("a block");
            let Closure::Graph(_, parent) = self.closure(id, graph) else { unreachable!("a graph") };
            if open.is_none() || !self.is_excluded(id, graph, parent) {
                places.push((graph, parent));
            }
        }
        open = open.filter(|_| places.len() == 2);
        let mut reached = Vec::new();
        for (graph, parent) in places {
            let site = self.instances[id].site;
            let (args, constants) = self.block_arguments(id, graph, parent, &given);
            let r = Request {
                graph,
                parent,
                args: &args,
                spans: &spans,
                caller: Some(id),
                site,
                origin: Span::NONE,
                context: None,
                voice: self.instances[id].voice,
            };
            let (block, new) = self.instances.block(&r, function, constants);
            let are_many = self.instances.blocks() > MAX_BLOCKS && self.statics.has_blocks();
            if new && (are_many || self.instances.held_by_blocks() > MAX_HELD) {
                return Err(Stop::Fatal(Box::new(self.unrolled_too_far(graph, site))));
            }
            if new {
                self.note_long_lists(block);
            }
            if self.long.contains(&graph) {
                return Err(self.unrolled_too_far(graph, site).into());
            }
            if !new {
                self.note_wraps(id, block, &args);
            }
            if !new && self.wants_orders(id, block, &args) {
                let d = Diagnostic::refused(site, "this loop takes a derivative of another order each time it runs");
                return Err(d.hint("let the number of times be a constant of the program").into());
            }
            let grown = match self.grow_args(block, &r) {
                Ok(grown) => new || grown,
                Err(d) => {
                    if !self.wants_assigned(block, r.args) {
                        self.want_paths(id, block, r.args);
                    }
                    return Err(d.into());
                }
            };
            self.await_instance(block, grown, id)?;
            reached.push(block);
        }
        let mut result = Abs::Bottom;
        for &block in &reached {
            let (more, place) = (&self.instances[block].result, self.instances[block].result_span);
            result = match result.join(more, &mut self.classes) {
                Ok(joined) => joined,
                Err(_) => {
                    self.wanted.extend(open.map(|c| (id, c)));
                    let first = self.instances[reached[0]].result_span;
                    let [here, there] = more.told_apart(&result);
                    let message = format!("the function returns {here} here and {there} elsewhere");
                    return Err(Diagnostic::refused(place.or(span), message).label(first, format!("{there} here")).into());
                }
            };
        }
        self.record(id, node, Target::Blocks { condition: open, targets: reached });
        Ok(result)
    }

    /// The place that stands for those of a function's code, where it has none of its own, or makes objects that are told apart. `id`
    /// calls it.
    fn site(&self, id: InstId, g: GraphId, call: Span) -> Span {
        let makers = &self.m.memory.makers;
        if self.m[g].flavor == Flavor::Library {
            call
        } else if makers.is_empty() {
            Span::NONE
        } else if makers.contains(&g) {
            // Of one that is called by a wrapper, where that is called.
            let caller = &self.instances[id];
            if self.wrappers.is_wrapper(caller.graph) { caller.site.or(call) } else { call }
        } else if self.wrappers.is_wrapper(g) {
            call
        } else {
            Span::NONE
        }
    }

    /// The call of the function that makes an instance, if `id` is of one, or of a function of a library that it calls.
    fn made_for(&self, id: InstId, site: Span) -> Span {
        let function = &self.instances[self.instances[id].function];
        match self.m.memory.makers.contains(&function.graph) {
            _ if !site.is_some() => Span::NONE,
            true => function.site,
            false => function.origin,
        }
    }

    /// The same for a function that is called as a value: the place where its closure was made, so that it is one for all calls.
    fn site_of_value(&self, id: InstId, g: GraphId, parent: Option<InstId>, call: Span) -> Span {
        let made = parent.map_or(Span::NONE, |parent| self.instances[parent].site);
        if made.is_some() && self.m[g].flavor == Flavor::Library { made } else { self.site(id, g, call) }
    }

    /// A call of one of a set of closures. A single one whose code is around the call is known if it `is_made_here`: then it captures
    /// what is in scope.
    pub(super) fn function_call(
        &mut self,
        id: InstId,
        set: &[Closure],
        is_made_here: bool,
        mut signature: Signature,
        spans: &[Span],
        span: Span,
    ) -> Result<(Callee, Abs), Stop> {
        // A call that it waits for is looked at in between.
        let voice = self.voice;
        signature.voice = voice;
        if let &[closure] = set {
            let (graph, parent) = self.resolve(Some(id), closure, &signature.shape, span)?;
            // What comes from elsewhere may have been made by another call of the function around it, or in another turn of a loop.
            if parent.is_none() || is_made_here && self.instances.in_scope(id, parent) {
                let args = self.kept(graph, &signature.args);
                let (site, context) = match self.context(id, graph) {
                    None => (self.site(id, graph, span), None),
                    context => (span, context),
                };
                let origin = self.made_for(id, site);
                let caller = Some(id);
                let callee =
                    self.function(&Request { graph, parent, args: &args, spans, caller, site, origin, context, voice })?;
                return Ok((Callee::Known(callee, args.into()), self.instances[callee].result.clone()));
            }
        }
        // Sets of functions have one representation per class, so the signature mentions classes only.
        let class = self.classes.of(set[0]);
        let closures = self.classes.members(class, id);
        let mut resolved = Vec::with_capacity(closures.len());
        for &closure in closures.iter() {
            resolved.push((closure, self.resolve(Some(id), closure, &signature.shape, span)?));
        }
        let args = signature.args.iter().enumerate().map(|(i, a)| {
            let keeps = |&(_, (g, _)): &(Closure, (GraphId, Option<InstId>))| self.keeps_text(g, i);
            if resolved.iter().any(keeps) { a.broaden_but_text() } else { a.broaden() }
        });
        let args: Vec<Abs> = args.collect();
        signature.args = args.iter().map(|a| self.whole_classes(a, id)).collect();
        let mut members = Vec::new();
        for (closure, (graph, parent)) in resolved {
            let site = self.site_of_value(id, graph, parent, span);
            let origin = self.made_for(id, site);
            let args = &signature.args;
            let (caller, context) = (Some(id), None);
            let instance = self.function(&Request { graph, parent, args, spans, caller, site, origin, context, voice })?;
            members.push((closure, instance));
        }
        let mut result = Abs::Bottom;
        for &(_, member) in &members {
            let more = &self.instances[member].result;
            result = match result.join(more, &mut self.classes) {
                Ok(joined) => joined,
                Err(_) => {
                    let [one, another] = result.told_apart(more);
                    let d = Diagnostic::refused(span, format!("the functions called here return {one} and {another}"))
                        .label(self.instances[members[0].1].result_span, format!("{one} here"))
                        .label(self.instances[member].result_span, format!("{another} here"));
                    return Err(d.into());
                }
            };
        }
        for &(_, member) in &members {
            self.grow_result(member, result.clone(), span);
        }
        Ok((Callee::Value { closure: set[0], signature, members: members.into(), result: result.clone() }, result))
    }

    /// The value with every set of closures grown to its class.
    fn whole_classes(&mut self, a: &Abs, watcher: InstId) -> Abs {
        match a {
            Abs::Func(set) => {
                let class = self.classes.of(set[0]);
                Abs::Func(self.classes.members(class, watcher))
            }
            Abs::Tuple(items, of) => Abs::Tuple(items.iter().map(|item| self.whole_classes(item, watcher)).collect(), *of),
            Abs::Record(schema, items) => {
                Abs::Record(schema.clone(), items.iter().map(|item| self.whole_classes(item, watcher)).collect())
            }
            Abs::Union(kinds) => Abs::Union(kinds.iter().map(|kind| self.whole_classes(kind, watcher)).collect()),
            Abs::Iter(items, at) => Abs::Iter(items.iter().map(|item| self.whole_classes(item, watcher)).collect(), *at),
            other => other.clone(),
        }
    }

    /// The pullback of a callee.
    fn pullback(&self, callee: &Callee, result: Abs, args: &[Abs]) -> Abs {
        let mut of = Vec::new();
        callee.instances(&mut of);
        of.sort_unstable();
        Abs::Pullback(Rc::new(result), args.into(), of.into())
    }

    /// The result of the derivative of a callee: the value and the pullback. The value must be a float if it is to be `scalar`, or a
    /// pair of one and something else.
    pub(super) fn differentiated(
        &mut self,
        callee: &Callee,
        result: &Abs,
        scalar: Option<bool>,
        span: Span,
    ) -> Result<Abs, Stop> {
        let (args, instance) = match callee {
            Callee::Known(id, args) => (args.to_vec(), *id),
            Callee::Value { signature, members, .. } => (signature.args.clone(), members[0].1),
        };
        if result.is_bottom() {
            return Ok(Abs::Bottom);
        }
        let is_right = match (scalar, result) {
            (None, _) => true,
            (Some(false), Abs::Array(dtype, shape)) if self.m.one_element => {
                dtype.is_float() && shape.iter().product::<i64>() == 1
            }
            (Some(false), own) => matches!(own, Abs::F64(_)),
            (Some(true), Abs::Tuple(both, _)) => both.len() == 2 && matches!(both[0], Abs::F64(_)),
            (Some(true), _) => false,
        };
        match result {
            _ if is_right => {
                let result = result.broaden();
                Ok(Abs::tuple([result.clone(), self.pullback(callee, result, &args)]))
            }
            other => {
                let wanted = if scalar == Some(true) { "a float and something else, since it `has_aux`" } else { "a float" };
                let message = format!("`grad` needs a function that returns {wanted}, this returns {}", other.a());
                let d = Diagnostic::refused(span, message);
                let d = self.with_origin(d, instance, other);
                let hint = match other {
                    Abs::Union(kinds) if kinds[0] == Abs::None => MISSING,
                    Abs::I64(_) if args.iter().any(|a| matches!(a, Abs::I64(_))) => "give floats: write `3.0`, not `3`",
                    Abs::I64(_) | Abs::Bool(_) => "convert it by `float(…)`",
                    _ if scalar == Some(true) => "return a tuple of two",
                    _ => "differentiate a function that returns one of its values",
                };
                Err(d.hint(hint).into())
            }
        }
    }
}
