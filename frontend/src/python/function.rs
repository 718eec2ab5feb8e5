//! Functions: of the top level, nested ones, and closures.

use super::capture::Closure;
use super::lower::{Frame, Lowered, Lowerer, Nested};
use super::scope::{Def, Scope};
use super::span_of;
use super::ssa::{Ssa, Var};
use gradus_ir::{Const, Diagnostic, Flavor, GraphId, NodeId, Prim, Role, Span, Tail, Type, Write};
use ruff_python_ast::{self as ast, Expr, Stmt};
use rustc_hash::{FxHashMap, FxHashSet};

impl<'a> Lowerer<'a, '_> {
    pub fn push_frame(&mut self, graph: GraphId, name: &str, scope: Scope<'a>, at: u32) {
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
            stores: Vec::new(),
            made: Vec::new(),
            closures: Vec::new(),
            functions: FxHashMap::default(),
            late: Vec::new(),
            late_inside: Vec::new(),
            captures: Vec::new(),
            refers: Vec::new(),
            with_defaults: Vec::new(),
            kept: Vec::new(),
            loops: Vec::new(),
            guards: Vec::new(),
            raises: false,
            handling: Vec::new(),
            inlined: Vec::new(),
            returns: None,
            temps: 0,
            boxes: FxHashMap::default(),
            put_back: FxHashSet::default(),
            filled: FxHashSet::default(),
            eager: 0,
            is_def: false,
            is_comprehension: false,
            class: None,
        });
        let nothing = self.m.i64(0);
        self.set(Var::Done, nothing);
    }

    pub fn pop_frame(&mut self) -> Frame<'a> {
        let mut frame = self.frames.pop().expect("a function is being lowered");
        let defaults = frame.with_defaults.iter().flat_map(|&g| self.m[g].defaults.iter().copied());
        // Writes of the functions inside may put variables of this one somewhere.
        let has_inside = !self.in_library && !frame.closures.is_empty();
        let inside = self.m.memory.writes.values().flatten().filter(|_| has_inside);
        let writes = frame.stores.iter().map(|s| &s.write).chain(inside);
        let kept: Vec<NodeId> = defaults.chain(writes.flat_map(Write::nodes)).collect();
        frame.ssa.finish(&mut self.m, &kept);
        for write in self.m.memory.writes.values_mut().flatten().filter(|_| has_inside) {
            write.replace(|n| frame.ssa.value(n));
        }
        for &g in &frame.with_defaults {
            for i in 0..self.m[g].defaults.len() {
                self.m[g].defaults[i] = frame.ssa.value(self.m[g].defaults[i]);
            }
        }
        self.check_captures(&mut frame);
        self.check_kept(&mut frame);
        self.note_writes(&frame);
        frame
    }

    /// Lowers a function into its graph. `late` are the variables of enclosing functions, by depth, that come first among the
    /// parameters.
    pub fn function(
        &mut self,
        graph: GraphId,
        name: &'a str,
        def: Def<'a>,
        defaults: Vec<NodeId>,
        late: &[(usize, &'a str)],
    ) -> Lowered<Frame<'a>> {
        self.m[graph].span = def.span();
        self.m[graph].defaults = defaults;
        let mut scope = Scope::of(def);
        self.late.variables(def.span()).for_each(|name| scope.make_variable(name));
        self.push_frame(graph, name, scope, u32::MAX);
        let class = self.classes.around.take();
        self.frame().class = class;
        self.frame().raises = self.is_twin(graph);
        self.frame().is_def = matches!(def, Def::Function(_)) && !self.in_library;
        for &(depth, variable) in late {
            let node = self.m.add_param(graph, Type::Unknown, Some(variable.into()), def.span());
            self.frame().late.push((depth, variable, node));
        }
        if let Some(parameters) = def.parameters() {
            let keyword_only = parameters.kwonlyargs.len();
            self.m[graph].tail = Tail { keyword_only, keywords: parameters.kwarg.is_some(), rest: parameters.vararg.is_some() };
            for (p, own) in in_order(parameters).skip(usize::from(class.is_some())) {
                let (name, span) = (p.name.as_str(), span_of(p));
                let node = self.m.add_param(graph, Type::Unknown, Some(name.into()), span);
                // The entry is lowered before all that reads what it is given.
                if self.entry == Some(graph) && self.program.given.iter().any(|given| given == name) {
                    self.given.insert(name, node);
                }
                let node = self.annotated(node, p.annotation().filter(|_| own.is_some()), span);
                self.write(name, node, span);
            }
        }
        let mut boxed = self.frame().scope.assigned_inside.clone();
        boxed.extend(self.late.boxes(def.span()).filter(|name| !boxed.contains(name)).collect::<Vec<_>>());
        for name in boxed {
            let made = self.new_cell(def.span());
            let is_parameter = def.parameters().is_some_and(|p| p.iter().any(|p| p.name().as_str() == name));
            if is_parameter {
                let value = self.read(Var::Name(name));
                self.set_box(made, value, def.span());
                self.frame().filled.insert(name);
            }
            self.frame().boxes.insert(name, made);
        }
        match def {
            Def::Lambda(l) => {
                let value = self.expr(&l.body)?;
                self.return_value(value, span_of(&*l.body));
            }
            Def::Function(f) => {
                self.frame().returns = f.returns.as_deref();
                for stmt in f.body.chunks(1) {
                    self.body(stmt)?;
                    assigned(&stmt[0], &mut self.frame().filled);
                }
                if self.frame().block.is_some() {
                    let none = self.none();
                    let none = self.annotated(none, f.returns.as_deref(), def.span());
                    self.return_value(none, def.span());
                }
            }
        }
        Ok(self.pop_frame())
    }

    /// A value with a check that it is of the type an annotation names. Annotations that do not name a type of numbers, strings or
    /// `None` are accepted and say nothing.
    pub fn annotated(&mut self, value: NodeId, annotation: Option<&'a Expr>, span: Span) -> NodeId {
        let name = match annotation {
            Some(Expr::Name(n)) => n.id.as_str(),
            Some(Expr::NoneLiteral(_)) => "None",
            _ => return value,
        };
        if !matches!(name, "int" | "float" | "bool" | "str" | "None") {
            return value;
        }
        let name = self.m.constant(Const::Str(name.into()), Type::Str);
        self.prim(Prim::Annotated, &[value, name], span)
    }

    /// A nested function as a value: the constant of its graph, which is a closure where the graph has free variables.
    pub fn closure(&mut self, def: Def<'a>, bound_to: Option<&'a str>) -> Lowered<NodeId> {
        check_parameters(def)?;
        if matches!(def, Def::Lambda(_)) && self.is_guarded() {
            // Whoever calls it does not handle what it raises.
            self.late.be_strict();
        }
        let depth = self.frames.len() - 1;
        let defaults = self.defaults(def, |me, default| me.expr(default))?;
        let name: &'a str = bound_to.unwrap_or("lambda");
        let bound_once = bound_to.filter(|n| self.frames[depth].scope.function(n).is_some());
        let graph = match bound_once {
            Some(name) => match self.function_of(depth, name, def.span()) {
                // What `finally` does is there once for each way that leads there.
                graph if self.m[graph].ret.is_some() => {
                    let graph = self.nested_graph(depth, name, def.span());
                    self.frames[depth].functions.insert(name, graph);
                    graph
                }
                graph => graph,
            },
            None => self.nested_graph(depth, name, def.span()),
        };
        if !defaults.is_empty() {
            self.frame().with_defaults.push(graph);
        }
        let late: Vec<(usize, &'a str)> =
            self.late.of(def.span()).map(|variable| (self.depth_of(depth, variable), variable)).collect();
        let point = self.point();
        // Where it is called in a `try`, there is one that returns what it raises.
        let twin = self.late.has_twin(def.span()).then(|| self.nested_twin(graph));
        for graph in [Some(graph), twin].into_iter().flatten() {
            let inner = self.function(graph, name, def, defaults.clone(), &late)?;
            let nested = self.nested.get_mut(&graph).expect("the graph is a nested function's");
            nested.refers = inner.refers;
            nested.late_inside = inner.late_inside;
            let node = self.m.graph_ref(graph);
            self.frame().closures.push(Closure {
                graph,
                node,
                span: def.span(),
                point,
                captures: inner.captures,
                is_comprehension: false,
            });
        }
        let node = self.m.graph_ref(graph);
        if bound_once.is_none_or(|name| self.frame().boxes.contains_key(name)) {
            self.check_refers(graph, def.span());
        }
        Ok(node)
    }

    /// The defaults of the last parameters. Those among them that have none, and what takes the arguments that are left, are undefined.
    pub fn defaults(
        &mut self,
        def: Def<'a>,
        mut value: impl FnMut(&mut Self, &'a Expr) -> Lowered<NodeId>,
    ) -> Lowered<Vec<NodeId>> {
        let mut defaults = Vec::new();
        for (_, own) in def.parameters().into_iter().flat_map(in_order) {
            match own.map(|p| p.default.as_deref()) {
                Some(Some(default)) => defaults.push(value(self, default)?),
                _ if !defaults.is_empty() => defaults.push(self.m.constant(Const::Undefined, Type::Unknown)),
                _ => {}
            }
        }
        Ok(defaults)
    }

    /// A graph for a function that is nested in the one at `depth`.
    pub fn nested_graph(&mut self, depth: usize, name: &str, span: Span) -> GraphId {
        let name = format!("{}.{name}", self.frames[depth].name);
        let graph = self.m.add_graph(name, Flavor::Function, Role::Primal, span);
        self.inside.insert(graph, self.frames[depth].graph);
        self.m.within.insert(graph, self.frames[depth].graph);
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
}

/// The parameters as a graph has them; those that take the arguments that are left have none of their own.
fn in_order(p: &ast::Parameters) -> impl Iterator<Item = (&ast::Parameter, Option<&ast::ParameterWithDefault>)> {
    fn own(p: &ast::ParameterWithDefault) -> (&ast::Parameter, Option<&ast::ParameterWithDefault>) {
        (&p.parameter, Some(p))
    }
    let rest = [&p.vararg, &p.kwarg].into_iter().flatten().map(|p| (&**p, None));
    p.posonlyargs.iter().chain(&p.args).map(own).chain(rest).chain(p.kwonlyargs.iter().map(own))
}

/// Adds the variables that a statement assigns whenever it ends.
fn assigned<'a>(stmt: &'a Stmt, names: &mut FxHashSet<&'a str>) {
    match stmt {
        Stmt::FunctionDef(f) => {
            names.insert(&f.name);
        }
        Stmt::AnnAssign(a) if a.value.is_some() => names.extend(a.target.as_name_expr().map(|n| n.id.as_str())),
        Stmt::Assign(a) => names.extend(a.targets.iter().filter_map(Expr::as_name_expr).map(|n| n.id.as_str())),
        _ => {}
    }
}

/// Refuses parameters with one name.
pub fn check_parameters(def: Def<'_>) -> Lowered<()> {
    let Some(parameters) = def.parameters() else { return Ok(()) };
    let mut names = FxHashSet::default();
    match parameters.iter().find(|p| !names.insert(p.name().as_str())) {
        Some(p) => Err(Diagnostic::refused(span_of(p.name()), format!("there are two parameters `{}`", p.name()))),
        None => Ok(()),
    }
}

/// Refuses what a `def` can have besides parameters and a body.
pub fn check_def(f: &ast::StmtFunctionDef) -> Lowered<()> {
    if f.is_async {
        return Err(Diagnostic::unsupported(span_of(&f.name), "`async def` is not supported"));
    }
    match &f.type_params {
        Some(p) => Err(Diagnostic::unsupported(span_of(&**p), "type parameters are not supported")),
        None => Ok(()),
    }
}
