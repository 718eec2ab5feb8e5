//! Modules of CPython that are written in the language: a program that imports from them has them as files of its own.
//!
//! Of a module that the compiler has in part, `import m` names both parts. So what is written is imported by its name:
//!
//! ```text
//! import collections                   import collections
//!                                      from collections import deque as collections.deque
//! q = collections.deque(xs)            q = collections.deque(xs)                              one name
//! ```

use crate::python::names::Library;
use crate::python::rules::name_at;
use ruff_python_ast::visitor::transformer::{Transformer, walk_expr};
use ruff_python_ast::{self as ast, Expr, Identifier, Stmt};
use ruff_text_size::{Ranged, TextRange};
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::Path;

/// The folder of these modules, which no path of a file leads to.
pub const FOLDER: &str = "<standard>";

/// Their names and texts.
const WRITTEN: [(&str, &str); 2] =
    [("collections", include_str!("../standard/collections.py")), ("heapq", include_str!("../standard/heapq.py"))];

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

/// The statements of a file, with the written names of modules that it imports as a whole imported by themselves.
pub fn with_names(mut body: Vec<Stmt>) -> Vec<Stmt> {
    let mut modules: FxHashMap<String, &'static str> = FxHashMap::default();
    for stmt in &body {
        for alias in stmt.as_import_stmt().into_iter().flat_map(|i| &i.names) {
            if let Some((module, _)) = WRITTEN.iter().find(|(name, _)| *name == alias.name.as_str() && !has(name, None)) {
                modules.insert(alias.asname.as_ref().unwrap_or(&alias.name).to_string(), module);
            }
        }
    }
    if modules.is_empty() {
        return body;
    }
    let used = Used { modules, names: RefCell::default() };
    body.iter_mut().for_each(|stmt| used.visit_stmt(stmt));
    let Some(at) = body.iter().position(Stmt::is_import_stmt) else { return body };
    let range = body[at].range();
    for (global, (module, name, place)) in used.names.into_inner() {
        let identifier = |text: &str| Identifier::new(text, place);
        // Imports are told apart by their places.
        let alias = ast::Alias {
            node_index: Default::default(),
            range: place,
            name: identifier(name.as_str()),
            asname: Some(identifier(&global)),
        };
        let module = Some(identifier(module));
        body.insert(
            at + 1,
            Stmt::ImportFrom(ast::StmtImportFrom {
                node_index: Default::default(),
                range,
                module,
                names: vec![alias],
                level: 0,
                is_lazy: false,
            }),
        );
    }
    body
}

/// Gives the written names of modules one name each.
struct Used {
    modules: FxHashMap<String, &'static str>,
    /// Each with its module, its name there, and a place where it is used.
    names: RefCell<BTreeMap<String, (&'static str, String, TextRange)>>,
}

impl Transformer for Used {
    fn visit_expr(&self, expr: &mut Expr) {
        let found = expr.as_attribute_expr().and_then(|a| {
            let module = *self.modules.get(a.value.as_name_expr()?.id.as_str())?;
            has(module, Some(&a.attr)).then(|| (module, a.attr.to_string(), a.range))
        });
        let Some((module, name, range)) = found else { return walk_expr(self, expr) };
        let global = format!("{module}.{name}");
        *expr = Expr::Name(name_at(&global, range));
        self.names.borrow_mut().insert(global, (module, name, range));
    }
}
