//! Functions with rules that a function of the file defines, as tests of JAX do: where they and their rules capture nothing of it, they are
//! moved to the top level, where rules are read (`rules.rs`), and the function around them gets them by their names.
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

use super::rules::name_at;
use super::scope::{Def, Scope, bindings};
use ruff_python_ast::visitor::transformer::{self, Transformer};
use ruff_python_ast::visitor::{Visitor, walk_expr, walk_stmt};
use ruff_python_ast::{self as ast, Expr, Stmt};
use ruff_text_size::Ranged;
use rustc_hash::{FxHashMap, FxHashSet};

/// What moves out of a function, before what is left of it. `rule_of` gives the function that a statement states a rule of.
pub fn hoisted(mut f: ast::StmtFunctionDef, rule_of: impl Fn(&Stmt) -> Option<String>) -> (Vec<Stmt>, ast::StmtFunctionDef) {
    let Some(names) = names(&f, &rule_of) else { return (Vec::new(), f) };
    let qualified = Qualified { of: f.name.to_string(), names };
    let mut moved = Vec::new();
    let body = std::mem::take(&mut f.body);
    for mut stmt in body {
        let is_rule = rule_of(&stmt).is_some_and(|of| qualified.names.contains(&of));
        let name = defined(&stmt).filter(|name| qualified.names.contains(*name)).map(str::to_string);
        match &name {
            Some(name) if !is_rule => {
                let range = stmt.range();
                let value = Expr::Name(name_at(&qualified.name(name), range)).into();
                let targets = vec![Expr::Name(name_at(name, range))];
                f.body.push(Stmt::Assign(ast::StmtAssign { node_index: Default::default(), range, targets, value }));
            }
            None if !is_rule => {
                f.body.push(stmt);
                continue;
            }
            _ => {}
        }
        qualified.visit_stmt(&mut stmt);
        moved.push(stmt);
    }
    (moved, f)
}

/// The names of a function's own functions that have rules or are part of these, if they capture nothing else of it.
fn names(f: &ast::StmtFunctionDef, rule_of: &impl Fn(&Stmt) -> Option<String>) -> Option<FxHashSet<String>> {
    let own = Scope::of(Def::Function(f));
    let mut times: FxHashMap<&str, u32> = FxHashMap::default();
    bindings(&f.body, &mut |name, _, _| *times.entry(name).or_default() += 1);
    let defs: FxHashMap<&str, &Stmt> = f.body.iter().filter_map(|stmt| Some((defined(stmt)?, stmt))).collect();
    let states_rule = |stmt: &&Stmt| rule_of(stmt).is_some_and(|of| defs.contains_key(&*of)) || is_in_its_rule(stmt);
    let mut work: Vec<&Stmt> = f.body.iter().filter(states_rule).collect();
    let mut found = FxHashSet::default();
    let mut inside = FxHashSet::default();
    while let Some(stmt) = work.pop() {
        found.extend(defined(stmt).map(str::to_string));
        let mut free = Free::default();
        free.visit_stmt(stmt);
        inside.extend(free.bound);
        for name in free.names.into_iter().filter(|name| own.get(name).is_some()) {
            let def = defs.get(name).filter(|_| times[name] == 1)?;
            if found.insert(name.to_string()) {
                work.push(def);
            }
        }
    }
    // A name of its own would hide one of those.
    (!found.is_empty() && found.iter().all(|name| !inside.contains(&**name))).then_some(found)
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

/// Puts the name of the function around before these names.
struct Qualified {
    of: String,
    names: FxHashSet<String>,
}

impl Qualified {
    fn name(&self, name: &str) -> String {
        format!("{}.{name}", self.of)
    }
}

impl Transformer for Qualified {
    fn visit_stmt(&self, stmt: &mut Stmt) {
        if let Stmt::FunctionDef(f) = stmt
            && self.names.contains(f.name.as_str())
        {
            f.name.id = self.name(&f.name).into();
        }
        transformer::walk_stmt(self, stmt);
    }

    fn visit_expr(&self, expr: &mut Expr) {
        match expr {
            Expr::Name(n) if self.names.contains(n.id.as_str()) => n.id = self.name(&n.id).into(),
            _ => transformer::walk_expr(self, expr),
        }
    }
}
