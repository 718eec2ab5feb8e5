//! What a class has of its bases: `super()`, several bases, and what makes instances of both.
//!
//! A method that `super()` reaches is one of the class itself, by the name of its own class: the order of the classes is Python's, that of
//! the class of the instance (C3). A class with several bases has all that they have.
//!
//! ```text
//! class B(A):                            class B(A):
//!     def __init__(self, x, y):              def __init__(self, x, y):
//!         super().__init__(x)                    A.x = x                 the body of A's, with names of its own
//!         self.y = y                ⟹            self.x = A.x
//!     def f(self):                               self.y = y
//!         return super().f() + 1.0           def A.f(self): …
//!                                            def f(self):
//!                                                return self.A.f() + 1.0
//! ```

use super::copied::{bound, may_be_copied, named, renamed};
use super::init::{attribute, is_maker, name_at};
use super::scope::{Def, Scope};
use ruff_python_ast::visitor::transformer::{self, Transformer};
use ruff_python_ast::visitor::{Visitor, walk_stmt};
use ruff_python_ast::{self as ast, Expr, Identifier, Stmt};
use ruff_text_size::Ranged;
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::RefCell;

/// The classes of a file, as it has them.
struct Classes {
    all: FxHashMap<String, ast::StmtClassDef>,
}

/// Reads the statements of a file.
pub fn read(mut body: Vec<Stmt>) -> Vec<Stmt> {
    let mut all: FxHashMap<String, ast::StmtClassDef> = FxHashMap::default();
    let mut again: FxHashSet<String> = FxHashSet::default();
    for class in body.iter().filter_map(Stmt::as_class_def_stmt) {
        if all.insert(class.name.to_string(), class.clone()).is_some() {
            again.insert(class.name.to_string());
        }
    }
    // Which of several is meant, its place says.
    all.retain(|name, _| !again.contains(name));
    let classes = Classes { all };
    for stmt in &mut body {
        if let Stmt::ClassDef(class) = stmt
            && classes.all.contains_key(class.name.as_str())
            && let Some(order) = classes.order(&class.name, 0)
            && order.len() > 1
        {
            classes.complete(class, order);
        }
    }
    body
}

/// The name of a base.
fn base_name(base: &Expr) -> Option<&str> {
    let base = base.as_subscript_expr().map_or(base, |s| &*s.value);
    Some(&base.as_name_expr()?.id)
}

/// The parameter that is the instance.
fn first_parameter(f: &ast::StmtFunctionDef) -> Option<&str> {
    Some(f.parameters.posonlyargs.iter().chain(&f.parameters.args).next()?.name())
}

impl Classes {
    fn bases(&self, name: &str) -> Vec<&str> {
        let class = &self.all[name];
        class.bases().iter().filter_map(base_name).filter(|base| self.all.contains_key(*base)).collect()
    }

    /// The class and its bases, in the order in which Python looks for a member; none if there is no such order.
    fn order(&self, name: &str, depth: usize) -> Option<Vec<String>> {
        if depth > self.all.len() {
            return None;
        }
        let bases = self.bases(name);
        let mut rows = bases.iter().map(|base| self.order(base, depth + 1)).collect::<Option<Vec<_>>>()?;
        rows.push(bases.iter().map(|base| base.to_string()).collect());
        let mut order = vec![name.to_string()];
        loop {
            rows.retain(|row| !row.is_empty());
            if rows.is_empty() {
                return Some(order);
            }
            let is_later = |head: &String| rows.iter().any(|row| row[1..].contains(head));
            let next = rows.iter().map(|row| &row[0]).find(|head| !is_later(head))?.clone();
            rows.iter_mut().filter(|row| row[0] == next).for_each(|row| _ = row.remove(0));
            order.push(next);
        }
    }

    fn method(&self, class: &str, name: &str) -> Option<&ast::StmtFunctionDef> {
        self.all[class].body.iter().filter_map(Stmt::as_function_def_stmt).find(|f| f.name.as_str() == name)
    }

    /// Gives a class what its methods reach by `super()`, and what it has of several bases.
    fn complete(&self, class: &mut ast::StmtClassDef, order: Vec<String>) {
        let own = class.name.to_string();
        let is_joined = order.iter().any(|name| self.bases(name).len() > 1);
        let reader = Reader { classes: self, order: &order, wanted: RefCell::default() };
        let mut defined: FxHashSet<String> = FxHashSet::default();
        for stmt in &mut class.body {
            defined.extend(defines(stmt));
            if let Stmt::FunctionDef(f) = stmt {
                reader.method(f, &own);
            }
        }
        let has_maker = |body: &[Stmt]| body.iter().filter_map(Stmt::as_function_def_stmt).any(|f| f.name.as_str() == "__init__");
        for base in order[1..].iter().filter(|_| is_joined) {
            for stmt in &self.all[base].body {
                let Some(name) = defines(stmt) else { continue };
                if !defined.insert(name) {
                    continue;
                }
                let mut stmt = stmt.clone();
                if let Stmt::FunctionDef(f) = &mut stmt {
                    // A dataclass has an `__init__` of its own.
                    if is_maker(f) && !class.decorator_list.is_empty() && !has_maker(&class.body) {
                        continue;
                    }
                    reader.method(f, base);
                }
                class.body.push(stmt);
            }
        }
        let mut made: FxHashSet<(String, String)> = FxHashSet::default();
        loop {
            let wanted: Vec<(String, String)> = reader.wanted.take();
            if wanted.is_empty() {
                return;
            }
            for (of, name) in wanted {
                if made.insert((of.clone(), name.clone()))
                    && let Some(f) = self.method(&of, &name)
                {
                    let mut f = named(f, &format!("{of}.{name}"));
                    reader.method(&mut f, &of);
                    class.body.push(Stmt::FunctionDef(f));
                }
            }
        }
    }
}

/// The member that a statement of a class defines that is no field.
fn defines(stmt: &Stmt) -> Option<String> {
    match stmt {
        Stmt::FunctionDef(f) => Some(f.name.to_string()),
        Stmt::Assign(a) => match &*a.targets {
            [Expr::Name(name)] => Some(name.id.to_string()),
            _ => None,
        },
        _ => None,
    }
}

/// Reads methods as those of one class.
struct Reader<'c> {
    classes: &'c Classes,
    order: &'c [String],
    /// The methods of bases, and their classes, that the class is to have.
    wanted: RefCell<Vec<(String, String)>>,
}

impl Reader<'_> {
    /// Reads a method that a class defines.
    fn method(&self, f: &mut ast::StmtFunctionDef, of: &str) {
        let Some(instance) = first_parameter(f).map(str::to_string) else { return };
        if is_maker(f) {
            f.body = self.made(std::mem::take(&mut f.body), of, &instance, 0);
        }
        let supers = Supers { reader: self, of, instance: &instance };
        f.body.iter_mut().for_each(|stmt| supers.visit_stmt(stmt));
    }

    /// The next class after one that has a method.
    fn next(&self, of: &str, name: &str) -> Option<&str> {
        let at = self.order.iter().position(|class| class == of)?;
        self.order[at + 1..].iter().find(|class| self.classes.method(class, name).is_some()).map(String::as_str)
    }

    /// Whether no class after one makes instances in a way of its own.
    fn is_last(&self, of: &str) -> bool {
        let at = self.order.iter().position(|class| class == of);
        at.is_some_and(|at| {
            self.order[at + 1..].iter().all(|class| {
                let class = &self.classes.all[class];
                class.decorator_list.is_empty() && class.body.iter().all(|s| !s.is_ann_assign_stmt())
            })
        })
    }

    /// The statements of what makes instances, with those of the bases in place of calls of them.
    fn made(&self, body: ast::Suite, of: &str, instance: &str, depth: usize) -> ast::Suite {
        let read = |stmt: Stmt| match self.base_made(&stmt, of, instance, depth) {
            Some(stmts) => stmts,
            None => vec![super::generators::each_body(stmt, &|body| self.made(body, of, instance, depth))],
        };
        body.into_iter().flat_map(read).collect()
    }

    /// What stands for `super().__init__(…)` or `Base.__init__(self, …)`; none if it is no such statement, or stays one.
    fn base_made(&self, stmt: &Stmt, of: &str, instance: &str, depth: usize) -> Option<Vec<Stmt>> {
        let call = stmt.as_expr_stmt()?.value.as_call_expr()?;
        let a = call.func.as_attribute_expr().filter(|a| matches!(a.attr.as_str(), "__init__" | "__post_init__"))?;
        let mut arguments = call.arguments.clone();
        let base = match &*a.value {
            Expr::Name(base) if self.order.iter().any(|class| *class == *base.id) => {
                let (this, rest) = arguments.args.split_first()?;
                this.as_name_expr().filter(|this| this.id == instance)?;
                let rest = rest.to_vec();
                arguments.args = rest.into();
                self.classes.method(&base.id, &a.attr).map(|_| base.id.as_str())
            }
            value => match self.next(self.after(value, of, instance)?, &a.attr) {
                // There is nothing that an object does.
                None if call.arguments.is_empty() && self.is_last(of) => return Some(Vec::new()),
                base => base,
            },
        }?;
        let f = self.classes.method(base, &a.attr)?;
        let own = first_parameter(f)?.to_string();
        if depth > self.order.len() || !may_be_copied(f) || returns(&f.body) || Scope::of(Def::Function(f)).shares {
            return None;
        }
        let prefix = if depth == 0 { format!("{base}.") } else { format!("{base}.{depth}.") };
        let name = |name: &str| if name == own { instance.to_string() } else { format!("{prefix}{name}") };
        let mut without = f.clone();
        let parameters = &mut without.parameters;
        if parameters.posonlyargs.is_empty() {
            parameters.args.remove(0)
        } else {
            parameters.posonlyargs.remove(0)
        };
        let mut stmts = bound(&without, None, &arguments, stmt.range(), |n| format!("{prefix}{n}"));
        let body: ast::Suite = renamed(f, name).into();
        let mut body = self.made(body, base, instance, depth + 1);
        let supers = Supers { reader: self, of: base, instance };
        body.iter_mut().for_each(|stmt| supers.visit_stmt(stmt));
        stmts.extend(body);
        Some(stmts)
    }

    /// The class after which `super()` or `super(C, self)` looks for a member.
    fn after<'e>(&self, value: &'e Expr, of: &'e str, instance: &str) -> Option<&'e str> {
        let call = value.as_call_expr().filter(|c| c.arguments.keywords.is_empty())?;
        call.func.as_name_expr().filter(|n| n.id == "super")?;
        match &*call.arguments.args {
            [] => Some(of),
            [Expr::Name(class), Expr::Name(this)] if this.id == instance => Some(&class.id),
            _ => None,
        }
    }
}

/// Whether statements return before they end.
fn returns(body: &[Stmt]) -> bool {
    struct Returns(bool);
    impl<'a> Visitor<'a> for Returns {
        fn visit_stmt(&mut self, stmt: &'a Stmt) {
            match stmt {
                Stmt::Return(_) => self.0 = true,
                Stmt::FunctionDef(_) => {}
                _ => walk_stmt(self, stmt),
            }
        }
    }
    let mut found = Returns(false);
    found.visit_body(body);
    found.0
}

/// Reads what `super()` reaches as members of the instance.
struct Supers<'r, 'c> {
    reader: &'r Reader<'c>,
    of: &'r str,
    instance: &'r str,
}

impl Transformer for Supers<'_, '_> {
    fn visit_expr(&self, expr: &mut Expr) {
        transformer::walk_expr(self, expr);
        let Expr::Attribute(a) = expr else { return };
        // Those that make instances are statements.
        if matches!(a.attr.as_str(), "__init__" | "__post_init__") {
            return;
        }
        if let Some(after) = self.reader.after(&a.value, self.of, self.instance)
            && let Some(class) = self.reader.next(after, &a.attr)
        {
            let range = a.range();
            self.reader.wanted.borrow_mut().push((class.to_string(), a.attr.to_string()));
            let attr = Identifier::new(format!("{class}.{}", a.attr), a.attr.range());
            let Expr::Attribute(read) = attribute(name_at(self.instance, range), &attr, range) else { unreachable!("it is one") };
            *expr = Expr::Attribute(ast::ExprAttribute { attr, ..read });
        }
    }
}
