//! The statements of a program that some of it needs.

use crate::python::class::last_name;
use crate::python::names::{Library, is_builtin};
use crate::python::scope::bindings;
use ruff_python_ast::visitor::{Visitor, walk_expr, walk_stmt};
use ruff_python_ast::{self as ast, Expr, Stmt};
use rustc_hash::{FxHashMap, FxHashSet};

/// Which statements are needed where these names are: those that bind a name that is needed, and those that may change what it stands
/// for, themselves or by what they call.
pub fn reached<'a>(body: &[&'a Stmt], names: Vec<&'a str>) -> Vec<bool> {
    let mut binding: FxHashMap<&str, Vec<usize>> = FxHashMap::default();
    let mut mentioning: FxHashMap<&str, Vec<usize>> = FxHashMap::default();
    let mut objects: FxHashSet<&str> = FxHashSet::default();
    let mut handed_on: FxHashSet<&str> = FxHashSet::default();
    let mentions = body.iter().map(|stmt| {
        let all = Mentioned::of(stmt);
        handed_on.extend(all.handed_on);
        all.names
    });
    let mentions: Vec<Vec<&str>> = mentions.collect();
    let mut bound: Vec<Vec<&str>> = Vec::with_capacity(body.len());
    for (i, stmt) in body.iter().enumerate() {
        let value = match stmt {
            Stmt::Assign(a) => Some(&*a.value),
            Stmt::AnnAssign(a) => a.value.as_deref(),
            _ => None,
        };
        let mut names = Vec::new();
        bindings(std::slice::from_ref(stmt), &mut |name, _, _| names.push(name));
        names.iter().for_each(|name| binding.entry(name).or_default().push(i));
        if value.is_some_and(|value| is_object(value, &objects)) {
            objects.extend(&names);
        }
        bound.push(names);
        mentions[i].iter().for_each(|name| mentioning.entry(name).or_default().push(i));
    }
    objects.retain(|name| handed_on.contains(name));
    let mut is_needed = vec![false; body.len()];
    let (mut needed, mut changing): (FxHashSet<&str>, FxHashSet<&str>) = Default::default();
    // Names that are needed, and those whose code may change the object of such a name.
    let (mut work, mut may_change) = (names, Vec::new());
    loop {
        let mut found = Vec::new();
        if let Some(name) = work.pop() {
            if needed.insert(name) {
                let by = binding.get(name).map_or(&[][..], |by| by);
                found.extend(by);
                // What no file has itself stays as it is.
                let is_own = by.iter().any(|&i| !matches!(body[i], Stmt::Import(_) | Stmt::ImportFrom(_)));
                let by_name = mentioning.get(name).filter(|_| is_own).map_or(&[][..], |by| by);
                found.extend(by_name.iter().filter(|&&i| matches!(does(body[i]), Does::Act)));
                may_change.extend(objects.get(name).copied());
            }
        } else if let Some(name) = may_change.pop() {
            if changing.insert(name) {
                for &i in mentioning.get(name).into_iter().flatten() {
                    match does(body[i]) {
                        Does::Bind => {}
                        Does::Call | Does::Act => found.push(i),
                    }
                    may_change.extend(&bound[i]);
                }
            }
        } else {
            return is_needed;
        }
        for i in found {
            if !std::mem::replace(&mut is_needed[i], true) {
                work.extend(&mentions[i]);
            }
        }
    }
}

/// What a statement of the top level does.
enum Does {
    /// It binds names, and calls nothing.
    Bind,
    /// It calls something, for the value of a name.
    Call,
    /// It may do something to whatever it mentions.
    Act,
}

fn does(stmt: &Stmt) -> Does {
    let by_value = |value: Option<&Expr>| if value.is_some_and(calls) { Does::Call } else { Does::Bind };
    match stmt {
        Stmt::FunctionDef(f) if f.decorator_list.is_empty() => Does::Bind,
        Stmt::FunctionDef(_) => Does::Call,
        Stmt::ClassDef(_) | Stmt::Import(_) | Stmt::ImportFrom(_) | Stmt::Pass(_) => Does::Bind,
        Stmt::Assign(a) if a.targets.iter().all(Expr::is_name_expr) => by_value(Some(&a.value)),
        Stmt::AnnAssign(a) if a.target.is_name_expr() => by_value(a.value.as_deref()),
        Stmt::Expr(e) if e.value.is_string_literal_expr() => Does::Bind,
        Stmt::If(i) => all_do(i.body.iter().chain(i.elif_else_clauses.iter().flat_map(|c| &c.body))),
        Stmt::Try(t) => {
            let handlers = t.handlers.iter().flat_map(|ast::ExceptHandler::ExceptHandler(h)| &h.body);
            all_do(t.body.iter().chain(handlers).chain(&t.orelse).chain(&t.finalbody))
        }
        _ => Does::Act,
    }
}

fn all_do<'a>(mut stmts: impl Iterator<Item = &'a Stmt>) -> Does {
    if stmts.all(|stmt| matches!(does(stmt), Does::Bind)) { Does::Bind } else { Does::Act }
}

/// Whether the value of an expression may be an object that can be changed, where these names stand for such.
fn is_object(expr: &Expr, objects: &FxHashSet<&str>) -> bool {
    let is = |e: &Expr| is_object(e, objects);
    match expr {
        Expr::Name(n) => objects.contains(n.id.as_str()),
        Expr::Attribute(a) => is(&a.value),
        Expr::UnaryOp(u) => is(&u.operand),
        Expr::BinOp(b) => is(&b.left) || is(&b.right),
        Expr::BoolOp(b) => b.values.iter().any(is),
        Expr::If(i) => is(&i.body) || is(&i.orelse),
        Expr::Call(c) if last_name(&c.func).is_some_and(|name| Library::Math.item(name).is_some()) => {
            c.arguments.args.iter().any(is)
        }
        Expr::Compare(_) | Expr::Lambda(_) | Expr::FString(_) => false,
        _ => !expr.is_literal_expr(),
    }
}

/// Whether an expression calls something, other than in a function that it makes.
fn calls(expr: &Expr) -> bool {
    struct Calls(bool);
    impl<'a> Visitor<'a> for Calls {
        fn visit_expr(&mut self, expr: &'a Expr) {
            self.0 |= expr.is_call_expr();
            if !expr.is_lambda_expr() {
                walk_expr(self, expr);
            }
        }
    }
    let mut calls = Calls(false);
    calls.visit_expr(expr);
    calls.0
}

/// The names that a statement mentions anywhere.
pub fn mentioned(stmt: &Stmt) -> Vec<&str> {
    Mentioned::of(stmt).names
}

#[derive(Default)]
struct Mentioned<'a> {
    names: Vec<&'a str>,
    /// Those whose objects may be changed by whoever gets them; others are looked at: `x[i]`, `k in x`, `x.get(k)`.
    handed_on: Vec<&'a str>,
    is_annotation: bool,
}

impl<'a> Mentioned<'a> {
    fn of(stmt: &'a Stmt) -> Mentioned<'a> {
        let mut mentioned = Mentioned::default();
        mentioned.visit_stmt(stmt);
        mentioned
    }

    /// An expression whose value is looked at, and no more.
    fn look(&mut self, expr: &'a Expr) {
        match expr {
            Expr::Name(n) => self.names.push(&n.id),
            other => self.visit_expr(other),
        }
    }
}

impl<'a> Visitor<'a> for Mentioned<'a> {
    fn visit_stmt(&mut self, stmt: &'a Stmt) {
        match stmt {
            Stmt::Global(g) => self.names.extend(g.names.iter().map(|name| name.as_str())),
            Stmt::For(f) => {
                self.look(&f.iter);
                self.visit_expr(&f.target);
                self.visit_body(&f.body);
                self.visit_body(&f.orelse);
            }
            _ => walk_stmt(self, stmt),
        }
    }

    fn visit_annotation(&mut self, expr: &'a Expr) {
        self.is_annotation = true;
        self.visit_expr(expr);
        self.is_annotation = false;
    }

    fn visit_comprehension(&mut self, clause: &'a ast::Comprehension) {
        self.look(&clause.iter);
        self.visit_expr(&clause.target);
        clause.ifs.iter().for_each(|test| self.visit_expr(test));
    }

    fn visit_expr(&mut self, expr: &'a Expr) {
        const LOOK: &[&str] = &["copy", "count", "get", "index", "items", "keys", "values"];
        match expr {
            Expr::Name(n) => {
                self.names.push(&n.id);
                if n.ctx.is_load() {
                    self.handed_on.push(&n.id);
                }
            }
            // `left: "Tree | None"`
            Expr::StringLiteral(s) if self.is_annotation => {
                self.names.extend(s.value.to_str().split(|c: char| !(c.is_alphanumeric() || c == '_')));
            }
            Expr::Subscript(s) if s.ctx.is_load() => {
                self.look(&s.value);
                self.visit_expr(&s.slice);
            }
            Expr::Compare(c) => std::iter::once(&*c.left).chain(&c.comparators).for_each(|e| self.look(e)),
            Expr::BinOp(b) => [&*b.left, &*b.right].into_iter().for_each(|e| self.look(e)),
            Expr::UnaryOp(u) => self.look(&u.operand),
            Expr::Call(c) => {
                match &*c.func {
                    Expr::Attribute(a) if LOOK.contains(&a.attr.as_str()) => self.look(&a.value),
                    // A function is no object that calls change.
                    func => self.look(func),
                }
                let looks = matches!(&*c.func, Expr::Name(n) if is_builtin(&n.id));
                let args = c.arguments.args.iter().chain(c.arguments.keywords.iter().map(|k| &k.value));
                args.for_each(|arg| if looks { self.look(arg) } else { self.visit_expr(arg) });
            }
            _ => walk_expr(self, expr),
        }
    }
}
