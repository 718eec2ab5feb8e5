//! The names of Python's builtins, of `math`, NumPy, SciPy, `functools`, Gradus' own operators and those of JAX and Autograd, and what
//! each means: one table each (`tables`, `jax`), read by the lowering of expressions.

mod jax;
mod tables;

use super::library;
pub use gradus_ir::nearest;
use gradus_ir::{Const, Module, NodeId, Prim, Type};

/// A module that a program can import.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Library {
    /// What needs no import.
    Builtins,
    /// `math`.
    Math,
    /// `cmath`.
    Cmath,
    /// `numpy`.
    Numpy,
    /// `scipy`, for what is in it.
    Scipy,
    /// `scipy.special`.
    Special,
    /// `scipy.stats`.
    Stats,
    /// A distribution of `scipy.stats`, by its dotted name.
    Distribution(&'static str),
    /// `numpy.polynomial`, or a kind of polynomials in it, by its dotted name.
    Polynomial(&'static str),
    /// `functools`.
    Functools,
    /// `itertools`.
    Itertools,
    /// `operator`.
    Operator,
    /// `gradus`: the derivative operators.
    Gradus,
    /// `myia` and its modules: what programs for Myia use.
    Myia,
    /// `autograd` and its modules, but for those that have the names of NumPy and SciPy.
    Autograd,
    /// `jax`, with what its modules have for trees.
    Jax,
    /// `jax.numpy`: the names of NumPy, and some more.
    JaxNumpy,
    /// `jax.lax`.
    Lax,
    /// `jax.nn`.
    Nn,
    /// `jax.tree`.
    Tree,
    /// `numpy.linalg`.
    Linalg,
    /// `numpy.fft`.
    Fft,
    /// `scipy.integrate`.
    Integrate,
    /// `scipy.linalg`.
    ScipyLinalg,
    /// `scipy.signal`.
    Signal,
    /// `scipy.constants`.
    Constants,
    /// `scipy.interpolate`.
    Interpolate,
    /// `scipy.optimize`.
    Optimize,
    /// `numpy.random`.
    Random,
    /// `jax.random`.
    JaxRandom,
    /// `jax.ops`.
    JaxOps,
    /// `concurrent.futures`.
    Futures,
    /// `queue`.
    Queue,
    /// `threading`.
    Threading,
    /// `contextlib`.
    Contextlib,
    /// `enum`.
    Enum,
    /// `collections`.
    Collections,
    /// `statistics`.
    Statistics,
    /// `bisect`.
    Bisect,
    /// `copy`.
    Copy,
    /// `typing`, `dataclasses` and the like, whose names stand in annotations and before classes but for `replace`.
    Typing,
    /// What the library that is written in the language is made of.
    Intrinsics,
}

/// What a name of a library stands for.
#[derive(Clone, Copy, Debug)]
pub enum Item {
    /// A primitive on its operands.
    Prim(Prim),
    /// A number.
    Number(f64),
    /// A formula in primitives, on so many operands.
    Formula(usize, fn(&mut Emit<'_>, &[NodeId]) -> NodeId),
    /// A function that the lowering knows how to call.
    Special(Special),
    /// `None`.
    Nothing,
    /// A string.
    Text(&'static str),
    /// A function that is written in the language ([`super::library`]), by its name there.
    Written(&'static str),
    /// A module inside of the module.
    Library(Library),
}

/// Functions whose meaning depends on how they are called.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Special {
    /// `range(stop)`, `range(start, stop)`, `range(start, stop, step)`.
    Range,
    /// `min(t)`, `min(a, b, …)`.
    Min,
    /// `max(t)`, `max(a, b, …)`.
    Max,
    /// `log(x)`, `log(x, base)`.
    Log,
    /// `tuple()`, `tuple(t)`.
    Tuple,
    /// `list()`, `list(t)`.
    List,
    /// `float()`, `float(x)`.
    Float,
    /// `int()`, `int(x)`.
    Int,
    /// `bool()`, `bool(x)`.
    Bool,
    /// `enumerate(t)`, `enumerate(t, start)`.
    Enumerate,
    /// `sum(t)`, `sum(t, start)`.
    Sum,
    /// `all(t)`.
    All,
    /// `any(t)`.
    Any,
    /// `zip(t, …)`.
    Zip,
    /// `next(iter(t))`, `next(x for …)`, with a default or not.
    Next,
    /// `getattr(x, "name")`.
    GetAttr,
    /// `isinstance(x, types)`.
    IsInstance,
    /// `print(…)`.
    Print,
    /// `Box(x)`.
    Box,
    /// `dataclasses.replace(x, name=value)`.
    Replace,
    /// `callable(x)`.
    Callable,
    /// `functools.partial`.
    Partial,
    /// `slice(stop)`, `slice(start, stop)`, `slice(start, stop, step)`.
    Slice,
    /// `pow(x, n)`, `pow(x, n, modulus)`.
    Pow,
    /// `jvp(f, args, tangents)`.
    Jvp,
    /// Of the library: `witnessed(f, args)` calls a function for what it prints, too, where nobody gives it the state.
    Witnessed,
    /// Of the library: `silently(f(x))` is a call that is made for a derivative alone.
    Silently,
    /// Of the library: `has_array_objects()`.
    HasArrayObjects,
    /// Of the library: `has_list_objects()`.
    HasListObjects,
    /// Of the library: `performed(f(x))` is a call that is made for what it does alone.
    Performed,
    /// `grad`, or with the value `value_and_grad`.
    Grad {
        /// Gives the value too.
        value: bool,
    },
}

impl Item {
    /// Whether the function takes the elements of its argument one by one.
    pub fn goes_over(self) -> bool {
        use Special::*;
        matches!(
            self,
            Item::Special(All | Any | Enumerate | List | Max | Min | Next | Sum | Tuple | Zip) | Item::Prim(Prim::Reversed)
        )
    }

    /// Whether a builtin function computes with numbers, so that it gives an array for arrays.
    pub fn computes(self) -> bool {
        matches!(self, Item::Special(Special::Max | Special::Min | Special::Pow | Special::Sum) | Item::Prim(Prim::Abs))
    }

    /// The number of parameters of the function as a value; none where that is no function of a fixed number of arguments.
    pub fn arity(self) -> Option<usize> {
        match self {
            Item::Prim(p) => p.arity(),
            Item::Formula(n, _) => Some(n),
            Item::Number(_) | Item::Nothing | Item::Text(_) | Item::Written(_) | Item::Library(_) => None,
            Item::Special(special) => match special {
                Special::Min | Special::Max | Special::Pow | Special::Zip | Special::Witnessed => Some(2),
                Special::Range
                | Special::Partial
                | Special::IsInstance
                | Special::Print
                | Special::Box
                | Special::Replace
                | Special::GetAttr
                | Special::Next
                | Special::Slice
                | Special::HasArrayObjects
                | Special::HasListObjects => None,
                Special::Jvp => Some(3),
                Special::Log
                | Special::Tuple
                | Special::List
                | Special::Float
                | Special::Int
                | Special::Bool
                | Special::Enumerate
                | Special::Sum
                | Special::All
                | Special::Any
                | Special::Callable
                | Special::Silently
                | Special::Performed
                | Special::Grad { .. } => Some(1),
            },
        }
    }
}

/// Where the nodes of a formula go.
pub struct Emit<'a> {
    /// The module.
    pub module: &'a mut Module,
    /// Makes a primitive node.
    pub prim: &'a mut dyn FnMut(&mut Module, Prim, &[NodeId]) -> NodeId,
}

impl Emit<'_> {
    fn p(&mut self, prim: Prim, operands: &[NodeId]) -> NodeId {
        (self.prim)(self.module, prim, operands)
    }

    fn n(&mut self, value: f64) -> NodeId {
        self.module.constant(Const::F64(value.to_bits()), Type::F64)
    }
}

impl Library {
    /// Whether its functions compute with arrays: they take lists for arrays, and give new arrays.
    pub fn is_numeric(self) -> bool {
        use Library::*;
        matches!(
            self,
            Numpy
                | Special
                | Stats
                | Distribution(_)
                | Polynomial(_)
                | Linalg
                | Fft
                | Integrate
                | Interpolate
                | Optimize
                | ScipyLinalg
                | Signal
        )
    }

    /// The module with this dotted name.
    pub fn from_name(name: &str) -> Option<Library> {
        Some(match name {
            "math" => Library::Math,
            "cmath" => Library::Cmath,
            "numpy" => Library::Numpy,
            "scipy" => Library::Scipy,
            "functools" => Library::Functools,
            "itertools" => Library::Itertools,
            "operator" => Library::Operator,
            "gradus" => Library::Gradus,
            // What is in this module has its name, too.
            "autograd" | "autograd.misc.flatten" => Library::Autograd,
            "jax" => Library::Jax,
            "myia" | "myia.api" | "myia.composite" | "myia.operations" | "myia.prim.py_implementations" | "myia.xtype" => {
                Library::Myia
            }
            "concurrent.futures" => Library::Futures,
            "queue" => Library::Queue,
            "threading" => Library::Threading,
            "contextlib" => Library::Contextlib,
            "enum" => Library::Enum,
            "collections" => Library::Collections,
            "statistics" => Library::Statistics,
            "bisect" => Library::Bisect,
            "copy" => Library::Copy,
            "typing" | "__future__" | "dataclasses" | "abc" => Library::Typing,
            _ => {
                let (outer, inner) = name.rsplit_once('.')?;
                let outer = Library::from_name(outer)?;
                match outer.owner(inner).item(inner)? {
                    Item::Library(library) => library,
                    _ => return None,
                }
            }
        })
    }

    /// The dotted name.
    pub fn name(self) -> &'static str {
        match self {
            Library::Builtins => "builtins",
            Library::Math => "math",
            Library::Cmath => "cmath",
            Library::Numpy => "numpy",
            Library::Scipy => "scipy",
            Library::Special => "scipy.special",
            Library::Stats => "scipy.stats",
            Library::Distribution(name) | Library::Polynomial(name) => name,
            Library::Functools => "functools",
            Library::Itertools => "itertools",
            Library::Operator => "operator",
            Library::Gradus => "gradus",
            Library::Myia => "myia",
            Library::Autograd => "autograd",
            Library::Jax => "jax",
            Library::JaxNumpy => "jax.numpy",
            Library::Lax => "jax.lax",
            Library::Nn => "jax.nn",
            Library::Tree => "jax.tree",
            Library::Linalg => "numpy.linalg",
            Library::Fft => "numpy.fft",
            Library::Integrate => "scipy.integrate",
            Library::ScipyLinalg => "scipy.linalg",
            Library::Signal => "scipy.signal",
            Library::Constants => "scipy.constants",
            Library::Interpolate => "scipy.interpolate",
            Library::Optimize => "scipy.optimize",
            Library::Random => "numpy.random",
            Library::JaxRandom => "jax.random",
            Library::JaxOps => "jax.ops",
            Library::Futures => "concurrent.futures",
            Library::Queue => "queue",
            Library::Threading => "threading",
            Library::Contextlib => "contextlib",
            Library::Enum => "enum",
            Library::Collections => "collections",
            Library::Statistics => "statistics",
            Library::Bisect => "bisect",
            Library::Copy => "copy",
            Library::Typing => "typing",
            Library::Intrinsics => "intrinsics",
        }
    }

    /// What a name of the module itself stands for.
    pub fn item(self, name: &str) -> Option<Item> {
        let listed = self.table().iter().find(|(n, _)| *n == name).map(|&(_, item)| item);
        listed.or_else(|| library::find(self, name).map(Item::Written))
    }

    /// The module whose name this is: another one where it is that of a module whose names are this one's, too.
    pub fn owner(self, name: &str) -> Library {
        match self.base() {
            Some(base) if self.item(name).is_none() && base.item(name).is_some() => base,
            _ => self,
        }
    }

    /// The module whose names it has beside its own.
    fn base(self) -> Option<Library> {
        (self == Library::JaxNumpy).then_some(Library::Numpy)
    }

    /// All names of the module.
    pub fn names(self) -> impl Iterator<Item = &'static str> {
        let all = [Some(self), self.base()].into_iter().flatten();
        all.flat_map(|library| library.table().iter().map(|&(name, _)| name).chain(library::names(library)))
    }

    /// What to do instead, for a name that the module does not have here.
    pub fn hint(self, name: &str) -> Option<&'static str> {
        let is_it = |library: Library| library == self || Some(library) == self.base();
        jax::HINTS.iter().find(|&&(library, n, _)| is_it(library) && n == name).map(|&(_, _, hint)| hint)
    }

    /// The names that `from … import *` binds: all, but for what NumPy has beside builtins of the same names and does not export.
    pub fn star(self) -> impl Iterator<Item = &'static str> {
        let is_kept = move |name: &str| {
            self.owner(name) == Library::Numpy && Library::Builtins.item(name).is_some() && !["all", "any", "sum"].contains(&name)
        };
        self.names().filter(move |name| !name.starts_with('_') && !is_kept(name))
    }

    fn table(self) -> &'static [(&'static str, Item)] {
        match self {
            Library::Builtins => tables::BUILTINS,
            Library::Math => tables::MATH,
            Library::Cmath => tables::CMATH,
            Library::Numpy => tables::NUMPY,
            Library::ScipyLinalg => tables::SCIPY_LINALG,
            Library::Intrinsics => tables::INTRINSICS,
            Library::Constants => tables::CONSTANTS,
            Library::Scipy => tables::SCIPY,
            Library::Special => tables::SPECIAL,
            Library::Stats => tables::STATS,
            Library::Linalg => tables::LINALG,
            Library::Polynomial("numpy.polynomial") => tables::POLYNOMIALS,
            Library::Contextlib
            | Library::Distribution(_)
            | Library::Enum
            | Library::Fft
            | Library::Futures
            | Library::Integrate
            | Library::Interpolate
            | Library::Itertools
            | Library::JaxNumpy
            | Library::JaxOps
            | Library::JaxRandom
            | Library::Optimize
            | Library::Polynomial(_)
            | Library::Queue
            | Library::Random
            | Library::Signal
            | Library::Threading
            | Library::Statistics => &[],
            Library::Autograd => jax::AUTOGRAD,
            Library::Jax => jax::JAX,
            Library::Lax => jax::LAX,
            Library::Nn => jax::NN,
            Library::Tree => jax::TREE,
            Library::Bisect => tables::BISECT,
            Library::Copy => tables::COPY,
            Library::Functools => tables::FUNCTOOLS,
            Library::Operator => tables::OPERATOR,
            Library::Gradus => tables::GRADUS,
            Library::Myia => tables::MYIA,
            Library::Collections => tables::COLLECTIONS,
            Library::Typing => tables::TYPING,
        }
    }
}

/// The function of `operator` that numbers have for a method: `add` for `__add__`.
pub fn operator_method(name: &str) -> Option<(&'static str, Item)> {
    let name = name.strip_prefix("__")?.strip_suffix("__")?;
    Library::Operator.table().iter().find(|(function, _)| function.trim_end_matches('_') == name).copied()
}

/// Whether a name needs no import.
pub fn is_builtin(name: &str) -> bool {
    Library::Builtins.item(name).is_some() || OTHER_BUILTINS.contains(&name)
}

/// Builtins of Python that Gradus does not cover: unsupported rather than unknown.
pub const OTHER_BUILTINS: &[&str] = &[
    "ascii",
    "bin",
    "breakpoint",
    "bytearray",
    "bytes",
    "chr",
    "classmethod",
    "compile",
    "delattr",
    "dir",
    "eval",
    "exec",
    "format",
    "frozenset",
    "globals",
    "hasattr",
    "hash",
    "help",
    "hex",
    "id",
    "input",
    "issubclass",
    "iter",
    "locals",
    "memoryview",
    "object",
    "oct",
    "open",
    "ord",
    "property",
    "set",
    "setattr",
    "staticmethod",
    "super",
    "type",
    "vars",
    "__name__",
    "__file__",
    "Exception",
    "ValueError",
    "TypeError",
    "NotImplemented",
    "NotImplementedError",
    "AssertionError",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_sorted_and_have_no_doubles() {
        for library in [
            Library::Builtins,
            Library::Math,
            Library::Cmath,
            Library::Numpy,
            Library::Scipy,
            Library::Constants,
            Library::Linalg,
            Library::ScipyLinalg,
            Library::Special,
            Library::Stats,
            Library::Gradus,
            Library::Myia,
            Library::Autograd,
            Library::Jax,
            Library::JaxNumpy,
            Library::Lax,
            Library::Nn,
            Library::Tree,
            Library::Operator,
            Library::Intrinsics,
        ] {
            assert!(library.table().is_sorted_by(|(a, _), (b, _)| a < b), "{}", library.name());
            let mut names: Vec<_> = library.names().collect();
            names.sort_unstable();
            assert!(names.is_sorted_by(|a, b| a < b), "{}", library.name());
        }
    }
}
