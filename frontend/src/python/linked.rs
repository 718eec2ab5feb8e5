//! Programs of several files: the modules and packages beside a file, which it imports.
//!
//! A file and the modules that it imports become the text of one program. The text of a module stands before that of the file that
//! imports it first, so the top level runs in the order of CPython. Names of a module carry its name (`helper.g`), which no program can
//! write as one name, so files cannot take each other's names. Statements that no function of the file needs are left out.
//!
//! Modules are searched as CPython does: in the folder of the file first. A file that lies in a package finds this package, too.
//! The `__init__.py` of a package is read where the package is imported by its name, and not for imports within the package.
//!
//! Read on with `find` (files of modules), `meaning` (what a name of a module stands for), `rename` and `reached` (the statements needed).

mod find;
mod meaning;
mod reached;
mod rename;

use super::module::flattened;
use super::span_of;
use find::{Module, Modules};
use gradus_ir::{Diagnostic, Section, Span};
use ruff_python_ast::visitor::transformer::{self, Transformer};
use ruff_python_ast::visitor::{Visitor, walk_stmt};
use ruff_python_ast::{self as ast, Expr, Stmt};
use ruff_text_size::TextRange;
use rustc_hash::FxHashMap;
use std::path::Path;

/// Reads the text of a file; none if there is no such file.
pub type Reader<'r> = &'r dyn Fn(&Path) -> Option<String>;

/// A file and what it imports.
pub struct Linked {
    pub body: Vec<Stmt>,
    /// The text of all files; none if there is one file only, whose text it is.
    pub text: Option<(String, Vec<Section>)>,
}

/// What an import gives.
#[derive(Clone, PartialEq, Debug)]
enum Imported {
    /// A module of the program.
    Module(Module),
    /// A name of one.
    Name(Module, String),
    /// All names of one.
    All(Module),
}

/// A file of the program.
struct Unit {
    /// Its name, as imports have it; empty of the file itself.
    name: String,
    body: Vec<Stmt>,
    /// What its imports give, each by the place of its alias; imports of other modules are left out.
    imports: FxHashMap<Span, Imported>,
}

/// Reads what a file imports from files beside it. `parse` gives the statements of a text that begins at some place of the whole.
pub fn link(
    (path, name): (&Path, &str),
    text: &str,
    read: Reader<'_>,
    parse: &dyn Fn(&str, usize) -> Result<Vec<Stmt>, Diagnostic>,
) -> Result<Linked, Diagnostic> {
    let modules = Modules::beside(path, read);
    let body = parse(text, 0)?;
    let mut files =
        Files { modules, parse, units: Vec::new(), places: FxHashMap::default(), text: String::new(), sections: Vec::new() };
    let main = files.modules.main();
    for (at, wanted) in files.wanted(&main, &body) {
        files.load(&wanted).map_err(|Fault { place, message }| {
            let d = Diagnostic::refused(at, format!("`{}` cannot be imported: {message}", wanted.name()));
            d.hint(format!("look at {place}"))
        })?;
    }
    if files.units.is_empty() {
        let body = chosen(body, &|import| files.is_there(&main, import));
        return Ok(Linked { body, text: None });
    }
    files.add(&main, name, text).map_err(|fault| Diagnostic::refused(Span::NONE, fault.message))?;
    let Files { modules, units, places, text, sections, .. } = files;
    let names = meaning::Names::of(&units, &places, &modules);
    let renamed: Vec<Vec<Stmt>> = (0..units.len()).map(|unit| rename::renamed(&names, unit)).collect();
    Ok(Linked { body: reached::reached(renamed), text: Some((text, sections)) })
}

/// Why a file cannot be imported, and where that is.
struct Fault {
    place: String,
    message: String,
}

/// The files of a program while they are read.
struct Files<'r> {
    modules: Modules<'r>,
    parse: &'r dyn Fn(&str, usize) -> Result<Vec<Stmt>, Diagnostic>,
    /// In the order in which they run.
    units: Vec<Unit>,
    /// The units of files; none while a file is read, whose imports come back to it.
    places: FxHashMap<Module, Option<usize>>,
    text: String,
    sections: Vec<Section>,
}

impl Files<'_> {
    /// Reads a module, after the modules that it imports.
    fn load(&mut self, module: &Module) -> Result<(), Fault> {
        let Some((file, text)) = self.modules.text(module) else { return Ok(()) };
        if self.places.contains_key(module) {
            return Ok(());
        }
        self.places.insert(module.clone(), None);
        let body = (self.parse)(&text, 0).map_err(|d| {
            let line = text[..d.span.start as usize].matches('\n').count() + 1;
            Fault { place: format!("{file}:{line}"), message: d.message }
        })?;
        for (_, wanted) in self.wanted(module, &body) {
            self.load(&wanted)?;
        }
        self.add(module, &file, &text)
    }

    /// The modules that the imports of a file need, each with the place of the import.
    fn wanted(&self, module: &Module, body: &[Stmt]) -> Vec<(Span, Module)> {
        let mut wanted = Vec::new();
        for (at, import) in aliases(body) {
            wanted.extend(self.modules.needed(module, &import).into_iter().map(|module| (at, module)));
        }
        wanted
    }

    fn is_there(&self, module: &Module, import: &Alias) -> bool {
        import.is_supported()
            || self.modules.imported(module, import).is_some_and(|imported| match imported {
                Imported::Name(of, name) => self.modules.submodule(&of, &name).is_some() || self.places.contains_key(&of),
                Imported::Module(_) | Imported::All(_) => true,
            })
    }

    /// Puts the text of a file behind the others.
    fn add(&mut self, module: &Module, file: &str, text: &str) -> Result<(), Fault> {
        let start = self.text.len();
        let body = (self.parse)(text, start).map_err(|d| Fault { place: file.into(), message: d.message })?;
        self.sections.push(Section { start: start as u32, name: file.into(), line: 1 });
        self.text.push_str(text);
        if !text.ends_with('\n') {
            self.text.push('\n');
        }
        let body = chosen(body, &|import| self.is_there(module, import));
        let found = aliases(&body).into_iter().filter_map(|(at, import)| Some((at, self.modules.imported(module, &import)?)));
        let imports = found.collect();
        self.places.insert(module.clone(), Some(self.units.len()));
        self.units.push(Unit { name: module.name(), body, imports });
        Ok(())
    }
}

/// A name that an import gives.
struct Alias {
    /// How many packages above, `from ..x import y`; 0 of an absolute import.
    level: u32,
    module: String,
    /// The name in the module, or `*`; none where the module itself is imported.
    name: Option<String>,
    /// Whether a name is given to it: `import a.b as c` gives `a.b`, without it `a`.
    is_named: bool,
}

impl Alias {
    /// Whether it is of a module that comes with the compiler.
    fn is_supported(&self) -> bool {
        use super::names::Library;
        let library = (self.level == 0).then(|| Library::from_name(&self.module)).flatten();
        library.is_some_and(|library| self.name.as_deref().is_none_or(|n| n == "*" || library.owner(n).item(n).is_some()))
    }
}

/// The names that a statement imports, each with its place.
fn aliases_of(stmt: &Stmt) -> Vec<(Span, Alias)> {
    match stmt {
        Stmt::Import(i) => {
            let alias = |a: &ast::Alias| Alias { level: 0, module: a.name.to_string(), name: None, is_named: a.asname.is_some() };
            i.names.iter().map(|a| (span_of(a), alias(a))).collect()
        }
        Stmt::ImportFrom(i) => {
            let module = i.module.as_ref().map(|m| m.to_string()).unwrap_or_default();
            let alias = |a: &ast::Alias| Alias {
                level: i.level,
                module: module.clone(),
                name: Some(a.name.to_string()),
                is_named: a.asname.is_some(),
            };
            i.names.iter().map(|a| (span_of(a), alias(a))).collect()
        }
        _ => Vec::new(),
    }
}

/// The imports of a file, those of functions and classes in it, too.
fn aliases(body: &[Stmt]) -> Vec<(Span, Alias)> {
    struct All(Vec<(Span, Alias)>);
    impl<'a> Visitor<'a> for All {
        fn visit_stmt(&mut self, stmt: &'a Stmt) {
            self.0.extend(aliases_of(stmt));
            walk_stmt(self, stmt);
        }
        fn visit_expr(&mut self, _: &'a Expr) {}
    }
    let mut all = All(Vec::new());
    all.visit_body(body);
    all.0
}

/// The file with the arms that run in place of `try: import …`, `except ImportError: …`, where `is_there` says of each import whether
/// there is such a module; and with the arms of an `if` that are known.
fn chosen(mut body: Vec<Stmt>, is_there: &dyn Fn(&Alias) -> bool) -> Vec<Stmt> {
    struct Chosen<'f>(&'f dyn Fn(&Alias) -> bool);
    impl Transformer for Chosen<'_> {
        fn visit_stmt(&self, stmt: &mut Stmt) {
            if let Stmt::Try(t) = stmt
                && let mut imports = t.body.iter().flat_map(aliases_of).peekable()
                && imports.peek().is_some()
                && let Some(handler) = t.handlers.iter().position(|h| is_for_imports(h))
            {
                let runs = imports.all(|(_, import)| (self.0)(&import));
                let ast::ExceptHandler::ExceptHandler(otherwise) = t.handlers.remove(handler);
                let mut arm = if runs { std::mem::take(&mut t.body) } else { otherwise.body };
                if runs {
                    arm.extend(std::mem::take(&mut t.orelse));
                }
                arm.extend(std::mem::take(&mut t.finalbody));
                *stmt = always(arm.into_iter().collect(), t.range);
            }
            transformer::walk_stmt(self, stmt);
        }
        fn visit_expr(&self, _: &mut Expr) {}
    }
    body.iter_mut().for_each(|stmt| Chosen(is_there).visit_stmt(stmt));
    flattened(body)
}

/// The statements as one, which runs.
fn always(body: Vec<Stmt>, range: TextRange) -> Stmt {
    let test = Expr::BooleanLiteral(ast::ExprBooleanLiteral { node_index: Default::default(), range, value: true });
    Stmt::If(ast::StmtIf {
        node_index: Default::default(),
        range,
        test: test.into(),
        body: body.into(),
        elif_else_clauses: Vec::new(),
    })
}

/// Whether a handler takes what an import raises.
fn is_for_imports(handler: &ast::ExceptHandler) -> bool {
    let ast::ExceptHandler::ExceptHandler(h) = handler;
    let is_one = |e: &Expr| matches!(e, Expr::Name(n) if matches!(&*n.id, "ImportError" | "ModuleNotFoundError" | "Exception"));
    h.type_.as_deref().is_none_or(|ty| match ty {
        Expr::Tuple(t) => t.elts.iter().any(is_one),
        one => is_one(one),
    })
}
