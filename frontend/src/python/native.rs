//! Functions of the host, and rules of the host for functions of the file.
//!
//! A function with rules is a graph that hands its arguments, what computes its value, and its rules to the library, where rules are
//! what programs write them as (`library/toolbox.py`).

use super::library;
use super::lower::Lowerer;
use gradus_ir::{Const, Flavor, GraphId, Host, NodeId, Prim, Role, Span, Type};

/// A function of the host that a file may call by its name; or, without one, rules for a function of the file with that name.
#[derive(Clone, Debug)]
pub struct Native {
    /// The name.
    pub name: String,
    /// How many arguments it takes.
    pub count: usize,
    /// The function.
    pub host: Option<Host>,
    /// From the value, the arguments and a cotangent of the value to the tuple of cotangents of the arguments.
    pub pullback: Option<Host>,
    /// From the value, the arguments and their tangents to the tangent of the value.
    pub pushforward: Option<Host>,
}

impl<'a> Lowerer<'a, '_> {
    /// A function with rules of the host, as a value; `function` is what computes it if the host does not.
    pub fn native(&mut self, native: &'a Native, function: Option<NodeId>) -> NodeId {
        if let Some(&graph) = self.natives.get(&*native.name) {
            return self.m.graph_ref(graph);
        }
        let (graph, params) = self.native_graph(&native.name, native.count);
        self.natives.insert(&native.name, graph);
        let value = match (function, native.host) {
            (Some(function), _) => function,
            (None, Some(host)) => self.host_graph(host),
            (None, None) => unreachable!("rules are those of a function"),
        };
        let pullback = self.rule(native, native.pullback, "pullback", "reverse");
        let pushforward = self.rule(native, native.pushforward, "pushforward", "forward");
        let args = self.m.prim(graph, Prim::Tuple, params, Type::Unknown, Span::NONE);
        let result = self.call_library(graph, "_native", &[value, pullback, pushforward, args]);
        self.m.set_result(graph, result);
        self.m.graph_ref(graph)
    }

    /// A rule as a function: it has no derivative, and if it is missing no meaning.
    fn rule(&mut self, native: &'a Native, rule: Option<Host>, what: &str, mode: &str) -> NodeId {
        let name = &native.name;
        // What it takes beside the arguments of the function: the value, and a cotangent or tangents.
        let others = if what == "pullback" { 2 } else { 1 + native.count };
        let Some(rule) = rule else {
            return self.refusal(native.count + others, format!("`{name}` has no {what}, which {mode} mode asks for"));
        };
        let refusal = self.refusal(0, format!("the {what} of `{name}` is a function of the host and has no derivative"));
        let function = self.host_graph(rule);
        let (graph, params) = self.native_graph(&rule.function().name, rule.function().params.len());
        let args = self.m.prim(graph, Prim::Tuple, params, Type::Unknown, Span::NONE);
        let result = self.call_library(graph, "_opaque", &[function, refusal, args]);
        self.m.set_result(graph, result);
        self.m.graph_ref(graph)
    }

    /// A function that is refused wherever it is called.
    fn refusal(&mut self, count: usize, message: String) -> NodeId {
        let (graph, _) = self.native_graph("refused", count);
        let message = self.m.constant(Const::Str(message.into()), Type::Str);
        let result = self.m.prim(graph, Prim::Refuse, vec![message], Type::Unknown, Span::NONE);
        self.m.set_result(graph, result);
        self.m.graph_ref(graph)
    }

    /// A graph that is nothing but a call of a function of the host.
    fn host_graph(&mut self, host: Host) -> NodeId {
        let (graph, params) = self.native_graph(&host.function().name, host.function().params.len());
        let result = self.m.prim(graph, Prim::Host(host), params, Type::Unknown, Span::NONE);
        self.m.set_result(graph, result);
        self.m.graph_ref(graph)
    }

    fn call_library(&mut self, graph: GraphId, name: &str, args: &[NodeId]) -> NodeId {
        let callee = self.written(library::own(name));
        let callee = self.m.graph_ref(callee);
        self.m.call(graph, callee, args, Type::Unknown, Span::NONE)
    }

    /// A graph with so many parameters, which has no place in the file.
    fn native_graph(&mut self, name: &str, count: usize) -> (GraphId, Vec<NodeId>) {
        let graph = self.m.add_graph(name, Flavor::Library, Role::Primal, Span::NONE);
        let param = |i| self.m.add_param(graph, Type::Unknown, Some(format!("a{i}").into()), Span::NONE);
        (graph, (0..count).map(param).collect())
    }
}
