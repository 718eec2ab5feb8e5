//! What programs do: what they print, their failures and their mutable boxes.

use super::abs::{Abs, Closure, KEYS};
use super::engine::Engine;
use super::instances::{InstId, Instance};
use super::prims::{Ops, Result, Value};
use crate::graph::{Const, Kind, NodeId};
use crate::prim::Prim;
use crate::span::{Diagnostic, Span};
use crate::types::Type;
use rustc_hash::{FxHashMap, FxHashSet};

impl Ops<'_> {
    /// The world that a function was given, or the first: what was done, and with mutable boxes their number and the tree of their
    /// contents. What was done begins as an integer, a constant, which an entry gives. Where none is given, nobody will be told: it
    /// is a boolean, and nothing is printed.
    pub(super) fn world(&mut self, given: &Value, has_boxes: &Value) -> Value {
        let done = match given.abs {
            Abs::None => Value { abs: Abs::Bool(None), ..self.bool(true) },
            Abs::I64(Some(_)) => Value { abs: Abs::I64(None), ..given.clone() },
            _ => return given.clone(),
        };
        if has_boxes.abs != Abs::Bool(Some(true)) {
            return done;
        }
        let count = Value { abs: Abs::I64(None), ..self.int(1) };
        let tree = self.constant(Const::Zero, Type::Opaque, Abs::Opaque);
        self.tuple(&[done, count, tree])
    }

    /// What mutable boxes are made of.
    pub(super) fn mutable(&mut self, prim: Prim, args: &[Value]) -> Result<Value> {
        let node = Abs::tuple([Abs::Bool(None), Abs::Opaque, Abs::tuple([Abs::Opaque, Abs::Opaque])]);
        Ok(match (prim, args) {
            (Prim::NumberOf, [number]) if matches!(number.abs, Abs::Ref(_)) => Value { abs: Abs::I64(None), node: number.node },
            (Prim::NewRef, [number, _]) => number.clone(),
            (Prim::Packed, [value, of]) => {
                let &Abs::Ref(site) = &of.abs else { return self.no_box(of) };
                if self.classes.fill(site, &value.abs).is_err() {
                    let content = self.classes.content_of(site);
                    let [here, there] = value.abs.told_apart(&content);
                    let refused = self.refuse(format!("this Box holds {here} here and {there} elsewhere"));
                    return if value.abs.is_dict() && content.is_dict() { refused.map_err(|d| d.hint(KEYS)) } else { refused };
                }
                let content = self.classes.content_of(site);
                let value = self.coerce(value, &content);
                self.op(Prim::Pack, &[&value], Abs::Opaque)
            }
            (Prim::Opened, [boxed, of]) => {
                let &Abs::Ref(site) = &of.abs else { return self.no_box(of) };
                match self.classes.content_of(site) {
                    Abs::Bottom => Value { abs: Abs::Bottom, node: NodeId::default() },
                    content => self.unpack(boxed, content),
                }
            }
            (Prim::PackedNode, parts) => {
                let tuple = self.tuple(parts);
                self.op(Prim::Pack, &[&tuple], Abs::Opaque)
            }
            (Prim::OpenedNode, [tree]) => self.unpack(tree, node),
            (_, [of, ..]) => return self.no_box(of),
            _ => unreachable!("the arity was checked"),
        })
    }

    fn no_box<T>(&self, v: &Value) -> Result<T> {
        self.refuse(format!("{} is no Box", v.abs.a()))
    }

    /// Prints or fails with a template, the places of whose values are `{}` or `{:spec}`.
    pub(super) fn say(&mut self, prim: Prim, args: &[Value]) -> Result<Value> {
        let [world, template, values] = args else { unreachable!("the arity was checked") };
        let done = match (&world.abs, prim) {
            (Abs::Bool(_), Prim::Print) => return Ok(world.clone()),
            (Abs::Bool(_), _) => &self.op(Prim::Int, &[world], Abs::I64(None)),
            _ => world,
        };
        let (text, flat) = self.filled(template, values)?;
        let (template, values) = (self.string(&text), self.tuple(&flat));
        let said = self.op(prim, &[done, &template, &values], Abs::I64(None));
        // Nothing comes after a failure.
        Ok(if prim == Prim::Fail { Value { abs: Abs::Bottom, ..said } } else { said })
    }
}

impl Engine {
    /// What would be printed, or done to mutable boxes, by functions that nobody gave the world.
    pub(super) fn lost(&mut self, entry: InstId) -> Vec<Diagnostic> {
        if !self.m.nodes().any(|(_, n)| matches!(n.kind, Kind::Prim(prim) if lost(prim).is_some())) {
            return Vec::new();
        }
        let mut lost = Vec::new();
        let reached = self.reached(entry);
        let callers = self.callers(&reached);
        for id in reached {
            let Instance { graph, ref args, .. } = self.instances[id];
            if !self.m.takes_world(graph) || args.last() != Some(&Abs::None) {
                continue;
            }
            // Code of the program hands the world on; who compiled it may call functions once more, to differentiate them. So do
            // functions of the library that take the world.
            if let Some(place) = self.lost_box(id) {
                lost.push(
                    Diagnostic::unsupported(
                        place,
                        "a Box or a variable that functions share would be lost with what this returns",
                    )
                    .hint("return what is in it"),
                );
                continue;
            }
            let libraries = self.libraries_that_call(id, &callers);
            let untold = libraries.iter().copied().find(|&at| !self.m.takes_world(self.instances[at].graph));
            let prints = untold.is_some();
            let site = untold.or(libraries.first().copied()).map_or(Span::NONE, |at| self.instances[at].site);
            lost.extend(self.lost_in(id, prints).map(|(place, what)| {
                Diagnostic::unsupported(place, what)
                    .label(site, "what calls the function does not know of effects")
                    .hint("let it return what it would print or change")
            }));
        }
        lost.sort_by_key(|d| d.span);
        lost.dedup_by_key(|d| d.span);
        lost
    }

    /// The instances that call each instance.
    fn callers(&self, reached: &[InstId]) -> FxHashMap<InstId, Vec<InstId>> {
        let mut callers: FxHashMap<InstId, Vec<InstId>> = FxHashMap::default();
        let mut called = Vec::new();
        for &id in reached {
            self.instances[id].calls.values().for_each(|target| target.instances(&mut called));
            called.drain(..).for_each(|callee| callers.entry(callee).or_default().push(id));
        }
        callers
    }

    /// The instances of functions of the library on whose behalf one runs that nobody gave the world: the nearest ones, but for those
    /// that call what others have called for what it does, and those that nobody gave the world either.
    fn libraries_that_call(&self, id: InstId, callers: &FxHashMap<InstId, Vec<InstId>>) -> Vec<InstId> {
        let (mut found, mut seen, mut work) = (Vec::new(), FxHashSet::default(), vec![id]);
        while let Some(at) = work.pop() {
            let Instance { site, function, .. } = self.instances[at];
            let Instance { graph, ref args, .. } = self.instances[function];
            let is_untold = self.m.takes_world(graph) && args.last() == Some(&Abs::None);
            if site.is_some() && !is_untold && !self.m.silent.contains(&graph) && !self.wrappers.is_wrapper(graph) {
                found.push(function);
            } else if seen.insert(at) {
                work.extend(callers.get(&at).into_iter().flatten());
            }
        }
        found.sort_unstable();
        found.dedup();
        found
    }

    /// The place of an instance that nobody gave the world, and that makes boxes, if it returns one, or a function that may have one.
    fn lost_box(&self, id: InstId) -> Option<Span> {
        let Instance { graph, ref result, result_span, .. } = self.instances[id];
        let own = match result {
            Abs::Tuple(both, _) if both.len() == 2 => &both[1],
            result => result,
        };
        let makes = |&at: &InstId| {
            self.scopes.schedule(self.instances[at].graph).iter().any(|&n| self.m.as_prim(n) == Some(Prim::NewRef))
        };
        let is_lost = (own.has_ref() || own.has_function()) && self.reached(id).iter().any(makes);
        is_lost.then(|| result_span.or(self.m[graph].span))
    }

    /// The place of an effect that an instance reaches, `prints` among them, and what is wrong if nobody is told of it. What it does
    /// to its own boxes concerns nobody else.
    fn lost_in(&mut self, id: InstId, prints: bool) -> Option<(Span, &'static str)> {
        // Of a class of functions those that are known to be called there: others of it have boxes that this one does not know.
        let is_called = |(at, call): (InstId, NodeId), closure: &Closure, _| {
            let function = self.whole(at, self.m[call].inputs()[0]);
            !matches!(function, Abs::Func(set) if !set.contains(closure))
        };
        let reached = self.reached_if(id, is_called);
        for &at in &reached {
            for &n in self.scopes.schedule(self.instances[at].graph).iter() {
                let Some(what) = self.m.as_prim(n).and_then(lost) else { continue };
                let of = self.m[n].inputs()[1];
                let is_lost = match self.operand(at, of) {
                    Abs::Ref(Closure::Made(_, home)) => !reached.contains(&home),
                    _ => prints,
                };
                if is_lost {
                    return Some((self.place(at, n), what));
                }
            }
        }
        None
    }
}

fn lost(prim: Prim) -> Option<&'static str> {
    match prim {
        Prim::Print => Some("what this prints would be lost"),
        Prim::Packed => Some("what this changes would be lost"),
        Prim::Opened => Some("what was changed before would be lost here"),
        _ => None,
    }
}
