//! The names that code does not bind itself: which it reads, and whose objects it may change.
//!
//! All is by the source alone and errs on one side: what may be changed counts as changed. Aliases are followed through assignments and
//! calls, and a change of a part is told from one of the whole, since a new list shares its elements with the old one and nothing else.

use super::members::is_later;
use crate::python::library;
use crate::python::names::is_builtin;
use crate::python::owned::{self, Kind, new_object};
use crate::python::scope::{Def, Globals, Scope, bindings, target};
use ruff_python_ast::visitor::{Visitor, walk_expr, walk_stmt};
use ruff_python_ast::{self as ast, Expr, Stmt};
use rustc_hash::{FxHashMap, FxHashSet};

/// How the value of an expression is made of the object of a name.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Way {
    /// It may be that object.
    Same,
    /// It may be a part of it.
    Part,
    /// It is new, and shares parts with it.
    Shares,
}

/// A name in some code: one that the code binds itself, or one of the top level.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Root<'a> {
    name: &'a str,
    is_own: bool,
}

/// The function that a call may call.
enum Callee<'a> {
    /// The one that a name of the top level stands for.
    Global(&'a str),
    /// A builtin, of a name that the file does not bind.
    Builtin(&'a str),
    /// A method, or what a module has; with what it is of.
    Method(&'a str, Vec<(Root<'a>, Way)>),
    /// A lambda, whose body is read where it stands.
    Lambda,
    /// One that a variable holds, and the like; with what it is of.
    Any(Vec<(Root<'a>, Way)>),
}

struct Call<'a> {
    callee: Callee<'a>,
    args: Vec<Vec<(Root<'a>, Way)>>,
}

/// A piece of code.
#[derive(Default)]
pub struct Code<'a> {
    parameters: Vec<&'a str>,
    /// The names of the top level that it reads.
    pub reads: FxHashSet<&'a str>,
    /// Those among them that it reads itself, not a function that it makes.
    pub reads_now: FxHashSet<&'a str>,
    /// The attributes that it reads, which may be methods.
    pub attributes: FxHashSet<&'a str>,
    /// The names of the top level that it assigns, being a function.
    pub assigns: FxHashSet<&'a str>,
    /// The objects that it writes to, each with whether to a part alone.
    written: FxHashSet<(Root<'a>, bool)>,
    aliases: Vec<(Root<'a>, Root<'a>, Way)>,
    calls: Vec<Call<'a>>,
    /// The imported names of whose modules it assigns something: `math.pi = 3.0`.
    pub patches: FxHashSet<&'a str>,
    /// Whether it may assign any name of the top level: `exec(text)`.
    pub assigns_any: bool,
    /// Whether it has a function that changes what it is given, other than to call it: `partial(list.append, xs)`.
    holds_changer: bool,
    /// The names of the top level whose objects it may change, those of what it calls left out. Found by [`Codes::close`].
    pub changes: FxHashSet<&'a str>,
    /// The parameters whose objects, or parts of them, it may change.
    changed: FxHashSet<(usize, bool)>,
}

/// All code of a file.
#[derive(Default)]
pub struct Codes<'a> {
    pub all: Vec<Code<'a>>,
    /// The code that a call of a name of the top level runs.
    pub called: FxHashMap<&'a str, Vec<usize>>,
    pub methods: FxHashMap<&'a str, Vec<usize>>,
    /// The imported names, each with whether nothing is known of what the module's functions do.
    pub imports: FxHashMap<&'a str, bool>,
}

/// Functions of Python by which code may assign any name of the top level.
const ASSIGNERS: &[&str] = &["exec", "globals", "locals", "vars"];

/// Functions of Python that call what they are given, if that is a function.
const CALLERS: &[&str] = &["accumulate", "filter", "map", "max", "min", "reduce", "sorted", "starmap"];

/// Functions of modules that change what comes first among their arguments.
const CHANGERS: &[&str] = &[
    "at",
    "copyto",
    "delattr",
    "delitem",
    "fill_diagonal",
    "heapify",
    "heappop",
    "heappush",
    "heappushpop",
    "heapreplace",
    "iadd",
    "iand",
    "iconcat",
    "imul",
    "insort",
    "insort_left",
    "insort_right",
    "next",
    "place",
    "put",
    "put_along_axis",
    "putmask",
    "setattr",
    "setitem",
    "shuffle",
];

/// Methods that change the object that they are of, beside those that the language has.
const METHODS: &[&str] = &[
    "__delitem__",
    "__iadd__",
    "__imul__",
    "__setattr__",
    "__setitem__",
    "add",
    "appendleft",
    "difference_update",
    "discard",
    "extendleft",
    "intersection_update",
    "itemset",
    "move_to_end",
    "partition",
    "popitem",
    "popleft",
    "put",
    "resize",
    "rotate",
    "set",
    "setflags",
    "subtract",
    "symmetric_difference_update",
];

/// Methods by which a generator of random numbers comes to its next state.
const DRAWS: &[&str] = &[
    "beta",
    "binomial",
    "chisquare",
    "choice",
    "dirichlet",
    "exponential",
    "gamma",
    "geometric",
    "gumbel",
    "integers",
    "laplace",
    "logistic",
    "lognormal",
    "multivariate_normal",
    "normal",
    "pareto",
    "permutation",
    "permuted",
    "poisson",
    "rand",
    "randint",
    "randn",
    "random",
    "random_raw",
    "random_sample",
    "rayleigh",
    "shuffle",
    "spawn",
    "standard_exponential",
    "standard_gamma",
    "standard_normal",
    "standard_t",
    "uniform",
    "weibull",
];

/// Whether a method of this name may change the object that it is of.
pub fn changes(method: &str) -> bool {
    owned::changes(method) || METHODS.contains(&method) || DRAWS.contains(&method)
}

impl<'a> Code<'a> {
    /// A function.
    pub fn of_function(def: Def<'a>, globals: &Globals<'a>) -> Code<'a> {
        let mut walk = Walk { code: Code::default(), scopes: Vec::new(), globals };
        walk.code.parameters = def.parameters().into_iter().flat_map(|p| p.iter()).map(|p| p.name().as_str()).collect();
        walk.within(Scope::of(def), |me| match def {
            Def::Function(f) => {
                f.parameters.iter().filter_map(|p| p.annotation()).for_each(|a| me.visit_expr(a));
                me.visit_body(&f.body);
            }
            Def::Lambda(l) => me.visit_expr(&l.body),
        });
        walk.code
    }

    /// The names of the top level that the object of a name may be made of.
    pub fn aliased(&self, name: &str) -> impl Iterator<Item = &'a str> {
        self.aliases.iter().filter(move |(to, ..)| to.name == name).map(|(_, of, _)| of.name)
    }

    /// Statements of the top level.
    pub fn of_statements(stmts: &'a [Stmt], globals: &Globals<'a>) -> Code<'a> {
        let mut walk = Walk { code: Code::default(), scopes: Vec::new(), globals };
        walk.visit_body(stmts);
        walk.code
    }

    /// Expressions of the top level, with the targets that are given what they make, part by part.
    pub fn of_parts(
        exprs: impl Iterator<Item = &'a Expr>,
        parts: impl Iterator<Item = (&'a Expr, &'a Expr)>,
        globals: &Globals<'a>,
    ) -> Code<'a> {
        let mut walk = Walk { code: Code::default(), scopes: Vec::new(), globals };
        exprs.for_each(|expr| walk.visit_expr(expr));
        parts.for_each(|(target, of)| {
            walk.visit_expr(of);
            walk.give(target, of, Way::Part);
        });
        walk.code
    }
}

impl<'a> Codes<'a> {
    /// Whether a piece of code may call something of the file.
    pub fn may_call(&self, code: &Code<'a>, is_function: impl Fn(&str) -> bool) -> bool {
        let has_operators = || self.methods.keys().any(|name| name.starts_with("__") && *name != "__init__");
        let by_value = |call: &Call<'a>| match &call.callee {
            Callee::Global(name) => !self.imports.contains_key(name) || CALLERS.contains(name),
            Callee::Builtin(name) | Callee::Method(name, _) => CALLERS.contains(name),
            Callee::Lambda => true,
            Callee::Any(of) => !of.is_empty(),
        };
        code.reads.iter().any(|name| is_function(name))
            || code.attributes.iter().any(|name| self.methods.contains_key(name))
            || code.calls.iter().any(by_value)
            || !code.reads.is_empty() && has_operators()
    }

    /// Finds what all code may change.
    pub fn close(&mut self) {
        // A function that changes what it is given may be called by any that does not know what it calls.
        let has_changer = self.all.iter().any(|code| code.holds_changer);
        let mut is_any = has_changer;
        loop {
            let mut found = false;
            for i in 0..self.all.len() {
                let (changes, changed) = self.changed_by(&self.all[i], is_any);
                let code = &mut self.all[i];
                found |= changes.len() > code.changes.len() || changed.len() > code.changed.len();
                (code.changes, code.changed) = (changes, changed);
            }
            is_any = has_changer || self.all.iter().any(|code| !code.changed.is_empty());
            if !found {
                return;
            }
        }
    }

    /// Finds what a piece of code changes by what is known so far: names of the top level, and parameters.
    fn changed_by(&self, code: &Code<'a>, is_any: bool) -> (FxHashSet<&'a str>, FxHashSet<(usize, bool)>) {
        let mut found = code.written.clone();
        let through = |roots: &[(Root<'a>, Way)], part: bool| -> Vec<(Root<'a>, bool)> {
            roots.iter().filter_map(|&(root, way)| Some((root, passed(way, part)?))).collect()
        };
        for call in &code.calls {
            let all = |found: &mut FxHashSet<_>| call.args.iter().for_each(|arg| found.extend(through(arg, true)));
            if code.holds_changer {
                call.args.iter().for_each(|arg| found.extend(through(arg, false)));
            }
            let first_if_changed = |name: &str, found: &mut FxHashSet<_>| {
                let first = call.args.first().filter(|_| CHANGERS.contains(&name));
                found.extend(first.into_iter().flat_map(|arg| through(arg, false)));
            };
            let by_codes = |codes: &[usize], args: &[&Vec<(Root<'a>, Way)>], found: &mut FxHashSet<_>| {
                for &(i, part) in codes.iter().flat_map(|&c| &self.all[c].changed) {
                    // An argument that is given by a name, or as `*args`, may be any of them.
                    let given = args.get(i).copied().into_iter().chain(args.iter().skip(1).copied());
                    given.for_each(|arg| found.extend(through(arg, part)));
                }
            };
            match &call.callee {
                Callee::Global(name) => match self.called.get(name) {
                    Some(codes) => by_codes(codes, &call.args.iter().collect::<Vec<_>>(), &mut found),
                    None if self.imports.contains_key(name) => {
                        first_if_changed(name, &mut found);
                        if self.imports.get(name) == Some(&true) {
                            all(&mut found);
                        }
                    }
                    None => {
                        // It may be a method of an object, `put = x.append`.
                        found.insert((Root { name, is_own: false }, false));
                        if is_any {
                            all(&mut found);
                        }
                    }
                },
                Callee::Builtin(name) => first_if_changed(name, &mut found),
                Callee::Lambda if is_any => all(&mut found),
                Callee::Lambda => {}
                Callee::Method(name, of) => {
                    // `list.append(x, v)` is `x.append(v)`.
                    if let [(root, Way::Same)] = of[..]
                        && !root.is_own
                        && is_builtin(root.name)
                        && changes(name)
                    {
                        found.extend(call.args.iter().take(1).flat_map(|arg| through(arg, false)));
                    }
                    let module = of.first().filter(|(root, _)| !root.is_own).and_then(|(root, _)| self.imports.get(root.name));
                    match (module, self.methods.get(name)) {
                        (Some(_), _) if CHANGERS.contains(name) => first_if_changed(name, &mut found),
                        (Some(true), _) => all(&mut found),
                        (Some(false), _) => {}
                        (None, Some(codes)) => {
                            let args: Vec<_> = std::iter::once(of).chain(&call.args).collect();
                            by_codes(codes, &args, &mut found);
                        }
                        (None, None) if is_any && library::attribute(name).is_none() => all(&mut found),
                        (None, None) => {}
                    }
                }
                Callee::Any(of) => {
                    found.extend(through(of, false).into_iter().filter(|(root, _)| !root.is_own));
                    if is_any {
                        all(&mut found);
                    }
                }
            }
        }
        let mut work: Vec<(Root<'a>, bool)> = found.iter().copied().collect();
        while let Some((root, part)) = work.pop() {
            for &(_, of, way) in code.aliases.iter().filter(|(to, ..)| *to == root) {
                if let Some(part) = passed(way, part)
                    && found.insert((of, part))
                {
                    work.push((of, part));
                }
            }
        }
        let place = |root: Root<'a>| code.parameters.iter().position(|p| root.is_own && *p == root.name);
        let changed = found.iter().filter_map(|&(root, part)| Some((place(root)?, part))).collect();
        (found.iter().filter(|(root, _)| !root.is_own).map(|(root, _)| root.name).collect(), changed)
    }
}

/// Whether who changes a value, or a part of it, changes what that is made of: if so, whether a part of that.
fn passed(way: Way, part: bool) -> Option<bool> {
    match way {
        Way::Same => Some(part),
        Way::Part => Some(true),
        Way::Shares => part.then_some(true),
    }
}

struct Walk<'a, 'g> {
    code: Code<'a>,
    scopes: Vec<Scope<'a>>,
    globals: &'g Globals<'a>,
}

impl<'a> Walk<'a, '_> {
    fn within(&mut self, scope: Scope<'a>, visit: impl FnOnce(&mut Self)) {
        self.scopes.push(scope);
        visit(self);
        self.scopes.pop();
    }

    fn root(&self, name: &'a str) -> Root<'a> {
        Root { name, is_own: self.scopes.iter().any(|s| s.get(name).is_some()) }
    }

    /// The objects that the value of an expression may be, or be a part of.
    fn objects(&self, expr: &'a Expr) -> Vec<(Root<'a>, Way)> {
        let through = |way: Way, parts: Vec<(Root<'a>, Way)>| {
            parts.into_iter().map(move |(root, inner)| (root, if inner == Way::Same { way } else { inner })).collect::<Vec<_>>()
        };
        match expr {
            Expr::Name(n) => vec![(self.root(&n.id), Way::Same)],
            Expr::Subscript(s) => through(Way::Part, self.objects(&s.value)),
            Expr::Attribute(a) => through(Way::Part, self.objects(&a.value)),
            Expr::Starred(s) => through(Way::Part, self.objects(&s.value)),
            Expr::Named(n) => self.objects(&n.value),
            Expr::If(i) => [&i.body, &i.orelse].into_iter().flat_map(|e| self.objects(e)).collect(),
            Expr::BoolOp(b) => b.values.iter().flat_map(|e| self.objects(e)).collect(),
            Expr::Compare(_) | Expr::UnaryOp(_) | Expr::FString(_) => Vec::new(),
            _ if expr.is_literal_expr() => Vec::new(),
            Expr::Call(c) if self.gives_number(&c.func) => Vec::new(),
            _ => {
                let new = new_object(expr, self.globals);
                let way = match new {
                    Some(Kind::List | Kind::Rows | Kind::Array) => Way::Shares,
                    None if expr.is_tuple_expr() => Way::Shares,
                    None => Way::Same,
                };
                self.mentioned(expr).into_iter().map(|root| (root, way)).collect()
            }
        }
    }

    /// Whether a call of this gives a number, a string or the like.
    fn gives_number(&self, func: &Expr) -> bool {
        const BUILTINS: &[&str] = &["abs", "bool", "float", "int", "isinstance", "len", "range", "round", "str", "sum"];
        match func {
            Expr::Name(n) => BUILTINS.contains(&n.id.as_str()) && self.globals.name(&n.id).is_none(),
            Expr::Attribute(a) => matches!(&*a.value, Expr::Name(n) if n.id == "math" && self.globals.is_import(&n.id)),
            _ => false,
        }
    }

    fn mentioned(&self, expr: &'a Expr) -> Vec<Root<'a>> {
        struct Mentioned<'a>(Vec<&'a str>);
        impl<'a> Visitor<'a> for Mentioned<'a> {
            fn visit_expr(&mut self, expr: &'a Expr) {
                self.0.extend(expr.as_name_expr().map(|n| n.id.as_str()));
                walk_expr(self, expr);
            }
        }
        let mut all = Mentioned(Vec::new());
        all.visit_expr(expr);
        all.0.into_iter().map(|name| self.root(name)).collect()
    }

    /// Something writes to the object that an expression stands for.
    fn write(&mut self, place: &'a Expr) {
        let objects = self.objects(place);
        self.code.written.extend(objects.into_iter().filter_map(|(root, way)| Some((root, passed(way, false)?))));
    }

    /// A target is given a value, or parts of it.
    fn give(&mut self, to: &'a Expr, value: &'a Expr, way: Way) {
        let objects = self.objects(value);
        let mut names = Vec::new();
        target(to, &mut |name, _, _| names.push(name));
        for name in names {
            let to = self.root(name);
            for &(of, inner) in &objects {
                self.code.aliases.push((to, of, if way == Way::Part { Way::Part } else { inner }));
            }
        }
        self.stores(to);
    }

    /// The elements and attributes among targets are written to.
    fn stores(&mut self, target: &'a Expr) {
        match target {
            Expr::Subscript(s) => self.write(&s.value),
            Expr::Attribute(a) => {
                let module = a.value.as_name_expr().filter(|n| self.globals.is_import(&n.id));
                self.code.patches.extend(module.map(|n| n.id.as_str()));
                self.write(&a.value);
            }
            Expr::Tuple(t) => t.elts.iter().for_each(|t| self.stores(t)),
            Expr::List(t) => t.elts.iter().for_each(|t| self.stores(t)),
            Expr::Starred(s) => self.stores(&s.value),
            _ => {}
        }
    }

    fn call(&mut self, c: &'a ast::ExprCall) {
        let all = c.arguments.args.iter().chain(c.arguments.keywords.iter().map(|k| &k.value));
        let args = all.map(|arg| self.objects(arg)).collect();
        for k in c.arguments.keywords.iter().filter(|k| k.arg.as_ref().is_some_and(|a| a.as_str() == "out")) {
            self.write(&k.value);
        }
        let callee = match &*c.func {
            Expr::Name(n) if !self.root(&n.id).is_own => match is_builtin(&n.id) && self.globals.name(&n.id).is_none() {
                true => {
                    self.code.assigns_any |=
                        ASSIGNERS.contains(&n.id.as_str()) && !(n.id == "vars" && c.arguments.args.len() == 1);
                    Callee::Builtin(&n.id)
                }
                false => Callee::Global(&n.id),
            },
            Expr::Attribute(a) => {
                let name = a.attr.as_str();
                let mut of = &*a.value;
                while let Expr::Attribute(outer) = of {
                    of = &outer.value;
                }
                let is_module = matches!(of, Expr::Name(n) if self.globals.is_import(&n.id));
                // `x.at[i].set(v)` makes another array.
                let is_at =
                    matches!(&*a.value, Expr::Subscript(s) if s.value.as_attribute_expr().is_some_and(|a| a.attr == *"at"));
                if !is_module && !is_at && changes(name) {
                    self.write(&a.value);
                }
                Callee::Method(name, self.objects(&a.value))
            }
            Expr::Lambda(l) if is_later(l) => Callee::Any(Vec::new()),
            Expr::Lambda(_) => Callee::Lambda,
            other => Callee::Any(self.objects(other)),
        };
        self.code.calls.push(Call { callee, args });
    }

    fn attribute(&mut self, a: &'a ast::ExprAttribute, is_called: bool) {
        self.code.attributes.insert(&a.attr);
        // `put = x.append` may be called anywhere.
        let of = a.value.as_name_expr().filter(|n| !self.root(&n.id).is_own);
        if of.is_none_or(|n| !self.globals.is_import(&n.id)) && owned::changes(&a.attr) {
            self.write(&a.value);
            self.code.holds_changer |= !is_called && of.is_some_and(|n| is_builtin(&n.id) && self.globals.name(&n.id).is_none());
        }
    }

    /// A function of a module whose result nobody takes is called for what it does, perhaps to what it is given: `np.add(a, 1, a)`.
    fn dropped(&mut self, value: &'a Expr) {
        const QUIET: &[&str] = &["assert", "plot", "print", "save", "seed", "set", "show", "simplefilter", "sleep"];
        let Expr::Call(c) = value else { return };
        let Expr::Attribute(a) = &*c.func else { return };
        let is_quiet = QUIET.iter().any(|prefix| a.attr.starts_with(prefix));
        if !is_quiet && self.objects(&a.value).iter().all(|(root, _)| !root.is_own && self.globals.is_import(root.name)) {
            c.arguments.args.iter().for_each(|arg| self.write(arg));
        }
    }

    fn clauses(&mut self, whole: &'a Expr, clauses: &'a [ast::Comprehension]) {
        self.visit_expr(&clauses[0].iter);
        self.within(Scope::of_clauses(clauses), |me| {
            clauses.iter().for_each(|c| me.give(&c.target, &c.iter, Way::Part));
            walk_expr(me, whole);
        });
    }
}

impl<'a> Visitor<'a> for Walk<'a, '_> {
    fn visit_stmt(&mut self, stmt: &'a Stmt) {
        match stmt {
            Stmt::FunctionDef(f) => {
                f.decorator_list.iter().for_each(|d| self.visit_decorator(d));
                self.visit_parameters(&f.parameters);
                return self.within(Scope::of(Def::Function(f)), |me| me.visit_body(&f.body));
            }
            Stmt::Assign(a) => a.targets.iter().for_each(|t| {
                let way = if t.is_name_expr() { Way::Same } else { Way::Part };
                self.give(t, &a.value, way);
            }),
            Stmt::AnnAssign(a) => {
                if let Some(value) = &a.value {
                    self.give(&a.target, value, Way::Same);
                }
            }
            Stmt::AugAssign(a) => {
                self.write(&a.target);
                self.stores(&a.target);
            }
            Stmt::For(f) => self.give(&f.target, &f.iter, Way::Part),
            Stmt::With(w) => w.items.iter().for_each(|i| {
                i.optional_vars.iter().for_each(|t| self.give(t, &i.context_expr, Way::Same));
            }),
            Stmt::Match(m) => {
                let objects = self.objects(&m.subject);
                let mut names = Vec::new();
                bindings(std::slice::from_ref(stmt), &mut |name, _, _| names.push(name));
                for to in names.into_iter().map(|name| self.root(name)).collect::<Vec<_>>() {
                    self.code.aliases.extend(objects.iter().map(|&(of, _)| (to, of, Way::Part)));
                }
            }
            Stmt::Delete(d) => d.targets.iter().for_each(|t| self.stores(t)),
            Stmt::Expr(e) => self.dropped(&e.value),
            Stmt::Global(g) => self.code.assigns.extend(g.names.iter().map(|n| n.as_str())),
            _ => {}
        }
        walk_stmt(self, stmt);
    }

    fn visit_expr(&mut self, expr: &'a Expr) {
        match expr {
            Expr::Name(n) if n.ctx.is_load() && !self.root(&n.id).is_own => {
                self.code.reads.insert(&n.id);
                if self.scopes.is_empty() {
                    self.code.reads_now.insert(&n.id);
                }
            }
            Expr::Attribute(a) => self.attribute(a, false),
            Expr::Named(n) => self.give(&n.target, &n.value, Way::Same),
            Expr::Call(c) => {
                self.call(c);
                if let Expr::Attribute(a) = &*c.func {
                    // A method that is called is no value.
                    self.attribute(a, true);
                    self.visit_expr(&a.value);
                    c.arguments
                        .args
                        .iter()
                        .chain(c.arguments.keywords.iter().map(|k| &k.value))
                        .for_each(|arg| self.visit_expr(arg));
                    return;
                }
            }
            Expr::Lambda(l) => {
                l.parameters.iter().for_each(|p| self.visit_parameters(p));
                return self.within(Scope::of(Def::Lambda(l)), |me| me.visit_expr(&l.body));
            }
            Expr::ListComp(c) => return self.clauses(expr, &c.generators),
            Expr::SetComp(c) => return self.clauses(expr, &c.generators),
            Expr::DictComp(c) => return self.clauses(expr, &c.generators),
            Expr::Generator(c) => return self.clauses(expr, &c.generators),
            _ => {}
        }
        walk_expr(self, expr);
    }
}
