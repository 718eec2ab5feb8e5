//! The part of NumPy and SciPy that is written in the language: the files of `library`, read as one.
//!
//! Each function of that text is the function of `numpy` with its name, with a prefix (`linalg_`, `builtins_`, …) that of another
//! module; names that begin with an underscore are its own. What it is made of beside the language
//! are the intrinsics in `names`. Its functions are specialised for constants among their arguments ([`gradus_ir::Flavor::Library`]),
//! so shapes and axes are constants inside of them.

use super::names::Library;
use super::references::Takes;
use super::scope::Globals;
use gradus_ir::{Flavor, OnBox};
use ruff_python_ast::Stmt;
use rustc_hash::FxHashSet;
use std::sync::LazyLock;

const TEXT: &str = concat!(
    include_str!("library/names.py"),
    include_str!("library/complex.py"),
    include_str!("library/shapes.py"),
    include_str!("library/making.py"),
    include_str!("library/reductions.py"),
    include_str!("library/products.py"),
    include_str!("library/polynomials.py"),
    include_str!("library/fft.py"),
    include_str!("library/places.py"),
    include_str!("library/sets.py"),
    include_str!("library/windows.py"),
    include_str!("library/linalg.py"),
    include_str!("library/decompositions.py"),
    include_str!("library/matrices.py"),
    include_str!("library/singular.py"),
    include_str!("library/special.py"),
    include_str!("library/bessel.py"),
    include_str!("library/stats.py"),
    include_str!("library/distributions.py"),
    include_str!("library/samples.py"),
    include_str!("library/scipy.py"),
    include_str!("library/integrate.py"),
    include_str!("library/optimize.py"),
    include_str!("library/interpolate.py"),
    include_str!("library/ziggurat.py"),
    include_str!("library/random.py"),
    include_str!("library/errors.py"),
    include_str!("library/threefry.py"),
    include_str!("library/python.py"),
    include_str!("library/modules.py"),
    include_str!("library/iteration.py"),
    include_str!("library/strings.py"),
    include_str!("library/whole.py"),
    include_str!("library/toolbox.py"),
    include_str!("library/boxes.py"),
    include_str!("library/references.py"),
    include_str!("library/objects.py"),
    include_str!("library/lists.py"),
    include_str!("library/tables.py"),
    include_str!("library/myia.py"),
    include_str!("library/jax.py"),
    include_str!("library/lax.py"),
    include_str!("library/trees.py"),
    include_str!("library/autograd.py"),
);

/// The functions of the library that make lists, dicts and arrays that are objects, or change them.
static OF_OBJECTS: LazyLock<FxHashSet<&'static str>> = LazyLock::new(|| {
    let lines = [include_str!("library/references.py"), include_str!("library/objects.py")].into_iter().flat_map(str::lines);
    lines.filter_map(|line| line.strip_prefix("def ")?.split_once('(')).map(|(name, _)| name).collect()
});

/// Whether a function of the library works on objects.
pub fn is_of_objects(name: &str) -> bool {
    OF_OBJECTS.contains(name)
}

static BODY: LazyLock<Vec<Stmt>> = LazyLock::new(|| {
    let parsed = ruff_python_parser::parse_module(TEXT).expect("the library is Python");
    parsed.into_suite().into_iter().collect()
});

static GLOBALS: LazyLock<Globals<'static>> = LazyLock::new(|| Globals::of(&BODY));

static NAMES: LazyLock<Vec<&'static str>> = LazyLock::new(|| GLOBALS.functions());

/// The names that the file binds.
pub fn globals() -> &'static Globals<'static> {
    &GLOBALS
}

/// A name of the file as it stands there.
pub fn own(name: &str) -> &'static str {
    NAMES.iter().find(|n| **n == name).copied().expect("a function of the library")
}

/// What the names of a module's functions begin with in the file, for those that are not NumPy's; of two that fit, the first.
const PREFIXES: &[(Library, &str)] = &[
    (Library::Autograd, "autograd_"),
    (Library::Bisect, "bisect_"),
    (Library::Builtins, "builtins_"),
    (Library::Cmath, "cmath_"),
    (Library::Collections, "collections_"),
    (Library::Constants, "constants_"),
    (Library::Contextlib, "contextlib_"),
    (Library::Enum, "enum_"),
    (Library::Fft, "fft_"),
    (Library::Futures, "futures_"),
    (Library::Functools, "functools_"),
    (Library::Gradus, "gradus_"),
    (Library::Integrate, "integrate_"),
    (Library::Interpolate, "interpolate_"),
    (Library::Itertools, "itertools_"),
    (Library::JaxOps, "jax_ops_"),
    (Library::JaxRandom, "jax_random_"),
    (Library::Lax, "jax_lax_"),
    (Library::Nn, "jax_nn_"),
    (Library::JaxNumpy, "jax_numpy_"),
    (Library::Jax, "jax_"),
    (Library::Linalg, "linalg_"),
    (Library::Math, "math_"),
    (Library::Myia, "myia_"),
    (Library::Operator, "operator_"),
    (Library::Optimize, "optimize_"),
    (Library::Polynomial("numpy.polynomial.chebyshev"), "polynomial_chebyshev_"),
    (Library::Polynomial("numpy.polynomial.hermite_e"), "polynomial_hermite_e_"),
    (Library::Polynomial("numpy.polynomial.hermite"), "polynomial_hermite_"),
    (Library::Polynomial("numpy.polynomial.laguerre"), "polynomial_laguerre_"),
    (Library::Polynomial("numpy.polynomial.legendre"), "polynomial_legendre_"),
    (Library::Polynomial("numpy.polynomial.polynomial"), "polynomial_polynomial_"),
    (Library::Queue, "queue_"),
    (Library::Random, "random_"),
    (Library::ScipyLinalg, "scipy_linalg_"),
    (Library::Signal, "signal_"),
    (Library::Special, "special_"),
    (Library::Statistics, "statistics_"),
    (Library::Distribution("scipy.stats.bernoulli"), "stats_bernoulli_"),
    (Library::Distribution("scipy.stats.beta"), "stats_beta_"),
    (Library::Distribution("scipy.stats.binom"), "stats_binom_"),
    (Library::Distribution("scipy.stats.cauchy"), "stats_cauchy_"),
    (Library::Distribution("scipy.stats.chi2"), "stats_chi2_"),
    (Library::Distribution("scipy.stats.dirichlet"), "stats_dirichlet_"),
    (Library::Distribution("scipy.stats.expon"), "stats_expon_"),
    (Library::Distribution("scipy.stats.f"), "stats_f_"),
    (Library::Distribution("scipy.stats.gamma"), "stats_gamma_"),
    (Library::Distribution("scipy.stats.genextreme"), "stats_genextreme_"),
    (Library::Distribution("scipy.stats.genpareto"), "stats_genpareto_"),
    (Library::Distribution("scipy.stats.geom"), "stats_geom_"),
    (Library::Distribution("scipy.stats.gumbel_l"), "stats_gumbel_l_"),
    (Library::Distribution("scipy.stats.gumbel_r"), "stats_gumbel_r_"),
    (Library::Distribution("scipy.stats.halfcauchy"), "stats_halfcauchy_"),
    (Library::Distribution("scipy.stats.halfnorm"), "stats_halfnorm_"),
    (Library::Distribution("scipy.stats.invgamma"), "stats_invgamma_"),
    (Library::Distribution("scipy.stats.invgauss"), "stats_invgauss_"),
    (Library::Distribution("scipy.stats.laplace"), "stats_laplace_"),
    (Library::Distribution("scipy.stats.logistic"), "stats_logistic_"),
    (Library::Distribution("scipy.stats.lognorm"), "stats_lognorm_"),
    (Library::Distribution("scipy.stats.loguniform"), "stats_loguniform_"),
    (Library::Distribution("scipy.stats.maxwell"), "stats_maxwell_"),
    (Library::Distribution("scipy.stats.multinomial"), "stats_multinomial_"),
    (Library::Distribution("scipy.stats.multivariate_normal"), "stats_multivariate_normal_"),
    (Library::Distribution("scipy.stats.nbinom"), "stats_nbinom_"),
    (Library::Distribution("scipy.stats.norm"), "stats_norm_"),
    (Library::Distribution("scipy.stats.pareto"), "stats_pareto_"),
    (Library::Distribution("scipy.stats.poisson"), "stats_poisson_"),
    (Library::Distribution("scipy.stats.powerlaw"), "stats_powerlaw_"),
    (Library::Distribution("scipy.stats.randint"), "stats_randint_"),
    (Library::Distribution("scipy.stats.rayleigh"), "stats_rayleigh_"),
    (Library::Distribution("scipy.stats.skewnorm"), "stats_skewnorm_"),
    (Library::Distribution("scipy.stats.t"), "stats_t_"),
    (Library::Distribution("scipy.stats.triang"), "stats_triang_"),
    (Library::Distribution("scipy.stats.truncnorm"), "stats_truncnorm_"),
    (Library::Distribution("scipy.stats.uniform"), "stats_uniform_"),
    (Library::Distribution("scipy.stats.vonmises"), "stats_vonmises_"),
    (Library::Distribution("scipy.stats.weibull_min"), "stats_weibull_min_"),
    (Library::Stats, "stats_"),
    (Library::Threading, "threading_"),
];

fn prefix(library: Library) -> Option<&'static str> {
    if library == Library::Numpy { Some("") } else { PREFIXES.iter().find(|(l, _)| *l == library).map(|&(_, prefix)| prefix) }
}

/// The name in the file of a module's function.
pub fn find(library: Library, name: &str) -> Option<&'static str> {
    let prefix = prefix(library)?;
    let is_it = |n: &&&str| n.strip_prefix(prefix) == Some(name) && !name.starts_with('_') && is_public(library, n);
    NAMES.iter().find(is_it).copied()
}

/// A name of the file without the prefix of its module.
pub fn public(name: &'static str) -> &'static str {
    PREFIXES.iter().find_map(|(_, prefix)| name.strip_prefix(prefix)).unwrap_or(name)
}

/// The functions of a module that are written in the file.
pub fn names(library: Library) -> impl Iterator<Item = &'static str> {
    NAMES.iter().filter(move |n| is_public(library, n)).filter_map(move |n| n.strip_prefix(prefix(library)?))
}

fn is_public(library: Library, name: &str) -> bool {
    let owner = PREFIXES.iter().find(|(_, prefix)| name.starts_with(prefix)).map_or(Library::Numpy, |&(owner, _)| owner);
    !name.starts_with('_') && owner == library
}

/// The function that an attribute of a value stands for, and whether it is called with nothing but the value: `x.shape`.
pub fn attribute(name: &str) -> Option<(&'static str, bool)> {
    match name {
        "T" => Some(("transpose", true)),
        "block_until_ready" => Some(("_same", false)),
        "defjvp" => Some(("_by_jvp", false)),
        "defjvps" => Some(("_by_jvps", false)),
        "defvjp" => Some(("_by_fwd_and_bwd", false)),
        "conj" | "conjugate" => Some(("conj", false)),
        "imag" => Some(("imag", true)),
        "real" => Some(("real", true)),
        "dtype" => Some(("_dtype", true)),
        "flat" => Some(("ravel", true)),
        "ndim" => Some(("ndim", true)),
        "shape" => Some(("shape", true)),
        "size" => Some(("size", true)),
        "flatten" => Some(("_flatten", false)),
        "reshape" => Some(("_reshape_method", false)),
        "transpose" => Some(("_transpose_method", false)),
        "clip" => Some(("_clip_method", false)),
        "item" => Some(("_item", false)),
        "tolist" => Some(("_tolist", false)),
        "copy" => Some(("_copy_method", false)),
        "count" => Some(("_list_count", false)),
        "endswith" => Some(("_str_endswith", false)),
        "find" => Some(("_str_find", false)),
        "index" => Some(("_list_index", false)),
        "isalpha" => Some(("_str_isalpha", false)),
        "isdigit" => Some(("_str_isdigit", false)),
        "join" => Some(("_str_join", false)),
        "lower" => Some(("_str_lower", false)),
        "lstrip" => Some(("_str_lstrip", false)),
        "replace" => Some(("_str_replace", false)),
        "rstrip" => Some(("_str_rstrip", false)),
        "split" => Some(("_str_split", false)),
        "startswith" => Some(("_str_startswith", false)),
        "strip" => Some(("_str_strip", false)),
        "upper" => Some(("_str_upper", false)),
        "get" => Some(("_dict_get", false)),
        "items" => Some(("_dict_items", false)),
        "keys" => Some(("_dict_keys", false)),
        "values" => Some(("_dict_values", false)),
        _ => METHODS.iter().find(|m| **m == name).map(|m| (*m, false)),
    }
}

/// The function that gives what a method of lists leaves of the list, and the number of its arguments.
pub fn change(name: &str) -> Option<(&'static str, usize)> {
    match name {
        "clear" => Some(("_list_clear", 0)),
        "fill" => Some(("_filled_with", 1)),
        "insert" => Some(("_list_insert", 2)),
        "remove" => Some(("_list_remove", 1)),
        "reverse" => Some(("_list_reverse", 0)),
        _ => None,
    }
}

/// The methods of arrays that are functions of NumPy with the array for their first argument.
const METHODS: &[&str] = &[
    "all",
    "any",
    "argmax",
    "argmin",
    "argpartition",
    "argsort",
    "astype",
    "compress",
    "cumprod",
    "cumsum",
    "diagonal",
    "dot",
    "max",
    "mean",
    "min",
    "nonzero",
    "prod",
    "ravel",
    "repeat",
    "round",
    "searchsorted",
    "squeeze",
    "std",
    "sum",
    "swapaxes",
    "take",
    "trace",
    "var",
];

/// Whether the first argument may be `x[mask]`, whose number of elements only the run knows.
pub fn takes_masked(name: &str) -> bool {
    matches!(name, "all" | "any" | "mean" | "prod" | "sum")
}

/// Whether NumPy's function gives the places of elements as a tuple of indices, one for each axis.
pub fn gives_places(name: &str) -> bool {
    const ALL: &[&str] = &[
        "diag_indices",
        "diag_indices_from",
        "ix_",
        "nonzero",
        "tril_indices",
        "tril_indices_from",
        "triu_indices",
        "triu_indices_from",
        "unravel_index",
    ];
    ALL.contains(&name)
}

/// Whether the function calls what it is given: to it, `float` and the like are functions and no types of elements.
pub fn takes_functions(name: &str) -> bool {
    const OTHERS: &[&str] = &["accumulate", "dropwhile", "filter", "map", "reduce", "sorted", "starmap", "takewhile"];
    matches!(name, "_max_by" | "_min_by") || OTHERS.contains(&name)
}

/// The use that the function makes of arguments that may be objects.
pub fn takes(name: &str) -> Takes {
    match name {
        "itertools_repeat" => Takes::AsTheyAre,
        _ if changes(name) => Takes::AsTheyAre,
        "_deep_copy" | "_shallow_copy" => Takes::Objects,
        "builtins_dict" | "builtins_sorted" | "functools_reduce" | "_dict_of_keys" => Takes::Elements,
        "apply_along_axis" | "apply_over_axes" | "fromfunction" | "piecewise" | "vectorize" => Takes::Callbacks,
        _ if name.starts_with("integrate_") || name.starts_with("optimize_") => Takes::Callbacks,
        _ if name.starts_with("itertools_") => Takes::Elements,
        _ => Takes::Values,
    }
}

/// Whether the function gives a new list, or a copy of what it is given.
pub fn gives_new_list(name: &str) -> bool {
    matches!(name, "builtins_dict" | "builtins_sorted" | "_deep_copy" | "_dict_of_keys" | "_shallow_copy")
}

/// Whether what the function gives may be a list whose length only the run knows.
pub fn makes_lists(name: &str) -> bool {
    matches!(name, "builtins_filter" | "itertools_dropwhile" | "itertools_takewhile")
}

/// Whether the first argument is a function to take derivatives of, which may be an instance with `__call__`.
pub fn differentiates(name: &str) -> bool {
    const ALL: &[&str] = &[
        "checkpoint",
        "checkpoint_loop",
        "fixed_point",
        "forwarddiff",
        "hessian",
        "hvp",
        "jacfwd",
        "jacrev",
        "jet",
        "linearize",
        "taylor",
        "vjp",
        "vmap",
    ];
    ALL.contains(&name)
}

/// What inference specialises of a function, or of a method of a class: each place that calls it, and constants; but what lists are made
/// of is one for all places.
pub fn flavor(class: &str, name: &str) -> Flavor {
    let is_shared = match class {
        "" => ["_bound", "_cotangent_element", "_element", "_grown", "_replaced", "_shrunk"].contains(&name),
        class => class == "list_iterator",
    };
    if is_shared { Flavor::Function } else { Flavor::Library }
}

/// The use that the function makes of a mutable box, if it works on one.
pub fn on_boxes(name: &str) -> Option<OnBox> {
    match name {
        "_content" => Some(OnBox::Get),
        "_set_box" => Some(OnBox::Set),
        "_is_filled" => Some(OnBox::IsFilled),
        _ => None,
    }
}

/// Whether NumPy's function gives a new array, so that what our code for it does with its arguments says nothing of memory. Those
/// of the library's own are what their code is.
pub fn is_fresh(name: &str) -> bool {
    const OWN: [&str; 6] = ["_", "autograd_", "gradus_", "jax_", "myia_", "random_"];
    !OWN.iter().any(|prefix| name.starts_with(prefix)) && memory(name).is_none() && !hands_on(name)
}

/// Whether the function writes to its first argument, and gives nothing.
pub fn changes(name: &str) -> bool {
    matches!(name, "_add_at" | "_subtract_at" | "copyto" | "fill_diagonal" | "put" | "putmask")
}

/// The memory that the result of a function has in common with its first argument.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Memory {
    /// It is that, if it is of the type that is asked for.
    Itself,
    /// It is a view of some elements, perhaps only if rows lie one after the other there, and so they may do in the view.
    Moved { needs_order: bool, keeps_order: bool, is_writable: bool },
    /// It is a view of the diagonal of a matrix.
    Diagonal,
    /// It may be a view.
    Part,
}

/// None if it is new.
pub fn memory(name: &str) -> Option<Memory> {
    let moved = |needs_order, keeps_order| Memory::Moved { needs_order, keeps_order, is_writable: true };
    Some(match name {
        "asarray" | "real" | "real_if_close" => Memory::Itself,
        "_reshape_method" | "ravel" | "reshape" => moved(true, true),
        "atleast_1d" | "atleast_2d" | "atleast_3d" | "expand_dims" | "squeeze" => moved(false, true),
        "_transpose_method" | "array_split" | "flip" | "fliplr" | "flipud" | "hsplit" | "moveaxis" | "rollaxis" | "rot90"
        | "split" | "swapaxes" | "transpose" | "vsplit" => moved(false, false),
        "broadcast_to" | "diagonal" => Memory::Moved { needs_order: false, keeps_order: false, is_writable: false },
        "diag" => Memory::Diagonal,
        "broadcast_arrays" | "einsum" | "imag" => Memory::Part,
        _ => return None,
    })
}

/// Whether the attribute of this name gives an array of the elements of an array, or of such that are made of them.
pub fn is_of_arrays(function: &str) -> bool {
    const OTHERS: &[&str] = &[
        "_clip_method",
        "_flatten",
        "_item",
        "_reshape_method",
        "_tolist",
        "_transpose_method",
        "conj",
        "imag",
        "real",
        "transpose",
        "_dtype",
        "ndim",
        "shape",
        "size",
    ];
    METHODS.contains(&function) || OTHERS.contains(&function)
}

/// Whether the function gives the elements of a list, each once, in another order.
pub fn reorders(name: &str) -> bool {
    matches!(name, "_in_order" | "builtins_sorted")
}

/// Whether the function hands on elements of what it is given.
fn hands_on(name: &str) -> bool {
    const NEW: [&str; 4] =
        ["itertools_accumulate", "itertools_combinations_with_replacement", "itertools_count", "itertools_cycle"];
    matches!(name, "builtins_filter" | "builtins_map" | "functools_reduce")
        || name.starts_with("itertools_") && !NEW.contains(&name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_function_is_defined_twice() {
        let mut names: Vec<&str> = BODY.iter().filter_map(|s| Some(s.as_function_def_stmt()?.name.as_str())).collect();
        names.sort_unstable();
        assert_eq!(names.windows(2).find(|w| w[0] == w[1]), None);
    }
}
