//! Functions of Rust that programs call, and rules of Rust for their derivatives.

use gradus::{Backend, Engine, Error, Options, Primitive, Program, Request, Simplify, Source, Strategy};

const PROGRAM: &str = "
def line(x, n): return scaled(x, n) * x
def steps(x, n):
    r = x
    for i in range(n):
        r = scaled(r, 2) + 0.5 * r
    return r
def polar(r, t):
    x, y = cartesian((r, t))
    return x * y
def bare(x): return valued(x) * 2.0
def clipped(x): return x * x
def power(x, n):
    return 1.0 if n == 0 else x * power(x, n - 1)
def through(x, n): return clipped(x) + power(x, n)
def unlike(x): return scaled(x, x)
def many(x): return scaled(x, 1, 2)
def broken(x): return x + valued(-x)
def stopped(x): return x * valued(2.0) if x > 0.0 else valued(-1.0)
";

/// Every way to run a program that calls functions of this test.
fn everywhere(test: impl Fn(&Program)) {
    for backend in [Backend::Jit, Backend::Interp] {
        for strategy in [Strategy::Auto, Strategy::Stack, Strategy::Closure] {
            for simplify in [Simplify::Interleaved, Simplify::AtEnd, Simplify::Off] {
                let options = Options { backend, simplify, plan: strategy.into(), ..Options::default() };
                test(&engine(options).parse(Source::new("primitive.py", PROGRAM)).expect("correct Python"));
            }
        }
    }
}

fn engine(options: Options) -> Engine {
    // n·x, whose derivative is told to be 10·n, so that it is seen to be used.
    let scaled = Primitive::new("scaled", |(x, n): (f64, i64)| x * n as f64)
        .pullback(|_, (_, n), g| (10.0 * n as f64 * g, ()))
        .pushforward(|_, (_, n), (dx, ())| 10.0 * n as f64 * dx);
    let cartesian = Primitive::new("cartesian", |((r, t),): ((f64, f64),)| [r * t.cos(), r * t.sin()])
        .pullback(|[x, y], ((r, _),), [gx, gy]| (((x * gx + y * gy) / r, x * gy - y * gx),))
        .pushforward(|[x, y], ((r, _),), ((dr, dt),)| [x / r * dr - y * dt, y / r * dr + x * dt]);
    let valued = Primitive::new("valued", |x: f64| {
        assert!(x >= 0.0, "{x} is negative");
        x + 1.0
    });
    let clipped = Primitive::<f64, f64>::rule("clipped").pullback(|y, x, g| g * (y + x)).pushforward(|y, x, dx| dx * (y + x));
    let power = Primitive::<(f64, i64), f64>::rule("power").pullback(|y, (x, n), g| (g * n as f64 * y / x, ()));
    Engine::new(options).with(scaled).with(cartesian).with(valued).with(clipped).with(power)
}

fn message(e: Error) -> String {
    assert!(matches!(e, Error::Refused(_)), "{e}");
    e.to_string()
}

#[test]
fn values_and_derivatives() {
    everywhere(|program| {
        let function = |name| program.function(name).expect("a function");
        let both = function("line").value_and_grad::<(f64, i64)>().expect("a gradient");
        assert_eq!(both.call((3.0, 2)).expect("a gradient"), (18.0, (66.0, ())));
        let tangent = function("line").jvp::<(f64, i64), f64>().expect("a tangent");
        assert_eq!(tangent.call(((3.0, 2), (1.0, ()))).expect("a tangent"), (18.0, 66.0));
        let steps = function("steps").request::<(f64, i64), (f64, (f64, ()))>(Request::Reverse(vec![0])).expect("a gradient");
        assert_eq!(steps.call((1.0, 3)).expect("a gradient"), (2.5_f64.powi(3), (20.5_f64.powi(3), ())));
        let steps = function("steps").request::<(f64, i64), (f64, (f64, ()))>(Request::Forward(vec![0], None));
        assert_eq!(steps.and_then(|f| f.call((1.0, 3))).expect("a gradient"), (2.5_f64.powi(3), (20.5_f64.powi(3), ())));
        let (value, (dr, dt)) =
            function("polar").value_and_grad::<(f64, f64)>().and_then(|f| f.call((2.0, 0.5))).expect("a gradient");
        let exact = [2.0 * 1.0_f64.sin(), 2.0 * 1.0_f64.sin(), 4.0 * 1.0_f64.cos()];
        assert!([value, dr, dt].iter().zip(exact).all(|(a, b)| (a - b).abs() < 1e-14), "{value} {dr} {dt}");
    });
}

#[test]
fn rules_for_functions_of_the_program() {
    everywhere(|program| {
        let through = program.function("through").expect("a function");
        // The rule for `clipped` says y + x; that for `power` n y/x, which is right.
        let both = through.value_and_grad::<(f64, i64)>().and_then(|f| f.call((3.0, 4))).expect("a gradient");
        assert_eq!(both, (90.0, (12.0 + 108.0, ())));
        let entry = program.function("clipped").expect("a function");
        assert_eq!(entry.grad::<f64>().and_then(|f| f.call(3.0)).expect("a gradient"), 12.0);
        // That of forward mode is made of it.
        let tangent = through.jvp::<(f64, i64), f64>().and_then(|f| f.call(((3.0, 4), (1.0, ())))).expect("a tangent");
        assert_eq!(tangent, (90.0, 120.0));
    });
}

#[test]
fn what_is_missing_is_said() {
    everywhere(|program| {
        let function = |name| program.function(name).expect("a function");
        assert_eq!(function("bare").typed::<f64, f64>().and_then(|f| f.call(2.0)).expect("a value"), 6.0);
        let refused = message(function("bare").grad::<f64>().expect_err("no pullback"));
        assert!(refused.contains("`valued` has no derivative"), "{refused}");
        let refused = message(function("bare").jvp::<f64, f64>().expect_err("no pushforward"));
        assert!(refused.contains("`valued` has no derivative"), "{refused}");
        // Of the second order there is none through a rule, in whatever mode.
        let refused = message(function("line").hessian::<(f64, i64), ((f64, ()), ())>().expect_err("of the second order"));
        assert!(refused.contains("`the pullback of scaled` has no derivative"), "{refused}");
        let refused = message(function("unlike").typed::<f64, f64>().expect_err("an int is expected"));
        assert!(refused.contains("`scaled` takes an int for argument 2, this is a float"), "{refused}");
        assert!(message(function("many").typed::<f64, f64>().expect_err("three arguments")).contains("argument"));
    });
}

#[test]
fn a_panic_is_a_failure() {
    everywhere(|program| {
        let broken = program.function("broken").and_then(|f| f.typed::<f64, f64>()).expect("a function");
        for _ in 0..2 {
            let e = broken.call(1.0).expect_err("it panics");
            assert!(matches!(e, Error::Failed { .. }), "{e}");
            assert!(e.to_string().contains("`valued` panicked: -1 is negative"), "{e}");
            assert!(e.render(Some(program.source())).contains("x + valued(-x)"), "{e}");
            assert_eq!(broken.call(-1.0).expect("it goes on"), 1.0);
        }
        // It is not called where the program does not call it.
        let stopped = program.function("stopped").and_then(|f| f.typed::<f64, f64>()).expect("a function");
        assert_eq!(stopped.call(2.0).expect("a value"), 6.0);
    });
}

#[test]
fn primitives_may_run_programs() {
    let inner = Engine::default().parse(Source::new("inner.py", "def cube(x): return x ** 3")).expect("correct Python");
    let gradient = inner.function("cube").and_then(|f| f.grad::<f64>()).expect("a gradient");
    let slope = Primitive::new("slope", move |x: f64| gradient.call(x).expect("a number"));
    let program = Engine::default().with(slope).parse(Source::new(
        "outer.py",
        "
def f(n):
    s = 0.0
    for i in range(n):
        s = s + slope(i)
    return s
",
    ));
    let f = program.and_then(|p| p.function("f")).and_then(|f| f.typed::<i64, f64>()).expect("a function");
    assert_eq!(f.call(4).expect("a sum"), 42.0);
}
