//! `gradus check`: the gradient in reverse mode against forward mode and central differences, by every way to compute it. Differences
//! are those of the function on arrays of 64 bits where it is given some of 32.

use super::{Asked, Differentiate, Question};
use gradus::json::{Doubles, Notation};
use gradus::{Array, Backend, DType, Engine, Error, Options, Program, Request, Simplify, Source, Strategy, Value};
use serde_json::json;

/// A float of the arguments: the number of the argument, then the way into it.
type Leaf = Vec<usize>;

/// How many floats are compared with difference quotients; all are compared between modes and executors.
const MOST_ROWS: usize = 200;

/// What a row of the report says.
struct Row {
    leaf: Leaf,
    found: f64,
    /// What forward mode found, where it goes.
    forward: Option<f64>,
    difference: f64,
    /// How far the difference quotient itself can be trusted.
    uncertainty: f64,
}

/// How far ways to one derivative may be apart.
#[derive(Clone, Copy)]
struct Tolerance {
    /// Of the largest entry of the gradient.
    ways: f64,
    /// From differences, beside what these are uncertain by: of the largest entry, too.
    differences: f64,
}

impl Tolerance {
    fn of(args: &[Value]) -> Tolerance {
        if args.iter().any(is_single) {
            Tolerance { ways: 1e-4, differences: 1e-4 }
        } else {
            Tolerance { ways: 1e-12, differences: 0.0 }
        }
    }

    /// Whether two ways gave the same, the largest entry being of this size.
    fn agree(self, a: f64, b: f64, scale: f64) -> bool {
        a == b || (a.is_nan() && b.is_nan()) || (a - b).abs() <= self.ways * scale
    }
}

/// Whether a value holds an array of floats of 32 bits.
fn is_single(v: &Value) -> bool {
    match v {
        Value::Array(array) => array.dtype() == DType::F32,
        Value::Tuple(items) | Value::List(items) | Value::Record(_, items) => items.iter().any(is_single),
        _ => false,
    }
}

/// The value with arrays of 64 bits in place of those of 32.
fn widened(v: &Value) -> Value {
    match v {
        Value::Array(array) => match array.floats() {
            Some(floats) => Array::of_floats(DType::F64, array.shape(), floats.into_owned()).into(),
            None => v.clone(),
        },
        Value::Tuple(items) => Value::tuple(items.iter().map(widened)),
        Value::List(items) => Value::list(items.iter().map(widened)),
        Value::Record(schema, items) => Value::Record(schema.clone(), items.iter().map(widened).collect()),
        other => other.clone(),
    }
}

impl Row {
    fn agrees(&self, tolerance: Tolerance, scale: f64) -> bool {
        let most = self.uncertainty + tolerance.differences * scale;
        let is_near = (self.found - self.difference).abs() <= most || self.found == self.difference;
        is_near && self.forward.is_none_or(|forward| tolerance.agree(self.found, forward, scale))
    }

    /// What forward mode found, for people.
    fn pushed(&self) -> String {
        self.forward.map_or_else(|| "-".into(), |forward| format!("{forward:?}"))
    }

    fn name(&self) -> String {
        name(&self.leaf)
    }

    /// Whether something is no finite number: there is no derivative to compare.
    fn is_singular(&self) -> bool {
        [self.found, self.forward.unwrap_or(0.0), self.difference].iter().any(|v| !v.is_finite())
    }
}

fn name(leaf: &[usize]) -> String {
    let mut name = format!("argument {}", leaf[0]);
    leaf[1..].iter().for_each(|i| name += &format!("[{i}]"));
    name
}

/// The size of the largest finite entry, and 1 at least.
fn scale(gradient: &[(Leaf, f64)]) -> f64 {
    gradient.iter().fold(1.0, |s, (_, v)| if v.is_finite() { s.max(v.abs()) } else { s })
}

/// Differentiates in both modes, by both strategies, on both backends, simplified and not, and compares all of it with difference quotients of the
/// value.
pub fn check(program: &Program, flags: &Differentiate) -> Result<String, Error> {
    let options = flags.call.options();
    let q = Question::of_derivative(program, flags)?;
    let asked = Asked::new(&q, flags)?;
    let (Request::Gradient(wrt) | Request::Reverse(wrt) | Request::Forward(wrt, None)) = &asked.request else {
        return Err(Error::Unavailable("check compares gradients of float results; leave out --order and --seed".into()));
    };
    // What is wrong with the gradient is said before anything is printed.
    asked.compile(&q)?;
    q.print_once()?;
    let by = |request| consistent(program, flags, &options, &Asked { wrt: wrt.clone(), request, seed: None });
    let reverse = by(Request::Reverse(wrt.clone()))?;
    // Of trees there is no forward mode.
    let forward = match by(Request::Forward(wrt.clone(), None)) {
        Ok(forward) => Some(forward),
        Err(Error::Unavailable(_)) => None,
        Err(e) => return Err(e),
    };
    let values: Vec<Value> = q.values.iter().map(widened).collect();
    let types = q.function.types(&values);
    let primal = q.function.compile(&types, &Request::Value)?;
    let at = |leaf: &Leaf, x: f64| -> Result<f64, Error> {
        let mut args = values.clone();
        args[leaf[0]] = replaced(&args[leaf[0]], &leaf[1..], x);
        match primal.run(&args)? {
            Value::F64(y) => Ok(y),
            other => Err(Error::Arguments(format!("check needs a function that returns a float, this returns {other}"))),
        }
    };
    let place = |leaf: &Leaf| format!("{} = {:?}", name(leaf), value_at(&values[leaf[0]], &leaf[1..]));
    let size = scale(&reverse);
    let mut rows = Vec::new();
    // A difference takes dozens of runs: of many floats some are looked at.
    let step = reverse.len().div_ceil(MOST_ROWS).max(1);
    for (i, (leaf, found)) in reverse.into_iter().enumerate().step_by(step) {
        // Sums of cotangents begin at -0.0, which nobody asked for.
        let forward = forward.as_ref().map(|forward| forward[i].1 + 0.0);
        let x = value_at(&values[leaf[0]], &leaf[1..]);
        let (difference, uncertainty) = quotient(|x| at(&leaf, x), x)?;
        rows.push(Row { leaf, found: found + 0.0, forward, difference, uncertainty });
    }
    report(&rows, Tolerance::of(&q.values), size, place, flags.call.json)
}

/// The gradient by one mode, on which both backends agree, simplified and not, and both strategies if none is named.
fn consistent(program: &Program, flags: &Differentiate, options: &Options, asked: &Asked) -> Result<Vec<(Leaf, f64)>, Error> {
    let (reference, tolerance) = gradient(program, flags, options.clone(), asked)?;
    let named = options.plan.orders.iter().any(|s| *s != Strategy::Auto);
    let plans = if named { vec![options.plan.clone()] } else { vec![Strategy::Closure.into(), Strategy::Stack.into()] };
    for (plan, backend) in plans.iter().flat_map(|plan| [Backend::Jit, Backend::Interp].map(|backend| (plan, backend))) {
        for simplify in [Simplify::Interleaved, Simplify::AtEnd, Simplify::Off] {
            let options = Options { backend, simplify, plan: plan.clone(), ..options.clone() };
            let (other, _) = gradient(program, flags, options, asked)?;
            let size = scale(&reference).max(scale(&other));
            for ((leaf, a), (_, b)) in reference.iter().zip(&other) {
                if !tolerance.agree(*a, *b, size) {
                    let strategies = plan.orders.iter().map(|s| s.name()).collect::<Vec<_>>().join(",");
                    let how = format!("{strategies}, {backend:?}, {simplify:?}").to_lowercase();
                    let differs = format!("the gradient of {} is {a} and, by {how}, {b}", name(leaf));
                    let singular = !a.is_finite() || !b.is_finite();
                    return Err(if singular { Error::Singular(differs) } else { Error::Internal(differs) });
                }
            }
        }
    }
    Ok(reference)
}

fn report(
    rows: &[Row],
    tolerance: Tolerance,
    size: f64,
    place: impl Fn(&Leaf) -> String,
    as_json: bool,
) -> Result<String, Error> {
    let (singular, wrong): (Vec<&Row>, Vec<&Row>) =
        rows.iter().filter(|r| !r.agrees(tolerance, size)).partition(|r| r.is_singular());
    let lines = |rows: &[&Row]| {
        let line = |r: &&Row| {
            let (place, difference) = (place(&r.leaf), format!("{:?} ± {:.1e}", r.difference, r.uncertainty));
            format!("{place}: gradient {:?}, forward {}, differences {difference}", r.found, r.pushed())
        };
        rows.iter().map(line).collect::<Vec<_>>().join("; ")
    };
    if !wrong.is_empty() {
        return Err(Error::Disagreement(lines(&wrong)));
    }
    if !singular.is_empty() {
        return Err(Error::Singular(lines(&singular)));
    }
    if as_json {
        let row = |r: &Row| {
            let (difference, uncertainty) = (r.difference, r.uncertainty);
            let number = |v: f64| Doubles.write(&v);
            json!({
                "leaf": r.leaf,
                "gradient": number(r.found),
                "forward": r.forward.map(number),
                "difference": number(difference),
                "uncertainty": number(uncertainty),
            })
        };
        return Ok(json!({"agrees": true, "rows": rows.iter().map(row).collect::<Vec<_>>()}).to_string());
    }
    let mut text =
        String::from("strategies and backends, simplified and not, agree; reverse mode, forward mode and central differences:\n");
    for r in rows {
        let (name, uncertainty) = (r.name(), r.uncertainty);
        text += &format!("  {name:<14} gradient {:<24?} forward {:<24} ", r.found, r.pushed());
        text += &format!("differences {:<24?} ± {uncertainty:.1e}\n", r.difference);
    }
    Ok(text)
}

/// Every float of the gradient, with the way to it; and how far others may be apart.
fn gradient(
    program: &Program,
    flags: &Differentiate,
    options: Options,
    asked: &Asked,
) -> Result<(Vec<(Leaf, f64)>, Tolerance), Error> {
    let source = program.source();
    let program = Engine::new(options).parse(Source::new(source.name.clone(), &*source.text))?;
    let q = Question::of_derivative(&program, flags)?;
    let result = asked.compile(&q)?.run(&asked.values(&q))?;
    let Value::Tuple(pair) = &result else { return Err(Error::Internal("a gradient is a pair".into())) };
    let mut leaves = Vec::new();
    for (i, g) in gradus::spread(&pair[1], &asked.wrt, q.values.len()).iter().enumerate() {
        collect(g, &mut vec![i], &mut leaves);
    }
    Ok((leaves, Tolerance::of(&q.values)))
}

fn collect(v: &Value, way: &mut Leaf, out: &mut Vec<(Leaf, f64)>) {
    match v {
        Value::F64(v) => out.push((way.clone(), *v)),
        Value::Array(array) => {
            for (i, v) in array.floats().unwrap_or_default().iter().enumerate() {
                way.push(i);
                out.push((way.clone(), *v));
                way.pop();
            }
        }
        Value::Tuple(items) | Value::List(items) | Value::Record(_, items) => {
            for (i, item) in items.iter().enumerate() {
                way.push(i);
                collect(item, way, out);
                way.pop();
            }
        }
        _ => {}
    }
}

fn value_at(v: &Value, way: &[usize]) -> f64 {
    match (v, way) {
        (Value::F64(v), []) => *v,
        (Value::Array(array), [i]) => array.floats().expect("an array of floats")[*i],
        (Value::Tuple(items) | Value::List(items) | Value::Record(_, items), [i, rest @ ..]) => value_at(&items[*i], rest),
        _ => unreachable!("a gradient is shaped like its argument"),
    }
}

fn replaced(v: &Value, way: &[usize], x: f64) -> Value {
    let item = |(k, item): (usize, &Value)| if k == way[0] { replaced(item, &way[1..], x) } else { item.clone() };
    match (v, way) {
        (Value::Tuple(items), _) => Value::tuple(items.iter().enumerate().map(item)),
        (Value::List(items), _) => Value::list(items.iter().enumerate().map(item)),
        (Value::Record(schema, items), _) => Value::Record(schema.clone(), items.iter().enumerate().map(item).collect()),
        (Value::Array(array), [i]) => {
            let mut floats = array.floats().expect("an array of floats").into_owned();
            floats[*i] = x;
            Array::of_floats(array.dtype(), array.shape(), floats).into()
        }
        _ => Value::F64(x),
    }
}

/// The derivative by Ridders' method (Ridders 1982): central differences, extrapolated; and the error to be expected.
fn quotient(f: impl Fn(f64) -> Result<f64, Error>, x: f64) -> Result<(f64, f64), Error> {
    const SHRINK: f64 = 1.4;
    let mut h = 0.05 * x.abs().max(0.1);
    let value = f(x)?;
    let scale = value.abs().max(f64::MIN_POSITIVE);
    // How far values at neighbouring floats are apart: terms in them may be much larger than they are.
    let mut noise: f64 = 0.0;
    for k in [-3.0, -2.0, -1.0, 1.0, 2.0, 3.0] {
        noise = noise.max((f(x * (1.0 + k * f64::EPSILON))? - value).abs());
    }
    // Of each row of the tableau the entry that differs least from those before it, how much that is, and the step.
    let mut rows: Vec<(f64, f64, f64)> = Vec::new();
    let mut last: Vec<f64> = Vec::new();
    for _ in 0..24 {
        let mut row = vec![(f(x + h)? - f(x - h)?) / (2.0 * h)];
        let mut factor = SHRINK * SHRINK;
        let mut nearest = (f64::NAN, f64::INFINITY, h);
        for (j, &above) in last.iter().enumerate() {
            let next = (row[j] * factor - above) / (factor - 1.0);
            let spread = (next - row[j]).abs().max((next - above).abs());
            if spread < nearest.1 {
                nearest = (next, spread, h);
            }
            row.push(next);
            factor *= SHRINK * SHRINK;
        }
        rows.push(nearest);
        last = row;
        h /= SHRINK;
    }
    // Two entries may be equal by chance; three rows that agree are not.
    let (mut best, mut error, mut least) = (f64::NAN, f64::INFINITY, h);
    for three in rows.windows(3) {
        let (middle, _, step) = three[1];
        let apart = three.iter().fold(0.0, |most: f64, &(found, spread, _)| most.max(spread).max((found - middle).abs()));
        if apart < error {
            (best, error, least) = (middle, apart, step);
        }
    }
    // Rounding of the values themselves, which the spread underestimates when all of them round alike.
    Ok((best, 10.0 * error + noise / least + 1e-12 * scale / x.abs().max(0.1) + 1e-9 * best.abs()))
}
