//! Programs of several files: the modules and packages beside a file, which it imports.
//!
//! A file and what it needs of the modules that it imports become the text of one program. The text of a module stands before that of
//! the file that imports it first, so the top level runs in the order of CPython. Names of a module carry its name (`helper.g`), which
//! no program can write as one name, so files cannot take each other's names.
//!
//! Modules are searched as CPython does: in the folder of the file first. A file that lies in a package finds this package, too.
//! The `__init__.py` of a package is read where the package is imported by its name, and not for imports within the package.
//!
//! Read on with `find` (files of modules), `standard` (modules of CPython), `meaning` (what a name of a module stands for), `rename` and
//! `reached` (the statements needed).

mod find;
mod meaning;
mod reached;
mod rename;
mod standard;

use super::module::flattened;
use super::span_of;
use find::{Module, Modules};
use gradus_ir::{Diagnostic, Section, Span};
pub use meaning::MAIN;
pub use rename::MODULE;
use ruff_python_ast::visitor::transformer::{self, Transformer};
use ruff_python_ast::visitor::{Visitor, walk_stmt};
use ruff_python_ast::{self as ast, Expr, Stmt};
use ruff_text_size::{Ranged, TextRange};
use rustc_hash::FxHashMap;
pub use standard::FOLDER as STANDARD;
use std::path::Path;
use std::rc::Rc;

/// Reads the text of a file; none if there is no such file.
pub type Reader<'r> = &'r dyn Fn(&Path) -> Option<String>;

/// A file and what it imports.
pub struct Linked {
    pub body: Vec<Stmt>,
    /// The text of all files; none if there is one file only, whose text it is.
    pub text: Option<(String, Vec<Section>)>,
}

/// The meaning of an import.
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
    module: Module,
    /// Its name, as imports have it.
    name: String,
    body: Vec<Stmt>,
    /// Its imports, each by the place of its alias; imports of other modules are left out.
    imports: FxHashMap<Span, Imported>,
}

/// The text of a file that is imported, and where its statements stand.
struct Text {
    file: String,
    text: Rc<str>,
    /// Each with whether it says which names the file has from others, or for others.
    stmts: Vec<(TextRange, bool)>,
}

/// Reads what a file imports from files beside it. `parse` gives the statements of a text.
pub fn link(
    (path, name): (&Path, &str),
    text: &str,
    read: Reader<'_>,
    parse: &dyn Fn(&str) -> Result<Vec<Stmt>, Diagnostic>,
) -> Result<Linked, Diagnostic> {
    let modules = Modules::beside(path, read);
    let of_file = &|text: &str| parse(text).map(standard::with_names);
    let body = of_file(text)?;
    let main = modules.main();
    let mut files =
        Files { modules: &modules, parse: of_file, units: Vec::new(), places: FxHashMap::default(), texts: Vec::new() };
    for (at, wanted) in files.wanted(&main, &body) {
        files.load(&wanted).map_err(|Fault { place, message }| {
            let d = Diagnostic::refused(at, format!("`{}` cannot be imported: {message}", wanted.name()));
            d.hint(format!("look at {place}"))
        })?;
    }
    files.add(&main, body);
    if files.texts.is_empty() {
        return Ok(Linked { body: files.units.remove(0).body, text: None });
    }
    // The whole of all files says which statements are needed; the program is made of these alone.
    let needed = needed(&renamed(&files));
    let (text, sections, starts) = files.text_of(&needed, (name, text));
    let mut body = parse(&text)?.into_iter().peekable();
    let found = std::mem::take(&mut files.units);
    for (i, unit) in found.into_iter().enumerate() {
        let end = starts.get(i + 1).copied().unwrap_or(u32::MAX);
        let own = std::iter::from_fn(|| body.next_if(|stmt| u32::from(stmt.start()) < end)).collect();
        files.add(&unit.module, standard::with_names(own));
    }
    Ok(Linked { body: renamed(&files).into_iter().flatten().collect(), text: Some((text, sections)) })
}

/// The statements of all files, with the names that these share.
fn renamed(files: &Files<'_>) -> Vec<Vec<Stmt>> {
    let names = meaning::Names::of(&files.units, &files.places, files.modules);
    (0..files.units.len()).map(|unit| rename::renamed(&names, unit)).collect()
}

/// The places of the statements that the last of some files needs of each other file.
fn needed(files: &[Vec<Stmt>]) -> Vec<Vec<TextRange>> {
    let (main, others) = files.split_last().expect("there is a file");
    let all: Vec<(usize, &Stmt)> = others.iter().enumerate().flat_map(|(i, body)| body.iter().map(move |s| (i, s))).collect();
    let stmts: Vec<&Stmt> = all.iter().map(|(_, stmt)| *stmt).collect();
    let is_needed = reached::reached(&stmts, main.iter().flat_map(reached::mentioned).collect());
    let mut needed = vec![Vec::new(); others.len()];
    all.into_iter().zip(is_needed).filter(|(_, is_needed)| *is_needed).for_each(|((i, stmt), _)| needed[i].push(stmt.range()));
    needed
}

/// The statements of a program that a function of it needs.
pub fn of_function(body: &[Stmt], function: &str) -> Vec<Stmt> {
    let is_needed = reached::reached(&body.iter().collect::<Vec<_>>(), vec![function]);
    body.iter().zip(is_needed).filter(|(_, is_needed)| *is_needed).map(|(stmt, _)| stmt.clone()).collect()
}

/// Why a file cannot be imported, and where that is.
struct Fault {
    place: String,
    message: String,
}

/// The files of a program.
struct Files<'r> {
    modules: &'r Modules<'r>,
    parse: &'r dyn Fn(&str) -> Result<Vec<Stmt>, Diagnostic>,
    /// In the order in which they run: the file itself is the last.
    units: Vec<Unit>,
    /// The units of modules; none while one is read, whose imports come back to it.
    places: FxHashMap<Module, Option<usize>>,
    /// Of all units but the last.
    texts: Vec<Text>,
}

impl Files<'_> {
    /// Reads a module, after the modules that it imports.
    fn load(&mut self, module: &Module) -> Result<(), Fault> {
        let Some((file, text)) = self.modules.text(module) else { return Ok(()) };
        if self.places.contains_key(module) {
            return Ok(());
        }
        self.places.insert(module.clone(), None);
        let body = (self.parse)(&text).map_err(|d| {
            let line = text[..d.span.start as usize].matches('\n').count() + 1;
            Fault { place: format!("{file}:{line}"), message: d.message }
        })?;
        for (_, wanted) in self.wanted(module, &body) {
            self.load(&wanted)?;
        }
        self.texts.push(Text { file, text, stmts: body.iter().map(|s| (s.range(), hands_on(s))).collect() });
        self.add(module, body);
        Ok(())
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

    /// Adds a file behind the others.
    fn add(&mut self, module: &Module, body: Vec<Stmt>) {
        let body = chosen(body, &|import| self.is_there(module, import));
        let found = aliases(&body).into_iter().filter_map(|(at, import)| Some((at, self.modules.imported(module, &import)?)));
        let imports = found.collect();
        self.places.insert(module.clone(), Some(self.units.len()));
        self.units.push(Unit { module: module.clone(), name: module.name(), body, imports });
    }

    /// The text of a program of these statements of each file, with its parts, and where those of each file begin; the file itself,
    /// which comes last, is whole.
    fn text_of(&self, needed: &[Vec<TextRange>], (name, main): (&str, &str)) -> (String, Vec<Section>, Vec<u32>) {
        let (mut whole, mut sections, mut starts) = (String::new(), Vec::<Section>::new(), Vec::new());
        for (Text { file, text, stmts }, needed) in self.texts.iter().zip(needed) {
            starts.push(whole.len() as u32);
            let (mut done, mut line) = (0, 1);
            let is_needed = |stmt: TextRange| needed.iter().any(|n| stmt.contains_range(*n));
            for (stmt, _) in stmts.iter().filter(|(stmt, hands_on)| *hands_on || is_needed(*stmt)) {
                // Whole lines, which several statements may share.
                let start = text[..usize::from(stmt.start())].rfind('\n').map_or(0, |at| at + 1).max(done);
                let end = text[usize::from(stmt.end())..].find('\n').map_or(text.len(), |at| usize::from(stmt.end()) + at);
                if end <= done {
                    continue;
                }
                line += text[done..start].matches('\n').count() as u32;
                sections.push(Section { start: whole.len() as u32, name: file.clone(), line });
                whole.push_str(&text[start..end]);
                whole.push('\n');
                line += text[start..end].matches('\n').count() as u32;
                done = end;
            }
        }
        starts.push(whole.len() as u32);
        sections.push(Section { start: whole.len() as u32, name: name.into(), line: 1 });
        whole.push_str(main);
        (whole, sections, starts)
    }
}

/// Whether a statement of the top level imports something, or is `__all__`.
fn hands_on(stmt: &Stmt) -> bool {
    match stmt {
        Stmt::FunctionDef(_) | Stmt::ClassDef(_) => false,
        Stmt::Assign(a) => matches!(&a.targets[..], [Expr::Name(n)] if n.id == "__all__"),
        _ => !aliases(std::slice::from_ref(stmt)).is_empty(),
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
                && let Some(handler) = t.handlers.iter().position(is_for_imports)
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
