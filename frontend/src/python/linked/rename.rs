//! The statements of a file with the names that all files of the program share.

use super::find::Module;
use super::meaning::{Names, Target};
use super::{Imported, Unit};
use crate::python::init::{assignment, name_at};
use crate::python::module::flattened;
use crate::python::scope::{Binding, Def, Scope, bindings};
use crate::python::span_of;
use ruff_python_ast::visitor::transformer::{self, Transformer};
use ruff_python_ast::{self as ast, Expr, ExprContext, Identifier, Stmt};
use ruff_text_size::{Ranged, TextRange};
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::RefCell;

/// How the name of a module begins that is used as a value.
pub const MODULE: &str = "module ";

/// The statements of a file, as they stand in the program.
pub fn renamed(names: &Names<'_>, unit: usize) -> Vec<Stmt> {
    let mut body = names.units[unit].body.clone();
    let rename = Rename { names, unit, of: &names.units[unit], frames: RefCell::default() };
    body.iter_mut().for_each(|stmt| rename.visit_stmt(stmt));
    // Several statements may have come in place of one.
    flattened(body)
}

/// Names that code around binds.
struct Frame {
    bound: FxHashSet<String>,
    /// The imports among them.
    imports: FxHashMap<String, Imported>,
    /// Whether it is the body of a class, which functions in it do not see.
    is_class: bool,
    /// Names of the top level that the code assigns by way of a module: `helper.x = 1.0`.
    assigned: Vec<String>,
}

impl Frame {
    fn of(scope: &Scope<'_>, unit: &Unit) -> Frame {
        let bound = scope.names().map(str::to_string).collect();
        let import = |name: &str| match scope.get(name)? {
            Binding::Import(import) => unit.imports.get(&import.span()).cloned(),
            _ => None,
        };
        let imports = scope.names().filter_map(|name| Some((name.to_string(), import(name)?))).collect();
        Frame { bound, imports, is_class: false, assigned: Vec::new() }
    }
}

struct Rename<'n> {
    names: &'n Names<'n>,
    unit: usize,
    of: &'n Unit,
    frames: RefCell<Vec<Frame>>,
}

impl Rename<'_> {
    /// What a name means here; none if it is one of a function, or of nothing in the program.
    fn target(&self, name: &str) -> Option<Target> {
        let frames = self.frames.borrow();
        for (i, frame) in frames.iter().enumerate().rev() {
            if frame.is_class && i + 1 < frames.len() {
                continue;
            }
            match frame.imports.get(name) {
                Some(Imported::Module(module) | Imported::All(module)) => return Some(Target::Module(module.clone())),
                Some(Imported::Name(module, name)) => return Some(self.names.member(module, name)),
                None if frame.bound.contains(name) => return None,
                None => {}
            }
        }
        self.names.target(self.unit, name)
    }

    /// The module that an expression stands for.
    fn module(&self, expr: &Expr) -> Option<Module> {
        let target = match expr {
            Expr::Name(n) => self.target(&n.id)?,
            Expr::Attribute(a) => self.names.member(&self.module(&a.value)?, &a.attr),
            _ => return None,
        };
        match target {
            Target::Module(module) => Some(module),
            Target::Name(_) => None,
        }
    }

    /// The name that all files have for one that is bound here.
    fn bound(&self, name: &str) -> Option<String> {
        match self.target(name)? {
            Target::Name(global) => Some(global),
            Target::Module(_) => None,
        }
    }

    fn identifier(&self, name: &mut Identifier) {
        if let Some(global) = self.bound(name) {
            name.id = global.into();
        }
    }

    /// Does something to the body of a function or class.
    fn within(&self, frame: Frame, visit: impl FnOnce()) -> Frame {
        self.frames.borrow_mut().push(frame);
        visit();
        self.frames.borrow_mut().pop().expect("it was pushed")
    }

    fn function(&self, f: &mut ast::StmtFunctionDef) {
        f.decorator_list.iter_mut().for_each(|d| self.visit_decorator(d));
        self.visit_parameters(&mut f.parameters);
        if let Some(returns) = &mut f.returns {
            self.visit_annotation(returns);
        }
        let frame = Frame::of(&Scope::of(Def::Function(f)), self.of);
        let mut assigned = self.within(frame, || self.visit_body(&mut f.body)).assigned;
        if !assigned.is_empty() {
            assigned.sort_unstable();
            assigned.dedup();
            let range = TextRange::empty(f.body.first().map_or(f.start(), Ranged::start));
            let names = assigned.into_iter().map(|name| Identifier::new(name, range)).collect();
            f.body.insert(0, Stmt::Global(ast::StmtGlobal { node_index: Default::default(), range, names }));
        }
        self.identifier(&mut f.name);
    }

    fn class(&self, c: &mut ast::StmtClassDef) {
        c.decorator_list.iter_mut().for_each(|d| self.visit_decorator(d));
        if let Some(arguments) = &mut c.arguments {
            self.visit_arguments(arguments);
        }
        let mut scope = Scope::default();
        bindings(&c.body, &mut |name, binding, _| scope.bind(name, binding));
        let frame = Frame { is_class: true, ..Frame::of(&scope, self.of) };
        self.within(frame, || self.visit_body(&mut c.body));
        self.identifier(&mut c.name);
    }

    /// What stands in place of an import: nothing where names are used as those of the module, an assignment where the name is bound
    /// in several ways, the import of other modules.
    fn import(&self, stmt: &Stmt) -> Vec<Stmt> {
        let mut stmts = Vec::new();
        let is_top = self.frames.borrow().is_empty();
        let is_file = self.unit + 1 == self.names.units.len();
        match stmt {
            Stmt::Import(i) => {
                for alias in &i.names {
                    let name =
                        alias.asname.as_ref().map_or_else(|| alias.name.split('.').next().unwrap_or_default(), |a| a.as_str());
                    if !(self.of.imports.contains_key(&span_of(alias)) && matches!(self.target(name), Some(Target::Module(_)))) {
                        let mut alias = alias.clone();
                        self.outside(&mut alias, name);
                        stmts.push(Stmt::Import(ast::StmtImport { names: vec![alias], ..i.clone() }));
                    }
                }
            }
            Stmt::ImportFrom(i) => {
                for alias in &i.names {
                    let name = alias.asname.as_ref().unwrap_or(&alias.name).as_str();
                    let mut plain = |name: &str, asname: Option<Identifier>| {
                        let alias = ast::Alias { name: Identifier::new(name, alias.name.range), asname, ..alias.clone() };
                        stmts.push(Stmt::ImportFrom(ast::StmtImportFrom { names: vec![alias], ..i.clone() }));
                    };
                    match self.of.imports.get(&span_of(alias)) {
                        Some(Imported::All(_)) => {}
                        None if alias.name.as_str() == "*" => {
                            // Other files do not see these names.
                            let module = i.module.as_ref().map_or("", |m| m.as_str());
                            if is_file || !is_top || crate::python::names::Library::from_name(module).is_none() {
                                plain("*", None);
                                continue;
                            }
                            for (name, global) in self.names.by_star(self.unit, module) {
                                plain(name, (name != global).then(|| Identifier::new(global, alias.range)));
                            }
                        }
                        None => {
                            let mut named = alias.clone();
                            self.outside(&mut named, name);
                            plain(&alias.name, named.asname);
                        }
                        Some(Imported::Module(_)) => unreachable!("`from` imports names"),
                        Some(Imported::Name(module, inner)) => {
                            let Target::Name(value) = self.names.member(module, inner) else { continue };
                            // A function that the file imports may be asked for by its name here.
                            let is_asked = is_top && is_file && value != name;
                            let is_local = |f: &Frame| f.bound.contains(name) && !f.imports.contains_key(name);
                            let target = match self.bound(name) {
                                Some(target) if target != value => Some(target),
                                _ if is_asked || self.frames.borrow().last().is_some_and(is_local) => Some(name.into()),
                                _ => None,
                            };
                            if let Some(target) = target {
                                let mut target = name_at(&target, alias.range);
                                set_context(&mut target, ExprContext::Store);
                                stmts.push(assignment(target, name_at(&value, alias.range), alias.range));
                            }
                        }
                    }
                }
            }
            _ => unreachable!("an import"),
        }
        stmts
    }

    /// Gives the name of the program to one that is of no file of it.
    fn outside(&self, alias: &mut ast::Alias, name: &str) {
        if let Some(global) = self.bound(name)
            && global != name
        {
            let range = alias.range;
            // `import a.b` gives `a`.
            if alias.asname.is_none() && alias.name.contains('.') {
                alias.name = Identifier::new(name, range);
            }
            alias.asname = Some(Identifier::new(global, range));
        }
    }

    fn name(&self, expr: &mut Expr, global: String) {
        let ctx = match expr {
            Expr::Name(n) => n.ctx,
            Expr::Attribute(a) => a.ctx,
            _ => ExprContext::Load,
        };
        // Who assigns a name of a module in a function assigns one of the top level.
        if expr.is_attribute_expr()
            && ctx != ExprContext::Load
            && let Some(frame) = self.frames.borrow_mut().iter_mut().rev().find(|f| !f.is_class)
        {
            frame.assigned.push(global.clone());
        }
        *expr = name_at(&global, expr.range());
        set_context(expr, ctx);
    }

    /// A comprehension: its names are bound in all but the first of what it goes over.
    fn comprehension(&self, parts: Vec<&mut Expr>, clauses: &mut [ast::Comprehension]) {
        if let Some(first) = clauses.first_mut() {
            self.visit_expr(&mut first.iter);
        }
        let scope = Scope::of_clauses(clauses);
        let frame = Frame::of(&scope, self.of);
        self.within(frame, || {
            parts.into_iter().for_each(|part| self.visit_expr(part));
            for (i, clause) in clauses.iter_mut().enumerate() {
                self.visit_expr(&mut clause.target);
                if i > 0 {
                    self.visit_expr(&mut clause.iter);
                }
                clause.ifs.iter_mut().for_each(|test| self.visit_expr(test));
            }
        });
    }
}

impl Transformer for Rename<'_> {
    fn visit_stmt(&self, stmt: &mut Stmt) {
        match stmt {
            Stmt::FunctionDef(f) => self.function(f),
            Stmt::ClassDef(c) => self.class(c),
            Stmt::Global(g) => {
                for name in &mut g.names {
                    if let Some(Target::Name(global)) = self.names.target(self.unit, name) {
                        name.id = global.into();
                    }
                }
            }
            Stmt::Import(_) | Stmt::ImportFrom(_) => {
                let range = stmt.range();
                let mut new = self.import(stmt);
                *stmt = match new.len() {
                    0 => Stmt::Pass(ast::StmtPass { node_index: Default::default(), range }),
                    1 => new.remove(0),
                    _ => super::always(new, range),
                };
            }
            _ => transformer::walk_stmt(self, stmt),
        }
    }

    fn visit_expr(&self, expr: &mut Expr) {
        match expr {
            Expr::Name(n) => match self.target(&n.id) {
                Some(Target::Name(global)) => self.name(expr, global),
                // No name of a program has a space in it.
                Some(Target::Module(_)) => n.id = format!("{MODULE}{}", n.id).into(),
                None => {}
            },
            Expr::Attribute(a) => match self.module(&a.value) {
                Some(module) => {
                    if let Target::Name(global) = self.names.member(&module, &a.attr) {
                        self.name(expr, global);
                    }
                }
                None => transformer::walk_expr(self, expr),
            },
            Expr::Lambda(l) => {
                if let Some(parameters) = &mut l.parameters {
                    self.visit_parameters(parameters);
                }
                let frame = Frame::of(&Scope::of(Def::Lambda(l)), self.of);
                self.within(frame, || self.visit_expr(&mut l.body));
            }
            Expr::ListComp(c) => self.comprehension(vec![&mut c.elt], &mut c.generators),
            Expr::SetComp(c) => self.comprehension(vec![&mut c.elt], &mut c.generators),
            Expr::Generator(c) => self.comprehension(vec![&mut c.elt], &mut c.generators),
            Expr::DictComp(c) => {
                let parts = c.key.as_deref_mut().into_iter().chain([&mut *c.value]).collect();
                self.comprehension(parts, &mut c.generators);
            }
            _ => transformer::walk_expr(self, expr),
        }
    }

    fn visit_except_handler(&self, handler: &mut ast::ExceptHandler) {
        let ast::ExceptHandler::ExceptHandler(h) = handler;
        if let Some(name) = &mut h.name {
            self.identifier(name);
        }
        transformer::walk_except_handler(self, handler);
    }

    fn visit_pattern(&self, pattern: &mut ast::Pattern) {
        match pattern {
            ast::Pattern::MatchStar(ast::PatternMatchStar { name, .. })
            | ast::Pattern::MatchAs(ast::PatternMatchAs { name, .. })
            | ast::Pattern::MatchMapping(ast::PatternMatchMapping { rest: name, .. }) => {
                name.iter_mut().for_each(|name| self.identifier(name));
            }
            _ => {}
        }
        transformer::walk_pattern(self, pattern);
    }
}

fn set_context(expr: &mut Expr, ctx: ExprContext) {
    if let Expr::Name(n) = expr {
        n.ctx = ctx;
    }
}
