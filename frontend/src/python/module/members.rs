//! Variables of classes, and defaults, by names of their own where the top level changes what they are.
//!
//! ```text
//! class C:                          C.n = 3
//!     n = 3                         class C:
//! C.n += 1                 ⟹            n = (lambda: C.n)()
//!                                   C.n += 1
//! ```
//!
//! Here `C.n` is a name of the top level. The function reads it as all code does that runs later.

use crate::python::init::{assignment, call, is_class_variable, name_at};
use crate::python::scope::{Def, Scope, bindings};
use ruff_python_ast::visitor::transformer::{self, Transformer};
use ruff_python_ast::visitor::{Visitor, walk_expr, walk_stmt};
use ruff_python_ast::{self as ast, Expr, ExprContext, Identifier, Stmt};
use ruff_text_size::{Ranged, TextRange};
use rustc_hash::FxHashSet;

/// The file with the variables of classes that something assigns or changes as names of the top level; none if there are none.
pub fn with_class_variables(body: &[Stmt]) -> Option<Vec<Stmt>> {
    let classes: FxHashSet<&str> = body.iter().filter_map(Stmt::as_class_def_stmt).map(|c| c.name.as_str()).collect();
    let mut changed = Changed { classes, found: FxHashSet::default() };
    changed.visit_body(body);
    let found = changed.found;
    let has = |name: &str| found.contains(name);
    if found.is_empty() {
        return None;
    }
    let mut read = Vec::new();
    for stmt in body {
        let mut stmt = stmt.clone();
        Qualified(&found).visit_stmt(&mut stmt);
        if let Stmt::ClassDef(class) = &mut stmt {
            let of = class.name.to_string();
            let mut own: Vec<String> = Vec::new();
            for member in &mut class.body {
                let (name, value) = match member {
                    Stmt::Assign(a) => match (&a.targets[..], &mut a.value) {
                        ([Expr::Name(name)], value) => (name.id.to_string(), value),
                        _ => continue,
                    },
                    Stmt::AnnAssign(ast::StmtAnnAssign { target, annotation, value: Some(value), .. })
                        if is_class_variable(annotation) =>
                    {
                        match &**target {
                            Expr::Name(name) => (name.id.to_string(), value),
                            _ => continue,
                        }
                    }
                    _ => continue,
                };
                let name = format!("{of}.{name}");
                if has(&name) {
                    let range = value.range();
                    let given = std::mem::replace(&mut **value, later(&name, range));
                    read.push(assigned(&name, given, range));
                    own.push(name);
                }
            }
            // Some are assigned first outside of the class.
            let inside = class.body.iter().filter_map(|s| match s {
                Stmt::FunctionDef(f) => Some(f.name.as_str()),
                Stmt::AnnAssign(a) => a.target.as_name_expr().map(|n| n.id.as_str()),
                _ => None,
            });
            let inside: FxHashSet<String> = inside.map(|name| format!("{of}.{name}")).collect();
            let prefix = format!("{of}.");
            let mut new: Vec<&String> =
                found.iter().filter(|n| n.starts_with(&prefix) && !own.contains(n) && !inside.contains(*n)).collect();
            new.sort_unstable();
            for name in new {
                let range = TextRange::empty(class.end());
                let target = name_at(&name[prefix.len()..], range);
                class.body.push(assignment(target, later(name, range), range));
            }
        }
        read.push(stmt);
    }
    Some(read)
}

/// The file with names for expressions at these places.
pub fn named(body: &[Stmt], places: &FxHashSet<TextRange>) -> Vec<Stmt> {
    struct Named<'p> {
        places: &'p FxHashSet<TextRange>,
        found: std::cell::RefCell<Vec<Stmt>>,
    }
    impl Transformer for Named<'_> {
        fn visit_expr(&self, expr: &mut Expr) {
            if !self.places.contains(&expr.range()) {
                return transformer::walk_expr(self, expr);
            }
            let range = expr.range();
            let name = format!("value {}", u32::from(range.start()));
            let given = std::mem::replace(expr, later(&name, range));
            self.found.borrow_mut().push(assigned(&name, given, range));
        }
    }
    let mut read = Vec::new();
    for stmt in body {
        let named = Named { places, found: Default::default() };
        let mut stmt = stmt.clone();
        if matches!(stmt, Stmt::FunctionDef(_) | Stmt::ClassDef(_)) {
            named.visit_stmt(&mut stmt);
        }
        read.extend(named.found.into_inner());
        read.push(stmt);
    }
    read
}

/// The value of a name in the end, read where it is needed.
fn later(name: &str, range: TextRange) -> Expr {
    let body = name_at(name, range).into();
    let function = Expr::Lambda(ast::ExprLambda { node_index: Default::default(), range, parameters: None, body });
    call(function, Vec::new(), range)
}

fn assigned(name: &str, value: Expr, range: TextRange) -> Stmt {
    let target = Expr::Name(ast::ExprName { node_index: Default::default(), range, id: name.into(), ctx: ExprContext::Store });
    assignment(target, value, range)
}

/// The name of a variable of a class: `C.n`, written `C.n`.
fn variable(expr: &Expr, is_class: impl Fn(&str) -> bool) -> Option<String> {
    let Expr::Attribute(a) = expr else { return None };
    let class = a.value.as_name_expr().filter(|n| is_class(&n.id))?;
    Some(format!("{}.{}", class.id, a.attr))
}

/// Looks for the variables of classes that are assigned, or whose objects are changed, anywhere.
struct Changed<'a> {
    classes: FxHashSet<&'a str>,
    found: FxHashSet<String>,
}

impl Changed<'_> {
    fn place(&mut self, mut expr: &Expr) {
        loop {
            if let Some(name) = variable(expr, |c| self.classes.contains(c)) {
                self.found.insert(name);
                return;
            }
            expr = match expr {
                Expr::Subscript(s) => &s.value,
                Expr::Attribute(a) => &a.value,
                Expr::Starred(s) => &s.value,
                Expr::Tuple(ast::ExprTuple { elts, .. }) | Expr::List(ast::ExprList { elts, .. }) => {
                    return elts.iter().for_each(|e| self.place(e));
                }
                _ => return,
            };
        }
    }
}

impl<'a> Visitor<'a> for Changed<'_> {
    fn visit_stmt(&mut self, stmt: &'a Stmt) {
        match stmt {
            Stmt::Assign(a) => a.targets.iter().for_each(|t| self.place(t)),
            Stmt::AugAssign(a) => self.place(&a.target),
            Stmt::AnnAssign(a) => self.place(&a.target),
            Stmt::Delete(d) => d.targets.iter().for_each(|t| self.place(t)),
            Stmt::For(f) => self.place(&f.target),
            _ => {}
        }
        walk_stmt(self, stmt);
    }

    fn visit_expr(&mut self, expr: &'a Expr) {
        if let Expr::Call(c) = expr
            && let Expr::Attribute(a) = &*c.func
            && super::facts::changes(&a.attr)
        {
            self.place(&a.value);
        }
        walk_expr(self, expr);
    }
}

/// Writes these variables of classes as names.
struct Qualified<'f>(&'f FxHashSet<String>);

impl Transformer for Qualified<'_> {
    fn visit_stmt(&self, stmt: &mut Stmt) {
        // A class may have its name for something else in one of its functions.
        let hidden = match &*stmt {
            Stmt::FunctionDef(f) => {
                let scope = Scope::of(Def::Function(f));
                self.0.iter().any(|name| name.split('.').next().is_some_and(|class| scope.get(class).is_some()))
            }
            _ => false,
        };
        if hidden {
            return;
        }
        transformer::walk_stmt(self, stmt);
        if let Stmt::FunctionDef(f) = stmt {
            let mut names: Vec<&str> = Vec::new();
            bindings(&f.body, &mut |name, _, _| names.extend(self.0.contains(name).then_some(name)));
            let names: Vec<Identifier> = names.into_iter().map(|name| Identifier::new(name, f.name.range())).collect();
            if !names.is_empty() {
                let range = f.name.range();
                f.body.insert(0, Stmt::Global(ast::StmtGlobal { node_index: Default::default(), range, names }));
            }
        }
    }

    fn visit_expr(&self, expr: &mut Expr) {
        match variable(expr, |_| true).filter(|name| self.0.contains(name)) {
            Some(name) => {
                let Expr::Attribute(a) = &*expr else { return };
                let (range, ctx) = (a.range, a.ctx);
                *expr = Expr::Name(ast::ExprName { node_index: Default::default(), range, id: name.into(), ctx });
            }
            None => transformer::walk_expr(self, expr),
        }
    }
}
