//! Functions with rules that a function of the file defines, as tests of JAX do: they are moved to the top level with their rules, where
//! rules are read (`rules.rs`), and the function around them gets them by their names.
//!
//! ```text
//! def test(x):                     @custom_jvp
//!     @custom_jvp                  def test.f(x): …
//!     def f(x): …                  def test.f_jvp(primals, tangents): …
//!     def f_jvp(…): …              test.f.defjvp(test.f_jvp)
//!     f.defjvp(f_jvp)              def test(x):
//!     return grad(f)(x)                f = test.f
//!                                      return grad(f)(x)
//! ```
//!
//! Variables that they capture come first among their parameters, as arguments without derivatives. The rule does not say how the value
//! changes with them.
//!
//! ```text
//! def test(a, x):                  @partial(custom_vjp, nondiff_argnums=(0,))
//!     @custom_vjp                  def test.f(a, x): …
//!     def f(x): …                  def test.fwd(a, x): return test.f(a, x), x
//!     def fwd(x): return f(x), x   def test.bwd(a, x, g): …
//!     def bwd(x, g): …             test.f.defvjp(test.fwd, test.bwd)
//!     f.defvjp(fwd, bwd)           def test(a, x):
//!     return f(x)                      f = lambda *args: test.f(a, *args)
//!                                      return f(x)
//! ```

use super::init::call;
use super::rules::{self, name_at};
use super::scope::{Def, Scope, bindings};
use ruff_python_ast::visitor::transformer::{self, Transformer};
use ruff_python_ast::visitor::{Visitor, walk_expr, walk_stmt};
use ruff_python_ast::{self as ast, Expr, ExprContext, Identifier, Parameter, ParameterWithDefault, Parameters, Stmt};
use ruff_text_size::{Ranged, TextRange};
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::Cell;

/// What moves out of a function, before what is left of it. `rule_of` gives the function that a statement states a rule of.
pub fn hoisted(mut f: ast::StmtFunctionDef, rule_of: impl Fn(&Stmt) -> Option<String>) -> (Vec<Stmt>, ast::StmtFunctionDef) {
    let Some((names, captured)) = names(&f, &rule_of) else { return (Vec::new(), f) };
    let qualified = Qualified { of: f.name.to_string(), names, captured, is_rule: Cell::new(false) };
    let mut moved = Vec::new();
    let body = std::mem::take(&mut f.body);
    for mut stmt in body {
        let is_rule = rule_of(&stmt).is_some_and(|of| qualified.names.contains(&of));
        let name = defined(&stmt).filter(|name| qualified.names.contains(*name)).map(str::to_string);
        match &name {
            Some(name) if !is_rule => {
                let range = stmt.range();
                let value = qualified.value(name, range).into();
                let targets = vec![Expr::Name(name_at(name, range))];
                f.body.push(Stmt::Assign(ast::StmtAssign { node_index: Default::default(), range, targets, value }));
            }
            None if !is_rule => {
                f.body.push(stmt);
                continue;
            }
            _ => {}
        }
        qualified.visit_moved(&mut stmt);
        moved.push(stmt);
    }
    (moved, f)
}

/// The names of a function's own functions that have rules or are part of these, and of the variables that they capture. None if there
/// are none, or if these may change after the functions were defined.
fn names(f: &ast::StmtFunctionDef, rule_of: &impl Fn(&Stmt) -> Option<String>) -> Option<(FxHashSet<String>, Vec<String>)> {
    let own = Scope::of(Def::Function(f));
    let mut times: FxHashMap<&str, u32> = FxHashMap::default();
    bindings(&f.body, &mut |name, _, _| *times.entry(name).or_default() += 1);
    let defs: FxHashMap<&str, &Stmt> = f.body.iter().filter_map(|stmt| Some((defined(stmt)?, stmt))).collect();
    let states_rule = |stmt: &&Stmt| rule_of(stmt).is_some_and(|of| defs.contains_key(&*of)) || is_in_its_rule(stmt);
    let mut work: Vec<&Stmt> = f.body.iter().filter(states_rule).collect();
    let mut found = FxHashSet::default();
    let mut captured: Vec<String> = Vec::new();
    let mut inside = FxHashSet::default();
    let first =
        f.body.iter().position(|stmt| states_rule(&stmt) || defined(stmt).is_some_and(|name| is_made_for_rule(defs[name])))?;
    let is_settled = |name: &str| match times.get(name) {
        None => true,
        Some(1) => f.body[..first].iter().any(|stmt| assigned(stmt) == Some(name)) && !f.parameters.includes(name),
        Some(_) => false,
    };
    while let Some(stmt) = work.pop() {
        found.extend(defined(stmt).map(str::to_string));
        let mut free = Free::default();
        free.visit_stmt(stmt);
        inside.extend(free.bound);
        for name in free.names.into_iter().filter(|name| own.get(name).is_some()) {
            match defs.get(name).filter(|_| times[name] == 1) {
                Some(def) if found.insert(name.to_string()) => work.push(def),
                Some(_) => {}
                None if !is_settled(name) => return None,
                None if captured.iter().any(|known| known == name) => {}
                None => captured.push(name.into()),
            }
        }
    }
    // A name of its own would hide one of those.
    let hides = found.iter().chain(&captured).any(|name| inside.contains(&**name));
    let takes_captures = |stmt: &Stmt| match stmt {
        Stmt::FunctionDef(def) if found.contains(def.name.as_str()) => {
            def.decorator_list.iter().all(|d| rules::is_plain_maker(&d.expression) || rules::is_plain_rule(&d.expression))
        }
        Stmt::Expr(e) if rule_of(stmt).is_some_and(|of| found.contains(&of)) => {
            e.value.as_call_expr().is_some_and(|call| rules::is_plain_rule(&call.func))
        }
        _ => {
            defined(stmt).is_none_or(|name| !found.contains(name))
                || stmt.as_assign_stmt().is_some_and(|a| a.value.is_lambda_expr())
        }
    };
    let is_moved = captured.is_empty() || f.body.iter().all(takes_captures);
    (!found.is_empty() && !hides && is_moved).then_some((found, captured))
}

/// Whether a statement defines a function that a rule follows.
fn is_made_for_rule(stmt: &Stmt) -> bool {
    stmt.as_function_def_stmt().is_some_and(|f| f.decorator_list.iter().any(|d| rules::is_plain_maker(&d.expression)))
}

/// The one name that a statement assigns.
fn assigned(stmt: &Stmt) -> Option<&str> {
    match stmt {
        Stmt::Assign(a) => match &a.targets[..] {
            [Expr::Name(name)] => Some(&name.id),
            _ => None,
        },
        Stmt::AnnAssign(a) => a.target.as_name_expr().map(|name| name.id.as_str()),
        _ => None,
    }
}

/// Whether what decorates a function calls it: `@custom_vjp(lambda y, x: lambda c: (c * f(x),))`.
fn is_in_its_rule(stmt: &Stmt) -> bool {
    let Stmt::FunctionDef(f) = stmt else { return false };
    let mut free = Free::default();
    f.decorator_list.iter().for_each(|d| free.visit_decorator(d));
    free.names.contains(&f.name.as_str())
}

/// The name that a statement gives to a function or to what is made of one.
fn defined(stmt: &Stmt) -> Option<&str> {
    match stmt {
        Stmt::FunctionDef(f) => Some(&f.name),
        Stmt::Assign(a) => match (&a.targets[..], &*a.value) {
            ([Expr::Name(name)], Expr::Lambda(_) | Expr::Call(_)) => Some(&name.id),
            _ => None,
        },
        _ => None,
    }
}

/// The names that a statement reads and that nothing inside of it binds; and those that functions inside of it bind.
#[derive(Default)]
struct Free<'a> {
    names: Vec<&'a str>,
    bound: Vec<&'a str>,
    scopes: Vec<Scope<'a>>,
}

impl<'a> Free<'a> {
    fn within(&mut self, scope: Scope<'a>, visit: impl FnOnce(&mut Self)) {
        self.bound.extend(scope.names());
        self.scopes.push(scope);
        visit(self);
        self.scopes.pop();
    }
}

impl<'a> Visitor<'a> for Free<'a> {
    fn visit_stmt(&mut self, stmt: &'a Stmt) {
        let Stmt::FunctionDef(f) = stmt else { return walk_stmt(self, stmt) };
        f.decorator_list.iter().for_each(|d| self.visit_decorator(d));
        self.visit_parameters(&f.parameters);
        self.within(Scope::of(Def::Function(f)), |me| me.visit_body(&f.body));
    }

    fn visit_expr(&mut self, expr: &'a Expr) {
        let clauses = match expr {
            Expr::Name(n) => {
                if n.ctx.is_load() && !self.scopes.iter().any(|s| s.get(&n.id).is_some()) {
                    self.names.push(&n.id);
                }
                return;
            }
            Expr::Lambda(l) => {
                l.parameters.iter().for_each(|p| self.visit_parameters(p));
                return self.within(Scope::of(Def::Lambda(l)), |me| me.visit_expr(&l.body));
            }
            Expr::ListComp(c) => &c.generators,
            Expr::DictComp(c) => &c.generators,
            Expr::Generator(c) => &c.generators,
            _ => return walk_expr(self, expr),
        };
        // The first iterable is evaluated outside of it.
        self.visit_expr(&clauses[0].iter);
        self.within(Scope::of_clauses(clauses), |me| walk_expr(me, expr));
    }
}

/// Puts the name of the function around before these names, and hands on what is captured.
struct Qualified {
    of: String,
    names: FxHashSet<String>,
    captured: Vec<String>,
    /// Whether names stand for the functions as they were moved: where a rule is stated.
    is_rule: Cell<bool>,
}

impl Qualified {
    fn name(&self, name: &str) -> String {
        format!("{}.{name}", self.of)
    }

    fn captured_at(&self, range: TextRange) -> impl Iterator<Item = Expr> {
        self.captured.iter().map(move |name| Expr::Name(name_at(name, range)))
    }

    /// The function of a name, as the function around it sees it.
    fn value(&self, name: &str, range: TextRange) -> Expr {
        let function = Expr::Name(name_at(&self.name(name), range));
        if self.captured.is_empty() {
            return function;
        }
        let rest = Identifier::new("args", range);
        let vararg = Parameter { range, node_index: Default::default(), name: rest, annotation: None };
        let parameters = Parameters { range, vararg: Some(vararg.into()), ..Parameters::default() };
        let starred = ast::ExprStarred {
            node_index: Default::default(),
            range,
            value: Expr::Name(name_at("args", range)).into(),
            ctx: ExprContext::Load,
        };
        let args: Vec<Expr> = self.captured_at(range).chain([Expr::Starred(starred)]).collect();
        let body = call(function, args, range).into();
        Expr::Lambda(ast::ExprLambda { node_index: Default::default(), range, parameters: Some(parameters.into()), body })
    }

    /// Reads a statement that is moved.
    fn visit_moved(&self, stmt: &mut Stmt) {
        let Stmt::Expr(e) = stmt else { return self.visit_stmt(stmt) };
        self.is_rule.set(true);
        if let Expr::Call(call) = &mut *e.value {
            call.arguments.args.iter_mut().filter_map(Expr::as_lambda_expr_mut).for_each(|lambda| {
                self.extend(lambda.parameters.get_or_insert_default());
                self.is_rule.set(false);
                self.visit_expr(&mut lambda.body);
                self.is_rule.set(true);
            });
            self.visit_expr(&mut call.func);
            call.arguments.args.iter_mut().filter(|arg| !arg.is_lambda_expr()).for_each(|arg| self.visit_expr(arg));
        }
        self.is_rule.set(false);
    }

    /// Puts what is captured before the parameters.
    fn extend(&self, parameters: &mut Parameters) {
        let range = TextRange::empty(parameters.start());
        let own = self.captured.iter().map(|name| {
            let parameter =
                Parameter { range, node_index: Default::default(), name: Identifier::new(&**name, range), annotation: None };
            ParameterWithDefault { range, node_index: Default::default(), parameter, default: None }
        });
        let place = if parameters.posonlyargs.is_empty() { &mut parameters.args } else { &mut parameters.posonlyargs };
        place.splice(0..0, own);
    }

    /// The decorator that says that a rule follows, and that what is captured has no derivative.
    fn without_derivatives(&self, maker: &Expr) -> Expr {
        let range = maker.range();
        let number = |place: usize| {
            let value = ast::Number::Int(ast::Int::from(place as u32));
            Expr::NumberLiteral(ast::ExprNumberLiteral { node_index: Default::default(), range, value })
        };
        let elts = (0..self.captured.len()).map(number).collect();
        let value = Expr::Tuple(ast::ExprTuple {
            node_index: Default::default(),
            range,
            elts,
            ctx: ExprContext::Load,
            parenthesized: true,
        });
        let mut made = call(Expr::Name(name_at("partial", range)), vec![maker.clone()], range);
        if let Expr::Call(call) = &mut made {
            let arg = Some(Identifier::new("nondiff_argnums", range));
            call.arguments.keywords = [ast::Keyword { range, node_index: Default::default(), arg, value }].into();
        }
        made
    }
}

impl Transformer for Qualified {
    fn visit_stmt(&self, stmt: &mut Stmt) {
        if let Stmt::FunctionDef(f) = stmt
            && self.names.contains(f.name.as_str())
        {
            f.name.id = self.name(&f.name).into();
            if !self.captured.is_empty() {
                self.extend(&mut f.parameters);
                let makers = f.decorator_list.iter_mut().filter(|d| rules::is_plain_maker(&d.expression));
                makers.for_each(|d| d.expression = self.without_derivatives(&d.expression));
            }
        }
        if let Stmt::Assign(a) = stmt
            && let ([Expr::Name(name)], Expr::Lambda(lambda)) = (&mut a.targets[..], &mut *a.value)
            && self.names.contains(name.id.as_str())
        {
            name.id = self.name(&name.id).into();
            self.extend(lambda.parameters.get_or_insert_default());
            return self.visit_expr(&mut lambda.body);
        }
        transformer::walk_stmt(self, stmt);
    }

    fn visit_decorator(&self, decorator: &mut ast::Decorator) {
        let before = self.is_rule.replace(true);
        transformer::walk_decorator(self, decorator);
        self.is_rule.set(before);
    }

    fn visit_expr(&self, expr: &mut Expr) {
        match expr {
            Expr::Name(n) if self.names.contains(n.id.as_str()) => match n.ctx.is_load() && !self.is_rule.get() {
                true => *expr = self.value(&n.id, n.range),
                false => n.id = self.name(&n.id).into(),
            },
            _ => transformer::walk_expr(self, expr),
        }
    }
}
