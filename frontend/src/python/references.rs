//! Programs whose lists, dicts and arrays are objects, as they are in Python: each is a box with a list, dict or array as a value, and
//! everybody who has it has the box. So aliases, rows, views, and functions that write to their arguments are what they are in Python.
//!
//! ```text
//! row = [x]                  row = _new_list([x])                  a box
//! rows = [row, row]          rows = _new_list([row, row])
//! rows[0][0] = y             row = rows[0];  row.set(row.get() with y in place 0)
//! return rows                return [[v for v in row.get()] for row in rows.get()]
//! ```
//!
//! A program is lowered so where those as values are not enough for it ([`super::Program::with_objects`]): with arrays as objects, and then
//! with all of them. Functions of the library take them as values, and so does who calls the entry.

use super::library::{self, Memory};
use super::loops::Iterable;
use super::lower::{Lowered, Lowerer, Value};
use super::names::{Item, Library, Special};
use super::scope::Imported;
use gradus_ir::{Const, Flavor, GraphId, Kind, NodeId, Prim, Role, Span, Type};
use ruff_python_ast::{self as ast, Expr, Operator};

/// The use that a function of the library makes of an argument that may be an object.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Takes {
    /// It reads all that is in it.
    Values,
    /// It goes over its elements, which may be objects.
    Elements,
    /// It reads the object alone.
    Objects,
    /// It reads all that is in it, or calls it.
    Callbacks,
    /// It gives them back, or hands them on.
    AsTheyAre,
}

impl Takes {
    /// That of a function of a module, called with so many arguments.
    pub fn of(library: Library, item: Item, count: usize) -> Takes {
        match item {
            Item::Special(Special::Partial) => Takes::AsTheyAre,
            Item::Special(Special::Max | Special::Min) if count > 1 => Takes::AsTheyAre,
            Item::Special(Special::Jvp) => Takes::Values,
            _ if library.is_numeric() => Takes::Values,
            _ if item.goes_over() => Takes::Elements,
            _ => Takes::Objects,
        }
    }
}

impl<'a> Lowerer<'a, '_> {
    /// Whether values that are made here may be objects. Those of the top level never change.
    pub fn has_objects(&self) -> bool {
        self.program.objects.are_some()
            && !self.in_library
            && self.unfolding.is_empty()
            && self.frames.first().is_some_and(|f| f.at == u32::MAX)
    }

    /// A new list or dict that has these elements, made by a function of the library.
    pub fn as_object(&mut self, new: &'static str, elements: NodeId, span: Span) -> NodeId {
        if !self.has_objects() || !self.program.objects.lists {
            return elements;
        }
        let graph = self.graph();
        self.call_written(graph, new, &[elements], span)
    }

    /// The result of a function of the library, whose lists and dicts become objects.
    pub fn as_objects(&mut self, value: NodeId, span: Span) -> NodeId {
        if !self.has_objects() {
            return value;
        }
        self.by_object("_as_objects", value, span)
    }

    /// A list or dict as a value, with those in it if it is `deep`; any other value as it is.
    pub fn value_of(&mut self, value: NodeId, deep: bool, span: Span) -> NodeId {
        if !self.has_objects() || self.m[value].graph.is_none() {
            return value;
        }
        self.opened(value, if deep { "_plain" } else { "_held" }, span)
    }

    /// A value that may be an object, opened by a function of the library.
    fn opened(&mut self, value: NodeId, function: &'static str, span: Span) -> NodeId {
        self.by_object(if self.is_fixed { "_no_object" } else { function }, value, span)
    }

    /// Calls a function of the library with a value, unless that is a number or the like, which stays what it is.
    pub fn by_object(&mut self, function: &'static str, value: NodeId, span: Span) -> NodeId {
        let function = self.written(function);
        let function = self.m.graph_ref(function);
        self.prim(Prim::ByObject, &[function, value], span)
    }

    /// [`Lowerer::sequence`] for the library: as a value with all that is in it, for its elements, or as a value that may hold objects.
    pub fn sequence_in(&mut self, argument: &'a Expr, takes: Takes) -> Lowered<NodeId> {
        let value = self.sequence(argument)?;
        Ok(self.taken_as(value, takes, super::span_of(argument)))
    }

    /// An argument for a function of the library.
    pub fn taken_as(&mut self, value: NodeId, takes: Takes, span: Span) -> NodeId {
        // A function is a constant.
        if !self.has_objects() || self.m[value].graph.is_none() && takes != Takes::Callbacks {
            return value;
        }
        let function = match takes {
            Takes::Values => "_plain",
            Takes::Elements => "_gone_over",
            Takes::Objects => "_held",
            Takes::Callbacks => "_callback",
            Takes::AsTheyAre => return value,
        };
        self.opened(value, function, span)
    }

    /// The value that is in an object, which is going to be changed.
    pub fn changeable(&mut self, object: NodeId, span: Span) -> NodeId {
        if self.has_objects() { self.by_object("_changeable", object, span) } else { object }
    }

    /// A value as an element of a list or an array.
    pub fn fitting(&mut self, items: NodeId, value: NodeId, span: Span) -> NodeId {
        if !self.has_array_objects() || self.m[value].graph.is_none() {
            return value;
        }
        let graph = self.graph();
        self.call_written(graph, "_fitting", &[items, value], span)
    }

    /// Whether arrays that are made here are objects.
    pub fn has_array_objects(&self) -> bool {
        self.program.objects.arrays && self.has_objects()
    }

    /// The result of a function of the library as an object: `call` is its call, or the operation that calls it.
    pub fn given_as_object(&mut self, function: &str, call: NodeId, span: Span) -> NodeId {
        if !self.has_array_objects() {
            return call;
        }
        let graph = self.graph();
        let inputs = self.m[call].inputs().to_vec();
        let first = inputs.get(1).map(|&n| self.object_in(n));
        let (Some(mut first), Some(memory)) = (first, library::memory(function)) else {
            let operands = self.objects_in(call);
            let operands = self.prim(Prim::Tuple, &operands, span);
            return self.call_written(graph, "_fresh", &[call, operands], span);
        };
        let is_starred = matches!(self.m.as_prim(call), Some(Prim::Apply(_)));
        if is_starred {
            let zero = self.m.i64(0);
            first = self.prim(Prim::GetItem, &[first, zero], span);
        }
        match memory {
            _ if is_starred => self.call_written(graph, "_part_in_memory", &[first, call], span),
            Memory::Itself => self.call_written(graph, "_itself", &[first, call], span),
            Memory::Part => self.call_written(graph, "_part_in_memory", &[first, call], span),
            Memory::Diagonal | Memory::Moved { .. } => {
                let places = self.call_written(graph, "_own_places", &[first], span);
                let given = [&inputs[..1], &[places], &inputs[2..]].concat();
                let places = match self.m[call].kind {
                    Kind::Prim(prim) => self.prim(prim, &given, span),
                    _ => {
                        let places = self.m.call(graph, given[0], &given[1..], Type::Unknown, span);
                        self.stamp(places);
                        places
                    }
                };
                let Memory::Moved { needs_order, keeps_order, is_writable } = memory else {
                    return self.call_written(graph, "_diagonal_in", &[first, call, places], span);
                };
                let how = [needs_order, keeps_order, is_writable].map(|is| self.m.bool(is));
                self.call_written(graph, "_moved", &[&[first, call, places], &how[..]].concat(), span)
            }
        }
    }

    /// The objects among the arguments of a call, or of the operations that stand for it.
    fn objects_in(&self, call: NodeId) -> Vec<NodeId> {
        let (mut work, mut found) = (vec![call], Vec::new());
        while let Some(n) = work.pop() {
            match self.object_in(n) {
                object if object != n => found.push(object),
                _ if n == call || matches!(self.m[n].kind, Kind::Prim(_)) => work.extend(self.m[n].inputs()),
                _ => {}
            }
        }
        found
    }

    /// Whether an attribute, which means a function of the library, may be one of a class. Complex numbers have some of those of arrays, whose
    /// functions take both.
    pub fn may_be_member(&mut self, function: &str, name: &str) -> bool {
        let is_of_arrays = self.has_array_objects() && library::is_of_arrays(function);
        if is_of_arrays { self.classes.file_has_member(name) } else { self.classes.has_member(name) }
    }

    /// The object that a value for the library was made of.
    fn object_in(&self, value: NodeId) -> NodeId {
        let inputs = self.m[value].inputs();
        let callee = inputs.first().and_then(|&f| self.m.as_graph(f)).map(|g| &*self.m[g].name);
        match callee {
            Some("_plain" | "_held" | "_gone_over") if self.m.as_prim(value) == Some(Prim::ByObject) => inputs[1],
            _ => value,
        }
    }

    /// The value of a variable after its object was changed to hold these elements.
    pub fn holding(&mut self, object: NodeId, elements: NodeId, span: Span) -> NodeId {
        if !self.has_objects() {
            return elements;
        }
        let graph = self.graph();
        self.call_written(graph, "_holding", &[object, elements], span)
    }

    /// `x += y` and the like: by a method such as `__iadd__`, if the class of `x` has it.
    pub fn updated_by(&mut self, op: Operator, old: NodeId, value: NodeId, span: Span) -> Lowered<NodeId> {
        if !self.has_in_place(op) {
            return self.assigned_by(op, old, value, span);
        }
        let method = in_place(op);
        let name = self.m.constant(Const::Str(method.into()), Type::Str);
        let has_it = self.prim(Prim::Defines, &[old, name], span);
        let (result, join) = (self.temp(), self.new_block("join", span));
        let [then, otherwise] = self.branch(has_it, span, ["then", "else"]);
        self.enter(then);
        let changed = self.call_member(old, method, &[value], span);
        self.set(result, changed);
        self.jump(join, span);
        self.enter(otherwise);
        let new = self.assigned_by(op, old, value, span)?;
        self.set(result, new);
        self.jump(join, span);
        self.seal(join);
        self.enter(join);
        Ok(self.read(result))
    }

    /// Whether classes of the file may say what `x += y` and the like are.
    pub fn has_in_place(&self, op: Operator) -> bool {
        !self.in_library && self.classes.file_has_member(in_place(op))
    }

    /// The same where no class says more: a list or a dict stays what it is.
    fn assigned_by(&mut self, op: Operator, old: NodeId, value: NodeId, span: Span) -> Lowered<NodeId> {
        let graph = self.graph();
        let (function, value) = match op {
            _ if !self.has_objects() => return self.operator(op, old, value, span),
            Operator::Add => ("_added", value),
            Operator::Mult => ("_multiplied", value),
            Operator::BitOr => ("_merged", value),
            _ => ("_assigned", self.operator(op, old, value, span)?),
        };
        Ok(self.call_written(graph, function, &[old, value], span))
    }

    /// The holder of an element after that was changed.
    pub fn put_back(&mut self, holder: NodeId, index: NodeId, new: NodeId, span: Span) -> NodeId {
        if !self.has_objects() {
            return self.prim(Prim::SetItem, &[holder, index, new], span);
        }
        let graph = self.graph();
        self.call_written(graph, "_put_back", &[holder, index, new], span)
    }

    /// The iterable of a loop over `d.items()` or `d.values()`, which sees the dict change; none if it is another call.
    pub fn live_items(&mut self, iter: &'a Expr) -> Lowered<Option<Iterable>> {
        let Some(of) = self.entries_of(iter)?.filter(|_| self.has_objects()) else { return Ok(None) };
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
        if !self.has_objects() || c.arguments.args.iter().any(Expr::is_starred_expr) {
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
        let args = given.map(|a| self.taken_in_part(a)).collect::<Lowered<Vec<_>>>()?;
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

/// The method that defines an augmented assignment.
fn in_place(op: Operator) -> &'static str {
    match op {
        Operator::Add => "__iadd__",
        Operator::Sub => "__isub__",
        Operator::Mult => "__imul__",
        Operator::MatMult => "__imatmul__",
        Operator::Div => "__itruediv__",
        Operator::Mod => "__imod__",
        Operator::Pow => "__ipow__",
        Operator::LShift => "__ilshift__",
        Operator::RShift => "__irshift__",
        Operator::BitOr => "__ior__",
        Operator::BitXor => "__ixor__",
        Operator::BitAnd => "__iand__",
        Operator::FloorDiv => "__ifloordiv__",
    }
}
