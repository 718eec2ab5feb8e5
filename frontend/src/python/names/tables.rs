//! What the names of each module stand for, but for those that the library's text has.

use super::Item::{self, Formula, Number, Prim as P, Special as S};
use super::{Library, Special};
use gradus_ir::{ArrayOp, Const, Prim, Type};

const PI: Item = Number(std::f64::consts::PI);
const E: Item = Number(std::f64::consts::E);
const TAU: Item = Number(std::f64::consts::TAU);
const INF: Item = Number(f64::INFINITY);
const NAN: Item = Number(f64::NAN);
/// `x * (180 / π)`, as CPython and NumPy compute it.
const DEGREES: Item = Formula(1, |e, a| {
    let operands = [180.0, std::f64::consts::PI].map(|v| e.n(v));
    let factor = e.p(Prim::Div, &operands);
    e.p(Prim::Mul, &[a[0], factor])
});
const RADIANS: Item = Formula(1, |e, a| {
    let operands = [std::f64::consts::PI, 180.0].map(|v| e.n(v));
    let factor = e.p(Prim::Div, &operands);
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
pub(super) const IS_FINITE: Item = Formula(1, |e, a| {
    let (size, inf) = (e.p(Prim::Abs, a), e.n(f64::INFINITY));
    e.p(Prim::Lt, &[size, inf])
});
/// Whether one of two truth values holds, and not both.
const LOGICAL_XOR: Item = Formula(2, |e, a| {
    let truths = [a[0], a[1]].map(|x| e.p(Prim::Not, &[x]));
    e.p(Prim::Ne, &truths)
});
const REPR: Item = Formula(1, |e, a| {
    let template = e.module.constant(Const::Str("{!r}".into()), Type::Str);
    let values = e.p(Prim::Tuple, a);
    e.p(Prim::Text, &[template, values])
});
pub(super) const SQUARE: Item = Formula(1, |e, a| e.p(Prim::Mul, &[a[0], a[0]]));
const POSITIVE: Item = Formula(1, |_, a| a[0]);

pub(super) const BUILTINS: &[(&str, Item)] = &[
    ("abs", P(Prim::Abs)),
    ("all", S(Special::All)),
    ("any", S(Special::Any)),
    ("bool", S(Special::Bool)),
    ("callable", S(Special::Callable)),
    ("enumerate", S(Special::Enumerate)),
    ("float", S(Special::Float)),
    ("getattr", S(Special::GetAttr)),
    ("int", S(Special::Int)),
    ("isinstance", S(Special::IsInstance)),
    ("len", P(Prim::Len)),
    ("list", S(Special::List)),
    ("max", S(Special::Max)),
    ("min", S(Special::Min)),
    ("next", S(Special::Next)),
    ("pow", S(Special::Pow)),
    ("print", S(Special::Print)),
    ("range", S(Special::Range)),
    ("repr", REPR),
    ("reversed", P(Prim::Reversed)),
    ("slice", S(Special::Slice)),
    ("str", Item::Text("str")),
    ("sum", S(Special::Sum)),
    ("tuple", S(Special::Tuple)),
    ("zip", S(Special::Zip)),
];

pub(super) const MATH: &[(&str, Item)] = &[
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
    ("lgamma", P(Prim::Gammaln)),
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

pub(super) const CMATH: &[(&str, Item)] = &[("e", E), ("inf", INF), ("nan", NAN), ("pi", PI), ("tau", TAU)];

pub(super) const NUMPY: &[(&str, Item)] = &[
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
    ("bitwise_and", P(Prim::BitAnd)),
    ("bitwise_not", P(Prim::Invert)),
    ("bitwise_or", P(Prim::BitOr)),
    ("bitwise_xor", P(Prim::BitXor)),
    ("bool_", Item::Text("bool")),
    ("cbrt", P(Prim::Cbrt)),
    ("ceil", P(Prim::Ceil)),
    ("complex128", Item::Text("complex128")),
    ("copysign", P(Prim::Copysign)),
    ("cos", P(Prim::Cos)),
    ("cosh", P(Prim::Cosh)),
    ("deg2rad", RADIANS),
    ("degrees", DEGREES),
    ("divide", P(Prim::TrueDiv)),
    ("e", E),
    ("equal", P(Prim::Eq)),
    ("euler_gamma", Number(0.5772156649015329)),
    ("exp", P(Prim::Exp)),
    ("exp2", P(Prim::Exp2)),
    ("expm1", P(Prim::Expm1)),
    ("fabs", FABS),
    ("fft", Item::Library(Library::Fft)),
    ("fix", P(Prim::Trunc)),
    ("float32", Item::Text("float32")),
    ("float64", Item::Text("float64")),
    ("floor", P(Prim::Floor)),
    ("floor_divide", P(Prim::FloorDiv)),
    ("greater", P(Prim::Gt)),
    ("greater_equal", P(Prim::Ge)),
    ("hypot", P(Prim::Hypot)),
    ("inf", INF),
    ("int64", Item::Text("int64")),
    ("invert", P(Prim::Invert)),
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
    ("logical_xor", LOGICAL_XOR),
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
    ("random", Item::Library(Library::Random)),
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
    ("trapz", Item::Written("trapezoid")),
    ("true_divide", P(Prim::TrueDiv)),
    ("trunc", P(Prim::Trunc)),
];

pub(super) const CONSTANTS: &[(&str, Item)] = &[("pi", PI)];

pub(super) const SCIPY: &[(&str, Item)] = &[
    ("constants", Item::Library(Library::Constants)),
    ("fft", Item::Library(Library::Fft)),
    ("integrate", Item::Library(Library::Integrate)),
    ("interpolate", Item::Library(Library::Interpolate)),
    ("linalg", Item::Library(Library::ScipyLinalg)),
    ("optimize", Item::Library(Library::Optimize)),
    ("signal", Item::Library(Library::Signal)),
    ("special", Item::Library(Library::Special)),
    ("stats", Item::Library(Library::Stats)),
];

pub(super) const STATS: &[(&str, Item)] = &[
    ("beta", Item::Library(Library::Distribution("scipy.stats.beta"))),
    ("cauchy", Item::Library(Library::Distribution("scipy.stats.cauchy"))),
    ("chi2", Item::Library(Library::Distribution("scipy.stats.chi2"))),
    ("dirichlet", Item::Library(Library::Distribution("scipy.stats.dirichlet"))),
    ("expon", Item::Library(Library::Distribution("scipy.stats.expon"))),
    ("gamma", Item::Library(Library::Distribution("scipy.stats.gamma"))),
    ("laplace", Item::Library(Library::Distribution("scipy.stats.laplace"))),
    ("logistic", Item::Library(Library::Distribution("scipy.stats.logistic"))),
    ("lognorm", Item::Library(Library::Distribution("scipy.stats.lognorm"))),
    ("multivariate_normal", Item::Library(Library::Distribution("scipy.stats.multivariate_normal"))),
    ("norm", Item::Library(Library::Distribution("scipy.stats.norm"))),
    ("poisson", Item::Library(Library::Distribution("scipy.stats.poisson"))),
    ("t", Item::Library(Library::Distribution("scipy.stats.t"))),
    ("uniform", Item::Library(Library::Distribution("scipy.stats.uniform"))),
];

pub(super) const SPECIAL: &[(&str, Item)] = &[
    ("erf", P(Prim::Erf)),
    ("erfc", P(Prim::Erfc)),
    ("exp2", P(Prim::Exp2)),
    ("expit", P(Prim::Sigmoid)),
    ("expm1", P(Prim::Expm1)),
    ("gammaln", P(Prim::Gammaln)),
    ("log1p", P(Prim::Log1p)),
];

/// Those of NumPy that are the same here.
pub(super) const SCIPY_LINALG: &[(&str, Item)] = &[
    ("det", Item::Written("linalg_det")),
    ("inv", Item::Written("linalg_inv")),
    ("norm", Item::Written("linalg_norm")),
    ("pinv", Item::Written("linalg_pinv")),
    ("solve", Item::Written("linalg_solve")),
    ("svdvals", Item::Written("linalg_svdvals")),
];

/// Those of arrays take a constant last, which is the attribute, and any number of operands as a tuple.
pub(super) const INTRINSICS: &[(&str, Item)] = &[
    ("advance", P(Prim::Advance)),
    ("after", P(Prim::After)),
    ("alike", P(Prim::Alike)),
    ("applied", P(Prim::Applied)),
    ("applied_ruled", P(Prim::AppliedRuled)),
    ("array_of", P(Prim::AsArray)),
    ("as_list", P(Prim::AsList)),
    ("as_type", P(Prim::AsType)),
    ("barrier", P(Prim::Barrier)),
    ("bound", P(Prim::Bound)),
    ("boxed_by", P(Prim::NewBox)),
    ("broadcast", P(Prim::Lift(ArrayOp::Broadcast))),
    ("captures_floats", P(Prim::CapturesFloats)),
    ("cholesky_of", P(Prim::Lift(ArrayOp::Cholesky))),
    ("concat", P(Prim::Lift(ArrayOp::Concat))),
    ("constant", P(Prim::Constant)),
    ("cumulate", P(Prim::Lift(ArrayOp::CumSum))),
    ("defines", P(Prim::Defines)),
    ("dtype_of", P(Prim::DTypeOf)),
    ("empty_tree", P(Prim::EmptyTree)),
    ("entries", P(Prim::Entries)),
    ("environment_of", P(Prim::EnvironmentOf)),
    ("fields_of", P(Prim::FieldsOf)),
    ("fused", P(Prim::Fma)),
    ("gather", P(Prim::Lift(ArrayOp::Gather))),
    ("given", P(Prim::Given)),
    ("has_array_objects", S(Special::HasArrayObjects)),
    ("has_list_objects", S(Special::HasListObjects)),
    ("has_next", P(Prim::HasNext)),
    ("high_product", P(Prim::HighMul)),
    ("hypot_of", P(Prim::Hypot)),
    ("index_in", P(Prim::Index)),
    ("indices_of", P(Prim::Lift(ArrayOp::Indices))),
    ("iota", P(Prim::Lift(ArrayOp::Iota))),
    ("is_array", P(Prim::IsArray)),
    ("is_tuple", P(Prim::IsTuple)),
    ("is_written", P(Prim::IsWritten)),
    ("iter_of", P(Prim::Iter)),
    ("jvp_of", P(Prim::Jvp)),
    ("list_from", P(Prim::List)),
    ("list_of", P(Prim::ListOf)),
    ("logarithm_of_det", P(Prim::Lift(ArrayOp::LogDet))),
    ("mask_of", P(Prim::MaskOf)),
    ("matrix_product", P(Prim::Lift(ArrayOp::MatMul))),
    ("max_to", P(Prim::Lift(ArrayOp::MaxTo))),
    ("min_to", P(Prim::Lift(ArrayOp::MinTo))),
    ("next_of", P(Prim::Next)),
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
    ("performed", S(Special::Performed)),
    ("permute", P(Prim::Lift(ArrayOp::Transpose))),
    ("place", P(Prim::Lift(ArrayOp::Put))),
    ("place_of_max", P(Prim::Lift(ArrayOp::ArgMax))),
    ("place_of_min", P(Prim::Lift(ArrayOp::ArgMin))),
    ("polygamma_of", P(Prim::Polygamma)),
    ("pulled", P(Prim::Pulled)),
    ("pulled_last", P(Prim::PulledLast)),
    ("pushed", P(Prim::Pushed)),
    ("recorded", P(Prim::Recorded)),
    ("refuse", P(Prim::Refuse)),
    ("remainder_of", P(Prim::Rem)),
    ("round_int", P(Prim::RoundInt)),
    ("say", P(Prim::Print)),
    ("select", P(Prim::Select)),
    ("set_store", P(Prim::SetStore)),
    ("shape_of", P(Prim::ShapeOf)),
    ("shifted_down", P(Prim::ShiftRight)),
    ("shifted_up", P(Prim::ShiftLeft)),
    ("shown", P(Prim::Shown)),
    ("sign_of_det", P(Prim::Lift(ArrayOp::DetSign))),
    ("silently", S(Special::Silently)),
    ("site_of", P(Prim::SiteOf)),
    ("solution", P(Prim::Lift(ArrayOp::Solve))),
    ("starred", P(Prim::Starred)),
    ("stopped", P(Prim::StopGradient)),
    ("store", P(Prim::Store)),
    ("strong_product", P(Prim::Mul0)),
    ("subscripts", P(Prim::Subscripts)),
    ("sum_to", P(Prim::Lift(ArrayOp::SumTo))),
    ("summed", P(Prim::Summed)),
    ("together", P(Prim::Parts)),
    ("unpacked", P(Prim::Unpacked)),
    ("values_of", P(Prim::ValuesOf)),
    ("varying", P(Prim::Varying)),
    ("whole_of", P(Prim::WholeOf)),
    ("with_item", P(Prim::SetItem)),
    ("with_shape", P(Prim::Lift(ArrayOp::Reshape))),
    ("witnessed", S(Special::Witnessed)),
    ("wrapped_difference", P(Prim::WrapSub)),
    ("wrapped_product", P(Prim::WrapMul)),
    ("wrapped_sum", P(Prim::WrapAdd)),
    ("writes_to", P(Prim::WritesTo)),
];

/// `namedtuple` is a statement.
pub(super) const COLLECTIONS: &[(&str, Item)] = &[("OrderedDict", Item::Written("builtins_dict"))];

pub(super) const BISECT: &[(&str, Item)] = &[("bisect", Item::Written("bisect_bisect_right"))];

/// These are no functions of a name of their own, since what they give may share memory with what they are given.
pub(super) const COPY: &[(&str, Item)] = &[("copy", Item::Written("_shallow_copy")), ("deepcopy", Item::Written("_deep_copy"))];

pub(super) const TYPING: &[(&str, Item)] = &[("replace", S(Special::Replace))];

pub(super) const FUNCTOOLS: &[(&str, Item)] = &[("partial", S(Special::Partial))];

pub(super) const OPERATOR: &[(&str, Item)] = &[
    ("abs", P(Prim::Abs)),
    ("add", P(Prim::Add)),
    ("and_", P(Prim::BitAnd)),
    ("concat", P(Prim::Add)),
    ("contains", P(Prim::Contains)),
    ("eq", P(Prim::Eq)),
    ("floordiv", P(Prim::FloorDiv)),
    ("ge", P(Prim::Ge)),
    ("getitem", P(Prim::GetItem)),
    ("gt", P(Prim::Gt)),
    ("inv", P(Prim::Invert)),
    ("invert", P(Prim::Invert)),
    ("le", P(Prim::Le)),
    ("lshift", Item::Written("left_shift")),
    ("lt", P(Prim::Lt)),
    ("matmul", Item::Written("matmul")),
    ("mod", P(Prim::Mod)),
    ("mul", P(Prim::Mul)),
    ("ne", P(Prim::Ne)),
    ("neg", P(Prim::Neg)),
    ("not_", P(Prim::Not)),
    ("or_", P(Prim::BitOr)),
    ("pos", Item::Written("_positive")),
    ("pow", P(Prim::Power)),
    ("rshift", Item::Written("right_shift")),
    ("sub", P(Prim::Sub)),
    ("truediv", P(Prim::TrueDiv)),
    ("truth", P(Prim::Truth)),
    ("xor", P(Prim::BitXor)),
];

pub(super) const GRADUS: &[(&str, Item)] = &[
    ("Box", S(Special::Box)),
    ("grad", S(Special::Grad { value: false })),
    ("jvp", S(Special::Jvp)),
    ("nestlevel", P(Prim::NestLevel(0))),
    ("value_and_grad", S(Special::Grad { value: true })),
];

pub(super) const MYIA: &[(&str, Item)] = &[
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
