//! The statements that names of the top level depend on, and the functions that are made of these.
//!
//! A name is *settled* if each statement that binds it is one that `Globals` reads, and nothing changes it after. All others are left to
//! slices. A statement that reads such a name where it runs, be it by a function that it calls, is in a slice itself, and so the names
//! that it binds are not settled.

use super::facts::{Code, Codes};
use super::members::is_later;
use crate::python::class::last_name;
use crate::python::init::{call, is_maker, name_at};
use crate::python::scope::{Binding, Def, Globals, bindings};
use ruff_python_ast::visitor::transformer::{self, Transformer};
use ruff_python_ast::visitor::{Visitor, walk_expr, walk_stmt};
use ruff_python_ast::{self as ast, Expr, ExprContext, Identifier, Stmt};
use ruff_text_size::{Ranged, TextRange, TextSize};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;

type Names<'a> = FxHashSet<&'a str>;

/// A statement, or the head of one that has others in it.
struct Unit<'a> {
    stmt: &'a Stmt,
    /// The heads around it.
    around: Vec<usize>,
    binds: Vec<&'a str>,
    /// Whether `Globals` reads it.
    is_plain: bool,
    /// Whether it goes somewhere else, or stops.
    jumps: bool,
    /// Whether it makes a function of what it names, and reads nothing else yet.
    defers: bool,
    /// The code that runs where it stands.
    code: usize,
    /// The names whose objects it may change or that functions assign which it calls.
    changes: Names<'a>,
    /// The names that it reads, be it by functions that it calls.
    reads: Names<'a>,
}

/// A name, and all that is known of it.
#[derive(Default)]
struct Name {
    /// The units that bind it.
    bound: Vec<usize>,
    /// The code that runs when it is called.
    called: Vec<usize>,
    /// Whether its object may change.
    is_data: bool,
}

/// The top level of a file.
pub struct File<'a> {
    body: &'a [Stmt],
    units: Vec<Unit<'a>>,
    names: FxHashMap<&'a str, Name>,
    codes: Codes<'a>,
    /// For names whose objects change, the names that statements read which change them: they may be in these objects.
    put_in: FxHashMap<&'a str, Names<'a>>,
    /// The names that are not settled.
    open: Names<'a>,
}

impl<'a> File<'a> {
    /// Reads a file; none if all names are settled.
    pub fn of(body: &'a [Stmt]) -> Option<File<'a>> {
        let globals = Globals::of(body);
        let (names, codes, put_in, open) = Default::default();
        let mut file = File { body, units: Vec::new(), names, codes, put_in, open };
        file.read(body, &globals, &[]);
        let data: Vec<&'a str> = file.names.iter().filter(|(_, n)| n.called.is_empty()).map(|(&name, _)| name).collect();
        file.codes.all.iter_mut().filter(|code| code.assigns_any).for_each(|code| code.assigns.extend(&data));
        file.codes.close();
        file.find_put_in();
        file.follow();
        file.find_open();
        (!file.open.is_empty()).then_some(file)
    }

    fn code(&mut self, code: Code<'a>) -> usize {
        self.codes.all.push(code);
        self.codes.all.len() - 1
    }

    fn read(&mut self, body: &'a [Stmt], globals: &Globals<'a>, around: &[usize]) {
        for stmt in body {
            let one = std::slice::from_ref(stmt);
            let (mut binds, mut defers) = (Vec::new(), false);
            let mut is_plain = around.is_empty();
            let mut inner: Vec<&'a [Stmt]> = Vec::new();
            let head = |exprs: Vec<&'a Expr>| Code::of_parts(exprs.into_iter(), std::iter::empty(), globals);
            let code = match stmt {
                Stmt::For(f) => {
                    crate::python::scope::target(&f.target, &mut |name, _, _| binds.push(name));
                    inner.extend([&f.body[..], &f.orelse]);
                    Code::of_parts(std::iter::empty(), std::iter::once((&*f.target, &*f.iter)), globals)
                }
                Stmt::While(w) => {
                    inner.extend([&w.body[..], &w.orelse]);
                    head(vec![&w.test])
                }
                Stmt::If(i) => {
                    inner.push(&i.body);
                    inner.extend(i.elif_else_clauses.iter().map(|c| &c.body[..]));
                    head(std::iter::once(&*i.test).chain(i.elif_else_clauses.iter().filter_map(|c| c.test.as_ref())).collect())
                }
                Stmt::FunctionDef(f) => {
                    binds.push(&f.name);
                    let code = self.code(Code::of_function(Def::Function(f), globals));
                    self.called(&f.name, code);
                    let defaults = f.parameters.iter_non_variadic_params().filter_map(|p| p.default());
                    head(f.decorator_list.iter().map(|d| &d.expression).chain(defaults).collect())
                }
                Stmt::ClassDef(c) => {
                    binds.push(&c.name);
                    self.class(c, globals)
                }
                Stmt::Import(_) | Stmt::ImportFrom(_) => Code::default(),
                _ => {
                    bindings(one, &mut |name, binding, _| {
                        if !matches!(binding, Binding::Import(_)) {
                            binds.push(name);
                        }
                    });
                    let (value, is_read) = assigned(stmt);
                    is_plain &= is_read || binds.is_empty();
                    if let Some(value) = value.filter(|_| is_read) {
                        let makes_function = self.makes_function(value, globals);
                        defers = makes_function && self.reads_later(value, globals);
                        if makes_function {
                            let code = match value {
                                Expr::Lambda(l) => Code::of_function(Def::Lambda(l), globals),
                                _ => head(vec![value]),
                            };
                            let code = self.code(code);
                            binds.iter().for_each(|name| self.called(name, code));
                        }
                        let is_constant = is_constant(value);
                        binds.iter().for_each(|name| self.name(name).is_data |= !makes_function && !is_constant);
                    } else {
                        binds.iter().for_each(|name| self.name(name).is_data = true);
                    }
                    match value {
                        Some(Expr::Lambda(l)) if defers => {
                            let defaults = l.parameters.iter().flat_map(|p| p.iter_non_variadic_params());
                            head(defaults.filter_map(|p| p.default()).collect())
                        }
                        _ => Code::of_statements(one, globals),
                    }
                }
            };
            if !matches!(stmt, Stmt::FunctionDef(_) | Stmt::ClassDef(_)) {
                let own: Vec<&'a str> = named(stmt);
                is_plain &= own.is_empty();
                own.iter().for_each(|name| self.name(name).is_data = true);
                binds.extend(own);
            }
            let mut imported = Vec::new();
            bindings(one, &mut |name, binding, _| {
                if let Binding::Import(import) = binding {
                    imported.push((name, import.is_unknown()));
                }
            });
            self.codes.imports.extend(imported);
            let code = self.code(code);
            let at = self.units.len();
            binds.iter().for_each(|name| self.name(name).bound.push(at));
            let jumps = matches!(stmt, Stmt::Break(_) | Stmt::Continue(_) | Stmt::Raise(_) | Stmt::Assert(_) | Stmt::Return(_));
            self.units.push(Unit {
                stmt,
                around: around.to_vec(),
                binds,
                is_plain,
                jumps,
                defers,
                code,
                changes: FxHashSet::default(),
                reads: FxHashSet::default(),
            });
            let around: Vec<usize> = around.iter().copied().chain([at]).collect();
            inner.into_iter().for_each(|body| self.read(body, globals, &around));
        }
    }

    fn name(&mut self, name: &'a str) -> &mut Name {
        self.names.entry(name).or_default()
    }

    fn called(&mut self, name: &'a str, code: usize) {
        self.name(name).called.push(code);
        self.codes.called.entry(name).or_default().push(code);
    }

    /// Reads a class; gives what it evaluates where it stands.
    fn class(&mut self, c: &'a ast::StmtClassDef, globals: &Globals<'a>) -> Code<'a> {
        for stmt in &c.body {
            let Stmt::FunctionDef(f) = stmt else { continue };
            let code = self.code(Code::of_function(Def::Function(f), globals));
            self.name(&c.name).called.push(code);
            self.codes.methods.entry(&f.name).or_default().push(code);
            if is_maker(f) {
                self.codes.called.entry(&c.name).or_default().push(code);
            }
        }
        // A class without what makes its instances changes nothing.
        self.codes.called.entry(&c.name).or_default();
        let (head, values) = evaluated_by(c);
        Code::of_parts(head.into_iter().chain(values), std::iter::empty(), globals)
    }

    /// Whether the value of a name is a function, which what it is made of is read by only when it is called.
    fn makes_function(&self, value: &'a Expr, globals: &Globals<'a>) -> bool {
        const OPERATORS: &[&str] = &[
            "cache",
            "checkpoint",
            "custom_jvp",
            "custom_vjp",
            "defjvp",
            "defjvps",
            "defvjp",
            "elementwise_grad",
            "forwarddiff",
            "grad",
            "hessian",
            "hvp",
            "jacfwd",
            "jacobian",
            "jacrev",
            "jit",
            "lru_cache",
            "myia",
            "partial",
            "primitive",
            "remat",
            "value_and_grad",
            "vectorize",
            "vmap",
            "wraps",
        ];
        let is_operator = |f: &Expr| {
            last_name(f).is_some_and(|name| OPERATORS.contains(&name)) && {
                let root = match f {
                    Expr::Attribute(a) => &a.value,
                    other => other,
                };
                root.as_name_expr().is_some_and(|n| globals.is_import(&n.id) || self.is_function(&n.id))
            }
        };
        match value {
            Expr::Lambda(_) => true,
            Expr::Name(n) => self.is_function(&n.id),
            Expr::Call(c) => {
                let func = match &*c.func {
                    Expr::Call(inner) => &inner.func,
                    other => other,
                };
                is_operator(func)
            }
            _ => false,
        }
    }

    /// Whether a value that is a function reads nothing where it is made but functions.
    fn reads_later(&self, value: &'a Expr, globals: &Globals<'a>) -> bool {
        match value {
            Expr::Call(c) => {
                let is_later = |arg: &'a Expr| match arg {
                    Expr::Call(_) => self.makes_function(arg, globals) && self.reads_later(arg, globals),
                    other => is_display(other) || is_constant(other) || other.is_attribute_expr(),
                };
                c.arguments.args.iter().chain(c.arguments.keywords.iter().map(|k| &k.value)).all(is_later)
            }
            _ => true,
        }
    }

    fn is_function(&self, name: &str) -> bool {
        self.names.get(name).is_some_and(|n| !n.called.is_empty() && !n.is_data)
    }

    /// The names that are read, and those that may be changed, where code runs that has these names and attributes.
    fn reached(&self, reads: impl Iterator<Item = &'a str>, attributes: impl Iterator<Item = &'a str>) -> (Names<'a>, Names<'a>) {
        let (mut names, mut seen, mut changes) = (FxHashSet::default(), FxHashSet::default(), FxHashSet::default());
        let mut work: Vec<&'a str> = reads.collect();
        let mut codes: Vec<usize> = attributes.filter_map(|a| self.codes.methods.get(a)).flatten().copied().collect();
        loop {
            while let Some(name) = work.pop() {
                if names.insert(name)
                    && let Some(known) = self.names.get(name)
                {
                    codes.extend(&known.called);
                    // A value may hold functions.
                    work.extend(known.bound.iter().flat_map(|&u| &self.codes.all[self.units[u].code].reads));
                    work.extend(self.put_in.get(name).into_iter().flatten());
                }
            }
            let Some(code) = codes.pop() else { return (names, changes) };
            if seen.insert(code) {
                let code = &self.codes.all[code];
                changes.extend(&code.changes);
                changes.extend(&code.assigns);
                work.extend(&code.reads);
                work.extend(&code.assigns);
                codes.extend(code.attributes.iter().filter_map(|a| self.codes.methods.get(a)).flatten());
            }
        }
    }

    /// Whether a unit may call code of the file.
    fn calls(&self, unit: &Unit<'a>) -> bool {
        let is_display = || assigned(unit.stmt).0.is_some_and(is_display);
        !unit.defers && !is_display() && self.codes.may_call(&self.codes.all[unit.code], |name| self.is_called(name))
    }

    fn find_put_in(&mut self) {
        let mut put_in: FxHashMap<&'a str, Names<'a>> = FxHashMap::default();
        for unit in &self.units {
            let code = &self.codes.all[unit.code];
            let mut called: Vec<usize> =
                code.attributes.iter().filter_map(|a| self.codes.methods.get(a)).flatten().copied().collect();
            if self.calls(unit) {
                let names = self.reached(code.reads.iter().copied(), std::iter::empty()).0;
                called.extend(names.iter().filter_map(|name| self.names.get(name)).flat_map(|name| &name.called));
            }
            let by_calls = called.into_iter().flat_map(|c| &self.codes.all[c].changes).copied();
            // Decorators are given what they stand before.
            let decorated = unit.binds.iter().filter(|_| unit.stmt.is_function_def_stmt());
            for name in code.changes.iter().copied().chain(by_calls) {
                let given = code.reads.iter().chain(decorated.clone()).filter(|n| **n != name);
                put_in.entry(name).or_default().extend(given);
            }
        }
        self.put_in = put_in;
    }

    /// Finds what each unit reads and changes, by the functions that it calls as well.
    fn follow(&mut self) {
        for u in 0..self.units.len() {
            let code = &self.codes.all[self.units[u].code];
            let (mut reads, mut changes) = (code.reads.clone(), FxHashSet::default());
            if self.calls(&self.units[u]) {
                (reads, changes) = self.reached(reads.iter().copied(), code.attributes.iter().copied());
            }
            let code = &self.codes.all[self.units[u].code];
            let changes = code.changes.iter().chain(&code.assigns).copied().chain(changes).collect();
            (self.units[u].reads, self.units[u].changes) = (reads, changes);
        }
        self.follow_aliases();
    }

    /// A change of one name's object is one of all those that it may be a part of, or have parts of.
    fn follow_aliases(&mut self) {
        // By name, what it is made of where that is more than a number.
        let mut made: FxHashMap<&'a str, Names<'a>> = FxHashMap::default();
        for unit in &self.units {
            for &name in &unit.binds {
                made.entry(name).or_default().extend(self.codes.all[unit.code].aliased(name));
            }
        }
        for u in 0..self.units.len() {
            let mut work: Vec<&'a str> = self.units[u].changes.iter().copied().collect();
            let (mut all, mut functions): (Names<'a>, Names<'a>) = Default::default();
            while let Some(name) = work.pop() {
                if !all.insert(name) {
                    continue;
                }
                work.extend(made.get(name).into_iter().flatten());
                // A function may give whatever it reads.
                if self.is_called(name) && !self.is_class(name) && functions.insert(name) {
                    let reached = self.reached(std::iter::once(name), std::iter::empty()).0;
                    functions.extend(&reached);
                    work.extend(reached);
                }
            }
            let assigned = |name: &&str| match self.codes.imports.get(name) {
                Some(_) => self.codes.all.iter().any(|code| code.patches.contains(*name)),
                None => self.names.get(*name).is_some_and(|n| n.is_data),
            };
            let by_functions: Names<'a> = self.units[u].changes.iter().copied().filter(|n| self.is_assigned(n)).collect();
            self.units[u].changes = all.into_iter().filter(assigned).chain(by_functions).collect();
        }
    }

    fn is_class(&self, name: &str) -> bool {
        self.names.get(name).is_some_and(|n| n.bound.iter().any(|&u| self.units[u].stmt.is_class_def_stmt()))
    }

    /// Whether a call of a name runs code of the file.
    fn is_called(&self, name: &str) -> bool {
        self.names.get(name).is_some_and(|n| !n.called.is_empty())
    }

    /// Whether a function assigns a name of the top level.
    fn is_assigned(&self, name: &str) -> bool {
        self.codes.all.iter().any(|code| code.assigns.contains(name))
    }

    fn find_open(&mut self) {
        let mut open: Names<'a> = FxHashSet::default();
        for unit in &self.units {
            open.extend(&unit.changes);
            open.extend(unit.binds.iter().filter(|_| !unit.is_plain));
        }
        // Names are the same before their file is read and after, but for those that are bound again.
        let bound_again = |name: &str, u: usize| {
            let bound = self.names.get(name).map_or(&[][..], |n| &n.bound);
            bound.iter().any(|&at| at > u) && bound.iter().any(|&at| at < u)
        };
        loop {
            let before = open.len();
            for (u, unit) in self.units.iter().enumerate() {
                let is_def = matches!(unit.stmt, Stmt::ClassDef(_)) || self.is_plain_def(unit);
                let code = &self.codes.all[unit.code];
                let direct = if self.calls(unit) { &code.reads_now } else { &code.reads };
                let is_run = !unit.is_plain || unit.binds.iter().any(|n| open.contains(n)) || !unit.changes.is_empty();
                if is_run {
                    open.extend(unit.reads.iter().filter(|n| bound_again(n, u)));
                    open.extend(&unit.binds);
                } else {
                    open.extend(unit.reads.iter().filter(|n| !direct.contains(*n) && bound_again(n, u)));
                    if !is_def && unit.reads.iter().any(|n| open.contains(n)) {
                        open.extend(&unit.binds);
                    }
                }
            }
            if open.len() == before {
                break;
            }
        }
        self.open = open;
    }

    /// Whether a statement defines a function, and evaluates no more than defaults.
    fn is_plain_def(&self, unit: &Unit<'a>) -> bool {
        let Stmt::FunctionDef(f) = unit.stmt else { return false };
        let own = |d: &ast::Decorator| {
            let name = ast::helpers::map_callable(&d.expression);
            name.as_name_expr().is_some_and(|n| self.names.contains_key(n.id.as_str()))
        };
        unit.is_plain && !f.decorator_list.iter().any(own)
    }

    /// The places of what functions and classes evaluate where they are defined, and that is not settled.
    pub fn evaluated(&self) -> FxHashSet<TextRange> {
        let mut found = FxHashSet::default();
        for unit in self.units.iter().filter(|u| u.is_plain) {
            let exprs: Vec<&'a Expr> = match unit.stmt {
                Stmt::FunctionDef(f) if !unit.binds.iter().any(|n| self.open.contains(n)) => {
                    f.parameters.iter_non_variadic_params().filter_map(|p| p.default()).collect()
                }
                Stmt::ClassDef(c) => evaluated_by(c).1,
                _ => continue,
            };
            for expr in exprs {
                let lambda = |e: &'a Expr| e.as_call_expr().and_then(|c| c.func.as_lambda_expr());
                let is_later = |e| lambda(e).is_some_and(is_later);
                let code = Code::of_parts(std::iter::once(expr), std::iter::empty(), &Globals::default());
                let reads = self.reached(code.reads.iter().copied(), code.attributes.iter().copied()).0;
                if !is_later(expr) && reads.iter().any(|n| self.open.contains(n)) {
                    found.insert(expr.range());
                }
            }
        }
        found
    }

    /// The statements for a function: settled names as they are, and slices.
    pub fn sliced(&self, entry: &str) -> Vec<Stmt> {
        let entry = self.names.get_key_value(entry).map(|(&name, _)| name);
        let (mut reached, _) = self.reached(entry.into_iter(), std::iter::empty());
        let drawn = self.drawn_from(&reached);
        reached.retain(|name| self.open.contains(name));
        let mut slices = self.slices(&reached);
        slices.iter_mut().for_each(|slice| slice.gives.retain(|name| !drawn.contains(name)));
        slices.retain(|slice| !slice.gives.is_empty());
        let mut body = Vec::new();
        for unit in &self.units {
            if matches!(unit.stmt, Stmt::Import(_) | Stmt::ImportFrom(_)) {
                body.push(unit.stmt.clone());
            } else if unit.around.is_empty() && unit.is_plain && !unit.binds.iter().any(|n| self.open.contains(n)) {
                body.extend((!unit.binds.is_empty()).then(|| unit.stmt.clone()));
            } else if let Stmt::Try(_) | Stmt::With(_) | Stmt::Match(_) = unit.stmt {
                body.extend(imports(unit.stmt));
            }
        }
        let mut given: Names<'a> = FxHashSet::default();
        for (i, slice) in slices.into_iter().enumerate() {
            given.extend(&slice.gives);
            body.extend(self.function(i, slice));
        }
        for name in self.open.iter().filter(|n| !given.contains(*n)) {
            // It is not to be read: nothing that is reached does.
            let place = self.units.iter().rev().find(|u| u.changes.contains(name) || u.binds.contains(name));
            if let Some(place) = place {
                let range = place.stmt.range();
                let target = name_at(name, range);
                body.push(Stmt::Delete(ast::StmtDelete { node_index: Default::default(), range, targets: vec![target] }));
            }
        }
        body
    }

    /// The generators of random numbers among names that are reached that statements of the top level draw from, and no function.
    fn drawn_from(&self, reached: &Names<'a>) -> Names<'a> {
        let makes = |stmt: &Stmt| {
            let call = assigned(stmt).0.and_then(Expr::as_call_expr);
            call.and_then(|c| last_name(&c.func)).is_some_and(|f| matches!(f, "default_rng" | "Generator" | "RandomState"))
        };
        let called = reached.iter().filter_map(|name| self.names.get(name)).flat_map(|name| &name.called);
        let mut codes: Vec<usize> = called.chain(self.codes.methods.values().flatten()).copied().collect();
        let is_settled = |u: &&Unit<'a>| u.is_plain && !u.binds.is_empty() && !u.binds.iter().any(|n| self.open.contains(n));
        codes.extend(self.units.iter().filter(is_settled).map(|u| u.code));
        let is_read = |name: &&'a str| codes.iter().any(|&code| self.codes.all[code].reads.contains(name));
        let is_made = |name: &&'a str| {
            self.names.get(name).is_some_and(|n| !n.bound.is_empty() && n.bound.iter().all(|&u| makes(self.units[u].stmt)))
        };
        reached.iter().copied().filter(is_made).filter(|name| !is_read(name)).collect()
    }

    /// The units that some names depend on, apart where they have nothing to do with each other.
    fn slices(&self, wanted: &Names<'a>) -> Vec<Slice<'a>> {
        let mut names: Names<'a> = FxHashSet::default();
        let mut needed: BTreeSet<usize> = BTreeSet::new();
        let mut links: FxHashMap<usize, Names<'a>> = FxHashMap::default();
        let mut work: Vec<&'a str> = wanted.iter().copied().collect();
        loop {
            while let Some(name) = work.pop() {
                if !names.insert(name) {
                    continue;
                }
                let bound = self.names.get(name).map_or(&[][..], |n| &n.bound);
                let changing = self.units.iter().enumerate().filter(|(_, u)| u.changes.contains(name)).map(|(u, _)| u);
                for u in bound.iter().copied().chain(changing).collect::<Vec<_>>() {
                    needed.insert(u);
                    needed.extend(&self.units[u].around);
                }
            }
            for (u, unit) in self.units.iter().enumerate() {
                if unit.jumps && !unit.around.is_empty() && unit.around.iter().any(|a| needed.contains(a)) {
                    needed.insert(u);
                    needed.extend(&unit.around);
                }
            }
            for &u in &needed {
                if links.contains_key(&u) {
                    continue;
                }
                let unit = &self.units[u];
                let reads = match self.is_plain_def(unit) || unit.defers {
                    // Functions read when they are called.
                    true => self.reached(unit.binds.iter().copied(), std::iter::empty()).0,
                    false => unit.reads.clone(),
                };
                let depends = |name: &&'a str| self.open.contains(name) || self.sees_open(name);
                let linked: Names<'a> =
                    reads.iter().chain(&unit.binds).chain(&unit.changes).copied().filter(|n| depends(n)).collect();
                work.extend(linked.iter().filter(|n| !names.contains(*n)));
                links.insert(u, linked);
            }
            if work.is_empty() {
                break;
            }
        }
        self.parted(&needed, &links, wanted)
    }

    /// Whether a function, or a value that may hold one, reads or changes what is not settled.
    fn sees_open(&self, name: &'a str) -> bool {
        if !self.is_called(name) && !self.holds_functions(name) {
            return false;
        }
        let (reads, changes) = self.reached(std::iter::once(name), std::iter::empty());
        reads.iter().chain(&changes).any(|n| self.open.contains(n))
    }

    /// Whether a value is made of functions, or has some put into it.
    fn holds_functions(&self, name: &str) -> bool {
        let bound = self.names.get(name).map_or(&[][..], |n| &n.bound);
        let made_of = bound.iter().flat_map(|&u| &self.codes.all[self.units[u].code].reads);
        made_of.chain(self.put_in.get(name).into_iter().flatten()).any(|n| self.is_called(n))
    }

    fn parted(&self, needed: &BTreeSet<usize>, links: &FxHashMap<usize, Names<'a>>, wanted: &Names<'a>) -> Vec<Slice<'a>> {
        let mut slices: Vec<Slice<'a>> = Vec::new();
        for &u in needed {
            let mut slice = Slice { units: BTreeSet::from([u]), names: links[&u].clone(), gives: Vec::new() };
            slice.units.extend(&self.units[u].around);
            let is_apart = |other: &Slice<'a>| slice.units.is_disjoint(&other.units) && slice.names.is_disjoint(&other.names);
            let (apart, joined): (Vec<_>, Vec<_>) = slices.drain(..).partition(is_apart);
            for other in joined {
                slice.units.extend(other.units);
                slice.names.extend(other.names);
            }
            slices = apart;
            slices.push(slice);
        }
        for slice in &mut slices {
            slice.gives = slice.names.iter().copied().filter(|n| wanted.contains(n)).collect();
            slice.gives.sort_unstable();
        }
        slices.retain(|slice| !slice.gives.is_empty());
        slices
    }

    /// The function that a slice becomes, and what it gives.
    fn function(&self, i: usize, slice: Slice<'a>) -> [Stmt; 2] {
        let bound: Names<'a> = slice.units.iter().flat_map(|&u| &self.units[u].binds).copied().collect();
        let mut body = self.kept(&slice, &mut 0, self.body);
        let local = Local(&slice.names);
        body.iter_mut().for_each(|stmt| local.visit_stmt(stmt));
        let outermost = |&u: &usize| self.units[*self.units[u].around.first().unwrap_or(&u)].stmt.range();
        let range = slice.units.iter().map(outermost).reduce(TextRange::cover).expect("it has some");
        // Variables that functions alone assign are those of the slice.
        let mut unbound: Vec<&&str> = slice.names.iter().filter(|n| !bound.contains(*n)).collect();
        unbound.sort_unstable();
        let declared = unbound.into_iter().map(|name| {
            Stmt::AnnAssign(ast::StmtAnnAssign {
                node_index: Default::default(),
                range,
                target: name_at(name, range).into(),
                annotation: name_at("object", range).into(),
                value: None,
                simple: true,
            })
        });
        body.splice(0..0, declared);
        let list = |ctx: ExprContext| match &slice.gives[..] {
            [one] => Expr::Name(ast::ExprName { node_index: Default::default(), range, id: (*one).into(), ctx }),
            all => Expr::Tuple(ast::ExprTuple {
                node_index: Default::default(),
                range,
                elts: all.iter().map(|name| name_at(name, range)).collect(),
                ctx,
                parenthesized: true,
            }),
        };
        let value = Some(Box::new(list(ExprContext::Load)));
        body.push(Stmt::Return(ast::StmtReturn { node_index: Default::default(), range, value }));
        let name = format!("top level {i}");
        let def = Stmt::FunctionDef(ast::StmtFunctionDef {
            node_index: Default::default(),
            // Functions are known by where they begin, and no other does there.
            range: TextRange::empty(range.end()),
            is_async: false,
            decorator_list: Default::default(),
            name: Identifier::new(&*name, range),
            type_params: None,
            parameters: Box::new(ast::Parameters { range, ..Default::default() }),
            returns: None,
            body: body.into(),
        });
        // A name that is bound later ends later.
        let after = TextRange::new(range.start(), range.end() + TextSize::from(1));
        let assign = Stmt::Assign(ast::StmtAssign {
            node_index: Default::default(),
            range: after,
            targets: vec![list(ExprContext::Store)],
            value: call(name_at(&name, range), Vec::new(), range).into(),
        });
        [def, assign]
    }

    /// The statements of a slice among these. `at` is the unit of the next one.
    fn kept(&self, slice: &Slice<'a>, at: &mut usize, body: &[Stmt]) -> Vec<Stmt> {
        let mut kept = Vec::new();
        for stmt in body {
            let is_kept = slice.units.contains(at);
            *at += 1;
            let mut inner = |body: &[Stmt], empty: bool| {
                let mut inside = self.kept(slice, at, body);
                if inside.is_empty() && !empty {
                    inside.push(Stmt::Pass(ast::StmtPass { node_index: Default::default(), range: stmt.range() }));
                }
                inside.into()
            };
            let stmt = match stmt {
                Stmt::For(f) => {
                    let (body, orelse) = (inner(&f.body, false), inner(&f.orelse, true));
                    Stmt::For(ast::StmtFor {
                        body,
                        orelse,
                        target: f.target.clone(),
                        iter: f.iter.clone(),
                        node_index: Default::default(),
                        ..*f
                    })
                }
                Stmt::While(w) => {
                    let (body, orelse) = (inner(&w.body, false), inner(&w.orelse, true));
                    Stmt::While(ast::StmtWhile { body, orelse, test: w.test.clone(), node_index: Default::default(), ..*w })
                }
                Stmt::If(i) => {
                    let body = inner(&i.body, false);
                    let clauses = i.elif_else_clauses.iter().map(|c| ast::ElifElseClause {
                        body: inner(&c.body, false),
                        test: c.test.clone(),
                        node_index: Default::default(),
                        range: c.range,
                    });
                    let elif_else_clauses = clauses.collect();
                    Stmt::If(ast::StmtIf {
                        body,
                        elif_else_clauses,
                        test: i.test.clone(),
                        node_index: Default::default(),
                        range: i.range,
                    })
                }
                other if is_kept => other.clone(),
                _ => continue,
            };
            if is_kept {
                kept.push(stmt);
            }
        }
        kept
    }
}

/// A part of the top level that runs by itself.
struct Slice<'a> {
    units: BTreeSet<usize>,
    names: Names<'a>,
    /// The names among them that are read elsewhere.
    gives: Vec<&'a str>,
}

/// Reads `global` as what it is where the names are variables of a function.
struct Local<'s, 'a>(&'s Names<'a>);

impl Transformer for Local<'_, '_> {
    fn visit_stmt(&self, stmt: &mut Stmt) {
        if let Stmt::Global(g) = stmt
            && g.names.iter().any(|n| self.0.contains(n.as_str()))
        {
            let names = std::mem::take(&mut g.names);
            *stmt = Stmt::Nonlocal(ast::StmtNonlocal { node_index: Default::default(), range: g.range, names });
        }
        transformer::walk_stmt(self, stmt);
    }
}

/// The value that a statement assigns, and whether `Globals` reads it.
fn assigned(stmt: &Stmt) -> (Option<&Expr>, bool) {
    fn is_read(target: &Expr, value: &Expr) -> bool {
        match (target, value) {
            (Expr::Name(_), _) => true,
            (Expr::Tuple(t), Expr::Tuple(v)) if t.elts.len() == v.elts.len() => {
                t.elts.iter().zip(&v.elts).all(|(t, v)| is_read(t, v))
            }
            (Expr::Tuple(t), _) => t.elts.iter().all(Expr::is_name_expr),
            _ => false,
        }
    }
    match stmt {
        Stmt::Assign(a) => (Some(&a.value), a.targets.iter().all(|t| is_read(t, &a.value))),
        Stmt::AnnAssign(a) => (a.value.as_deref(), a.value.as_deref().is_none_or(|v| is_read(&a.target, v))),
        Stmt::TypeAlias(a) => (Some(&a.value), true),
        _ => (None, false),
    }
}

/// Whether nothing can change a value.
fn is_constant(value: &Expr) -> bool {
    match value {
        Expr::Tuple(t) => t.elts.iter().all(is_constant),
        Expr::UnaryOp(u) => is_constant(&u.operand),
        Expr::BinOp(b) => is_constant(&b.left) && is_constant(&b.right),
        other => other.is_literal_expr(),
    }
}

/// Whether an expression calls nothing.
fn is_display(value: &Expr) -> bool {
    match value {
        Expr::Name(_) | Expr::Lambda(_) => true,
        Expr::List(ast::ExprList { elts, .. }) | Expr::Tuple(ast::ExprTuple { elts, .. }) => elts.iter().all(is_display),
        Expr::Dict(d) => d.items.iter().all(|i| i.key.as_ref().is_none_or(is_display) && is_display(&i.value)),
        other => other.is_literal_expr(),
    }
}

/// The expressions that a class evaluates where it stands: its head, and values that can be given names.
fn evaluated_by(c: &ast::StmtClassDef) -> (Vec<&Expr>, Vec<&Expr>) {
    let head = c.decorator_list.iter().map(|d| &d.expression).chain(c.bases()).chain(c.keywords().iter().map(|k| &k.value));
    let values = c.body.iter().flat_map(|stmt| match stmt {
        Stmt::Assign(a) if !a.value.is_name_expr() && !a.value.is_lambda_expr() => vec![&*a.value],
        Stmt::AnnAssign(a) => a.value.as_deref().into_iter().collect(),
        Stmt::FunctionDef(f) => f.parameters.iter_non_variadic_params().filter_map(|p| p.default()).collect(),
        _ => Vec::new(),
    });
    (head.collect(), values.collect())
}

/// The names that `:=` binds in what a statement evaluates itself.
fn named(stmt: &Stmt) -> Vec<&str> {
    struct Named<'a>(Vec<&'a str>);
    impl<'a> Visitor<'a> for Named<'a> {
        fn visit_body(&mut self, _: &'a [Stmt]) {}
        fn visit_expr(&mut self, expr: &'a Expr) {
            if let Expr::Named(n) = expr {
                self.0.extend(n.target.as_name_expr().map(|n| n.id.as_str()));
            }
            if !expr.is_lambda_expr() {
                walk_expr(self, expr);
            }
        }
    }
    let mut all = Named(Vec::new());
    walk_stmt(&mut all, stmt);
    all.0
}

/// The imports in a statement.
fn imports(stmt: &Stmt) -> Vec<Stmt> {
    struct Imports(Vec<Stmt>);
    impl<'a> Visitor<'a> for Imports {
        fn visit_stmt(&mut self, stmt: &'a Stmt) {
            match stmt {
                Stmt::Import(_) | Stmt::ImportFrom(_) => self.0.push(stmt.clone()),
                Stmt::FunctionDef(_) | Stmt::ClassDef(_) => {}
                _ => walk_stmt(self, stmt),
            }
        }
    }
    let mut all = Imports(Vec::new());
    all.visit_stmt(stmt);
    all.0
}
