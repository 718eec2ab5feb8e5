//! What names mean before any code runs: the names that the file and each function bind, found by a walk over statements.

use super::names::{Item, Library};
use super::span_of;
use gradus_ir::{Diagnostic, Span};
use ruff_python_ast::visitor::{Visitor, walk_expr, walk_stmt};
use ruff_python_ast::{self as ast, Expr, Stmt};
use ruff_text_size::Ranged;
use rustc_hash::FxHashMap;

/// An imported name: a module, or a name in it.
#[derive(Clone, Copy, Debug)]
pub struct Import<'a> {
    module: &'a str,
    name: Option<&'a str>,
    span: Span,
}

/// What an import gives.
#[derive(Clone, Copy, Debug)]
pub enum Imported<'a> {
    /// A module.
    Library(Library),
    /// A member of a module, with its name there.
    Item(Library, &'a str, Item),
}

impl<'a> Import<'a> {
    /// The module.
    pub fn module(&self) -> &'a str {
        self.module
    }

    /// The name in it, if it is no module that is imported.
    pub fn name(&self) -> Option<&'a str> {
        self.name
    }

    /// Where it stands.
    pub fn span(&self) -> Span {
        self.span
    }

    /// Whether it is of a module whose functions may do anything with what they are given. Some are known to look at it only.
    pub fn is_unknown(&self) -> bool {
        const LOOK: &[&str] = &[
            "IPython",
            "argparse",
            "csv",
            "datetime",
            "json",
            "logging",
            "matplotlib",
            "os",
            "pathlib",
            "pickle",
            "pprint",
            "pylab",
            "pytest",
            "random",
            "re",
            "seaborn",
            "sys",
            "time",
            "timeit",
            "tqdm",
            "unittest",
            "warnings",
        ];
        let first = self.module.split('.').next().unwrap_or(self.module);
        !LOOK.contains(&first) && Library::from_name(self.module).is_none()
    }

    /// Looks it up; an import that nothing reaches may be of anything.
    pub fn resolve(&self) -> Result<Imported<'a>, Diagnostic> {
        let unknown = |module: &str| {
            if module == "." {
                return Diagnostic::unsupported(self.span, "there is no such file in the package of this file")
                    .hint("a file is searched in its package when it is read by its path");
            }
            Diagnostic::unsupported(self.span, format!("the module `{module}` is not supported"))
                .hint("supported are files beside the program, and math, cmath, numpy, scipy, statistics, functools, itertools, operator, collections, concurrent.futures, contextlib, copy, bisect, dataclasses, typing, gradus, autograd, jax and myia")
        };
        // `from scipy import special` and `import scipy.special` name the same module.
        match self.name {
            None => Library::from_name(self.module).map(Imported::Library).ok_or_else(|| unknown(self.module)),
            Some(name) => member(Library::from_name(self.module).ok_or_else(|| unknown(self.module))?, name, self.span),
        }
    }
}

/// The member `name` of a module.
pub fn member(library: Library, name: &str, span: Span) -> Result<Imported<'_>, Diagnostic> {
    let owner = library.owner(name);
    match owner.item(name) {
        Some(Item::Library(inner)) => Ok(Imported::Library(inner)),
        Some(item) => Ok(Imported::Item(owner, name, item)),
        None => {
            let d = Diagnostic::unsupported(span, format!("`{}.{name}` is not supported", library.name()));
            Err(match (library.hint(name), super::names::nearest(name, library.names())) {
                (Some(hint), _) => d.hint(hint),
                (None, Some(near)) => d.hint(format!("did you mean `{near}`?")),
                (None, None) => d,
            })
        }
    }
}

/// A function of the source.
#[derive(Clone, Copy, Debug)]
pub enum Def<'a> {
    /// `def`.
    Function(&'a ast::StmtFunctionDef),
    /// `lambda`.
    Lambda(&'a ast::ExprLambda),
}

impl<'a> Def<'a> {
    /// The place of its header: for `def` the name.
    pub fn span(self) -> Span {
        match self {
            Def::Function(f) => span_of(&f.name),
            Def::Lambda(l) => span_of(l),
        }
    }

    /// The parameters, if there are any.
    pub fn parameters(self) -> Option<&'a ast::Parameters> {
        match self {
            Def::Function(f) => Some(&f.parameters),
            Def::Lambda(l) => l.parameters.as_deref(),
        }
    }
}

/// How a function binds a name.
#[derive(Clone, Copy, Debug)]
pub enum Binding<'a> {
    /// A variable.
    Variable,
    /// Bound once, by a `def` or by `name = lambda …`: the name of one function.
    Function(Def<'a>),
    /// Bound once, by an import.
    Import(Import<'a>),
}

/// The names that one function binds.
#[derive(Debug, Default)]
pub struct Scope<'a> {
    bindings: FxHashMap<&'a str, Binding<'a>>,
    /// The variables that functions inside of this one assign, which declare them `nonlocal`, and those that `:=` binds in
    /// comprehensions.
    pub assigned_inside: Vec<&'a str>,
    /// Whether there are some of the latter.
    pub shares: bool,
}

impl<'a> Scope<'a> {
    /// The scope of a function.
    pub fn of(def: Def<'a>) -> Scope<'a> {
        let mut scope = Scope::own(def);
        if let Def::Function(f) = def {
            let shared = std::mem::replace(&mut scope.assigned_inside, wanted_inside(&f.body));
            scope.assigned_inside.retain(|n| scope.bindings.contains_key(n));
            for name in shared {
                if !scope.assigned_inside.contains(&name) {
                    scope.assigned_inside.push(name);
                }
            }
        }
        scope
    }

    /// The same without what the functions inside of it say: these have scopes of their own.
    fn own(def: Def<'a>) -> Scope<'a> {
        let mut scope = Scope::default();
        for p in def.parameters().into_iter().flat_map(|p| p.iter()) {
            scope.bind(p.name().as_str(), Binding::Variable);
        }
        match def {
            Def::Function(f) => {
                bindings(&f.body, &mut |name, binding, _| scope.bind(name, binding));
                Named(&mut scope).visit_body(&f.body);
                for name in declared(&f.body, &|stmt| matches!(stmt, Stmt::Nonlocal(_) | Stmt::Global(_))) {
                    scope.bindings.remove(name);
                }
            }
            Def::Lambda(l) => Named(&mut scope).visit_expr(&l.body),
        }
        let shared = shared_with_comprehensions(def);
        scope.shares = !shared.is_empty();
        for &name in &shared {
            scope.bind(name, Binding::Variable);
        }
        scope.assigned_inside = shared;
        scope
    }

    /// The scope of a comprehension.
    pub fn of_clauses(clauses: &'a [ast::Comprehension]) -> Scope<'a> {
        let mut scope = Scope::default();
        clauses.iter().for_each(|c| target(&c.target, &mut |name, binding, _| scope.bind(name, binding)));
        scope
    }

    pub fn bind(&mut self, name: &'a str, binding: Binding<'a>) {
        self.bindings.entry(name).and_modify(|b| *b = Binding::Variable).or_insert(binding);
    }

    /// A name stands for no one function.
    pub fn make_variable(&mut self, name: &'a str) {
        self.bindings.insert(name, Binding::Variable);
    }

    /// How the function binds a name, if it does.
    pub fn get(&self, name: &str) -> Option<Binding<'a>> {
        self.bindings.get(name).copied()
    }

    /// The function that a name stands for, if it is bound once and to a function.
    pub fn function(&self, name: &str) -> Option<Def<'a>> {
        match self.get(name)? {
            Binding::Function(def) => Some(def),
            Binding::Variable | Binding::Import(_) => None,
        }
    }

    /// The names, in no particular order.
    pub fn names(&self) -> impl Iterator<Item = &'a str> {
        self.bindings.keys().copied()
    }
}

/// Binds the names of `name := value`, but those in functions inside.
struct Named<'s, 'a>(&'s mut Scope<'a>);

impl<'a> Visitor<'a> for Named<'_, 'a> {
    fn visit_stmt(&mut self, stmt: &'a Stmt) {
        if !matches!(stmt, Stmt::FunctionDef(_) | Stmt::ClassDef(_)) {
            walk_stmt(self, stmt);
        }
    }

    fn visit_expr(&mut self, expr: &'a Expr) {
        if let Expr::Named(n) = expr {
            target(&n.target, &mut |name, binding, _| self.0.bind(name, binding));
        }
        if !matches!(expr, Expr::Lambda(_) | Expr::ListComp(_) | Expr::DictComp(_) | Expr::Generator(_)) {
            walk_expr(self, expr);
        }
    }
}

/// The names that `:=` binds in a comprehension, those of comprehensions inside of it left out.
pub fn named_in<'a>(parts: impl Iterator<Item = &'a Expr>) -> Vec<&'a str> {
    let mut scope = Scope::default();
    parts.for_each(|part| Named(&mut scope).visit_expr(part));
    scope.bindings.into_keys().collect()
}

/// What a comprehension evaluates for each element.
fn parts_of(expr: &Expr) -> Option<(Vec<&Expr>, &[ast::Comprehension])> {
    match expr {
        Expr::ListComp(c) => Some((vec![&c.elt], &c.generators)),
        Expr::Generator(c) => Some((vec![&c.elt], &c.generators)),
        Expr::DictComp(c) => Some((c.key.as_deref().into_iter().chain([&*c.value]).collect(), &c.generators)),
        _ => None,
    }
}

/// The names that `:=` binds in comprehensions of a function and that are mentioned outside of these, or in comprehensions inside.
fn shared_with_comprehensions(def: Def<'_>) -> Vec<&str> {
    #[derive(Default)]
    struct Shared<'a> {
        /// What the comprehensions around bind.
        open: Vec<Vec<&'a str>>,
        bound: Vec<&'a str>,
        mentioned: Vec<&'a str>,
        /// Whether this is a function inside, which has names of its own.
        is_inside: bool,
    }
    impl<'a> Visitor<'a> for Shared<'a> {
        fn visit_stmt(&mut self, stmt: &'a Stmt) {
            let around = self.is_inside;
            self.is_inside |= stmt.is_function_def_stmt();
            walk_stmt(self, stmt);
            self.is_inside = around;
        }

        fn visit_expr(&mut self, expr: &'a Expr) {
            if let Some((mut parts, clauses)) = parts_of(expr) {
                parts.extend(clauses.iter().flat_map(|c| &c.ifs));
                let own = named_in(parts.into_iter());
                if !self.is_inside {
                    self.bound.extend(&own);
                }
                self.open.push(own);
                walk_expr(self, expr);
                self.open.pop();
                return;
            }
            if let Expr::Name(n) = expr
                && !self.open.last().is_some_and(|own| own.contains(&n.id.as_str()))
            {
                self.mentioned.push(&n.id);
            }
            let around = self.is_inside;
            self.is_inside |= expr.is_lambda_expr();
            walk_expr(self, expr);
            self.is_inside = around;
        }
    }
    let mut shared = Shared::default();
    match def {
        Def::Function(f) => shared.visit_body(&f.body),
        Def::Lambda(l) => shared.visit_expr(&l.body),
    }
    let Shared { mut bound, mentioned, .. } = shared;
    bound.sort_unstable();
    bound.dedup();
    bound.retain(|name| mentioned.contains(name));
    bound
}

/// The names that a function declares by statements of a kind: `nonlocal`, `global`.
fn declared<'a>(body: &'a [Stmt], is_wanted: &dyn Fn(&Stmt) -> bool) -> Vec<&'a str> {
    struct Declared<'a, 'f>(&'f dyn Fn(&Stmt) -> bool, Vec<&'a str>);
    impl<'a> Visitor<'a> for Declared<'a, '_> {
        fn visit_stmt(&mut self, stmt: &'a Stmt) {
            match stmt {
                Stmt::Nonlocal(ast::StmtNonlocal { names, .. }) | Stmt::Global(ast::StmtGlobal { names, .. }) => {
                    self.1.extend(names.iter().filter(|_| self.0(stmt)).map(|name| name.as_str()));
                }
                Stmt::FunctionDef(_) | Stmt::ClassDef(_) => {}
                _ => walk_stmt(self, stmt),
            }
        }
    }
    let mut declared = Declared(is_wanted, Vec::new());
    declared.visit_body(body);
    declared.1
}

/// The names of variables around it that functions inside of a body assign, sorted.
fn wanted_inside(body: &[Stmt]) -> Vec<&str> {
    struct Wanted<'a>(Vec<&'a str>);
    impl<'a> Visitor<'a> for Wanted<'a> {
        fn visit_stmt(&mut self, stmt: &'a Stmt) {
            match stmt {
                Stmt::FunctionDef(f) => {
                    let own = Scope::own(Def::Function(f));
                    self.0.extend(declared(&f.body, &Stmt::is_nonlocal_stmt));
                    self.0.extend(wanted_inside(&f.body).into_iter().filter(|n| own.get(n).is_none()));
                }
                _ => walk_stmt(self, stmt),
            }
        }
    }
    let mut wanted = Wanted(Vec::new());
    wanted.visit_body(body);
    wanted.0.sort_unstable();
    wanted.0.dedup();
    wanted.0
}

/// Calls `bind` for each name that the statements bind, those of nested functions left out.
pub fn bindings<'a>(body: &'a [Stmt], bind: &mut dyn FnMut(&'a str, Binding<'a>, Span)) {
    for stmt in body {
        match stmt {
            Stmt::FunctionDef(f) => {
                // With decorators the name stands for what they make of the function.
                let binding = if f.decorator_list.is_empty() { Binding::Function(Def::Function(f)) } else { Binding::Variable };
                bind(&f.name, binding, span_of(&f.name));
            }
            Stmt::ClassDef(c) => bind(&c.name, Binding::Variable, span_of(&c.name)),
            Stmt::Assign(a) => match (&a.targets[..], &*a.value) {
                ([Expr::Name(name)], Expr::Lambda(l)) => bind(&name.id, Binding::Function(Def::Lambda(l)), span_of(name)),
                (targets, _) => targets.iter().for_each(|t| target(t, bind)),
            },
            Stmt::AugAssign(a) => target(&a.target, bind),
            Stmt::AnnAssign(a) => target(&a.target, bind),
            Stmt::TypeAlias(a) => target(&a.name, bind),
            Stmt::Delete(d) => d.targets.iter().for_each(|t| target(t, bind)),
            Stmt::For(f) => {
                target(&f.target, bind);
                bindings(&f.body, bind);
                bindings(&f.orelse, bind);
            }
            Stmt::While(w) => {
                bindings(&w.body, bind);
                bindings(&w.orelse, bind);
            }
            Stmt::If(i) => {
                bindings(&i.body, bind);
                i.elif_else_clauses.iter().for_each(|c| bindings(&c.body, bind));
            }
            Stmt::With(w) => {
                w.items.iter().filter_map(|i| i.optional_vars.as_deref()).for_each(|t| target(t, bind));
                bindings(&w.body, bind);
            }
            Stmt::Try(t) => {
                bindings(&t.body, bind);
                for ast::ExceptHandler::ExceptHandler(h) in &t.handlers {
                    if let Some(name) = &h.name {
                        bind(name, Binding::Variable, span_of(name));
                    }
                    bindings(&h.body, bind);
                }
                bindings(&t.orelse, bind);
                bindings(&t.finalbody, bind);
            }
            Stmt::Match(m) => m.cases.iter().for_each(|c| {
                captured(&c.pattern, bind);
                bindings(&c.body, bind);
            }),
            Stmt::Import(i) => {
                for alias in &i.names {
                    let path = alias.name.as_str();
                    let (name, module) = match &alias.asname {
                        Some(name) => (name.as_str(), path),
                        None => {
                            let first = path.split('.').next().unwrap_or(path);
                            (first, first)
                        }
                    };
                    bind(name, Binding::Import(Import { module, name: None, span: span_of(alias) }), span_of(alias));
                }
            }
            Stmt::ImportFrom(i) => {
                for alias in i.names.iter().filter(|a| a.name.as_str() != "*") {
                    let module = if i.level > 0 { "." } else { i.module.as_ref().map_or(".", |m| m.as_str()) };
                    let import = Import { module, name: Some(&alias.name), span: span_of(alias) };
                    bind(alias.asname.as_ref().unwrap_or(&alias.name), Binding::Import(import), span_of(alias));
                }
            }
            Stmt::Return(_)
            | Stmt::Raise(_)
            | Stmt::Assert(_)
            | Stmt::Global(_)
            | Stmt::Nonlocal(_)
            | Stmt::Expr(_)
            | Stmt::Pass(_)
            | Stmt::Break(_)
            | Stmt::Continue(_)
            | Stmt::IpyEscapeCommand(_) => {}
        }
    }
}

/// Calls `bind` for each name that a pattern assigns.
fn captured<'a>(pattern: &'a ast::Pattern, bind: &mut dyn FnMut(&'a str, Binding<'a>, Span)) {
    let mut name = |name: &'a Option<ast::Identifier>| {
        if let Some(name) = name {
            bind(name, Binding::Variable, span_of(name));
        }
    };
    match pattern {
        ast::Pattern::MatchValue(_) | ast::Pattern::MatchSingleton(_) => {}
        ast::Pattern::MatchStar(p) => name(&p.name),
        ast::Pattern::MatchAs(p) => {
            name(&p.name);
            p.pattern.iter().for_each(|p| captured(p, bind));
        }
        ast::Pattern::MatchSequence(p) => p.patterns.iter().for_each(|p| captured(p, bind)),
        ast::Pattern::MatchOr(p) => p.patterns.iter().for_each(|p| captured(p, bind)),
        ast::Pattern::MatchMapping(p) => {
            name(&p.rest);
            p.patterns.iter().for_each(|p| captured(p, bind));
        }
        ast::Pattern::MatchClass(p) => {
            p.arguments.patterns.iter().for_each(|p| captured(p, bind));
            p.arguments.keywords.iter().for_each(|k| captured(&k.pattern, bind));
        }
    }
}

/// Binds the names of the target of an assignment.
pub fn target<'a>(expr: &'a Expr, bind: &mut dyn FnMut(&'a str, Binding<'a>, Span)) {
    match expr {
        Expr::Name(name) => bind(&name.id, Binding::Variable, span_of(name)),
        Expr::Tuple(t) => t.elts.iter().for_each(|e| target(e, bind)),
        Expr::List(t) => t.elts.iter().for_each(|e| target(e, bind)),
        Expr::Starred(s) => target(&s.value, bind),
        _ => {}
    }
}

/// A name that the file binds.
#[derive(Clone, Copy, Debug)]
pub enum Global<'a> {
    /// A function.
    Def(&'a ast::StmtFunctionDef),
    /// `name = expression`.
    Value(&'a Expr),
    /// `…, name, … = expression`: the value at this place among so many.
    Part(&'a Expr, usize, usize),
    /// A class.
    Class(&'a ast::StmtClassDef),
    /// An import.
    Import(Import<'a>),
    /// Bound in a way that is not supported at the top level.
    Other(Span),
}

/// The names that a file binds, each with all its bindings in order.
#[derive(Debug, Default)]
pub struct Globals<'a> {
    bindings: FxHashMap<&'a str, Vec<(u32, Global<'a>)>>,
    /// The last `from … import *`, which may bind more than we know.
    pub star: Option<Span>,
}

impl<'a> Globals<'a> {
    /// Reads the top level of a file.
    pub fn of(body: &'a [Stmt]) -> Globals<'a> {
        let mut globals = Globals::default();
        for stmt in body {
            let at = u32::from(stmt.end());
            match stmt {
                Stmt::FunctionDef(f) => globals.bind(&f.name, at, Global::Def(f)),
                Stmt::ClassDef(c) => globals.bind(&c.name, at, Global::Class(c)),
                Stmt::Assign(a) => a.targets.iter().for_each(|t| globals.assign(t, &a.value, at)),
                Stmt::AnnAssign(a) => {
                    if let Some(value) = &a.value {
                        globals.assign(&a.target, value, at);
                    }
                }
                Stmt::TypeAlias(a) => globals.assign(&a.name, &a.value, at),
                _ => bindings(std::slice::from_ref(stmt), &mut |name, binding, span| {
                    let global = match binding {
                        Binding::Import(import) => Global::Import(import),
                        Binding::Variable | Binding::Function(_) => Global::Other(span),
                    };
                    globals.bind(name, at, global);
                }),
            }
            if let Stmt::ImportFrom(i) = stmt
                && i.names.iter().any(|a| a.name.as_str() == "*")
            {
                globals.star = Some(span_of(i));
                let module = i.module.as_ref().map_or("", |m| m.as_str());
                for name in Library::from_name(module).into_iter().flat_map(Library::star) {
                    globals.bind(name, at, Global::Import(Import { module, name: Some(name), span: span_of(i) }));
                }
            }
        }
        globals
    }

    fn bind(&mut self, name: &'a str, at: u32, global: Global<'a>) {
        self.bindings.entry(name).or_default().push((at, global));
    }

    fn assign(&mut self, target: &'a Expr, value: &'a Expr, at: u32) {
        match (target, value) {
            (Expr::Name(name), _) => self.bind(&name.id, at, Global::Value(value)),
            (Expr::Tuple(t), Expr::Tuple(v)) if t.elts.len() == v.elts.len() => {
                t.elts.iter().zip(&v.elts).for_each(|(t, v)| self.assign(t, v, at));
            }
            (Expr::Tuple(t), _) if t.elts.iter().all(Expr::is_name_expr) => {
                let names = t.elts.iter().filter_map(Expr::as_name_expr).enumerate();
                names.for_each(|(i, name)| self.bind(&name.id, at, Global::Part(value, i, t.elts.len())));
            }
            _ => self::target(target, &mut |name, _, span| self.bind(name, at, Global::Other(span))),
        }
    }

    /// The names that stand for a `def` or a lambda in the end, in the order of the file.
    pub fn functions(&self) -> Vec<&'a str> {
        let last = self.bindings.iter().filter_map(|(&name, all)| Some((all.last()?, name)));
        let is_function = |g: &Global<'a>| matches!(g, Global::Def(_) | Global::Value(Expr::Lambda(_)));
        let mut list: Vec<(u32, &'a str)> =
            last.filter(|((_, g), _)| is_function(g)).map(|((at, _), name)| (*at, name)).collect();
        list.sort_unstable();
        list.into_iter().map(|(_, name)| name).collect()
    }

    /// Whether a name is that of an imported module, or of something in one.
    pub fn is_import(&self, name: &str) -> bool {
        matches!(self.bindings.get(name).and_then(|all| all.last()), Some((_, Global::Import(_))))
    }

    /// Whether a name is that of a class.
    pub fn is_class(&self, name: &str) -> bool {
        matches!(self.bindings.get(name).and_then(|all| all.last()), Some((_, Global::Class(_))))
    }

    /// The classes, with the ends of their statements.
    pub fn classes(&self) -> impl Iterator<Item = (u32, &'a ast::StmtClassDef)> {
        self.bindings.values().filter_map(|all| match all.last() {
            Some(&(at, Global::Class(c))) => Some((at, c)),
            _ => None,
        })
    }

    /// The names that stand for values in the end, with what is assigned to them.
    pub fn values(&self) -> impl Iterator<Item = (&'a str, &'a Expr)> {
        self.bindings.iter().filter_map(|(&name, all)| match all.last() {
            Some(&(_, Global::Value(value))) => Some((name, value)),
            _ => None,
        })
    }

    /// The name as the file has it, if it binds it.
    pub fn name(&self, name: &str) -> Option<&'a str> {
        self.bindings.get_key_value(name).map(|(&name, _)| name)
    }

    /// What a name stands for in code that runs when the file has been read up to `at`; with `u32::MAX`, all of it.
    pub fn get(&self, name: &str, at: u32) -> Option<(u32, Global<'a>)> {
        self.bindings.get(name)?.iter().rev().find(|(end, _)| *end < at).copied()
    }

    /// The names, in no particular order.
    pub fn names(&self) -> impl Iterator<Item = &'a str> {
        self.bindings.keys().copied()
    }
}
