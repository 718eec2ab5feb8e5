//! The statements of a program that its file needs.

use crate::python::scope::bindings;
use ruff_python_ast::visitor::{Visitor, walk_expr, walk_stmt};
use ruff_python_ast::{Expr, Stmt};
use rustc_hash::{FxHashMap, FxHashSet};

/// The statements of the files, in the order in which they run; the file itself, which comes last, has all of its own. Of another file
/// these are needed: statements that bind a name that is needed, and those that may change what it stands for.
pub fn reached(files: Vec<Vec<Stmt>>) -> Vec<Stmt> {
    let main = files.last().map_or(0, Vec::len);
    let body: Vec<Stmt> = files.into_iter().flatten().collect();
    let others = body.len() - main;
    let mut by_name: FxHashMap<&str, Vec<usize>> = FxHashMap::default();
    for (i, stmt) in body[..others].iter().enumerate() {
        let mut binds: Vec<&str> = Vec::new();
        bindings(std::slice::from_ref(stmt), &mut |name, _, _| binds.push(name));
        if !is_definition(stmt) {
            binds.extend(mentioned(stmt));
        }
        binds.into_iter().for_each(|name| by_name.entry(name).or_default().push(i));
    }
    let mut is_needed = vec![false; others];
    let mut seen: FxHashSet<&str> = FxHashSet::default();
    let mut work: Vec<&str> = body[others..].iter().flat_map(mentioned).collect();
    while let Some(name) = work.pop() {
        if !seen.insert(name) {
            continue;
        }
        for &i in by_name.get(name).into_iter().flatten() {
            if !std::mem::replace(&mut is_needed[i], true) {
                work.extend(mentioned(&body[i]));
            }
        }
    }
    let mut is_needed = is_needed.into_iter();
    body.into_iter().filter(|_| is_needed.next().unwrap_or(true)).collect()
}

/// Whether a statement does nothing but bind names.
fn is_definition(stmt: &Stmt) -> bool {
    match stmt {
        Stmt::FunctionDef(_) | Stmt::ClassDef(_) | Stmt::Import(_) | Stmt::ImportFrom(_) => true,
        Stmt::Assign(a) => a.targets.iter().all(Expr::is_name_expr) && !a.value.is_call_expr(),
        Stmt::AnnAssign(a) => a.target.is_name_expr(),
        _ => false,
    }
}

/// The names that a statement mentions anywhere.
fn mentioned(stmt: &Stmt) -> Vec<&str> {
    struct Mentioned<'a>(Vec<&'a str>);
    impl<'a> Visitor<'a> for Mentioned<'a> {
        fn visit_stmt(&mut self, stmt: &'a Stmt) {
            if let Stmt::Global(g) = stmt {
                self.0.extend(g.names.iter().map(|name| name.as_str()));
            }
            walk_stmt(self, stmt);
        }
        fn visit_expr(&mut self, expr: &'a Expr) {
            if let Expr::Name(n) = expr {
                self.0.push(&n.id);
            }
            walk_expr(self, expr);
        }
    }
    let mut mentioned = Mentioned(Vec::new());
    mentioned.visit_stmt(stmt);
    mentioned.0
}
