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

/// What takes all elements of an iterator and does nothing else meanwhile.
const WHOLE: [&str; 19] = [
    "chain",
    "dict",
    "enumerate",
    "extend",
    "fromkeys",
    "from_iterable",
    "fsum",
    "iter",
    "join",
    "list",
    "max",
    "min",
    "next",
    "prod",
    "reversed",
    "sorted",
    "sum",
    "tuple",
    "zip",
];

/// Lets calls of generators be calls of what gives lists.
struct Calls {
    top: FxHashSet<String>,
    /// Those among them that may be kept.
    objects: FxHashSet<String>,
    /// The names that the functions around hand to `next`.
    asked: RefCell<Vec<FxHashSet<String>>>,
    /// The functions and classes of the file.
    own: FxHashSet<String>,
    /// The methods that are generators.
    methods: FxHashSet<String>,
    /// What the functions around bind, and which of these are generators.
    frames: RefCell<Vec<(FxHashSet<String>, FxHashSet<String>)>>,
}

impl Calls {
    fn is_generator(&self, name: &str) -> bool {
        let frames = self.frames.borrow();
        let found = frames.iter().rev().find(|(bound, _)| bound.contains(name));
        found.map_or_else(|| self.top.contains(name), |(_, generators)| generators.contains(name))
    }

    /// Whether a function or a variable of the program has this name.
    fn is_own(&self, name: &str) -> bool {
        self.own.contains(name) || self.frames.borrow().iter().any(|(bound, _)| bound.contains(name))
    }

    fn inside(&self, def: Def<'_>, visit: impl FnOnce()) {
        let scope = Scope::of(def);
        let is_own = |name: &&str| matches!(scope.function(name), Some(Def::Function(f)) if is_generator(f));
        let own = scope.names().filter(is_own).map(str::to_string).collect();
        self.frames.borrow_mut().push((scope.names().map(str::to_string).collect(), own));
        visit();
        self.frames.borrow_mut().pop();
    }

    /// Lets a generator be an object that is kept, if it may be one.
    fn keep(&self, value: &mut Expr) {
        if let Expr::Call(c) = value
            && let Expr::Name(n) = &mut *c.func
            && self.objects.contains(n.id.as_str())
            && !self.frames.borrow().iter().any(|(bound, _)| bound.contains(n.id.as_str()))
        {
            n.id = format!("{}{}", n.id, resumed::OBJECT).into();
        }
    }

    /// Lets a generator that may not be taken whole, or not before something else is done, be gone over by a comprehension, which asks
    /// for one that does nothing.
    fn in_part(&self, argument: &mut Expr) {
        let is_generated = match &*argument {
            Expr::Call(c) => match &*c.func {
                Expr::Name(n) => self.is_generator(&n.id),
                Expr::Attribute(a) => self.methods.contains(a.attr.as_str()),
                _ => false,
            },
            _ => false,
        };
        if is_generated {
            let range = argument.range();
            let generators = vec![ast::Comprehension {
                node_index: Default::default(),
                range,
                target: store(".each", range),
                iter: argument.clone(),
                ifs: Vec::new(),
                is_async: false,
            }];
            let elt = name_at(".each", range).into();
            *argument = Expr::ListComp(ast::ExprListComp { node_index: Default::default(), range, elt, generators });
        }
    }

    /// `islice(g(x), n)` is the first `n` of `g`.
    fn islice(&self, c: &ast::ExprCall) -> Option<Expr> {
        if last_name(&c.func) != Some("islice") || self.is_own("islice") || !c.arguments.keywords.is_empty() {
            return None;
        }
        let (of, bounds) = c.arguments.args.split_first()?;
        let of = of.as_call_expr()?;
        let name = of.func.as_name_expr().filter(|n| self.is_generator(&n.id))?;
        let (start, stop, step) = match bounds {
            [stop] => (None, stop, None),
            [start, stop] => (Some(start), stop, None),
            [start, stop, step] => (Some(start), stop, Some(step)),
            _ => return None,
        };
        if stop.is_none_literal_expr() || !bounds.iter().all(|b| b.is_literal_expr() || b.is_name_expr()) {
            return None;
        }
        let range = c.range();
        let mut of = of.clone();
        *of.func = name_at(&format!("{}{FIRST}", name.id), name.range());
        of.arguments.args = std::iter::once(stop.clone()).chain(of.arguments.args.iter().cloned()).collect();
        if start.is_none() {
            return Some(Expr::Call(of));
        }
        let slice = Expr::Slice(ast::ExprSlice {
            node_index: Default::default(),
            range,
            lower: start.cloned().map(Box::new),
            upper: None,
            step: step.cloned().map(Box::new),
        });
        Some(Expr::Subscript(ast::ExprSubscript {
            node_index: Default::default(),
            range,
            // A list may be kept.
            value: list_of(Expr::Call(of), range).into(),
            slice: slice.into(),
            ctx: ExprContext::Load,
        }))
    }
}

impl Transformer for Calls {
    fn visit_stmt(&self, stmt: &mut Stmt) {
        if let Stmt::Assign(a) = stmt
            && let [Expr::Name(name)] = &*a.targets
            && self.asked.borrow().last().is_some_and(|names| names.contains(name.id.as_str()))
        {
            self.keep(&mut a.value);
        }
        let Stmt::FunctionDef(f) = stmt else { return transformer::walk_stmt(self, stmt) };
        self.visit_parameters(&mut f.parameters);
        let mut body = std::mem::take(&mut f.body);
        let whole = ast::StmtFunctionDef { body: body.clone(), ..f.clone() };
        self.asked.borrow_mut().push(asked(&body));
        self.inside(Def::Function(&whole), || self.visit_body(&mut body));
        self.asked.borrow_mut().pop();
        f.body = body;
    }

    fn visit_expr(&self, expr: &mut Expr) {
        if let Expr::Call(c) = expr
            && let Some(first) = self.islice(c)
        {
            *expr = first;
            return transformer::walk_expr(self, expr);
        }
        match expr {
            Expr::Lambda(l) => {
                let whole = l.clone();
                self.inside(Def::Lambda(&whole), || self.visit_expr(&mut l.body));
            }
            Expr::Call(c) => {
                let takes_all = c.arguments.keywords.is_empty() && last_name(&c.func).is_some_and(|name| WHOLE.contains(&name));
                let is_own = c.func.as_name_expr().is_some_and(|n| self.is_own(&n.id));
                let is_next = !is_own && c.func.as_name_expr().is_some_and(|n| n.id == "next");
                if is_next || is_own && !c.func.as_name_expr().is_some_and(|n| self.is_generator(&n.id)) {
                    c.arguments.args.iter_mut().for_each(|a| self.keep(a));
                }
                if !takes_all && !is_own {
                    c.arguments.args.iter_mut().for_each(|a| self.in_part(a));
                }
                if let Expr::Name(n) = &mut *c.func
                    && self.is_generator(&n.id)
                {
                    n.id = format!("{}{LIST}", n.id).into();
                }
                transformer::walk_expr(self, expr);
            }
            Expr::Compare(c) => {
                c.comparators.iter_mut().for_each(|other| self.in_part(other));
                transformer::walk_expr(self, expr);
            }
            _ => transformer::walk_expr(self, expr),
        }
    }
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

/// The function that gives the list of what a generator yields, or of the first of that.
fn listed(f: &ast::StmtFunctionDef, first: bool) -> ast::StmtFunctionDef {
    let mut list = named(f, &format!("{}{}", f.name, if first { FIRST } else { LIST }));
    list.returns = None;
    let range = f.name.range();
    let uses = f.body.iter().any(|stmt| Yields::of(stmt, false).is_used);
    if uses || (!first && is_endless(f)) {
        return list;
    }
    let made = Listed { made: format!("{}{MADE}", f.name), most: format!("{}.most", f.name), name: f.name.to_string(), first };
    let mut body = vec![assignment(store(&made.made, range), empty(range), range)];
    if first {
        list.parameters.args.insert(0, parameter(&made.most, None, range));
        body.push(made.limit(range));
    }
    body.extend(made.body(list.body));
    body.push(made.result(range));
    list.body = body.into();
    list
}

struct Listed {
    made: String,
    most: String,
    name: String,
    first: bool,
}

impl Listed {
    fn result(&self, range: TextRange) -> Stmt {
        let value = Some(name_at(&self.made, range).into());
        Stmt::Return(ast::StmtReturn { node_index: Default::default(), range, value })
    }

    fn length(&self, range: TextRange) -> Expr {
        call(name_at("len", range), vec![name_at(&self.made, range)], range)
    }

    fn limit(&self, range: TextRange) -> Stmt {
        let is_done = compare(self.length(range), ast::CmpOp::GtE, name_at(&self.most, range), range);
        if_stmt(is_done, vec![self.result(range)], range)
    }

    fn body(&self, body: ast::Suite) -> ast::Suite {
        body.into_iter().flat_map(|stmt| self.stmt(stmt)).collect()
    }

    fn grown(&self, method: &str, value: Expr, range: TextRange) -> Vec<Stmt> {
        let method = attribute(name_at(&self.made, range), method, range);
        let mut stmts = vec![expression(call(method, vec![value], range), range)];
        if self.first {
            stmts.push(self.limit(range));
        }
        stmts
    }

    fn stmt(&self, stmt: Stmt) -> Vec<Stmt> {
        let range = stmt.range();
        match stmt {
            Stmt::Return(_) => vec![self.result(range)],
            Stmt::Expr(e) => match *e.value {
                Expr::Yield(y) => self.grown("append", y.value.map_or_else(|| none(range), |v| *v), range),
                // Of a generator that calls itself no more is asked for than is left.
                Expr::YieldFrom(y) if self.first => match *y.value {
                    Expr::Call(mut c) if c.func.as_name_expr().is_some_and(|n| n.id.ends_with(LIST)) => {
                        let name = c.func.as_name_expr().and_then(|n| n.id.strip_suffix(LIST)).expect("it ends so").to_string();
                        let rest = Expr::BinOp(ast::ExprBinOp {
                            node_index: Default::default(),
                            range,
                            left: name_at(&self.most, range).into(),
                            op: ast::Operator::Sub,
                            right: self.length(range).into(),
                        });
                        *c.func = name_at(&format!("{name}{FIRST}"), c.func.range());
                        c.arguments.args = std::iter::once(rest).chain(c.arguments.args.iter().cloned()).collect();
                        self.grown("extend", Expr::Call(c), range)
                    }
                    value => {
                        let each = format!("{}.each", self.name);
                        let body = self.grown("append", name_at(&each, range), range);
                        vec![Stmt::For(for_stmt(&each, value, body, range))]
                    }
                },
                Expr::YieldFrom(y) => self.grown("extend", *y.value, range),
                value => vec![Stmt::Expr(ast::StmtExpr { value: value.into(), ..e })],
            },
            other => vec![each_body(other, &|body| self.body(body))],
        }
    }
}

/// `__iter__` goes over the list, which is made before its elements are asked for.
fn iterating(range: TextRange) -> Stmt {
    let all = call(attribute(name_at("self", range), YIELDED, range), Vec::new(), range);
    let value = call(name_at(".iter_from", range), vec![all], range);
    Stmt::FunctionDef(super::iterated::def("__iter__", vec![super::iterated::returned(value, range)], range))
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

fn store(name: &str, range: TextRange) -> Expr {
    Expr::Name(ast::ExprName { node_index: Default::default(), range, id: name.into(), ctx: ExprContext::Store })
}

fn none(range: TextRange) -> Expr {
    Expr::NoneLiteral(ast::ExprNoneLiteral { node_index: Default::default(), range })
}

fn int(value: u8, range: TextRange) -> Expr {
    let value = ast::Number::Int(ast::Int::from(value));
    Expr::NumberLiteral(ast::ExprNumberLiteral { node_index: Default::default(), range, value })
}

fn empty(range: TextRange) -> Expr {
    Expr::List(ast::ExprList { node_index: Default::default(), range, elts: Vec::new(), ctx: ExprContext::Load })
}

/// `[*values]`
fn list_of(values: Expr, range: TextRange) -> Expr {
    let all = ast::ExprStarred { node_index: Default::default(), range, value: values.into(), ctx: ExprContext::Load };
    let Expr::List(list) = empty(range) else { unreachable!("a list") };
    Expr::List(ast::ExprList { elts: vec![Expr::Starred(all)], ..list })
}

fn expression(value: Expr, range: TextRange) -> Stmt {
    Stmt::Expr(ast::StmtExpr { node_index: Default::default(), range, value: value.into() })
}

fn add_one(name: &str, range: TextRange) -> Stmt {
    let sum = Expr::BinOp(ast::ExprBinOp {
        node_index: Default::default(),
        range,
        left: name_at(name, range).into(),
        op: ast::Operator::Add,
        right: int(1, range).into(),
    });
    assignment(store(name, range), sum, range)
}

fn compare(left: Expr, op: ast::CmpOp, right: Expr, range: TextRange) -> Expr {
    Expr::Compare(ast::ExprCompare {
        node_index: Default::default(),
        range,
        left: left.into(),
        ops: [op].into(),
        comparators: [right].into(),
    })
}

fn if_stmt(test: Expr, body: Vec<Stmt>, range: TextRange) -> Stmt {
    Stmt::If(ast::StmtIf {
        node_index: Default::default(),
        range,
        test: test.into(),
        body: body.into(),
        elif_else_clauses: Default::default(),
    })
}

fn for_stmt(target: &str, iter: Expr, body: Vec<Stmt>, range: TextRange) -> ast::StmtFor {
    ast::StmtFor {
        node_index: Default::default(),
        range,
        is_async: false,
        target: store(target, range).into(),
        iter: iter.into(),
        body: body.into(),
        orelse: Default::default(),
    }
}

/// Leaves the generator around.
fn done(range: TextRange) -> Stmt {
    Stmt::For(for_stmt(DONE, call(name_at(DONE, range), Vec::new(), range), Vec::new(), range))
}

/// A generator that is lowered in place of a loop over it.
pub struct Inlined {
    done: BlockId,
    after: BlockId,
    /// The loops around the loop.
    loops: Vec<Loop>,
    /// How many guards are around it.
    guards: usize,
}

impl<'a> Lowerer<'a, '_> {
    /// Lowers a loop that a generator was read as; false if it is another one.
    pub fn generated(&mut self, f: &'a ast::StmtFor) -> Lowered<bool> {
        let span = span_of(&*f.iter);
        match carrier(&f.iter) {
            Some(INLINED) => {
                let [done, after] = ["done", "after"].map(|name| self.new_block(name, span));
                let loops = std::mem::take(&mut self.frame().loops);
                let guards = self.frame().guards.len();
                self.frame().inlined.push(Inlined { done, after, loops, guards });
                self.body(&f.body)?;
                self.jump(done, span);
                let inlined = self.frame().inlined.pop().expect("this one");
                self.frame().loops = inlined.loops;
                self.seal(done);
                self.enter(done);
                self.body(&f.orelse)?;
                self.jump(after, span);
                self.seal(after);
                self.enter(after);
            }
            Some(YIELD) => {
                let value = &f.iter.as_call_expr().expect("a call").arguments.args[0];
                let value = self.expr(value)?;
                self.assign(&f.target, value)?;
                let next = self.new_block("next", span);
                let frame = self.frame();
                let inlined = frame.inlined.pop().expect("a generator is around");
                // What the body raises is not raised in the generator.
                let own = frame.guards.split_off(inlined.guards);
                if own.iter().any(Guard::is_left) {
                    let d = Diagnostic::unsupported(span, "`yield` in a `try` with `finally`, or in a `with`, is not supported");
                    return Err(d.hint("make a list of what is yielded"));
                }
                let here = Loop { header: next, after: inlined.after, guards: inlined.guards };
                let inside = std::mem::replace(&mut frame.loops, inlined.loops.iter().copied().chain([here]).collect());
                self.body(&f.body)?;
                self.frame().loops = inside;
                self.frame().guards.extend(own);
                self.frame().inlined.push(inlined);
                self.jump(next, span);
                self.seal(next);
                self.enter(next);
            }
            Some(_) => {
                let inlined = self.frame().inlined.last().expect("a generator is around");
                let (done, guards) = (inlined.done, inlined.guards);
                self.leave(guards)?;
                self.jump(done, span);
            }
            None => return Ok(false),
        }
        Ok(true)
    }

    /// Whether a call gives the list of what a generator yields.
    pub fn is_generated(&self, c: &ast::ExprCall) -> bool {
        match &*c.func {
            Expr::Name(n) => is_list_name(&n.id),
            Expr::Attribute(a) => self.classes.yields(&a.attr),
            _ => false,
        }
    }

    /// The names in the generator that a call is of, if that is one of a function.
    pub fn mentioned_by(&self, c: &'a ast::ExprCall) -> Vec<&'a str> {
        struct Names<'a>(Vec<&'a str>);
        impl<'a> Visitor<'a> for Names<'a> {
            fn visit_expr(&mut self, expr: &'a Expr) {
                self.0.extend(expr.as_name_expr().map(|n| n.id.as_str()));
                walk_expr(self, expr);
            }
        }
        let mut names = Names(Vec::new());
        let function = c.func.as_name_expr().and_then(|n| self.frames.iter().rev().find_map(|f| f.scope.function(&n.id)));
        if let Some(Def::Function(f)) = function {
            names.visit_body(&f.body);
        }
        names.0
    }

    /// Checks that the body of a loop over an instance changes nothing that its `__iter__` may read, which has read all before the first
    /// turn. Inference knows whether it is an instance.
    pub fn check_gone_over(&mut self, f: &'a ast::StmtFor, value: NodeId) {
        if self.in_library || self.program.fields.is_empty() && !self.program.objects.are_some() {
            return;
        }
        let classes = self.classes.gone_over();
        if classes.is_empty() || !changes(&f.body) {
            return;
        }
        let span = span_of(&*f.iter);
        let is_one = self.is_of(value, &classes, span);
        let [then, otherwise] = self.branch(is_one, span, ["then", "else"]);
        self.enter(then);
        let why = Diagnostic::unsupported(span, "a loop that may change what `__iter__` goes over is not supported");
        let number = self.m.i64(self.m.refused.len() as i64);
        self.m.refused.push(why.hint("go over a list of the elements: `list(…)`"));
        let refused = self.prim(Prim::Refuse, &[number], span);
        self.end(refused, span);
        self.enter(otherwise);
    }
}

/// Whether statements may change an object.
fn changes(body: &[Stmt]) -> bool {
    struct Changes(bool);
    impl<'a> Visitor<'a> for Changes {
        fn visit_expr(&mut self, expr: &'a Expr) {
            self.0 |= match expr {
                Expr::Attribute(a) => a.ctx != ExprContext::Load,
                Expr::Subscript(s) => s.ctx != ExprContext::Load,
                Expr::Call(c) => match &*c.func {
                    // Functions of libraries change nothing here.
                    Expr::Name(n) => {
                        !matches!(&*n.id, "print" | "abs" | "len" | "max" | "min" | "sum" | "float" | "int" | "range" | "str")
                    }
                    Expr::Attribute(a) => {
                        !a.value.as_name_expr().is_some_and(|n| matches!(&*n.id, "np" | "numpy" | "math" | "jnp"))
                    }
                    _ => true,
                },
                _ => false,
            };
            walk_expr(self, expr);
        }
    }
    let mut found = Changes(false);
    found.visit_body(body);
    found.0
}
