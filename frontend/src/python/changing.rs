//! Fields that change: those that the program assigns outside of what makes the instance, or whose lists, dicts and arrays it writes to.
//! Each is a mutable box in the record of the fields, so all that have the instance see what is assigned.
//!
//! ```text
//! class C:                                   class C:
//!     def __init__(self, x):                     x: object
//!         self.x = x                             def __init__(x):
//!                                    ⟹              `self.x` = a new box
//!                                                    `self.x`.set(x)
//!                                                    return C.__new__(`self.x`)
//!     def f(self):                               def f(self):
//!         self.x += 1.0                              self.x.set(self.x.get() + 1.0)
//! ```
//!
//! A program is lowered so if it reaches such an assignment. A field is told by its name: none of these names is a method, or a field
//! of a class whose instances are tuples or frozen.

use super::class::last_name;
use super::dataclass::Options;
use super::init::{assigned, is_maker};
use super::owned;
use ruff_python_ast::visitor::{Visitor, walk_expr, walk_stmt};
use ruff_python_ast::{self as ast, Expr, ExprContext, Stmt};
use rustc_hash::FxHashSet;

/// Where `__init__` has the box of a field, the attribute that is its content.
pub const CONTENT: &str = ".content";

/// The attribute of anything that is a new box.
pub const NEW: &str = ".new";

/// The names of the fields that change in a file.
pub fn fields(body: &[Stmt]) -> FxHashSet<String> {
    let mut find = Find::default();
    find.visit_body(body);
    let Find { mut found, fields, others, .. } = find;
    found.retain(|name| fields.contains(name) && !others.contains(name));
    found
}

#[derive(Default)]
struct Find {
    /// The name that what makes instances has for the instance.
    made: Option<String>,
    found: FxHashSet<String>,
    /// The fields that it assigns, and whether others have the instance before it is complete.
    assigned: Vec<String>,
    is_handed_on: bool,
    /// The names of fields of classes.
    fields: FxHashSet<String>,
    /// The names of members that are no fields that change.
    others: FxHashSet<String>,
}

impl Find {
    /// The attribute that an expression is, or is an element of, unless it is a field of an instance that is being made.
    fn changes(&mut self, mut expr: &Expr) {
        while let Expr::Subscript(s) = expr {
            expr = &s.value;
        }
        if let Expr::Attribute(a) = expr {
            match self.is_made(&a.value) {
                true => self.assigned.push(a.attr.to_string()),
                false => _ = self.found.insert(a.attr.to_string()),
            }
        }
    }

    fn is_made(&self, expr: &Expr) -> bool {
        matches!((expr, &self.made), (Expr::Name(n), Some(made)) if n.id == **made)
    }

    fn members(&mut self, class: &ast::StmtClassDef) {
        let is_tuple = class.bases().iter().any(|base| last_name(base) == Some("NamedTuple"));
        let is_frozen = Options::of(class).is_ok_and(|options| options.frozen);
        for stmt in &class.body {
            match stmt {
                Stmt::FunctionDef(f) => {
                    self.others.insert(f.name.to_string());
                    if let Some(first) = f.parameters.iter_non_variadic_params().next() {
                        self.fields.extend(assigned(f, first.name()).into_iter().map(|(name, ..)| name));
                    }
                }
                // Another name of a method.
                Stmt::Assign(a) if a.value.is_name_expr() || a.value.is_lambda_expr() => {
                    self.others.extend(a.targets.iter().filter_map(|t| Some(t.as_name_expr()?.id.to_string())));
                }
                Stmt::Assign(a) => self.fields.extend(a.targets.iter().filter_map(|t| Some(t.as_name_expr()?.id.to_string()))),
                Stmt::AnnAssign(a) => {
                    let names = if is_tuple || is_frozen { &mut self.others } else { &mut self.fields };
                    names.extend(a.target.as_name_expr().map(|n| n.id.to_string()));
                }
                _ => {}
            }
        }
    }
}

impl<'a> Visitor<'a> for Find {
    fn visit_stmt(&mut self, stmt: &'a Stmt) {
        match stmt {
            Stmt::FunctionDef(f) if is_maker(f) => {
                let around = std::mem::take(&mut self.made);
                self.made = f.parameters.iter_non_variadic_params().next().map(|p| p.name().to_string());
                walk_stmt(self, stmt);
                self.made = around;
                let assigned = std::mem::take(&mut self.assigned);
                // What others do to it before it is complete, they do to its boxes.
                if std::mem::take(&mut self.is_handed_on) {
                    self.found.extend(assigned);
                }
            }
            Stmt::ClassDef(class) => {
                self.members(class);
                walk_stmt(self, stmt);
            }
            _ => walk_stmt(self, stmt),
        }
    }

    fn visit_expr(&mut self, expr: &'a Expr) {
        match expr {
            Expr::Attribute(a) if a.ctx != ExprContext::Load => {
                self.changes(expr);
                if self.is_made(&a.value) {
                    return;
                }
            }
            Expr::Subscript(s) if s.ctx != ExprContext::Load => self.changes(expr),
            Expr::Call(c) => {
                self.is_handed_on |= c.func.as_attribute_expr().is_some_and(|a| self.is_made(&a.value));
                if let Expr::Attribute(method) = &*c.func
                    && owned::changes(&method.attr)
                {
                    self.changes(&method.value);
                }
            }
            // A field; a method has the instance.
            Expr::Attribute(a) if self.is_made(&a.value) => return,
            _ => self.is_handed_on |= self.is_made(expr),
        }
        walk_expr(self, expr);
    }
}
