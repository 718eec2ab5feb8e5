//! Function values as records of what they capture, for programs that look at their cotangents ([`super::captures`]). The untyped module
//! is rewritten before inference; all else is done with instances of classes.
//!
//! ```text
//! f = lambda x: x * a        f = record(a)          f(x) = x * f.a, the method `__call__` of a class with the name of the function
//! partial(g, b, c=d)         functools.partial(func=g, args=(b,), keywords={"c": d})
//! m.area                     method(__self__=m, __func__=area)
//! ```

use super::abs::Abs;
use super::calls::Shape;
use super::captures::{Records, captures_constant, is_within};
use super::engine::{Engine, Stop};
use super::instances::InstId;
use super::scopes::roots;
use super::wrappers::Wrapped;
use crate::data::{Class, Schema};
use crate::graph::{Const, Flavor, GraphId, Module, NodeId};
use crate::nest::Nest;
use crate::prim::Prim;
use crate::span::{Diagnostic, Span};
use crate::types::Type;
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;
use std::sync::Arc;

/// The class of partial applications.
const PARTIAL: &str = "functools.partial";

/// The class of bound methods.
const METHOD: &str = "method";

/// Puts records in the place of functions.
pub(super) fn convert(m: &mut Module, entry: GraphId, records: &Records) {
    if records.nodes.is_empty() && records.graphs.is_empty() {
        return;
    }
    for &node in &records.nodes {
        if let Some(Prim::Partial | Prim::PartialKw(_)) = m.as_prim(node) {
            convert_partial(m, node);
        }
    }
    for &g in &records.graphs {
        if g != entry {
            Conversion::new(m, entry, g).run();
        }
    }
    add_class(m, METHOD.into(), &["__self__", "__func__"], &["__func__"], Span::NONE, None);
}

/// Adds a class, whose text leaves out the fields that are `silent`.
fn add_class(m: &mut Module, name: Arc<str>, fields: &[impl AsRef<str>], silent: &[&str], span: Span, call: Option<GraphId>) {
    let schema = Schema { class: Some(name), fields: fields.iter().map(|f| f.as_ref().into()).collect() };
    m.classes.push(Class {
        schema: Arc::new(schema),
        span,
        bases: Vec::new(),
        recursive: false,
        methods: call.map(|g| ("__call__".into(), Ok(g))).into_iter().collect(),
        silent: Some(silent.iter().map(|name| Arc::from(*name)).collect()),
        properties: FxHashSet::default(),
        statics: FxHashSet::default(),
        members: Vec::new(),
        tuple: false,
    });
}

/// A name that no other class has.
fn new_class_name(m: &Module, name: &str) -> Arc<str> {
    let is_new = |name: &str| m.classes.iter().all(|c| c.schema.class.as_deref() != Some(name));
    let numbered = (2..).map(|i| format!("{name}.{i}"));
    std::iter::once(name.to_owned()).chain(numbered).find(|name| is_new(name)).expect("there is no end of names").into()
}

fn text(m: &mut Module, text: &str) -> NodeId {
    m.constant(Const::Str(text.into()), Type::Str)
}

/// The operands of a record: the class, none for a dict, and the names of its fields; and their values.
fn record_of(m: &mut Module, g: GraphId, class: Option<&str>, fields: &[(Arc<str>, NodeId)], span: Span) -> [NodeId; 2] {
    let class = class.map_or_else(|| Const::None, |class| Const::Str(class.into()));
    let ty = if class == Const::None { Type::None } else { Type::Str };
    let class = m.constant(class, ty);
    let names: Vec<NodeId> =
        std::iter::once(class).chain(fields.iter().map(|(name, _)| text(m, name)).collect::<Vec<_>>()).collect();
    let values = fields.iter().map(|&(_, value)| value).collect();
    [names, values].map(|all| m.prim(g, Prim::Tuple, all, Type::Unknown, span))
}

fn convert_partial(m: &mut Module, node: NodeId) {
    let (graph, span) = (m[node].graph.expect("an application"), m[node].span);
    let inputs = m[node].inputs().to_vec();
    let named = if let Some(Prim::PartialKw(n)) = m.as_prim(node) { n as usize } else { 0 };
    let (given, names) = inputs[1..].split_at(inputs.len() - 1 - named);
    let (args, values) = given.split_at(given.len() - named);
    let names = names.iter().map(|&n| match m[n].as_const() {
        Some(Const::Str(name)) => name.clone(),
        other => unreachable!("a keyword is a string, not {other:?}"),
    });
    let keywords: Vec<(Arc<str>, NodeId)> = names.zip(values.iter().copied()).collect();
    let args = m.prim(graph, Prim::Tuple, args.to_vec(), Type::Unknown, span);
    let dict = record_of(m, graph, None, &keywords, span);
    let keywords = m.prim(graph, Prim::Record, dict.to_vec(), Type::Unknown, span);
    let fields = [("func".into(), inputs[0]), ("args".into(), args), ("keywords".into(), keywords)];
    // Their fields are of other types for each.
    let class = new_class_name(m, PARTIAL);
    let operands = record_of(m, graph, Some(&class), &fields, span);
    add_class(m, class, &["func", "args", "keywords"], &[], span, None);
    m.set_kind(node, crate::graph::Kind::Prim(Prim::Record));
    m.set_inputs(node, operands.to_vec());
}

/// The rewriting of one function.
struct Conversion<'m> {
    m: &'m mut Module,
    nest: Nest,
    g: GraphId,
    /// The nodes of each graph.
    nodes: FxHashMap<GraphId, Vec<NodeId>>,
    /// The graphs that are parts of the function: its blocks, and the functions inside.
    inside: Vec<GraphId>,
    /// The fields of the record, and their values outside of the function.
    fields: Vec<(Arc<str>, NodeId)>,
    /// What stands for which field inside of the function, beside its value.
    variables: Vec<(NodeId, usize)>,
}

impl<'m> Conversion<'m> {
    fn new(m: &'m mut Module, entry: GraphId, g: GraphId) -> Conversion<'m> {
        let nest = Nest::new(m, &roots(m, entry));
        let mut nodes: FxHashMap<GraphId, Vec<NodeId>> = FxHashMap::default();
        for (n, node) in m.nodes() {
            nodes.entry(node.graph.unwrap_or(g)).or_default().extend(node.graph.map(|_| n));
        }
        Conversion { m, nest, g, nodes, inside: vec![g], fields: Vec::new(), variables: Vec::new() }
    }

    fn run(mut self) {
        if !self.nest.contains(self.g) {
            return;
        }
        self.find_inside();
        self.find_fields();
        self.sort_fields();
        let g = self.g;
        let itself = self.m.add_param(g, Type::Unknown, None, self.m[g].span);
        self.m[g].params.rotate_right(1);
        let class = new_class_name(self.m, &self.m[g].name);
        let mut new: FxHashMap<NodeId, NodeId> = FxHashMap::default();
        for i in 0..self.fields.len() {
            let name = self.fields[i].0.clone();
            let (key, none, no) = (text(self.m, &name), self.m.constant(Const::None, Type::None), self.m.bool(false));
            let field = self.m.prim(g, Prim::Attribute, vec![itself, key, none, no], Type::Unknown, self.m[g].span);
            self.m.set_name(field, name);
            let stands_for = self.variables.iter().filter(|(_, of)| *of == i).map(|&(n, _)| (n, field));
            new.extend(stands_for);
        }
        let own = self.m.graph_ref(g);
        new.insert(own, itself);
        for &h in &self.inside {
            for &n in self.nodes.get(&h).into_iter().flatten() {
                for i in 0..self.m[n].inputs().len() {
                    if let Some(&by) = new.get(&self.m[n].inputs()[i]) {
                        self.m.set_input(n, i, by);
                    }
                }
            }
            for i in 0..self.m[h].defaults.len() {
                if let Some(&by) = new.get(&self.m[h].defaults[i]) {
                    self.m[h].defaults[i] = by;
                }
            }
            for write in self.m.memory.writes.get_mut(&h).into_iter().flatten() {
                write.replace(|n| new.get(&n).copied().unwrap_or(n));
            }
        }
        let names: Vec<Arc<str>> = self.fields.iter().map(|(name, _)| name.clone()).collect();
        add_class(self.m, class.clone(), &names, &[], self.m[g].span, Some(g));
        self.put_records(own, &class);
    }

    /// Finds the parts of the function: its blocks, and the functions that are defined inside, whatever they capture.
    fn find_inside(&mut self) {
        let mut found: FxHashSet<GraphId> = self.inside.iter().copied().collect();
        let mut i = 0;
        while i < self.inside.len() {
            let used: Vec<NodeId> = self.used(self.inside[i], &FxHashSet::default()).collect();
            i += 1;
            for k in used.into_iter().filter_map(|n| self.m.as_graph(n).filter(|&k| self.nest.contains(k))) {
                let is_inside =
                    || self.m[k].flavor == Flavor::Block || self.nest.is_within(k, self.g) || is_within(self.m, k, self.g);
                if !found.contains(&k) && is_inside() {
                    found.insert(k);
                    self.inside.push(k);
                }
            }
        }
    }

    /// What the nodes of a graph use, but for some, and the defaults of its parameters.
    fn used<'s>(&'s self, h: GraphId, but: &'s FxHashSet<NodeId>) -> impl Iterator<Item = NodeId> + 's {
        let users = self.nodes.get(&h).into_iter().flatten().filter(|n| !but.contains(n));
        let operands = users.flat_map(|&n| self.m[n].inputs()).copied();
        self.m[h].defaults.iter().copied().chain(operands)
    }

    fn find_fields(&mut self) {
        for h in self.inside.clone() {
            let mut named = FxHashSet::default();
            for n in self.nodes.get(&h).cloned().unwrap_or_default() {
                if let (Some(Prim::Captured), &[value, name]) = (self.m.as_prim(n), self.m[n].inputs())
                    && let Some(Const::Str(name)) = self.m[name].as_const()
                    && h == self.g
                {
                    let name = name.clone();
                    self.add_field(n, name, value);
                    named.insert(n);
                }
            }
            let first_default = self.m[h].params.len() - self.m[h].defaults.len();
            let names: FxHashMap<NodeId, Arc<str>> = (self.m[h].defaults.iter().enumerate())
                .filter_map(|(i, &d)| Some((d, self.m[self.m[h].params[first_default + i]].name.clone()?)))
                .collect();
            for n in self.used(h, &named).collect::<Vec<_>>() {
                let graph = self.m.as_graph(n);
                let is_captured = match (graph, self.m[n].graph) {
                    (Some(k), _) if self.inside.contains(&k) || !self.nest.contains(k) => false,
                    (Some(k), _) => {
                        self.nest.parent(k).is_some() || self.m.within.contains_key(&k) && captures_constant(self.m, k)
                    }
                    (None, owner) => owner.is_some_and(|owner| !self.inside.contains(&owner)),
                };
                if is_captured && !self.variables.iter().any(|(known, _)| *known == n) {
                    let name = match graph {
                        Some(k) => self.m[k].name.rsplit('.').next().map(Into::into),
                        None => names.get(&n).cloned().or_else(|| self.m[n].name.clone()),
                    };
                    let name = name.unwrap_or_else(|| format!("_{}", self.fields.len()).into());
                    self.add_field(n, name, n);
                }
            }
        }
    }

    /// Lets a node inside of the function be read from a field with this value.
    fn add_field(&mut self, variable: NodeId, name: Arc<str>, value: NodeId) {
        let mut unique = name.clone();
        let mut count = 1;
        let at = loop {
            match self.fields.iter().position(|(known, _)| *known == unique) {
                Some(i) if self.fields[i].1 == value => break i,
                Some(_) => {
                    count += 1;
                    unique = format!("{name}_{count}").into();
                }
                None => {
                    self.fields.push((unique, value));
                    break self.fields.len() - 1;
                }
            }
        };
        self.variables.push((variable, at));
    }

    /// Puts the fields in the order of their names, as Python has those of captured variables.
    fn sort_fields(&mut self) {
        let mut order: Vec<usize> = (0..self.fields.len()).collect();
        order.sort_by(|&a, &b| self.fields[a].0.cmp(&self.fields[b].0));
        self.fields = order.iter().map(|&i| self.fields[i].clone()).collect();
        let place = |of: usize| order.iter().position(|&i| i == of).expect("the order has all");
        self.variables.iter_mut().for_each(|(_, of)| *of = place(*of));
    }

    /// Makes a record where the function was used from outside: where what it captures is known.
    fn put_records(&mut self, own: NodeId, class: &str) {
        let mut made: FxHashMap<GraphId, NodeId> = FxHashMap::default();
        let place = self.nest.parent(self.g).or_else(|| self.m.within.get(&self.g).copied());
        let span = self.m[self.g].span;
        let name = self.m[self.g].name.rsplit('.').next().unwrap_or_default().to_owned();
        let mut record = |m: &mut Module, fields: &[(Arc<str>, NodeId)], at: GraphId| {
            *made.entry(at).or_insert_with(|| {
                let operands = record_of(m, at, Some(class), fields, span);
                let record = m.prim(at, Prim::Record, operands.to_vec(), Type::Unknown, span);
                m.set_name(record, name.as_str());
                record
            })
        };
        for user in self.m[own].users().to_vec() {
            let Some(at) = self.m[user.node].graph else { continue };
            let record = record(self.m, &self.fields, place.unwrap_or(at));
            self.m.set_input(user.node, user.index as usize, record);
        }
        let Some(place) = place else { return };
        let graphs: Vec<GraphId> = self.m.graphs().map(|(k, _)| k).collect();
        for k in graphs {
            for i in 0..self.m[k].defaults.len() {
                if self.m[k].defaults[i] == own {
                    let record = record(self.m, &self.fields, place);
                    self.m[k].defaults[i] = record;
                }
            }
        }
    }
}

/// Whether a value is a partial application or a bound method that is a record.
fn is_bundle(value: &Abs) -> bool {
    let class = value.schema().and_then(|s| s.class.as_deref());
    class.is_some_and(|class| class == METHOD || class.starts_with(PARTIAL))
}

/// Whether one of the kinds of a value is.
pub(super) fn has_bundle(value: &Abs) -> bool {
    value.kinds().iter().any(is_bundle)
}

/// What is called where such a record is, and with which of its parts first.
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
    pub(super) fn applied_to_record(&mut self, prim: Prim, node: NodeId, count: usize) -> GraphId {
        let manner = (self.m.memory.silent.contains(&node), self.m.memory.witnessed.contains(&node));
        let key = Wrapped::AppliedToRecord(prim, count, manner);
        if let Some(g) = self.wrappers.get(&key) {
            return g;
        }
        let (called, params) = self.made_graph("called", Flavor::Library, 1 + count);
        let result = self.m.call(called, params[0], &params[1..], Type::Unknown, Span::NONE);
        self.finish(called, result, vec![result]);
        let called = self.m.graph_ref(called);
        let (g, params) = self.made_graph(prim.name(), Flavor::Library, if prim == Prim::Pushed { 4 } else { 2 });
        self.scopes.declare(g, None);
        self.wrappers.put(key, g);
        let mut schedule = Vec::new();
        let with = |e: &mut Engine, first: NodeId, rest: NodeId, schedule: &mut Vec<NodeId>| {
            let items = (0..count as u32).map(|i| e.node_of(g, Prim::Get(i), &[rest], schedule)).collect::<Vec<_>>();
            e.node_of(g, Prim::Tuple, &[&[first], &items[..]].concat(), schedule)
        };
        let args = with(self, params[0], params[prim.arguments()], &mut schedule);
        let operands = if prim == Prim::Pushed {
            let own = self.node_of(g, Prim::NoCaptures, &[], &mut schedule);
            let tangents = with(self, params[1], params[3], &mut schedule);
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
