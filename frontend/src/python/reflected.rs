//! What a program asks about classes and members by their names, and classes inside of others. Each is read as what says the same in
//! other words:
//!
//! ```text
//! type(x) is C                     isinstance(x, C) and not isinstance(x, (classes derived from C))
//! issubclass(B, C)                 True
//! hasattr(x, "n")                  isinstance(x, (classes with n)), where the file has such classes
//! getattr(x, "n", d)               x.n if isinstance(x, (classes with n)) else d
//! type(x).__name__                 a variable of the class of x
//! type(self)(y)                    a method of the class of self
//! p.r = v, of a property           p.r.setter(v)
//! class A:                         class A.B: …
//!     class B: …                   class A: …
//! ```

use super::class::last_name;
use super::enums::written;
use super::init::{assigned, assignment, attribute, call, name_at};
use super::library;
use super::scope::{Def, Scope};
use ruff_python_ast::visitor::transformer::{self, Transformer};
use ruff_python_ast::visitor::{Visitor, walk_expr};
use ruff_python_ast::{self as ast, CmpOp, Expr, ExprContext, Identifier, Stmt};
use ruff_text_size::{Ranged, TextRange};
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::RefCell;

/// The end of the name of the method that sets a property.
const SETTER: &str = ".setter";
/// The variable of a class that is its name, and the method that makes another instance of it.
const NAME: &str = ".name";
const MAKE: &str = ".make";

/// Reads the statements of a file.
pub fn read(mut body: Vec<Stmt>) -> Vec<Stmt> {
    if !body.iter().any(Stmt::is_class_def_stmt) {
        return body;
    }
    let setters = setters(&mut body);
    let own = body.iter().filter_map(Stmt::as_class_def_stmt);
    let classes: FxHashMap<String, Class> = own.map(|c| (c.name.to_string(), Class::of(c))).collect();
    let reads = Reads { classes: &classes, setters: &setters, method: RefCell::default(), uses: RefCell::default() };
    body.iter_mut().for_each(|stmt| reads.visit_stmt(stmt));
    let uses = reads.uses.into_inner();
    for class in body.iter_mut().filter_map(Stmt::as_class_def_stmt_mut) {
        let range = class.name.range();
        if uses.contains(NAME) {
            let spoken = class.name.rsplit('.').next().unwrap_or_default();
            class.body.push(assignment(name_at(NAME, range), written(&format!("\"{spoken}\""), range), range));
        }
        if uses.contains(MAKE) {
            let mut make = written("lambda self, *args, **keywords: self(*args, **keywords)", range);
            if let Expr::Lambda(l) = &mut make
                && let Expr::Call(c) = &mut *l.body
            {
                *c.func = name_at(&class.name, range);
            }
            class.body.push(assignment(name_at(MAKE, range), make, range));
        }
    }
    body
}

/// What is known of a class.
struct Class {
    bases: Vec<String>,
    /// Its members, but for fields that an instance may be without.
    members: FxHashSet<String>,
    /// All names that methods assign as fields.
    assigned: FxHashSet<String>,
}

impl Class {
    fn of(class: &ast::StmtClassDef) -> Class {
        let (mut members, mut all) = (FxHashSet::default(), FxHashSet::default());
        for stmt in &class.body {
            match stmt {
                Stmt::FunctionDef(f) => {
                    members.insert(f.name.to_string());
                    let Some(instance) = f.parameters.iter_non_variadic_params().next().map(|p| p.name().as_str()) else {
                        continue;
                    };
                    all.extend(assigned(f, instance).into_iter().map(|(name, ..)| name));
                    if f.name.as_str() == "__init__" {
                        let sure = f.body.iter().filter(|s| s.is_assign_stmt() || s.is_ann_assign_stmt()).cloned().collect();
                        let sure = ast::StmtFunctionDef { body: sure, ..f.clone() };
                        members.extend(assigned(&sure, instance).into_iter().map(|(name, ..)| name));
                    }
                }
                Stmt::Assign(a) => members.extend(a.targets.iter().filter_map(|t| Some(t.as_name_expr()?.id.to_string()))),
                Stmt::AnnAssign(a) => members.extend(a.target.as_name_expr().map(|n| n.id.to_string())),
                _ => {}
            }
        }
        let bases = class.bases().iter().filter_map(|b| last_name(b.as_subscript_expr().map_or(b, |s| &*s.value)));
        Class { bases: bases.map(str::to_string).collect(), members, assigned: all }
    }
}

/// A property with a setter.
#[derive(Default)]
struct Setter {
    /// The classes that have it.
    classes: Vec<String>,
    /// Whether other classes have a member of this name.
    elsewhere: bool,
}

/// Moves the setters of properties to methods with names of their own, and gives these properties.
fn setters(body: &mut [Stmt]) -> FxHashMap<String, Setter> {
    let mut found: FxHashMap<String, Setter> = FxHashMap::default();
    let mut classes = Vec::new();
    for class in body.iter_mut().filter_map(Stmt::as_class_def_stmt_mut) {
        let mut own = FxHashSet::default();
        for f in class.body.iter_mut().filter_map(Stmt::as_function_def_stmt_mut) {
            let is_setter = |d: &ast::Decorator| {
                d.expression
                    .as_attribute_expr()
                    .is_some_and(|a| a.attr.as_str() == "setter" && a.value.as_name_expr().is_some_and(|n| *n.id == *f.name))
            };
            if let [decorator] = &*f.decorator_list
                && is_setter(decorator)
            {
                own.insert(f.name.to_string());
                f.name.id = format!("{}{SETTER}", f.name).into();
                f.decorator_list.clear();
            }
        }
        let (name, known) = (class.name.to_string(), Class::of(class));
        let of_class = known.bases.iter().flat_map(|base| {
            let has = |(property, setter): (&String, &Setter)| setter.classes.contains(base).then(|| property.clone());
            found.iter().filter_map(has).collect::<Vec<_>>()
        });
        let inherited: Vec<String> = of_class.filter(|property| !is_in_body(class, property)).collect();
        for property in own.into_iter().chain(inherited) {
            found.entry(property).or_default().classes.push(name.clone());
        }
        classes.push((name, known));
    }
    for (property, setter) in &mut found {
        let has = |class: &Class| class.members.contains(property) || class.assigned.contains(property);
        setter.elsewhere = classes.iter().any(|(name, class)| !setter.classes.contains(name) && has(class));
        setter.classes.sort_unstable();
        setter.classes.dedup();
    }
    found
}

/// Whether a class defines a member outside of its methods, or by one.
fn is_in_body(class: &ast::StmtClassDef, name: &str) -> bool {
    class.body.iter().any(|stmt| match stmt {
        Stmt::FunctionDef(f) => *f.name == *name,
        Stmt::Assign(a) => a.targets.iter().any(|t| t.as_name_expr().is_some_and(|n| *n.id == *name)),
        Stmt::AnnAssign(a) => a.target.as_name_expr().is_some_and(|n| *n.id == *name),
        _ => false,
    })
}

struct Reads<'c> {
    classes: &'c FxHashMap<String, Class>,
    setters: &'c FxHashMap<String, Setter>,
    /// The class whose method is read, and the name of the instance in it.
    method: RefCell<Option<(String, String)>>,
    /// The hidden members that are read.
    uses: RefCell<FxHashSet<&'static str>>,
}

impl Reads<'_> {
    fn is_derived(&self, class: &str, base: &str, depth: usize) -> bool {
        class == base
            || depth < self.classes.len()
                && self.classes.get(class).is_some_and(|c| c.bases.iter().any(|b| self.is_derived(b, base, depth + 1)))
    }

    fn derived(&self, base: &str) -> Vec<&str> {
        let mut found: Vec<&str> =
            self.classes.keys().map(String::as_str).filter(|c| *c != base && self.is_derived(c, base, 0)).collect();
        found.sort_unstable();
        found
    }

    /// The classes that have a member, if all that do are known.
    fn with_member(&self, name: &str) -> Option<Vec<&str>> {
        let is_sure = |class: &Class| class.members.contains(name) || !class.assigned.contains(name);
        if library::attribute(name).is_some() || !self.classes.values().all(is_sure) {
            return None;
        }
        let has = |class: &&str| {
            self.classes.keys().any(|base| self.is_derived(class, base, 0) && self.classes[base].members.contains(name))
        };
        let mut found: Vec<&str> = self.classes.keys().map(String::as_str).filter(has).collect();
        found.sort_unstable();
        Some(found).filter(|found| !found.is_empty())
    }

    /// `isinstance(x, (…))`
    fn is_of(&self, x: Expr, classes: &[&str], range: TextRange) -> Expr {
        let elts = classes.iter().map(|name| name_at(name, range)).collect();
        let classes = ast::ExprTuple { node_index: Default::default(), range, elts, ctx: ExprContext::Load, parenthesized: true };
        call(name_at("isinstance", range), vec![x, Expr::Tuple(classes)], range)
    }

    /// Whether the type of a value is this one alone.
    fn is_exactly(&self, x: &Expr, class: &Expr, range: TextRange) -> Option<Expr> {
        let name = class.as_name_expr()?.id.as_str();
        let others = match name {
            "int" => vec!["bool"],
            "float" | "bool" | "str" | "list" | "tuple" | "dict" => Vec::new(),
            _ if self.classes.contains_key(name) => self.derived(name),
            _ => return None,
        };
        if !is_plain(x) && !others.is_empty() {
            return None;
        }
        let is_one = call(name_at("isinstance", range), vec![x.clone(), class.clone()], range);
        if others.is_empty() {
            return Some(is_one);
        }
        let other = negated(self.is_of(x.clone(), &others, range), range);
        Some(both(is_one, other, range))
    }

    /// The value whose type is asked for.
    fn typed<'e>(&self, expr: &'e Expr) -> Option<&'e Expr> {
        match expr {
            Expr::Call(c) if c.func.as_name_expr().is_some_and(|n| n.id == "type") && c.arguments.keywords.is_empty() => {
                match &*c.arguments.args {
                    [x] => Some(x),
                    _ => None,
                }
            }
            Expr::Attribute(a) if a.attr.as_str() == "__class__" => Some(&a.value),
            _ => None,
        }
    }

    /// The class inside of another that an attribute is.
    fn inner(&self, a: &ast::ExprAttribute) -> Option<String> {
        let name = format!("{}.{}", a.value.as_name_expr()?.id, a.attr);
        self.classes.contains_key(&name).then_some(name)
    }

    fn read(&self, expr: &Expr) -> Option<Expr> {
        let range = expr.range();
        match expr {
            Expr::Compare(c) => {
                let ([op], [right]) = (&*c.ops, &*c.comparators) else { return None };
                let is_same = match op {
                    CmpOp::Is | CmpOp::Eq => true,
                    CmpOp::IsNot | CmpOp::NotEq => false,
                    _ => return None,
                };
                let test = match (self.typed(&c.left), self.typed(right)) {
                    (Some(x), None) => self.is_exactly(x, right, range)?,
                    (None, Some(x)) => self.is_exactly(x, &c.left, range)?,
                    _ => return None,
                };
                Some(if is_same { test } else { negated(test, range) })
            }
            Expr::Attribute(a) if let Some(class) = self.inner(a) => Some(name_at(&class, range)),
            Expr::Attribute(a) if a.attr.as_str() == "__name__" => {
                let x = self.typed(&a.value)?;
                self.uses.borrow_mut().insert(NAME);
                Some(attribute(x.clone(), NAME, range))
            }
            Expr::Call(c) => {
                if let Some(x) = self.typed(&c.func) {
                    self.uses.borrow_mut().insert(MAKE);
                    let func = attribute(x.clone(), MAKE, c.func.range());
                    return Some(Expr::Call(ast::ExprCall { func: func.into(), ..c.clone() }));
                }
                let name = c.func.as_name_expr().filter(|_| c.arguments.keywords.is_empty())?;
                match (name.id.as_str(), &*c.arguments.args) {
                    ("issubclass", [Expr::Name(class), bases]) if self.classes.contains_key(class.id.as_str()) => {
                        let bases = bases.as_tuple_expr().map_or(std::slice::from_ref(bases), |t| &t.elts);
                        let names = bases.iter().map(|b| Some(b.as_name_expr()?.id.as_str())).collect::<Option<Vec<_>>>()?;
                        let is_one = names.iter().any(|base| *base == "object" || self.is_derived(&class.id, base, 0));
                        Some(Expr::BooleanLiteral(ast::ExprBooleanLiteral {
                            node_index: Default::default(),
                            range,
                            value: is_one,
                        }))
                    }
                    ("hasattr", [x, Expr::StringLiteral(member)]) => {
                        Some(self.is_of(x.clone(), &self.with_member(member.value.to_str())?, range))
                    }
                    ("getattr", [x, Expr::StringLiteral(member), default]) if is_plain(x) => {
                        let member = member.value.to_str();
                        let otherwise = default.clone();
                        let Some(classes) = self.with_member(member) else {
                            // Nothing in the file has it.
                            let is_unknown = library::attribute(member).is_none()
                                && self.classes.values().all(|c| !c.members.contains(member) && !c.assigned.contains(member));
                            return is_unknown.then_some(otherwise);
                        };
                        Some(Expr::If(ast::ExprIf {
                            node_index: Default::default(),
                            range,
                            test: self.is_of(x.clone(), &classes, range).into(),
                            body: attribute(x.clone(), member, range).into(),
                            orelse: otherwise.into(),
                        }))
                    }
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// The call that sets a property.
    fn set(&self, stmt: &Stmt) -> Option<Stmt> {
        let range = stmt.range();
        let (target, value) = match stmt {
            Stmt::Assign(a) => match &*a.targets {
                [Expr::Attribute(target)] => (target, (*a.value).clone()),
                _ => return None,
            },
            Stmt::AugAssign(a) => {
                let target = a.target.as_attribute_expr().filter(|t| is_plain(&t.value))?;
                let left = attribute((*target.value).clone(), &target.attr, target.range).into();
                let (op, right) = (a.op, a.value.clone());
                (target, Expr::BinOp(ast::ExprBinOp { node_index: Default::default(), range, left, op, right }))
            }
            _ => return None,
        };
        let setter = self.setters.get(target.attr.as_str())?;
        let method = attribute((*target.value).clone(), &format!("{}{SETTER}", target.attr), target.range);
        let value = call(method, vec![value], range).into();
        let set = Stmt::Expr(ast::StmtExpr { node_index: Default::default(), range, value });
        if let Some((class, instance)) = &*self.method.borrow()
            && target.value.as_name_expr().is_some_and(|n| *n.id == **instance)
        {
            return setter.classes.contains(class).then_some(set);
        }
        (!setter.elsewhere).then_some(set)
    }

    /// The class of a method and the name of its instance, where a statement is in a method.
    fn entered(&self, class: &str, method: &Stmt) -> Option<(String, String)> {
        let instance = method.as_function_def_stmt()?.parameters.iter_non_variadic_params().next()?.name().to_string();
        Some((class.to_string(), instance))
    }
}

impl Transformer for Reads<'_> {
    fn visit_stmt(&self, stmt: &mut Stmt) {
        if let Stmt::ClassDef(class) = stmt {
            let name = class.name.to_string();
            let mut body = std::mem::take(&mut class.body);
            for stmt in &mut body {
                let outer = self.method.replace(self.entered(&name, stmt));
                self.visit_stmt(stmt);
                self.method.replace(outer);
            }
            // Its head.
            transformer::walk_stmt(self, stmt);
            if let Stmt::ClassDef(class) = stmt {
                class.body = body;
            }
            return;
        }
        transformer::walk_stmt(self, stmt);
        if let Some(set) = self.set(stmt) {
            *stmt = set;
        }
    }

    fn visit_expr(&self, expr: &mut Expr) {
        transformer::walk_expr(self, expr);
        if let Some(read) = self.read(expr) {
            *expr = read;
        }
    }
}

/// Whether to evaluate an expression twice is to evaluate it once.
fn is_plain(expr: &Expr) -> bool {
    match expr {
        Expr::Name(_) => true,
        Expr::Attribute(a) => is_plain(&a.value),
        _ => false,
    }
}

fn negated(expr: Expr, range: TextRange) -> Expr {
    Expr::UnaryOp(ast::ExprUnaryOp { node_index: Default::default(), range, op: ast::UnaryOp::Not, operand: expr.into() })
}

fn both(left: Expr, right: Expr, range: TextRange) -> Expr {
    Expr::BoolOp(ast::ExprBoolOp { node_index: Default::default(), range, op: ast::BoolOp::And, values: vec![left, right] })
}

/// Moves classes inside of classes and functions to the top level, before the statement that they are in. Those that capture variables of
/// a function stay.
pub fn outermost(body: Vec<Stmt>) -> Vec<Stmt> {
    let mut all = Vec::new();
    for mut stmt in body {
        let mut moved = Vec::new();
        match &mut stmt {
            Stmt::ClassDef(class) => of_class(class, &mut moved),
            Stmt::FunctionDef(f) => of_function(f, "", &mut moved),
            _ => {}
        }
        let inside = moved.is_empty();
        let read = if inside { moved } else { outermost(moved) };
        all.extend(read);
        all.push(stmt);
    }
    all
}

fn of_class(class: &mut ast::StmtClassDef, moved: &mut Vec<Stmt>) {
    let outer = class.name.to_string();
    let mut names = Vec::new();
    for stmt in std::mem::take(&mut class.body) {
        match stmt {
            Stmt::ClassDef(mut inner) => {
                names.push(inner.name.to_string());
                inner.name.id = format!("{outer}.{}", inner.name).into();
                moved.push(Stmt::ClassDef(inner));
            }
            other => class.body.push(other),
        }
    }
    // Methods with decorators of their own, and functions in methods, may have classes, too.
    for f in class.body.iter_mut().filter_map(Stmt::as_function_def_stmt_mut) {
        of_function(f, &format!("{outer}."), moved);
    }
    if names.is_empty() {
        return;
    }
    for stmt in class.body.iter_mut().chain(moved.iter_mut()) {
        match stmt {
            // Methods do not see the names of the class.
            Stmt::FunctionDef(f) => {
                let first = f.parameters.iter_non_variadic_params().next().map(|p| p.name().to_string());
                let renames = Renames { of: first, outer: &outer, names: &names, bare: false };
                renames.visit_body(&mut f.body);
            }
            stmt => {
                let renames = Renames { of: None, outer: &outer, names: &names, bare: true };
                renames.visit_stmt(stmt);
            }
        }
    }
}

/// Reads names of classes inside of a class as those of the top level.
struct Renames<'n> {
    /// The parameter that is an instance, or the class.
    of: Option<String>,
    outer: &'n str,
    names: &'n [String],
    /// Whether the names alone mean them.
    bare: bool,
}

impl Transformer for Renames<'_> {
    fn visit_expr(&self, expr: &mut Expr) {
        let found = match &*expr {
            Expr::Name(n) if self.bare => Some(n.id.as_str()),
            Expr::Attribute(a) => {
                let of = a.value.as_name_expr().filter(|n| self.of.as_deref() == Some(n.id.as_str()));
                of.map(|_| a.attr.as_str())
            }
            _ => None,
        };
        if let Some(name) = found.filter(|name| self.names.iter().any(|n| n == name)) {
            *expr = name_at(&format!("{}.{name}", self.outer), expr.range());
            return;
        }
        transformer::walk_expr(self, expr);
    }
}

fn of_function(f: &mut ast::StmtFunctionDef, around: &str, moved: &mut Vec<Stmt>) {
    let prefix = format!("{around}{}.<locals>.", f.name);
    if !f.body.iter().any(Stmt::is_class_def_stmt) {
        for inner in f.body.iter_mut().filter_map(Stmt::as_function_def_stmt_mut) {
            // What a function inside captures may be of this one.
            if inner.body.iter().any(Stmt::is_class_def_stmt) {
                return;
            }
        }
        return;
    }
    let scope = Scope::of(Def::Function(f));
    let mut bound: FxHashSet<String> = scope.names().map(str::to_string).collect();
    let classes: Vec<String> = f.body.iter().filter_map(Stmt::as_class_def_stmt).map(|c| c.name.to_string()).collect();
    classes.iter().for_each(|name| _ = bound.remove(name));
    let is_free = |class: &ast::StmtClassDef| {
        let mut mentioned = Mentioned::default();
        mentioned.visit_stmt(&Stmt::ClassDef(class.clone()));
        mentioned.0.is_disjoint(&bound)
    };
    let mut names = Vec::new();
    for stmt in std::mem::take(&mut f.body) {
        match stmt {
            Stmt::ClassDef(mut class) if is_free(&class) && scope_binds_once(&classes, &class.name) => {
                names.push(class.name.to_string());
                class.name.id = format!("{prefix}{}", class.name).into();
                moved.push(Stmt::ClassDef(class));
            }
            other => f.body.push(other),
        }
    }
    let locals = Locals { prefix: &prefix, names: &names };
    f.body.iter_mut().chain(moved.iter_mut()).for_each(|stmt| locals.visit_stmt(stmt));
}

fn scope_binds_once(classes: &[String], name: &Identifier) -> bool {
    classes.iter().filter(|class| **class == **name).count() == 1
}

#[derive(Default)]
struct Mentioned(FxHashSet<String>);

impl<'a> Visitor<'a> for Mentioned {
    fn visit_expr(&mut self, expr: &'a Expr) {
        self.0.extend(expr.as_name_expr().map(|n| n.id.to_string()));
        walk_expr(self, expr);
    }
}

/// Reads names of classes inside of a function as those of the top level.
struct Locals<'n> {
    prefix: &'n str,
    names: &'n [String],
}

impl Transformer for Locals<'_> {
    fn visit_expr(&self, expr: &mut Expr) {
        if let Expr::Name(n) = expr
            && self.names.iter().any(|name| *name == *n.id)
        {
            n.id = format!("{}{}", self.prefix, n.id).into();
        }
        transformer::walk_expr(self, expr);
    }
}
