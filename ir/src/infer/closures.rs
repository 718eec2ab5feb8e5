//! Function values as records of what they capture, for programs that look at their cotangents ([`super::captures`]): the rewriting of the
//! untyped module before inference. All else is done with instances of classes ([`super::callable`]).
//!
//! ```text
//! f = lambda x: x * a        f = record(a)          f(x) = x * f.a, the method `__call__` of a class with the name of the function
//! partial(g, b, c=d)         functools.partial(func=g, args=(b,), keywords={"c": d})
//! m.area                     types.MethodType(__self__=m, __func__=area)
//! ```

use super::captures::{Records, captures_constant, is_within};
use super::scopes::roots;
use crate::data::{Class, Schema};
use crate::graph::{Const, Flavor, GraphId, Module, NodeId};
use crate::nest::Nest;
use crate::prim::Prim;
use crate::span::Span;
use crate::types::Type;
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

/// The class of partial applications.
pub(super) const PARTIAL: &str = "functools.partial";

/// The class of bound methods.
pub(super) const METHOD: &str = "types.MethodType";

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
pub(super) fn record_of(
    m: &mut Module,
    g: GraphId,
    class: Option<&str>,
    fields: &[(Arc<str>, NodeId)],
    span: Span,
) -> [NodeId; 2] {
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
