//! Functions of SciPy with their first and second derivatives at whole, half, zero, equal and extreme arguments, against mpmath:
//! tests/numpy/derivatives.json, which tests/oracle/derivatives.py writes. `NAME=betainc cargo test --test derivatives` takes the
//! expressions that contain it.

use gradus::{Engine, Function, Options, Plan, Request, Source, Strategy, Value};
use gradus_ir::{Array, Dims, Elements};
use rayon::prelude::*;
use serde_json::Value as Json;

/// How far values and derivatives may be off, relative to the greatest of those of one order, or to a thousandth of the value.
const TOLERANCES: [f64; 3] = [1e-12, 1e-11, 2e-10];

fn vector(numbers: &[f64]) -> Value {
    Value::Array(Array::new(Dims::new([numbers.len() as i64]), Elements::F64(numbers.to_vec())))
}

fn numbers(json: &Json, list: &mut Vec<f64>) {
    match json {
        Json::Array(items) => items.iter().for_each(|item| numbers(item, list)),
        _ => list.push(json.as_f64().unwrap_or(f64::NAN)),
    }
}

fn floats(value: &Value, list: &mut Vec<f64>) {
    match value {
        Value::F64(v) => list.push(*v),
        Value::Array(a) => list.extend(a.floats().expect("floats").iter()),
        Value::Tuple(items) => items.iter().for_each(|item| floats(item, list)),
        _ => panic!("{value} is no float"),
    }
}

/// The program for an expression.
fn function(expression: &str) -> Function {
    let text = format!(
        "import numpy as np\nfrom scipy import integrate, special, stats\nfrom gradus import grad, hessian, jacfwd\n\
         def of(p): return {expression}\n\
         def f(p): return of(p), grad(of)(p), hessian(of)(p), jacfwd(of)(p), jacfwd(grad(of))(p)\n"
    );
    let program = Engine::default().parse(Source::new("derivatives.py", &text)).expect("a program");
    program.function("f").unwrap_or_else(|e| panic!("{expression}: {e}"))
}

/// What is wrong with what a strategy gives for an expression.
fn wrong(expression: &str, function: &Function, rows: &[Json], strategy: Strategy) -> Vec<String> {
    let options = Options { plan: Plan { orders: vec![strategy; 2], ..Plan::default() }, ..Options::default() };
    let width = rows[0][0].as_array().expect("arguments").len();
    let compiled = function.with(options).compile(&[vector(&vec![0.5; width]).ty()], &Request::Value);
    let compiled = compiled.unwrap_or_else(|e| panic!("{expression}: {e}"));
    let mut list = Vec::new();
    for row in rows {
        let mut point = Vec::new();
        numbers(&row[0], &mut point);
        let found = compiled.run(&[vector(&point)]).unwrap_or_else(|e| panic!("{expression}: {e}"));
        let Value::Tuple(parts) = &found else { panic!("{found} is no tuple") };
        for (i, part) in parts.iter().enumerate() {
            let order = if i < 3 { i } else { i - 2 };
            let (mut a, mut b) = (Vec::new(), Vec::new());
            floats(part, &mut a);
            numbers(&row[1 + order], &mut b);
            let value = row[1].as_f64().expect("a value");
            let scale = b.iter().filter(|v| v.is_finite()).fold(1e-3 * value.abs(), |s, v| s.max(v.abs()));
            let is_near = |(a, b): (&f64, &f64)| b.is_nan() || (a - b).abs() <= TOLERANCES[order] * scale;
            if a.len() != b.len() || !a.iter().zip(&b).all(is_near) {
                list.push(format!("{expression} at {point:?}, {strategy:?}, part {i}: {a:?}, not {b:?}"));
            }
        }
    }
    list
}

#[test]
fn derivatives_are_those_of_mpmath() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/numpy/derivatives.json");
    let text = std::fs::read_to_string(path).expect("the stored answers");
    let file: Vec<(String, Vec<Json>)> = serde_json::from_str(&text).expect("JSON");
    let only = std::env::var("NAME").unwrap_or_default();
    let cases: Vec<_> = file.iter().filter(|(expression, _)| expression.contains(&only)).collect();
    let of = |(expression, rows): &&(String, Vec<Json>)| {
        // Shared by the strategies, which differ in nothing before derivatives are taken.
        let function = function(expression);
        let strategies = [Strategy::Closure, Strategy::Stack].into_iter();
        strategies.flat_map(|strategy| wrong(expression, &function, rows, strategy)).collect::<Vec<_>>()
    };
    let list: Vec<String> = cases.par_iter().flat_map(of).collect();
    assert!(list.is_empty(), "{} derivatives are wrong:\n{}", list.len(), list.join("\n"));
}
