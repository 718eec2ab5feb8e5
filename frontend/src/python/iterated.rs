//! Classes whose instances are gone over.
//!
//! ```text
//! class C:                               class C:
//!     def __iter__(self):                    def __iter__(self):
//!         return self                            return self
//!     def __next__(self):                    def __pull__(self):
//!         if self.i >= self.n:                   if self.i >= self.n:
//!             raise StopIteration    ⟹               return None
//!         self.i += 1                            self.i += 1
//!         return self.i                          return (self.i,)
//!                                            def __has_next__(self):
//!                                                self._pulled = self.__pull__()
//!                                                return self._pulled is not None
//!                                            __next__ = lambda self: self._pulled[0]
//!                                            __advance__ = lambda self: self
//! ```
//!
//! A class with `__iter__` also has what its elements are taken by at once: `list`, `sum`, `in`.

use super::class::last_name;
use super::enums::written;
use super::init::{assignment, call, name_at};
use ruff_python_ast::visitor::transformer::{self, Transformer};
use ruff_python_ast::{self as ast, Expr, ExprContext, Identifier, Stmt};
use ruff_text_size::{Ranged, TextRange, TextSize};

/// What a class with `__iter__` has beside it, unless it says so itself. Names that begin with a dot are of functions of the library.
const TAKEN: [(&str, &str, &[&str]); 6] = [
    ("__tuple__", ".tuple_from", &["self"]),
    ("__sum__", ".sum_from", &["self", "start"]),
    ("__min__", ".min_from", &["self"]),
    ("__max__", ".max_from", &["self"]),
    ("__contains__", ".contains_from", &["self", "value"]),
    ("__enumerate__", ".enumerate_from", &["self", "start"]),
];

/// Reads the statements of a file.
pub fn read(mut body: Vec<Stmt>) -> Vec<Stmt> {
    for class in body.iter_mut().filter_map(Stmt::as_class_def_stmt_mut) {
        let range = class.name.range();
        // A place of its own for each.
        let mut count = 0;
        let mut place = || {
            count += 1;
            let start = range.start() + TextSize::from(count);
            TextRange::new(start, range.end().max(start))
        };
        if let Some(next) = method(class, "__next__") {
            pulled(next);
            let mut stmts = Vec::new();
            let test = "self._pulled is not None";
            let pull = assignment(target("self._pulled", range), written("self.__pull__()", range), range);
            stmts.push(Stmt::FunctionDef(def("__has_next__", vec![pull, returned(written(test, range), range)], range)));
            for (name, lambda) in [("__next__", "lambda self: self._pulled[0]"), ("__advance__", "lambda self: self")] {
                let place = place();
                stmts.push(assignment(name_at(name, place), written(lambda, place), place));
            }
            class.body.extend(stmts);
        }
        if method(class, "__iter__").is_none()
            && let Some(sequence) = indexed(class)
        {
            let iter = call(name_at(".iter_from", range), vec![sequence], range);
            class.body.push(Stmt::FunctionDef(def("__iter__", vec![returned(iter, range)], range)));
        } else if let Some(iter) = method(class, "__iter__") {
            iter.body.iter_mut().for_each(|stmt| Iterators.visit_stmt(stmt));
        } else {
            continue;
        }
        for (name, function, parameters) in TAKEN {
            if method(class, name).is_none() {
                let place = place();
                let mut lambda = written(&format!("lambda {0}: function({0})", parameters.join(", ")), place);
                if let Expr::Lambda(l) = &mut lambda
                    && let Expr::Call(c) = &mut *l.body
                {
                    *c.func = name_at(function, place);
                }
                class.body.push(assignment(name_at(name, place), lambda, place));
            }
        }
    }
    body
}

fn method<'c>(class: &'c mut ast::StmtClassDef, name: &str) -> Option<&'c mut ast::StmtFunctionDef> {
    class.body.iter_mut().filter_map(Stmt::as_function_def_stmt_mut).find(|f| f.name.as_str() == name)
}

pub fn def(name: &str, body: Vec<Stmt>, range: TextRange) -> ast::StmtFunctionDef {
    ast::StmtFunctionDef {
        node_index: Default::default(),
        range,
        is_async: false,
        decorator_list: Default::default(),
        name: Identifier::new(name, range),
        type_params: None,
        parameters: Box::new(ast::Parameters {
            range,
            args: [super::init::parameter("self", None, range)].into(),
            ..Default::default()
        }),
        returns: None,
        body: body.into(),
    }
}

pub fn returned(value: Expr, range: TextRange) -> Stmt {
    Stmt::Return(ast::StmtReturn { node_index: Default::default(), range, value: Some(value.into()) })
}

fn target(text: &str, range: TextRange) -> Expr {
    let mut target = written(text, range);
    if let Expr::Attribute(a) = &mut target {
        a.ctx = ExprContext::Store;
    }
    target
}

/// The sequence of an instance that is gone over by indices: `__getitem__` gives its elements, and `__len__` how many they are.
fn indexed(class: &mut ast::StmtClassDef) -> Option<Expr> {
    let only = |f: &ast::StmtFunctionDef| match f.body.iter().filter(|s| !is_docstring(s)).collect::<Vec<_>>()[..] {
        [Stmt::Return(r)] => r.value.as_deref().cloned(),
        _ => None,
    };
    let names = |f: &ast::StmtFunctionDef| -> Vec<String> { f.parameters.iter().map(|p| p.name().to_string()).collect() };
    let item = method(class, "__getitem__")?;
    let (item, given) = (only(item)?, names(item));
    let count = method(class, "__len__")?;
    let (count, own) = (only(count)?, names(count));
    let (Expr::Subscript(s), Expr::Call(c)) = (item, count) else { return None };
    let field = |of: &Expr, instance: &str| {
        let a = of.as_attribute_expr().filter(|a| a.value.as_name_expr().is_some_and(|n| n.id == instance))?;
        Some(a.attr.to_string())
    };
    let is_index = s.slice.as_name_expr().is_some_and(|n| given.get(1).is_some_and(|i| n.id == i));
    let is_len = c.func.as_name_expr().is_some_and(|n| n.id == "len");
    let [of] = &*c.arguments.args else { return None };
    let (first, second) = (field(&s.value, given.first()?)?, field(of, own.first()?)?);
    (is_index && is_len && first == second).then(|| written(&format!("self.{first}"), class.name.range()))
}

fn is_docstring(stmt: &Stmt) -> bool {
    stmt.as_expr_stmt().is_some_and(|e| e.value.is_string_literal_expr())
}

/// Lets `__next__` give its element in a tuple, or `None` at the end.
fn pulled(f: &mut ast::StmtFunctionDef) {
    struct Pulled;
    impl Transformer for Pulled {
        fn visit_stmt(&self, stmt: &mut Stmt) {
            let range = stmt.range();
            match stmt {
                Stmt::Raise(r) if r.exc.as_deref().is_some_and(is_stop) => {
                    *stmt = returned(Expr::NoneLiteral(ast::ExprNoneLiteral { node_index: Default::default(), range }), range);
                }
                Stmt::Return(r) => {
                    let none = || Expr::NoneLiteral(ast::ExprNoneLiteral { node_index: Default::default(), range });
                    r.value = Some(one(r.value.take().map_or_else(none, |value| *value), range).into());
                }
                Stmt::FunctionDef(_) => {}
                _ => transformer::walk_stmt(self, stmt),
            }
        }
        fn visit_expr(&self, _: &mut Expr) {}
    }
    let range = f.name.range();
    f.name.id = "__pull__".into();
    f.returns = None;
    f.body.iter_mut().for_each(|stmt| Pulled.visit_stmt(stmt));
    if !f.body.last().is_some_and(|s| s.is_return_stmt() || s.is_raise_stmt()) && !all_return(&f.body) {
        f.body.push(returned(written("(None,)", range), range));
    }
}

/// Whether the last statement returns in all of its arms.
fn all_return(body: &[Stmt]) -> bool {
    match body.last() {
        Some(Stmt::Return(_) | Stmt::Raise(_)) => true,
        Some(Stmt::If(i)) => {
            all_return(&i.body)
                && i.elif_else_clauses.iter().all(|c| all_return(&c.body))
                && i.elif_else_clauses.last().is_some_and(|c| c.test.is_none())
        }
        _ => false,
    }
}

fn is_stop(exc: &Expr) -> bool {
    let name = exc.as_call_expr().map_or(exc, |c| &c.func);
    last_name(name) == Some("StopIteration")
}

/// `(value,)`
fn one(value: Expr, range: TextRange) -> Expr {
    let elts = vec![value];
    Expr::Tuple(ast::ExprTuple { node_index: Default::default(), range, elts, ctx: ExprContext::Load, parenthesized: true })
}

/// Lets `return iter(xs)` in `__iter__` give what goes over the elements.
struct Iterators;

impl Transformer for Iterators {
    fn visit_stmt(&self, stmt: &mut Stmt) {
        if let Stmt::Return(r) = stmt
            && let Some(Expr::Call(c)) = r.value.as_deref_mut()
            && c.func.as_name_expr().is_some_and(|n| n.id == "iter")
            && c.arguments.args.len() == 1
        {
            *c.func = name_at(".iter_from", c.func.range());
        }
        transformer::walk_stmt(self, stmt);
    }

    fn visit_expr(&self, _: &mut Expr) {}
}
