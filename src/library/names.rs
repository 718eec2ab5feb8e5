//! The names of functions and parameters for C.

use crate::Error;
use gradus_backend::jit::object;
use std::collections::HashSet;

/// What cannot be the name of a parameter in C, C++ or Rust: keywords, what Rust would match, and what a header may define as a macro,
/// sorted.
#[rustfmt::skip]
const RESERVED: [&str; 159] = [
    "Err", "Failure", "I", "None", "Ok", "Self", "Some", "abstract", "alignas", "alignof", "and", "and_eq", "arm", "as",
    "asm", "assert", "async", "auto", "await", "become", "bitand", "bitor", "bool", "box", "break", "case", "catch", "char",
    "char16_t", "char32_t", "char8_t", "class", "co_await", "co_return", "co_yield", "compl", "complex", "concept", "const",
    "const_cast", "consteval", "constexpr", "constinit", "continue", "crate", "decltype", "default", "delete", "do",
    "double", "dyn", "dynamic_cast", "else", "enum", "errno", "explicit", "export", "extern", "false", "far", "final",
    "float", "fn", "for", "friend", "gen", "goto", "i386", "if", "imaginary", "impl", "import", "in", "inline", "int",
    "int64_t", "interface", "let", "linux", "long", "loop", "macro", "match", "mips", "mod", "module", "move", "mut",
    "mutable", "namespace", "near", "new", "noexcept", "noreturn", "not", "not_eq", "nullptr", "offsetof", "operator", "or",
    "or_eq", "override", "priv", "private", "protected", "pub", "ref", "register", "reinterpret_cast", "requires",
    "restrict", "return", "safe", "self", "short", "signed", "sizeof", "small", "sparc", "static", "static_assert",
    "static_cast", "status", "stderr", "stdin", "stdout", "struct", "sun", "super", "switch", "template", "this",
    "thread_local", "throw", "trait", "true", "try", "type", "typedef", "typeid", "typename", "typeof", "typeof_unqual",
    "union", "unix", "unsafe", "unsigned", "unsized", "use", "using", "virtual", "void", "volatile", "wchar_t", "where",
    "while", "xor", "xor_eq", "yield",
];

/// Names that a program has beside those of the libraries it loads, sorted.
const OF_PROGRAMS: [&str; 10] = ["alloca", "at_quick_exit", "atexit", "edata", "end", "etext", "fstat", "lstat", "main", "stat"];

/// The name of the function that gives the message of a failure.
pub fn message(library: &str) -> String {
    format!("{library}_message")
}

/// The name of the function that gives the line of a failure.
pub fn line(library: &str) -> String {
    format!("{library}_line")
}

/// Whether a function for C can have this name.
pub fn check(symbol: &str) -> Result<(), Error> {
    let refuse = |why: &str| Err(Error::Arguments(format!("`{symbol}` {why}; choose another name by --name and --prefix")));
    if OF_PROGRAMS.binary_search(&symbol).is_ok() || object::is_loaded(symbol) {
        return refuse("is a name of the C library");
    }
    if identifier(symbol) != symbol || symbol.starts_with('_') || symbol.starts_with("gradus_") {
        return refuse("cannot be the name of a function for C");
    }
    Ok(())
}

/// What the names of functions begin with that come from a file.
pub fn prefix(file: &str) -> String {
    let stem = std::path::Path::new(file).file_stem().unwrap_or_default().to_string_lossy();
    let name = plain(&stem);
    let name = name.trim_start_matches('_');
    if name.starts_with(|c: char| c.is_ascii_alphabetic()) { name.into() } else { format!("file_{name}") }
}

/// A text of letters, digits and underscores that is like this one.
fn plain(name: &str) -> String {
    name.chars().map(|c: char| if c.is_ascii_alphanumeric() { c } else { '_' }).collect()
}

/// A name that is like this one and means nothing else in C, C++ and Rust.
fn identifier(name: &str) -> String {
    let name = plain(name);
    let begins = name.trim_start_matches('_').chars().next();
    let is_of_compilers = name.starts_with("__") || name.starts_with('_') && begins.is_none_or(|c| c.is_ascii_uppercase());
    // Macros have capitals alone; those of two are rather the names of matrices.
    let is_macro = name.len() > 2 && !name.contains(|c: char| c.is_ascii_lowercase());
    if is_of_compilers || name.starts_with(|c: char| c.is_ascii_digit()) || name.is_empty() {
        format!("x{name}")
    } else if is_macro || RESERVED.binary_search(&&*name).is_ok() {
        format!("{name}_")
    } else {
        name
    }
}

/// The names that parameters of a function have so far.
#[derive(Default)]
pub struct Names(HashSet<String>);

impl Names {
    /// A name that no other parameter has.
    pub fn unique(&mut self, name: &str) -> String {
        let mut name = identifier(name);
        while !self.0.insert(name.clone()) {
            name.push('_');
        }
        name
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_sorted() {
        assert!(RESERVED.is_sorted() && OF_PROGRAMS.is_sorted());
    }

    #[test]
    fn names_that_mean_something_are_escaped() {
        for (name, known) in [
            ("x", "x"),
            ("W1", "W1"),
            ("I", "I_"),
            ("Some", "Some_"),
            ("INT64_MAX", "INT64_MAX_"),
            ("_Bool", "x_Bool"),
            ("__attribute__", "x__attribute__"),
            ("_", "x_"),
            ("_x", "_x"),
            ("0", "x0"),
            ("naïve", "na_ve"),
            ("unix", "unix_"),
            ("static_cast", "static_cast_"),
        ] {
            assert_eq!(identifier(name), known);
        }
        let mut names = Names::default();
        assert_eq!(["int", "int_", "int"].map(|name| names.unique(name)), ["int_", "int__", "int___"]);
    }

    #[test]
    fn names_of_the_system_are_refused() {
        for name in ["sincos", "read", "environ", "main", "atexit", "pthread_create", "int", "gradus_f", "_f", "a-b", ""] {
            assert!(check(name).is_err(), "{name}");
        }
        assert!(check("model_sincos").is_ok());
        assert_eq!(["a/model.py", "04-x.py", "_m.py"].map(prefix), ["model", "file_04_x", "m"]);
    }
}
