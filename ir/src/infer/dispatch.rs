//! What depends on the class of a value: methods, operators that classes define, and what is done differently for each of several
//! kinds of values. Each becomes a call, of a method or of a graph that is made here.
//!
//! ```text
//! a + b                 A.__add__(a, b)
//! x.area                area(x) = x.area of the kind that x is
//! ```

use super::abs::{Abs, Closure, Sequence};
use super::callable::has_bundle;
use super::calls::{Callee, Shape, Signature, Target};
use super::engine::{Engine, MAX_SIZE, Stop};
use super::forward::{called, misfit};
use super::instances::InstId;
use super::ranges::range_count;
use super::tangents::has_boxes;
use super::wrappers::Wrapped;
use crate::data::{Class, Schema};
use crate::graph::{Const, Flavor, GraphId, NodeId};
use crate::operators::{array_methods, complex_function, operator_methods};
use crate::prim::Prim;
use crate::span::{Diagnostic, Span};
use crate::types::Type;
use rustc_hash::FxHashSet;
use std::sync::Arc;

/// What is done for each of several kinds of values, which are given by the names of their classes.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) enum Dispatch {
    /// `x.name`.
    Field(Arc<str>, Vec<Arc<str>>),
    /// An operator with a value of several kinds for this operand.
    Operator(Prim, usize, Vec<Arc<str>>),
    /// The gradient with respect to a tuple of so many values.
    Tuple(usize),
    /// The sum of a tuple of so many values and of what it begins with.
    Sum(usize),
    /// The larger or the smaller of two values, or of those of a tuple of so many.
    Extreme(Prim, Option<usize>),
    /// A primitive that takes arrays for these operands, which are lists.
    Arrays(Prim, Vec<usize>),
    /// Whether a tuple of so many values has one that is equal to another.
    Contains(usize),
    /// With respect to a record.
    Record(Arc<Schema>),
    /// With respect to an instance in a box.
    Boxed(Arc<Schema>),
    /// With respect to what may be `None`, or an instance of one of several classes.
    Kinds(bool, Vec<Option<Arc<str>>>),
    /// The tangent with respect to one of these, from what a program gives.
    Given(Box<Dispatch>),
    /// The value and the tangent of a function.
    Jvp,
    /// A constant.
    Constant(bool),
    /// A print of so many values, one of which may be of these kinds.
    Printed(usize, usize, Box<Dispatch>),
}

/// Makes in a graph what is done with a value that is of one kind, with the nodes in their order; gives the result.
pub(super) type Arm<'a> = dyn FnMut(&mut Engine, GraphId, NodeId, &mut Vec<NodeId>) -> NodeId + 'a;

/// Whether a primitive is one of lists and iterators that no operator of Python is.
fn is_of_sequences(prim: Prim) -> bool {
    matches!(
        prim,
        Prim::AddItem
            | Prim::Append
            | Prim::Extend
            | Prim::Iter
            | Prim::HasNext
            | Prim::Next
            | Prim::Advance
            | Prim::TupleOf
            | Prim::List
            | Prim::Unpacked
            | Prim::Starred
            | Prim::Contains
            | Prim::SumOf
            | Prim::MinOf
            | Prim::MaxOf
            | Prim::Reversed
            | Prim::Enumerate
    )
}

impl Engine {
    /// A method of the class of a value of one kind.
    pub(super) fn method(&self, value: &Abs, name: &str) -> Result<Option<GraphId>, Stop> {
        match value.schema() {
            Some(schema) => self.class_method(schema, name),
            None => Ok(None),
        }
    }

    /// A method of a class.
    pub(super) fn class_method(&self, schema: &Schema, name: &str) -> Result<Option<GraphId>, Stop> {
        let class = schema.class.as_ref().and_then(|name| self.classes.class(name));
        match class.and_then(|c| c.methods.get(name)) {
            Some(Ok(g)) => Ok(Some(*g)),
            Some(Err(d)) => Err(d.clone().into()),
            None => Ok(None),
        }
    }

    /// Lets an instance look again when what is in the boxes that a primitive may open has grown.
    pub(super) fn watch_boxes(&mut self, id: InstId, prim: Prim, operands: &[Abs]) {
        for kind in operands.iter().flat_map(Abs::kinds) {
            if let Abs::Boxed(boxed) = kind {
                self.classes.watch(boxed, id);
            }
        }
        if let (Prim::Opened | Prim::Packed, Some(&Abs::Ref(site))) = (prim, operands.get(1)) {
            self.classes.watch_ref(site, id);
        }
    }

    /// Looks at a primitive that may be a call of a method or of a graph made for it. None if it is neither.
    pub(super) fn dispatch(
        &mut self,
        id: InstId,
        node: NodeId,
        prim: Prim,
        inputs: &[NodeId],
        operands: &[Abs],
    ) -> Result<Option<Abs>, Stop> {
        match prim {
            Prim::Gradient | Prim::Shown => self.want_records(id, &operands[1], self.place(id, node))?,
            Prim::Recorded => self.want_records(id, &operands[0], self.place(id, node))?,
            Prim::CapturesFloats => {
                let graph = match self.function_captures_floats(id, &operands[0]) {
                    Some(captures) => self.constant_graph(captures),
                    None => return Ok(Some(Abs::Bottom)),
                };
                return self.stands_for(id, node, graph, Vec::new()).map(Some);
            }
            Prim::Given => self.want_given(id, &operands[0], &operands[1], self.place(id, node))?,
            _ => {}
        }
        let is_kind = |a: &Abs| a.schema().is_some() || matches!(a, Abs::Union(_));
        if self.classes.lists
            && let Some(result) = self.with_arrays(id, node, prim, inputs, operands)?
        {
            return Ok(Some(result));
        }
        match prim {
            Prim::Attribute => self.attribute(id, node, inputs, operands),
            Prim::Zip if matches!(&operands[0], Abs::Tuple(items, _) if items.iter().any(|v| v.element().is_some())) => {
                let graph = self.list_method("__zip__")?;
                self.stands_for(id, node, graph, inputs.to_vec()).map(Some)
            }
            Prim::GetItem | Prim::OldItem | Prim::Picked if self.is_open_slice(&operands[0], &operands[1]) => {
                self.slice_of_list(id, node, inputs, &operands[1]).map(Some)
            }
            Prim::SetItem | Prim::AddItem | Prim::UpdateItem if self.is_open_splice(operands) => {
                let bounds = self.bounds_of_slice(id, node, inputs[1])?;
                let (graph, adds) = (self.list_method("__spliced__")?, self.m.bool(prim == Prim::AddItem));
                self.stands_for(id, node, graph, [&inputs[..1], &bounds, &inputs[2..], &[adds]].concat()).map(Some)
            }
            // To a class, several indices are a tuple.
            Prim::GetItem | Prim::OldItem | Prim::Picked | Prim::SetItem | Prim::UpdateItem | Prim::AddItem
                if is_kind(&operands[0]) && self.m.as_prim(inputs[1]) == Some(Prim::Parts) =>
            {
                let indices = self.m[inputs[1]].inputs()[0];
                let (mut inputs, mut operands) = (inputs.to_vec(), operands.to_vec());
                (inputs[1], operands[1]) = (indices, self.operand(id, indices));
                self.dispatch(id, node, prim, &inputs, &operands)
            }
            _ if let Some(graph) = self.table_function(prim, operands)? => {
                self.stands_for(id, node, graph, inputs.to_vec()).map(Some)
            }
            Prim::Mul if is_long(&operands[0], &operands[1]) && self.may_be_list() => {
                let graph = self.list_method("__repeated__")?;
                self.stands_for(id, node, graph, inputs.to_vec()).map(Some)
            }
            Prim::Mul if is_long(&operands[1], &operands[0]) && self.may_be_list() => {
                let graph = self.list_method("__repeated__")?;
                self.stands_for(id, node, graph, vec![inputs[1], inputs[0]]).map(Some)
            }
            Prim::TupleOf | Prim::List if is_long_range(&operands[0]) && self.may_be_list() => {
                let graph = self.list_method("__listed__")?;
                self.stands_for(id, node, graph, inputs.to_vec()).map(Some)
            }
            // The library takes both for what has either.
            Prim::Add
                if matches!(operands, [Abs::Tuple(_, Sequence::Tuple), Abs::Tuple(_, Sequence::List)])
                    && !self.is_library(id) =>
            {
                let d = Diagnostic::refused(self.place(id, node), "a list cannot be put after a tuple");
                Err(d.hint("make them of one type: `a + tuple(b)`, or `list(a) + b`").into())
            }
            Prim::Print => match self.print_kinds(id, node, inputs, operands)? {
                Some(printed) => Ok(Some(printed)),
                None => self.print_lists(id, node, inputs, operands),
            },
            Prim::Gradient | Prim::Shown if operands[1].has_open_size() => {
                let graph = self.method(&operands[1], "__gradient__")?.expect("a method of lists and tables");
                self.stands_for(id, node, graph, vec![inputs[1], inputs[0]]).map(Some)
            }
            Prim::Given
                if operands[..2].iter().all(|operand| *operand != Abs::None)
                    && !operands[0].is_cotangent_of(&operands[1])
                    && operands[..2].iter().any(has_boxes) =>
            {
                if let Some((message, hint)) = misfit(&operands[1], &operands[0], called(&operands[2])) {
                    return Err(Diagnostic::refused(self.place(id, node), message).hint(hint).into());
                }
                if operands[1].element().is_some() {
                    let graph = self.list_method("__given__")?;
                    return self.stands_for(id, node, graph, vec![inputs[1], inputs[0], inputs[2]]).map(Some);
                }
                let graph = self.given_graph(&operands[0], &operands[1]);
                self.stands_for(id, node, graph, inputs.to_vec()).map(Some)
            }
            Prim::Bound => match self.binder(&operands[0], &operands[1], &operands[2], self.place(id, node))? {
                Some(graph) => self.stands_for(id, node, graph, inputs[1..].to_vec()).map(Some),
                None => Ok(None),
            },
            Prim::Eq | Prim::Ne if operands[1] == Abs::None => Ok(None),
            Prim::Gradient | Prim::Shown if has_boxes(&operands[1]) => {
                let graph = self.gradient_graph(&operands[1]);
                self.stands_for(id, node, graph, inputs.to_vec()).map(Some)
            }
            Prim::Contains if matches!(&operands[0], Abs::Tuple(..)) && operands.iter().any(|a| self.defines_equality(a)) => {
                let Abs::Tuple(items, _) = &operands[0] else { unreachable!("it is a tuple") };
                let graph = self.contains_graph(items.len());
                self.stands_for(id, node, graph, inputs.to_vec()).map(Some)
            }
            Prim::Max | Prim::Min if operands.iter().any(is_kind) => {
                let graph = self.extreme_graph(prim, None);
                self.stands_for(id, node, graph, inputs.to_vec()).map(Some)
            }
            Prim::MaxOf | Prim::MinOf if matches!(&operands[0], Abs::Tuple(items, _) if items.iter().any(is_kind)) => {
                let Abs::Tuple(items, _) = &operands[0] else { unreachable!("it is a tuple") };
                let graph = self.extreme_graph(if prim == Prim::MaxOf { Prim::Max } else { Prim::Min }, Some(items.len()));
                self.stands_for(id, node, graph, inputs.to_vec()).map(Some)
            }
            Prim::SumOf if matches!(&operands[0], Abs::Tuple(items, _) if items.iter().any(is_kind)) => {
                let Abs::Tuple(items, _) = &operands[0] else { unreachable!("it is a tuple") };
                let graph = self.sum_graph(items.len());
                self.stands_for(id, node, graph, inputs.to_vec()).map(Some)
            }
            _ if Self::is_of_complex(prim, operands) => {
                let graph = self.complex_function(prim)?;
                self.stands_for(id, node, graph, inputs.to_vec()).map(Some)
            }
            _ if operands.iter().any(Abs::is_complex) && array_methods(prim).is_some() => {
                self.operator(id, node, prim, array_methods(prim).expect("there are some"), inputs, operands)
            }
            _ if operands.iter().any(is_kind) => match operator_methods(prim) {
                Some(methods) => self.operator(id, node, prim, methods, inputs, operands),
                None => Ok(None),
            },
            _ => Ok(None),
        }
    }

    /// Whether a function of the class of complex numbers stands for a primitive: on a sequence that holds some, or as a choice.
    fn is_of_complex(prim: Prim, operands: &[Abs]) -> bool {
        match prim {
            Prim::Select => {
                let is_one = |a: &Abs| a.is_complex() || a.is_number() || a.is_array();
                operands[1..].iter().any(Abs::is_complex) && operands[1..].iter().all(is_one)
            }
            Prim::Zip => matches!(&operands[0], Abs::Tuple(items, _) if items.iter().any(Abs::is_complex)),
            _ => complex_function(prim).is_some() && operands[0].holds_complex(),
        }
    }

    fn complex_function(&self, prim: Prim) -> Result<GraphId, Stop> {
        let name = complex_function(prim).expect("a primitive that has one");
        let parts = [Abs::Bottom, Abs::Bottom].into();
        Ok(self.method(&Abs::Record(Schema::complex(), parts), name)?.expect("a function of complex numbers"))
    }

    /// Whether what has no length that is known may be a list.
    fn may_be_list(&mut self) -> bool {
        self.classes.lacks_lists = true;
        self.classes.lists
    }

    /// Whether a slice has a number of elements that only the run knows.
    fn is_open_slice(&mut self, of: &Abs, slice: &Abs) -> bool {
        let open = match slice {
            Abs::Slice(bounds) => bounds.contains(&Abs::I64(None)),
            Abs::Window(_) => true,
            _ => return false,
        };
        of.element().is_some() || open && matches!(of, Abs::Tuple(..)) && self.may_be_list()
    }

    /// Whether so many elements are written to a slice of a list, or take its place, that only the run knows how many.
    fn is_open_splice(&mut self, operands: &[Abs]) -> bool {
        let [of, slice, new] = operands else { unreachable!("a write of an item") };
        let takes_list = matches!(of, Abs::Tuple(_, Sequence::List)) || of.element().is_some();
        takes_list
            && matches!(slice, Abs::Slice(_) | Abs::Window(_))
            && (new.is_list_or_iterator() || self.is_open_slice(of, slice))
    }

    /// The first and the last place of a slice, and its step.
    fn bounds_of_slice(&self, id: InstId, node: NodeId, slice: NodeId) -> Result<Vec<NodeId>, Stop> {
        if self.m.as_prim(slice) != Some(Prim::Slice) {
            let what = "a slice of a list whose length only the run knows is written where it is taken";
            return Err(Diagnostic::refused(self.place(id, node), what).into());
        }
        Ok(self.m[slice].inputs()[..3].to_vec())
    }

    /// What the library does with lists whose length only the run knows.
    pub(super) fn list_method(&self, name: &str) -> Result<GraphId, Stop> {
        Ok(self.method(&Abs::list(Abs::Bottom), name)?.expect("a method of lists"))
    }

    /// `xs[a:b:c]` with such a list for its result; `xs[:-1]` is what a `pop` leaves, and `xs[1:]` what `pop(0)` does.
    fn slice_of_list(&mut self, id: InstId, node: NodeId, inputs: &[NodeId], slice: &Abs) -> Result<Abs, Stop> {
        let rest = match slice {
            Abs::Slice(bounds) => match **bounds {
                [Abs::None, Abs::I64(Some(-1)), Abs::None] => Some("__drop_last__"),
                [Abs::I64(Some(1)), Abs::None, Abs::None] => Some("__drop_first__"),
                _ => None,
            },
            _ => None,
        };
        if let Some(rest) = rest {
            let graph = self.list_method(rest)?;
            return self.stands_for(id, node, graph, vec![inputs[0]]);
        }
        let bounds = self.bounds_of_slice(id, node, inputs[1])?;
        let graph = self.list_method("__sliced__")?;
        self.stands_for(id, node, graph, [&inputs[..1], &bounds].concat())
    }

    /// A call of a graph of the top level, in the place of a primitive.
    pub(super) fn stands_for(&mut self, id: InstId, node: NodeId, graph: GraphId, args: Vec<NodeId>) -> Result<Abs, Stop> {
        let span = self.place(id, node);
        let values: Vec<Abs> = args.iter().map(|&n| self.operand(id, n)).collect();
        let spans: Vec<Span> = args.iter().map(|&n| self.m[n].span.or(span)).collect();
        let shape = Shape { count: args.len(), keywords: [].into() };
        let closure = Closure::Graph(graph, None);
        let (callee, result) = self.function_call(id, &[closure], false, Signature::new(shape, values), &spans, span)?;
        debug_assert!(matches!(callee, Callee::Known(..)), "graphs of the top level are in scope");
        self.record(id, node, Target::Instead(callee, args.into()));
        Ok(result)
    }

    /// `x.name`: a field, a bound method, or what the library knows by that name.
    fn attribute(&mut self, id: InstId, node: NodeId, inputs: &[NodeId], operands: &[Abs]) -> Result<Option<Abs>, Stop> {
        let Abs::Str(Some(name)) = &operands[1] else { unreachable!("the name of an attribute is a constant") };
        let kinds = operands[0].kinds();
        let with_field: Vec<Arc<str>> =
            kinds.iter().filter(|k| k.schema().is_some_and(|s| s.has_field(name))).filter_map(Abs::exact_name).collect();
        if with_field.len() > 1 {
            let graph = self.by_kind(Dispatch::Field(name.clone(), with_field));
            return self.stands_for(id, node, graph, vec![inputs[0]]).map(Some);
        }
        if with_field.len() == 1 {
            return Ok(None);
        }
        for kind in kinds {
            if let Some(graph) = self.method(kind, name)? {
                let class = kind.schema().and_then(|s| s.class.as_ref()).and_then(|c| self.classes.class(c));
                let is = |which: fn(&Class) -> &FxHashSet<Arc<str>>| class.is_some_and(|c| which(c).contains(name));
                if is(|c| &c.properties) {
                    return self.stands_for(id, node, graph, vec![inputs[0]]).map(Some);
                }
                if is(|c| &c.statics) {
                    return Ok(Some(Abs::Func([Closure::Graph(graph, None)].into())));
                }
                if self.records.nodes.contains(&node) {
                    return self.method_record(id, node, inputs[0], Some(graph), name).map(Some);
                }
                return Ok(Some(Abs::Func([Closure::Made(node, id)].into())));
            }
        }
        if **name == *"__call__" && has_bundle(&operands[0]) {
            if !self.knows_bundles(id, &operands[0]) {
                return Ok(Some(Abs::Bottom));
            }
            if self.records.nodes.contains(&node) {
                return self.method_record(id, node, inputs[0], None, name).map(Some);
            }
            return Ok(Some(Abs::Func([Closure::Made(node, id)].into())));
        }
        match &operands[2] {
            Abs::Func(_) if operands[0].schema().is_none_or(|s| s.class.is_none() || s.object().is_some() || s.is_list()) => {
                match operands[3] {
                    Abs::Bool(Some(true)) => {
                        let graph = self.m.as_graph(inputs[2]).expect("a function of the library");
                        self.stands_for(id, node, graph, vec![inputs[0]]).map(Some)
                    }
                    _ if self.records.nodes.contains(&node) => {
                        let method = self.m.as_graph(inputs[2]);
                        self.method_record(id, node, inputs[0], method, name).map(Some)
                    }
                    _ => Ok(Some(Abs::Func([Closure::Made(node, id)].into()))),
                }
            }
            _ => Ok(None),
        }
    }

    /// An operator that a class defines, or that is another one for each of several kinds.
    fn operator(
        &mut self,
        id: InstId,
        node: NodeId,
        prim: Prim,
        methods: [&'static str; 2],
        inputs: &[NodeId],
        operands: &[Abs],
    ) -> Result<Option<Abs>, Stop> {
        let binary = operands.len() == 2;
        if let Some(graph) = self.method(&operands[0], methods[0])? {
            return self.stands_for(id, node, graph, inputs.to_vec()).map(Some);
        }
        // What the left operand defines comes first, if it is of several kinds, too.
        let is_right = |e: &Engine| e.operator_of_kinds(prim, 0, methods[0], &operands[0]).map(|found| found.is_none());
        if binary
            && is_right(self)?
            && let Some(graph) = self.method(&operands[1], methods[1])?
        {
            return self.stands_for(id, node, graph, vec![inputs[1], inputs[0]]).map(Some);
        }
        // What is not `==` is found by `==`, where there is one.
        if prim == Prim::Ne && operands.iter().any(|operand| self.defines_equality(operand)) {
            let graph = self.not_equal();
            return self.stands_for(id, node, graph, inputs.to_vec()).map(Some);
        }
        if prim == Prim::Truth && self.method(&operands[0], "__len__")?.is_some() {
            let graph = self.not_empty();
            return self.stands_for(id, node, graph, inputs.to_vec()).map(Some);
        }
        for (i, operand) in operands.iter().enumerate() {
            if let Some(what) = self.operator_of_kinds(prim, i, methods[i.min(1)], operand)? {
                let graph = self.by_kind(what);
                return self.stands_for(id, node, graph, inputs.to_vec()).map(Some);
            }
        }
        // What lists do is no operator of other classes; named tuples are tuples.
        if matches!(prim, Prim::Eq | Prim::Ne | Prim::Truth) || is_of_sequences(prim) || self.classes.is_named_tuple(&operands[0])
        {
            return Ok(None);
        }
        // What is in a container, or an argument of its method, has no say.
        let named = operands.iter().take(if methods[1].is_empty() { 1 } else { 2 });
        match named.filter_map(Abs::schema).find(|s| s.class.is_some()) {
            Some(schema) => {
                let what = format!("the class `{}` does not define `{}`", schema.name(), methods[0]);
                Err(Diagnostic::refused(self.place(id, node), what).into())
            }
            None => Ok(None),
        }
    }

    /// An operator with an operand of several kinds, if the class of one of them defines this method.
    fn operator_of_kinds(&self, prim: Prim, i: usize, method: &str, operand: &Abs) -> Result<Option<Dispatch>, Stop> {
        let Abs::Union(kinds) = operand else { return Ok(None) };
        let mut classes = Vec::new();
        for kind in kinds.iter() {
            if self.method(kind, method)?.is_some() {
                classes.extend(kind.exact_name());
            }
        }
        Ok((!classes.is_empty()).then_some(Dispatch::Operator(prim, i, classes)))
    }

    // --- graphs that are made

    pub(super) fn made_graph(&mut self, name: &str, flavor: Flavor, params: usize) -> (GraphId, Vec<NodeId>) {
        let g = self.m.add_graph(name, flavor, crate::graph::Role::Primal, Span::NONE);
        let params = (0..params).map(|_| self.m.add_param(g, Type::Unknown, None, Span::NONE)).collect();
        (g, params)
    }

    pub(super) fn node_of(&mut self, g: GraphId, prim: Prim, operands: &[NodeId], schedule: &mut Vec<NodeId>) -> NodeId {
        let n = self.m.prim(g, prim, operands.to_vec(), Type::Unknown, Span::NONE);
        schedule.push(n);
        n
    }

    pub(super) fn text(&mut self, text: &str) -> NodeId {
        self.m.constant(Const::Str(text.into()), Type::Str)
    }

    pub(super) fn finish(&mut self, g: GraphId, result: NodeId, schedule: Vec<NodeId>) {
        self.m.set_result(g, result);
        self.scopes.add(&self.m, g, schedule);
    }

    /// A function that gives a constant.
    fn constant_graph(&mut self, value: bool) -> GraphId {
        let key = Wrapped::Dispatch(Dispatch::Constant(value));
        if let Some(g) = self.wrappers.get(&key) {
            return g;
        }
        let (g, _) = self.made_graph("constant", Flavor::Library, 0);
        let result = self.m.bool(value);
        self.finish(g, result, Vec::new());
        self.wrappers.put(key, g);
        g
    }

    /// `not (a == b)`.
    fn not_equal(&mut self) -> GraphId {
        let key = Wrapped::Dispatch(Dispatch::Operator(Prim::Ne, 0, Vec::new()));
        if let Some(g) = self.wrappers.get(&key) {
            return g;
        }
        let (g, params) = self.made_graph("__ne__", Flavor::Library, 2);
        let mut schedule = Vec::new();
        let equal = self.node_of(g, Prim::Eq, &params, &mut schedule);
        let result = self.node_of(g, Prim::Not, &[equal], &mut schedule);
        self.finish(g, result, schedule);
        self.wrappers.put(key, g);
        g
    }

    /// `len(a) != 0`.
    fn not_empty(&mut self) -> GraphId {
        let key = Wrapped::Dispatch(Dispatch::Operator(Prim::Truth, 0, Vec::new()));
        if let Some(g) = self.wrappers.get(&key) {
            return g;
        }
        let (g, params) = self.made_graph("__bool__", Flavor::Library, 1);
        let (mut schedule, zero) = (Vec::new(), self.m.i64(0));
        let length = self.node_of(g, Prim::Len, &params, &mut schedule);
        let result = self.node_of(g, Prim::Ne, &[length, zero], &mut schedule);
        self.finish(g, result, schedule);
        self.wrappers.put(key, g);
        g
    }

    /// Whether a value, or an element of it, is an instance of a class that defines when two are equal.
    fn defines_equality(&self, a: &Abs) -> bool {
        match a {
            Abs::Tuple(items, _) => items.iter().any(|item| self.defines_equality(item)),
            _ => a.kinds().iter().any(|kind| self.method(kind, "__eq__").is_ok_and(|method| method.is_some())),
        }
    }

    /// `items[0] == x or items[1] == x …`.
    fn contains_graph(&mut self, count: usize) -> GraphId {
        let key = Wrapped::Dispatch(Dispatch::Contains(count));
        if let Some(g) = self.wrappers.get(&key) {
            return g;
        }
        let (g, params) = self.made_graph("contains", Flavor::Library, 2);
        let (mut schedule, mut any) = (Vec::new(), self.m.bool(false));
        for i in 0..count {
            let index = self.m.i64(i as i64);
            let item = self.node_of(g, Prim::GetItem, &[params[0], index], &mut schedule);
            let equal = self.node_of(g, Prim::Eq, &[item, params[1]], &mut schedule);
            any = self.node_of(g, Prim::Or, &[any, equal], &mut schedule);
        }
        self.finish(g, any, schedule);
        self.wrappers.put(key, g);
        g
    }

    /// The larger of two instances, or the smaller, by the order that their class defines; or that of the elements of a tuple.
    fn extreme_graph(&mut self, prim: Prim, elements: Option<usize>) -> GraphId {
        let key = Wrapped::Dispatch(Dispatch::Extreme(prim, elements));
        if let Some(g) = self.wrappers.get(&key) {
            return g;
        }
        let (g, params) = self.made_graph(prim.name(), Flavor::Library, if elements.is_some() { 1 } else { 2 });
        let mut schedule = Vec::new();
        let items = match elements {
            None => params,
            Some(count) => (0..count)
                .map(|i| {
                    let index = self.m.i64(i as i64);
                    self.node_of(g, Prim::GetItem, &[params[0], index], &mut schedule)
                })
                .collect(),
        };
        let order = if prim == Prim::Max { Prim::Gt } else { Prim::Lt };
        let best = items.into_iter().reduce(|best, item| {
            let is_better = self.node_of(g, order, &[item, best], &mut schedule);
            self.node_of(g, Prim::Select, &[is_better, item, best], &mut schedule)
        });
        self.finish(g, best.expect("an instance among them"), schedule);
        self.wrappers.put(key, g);
        g
    }

    /// `start + items[0] + items[1] …`.
    fn sum_graph(&mut self, count: usize) -> GraphId {
        let key = Wrapped::Dispatch(Dispatch::Sum(count));
        if let Some(g) = self.wrappers.get(&key) {
            return g;
        }
        let (g, params) = self.made_graph("sum", Flavor::Library, 2);
        let (mut schedule, mut sum) = (Vec::new(), params[1]);
        for i in 0..count {
            let index = self.m.i64(i as i64);
            let item = self.node_of(g, Prim::GetItem, &[params[0], index], &mut schedule);
            sum = self.node_of(g, Prim::Add, &[sum, item], &mut schedule);
        }
        self.finish(g, sum, schedule);
        self.wrappers.put(key, g);
        g
    }

    /// The graph that does something for each of several classes.
    fn by_kind(&mut self, what: Dispatch) -> GraphId {
        let key = Wrapped::Dispatch(what.clone());
        if let Some(g) = self.wrappers.get(&key) {
            return g;
        }
        let (name, count, at, classes) = match &what {
            Dispatch::Field(name, classes) => (name.to_string(), 1, 0, classes.clone()),
            Dispatch::Operator(prim, at, classes) => {
                (prim.name().to_string(), prim.arity().expect("an operator"), *at, classes.clone())
            }
            other => unreachable!("{other:?} is a gradient"),
        };
        let (g, params) = self.made_graph(&name, Flavor::Library, count);
        self.branch(g, params[at], &classes, &mut |e, arm, narrowed, schedule| match &what {
            Dispatch::Field(name, _) => {
                let (none, no) = (e.m.constant(Const::None, Type::None), e.m.bool(false));
                let operands = [narrowed, e.text(name), none, no];
                e.node_of(arm, Prim::Attribute, &operands, schedule)
            }
            Dispatch::Operator(prim, at, _) => {
                let mut operands = params.clone();
                operands[*at] = narrowed;
                e.node_of(arm, *prim, &operands, schedule)
            }
            other => unreachable!("{other:?} is a gradient"),
        });
        self.wrappers.put(key, g);
        g
    }

    /// Lets a graph do something for the class of `value`, which is one of these.
    pub(super) fn branch(&mut self, g: GraphId, value: NodeId, classes: &[Arc<str>], arm: &mut Arm<'_>) {
        // The blocks nest in the graph of the value, which is in `self.scopes` before them.
        let mut blocks: Vec<(GraphId, NodeId, Vec<NodeId>)> = Vec::new();
        let mut at = g;
        for (i, class) in classes.iter().enumerate() {
            let name = self.text(class);
            let mut schedule = Vec::new();
            if i + 1 == classes.len() {
                let narrowed = self.node_of(at, Prim::NarrowTo, &[value, name], &mut schedule);
                let result = arm(self, at, narrowed, &mut schedule);
                blocks.push((at, result, schedule));
                break;
            }
            let (then, otherwise) = (self.made_graph("then", Flavor::Block, 0).0, self.made_graph("else", Flavor::Block, 0).0);
            let names = self.node_of(at, Prim::Tuple, &[name], &mut schedule);
            let is = self.node_of(at, Prim::IsInstance, &[value, names], &mut schedule);
            let arms = [then, otherwise].map(|g| self.m.graph_ref(g));
            let choice = self.node_of(at, Prim::Select, &[is, arms[0], arms[1]], &mut schedule);
            let call = self.m.call(at, choice, &[], Type::Unknown, Span::NONE);
            schedule.push(call);
            blocks.push((at, call, schedule));
            let mut schedule = Vec::new();
            let narrowed = self.node_of(then, Prim::NarrowTo, &[value, name], &mut schedule);
            let result = arm(self, then, narrowed, &mut schedule);
            blocks.push((then, result, schedule));
            at = otherwise;
        }
        let owner = self.m[value].graph;
        if self.m[g].flavor != Flavor::Block {
            self.scopes.declare(g, owner.filter(|&owner| owner != g));
        }
        let parent = if self.m[g].params.is_empty() { owner } else { Some(g) };
        for &(block, ..) in blocks.iter().filter(|(block, ..)| *block != g) {
            self.scopes.declare(block, parent);
        }
        for (g, result, schedule) in blocks {
            self.m.set_result(g, result);
            self.scopes.set_schedule(g, schedule);
        }
    }
}

/// Whether a tuple that is repeated so often has a length that only the run knows, or one that is too long for a tuple.
fn is_long(tuple: &Abs, times: &Abs) -> bool {
    match (tuple, times) {
        (Abs::Tuple(..), Abs::I64(None)) => true,
        (Abs::Tuple(items, _), Abs::I64(Some(n))) => items.len().saturating_mul((*n).max(0) as usize) > MAX_SIZE,
        _ => false,
    }
}

/// The same of a range.
fn is_long_range(range: &Abs) -> bool {
    match range {
        Abs::Range(_, None) => true,
        Abs::Range(Some(step), Some((start, stop))) => range_count(*start, *stop, *step) > MAX_SIZE as i64,
        _ => false,
    }
}
