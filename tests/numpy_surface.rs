//! Every name of NumPy and SciPy that programs can use, compared with what NumPy and SciPy give: tests/numpy/surface.json, which
//! tests/oracle/numpy_surface.py writes. Derivatives, of both strategies and of forward mode, at order 1 and 2, are compared with
//! differences. All of it is done again with arrays of float32, whose derivatives are compared with those of float64.

use gradus::{Engine, Function, Options, Plan, Request, Source, Strategy, Type, Value, json};
use gradus_backend::interp::Interp;
use gradus_ir::{Array, DType, Dims, Elements};
use rayon::prelude::*;
use serde_json::Value as Json;
use std::collections::BTreeMap;

/// Of the largest element, and what it is with floats of 32 bits.
const TOLERANCE: f64 = 1e-13;
const SINGLE_TOLERANCE: f64 = 2e-6;
/// The step of differences, and how far they may be off.
const STEP: f64 = 1e-3;
const SLACK: f64 = 2e-7;
/// How far derivatives with floats of 32 bits may be from those with 64.
const SINGLE_SLACK: f64 = 1e-4;

/// Where a scalar gives NumPy's result 64 bits: one that it has from an array of integers, or makes an array of. Here scalars are
/// Python's, and give arrays of floats no other type.
const WEAK: &[&str] = &[
    "np.dot(v, 2.0)",
    "np.dot(s, x)",
    "np.inner(2.0, v)",
    "special.polygamma(1, pos)",
    "special.polygamma(2, pos)",
    "special.multigammaln(pos + 1.0, 3)",
    "special.yn(3, pos)",
    "special.yn(3, pos + 2.0)",
    "special.xlogy(z, 0.0)",
    "special.xlogy(z, np.nan)",
    "x * i.T[0, 0]",
];

struct Case {
    expression: String,
    smooth: bool,
    expected: Value,
}

struct Surface {
    /// Whether arrays of floats have 32 bits: then there are only cases with such an array.
    is_single: bool,
    inputs: BTreeMap<String, Value>,
    /// The cases of each name.
    names: Vec<(String, Vec<Case>)>,
}

fn surface(is_single: bool) -> Surface {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/numpy/surface.json");
    let text = std::fs::read_to_string(path).expect("the stored values");
    let file: Json = serde_json::from_str(&text).expect("JSON");
    let inputs = file["inputs"].as_object().expect("inputs").iter();
    let change = if is_single { single } else { Value::clone };
    let inputs = inputs.map(|(name, value)| (name.clone(), change(&json::read(value).expect("an input")))).collect();
    let only = std::env::var("NAME").ok();
    let mut names: Vec<(String, Vec<Case>)> = Vec::new();
    for row in file["cases"].as_array().expect("cases") {
        let text = |i: usize| row[i].as_str().expect("a string").to_string();
        let expected = &row[if is_single { 4 } else { 3 }];
        if only.as_ref().is_some_and(|only| *only != text(0)) || expected.is_null() {
            continue;
        }
        let case = Case { expression: text(1), smooth: row[2] == true, expected: json::read(expected).expect("a value") };
        match names.last_mut() {
            Some((name, cases)) if *name == text(0) => cases.push(case),
            _ => names.push((text(0), vec![case])),
        }
    }
    Surface { is_single, inputs, names }
}

/// The inputs that an expression mentions.
fn mentioned<'s>(surface: &'s Surface, expressions: &[&str]) -> Vec<(&'s str, &'s Value)> {
    let is_name = |c: char| c.is_alphanumeric() || c == '_';
    let words: Vec<&str> = expressions.iter().flat_map(|e| e.split(|c| !is_name(c) && c != '.')).collect();
    let first = |word: &&str, name: &str| word.split('.').next() == Some(name);
    let is_used = |name: &str| words.iter().any(|word| first(word, name));
    surface.inputs.iter().filter(|(name, _)| is_used(name)).map(|(name, value)| (name.as_str(), value)).collect()
}

const HEADER: &str = "import numpy as np\nfrom scipy import integrate, interpolate, linalg, optimize, signal, special, stats\nfrom gradus import grad, jvp\n\n";

/// The strategies that derivatives are taken by, one after the other.
const STRATEGIES: [Strategy; 2] = [Strategy::Closure, Strategy::Stack];

/// Options by which all derivatives are taken by one strategy.
fn by(strategy: Strategy) -> Options {
    Options { plan: Plan { orders: vec![strategy; 2], ..Plan::default() }, ..Options::default() }
}

/// What an attempt gives, or what is wrong, a panic included.
fn caught<T>(attempt: impl FnOnce() -> Result<T, String>) -> Result<T, String> {
    std::panic::catch_unwind(std::panic::AssertUnwindSafe(attempt)).unwrap_or_else(|panic| {
        let message = panic.downcast_ref::<String>().cloned().or_else(|| panic.downcast_ref::<&str>().map(|s| s.to_string()));
        Err(format!("panic: {}", message.unwrap_or_default()))
    })
}

/// The function `f` of a program. All ways to compile it share what they have in common: strategies differ in nothing before
/// derivatives are taken.
fn function(text: &str) -> Result<Function, String> {
    caught(|| {
        let program = Engine::default().parse(Source::new("surface.py", text)).map_err(|e| e.to_string())?;
        program.function("f").map_err(|e| e.to_string())
    })
}

/// Compiles a function and runs it by both executors, which must give the same bits.
fn run(function: &Result<Function, String>, options: Options, points: &[Vec<Value>]) -> Result<Vec<Value>, String> {
    let function = function.as_ref().map_err(String::clone)?.with(options);
    caught(|| {
        let types: Vec<Type> = points[0].iter().map(Value::ty).collect();
        let compiled = function.compile(&types, &Request::Value).map_err(|e| e.to_string())?;
        let interp = Interp::new(&compiled.stages().lowered).map_err(|e| e.to_string())?;
        let mut values = Vec::with_capacity(points.len());
        for point in points {
            let value = compiled.run(point).map_err(|e| format!("JIT: {e}"))?;
            let other = interp.run(point).map_err(|e| format!("interpreter: {e}"))?;
            if !value.same_bits(&other) {
                return Err(format!("the JIT gives {value}, the interpreter {other}"));
            }
            values.push(value);
        }
        Ok(values)
    })
}

impl Surface {
    /// Whether what was found for a case is right. A scalar that NumPy gives as a float of 32 bits is the value of one.
    fn accepts(&self, case: &Case, found: &Value) -> bool {
        if !self.is_single && !case.expression.contains("float32") {
            return is_close(found, &case.expected, TOLERANCE);
        }
        let is_weak = WEAK.contains(&case.expression.as_str());
        let expected = if is_weak { single(&case.expected) } else { case.expected.clone() };
        let is_rounded = |v: &Value| matches!(v, Value::F64(v) if f64::from(*v as f32) == *v);
        is_close(found, &expected, SINGLE_TOLERANCE) && is_rounded(found) >= is_rounded(&expected)
    }
}

/// Whether a value is of the type of another, and its numbers are close.
fn is_close(found: &Value, expected: &Value, tolerance: f64) -> bool {
    match (found, expected) {
        (Value::Tuple(a) | Value::List(a), Value::Tuple(b) | Value::List(b)) => {
            a.len() == b.len() && a.iter().zip(b.iter()).all(|(a, b)| is_close(a, b, tolerance))
        }
        _ => match (floats(found), floats(expected)) {
            (Some(a), Some(b)) => found.ty() == expected.ty() && near(&a, &b, tolerance),
            _ => found == expected,
        },
    }
}

fn near(found: &[f64], expected: &[f64], tolerance: f64) -> bool {
    let scale = expected.iter().filter(|v| v.is_finite()).fold(0.0_f64, |s, v| s.max(v.abs()));
    let is_near = |(a, b): (&f64, &f64)| a == b || a.is_nan() && b.is_nan() || (a - b).abs() <= tolerance * scale;
    found.iter().zip(expected).all(is_near)
}

/// What is wrong with the values of these cases: one program for all, and one for each if that fails.
fn check_values(surface: &Surface, cases: &[&Case]) -> Vec<String> {
    let expressions: Vec<&str> = cases.iter().map(|c| c.expression.as_str()).collect();
    let inputs = mentioned(surface, &expressions);
    let names: Vec<&str> = inputs.iter().map(|(name, _)| *name).collect();
    let text = format!("{HEADER}def f({}):\n    return ({},)\n", names.join(", "), expressions.join(", "));
    let point: Vec<Value> = inputs.iter().map(|(_, value)| (*value).clone()).collect();
    match (run(&function(&text), Options::default(), &[point]), cases) {
        (Ok(values), _) => {
            let Value::Tuple(found) = &values[0] else { unreachable!("the function returns a tuple") };
            let wrong = cases.iter().zip(found.iter()).filter(|(case, found)| !surface.accepts(case, found));
            let text = |v: &Value| format!("{}: {v}", v.ty());
            wrong
                .map(|(case, found)| format!("{}: found {}, expected {}", case.expression, text(found), text(&case.expected)))
                .collect()
        }
        (Err(message), [case]) => vec![format!("{}: {message}", case.expression)],
        (Err(_), _) => cases.iter().flat_map(|case| check_values(surface, &[case])).collect(),
    }
}

/// A value, its derivative in a direction by reverse and by forward mode, and its second derivative in the three ways that two orders
/// can be combined beside forward over forward, and in that.
fn derivatives(inputs: &[(&str, &Value)], expressions: &[&str]) -> String {
    let names: Vec<&str> = inputs.iter().map(|(name, _)| *name).collect();
    let floats: Vec<usize> = (0..inputs.len()).filter(|&i| has_floats(inputs[i].1)).collect();
    let list = |items: Vec<String>| items.iter().map(|item| format!("{item}, ")).collect::<String>();
    let args = names.join(", ");
    let directions = list(floats.iter().map(|&i| format!("d_{}", names[i])).collect());
    let all = format!("{args}, {directions}");
    let wrt = list(floats.iter().map(|i| i.to_string()).collect());
    let tangents = |count: usize| {
        let tangent = |i: usize| if floats.contains(&i) { format!("d_{}", names[i]) } else { "None".into() };
        list((0..count).map(|i| if i < names.len() { tangent(i) } else { "None".into() }).collect())
    };
    let (first, second) = (tangents(names.len()), tangents(names.len() + floats.len()));
    let terms: Vec<String> = expressions.iter().map(|e| format!("np.sum(np.sin({e}))")).collect();
    let along: Vec<String> = floats.iter().enumerate().map(|(k, &i)| format!("np.sum(p[{k}] * d_{})", names[i])).collect();
    let along = along.join(" + ");
    format!(
        "{HEADER}def g({args}):\n    return {}\n\
         def reverse({all}):\n    p = grad(g, ({wrt}))({args})\n    return {along}\n\
         def forward({all}):\n    return jvp(g, ({args},), ({first}))[1]\n\
         def reverse_of_reverse({all}):\n    p = grad(reverse, ({wrt}))({all})\n    return {along}\n\
         def reverse_of_forward({all}):\n    p = grad(forward, ({wrt}))({all})\n    return {along}\n\
         def forward_of_reverse({all}):\n    return jvp(reverse, ({all}), ({second}))[1]\n\
         def forward_of_forward({all}):\n    return jvp(forward, ({all}), ({second}))[1]\n\
         def f({all}):\n    return (g({args}), reverse({all}), forward({all}), reverse_of_reverse({all}), reverse_of_forward({all}), \
         forward_of_reverse({all}), forward_of_forward({all}))\n",
        terms.join(" + "),
    )
}

fn has_floats(v: &Value) -> bool {
    floats(v).is_some()
}

/// The number, or the elements of the array, if these are floats.
fn floats(v: &Value) -> Option<Vec<f64>> {
    match v {
        Value::F64(v) => Some(vec![*v]),
        Value::Array(array) => Some(array.floats()?.into_owned()),
        _ => None,
    }
}

/// An array of floats as one of floats of 32 bits; any other value as it is.
fn single(v: &Value) -> Value {
    with_dtype(v, DType::F32)
}

fn with_dtype(v: &Value, dtype: DType) -> Value {
    match (v, floats(v)) {
        (Value::Array(array), Some(floats)) => Array::of_floats(dtype, array.shape(), floats).into(),
        _ => v.clone(),
    }
}

/// A value with `by` times a direction added, which is also given.
fn moved(value: &Value, by: f64) -> (Value, Value) {
    let direction = |i: usize| ((i * 37 + 11) % 17) as f64 / 17.0 - 0.4;
    let floats = floats(value).expect("floats");
    let all: Vec<f64> = (0..floats.len()).map(direction).collect();
    let sum: Vec<f64> = floats.iter().zip(&all).map(|(v, d)| v + by * d).collect();
    match value {
        Value::Array(array) => {
            let of = |floats| Value::from(Array::of_floats(array.dtype(), array.shape(), floats));
            (of(sum), of(all))
        }
        _ => (Value::F64(sum[0]), Value::F64(all[0])),
    }
}

/// What is wrong with the derivatives of these cases: one program for all, and one for each if that fails.
fn check_derivatives(surface: &Surface, cases: &[&Case]) -> Vec<String> {
    if cases.is_empty() {
        return Vec::new();
    }
    let expressions: Vec<&str> = cases.iter().map(|c| c.expression.as_str()).collect();
    let inputs = mentioned(surface, &expressions);
    let text = derivatives(&inputs, &expressions);
    let point = |by: f64| {
        let shifted = |v: &Value| if has_floats(v) { moved(v, by).0 } else { v.clone() };
        let args = inputs.iter().map(|(_, v)| shifted(v));
        args.chain(inputs.iter().filter(|(_, v)| has_floats(v)).map(|(_, v)| moved(v, 0.0).1)).collect()
    };
    let points: Vec<Vec<Value>> = [0.0, -2.0, -1.0, 1.0, 2.0].iter().map(|i| point(i * STEP)).collect();
    let function = function(&text);
    let check = |strategy: Strategy| -> Result<(), String> {
        let values = run(&function, by(strategy), &points)?;
        let at = |point: usize, field: usize| match &values[point] {
            Value::Tuple(fields) => match fields[field] {
                Value::F64(v) => v,
                _ => unreachable!("a derivative is a float"),
            },
            _ => unreachable!("the function returns a tuple"),
        };
        let difference = |field: usize| (8.0 * (at(3, field) - at(2, field)) - (at(4, field) - at(1, field))) / (12.0 * STEP);
        let fields =
            ["", "reverse", "forward", "reverse of reverse", "reverse of forward", "forward of reverse", "forward of forward"];
        for (field, name) in fields.iter().enumerate().skip(1) {
            let (found, expected) = (at(0, field), difference(if field < 3 { 0 } else { 1 }));
            let is_near = (found - expected).abs() <= SLACK * expected.abs().max(1.0);
            if !is_near {
                return Err(format!("{name}: found {found}, expected {expected}"));
            }
        }
        Ok(())
    };
    let message =
        |strategy: Strategy| check(strategy).err().map(|e| format!("{}, {}: {e}", cases[0].expression, strategy.name()));
    let wrong: Vec<String> = STRATEGIES.into_iter().filter_map(message).collect();
    if wrong.is_empty() || cases.len() == 1 {
        return wrong;
    }
    cases.iter().flat_map(|case| check_derivatives(surface, &[case])).collect()
}

/// Derivatives with floats of 32 bits, against those with 64.
fn check_single_derivatives(surface: &Surface, case: &Case) -> Vec<String> {
    let inputs = mentioned(surface, &[&case.expression]);
    let function = function(&derivatives(&inputs, &[&case.expression]));
    let directions = inputs.iter().filter(|(_, v)| has_floats(v)).map(|(_, v)| moved(v, 0.0).1);
    let singles: Vec<Value> = inputs.iter().map(|(_, v)| (*v).clone()).chain(directions).collect();
    let doubles: Vec<Value> = singles.iter().map(|v| with_dtype(v, DType::F64)).collect();
    let [singles, doubles] = [[singles], [doubles]];
    let check = |strategy: Strategy| -> Result<(), String> {
        let derivatives = |point: &[Vec<Value>]| -> Result<Vec<f64>, String> {
            let Value::Tuple(found) = run(&function, by(strategy), point)?.remove(0) else {
                unreachable!("the function returns a tuple")
            };
            Ok(found.iter().flat_map(|v| floats(v).expect("a float")).collect())
        };
        let (found, expected) = (derivatives(&singles)?, derivatives(&doubles)?);
        let is_near = |(a, b): (&f64, &f64)| (a - b).abs() <= SINGLE_SLACK * b.abs().max(1.0);
        let is_right = found.iter().zip(&expected).all(is_near);
        if is_right { Ok(()) } else { Err(format!("found {found:?}, expected {expected:?}")) }
    };
    let message = |strategy: Strategy| check(strategy).err().map(|e| format!("{}, {}: {e}", case.expression, strategy.name()));
    STRATEGIES.into_iter().filter_map(message).collect()
}

fn report(wrong: Vec<String>) {
    assert!(wrong.is_empty(), "{} faults:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn values() {
    for surface in [surface(false), surface(true)] {
        let all = |(_, cases): &(String, Vec<Case>)| check_values(&surface, &cases.iter().collect::<Vec<_>>());
        report(surface.names.par_iter().flat_map(all).collect());
    }
}

#[test]
fn first_and_second_derivatives() {
    let surface = surface(false);
    let smooth = |(_, cases): &(String, Vec<Case>)| -> Vec<String> {
        check_derivatives(&surface, &cases.iter().filter(|c| c.smooth).collect::<Vec<_>>())
    };
    report(surface.names.par_iter().flat_map(smooth).collect());
}

#[test]
fn derivatives_with_floats_of_32_bits() {
    let surface = surface(true);
    let smooth = |(_, cases): &(String, Vec<Case>)| -> Vec<String> {
        cases.iter().filter(|c| c.smooth).flat_map(|case| check_single_derivatives(&surface, case)).collect()
    };
    report(surface.names.par_iter().flat_map(smooth).collect());
}

/// What is not supported, or wrong in NumPy, too: the expression and its message.
const REFUSED: &[(&str, &str)] = &[
    ("np.sum(x, axis=2)", "axis 2 is out of bounds for an array of 2 dimensions"),
    ("np.sum(x, axis=(0, -2))", "axis 0 is given twice"),
    ("np.sum(x, axis=s)", "the axis must be a constant of the program, this is a float"),
    ("np.sum(x, 0, None, None)", "`sum` takes 3 arguments, but 4 were given"),
    ("np.sum(x, out=x)", "`out=` of `sum` is not supported here"),
    ("np.exp(x, out=x[0])", "`out=` of `exp` is not supported here"),
    ("np.max(e, axis=0)", "no element of an array of shape (0, 3) is the greatest"),
    ("np.argmin(e1)", "no element of an array of shape (0,) is the least"),
    ("np.reshape(x, (5, 2))", "an array of shape (3, 4) cannot be reshaped to (5, 2)"),
    ("x.reshape(5, -1)", "an array of shape (3, 4) cannot be reshaped to (5, -1)"),
    ("x.reshape(-1, -1)", "only one length of a shape can be left open"),
    ("np.reshape(x, (4, 3), order='F')", "the argument `order` of `reshape` is not supported"),
    ("np.zeros((2, -1))", "there are no arrays of shape (2, -1)"),
    (
        "np.ones((4294967296, 0, 4294967296))",
        "an array of shape (4294967296, 0, 4294967296) has more than 1099511627776 elements",
    ),
    ("np.zeros(2, dtype='float16')", "arrays of `float16` are not supported"),
    ("np.array([1, 'a'])", "an array cannot be made of a str"),
    ("np.array([[1, 2], [3]])", "the parts of an array have one shape, these have (2,) and (1,)"),
    ("np.arange(s)", "the end of `arange` must be a constant of the program, this is a float"),
    ("np.concatenate([x, v])", "arrays of shapes (3, 4) and (4,) cannot be concatenated along axis 0"),
    ("np.concatenate([s, s])", "numbers cannot be concatenated, they have no axes"),
    ("np.stack([v, w])", "arrays of shapes (4,) and (3,) cannot be stacked"),
    ("np.split(v, 3)", "an axis of length 4 cannot be split into 3 equal parts"),
    ("np.broadcast_to(x, (4, 3))", "arrays of shapes (3, 4) and (4, 3) do not broadcast together"),
    ("np.squeeze(x, 0)", "axis 0 of an array of shape (3, 4) has more than one element"),
    ("x + w", "arrays of shapes (3, 4) and (3,) do not broadcast together"),
    ("x @ y", "a matrix product of arrays of shapes (3, 4) and (3, 4), which do not fit"),
    ("x @ s", "a matrix product of arrays of shapes (3, 4) and ()"),
    ("np.tensordot(x, w, 1)", "axes (1,) and (0,) of arrays of shapes (3, 4) and (3,) differ in length"),
    ("np.einsum('ij,jk', x, y)", "arrays of shapes (3, 4) and (3, 4) differ where they have one label"),
    ("np.einsum('ij,jk', x)", "the subscripts `ij,jk`: they are for 2 operands, 1 are given"),
    ("np.einsum('i.j', x)", "the subscripts `i.j`: `.` is not supported"),
    ("np.einsum('i', x)", "1 labels for the axes of an array of shape (3, 4)"),
    ("np.linalg.inv(x)", "a square matrix is needed, this is an array of shape (3, 4)"),
    ("np.linalg.solve(m, v)", "equations of shape (3, 3) with a right side of shape (4,)"),
    ("np.linalg.norm(m, 2)", "the norm 2 of a matrix is not supported"),
    ("np.linalg.norm(t, 1)", "the norm of an array of shape (2, 3, 4) needs an axis or two"),
    ("np.linalg.eig(m)", "`numpy.linalg.eig` is not supported"),
    ("np.diag(t)", "an array of shape (2, 3, 4) has no diagonal"),
    ("x.item()", "an array of shape (3, 4) is not one number"),
    ("x[x > 0]", "how many elements a mask picks is not known when the program is compiled"),
    ("x[3]", "index 3 is out of range, the axis has length 3"),
    ("x[0, 0, 0]", "3 indices for an array of shape (3, 4)"),
    ("x.sort()", "`sort` gives nothing; it is a statement"),
    ("x.strides", "the attribute `strides` of a float64 array of shape (3, 4) is not supported"),
    ("1.0 if x else 2.0", "an array has many truth values"),
    ("np.reciprocal(i)", "NumPy's reciprocals of integers are integers, so most are zero; write `1.0 / x`"),
];

#[test]
fn refusals() {
    let surface = surface(false);
    let wrong = REFUSED.par_iter().filter_map(|(expression, message)| {
        let inputs = mentioned(&surface, &[expression]);
        let names: Vec<&str> = inputs.iter().map(|(name, _)| *name).collect();
        let text = format!("{HEADER}def f({}):\n    return {expression}\n", names.join(", "));
        let found = run(&function(&text), Options::default(), &[inputs.iter().map(|(_, value)| (*value).clone()).collect()]);
        match found {
            Ok(values) => Some(format!("{expression}: gives {}", values[0])),
            Err(found) if found.starts_with(message) => None,
            Err(found) => Some(format!("{expression}: {found}")),
        }
    });
    report(wrong.collect());
}

/// A function of the library may be called at any number of places.
#[test]
fn more_calls_than_instances_of_one_place() {
    let calls: String = (0..1100).map(|i| format!("    s = s + np.sum(x * {i}.0)\n")).collect();
    let text = format!("{HEADER}def f(x):\n    s = 0.0\n{calls}    return s\n");
    let x = Array::new(Dims::new([2]), Elements::F64(vec![1.0, 2.0]));
    let found = run(&function(&text), Options::default(), &[vec![x.into()]]).expect("a program that runs");
    assert!(found[0].same_bits(&Value::F64(3.0 * (1099.0 * 1100.0 / 2.0))));
}
