//! Calls of values that are no functions: of instances whose class has `__call__`, of one of several kinds of values, and of partial
//! applications and bound methods that are records ([`super::closures`]). The primitives of the toolbox that apply a function take them, too.
//!
//! ```text
//! p(x)                        p.func(*p.args, x, **p.keywords)
//! applied(r, args)            applied(called, (r,) + args)        called(r, …) = r(…)
//! pulled(r, args)             the same; the cotangent of `r` is that of the first argument
//! ```

use super::abs::Abs;
use super::calls::Shape;
use super::closures::{METHOD, PARTIAL, record_of};
use super::engine::{Engine, Stop};
use super::instances::InstId;
use super::wrappers::Wrapped;
use crate::graph::{Const, Flavor, GraphId, NodeId};
use crate::prim::Prim;
use crate::span::{Diagnostic, Span};
use crate::types::Type;
use std::rc::Rc;
use std::sync::Arc;

/// Whether a value is a partial application or a bound method that is a record.
fn is_bundle(value: &Abs) -> bool {
    let class = value.schema().and_then(|s| s.class.as_deref());
    class.is_some_and(|class| class == METHOD || class.starts_with(PARTIAL))
}

/// Whether one of the kinds of a value is.
pub(super) fn has_bundle(value: &Abs) -> bool {
    value.kinds().iter().any(is_bundle)
}

/// The function that a call of such a record calls, and the parts of the record that it is given first.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) enum Bundle {
    /// So many positional arguments, and others by these names.
    Partial(usize, Rc<[Arc<str>]>),
    Method,
}

impl Engine {
    /// What a partial application or a bound method that is a record calls; none as long as the fields of a box are not known.
    fn bundle(&self, value: &Abs) -> Option<Bundle> {
        let fields = match value {
            Abs::Record(_, fields) => fields.clone(),
            Abs::Boxed(boxed) => self.classes.content(boxed),
            _ => return None,
        };
        match &fields[..] {
            _ if !is_bundle(value) => None,
            [_, Abs::Tuple(args, _), Abs::Record(named, _)] => {
                Some(Bundle::Partial(args.len(), named.fields.iter().cloned().collect()))
            }
            [_, _] => Some(Bundle::Method),
            _ => None,
        }
    }

    /// The function that stands for a call of this shape of a value that is no function: of a partial application or a bound method that
    /// is a record, or of one of several kinds of values. It takes the value first.
    pub(super) fn call_of_record(&mut self, value: &Abs, shape: &Shape) -> Option<GraphId> {
        let bundle = self.bundle(value);
        let kinds: Vec<Arc<str>> = match value {
            Abs::Union(kinds) => kinds.iter().filter_map(Abs::exact_name).collect(),
            _ => Vec::new(),
        };
        if bundle.is_none() && kinds.is_empty() {
            return None;
        }
        let key = (Wrapped::Call(bundle.clone(), kinds.clone()), shape.clone());
        if let Some(g) = self.wrappers.made(&key) {
            return Some(g);
        }
        let (g, params) = self.made_graph("__call__", Flavor::Library, 1 + shape.count);
        let (value, params) = (params[0], params[1..].to_vec());
        let Some(bundle) = bundle else {
            self.branch(g, value, &kinds, &mut |e, arm, narrowed, schedule| {
                let call = e.forward(arm, narrowed, &[], &params, shape, Span::NONE);
                schedule.push(call);
                call
            });
            self.wrappers.note(key, g);
            return Some(g);
        };
        let mut schedule = Vec::new();
        let (none, no) = (self.m.constant(Const::None, Type::None), self.m.bool(false));
        let fields = if bundle == Bundle::Method { &["__func__", "__self__"][..] } else { &["func", "args", "keywords"] };
        let fields: Vec<NodeId> = (fields.iter())
            .map(|field| {
                let operands = [value, self.text(field), none, no];
                self.node_of(g, Prim::Attribute, &operands, &mut schedule)
            })
            .collect();
        let mut shape = shape.clone();
        let (mut leading, mut args) = (vec![fields[1]], params);
        if let Bundle::Partial(count, names) = &bundle {
            leading = (0..*count as u32).map(|i| self.node_of(g, Prim::Get(i), &fields[1..2], &mut schedule)).collect();
            // What the call names counts, not what was bound by that name.
            let names: Vec<Arc<str>> = names.iter().filter(|name| !shape.keywords.contains(name)).cloned().collect();
            for name in &names {
                let operands = [fields[2], self.text(name)];
                args.push(self.node_of(g, Prim::GetItem, &operands, &mut schedule));
            }
            shape.keywords = shape.keywords.iter().cloned().chain(names).collect();
        }
        shape.count = leading.len() + args.len();
        schedule.push(self.forward(g, fields[0], &leading, &args, &shape, Span::NONE));
        Some(self.finish_wrapper(key, g, schedule))
    }

    /// Whether all is known of a value to call it, if it is a partial application or a bound method that is a record. The instance is told
    /// when more is.
    pub(super) fn knows_bundles(&mut self, id: InstId, value: &Abs) -> bool {
        let mut is_known = true;
        for kind in value.kinds().iter().filter(|kind| is_bundle(kind)) {
            if let Abs::Boxed(boxed) = kind {
                self.classes.watch(boxed, id);
            }
            is_known &= self.bundle(kind).is_some();
        }
        is_known
    }

    /// The record that a bound method is; of the one that calls an instance, the instance.
    pub(super) fn method_record(
        &mut self,
        id: InstId,
        node: NodeId,
        receiver: NodeId,
        method: Option<GraphId>,
        name: &str,
    ) -> std::result::Result<Abs, Stop> {
        let method = if name == "__call__" { None } else { method };
        if let Abs::Union(_) = self.operand(id, receiver)
            && method.is_some()
        {
            let d = Diagnostic::unsupported(self.place(id, node), "a method of one of several kinds of values has no gradient");
            return Err(d.hint("write a `lambda` that calls it").into());
        }
        let key = Wrapped::MethodRecord(method);
        let graph = match self.wrappers.get(&key) {
            Some(g) => g,
            None => {
                let (g, params) = self.made_graph("method", Flavor::Library, 1);
                let mut result = params[0];
                let mut schedule = Vec::new();
                if let Some(method) = method {
                    let fields = [("__self__".into(), params[0]), ("__func__".into(), self.m.graph_ref(method))];
                    let operands = record_of(&mut self.m, g, Some(METHOD), &fields, Span::NONE);
                    schedule.extend(operands);
                    result = self.node_of(g, Prim::Record, &operands, &mut schedule);
                }
                self.finish(g, result, schedule);
                self.wrappers.put(key, g);
                g
            }
        };
        self.stands_for(id, node, graph, vec![receiver])
    }

    /// Whether a value that is no function is called like one.
    pub(super) fn is_callable(&self, value: &Abs) -> bool {
        has_bundle(value) || value.kinds().iter().any(|kind| matches!(self.method(kind, "__call__"), Ok(Some(_))))
    }

    /// The function that stands for a primitive that applies a function to a tuple of so many arguments, or a derivative of it, where the
    /// function is such a value. It is an argument then, of a function that calls it, so what is its own is its cotangent.
    pub(super) fn applied_to_record(&mut self, prim: Prim, node: NodeId, count: usize, order: usize) -> GraphId {
        let manner = (self.m.memory.silent.contains(&node), self.m.memory.witnessed.contains(&node));
        let key = Wrapped::AppliedToRecord(prim, count, order, manner);
        if let Some(g) = self.wrappers.get(&key) {
            return g;
        }
        let (called, params) = self.made_graph("called", Flavor::Library, 1 + count);
        let result = self.m.call(called, params[0], &params[1..], Type::Unknown, Span::NONE);
        self.finish(called, result, vec![result]);
        let called = self.m.graph_ref(called);
        let is_forward = matches!(prim, Prim::Pushed | Prim::PushedSeries);
        let (g, params) = self.made_graph(prim.name(), Flavor::Library, if is_forward { 4 } else { 2 });
        self.scopes.declare(g, None);
        self.wrappers.put(key, g);
        let mut schedule = Vec::new();
        let with = |e: &mut Engine, first: NodeId, rest: NodeId, schedule: &mut Vec<NodeId>| {
            let items = (0..count as u32).map(|i| e.node_of(g, Prim::Get(i), &[rest], schedule)).collect::<Vec<_>>();
            e.node_of(g, Prim::Tuple, &[&[first], &items[..]].concat(), schedule)
        };
        let args = with(self, params[0], params[prim.arguments()], &mut schedule);
        let operands = if is_forward {
            let own = self.node_of(g, Prim::NoCaptures, &[], &mut schedule);
            let (own, tangents) = if prim == Prim::Pushed {
                (own, with(self, params[1], params[3], &mut schedule))
            } else {
                let mut terms = Vec::with_capacity(order);
                for k in 0..order as u32 {
                    let [first, rest] = [1, 3].map(|i| self.node_of(g, Prim::Get(k), &[params[i]], &mut schedule));
                    terms.push(with(self, first, rest, &mut schedule));
                }
                let own = self.node_of(g, Prim::Tuple, &vec![own; order], &mut schedule);
                (own, self.node_of(g, Prim::Tuple, &terms, &mut schedule))
            };
            vec![called, own, args, tangents]
        } else {
            vec![called, args]
        };
        let mut result = self.node_of(g, prim, &operands, &mut schedule);
        if manner.0 {
            self.m.memory.silent.insert(result);
        }
        if manner.1 {
            self.m.memory.witnessed.insert(result);
        }
        if matches!(prim, Prim::Pulled | Prim::PulledLast) {
            let [y, pullback] = [0, 1].map(|i| self.node_of(g, Prim::Get(i), &[result], &mut schedule));
            let (back, seed) = self.made_graph("back", Flavor::Library, 1);
            let all = self.m.call(back, pullback, &seed, Type::Unknown, Span::NONE);
            let mut inside = vec![all];
            let cotangents: Vec<NodeId> =
                (1..2 + count as u32).map(|i| self.node_of(back, Prim::Get(i), &[all], &mut inside)).collect();
            let cotangents = self.node_of(back, Prim::Tuple, &cotangents, &mut inside);
            self.scopes.declare(back, Some(g));
            self.m.set_result(back, cotangents);
            self.scopes.set_schedule(back, inside);
            let back = self.m.graph_ref(back);
            result = self.node_of(g, Prim::Tuple, &[y, back], &mut schedule);
        }
        self.m.set_result(g, result);
        self.scopes.set_schedule(g, schedule);
        g
    }

    /// `jvp` of such a value.
    pub(super) fn jvp_of_record(&mut self) -> GraphId {
        let key = Wrapped::JvpOfRecord;
        if let Some(g) = self.wrappers.get(&key) {
            return g;
        }
        let (g, params) = self.made_graph("jvp", Flavor::Library, 3);
        let mut schedule = Vec::new();
        let function = self.call_method(g, params[0], &mut schedule);
        let result = self.node_of(g, Prim::Jvp, &[function, params[1], params[2]], &mut schedule);
        self.finish(g, result, schedule);
        self.wrappers.put(key, g);
        g
    }

    /// `x.__call__`.
    pub(super) fn call_method(&mut self, g: GraphId, x: NodeId, schedule: &mut Vec<NodeId>) -> NodeId {
        let (name, none, no) = (self.text("__call__"), self.m.constant(Const::None, Type::None), self.m.bool(false));
        self.node_of(g, Prim::Attribute, &[x, name, none, no], schedule)
    }
}
