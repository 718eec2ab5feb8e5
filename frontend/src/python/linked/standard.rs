//! Modules of CPython that are written in the language: a program that imports from them has them as files of its own.
//!
//! Names of `builtins` need no import. Of a module that the compiler has in part, `import m` names both parts. So what is written is imported by its name:
//!
//! ```text
//! import collections                   import collections
//!                                      from collections import deque as collections.deque
//! q = collections.deque(xs)            q = collections.deque(xs)                              one name
//! ```

use crate::python::init::{call, name_at};
use crate::python::names::Library;
use ruff_python_ast::visitor::transformer::{Transformer, walk_expr};
use ruff_python_ast::visitor::{self, Visitor};
use ruff_python_ast::{self as ast, Expr, Identifier, Stmt};
use ruff_text_size::{Ranged, TextRange};
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::Path;

/// The folder of these modules, which no path of a file leads to.
pub const FOLDER: &str = "<standard>";

/// Their names and texts.
const WRITTEN: [(&str, &str); 3] = [
    (BUILTINS, include_str!("../standard/builtins.py")),
    ("collections", include_str!("../standard/collections.py")),
    ("heapq", include_str!("../standard/heapq.py")),
];

/// The module of names that no file imports. No file takes its place.
pub const BUILTINS: &str = "builtins";

/// The text of a file in the folder.
pub fn text(file: &Path) -> Option<&'static str> {
    let is_it = |(name, _): &&(&str, &str)| Path::new(FOLDER).join(name).with_extension("py") == file;
    WRITTEN.iter().find(is_it).map(|(_, text)| *text)
}

/// Whether a name of a module, or the module itself, is written in the language.
pub fn has(module: &str, name: Option<&str>) -> bool {
    let Some((_, text)) = WRITTEN.iter().find(|(known, _)| *known == module) else { return false };
    match name {
        None | Some("*") => Library::from_name(module).is_none(),
        Some(name) => text.lines().any(|line| {
            let defined = line.strip_prefix("def ").or_else(|| line.strip_prefix("class "));
            defined.and_then(|rest| rest.split(['(', ':']).next()) == Some(name)
        }),
    }
}

/// The statements of a file, with the written names of modules that it imports as a whole, and those of builtins, imported by themselves
/// before each statement that has them. A set that is written out is a call: `{a, b}` is `set([a, b])`.
pub fn with_names(body: Vec<Stmt>) -> Vec<Stmt> {
    let mut modules: FxHashMap<String, &'static str> = FxHashMap::default();
    for stmt in &body {
        for alias in stmt.as_import_stmt().into_iter().flat_map(|i| &i.names) {
            if let Some((module, _)) = WRITTEN.iter().find(|(name, _)| *name == alias.name.as_str() && !has(name, None)) {
                modules.insert(alias.asname.as_ref().unwrap_or(&alias.name).to_string(), module);
            }
        }
    }
    let used = Used { modules, bound: Bound::of(&body), names: RefCell::default() };
    let mut whole = Vec::with_capacity(body.len());
    for mut stmt in body {
        used.visit_stmt(&mut stmt);
        let names = used.names.take();
        whole.extend(names.into_iter().map(|(global, found)| import(&global, found, stmt.range())));
        whole.push(stmt);
    }
    whole
}

/// `from module import name as global`.
fn import(global: &str, (module, name, place): Found, before: TextRange) -> Stmt {
    let identifier = |text: &str| Identifier::new(text, place);
    // Imports are told apart by their places.
    let alias = ast::Alias {
        node_index: Default::default(),
        range: place,
        name: identifier(name.as_str()),
        asname: Some(identifier(global)),
    };
    Stmt::ImportFrom(ast::StmtImportFrom {
        node_index: Default::default(),
        range: TextRange::empty(before.start()),
        module: Some(identifier(module)),
        names: vec![alias],
        level: 0,
        is_lazy: false,
    })
}

/// A name: its module, what it is called there, and a place where it is used.
type Found = (&'static str, String, TextRange);

/// The builtins that a file gives another meaning somewhere.
#[derive(Default)]
struct Bound(FxHashSet<String>);

impl Bound {
    fn of(body: &[Stmt]) -> Bound {
        let mut bound = Bound::default();
        bound.visit_body(body);
        bound
    }

    fn add(&mut self, name: &str) {
        if has(BUILTINS, Some(name)) {
            self.0.insert(name.into());
        }
    }
}

impl<'a> Visitor<'a> for Bound {
    fn visit_stmt(&mut self, stmt: &'a Stmt) {
        match stmt {
            Stmt::FunctionDef(f) => self.add(&f.name),
            Stmt::ClassDef(c) => self.add(&c.name),
            Stmt::Import(i) => i.names.iter().for_each(|a| self.add(a.asname.as_ref().unwrap_or(&a.name))),
            Stmt::ImportFrom(i) => i.names.iter().for_each(|a| self.add(a.asname.as_ref().unwrap_or(&a.name))),
            _ => {}
        }
        visitor::walk_stmt(self, stmt);
    }

    fn visit_expr(&mut self, expr: &'a Expr) {
        if let Expr::Name(n) = expr
            && n.ctx.is_store()
        {
            self.add(&n.id);
        }
        visitor::walk_expr(self, expr);
    }

    fn visit_parameter(&mut self, parameter: &'a ast::Parameter) {
        self.add(&parameter.name);
    }
}

/// Gives the written names of modules one name each.
struct Used {
    modules: FxHashMap<String, &'static str>,
    bound: Bound,
    names: RefCell<BTreeMap<String, Found>>,
}

impl Used {
    /// The name that a file has for a name of a module.
    fn named(&self, module: &'static str, name: &str, place: TextRange) -> Expr {
        let global = format!("{module}.{name}");
        let expr = name_at(&global, place);
        self.names.borrow_mut().insert(global, (module, name.into(), place));
        expr
    }
}

impl Transformer for Used {
    fn visit_annotation(&self, _: &mut Expr) {}

    fn visit_expr(&self, expr: &mut Expr) {
        match expr {
            Expr::Attribute(a) => {
                let module = a.value.as_name_expr().and_then(|n| self.modules.get(n.id.as_str()).copied());
                if let Some(module) = module.filter(|module| has(module, Some(&a.attr))) {
                    *expr = self.named(module, &a.attr.clone(), a.range);
                    return;
                }
            }
            Expr::Name(n) if n.ctx.is_load() && has(BUILTINS, Some(&n.id)) && !self.bound.0.contains(n.id.as_str()) => {
                *expr = self.named(BUILTINS, &n.id.clone(), n.range);
                return;
            }
            // What is looked for among a few elements is compared with each.
            Expr::Compare(c) => {
                for (op, of) in c.ops.iter().zip(&mut c.comparators) {
                    if let (ast::CmpOp::In | ast::CmpOp::NotIn, Expr::Set(s)) = (op, &mut *of) {
                        *of = list(std::mem::take(&mut s.elts), s.range);
                    }
                }
            }
            Expr::Set(s) => {
                *expr = call(self.named(BUILTINS, "set", s.range), vec![list(std::mem::take(&mut s.elts), s.range)], s.range);
            }
            Expr::SetComp(c) => {
                let elements = ast::ExprListComp {
                    node_index: Default::default(),
                    range: c.range,
                    elt: c.elt.clone(),
                    generators: std::mem::take(&mut c.generators),
                };
                *expr = call(self.named(BUILTINS, "set", c.range), vec![Expr::ListComp(elements)], c.range);
            }
            _ => {}
        }
        walk_expr(self, expr);
    }
}

/// A list of these elements.
fn list(elts: Vec<Expr>, range: TextRange) -> Expr {
    Expr::List(ast::ExprList { node_index: Default::default(), range, elts, ctx: ast::ExprContext::Load })
}
