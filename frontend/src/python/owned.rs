//! Variables of a function whose lists, dicts and arrays the functions inside of it write to: `out.append(v)` where `out` is a variable of
//! the function around.
//!
//! In the IR a write makes another value, so such a variable is in a box ([`super::capture`]), and the write is an assignment to it. That
//! is what Python does if nobody has the object under another name. Here is a sufficient condition, by the source alone: the variable
//! is assigned new objects only, and wherever its object is read, it is used up at once. What is not known to be so is refused later, as
//! a write to something defined outside.
//!
//! The functions that write, and those that call them, are the changers. They are called by their names and nothing else is done
//! with them, so it is seen where the object may change: nothing has it at hand over such a call, and no loop goes over it around one.

mod uses;

use super::library;
use super::scope::{Binding, Def, Globals, Scope};
use super::span_of;
use gradus_ir::Span;
use ruff_python_ast::visitor::{Visitor, walk_expr, walk_stmt};
use ruff_python_ast::{self as ast, Expr, Operator, Stmt};
use rustc_hash::FxHashSet;
use std::collections::BTreeSet;
use uses::Uses;

/// The variables of a file of which that is so.
#[derive(Default)]
pub struct Owned<'a> {
    /// Each with the place of its function.
    pub variables: BTreeSet<(Span, &'a str)>,
    /// Elements of arrays among them that something may keep: they must be numbers, since an array would share the memory.
    pub numbers: BTreeSet<Span>,
    /// Those whose rows are owned, too: lists of new lists.
    pub rows: BTreeSet<(Span, &'a str)>,
}

/// Finds them.
pub fn find<'a>(body: &'a [Stmt], globals: &Globals<'_>) -> Owned<'a> {
    let mut found = Owned::default();
    for f in functions(body) {
        let scope = Scope::of(Def::Function(f));
        let inside = functions(&f.body);
        let mut names: Vec<&'a str> = inside.iter().flat_map(|g| changed(&g.body)).collect();
        names.sort_unstable();
        names.dedup();
        let is_parameter = |name: &str| f.parameters.iter().any(|p| p.name().as_str() == name);
        for name in names {
            if matches!(scope.get(name), Some(Binding::Variable))
                && !is_parameter(name)
                && let changers = changers(&inside, name)
                && !changers.is_empty()
                && let Some(kind) = kind(&f.body, name, globals)
                && let uses = (Uses { name, kind, changers, globals, depth: 0, is_owned: true, numbers: Vec::new() })
                && let Some(numbers) = uses.hold_in(&f.body)
            {
                found.variables.insert((span_of(&f.name), name));
                if kind == Kind::Rows {
                    found.rows.insert((span_of(&f.name), name));
                }
                found.numbers.extend(numbers);
            }
        }
    }
    found
}

/// The functions that are defined somewhere in these statements.
fn functions(body: &[Stmt]) -> Vec<&ast::StmtFunctionDef> {
    struct Functions<'a>(Vec<&'a ast::StmtFunctionDef>);
    impl<'a> Visitor<'a> for Functions<'a> {
        fn visit_stmt(&mut self, stmt: &'a Stmt) {
            self.0.extend(stmt.as_function_def_stmt());
            walk_stmt(self, stmt);
        }
        fn visit_expr(&mut self, _: &'a Expr) {}
    }
    let mut all = Functions(Vec::new());
    all.visit_body(body);
    all.0
}

/// Whether a method of this name changes a list or a dict, and gives nothing.
pub fn gives_nothing(method: &str) -> bool {
    matches!(method, "append" | "extend" | "update") || library::change(method).is_some()
}

/// The object that a method changes, where a call is of such a method, and the name of the method.
fn receiver(call: &ast::ExprCall) -> Option<(&Expr, &str)> {
    let Expr::Attribute(method) = &*call.func else { return None };
    let name = method.attr.as_str();
    changes(name).then_some((&method.value, name))
}

/// Whether a method of this name changes a list, a dict or an array.
pub fn changes(method: &str) -> bool {
    gives_nothing(method) || method == "sort" || gives_element(method)
}

/// Whether a method of this name changes a list or a dict, and gives what is in it.
pub fn gives_element(method: &str) -> bool {
    matches!(method, "pop" | "popitem" | "setdefault")
}

/// The variable that an expression is, or is an element of, or of an element.
fn variable(expr: &Expr) -> Option<&str> {
    match expr {
        Expr::Name(n) => Some(&n.id),
        Expr::Subscript(s) => variable(&s.value),
        _ => None,
    }
}

/// The variables whose objects these statements write to, those of functions inside left out.
fn changed(body: &[Stmt]) -> Vec<&str> {
    struct Changed<'a>(Vec<&'a str>);
    impl<'a> Changed<'a> {
        fn target(&mut self, target: &'a Expr) {
            match target {
                Expr::Subscript(_) => self.0.extend(variable(target)),
                Expr::Tuple(t) => t.elts.iter().for_each(|t| self.target(t)),
                Expr::List(t) => t.elts.iter().for_each(|t| self.target(t)),
                _ => {}
            }
        }
    }
    impl<'a> Visitor<'a> for Changed<'a> {
        fn visit_stmt(&mut self, stmt: &'a Stmt) {
            match stmt {
                Stmt::FunctionDef(_) | Stmt::ClassDef(_) => return,
                Stmt::Assign(a) => a.targets.iter().for_each(|t| self.target(t)),
                Stmt::AugAssign(a) => self.target(&a.target),
                Stmt::AnnAssign(a) => self.target(&a.target),
                Stmt::Delete(d) => d.targets.iter().for_each(|t| self.target(t)),
                _ => {}
            }
            walk_stmt(self, stmt);
        }
        fn visit_expr(&mut self, expr: &'a Expr) {
            if let Expr::Call(call) = expr {
                self.0.extend(receiver(call).and_then(|(object, _)| variable(object)));
            }
            walk_expr(self, expr);
        }
    }
    let mut all = Changed(Vec::new());
    all.visit_body(body);
    all.0
}

/// Whether a function means a variable of a function around it by this name.
fn sees(f: &ast::StmtFunctionDef, name: &str) -> bool {
    Scope::of(Def::Function(f)).get(name).is_none()
}

/// The variables around a function that it writes to, each with the place of the function.
pub fn captured_writes(f: &ast::StmtFunctionDef) -> impl Iterator<Item = (&str, Span)> {
    changed(&f.body).into_iter().filter(|name| sees(f, name)).map(|name| (name, span_of(&f.name)))
}

/// The parameters that a function writes to, by their places.
pub fn written_parameters(f: &ast::StmtFunctionDef) -> impl Iterator<Item = (usize, &ast::Identifier)> {
    let changed = changed(&f.body);
    let places = f.parameters.iter_non_variadic_params().map(|p| p.name()).enumerate();
    places.filter(move |(_, name)| changed.contains(&name.as_str()))
}

/// The names of the functions that write to what the variable holds, and of those that call them.
fn changers<'a>(inside: &[&'a ast::StmtFunctionDef], name: &str) -> FxHashSet<&'a str> {
    let writes = |f: &&&ast::StmtFunctionDef| sees(f, name) && changed(&f.body).contains(&name);
    let mut found: FxHashSet<&'a str> = inside.iter().filter(writes).map(|f| f.name.as_str()).collect();
    loop {
        let calls = |f: &&&ast::StmtFunctionDef| f.body.iter().any(|s| mentions(s, |n| found.contains(n)));
        let more: Vec<&'a str> = inside.iter().filter(calls).map(|f| f.name.as_str()).filter(|n| !found.contains(n)).collect();
        if more.is_empty() {
            return found;
        }
        found.extend(more);
    }
}

/// Looks for names.
struct Mentions<F> {
    is_it: F,
    found: bool,
}

impl<'a, F: Fn(&str) -> bool> Visitor<'a> for Mentions<F> {
    fn visit_expr(&mut self, expr: &'a Expr) {
        self.found |= matches!(expr, Expr::Name(n) if (self.is_it)(&n.id));
        walk_expr(self, expr);
    }
}

/// Whether a statement has a name in it, that of a function inside or in one included.
fn mentions(stmt: &Stmt, is_it: impl Fn(&str) -> bool) -> bool {
    let mut look = Mentions { is_it, found: false };
    look.visit_stmt(stmt);
    look.found
}

fn has_name(expr: &Expr, is_it: impl Fn(&str) -> bool) -> bool {
    let mut look = Mentions { is_it, found: false };
    look.visit_expr(expr);
    look.found
}

/// What a variable holds.
#[derive(Clone, Copy, PartialEq)]
pub enum Kind {
    /// Lists and dicts, of which a part is an object of its own.
    List,
    /// Lists of new lists.
    Rows,
    /// Maybe arrays, of which a part may share the memory.
    Array,
}

/// What the variable holds, if all that is assigned to it is new.
fn kind(body: &[Stmt], name: &str, globals: &Globals<'_>) -> Option<Kind> {
    struct Assigned<'s, 'g> {
        name: &'s str,
        globals: &'s Globals<'g>,
        kinds: Vec<Option<Kind>>,
    }
    impl<'a> Visitor<'a> for Assigned<'_, '_> {
        fn visit_stmt(&mut self, stmt: &'a Stmt) {
            let is_it = |target: &Expr| matches!(target, Expr::Name(n) if *n.id == *self.name);
            match stmt {
                Stmt::Assign(a) if a.targets.iter().any(is_it) => self.kinds.push(new_object(&a.value, self.globals)),
                Stmt::AnnAssign(a) if is_it(&a.target) => {
                    self.kinds.extend(a.value.as_deref().map(|value| new_object(value, self.globals)));
                }
                _ => {}
            }
            walk_stmt(self, stmt);
        }
        fn visit_expr(&mut self, _: &'a Expr) {}
    }
    let mut all = Assigned { name, globals, kinds: Vec::new() };
    all.visit_body(body);
    let kinds = all.kinds.into_iter().collect::<Option<Vec<Kind>>>()?;
    let first = *kinds.first()?;
    let same = kinds.iter().all(|kind| *kind == first);
    same.then_some(first).or((!kinds.contains(&Kind::Rows)).then_some(Kind::Array))
}

/// What an expression makes, if it is an object that nobody else has.
pub fn new_object(expr: &Expr, globals: &Globals<'_>) -> Option<Kind> {
    match expr {
        Expr::ListComp(c) if new_object(&c.elt, globals) == Some(Kind::List) => Some(Kind::Rows),
        Expr::List(_) | Expr::ListComp(_) | Expr::Dict(_) | Expr::DictComp(_) => Some(Kind::List),
        Expr::BinOp(b) if matches!(b.op, Operator::Add | Operator::Mult) && (b.left.is_list_expr() || b.right.is_list_expr()) => {
            Some(Kind::List)
        }
        Expr::BinOp(_) => Some(Kind::Array),
        Expr::Call(c) => match &*c.func {
            Expr::Name(n) if matches!(n.id.as_str(), "list" | "dict" | "sorted") && globals.name(&n.id).is_none() => {
                Some(Kind::List)
            }
            Expr::Attribute(a) if &a.attr == "copy" => Some(Kind::Array),
            func => is_new(func, globals).then_some(Kind::Array),
        },
        _ => None,
    }
}

/// Whether a function is one of NumPy whose result shares no memory with its arguments.
fn is_new(func: &Expr, globals: &Globals<'_>) -> bool {
    const VIEWS: &[&str] = &[
        "array_split",
        "asarray",
        "atleast_1d",
        "atleast_2d",
        "atleast_3d",
        "broadcast_arrays",
        "broadcast_to",
        "diag",
        "diagonal",
        "expand_dims",
        "flip",
        "fliplr",
        "flipud",
        "hsplit",
        "imag",
        "moveaxis",
        "permute_dims",
        "ravel",
        "real",
        "reshape",
        "rot90",
        "split",
        "squeeze",
        "swapaxes",
        "transpose",
        "vsplit",
    ];
    matches!(func, Expr::Attribute(a) if is_module(&a.value, globals)
        && matches!(&*a.value, Expr::Name(n) if matches!(n.id.as_str(), "np" | "numpy" | "math"))
        && !VIEWS.contains(&a.attr.as_str()))
}

fn is_module(expr: &Expr, globals: &Globals<'_>) -> bool {
    matches!(expr, Expr::Name(n) if globals.is_import(&n.id))
}
