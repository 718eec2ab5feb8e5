//! Lists whose length only the run knows: the number of elements, and a vector or a tree of them, of which the library makes the rest
//! (`frontend/src/python/library/lists.py`). Numbers are in vectors ([`super::vectors`]).
//!
//! A list is a tuple where its length is known. Where it would have two lengths it is a list of elements of one type, if the analysis
//! allows it ([`Classes::lists`]): as a record of the library's class, so that what is done with it is a method.
//!
//! ```text
//! a list         (count, tree), or (count, (first, vector))
//! a tree         pack((element, tree, tree)), or the zero box
//! ```

use super::abs::{Abs, Mismatch, Sequence};
use super::classes::Classes;
use super::prims::{Ops, Out, Result, Value};
use super::records::differ;
use crate::data::Schema;
use crate::graph::{Const, Flavor, GraphId, NodeId, Role};
use crate::prim::Prim;
use crate::types::Type;
use std::rc::Rc;

impl Abs {
    /// A list of such elements; of nothing yet, if there is none.
    pub(super) fn list(element: Abs) -> Abs {
        Abs::Record(Schema::list(), [Abs::I64(None), Abs::Elements(Rc::new(element))].into())
    }

    /// What the elements of a list are whose length only the run knows.
    pub(super) fn element(&self) -> Option<&Abs> {
        match self {
            Abs::Record(schema, fields) if schema.is_list() => match &fields[1] {
                Abs::Elements(element) => Some(element),
                other => unreachable!("a list of {other:?}"),
            },
            _ => None,
        }
    }

    /// Whether this is a list whose length only the run knows, or an iterator over one.
    pub(super) fn is_list_or_iterator(&self) -> bool {
        self.schema().is_some_and(|s| s.is_list() || s.is_list_iterator())
    }

    /// What the elements of a tuple or of a list are.
    fn joined_element(&self, classes: &mut Classes) -> std::result::Result<Abs, Mismatch> {
        match (self, self.element()) {
            (_, Some(element)) => Ok(element.clone()),
            (Abs::Tuple(items, _), _) => items.iter().try_fold(Abs::Bottom, |all, item| all.join(&item.broaden(), classes)),
            _ => Err(Mismatch),
        }
    }

    /// The list that two tuples or lists of different lengths are.
    pub(super) fn join_lists(&self, other: &Abs, classes: &mut Classes) -> std::result::Result<Abs, Mismatch> {
        if !classes.lists || !classes.unions {
            classes.lacks_lists = true;
            return Err(Mismatch);
        }
        let (a, b) = (self.joined_element(classes)?, other.joined_element(classes)?);
        let element = a.join(&b, classes)?;
        Ok(Abs::list(element))
    }

    /// An iterator over such a list that may be one over a tuple.
    pub(super) fn join_iterator(&self, items: &Rc<[Abs]>, classes: &mut Classes) -> std::result::Result<Abs, Mismatch> {
        let Abs::Record(schema, fields) = self else { unreachable!("an iterator over a list") };
        let list = fields[0].join_lists(&Abs::Tuple(items.clone(), Sequence::List), classes)?;
        Ok(Abs::Record(schema.clone(), [list, Abs::I64(None)].into()))
    }
}

impl Ops<'_> {
    /// What the library makes lists of.
    pub(super) fn list(&mut self, prim: Prim, args: &[Value]) -> Result<Value> {
        Ok(match (prim, args) {
            (Prim::AsList, [xs, others]) => {
                let element = |me: &mut Self, v: &Value| match v.abs.joined_element(me.classes) {
                    Ok(element) => Ok(element),
                    Err(Mismatch) => me.refuse(format!("the elements of a list are of one type, this is {}", v.abs.a())),
                };
                let (a, b) = (element(self, xs)?, element(self, others)?);
                let Ok(element) = a.join(&b, self.classes) else {
                    let [a, b] = a.told_apart(&b);
                    return self.refuse(format!("the elements of a list are of one type, these are {a} and {b}"));
                };
                let element = element.broaden();
                self.coerce(xs, &Abs::list(element))
            }
            (Prim::ListOf, [count, tree, like]) => {
                let pair = self.tuple(&[count.clone(), tree.clone()]);
                Value { abs: like.abs.clone(), node: pair.node }
            }
            (Prim::HasLists, []) => {
                self.classes.lacks_lists = true;
                self.bool(self.classes.lists)
            }
            (Prim::EmptyTree, []) => self.empty_tree(),
            (Prim::OpenedElement, [tree, of]) => match self.node_type(of) {
                Some(node) => self.unpack(tree, node),
                None => Value { abs: Abs::Bottom, node: NodeId::default() },
            },
            (Prim::PackedElement, [value, left, right, of]) => {
                let element = of.abs.element().expect("a list").clone();
                let value = self.coerce(value, &element);
                let trees = [left, right].map(|t| if t.abs == Abs::None { self.empty_tree() } else { t.clone() });
                self.node(&value, &trees)
            }
            _ => unreachable!("the arity was checked"),
        })
    }

    /// The parts of a node in the tree of a list; none before there is an element.
    pub(super) fn node_type(&self, list: &Value) -> Option<Abs> {
        let element = list.abs.element().expect("a list");
        (!element.is_bottom()).then(|| Abs::tuple([element.clone(), Abs::Opaque, Abs::Opaque]))
    }

    fn empty_tree(&mut self) -> Value {
        self.constant(Const::Zero, Type::Opaque, Abs::Opaque)
    }

    fn node(&mut self, element: &Value, [left, right]: &[Value; 2]) -> Value {
        let parts = self.tuple(&[element.clone(), left.clone(), right.clone()]);
        self.op(Prim::Pack, &[&parts], Abs::Opaque)
    }

    /// A tuple, or a list of elements of another type, as a list of these.
    pub(super) fn as_list(&mut self, v: &Value, to: &Abs) -> Value {
        let element = to.element().expect("a list");
        let is_vector = element.is_vector() == Some(true);
        let (count, elements) = match &v.abs {
            Abs::Tuple(items, _) => {
                let items: Vec<Value> = self.fields(v, items.len()).iter().map(|item| self.coerce(item, element)).collect();
                let every: Vec<&Value> = items.iter().collect();
                let elements = if is_vector { self.new_vector(element, &every) } else { self.tree(&every) };
                (self.int(items.len() as i64), elements)
            }
            from => {
                let from = from.element().expect("a list").clone();
                let (count, old) = (self.slot(v, 0), self.op(Prim::Get(1), &[v], Abs::Opaque));
                let elements = match (from.is_vector(), is_vector) {
                    (None, true) => self.new_vector(element, &[]),
                    (Some(true), true) => self.converted_vector(&count, &old, &from, element),
                    (Some(true), false) => self.tree_of_vector(&count, &old, &from, element),
                    _ => self.converted(&count, &old, &from, element),
                };
                (count, elements)
            }
        };
        Value { abs: to.clone(), ..self.tuple(&[count, elements]) }
    }

    /// An iterator over a tuple as one over a list.
    pub(super) fn as_list_iterator(&mut self, v: &Value, to: &Abs) -> Value {
        let (Abs::Iter(items, at), Abs::Record(_, fields)) = (&v.abs, to) else { unreachable!("iterators") };
        let list = self.as_list(&Value { abs: Abs::Tuple(items.clone(), Sequence::List), node: v.node }, &fields[0]);
        let at = self.int(*at as i64);
        Value { abs: to.clone(), ..self.tuple(&[list, at]) }
    }

    /// The tree of these elements.
    fn tree(&mut self, items: &[&Value]) -> Value {
        let Some((first, rest)) = items.split_first() else { return self.empty_tree() };
        let side = |odd: usize| -> Vec<&Value> { rest.iter().skip(odd).step_by(2).copied().collect() };
        let trees = [0, 1].map(|odd| self.tree(&side(odd)));
        self.node(first, &trees)
    }

    /// The tree of a list with its elements as another type: a function of the tree and its size, which calls itself for both sides.
    fn converted(&mut self, count: &Value, tree: &Value, from: &Abs, to: &Abs) -> Value {
        self.made_function("converted", &[tree.clone(), count.clone()], &Type::Opaque, &mut |me, recur, params| {
            let [old, size] = params else { unreachable!("it was made with two") };
            let parts = me.unpack(old, Abs::tuple([from.clone(), Abs::Opaque, Abs::Opaque]));
            let element = me.field(&parts, 0);
            let element = me.coerce(&element, to);
            let (one, two) = (me.int(1), me.int(2));
            let less = me.op(Prim::Sub, &[size, &one], Abs::I64(None));
            let sides = [(1, size), (2, &less)].map(|(i, size)| {
                let half = me.op(Prim::FloorDiv, &[size, &two], Abs::I64(None));
                let side = me.field(&parts, i);
                me.call(recur, &[&side, &half])
            });
            me.node(&element, &sides)
        })
    }

    /// The tree of the elements of a vector: a function of how many there are from a place on, and of the distance to the next one, which
    /// calls itself for both sides.
    fn tree_of_vector(&mut self, count: &Value, elements: &Value, from: &Abs, to: &Abs) -> Value {
        let args = [elements.clone(), count.clone(), self.int(0), self.int(1)];
        self.made_function("tree", &args, &Type::Opaque, &mut |me, recur, params| {
            let [elements, left, place, step] = params else { unreachable!("it was made with four") };
            let element = me.vector_element(elements, place, from.clone());
            let element = me.coerce(&element, to);
            let twice = me.op(Prim::Add, &[step, step], Abs::I64(None));
            let sides = [step, &twice].map(|by| {
                let left = me.op(Prim::Sub, &[left, by], Abs::I64(None));
                let place = me.op(Prim::Add, &[place, by], Abs::I64(None));
                me.call(recur, &[elements, &left, &place, &twice])
            });
            me.node(&element, &sides)
        })
    }

    /// Calls a function that is made here, on these values, the second of which is a number: where that is above zero, it is what `body`
    /// says, which may call it; else it is its last parameter, or the empty tree.
    pub(super) fn made_function(
        &mut self,
        name: &str,
        args: &[Value],
        result: &Type,
        body: &mut dyn FnMut(&mut Self, &Recur, &[Value]) -> Value,
    ) -> Value {
        let span = self.span;
        let Some(Out { m, g: outer, .. }) = &mut self.out else { return Value { abs: Abs::Opaque, node: NodeId::default() } };
        let outer = *outer;
        let [function, some, none] =
            [(name, Flavor::Function), ("some", Flavor::Block), ("none", Flavor::Block)].map(|(name, flavor)| {
                let g = m.add_graph(name, flavor, Role::Primal, span);
                m.declare_result(g, result.clone());
                g
            });
        let param = |arg: &Value| {
            let ty = m[arg.node].ty.clone();
            let abs = if ty == Type::I64 { Abs::I64(None) } else { Abs::Opaque };
            Value { abs, node: m.add_param(function, ty, None, span) }
        };
        let params: Vec<Value> = args.iter().map(param).collect();
        let [this, full, empty] = [function, some, none].map(|g| m.graph_ref(g));
        let recur = |at| Recur { at, this, result: result.clone() };

        self.goto(some);
        let there = body(self, &recur(some), &params);
        self.goto(function);
        let zero = self.int(0);
        let exists = self.op(Prim::Lt, &[&zero, &params[1]], Abs::Bool(None));
        let [full, empty] = [full, empty].map(|node| Value { abs: Abs::Bottom, node });
        let choice = self.op(Prim::Select, &[&exists, &full, &empty], Abs::Bottom);
        let chosen = self.call(&Recur { at: function, this: choice.node, result: result.clone() }, &[]);
        let nothing = match params.last() {
            Some(last) if *result != Type::Opaque => last.clone(),
            _ => self.empty_tree(),
        };
        let Out { m, .. } = self.out.as_mut().expect("the typed module is made");
        for (g, result) in [(some, there), (none, nothing), (function, chosen)] {
            m.set_result(g, result.node);
        }
        self.goto(outer);
        self.call(&recur(outer), &args.iter().collect::<Vec<_>>())
    }

    fn goto(&mut self, g: GraphId) {
        self.out.as_mut().expect("the typed module is made").g = g;
    }

    /// Calls a function that is being made.
    pub(super) fn call(&mut self, Recur { at, this, result }: &Recur, args: &[&Value]) -> Value {
        let span = self.span;
        let args: Vec<NodeId> = args.iter().map(|v| v.node).collect();
        let Out { m, .. } = self.out.as_mut().expect("the typed module is made");
        Value { abs: Abs::Opaque, node: m.call(*at, *this, &args, result.clone(), span) }
    }
}

/// A function that is being made: where it is called from, itself, and the type of its result.
pub(super) struct Recur {
    at: GraphId,
    this: NodeId,
    result: Type,
}

/// Whether lists of elements of one type have another representation as lists of elements of another one.
pub(super) fn lists_differ(from: &Abs, to: &Abs) -> bool {
    match (from.is_vector(), to.is_vector()) {
        (None, is) => is == Some(true),
        (was, is) => was != is || differ(from, to),
    }
}
