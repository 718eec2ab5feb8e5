//! Which functions have effects: what they print, and what is done before something fails.
//!
//! Nothing is mutable in the IR, so an effect is a value that is handed on: the world, a hidden variable. A function that may have
//! effects takes it by the keyword [`gradus_ir::WORLD`] and returns it beside its result; each effect makes another one. What has none stays as it
//! is, and inference, which knows who is called, lets both call each other. Only a file that prints, has boxes, or calls a function for
//! what that does, has such functions at all: a failure alone is control flow.

use super::capture::Late;
use super::init::is_maker;
use super::library;
use super::lower::{Lowered, Lowerer, Value};
use super::names::{Item, Special};
use super::scope::{Binding, Def, Global, Globals, Imported, Scope, target};
use super::span_of;
use super::ssa::Var;
use gradus_ir::format::escape;
use gradus_ir::operators::operator_methods;
use gradus_ir::{Const, Diagnostic, NodeId, Prim, Span, Type, WORLD};
use ruff_python_ast::visitor::{Visitor, walk_expr, walk_stmt};
use ruff_python_ast::{self as ast, Expr, Stmt};
use ruff_text_size::Ranged;
use rustc_hash::{FxHashMap, FxHashSet};

/// The function of the library that puts a value into a box.
pub const SET_BOX: &str = "_set_box";

/// The functions of a file that may have effects, by where they begin.
#[derive(Debug, Default)]
pub struct Effects {
    threaded: FxHashSet<u32>,
    /// The functions with a name, wherever they are.
    named: Named,
    /// The functions and values of the top level, and methods.
    global: Named,
    /// Whether something that is done would be lost if no function had effects.
    pub needed: bool,
    /// Whether the file has mutable boxes.
    pub boxes: bool,
}

/// Functions by their names.
type Named = FxHashMap<String, Vec<u32>>;

/// A function that is mentioned.
#[derive(PartialEq, Eq, Hash)]
enum Mention<'a> {
    /// One of a function around, by where it begins.
    Local(u32),
    /// One of the top level.
    Global(&'a str),
    /// What an object or a module has.
    Attribute(&'a str),
}

/// What one function does, what is nested in it left out.
#[derive(Default)]
struct Body<'a> {
    /// The functions that it mentions.
    mentions: FxHashSet<Mention<'a>>,
    /// Whether it prints, fails or has boxes.
    acts: bool,
    /// Whether it calls what a variable holds.
    calls_values: bool,
    /// The functions nested in it.
    nested: Vec<u32>,
}

impl Effects {
    /// Those of a file.
    pub fn of(body: &[Stmt], globals: &Globals<'_>, late: &Late<'_>) -> Effects {
        let mut walk = Walk {
            globals,
            late,
            bodies: FxHashMap::default(),
            named: FxHashMap::default(),
            global: FxHashMap::default(),
            open: vec![u32::MAX],
            scopes: Vec::new(),
            members: body
                .iter()
                .filter_map(Stmt::as_class_def_stmt)
                .flat_map(|c| &c.body)
                .filter_map(|stmt| stmt.as_function_def_stmt().map(|f| f.name.as_str()))
                .collect(),
            needed: false,
            boxes: false,
            shared: Vec::new(),
        };
        walk.bodies.insert(u32::MAX, Body::default());
        walk.visit_body(body);
        let Walk { mut bodies, named, global, needed, boxes, mut shared, .. } = walk;
        let mut seen = FxHashSet::default();
        while let Some(at) = shared.pop() {
            if seen.insert(at) {
                let body = bodies.get_mut(&at).expect("it was entered");
                body.acts = true;
                shared.extend(&body.nested);
            }
        }
        let mut effects = Effects { needed, boxes, ..Effects::default() };
        if !needed {
            return effects;
        }
        // Any operation may be that of an instance.
        let operators: Vec<u32> =
            named.iter().filter(|(name, _)| is_operator(name)).flat_map(|(_, defs)| defs).copied().collect();
        loop {
            let before = effects.threaded.len();
            let operators_act = operators.iter().any(|at| effects.threaded.contains(at));
            for (&at, body) in &bodies {
                let some_act = |defs: &Vec<u32>| defs.iter().any(|d| effects.threaded.contains(d));
                let acts = |mention: &Mention<'_>| match mention {
                    Mention::Local(at) => effects.threaded.contains(at),
                    Mention::Global(name) => global.get(name).is_some_and(some_act),
                    Mention::Attribute(name) => named.get(name).is_some_and(some_act),
                };
                let nested = some_act(&body.nested);
                let acts = body.acts || body.calls_values || nested || body.mentions.iter().any(acts);
                if at != u32::MAX && (operators_act || acts) {
                    effects.threaded.insert(at);
                }
            }
            if effects.threaded.len() == before {
                let owned = |names: FxHashMap<&str, Vec<u32>>| names.into_iter().map(|(n, defs)| (n.to_string(), defs)).collect();
                (effects.named, effects.global) = (owned(named), owned(global));
                return effects;
            }
        }
    }

    /// Whether a function may have effects.
    pub fn has(&self, function: &impl Ranged) -> bool {
        self.threaded.contains(&u32::from(function.start()))
    }

    /// Whether some function of this name may have effects; none if there is no such function.
    fn of_name(&self, names: &Named, name: &str) -> Option<bool> {
        names.get(name).map(|defs| defs.iter().any(|d| self.threaded.contains(d)))
    }
}

impl<'a> Lowerer<'a, '_> {
    /// Whether a call of what an expression stands for may have effects that are to be kept here.
    pub fn may_act(&mut self, callee: &'a Expr) -> Lowered<bool> {
        if !self.frame().has_effects {
            return Ok(false);
        }
        Ok(match callee {
            Expr::Name(n) => match self.resolve(callee)? {
                Value::Imported(_) => false,
                Value::Node(_) if self.classes.is_class(&n.id) => self.maker(&n.id).is_some_and(|f| self.effects.has(f)),
                Value::Node(_) => match self.frames.iter().rev().find_map(|f| f.scope.get(&n.id)) {
                    Some(Binding::Function(def)) if !self.in_library => self.effects.threaded.contains(&def.start()),
                    Some(_) => true,
                    None if self.in_library => self.hands_on(library::own(&n.id)),
                    None => match self.globals.get(&n.id, u32::MAX) {
                        Some((_, Global::Value(_) | Global::Part(..))) => true,
                        _ => self.effects.of_name(&self.effects.global, &n.id).unwrap_or(true),
                    },
                },
            },
            Expr::Attribute(a) if self.is_module(&a.value)? => false,
            Expr::Attribute(a) if library::attribute(&a.attr).is_some() && !self.classes.file_has_member(&a.attr) => false,
            // A field may hold any function.
            Expr::Attribute(a) => self.classes.has_value(&a.attr) || self.method_acts(&a.attr).unwrap_or(true),
            _ => true,
        })
    }

    /// Whether a function of the file that has this name may have effects; none if there is none.
    pub fn method_acts(&self, name: &str) -> Option<bool> {
        self.effects.of_name(&self.effects.named, name)
    }

    /// Whether a class of the file defines an operation by a method that may have effects.
    pub fn operator_acts(&self, prim: Prim, operands: &[NodeId]) -> bool {
        self.may_be_method(prim, operands, |name| self.method_acts(name) == Some(true))
    }

    /// Whether an operation may be one of these methods.
    pub fn may_be_method(&self, prim: Prim, operands: &[NodeId], acts: impl Fn(&str) -> bool) -> bool {
        let none = |n: NodeId| self.m[n].as_const() == Some(&Const::None);
        match prim {
            // A method that is called is told so.
            Prim::Attribute => match self.m[operands[1]].as_const() {
                Some(Const::Str(name)) => self.classes.is_property(name) && acts(name),
                _ => false,
            },
            Prim::Eq | Prim::Ne if none(operands[1]) => false,
            Prim::Ne => acts("__ne__") || acts("__eq__"),
            Prim::Truth => acts("__bool__") || acts("__len__"),
            _ => operator_methods(prim).is_some_and(|names| names.into_iter().any(acts)),
        }
    }

    /// Calls a function of the library that hands on what methods of its arguments do.
    pub fn call_told(&mut self, function: &'static str, args: &[NodeId], span: Span) -> NodeId {
        let graph = self.written_for(function, true);
        let (callee, world) = (self.m.graph_ref(graph), self.read(Var::World));
        let name = self.m.constant(Const::Str(WORLD.into()), Type::Str);
        let both = self.prim(Prim::CallKw(1), &[&[callee], args, &[world, name]].concat(), span);
        self.result_after(both, span)
    }

    /// Applies a primitive that may be a method which has effects.
    pub fn told(&mut self, prim: Prim, operands: &[NodeId], span: Span) -> NodeId {
        let world = self.read(Var::World);
        let name = self.m.constant(Const::Str(prim.name().into()), Type::Str);
        let graph = self.graph();
        let both = self.node_in(graph, Prim::Told, &[&[world, name], operands].concat(), span);
        self.result_after(both, span)
    }

    /// Calls a function for its result and for what it prints, where nobody hands the world on, as in a pullback. It has a world of its
    /// own, and the result is there once that has come back. In a file with boxes it would not know what is in them, so there it is
    /// called silently, and refused if it has effects.
    pub fn witnessed(&mut self, function: NodeId, args: NodeId, span: Span) -> NodeId {
        // Arguments that are written there stay apart: of some the derivative needs nothing.
        let written = (self.m.as_prim(args) == Some(Prim::Tuple)).then(|| self.m[args].inputs().to_vec());
        if !self.effects.needed || self.effects.boxes {
            let Some(written) = written else { return self.prim(Prim::Applied, &[function, args], span) };
            let graph = self.graph();
            let call = self.m.call(graph, function, &written, Type::Unknown, span);
            self.stamp(call);
            return call;
        }
        let (zero, boxes) = (self.m.i64(0), self.m.bool(false));
        let world = self.prim(Prim::World, &[zero, boxes], span);
        let name = self.m.constant(Const::Str(WORLD.into()), Type::Str);
        let (prim, args) = match written {
            Some(written) => (Prim::CallKw(1), written),
            None => (Prim::Apply(1), vec![args]),
        };
        let both = self.prim(prim, &[&[function], &args[..], &[world, name]].concat(), span);
        let [done, result] = [0, 1].map(|i| self.prim(Prim::Get(i), &[both], span));
        let is_there = self.prim(Prim::Eq, &[done, zero], span);
        let [there, lost] = self.branch(is_there, span, ["there", "lost"]);
        self.enter(lost);
        self.fail("the world is lost", &[], span);
        self.enter(there);
        result
    }

    /// What is done is done after what was done before. Gives what was done then.
    pub fn act(&mut self, prim: Prim, template: &str, values: &[NodeId], span: Span) -> NodeId {
        let template = self.m.constant(Const::Str(template.into()), Type::Str);
        let values = self.prim(Prim::Tuple, values, span);
        if !self.frame().has_effects {
            let nothing = self.m.i64(0);
            return self.prim(prim, &[nothing, template, values], span);
        }
        let world = self.read(Var::World);
        if !self.effects.boxes {
            return self.prim(prim, &[world, template, values], span);
        }
        let [done, count, tree] = [0, 1, 2].map(|i| self.prim(Prim::Get(i), &[world], span));
        let done = self.prim(prim, &[done, template, values], span);
        if prim == Prim::Fail { done } else { self.prim(Prim::Tuple, &[done, count, tree], span) }
    }

    /// Calls a function of the library that works on mutable boxes, with the world first.
    fn on_boxes(&mut self, function: &'static str, operands: &[NodeId], span: Span) -> NodeId {
        let graph = self.written(function);
        let callee = self.m.graph_ref(graph);
        let world = self.read(Var::World);
        let here = self.graph();
        let call = self.m.call(here, callee, &[&[world], operands].concat(), Type::Unknown, span);
        self.stamp(call);
        call
    }

    /// A box in which nothing is yet, for a variable or for what has no name. What is in boxes of several names may differ in type.
    pub fn new_cell(&mut self, name: &str, span: Span) -> NodeId {
        let site = self.m.constant(Const::Str(name.into()), Type::Str);
        let both = self.on_boxes("_new_box", &[site], span);
        let [world, made] = [0, 1].map(|i| self.prim(Prim::Get(i), &[both], span));
        self.set(Var::World, world);
        made
    }

    /// `Box(x)`.
    pub fn new_box(&mut self, value: NodeId, span: Span) -> NodeId {
        let made = self.new_cell("", span);
        self.set_box(made, value, span);
        made
    }

    /// `b.get()`.
    pub fn get_box(&mut self, of: NodeId, span: Span) -> NodeId {
        let content = self.on_boxes("_content", &[of], span);
        self.prim(Prim::Opened, &[content, of], span)
    }

    /// Fails where there is nothing yet in the box of a variable.
    pub fn require_filled(&mut self, of: NodeId, name: &str, span: Span) {
        let filled = self.on_boxes("_is_filled", &[of], span);
        let [filled, empty] = self.branch(filled, span, ["filled", "empty"]);
        self.enter(empty);
        self.fail(&format!("the variable `{name}` has no value yet"), &[], span);
        self.enter(filled);
    }

    /// `b.set(v)`.
    pub fn set_box(&mut self, of: NodeId, value: NodeId, span: Span) {
        let world = self.on_boxes(SET_BOX, &[of, value], span);
        self.set(Var::World, world);
    }

    /// A call of `Box`, or of a method of one; none if it is no such call.
    pub fn box_call(&mut self, c: &'a ast::ExprCall) -> Lowered<Option<NodeId>> {
        if !self.effects.boxes || !self.frame().has_effects || !c.arguments.keywords.is_empty() {
            return Ok(None);
        }
        let span = span_of(c);
        match (&*c.func, &*c.arguments.args) {
            (Expr::Name(n), [value])
                if n.id == "Box"
                    && matches!(self.resolve(&c.func)?, Value::Imported(Imported::Item(_, _, Item::Special(Special::Box)))) =>
            {
                let value = self.expr(value)?;
                Ok(Some(self.new_box(value, span)))
            }
            (Expr::Attribute(a), []) if a.attr.as_str() == "get" && !self.classes.file_has_member("get") => {
                let of = self.expr(&a.value)?;
                Ok(Some(self.get_box(of, span)))
            }
            (Expr::Attribute(a), [value]) if a.attr.as_str() == "set" && !self.classes.file_has_member("set") => {
                let of = self.expr(&a.value)?;
                let value = self.expr(value)?;
                self.set_box(of, value, span);
                Ok(Some(self.none()))
            }
            _ => Ok(None),
        }
    }

    /// Whether an expression is the builtin `print`.
    pub fn is_print(&mut self, callee: &'a Expr) -> Lowered<bool> {
        let Expr::Name(n) = callee else { return Ok(false) };
        Ok(n.id == "print"
            && matches!(self.resolve(callee), Ok(Value::Imported(Imported::Item(_, _, Item::Special(Special::Print))))))
    }

    /// `print(…)`.
    pub fn print(&mut self, c: &'a ast::ExprCall) -> Lowered<()> {
        let (mut separator, mut end, mut values) = (" ".to_string(), "\n".to_string(), Vec::new());
        for keyword in &c.arguments.keywords {
            match (keyword.arg.as_ref().map(|a| a.as_str()), &keyword.value) {
                (Some("sep"), Expr::StringLiteral(s)) => separator = escape(s.value.to_str()),
                (Some("end"), Expr::StringLiteral(s)) => end = escape(s.value.to_str()),
                (Some("flush"), _) => {}
                _ => {
                    let d = Diagnostic::unsupported(span_of(keyword), "this argument of `print` is not supported");
                    return Err(d.hint("`sep=` and `end=` with strings are"));
                }
            }
        }
        let mut parts = Vec::new();
        for argument in &c.arguments.args {
            let mut template = String::new();
            self.text(argument, &mut template, &mut values)?;
            parts.push(template);
        }
        let world = self.act(Prim::Print, &(parts.join(&separator) + &end), &values, span_of(c));
        self.set(Var::World, world);
        Ok(())
    }

    /// `assert condition, message`.
    pub fn assert(&mut self, a: &'a ast::StmtAssert) -> Lowered<()> {
        let condition = self.condition(&a.test)?;
        let [holds, fails] = self.branch(condition, span_of(&*a.test), ["holds", "fails"]);
        self.enter(fails);
        let (mut template, mut values) = ("AssertionError".to_string(), Vec::new());
        if let Some(message) = &a.msg {
            template += ": ";
            self.text(message, &mut template, &mut values)?;
        }
        self.fail(&template, &values, span_of(a));
        self.enter(holds);
        Ok(())
    }

    /// Fails here.
    fn fail(&mut self, template: &str, values: &[NodeId], span: Span) {
        let failed = self.act(Prim::Fail, template, values, span);
        self.end(failed, span);
    }

    /// `raise Kind(message)`.
    pub fn raise(&mut self, r: &'a ast::StmtRaise) -> Lowered<()> {
        let (mut template, mut values) = (String::new(), Vec::new());
        let (kind, arguments) = match r.exc.as_deref() {
            Some(Expr::Call(c)) if c.arguments.keywords.is_empty() => (&*c.func, &c.arguments.args[..]),
            Some(kind @ Expr::Name(_)) => (kind, [].as_slice()),
            _ => {
                let d = Diagnostic::unsupported(span_of(r), "this `raise` is not supported");
                return Err(d.hint("write `raise ValueError(\"…\")`"));
            }
        };
        let Expr::Name(kind) = kind else {
            return Err(Diagnostic::unsupported(span_of(kind), "this kind of exception is not supported"));
        };
        template += &kind.id;
        for (i, argument) in arguments.iter().enumerate() {
            template += if i == 0 { ": " } else { ", " };
            self.text(argument, &mut template, &mut values)?;
        }
        self.fail(&template, &values, span_of(r));
        Ok(())
    }
}

/// Whether a method defines what is not a call.
fn is_operator(name: &str) -> bool {
    name.starts_with("__") && !matches!(name, "__call__" | "__init__" | "__post_init__" | "__new__")
}

/// The names that a function or a comprehension binds.
struct Names<'a> {
    scope: Scope<'a>,
    /// The functions among them, also those that a name stands for on some paths, or that are decorated.
    functions: FxHashMap<&'a str, Vec<u32>>,
}

struct Walk<'a, 'g> {
    globals: &'g Globals<'g>,
    late: &'g Late<'g>,
    bodies: FxHashMap<u32, Body<'a>>,
    /// The functions with a name, wherever they are.
    named: FxHashMap<&'a str, Vec<u32>>,
    /// Those of the top level, its values, and methods.
    global: FxHashMap<&'a str, Vec<u32>>,
    /// The functions around, from the outside in.
    open: Vec<u32>,
    /// The names that these and comprehensions around bind.
    scopes: Vec<Names<'a>>,
    /// The names of methods of the file.
    members: FxHashSet<&'a str>,
    /// Whether there is an effect that would be lost.
    needed: bool,
    /// Whether there are mutable boxes.
    boxes: bool,
    /// The functions of the top level inside of which variables are in boxes.
    shared: Vec<u32>,
}

impl<'a> Walk<'a, '_> {
    fn body(&mut self) -> &mut Body<'a> {
        let at = self.open.last().expect("the file is around all");
        self.bodies.get_mut(at).expect("it was entered")
    }

    fn enter(&mut self, def: Def<'a>) {
        let at = def.start();
        self.body().nested.push(at);
        self.open_body(at);
        // What these make of a function may have effects where it has none.
        if let Def::Function(f) = def {
            for decorator in &f.decorator_list {
                self.visit_expr(&decorator.expression);
                self.body().acts |= self.is_of_file(ast::helpers::map_callable(&decorator.expression));
            }
        }
        let scope = Scope::of(def);
        if scope.shares {
            self.share();
        }
        self.open_scope(scope);
    }

    fn open_body(&mut self, at: u32) {
        // A decorated method and the function that it calls begin at one place.
        self.bodies.entry(at).or_default();
        self.open.push(at);
    }

    fn leave(&mut self) {
        self.open.pop();
        self.scopes.pop();
    }

    fn open_scope(&mut self, scope: Scope<'a>) {
        self.scopes.push(Names { scope, functions: FxHashMap::default() });
    }

    /// How a function or a comprehension around binds a name, if one does, and the functions that it may be.
    fn binding(&self, name: &str) -> Option<(Binding<'a>, &[u32])> {
        let (names, binding) = self.scopes.iter().rev().find_map(|names| Some((names, names.scope.get(name)?)))?;
        Some((binding, names.functions.get(name).map_or(&[], Vec::as_slice)))
    }

    /// A comprehension, whose variables are its own.
    fn visit_clauses(&mut self, parts: &[&'a Expr], clauses: &'a [ast::Comprehension]) {
        // The first iterable is evaluated outside of it.
        clauses.iter().take(1).for_each(|c| self.visit_expr(&c.iter));
        self.open_scope(Scope::of_clauses(clauses));
        clauses.iter().skip(1).for_each(|c| self.visit_expr(&c.iter));
        clauses.iter().flat_map(|c| &c.ifs).for_each(|test| self.visit_expr(test));
        parts.iter().for_each(|part| self.visit_expr(part));
        self.scopes.pop();
    }

    fn visit_defaults(&mut self, parameters: Option<&'a ast::Parameters>) {
        let all = parameters.into_iter().flat_map(|p| p.iter_non_variadic_params());
        all.filter_map(|p| p.default()).for_each(|default| self.visit_expr(default));
    }

    /// A variable is in a box, which all functions inside of the outermost one may read.
    fn share(&mut self) {
        (self.boxes, self.needed) = (true, true);
        self.shared.extend(self.open.get(1));
    }

    /// Whether a name is that of a function, a class or a module, which a call of it calls.
    fn is_known(&self, name: &str) -> bool {
        match self.binding(name) {
            Some((Binding::Variable, functions)) => return !functions.is_empty(),
            Some(_) => return true,
            None => {}
        }
        match self.globals.get(name, u32::MAX) {
            // An instance is called by a method.
            Some((_, Global::Value(value))) => value.is_lambda_expr(),
            Some((_, Global::Part(..))) => false,
            Some(_) => true,
            None => self.named.contains_key(name) || super::names::is_builtin(name),
        }
    }

    /// Whether an expression is the name of something in the file.
    fn is_of_file(&self, expr: &Expr) -> bool {
        let Expr::Name(n) = expr else { return false };
        self.binding(&n.id).is_some() || self.globals.name(&n.id).is_some_and(|name| !self.globals.is_import(name))
    }
}

impl<'a> Visitor<'a> for Walk<'a, '_> {
    fn visit_body(&mut self, body: &'a [Stmt]) {
        // Names stand for functions before these are defined.
        for stmt in body {
            let (name, starts): (&'a str, Vec<u32>) = match stmt {
                Stmt::FunctionDef(f) => (&f.name, vec![f.start().into()]),
                // To call a class is to call what makes its instances.
                Stmt::ClassDef(c) => {
                    let makers = c.body.iter().filter_map(Stmt::as_function_def_stmt).filter(|f| is_maker(f));
                    (&c.name, makers.map(|f| f.start().into()).collect())
                }
                _ => continue,
            };
            let all = self.scopes.last_mut().map_or(&mut self.global, |names| &mut names.functions);
            for functions in [all, &mut self.named] {
                functions.entry(name).or_default().extend(&starts);
            }
        }
        body.iter().for_each(|stmt| self.visit_stmt(stmt));
    }

    fn visit_stmt(&mut self, stmt: &'a Stmt) {
        match stmt {
            Stmt::FunctionDef(f) => {
                self.visit_defaults(Some(&f.parameters));
                self.enter(Def::Function(f));
                if self.late.has_boxes(span_of(&f.name)) {
                    self.share();
                }
                self.visit_body(&f.body);
                self.leave();
            }
            // Who calls a value of the top level calls the functions that it is made of.
            Stmt::Assign(_) | Stmt::AnnAssign(_) if self.open.len() == 1 => {
                let at = stmt.start().into();
                let targets = match stmt {
                    Stmt::Assign(a) => &a.targets[..],
                    Stmt::AnnAssign(a) => std::slice::from_ref(&*a.target),
                    _ => &[],
                };
                for t in targets {
                    target(t, &mut |name, _, _| self.global.entry(name).or_default().push(at));
                }
                self.open_body(at);
                walk_stmt(self, stmt);
                self.open.pop();
            }
            Stmt::Nonlocal(_) => self.share(),
            Stmt::Assert(_) | Stmt::Raise(_) => {
                self.body().acts = true;
                walk_stmt(self, stmt);
            }
            // What is not in a function of its own does not run.
            Stmt::If(_) if self.open.len() == 1 => {}
            Stmt::Expr(e) => {
                let of_list = |name: &str| {
                    matches!(name, "append" | "extend" | "sort" | "pop" | "setdefault" | "update")
                        || library::change(name).is_some()
                };
                let of_library = |name: &str| library::attribute(name).is_some() || of_list(name);
                let is_method =
                    |f: &Expr| matches!(f, Expr::Attribute(a) if of_library(&a.attr) && !self.members.contains(a.attr.as_str()));
                if let Expr::Call(c) = &*e.value
                    && self.open.len() > 1
                    && !is_method(&c.func)
                {
                    self.needed = true;
                }
                walk_stmt(self, stmt);
            }
            _ => walk_stmt(self, stmt),
        }
    }

    fn visit_expr(&mut self, expr: &'a Expr) {
        if self.late.may_fail(span_of(expr)) {
            self.body().acts = true;
        }
        match expr {
            Expr::Lambda(l) => {
                self.visit_defaults(l.parameters.as_deref());
                self.enter(Def::Lambda(l));
                self.visit_expr(&l.body);
                self.leave();
                return;
            }
            Expr::ListComp(c) => return self.visit_clauses(&[&c.elt], &c.generators),
            Expr::SetComp(c) => return self.visit_clauses(&[&c.elt], &c.generators),
            Expr::Generator(c) => return self.visit_clauses(&[&c.elt], &c.generators),
            Expr::DictComp(c) => {
                let parts: Vec<&Expr> = c.key.as_deref().into_iter().chain([&*c.value]).collect();
                return self.visit_clauses(&parts, &c.generators);
            }
            // It may be a property.
            Expr::Attribute(a) => {
                self.body().mentions.insert(Mention::Attribute(&a.attr));
            }
            Expr::Name(n) => {
                let mentions = match self.binding(&n.id) {
                    Some((Binding::Function(def), _)) => vec![Mention::Local(def.start())],
                    // What else a variable holds is mentioned where it comes from.
                    Some((_, functions)) => functions.iter().map(|&at| Mention::Local(at)).collect(),
                    None => vec![Mention::Global(&n.id)],
                };
                self.body().mentions.extend(mentions);
            }
            Expr::Call(c) => match &*c.func {
                Expr::Name(n) if matches!(n.id.as_str(), "print" | "Box") => {
                    self.body().acts = true;
                    self.needed = true;
                    self.boxes |= n.id == "Box" && self.globals.is_import("Box");
                }
                Expr::Name(n) if self.is_known(&n.id) => {}
                Expr::Attribute(a) => {
                    // Boxes are read and written by methods.
                    self.body().acts |= matches!(a.attr.as_str(), "get" | "set");
                    // A function of a module, or a method of arrays.
                    let is_module = matches!(&*a.value, Expr::Name(n) if self.globals.is_import(&n.id));
                    if !is_module && library::attribute(&a.attr).is_none() {
                        self.body().calls_values = true;
                    }
                }
                _ => self.body().calls_values = true,
            },
            _ => {}
        }
        walk_expr(self, expr);
    }
}
