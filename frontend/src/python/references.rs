//! Programs whose lists and dicts are objects, as they are in Python: each is a box with the list or dict as a value, and everybody who
//! has it has the box. So aliases, rows, and functions that write to their arguments are what they are in Python, by no rule of their own.
//!
//! ```text
//! row = [x]                  row = _new_list([x])                  a box
//! rows = [row, row]          rows = _new_list([row, row])
//! rows[0][0] = y             row = rows[0];  row.set(row.get() with y in place 0)
//! return rows                return [[v for v in row.get()] for row in rows.get()]
//! ```
//!
//! A program is lowered so where those as values are not enough for it ([`super::Program::with_references`]). Functions of the library take
//! them as values, and so does who calls the entry.

use super::loops::Iterable;
use super::lower::{Lowered, Lowerer, Value};
use super::names::{Item, Special};
use super::scope::Imported;
use gradus_ir::{Flavor, GraphId, NodeId, Prim, Role, Span, Type};
use ruff_python_ast::{self as ast, Expr, Operator};

impl<'a> Lowerer<'a, '_> {
    /// Whether lists and dicts that are made here are objects. Those of the top level never change.
    pub fn has_references(&self) -> bool {
        self.program.references
            && !self.in_library
            && self.unfolding.is_empty()
            && self.frames.first().is_some_and(|f| f.at == u32::MAX)
    }

    /// A new list or dict that has these elements, made by a function of the library.
    pub fn as_object(&mut self, new: &'static str, elements: NodeId, span: Span) -> NodeId {
        if !self.has_references() {
            return elements;
        }
        let graph = self.graph();
        self.call_written(graph, new, &[elements], span)
    }

    /// The result of a function of the library, whose lists and dicts become objects.
    pub fn as_objects(&mut self, value: NodeId, span: Span) -> NodeId {
        if !self.has_references() {
            return value;
        }
        let graph = self.graph();
        self.call_written(graph, "_as_objects", &[value], span)
    }

    /// A list or dict as a value, with those in it if it is `deep`; any other value as it is.
    pub fn value_of(&mut self, value: NodeId, deep: bool, span: Span) -> NodeId {
        if !self.has_references() || self.m[value].graph.is_none() {
            return value;
        }
        let graph = self.graph();
        let function = match deep {
            _ if self.is_fixed => "_no_object",
            true => "_plain",
            false => "_held",
        };
        self.call_written(graph, function, &[value], span)
    }

    /// [`Lowerer::sequence`] as a value for the library.
    pub fn sequence_in(&mut self, argument: &'a Expr, deep: bool) -> Lowered<NodeId> {
        let value = self.sequence(argument)?;
        Ok(self.value_of(value, deep, super::span_of(argument)))
    }

    /// The value of a variable after its object was changed to hold these elements.
    pub fn holding(&mut self, object: NodeId, elements: NodeId, span: Span) -> NodeId {
        if !self.has_references() {
            return elements;
        }
        let graph = self.graph();
        self.call_written(graph, "_holding", &[object, elements], span)
    }

    /// `x += y` and the like: a list or a dict stays what it is.
    pub fn updated_by(&mut self, op: Operator, old: NodeId, value: NodeId, span: Span) -> Lowered<NodeId> {
        let function = match op {
            Operator::Add => "_added",
            Operator::Mult => "_multiplied",
            Operator::BitOr => "_merged",
            _ => return self.operator(op, old, value, span),
        };
        if !self.has_references() {
            return self.operator(op, old, value, span);
        }
        let graph = self.graph();
        Ok(self.call_written(graph, function, &[old, value], span))
    }

    /// The holder of an element after that was changed.
    pub fn put_back(&mut self, holder: NodeId, index: NodeId, new: NodeId, span: Span) -> NodeId {
        if !self.has_references() {
            return self.prim(Prim::SetItem, &[holder, index, new], span);
        }
        let graph = self.graph();
        self.call_written(graph, "_put_back", &[holder, index, new], span)
    }

    /// The iterable of a loop over `d.items()` or `d.values()`, which sees the dict change; none if it is another call.
    pub fn live_items(&mut self, iter: &'a Expr) -> Lowered<Option<Iterable>> {
        let Some(of) = self.entries_of(iter)?.filter(|_| self.has_references()) else { return Ok(None) };
        let method = iter.as_call_expr().and_then(|c| c.func.as_attribute_expr()).map_or("", |a| &a.attr);
        let function = match method {
            "items" => "_entry_of",
            "values" => "_entry_value_of",
            _ => return Ok(None),
        };
        let (dict, span) = (self.expr(of)?, super::span_of(iter));
        let graph = self.graph();
        let f = self.call_written(graph, function, &[dict], span);
        let of = self.prim(Prim::TupleOf, &[dict], span);
        Ok(Some(Iterable::Mapped { f, of, many: false }))
    }

    /// The iterator of a loop over `enumerate`, `zip` or `reversed`, which sees the lists change; none if it is another call.
    pub fn live(&mut self, c: &'a ast::ExprCall) -> Lowered<Option<NodeId>> {
        if !self.has_references() || c.arguments.args.iter().any(Expr::is_starred_expr) {
            return Ok(None);
        }
        let (function, keyword) = match self.resolve(&c.func)? {
            Value::Imported(Imported::Item(_, _, Item::Special(Special::Enumerate))) => ("_numbered", "start"),
            Value::Imported(Imported::Item(_, _, Item::Special(Special::Zip))) => ("_zipped", ""),
            Value::Imported(Imported::Item(_, _, Item::Prim(Prim::Reversed))) => ("_going_backwards", ""),
            _ => return Ok(None),
        };
        if c.arguments.keywords.iter().any(|k| k.arg.as_ref().is_none_or(|name| name != keyword)) {
            return Ok(None);
        }
        let given = c.arguments.args.iter().chain(c.arguments.keywords.iter().map(|k| &k.value));
        for argument in given.clone() {
            if self.entries_of(argument)?.is_some() {
                return Err(self.in_turn(argument));
            }
        }
        let args = given.map(|a| self.sequence(a)).collect::<Lowered<Vec<_>>>()?;
        let graph = self.graph();
        Ok(Some(self.call_written(graph, function, &args, super::span_of(c))))
    }

    /// The entry for callers whose lists and dicts are values.
    pub fn with_values(&mut self, entry: GraphId) -> GraphId {
        let (name, span, tail) = (self.m[entry].name.clone(), self.m[entry].span, self.m[entry].tail);
        if tail.rest || tail.keywords {
            return entry;
        }
        let graph = self.m.add_graph(&*name, Flavor::Function, Role::Primal, span);
        let own = self.m[entry].params.clone();
        let mut args = Vec::new();
        for param in own {
            let (name, span) = (self.m[param].name.clone(), self.m[param].span);
            let param = self.m.add_param(graph, Type::Unknown, name, span);
            args.push(self.call_written(graph, "_as_objects", &[param], span));
        }
        (self.m[graph].tail, self.m[graph].defaults) = (tail, self.m[entry].defaults.clone());
        let callee = self.m.graph_ref(entry);
        let call = self.m.call(graph, callee, &args, Type::Unknown, span);
        let result = self.call_written(graph, "_plain", &[call], span);
        self.m.set_result(graph, result);
        let steps = [&args[..], &[call, result]].concat();
        self.m.memory.steps.insert(graph, steps);
        graph
    }
}
