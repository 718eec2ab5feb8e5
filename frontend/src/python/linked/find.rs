//! The files of modules.

use super::{Alias, Imported, Reader, standard};
use crate::python::names::Library;
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use std::path::{Path, PathBuf};
use std::rc::Rc;

/// Modules that are part of CPython's program, so that no file can take their place; and packages that come with the compiler, whose
/// own files may lie beside those of an installed program.
const BUILT_IN: &[&str] = &["autograd", "cmath", "gradus", "itertools", "jax", "math", "myia", "numpy", "scipy", "sys", "time"];

/// A module of the program: a file, or a folder.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Module {
    /// The folder in which it is searched.
    root: PathBuf,
    /// Its dotted name, in parts; empty of a file that runs.
    parts: Vec<String>,
    /// Whether others are in it.
    is_package: bool,
}

impl Module {
    /// The name, as imports have it.
    pub fn name(&self) -> String {
        self.parts.join(".")
    }

    fn stem(&self) -> PathBuf {
        self.parts.iter().fold(self.root.clone(), |path, part| path.join(part))
    }

    fn file(&self) -> PathBuf {
        if self.is_package { self.stem().join("__init__.py") } else { self.stem().with_extension("py") }
    }

    /// The package that it is in, or is.
    fn package(&self) -> &[String] {
        if self.is_package { &self.parts } else { self.parts.split_last().map_or(&[], |(_, package)| package) }
    }
}

/// Where modules are searched.
pub struct Modules<'r> {
    read: Reader<'r>,
    /// The files that were read: each import asks for its module's.
    texts: RefCell<FxHashMap<PathBuf, Option<Rc<str>>>>,
    /// The folders, the first before the others.
    roots: Vec<PathBuf>,
    main: Module,
}

impl<'r> Modules<'r> {
    /// The modules that a file finds.
    pub fn beside(path: &Path, read: Reader<'r>) -> Modules<'r> {
        let folder = path.parent().unwrap_or(Path::new("")).to_path_buf();
        let (mut root, mut parts) = (folder.clone(), vec![path.file_stem().unwrap_or_default().to_string_lossy().into_owned()]);
        while read(&root.join("__init__.py")).is_some()
            && let (Some(name), Some(above)) = (root.file_name(), root.parent())
        {
            parts.insert(0, name.to_string_lossy().into_owned());
            root = above.to_path_buf();
        }
        let mut roots = vec![folder];
        if roots[0] != root {
            roots.push(root.clone());
        }
        Modules { read, texts: RefCell::default(), roots, main: Module { root, parts, is_package: false } }
    }

    /// The file itself.
    pub fn main(&self) -> Module {
        self.main.clone()
    }

    /// The name of a module's file and its text; none of a folder without `__init__.py`.
    pub fn text(&self, module: &Module) -> Option<(String, Rc<str>)> {
        let file = module.file();
        let name = file.display().to_string();
        let read = |file: &PathBuf| match standard::text(file) {
            Some(text) => Some(Rc::from(text)),
            None => (self.read)(file).map(Rc::from),
        };
        let text = self.texts.borrow_mut().entry(file).or_insert_with_key(read).clone();
        Some((name, text?))
    }

    /// The module of a name in parts, below a folder.
    fn below(&self, root: &Path, parts: &[String]) -> Option<Module> {
        let module = |is_package| Module { root: root.to_path_buf(), parts: parts.to_vec(), is_package };
        let is_file = |module: &Module| self.text(module).is_some();
        [module(true), module(false)].into_iter().find(is_file).or_else(|| {
            // A folder may be a package without a file.
            let folder = module(true);
            (!parts.is_empty() && folder.stem().is_dir()).then_some(folder)
        })
    }

    /// A module in a package.
    pub fn submodule(&self, of: &Module, name: &str) -> Option<Module> {
        let parts: Vec<String> = of.parts.iter().cloned().chain([name.to_string()]).collect();
        of.is_package.then(|| self.below(&of.root, &parts)).flatten()
    }

    /// The module that `from … import` names, or `import`.
    fn named(&self, from: &Module, import: &Alias) -> Option<Module> {
        let own = import.module.split('.').filter(|part| !part.is_empty()).map(str::to_string);
        if import.level == 0 {
            let parts: Vec<String> = own.collect();
            if BUILT_IN.contains(&parts[0].as_str()) {
                return None;
            }
            let roots = if parts[0] == standard::BUILTINS { &[][..] } else { &self.roots[..] };
            let found = roots.iter().find_map(|root| self.below(root, &parts).filter(|m| *m != self.main));
            // A folder without files is a module only where nothing else is.
            let found = found.filter(|m| Library::from_name(&parts[0]).is_none() || self.text(m).is_some());
            let is_written = standard::has(&import.module, import.name.as_deref());
            return found.or_else(|| is_written.then(|| self.below(Path::new(standard::FOLDER), &parts)).flatten());
        }
        let package = from.package();
        let kept = package.len().checked_sub(import.level as usize - 1)?;
        let parts: Vec<String> = package[..kept].iter().cloned().chain(own).collect();
        self.below(&from.root, &parts)
    }

    /// The meaning of a name that a file imports, if it is of a module of the program.
    pub fn imported(&self, from: &Module, import: &Alias) -> Option<Imported> {
        let module = self.named(from, import)?;
        Some(match &import.name {
            Some(name) if name == "*" => Imported::All(module),
            Some(name) => Imported::Name(module, name.clone()),
            None if import.is_named => Imported::Module(module),
            None => Imported::Module(self.below(&module.root, &module.parts[..1])?),
        })
    }

    /// The modules that are to be read for an import, in the order in which they run.
    pub fn needed(&self, from: &Module, import: &Alias) -> Vec<Module> {
        let Some(module) = self.named(from, import) else { return Vec::new() };
        let mut needed = Vec::new();
        // What an absolute name goes through runs first, but not the package that the file itself is in.
        if import.level == 0 {
            let through = (1..module.parts.len()).filter_map(|n| self.below(&module.root, &module.parts[..n]));
            needed.extend(through.filter(|m| !(m.root == from.root && from.package().starts_with(&m.parts))));
        }
        let inner = import.name.as_deref().and_then(|name| self.submodule(&module, name));
        needed.push(module);
        needed.extend(inner);
        needed
    }
}
