//! The meanings of the names of a module.

use super::find::{Module, Modules};
use super::{Imported, Unit};
use crate::python::names::{Library, is_builtin};
use crate::python::scope::{Binding, bindings};
use gradus_ir::Span;
use ruff_python_ast::visitor::{Visitor, walk_expr, walk_parameter, walk_stmt};
use ruff_python_ast::{Expr, Parameter, Stmt};
use rustc_hash::{FxHashMap, FxHashSet};

/// How the names begin of the file itself that would hide a builtin from others.
pub const MAIN: &str = "__main__.";

/// How a file binds a name of its top level.
#[derive(Clone, PartialEq, Debug)]
enum Meaning {
    /// By a statement of its own, or in several ways.
    Own,
    /// By an import of something else than files of the program: what it is of, and its name there.
    Outside(String, Option<String>),
    /// By an import of a module of the program, of a name in one.
    Inside(Imported),
}

/// The thing that a name stands for.
#[derive(Clone, Debug)]
pub enum Target {
    /// A name of the program, which all files share.
    Name(String),
    /// A module.
    Module(Module),
}

/// The names of all files.
pub struct Names<'a> {
    pub units: &'a [Unit],
    places: &'a FxHashMap<Module, Option<usize>>,
    modules: &'a Modules<'a>,
    meanings: Vec<FxHashMap<String, Meaning>>,
    /// The imported names that mean the same in all files.
    shared: FxHashSet<String>,
    /// The names of builtins that the file itself binds and that others mean as such.
    hidden: FxHashSet<String>,
    /// Names that some code assigns by way of a module, or a function of their own file: who imports such a name keeps what it was.
    changing: FxHashSet<String>,
    /// The classes whose names nothing else has anywhere: they keep them, since programs print them.
    classes: FxHashSet<String>,
}

impl<'a> Names<'a> {
    pub fn of(units: &'a [Unit], places: &'a FxHashMap<Module, Option<usize>>, modules: &'a Modules<'a>) -> Names<'a> {
        let (shared, hidden, classes) = Default::default();
        let changing =
            units.iter().map(|unit| changing(&unit.body)).flat_map(|(global, stored)| global.into_iter().chain(stored)).collect();
        let mut names = Names { units, places, modules, meanings: Vec::new(), shared, hidden, changing, classes };
        let mut assigned = FxHashSet::default();
        let mentioned: Vec<FxHashSet<String>> = units.iter().map(|unit| mentioned(&unit.body, &mut assigned)).collect();
        for (unit, mentioned) in units.iter().zip(&mentioned) {
            let meanings = names.read(unit, mentioned);
            names.meanings.push(meanings);
        }
        let main = units.len() - 1;
        let is_free = |unit: usize, name: &str| mentioned[unit].contains(name) && !names.meanings[unit].contains_key(name);
        let by_others = |name: &&String| is_builtin(name) && (0..main).any(|unit| is_free(unit, name));
        let hidden = names.meanings[main].keys().filter(by_others).cloned().collect();
        let is_shared = |name: &&String| {
            let mut met = names.meanings.iter().filter_map(|m| m.get(*name)).map(|meaning| match meaning {
                Meaning::Outside(module, inner) => Some((module, inner)),
                Meaning::Own | Meaning::Inside(_) => None,
            });
            let first = met.next().flatten();
            first.is_some() && met.all(|other| other == first) && !is_builtin(name)
        };
        let shared = names.meanings.iter().flat_map(|m| m.keys()).filter(is_shared).cloned().collect();
        let classes = units.iter().flat_map(|unit| &unit.body).filter_map(|stmt| Some(stmt.as_class_def_stmt()?.name.as_str()));
        let is_own = |name: &str| {
            let own = names.meanings.iter().filter(|m| matches!(m.get(name), Some(Meaning::Own | Meaning::Outside(..))));
            own.count() == 1 && !assigned.contains(name) && !is_builtin(name)
        };
        let classes = classes.filter(|name| is_own(name)).map(str::to_string).collect();
        (names.shared, names.hidden, names.classes) = (shared, hidden, classes);
        names
    }

    fn read(&self, unit: &Unit, mentioned: &FxHashSet<String>) -> FxHashMap<String, Meaning> {
        let mut meanings: FxHashMap<String, Meaning> = FxHashMap::default();
        let mut bind = |name: &str, meaning: Meaning| {
            let is_own = meanings.get(name).is_some_and(|m| *m != meaning);
            meanings.insert(name.into(), if is_own { Meaning::Own } else { meaning });
        };
        bindings(&unit.body, &mut |name, binding, span| bind(name, meaning(unit, binding, span)));
        for name in changing(&unit.body).0 {
            bind(&name, Meaning::Own);
        }
        // Names that `*` gives are those that nothing else does.
        for stmt in &unit.body {
            let Stmt::ImportFrom(i) = stmt else { continue };
            let Some(star) = i.names.iter().find(|a| a.name.as_str() == "*") else { continue };
            match unit.imports.get(&crate::python::span_of(star)) {
                Some(Imported::All(module)) => {
                    for name in self.public(module) {
                        let of = Meaning::Inside(Imported::Name(module.clone(), name.clone()));
                        meanings.entry(name).or_insert(of);
                    }
                }
                _ => {
                    let module = i.module.as_ref().map(|m| m.to_string()).unwrap_or_default();
                    for name in Library::from_name(&module).into_iter().flat_map(Library::star) {
                        if mentioned.contains(name) {
                            let of = Meaning::Outside(module.clone(), Some(name.into()));
                            meanings.entry(name.into()).or_insert(of);
                        }
                    }
                }
            }
        }
        meanings
    }

    /// The names that `from module import *` gives.
    fn public(&self, module: &Module) -> Vec<String> {
        let Some(unit) = self.unit(module).filter(|&unit| unit < self.meanings.len()) else { return Vec::new() };
        let listed = self.units[unit].body.iter().find_map(|stmt| {
            let Stmt::Assign(a) = stmt else { return None };
            let is_all = matches!(&a.targets[..], [Expr::Name(n)] if n.id == "__all__");
            let items = match &*a.value {
                Expr::List(l) => &l.elts,
                Expr::Tuple(t) => &t.elts,
                _ => return None,
            };
            is_all.then(|| items.iter().filter_map(|e| Some(e.as_string_literal_expr()?.value.to_str().to_string())).collect())
        });
        listed.unwrap_or_else(|| self.meanings[unit].keys().filter(|name| !name.starts_with('_')).cloned().collect())
    }

    fn unit(&self, module: &Module) -> Option<usize> {
        self.places.get(module).copied().flatten()
    }

    /// The thing that a name of a file's top level stands for; none if the file does not bind it.
    pub fn target(&self, unit: usize, name: &str) -> Option<Target> {
        self.followed(unit, name, 0)
    }

    fn followed(&self, unit: usize, name: &str, depth: usize) -> Option<Target> {
        /// Imports that go round are of nothing.
        const DEPTH: usize = 50;
        match self.meanings[unit].get(name)? {
            _ if depth > DEPTH => None,
            Meaning::Outside(..) if self.shared.contains(name) => Some(Target::Name(name.into())),
            Meaning::Own | Meaning::Outside(..) => Some(Target::Name(self.global(unit, name))),
            Meaning::Inside(Imported::Module(module) | Imported::All(module)) => Some(Target::Module(module.clone())),
            Meaning::Inside(Imported::Name(_, inner)) if self.changing.contains(inner) => {
                Some(Target::Name(self.global(unit, name)))
            }
            Meaning::Inside(Imported::Name(module, name)) => Some(self.member_at(module, name, depth + 1)),
        }
    }

    /// What a name of a module means. A name that it does not have is one that nothing binds.
    pub fn member(&self, module: &Module, name: &str) -> Target {
        self.member_at(module, name, 0)
    }

    fn member_at(&self, module: &Module, name: &str, depth: usize) -> Target {
        let own = self.unit(module).and_then(|unit| self.followed(unit, name, depth));
        let inner = || self.modules.submodule(module, name).filter(|m| self.places.contains_key(m)).map(Target::Module);
        own.or_else(inner).unwrap_or_else(|| Target::Name(format!("{}.{name}", module.name())))
    }

    /// The name that all files have for a name of one.
    fn global(&self, unit: usize, name: &str) -> String {
        if self.classes.contains(name) {
            name.into()
        } else if unit + 1 < self.units.len() {
            format!("{}.{name}", self.units[unit].name)
        } else if self.hidden.contains(name) {
            format!("{MAIN}{name}")
        } else {
            name.into()
        }
    }

    /// The names that a file gets by `from … import *` of other modules, with these modules.
    pub fn by_star(&self, unit: usize, module: &str) -> Vec<(&str, String)> {
        let is_of = |m: &Meaning| matches!(m, Meaning::Outside(of, Some(_)) if of == module);
        let mut found: Vec<&str> = self.meanings[unit].iter().filter(|(_, m)| is_of(m)).map(|(name, _)| name.as_str()).collect();
        found.sort_unstable();
        let named = |name| match self.target(unit, name) {
            Some(Target::Name(global)) => (name, global),
            _ => (name, name.to_string()),
        };
        found.into_iter().map(named).collect()
    }
}

fn meaning(unit: &Unit, binding: Binding<'_>, span: Span) -> Meaning {
    match (binding, unit.imports.get(&span)) {
        (Binding::Import(_), Some(imported)) => Meaning::Inside(imported.clone()),
        (Binding::Import(import), None) => Meaning::Outside(import.module().into(), import.name().map(str::to_string)),
        (Binding::Variable | Binding::Function(_), _) => Meaning::Own,
    }
}

/// The names that a file mentions anywhere; `assigned` is told of variables and parameters.
fn mentioned(body: &[Stmt], assigned: &mut FxHashSet<String>) -> FxHashSet<String> {
    struct Mentioned<'s>(FxHashSet<String>, &'s mut FxHashSet<String>);
    impl<'a> Visitor<'a> for Mentioned<'_> {
        fn visit_expr(&mut self, expr: &'a Expr) {
            if let Expr::Name(n) = expr {
                self.0.insert(n.id.to_string());
                if !n.ctx.is_load() {
                    self.1.insert(n.id.to_string());
                }
            }
            walk_expr(self, expr);
        }
        fn visit_parameter(&mut self, parameter: &'a Parameter) {
            self.1.insert(parameter.name.to_string());
            walk_parameter(self, parameter);
        }
    }
    let mut mentioned = Mentioned(FxHashSet::default(), assigned);
    mentioned.visit_body(body);
    mentioned.0
}

/// The names that functions declare `global`, and the attributes that are assigned.
fn changing(body: &[Stmt]) -> (FxHashSet<String>, FxHashSet<String>) {
    #[derive(Default)]
    struct Changing(FxHashSet<String>, FxHashSet<String>);
    impl<'a> Visitor<'a> for Changing {
        fn visit_stmt(&mut self, stmt: &'a Stmt) {
            if let Stmt::Global(g) = stmt {
                self.0.extend(g.names.iter().map(|name| name.to_string()));
            }
            walk_stmt(self, stmt);
        }
        fn visit_expr(&mut self, expr: &'a Expr) {
            if let Expr::Attribute(a) = expr
                && !a.ctx.is_load()
            {
                self.1.insert(a.attr.to_string());
            }
            walk_expr(self, expr);
        }
    }
    let mut changing = Changing::default();
    changing.visit_body(body);
    (changing.0, changing.1)
}
