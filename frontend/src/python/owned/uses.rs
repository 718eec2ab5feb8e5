//! What is done with a variable: whether its object gets another name.

use super::{Kind, changed, has_name, is_new, mentions, new_object, receiver, sees, variable};
use crate::python::scope::{Globals, Scope};
use crate::python::span_of;
use gradus_ir::Span;
use ruff_python_ast::visitor::{Visitor, walk_expr};
use ruff_python_ast::{self as ast, Expr, Stmt};
use rustc_hash::FxHashSet;

/// Goes over all that is done with a variable.
pub struct Uses<'a, 'g> {
    pub name: &'a str,
    pub kind: Kind,
    pub changers: FxHashSet<&'a str>,
    pub globals: &'g Globals<'g>,
    /// How many functions are between the one with the variable and the place.
    pub depth: u32,
    pub is_owned: bool,
    pub numbers: Vec<Span>,
}

impl<'a> Uses<'a, '_> {
    /// The elements that must be numbers, if the variable is owned then.
    pub fn hold_in(mut self, body: &'a [Stmt]) -> Option<Vec<Span>> {
        self.body(body);
        self.is_owned.then_some(self.numbers)
    }

    fn is_it(&self, expr: &Expr) -> bool {
        matches!(expr, Expr::Name(n) if *n.id == *self.name)
    }

    fn fails(&mut self) {
        self.is_owned = false;
    }

    fn has_it(&self, expr: &Expr) -> bool {
        has_name(expr, |n| n == self.name)
    }

    fn has_changer(&self, expr: &Expr) -> bool {
        has_name(expr, |n| self.changers.contains(n))
    }

    fn body(&mut self, body: &'a [Stmt]) {
        body.iter().for_each(|stmt| self.stmt(stmt));
    }

    fn stmt(&mut self, stmt: &'a Stmt) {
        match stmt {
            Stmt::FunctionDef(f) => {
                let is_changer = self.changers.contains(f.name.as_str());
                if is_changer && !f.decorator_list.is_empty() {
                    self.fails();
                }
                f.decorator_list.iter().for_each(|d| self.root(&d.expression));
                f.parameters.iter_non_variadic_params().filter_map(|p| p.default()).for_each(|d| self.root(d));
                if sees(f, self.name) {
                    self.depth += 1;
                    self.body(&f.body);
                    self.depth -= 1;
                }
            }
            Stmt::Assign(a) => {
                self.root(&a.value);
                match &a.targets[..] {
                    [target] if self.is_it(target) => {}
                    [Expr::Subscript(s)] if self.is_it(&s.value) && self.makes_row(&a.value) => self.root(&s.slice),
                    targets => targets.iter().for_each(|t| self.target(t)),
                }
            }
            Stmt::AnnAssign(a) => {
                a.value.iter().for_each(|value| self.root(value));
                if !self.is_it(&a.target) {
                    self.target(&a.target);
                }
            }
            Stmt::AugAssign(a) => {
                // The element is read before the value is computed.
                if self.has_it(&a.target) && (self.has_changer(&a.target) || self.has_changer(&a.value)) {
                    self.fails();
                }
                self.root(&a.value);
                self.target(&a.target);
            }
            Stmt::Delete(d) => d.targets.iter().for_each(|t| self.target(t)),
            Stmt::Expr(e) => match &*e.value {
                Expr::Call(c) if let Some((object, method)) = receiver(c).filter(|(object, _)| self.is_part(object)) => {
                    self.changes(object, method, &c.arguments);
                    for arg in c.arguments.args.iter().chain(c.arguments.keywords.iter().map(|k| &k.value)) {
                        // What is put to the end is computed before the list is read.
                        if method != "append" && self.has_changer(arg) {
                            self.fails();
                        }
                        self.root(arg);
                    }
                }
                value => self.root(value),
            },
            // The function is left, and with it all that changes the object.
            Stmt::Return(r) if self.depth == 0 => {
                if let Some(value) = r.value.as_deref().filter(|value| self.has_changer(value)) {
                    self.root(value);
                }
            }
            Stmt::For(f) => {
                if self.goes_over(&f.iter) {
                    if self.has_changer(&f.iter)
                        || f.body.iter().chain(&f.orelse).any(|s| mentions(s, |n| self.changers.contains(n)))
                        || changed(&f.body).contains(&self.name)
                    {
                        self.fails();
                    }
                } else {
                    self.root(&f.iter);
                }
                self.target(&f.target);
                self.body(&f.body);
                self.body(&f.orelse);
            }
            Stmt::While(w) => {
                self.expr(&w.test, true);
                self.body(&w.body);
                self.body(&w.orelse);
            }
            Stmt::If(i) => {
                self.expr(&i.test, true);
                self.body(&i.body);
                for clause in &i.elif_else_clauses {
                    clause.test.iter().for_each(|test| self.expr(test, true));
                    self.body(&clause.body);
                }
            }
            Stmt::Return(ast::StmtReturn { value: Some(value), .. }) => self.root(value),
            Stmt::Assert(a) => {
                self.expr(&a.test, true);
                a.msg.iter().for_each(|m| self.root(m));
            }
            Stmt::Return(_) | Stmt::Pass(_) | Stmt::Break(_) | Stmt::Continue(_) | Stmt::Nonlocal(_) | Stmt::Import(_) => {}
            other => {
                if mentions(other, |n| n == self.name || self.changers.contains(n)) {
                    self.fails();
                }
            }
        }
    }

    /// Whether an expression is the variable, or one of its rows.
    fn is_part(&self, expr: &Expr) -> bool {
        self.is_it(expr) || self.is_row(expr)
    }

    fn is_row(&self, expr: &Expr) -> bool {
        self.kind == Kind::Rows && matches!(expr, Expr::Subscript(s) if self.is_it(&s.value))
    }

    /// Whether an expression may become a part of the object: where that has rows, a new one.
    fn makes_row(&self, value: &Expr) -> bool {
        self.kind == Kind::Rows && new_object(value, self.globals) == Some(Kind::List)
    }

    /// A call of a method that changes the object or a row of it.
    fn changes(&mut self, object: &'a Expr, method: &str, arguments: &'a ast::Arguments) {
        if let Expr::Subscript(s) = object {
            // The row is found before what is put into it is computed.
            if arguments.args.iter().any(|arg| self.has_changer(arg)) {
                self.fails();
            }
            return self.root(&s.slice);
        }
        let takes_away = matches!(method, "clear" | "pop" | "popitem" | "remove" | "reverse");
        let is_known = takes_away || method == "append" && arguments.args.iter().all(|arg| self.makes_row(arg));
        if self.kind == Kind::Rows && !is_known {
            self.fails();
        }
    }

    /// What is assigned to.
    fn target(&mut self, target: &'a Expr) {
        match target {
            _ if self.is_it(target) => self.fails(),
            Expr::Name(_) => {}
            Expr::Subscript(s) if self.is_it(&s.value) && self.kind != Kind::Rows => self.root(&s.slice),
            Expr::Subscript(s) if self.is_row(&s.value) => {
                self.root(&s.slice);
                self.root(&s.value.as_subscript_expr().expect("a row").slice);
            }
            // What is deeper in it is not known to be new.
            Expr::Subscript(_) if variable(target) == Some(self.name) => self.fails(),
            Expr::Tuple(t) => t.elts.iter().for_each(|t| self.target(t)),
            Expr::List(t) => t.elts.iter().for_each(|t| self.target(t)),
            other => self.root(other),
        }
    }

    /// An expression of its own.
    fn root(&mut self, expr: &'a Expr) {
        self.expr(expr, false);
    }

    /// Parts that are computed one after the other, and then used together: while one of them is the object itself, no other may change
    /// it. (What is made of the object is made where it stands.)
    fn together(&mut self, parts: &[&'a Expr]) {
        if !parts.iter().any(|part| self.has_changer(part)) {
            return;
        }
        for part in parts {
            match part {
                Expr::Subscript(s) if self.kind == Kind::Array && self.is_it(&s.value) => self.numbers.push(span_of(s)),
                part if self.is_part(part) => self.fails(),
                _ => {}
            }
        }
    }

    /// Whether a loop over this goes over the elements of the object.
    fn goes_over(&self, expr: &Expr) -> bool {
        match expr {
            _ if self.kind == Kind::Rows => false,
            Expr::Call(c) if is_lazy(&c.func) => c.arguments.args.iter().any(|arg| self.goes_over(arg)),
            other => self.is_it(other),
        }
    }

    /// An expression. With `used`, it is used up at once where it stands.
    fn expr(&mut self, expr: &'a Expr, used: bool) {
        match expr {
            Expr::Name(n) => {
                let used = used && self.kind != Kind::Rows;
                if self.changers.contains(n.id.as_str()) || self.is_it(expr) && !used {
                    self.fails();
                }
            }
            // A change of an element, which may have another name.
            Expr::Call(c) if receiver(c).is_some_and(|(of, _)| !self.is_it(of) && variable(of) == Some(self.name)) => {
                self.fails()
            }
            Expr::Call(c) => {
                let all = c.arguments.args.iter().chain(c.arguments.keywords.iter().map(|k| &k.value));
                match &*c.func {
                    Expr::Name(n) if self.changers.contains(n.id.as_str()) => {}
                    Expr::Name(n) if &n.id == "len" && c.arguments.args.iter().all(|arg| self.is_it(arg)) => return,
                    Expr::Attribute(a) if self.is_it(&a.value) => {
                        const METHODS: &[&str] = &[
                            "all", "any", "argmax", "argmin", "copy", "count", "dot", "index", "max", "mean", "min", "pop",
                            "prod", "std", "sum", "tolist", "var",
                        ];
                        if !METHODS.contains(&a.attr.as_str()) || self.kind == Kind::Rows {
                            self.fails();
                        }
                    }
                    Expr::Attribute(a) if &a.attr == "copy" => self.expr(&a.value, true),
                    func => self.expr(func, false),
                }
                let object = c.func.as_attribute_expr().map(|a| &*a.value);
                self.together(&object.into_iter().chain(all.clone()).collect::<Vec<_>>());
                let used = self.is_eager(&c.func) || used && is_lazy(&c.func);
                all.for_each(|arg| self.expr(arg, used));
            }
            Expr::Subscript(s) if self.is_it(&s.value) => {
                match self.kind {
                    Kind::Array if !used => self.numbers.push(span_of(s)),
                    Kind::Rows if !used => self.fails(),
                    _ => {}
                }
                self.together(&[&s.value, &s.slice]);
                self.expr(&s.slice, false);
            }
            Expr::Subscript(s) if self.is_row(&s.value) => {
                self.together(&[&s.value, &s.slice]);
                self.expr(&s.value, true);
                self.expr(&s.slice, false);
            }
            Expr::Attribute(a) if self.is_it(&a.value) => {
                if !matches!(a.attr.as_str(), "shape" | "size" | "ndim") {
                    self.fails();
                }
            }
            Expr::BinOp(b) => {
                self.together(&[&b.left, &b.right]);
                [&b.left, &b.right].into_iter().for_each(|e| self.expr(e, true));
            }
            Expr::UnaryOp(u) => self.expr(&u.operand, true),
            Expr::Compare(c) => {
                let all: Vec<&'a Expr> = std::iter::once(&*c.left).chain(&c.comparators).collect();
                self.together(&all);
                all.into_iter().for_each(|e| self.expr(e, true));
            }
            Expr::BoolOp(b) => b.values.iter().for_each(|e| self.expr(e, used)),
            Expr::If(i) => {
                self.expr(&i.test, true);
                [&i.body, &i.orelse].into_iter().for_each(|e| self.expr(e, used));
            }
            Expr::Starred(s) => self.expr(&s.value, true),
            Expr::ListComp(c) => self.clauses(expr, &[&c.elt], &c.generators),
            Expr::Generator(c) => self.clauses(expr, &[&c.elt], &c.generators),
            Expr::DictComp(c) => {
                let parts: Vec<&'a Expr> = c.key.as_deref().into_iter().chain([&*c.value]).collect();
                self.clauses(expr, &parts, &c.generators);
            }
            Expr::FString(_)
            | Expr::Tuple(_)
            | Expr::List(_)
            | Expr::Dict(_)
            | Expr::Subscript(_)
            | Expr::Attribute(_)
            | Expr::Slice(_) => {
                let used = expr.is_f_string_expr();
                Parts { uses: self, used }.walk(expr);
            }
            Expr::NumberLiteral(_) | Expr::StringLiteral(_) | Expr::BooleanLiteral(_) | Expr::NoneLiteral(_) => {}
            other => {
                if self.has_it(other) || self.has_changer(other) {
                    self.fails();
                }
            }
        }
    }

    fn clauses(&mut self, whole: &'a Expr, parts: &[&'a Expr], clauses: &'a [ast::Comprehension]) {
        if Scope::of_clauses(clauses).get(self.name).is_some() {
            return self.fails();
        }
        for c in clauses {
            if !self.goes_over(&c.iter) {
                self.expr(&c.iter, false);
            } else if self.has_changer(whole) {
                self.fails();
            }
            c.ifs.iter().for_each(|test| self.expr(test, true));
        }
        parts.iter().for_each(|part| self.expr(part, false));
    }

    /// Whether a function makes something new of what it is given, before it returns.
    fn is_eager(&self, func: &Expr) -> bool {
        const BUILTINS: &[&str] = &[
            "abs",
            "all",
            "any",
            "bool",
            "dict",
            "float",
            "int",
            "isinstance",
            "len",
            "list",
            "max",
            "min",
            "print",
            "round",
            "sorted",
            "str",
            "sum",
            "tuple",
        ];
        match func {
            Expr::Name(n) if n.id.starts_with('.') => true,
            Expr::Name(n) => BUILTINS.contains(&n.id.as_str()) && self.globals.name(&n.id).is_none(),
            func => is_new(func, self.globals),
        }
    }
}

/// Whether a function goes over what it is given only when its result is gone over.
fn is_lazy(func: &Expr) -> bool {
    matches!(func, Expr::Name(n) if matches!(n.id.as_str(), "enumerate" | "reversed" | "zip"))
}

/// The parts of an expression.
struct Parts<'u, 'a, 'g> {
    uses: &'u mut Uses<'a, 'g>,
    used: bool,
}

impl<'a> Parts<'_, 'a, '_> {
    fn walk(mut self, expr: &'a Expr) {
        walk_expr(&mut self, expr);
    }
}

impl<'a> Visitor<'a> for Parts<'_, 'a, '_> {
    fn visit_expr(&mut self, expr: &'a Expr) {
        self.uses.expr(expr, self.used);
    }
}
