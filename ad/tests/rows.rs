//! The derivative table, row by row, from the rows alone: first and second derivatives, by every mixture of reverse and forward mode,
//! against differences on each row's domain.

use gradus_ad::rules::{RULES, Rule, rule};
use gradus_backend::interp::Interp;
use gradus_ir::build::Builder;
use gradus_ir::{Const, Flavor, GraphId, Module, NodeId, Prim, Role, Sig, Span, Type, Value};

/// Primitives on floats that have no row: their adjoint is structural, or their result is no float.
const WITHOUT_ROW: [Prim; 2] = [Prim::Float, Prim::Int];

#[test]
fn every_primitive_that_gives_a_float_has_a_row() {
    for &prim in Prim::TABLE {
        if matches!(prim.sig(), Sig::Float | Sig::Num | Sig::NumTotal) || prim == Prim::Powi {
            assert!(rule(prim).is_some(), "`{}` has no row", prim.name());
        }
    }
    for prim in WITHOUT_ROW {
        assert!(rule(prim).is_none());
    }
    assert!(RULES.len() >= 45, "the functions of the field");
}

fn types(rule: &Rule) -> Vec<Type> {
    (0..rule.domain.len()).map(|i| if rule.prim == Prim::Powi && i == 1 { Type::I64 } else { Type::F64 }).collect()
}

fn graph(m: &mut Module, name: &str, params: &[Type]) -> (GraphId, Vec<NodeId>) {
    let g = m.add_graph(name, Flavor::Function, Role::Primal, Span::NONE);
    let params = params.iter().map(|t| m.add_param(g, t.clone(), None, Span::NONE)).collect();
    (g, params)
}

/// `λ(a…). prim(a…)`.
fn primal(m: &mut Module, rule: &Rule) -> GraphId {
    let (g, params) = graph(m, "f", &types(rule));
    let mut b = Builder::new(m);
    let y = b.prim(g, rule.prim, &params, Span::NONE);
    m.set_result(g, y);
    g
}

/// A mode of differentiation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Mode {
    Reverse,
    Forward,
}

use Mode::{Forward, Reverse};

/// The derivative of `f` in argument `i`: `λ(a…). J(f)(a…).1(1.0).(i + 1)`, or `λ(a…). F(f)(zero, a…, 1.0 at i).1`.
fn gradient(m: &mut Module, f: GraphId, types: &[Type], i: usize, mode: Mode) -> GraphId {
    let (g, params) = graph(m, "df", types);
    let f = m.graph_ref(f);
    let one = m.f64(1.0);
    if mode == Forward {
        let none = m.constant(Const::Zero, Type::Opaque);
        let mut b = Builder::new(m);
        let mut args = vec![none];
        args.extend(&params);
        args.extend((0..types.len()).map(|k| if k == i { one } else { b.zero(g, &types[k].cotangent()) }));
        let p = b.prim(g, Prim::F, &[f], Span::NONE);
        let t = b.call(g, p, &args, None, Span::NONE);
        let d = b.get(g, t, 1, Span::NONE);
        m.set_result(g, d);
        return g;
    }
    let mut b = Builder::new(m);
    let j = b.prim(g, Prim::J, &[f], Span::NONE);
    let t = b.call(g, j, &params, None, Span::NONE);
    let pb = b.get(g, t, 1, Span::NONE);
    let r = b.call(g, pb, &[one], None, Span::NONE);
    let d = b.get(g, r, i + 1, Span::NONE);
    m.set_result(g, d);
    g
}

fn run(m: &Module, args: &[Value]) -> f64 {
    match Interp::new(m).expect("compiles").run(args).expect("runs") {
        Value::F64(v) => v,
        other => panic!("{other} is no float"),
    }
}

/// The fifth-order central difference of `f` at `x`.
fn difference(f: impl Fn(f64) -> f64, x: f64) -> f64 {
    let h = 1e-3 * x.abs().max(1.0);
    let d = |k: f64| f(x + k * h) - f(x - k * h);
    (45.0 * d(1.0) - 9.0 * d(2.0) + d(3.0)) / (60.0 * h)
}

fn values(rule: &Rule, x: &[f64]) -> Vec<Value> {
    let types = types(rule);
    x.iter().zip(types).map(|(&x, t)| if t == Type::I64 { Value::I64(x as i64) } else { Value::F64(x) }).collect()
}

fn expand(m: &mut Module) {
    while gradus_ad::expand(m, &gradus_ad::Plan::default()).expect("expands").count > 0 {}
    gradus_ad::expand_unknown(m, &gradus_ad::Plan::default()).expect("no function asks for its own derivative");
}

fn check(rule: &Rule, modes: &[Mode]) {
    let order = modes.len();
    let types = types(rule);
    let floats: Vec<usize> = (0..types.len()).filter(|&i| types[i] == Type::F64).collect();
    for sample in 0..7 {
        // A grid that avoids the ends of the intervals, where differences would leave the domain; whole numbers for ints.
        let x: Vec<f64> = rule
            .domain
            .iter()
            .enumerate()
            .map(|(i, &(lo, hi))| {
                let x = lo + (hi - lo) * (0.13 + 0.74 * ((sample * (i + 2)) % 7) as f64 / 7.0);
                if types[i] == Type::I64 { x.round() } else { x }
            })
            .collect();
        for &i in &floats {
            for &k in if order == 1 { &floats[..1] } else { &floats[..] } {
                let mut m = Module::new();
                let mut f = primal(&mut m, rule);
                if order == 2 {
                    f = gradient(&mut m, f, &types, i, modes[0]);
                }
                let by = if order == 1 { i } else { k };
                let d = gradient(&mut m, f, &types, by, modes[order - 1]);
                m.entry = Some(f);
                let mut below = m.clone();
                expand(&mut below);
                m.entry = Some(d);
                expand(&mut m);
                gradus_ir::verify::verify(&m).unwrap_or_else(|e| panic!("{}: {e}", rule.prim.name()));
                let found = run(&m, &values(rule, &x));
                let mut expected = difference(
                    |v| {
                        let mut x = x.clone();
                        x[by] = v;
                        run(&below, &values(rule, &x))
                    },
                    x[by],
                );
                // `copysign` and the like have no derivative in some arguments: their first derivative is flat there.
                if rule.adjoints.get(by).is_some_and(Option::is_none) && order == 1 {
                    expected = 0.0;
                }
                let scale = expected.abs().max(1.0);
                let name = rule.prim.name();
                // What narrowing gives has steps.
                let tolerance = if matches!(rule.prim, Prim::Narrow) { 2e-4 } else { 1e-7 };
                assert!(
                    (found - expected).abs() <= tolerance * scale,
                    "{modes:?} {name} at {x:?} in {by}: {found}, expected {expected}"
                );
            }
        }
    }
}

#[test]
fn first_derivatives() {
    for mode in [Reverse, Forward] {
        RULES.iter().for_each(|r| check(r, &[mode]));
    }
}

#[test]
fn second_derivatives() {
    for modes in [[Reverse, Reverse], [Reverse, Forward], [Forward, Reverse], [Forward, Forward]] {
        RULES.iter().for_each(|r| check(r, &modes));
    }
}
