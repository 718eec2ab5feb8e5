//! The top level of a file: what its names stand for in the functions that use them.

use super::dataclass::Otherwise;
use super::function::{check_def, check_parameters};
use super::lower::{Lowered, Lowerer, Task, Value};
use super::names::{self, Item, Library, Special};
use super::remember::REMEMBERING;
use super::rules;
use super::scope::{Def, Global, Imported, Scope, member};
use super::span_of;
use super::{library, linked};
use gradus_ir::{Diagnostic, Flavor, GraphId, NodeId, Prim, Role, Span, Type};
use ruff_python_ast::{self as ast, Expr};
use rustc_hash::FxHashSet;

/// The name of the graph that gives what decorators make of a function, beside the function.
const DECORATED: &str = "@";

/// What is said of a name that is to be the entry.
fn no_function<T>(name: &str, value: &Expr) -> Lowered<T> {
    let message = format!("`{name}` is neither a function nor a literal");
    Err(Diagnostic::refused(span_of(value), message).hint(format!("write `def {name}(…): return …`")))
}

impl<'a> Lowerer<'a, '_> {
    /// The value of a top-level name in code that runs when the file has been read up to `at`.
    pub fn global(&mut self, name: &'a str, span: Span, at: u32) -> Lowered<Value<'a>> {
        if let Some(&given) = self.given.get(name).filter(|_| !self.in_library) {
            return Ok(Value::Node(given));
        }
        let (mut name, mut at) = (name, at);
        loop {
            let Some((end, global)) = self.globals.get(name, at) else { return self.unbound(name, span) };
            match global {
                Global::Def(_) if self.in_library => {
                    let graph = self.written(library::own(name));
                    return Ok(Value::Node(self.m.graph_ref(graph)));
                }
                Global::Def(f) => {
                    let rules = self.program.natives.iter().find(|n| n.host.is_none() && n.name == name);
                    let graph = self.top_level_graph(end, name, |g| Task::Function(g, name, Def::Function(f), end));
                    if f.decorator_list.iter().any(|d| self.remembers(d, end)) {
                        self.m.memory.remembering.insert(graph);
                    }
                    let function = Value::Node(self.m.graph_ref(graph));
                    return match rules {
                        _ if !f.decorator_list.iter().all(|d| self.is_identity(d, end)) => {
                            self.unfold_decorators(f, function, end)
                        }
                        Some(rules) => {
                            let function = self.value_node(function, span)?;
                            Ok(Value::Node(self.native(rules, Some(function))))
                        }
                        None => Ok(function),
                    };
                }
                Global::Import(import) => return import.resolve().map(Value::Imported),
                Global::Class(c) if !self.in_library && !self.classes.is_class(&c.name) => {
                    let d = Diagnostic::unsupported(span_of(&c.name), format!("another class `{}` is not supported", c.name));
                    return Err(d.hint("give it another name"));
                }
                Global::Class(c) => return self.constructor(&c.name),
                Global::Other(place) => {
                    return Err(Diagnostic::unsupported(
                        span,
                        format!("the top-level name `{name}` is not a function or a constant"),
                    )
                    .label(place, "bound here"));
                }
                Global::Value(Expr::Name(alias)) => (name, at) = (&alias.id, end),
                Global::Value(Expr::Lambda(l)) => {
                    let graph = self.top_level_graph(end, name, |g| Task::Function(g, name, Def::Lambda(l), end));
                    return Ok(Value::Node(self.m.graph_ref(graph)));
                }
                Global::Value(value) => {
                    if let Some(n) = self.literal(value)? {
                        return Ok(Value::Node(n));
                    }
                    if self.frames.is_empty() && rules::is_ruled(value) {
                        let message = format!("`{name}` has a rule for its derivative and cannot be the entry");
                        let d = Diagnostic::unsupported(span_of(value), message);
                        return Err(d.hint(format!("call it in a function without: `def main(…): return {name}(…)`")));
                    }
                    if self.frames.is_empty() {
                        return no_function(name, value);
                    }
                    // `g = grad(f)` is known best where it is used; a chain of such names must not be followed by recursion.
                    if self.may_unfold(end) && self.is_operator_call(value, end) {
                        return self.unfold(end, |s| s.expr(value)).map(Value::Node);
                    }
                    return Ok(self.top_level_call(end, name, span, |g| Task::Value(g, name, value, end)));
                }
                Global::Part(value, ..) if self.frames.is_empty() => return no_function(name, value),
                Global::Part(value, i, count) => {
                    let whole = self.top_level_call(end, name, span, |g| Task::Value(g, name, value, end));
                    let whole = self.value_node(whole, span)?;
                    let [i, count] = [i, count].map(|n| self.m.i64(n as i64));
                    let parts = self.prim(Prim::Unpacked, &[whole, count], span_of(value));
                    return Ok(Value::Node(self.prim(Prim::GetItem, &[parts, i], span)));
                }
            }
        }
    }

    fn unbound(&mut self, name: &'a str, span: Span) -> Lowered<Value<'a>> {
        // The front end writes names that no program has for functions of the library.
        if let Some(own) = name.strip_prefix('.') {
            let graph = self.written(library::own(&format!("_{own}")));
            return Ok(Value::Node(self.m.graph_ref(graph)));
        }
        if self.in_library
            && let Some(item) = Library::Intrinsics.item(name)
        {
            return Ok(Value::Imported(Imported::Item(Library::Intrinsics, name, item)));
        }
        if let Some(record) = self.record_maker(name) {
            return Ok(Value::Node(record));
        }
        if let Some(native) = self.program.natives.iter().find(|n| n.host.is_some() && n.name == name) {
            return Ok(Value::Node(self.native(native, None)));
        }
        if let Some(item) = Library::Builtins.item(name) {
            return Ok(Value::Imported(Imported::Item(Library::Builtins, name, item)));
        }
        if names::OTHER_BUILTINS.contains(&name) {
            return Err(Diagnostic::unsupported(span, format!("the builtin `{name}` is not supported")));
        }
        if let Some(star) = self.globals.star {
            return Err(Diagnostic::unsupported(span, format!("`{name}` is not known here, but may come from `import *`"))
                .label(star, "all is imported here")
                .hint("import the names one by one, to see which are supported"));
        }
        if let Some(module) = name.strip_prefix(linked::MODULE) {
            let d = Diagnostic::unsupported(span, format!("`{module}` is a module of the program, and no value"));
            return Err(d.hint(format!("use the names in it where they are needed: `{module}.f`")));
        }
        let d = Diagnostic::refused(span, format!("unknown name `{name}`"));
        let by_habit = match name {
            "np" => Some(Library::Numpy),
            "jnp" => Some(Library::JaxNumpy),
            name => Library::from_name(name),
        };
        if let Some(library) = by_habit {
            return Err(match library {
                Library::Numpy => d.hint("write `import numpy as np` at the top of the file"),
                Library::JaxNumpy => d.hint("write `import jax.numpy as jnp` at the top of the file"),
                library => d.hint(format!("write `import {}` at the top of the file", library.name())),
            });
        }
        let mut known: Vec<&str> = self.frames.iter().flat_map(|f| f.scope.names()).chain(self.globals.names()).collect();
        Library::Builtins.names().for_each(|n| known.push(n));
        Err(match names::nearest(name, known) {
            Some(near) => d.hint(format!("did you mean `{near}`?")),
            None => d,
        })
    }

    /// The name that a function has in the library.
    pub fn own_name(&self, graph: GraphId) -> Option<&'static str> {
        self.library.iter().find(|&(_, &g)| g == graph).map(|(name, _)| library::own(name))
    }

    /// The graph of a function of the library.
    pub fn written(&mut self, name: &'static str) -> GraphId {
        if let Some(&graph) = self.library.get(name) {
            return graph;
        }
        let Some((end, Global::Def(f))) = library::globals().get(name, u32::MAX) else {
            unreachable!("the library has a function `{name}`")
        };
        if library::makes_lists(name) {
            self.use_lists();
        }
        let graph = self.m.add_graph(library::public(name), library::flavor("", name), Role::Primal, Span::NONE);
        self.library.insert(name, graph);
        if let Some(what) = library::on_boxes(name) {
            self.m.memory.on_boxes.insert(graph, what);
        }
        if library::is_fresh(name) {
            self.m.memory.fresh.insert(graph);
        }
        if library::reorders(name) {
            self.m.memory.reorder.insert(graph);
        }
        self.queue.push_back(Task::Library(graph, name, Def::Function(f), end));
        graph
    }

    /// Lowers a function of the library.
    pub fn library_function(&mut self, graph: GraphId, name: &'a str, def: Def<'a>, at: u32) -> Lowered<()> {
        let result = self.of_library(graph, |s| s.top_level_function(graph, name, def, at));
        result.unwrap_or_else(|d| panic!("the library: {name}: {}", d.message));
        Ok(())
    }

    /// Lowers code of the library into a graph. It has no place in the file.
    pub fn of_library<T>(&mut self, graph: GraphId, lower: impl FnOnce(&mut Self) -> T) -> T {
        let file = std::mem::replace(&mut self.globals, library::globals());
        self.in_library = true;
        let before: FxHashSet<GraphId> = self.m.graphs().map(|(g, _)| g).filter(|&g| g != graph).collect();
        let result = lower(self);
        self.in_library = false;
        self.globals = file;
        let new: Vec<GraphId> = self.m.graphs().map(|(g, _)| g).filter(|g| !before.contains(g)).collect();
        for &g in &new {
            self.m[g].span = Span::NONE;
            if g != graph && self.m[g].flavor == Flavor::Function {
                self.m[g].flavor = Flavor::Library;
            }
        }
        let is_new = |g: GraphId| new.contains(&g);
        let nodes: Vec<NodeId> = self.m.nodes().filter(|(_, n)| n.graph.is_some_and(is_new)).map(|(n, _)| n).collect();
        nodes.into_iter().for_each(|n| self.m.set_span(n, Span::NONE));
        result
    }

    fn top_level_graph(&mut self, end: u32, name: &'a str, task: impl FnOnce(GraphId) -> Task<'a>) -> GraphId {
        if let Some(&graph) = self.top.get(&(end, name)) {
            return graph;
        }
        let graph = self.m.add_graph(name, Flavor::Function, Role::Primal, Span::NONE);
        self.top.insert((end, name), graph);
        let task = task(graph);
        if let Task::Function(graph, name, def, at) = task {
            self.sources.insert(graph, (name, def, at));
        }
        self.queue.push_back(task);
        graph
    }

    /// The value of a graph of the top level without parameters.
    fn top_level_call(&mut self, end: u32, name: &'a str, span: Span, task: impl FnOnce(GraphId) -> Task<'a>) -> Value<'a> {
        let graph = self.top_level_graph(end, name, task);
        self.m.memory.globals.insert(graph);
        let (block, graph) = (self.graph(), self.m.graph_ref(graph));
        let call = self.m.call(block, graph, &[], Type::Unknown, span);
        self.stamp(call);
        Value::Node(if self.has_array_objects() { self.by_object("_of_top_level", call, span) } else { call })
    }

    /// Whether code of the top level may be lowered where it is used. Not inside of itself.
    fn may_unfold(&self, at: u32) -> bool {
        self.unfolding.len() < 16 && !self.unfolding.contains(&at)
    }

    /// Whether this is a call of `grad`, `value_and_grad` or `partial`.
    fn is_operator_call(&self, value: &'a Expr, at: u32) -> bool {
        let Expr::Call(call) = value else { return false };
        matches!(self.item_at(&call.func, at), Some((_, Item::Special(Special::Grad { .. } | Special::Partial))))
    }

    /// Whether a decorator says how to compile, and changes nothing: `@myia`, `@myia(…)`, `@cache`, `@partial(jit, …)`.
    fn is_identity(&self, decorator: &'a ast::Decorator, at: u32) -> bool {
        self.remembers(decorator, at) || matches!(self.library_decorator(decorator, at), Some("jax_jit" | "myia_myia"))
    }

    /// Whether a decorator makes a function remember what it gave.
    fn remembers(&self, decorator: &'a ast::Decorator, at: u32) -> bool {
        matches!(self.library_decorator(decorator, at), Some(name) if REMEMBERING.contains(&name))
    }

    /// The name in the library of a decorator that is written in the language.
    fn library_decorator(&self, decorator: &'a ast::Decorator, at: u32) -> Option<&'static str> {
        let name = match &decorator.expression {
            Expr::Call(call) => match (self.item_at(&call.func, at), &*call.arguments.args) {
                (Some((_, Item::Special(Special::Partial))), [of]) => of,
                _ => &*call.func,
            },
            name => name,
        };
        match self.item_at(name, at) {
            Some((_, Item::Written(name))) => Some(name),
            _ => None,
        }
    }

    /// The item of a library that a name or `module.name` stands for at the top level.
    fn item_at(&self, expr: &'a Expr, at: u32) -> Option<(Library, Item)> {
        let imported = |name: &ast::ExprName| match self.globals.get(&name.id, at) {
            Some((_, Global::Import(import))) => import.resolve().ok(),
            _ => None,
        };
        let found = match expr {
            Expr::Name(n) => imported(n)?,
            Expr::Attribute(a) => match imported(a.value.as_name_expr()?)? {
                Imported::Library(library) => member(library, &a.attr, Span::NONE).ok()?,
                Imported::Item(..) => return None,
            },
            _ => return None,
        };
        match found {
            Imported::Item(library, _, item) => Some((library, item)),
            Imported::Library(_) => None,
        }
    }

    /// What the decorators of a function of the top level make of it, where that is used.
    fn unfold_decorators(&mut self, f: &'a ast::StmtFunctionDef, function: Value<'a>, at: u32) -> Lowered<Value<'a>> {
        let span = span_of(&f.name);
        let function = self.value_node(function, span)?;
        if self.frames.is_empty() {
            let d = Diagnostic::unsupported(span, format!("`{}` has decorators and cannot be the entry", f.name));
            return Err(d.hint(format!("call it in a function without: `def main(…): return {}(…)`", f.name)));
        }
        if !self.may_unfold(at) {
            return Ok(self.top_level_call(at, DECORATED, span, |g| Task::Decorated(g, f, at)));
        }
        self.unfold(at, |s| s.decorated(f, function)).map(Value::Node)
    }

    /// Lowers code of the top level where it is used: in a scope of its own, into the block of the user.
    fn unfold(&mut self, at: u32, lower: impl FnOnce(&mut Self) -> Lowered<NodeId>) -> Lowered<NodeId> {
        let frame = self.frames.last_mut().expect("a function uses it");
        let scope = std::mem::take(&mut frame.scope);
        let outer = std::mem::replace(&mut frame.at, at);
        self.unfolding.push(at);
        // `at` hides the scopes further out: code of the top level sees no function's names.
        let result = lower(self);
        self.unfolding.pop();
        let frame = self.frames.last_mut().expect("the function is still there");
        frame.scope = scope;
        frame.at = outer;
        result
    }

    pub fn top_level_function(&mut self, graph: GraphId, name: &'a str, def: Def<'a>, at: u32) -> Lowered<()> {
        if let Def::Function(f) = def {
            check_def(f)?;
        }
        check_parameters(def)?;
        let defaults = self.constant_defaults(def, at)?;
        self.function(graph, name, def, defaults, &[])?;
        Ok(())
    }

    /// The defaults of a function that is not nested.
    pub fn constant_defaults(&mut self, def: Def<'a>, at: u32) -> Lowered<Vec<NodeId>> {
        self.defaults(def, |me, default| me.default_value(default, at))
    }

    /// The default of a parameter or of a field: a constant, where it is a literal or a function that is named at the top level, and
    /// else a graph without parameters, for the top level is no graph that it could be a node of.
    pub fn default_value(&mut self, default: &'a Expr, at: u32) -> Lowered<NodeId> {
        if let Some(literal) = self.literal(default)? {
            return Ok(literal);
        }
        let value = match default {
            Expr::Name(n) => match self.globals.get(&n.id, at) {
                Some((_, Global::Value(value))) => self.literal(value)?.map(Value::Node),
                _ => Some(self.global(&n.id, span_of(n), at)?),
            },
            Expr::Attribute(a) => match &*a.value {
                Expr::Name(module) => match self.global(&module.id, span_of(module), at)? {
                    Value::Imported(Imported::Library(library)) => Some(Value::Imported(member(library, &a.attr, span_of(a))?)),
                    _ => None,
                },
                _ => None,
            },
            _ => None,
        };
        if let Some(value) = value {
            let node = self.value_node(value, span_of(default))?;
            if self.m[node].as_const().is_some() {
                return Ok(node);
            }
        }
        let graph = self.default_graph(Otherwise::Value(default), at);
        Ok(self.m.graph_ref(graph))
    }

    /// A default as a graph without parameters: a value, or what a function makes each time, as that of a field of a list.
    pub fn default_graph(&mut self, default: Otherwise<'a>, at: u32) -> GraphId {
        let (Otherwise::Value(place) | Otherwise::Made(place)) = default;
        let graph = self.top_level_graph(span_of(place).end, "default", |g| match default {
            Otherwise::Value(value) => Task::Value(g, "default", value, at),
            Otherwise::Made(factory) => Task::Made(g, factory, at),
        });
        self.m.memory.globals.insert(graph);
        // A factory makes one for each instance.
        if matches!(default, Otherwise::Made(_)) {
            self.m.memory.fresh.insert(graph);
        }
        graph
    }

    /// What decorators make of a function of the top level: a graph without parameters.
    pub fn top_level_decorated(&mut self, graph: GraphId, f: &'a ast::StmtFunctionDef, at: u32) -> Lowered<()> {
        let span = span_of(&f.name);
        self.m[graph].span = span;
        self.push_frame(graph, &f.name, Scope::default(), at);
        self.unfolding.push(at);
        let function = self.m.graph_ref(self.top[&(at, f.name.as_str())]);
        let result = self.decorated(f, function);
        self.unfolding.pop();
        self.return_value(result?, span);
        self.pop_frame();
        Ok(())
    }

    /// What a function without parameters makes at the top level.
    pub fn top_level_made(&mut self, graph: GraphId, factory: &'a Expr, at: u32) -> Lowered<()> {
        let span = span_of(factory);
        self.m[graph].span = span;
        self.push_frame(graph, "default", Scope::default(), at);
        let made = match factory {
            Expr::Name(_) | Expr::Attribute(_) => self.resolve(factory)?,
            _ => Value::Node(self.expr(factory)?),
        };
        let block = self.graph();
        let result = match made {
            Value::Imported(Imported::Item(library, name, item)) => self.apply(block, library, name, item, &[], span)?,
            callee => {
                let callee = self.value_node(callee, span)?;
                self.m.call(block, callee, &[], Type::Unknown, span)
            }
        };
        self.return_value(result, span);
        self.pop_frame();
        Ok(())
    }

    /// `name = expression` at the top level: a graph without parameters.
    pub fn top_level_value(&mut self, graph: GraphId, name: &'a str, value: &'a Expr, at: u32) -> Lowered<()> {
        self.m[graph].span = span_of(value);
        self.push_frame(graph, name, Scope::default(), at);
        let result = self.expr(value)?;
        self.return_value(result, span_of(value));
        self.pop_frame();
        Ok(())
    }
}
