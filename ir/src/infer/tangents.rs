//! Tangents, cotangents and gradients of values in which there are boxes, part by part: graphs that are made here.
//!
//! ```text
//! gradient(c, tree)     a record like the tree, of the gradients of its fields
//! given(t, tree)        the tangent of the tree, from those of its fields in a record like it
//! ```

use super::abs::Abs;
use super::dispatch::Dispatch;
use super::engine::Engine;
use super::wrappers::Wrapped;
use crate::data::Schema;
use crate::graph::{Const, Flavor, GraphId, NodeId};
use crate::key::Key;
use crate::prim::Prim;
use crate::span::Span;
use crate::types::Type;
use std::sync::Arc;

/// An arm of [`Engine::branch`] that is told the name of the class, where the kind is one.
type NamedArm<'a> = dyn FnMut(&mut Engine, GraphId, NodeId, Option<&str>, &mut Vec<NodeId>) -> NodeId + 'a;

impl Engine {
    /// The graph that gives the gradient with respect to a value in which there are boxes, from its cotangent.
    pub(super) fn gradient_graph(&mut self, of: &Abs) -> GraphId {
        let what = Dispatch::parts(of);
        let key = Wrapped::Dispatch(what.clone());
        if let Some(g) = self.wrappers.get(&key) {
            return g;
        }
        let (g, params) = self.made_graph("gradient", Flavor::Library, 2);
        self.wrappers.put(key, g);
        let &[cotangent, x] = &params[..] else { unreachable!("it was made with two") };
        match what {
            Dispatch::Tuple(count) => {
                let mut schedule = Vec::new();
                let fields = self.gradients(g, cotangent, x, count, &mut schedule);
                let result = self.node_of(g, Prim::Tuple, &fields, &mut schedule);
                self.finish(g, result, schedule);
            }
            Dispatch::Record(schema) | Dispatch::Boxed(schema) => {
                let boxed = matches!(of, Abs::Boxed(_));
                let (mut schedule, mut fields) = (Vec::new(), Vec::new());
                for i in 0..schema.fields.len() {
                    let index = self.m.i64(i as i64);
                    let part = match boxed {
                        true => self.node_of(g, Prim::PartOf, &[cotangent, x, index], &mut schedule),
                        false => self.node_of(g, Prim::GetItem, &[cotangent, index], &mut schedule),
                    };
                    let field = self.field_of(g, x, &schema, i, &mut schedule);
                    fields.push(self.node_of(g, Prim::Shown, &[part, field], &mut schedule));
                }
                let fields = self.node_of(g, Prim::Tuple, &fields, &mut schedule);
                let result = self.node_of(g, Prim::Alike, &[x, fields], &mut schedule);
                self.finish(g, result, schedule);
            }
            Dispatch::Kinds(optional, classes) => {
                let mut arm = |e: &mut Engine, at: GraphId, narrowed: NodeId, _: Option<&str>, schedule: &mut Vec<NodeId>| {
                    let none = e.m.constant(Const::None, Type::None);
                    let part = e.node_of(at, Prim::PartOf, &[cotangent, x, none], schedule);
                    e.node_of(at, Prim::Shown, &[part, narrowed], schedule)
                };
                let mut none = |e: &mut Engine, _: GraphId, _: &mut Vec<NodeId>| e.m.constant(Const::None, Type::None);
                self.by_kinds(g, x, optional, &classes, &mut none, &mut arm);
            }
            _ => unreachable!("there is no gradient of {what:?}"),
        }
        g
    }

    /// The graph that gives the tangent, or cotangent, of a value in which there are boxes, from what a program gives for it.
    pub(super) fn given_graph(&mut self, given: &Abs, of: &Abs) -> GraphId {
        let is_choice = [given, of].iter().any(|a| matches!(a, Abs::Union(_)));
        let what = if is_choice { Dispatch::kinds(given) } else { Dispatch::parts(of) };
        let key = Wrapped::Dispatch(Dispatch::Given(Box::new(what.clone())));
        if let Some(g) = self.wrappers.get(&key) {
            return g;
        }
        let (g, params) = self.made_graph("given", Flavor::Library, 3);
        self.wrappers.put(key, g);
        let &[given, x, called] = &params[..] else { unreachable!("it was made with three") };
        let mut schedule = Vec::new();
        match what {
            Dispatch::Kinds(optional, classes) => {
                let mut arm = |e: &mut Engine, at: GraphId, narrowed: NodeId, class: Option<&str>, schedule: &mut Vec<NodeId>| {
                    // The tangents of instances are instances of their class, of another grade.
                    let class = match class.and_then(|name| name.split('\'').next()) {
                        Some(class) => e.text(class),
                        None => e.m.constant(Const::None, Type::None),
                    };
                    let one = e.node_of(at, Prim::NarrowTo, &[x, class], schedule);
                    let tangent = e.node_of(at, Prim::Given, &[narrowed, one, called], schedule);
                    e.node_of(at, Prim::WholeOf, &[tangent, x, class], schedule)
                };
                let mut zero = |e: &mut Engine, at: GraphId, schedule: &mut Vec<NodeId>| {
                    let none = e.m.constant(Const::None, Type::None);
                    e.node_of(at, Prim::Given, &[none, x, called], schedule)
                };
                self.by_kinds(g, given, optional, &classes, &mut zero, &mut arm);
            }
            Dispatch::Tuple(count) => {
                let mut fields = Vec::new();
                for i in 0..count {
                    let index = self.m.i64(i as i64);
                    let [part, field] = [given, x].map(|n| self.node_of(g, Prim::GetItem, &[n, index], &mut schedule));
                    fields.push(self.node_of(g, Prim::Given, &[part, field, called], &mut schedule));
                }
                let result = self.node_of(g, Prim::Tuple, &fields, &mut schedule);
                self.finish(g, result, schedule);
            }
            Dispatch::Record(schema) | Dispatch::Boxed(schema) => {
                let mut fields = Vec::new();
                for i in 0..schema.fields.len() {
                    let [part, field] = [given, x].map(|n| self.field_of(g, n, &schema, i, &mut schedule));
                    fields.push(self.node_of(g, Prim::Given, &[part, field, called], &mut schedule));
                }
                let mut result = self.node_of(g, Prim::Tuple, &fields, &mut schedule);
                if matches!(of, Abs::Boxed(_)) {
                    let none = self.m.constant(Const::None, Type::None);
                    result = self.node_of(g, Prim::WholeOf, &[result, x, none], &mut schedule);
                }
                self.finish(g, result, schedule);
            }
            other => unreachable!("there is no tangent of {other:?}"),
        }
        g
    }

    /// The graph that gives the value and the tangent of a function of values in which there are boxes, or that gives some.
    pub(super) fn jvp_graph(&mut self) -> GraphId {
        let key = Wrapped::Dispatch(Dispatch::Jvp);
        if let Some(g) = self.wrappers.get(&key) {
            return g;
        }
        let (g, params) = self.made_graph("jvp", Flavor::Library, 3);
        self.wrappers.put(key, g);
        let &[f, args, tangents] = &params[..] else { unreachable!("it was made with three") };
        let (none, tangent, cotangent) = (self.m.constant(Const::None, Type::None), self.text("tangent"), self.text("cotangent"));
        let mut schedule = Vec::new();
        let mut node = |prim, operands: &[NodeId]| self.node_of(g, prim, operands, &mut schedule);
        let own = node(Prim::Given, &[none, f, cotangent]);
        let tangents = node(Prim::Given, &[tangents, args, tangent]);
        let pair = node(Prim::Pushed, &[f, own, args, tangents]);
        let [y, tangent] = [0, 1].map(|i| node(Prim::Get(i), &[pair]));
        let shown = node(Prim::Shown, &[tangent, y]);
        let result = node(Prim::Tuple, &[y, shown]);
        self.finish(g, result, schedule);
        g
    }

    /// `jvp` where a tangent is given for these arguments, which are ints: floats for the function.
    pub(super) fn jvp_in_ints(&mut self, are_ints: Vec<bool>) -> GraphId {
        let key = Wrapped::JvpInInts(are_ints.clone());
        if let Some(g) = self.wrappers.get(&key) {
            return g;
        }
        let (g, params) = self.made_graph("jvp", Flavor::Library, 3);
        self.wrappers.put(key, g);
        let mut schedule = Vec::new();
        let mut args = Vec::with_capacity(are_ints.len());
        for (i, is_int) in (0..).zip(are_ints) {
            let arg = self.node_of(g, Prim::Get(i), &[params[1]], &mut schedule);
            args.push(if is_int { self.node_of(g, Prim::Differentiable, &[arg], &mut schedule) } else { arg });
        }
        let args = self.node_of(g, Prim::Tuple, &args, &mut schedule);
        let result = self.node_of(g, Prim::Jvp, &[params[0], args, params[2]], &mut schedule);
        self.finish(g, result, schedule);
        g
    }

    /// A field of a record or of an instance.
    fn field_of(&mut self, g: GraphId, x: NodeId, schema: &Schema, i: usize, schedule: &mut Vec<NodeId>) -> NodeId {
        let (name, none, no) = (self.text(&schema.fields[i]), self.m.constant(Const::None, Type::None), self.m.bool(false));
        match schema.class {
            Some(_) => self.node_of(g, Prim::Attribute, &[x, name, none, no], schedule),
            None => {
                let key = self.key_node(g, &Key::of(&schema.fields[i]), schedule);
                self.node_of(g, Prim::GetItem, &[x, key], schedule)
            }
        }
    }

    fn key_node(&mut self, g: GraphId, key: &Key, schedule: &mut Vec<NodeId>) -> NodeId {
        match key {
            Key::Str(s) => self.text(s),
            Key::Int(i) => self.m.i64(*i),
            Key::Float(bits) => self.m.f64(f64::from_bits(*bits)),
            Key::Bool(b) => self.m.bool(*b),
            Key::Tuple(keys) => {
                let keys: Vec<NodeId> = keys.iter().map(|k| self.key_node(g, k, schedule)).collect();
                self.node_of(g, Prim::Tuple, &keys, schedule)
            }
        }
    }

    fn gradients(&mut self, g: GraphId, cotangent: NodeId, x: NodeId, count: usize, schedule: &mut Vec<NodeId>) -> Vec<NodeId> {
        let mut fields = Vec::new();
        for i in 0..count {
            let index = self.m.i64(i as i64);
            let parts = [cotangent, x].map(|n| self.node_of(g, Prim::GetItem, &[n, index], schedule));
            fields.push(self.node_of(g, Prim::Shown, &parts, schedule));
        }
        fields
    }

    /// Lets a graph return what `missing` says where the value is `None`, and what an arm makes of it where it is of another kind.
    pub(super) fn by_kinds(
        &mut self,
        g: GraphId,
        value: NodeId,
        optional: bool,
        classes: &[Option<Arc<str>>],
        missing: &mut dyn FnMut(&mut Engine, GraphId, &mut Vec<NodeId>) -> NodeId,
        arm: &mut NamedArm<'_>,
    ) {
        let none = self.m.constant(Const::None, Type::None);
        let names: Option<Vec<Arc<str>>> = classes.iter().cloned().collect();
        let mut some = g;
        let mut schedule = Vec::new();
        if optional {
            let (missed, there) = (self.made_graph("none", Flavor::Block, 0).0, self.made_graph("some", Flavor::Block, 0).0);
            let is = self.node_of(g, Prim::Eq, &[value, none], &mut schedule);
            let arms = [missed, there].map(|g| self.m.graph_ref(g));
            let choice = self.node_of(g, Prim::Select, &[is, arms[0], arms[1]], &mut schedule);
            let call = self.m.call(g, choice, &[], Type::Unknown, Span::NONE);
            schedule.push(call);
            self.scopes.declare(g, None);
            self.scopes.declare(missed, Some(g));
            self.scopes.declare(there, Some(g));
            self.m.set_result(g, call);
            self.scopes.set_schedule(g, std::mem::take(&mut schedule));
            let mut inside = Vec::new();
            let result = missing(self, missed, &mut inside);
            self.m.set_result(missed, result);
            self.scopes.set_schedule(missed, inside);
            some = there;
        }
        match names {
            Some(names) => {
                // Arms are made in the order of the classes.
                let mut next = names.iter();
                let mut arm = |e: &mut Engine, at: GraphId, narrowed: NodeId, schedule: &mut Vec<NodeId>| {
                    arm(e, at, narrowed, next.next().map(|name| &**name), schedule)
                };
                self.branch(some, value, &names, &mut arm);
            }
            None => {
                let narrowed = self.node_of(some, Prim::NarrowTo, &[value, none], &mut schedule);
                let result = arm(self, some, narrowed, None, &mut schedule);
                if some == g {
                    self.scopes.declare(g, None);
                }
                self.m.set_result(some, result);
                self.scopes.set_schedule(some, schedule);
            }
        }
    }
}

impl Dispatch {
    /// What is done with the parts of a value of this type.
    fn parts(of: &Abs) -> Dispatch {
        match of {
            Abs::Tuple(items, _) => Dispatch::Tuple(items.len()),
            Abs::Record(schema, _) => Dispatch::Record(schema.clone()),
            Abs::Boxed(boxed) => Dispatch::Boxed(boxed.schema.clone()),
            Abs::Union(_) => Dispatch::kinds(of),
            other => unreachable!("there is no box in {other:?}"),
        }
    }

    /// What is done for each of the kinds that a value may be.
    pub(super) fn kinds(of: &Abs) -> Dispatch {
        let kinds = of.kinds();
        let others = kinds.iter().filter(|k| **k != Abs::None);
        let classes = others.map(Abs::exact_name).collect();
        Dispatch::Kinds(kinds[0] == Abs::None, classes)
    }
}

/// Whether there are boxes in a value.
pub(super) fn has_boxes(a: &Abs) -> bool {
    match a {
        Abs::Boxed(_) | Abs::Union(_) | Abs::Elements(_) => true,
        Abs::Tuple(items, _) | Abs::Record(_, items) => items.iter().any(has_boxes),
        _ => false,
    }
}
