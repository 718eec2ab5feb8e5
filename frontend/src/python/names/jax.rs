//! What the names of JAX's and Autograd's modules stand for, but for those that the library's text has and those that are NumPy's.

use super::Item::{self, Prim as P, Special as S, Written as W};
use super::tables::{IS_FINITE, SQUARE};
use super::{Library, Special};
use gradus_ir::Prim;

/// Autograd and its modules, as one.
pub(super) const AUTOGRAD: &[(&str, Item)] = &[
    ("builtins", Item::Library(Library::Builtins)),
    ("checkpoint", W("gradus_checkpoint")),
    ("differential_operators", Item::Library(Library::Autograd)),
    ("extend", Item::Library(Library::Autograd)),
    ("flatten", W("jax_ravel_pytree")),
    ("grad", S(Special::Grad { value: false })),
    ("grad_named", S(Special::Grad { value: false })),
    ("hessian_tensor_product", W("autograd_hessian_vector_product")),
    ("misc", Item::Library(Library::Autograd)),
    ("numpy", Item::Library(Library::Numpy)),
    ("optimizers", Item::Library(Library::Autograd)),
    ("scipy", Item::Library(Library::Scipy)),
    ("tensor_jacobian_product", W("autograd_vector_jacobian_product")),
    ("value_and_grad", S(Special::Grad { value: true })),
];

/// JAX and its modules of trees, as one.
pub(super) const JAX: &[(&str, Item)] = &[
    ("Array", Item::Text("ndarray")),
    ("ad_checkpoint", Item::Library(Library::Jax)),
    ("block_until_ready", W("_same")),
    ("device_put", W("_same")),
    ("flatten_util", Item::Library(Library::Jax)),
    ("grad", S(Special::Grad { value: false })),
    ("hessian", W("gradus_hessian")),
    ("jacfwd", W("gradus_jacfwd")),
    ("jacobian", W("gradus_jacrev")),
    ("jacrev", W("gradus_jacrev")),
    ("jvp", S(Special::Jvp)),
    ("lax", Item::Library(Library::Lax)),
    ("linearize", W("gradus_linearize")),
    ("nn", Item::Library(Library::Nn)),
    ("numpy", Item::Library(Library::JaxNumpy)),
    ("random", Item::Library(Library::JaxRandom)),
    ("remat", W("jax_checkpoint")),
    ("scipy", Item::Library(Library::Scipy)),
    ("tree", Item::Library(Library::Tree)),
    ("tree_util", Item::Library(Library::Jax)),
    ("value_and_grad", S(Special::Grad { value: true })),
    ("vjp", W("gradus_vjp")),
    ("vmap", W("gradus_vmap")),
];

pub(super) const TREE: &[(&str, Item)] = &[
    ("flatten", W("jax_tree_flatten")),
    ("leaves", W("jax_tree_leaves")),
    ("map", W("jax_tree_map")),
    ("reduce", W("jax_tree_reduce")),
    ("unflatten", W("jax_tree_unflatten")),
];

pub(super) const LAX: &[(&str, Item)] = &[
    ("abs", P(Prim::Abs)),
    ("acos", P(Prim::Acos)),
    ("acosh", P(Prim::Acosh)),
    ("add", P(Prim::Add)),
    ("asin", P(Prim::Asin)),
    ("asinh", P(Prim::Asinh)),
    ("atan", P(Prim::Atan)),
    ("atan2", P(Prim::Atan2)),
    ("atanh", P(Prim::Atanh)),
    ("bitwise_and", P(Prim::BitAnd)),
    ("bitwise_not", P(Prim::Invert)),
    ("bitwise_or", P(Prim::BitOr)),
    ("bitwise_xor", P(Prim::BitXor)),
    ("cbrt", P(Prim::Cbrt)),
    ("ceil", P(Prim::Ceil)),
    ("convert_element_type", W("astype")),
    ("cos", P(Prim::Cos)),
    ("cosh", P(Prim::Cosh)),
    ("digamma", W("special_digamma")),
    ("dot", W("dot")),
    ("eq", P(Prim::Eq)),
    ("erf", P(Prim::Erf)),
    ("erf_inv", W("special_erfinv")),
    ("erfc", P(Prim::Erfc)),
    ("exp", P(Prim::Exp)),
    ("exp2", P(Prim::Exp2)),
    ("expand_dims", W("expand_dims")),
    ("expm1", P(Prim::Expm1)),
    ("floor", P(Prim::Floor)),
    ("full", W("full")),
    ("full_like", W("full_like")),
    ("ge", P(Prim::Ge)),
    ("gt", P(Prim::Gt)),
    ("is_finite", IS_FINITE),
    ("le", P(Prim::Le)),
    ("lgamma", P(Prim::Gammaln)),
    ("log", P(Prim::Log)),
    ("log1p", P(Prim::Log1p)),
    ("logistic", P(Prim::Sigmoid)),
    ("lt", P(Prim::Lt)),
    ("max", P(Prim::Maximum)),
    ("min", P(Prim::Minimum)),
    ("mul", P(Prim::Mul)),
    ("ne", P(Prim::Ne)),
    ("neg", P(Prim::Neg)),
    ("pow", P(Prim::Power)),
    ("reshape", W("reshape")),
    ("sign", P(Prim::Sign)),
    ("sin", P(Prim::Sin)),
    ("sinh", P(Prim::Sinh)),
    ("sqrt", P(Prim::Sqrt)),
    ("square", SQUARE),
    ("stop_gradient", W("gradus_stop_gradient")),
    ("sub", P(Prim::Sub)),
    ("tan", P(Prim::Tan)),
    ("tanh", P(Prim::Tanh)),
    ("transpose", W("transpose")),
];

pub(super) const NN: &[(&str, Item)] =
    &[("logsumexp", W("special_logsumexp")), ("sigmoid", P(Prim::Sigmoid)), ("swish", W("jax_nn_silu")), ("tanh", P(Prim::Tanh))];

/// Names that programs use and that have no meaning here, with what to do instead.
pub(super) const HINTS: &[(Library, &str, &str)] = &[
    (Library::Collections, "namedtuple", "a named tuple is made at the top level: `Point = namedtuple(\"Point\", \"x y\")`"),
    (Library::Jax, "checkpoint_policies", "leave the policy out: nothing but the arguments is kept"),
    (Library::Jax, "config", "numbers are floats of 64 bits here: leave it out of functions"),
    (Library::Jax, "debug", "write `print(…)`"),
    (Library::Jax, "make_jaxpr", "the command `gradus ir` prints the program at each stage"),
    (Library::Jax, "pmap", "write `jax.vmap`"),
    (Library::Jax, "random", "make random numbers outside, and take them as an argument"),
    (Library::Numpy, "random", "make random numbers outside, and take them as an argument"),
];
