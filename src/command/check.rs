//! `gradus check`: the gradient against central differences, by every way to compute it.

use super::{Asked, Differentiate, Question};
use gradus::{Backend, Engine, Error, Options, Program, Request, Simplify, Source, Value};
use serde_json::json;

/// A float of the arguments: the number of the argument, then the way into it.
type Leaf = Vec<usize>;

/// What a row of the report says.
struct Row {
    leaf: Leaf,
    found: f64,
    difference: f64,
    /// How far the difference quotient itself can be trusted.
    uncertainty: f64,
}

impl Row {
    fn agrees(&self) -> bool {
        (self.found - self.difference).abs() <= self.uncertainty || self.found == self.difference
    }

    fn name(&self) -> String {
        let mut name = format!("argument {}", self.leaf[0]);
        self.leaf[1..].iter().for_each(|i| name += &format!("[{i}]"));
        name
    }
}

/// Differentiates on both backends, simplified and not, and compares all of it with difference quotients of the value.
pub fn check(program: &Program, flags: &Differentiate) -> Result<String, Error> {
    let options = flags.call.options()?;
    let q = Question::new(program, &flags.call)?;
    let asked = Asked::new(&q, flags)?;
    let Request::Gradient(wrt) = &asked.request else {
        return Err(Error::Unavailable("check compares gradients of float results; leave out --order and --seed".into()));
    };
    let reference = gradient(program, flags, options.clone(), &asked)?;
    for backend in [Backend::Jit, Backend::Interp] {
        for simplify in [Simplify::Interleaved, Simplify::AtEnd, Simplify::Off] {
            let other = gradient(program, flags, Options { backend, simplify, ..options.clone() }, &asked)?;
            let scale = reference.iter().chain(&other).fold(1.0_f64, |s, (_, v)| if v.is_finite() { s.max(v.abs()) } else { s });
            for ((leaf, a), (_, b)) in reference.iter().zip(&other) {
                if !(a == b || (a.is_nan() && b.is_nan()) || (a - b).abs() <= 1e-12 * scale) {
                    let how = format!("{backend:?}, {simplify:?}").to_lowercase();
                    return Err(Error::Internal(format!("gradients disagree at {leaf:?}: {a} and, by {how}, {b}")));
                }
            }
        }
    }
    let primal = q.function.compile(&q.types, &Request::Value)?;
    let at = |leaf: &Leaf, x: f64| -> Result<f64, Error> {
        let mut args = q.values.clone();
        args[leaf[0]] = replaced(&args[leaf[0]], &leaf[1..], x);
        match primal.run(&args)? {
            Value::F64(y) => Ok(y),
            other => Err(Error::Arguments(format!("check needs a function that returns a float, this returns {other}"))),
        }
    };
    let mut rows = Vec::new();
    for (leaf, found) in reference {
        debug_assert!(wrt.contains(&leaf[0]));
        let x = value_at(&q.values[leaf[0]], &leaf[1..]);
        let (difference, uncertainty) = quotient(|x| at(&leaf, x), x)?;
        rows.push(Row { leaf, found, difference, uncertainty });
    }
    report(&rows, flags.call.json)
}

fn report(rows: &[Row], as_json: bool) -> Result<String, Error> {
    let wrong: Vec<String> = rows.iter().filter(|r| !r.agrees()).map(Row::name).collect();
    if !wrong.is_empty() {
        let lines: Vec<String> = rows
            .iter()
            .filter(|r| !r.agrees())
            .map(|r| format!("{}: gradient {:?}, differences {:?} ± {:.1e}", r.name(), r.found, r.difference, r.uncertainty))
            .collect();
        return Err(Error::Disagreement(lines.join("; ")));
    }
    if as_json {
        let rows: Vec<_> = rows
            .iter()
            .map(|r| json!({"leaf": r.leaf, "gradient": r.found, "difference": r.difference, "uncertainty": r.uncertainty}))
            .collect();
        return Ok(json!({"agrees": true, "rows": rows}).to_string());
    }
    let mut text = String::from("both backends, simplified and not, agree; against central differences:\n");
    for r in rows {
        text +=
            &format!("  {:<14} gradient {:<24?} differences {:<24?} ± {:.1e}\n", r.name(), r.found, r.difference, r.uncertainty);
    }
    Ok(text)
}

/// Every float of the gradient, with the way to it.
fn gradient(program: &Program, flags: &Differentiate, options: Options, asked: &Asked) -> Result<Vec<(Leaf, f64)>, Error> {
    let source = program.source();
    let program = Engine::new(options).parse(Source::new(source.name.clone(), &*source.text))?;
    let q = Question::new(&program, &flags.call)?;
    let result = asked.compile(&q)?.run(&asked.values(&q))?;
    let Value::Tuple(pair) = &result else { return Err(Error::Internal("a gradient is a pair".into())) };
    let mut leaves = Vec::new();
    for (i, g) in gradus::spread(&pair[1], &asked.wrt, q.values.len()).iter().enumerate() {
        collect(g, &mut vec![i], &mut leaves);
    }
    Ok(leaves)
}

fn collect(v: &Value, way: &mut Leaf, out: &mut Vec<(Leaf, f64)>) {
    match v {
        Value::F64(v) => out.push((way.clone(), *v)),
        Value::Tuple(items) => {
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
        (Value::Tuple(items), [i, rest @ ..]) => value_at(&items[*i], rest),
        _ => unreachable!("a gradient is shaped like its argument"),
    }
}

fn replaced(v: &Value, way: &[usize], x: f64) -> Value {
    match (v, way) {
        (Value::Tuple(items), [i, rest @ ..]) => {
            Value::tuple(items.iter().enumerate().map(|(k, item)| if k == *i { replaced(item, rest, x) } else { item.clone() }))
        }
        _ => Value::F64(x),
    }
}

/// The derivative by Ridders' method (Ridders 1982): central differences, extrapolated; and the error to be expected.
fn quotient(f: impl Fn(f64) -> Result<f64, Error>, x: f64) -> Result<(f64, f64), Error> {
    const SHRINK: f64 = 1.4;
    let mut h = 0.05 * x.abs().max(0.1);
    let scale = f(x)?.abs().max(f64::MIN_POSITIVE);
    let (mut best, mut error) = (f64::NAN, f64::INFINITY);
    let mut last: Vec<f64> = Vec::new();
    for _ in 0..24 {
        let mut row = vec![(f(x + h)? - f(x - h)?) / (2.0 * h)];
        let mut factor = SHRINK * SHRINK;
        for (j, &above) in last.iter().enumerate() {
            let next = (row[j] * factor - above) / (factor - 1.0);
            let spread = (next - row[j]).abs().max((next - above).abs());
            if spread < error {
                (best, error) = (next, spread);
            }
            row.push(next);
            factor *= SHRINK * SHRINK;
        }
        last = row;
        h /= SHRINK;
    }
    // Rounding of the values themselves, which the spread underestimates when all of them round alike.
    Ok((best, 10.0 * error + 1e-12 * scale / x.abs().max(0.1) + 1e-9 * best.abs()))
}
