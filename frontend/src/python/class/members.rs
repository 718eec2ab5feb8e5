//! The members of classes, each lowered into a graph of its own: methods, variables, and what makes instances.

use super::{Code, Method};
use crate::python::dataclass::Otherwise;
use crate::python::function::check_parameters;
use crate::python::init::RECORD;
use crate::python::library;
use crate::python::lower::{Lowered, Lowerer, Task, Value};
use crate::python::names;
use crate::python::scope::{Def, Scope};
use crate::python::span_of;
use gradus_ir::{Diagnostic, Flavor, GraphId, NodeId, Role, Span, Type};
use ruff_python_ast::{self as ast, Expr};

impl<'a> Lowerer<'a, '_> {
    /// Lowers what makes the instances of a class into its graph.
    pub fn maker_function(
        &mut self,
        graph: GraphId,
        class: &'a str,
        f: &'a ast::StmtFunctionDef,
        defaults: Option<Vec<NodeId>>,
        at: u32,
    ) -> Lowered<()> {
        let def = Def::Function(f);
        check_parameters(def)?;
        let defaults = match defaults {
            Some(defaults) => defaults,
            None => self.constant_defaults(def, at)?,
        };
        self.function(graph, class, def, defaults, &[])?;
        Ok(())
    }

    /// What makes an instance of the values of its fields, by the name that `init` has for it.
    pub fn record_maker(&mut self, name: &str) -> Option<NodeId> {
        let &graph = self.classes.records.get(name.strip_suffix(RECORD)?)?;
        Some(self.m.graph_ref(graph))
    }

    /// Whether some class has it.
    pub fn has_makers(&self) -> bool {
        self.classes.defs.values().flatten().any(|c| c.maker.is_some())
    }

    /// Lowers a variable of a class into its graph, which takes the instance.
    pub fn variable_function(&mut self, graph: GraphId, name: &'a str, value: &'a Expr, at: u32) -> Lowered<()> {
        let span = span_of(value);
        self.m[graph].span = span;
        self.push_frame(graph, name, Scope::default(), at);
        self.m.add_param(graph, Type::Unknown, Some("self".into()), span);
        let result = self.expr(value)?;
        self.return_value(result, span);
        self.pop_frame();
        Ok(())
    }

    /// Has the methods lowered that the program may call and that are still to be lowered. False if there are none.
    pub fn queue_methods(&mut self) -> bool {
        let classes = &self.classes;
        let mut found: Vec<(u32, &'a str, Method<'a>, bool)> = Vec::new();
        for class in classes.defs.values().flatten().filter(|c| classes.is_in_use(c)) {
            let wanted = class.methods.iter().filter(|m| {
                let name = m.name;
                let is_operator = name.starts_with("__") && matches!(m.code, Code::Method(_));
                let may_be_called = class.is_library || is_operator || classes.attributes.contains(name);
                may_be_called && !classes.methods.contains_key(&(class.name, name))
            });
            found.extend(wanted.map(|m| (class.at, class.name, *m, class.is_library)));
        }
        found.sort_unstable_by_key(|&(at, class, method, _)| (at, class, method.name));
        for &(at, class, method, is_library) in &found {
            self.method_graph(at, class, method, is_library).expect("it is lowered only now");
        }
        let mut twins: Vec<(u32, &'a str, Method<'a>)> = Vec::new();
        for class in self.classes.defs.values().flatten().filter(|c| !c.is_library) {
            let wanted = class
                .methods
                .iter()
                .filter(|m| self.classes.returning.contains(m.name) && !self.classes.twins.contains_key(&(class.name, m.name)));
            twins.extend(wanted.map(|m| (class.at, class.name, *m)));
        }
        twins.sort_unstable_by_key(|&(at, class, method)| (at, class, method.name));
        for &(at, class, method) in &twins {
            self.method_twin(at, class, method);
        }
        !found.is_empty() || !twins.is_empty()
    }

    /// The graph of a method that returns what it raises.
    fn method_twin(&mut self, at: u32, class: &'a str, method: Method<'a>) -> Option<GraphId> {
        if let Some(known) = self.classes.twins.get(&(class, method.name)) {
            return known.clone().ok();
        }
        let Code::Method(def) = method.code else { return None };
        let graph = self.m.add_graph(format!("{class}.{}", method.name), Flavor::Function, Role::Primal, Span::NONE);
        self.classes.twins.insert((class, method.name), Ok(graph));
        self.queue.push_back(Task::Method(graph, class, method.name, def, at));
        Some(graph)
    }

    /// Whether a function returns what it raises.
    pub fn is_twin(&self, graph: GraphId) -> bool {
        self.twins.values().any(|&twin| twin == graph) || self.classes.twins.values().flatten().any(|&twin| twin == graph)
    }

    /// The graph that returns what the function of another one raises. None if it is not of the program, or is to be lowered anew with it.
    pub fn returning_graph(&mut self, graph: GraphId) -> Option<GraphId> {
        if let Some(&twin) = self.twins.get(&graph) {
            return Some(twin);
        }
        if let Some(nested) = self.nested.get(&graph) {
            let span = nested.span;
            if !self.late.has_twin(span) {
                self.late.needs_twin(span);
                return None;
            }
            return Some(self.nested_twin(graph));
        }
        let task: Box<dyn FnOnce(GraphId) -> Task<'a>> = if let Some(&(name, def, at)) = self.sources.get(&graph) {
            Box::new(move |twin| Task::Function(twin, name, def, at))
        } else if let Some((class, f, defaults, at)) = self.classes.makers.get(&graph).cloned() {
            Box::new(move |twin| Task::Maker(twin, class, f, defaults, at))
        } else {
            let known = self.classes.methods.iter().find(|(_, g)| g.as_ref().ok() == Some(&graph));
            let &(class, name) = known?.0;
            let class = self.classes.defs.get(class)?.as_ref().ok().filter(|c| !c.is_library)?;
            let (at, name, method) = (class.at, class.name, *class.method(name)?);
            return self.method_twin(at, name, method);
        };
        let (name, place) = (self.m[graph].name.clone(), self.m[graph].span);
        let twin = self.m.add_graph(&*name, Flavor::Function, Role::Primal, place);
        self.twins.insert(graph, twin);
        self.queue.push_back(task(twin));
        Some(twin)
    }

    /// That of a function in a function.
    pub fn nested_twin(&mut self, graph: GraphId) -> GraphId {
        if let Some(&twin) = self.twins.get(&graph) {
            return twin;
        }
        let nested = &self.nested[&graph];
        let (depth, span) = (nested.depth, nested.span);
        let twin = self.nested_graph(depth, "twin", span);
        self.twins.insert(graph, twin);
        twin
    }

    /// The graph of a method of a class whose statement ends at `at`.
    fn method_graph(&mut self, at: u32, class: &'a str, method: Method<'a>, is_library: bool) -> Result<GraphId, Diagnostic> {
        let name = method.name;
        if let Some(known) = self.classes.methods.get(&(class, name)) {
            return known.clone();
        }
        let flavor = match method.code {
            _ if is_library => library::flavor(class, name),
            Code::Method(_) => Flavor::Function,
            // What is a constant stays one.
            Code::Variable(_) => Flavor::Library,
        };
        let graph = self.m.add_graph(format!("{class}.{name}"), flavor, Role::Primal, Span::NONE);
        self.classes.methods.insert((class, name), Ok(graph));
        self.queue.push_back(match method.code {
            Code::Method(def) => Task::Method(graph, class, name, def, at),
            Code::Variable(value) => {
                self.m.memory.globals.insert(graph);
                Task::Variable(graph, name, value, at)
            }
        });
        Ok(graph)
    }

    /// The class that a node is the constructor of.
    pub fn constructed(&self, n: NodeId) -> Option<&'a str> {
        let graph = self.m.as_graph(n)?;
        self.classes.constructors.iter().find(|(_, g)| **g == graph).map(|(class, _)| *class)
    }

    /// `Class.name`: a method, to be called with the instance if it takes one, or the default of a field. The name stands at a place.
    pub fn class_attribute(&mut self, class: &'a str, name: &'a str, at_name: Span, span: Span) -> Lowered<Value<'a>> {
        let Some(Ok(def)) = self.classes.defs.get(class) else { unreachable!("a class that was made") };
        let (at, is_library) = (def.at, def.is_library);
        let method = def.method(name).copied();
        if let Some(Method { code: Code::Variable(value), .. }) = method {
            if let Some(literal) = self.literal(value)? {
                return Ok(Value::Node(literal));
            }
            let graph = self.method_graph(at, class, method.expect("it was found"), is_library)?;
            let (callee, none, here) = (self.m.graph_ref(graph), self.none(), self.graph());
            let call = self.m.call(here, callee, &[none], Type::Unknown, span);
            self.stamp(call);
            return Ok(Value::Node(call));
        }
        if let Some(method) = method.filter(|m| !m.is_property) {
            let graph = self.method_graph(at, class, method, is_library)?;
            return Ok(Value::Node(self.m.graph_ref(graph)));
        }
        match def.fields.iter().find(|f| f.name == name).and_then(|f| f.said.default) {
            Some(Otherwise::Value(default)) => self.default_value(default, at).map(Value::Node),
            _ => {
                let d = Diagnostic::refused(at_name, format!("the class `{class}` has no attribute `{name}`"));
                let members = def.fields.iter().map(|f| f.name).chain(def.methods.iter().map(|m| m.name));
                Err(match names::nearest(name, members) {
                    _ if def.has_member(name) => d.hint(format!("instances have it: write `{class}(…).{name}`")),
                    Some(near) => d.hint(format!("did you mean `{near}`?")),
                    None => d,
                })
            }
        }
    }

    /// The name that a class method has for its class.
    pub fn class_name(&self, class: &str, name: &str) -> Option<&'a str> {
        let class = self.classes.defs.get(class)?.as_ref().ok()?;
        class.method(name)?.class_name
    }

    /// Lowers a method into its graph. Why it cannot be is said where it is called; here, if a place is bound to this graph.
    pub fn method_function(&mut self, graph: GraphId, class: &'a str, name: &'a str, def: Def<'a>, at: u32) {
        let lower = |s: &mut Self| {
            check_parameters(def).and_then(|()| s.constant_defaults(def, at)).and_then(|defaults| {
                s.classes.around = s.class_name(class, name).map(|alias| (alias, class));
                s.function(graph, name, def, defaults, &[])
            })
        };
        let lowered = if self.classes.is_class(class) { lower(self) } else { self.of_library(graph, lower) };
        if let Err(d) = lowered {
            self.frames.clear();
            if self.m.graph_const(graph).is_some() {
                self.diagnostics.push(d.clone());
            }
            let of = if self.is_twin(graph) { &mut self.classes.twins } else { &mut self.classes.methods };
            of.insert((class, name), Err(d));
        }
    }
}
