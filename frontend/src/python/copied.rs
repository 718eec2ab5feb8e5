//! The body of a function in place of a call of it: its variables have names that no other function has, `f.x`, and the parameters are
//! assigned the arguments before it.

use super::init::{assignment, call, name_at};
use super::scope::{Def, Scope};
use ruff_python_ast::visitor::transformer::{self, Transformer};
use ruff_python_ast::visitor::{Visitor, walk_expr, walk_pattern, walk_stmt};
use ruff_python_ast::{self as ast, Expr, ExprContext, Identifier, Stmt};
use ruff_text_size::{Ranged, TextRange};
use rustc_hash::FxHashSet;
use std::cell::RefCell;

/// The names that a function mentions and does not bind.
pub fn free_names(f: &ast::StmtFunctionDef) -> FxHashSet<String> {
    struct Free(FxHashSet<String>);
    impl<'a> Visitor<'a> for Free {
        fn visit_expr(&mut self, expr: &'a Expr) {
            self.0.extend(expr.as_name_expr().map(|n| n.id.to_string()));
            walk_expr(self, expr);
        }
    }
    let mut free = Free(FxHashSet::default());
    free.visit_body(&f.body);
    Scope::of(Def::Function(f)).names().for_each(|name| _ = free.0.remove(name));
    free.0
}

/// Whether the names of a function can be told apart from those of another one: it declares none to be of a function around it, and
/// binds them by statements that are copied.
pub fn may_be_copied(f: &ast::StmtFunctionDef) -> bool {
    struct Plain(bool);
    impl<'a> Visitor<'a> for Plain {
        fn visit_stmt(&mut self, stmt: &'a Stmt) {
            use Stmt::*;
            self.0 &= !matches!(stmt, Global(_) | Nonlocal(_) | ClassDef(_) | Import(_) | ImportFrom(_) | Try(_) | TypeAlias(_));
            walk_stmt(self, stmt);
        }
        fn visit_pattern(&mut self, pattern: &'a ast::Pattern) {
            use ast::Pattern::*;
            self.0 &= matches!(pattern, MatchValue(_) | MatchSingleton(_) | MatchOr(_))
                || matches!(pattern, MatchAs(a) if a.name.is_none() && a.pattern.is_none());
            walk_pattern(self, pattern);
        }
    }
    let mut plain = Plain(!f.is_async);
    plain.visit_body(&f.body);
    plain.0
}

/// The body of a function with other names for its variables.
pub fn renamed(f: &ast::StmtFunctionDef, name: impl Fn(&str) -> String) -> Vec<Stmt> {
    let bound = Scope::of(Def::Function(f)).names().map(str::to_string).collect();
    let rename = Rename { bound, name, hidden: RefCell::default() };
    let mut body = f.body.to_vec();
    body.iter_mut().for_each(|stmt| rename.visit_stmt(stmt));
    body
}

struct Rename<F> {
    bound: FxHashSet<String>,
    name: F,
    /// What the functions inside bind themselves.
    hidden: RefCell<Vec<FxHashSet<String>>>,
}

impl<F: Fn(&str) -> String> Rename<F> {
    fn read(&self, name: &str) -> Option<String> {
        let is_hidden = self.hidden.borrow().iter().any(|names| names.contains(name));
        (self.bound.contains(name) && !is_hidden).then(|| (self.name)(name))
    }

    fn inside(&self, names: FxHashSet<String>, visit: impl FnOnce()) {
        self.hidden.borrow_mut().push(names);
        visit();
        self.hidden.borrow_mut().pop();
    }
}

impl<F: Fn(&str) -> String> Transformer for Rename<F> {
    fn visit_stmt(&self, stmt: &mut Stmt) {
        let Stmt::FunctionDef(f) = stmt else { return transformer::walk_stmt(self, stmt) };
        f.decorator_list.iter_mut().for_each(|d| self.visit_decorator(d));
        self.visit_parameters(&mut f.parameters);
        let own = Scope::of(Def::Function(f)).names().map(str::to_string).collect();
        self.inside(own, || self.visit_body(&mut f.body));
        if let Some(name) = self.read(&f.name) {
            f.name.id = name.into();
        }
    }

    fn visit_expr(&self, expr: &mut Expr) {
        match expr {
            Expr::Name(n) => {
                if let Some(name) = self.read(&n.id) {
                    n.id = name.into();
                }
            }
            Expr::Lambda(l) => {
                let own = Scope::of(Def::Lambda(l)).names().map(str::to_string).collect();
                if let Some(parameters) = &mut l.parameters {
                    self.visit_parameters(parameters);
                }
                self.inside(own, || self.visit_expr(&mut l.body));
            }
            _ => transformer::walk_expr(self, expr),
        }
    }
}

/// Assigns the arguments of a call to the parameters of a function under other names. `first` comes before the arguments.
pub fn bound(
    f: &ast::StmtFunctionDef,
    first: Option<Expr>,
    arguments: &ast::Arguments,
    range: TextRange,
    name: impl Fn(&str) -> String,
) -> Vec<Stmt> {
    let parameters = &f.parameters;
    let target = |name: &str| {
        let mut target = name_at(name, range);
        if let Expr::Name(n) = &mut target {
            n.ctx = ExprContext::Store;
        }
        target
    };
    let args: Vec<Expr> = first.into_iter().chain(arguments.args.iter().cloned()).collect();
    let all: Vec<&ast::ParameterWithDefault> = parameters.iter_non_variadic_params().collect();
    let is_plain = parameters.vararg.is_none()
        && parameters.kwarg.is_none()
        && parameters.kwonlyargs.is_empty()
        && parameters.posonlyargs.is_empty()
        && arguments.keywords.is_empty()
        && !args.iter().any(Expr::is_starred_expr)
        && args.len() <= all.len()
        && all[args.len()..].iter().all(|p| p.default.as_ref().is_some_and(|d| d.is_literal_expr()));
    if is_plain {
        let values = args.into_iter().map(Some).chain(std::iter::repeat_with(|| None));
        let value = |(p, value): (&&ast::ParameterWithDefault, Option<Expr>)| {
            let value = value.unwrap_or_else(|| *p.default.clone().expect("it has a default"));
            assignment(target(&name(p.name())), value, range)
        };
        return all.iter().zip(values).map(value).collect();
    }
    // A function tells which argument is which.
    let mut names: Vec<&str> = all.iter().map(|p| p.name().as_str()).collect();
    names.extend([&parameters.vararg, &parameters.kwarg].into_iter().flatten().map(|p| p.name.as_str()));
    let tuple = |elts: Vec<Expr>, ctx| {
        Expr::Tuple(ast::ExprTuple { node_index: Default::default(), range, elts, ctx, parenthesized: true })
    };
    let given = tuple(names.iter().map(|name| name_at(name, range)).collect(), ExprContext::Load);
    let mut plain = parameters.clone();
    let without = |p: &mut ast::ParameterWithDefault| p.parameter.annotation = None;
    plain.posonlyargs.iter_mut().chain(&mut plain.args).chain(&mut plain.kwonlyargs).for_each(without);
    let lambda =
        ast::ExprLambda { node_index: Default::default(), range: f.name.range(), parameters: Some(plain), body: given.into() };
    let Expr::Call(mut all) = call(Expr::Lambda(lambda), args, range) else { unreachable!("a call") };
    all.arguments.keywords = arguments.keywords.clone();
    let targets = tuple(names.iter().map(|n| target(&name(n))).collect(), ExprContext::Store);
    vec![assignment(targets, Expr::Call(all), range)]
}

/// A `def` with another name.
pub fn named(f: &ast::StmtFunctionDef, name: &str) -> ast::StmtFunctionDef {
    ast::StmtFunctionDef { name: Identifier::new(name, f.name.range()), ..f.clone() }
}
