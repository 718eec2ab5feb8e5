//! Derivatives of higher orders through functions of Rust, by rules that have rules: against closed forms.

use gradus::{Backend, Engine, Error, Options, Primitive, Program, Simplify, Source, Strategy};

const PROGRAM: &str = "
from gradus import grad, jvp, jacfwd

def along(f): return lambda x: jvp(f, (x,), (1.0,))[1]

def f(x): return sine(x * x)
def r(x): return grad(f)(x)
def t(x): return along(f)(x)
def rr(x): return grad(grad(f))(x)
def tr(x): return along(grad(f))(x)
def rt(x): return grad(along(f))(x)
def tt(x): return along(along(f))(x)
def rrr(x): return grad(grad(grad(f)))(x)
def trr(x): return along(grad(grad(f)))(x)
def rtr(x): return grad(along(grad(f)))(x)
def ttr(x): return along(along(grad(f)))(x)
def rrt(x): return grad(grad(along(f)))(x)
def ttt(x): return along(along(along(f)))(x)
def rrrr(x): return grad(grad(grad(grad(f))))(x)

def steps(x):
    r = x
    for i in range(2):
        r = sine(r)
    return r
def steps_r(x): return grad(steps)(x)
def steps_rr(x): return grad(grad(steps))(x)
def steps_tr(x): return along(grad(steps))(x)

def mixed(x, y, n): return grad(lambda y: grad(lambda x: monomial((x, y), n))(x))(y)
def across(x, y, n): return along(lambda y: grad(lambda x: monomial((x, y), n))(x))(y)
def turned(r, t):
    x, y = cartesian(r, t)
    return x * y
def slopes(r, t):
    dr, dt = grad(turned, (0, 1))(r, t)
    return dr + dt
";

/// Every way to run the program.
fn everywhere(primitives: impl Fn(Engine) -> Engine, test: impl Fn(&Program)) {
    for backend in [Backend::Jit, Backend::Interp] {
        for strategy in [Strategy::Stack, Strategy::Closure] {
            for simplify in [Simplify::Interleaved, Simplify::AtEnd] {
                let options = Options { backend, simplify, plan: strategy.into(), ..Options::default() };
                test(&primitives(Engine::new(options)).parse(Source::new("orders.py", PROGRAM)).expect("correct Python"));
            }
        }
    }
}

fn call(program: &Program, name: &str, x: f64) -> Result<f64, Error> {
    program.function(name)?.typed::<f64, f64>()?.call(x)
}

fn close(what: &str, found: f64, exact: f64) {
    assert!((found - exact).abs() <= 1e-13 * exact.abs().max(1.0), "{what}: {found}, not {exact}");
}

/// The derivatives of sin x² up to the third order.
fn exact(order: usize, x: f64) -> f64 {
    let (s, c) = (x * x).sin_cos();
    match order {
        1 => 2.0 * x * c,
        2 => 2.0 * c - 4.0 * x * x * s,
        _ => -12.0 * x * s - 8.0 * x.powi(3) * c,
    }
}

type First = (f64, f64, f64);

/// A rule of the first order, with none of its own.
fn first() -> Primitive<First, f64> {
    Primitive::new("first", |(_, x, g): First| g * x.cos())
}

/// Its cotangents.
fn second() -> Primitive<(f64, First, f64), First> {
    Primitive::new("second", |(_, (_, x, g), h): (f64, First, f64)| (0.0, -h * g * x.sin(), h * x.cos()))
}

/// All derivatives up to this order.
fn check(program: &Program, order: usize) {
    let names: [&[&str]; 3] = [&["r", "t"], &["rr", "tr", "rt", "tt"], &["rrr", "trr", "rtr", "ttr", "rrt", "ttt"]];
    for (i, names) in names.iter().enumerate() {
        for name in *names {
            match call(program, name, 0.7) {
                Ok(found) if i < order => close(name, found, exact(i + 1, 0.7)),
                Ok(found) => panic!("{name} is {found}"),
                Err(e) if i < order => panic!("{name}: {e}"),
                Err(e) => assert!(e.to_string().contains("has no derivative"), "{name}: {e}"),
            }
        }
    }
}

#[test]
fn orders_are_those_of_the_rules() {
    let sine = || Primitive::new("sine", f64::sin);
    everywhere(|engine| engine.with(sine().pullback(|_, x, g| g * x.cos())), |program| check(program, 1));
    everywhere(
        |engine| engine.with(sine().pullback_by(first().pullback_by(second()))),
        |program| {
            check(program, 2);
            let (s, c) = 0.5_f64.sin_cos();
            let (ss, cc) = s.sin_cos();
            close("steps", call(program, "steps_r", 0.5).expect("a number"), cc * c);
            for name in ["steps_rr", "steps_tr"] {
                close(name, call(program, name, 0.5).expect("a number"), -ss * c * c - cc * s);
            }
            let hessian = program.function("f").and_then(|f| f.hessian::<f64, f64>()).and_then(|h| h.call(0.7));
            close("hessian", hessian.expect("a number"), exact(2, 0.7));
        },
    );
    let third = |_, (_, (_, x, g), h): (f64, First, f64), (_, a, b): First| {
        let (s, c): (f64, f64) = x.sin_cos();
        (0.0, (0.0, -a * h * g * c - b * h * s, -a * h * s), -a * g * s + b * c)
    };
    let all = || sine().pullback_by(first().pullback_by(second().pullback(third)));
    everywhere(|engine| engine.with(all()), |program| check(program, 3));
}

#[test]
fn a_rule_of_either_mode_is_enough() {
    let sine = || Primitive::new("sine", f64::sin);
    // The tangent of the pullback, and that of the pushforward.
    let along = |_, (_, x, g): First, (_, dx, dg): First| dg * x.cos() - g * x.sin() * dx;
    everywhere(|engine| engine.with(sine().pullback_by(first().pushforward(along))), |program| check(program, 2));
    everywhere(|engine| engine.with(sine().pushforward_by(first().pushforward(along))), |program| check(program, 2));
    everywhere(|engine| engine.with(sine().pushforward_by(first().pullback_by(second()))), |program| check(program, 2));
    let both = || sine().pullback_by(first().pushforward(along)).pushforward_by(first().pullback_by(second()));
    everywhere(|engine| engine.with(both()), |program| check(program, 2));
}

#[test]
fn arguments_and_results_of_several_parts() {
    // xⁿ·y, of two floats in a tuple and an integer.
    type Pair = (f64, f64);
    let monomial = || {
        let power = |x: f64, n: i64| x.powi(n as i32);
        let factor = |n: i64| n as f64;
        let rule = Primitive::new("rule", move |(_, ((x, y), n), g): (f64, (Pair, i64), f64)| {
            ((g * factor(n) * power(x, n - 1) * y, g * power(x, n)), ())
        });
        let next = move |_, (_, ((x, y), n), g): (f64, (Pair, i64), f64), ((a, b), ()): (Pair, ())| {
            let (slope, bend) = (factor(n) * power(x, n - 1), factor(n) * factor(n - 1) * power(x, n - 2));
            (0.0, ((g * (a * bend * y + b * slope), a * g * slope), ()), a * slope * y + b * power(x, n))
        };
        Primitive::new("monomial", move |((x, y), n): (Pair, i64)| power(x, n) * y).pullback_by(rule.pullback(next))
    };
    let cartesian = || {
        let rule = Primitive::new("rule", |(_, (r, t), [a, b]): ([f64; 2], Pair, [f64; 2])| {
            let (s, c) = t.sin_cos();
            (a * c + b * s, r * (b * c - a * s))
        });
        let next = |_, (_, (r, t), [a, b]): ([f64; 2], Pair, [f64; 2]), (h, k): Pair| {
            let (s, c) = t.sin_cos();
            let across = b * c - a * s;
            ([0.0, 0.0], (k * across, h * across - k * r * (a * c + b * s)), [h * c - k * r * s, h * s + k * r * c])
        };
        Primitive::new("cartesian", |(r, t): Pair| [r * t.cos(), r * t.sin()]).pullback_by(rule.pullback(next))
    };
    everywhere(
        |engine| engine.with(monomial()).with(cartesian()),
        |program| {
            let function = |name| program.function(name).expect("a function");
            for name in ["mixed", "across"] {
                let found = function(name).typed::<(f64, f64, i64), f64>().and_then(|f| f.call((1.5, 0.7, 3)));
                close(name, found.expect("a number"), 3.0 * 1.5 * 1.5);
            }
            let (r, t) = (1.5, 0.4);
            let (s, c) = (2.0_f64 * t).sin_cos();
            let ((rr, rt), (tr, tt)) =
                function("turned").hessian::<Pair, (Pair, Pair)>().and_then(|f| f.call((r, t))).expect("a hessian");
            let (dr, dt) = function("slopes").grad::<Pair>().and_then(|f| f.call((r, t))).expect("a gradient");
            let exact = [s, 2.0 * r * c, 2.0 * r * c, -2.0 * r * r * s];
            [rr, rt, tr, tt].iter().zip(exact).for_each(|(found, exact)| close("turned", *found, exact));
            close("slopes", dr, exact[0] + exact[1]);
            close("slopes", dt, exact[1] + exact[3]);
        },
    );
}
