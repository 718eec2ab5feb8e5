//! Variables of classes, and defaults, by names of their own where the top level changes what they are.
//!
//! ```text
//! class C:                          C.n = 3
//!     n = 3                         class C:
//! C.n += 1                 ⟹            n = (lambda: C.n)()
//!                                   C.n += 1
//! ```
//!
//! Here `C.n` is a name of the top level. The function reads it as all code does that runs later.

use crate::python::init::{assignment, call, is_class_variable, name_at};
use crate::python::scope::{Def, Scope, bindings};
use ruff_python_ast::visitor::transformer::{self, Transformer};
use ruff_python_ast::visitor::{Visitor, walk_expr, walk_stmt};
use ruff_python_ast::{self as ast, Expr, ExprContext, Identifier, Stmt};
use ruff_text_size::{Ranged, TextRange};
use rustc_hash::{FxHashMap, FxHashSet};

/// The file with the variables of classes that something assigns or changes, or may have under another name, as names of the top level;
/// none if there are none. Where a change is seen of an object that such a variable may hold, but not whose it is, the variable is not to be
/// read.
pub fn with_class_variables(body: &[Stmt]) -> Option<Vec<Stmt>> {
    let classes = Classes::of(body);
    let found = classes.defs.iter().flat_map(|(class, def)| {
        def.variables.iter().filter(|(_, is_object)| **is_object).map(move |(name, _)| format!("{class}.{name}"))
    });
    let mut changed = Changed { classes: &classes, method: None, found: found.collect(), lost: Vec::new() };
    changed.visit_body(body);
    let (found, mut lost) = (changed.found, changed.lost);
    let has = |name: &str| found.contains(name);
    if found.is_empty() {
        return None;
    }
    let mut read = Vec::new();
    for stmt in body {
        let mut stmt = stmt.clone();
        Qualified { classes: &classes, found: &found, method: None.into() }.visit_stmt(&mut stmt);
        if let Stmt::ClassDef(class) = &mut stmt {
            let of = class.name.to_string();
            let mut own: Vec<String> = Vec::new();
            for member in &mut class.body {
                // A method that is replaced is not to be called: it reads what is not to be read.
                if let Stmt::FunctionDef(f) = member
                    && let name = format!("{of}.{}", f.name)
                    && has(&name)
                {
                    let (value, range) = (name_at(&name, f.name.range()).into(), f.name.range());
                    f.body.insert(0, Stmt::Expr(ast::StmtExpr { node_index: Default::default(), range, value }));
                    lost.push((name, range));
                    continue;
                }
                let (name, value) = match member {
                    Stmt::Assign(a) => match (&a.targets[..], &mut a.value) {
                        ([Expr::Name(name)], value) => (name.id.to_string(), value),
                        _ => continue,
                    },
                    Stmt::AnnAssign(ast::StmtAnnAssign { target, annotation, value: Some(value), .. })
                        if is_class_variable(annotation) =>
                    {
                        match &**target {
                            Expr::Name(name) => (name.id.to_string(), value),
                            _ => continue,
                        }
                    }
                    _ => continue,
                };
                let name = format!("{of}.{name}");
                if has(&name) {
                    let range = value.range();
                    let given = std::mem::replace(&mut **value, later(&name, range));
                    read.push(assigned(&name, given, range));
                    own.push(name);
                }
            }
            // Some are assigned first outside of the class.
            let inside = class.body.iter().filter_map(|s| match s {
                Stmt::FunctionDef(f) => Some(f.name.as_str()),
                Stmt::AnnAssign(a) => a.target.as_name_expr().map(|n| n.id.as_str()),
                _ => None,
            });
            let inside: FxHashSet<String> = inside.map(|name| format!("{of}.{name}")).collect();
            let prefix = format!("{of}.");
            let mut new: Vec<&String> =
                found.iter().filter(|n| n.starts_with(&prefix) && !own.contains(n) && !inside.contains(*n)).collect();
            new.sort_unstable();
            for name in new {
                let range = TextRange::empty(class.end());
                let target = name_at(&name[prefix.len()..], range);
                class.body.push(assignment(target, later(name, range), range));
            }
        }
        read.push(stmt);
    }
    // Nothing of the file comes later.
    let end = TextRange::empty(body.last().map_or_else(Default::default, |stmt| stmt.end()));
    read.extend(lost.into_iter().map(|(name, range)| {
        let target = Expr::Name(ast::ExprName { node_index: Default::default(), range, id: name.into(), ctx: ExprContext::Del });
        Stmt::Delete(ast::StmtDelete { node_index: Default::default(), range: end, targets: vec![target] })
    }));
    Some(read)
}

/// The file with names for expressions at these places.
pub fn named(body: &[Stmt], places: &FxHashSet<TextRange>) -> Vec<Stmt> {
    struct Named<'p> {
        places: &'p FxHashSet<TextRange>,
        found: std::cell::RefCell<Vec<Stmt>>,
    }
    impl Transformer for Named<'_> {
        fn visit_expr(&self, expr: &mut Expr) {
            if !self.places.contains(&expr.range()) {
                return transformer::walk_expr(self, expr);
            }
            let range = expr.range();
            let name = format!("value {}", u32::from(range.start()));
            let given = std::mem::replace(expr, later(&name, range));
            self.found.borrow_mut().push(assigned(&name, given, range));
        }
    }
    let mut read = Vec::new();
    for stmt in body {
        let named = Named { places, found: Default::default() };
        let mut stmt = stmt.clone();
        if matches!(stmt, Stmt::FunctionDef(_) | Stmt::ClassDef(_)) {
            named.visit_stmt(&mut stmt);
        }
        read.extend(named.found.into_inner());
        read.push(stmt);
    }
    read
}

/// The value of a name in the end, read where it is needed.
fn later(name: &str, range: TextRange) -> Expr {
    let body = name_at(name, range).into();
    let function = Expr::Lambda(ast::ExprLambda { node_index: Default::default(), range, parameters: None, body });
    call(function, Vec::new(), range)
}

/// Whether a lambda gives such a value: no lambda of a program is its body alone.
pub fn is_later(lambda: &ast::ExprLambda) -> bool {
    lambda.range == lambda.body.range()
}

fn assigned(name: &str, value: Expr, range: TextRange) -> Stmt {
    let target = Expr::Name(ast::ExprName { node_index: Default::default(), range, id: name.into(), ctx: ExprContext::Store });
    assignment(target, value, range)
}

/// A class of the top level.
struct Class<'a> {
    bases: Vec<&'a str>,
    /// Its variables, each with whether its value is an object that can be changed.
    variables: FxHashMap<&'a str, bool>,
}

/// The classes of the top level, and the names of these and of instances.
struct Classes<'a> {
    defs: FxHashMap<&'a str, Class<'a>>,
    /// Other names of classes: `D = C`; with `true` names of instances: `c = C(1.0)`.
    others: FxHashMap<&'a str, (&'a str, bool)>,
    /// The attributes that instances have, or that are methods.
    fields: FxHashSet<&'a str>,
}

impl<'a> Classes<'a> {
    fn of(body: &'a [Stmt]) -> Classes<'a> {
        let mut classes = Classes { defs: FxHashMap::default(), others: FxHashMap::default(), fields: FxHashSet::default() };
        for class in body.iter().filter_map(Stmt::as_class_def_stmt) {
            let bases = class.bases().iter().filter_map(|b| b.as_name_expr()).map(|n| n.id.as_str()).collect();
            let mut variables = FxHashMap::default();
            for member in &class.body {
                match member {
                    Stmt::Assign(a) => {
                        let names = a.targets.iter().filter_map(|t| t.as_name_expr());
                        variables.extend(names.map(|n| (n.id.as_str(), is_object(&a.value))));
                    }
                    Stmt::AnnAssign(a) => {
                        let Some(name) = a.target.as_name_expr() else { continue };
                        match &a.value {
                            Some(value) if is_class_variable(&a.annotation) => {
                                variables.insert(&name.id, is_object(value));
                            }
                            _ => {
                                classes.fields.insert(&name.id);
                            }
                        }
                    }
                    Stmt::FunctionDef(f) => {
                        classes.fields.insert(&f.name);
                    }
                    _ => {}
                }
            }
            classes.defs.insert(&class.name, Class { bases, variables });
        }
        let mut bound: FxHashMap<&'a str, usize> = FxHashMap::default();
        bindings(body, &mut |name, _, _| *bound.entry(name).or_default() += 1);
        for assign in body.iter().filter_map(Stmt::as_assign_stmt) {
            let [Expr::Name(name)] = &assign.targets[..] else { continue };
            let (of, is_instance) = match &*assign.value {
                Expr::Call(c) => (&*c.func, true),
                other => (other, false),
            };
            if let Expr::Name(of) = of
                && classes.defs.contains_key(of.id.as_str())
                && bound.get(name.id.as_str()) == Some(&1)
            {
                classes.others.insert(&name.id, (&of.id, is_instance));
            }
        }
        let mut stores = Stores { classes: &classes, method: None, found: FxHashSet::default() };
        stores.visit_body(body);
        let found = stores.found;
        classes.fields.extend(found);
        classes
    }

    /// The class that a name stands for in a method, and whether for an instance of it.
    fn named<'s>(&'s self, name: &'s str, method: Option<&'s Method>) -> Option<(&'s str, bool)> {
        match method.filter(|m| m.first == name) {
            Some(m) => Some((&m.class, m.is_of_instance)),
            None if self.defs.contains_key(name) => Some((name, false)),
            None => self.others.get(name).copied(),
        }
    }

    /// The name of the variable that `of.attribute` reads.
    fn variable(&self, of: &Expr, attribute: &str, method: Option<&Method>, has: impl Fn(&str) -> bool) -> Option<String> {
        let name = of.as_name_expr()?;
        let (class, is_of_instance) = self.named(&name.id, method)?;
        if is_of_instance && self.fields.contains(attribute) {
            return None;
        }
        let (mut work, mut seen) = (vec![class], FxHashSet::default());
        while let Some(class) = work.pop() {
            let variable = format!("{class}.{attribute}");
            let Some(def) = self.defs.get(class).filter(|_| seen.insert(class)) else { continue };
            if def.variables.contains_key(attribute) || has(&variable) {
                return Some(variable);
            }
            work.extend(def.bases.iter().rev());
        }
        None
    }
}

/// Whether the value of a variable of a class is an object that can be changed, as far as the source says.
fn is_object(value: &Expr) -> bool {
    const MAKERS: &[&str] =
        &["arange", "array", "dict", "empty", "eye", "full", "linspace", "list", "ones", "ones_like", "zeros", "zeros_like"];
    match value {
        Expr::List(_) | Expr::Dict(_) | Expr::ListComp(_) | Expr::DictComp(_) => true,
        Expr::Call(c) => crate::python::class::last_name(&c.func).is_some_and(|name| MAKERS.contains(&name)),
        _ => false,
    }
}

/// A method, by its first parameter.
struct Method {
    first: String,
    class: String,
    is_of_instance: bool,
}

impl Method {
    fn of(f: &ast::StmtFunctionDef, class: &str) -> Option<Method> {
        let has = |name: &str| f.decorator_list.iter().any(|d| d.expression.as_name_expr().is_some_and(|n| n.id == *name));
        let first = f.parameters.posonlyargs.first().or(f.parameters.args.first())?.name().to_string();
        (!has("staticmethod")).then(|| Method { first, class: class.into(), is_of_instance: !has("classmethod") })
    }
}

/// The methods of a statement that is a class; the other statements in it, too.
fn methods(stmt: &Stmt) -> impl Iterator<Item = (&Stmt, Option<Method>)> {
    let class = stmt.as_class_def_stmt();
    let body = class.into_iter().flat_map(|c| &c.body);
    body.map(move |member| {
        let method = class.zip(member.as_function_def_stmt()).and_then(|(c, f)| Method::of(f, &c.name));
        (member, method)
    })
}

/// Looks for the attributes that are assigned of instances.
struct Stores<'c, 'a> {
    classes: &'c Classes<'a>,
    method: Option<Method>,
    found: FxHashSet<&'a str>,
}

impl<'a> Visitor<'a> for Stores<'_, 'a> {
    fn visit_stmt(&mut self, stmt: &'a Stmt) {
        if !stmt.is_class_def_stmt() {
            return walk_stmt(self, stmt);
        }
        for (member, method) in methods(stmt) {
            self.method = method;
            self.visit_stmt(member);
            self.method = None;
        }
    }

    fn visit_expr(&mut self, expr: &'a Expr) {
        if let Expr::Attribute(a) = expr
            && a.ctx.is_store()
        {
            let of = a.value.as_name_expr().and_then(|n| self.classes.named(&n.id, self.method.as_ref()));
            if !matches!(of, Some((_, false))) {
                self.found.insert(&a.attr);
            }
        }
        walk_expr(self, expr);
    }
}

/// Looks for the variables of classes that are assigned, or whose objects are changed, anywhere.
struct Changed<'c, 'a> {
    classes: &'c Classes<'a>,
    method: Option<Method>,
    found: FxHashSet<String>,
    /// Those that a change may be of which is of nothing that is known, with its place.
    lost: Vec<(String, TextRange)>,
}

impl Changed<'_, '_> {
    /// Something is assigned to a place, or to a part of it.
    fn place(&mut self, expr: &Expr) {
        match expr {
            Expr::Attribute(a) => {
                let of = a.value.as_name_expr().and_then(|n| self.classes.named(&n.id, self.method.as_ref()));
                match of {
                    Some((class, false)) => {
                        let name = format!("{class}.{}", a.attr);
                        self.found.insert(name);
                    }
                    Some((_, true)) => {}
                    None => self.object(&a.value),
                }
            }
            Expr::Subscript(s) => self.object(&s.value),
            Expr::Starred(s) => self.place(&s.value),
            Expr::Tuple(ast::ExprTuple { elts, .. }) | Expr::List(ast::ExprList { elts, .. }) => {
                elts.iter().for_each(|e| self.place(e));
            }
            _ => {}
        }
    }

    /// The object is changed that an expression stands for, or a part of it.
    fn object(&mut self, mut expr: &Expr) {
        loop {
            if let Expr::Attribute(a) = expr {
                let has = |name: &str| self.found.contains(name);
                if let Some(name) = self.classes.variable(&a.value, &a.attr, self.method.as_ref(), has) {
                    self.found.insert(name);
                    return;
                }
                let is_known = a.value.as_name_expr().is_some_and(|n| self.classes.named(&n.id, self.method.as_ref()).is_some());
                if !is_known && !self.classes.fields.contains(a.attr.as_str()) {
                    let defs = self.classes.defs.iter();
                    let of = defs.filter(|(_, def)| def.variables.get(a.attr.as_str()) == Some(&true));
                    self.lost.extend(of.map(|(class, _)| (format!("{class}.{}", a.attr), a.range)));
                }
            }
            expr = match expr {
                Expr::Subscript(s) => &s.value,
                Expr::Attribute(a) => &a.value,
                _ => return,
            };
        }
    }
}

impl<'a> Visitor<'a> for Changed<'_, '_> {
    fn visit_stmt(&mut self, stmt: &'a Stmt) {
        match stmt {
            Stmt::Assign(a) => a.targets.iter().for_each(|t| self.place(t)),
            Stmt::AugAssign(a) => self.place(&a.target),
            Stmt::AnnAssign(a) => self.place(&a.target),
            Stmt::Delete(d) => d.targets.iter().for_each(|t| self.place(t)),
            Stmt::For(f) => self.place(&f.target),
            Stmt::ClassDef(_) => {
                for (member, method) in methods(stmt) {
                    self.method = method;
                    self.visit_stmt(member);
                    self.method = None;
                }
                return;
            }
            _ => {}
        }
        walk_stmt(self, stmt);
    }

    fn visit_expr(&mut self, expr: &'a Expr) {
        if let Expr::Call(c) = expr
            && let Expr::Attribute(a) = &*c.func
            && super::facts::changes(&a.attr)
        {
            self.object(&a.value);
        }
        walk_expr(self, expr);
    }
}

/// Writes these variables of classes as names.
struct Qualified<'c, 'a> {
    classes: &'c Classes<'a>,
    found: &'c FxHashSet<String>,
    method: std::cell::RefCell<Option<Method>>,
}

impl Transformer for Qualified<'_, '_> {
    fn visit_stmt(&self, stmt: &mut Stmt) {
        if let Stmt::ClassDef(class) = stmt {
            for member in &mut class.body {
                *self.method.borrow_mut() = member.as_function_def_stmt().and_then(|f| Method::of(f, &class.name));
                self.visit_stmt(member);
                *self.method.borrow_mut() = None;
            }
            return;
        }
        // A class may have its name for something else in one of its functions.
        let hidden = match &*stmt {
            Stmt::FunctionDef(f) => {
                let scope = Scope::of(Def::Function(f));
                self.found.iter().any(|name| name.rsplit_once('.').is_some_and(|(class, _)| scope.get(class).is_some()))
                    || self.classes.others.keys().any(|name| scope.get(name).is_some())
            }
            _ => false,
        };
        if hidden {
            return;
        }
        transformer::walk_stmt(self, stmt);
        if let Stmt::FunctionDef(f) = stmt {
            let mut names: Vec<&str> = Vec::new();
            bindings(&f.body, &mut |name, _, _| names.extend(self.found.contains(name).then_some(name)));
            let names: Vec<Identifier> = names.into_iter().map(|name| Identifier::new(name, f.name.range())).collect();
            if !names.is_empty() {
                let range = f.name.range();
                f.body.insert(0, Stmt::Global(ast::StmtGlobal { node_index: Default::default(), range, names }));
            }
        }
    }

    fn visit_expr(&self, expr: &mut Expr) {
        let has = |name: &str| self.found.contains(name);
        let name = match &*expr {
            Expr::Attribute(a) => {
                let method = self.method.borrow();
                let variable = self.classes.variable(&a.value, &a.attr, method.as_ref(), has);
                variable.filter(|name| has(name)).map(|name| (name, a.range, a.ctx))
            }
            _ => None,
        };
        match name {
            Some((name, range, ctx)) => {
                *expr = Expr::Name(ast::ExprName { node_index: Default::default(), range, id: name.into(), ctx });
            }
            None => transformer::walk_expr(self, expr),
        }
    }
}
