//! Functions that remember what they gave: `@lru_cache` and `@cache`, where a function comes back to itself, or does more than to give
//! something inside of another function. Others give the same whether they remember it or not.
//!
//! ```text
//! @cache                            d.values = {}
//! def d(i, j): …                    def d.new(i, j): …
//!                           ⟹       def d(i, j):
//!                                       if .is_key((i, j)):
//!                                           if (i, j) not in d.values:
//!                                               d.values[i, j] = d.new(i, j)
//!                                           return d.values[i, j]
//!                                       return d.new(i, j)
//! ```
//!
//! The dict is a variable of the function around, which the functions inside change (`owned`). A function of the top level, or a method,
//! gets one around it, with all functions between its calls of itself: it remembers from one call from outside to the end of that.
//! A float is no key, nor is an array: a call with one of these is a call of `d.new`. Names that begin with a dot are of functions of the
//! library.

use super::init::{assignment, call, name_at};
use super::names::{Item, Library};
use super::scope::{Global, Globals, Imported};
use ruff_python_ast::visitor::transformer::{self, Transformer};
use ruff_python_ast::visitor::{Visitor, walk_expr, walk_stmt};
use ruff_python_ast::{self as ast, Expr, ExprContext, Identifier, Keyword, Stmt};
use ruff_text_size::{Ranged, TextRange, TextSize};
use rustc_hash::{FxHashMap, FxHashSet};

/// The decorators, as the library has them.
pub const REMEMBERING: [&str; 2] = ["functools_cache", "functools_lru_cache"];

/// Reads the statements of a file.
pub fn read(mut body: Vec<Stmt>) -> Vec<Stmt> {
    let found = {
        let globals = Globals::of(&body);
        let mut found = Found { globals: &globals, decorators: FxHashSet::default() };
        found.visit_body(&body);
        found.decorators
    };
    if found.is_empty() {
        return body;
    }
    for stmt in &mut body {
        inside(stmt, &found);
    }
    let defs: FxHashMap<String, ast::StmtFunctionDef> =
        body.iter().filter_map(Stmt::as_function_def_stmt).map(|f| (f.name.to_string(), f.clone())).collect();
    let reach: FxHashMap<&str, FxHashSet<&str>> =
        defs.iter().map(|(name, f)| (name.as_str(), mentioned(f, &|n| defs.contains_key(n)))).collect();
    let around = |f: &ast::StmtFunctionDef| -> Vec<&ast::StmtFunctionDef> {
        let all = closure(&reach, &f.name);
        let back = |name: &&&str| closure(&reach, name).contains(f.name.as_str());
        let mut found: Vec<_> = all.iter().filter(back).map(|name| &defs[*name]).collect();
        found.sort_unstable_by_key(|f| f.start());
        found
    };
    for stmt in &mut body {
        if let Stmt::FunctionDef(f) = stmt
            && is_remembered(f, &found)
        {
            let group: Vec<ast::StmtFunctionDef> = around(f).into_iter().cloned().collect();
            if !group.is_empty() || calls_own_method(f) {
                nest(f, group, &found);
            }
        }
    }
    body
}

/// The names that can be got to from a function by its names.
fn closure<'a>(reach: &FxHashMap<&'a str, FxHashSet<&'a str>>, from: &str) -> FxHashSet<&'a str> {
    let mut all = FxHashSet::default();
    let mut work: Vec<&'a str> = reach.get(from).into_iter().flatten().copied().collect();
    while let Some(name) = work.pop() {
        if all.insert(name) {
            work.extend(reach.get(name).into_iter().flatten());
        }
    }
    all
}

/// The names in a function of which something holds.
fn mentioned<'a>(f: &'a ast::StmtFunctionDef, is_wanted: &dyn Fn(&str) -> bool) -> FxHashSet<&'a str> {
    struct Mentioned<'a, 'f>(FxHashSet<&'a str>, &'f dyn Fn(&str) -> bool);
    impl<'a> Visitor<'a> for Mentioned<'a, '_> {
        fn visit_expr(&mut self, expr: &'a Expr) {
            self.0.extend(expr.as_name_expr().map(|n| n.id.as_str()).filter(|n| self.1(n)));
            walk_expr(self, expr);
        }
    }
    let mut all = Mentioned(FxHashSet::default(), is_wanted);
    all.visit_body(&f.body);
    all.0
}

/// Looks for the decorators of a file that let a function remember.
struct Found<'g, 'a> {
    globals: &'g Globals<'a>,
    decorators: FxHashSet<TextRange>,
}

impl Found<'_, '_> {
    fn is_cache(&self, decorator: &Expr) -> bool {
        let written = |item| matches!(item, Item::Written(name) if REMEMBERING.contains(&name));
        let imported = |name: &ast::ExprName| match self.globals.get(&name.id, u32::MAX) {
            Some((_, Global::Import(import))) => import.resolve().ok(),
            _ => None,
        };
        match decorator {
            Expr::Name(n) => matches!(imported(n), Some(Imported::Item(_, _, item)) if written(item)),
            Expr::Attribute(a) => {
                let module = a.value.as_name_expr().and_then(imported);
                matches!(module, Some(Imported::Library(library @ Library::Functools))
                    if super::scope::member(library, &a.attr, gradus_ir::Span::NONE).is_ok_and(|m| matches!(m, Imported::Item(_, _, item) if written(item))))
            }
            // A cache of no size is none.
            Expr::Call(c) => {
                let sizes = c.arguments.args.iter().chain(c.arguments.keywords.iter().map(|k| &k.value));
                let is_none = |e: &Expr| matches!(e, Expr::NumberLiteral(n) if matches!(&n.value, ast::Number::Int(i) if i.as_u8() == Some(0)));
                self.is_cache(&c.func) && !sizes.take(1).any(is_none)
            }
            _ => false,
        }
    }
}

impl<'a> Visitor<'a> for Found<'_, '_> {
    fn visit_stmt(&mut self, stmt: &'a Stmt) {
        if let Stmt::FunctionDef(f) = stmt
            && let Some(last) = f.decorator_list.last()
            && self.is_cache(&last.expression)
        {
            self.decorators.insert(last.range());
        }
        walk_stmt(self, stmt);
    }
}

/// Whether a function remembers what it gives by its arguments.
fn is_remembered(f: &ast::StmtFunctionDef, found: &FxHashSet<TextRange>) -> bool {
    let p = &f.parameters;
    let has_key = p.vararg.is_none() && p.kwarg.is_none() && p.iter_non_variadic_params().next().is_some();
    has_key && f.decorator_list.last().is_some_and(|d| found.contains(&d.range()))
}

/// Lets the functions in a statement remember that functions beside them call.
fn inside(stmt: &mut Stmt, found: &FxHashSet<TextRange>) {
    match stmt {
        Stmt::FunctionDef(f) => {
            let called: FxHashSet<String> = called_inside(&f.body);
            statements(&mut f.body, found, &called);
        }
        Stmt::ClassDef(c) => c.body.iter_mut().for_each(|stmt| inside(stmt, found)),
        _ => bodies(stmt).into_iter().flatten().for_each(|stmt| inside(stmt, found)),
    }
}

fn statements(body: &mut ast::Suite, found: &FxHashSet<TextRange>, called: &FxHashSet<String>) {
    let mut read = Vec::new();
    for mut stmt in std::mem::take(body) {
        match &mut stmt {
            Stmt::FunctionDef(_) => inside(&mut stmt, found),
            Stmt::ClassDef(_) => {}
            _ => bodies(&mut stmt).into_iter().for_each(|body| statements(body, found, called)),
        }
        match stmt {
            Stmt::FunctionDef(f) if is_remembered(&f, found) && (called.contains(f.name.as_str()) || does_more(&f)) => {
                read.extend(remembering(f))
            }
            other => read.push(other),
        }
    }
    body.extend(read);
}

/// Whether a function prints, assigns variables of others, or changes what may be an object of others.
fn does_more(f: &ast::StmtFunctionDef) -> bool {
    struct More(bool);
    impl<'a> Visitor<'a> for More {
        fn visit_stmt(&mut self, stmt: &'a Stmt) {
            self.0 |= matches!(stmt, Stmt::Global(_) | Stmt::Nonlocal(_));
            walk_stmt(self, stmt);
        }
        fn visit_expr(&mut self, expr: &'a Expr) {
            if let Expr::Call(c) = expr {
                self.0 |= match &*c.func {
                    Expr::Name(n) => n.id == "print",
                    Expr::Attribute(a) => super::owned::changes(&a.attr),
                    _ => false,
                };
            }
            self.0 |= matches!(expr, Expr::Subscript(ast::ExprSubscript { ctx: ExprContext::Store, .. }));
            walk_expr(self, expr);
        }
    }
    let mut more = More(false);
    more.visit_body(&f.body);
    more.0
}

/// The statements in a statement that are no function's.
fn bodies(stmt: &mut Stmt) -> Vec<&mut ast::Suite> {
    match stmt {
        Stmt::For(f) => vec![&mut f.body, &mut f.orelse],
        Stmt::While(w) => vec![&mut w.body, &mut w.orelse],
        Stmt::If(i) => std::iter::once(&mut i.body).chain(i.elif_else_clauses.iter_mut().map(|c| &mut c.body)).collect(),
        Stmt::Match(m) => m.cases.iter_mut().map(|c| &mut c.body).collect(),
        Stmt::With(w) => vec![&mut w.body],
        _ => Vec::new(),
    }
}

/// The names that functions mention which are defined in these statements.
fn called_inside(body: &[Stmt]) -> FxHashSet<String> {
    struct Called(FxHashSet<String>, u32);
    impl<'a> Visitor<'a> for Called {
        fn visit_stmt(&mut self, stmt: &'a Stmt) {
            let deeper = u32::from(stmt.is_function_def_stmt());
            self.1 += deeper;
            walk_stmt(self, stmt);
            self.1 -= deeper;
        }
        fn visit_expr(&mut self, expr: &'a Expr) {
            let deeper = u32::from(expr.is_lambda_expr());
            self.1 += deeper;
            if self.1 > 0 {
                self.0.extend(expr.as_name_expr().map(|n| n.id.to_string()));
            }
            walk_expr(self, expr);
            self.1 -= deeper;
        }
    }
    let mut all = Called(FxHashSet::default(), 0);
    all.visit_body(body);
    all.0
}

/// Whether a method calls itself, as that of its first parameter.
fn calls_own_method(f: &ast::StmtFunctionDef) -> bool {
    own_method(f).is_some_and(|own| {
        let mut f = f.clone();
        own.visit_body(&mut f.body);
        own.found.get()
    })
}

/// A method by its name and that of its first parameter.
struct OwnMethod {
    function: String,
    method: String,
    this: String,
    found: std::cell::Cell<bool>,
}

fn own_method(f: &ast::StmtFunctionDef) -> Option<OwnMethod> {
    let (_, method) = f.name.rsplit_once('.')?;
    let this = f.parameters.posonlyargs.first().or(f.parameters.args.first())?.name().to_string();
    Some(OwnMethod { function: f.name.to_string(), method: method.into(), this, found: false.into() })
}

impl Transformer for OwnMethod {
    fn visit_expr(&self, expr: &mut Expr) {
        if let Expr::Attribute(a) = expr
            && a.attr.as_str() == self.method
            && matches!(&*a.value, Expr::Name(n) if *n.id == *self.this)
        {
            self.found.set(true);
            *expr = name_at(&self.function, a.range);
            return;
        }
        transformer::walk_expr(self, expr);
    }
}

/// Puts a function of the top level into one of its own, with those that it calls and that call it.
fn nest(f: &mut ast::StmtFunctionDef, group: Vec<ast::StmtFunctionDef>, found: &FxHashSet<TextRange>) {
    let mut inner = f.clone();
    let range = f.name.range();
    if let Some(own) = own_method(f) {
        own.visit_body(&mut inner.body);
        if own.found.get() {
            let p = &mut inner.parameters;
            if p.posonlyargs.is_empty() {
                p.args.remove(0)
            } else {
                p.posonlyargs.remove(0)
            };
        }
    }
    let result = call_with(name_at(&f.name, range), &inner.parameters, range);
    f.decorator_list.pop();
    let mut body: Vec<Stmt> = Vec::new();
    if inner.parameters.iter_non_variadic_params().next().is_some() {
        body.extend(remembering(inner));
    } else {
        body.push(Stmt::FunctionDef(inner));
    }
    for other in group.into_iter().filter(|other| other.name != f.name) {
        if is_remembered(&other, found) {
            body.extend(remembering(other));
        } else {
            body.push(Stmt::FunctionDef(other));
        }
    }
    body.push(returned(result, range));
    f.body = body.into();
}

/// A function with what it remembers. The one of its name is at the place of the decorator: a function of the top level may be around it
/// that has its name.
fn remembering(mut f: ast::StmtFunctionDef) -> [Stmt; 3] {
    let range = f.name.range();
    let decorator = f.decorator_list.pop().expect("it has one").expression.range();
    let (values, new) = (format!("{}.values", f.name), format!("{}.new", f.name));
    let read = |name: &str| name_at(name, range);
    let key = || {
        let elts = f.parameters.iter_non_variadic_params().map(|p| read(p.name())).collect();
        let ctx = ExprContext::Load;
        Expr::Tuple(ast::ExprTuple { node_index: Default::default(), range, elts, ctx, parenthesized: true })
    };
    let value = |ctx| {
        let (value, slice) = (read(&values).into(), key().into());
        Expr::Subscript(ast::ExprSubscript { node_index: Default::default(), range, value, slice, ctx })
    };
    let is_new = Expr::Compare(ast::ExprCompare {
        node_index: Default::default(),
        range,
        left: key().into(),
        ops: [ast::CmpOp::NotIn].into(),
        comparators: [read(&values)].into(),
    });
    let when = |test: Expr, body: Vec<Stmt>| {
        let (test, body, elif_else_clauses) = (test.into(), body.into(), Vec::new());
        Stmt::If(ast::StmtIf { node_index: Default::default(), range, test, body, elif_else_clauses })
    };
    let run = || call_with(read(&new), &f.parameters, range);
    let known =
        vec![when(is_new, vec![assignment(value(ExprContext::Store), run(), range)]), returned(value(ExprContext::Load), range)];
    let body = vec![when(call(read(".is_key"), vec![key()], range), known), returned(run(), range)];
    let nothing = Expr::Dict(ast::ExprDict { node_index: Default::default(), range, items: Vec::new() });
    let values = assignment(read(&values), nothing, range);
    let mut wrapper = ast::StmtFunctionDef { body: body.into(), ..f.clone() };
    (wrapper.range, wrapper.name.range) = (decorator, decorator);
    // Functions are known by their places: by where they begin, and by that of their names.
    let place = TextRange::new(range.start() - TextSize::from(1), range.end());
    f.name = Identifier::new(new, place);
    f.range = TextRange::new(range.start(), f.range.end());
    f.decorator_list = Default::default();
    [values, Stmt::FunctionDef(f), Stmt::FunctionDef(wrapper)]
}

fn returned(value: Expr, range: TextRange) -> Stmt {
    Stmt::Return(ast::StmtReturn { node_index: Default::default(), range, value: Some(value.into()) })
}

/// A call with these parameters for its arguments.
fn call_with(func: Expr, parameters: &ast::Parameters, range: TextRange) -> Expr {
    let given = parameters.posonlyargs.iter().chain(&parameters.args);
    let Expr::Call(mut made) = call(func, given.map(|p| name_at(p.name(), range)).collect(), range) else {
        unreachable!("a call")
    };
    let named = parameters.kwonlyargs.iter().map(|p| Keyword {
        node_index: Default::default(),
        range,
        arg: Some(p.name().clone()),
        value: name_at(p.name(), range),
    });
    made.arguments.keywords = named.collect();
    Expr::Call(made)
}
