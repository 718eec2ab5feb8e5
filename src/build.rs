//! Programs that are built by hand, graph by graph.

use crate::engine::Program;
use crate::{Engine, Error};
use gradus_ir::{Const, Diagnostic, Flavor, GraphId, Module, NodeId, Prim, Role, Span, Type};
use std::cell::RefCell;

/// Builds a program without a source: functions made of primitives and calls, whose types are inferred as those of Python are.
///
/// A graph that uses nodes of another one is nested in it, and captures them. A loop is a block that calls itself at its end, a branch
/// a call of one of two blocks, as everywhere in the intermediate representation.
///
/// ```
/// use gradus::{Engine, ModuleBuilder, Prim};
///
/// let b = ModuleBuilder::new();
/// let (pow, next) = (b.function("pow", ["x", "n"]), b.block("next", ["n", "r"]));
/// let (step, done) = (b.block("step", []), b.block("done", []));
///
/// let [x, n] = pow.params();
/// pow.returns(pow.call(next, [n, b.float(1.0)]));
/// let [n, r] = next.params();
/// next.returns(next.branch(next.apply(Prim::Gt, [n, b.int(0)]), step, done));
/// step.returns(step.call(next, [step.apply(Prim::Sub, [n, b.int(1)]), step.apply(Prim::Mul, [r, x])]));
/// done.returns(r);
///
/// let pow = b.finish(&Engine::default())?.function("pow")?;
/// assert_eq!(pow.value_and_grad::<(f64, i64)>()?.call((2.0, 3))?, (8.0, (12.0, ())));
/// # Ok::<(), gradus::Error>(())
/// ```
#[derive(Debug)]
pub struct ModuleBuilder {
    module: RefCell<Module>,
    functions: RefCell<Vec<(String, GraphId)>>,
}

/// A graph under construction: a function, or a block of one.
#[derive(Clone, Copy, Debug)]
pub struct GraphBuilder<'b> {
    builder: &'b ModuleBuilder,
    id: GraphId,
}

/// A value of a program that is built: a parameter, a constant, the result of a primitive or of a call, or a graph as a function.
#[derive(Clone, Copy, Debug)]
pub struct Node(NodeId);

impl From<GraphBuilder<'_>> for Node {
    /// The graph as a function value.
    fn from(graph: GraphBuilder) -> Node {
        Node(graph.builder.module.borrow_mut().graph_ref(graph.id))
    }
}

impl Default for ModuleBuilder {
    fn default() -> ModuleBuilder {
        ModuleBuilder::new()
    }
}

impl ModuleBuilder {
    /// A builder of nothing yet.
    pub fn new() -> ModuleBuilder {
        ModuleBuilder { module: RefCell::default(), functions: RefCell::default() }
    }

    /// A new function, which the program has by this name. It is specialised for each list of types that it is called with.
    pub fn function<const N: usize>(&self, name: &str, params: [&str; N]) -> GraphBuilder<'_> {
        let graph = self.graph(name, Flavor::Function, &params);
        self.functions.borrow_mut().push((name.to_owned(), graph.id));
        graph
    }

    /// A new block of the function whose values it uses, or that uses it: a loop or an arm of a branch. It is called at the end of
    /// graphs, and its parameters have the same types in every call.
    pub fn block<const N: usize>(&self, name: &str, params: [&str; N]) -> GraphBuilder<'_> {
        self.graph(name, Flavor::Block, &params)
    }

    fn graph(&self, name: &str, flavor: Flavor, params: &[&str]) -> GraphBuilder<'_> {
        let mut m = self.module.borrow_mut();
        let id = m.add_graph(name, flavor, Role::Primal, Span::NONE);
        for &param in params {
            m.add_param(id, Type::Unknown, Some(param.into()), Span::NONE);
        }
        GraphBuilder { builder: self, id }
    }

    /// A constant float.
    pub fn float(&self, value: f64) -> Node {
        Node(self.module.borrow_mut().f64(value))
    }

    /// A constant int.
    pub fn int(&self, value: i64) -> Node {
        Node(self.module.borrow_mut().i64(value))
    }

    /// A constant bool.
    pub fn bool(&self, value: bool) -> Node {
        Node(self.module.borrow_mut().bool(value))
    }

    /// `None`.
    pub fn none(&self) -> Node {
        Node(self.module.borrow_mut().constant(Const::None, Type::None))
    }

    /// The program, compiled under the options of an engine; refused if a graph has no result.
    pub fn finish(self, engine: &Engine) -> Result<Program, Error> {
        let (module, functions) = (self.module.into_inner(), self.functions.into_inner());
        let open = module.graphs().filter(|(_, graph)| graph.ret.is_none());
        let open: Vec<Diagnostic> =
            open.map(|(_, graph)| Diagnostic::refused(Span::NONE, format!("`{}` has no result", graph.name))).collect();
        if !open.is_empty() {
            return Err(Error::Refused(open));
        }
        Ok(engine.built(module, functions))
    }
}

impl<'b> GraphBuilder<'b> {
    /// Its parameters. Panics if there are not so many.
    pub fn params<const N: usize>(self) -> [Node; N] {
        let m = self.builder.module.borrow();
        let params = &m[self.id].params;
        assert_eq!(params.len(), N, "`{}` has {} parameters", m[self.id].name, params.len());
        std::array::from_fn(|i| Node(params[i]))
    }

    /// Applies a primitive here. Whether it fits its operands is checked when types are inferred.
    pub fn apply<const N: usize>(self, prim: Prim, operands: [Node; N]) -> Node {
        let operands = operands.map(|n| n.0).to_vec();
        Node(self.builder.module.borrow_mut().prim(self.id, prim, operands, Type::Unknown, Span::NONE))
    }

    /// Calls a graph, or a function value, here.
    pub fn call<const N: usize>(self, callee: impl Into<Node>, args: [Node; N]) -> Node {
        let (callee, args) = (callee.into().0, args.map(|n| n.0));
        Node(self.builder.module.borrow_mut().call(self.id, callee, &args, Type::Unknown, Span::NONE))
    }

    /// Calls one of two graphs without parameters: a branch, if it is the result.
    pub fn branch(self, condition: Node, then: GraphBuilder<'b>, otherwise: GraphBuilder<'b>) -> Node {
        let arm = self.apply(Prim::Select, [condition, then.into(), otherwise.into()]);
        self.call(arm, [])
    }

    /// Says what the graph returns, in place of anything said before.
    pub fn returns(self, value: Node) {
        self.builder.module.borrow_mut().set_result(self.id, value.0);
    }
}
