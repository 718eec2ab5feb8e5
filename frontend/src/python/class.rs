//! Classes: dataclasses and named tuples, whose instances never change.
//!
//! A class becomes the function that makes its instances, a record of their fields. Its methods are functions that take the instance
//! first; those are lowered that some attribute of the program may mean, and all that stand for operators.

mod members;

use super::changing::CONTENT;
use super::dataclass::{Options, Otherwise, Said, is_argument, is_keyword_only};
use super::generators;
use super::init::{is_class_variable, is_maker};
use super::library;
use super::linked;
use super::lower::{Lowered, Lowerer, Task, Value};
use super::scope::{Def, Globals};
use super::span_of;
use gradus_ir::{Class, Const, Diagnostic, Flavor, GraphId, NodeId, Prim, Role, Schema, Source, Span, Type};
use ruff_python_ast::{self as ast, Expr, Stmt};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

/// The classes of lists and dicts that are objects, and of what goes over them.
const OBJECTS: [&str; 9] = [
    "mutable_list",
    "mutable_dict",
    "mutable_array",
    "array_view",
    "array_of_places",
    "mutable_list_iterator",
    "backward_iterator",
    "numbered_iterator",
    "zipped_iterator",
];

/// A class as the file has it.
pub struct ClassDef<'a> {
    name: &'a str,
    span: Span,
    /// Where the statement ends.
    at: u32,
    /// The fields, those of the bases first, with their defaults and annotations.
    fields: Vec<Field<'a>>,
    /// The methods, those of the bases included.
    methods: Vec<Method<'a>>,
    /// The bases, and their bases.
    bases: Vec<&'a str>,
    /// Whether the library defines it.
    is_library: bool,
    /// Whether instances are tuples, too.
    is_tuple: bool,
    /// What makes an instance beside its fields: `__init__` or `__post_init__`, read as [`super::init`] says.
    maker: Option<&'a ast::StmtFunctionDef>,
    /// Whether equal instances are those that are the same.
    by_identity: bool,
    /// Whether they are written by their fields.
    is_written: bool,
}

#[derive(Clone, Copy)]
struct Field<'a> {
    name: &'a str,
    span: Span,
    said: Said<'a>,
    /// Whether it is given by its name only.
    keyword: bool,
    annotation: &'a Expr,
}

#[derive(Clone, Copy)]
struct Method<'a> {
    name: &'a str,
    code: Code<'a>,
    /// Read like a field.
    is_property: bool,
    /// Called without the instance.
    is_static: bool,
    /// The name for the class itself, of a class method.
    class_name: Option<&'a str>,
}

/// What a member of a class that is no field stands for.
#[derive(Clone, Copy)]
enum Code<'a> {
    Method(Def<'a>),
    /// A value that all instances have, read like a field.
    Variable(&'a Expr),
}

/// A maker: the class, the function, its defaults if they are those of the fields, and where the class ends.
type Maker<'a> = (&'a str, &'a ast::StmtFunctionDef, Option<Vec<NodeId>>, u32);

/// The classes of a file, and what was lowered of them.
#[derive(Default)]
pub struct Classes<'a> {
    defs: FxHashMap<&'a str, Result<ClassDef<'a>, Diagnostic>>,
    /// What the file assigns to names at its top level: annotations may name types by them.
    aliases: FxHashMap<&'a str, &'a Expr>,
    constructors: FxHashMap<&'a str, GraphId>,
    /// What makes an instance of its fields.
    records: FxHashMap<&'a str, GraphId>,
    /// The names of attributes that the program reads.
    attributes: FxHashSet<&'a str>,
    /// Whether the classes of the library were read, which most programs do not need.
    is_library_read: bool,
    /// The classes of the library of which the program may have instances.
    in_use: FxHashSet<&'a str>,
    /// Whether the program has lists.
    pub has_lists: bool,
    /// Of the class method that is to be lowered next: its name for the class, and the class.
    pub around: Option<(&'a str, &'a str)>,
    /// The names of methods that are called where exceptions are handled, and the graphs that return what they raise.
    returning: FxHashSet<&'a str>,
    twins: FxHashMap<(&'a str, &'a str), Result<GraphId, Diagnostic>>,
    /// What makes instances beside their fields, with its defaults and where the class ends.
    makers: FxHashMap<GraphId, Maker<'a>>,
    /// The methods that were lowered.
    methods: FxHashMap<(&'a str, &'a str), Result<GraphId, Diagnostic>>,
}

impl<'a> Classes<'a> {
    /// Those that a file defines. The library's are lowered too if the file makes instances of them; complex numbers also if some
    /// come in as arguments.
    pub fn of(globals: &Globals<'a>, complex: bool, references: bool) -> Classes<'a> {
        let mut classes = Classes { aliases: globals.values().collect(), ..Classes::default() };
        if references {
            OBJECTS.iter().for_each(|class| classes.use_library(class));
            classes.has_lists = true;
        }
        if complex {
            classes.use_library("complex");
        }
        classes.read_all(globals.classes().collect(), false);
        classes
    }

    /// Lets the program have instances of a class of the library.
    pub fn use_library(&mut self, class: &'a str) {
        self.read_library();
        self.in_use.insert(class);
    }

    fn read_library(&mut self) {
        if !self.is_library_read {
            self.is_library_read = true;
            self.read_all(library::globals().classes().collect(), true);
        }
    }

    fn read_all(&mut self, mut found: Vec<(u32, &'a ast::StmtClassDef)>, is_library: bool) {
        // A base comes before what is derived from it.
        found.sort_unstable_by_key(|(at, _)| *at);
        for (at, def) in found {
            // A class of the library keeps its name.
            if is_library || !Schema::is_of_library(&def.name) {
                let class = self.read(def, at, is_library);
                let named = class.iter().flat_map(|c| &c.fields).flat_map(|f| self.mentioned(f.annotation));
                if !is_library && named.into_iter().any(|name| ["list", "List", "Sequence"].contains(&name)) {
                    self.has_lists = true;
                }
                self.defs.insert(&def.name, class);
            }
        }
    }

    /// What the file assigns to a name at its top level.
    pub fn alias(&self, name: &str) -> Option<&'a Expr> {
        self.aliases.get(name).copied()
    }

    /// Whether the file has a class with this name.
    pub fn is_class(&self, name: &str) -> bool {
        self.defs.get(name).is_some_and(|c| c.as_ref().map_or(true, |c| !c.is_library))
    }

    /// The names of the classes of CPython's modules that are dicts there (`standard/collections.py`), and not here.
    pub fn standard_dicts(&self, source: &Source) -> Vec<&'a str> {
        let is_standard = |c: &ClassDef<'a>| source.section(c.span).0.starts_with(linked::STANDARD);
        let is_dict = |c: &&ClassDef<'a>| matches!(c.name.rsplit('.').next(), Some("defaultdict" | "Counter"));
        self.defs.values().flatten().filter(is_dict).filter(|c| !c.is_library && is_standard(c)).map(|c| c.name).collect()
    }

    /// Whether some class has a field or a method of this name. Those of the library's classes are also attributes of numbers.
    pub fn has_member(&mut self, name: &str) -> bool {
        if library::attribute(name).is_some() {
            self.read_library();
        }
        self.defs.values().flatten().any(|c| c.has_member(name))
    }

    /// The names of the fields of a class that are given by their places.
    pub fn fields(&self, name: &str) -> Option<Vec<&'a str>> {
        let class = self.defs.get(name)?.as_ref().ok()?;
        Some(class.own_fields().filter(|f| f.said.init && !f.keyword).map(|f| f.name).collect())
    }

    /// Whether some class of the file has.
    pub fn file_has_member(&self, name: &str) -> bool {
        self.defs.values().flatten().any(|c| !c.is_library && c.has_member(name))
    }

    /// Whether some class of the file has a property of this name.
    pub fn file_has_property(&self, name: &str) -> bool {
        self.defs.values().flatten().any(|c| !c.is_library && c.method(name).is_some_and(|m| m.is_property))
    }

    /// The name of the method that returns what a method of classes of the file raises; none where instances may have a field of that
    /// name.
    pub fn method_that_returns(&mut self, name: &str) -> Option<String> {
        let own = || self.defs.values().flatten().filter(|c| !c.is_library);
        let method = own().filter_map(|c| c.method(name)).find(|m| matches!(m.code, Code::Method(_)) && !m.is_property)?;
        let (name, is_field) = (method.name, own().any(|c| c.fields.iter().any(|f| f.name == name)));
        if is_field {
            return None;
        }
        self.returning.insert(name);
        Some(twin_name(name))
    }

    /// The classes of the file with an `__iter__` that reads all elements first.
    pub fn gone_over(&self) -> Vec<&'a str> {
        let is_one = |c: &&ClassDef<'a>| !c.is_library && c.method("__iter__").is_some() && c.method("__pull__").is_none();
        let mut found: Vec<&'a str> = self.defs.values().flatten().filter(is_one).map(|c| c.name).collect();
        found.sort_unstable();
        found
    }

    /// Whether a method of this name is a generator.
    pub fn yields(&self, name: &str) -> bool {
        let is_listed = |m: &Method<'a>| matches!(m.code, Code::Method(Def::Function(f)) if generators::is_listed(f));
        self.defs.values().flatten().filter(|c| !c.is_library).filter_map(|c| c.method(name)).any(is_listed)
    }

    /// Whether lists that are objects have a method of this name, or their iterators.
    pub fn objects_have(&self, name: &str) -> bool {
        OBJECTS.iter().filter_map(|class| self.defs.get(class)?.as_ref().ok()).any(|class| class.has_member(name))
    }

    /// Whether a class of the file has a property of this name, which nothing of the library has.
    pub fn is_property(&self, name: &str) -> bool {
        let own = self.defs.values().flatten().filter(|c| !c.is_library);
        library::attribute(name).is_none() && own.filter_map(|c| c.method(name)).any(|m| m.is_property)
    }

    fn read(&self, def: &'a ast::StmtClassDef, at: u32, is_library: bool) -> Result<ClassDef<'a>, Diagnostic> {
        let unsupported = |span: Span, what: &str| Err(Diagnostic::unsupported(span, format!("{what} is not supported")));
        let options = Options::of(def)?;
        let mut class = ClassDef {
            name: &def.name,
            span: span_of(&def.name),
            // Its variables and defaults may name the class itself.
            at: at + 1,
            fields: Vec::new(),
            methods: Vec::new(),
            bases: Vec::new(),
            is_library,
            is_tuple: false,
            maker: None,
            by_identity: true,
            is_written: options.repr,
        };
        let (mut is_data, mut has_fields, mut keyword) = (options.is_data, false, options.keyword);
        class.by_identity = !(is_data && options.eq);
        // Of two bases, the fields of the second come first, as in Python.
        for base in def.bases().iter().rev() {
            // What a base is generic in says nothing.
            let base = base.as_subscript_expr().map_or(base, |s| &*s.value);
            match last_name(base) {
                Some("NamedTuple") => (is_data, class.is_tuple, class.by_identity) = (true, true, false),
                Some("ABC" | "Generic" | "Protocol" | "object") => {}
                Some(name) => match self.defs.get(name) {
                    Some(Ok(base)) => {
                        class.bases.extend(base.bases.iter().copied().chain([base.name]));
                        for field in &base.fields {
                            match class.fields.iter().position(|f| f.name == field.name) {
                                Some(i) => class.fields[i] = *field,
                                None => class.fields.push(*field),
                            }
                        }
                        class.methods.extend(&base.methods);
                        is_data |= base.fields.is_empty();
                        class.by_identity &= base.by_identity;
                        class.is_tuple |= base.is_tuple;
                        class.is_written &= base.is_written || options.is_data;
                    }
                    Some(Err(d)) => return Err(d.clone()),
                    None => return unsupported(span_of(base), "this base of a class"),
                },
                None => return unsupported(span_of(base), "this base of a class"),
            }
        }
        let is_abstract = |k: &&ast::Keyword| last_name(&k.value) == Some("ABCMeta");
        if let Some(k) = def.keywords().iter().find(|k| !is_abstract(k)) {
            return unsupported(span_of(k), "this option of a class");
        }
        for stmt in &def.body {
            match stmt {
                Stmt::AnnAssign(a) if is_class_variable(&a.annotation) => match (&*a.target, &a.value) {
                    (Expr::Name(name), Some(value)) => class.add(Method::variable(&name.id, value)),
                    _ => return unsupported(span_of(stmt), "a variable of a class without a value"),
                },
                Stmt::AnnAssign(a) if is_keyword_only(&a.annotation) => keyword = true,
                Stmt::AnnAssign(a) => {
                    let Expr::Name(name) = &*a.target else { return unsupported(span_of(stmt), "this in a class") };
                    let said = Said::by(a.value.as_deref())?;
                    let keyword = said.keyword.unwrap_or(keyword);
                    let field = Field { name: &name.id, span: span_of(name), said, keyword, annotation: &a.annotation };
                    has_fields = true;
                    match class.fields.iter().position(|f| f.name == field.name) {
                        Some(i) => class.fields[i] = field,
                        None => class.fields.push(field),
                    }
                }
                Stmt::FunctionDef(f) if is_maker(f) => class.maker = Some(f),
                Stmt::FunctionDef(f) => {
                    let mut method = Method::of(&f.name, Def::Function(f));
                    for decorator in &f.decorator_list {
                        match last_name(&decorator.expression) {
                            Some("property" | "cached_property") => method.is_property = true,
                            Some("staticmethod") => method.is_static = true,
                            Some("classmethod") => {
                                method.is_static = true;
                                method.class_name = f.parameters.iter().next().map(|p| p.name().as_str());
                            }
                            Some("abstractmethod" | "final" | "override") => {}
                            _ => return unsupported(span_of(decorator), "this decorator of a method"),
                        }
                    }
                    if matches!(f.name.as_str(), "__new__" | "__getattr__" | "__setattr__") {
                        return Err(Diagnostic::unsupported(
                            span_of(&f.name),
                            format!("the method `{}` is not supported", f.name),
                        )
                        .hint("write the fields as those of a dataclass, and a function that makes the instance"));
                    }
                    class.add(method);
                }
                // `__radd__ = __add__`
                Stmt::Assign(a) => match (&*a.targets, &*a.value) {
                    ([Expr::Name(name)], Expr::Name(other)) if let Some(&method) = class.method(&other.id) => {
                        class.add(Method { name: &name.id, ..method });
                    }
                    ([Expr::Name(name)], Expr::Lambda(l)) => class.add(Method::of(&name.id, Def::Lambda(l))),
                    ([Expr::Name(name)], value) => class.add(Method::variable(&name.id, value)),
                    _ => return unsupported(span_of(stmt), "this in a class"),
                },
                Stmt::Pass(_) => {}
                Stmt::Expr(e) if e.value.is_string_literal_expr() || e.value.is_ellipsis_literal_expr() => {}
                _ => return unsupported(span_of(stmt), "this in a class"),
            }
        }
        if !is_data && has_fields && class.maker.is_none() {
            return Err(Diagnostic::unsupported(span_of(&def.name), "a class that is no dataclass is not supported")
                .hint("write `@dataclass(frozen=True)` before it, or `__init__` in it"));
        }
        class.by_identity &= class.method("__eq__").is_none();
        class.is_written &= !["__repr__", "__str__"].into_iter().any(|name| class.method(name).is_some());
        Ok(class)
    }

    /// Whether an instance may hold others of its class, by the annotations of fields.
    fn is_recursive(&self, name: &str) -> bool {
        let mut seen: FxHashSet<&str> = FxHashSet::default();
        let mut work: Vec<&str> = vec![name];
        while let Some(at) = work.pop() {
            for (&other, class) in &self.defs {
                let Ok(class) = class else { continue };
                // What is said of a class may be one of those derived from it.
                if other != at && !class.bases.contains(&at) {
                    continue;
                }
                for c in class.fields.iter().flat_map(|f| self.mentioned(f.annotation)) {
                    if c == name || self.is_derived(name, c) {
                        return true;
                    }
                    if self.defs.contains_key(c) && seen.insert(c) {
                        work.push(c);
                    }
                }
            }
        }
        false
    }

    /// The names that an annotation mentions, be it in a string, those among them that the names of types stand for.
    fn mentioned(&self, annotation: &'a Expr) -> Vec<&'a str> {
        let mut names: Vec<&'a str> = Vec::new();
        let mut work = vec![annotation];
        while let Some(expr) = work.pop() {
            let mut found: Vec<&'a str> = Vec::new();
            match expr {
                Expr::Name(n) => found.push(&n.id),
                Expr::StringLiteral(s) => {
                    let is_word = |c: char| c.is_alphanumeric() || c == '_';
                    found.extend(s.value.to_str().split(|c| !is_word(c)));
                }
                Expr::Subscript(s) => work.extend([&*s.value, &*s.slice]),
                Expr::BinOp(b) => work.extend([&*b.left, &*b.right]),
                Expr::Tuple(t) => work.extend(&t.elts),
                Expr::List(t) => work.extend(&t.elts),
                _ => {}
            }
            found.retain(|name| !names.contains(name));
            work.extend(found.iter().filter_map(|name| self.aliases.get(name).copied()));
            names.extend(found);
        }
        names
    }

    fn is_in_use(&self, class: &ClassDef<'a>) -> bool {
        !class.is_library || self.in_use.contains(class.name)
    }

    fn is_derived(&self, name: &str, base: &str) -> bool {
        matches!(self.defs.get(name), Some(Ok(c)) if c.bases.contains(&base))
    }
}

impl<'a> Method<'a> {
    fn of(name: &'a str, def: Def<'a>) -> Method<'a> {
        Method { name, code: Code::Method(def), is_property: false, is_static: false, class_name: None }
    }

    fn variable(name: &'a str, value: &'a Expr) -> Method<'a> {
        Method { name, code: Code::Variable(value), is_property: true, is_static: false, class_name: None }
    }
}

impl<'a> ClassDef<'a> {
    fn has_member(&self, name: &str) -> bool {
        self.fields.iter().any(|f| f.name == name) || self.method(name).is_some()
    }

    /// The fields of an instance.
    fn own_fields(&self) -> impl Iterator<Item = &Field<'a>> {
        self.fields.iter().filter(|f| !is_argument(f.annotation))
    }

    fn method(&self, name: &str) -> Option<&Method<'a>> {
        self.methods.iter().find(|m| m.name == name)
    }

    /// Adds a method, or replaces that of a base.
    fn add(&mut self, method: Method<'a>) {
        self.methods.retain(|m| m.name != method.name);
        self.methods.push(method);
    }

    /// Where it stands in the file.
    fn place(&self) -> Span {
        if self.is_library { Span::NONE } else { self.span }
    }
}

impl<'a> Lowerer<'a, '_> {
    /// Notes that the program, not the library, has lists.
    pub fn use_lists(&mut self) {
        self.classes.has_lists |= !self.in_library;
    }

    /// The function that makes instances of a class.
    pub fn constructor(&mut self, name: &'a str) -> Lowered<Value<'a>> {
        if self.in_library || Schema::is_of_library(name) {
            self.classes.read_library();
        }
        if let Some(&g) = self.classes.constructors.get(name) {
            return Ok(Value::Node(self.m.graph_ref(g)));
        }
        let def = match self.classes.defs.get(name).expect("a class of the file") {
            Ok(def) => def,
            Err(d) => return Err(d.clone()),
        };
        let (fields, at, place, maker) = (def.fields.clone(), def.at, def.place(), def.maker);
        if def.is_library {
            self.classes.in_use.insert(name);
        }
        let graph = self.m.add_graph(name, Flavor::Library, Role::Primal, place);
        self.classes.records.insert(name, graph);
        let made = maker.map_or(graph, |f| self.m.add_graph(name, Flavor::Function, Role::Primal, span_of(&f.name)));
        self.classes.constructors.insert(name, made);
        // Those that are given by their names are the last parameters of what makes an instance of those that are given.
        let (by_place, by_name): (Vec<&Field>, Vec<&Field>) = fields.iter().filter(|f| f.said.init).partition(|f| !f.keyword);
        let mut defaults = Vec::new();
        let takes_fields = maker.is_none_or(|f| f.name.as_str() == "__post_init__");
        for field in by_place.iter().chain(&by_name).filter(|_| takes_fields) {
            match field.said.default {
                Some(Otherwise::Value(default)) => defaults.push(self.default_value(default, at)?),
                Some(made @ Otherwise::Made(_)) => {
                    let graph = self.default_graph(made, at);
                    defaults.push(self.m.graph_ref(graph));
                }
                None if defaults.is_empty() => {}
                None if field.keyword => defaults.push(self.m.constant(Const::Undefined, Type::Unknown)),
                None => {
                    return Err(Diagnostic::refused(field.span, "a field without default after one that has a default"));
                }
            }
        }
        let fields: Vec<Field> = fields.iter().copied().filter(|f| !is_argument(f.annotation)).collect();
        let all: Vec<&Field> = fields.iter().collect();
        let params = if maker.is_some() { &all } else { &[&by_place[..], &by_name].concat() };
        let params: FxHashMap<&str, NodeId> =
            params.iter().map(|f| (f.name, self.m.add_param(graph, Type::Unknown, Some(f.name.into()), f.span))).collect();
        let names = std::iter::once(name).chain(fields.iter().map(|f| f.name));
        let names: Vec<NodeId> = names.map(|n| self.m.constant(Const::Str(n.into()), Type::Str)).collect();
        let names = self.m.prim(graph, Prim::Tuple, names, Type::Unknown, Span::NONE);
        let values = fields.iter().map(|f| params[f.name]).collect();
        let values = self.m.prim(graph, Prim::Tuple, values, Type::Unknown, Span::NONE);
        let record = self.m.prim(graph, Prim::Record, vec![names, values], Type::Unknown, Span::NONE);
        self.m.set_result(graph, record);
        match maker {
            Some(f) => {
                let defaults = takes_fields.then_some(defaults);
                self.classes.makers.insert(made, (name, f, defaults.clone(), at));
                // Boxes of instances that different calls make hold what they like.
                if self.program.objects.lists || fields.iter().any(|f| self.is_changing(f.name)) {
                    self.m.memory.makers.insert(made);
                }
                self.queue.push_back(Task::Maker(made, name, f, defaults, at));
            }
            None => {
                self.m[graph].tail.keyword_only = by_name.len();
                self.m[graph].defaults = defaults;
            }
        }
        Ok(Value::Node(self.m.graph_ref(made)))
    }

    /// A graph without parameters that gives the default of a field.
    pub fn field_default(&mut self, class: &str, field: &str) -> Option<GraphId> {
        let class = self.classes.defs.get(class)?.as_ref().ok()?;
        let (at, said) = (class.at, class.fields.iter().find(|f| f.name == field)?.said);
        Some(self.default_graph(said.default?, at))
    }

    /// An attribute of a value: a field, a method, or what the library calls so.
    pub fn attribute(&mut self, value: NodeId, name: &'a str, function: Option<(NodeId, bool)>, span: Span) -> NodeId {
        self.classes.attributes.insert(name);
        let text = self.m.constant(Const::Str(name.into()), Type::Str);
        let (function, is_property) = function.unwrap_or_else(|| (self.none(), false));
        let is_property = self.m.bool(is_property);
        self.prim(Prim::Attribute, &[value, text, function, is_property], span)
    }

    /// Whether it is a field that is a box.
    pub fn is_changing(&self, field: &str) -> bool {
        !self.in_library && (field == CONTENT || self.program.fields.contains_key(field))
    }

    /// Whether it is one if fields that change are boxes.
    pub fn is_assigned_later(&self, field: &str) -> bool {
        self.program.changing.as_ref().is_some_and(|(_, fields)| fields.contains_key(field))
    }

    /// An attribute of a name that fields have that change: what such a field has in it, and what arrays and others have of this name.
    pub fn content_or_attribute(&mut self, of: NodeId, field: &str, span: Span) -> NodeId {
        if library::attribute(field).is_none() {
            return self.content(of, field, span);
        }
        let is_box = self.is_of(of, &["Box"], span);
        let (result, join) = (self.temp(), self.new_block("join", span));
        let [then, otherwise] = self.branch(is_box, span, ["then", "else"]);
        self.enter(then);
        let content = self.content(of, field, span);
        self.set(result, content);
        self.jump(join, span);
        self.enter(otherwise);
        self.set(result, of);
        self.jump(join, span);
        self.seal(join);
        self.enter(join);
        self.read(result)
    }

    /// Reads a field that is a box.
    pub fn content(&mut self, of: NodeId, field: &str, span: Span) -> NodeId {
        if *self.program.fields.get(field).unwrap_or(&true) {
            let otherwise = match field {
                CONTENT => "AttributeError: the field has no value yet".into(),
                _ => format!("AttributeError: the field `{field}` has no value yet"),
            };
            self.require_filled(of, &otherwise, span);
        }
        self.get_box(of, span)
    }

    /// The box of a field that changes.
    pub fn field_box(&mut self, a: &'a ast::ExprAttribute) -> Lowered<NodeId> {
        let value = self.expr(&a.value)?;
        Ok(match a.attr.as_str() {
            CONTENT => value,
            field => self.attribute(value, field, None, span_of(a)),
        })
    }

    /// The classes of the program for inference.
    pub fn finish_classes(&mut self) {
        let is_known = |d: &&ClassDef<'a>| self.classes.is_in_use(d);
        let mut defs: Vec<&ClassDef<'a>> = self.classes.defs.values().flatten().filter(is_known).collect();
        defs.sort_unstable_by_key(|d| (d.is_library, d.at));
        for def in defs {
            let text = |s: &str| -> Arc<str> { s.into() };
            let fields = def.own_fields().map(|f| text(f.name)).collect();
            let schema = Arc::new(Schema { class: Some(text(def.name)), fields });
            let twin = |name: &str| text(&twin_name(name));
            let is = |which: fn(&Method<'a>) -> bool| def.methods.iter().filter(move |m| which(m)).map(|m| text(m.name));
            let statics: Vec<Arc<str>> = is(|m| m.is_static).collect();
            let by_identity = def.by_identity.then(|| {
                let what = format!("`==` of instances of `{}` asks whether they are the same, which is not supported", def.name);
                let d = Diagnostic::unsupported(def.span, what).hint("write `__eq__` in the class, or compare fields");
                (text("__eq__"), Err(d))
            });
            let lowered = def.methods.iter().filter_map(|m| {
                let name = m.name;
                self.classes.methods.get(&(def.name, name)).map(|g| (text(name), g.clone()))
            });
            let twins =
                def.methods.iter().filter_map(|m| Some((twin(m.name), self.classes.twins.get(&(def.name, m.name))?.clone())));
            let twins: Vec<_> = twins.collect();
            self.m.classes.push(Class {
                schema,
                span: def.place(),
                bases: def.bases.iter().map(|b| text(b)).collect(),
                recursive: self.classes.is_recursive(def.name),
                methods: lowered.chain(by_identity).chain(twins).collect(),
                silent: def.is_written.then(|| def.own_fields().filter(|f| !f.said.repr).map(|f| text(f.name)).collect()),
                properties: is(|m| m.is_property).collect(),
                statics: statics.iter().map(|name| twin(name)).chain(statics.iter().cloned()).collect(),
                members: def.methods.iter().filter(|m| !m.name.starts_with('_')).map(|m| text(m.name)).collect(),
                tuple: def.is_tuple,
            });
        }
    }
}

/// The name of a method that returns what another one raises; no attribute of a program has it.
fn twin_name(method: &str) -> String {
    format!("{method}!")
}

/// The last part of a dotted name.
pub fn last_name(expr: &Expr) -> Option<&str> {
    match expr {
        Expr::Name(n) => Some(&n.id),
        Expr::Attribute(a) => Some(&a.attr),
        _ => None,
    }
}
