//! Generators of the program: functions that `yield`.
//!
//! A loop over a call of one whose function is known by its name has the body of that in its place, so all is done in the order in which
//! Python does it, and an infinite generator is one:
//!
//! ```text
//! def g(n):                                for v in .inlined():
//!     while n > 0.1:                           g.n = x
//!         yield n               ⟹              while g.n > 0.1:
//!         n = n / 2.0                              for v in .yield(g.n):
//! for v in g(x):                                       body
//!     body                                         g.n = g.n / 2.0
//! else: end                                else: end
//! ```
//!
//! `return` in it is `for … in .done()`, which leaves `.inlined`. Elsewhere a generator is a function that gives the list of all that is
//! yielded, `g..list`, and an iterator that is taken as `lazy` says: it is refused where Python would do something in another order. So
//! are loops over generators that call themselves, if their bodies change something. One that is handed to `next` or to a function of the
//! program is an object (`resumed`). `g..first` gives the first of them, for `itertools.islice`.

mod calls;
mod listed;
mod lowering;
mod making;

use calls::*;
use listed::*;
pub use lowering::Inlined;
use making::*;

use super::class::last_name;
use super::copied::{bound, free_names, may_be_copied, named, renamed};
use super::errors::Guard;
use super::init::{assignment, attribute, call, name_at, parameter};
use super::lower::{Loop, Lowered, Lowerer};
use super::resumed;
use super::scope::{Def, Scope, bindings};
use super::span_of;
use super::ssa::BlockId;
use gradus_ir::{Diagnostic, NodeId, Prim};
use ruff_python_ast::visitor::transformer::{self, Transformer};
use ruff_python_ast::visitor::{Visitor, walk_expr, walk_stmt};
use ruff_python_ast::{self as ast, Expr, ExprContext, Stmt};
use ruff_text_size::{Ranged, TextRange};
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::RefCell;

const INLINED: &str = ".inlined";
const YIELD: &str = ".yield";
const DONE: &str = ".done";

/// The end of the name of the function that gives all that a generator yields, and of the one that gives so many.
const LIST: &str = "..list";
const FIRST: &str = "..first";
/// The end of the name of the list that it makes.
const MADE: &str = "..made";

/// The method that gives the list of what `__iter__` yields.
const YIELDED: &str = "__yielded__";

/// How many statements a loop may have once a generator is in its place.
const MOST: usize = 3000;

type Defs = FxHashMap<String, ast::StmtFunctionDef>;

/// Reads the statements of a file.
pub fn read(mut body: Vec<Stmt>) -> Vec<Stmt> {
    if !body.iter().any(|stmt| Yields::of(stmt, true).count > 0) {
        return body;
    }
    body.iter_mut().for_each(|stmt| Delegates.visit_stmt(stmt));
    let mut times: FxHashMap<&str, usize> = FxHashMap::default();
    bindings(&body, &mut |name, _, _| *times.entry(name).or_default() += 1);
    let own = |f: &&ast::StmtFunctionDef| times[f.name.as_str()] == 1 && is_generator(f);
    let top: Defs =
        body.iter().filter_map(Stmt::as_function_def_stmt).filter(own).map(|f| (f.name.to_string(), f.clone())).collect();
    let methods = methods(&body);
    let own = |stmt: &Stmt| match stmt {
        Stmt::FunctionDef(f) => Some(f.name.to_string()),
        Stmt::ClassDef(c) => Some(c.name.to_string()),
        _ => None,
    };
    let is_object = |f: &&ast::StmtFunctionDef| resumed::class_of(f).is_some();
    let calls = Calls {
        objects: top.values().filter(is_object).map(|f| f.name.to_string()).collect(),
        asked: RefCell::default(),
        top: top.keys().cloned().collect(),
        own: body.iter().filter_map(own).collect(),
        methods: methods.keys().cloned().collect(),
        frames: RefCell::default(),
    };
    body.iter_mut().for_each(|stmt| calls.visit_stmt(stmt));
    let top: Defs = body
        .iter()
        .filter_map(Stmt::as_function_def_stmt)
        .filter(|f| top.contains_key(f.name.as_str()))
        .map(|f| (f.name.to_string(), f.clone()))
        .collect();
    // With calls in them as they are read now.
    let methods = self::methods(&body);
    let mut kept = FxHashSet::default();
    let is_kept = |name: &str| name.strip_suffix(resumed::OBJECT).map(str::to_string);
    let found = RefCell::new(&mut kept);
    mentions(&body, &|name| {
        found.borrow_mut().extend(is_kept(name));
        false
    });
    let mut reader = Reader { kept, top, ready: Defs::default(), methods, frames: Vec::new(), active: Vec::new() };
    reader.body(body)
}

/// Reads `for v in g(x): yield v` as `yield from g(x)`, if `v` is mentioned nowhere else.
struct Delegates;

impl Transformer for Delegates {
    fn visit_stmt(&self, stmt: &mut Stmt) {
        transformer::walk_stmt(self, stmt);
        let Stmt::FunctionDef(f) = stmt else { return };
        if is_generator(f) {
            let whole = f.body.clone();
            f.body.iter_mut().for_each(|stmt| Delegated(&whole).visit_stmt(stmt));
        }
    }

    fn visit_expr(&self, _: &mut Expr) {}
}

struct Delegated<'b>(&'b [Stmt]);

impl Transformer for Delegated<'_> {
    fn visit_stmt(&self, stmt: &mut Stmt) {
        let range = stmt.range();
        if let Stmt::For(f) = &*stmt
            && let (Expr::Name(target), [Stmt::Expr(body)], [], Expr::Call(_)) = (&*f.target, &*f.body, &*f.orelse, &*f.iter)
            && let Expr::Yield(y) = &*body.value
            && y.value.as_ref().is_some_and(|v| v.as_name_expr().is_some_and(|n| n.id == target.id))
            && count(self.0, &target.id) == 2
        {
            let value = f.iter.clone();
            let all = Expr::YieldFrom(ast::ExprYieldFrom { node_index: Default::default(), range, value });
            *stmt = expression(all, range);
            return;
        }
        if !stmt.is_function_def_stmt() {
            transformer::walk_stmt(self, stmt);
        }
    }

    fn visit_expr(&self, _: &mut Expr) {}
}

/// How often statements mention a name.
fn count(body: &[Stmt], name: &str) -> usize {
    let found = std::cell::Cell::new(0);
    mentions(body, &|n| {
        found.set(found.get() + usize::from(n == name));
        false
    });
    found.get()
}

/// The methods that are generators and that one class of the file has, with the names of these classes; and those of several classes.
/// Names that are read without being called are left out.
fn methods(body: &[Stmt]) -> FxHashMap<String, Option<(String, ast::StmtFunctionDef)>> {
    struct Read(FxHashSet<String>);
    impl<'a> Visitor<'a> for Read {
        fn visit_expr(&mut self, expr: &'a Expr) {
            match expr {
                Expr::Call(c) => {
                    match &*c.func {
                        Expr::Attribute(a) => self.visit_expr(&a.value),
                        func => self.visit_expr(func),
                    }
                    c.arguments.args.iter().for_each(|a| self.visit_expr(a));
                    c.arguments.keywords.iter().for_each(|k| self.visit_expr(&k.value));
                }
                Expr::Attribute(a) => {
                    self.0.insert(a.attr.to_string());
                    walk_expr(self, expr);
                }
                _ => walk_expr(self, expr),
            }
        }
    }
    let mut read = Read(FxHashSet::default());
    read.visit_body(body);
    let (mut found, mut others) = (FxHashMap::default(), FxHashSet::default());
    for class in body.iter().filter_map(Stmt::as_class_def_stmt) {
        for f in class.body.iter().filter_map(Stmt::as_function_def_stmt) {
            if !is_generator(f) {
                others.insert(f.name.to_string());
                continue;
            }
            let one = Some((class.name.to_string(), f.clone()));
            found.entry(f.name.to_string()).and_modify(|known| *known = None).or_insert(one);
        }
    }
    found.retain(|name, _| !others.contains(name) && !read.0.contains(name));
    found
}

/// Whether a function is a generator that is read here.
fn is_generator(f: &ast::StmtFunctionDef) -> bool {
    f.decorator_list.is_empty() && !f.is_async && f.body.iter().any(|stmt| Yields::of(stmt, false).count > 0)
}

/// The `yield`s of a function.
#[derive(Default)]
struct Yields {
    /// Whether those of functions inside count.
    deep: bool,
    count: usize,
    /// Whether one has a value that is used, or a `return` has one.
    is_used: bool,
}

impl Yields {
    fn of(stmt: &Stmt, deep: bool) -> Yields {
        let mut yields = Yields { deep, ..Yields::default() };
        yields.visit_stmt(stmt);
        yields
    }
}

impl<'a> Visitor<'a> for Yields {
    fn visit_stmt(&mut self, stmt: &'a Stmt) {
        match stmt {
            Stmt::FunctionDef(_) | Stmt::ClassDef(_) if !self.deep => {}
            Stmt::Expr(e) => match &*e.value {
                Expr::Yield(y) => {
                    self.count += 1;
                    y.value.iter().for_each(|value| self.visit_expr(value));
                }
                Expr::YieldFrom(y) => {
                    self.count += 1;
                    self.visit_expr(&y.value);
                }
                value => self.visit_expr(value),
            },
            Stmt::Return(r) => {
                self.is_used |= r.value.as_ref().is_some_and(|value| !value.is_none_literal_expr());
                walk_stmt(self, stmt);
            }
            _ => walk_stmt(self, stmt),
        }
    }

    fn visit_expr(&mut self, expr: &'a Expr) {
        match expr {
            Expr::Lambda(_) if !self.deep => return,
            Expr::Yield(_) | Expr::YieldFrom(_) => (self.count, self.is_used) = (self.count + 1, true),
            _ => {}
        }
        walk_expr(self, expr);
    }
}

/// Whether a statement yields, functions inside left out.
pub fn is_yielding(stmt: &Stmt) -> bool {
    Yields::of(stmt, false).count > 0
}

/// Whether a generator has no end that we see: a loop that nothing leaves.
fn is_endless(f: &ast::StmtFunctionDef) -> bool {
    struct Endless(bool);
    impl<'a> Visitor<'a> for Endless {
        fn visit_stmt(&mut self, stmt: &'a Stmt) {
            match stmt {
                Stmt::FunctionDef(_) => {}
                Stmt::While(w) if is_true(&w.test) && w.body.iter().any(|s| Yields::of(s, false).count > 0) => {
                    self.0 |= !w.body.iter().any(leaves);
                    walk_stmt(self, stmt);
                }
                _ => walk_stmt(self, stmt),
            }
        }
    }
    let mut endless = Endless(false);
    endless.visit_body(&f.body);
    endless.0
}

fn is_true(test: &Expr) -> bool {
    match test {
        Expr::BooleanLiteral(b) => b.value,
        Expr::NumberLiteral(n) => matches!(&n.value, ast::Number::Int(i) if i.as_u8() != Some(0)),
        _ => false,
    }
}

/// Whether a statement of a loop leaves it.
fn leaves(stmt: &Stmt) -> bool {
    struct Leaves(bool, usize);
    impl<'a> Visitor<'a> for Leaves {
        fn visit_stmt(&mut self, stmt: &'a Stmt) {
            match stmt {
                Stmt::FunctionDef(_) => {}
                Stmt::Return(_) | Stmt::Raise(_) => self.0 = true,
                Stmt::Break(_) => self.0 |= self.1 == 0,
                Stmt::For(ast::StmtFor { iter, .. }) if carrier(iter) == Some(DONE) => self.0 = true,
                Stmt::While(_) | Stmt::For(_) => {
                    self.1 += 1;
                    walk_stmt(self, stmt);
                    self.1 -= 1;
                }
                _ => walk_stmt(self, stmt),
            }
        }
    }
    let mut found = Leaves(false, 0);
    found.visit_stmt(stmt);
    found.0
}

/// The names of variables that statements hand to `next`.
fn asked(body: &[Stmt]) -> FxHashSet<String> {
    struct Asked(FxHashSet<String>);
    impl<'a> Visitor<'a> for Asked {
        fn visit_expr(&mut self, expr: &'a Expr) {
            if let Expr::Call(c) = expr
                && c.func.as_name_expr().is_some_and(|n| n.id == "next")
            {
                let first = c.arguments.args.first().and_then(Expr::as_name_expr);
                self.0.extend(first.map(|n| n.id.to_string()));
            }
            walk_expr(self, expr);
        }
    }
    let mut asked = Asked(FxHashSet::default());
    asked.visit_body(body);
    asked.0
}

struct Reader {
    /// The generators of which there are objects.
    kept: FxHashSet<String>,
    top: Defs,
    /// The generators of the top level that are read already.
    ready: Defs,
    methods: FxHashMap<String, Option<(String, ast::StmtFunctionDef)>>,
    /// What the functions around bind, and the generators among that.
    frames: Vec<(FxHashSet<String>, Defs)>,
    /// The generators that are being read.
    active: Vec<String>,
}

/// A generator whose body may stand in place of a loop.
struct Known {
    f: ast::StmtFunctionDef,
    /// How its variables are named.
    name: String,
    /// How many of the functions around see the same names as it does.
    depth: usize,
    /// The instance, of a method.
    instance: Option<Expr>,
}

/// What a loop does with what is yielded.
struct Turn<'s> {
    f: &'s ast::StmtFor,
    prefix: &'s str,
    numbered: bool,
    limited: bool,
}

impl Reader {
    fn function(&mut self, f: &mut ast::StmtFunctionDef) {
        let scope = Scope::of(Def::Function(f));
        let generator = |name: &str| match scope.function(name) {
            Some(Def::Function(g)) if is_generator(g) => Some((name.to_string(), g.clone())),
            _ => None,
        };
        let frame = (scope.names().map(str::to_string).collect(), scope.names().filter_map(generator).collect());
        self.frames.push(frame);
        f.body = self.body(std::mem::take(&mut f.body).into_iter().collect()).into();
        self.frames.pop();
        // What gives lists that nobody asks for may not be in the subset.
        let is_asked_for = |f: &ast::StmtFunctionDef, body: &[Stmt]| {
            let others = body.iter().filter(|s| s.as_function_def_stmt().is_none_or(|other| other.name != f.name));
            others.into_iter().any(|s| mentions(std::slice::from_ref(s), &|name| name == f.name.as_str()))
        };
        let whole = f.body.clone();
        let keep = |stmt: &Stmt| !matches!(stmt, Stmt::FunctionDef(f) if is_list_name(&f.name) && !is_asked_for(f, &whole));
        f.body.retain(|stmt| keep(stmt));
    }

    fn body(&mut self, body: Vec<Stmt>) -> Vec<Stmt> {
        body.into_iter().flat_map(|stmt| self.stmt(stmt)).collect()
    }

    fn inner(&mut self, body: &mut ast::Suite) {
        *body = self.body(std::mem::take(body).into_iter().collect()).into();
    }

    fn stmt(&mut self, stmt: Stmt) -> Vec<Stmt> {
        match stmt {
            Stmt::FunctionDef(mut f) => {
                let name = f.name.to_string();
                let is_known = match self.frames.last() {
                    None => self.top.contains_key(&name),
                    Some((_, generators)) => generators.contains_key(&name),
                };
                if !is_known {
                    self.function(&mut f);
                    return vec![Stmt::FunctionDef(f)];
                }
                let is_top = self.frames.is_empty();
                let Some(Known { f: read, .. }) = self.generator(&name) else { return vec![Stmt::FunctionDef(f)] };
                let lists = [listed(&read, false), listed(&read, true)].map(Stmt::FunctionDef);
                // The function itself is no value; one that nobody mentions is refused nowhere.
                let object = resumed::class_of(&f).filter(|_| is_top && self.kept.contains(name.as_str()));
                match is_top {
                    true => object.into_iter().chain(lists).chain([Stmt::FunctionDef(f)]).collect(),
                    false => lists.into(),
                }
            }
            Stmt::ClassDef(mut class) => {
                let mut body = Vec::new();
                for stmt in std::mem::take(&mut class.body) {
                    match stmt {
                        Stmt::FunctionDef(mut f) if is_generator(&f) && self.methods.contains_key(f.name.as_str()) => {
                            self.active.push(format!("{}.{}", class.name, f.name));
                            self.function(&mut f);
                            self.active.pop();
                            let mut own = ast::StmtFunctionDef { name: f.name.clone(), ..listed(&f, false) };
                            if f.name.as_str() == "__iter__" {
                                own.name.id = YIELDED.into();
                                body.push(iterating(f.name.range()));
                            }
                            body.push(Stmt::FunctionDef(own));
                        }
                        Stmt::FunctionDef(mut f) => {
                            self.function(&mut f);
                            body.push(Stmt::FunctionDef(f));
                        }
                        other => body.push(other),
                    }
                }
                class.body = body.into();
                vec![Stmt::ClassDef(class)]
            }
            Stmt::For(mut f) => {
                self.inner(&mut f.body);
                self.inner(&mut f.orelse);
                self.for_loop(f)
            }
            Stmt::Expr(ref e) => match &*e.value {
                // What a known generator yields is yielded by a loop over it.
                Expr::YieldFrom(y) if y.value.is_call_expr() => {
                    let around = self.active.last().cloned().unwrap_or_default();
                    let each = format!("{around}.each");
                    let range = stmt.range();
                    let value = Expr::Yield(ast::ExprYield {
                        node_index: Default::default(),
                        range,
                        value: Some(name_at(&each, range).into()),
                    });
                    let f = for_stmt(&each, (*y.value).clone(), vec![expression(value, range)], range);
                    let mut read = self.for_loop(f);
                    match &read[..] {
                        [Stmt::For(f)] if carrier(&f.iter).is_none() => vec![stmt],
                        _ => std::mem::take(&mut read),
                    }
                }
                _ => vec![stmt],
            },
            Stmt::While(mut w) => {
                self.inner(&mut w.body);
                self.inner(&mut w.orelse);
                vec![Stmt::While(w)]
            }
            Stmt::If(mut i) => {
                self.inner(&mut i.body);
                i.elif_else_clauses.iter_mut().for_each(|c| self.inner(&mut c.body));
                vec![Stmt::If(i)]
            }
            Stmt::With(mut w) => {
                self.inner(&mut w.body);
                vec![Stmt::With(w)]
            }
            Stmt::Try(mut t) => {
                self.inner(&mut t.body);
                self.inner(&mut t.orelse);
                self.inner(&mut t.finalbody);
                for ast::ExceptHandler::ExceptHandler(h) in &mut t.handlers {
                    self.inner(&mut h.body);
                }
                vec![Stmt::Try(t)]
            }
            Stmt::Match(mut m) => {
                m.cases.iter_mut().for_each(|c| self.inner(&mut c.body));
                vec![Stmt::Match(m)]
            }
            other => vec![other],
        }
    }

    /// A generator by its name, with the generators that it goes over in place; none if it is being read.
    fn generator(&mut self, name: &str) -> Option<Known> {
        let found = self.frames.iter().rposition(|(_, generators)| generators.contains_key(name));
        let depth = found.map_or(0, |i| i + 1);
        let key = format!("{name}@{depth}");
        let known = |f| Some(Known { f, name: name.to_string(), depth, instance: None });
        if found.is_none()
            && let Some(ready) = self.ready.get(name)
        {
            return known(ready.clone());
        }
        if self.active.contains(&key) {
            return None;
        }
        let mut f = match found {
            Some(i) => self.frames[i].1[name].clone(),
            None => self.top.get(name)?.clone(),
        };
        let inside = self.frames.split_off(depth);
        self.active.push(key);
        self.function(&mut f);
        self.active.pop();
        self.frames.extend(inside);
        if found.is_none() {
            self.ready.insert(name.to_string(), f.clone());
        }
        known(f)
    }

    /// The generator that a call is of.
    fn called(&mut self, c: &ast::ExprCall) -> Option<(Known, bool)> {
        match &*c.func {
            Expr::Name(n) => match (n.id.strip_suffix(LIST), n.id.strip_suffix(FIRST)) {
                (Some(name), _) => Some((self.generator(name)?, false)),
                (_, Some(name)) => Some((self.generator(name)?, true)),
                _ => None,
            },
            // What one class has alone is a method of that.
            Expr::Attribute(a) if !matches!(a.attr.as_str(), "items" | "keys" | "values") => {
                let (class, f) = self.methods.get(a.attr.as_str())?.clone()?;
                let key = format!("{class}.{}", a.attr);
                if self.active.contains(&key) {
                    return None;
                }
                let mut f = f;
                let inside = std::mem::take(&mut self.frames);
                self.active.push(key.clone());
                self.function(&mut f);
                self.active.pop();
                self.frames = inside;
                Some((Known { f, name: key, depth: 0, instance: Some((*a.value).clone()) }, false))
            }
            _ => None,
        }
    }

    /// A loop, with the generator in place that it goes over.
    fn for_loop(&mut self, f: ast::StmtFor) -> Vec<Stmt> {
        let given = f.iter.as_call_expr().filter(|_| !f.is_async).cloned();
        let Some(c) = given else { return vec![Stmt::For(f)] };
        // `enumerate(g(x), start)`
        let (of, start) = match (c.func.as_name_expr(), &*c.arguments.args, &*c.arguments.keywords) {
            (Some(n), [Expr::Call(of), start @ ..], keywords) if n.id == "enumerate" && !self.is_bound("enumerate") => {
                match (start, keywords) {
                    ([], []) => (of.clone(), Some(None)),
                    ([start], []) => (of.clone(), Some(Some(start.clone()))),
                    ([], [k]) if k.arg.as_ref().is_some_and(|a| a.as_str() == "start") => {
                        (of.clone(), Some(Some(k.value.clone())))
                    }
                    _ => return vec![Stmt::For(f)],
                }
            }
            _ => (c, None),
        };
        let Some((known, limited)) = self.called(&of) else { return vec![Stmt::For(f)] };
        let yields = known.f.body.iter().fold((0, false), |(count, used), stmt| {
            let y = Yields::of(stmt, false);
            (count + y.count, used || y.is_used)
        });
        let size = size(&known.f.body) + yields.0 * size(&f.body);
        let free = free_names(&known.f);
        let hides =
            self.frames[known.depth.min(self.frames.len())..].iter().any(|(bound, _)| free.iter().any(|n| bound.contains(n)));
        if yields.1 || !may_be_copied(&known.f) || hides || size > MOST {
            return vec![Stmt::For(f)];
        }
        let range = f.iter.range();
        // A loop over it inside of a loop over it has other names.
        let is_in_use = |prefix: &str| {
            let is_it = |name: &str| name.starts_with(prefix) && !is_list_name(name);
            mentions(&f.body, &is_it) || mentions(&f.orelse, &is_it)
        };
        let level = (0..).find(|i| !is_in_use(&prefix_of(&known.name, *i))).expect("there are few");
        let prefix = prefix_of(&known.name, level);
        let own = |name: &str| format!("{prefix}{name}");
        let (mut arguments, mut before) = (of.arguments.clone(), Vec::new());
        if limited {
            let mut args = arguments.args.into_iter();
            before.push(assignment(store(&own(".most"), range), args.next().expect("it was put there"), range));
            arguments.args = args.collect();
        }
        before.extend(bound(&known.f, known.instance.clone(), &arguments, range, own));
        if let Some(start) = &start {
            before.push(assignment(store(&own(".at"), range), start.clone().unwrap_or_else(|| int(0, range)), range));
        }
        let turn = Turn { f: &f, prefix: &prefix, numbered: start.is_some(), limited };
        if limited {
            before.push(assignment(store(&own(".count"), range), int(0, range), range));
            before.push(turn.limit(range));
        }
        let mut body = before;
        body.extend(renamed(&known.f, own).into_iter().flat_map(|stmt| turn.stmt(stmt)));
        let iter = call(name_at(INLINED, range), Vec::new(), range);
        vec![Stmt::For(ast::StmtFor { iter: iter.into(), body: body.into(), ..f.clone() })]
    }

    fn is_bound(&self, name: &str) -> bool {
        self.frames.iter().any(|(bound, _)| bound.contains(name))
    }
}

fn prefix_of(name: &str, level: usize) -> String {
    if level == 0 { format!("{name}.") } else { format!("{name}.{level}.") }
}

impl Turn<'_> {
    fn body(&self, body: ast::Suite) -> ast::Suite {
        body.into_iter().flat_map(|stmt| self.stmt(stmt)).collect()
    }

    /// Leaves the generator once so many elements were yielded.
    fn limit(&self, range: TextRange) -> Stmt {
        let [count, most] = [".count", ".most"].map(|name| name_at(&format!("{}{name}", self.prefix), range));
        let is_done = compare(count, ast::CmpOp::GtE, most, range);
        if_stmt(is_done, vec![done(range)], range)
    }

    /// The loop's body for a value that is yielded.
    fn yielded(&self, value: Expr, range: TextRange) -> Vec<Stmt> {
        let own = |name: &str| format!("{}{name}", self.prefix);
        let mut stmts = Vec::new();
        let mut value = value;
        if self.numbered {
            let elts = vec![name_at(&own(".at"), range), value];
            let pair =
                ast::ExprTuple { node_index: Default::default(), range, elts, ctx: ExprContext::Load, parenthesized: true };
            stmts.push(assignment(store(&own(".pair"), range), Expr::Tuple(pair), range));
            stmts.push(add_one(&own(".at"), range));
            value = name_at(&own(".pair"), range);
        }
        let iter = call(name_at(YIELD, range), vec![value], range);
        let f = self.f.clone();
        stmts.push(Stmt::For(ast::StmtFor { iter: iter.into(), orelse: Default::default(), ..f }));
        if self.limited {
            stmts.push(add_one(&own(".count"), range));
            stmts.push(self.limit(range));
        }
        stmts
    }

    fn stmt(&self, stmt: Stmt) -> Vec<Stmt> {
        let range = stmt.range();
        match stmt {
            Stmt::Return(_) => vec![done(range)],
            Stmt::Expr(e) => match *e.value {
                Expr::Yield(y) => self.yielded(y.value.map_or_else(|| none(range), |v| *v), range),
                Expr::YieldFrom(y) => {
                    let each = format!("{}.each", self.prefix);
                    let body = self.yielded(name_at(&each, range), range);
                    vec![Stmt::For(for_stmt(&each, *y.value, body, range))]
                }
                value => vec![Stmt::Expr(ast::StmtExpr { value: value.into(), ..e })],
            },
            other => vec![each_body(other, &|body| self.body(body))],
        }
    }
}

/// Changes the bodies of a statement, but of functions and classes.
pub fn each_body(mut stmt: Stmt, change: &dyn Fn(ast::Suite) -> ast::Suite) -> Stmt {
    let change = |body: &mut ast::Suite| *body = change(std::mem::take(body));
    match &mut stmt {
        Stmt::For(f) => {
            change(&mut f.body);
            change(&mut f.orelse);
        }
        Stmt::While(w) => {
            change(&mut w.body);
            change(&mut w.orelse);
        }
        Stmt::If(i) => {
            change(&mut i.body);
            i.elif_else_clauses.iter_mut().for_each(|c| change(&mut c.body));
        }
        Stmt::With(w) => change(&mut w.body),
        Stmt::Match(m) => m.cases.iter_mut().for_each(|c| change(&mut c.body)),
        Stmt::Try(t) => {
            change(&mut t.body);
            change(&mut t.orelse);
            change(&mut t.finalbody);
            for ast::ExceptHandler::ExceptHandler(h) in &mut t.handlers {
                change(&mut h.body);
            }
        }
        _ => {}
    }
    stmt
}

/// Whether a call gives the list of what `__iter__` yields.
pub fn is_early(c: &ast::ExprCall) -> bool {
    c.func.as_attribute_expr().is_some_and(|a| a.attr.as_str() == YIELDED)
}

/// Whether a function is one that gives the list of what a generator yields.
pub fn is_listed(f: &ast::StmtFunctionDef) -> bool {
    let name = |t: &Expr| t.as_name_expr().is_some_and(|n| n.id.ends_with(MADE));
    f.body.first().and_then(Stmt::as_assign_stmt).is_some_and(|a| a.targets.iter().all(name))
}

/// Whether a name is of the list that is being made of what a generator yields, which nobody else has.
pub fn is_made(name: &str) -> bool {
    name.ends_with(MADE)
}

/// Whether a name is that of the list of what a generator yields.
pub fn is_list_name(name: &str) -> bool {
    name.ends_with(LIST) || name.ends_with(FIRST)
}

/// What a loop stands for that a generator was read as.
fn carrier(iter: &Expr) -> Option<&'static str> {
    let name = iter.as_call_expr()?.func.as_name_expr()?;
    [INLINED, YIELD, DONE].into_iter().find(|known| name.id == *known)
}

fn size(body: &[Stmt]) -> usize {
    struct Size(usize);
    impl<'a> Visitor<'a> for Size {
        fn visit_stmt(&mut self, stmt: &'a Stmt) {
            self.0 += 1;
            walk_stmt(self, stmt);
        }
    }
    let mut size = Size(0);
    size.visit_body(body);
    size.0
}

/// Whether statements mention such a name.
fn mentions(body: &[Stmt], is_it: &dyn Fn(&str) -> bool) -> bool {
    struct Mentions<'p>(&'p dyn Fn(&str) -> bool, bool);
    impl<'a> Visitor<'a> for Mentions<'_> {
        fn visit_expr(&mut self, expr: &'a Expr) {
            self.1 |= expr.as_name_expr().is_some_and(|n| self.0(&n.id));
            walk_expr(self, expr);
        }
    }
    let mut mentions = Mentions(is_it, false);
    mentions.visit_body(body);
    mentions.1
}
