//! Functions and statements.

use super::capture::{Capture, Closure, Late};
use super::names::{Item, Library, Special};
use super::scope::{Def, Global, Globals, Imported, Scope};
use super::ssa::{BlockId, Point, Ssa, Var};
use super::{Program, names, span_of};
use gradus_ir::{Const, Diagnostic, Flavor, GraphId, Module, NodeId, Prim, Role, Span, Type};
use ruff_python_ast::{self as ast, Expr, Stmt};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::VecDeque;

/// The result of lowering a piece of syntax: what it stands for, or why it is refused.
pub type Lowered<T> = Result<T, Diagnostic>;

/// Lowers what `function` reaches.
pub fn program(program: &Program, function: &str) -> Result<(Module, GraphId), Vec<Diagnostic>> {
    let globals = Globals::of(&program.body);
    let mut late = Late::default();
    // A closure that sees a variable change after it was made takes that variable as a parameter. That it does is known when the
    // enclosing function is complete; then all is lowered anew.
    loop {
        let known = late.len();
        let mut lowerer = Lowerer::new(&globals, &mut late);
        let result = lowerer.run(function);
        let Lowerer { mut m, diagnostics, .. } = lowerer;
        if late.len() > known {
            continue;
        }
        let entry = result.map_err(|d| vec![d])?;
        if !diagnostics.is_empty() {
            return Err(diagnostics);
        }
        m.collect_garbage(&[entry]);
        m.source = Some(program.source.clone());
        return Ok((m, entry));
    }
}

/// What an expression that names something stands for.
#[derive(Clone, Copy, Debug)]
pub enum Value<'a> {
    /// A value of the program.
    Node(NodeId),
    /// A module, or a member of one.
    Imported(Imported<'a>),
}

/// A function under construction. The innermost is the last one; the others wait at the place where it is defined.
pub struct Frame<'a> {
    pub graph: GraphId,
    pub name: String,
    pub scope: Scope<'a>,
    pub ssa: Ssa<'a>,
    /// Where code goes; none where control does not get to.
    pub block: Option<BlockId>,
    /// Top-level names are those that the file has bound up to here.
    pub at: u32,
    /// The values read, to be checked for being assigned.
    pub reads: Vec<(NodeId, &'a str, Span)>,
    pub writes: FxHashMap<&'a str, Vec<(Point, Span)>>,
    /// The closures made here that capture variables of this function.
    pub closures: Vec<Closure<'a>>,
    /// The functions that names of this scope stand for, where these are bound once.
    pub functions: FxHashMap<&'a str, GraphId>,
    /// Variables of the enclosing functions, by depth and name, that come in as parameters.
    pub late: Vec<(usize, &'a str, NodeId)>,
    /// Those of them that functions inside of this one read.
    pub late_inside: Vec<&'a str>,
    /// What this function captures from the one around it.
    pub captures: Vec<Capture<'a>>,
    /// The functions of the one around it that this one, or one inside of it, refers to by name.
    pub refers: Vec<&'a str>,
    /// Graphs whose defaults were evaluated here.
    pub with_defaults: Vec<GraphId>,
    loops: Vec<Loop>,
    temps: u32,
}

impl Frame<'_> {
    /// The assignments to a variable: when, and where in the text.
    pub fn writes_of(&self, name: &str) -> &[(Point, Span)] {
        self.writes.get(name).map_or(&[], Vec::as_slice)
    }
}

#[derive(Clone, Copy)]
struct Loop {
    header: BlockId,
    after: BlockId,
}

/// What is known of a nested function's graph.
pub struct Nested<'a> {
    /// The depth of the frame it is defined in.
    pub depth: usize,
    /// Where it is defined.
    pub span: Span,
    /// The functions of that frame it refers to.
    pub refers: Vec<&'a str>,
    /// The late variables that functions inside of it read.
    pub late_inside: Vec<&'a str>,
}

enum Task<'a> {
    Function(GraphId, &'a str, Def<'a>, u32),
    Value(GraphId, &'a str, &'a Expr, u32),
}

/// The state of lowering one program.
pub struct Lowerer<'a, 'l> {
    pub m: Module,
    pub globals: &'a Globals<'a>,
    pub frames: Vec<Frame<'a>>,
    pub nested: FxHashMap<GraphId, Nested<'a>>,
    /// The function that a block belongs to, or that a nested function is defined in.
    pub inside: FxHashMap<GraphId, GraphId>,
    pub late: &'l mut Late<'a>,
    /// When each node was made.
    pub stamps: FxHashMap<NodeId, u32>,
    pub diagnostics: Vec<Diagnostic>,
    /// Graphs of library functions used as values.
    pub wrappers: FxHashMap<(&'static str, &'a str), GraphId>,
    /// Graphs of top-level functions and values, by the end of their statement and name.
    top: FxHashMap<(u32, &'a str), GraphId>,
    queue: VecDeque<Task<'a>>,
    pub clock: u32,
    unfolding: u32,
}

impl<'a, 'l> Lowerer<'a, 'l> {
    fn new(globals: &'a Globals<'a>, late: &'l mut Late<'a>) -> Self {
        Lowerer {
            m: Module::new(),
            globals,
            frames: Vec::new(),
            nested: FxHashMap::default(),
            inside: FxHashMap::default(),
            late,
            stamps: FxHashMap::default(),
            diagnostics: Vec::new(),
            wrappers: FxHashMap::default(),
            top: FxHashMap::default(),
            queue: VecDeque::new(),
            clock: 0,
            unfolding: 0,
        }
    }

    fn run(&mut self, function: &str) -> Lowered<GraphId> {
        let Some(name) = self.globals.name(function) else {
            let d = Diagnostic::refused(Span::NONE, format!("there is no function `{function}` in this file"));
            return Err(match names::nearest(function, self.globals.functions()) {
                Some(near) => d.hint(format!("did you mean `{near}`?")),
                None => d,
            });
        };
        let entry = match self.global(name, Span::NONE, u32::MAX)? {
            Value::Node(n) => self.m.as_graph(n),
            Value::Imported(_) => None,
        };
        let Some(entry) = entry else {
            return Err(Diagnostic::refused(Span::NONE, format!("`{function}` is not a function defined in this file")));
        };
        while let Some(task) = self.queue.pop_front() {
            let result = match task {
                Task::Function(graph, name, def, at) => self.top_level_function(graph, name, def, at),
                Task::Value(graph, name, value, at) => self.top_level_value(graph, name, value, at),
            };
            if let Err(d) = result {
                self.frames.clear();
                self.diagnostics.push(d);
            }
        }
        Ok(entry)
    }

    // --- names of the file

    /// The value of a top-level name in code that runs when the file has been read up to `at`.
    pub fn global(&mut self, name: &'a str, span: Span, at: u32) -> Lowered<Value<'a>> {
        let (mut name, mut at) = (name, at);
        loop {
            let Some((end, global)) = self.globals.get(name, at) else { return self.unbound(name, span) };
            match global {
                Global::Def(f) => return Ok(self.top_level_graph(end, name, |g| Task::Function(g, name, Def::Function(f), end))),
                Global::Import(import) => return import.resolve().map(Value::Imported),
                Global::Other(place) => {
                    return Err(Diagnostic::unsupported(
                        span,
                        format!("the top-level name `{name}` is not a function or a constant"),
                    )
                    .label(place, "bound here"));
                }
                Global::Value(Expr::Name(alias)) => (name, at) = (&alias.id, end),
                Global::Value(Expr::Lambda(l)) => {
                    return Ok(self.top_level_graph(end, name, |g| Task::Function(g, name, Def::Lambda(l), end)));
                }
                Global::Value(value) => {
                    if let Some(n) = self.literal(value)? {
                        return Ok(Value::Node(n));
                    }
                    if self.frames.is_empty() {
                        let message = format!("`{name}` is neither a function nor a literal");
                        return Err(Diagnostic::refused(span_of(value), message).hint(format!("write `def {name}(…): return …`")));
                    }
                    // `g = grad(f)` is known best where it is used; a chain of such names must not be followed by recursion.
                    if self.unfolding < 16 && self.is_operator_call(value, end) {
                        return self.unfold(value, end).map(Value::Node);
                    }
                    let Value::Node(graph) = self.top_level_graph(end, name, |g| Task::Value(g, name, value, end)) else {
                        unreachable!("a graph is a node")
                    };
                    let block = self.graph();
                    let call = self.m.call(block, graph, &[], Type::Unknown, span);
                    self.stamp(call);
                    return Ok(Value::Node(call));
                }
            }
        }
    }

    fn unbound(&mut self, name: &'a str, span: Span) -> Lowered<Value<'a>> {
        if let Some(item) = Library::Builtins.item(name) {
            return Ok(Value::Imported(Imported::Item(Library::Builtins, name, item)));
        }
        if names::OTHER_BUILTINS.contains(&name) {
            return Err(Diagnostic::unsupported(span, format!("the builtin `{name}` is not supported")));
        }
        if let Some(star) = self.globals.star {
            return Err(Diagnostic::unsupported(span, format!("`{name}` may come from `import *`, which is not supported"))
                .label(star, "imported here")
                .hint("import the names one by one"));
        }
        let d = Diagnostic::refused(span, format!("unknown name `{name}`"));
        let mut known: Vec<&str> = self.frames.iter().flat_map(|f| f.scope.names()).chain(self.globals.names()).collect();
        Library::Builtins.names().for_each(|n| known.push(n));
        Err(match names::nearest(name, known) {
            Some(near) => d.hint(format!("did you mean `{near}`?")),
            None => match Library::from_name(name).or_else(|| (name == "np").then_some(Library::Numpy)) {
                Some(Library::Numpy) => d.hint("write `import numpy as np` at the top of the file"),
                Some(library) => d.hint(format!("write `import {}` at the top of the file", library.name())),
                None => d,
            },
        })
    }

    fn top_level_graph(&mut self, end: u32, name: &'a str, task: impl FnOnce(GraphId) -> Task<'a>) -> Value<'a> {
        let graph = match self.top.get(&(end, name)) {
            Some(&graph) => graph,
            None => {
                let graph = self.m.add_graph(name, Flavor::Function, Role::Primal, Span::NONE);
                self.top.insert((end, name), graph);
                self.queue.push_back(task(graph));
                graph
            }
        };
        Value::Node(self.m.graph_ref(graph))
    }

    /// Whether this is a call of `grad`, `value_and_grad` or `partial`.
    fn is_operator_call(&mut self, value: &'a Expr, at: u32) -> bool {
        let Expr::Call(call) = value else { return false };
        let item = match &*call.func {
            Expr::Name(n) => match self.globals.get(&n.id, at) {
                Some((_, Global::Import(import))) => import.resolve(),
                _ => return false,
            },
            Expr::Attribute(a) => match &*a.value {
                Expr::Name(n) => match self.globals.get(&n.id, at) {
                    Some((_, Global::Import(import))) => match import.resolve() {
                        Ok(Imported::Library(library)) => super::scope::member(library, &a.attr, Span::NONE),
                        _ => return false,
                    },
                    _ => return false,
                },
                _ => return false,
            },
            _ => return false,
        };
        matches!(item, Ok(Imported::Item(_, _, Item::Special(Special::Grad { .. } | Special::Partial))))
    }

    /// Lowers an expression of the top level where it is used: in a scope of its own, into the block of the user.
    fn unfold(&mut self, value: &'a Expr, at: u32) -> Lowered<NodeId> {
        let frame = self.frames.last_mut().expect("a function uses it");
        let scope = std::mem::take(&mut frame.scope);
        let outer = std::mem::replace(&mut frame.at, at);
        self.unfolding += 1;
        // `at` hides the scopes further out: code of the top level sees no function's names.
        let result = self.expr(value);
        self.unfolding -= 1;
        let frame = self.frames.last_mut().expect("the function is still there");
        frame.scope = scope;
        frame.at = outer;
        result
    }

    fn top_level_function(&mut self, graph: GraphId, name: &'a str, def: Def<'a>, at: u32) -> Lowered<()> {
        if let Def::Function(f) = def {
            check_def(f)?;
        }
        check_parameters(def)?;
        let mut defaults = Vec::new();
        for p in def.parameters().into_iter().flat_map(|p| p.iter_non_variadic_params()) {
            let Some(default) = p.default() else { continue };
            let node = match self.literal(default)? {
                Some(n) => Some(n),
                None => match default {
                    Expr::Name(n) => match self.global(&n.id, span_of(n), at) {
                        Ok(value) => Some(self.value_node(value, span_of(n))?),
                        Err(d) => return Err(d),
                    },
                    _ => None,
                },
            };
            defaults.push(node.filter(|&n| self.m[n].as_const().is_some()).ok_or_else(|| {
                Diagnostic::unsupported(span_of(default), "the default of a top-level function is not a constant")
            })?);
        }
        self.function(graph, name, def, defaults, &[])?;
        Ok(())
    }

    /// `name = expression` at the top level: a graph without parameters.
    fn top_level_value(&mut self, graph: GraphId, name: &'a str, value: &'a Expr, at: u32) -> Lowered<()> {
        self.m[graph].span = span_of(value);
        self.push_frame(graph, name, Scope::default(), at);
        let result = self.expr(value)?;
        self.return_value(result, span_of(value));
        self.pop_frame();
        Ok(())
    }

    // --- functions

    fn push_frame(&mut self, graph: GraphId, name: &str, scope: Scope<'a>, at: u32) {
        let ssa = Ssa::new(&mut self.m, graph);
        self.frames.push(Frame {
            graph,
            name: name.into(),
            scope,
            ssa,
            block: Some(Ssa::ENTRY),
            at,
            reads: Vec::new(),
            writes: FxHashMap::default(),
            closures: Vec::new(),
            functions: FxHashMap::default(),
            late: Vec::new(),
            late_inside: Vec::new(),
            captures: Vec::new(),
            refers: Vec::new(),
            with_defaults: Vec::new(),
            loops: Vec::new(),
            temps: 0,
        });
    }

    fn pop_frame(&mut self) -> Frame<'a> {
        let mut frame = self.frames.pop().expect("a function is being lowered");
        frame.ssa.finish(&mut self.m);
        for &g in &frame.with_defaults {
            for i in 0..self.m[g].defaults.len() {
                self.m[g].defaults[i] = frame.ssa.value(self.m[g].defaults[i]);
            }
        }
        self.check_captures(&frame);
        frame
    }

    /// Lowers a function into its graph. `late` are the variables of enclosing functions, by depth, that come first among the
    /// parameters.
    fn function(
        &mut self,
        graph: GraphId,
        name: &'a str,
        def: Def<'a>,
        defaults: Vec<NodeId>,
        late: &[(usize, &'a str)],
    ) -> Lowered<Frame<'a>> {
        self.m[graph].span = def.span();
        self.m[graph].defaults = defaults;
        self.push_frame(graph, name, Scope::of(def), u32::MAX);
        for &(depth, variable) in late {
            let node = self.m.add_param(graph, Type::Unknown, Some(variable.into()), def.span());
            self.frame().late.push((depth, variable, node));
        }
        for p in def.parameters().into_iter().flat_map(|p| p.iter_non_variadic_params()) {
            let (name, span) = (p.name().as_str(), span_of(&p.parameter));
            let node = self.m.add_param(graph, Type::Unknown, Some(name.into()), span);
            self.write(name, node, span);
        }
        match def {
            Def::Lambda(l) => {
                let value = self.expr(&l.body)?;
                self.return_value(value, span_of(&*l.body));
            }
            Def::Function(f) => {
                self.body(&f.body)?;
                if self.frame().block.is_some() {
                    let none = self.none();
                    self.return_value(none, def.span());
                }
            }
        }
        Ok(self.pop_frame())
    }

    /// A nested function as a value: the constant of its graph, which is a closure where the graph has free variables.
    pub fn closure(&mut self, def: Def<'a>, bound_to: Option<&'a str>) -> Lowered<NodeId> {
        check_parameters(def)?;
        let depth = self.frames.len() - 1;
        let mut defaults = Vec::new();
        for p in def.parameters().into_iter().flat_map(|p| p.iter_non_variadic_params()) {
            if let Some(default) = p.default() {
                defaults.push(self.expr(default)?);
            }
        }
        let name: &'a str = bound_to.unwrap_or("lambda");
        let bound_once = bound_to.filter(|n| self.frames[depth].scope.function(n).is_some());
        let graph = match bound_once {
            Some(name) => self.function_of(depth, name, def.span()),
            None => self.nested_graph(depth, name, def.span()),
        };
        if !defaults.is_empty() {
            self.frame().with_defaults.push(graph);
        }
        let late: Vec<(usize, &'a str)> =
            self.late.of(def.span()).map(|variable| (self.depth_of(depth, variable), variable)).collect();
        let point = self.point();
        let inner = self.function(graph, name, def, defaults, &late)?;
        let nested = self.nested.get_mut(&graph).expect("the graph is a nested function's");
        nested.refers = inner.refers;
        nested.late_inside = inner.late_inside;
        let node = self.m.graph_ref(graph);
        self.frame().closures.push(Closure { graph, node, span: def.span(), point, captures: inner.captures });
        if bound_once.is_none() {
            self.check_refers(graph, def.span());
        }
        Ok(node)
    }

    fn nested_graph(&mut self, depth: usize, name: &str, span: Span) -> GraphId {
        let name = format!("{}.{name}", self.frames[depth].name);
        let graph = self.m.add_graph(name, Flavor::Function, Role::Primal, span);
        self.inside.insert(graph, self.frames[depth].graph);
        self.nested.insert(graph, Nested { depth, span, refers: Vec::new(), late_inside: Vec::new() });
        graph
    }

    /// The graph of the function that a name of a frame stands for.
    pub fn function_of(&mut self, depth: usize, name: &'a str, span: Span) -> GraphId {
        match self.frames[depth].functions.get(name) {
            Some(&graph) => graph,
            None => {
                let graph = self.nested_graph(depth, name, span);
                self.frames[depth].functions.insert(name, graph);
                graph
            }
        }
    }

    /// The depth of the frame that a name seen from the frame at `depth` belongs to.
    pub fn depth_of(&self, depth: usize, name: &str) -> usize {
        (0..=depth).rev().find(|&d| self.frames[d].scope.get(name).is_some()).unwrap_or(depth)
    }

    // --- the function under construction

    /// The innermost function.
    pub fn frame(&mut self) -> &mut Frame<'a> {
        self.frames.last_mut().expect("a function is being lowered")
    }

    /// The block where code goes. Statements that control does not get to are not lowered, so there is one.
    pub fn block(&mut self) -> BlockId {
        self.frame().block.expect("code is reachable")
    }

    /// The graph where code goes.
    pub fn graph(&mut self) -> GraphId {
        let block = self.block();
        self.frame().ssa.graph(block)
    }

    /// Now, as a place in the function.
    pub fn point(&mut self) -> Point {
        self.clock += 1;
        (self.block(), self.clock)
    }

    /// Notes when a node was made.
    pub fn stamp(&mut self, n: NodeId) {
        self.clock += 1;
        self.stamps.insert(n, self.clock);
    }

    /// A variable of its own.
    pub fn temp(&mut self) -> Var<'a> {
        let frame = self.frame();
        frame.temps += 1;
        Var::Temp(frame.temps)
    }

    /// A new block of the innermost function.
    pub fn new_block(&mut self, suffix: &str, span: Span) -> BlockId {
        let frame = self.frames.last_mut().expect("a function is being lowered");
        let name = format!("{}.{suffix}", frame.name);
        let block = frame.ssa.block(&mut self.m, name, span);
        self.inside.insert(frame.ssa.graph(block), frame.graph);
        block
    }

    /// Says that a block has all its predecessors.
    pub fn seal(&mut self, b: BlockId) {
        let frame = self.frames.last_mut().expect("a function is being lowered");
        frame.ssa.seal(&mut self.m, b);
    }

    /// Goes on in `b`, if anything jumps there.
    pub fn enter(&mut self, b: BlockId) {
        let frame = self.frame();
        frame.block = frame.ssa.is_reachable(b).then_some(b);
    }

    /// Jumps to `to`, if control gets here.
    pub fn jump(&mut self, to: BlockId, span: Span) {
        let frame = self.frame();
        if let Some(from) = frame.block.take() {
            frame.ssa.jump(from, to, span);
        }
    }

    /// Branches to two new blocks.
    pub fn branch(&mut self, condition: NodeId, span: Span, names: [&str; 2]) -> [BlockId; 2] {
        let [then, otherwise] = names.map(|name| self.new_block(name, span));
        let from = self.block();
        let frame = self.frame();
        frame.ssa.branch(from, condition, then, otherwise, span);
        frame.block = None;
        [then, otherwise]
    }

    /// Reads a variable here.
    pub fn read(&mut self, var: Var<'a>) -> NodeId {
        let block = self.block();
        let frame = self.frames.last_mut().expect("a function is being lowered");
        frame.ssa.read(&mut self.m, block, var)
    }

    /// Assigns a temporary here.
    pub fn set(&mut self, var: Var<'a>, value: NodeId) {
        let block = self.block();
        self.frame().ssa.write(block, var, value);
    }

    /// Assigns a variable of the source here.
    fn write(&mut self, name: &'a str, value: NodeId, span: Span) {
        self.m.set_name(value, name);
        let point = self.point();
        let frame = self.frame();
        frame.ssa.write(point.0, Var::Name(name), value);
        frame.writes.entry(name).or_default().push((point, span));
    }

    fn return_value(&mut self, value: NodeId, span: Span) {
        let block = self.block();
        let frame = self.frame();
        frame.ssa.ret(block, value, span);
        frame.block = None;
    }

    /// Applies a primitive here.
    pub fn prim(&mut self, prim: Prim, operands: &[NodeId], span: Span) -> NodeId {
        let graph = self.graph();
        self.prim_in(graph, prim, operands, span)
    }

    /// Applies a primitive in a graph.
    pub fn prim_in(&mut self, graph: GraphId, prim: Prim, operands: &[NodeId], span: Span) -> NodeId {
        let node = self.m.prim(graph, prim, operands.to_vec(), Type::Unknown, span);
        self.stamp(node);
        node
    }

    /// `None`.
    pub fn none(&mut self) -> NodeId {
        self.m.constant(Const::None, Type::None)
    }

    // --- statements

    fn body(&mut self, body: &'a [Stmt]) -> Lowered<()> {
        for stmt in body {
            if self.frame().block.is_none() {
                break;
            }
            self.stmt(stmt)?;
        }
        Ok(())
    }

    fn stmt(&mut self, stmt: &'a Stmt) -> Lowered<()> {
        let unsupported = |what: &str| Err(Diagnostic::unsupported(head(stmt), format!("{what} is not supported")));
        match stmt {
            Stmt::FunctionDef(f) => self.nested_def(f),
            Stmt::Return(r) => {
                let value = match &r.value {
                    Some(value) => self.expr(value)?,
                    None => self.none(),
                };
                self.return_value(value, span_of(r));
                Ok(())
            }
            Stmt::Assign(a) => self.assign_statement(a),
            Stmt::AugAssign(a) => {
                let Expr::Name(name) = &*a.target else { return self.refuse_target(&a.target) };
                let old = self.name(name)?;
                let old = self.value_node(old, span_of(name))?;
                let value = self.expr(&a.value)?;
                let value = self.operator(a.op, old, value, span_of(a))?;
                self.write(&name.id, value, span_of(name));
                Ok(())
            }
            Stmt::AnnAssign(a) => match &a.value {
                Some(value) => {
                    let value = self.expr(value)?;
                    self.assign(&a.target, value)
                }
                None => Ok(()),
            },
            Stmt::If(i) => self.if_statement(i),
            Stmt::While(w) => self.while_statement(w),
            Stmt::For(f) => self.for_statement(f),
            Stmt::Break(b) => match self.frame().loops.last().copied() {
                Some(l) => {
                    self.jump(l.after, span_of(b));
                    Ok(())
                }
                None => Err(Diagnostic::refused(span_of(b), "`break` outside of a loop")),
            },
            Stmt::Continue(c) => match self.frame().loops.last().copied() {
                Some(l) => {
                    self.jump(l.header, span_of(c));
                    Ok(())
                }
                None => Err(Diagnostic::refused(span_of(c), "`continue` outside of a loop")),
            },
            Stmt::Expr(e) => match &*e.value {
                Expr::StringLiteral(_) | Expr::EllipsisLiteral(_) => Ok(()),
                value => {
                    // What is not supported is named first.
                    self.expr(value)?;
                    Err(Diagnostic::refused(span_of(value), "the value of this expression is dropped")
                        .hint("assign it to a variable or return it"))
                }
            },
            // The scope has the names.
            Stmt::Pass(_) | Stmt::Import(_) | Stmt::ImportFrom(_) => Ok(()),
            Stmt::ClassDef(_) => unsupported("a class"),
            Stmt::Delete(_) => unsupported("`del`"),
            Stmt::TypeAlias(_) => unsupported("`type`"),
            Stmt::With(_) => unsupported("`with`"),
            Stmt::Match(_) => unsupported("`match`"),
            Stmt::Raise(_) => unsupported("`raise`"),
            Stmt::Try(_) => unsupported("`try`"),
            Stmt::Assert(_) => unsupported("`assert`"),
            Stmt::Global(_) => unsupported("`global`"),
            Stmt::Nonlocal(_) => unsupported("`nonlocal`"),
            Stmt::IpyEscapeCommand(_) => unsupported("an IPython command"),
        }
    }

    fn nested_def(&mut self, f: &'a ast::StmtFunctionDef) -> Lowered<()> {
        check_def(f)?;
        let value = self.closure(Def::Function(f), Some(&f.name))?;
        self.write(&f.name, value, span_of(&f.name));
        Ok(())
    }

    fn assign_statement(&mut self, a: &'a ast::StmtAssign) -> Lowered<()> {
        match (&a.targets[..], &*a.value) {
            ([Expr::Name(name)], Expr::Lambda(l)) => {
                let value = self.closure(Def::Lambda(l), Some(&name.id))?;
                self.write(&name.id, value, span_of(name));
                Ok(())
            }
            ([Expr::Tuple(targets)], Expr::Tuple(values))
                if targets.elts.len() == values.elts.len()
                    && !targets.elts.iter().chain(&values.elts).any(Expr::is_starred_expr) =>
            {
                let values = values.elts.iter().map(|v| self.expr(v)).collect::<Lowered<Vec<_>>>()?;
                targets.elts.iter().zip(values).try_for_each(|(t, v)| self.assign(t, v))
            }
            (targets, value) => {
                let value = self.expr(value)?;
                targets.iter().try_for_each(|t| self.assign(t, value))
            }
        }
    }

    fn assign(&mut self, target: &'a Expr, value: NodeId) -> Lowered<()> {
        let elements = match target {
            Expr::Name(name) => {
                self.write(&name.id, value, span_of(name));
                return Ok(());
            }
            Expr::Tuple(t) => &t.elts,
            Expr::List(t) => &t.elts,
            _ => return self.refuse_target(target),
        };
        if let Some(starred) = elements.iter().find(|e| e.is_starred_expr()) {
            return self.refuse_target(starred);
        }
        let count = self.m.i64(elements.len() as i64);
        let tuple = self.prim(Prim::Unpacked, &[value, count], span_of(target));
        for (i, element) in elements.iter().enumerate() {
            let index = self.m.i64(i as i64);
            let value = self.prim(Prim::GetItem, &[tuple, index], span_of(element));
            self.assign(element, value)?;
        }
        Ok(())
    }

    fn refuse_target<T>(&self, target: &Expr) -> Lowered<T> {
        let what = match target {
            Expr::Subscript(_) => "assignment to an element",
            Expr::Attribute(_) => "assignment to an attribute",
            Expr::Starred(_) => "a starred target",
            _ => "this target of an assignment",
        };
        Err(Diagnostic::unsupported(span_of(target), format!("{what} is not supported")))
    }

    fn if_statement(&mut self, i: &'a ast::StmtIf) -> Lowered<()> {
        let join = self.new_block("join", span_of(i));
        let first = (Some(&*i.test), &i.body[..]);
        let rest = i.elif_else_clauses.iter().map(|c| (c.test.as_ref(), &c.body[..]));
        for (test, body) in std::iter::once(first).chain(rest) {
            let otherwise = match test {
                Some(test) => {
                    let condition = self.condition(test)?;
                    let [then, otherwise] = self.branch(condition, span_of(test), ["then", "else"]);
                    self.enter(then);
                    Some(otherwise)
                }
                None => None,
            };
            self.body(body)?;
            self.jump(join, span_of(i));
            if let Some(otherwise) = otherwise {
                self.enter(otherwise);
            }
        }
        self.jump(join, span_of(i));
        self.seal(join);
        self.enter(join);
        Ok(())
    }

    fn while_statement(&mut self, w: &'a ast::StmtWhile) -> Lowered<()> {
        let header = self.new_block("loop", span_of(&*w.test));
        self.jump(header, span_of(&*w.test));
        self.enter(header);
        let forever = match &*w.test {
            Expr::BooleanLiteral(b) => b.value,
            Expr::NumberLiteral(n) => matches!(&n.value, ast::Number::Int(i) if i.as_i64() != Some(0)),
            _ => false,
        };
        let done = if forever {
            None
        } else {
            let condition = self.condition(&w.test)?;
            let [body, done] = self.branch(condition, span_of(&*w.test), ["body", "done"]);
            self.enter(body);
            Some(done)
        };
        self.loop_body(header, done, &w.body, &w.orelse, span_of(&*w.test))
    }

    /// The body of a loop, from where control is, back to the header; then its `else`, and what `break` jumps to.
    fn loop_body(
        &mut self,
        header: BlockId,
        done: Option<BlockId>,
        body: &'a [Stmt],
        orelse: &'a [Stmt],
        span: Span,
    ) -> Lowered<()> {
        let after = self.new_block("after", span);
        self.frame().loops.push(Loop { header, after });
        self.body(body)?;
        self.jump(header, span);
        self.seal(header);
        self.frame().loops.pop();
        if let Some(done) = done {
            self.enter(done);
            self.body(orelse)?;
            if !self.frame().ssa.is_reachable(after) {
                return Ok(());
            }
            self.jump(after, span);
        }
        self.seal(after);
        self.enter(after);
        Ok(())
    }

    fn for_statement(&mut self, f: &'a ast::StmtFor) -> Lowered<()> {
        if f.is_async {
            return Err(Diagnostic::unsupported(head_of(span_of(f), "async for"), "`async for` is not supported"));
        }
        if let Expr::Call(call) = &*f.iter
            && let Some((start, stop, step)) = self.range_arguments(call)?
        {
            return self.for_range(f, start, stop, step);
        }
        let span = span_of(&*f.iter);
        let iterable = self.expr(&f.iter)?;
        let iterator = self.prim(Prim::Iter, &[iterable], span);
        let var = self.temp();
        self.set(var, iterator);
        let header = self.new_block("loop", span);
        self.jump(header, span);
        self.enter(header);
        let iterator = self.read(var);
        let more = self.prim(Prim::HasNext, &[iterator], span);
        let [body, done] = self.branch(more, span, ["body", "done"]);
        self.enter(body);
        let element = self.prim(Prim::Next, &[iterator], span_of(&*f.target));
        let next = self.prim(Prim::Advance, &[iterator], span);
        self.set(var, next);
        self.assign(&f.target, element)?;
        self.loop_body(header, Some(done), &f.body, &f.orelse, span)
    }

    /// The bounds of a call of the builtin `range` whose step is a literal, evaluated.
    fn range_arguments(&mut self, call: &'a ast::ExprCall) -> Lowered<Option<(NodeId, NodeId, i64)>> {
        let Expr::Name(callee) = &*call.func else { return Ok(None) };
        if callee.id.as_str() != "range"
            || !call.arguments.keywords.is_empty()
            || call.arguments.args.iter().any(Expr::is_starred_expr)
            || !matches!(self.name(callee)?, Value::Imported(Imported::Item(_, _, Item::Special(Special::Range))))
        {
            return Ok(None);
        }
        let (start, stop, step) = match &call.arguments.args[..] {
            [stop] => (None, stop, 1),
            [start, stop] => (Some(start), stop, 1),
            [start, stop, step] => {
                let literal = self.literal(step)?;
                match literal.and_then(|n| self.m[n].as_const()) {
                    Some(&Const::I64(0)) => {
                        return Err(Diagnostic::refused(span_of(step), "the step of a range must not be zero"));
                    }
                    Some(&Const::I64(step)) => (Some(start), stop, step),
                    _ => return Ok(None),
                }
            }
            // The ordinary way reports the number of arguments.
            _ => return Ok(None),
        };
        let start = match start {
            Some(start) => self.bound(start)?,
            None => self.m.i64(0),
        };
        Ok(Some((start, self.bound(stop)?, step)))
    }

    /// A bound of a range. It is the operand of an integer primitive, so that a float is refused.
    fn bound(&mut self, bound: &'a Expr) -> Lowered<NodeId> {
        let value = self.expr(bound)?;
        if matches!(self.m[value].as_const(), Some(Const::I64(_))) || self.m.as_prim(value) == Some(Prim::Len) {
            return Ok(value);
        }
        let zero = self.m.i64(0);
        Ok(self.prim(Prim::WrapAdd, &[value, zero], span_of(bound)))
    }

    fn for_range(&mut self, f: &'a ast::StmtFor, start: NodeId, stop: NodeId, step: i64) -> Lowered<()> {
        let span = span_of(&*f.iter);
        let var = self.temp();
        self.set(var, start);
        let header = self.new_block("loop", span);
        self.jump(header, span);
        self.enter(header);
        let counter = self.read(var);
        let compare = if step > 0 { Prim::Lt } else { Prim::Gt };
        let more = self.prim(compare, &[counter, stop], span);
        let [body, done] = self.branch(more, span, ["body", "done"]);
        self.enter(body);
        // The counter is short of `stop`, so one more step of size one cannot overflow.
        let add = if step.abs() == 1 { Prim::WrapAdd } else { Prim::Add };
        let step = self.m.i64(step);
        let next = self.prim(add, &[counter, step], span);
        self.set(var, next);
        self.assign(&f.target, counter)?;
        self.loop_body(header, Some(done), &f.body, &f.orelse, span)
    }
}

/// Refuses the kinds of parameters that are not supported.
fn check_parameters(def: Def<'_>) -> Lowered<()> {
    let Some(parameters) = def.parameters() else { return Ok(()) };
    let unsupported = |span, what: &str| Err(Diagnostic::unsupported(span, format!("{what} are not supported")));
    if let Some(p) = &parameters.vararg {
        return unsupported(span_of(&**p), "parameters `*args`");
    }
    if let Some(p) = &parameters.kwarg {
        return unsupported(span_of(&**p), "parameters `**kwargs`");
    }
    if let Some(p) = parameters.kwonlyargs.first() {
        return unsupported(span_of(p), "keyword-only parameters");
    }
    let mut names = FxHashSet::default();
    match parameters.iter().find(|p| !names.insert(p.name().as_str())) {
        Some(p) => Err(Diagnostic::refused(span_of(p.name()), format!("there are two parameters `{}`", p.name()))),
        None => Ok(()),
    }
}

/// Refuses what a `def` can have besides parameters and a body.
fn check_def(f: &ast::StmtFunctionDef) -> Lowered<()> {
    if let Some(decorator) = f.decorator_list.first() {
        return Err(Diagnostic::unsupported(span_of(decorator), "decorators are not supported")
            .hint("apply it by a call: `g = decorator(f)`"));
    }
    if f.is_async {
        return Err(Diagnostic::unsupported(span_of(&f.name), "`async def` is not supported"));
    }
    match &f.type_params {
        Some(p) => Err(Diagnostic::unsupported(span_of(&**p), "type parameters are not supported")),
        None => Ok(()),
    }
}

/// The keyword that a statement begins with.
fn head(stmt: &Stmt) -> Span {
    let what = match stmt {
        Stmt::ClassDef(_) => "class",
        Stmt::Delete(_) => "del",
        Stmt::TypeAlias(_) => "type",
        Stmt::With(_) => "with",
        Stmt::Match(_) => "match",
        Stmt::Raise(_) => "raise",
        Stmt::Try(_) => "try",
        Stmt::Assert(_) => "assert",
        _ => return span_of(stmt),
    };
    head_of(span_of(stmt), what)
}

fn head_of(span: Span, keyword: &str) -> Span {
    Span::new(span.start, span.end.min(span.start + keyword.len() as u32))
}
