//! The generator that all programs of NumPy share, where a scope gives it a seed: one of its own.
//!
//! ```text
//! np.random.seed(0)                `numpy.random` = np.random.RandomState(0)
//! x = np.random.randn(3)     ⟹     x = `numpy.random`.randn(3)
//! ```
//!
//! A scope is the top level, or a function with those inside of it. What draws in another function would need the state of the scope that
//! calls it, and is left as it is, to be refused.

use super::init::{assignment, attribute, name_at};
use ruff_python_ast::visitor::transformer::{self, Transformer};
use ruff_python_ast::visitor::{Visitor, walk_stmt};
use ruff_python_ast::{self as ast, Expr, ExprContext, Stmt};
use ruff_text_size::Ranged;

/// The variable of a scope, which no program can name.
const SHARED: &str = "numpy.random";

/// The methods of `RandomState` that are functions of `numpy.random`, too.
const DRAWS: &[&str] = &[
    "choice",
    "exponential",
    "gumbel",
    "laplace",
    "logistic",
    "lognormal",
    "normal",
    "permutation",
    "poisson",
    "rand",
    "randint",
    "randn",
    "random",
    "random_sample",
    "shuffle",
    "standard_exponential",
    "standard_normal",
    "uniform",
];

/// The statements of a file with a generator for each scope that has a seed.
pub fn read(body: &mut [Stmt]) {
    let mut modules = Modules::default();
    body.iter().for_each(|stmt| modules.visit_stmt(stmt));
    if !modules.arrays.is_empty() || !modules.random.is_empty() {
        in_scope(body, &modules, false);
    }
}

/// Reads the statements of a scope. Functions in it are scopes of their own, unless one around them has a seed.
fn in_scope(body: &mut [Stmt], modules: &Modules, is_function: bool) {
    let mut seeds = Seeds { modules, found: false };
    body.iter().for_each(|stmt| seeds.visit_stmt(stmt));
    if seeds.found {
        let shared = Shared { modules, is_function };
        body.iter_mut().for_each(|stmt| shared.visit_stmt(stmt));
    }
    if !seeds.found || !is_function {
        let inner = Inner(modules);
        body.iter_mut().for_each(|stmt| inner.visit_stmt(stmt));
    }
}

/// The names of modules in a file: those with the names of NumPy, and those that are `numpy.random`.
#[derive(Default)]
struct Modules {
    arrays: Vec<String>,
    random: Vec<String>,
}

impl Visitor<'_> for Modules {
    fn visit_stmt(&mut self, stmt: &Stmt) {
        let is_numpy = |name: &str| matches!(name, "numpy" | "autograd.numpy");
        let is_random = |name: &str| name.strip_suffix(".random").is_some_and(is_numpy);
        match stmt {
            Stmt::Import(i) => {
                for alias in &i.names {
                    match &alias.asname {
                        Some(name) if is_numpy(&alias.name) => self.arrays.push(name.to_string()),
                        Some(name) if is_random(&alias.name) => self.random.push(name.to_string()),
                        None if is_numpy(&alias.name) || is_random(&alias.name) => self.arrays.push("numpy".into()),
                        _ => {}
                    }
                }
            }
            Stmt::ImportFrom(i) if i.module.as_ref().is_some_and(|name| is_numpy(name)) => {
                let random = i.names.iter().filter(|alias| alias.name.as_str() == "random");
                self.random.extend(random.map(|alias| alias.asname.as_ref().unwrap_or(&alias.name).to_string()));
            }
            _ => {}
        }
        walk_stmt(self, stmt);
    }
}

impl Modules {
    /// The function of `numpy.random` that an expression is.
    fn function<'e>(&self, of: &'e Expr) -> Option<&'e ast::ExprAttribute> {
        let Expr::Attribute(function) = of else { return None };
        let is_it = match &*function.value {
            Expr::Name(n) => self.random.iter().any(|name| *name == *n.id),
            Expr::Attribute(a) if a.attr.as_str() == "random" => {
                matches!(&*a.value, Expr::Name(n) if self.arrays.iter().any(|name| *name == *n.id))
            }
            _ => false,
        };
        is_it.then_some(function)
    }

    /// The call of `seed` that a statement is.
    fn seed<'s>(&self, stmt: &'s Stmt) -> Option<&'s ast::ExprCall> {
        let call = stmt.as_expr_stmt()?.value.as_call_expr()?;
        self.function(&call.func).filter(|f| f.attr.as_str() == "seed").map(|_| call)
    }
}

/// Whether a scope has a seed, functions inside of it left out.
struct Seeds<'m> {
    modules: &'m Modules,
    found: bool,
}

impl Visitor<'_> for Seeds<'_> {
    fn visit_stmt(&mut self, stmt: &Stmt) {
        self.found |= self.modules.seed(stmt).is_some();
        if !matches!(stmt, Stmt::FunctionDef(_) | Stmt::ClassDef(_)) {
            walk_stmt(self, stmt);
        }
    }
}

/// Lets a scope draw from its own generator; the functions inside, too, if it is a function.
struct Shared<'m> {
    modules: &'m Modules,
    is_function: bool,
}

impl Transformer for Shared<'_> {
    fn visit_stmt(&self, stmt: &mut Stmt) {
        if let Some(call) = self.modules.seed(stmt) {
            let Expr::Attribute(seed) = &*call.func else { unreachable!("it is a function of a module") };
            let made = attribute((*seed.value).clone(), "RandomState", seed.range());
            let value = ast::ExprCall { func: made.into(), ..call.clone() };
            let mut target = name_at(SHARED, call.range());
            if let Expr::Name(n) = &mut target {
                n.ctx = ExprContext::Store;
            }
            *stmt = assignment(target, value.into(), call.range());
        } else if self.is_function || !matches!(stmt, Stmt::FunctionDef(_) | Stmt::ClassDef(_)) {
            transformer::walk_stmt(self, stmt);
        }
    }

    fn visit_expr(&self, expr: &mut Expr) {
        if !self.is_function && expr.is_lambda_expr() {
            return;
        }
        transformer::walk_expr(self, expr);
        if let Some(function) = self.modules.function(expr)
            && DRAWS.contains(&function.attr.as_str())
        {
            let range = function.range();
            *expr = attribute(name_at(SHARED, range), &function.attr, range);
        }
    }
}

/// Reads the functions of a scope.
struct Inner<'m>(&'m Modules);

impl Transformer for Inner<'_> {
    fn visit_stmt(&self, stmt: &mut Stmt) {
        match stmt {
            Stmt::FunctionDef(f) => in_scope(&mut f.body, self.0, true),
            other => transformer::walk_stmt(self, other),
        }
    }

    fn visit_expr(&self, _: &mut Expr) {}
}
