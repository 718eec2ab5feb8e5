//! Python: parsing, and lowering of what a function reaches to the IR.
//!
//! [`Program::parse`] reads a file, [`Program::lower`] compiles one function of it with everything it refers to. Read on with
//! `lower` (the state), `linked` (programs of several files), `module`, `top`, `function`, `class`, `dict`, `stmt`, `matching`, `loops`, `expr`, `comprehension`, `call` and `operators` (the syntax, from the outside in), `ssa` (blocks and φ's),
//! `capture` and `escape` (closures and the variables they see), `effects` (who prints and fails), `text` (strings with values in them), `stores` (what is read after a write), `distance` (the lengths of slices), `scope`, `names` and `named` (what a
//! name means), `rules` (those of derivatives that follow a function), `init` (methods that make instances), `dataclass` (what follows from a class' decorator) and `decorated` (decorators of methods), `remember` (functions that remember), `generators` (functions that yield) and `copied` (their bodies).

mod attached;
mod boxed;
mod call;
mod capture;
mod changing;
mod class;
mod comprehension;
mod copied;
mod dataclass;
mod decorated;
mod dict;
mod distance;
mod effects;
mod enums;
mod errors;
mod escape;
mod expr;
mod function;
mod generators;
mod hoist;
mod inherited;
mod init;
mod iterated;
mod lazy;
mod library;
mod linked;
mod loops;
mod lower;
mod mangled;
mod matching;
mod module;
mod named;
mod names;
mod native;
mod nesting;
mod operators;
mod owned;
mod references;
mod reflected;
mod remember;
mod resumed;
mod rules;
mod scope;
mod seeded;
mod ssa;
mod stmt;
mod stores;
mod surrogates;
#[cfg(test)]
mod tests;
mod text;
mod top;

use gradus_ir::{Diagnostic, GraphId, Module, Section, Source, Span, stack};
use init::Makers;
use linked::{Linked, Reader};
pub use native::Native;
use ruff_python_ast::Stmt;
use ruff_python_ast::visitor::{Visitor, walk_stmt};
use ruff_text_size::Ranged;
use rustc_hash::{FxHashMap, FxHashSet};
use scope::Globals;
use std::path::Path;

/// A parsed file.
#[derive(Clone, Debug)]
pub struct Program {
    source: Source,
    body: Vec<Stmt>,
    natives: Vec<Native>,
    /// The parameters of the entry that all functions may read as names of the top level.
    given: Vec<String>,
    /// The names of fields that are boxes ([`changing`]), and whether an instance may be without them.
    fields: FxHashMap<String, bool>,
    /// The file as it is if the fields that change are boxes; none if there are no such fields, or they are.
    changing: Option<(Vec<Stmt>, FxHashMap<String, bool>)>,
    /// Whether other files are in it, most of which a function may not need.
    has_files: bool,
    /// The kinds of values that are objects, as they are in Python ([`references`]).
    objects: Objects,
}

/// Which values are objects that may have several names.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Objects {
    /// Lists and dicts.
    pub lists: bool,
    /// Arrays. Those of JAX never change.
    pub arrays: bool,
}

impl Objects {
    /// Whether anything is.
    pub fn are_some(self) -> bool {
        self.lists || self.arrays
    }
}

/// Whether some statement imports a module, or something of it.
fn imports(body: &[Stmt], module: &str) -> bool {
    struct Imports<'m>(&'m str, bool);
    impl Visitor<'_> for Imports<'_> {
        fn visit_stmt(&mut self, stmt: &Stmt) {
            let is_it = |name: &str| name.split('.').next() == Some(self.0);
            self.1 |= match stmt {
                Stmt::Import(i) => i.names.iter().any(|alias| is_it(&alias.name)),
                Stmt::ImportFrom(i) => i.module.as_ref().is_some_and(|name| is_it(name)),
                _ => false,
            };
            walk_stmt(self, stmt);
        }
    }
    let mut found = Imports(module, false);
    body.iter().for_each(|stmt| found.visit_stmt(stmt));
    found.1
}

impl Program {
    /// Parses a file; `name` is what messages call it. The whole file must be correct Python, in the subset or not.
    pub fn parse(name: &str, text: &str) -> Result<Program, Vec<Diagnostic>> {
        Program::parse_beside((Path::new(""), name), text, &|_| None)
    }

    /// Parses a file with the modules that it imports from files beside it: `read` gives their texts, by their paths. Errors of syntax in
    /// them are about the import.
    pub fn parse_beside((path, name): (&Path, &str), text: &str, read: Reader<'_>) -> Result<Program, Vec<Diagnostic>> {
        stack::deep(|| {
            let Linked { body, text: whole } = linked::link((path, name), text, read, &statements).map_err(|d| vec![d])?;
            let (mut source, has_files) = (Source::new(name, text), whole.is_some());
            if let Some((text, sections)) = whole {
                source = Source { text: text.into(), sections, ..source };
            }
            let mut body = body;
            seeded::read(&mut body);
            let suite = with_plain_classes(module::with_plain_statements(body));
            let changing = changing::fields(&suite);
            let changing = (!changing.is_empty()).then(|| with_classes(suite.clone(), changing));
            let (body, fields) = with_classes(suite, FxHashSet::default());
            Ok(Program {
                source,
                body,
                natives: Vec::new(),
                given: Vec::new(),
                fields,
                changing,
                has_files,
                objects: Objects::default(),
            })
        })
    }

    /// The same file, which may call these functions of the host and has these rules.
    pub fn with_natives(mut self, natives: Vec<Native>) -> Program {
        self.natives = natives;
        self
    }

    /// The same file in other ways, of which the later ones take more programs and make slower code: with arrays as objects that may have
    /// several names, and with lists and dicts, too.
    pub fn with_objects(&self) -> Vec<Program> {
        let arrays = !imports(&self.body, "jax");
        let ways = [Objects { lists: false, arrays }, Objects { lists: true, arrays }];
        let ways = ways.into_iter().filter(|objects| (objects.lists, objects.arrays) > (self.objects.lists, self.objects.arrays));
        ways.map(|objects| {
            let mut program = self.clone();
            program.objects = objects;
            program
        })
        .collect()
    }

    /// The same file, put together of these parts of others, which messages name.
    pub fn with_sections(mut self, sections: Vec<Section>) -> Program {
        if !sections.is_empty() {
            // Behind the modules that the file imports.
            let start = self.source.sections.pop().map_or(0, |file| file.start);
            self.source.sections.extend(sections.into_iter().map(|s| Section { start: start + s.start, ..s }));
        }
        self
    }

    /// The same file, in which these parameters of the function that is lowered are read by all functions as names of the top level.
    pub fn with_given(mut self, names: Vec<String>) -> Program {
        self.given = names;
        self
    }

    /// The names that the file leaves bound to a `def` or a lambda, in the order of the file.
    pub fn functions(&self) -> Vec<&str> {
        /// Names of other files have dots.
        fn own(name: &str) -> Option<&str> {
            name.strip_prefix(linked::MAIN).or_else(|| (!name.contains('.')).then_some(name))
        }
        Globals::of(&self.body).functions().into_iter().filter_map(own).collect()
    }

    /// Lowers a function with all it reaches to an untyped module, and says which of its graphs the function is.
    ///
    /// Any name of a function will do that [`Program::functions`] lists, and other names given to these.
    pub fn lower(&self, function: &str) -> Result<(Module, GraphId), Vec<Diagnostic>> {
        self.lower_with(function, Beside::default()).map(|(m, graphs)| (m, graphs[0]))
    }

    /// [`Program::lower`] with what a call needs beside the function; the graphs of the functions of the library come after its own.
    pub fn lower_with(&self, function: &str, beside: Beside) -> Result<(Module, Vec<GraphId>), Vec<Diagnostic>> {
        let hidden = format!("{}{function}", linked::MAIN);
        let function = Globals::of(&self.body).name(&hidden).map_or(function, |_| &hidden);
        stack::deep(|| lower::program(self, function, beside))
    }

    /// Lowers the default of a field of a class of the file to a function without parameters; none if it has no default.
    pub fn lower_default(&self, class: &str, field: &str) -> Result<Option<(Module, GraphId)>, Vec<Diagnostic>> {
        stack::deep(|| lower::default(self, class, field))
    }

    /// The file.
    pub fn source(&self) -> &Source {
        &self.source
    }
}

/// The statements of a file in which classes and generators are as lowering knows them.
fn with_plain_classes(body: Vec<Stmt>) -> Vec<Stmt> {
    let body = enums::read(reflected::outermost(mangled::read(body)));
    generators::read(iterated::read(inherited::read(reflected::read(body))))
}

/// The statements of a file as they are lowered, with the names of those fields that are boxes, and whether an instance may be without.
fn with_classes(suite: Vec<Stmt>, changing: FxHashSet<String>) -> (Vec<Stmt>, FxHashMap<String, bool>) {
    let mut makers = Makers::with(changing);
    let read = |stmt: Stmt| match named::class_of(&stmt).map_or(stmt, Stmt::ClassDef) {
        Stmt::ClassDef(mut class) => {
            named::read_base(&mut class);
            let mut read = decorated::moved(&mut class);
            makers.read(&mut class);
            read.push(Stmt::ClassDef(class));
            read
        }
        other => vec![other],
    };
    let body = remember::read(rules::read(suite.into_iter().flat_map(read)));
    let Makers { changing, uncertain, .. } = makers;
    (body, changing.into_iter().map(|name| (uncertain.contains(&name), name)).map(|(lacks, name)| (name, lacks)).collect())
}

/// The statements of a text.
fn statements(text: &str) -> Result<Vec<Stmt>, Diagnostic> {
    if text.len() >= u32::MAX as usize {
        return Err(Diagnostic::refused(Span::NONE, "the file is larger than 4 GiB"));
    }
    nesting::check(text)?;
    match ruff_python_parser::parse_module(text) {
        Ok(parsed) => {
            surrogates::check(text, parsed.tokens())?;
            Ok(parsed.into_suite().into_iter().collect())
        }
        Err(error) => {
            let message = error.error.to_string();
            let mut chars = message.chars();
            let message = chars.next().map(|c| c.to_lowercase().chain(chars).collect::<String>()).unwrap_or_default();
            Err(Diagnostic::refused(span_of(&error), format!("syntax error: {message}")))
        }
    }
}

impl Drop for Program {
    /// Drops the syntax trees, which is a recursion over them.
    fn drop(&mut self) {
        stack::deep(|| (self.body.clear(), self.changing.take()));
    }
}

/// Adds the classes of lists whose length only the run knows to a module that was made in another way.
pub fn with_lists(m: &Module) -> Module {
    lower::with_lists(m)
}

/// Adds functions of `gradus` that are written in the language to a module that no Python was lowered to.
pub fn with_toolbox(m: &Module, names: &[&str]) -> (Module, Vec<GraphId>) {
    lower::toolbox(m, names)
}

/// What a module has beside a function and what that reaches.
#[derive(Clone, Copy, Debug, Default)]
pub struct Beside<'a> {
    /// The class of complex numbers, for there are some among the arguments; the function need not mention them.
    pub complex: bool,
    /// Functions of `gradus` that are written in the language.
    pub toolbox: &'a [&'a str],
}

/// The place of a piece of syntax.
fn span_of(node: &impl Ranged) -> Span {
    Span::new(u32::from(node.start()), u32::from(node.end()))
}
