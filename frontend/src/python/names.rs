//! The names of Python's builtins, of `math`, NumPy, SciPy, `functools` and Gradus' own operators, and what each means: one table
//! each, read by the lowering of expressions.

use super::library;
use gradus_ir::{ArrayOp, Const, Module, NodeId, Prim, Type};

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
    /// `functools`.
    Functools,
    /// `operator`.
    Operator,
    /// `gradus`: the derivative operators.
    Gradus,
    /// `myia` and its modules: what programs for Myia use.
    Myia,
    /// `numpy.linalg`.
    Linalg,
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
    /// `tuple()`, `tuple(t)`, `list()`, `list(t)`.
    Tuple,
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
    /// `jvp(f, args, tangents)`.
    Jvp,
    /// `grad`, or with the value `value_and_grad`.
    Grad {
        /// Gives the value too.
        value: bool,
    },
}

impl Item {
    /// The number of parameters of the function as a value; none where that is no function of a fixed number of arguments.
    pub fn arity(self) -> Option<usize> {
        match self {
            Item::Prim(p) => p.arity(),
            Item::Formula(n, _) => Some(n),
            Item::Number(_) | Item::Nothing | Item::Text(_) | Item::Written(_) | Item::Library(_) => None,
            Item::Special(special) => match special {
                Special::Min | Special::Max | Special::Zip => Some(2),
                Special::Range | Special::Partial | Special::IsInstance | Special::Print | Special::Box | Special::Replace => {
                    None
                }
                Special::Jvp => Some(3),
                Special::Log
                | Special::Tuple
                | Special::Float
                | Special::Int
                | Special::Bool
                | Special::Enumerate
                | Special::Sum
                | Special::All
                | Special::Any
                | Special::Callable
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
    /// The module with this dotted name.
    pub fn from_name(name: &str) -> Option<Library> {
        Some(match name {
            "math" => Library::Math,
            "cmath" => Library::Cmath,
            "numpy" => Library::Numpy,
            "numpy.linalg" => Library::Linalg,
            "scipy" => Library::Scipy,
            "scipy.special" => Library::Special,
            "functools" => Library::Functools,
            "operator" => Library::Operator,
            "gradus" => Library::Gradus,
            "myia" | "myia.api" | "myia.composite" | "myia.operations" | "myia.prim.py_implementations" | "myia.xtype" => {
                Library::Myia
            }
            "typing" | "__future__" | "dataclasses" | "abc" => Library::Typing,
            _ => return None,
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
            Library::Functools => "functools",
            Library::Operator => "operator",
            Library::Gradus => "gradus",
            Library::Myia => "myia",
            Library::Linalg => "numpy.linalg",
            Library::Typing => "typing",
            Library::Intrinsics => "intrinsics",
        }
    }

    /// What a name of the module stands for.
    pub fn item(self, name: &str) -> Option<Item> {
        let listed = self.table().iter().find(|(n, _)| *n == name).map(|&(_, item)| item);
        listed.or_else(|| library::find(self, name).map(Item::Written))
    }

    /// All names of the module.
    pub fn names(self) -> impl Iterator<Item = &'static str> {
        self.table().iter().map(|&(name, _)| name).chain(library::names(self))
    }

    fn table(self) -> &'static [(&'static str, Item)] {
        match self {
            Library::Builtins => BUILTINS,
            Library::Math => MATH,
            Library::Cmath => CMATH,
            Library::Numpy => NUMPY,
            Library::Linalg => LINALG,
            Library::Intrinsics => INTRINSICS,
            Library::Scipy => SCIPY,
            Library::Special => SPECIAL,
            Library::Functools => FUNCTOOLS,
            Library::Operator => OPERATOR,
            Library::Gradus => GRADUS,
            Library::Myia => MYIA,
            Library::Typing => TYPING,
        }
    }
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
    "getattr",
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
    "next",
    "object",
    "oct",
    "open",
    "ord",
    "property",
    "repr",
    "set",
    "setattr",
    "slice",
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

use Item::{Formula, Number, Prim as P, Special as S};

const PI: Item = Number(std::f64::consts::PI);
const E: Item = Number(std::f64::consts::E);
const TAU: Item = Number(std::f64::consts::TAU);
const INF: Item = Number(f64::INFINITY);
const NAN: Item = Number(f64::NAN);
/// `x * (180 / π)`, as CPython and NumPy compute it.
const DEGREES: Item = Formula(1, |e, a| {
    let factor = e.n(180.0 / std::f64::consts::PI);
    e.p(Prim::Mul, &[a[0], factor])
});
const RADIANS: Item = Formula(1, |e, a| {
    let factor = e.n(std::f64::consts::PI / 180.0);
    e.p(Prim::Mul, &[a[0], factor])
});
const FABS: Item = Formula(1, |e, a| {
    let x = e.p(Prim::Float, a);
    e.p(Prim::Abs, &[x])
});
const IS_NAN: Item = Formula(1, |e, a| e.p(Prim::Ne, &[a[0], a[0]]));
const IS_INF: Item = Formula(1, |e, a| {
    let (size, inf) = (e.p(Prim::Abs, a), e.n(f64::INFINITY));
    e.p(Prim::Eq, &[size, inf])
});
const IS_FINITE: Item = Formula(1, |e, a| {
    let (size, inf) = (e.p(Prim::Abs, a), e.n(f64::INFINITY));
    e.p(Prim::Lt, &[size, inf])
});
/// Whether a value is no complex number but holds one.
const HOLDS_COMPLEX: Item = Formula(1, |e, a| {
    let name = e.module.constant(Const::Str("holds_complex".into()), Type::Str);
    let names = e.p(Prim::Tuple, &[name]);
    e.p(Prim::IsInstance, &[a[0], names])
});
const SQUARE: Item = Formula(1, |e, a| e.p(Prim::Mul, &[a[0], a[0]]));
const POSITIVE: Item = Formula(1, |_, a| a[0]);

const BUILTINS: &[(&str, Item)] = &[
    ("abs", P(Prim::Abs)),
    ("all", S(Special::All)),
    ("any", S(Special::Any)),
    ("bool", S(Special::Bool)),
    ("callable", S(Special::Callable)),
    ("enumerate", S(Special::Enumerate)),
    ("float", S(Special::Float)),
    ("int", S(Special::Int)),
    ("isinstance", S(Special::IsInstance)),
    ("len", P(Prim::Len)),
    ("list", S(Special::Tuple)),
    ("max", S(Special::Max)),
    ("min", S(Special::Min)),
    ("pow", P(Prim::Power)),
    ("print", S(Special::Print)),
    ("range", S(Special::Range)),
    ("reversed", P(Prim::Reversed)),
    ("round", P(Prim::RoundInt)),
    ("str", Item::Text("str")),
    ("sum", S(Special::Sum)),
    ("tuple", S(Special::Tuple)),
    ("zip", S(Special::Zip)),
];

const MATH: &[(&str, Item)] = &[
    ("acos", P(Prim::Acos)),
    ("acosh", P(Prim::Acosh)),
    ("asin", P(Prim::Asin)),
    ("asinh", P(Prim::Asinh)),
    ("atan", P(Prim::Atan)),
    ("atan2", P(Prim::Atan2)),
    ("atanh", P(Prim::Atanh)),
    ("cbrt", P(Prim::Cbrt)),
    ("ceil", P(Prim::CeilInt)),
    ("copysign", P(Prim::Copysign)),
    ("cos", P(Prim::Cos)),
    ("cosh", P(Prim::Cosh)),
    ("degrees", DEGREES),
    ("e", E),
    ("erf", P(Prim::Erf)),
    ("erfc", P(Prim::Erfc)),
    ("exp", P(Prim::Exp)),
    ("exp2", P(Prim::Exp2)),
    ("expm1", P(Prim::Expm1)),
    ("fabs", FABS),
    ("floor", P(Prim::FloorInt)),
    ("fma", P(Prim::Fma)),
    ("fmod", P(Prim::Rem)),
    ("inf", INF),
    ("isfinite", IS_FINITE),
    ("isinf", IS_INF),
    ("isnan", IS_NAN),
    ("log", S(Special::Log)),
    ("log10", P(Prim::Log10)),
    ("log1p", P(Prim::Log1p)),
    ("log2", P(Prim::Log2)),
    ("nan", NAN),
    ("pi", PI),
    ("pow", P(Prim::Pow)),
    ("radians", RADIANS),
    ("sin", P(Prim::Sin)),
    ("sinh", P(Prim::Sinh)),
    ("sqrt", P(Prim::Sqrt)),
    ("tan", P(Prim::Tan)),
    ("tanh", P(Prim::Tanh)),
    ("tau", TAU),
    ("trunc", P(Prim::TruncInt)),
];

const CMATH: &[(&str, Item)] = &[("e", E), ("inf", INF), ("nan", NAN), ("pi", PI), ("tau", TAU)];

const NUMPY: &[(&str, Item)] = &[
    ("abs", P(Prim::Abs)),
    ("absolute", P(Prim::Abs)),
    ("acos", P(Prim::Acos)),
    ("acosh", P(Prim::Acosh)),
    ("add", P(Prim::Add)),
    ("arccos", P(Prim::Acos)),
    ("arccosh", P(Prim::Acosh)),
    ("arcsin", P(Prim::Asin)),
    ("arcsinh", P(Prim::Asinh)),
    ("arctan", P(Prim::Atan)),
    ("arctan2", P(Prim::Atan2)),
    ("arctanh", P(Prim::Atanh)),
    ("asin", P(Prim::Asin)),
    ("asinh", P(Prim::Asinh)),
    ("atan", P(Prim::Atan)),
    ("atan2", P(Prim::Atan2)),
    ("atanh", P(Prim::Atanh)),
    ("bool_", Item::Text("bool")),
    ("cbrt", P(Prim::Cbrt)),
    ("ceil", P(Prim::Ceil)),
    ("copysign", P(Prim::Copysign)),
    ("cos", P(Prim::Cos)),
    ("cosh", P(Prim::Cosh)),
    ("deg2rad", RADIANS),
    ("degrees", DEGREES),
    ("divide", P(Prim::TrueDiv)),
    ("e", E),
    ("equal", P(Prim::Eq)),
    ("exp", P(Prim::Exp)),
    ("exp2", P(Prim::Exp2)),
    ("expm1", P(Prim::Expm1)),
    ("fabs", FABS),
    ("float32", Item::Text("float32")),
    ("float64", Item::Text("float64")),
    ("floor", P(Prim::Floor)),
    ("floor_divide", P(Prim::FloorDiv)),
    ("greater", P(Prim::Gt)),
    ("greater_equal", P(Prim::Ge)),
    ("hypot", P(Prim::Hypot)),
    ("inf", INF),
    ("int64", Item::Text("int64")),
    ("isfinite", IS_FINITE),
    ("isinf", IS_INF),
    ("isnan", IS_NAN),
    ("less", P(Prim::Lt)),
    ("less_equal", P(Prim::Le)),
    ("linalg", Item::Library(Library::Linalg)),
    ("log", P(Prim::Log)),
    ("log10", P(Prim::Log10)),
    ("log1p", P(Prim::Log1p)),
    ("log2", P(Prim::Log2)),
    ("logaddexp", P(Prim::LogAddExp)),
    ("logical_and", P(Prim::And)),
    ("logical_not", P(Prim::Not)),
    ("logical_or", P(Prim::Or)),
    ("maximum", P(Prim::Maximum)),
    ("minimum", P(Prim::Minimum)),
    ("mod", P(Prim::Mod)),
    ("multiply", P(Prim::Mul)),
    ("nan", NAN),
    ("ndarray", Item::Text("ndarray")),
    ("negative", P(Prim::Neg)),
    ("newaxis", Item::Nothing),
    ("not_equal", P(Prim::Ne)),
    ("pi", PI),
    ("positive", POSITIVE),
    ("pow", P(Prim::Power)),
    ("power", P(Prim::Power)),
    ("rad2deg", DEGREES),
    ("radians", RADIANS),
    ("remainder", P(Prim::Mod)),
    ("rint", P(Prim::Round)),
    ("select", Item::Written("_select")),
    ("sign", P(Prim::Sign)),
    ("sin", P(Prim::Sin)),
    ("sinh", P(Prim::Sinh)),
    ("sqrt", P(Prim::Sqrt)),
    ("square", SQUARE),
    ("subtract", P(Prim::Sub)),
    ("tan", P(Prim::Tan)),
    ("tanh", P(Prim::Tanh)),
    ("true_divide", P(Prim::TrueDiv)),
    ("trunc", P(Prim::Trunc)),
];

const SCIPY: &[(&str, Item)] = &[("special", Item::Library(Library::Special))];

const SPECIAL: &[(&str, Item)] = &[
    ("erf", P(Prim::Erf)),
    ("erfc", P(Prim::Erfc)),
    ("exp2", P(Prim::Exp2)),
    ("expit", P(Prim::Sigmoid)),
    ("expm1", P(Prim::Expm1)),
    ("gammaln", P(Prim::Gammaln)),
    ("log1p", P(Prim::Log1p)),
];

const LINALG: &[(&str, Item)] = &[];

/// Those of arrays take a constant last, which is the attribute, and any number of operands as a tuple.
const INTRINSICS: &[(&str, Item)] = &[
    ("applied", P(Prim::Applied)),
    ("applied_ruled", P(Prim::AppliedRuled)),
    ("array_of", P(Prim::AsArray)),
    ("as_list", P(Prim::AsList)),
    ("as_type", P(Prim::AsType)),
    ("barrier", P(Prim::Barrier)),
    ("broadcast", P(Prim::Lift(ArrayOp::Broadcast))),
    ("cholesky_of", P(Prim::Lift(ArrayOp::Cholesky))),
    ("concat", P(Prim::Lift(ArrayOp::Concat))),
    ("constant", P(Prim::Constant)),
    ("cumulate", P(Prim::Lift(ArrayOp::CumSum))),
    ("dtype_of", P(Prim::DTypeOf)),
    ("empty_tree", P(Prim::EmptyTree)),
    ("environment_of", P(Prim::EnvironmentOf)),
    ("gather", P(Prim::Lift(ArrayOp::Gather))),
    ("given", P(Prim::Given)),
    ("holds_complex", HOLDS_COMPLEX),
    ("hypot_of", P(Prim::Hypot)),
    ("index_in", P(Prim::Index)),
    ("indices_of", P(Prim::Lift(ArrayOp::Indices))),
    ("iota", P(Prim::Lift(ArrayOp::Iota))),
    ("is_array", P(Prim::IsArray)),
    ("is_tuple", P(Prim::IsTuple)),
    ("list_of", P(Prim::ListOf)),
    ("logarithm_of_det", P(Prim::Lift(ArrayOp::LogDet))),
    ("mask_of", P(Prim::MaskOf)),
    ("matrix_product", P(Prim::Lift(ArrayOp::MatMul))),
    ("max_to", P(Prim::Lift(ArrayOp::MaxTo))),
    ("min_to", P(Prim::Lift(ArrayOp::MinTo))),
    ("new_ref", P(Prim::NewRef)),
    ("no_captures", P(Prim::NoCaptures)),
    ("number_of", P(Prim::NumberOf)),
    ("opened", P(Prim::Opened)),
    ("opened_element", P(Prim::OpenedElement)),
    ("opened_node", P(Prim::OpenedNode)),
    ("order_of", P(Prim::Lift(ArrayOp::ArgSort))),
    ("packed", P(Prim::Packed)),
    ("packed_element", P(Prim::PackedElement)),
    ("packed_node", P(Prim::PackedNode)),
    ("part", P(Prim::Lift(ArrayOp::Slice))),
    ("part_of", P(Prim::PartOf)),
    ("permute", P(Prim::Lift(ArrayOp::Transpose))),
    ("place", P(Prim::Lift(ArrayOp::Put))),
    ("place_of_max", P(Prim::Lift(ArrayOp::ArgMax))),
    ("place_of_min", P(Prim::Lift(ArrayOp::ArgMin))),
    ("polygamma_of", P(Prim::Polygamma)),
    ("pulled", P(Prim::Pulled)),
    ("pulled_gated", P(Prim::PulledGated)),
    ("pushed", P(Prim::Pushed)),
    ("refuse", P(Prim::Refuse)),
    ("remainder_of", P(Prim::Rem)),
    ("select", P(Prim::Select)),
    ("shape_of", P(Prim::ShapeOf)),
    ("shown", P(Prim::Shown)),
    ("sign_of_det", P(Prim::Lift(ArrayOp::DetSign))),
    ("solution", P(Prim::Lift(ArrayOp::Solve))),
    ("stopped", P(Prim::StopGradient)),
    ("subscripts", P(Prim::Subscripts)),
    ("sum_to", P(Prim::Lift(ArrayOp::SumTo))),
    ("summed", P(Prim::Summed)),
    ("values_of", P(Prim::ValuesOf)),
    ("varying", P(Prim::Varying)),
    ("whole_of", P(Prim::WholeOf)),
    ("with_item", P(Prim::SetItem)),
    ("with_shape", P(Prim::Lift(ArrayOp::Reshape))),
    ("without_captures", P(Prim::WithoutCaptures)),
];

const TYPING: &[(&str, Item)] = &[("replace", S(Special::Replace))];

const FUNCTOOLS: &[(&str, Item)] = &[("partial", S(Special::Partial))];

const OPERATOR: &[(&str, Item)] = &[
    ("abs", P(Prim::Abs)),
    ("add", P(Prim::Add)),
    ("and_", P(Prim::BitAnd)),
    ("contains", P(Prim::Contains)),
    ("eq", P(Prim::Eq)),
    ("floordiv", P(Prim::FloorDiv)),
    ("ge", P(Prim::Ge)),
    ("getitem", P(Prim::GetItem)),
    ("gt", P(Prim::Gt)),
    ("le", P(Prim::Le)),
    ("lt", P(Prim::Lt)),
    ("matmul", Item::Written("matmul")),
    ("mod", P(Prim::Mod)),
    ("mul", P(Prim::Mul)),
    ("ne", P(Prim::Ne)),
    ("neg", P(Prim::Neg)),
    ("not_", P(Prim::Not)),
    ("or_", P(Prim::BitOr)),
    ("pow", P(Prim::Power)),
    ("sub", P(Prim::Sub)),
    ("truediv", P(Prim::TrueDiv)),
    ("truth", P(Prim::Truth)),
    ("xor", P(Prim::BitXor)),
];

const GRADUS: &[(&str, Item)] = &[
    ("Box", S(Special::Box)),
    ("grad", S(Special::Grad { value: false })),
    ("jvp", S(Special::Jvp)),
    ("nestlevel", P(Prim::NestLevel(0))),
    ("value_and_grad", S(Special::Grad { value: true })),
];

const MYIA: &[(&str, Item)] = &[
    ("bool_and", P(Prim::And)),
    ("bool_eq", P(Prim::Eq)),
    ("bool_not", P(Prim::Not)),
    ("bool_or", P(Prim::Or)),
    ("f32", Item::Text("float32")),
    ("f64", Item::Text("float64")),
    ("grad", S(Special::Grad { value: false })),
    ("i64", Item::Text("int64")),
    ("list_getitem", P(Prim::GetItem)),
    ("list_len", P(Prim::Len)),
    ("partial", S(Special::Partial)),
    ("scalar_abs", P(Prim::Abs)),
    ("scalar_add", P(Prim::Add)),
    ("scalar_cos", P(Prim::Cos)),
    ("scalar_eq", P(Prim::Eq)),
    ("scalar_exp", P(Prim::Exp)),
    ("scalar_floor", P(Prim::Floor)),
    ("scalar_floordiv", P(Prim::FloorDiv)),
    ("scalar_ge", P(Prim::Ge)),
    ("scalar_gt", P(Prim::Gt)),
    ("scalar_le", P(Prim::Le)),
    ("scalar_log", P(Prim::Log)),
    ("scalar_lt", P(Prim::Lt)),
    ("scalar_max", P(Prim::Maximum)),
    ("scalar_min", P(Prim::Minimum)),
    ("scalar_mod", P(Prim::Mod)),
    ("scalar_mul", P(Prim::Mul)),
    ("scalar_ne", P(Prim::Ne)),
    ("scalar_pow", P(Prim::Power)),
    ("scalar_sign", P(Prim::Sign)),
    ("scalar_sin", P(Prim::Sin)),
    ("scalar_sub", P(Prim::Sub)),
    ("scalar_tan", P(Prim::Tan)),
    ("scalar_tanh", P(Prim::Tanh)),
    ("scalar_uadd", POSITIVE),
    ("scalar_usub", P(Prim::Neg)),
    ("tuple_getitem", P(Prim::GetItem)),
    ("tuple_len", P(Prim::Len)),
    ("value_and_grad", S(Special::Grad { value: true })),
];

/// The candidate most like `name`, if one is like enough to be what was meant.
pub fn nearest<'n>(name: &str, candidates: impl IntoIterator<Item = &'n str>) -> Option<&'n str> {
    let limit = 1 + name.chars().count() / 4;
    candidates
        .into_iter()
        .map(|c| (distance(name, c), c))
        .filter(|&(d, c)| d <= limit && d < c.chars().count().min(name.chars().count()))
        .min()
        .map(|(_, c)| c)
}

/// Levenshtein's distance; names longer than any a person means are infinitely far.
fn distance(a: &str, b: &str) -> usize {
    if a.len() > 200 || b.len() > 200 {
        return usize::MAX;
    }
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, &y) in b.iter().enumerate() {
            let substituted = diagonal + usize::from(x != y);
            diagonal = row[j + 1];
            row[j + 1] = substituted.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}

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
            Library::Special,
            Library::Gradus,
            Library::Myia,
            Library::Operator,
            Library::Intrinsics,
        ] {
            assert!(library.table().is_sorted_by(|(a, _), (b, _)| a < b), "{}", library.name());
            let mut names: Vec<_> = library.names().collect();
            names.sort_unstable();
            assert!(names.is_sorted_by(|a, b| a < b), "{}", library.name());
        }
    }

    #[test]
    fn near_names() {
        assert_eq!(nearest("sqr", Library::Math.names()), Some("sqrt"));
        assert_eq!(nearest("arctn", Library::Numpy.names()), Some("arctan"));
        assert_eq!(nearest("x", ["y", "z"]), None);
        assert_eq!(nearest("frobnicate", Library::Math.names()), None);
    }
}
