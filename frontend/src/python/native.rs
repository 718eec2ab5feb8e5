//! Functions of the host, and rules of the host for functions of the file.
//!
//! A function with rules is a graph that hands its arguments, what computes its value, and its rules to the library, where rules are
//! what programs write them as (`library/toolbox.py`).

use super::library;
use super::lower::Lowerer;
use gradus_ir::{Const, Flavor, GraphId, Host, NodeId, Prim, Role, Span, Type};

/// A function of the host that a file may call by its name; or, without one, rules for a function of the file with that name.
///
/// A rule is another one, by whose own rules derivatives of the next order go. That of reverse mode takes the value, the arguments and a
/// cotangent of the value, and gives the cotangents of the arguments; that of forward mode takes the value, the arguments and their
/// tangents, and gives the tangent of the value. Of two rules, one is enough.
#[derive(Clone, Debug)]
pub struct Native {
    /// The name.
    pub name: String,
    /// How many arguments it takes.
    pub count: usize,
    /// Whether rules see the only argument, its tangent and its cotangent as they are. Else those of all arguments are a tuple.
    pub is_single: bool,
    /// The function.
    pub host: Option<Host>,
    /// The rule of reverse mode.
    pub pullback: Option<Box<Native>>,
    /// The rule of forward mode.
    pub pushforward: Option<Box<Native>>,
}

impl<'a> Lowerer<'a, '_> {
    /// A function with rules of the host, as a value; `function` is what computes it if the host does not.
    pub fn native(&mut self, native: &'a Native, function: Option<NodeId>) -> NodeId {
        if let Some(&function) = self.natives.get(&*native.name) {
            return function;
        }
        let function = self.ruled(native, function);
        self.natives.insert(&native.name, function);
        function
    }

    fn ruled(&mut self, native: &Native, function: Option<NodeId>) -> NodeId {
        let (graph, params) = self.native_graph(&native.name, native.count);
        let value = match (function, native.host) {
            (Some(function), _) => function,
            (None, Some(host)) => self.host_graph(host),
            (None, None) => unreachable!("rules are those of a function"),
        };
        let rule = |rule: &Option<Box<Native>>| match rule {
            Some(rule) => self.ruled(rule, None),
            None if native.pullback.is_none() && native.pushforward.is_none() => self.refusal(native),
            None => self.m.constant(Const::None, Type::None),
        };
        let rules = [&native.pullback, &native.pushforward].map(rule);
        let single = if native.is_single { self.m.bool(true) } else { self.none() };
        let args = self.m.prim(graph, Prim::Tuple, params, Type::Unknown, Span::NONE);
        let result = self.call_library(graph, "_native", &[value, rules[0], rules[1], single, args]);
        self.m.set_result(graph, result);
        self.m.graph_ref(graph)
    }

    /// What takes the place of a rule where there is none of either mode: it is refused where it is called.
    fn refusal(&mut self, native: &Native) -> NodeId {
        let (graph, _) = self.native_graph("refused", 3);
        let message = format!("`{}` has no derivative, since it was given neither a pullback nor a pushforward", native.name);
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
