//! Names that are private to a class, as Python reads them: `__x` inside of `class C` is `_C__x`, so a class and its bases may each have one.

use ruff_python_ast::visitor::transformer::{self, Transformer};
use ruff_python_ast::{self as ast, Expr, Stmt};

/// Reads the statements of a file.
pub fn read(mut body: Vec<Stmt>) -> Vec<Stmt> {
    let outside = Mangle("");
    body.iter_mut().for_each(|stmt| outside.visit_stmt(stmt));
    body
}

/// Renames what is in the class of this name; nothing where it is empty.
struct Mangle<'c>(&'c str);

impl Mangle<'_> {
    fn mangled(&self, name: &str) -> Option<String> {
        let is_private = name.starts_with("__") && !name.ends_with("__") && !self.0.is_empty();
        is_private.then(|| format!("_{}{name}", self.0))
    }
}

impl Transformer for Mangle<'_> {
    fn visit_stmt(&self, stmt: &mut Stmt) {
        if let Stmt::ClassDef(class) = stmt {
            let name = class.name.trim_start_matches('_').to_string();
            let mut body = std::mem::take(&mut class.body);
            body.iter_mut().for_each(|stmt| Mangle(&name).visit_stmt(stmt));
            // Its head is outside of it.
            transformer::walk_stmt(self, stmt);
            if let Stmt::ClassDef(class) = stmt {
                class.body = body;
            }
            return;
        }
        if let Stmt::FunctionDef(f) = stmt
            && let Some(name) = self.mangled(&f.name)
        {
            f.name.id = name.into();
        }
        transformer::walk_stmt(self, stmt);
    }

    fn visit_expr(&self, expr: &mut Expr) {
        match expr {
            Expr::Name(n) => {
                if let Some(name) = self.mangled(&n.id) {
                    n.id = name.into();
                }
            }
            Expr::Attribute(a) => {
                if let Some(name) = self.mangled(&a.attr) {
                    a.attr.id = name.into();
                }
            }
            _ => {}
        }
        transformer::walk_expr(self, expr);
    }

    fn visit_parameter(&self, parameter: &mut ast::Parameter) {
        if let Some(name) = self.mangled(&parameter.name) {
            parameter.name.id = name.into();
        }
        transformer::walk_parameter(self, parameter);
    }

    fn visit_keyword(&self, keyword: &mut ast::Keyword) {
        if let Some(arg) = &mut keyword.arg
            && let Some(name) = self.mangled(arg)
        {
            arg.id = name.into();
        }
        transformer::walk_keyword(self, keyword);
    }
}
