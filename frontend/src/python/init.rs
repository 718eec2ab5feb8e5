//! The methods that make instances, `__init__` and `__post_init__`, as functions that return what they make.
//!
//! ```text
//! class C:                                   class C:
//!     def __init__(self, x):                     x: object
//!         self.x = x                             y: object
//!         self.y = self.x * 2.0       ⟹          def __init__(x):
//!                                                    `self.x` = x
//!                                                    `self.y` = `self.x` * 2.0
//!                                                    return C.__new__(`self.x`, `self.y`)
//! ```
//!
//! The fields are variables of that function, with the names that they have in the text, until the instance is made: of what they
//! are when it returns. So branches, loops, closures and messages are those of variables. `__post_init__` begins with the fields of
//! the dataclass for parameters, those left out that are not given (`field(init=False)`), which have their defaults.
//! `C.__new__` is the record of the fields. Fields that are assigned anywhere else are boxes in it ([`super::changing`]).

use super::changing::{CONTENT, NEW};
use super::dataclass::{Options, Otherwise, Said, comparisons, is_argument, is_keyword_only};
use ruff_python_ast::visitor::transformer::{Transformer, walk_expr, walk_stmt};
use ruff_python_ast::visitor::{Visitor, walk_stmt as look};
use ruff_python_ast::{self as ast, Arguments, Expr, ExprContext, Identifier, Stmt};
use ruff_text_size::{Ranged, TextRange};
use rustc_hash::{FxHashMap, FxHashSet};

/// With the name of a class before it, the name of what makes an instance of the values of its fields.
pub const RECORD: &str = ".__new__";

/// What is known of the classes of a file that are read already.
#[derive(Default)]
pub struct Makers {
    classes: FxHashMap<String, Known>,
    /// The names of the fields that change.
    pub changing: FxHashSet<String>,
    /// Those among them that an instance may be without.
    pub uncertain: FxHashSet<String>,
}

#[derive(Clone, Default)]
struct Known {
    fields: Vec<Field>,
    /// The method as the program has it.
    maker: Option<ast::StmtFunctionDef>,
    /// The values that the class has for fields that change.
    values: Vec<(String, Expr)>,
}

#[derive(Clone)]
struct Field {
    name: String,
    annotation: Expr,
    /// What the class assigns to it.
    value: Option<Expr>,
    /// Whether it is given by its name only.
    keyword: bool,
}

impl Field {
    fn said(&self) -> Option<Said<'_>> {
        Said::by(self.value.as_ref()).ok()
    }

    fn is_given(&self) -> bool {
        self.said().is_none_or(|said| said.init)
    }
}

impl Makers {
    pub fn with(changing: FxHashSet<String>) -> Makers {
        Makers { changing, ..Makers::default() }
    }

    /// Reads a class, whose bases were read before.
    pub fn read(&mut self, class: &mut ast::StmtClassDef) {
        qualify(class);
        let mut known = Known::default();
        for base in class.arguments.iter().flat_map(|a| &a.args).rev() {
            if let Some(base) = base.as_name_expr().and_then(|n| self.classes.get(n.id.as_str())) {
                base.fields.iter().for_each(|field| known.add(field.clone()));
                known.maker = base.maker.clone().or(known.maker);
                known.values.extend(base.values.iter().cloned());
            }
        }
        // What is wrong with the options is said where the class is used.
        let options = Options::of(class).ok().filter(|options| options.is_data);
        let mut keyword = options.is_some_and(|options| options.keyword);
        for stmt in &class.body {
            if let Stmt::AnnAssign(a) = stmt
                && let Expr::Name(name) = &*a.target
                && !is_class_variable(&a.annotation)
            {
                keyword |= is_keyword_only(&a.annotation);
                if is_keyword_only(&a.annotation) {
                    continue;
                }
                let (name, annotation, value) = (name.id.to_string(), (*a.annotation).clone(), a.value.as_deref().cloned());
                let own = Said::by(value.as_ref()).ok().and_then(|said| said.keyword);
                known.add(Field { name, annotation, value, keyword: own.unwrap_or(keyword) });
            }
        }
        if let Some(options) = options {
            let fields = known.fields.iter().filter(|field| !is_argument(&field.annotation));
            let fields = fields.map(|field| (field.name.as_str(), field.value.as_ref()));
            let changing = known.fields.iter().any(|field| self.changing.contains(&field.name)).then(|| class.name.range());
            let methods = comparisons(options, &class.name, fields, changing);
            class.body.extend(methods);
        }
        let changing = |stmt: &mut Stmt| matches!(stmt, Stmt::Assign(a) if matches!(&*a.targets, [Expr::Name(n)] if self.changing.contains(n.id.as_str())));
        let variables: Vec<Stmt> = class.body.extract_if(.., changing).collect();
        for variable in variables.iter().filter_map(Stmt::as_assign_stmt) {
            let Expr::Name(name) = &variable.targets[0] else { unreachable!("a name") };
            let (name, range) = (name.id.to_string(), name.range());
            known.values.push((name.clone(), (*variable.value).clone()));
            if !known.fields.iter().any(|field| field.name == name) {
                let annotation = name_at("object", range);
                class.body.push(field(&name, annotation.clone(), range));
                known.add(Field { name, annotation, value: None, keyword: false });
            }
        }
        let own = class.body.iter().position(|s| matches!(s, Stmt::FunctionDef(f) if is_maker(f)));
        if let Some(i) = own
            && let Stmt::FunctionDef(f) = class.body.remove(i)
        {
            known.maker = Some(f);
            let bases = class.arguments.iter().flat_map(|a| &a.args).filter_map(|base| Some(&base.as_name_expr()?.id));
            let base = bases.filter_map(|name| Some((name.as_str(), self.classes.get(name.as_str())?))).next();
            if let (Some(maker), Some((name, base))) = (&mut known.maker, base) {
                begin_as(maker, name, &base.fields);
            }
        }
        if known.maker.is_none()
            && options.is_some()
            && !known.fields.iter().all(|field| field.is_given() && !is_argument(&field.annotation))
        {
            known.maker = Some(makes_fields("__post_init__", class.name.range()));
        }
        let first = |f: &ast::StmtFunctionDef| {
            Some(f.parameters.posonlyargs.iter().chain(&f.parameters.args).next()?.name().id.to_string())
        };
        for f in class.body.clone().iter().filter_map(Stmt::as_function_def_stmt) {
            let Some(instance) = first(f) else { continue };
            for (name, annotation, range) in assigned(f, &instance) {
                let is_new = !known.fields.iter().any(|field| field.name == name);
                if self.changing.contains(&name) && is_new {
                    class.body.push(field(&name, annotation.clone(), range));
                    known.add(Field { name, annotation, value: None, keyword: false });
                }
            }
        }
        if known.maker.is_none() && known.fields.iter().any(|field| self.changing.contains(&field.name)) {
            let name = if options.is_some() { "__post_init__" } else { "__init__" };
            known.maker = Some(makes_fields(name, class.name.range()));
        }
        if let Some(maker) = known.maker.clone()
            && let Some(instance) = first(&maker)
        {
            if maker.name.as_str() == "__init__" {
                for (name, annotation, range) in assigned(&maker, &instance) {
                    if !known.fields.iter().any(|field| field.name == name) {
                        class.body.push(field(&name, annotation.clone(), range));
                        known.add(Field { name, annotation, value: None, keyword: false });
                    }
                }
            }
            let changing: Vec<&str> =
                known.fields.iter().map(|field| field.name.as_str()).filter(|name| self.changing.contains(*name)).collect();
            let is_given = |name: &str| {
                let is_it = |field: &&Field| {
                    field.name == name && (field.is_given() || field.said().is_some_and(|s| s.default.is_some()))
                };
                maker.name.as_str() == "__post_init__" && known.fields.iter().any(|field| is_it(&field))
            };
            let sure = surely_assigned(&maker, &instance);
            let has_value = |name: &str| known.values.iter().any(|(valued, _)| valued == name);
            let may_lack = |name: &&&str| !is_given(name) && !has_value(name) && !sure.iter().any(|sure| sure == **name);
            self.uncertain.extend(changing.iter().filter(may_lack).map(|name| name.to_string()));
            let maker = returning(maker, &instance, &class.name, &known, &changing);
            class.body.push(Stmt::FunctionDef(maker));
        }
        self.classes.insert(class.name.to_string(), known);
    }
}

impl Known {
    /// Adds a field, or replaces that of a base.
    fn add(&mut self, field: Field) {
        match self.fields.iter_mut().find(|known| known.name == field.name) {
            Some(known) => *known = field,
            None => self.fields.push(field),
        }
    }
}

/// Lets `super().__init__(…)` in `__init__` make an instance of the base, and take over its fields.
fn begin_as(maker: &mut ast::StmtFunctionDef, base: &str, fields: &[Field]) {
    let Some(instance) = maker.parameters.iter_non_variadic_params().next().map(|p| p.name().id.to_string()) else { return };
    let arguments = |stmt: &Stmt| {
        let call = stmt.as_expr_stmt()?.value.as_call_expr()?;
        let of = call.func.as_attribute_expr().filter(|a| a.attr.as_str() == "__init__")?.value.as_call_expr()?;
        is_name(&of.func, "super").then(|| call.clone())
    };
    let body = std::mem::take(&mut maker.body);
    for stmt in body {
        let Some(made) = arguments(&stmt) else {
            maker.body.push(stmt);
            continue;
        };
        let range = stmt.range();
        let before = name_at(&format!("{instance}.{base}"), range);
        let made = Expr::Call(ast::ExprCall { func: name_at(base, range).into(), ..made });
        maker.body.push(assignment(before.clone(), made, range));
        maker.body.extend(fields.iter().map(|field| {
            let target = attribute(name_at(&instance, range), &field.name, range);
            assignment(target, attribute(before.clone(), &field.name, range), range)
        }));
    }
}

/// Whether a method makes instances.
pub fn is_maker(f: &ast::StmtFunctionDef) -> bool {
    matches!(f.name.as_str(), "__init__" | "__post_init__")
}

/// Whether an annotation says that all instances have one value: `ClassVar`, `ClassVar[float]`.
pub fn is_class_variable(annotation: &Expr) -> bool {
    match annotation {
        Expr::Name(n) => n.id == "ClassVar",
        Expr::Attribute(a) => a.attr.as_str() == "ClassVar",
        Expr::Subscript(s) => is_class_variable(&s.value),
        _ => false,
    }
}

/// The fields that `__init__` assigns, in this order, with the annotations of the assignments or of the parameters that they are.
pub fn assigned(maker: &ast::StmtFunctionDef, instance: &str) -> Vec<(String, Expr, TextRange)> {
    struct Assigned<'s> {
        maker: &'s ast::StmtFunctionDef,
        instance: &'s str,
        found: Vec<(String, Expr, TextRange)>,
    }
    impl Assigned<'_> {
        fn target(&mut self, target: &Expr, annotation: Option<&Expr>) {
            match target {
                Expr::Attribute(a) if is_name(&a.value, self.instance) => {
                    let annotation = annotation.cloned().unwrap_or_else(|| name_at("object", target.range()));
                    self.found.push((a.attr.to_string(), annotation, target.range()));
                }
                Expr::Tuple(t) => t.elts.iter().for_each(|t| self.target(t, None)),
                _ => {}
            }
        }
    }
    impl<'a> Visitor<'a> for Assigned<'_> {
        fn visit_stmt(&mut self, stmt: &'a Stmt) {
            match stmt {
                Stmt::Assign(a) => {
                    let value = a.value.as_name_expr();
                    let is_it = |p: &&ast::ParameterWithDefault| value.is_some_and(|v| v.id == p.name().id);
                    let parameter = self.maker.parameters.iter_non_variadic_params().find(is_it);
                    let annotation = parameter.and_then(|p| p.annotation());
                    a.targets.iter().for_each(|t| self.target(t, annotation));
                }
                Stmt::AnnAssign(a) => self.target(&a.target, Some(&a.annotation)),
                Stmt::FunctionDef(_) => {}
                _ => look(self, stmt),
            }
        }
    }
    let mut all = Assigned { maker, instance, found: Vec::new() };
    all.visit_body(&maker.body);
    all.found
}

/// The fields that a method assigns whatever happens, before anybody else has the instance.
fn surely_assigned(maker: &ast::StmtFunctionDef, instance: &str) -> Vec<String> {
    struct Given<'s>(&'s str, bool);
    impl<'a> Visitor<'a> for Given<'_> {
        fn visit_expr(&mut self, expr: &'a Expr) {
            match expr {
                Expr::Call(c) if c.func.as_attribute_expr().is_some_and(|a| is_name(&a.value, self.0)) => self.1 = true,
                Expr::Attribute(a) if is_name(&a.value, self.0) => {}
                Expr::Name(_) => self.1 |= is_name(expr, self.0),
                _ => ast::visitor::walk_expr(self, expr),
            }
        }
    }
    let mut given = Given(instance, false);
    given.visit_body(&maker.body);
    let of = |target: &Expr| Some(target.as_attribute_expr().filter(|a| is_name(&a.value, instance))?.attr.to_string());
    let mut found = Vec::new();
    for stmt in maker.body.iter().filter(|_| !given.1) {
        match stmt {
            Stmt::Assign(a) => found.extend(a.targets.iter().filter_map(of)),
            Stmt::AnnAssign(a) if a.value.is_some() => found.extend(of(&a.target)),
            _ if ends(stmt) => break,
            _ => {}
        }
    }
    found
}

/// Whether a statement may return.
fn ends(stmt: &Stmt) -> bool {
    struct Ends(bool);
    impl<'a> Visitor<'a> for Ends {
        fn visit_stmt(&mut self, stmt: &'a Stmt) {
            match stmt {
                Stmt::Return(_) => self.0 = true,
                Stmt::FunctionDef(_) => {}
                _ => look(self, stmt),
            }
        }
    }
    let mut ends = Ends(false);
    ends.visit_stmt(stmt);
    ends.0
}

/// The method as a function that returns the instance.
fn returning(
    mut maker: ast::StmtFunctionDef,
    instance: &str,
    class: &Identifier,
    known: &Known,
    changing: &[&str],
) -> ast::StmtFunctionDef {
    let (range, fields) = (maker.name.range(), &known.fields);
    let is_field = |field: &&Field| !is_argument(&field.annotation);
    let names: Vec<&str> = fields.iter().filter(is_field).map(|field| field.name.as_str()).collect();
    let rewrite = Rewrite { instance, class: class.as_str(), fields: &names, changing };
    rewrite.visit_body(&mut maker.body);
    maker.body.push(Stmt::Return(ast::StmtReturn {
        node_index: Default::default(),
        range,
        value: Some(Box::new(rewrite.made(range))),
    }));
    maker.returns = None;
    let parameters = &mut maker.parameters;
    if parameters.posonlyargs.is_empty() {
        parameters.args.remove(0)
    } else {
        parameters.posonlyargs.remove(0)
    };
    if maker.name.as_str() == "__post_init__" {
        let (mut places, mut values) = (0, Vec::new());
        // Its own parameters are what is given and is no field.
        let given = fields.iter().filter(|field| !is_field(field)).map(|field| field.name.as_str());
        let own: Vec<String> = maker.parameters.args.drain(..).map(|p| p.name().to_string()).collect();
        let others = own.iter().zip(given).filter(|(name, field)| name != field);
        values.extend(others.map(|(name, field)| assignment(name_at(name, range), name_at(field, range), range)));
        for field in fields {
            if !is_field(&field) {
                let parameter = parameter(&field.name, None, range);
                if field.keyword {
                    maker.parameters.kwonlyargs.push(parameter);
                } else {
                    maker.parameters.args.insert(places, parameter);
                    places += 1;
                }
                continue;
            }
            let value = match field.said().filter(|said| !said.init) {
                None => {
                    let parameter = parameter(&field.name, Some(field.annotation.clone()), range);
                    if field.keyword {
                        maker.parameters.kwonlyargs.push(parameter);
                    } else {
                        maker.parameters.args.insert(places, parameter);
                        places += 1;
                    }
                    name_at(&field.name, range)
                }
                Some(said) => match said.default {
                    Some(Otherwise::Value(default)) => default.clone(),
                    Some(Otherwise::Made(factory)) => call(factory.clone(), Vec::new(), range),
                    None => continue,
                },
            };
            values.push(assignment(rewrite.field(&field.name, range), value, range));
        }
        maker.body.splice(0..0, values);
    }
    let values = known.values.iter().rev().map(|(name, value)| assignment(rewrite.field(name, range), value.clone(), range));
    maker.body.splice(0..0, values);
    let boxes = changing
        .iter()
        .map(|name| assignment(rewrite.variable(name, range), attribute(name_at("None", range), NEW, range), range));
    maker.body.splice(0..0, boxes);
    maker
}

/// A method of this name that does nothing.
fn makes_fields(name: &str, range: TextRange) -> ast::StmtFunctionDef {
    ast::StmtFunctionDef {
        node_index: Default::default(),
        range,
        is_async: false,
        decorator_list: Default::default(),
        name: Identifier::new(name, range),
        type_params: None,
        parameters: Box::new(ast::Parameters { range, args: [parameter("self", None, range)].into(), ..Default::default() }),
        returns: None,
        body: Default::default(),
    }
}

/// Reads fields of the instance as variables, and the instance as what is made of them.
struct Rewrite<'s> {
    instance: &'s str,
    class: &'s str,
    fields: &'s [&'s str],
    changing: &'s [&'s str],
}

impl Rewrite<'_> {
    /// A field of the instance: a variable, or the content of the box that is in it.
    fn field(&self, field: &str, range: TextRange) -> Expr {
        let variable = self.variable(field, range);
        if self.changing.contains(&field) { attribute(variable, CONTENT, range) } else { variable }
    }

    fn variable(&self, field: &str, range: TextRange) -> Expr {
        name_at(&format!("{}.{field}", self.instance), range)
    }

    /// The instance.
    fn made(&self, range: TextRange) -> Expr {
        let args: Vec<Expr> = self.fields.iter().map(|field| self.variable(field, range)).collect();
        call(name_at(&format!("{}{RECORD}", self.class), range), args, range)
    }

    /// The field and the value of `object.__setattr__(self, "x", value)`.
    fn set<'e>(&self, stmt: &'e Stmt) -> Option<(&'e str, &'e Expr)> {
        let Expr::Call(c) = &*stmt.as_expr_stmt()?.value else { return None };
        let a = c.func.as_attribute_expr()?;
        match &*c.arguments.args {
            [this, Expr::StringLiteral(field), value]
                if a.attr.as_str() == "__setattr__" && is_name(&a.value, "object") && is_name(this, self.instance) =>
            {
                Some((field.value.to_str(), value))
            }
            _ => None,
        }
    }
}

impl Transformer for Rewrite<'_> {
    fn visit_stmt(&self, stmt: &mut Stmt) {
        if let Some((field, value)) = self.set(stmt)
            && self.fields.contains(&field)
        {
            *stmt = assignment(self.field(field, stmt.range()), value.clone(), stmt.range());
        }
        if let Stmt::Return(r) = stmt
            && r.value.as_ref().is_none_or(|v| v.is_none_literal_expr())
        {
            r.value = Some(Box::new(self.made(r.range)));
            return;
        }
        walk_stmt(self, stmt);
    }

    fn visit_expr(&self, expr: &mut Expr) {
        match expr {
            Expr::Attribute(a) if is_name(&a.value, self.instance) && self.fields.contains(&a.attr.as_str()) => {
                let ctx = a.ctx;
                *expr = match self.field(&a.attr, a.range) {
                    Expr::Name(name) => Expr::Name(ast::ExprName { ctx, ..name }),
                    Expr::Attribute(content) => Expr::Attribute(ast::ExprAttribute { ctx, ..content }),
                    _ => unreachable!("a variable, or what is in it"),
                };
            }
            Expr::Name(n) if n.id == self.instance => *expr = self.made(n.range),
            _ => walk_expr(self, expr),
        }
    }
}

/// Lets what a class says of its variables and fields name its variables that come before.
fn qualify(class: &mut ast::StmtClassDef) {
    struct Qualify<'s>(&'s str, Vec<String>);
    impl Transformer for Qualify<'_> {
        fn visit_expr(&self, expr: &mut Expr) {
            match expr {
                Expr::Name(n) if self.1.iter().any(|name| n.id == *name) => {
                    *expr = attribute(name_at(self.0, n.range), &n.id.clone(), n.range);
                }
                _ => walk_expr(self, expr),
            }
        }
    }
    let name = class.name.to_string();
    let mut qualify = Qualify(&name, Vec::new());
    for stmt in &mut class.body {
        match stmt {
            Stmt::Assign(a) => {
                qualify.visit_expr(&mut a.value);
                // Another name of a method is no variable.
                if !a.value.is_name_expr() && !a.value.is_lambda_expr() {
                    qualify.1.extend(a.targets.iter().filter_map(|t| Some(t.as_name_expr()?.id.to_string())));
                }
            }
            Stmt::AnnAssign(a) => {
                if let Some(value) = &mut a.value {
                    qualify.visit_expr(value);
                }
                if is_class_variable(&a.annotation) {
                    qualify.1.extend(a.target.as_name_expr().map(|n| n.id.to_string()));
                }
            }
            _ => {}
        }
    }
}

fn is_name(expr: &Expr, name: &str) -> bool {
    matches!(expr, Expr::Name(n) if n.id == name)
}

pub fn name_at(id: &str, range: TextRange) -> Expr {
    Expr::Name(ast::ExprName { node_index: Default::default(), range, id: id.into(), ctx: ExprContext::Load })
}

pub fn attribute(value: Expr, attr: &str, range: TextRange) -> Expr {
    Expr::Attribute(ast::ExprAttribute {
        node_index: Default::default(),
        range,
        value: Box::new(value),
        attr: Identifier::new(attr, range),
        ctx: ExprContext::Load,
    })
}

pub fn call(func: Expr, args: Vec<Expr>, range: TextRange) -> Expr {
    Expr::Call(ast::ExprCall {
        node_index: Default::default(),
        range_start: range.start(),
        func: func.into(),
        arguments: Arguments { range, node_index: Default::default(), args: args.into(), keywords: Default::default() },
    })
}

pub fn parameter(name: &str, annotation: Option<Expr>, range: TextRange) -> ast::ParameterWithDefault {
    let (name, annotation) = (Identifier::new(name, range), annotation.map(Box::new));
    let parameter = ast::Parameter { range, node_index: Default::default(), name, annotation };
    ast::ParameterWithDefault { range, node_index: Default::default(), parameter, default: None }
}

pub fn assignment(target: Expr, value: Expr, range: TextRange) -> Stmt {
    Stmt::Assign(ast::StmtAssign { node_index: Default::default(), range, targets: vec![target], value: Box::new(value) })
}

fn field(name: &str, annotation: Expr, range: TextRange) -> Stmt {
    Stmt::AnnAssign(ast::StmtAnnAssign {
        node_index: Default::default(),
        range,
        target: Box::new(name_at(name, range)),
        annotation: Box::new(annotation),
        value: None,
        simple: true,
    })
}
