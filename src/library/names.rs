//! The names of functions and parameters for C.

use super::Item;
use crate::{Error, Request};
use gradus_ir::{Dims, Form, Type};
use std::collections::HashSet;

/// What cannot be a name in C, C++ or Rust, sorted.
#[rustfmt::skip]
const KEYWORDS: [&str; 113] = [
    "Self", "abstract", "alignas", "alignof", "and", "and_eq", "as", "asm", "async", "auto", "await", "become", "bitand", "bitor",
    "bool", "box", "break", "case", "catch", "char", "class", "compl", "concept", "const", "constexpr", "continue", "crate",
    "decltype", "default", "delete", "do", "double", "dyn", "else", "enum", "explicit", "export", "extern", "false", "final",
    "float", "fn", "for", "friend", "gen", "goto", "if", "impl", "in", "inline", "int", "let", "long", "loop", "macro", "match",
    "mod", "move", "mut", "mutable", "namespace", "new", "noexcept", "not", "not_eq", "nullptr", "operator", "or", "or_eq",
    "override", "priv", "private", "protected", "pub", "ref", "register", "requires", "restrict", "return", "self", "short",
    "signed", "sizeof", "static", "status", "struct", "super", "switch", "template", "this", "throw", "trait", "true", "try",
    "type", "typedef", "typeid", "typename", "typeof", "union", "unsafe", "unsigned", "unsized", "use", "using", "virtual",
    "void", "volatile", "where", "while", "xor", "xor_eq", "yield",
];

/// Functions of the C library that a program, the code or a header may mean by these names, sorted.
#[rustfmt::skip]
const LIBRARY: [&str; 88] = [
    "abort", "abs", "acos", "acosh", "aligned_alloc", "asin", "asinh", "assert", "atan", "atan2", "atanh", "atexit", "atof",
    "atoi", "calloc", "cbrt", "ceil", "copysign", "cos", "cosh", "div", "erf", "erfc", "exit", "exp", "exp2", "expm1", "fabs",
    "fclose", "fdim", "floor", "fma", "fmax", "fmin", "fmod", "fopen", "fprintf", "fputs", "free", "frexp", "gamma", "hypot",
    "index", "j0", "j1", "jn", "labs", "ldexp", "lgamma", "log", "log10", "log1p", "log2", "logb", "longjmp", "lround", "main",
    "malloc", "memcmp", "memcpy", "memmove", "memset", "modf", "nan", "nearbyint", "pow", "printf", "puts", "qsort", "rand",
    "realloc", "remainder", "rint", "round", "setjmp", "signal", "sin", "sinh", "sqrt", "strlen", "system", "tan", "tanh",
    "tgamma", "time", "trunc", "y0", "y1",
];

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
    let refuse = |why: &str| Err(Error::Arguments(format!("`{symbol}` {why}; choose another name by --name")));
    if LIBRARY.binary_search(&symbol).is_ok() {
        return refuse("is a function of the C library");
    }
    if KEYWORDS.binary_search(&symbol).is_ok() || identifier(symbol) != symbol || symbol.starts_with("gradus_") {
        return refuse("cannot be the name of a function for C");
    }
    Ok(())
}

/// A name for C that is like this one.
fn identifier(name: &str) -> String {
    let allowed = |c: char| if c.is_ascii_alphanumeric() { c } else { '_' };
    let name: String = name.chars().map(allowed).collect();
    let starts_well = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    if starts_well { name } else { format!("_{name}") }
}

/// The names of what a function takes that answers a request.
pub fn arguments(request: &Request, parameters: &[&str]) -> Vec<String> {
    let own = parameters.iter().map(|p| (*p).to_owned());
    match request {
        Request::Jvp(_) | Request::Hvp(..) => own.chain(parameters.iter().map(|p| format!("t_{p}"))).collect(),
        _ => own.chain(request.more_arguments().iter().map(|_| "seed".into())).collect(),
    }
}

/// What the parts of an answer are called.
pub enum Parts {
    One(String),
    Many(Vec<Parts>),
}

/// The names of what a function gives that answers a request.
pub fn results(request: &Request, parameters: &[&str]) -> Parts {
    let one = |name: &str| Parts::One(name.into());
    let of = |wrt: &[usize], name: &dyn Fn(&str) -> Parts| Parts::Many(wrt.iter().map(|&i| name(parameters[i])).collect());
    let gradients = |wrt: &[usize]| of(wrt, &|p| Parts::One(format!("d_{p}")));
    match request {
        Request::Value => one("result"),
        Request::Gradient(wrt) | Request::Reverse(wrt) | Request::Forward(wrt, _) | Request::Pullback(wrt, _) => {
            Parts::Many(vec![one("value"), gradients(wrt)])
        }
        Request::Vjp(wrt, _) => Parts::Many(vec![one("value"), gradients(wrt)]),
        Request::Jvp(_) => Parts::Many(vec![one("value"), one("tangent")]),
        Request::Jacobian(wrt) => gradients(wrt),
        Request::Hvp(wrt, _) => of(wrt, &|p| Parts::One(format!("h_{p}"))),
        Request::Hessian(wrt) => of(wrt, &|a| of(wrt, &|b| Parts::One(format!("d_{a}_{b}")))),
        Request::Orders(_, modes) => {
            let orders = (1..=modes.len()).map(|k| Parts::One(format!("order_{k}")));
            Parts::Many([one("value")].into_iter().chain(orders).collect())
        }
    }
}

/// The names that parameters of a function have so far.
#[derive(Default)]
pub struct Names(HashSet<String>);

impl Names {
    /// A name that no other parameter has.
    fn unique(&mut self, name: &str) -> String {
        let mut name = identifier(name);
        while KEYWORDS.binary_search(&&*name).is_ok() || !self.0.insert(name.clone()) {
            name.push('_');
        }
        name
    }

    /// Appends the scalars and arrays of a form, in the order in which compiled code has them.
    pub fn items(&mut self, form: &Form, name: &str, out: &mut Vec<Item>) {
        match form {
            Form::Plain(ty) => self.plain(ty, name, out),
            Form::Tuple(items) | Form::List(items) => {
                items.iter().enumerate().for_each(|(i, item)| self.items(item, &format!("{name}_{i}"), out))
            }
            Form::Record(schema, items) => {
                schema.fields.iter().zip(items).for_each(|(field, item)| self.items(item, &format!("{name}_{field}"), out));
            }
            // Compilation refuses these.
            Form::Boxed(_) | Form::Unbounded(_) | Form::Union(_) => {}
        }
    }

    fn plain(&mut self, ty: &Type, name: &str, out: &mut Vec<Item>) {
        match ty {
            Type::Tuple(items) => items.iter().enumerate().for_each(|(i, item)| self.plain(item, &format!("{name}_{i}"), out)),
            ty => {
                let item = ty.as_array().map(|(dtype, shape): (_, Dims)| Item { name: self.unique(name), dtype, shape });
                out.extend(item);
            }
        }
    }

    /// [`Names::items`] of an answer with parts.
    pub fn results(&mut self, form: &Form, parts: &Parts, out: &mut Vec<Item>) {
        match (parts, form) {
            (Parts::One(name), form) => self.items(form, name, out),
            (Parts::Many(parts), Form::Tuple(forms)) => {
                parts.iter().zip(forms).for_each(|(parts, form)| self.results(form, parts, out));
            }
            (Parts::Many(parts), Form::Plain(Type::Tuple(types))) => {
                parts.iter().zip(types.iter()).for_each(|(parts, ty)| self.results(&Form::Plain(ty.clone()), parts, out));
            }
            (Parts::Many(_), form) => self.items(form, "result", out),
        }
    }
}
