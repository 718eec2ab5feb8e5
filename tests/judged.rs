//! What a compiler of this kind must stand, and no small program shows: long loops, deep recursion, code without closures, traps that
//! name the user's line, pullbacks called twice, many threads.

use gradus::{Backend, Engine, Error, Function, Options, Request, Simplify, Source, Type, Value, active};
use gradus_backend::interp::Interp;
use gradus_backend::jit::{Jit, Stats};
use gradus_ir::parse::parse;
use gradus_ir::{Module, TrapKind};

const BACKENDS: [Backend; 2] = [Backend::Jit, Backend::Interp];

fn function(text: &str, name: &str, backend: Backend) -> Function {
    let engine = Engine::new(Options { backend, ..Options::default() });
    engine.parse(Source::new("judged.py", text)).and_then(|p| p.function(name)).expect("a correct program")
}

/// Runs something where the native stack is small.
fn on_small_stack<T: Send>(run: impl FnOnce() -> T + Send) -> T {
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(1 << 20).spawn_scoped(scope, run).expect("a thread");
        thread.join().expect("no overflow")
    })
}

const POWER: &str = "
def power(x, n):
    r = 1.0
    while n > 0:
        n = n - 1
        r = r * x
    return r
";

#[test]
fn long_loops_leave_the_native_stack_alone() {
    for (backend, n) in [(Backend::Jit, 10_000_000), (Backend::Interp, 1_000_000)] {
        let x = 1.0 + 1.0 / n as f64;
        let power = function(POWER, "power", backend);
        let (y, (dx, ())): (f64, (f64, ())) = on_small_stack(|| power.value_and_grad((x, n)).expect("an answer"));
        let exact = (n as f64 * x.ln()).exp();
        assert!((y - exact).abs() < 1e-8 * exact, "{backend:?}: {y}, not {exact}");
        assert!((dx - n as f64 * exact / x).abs() < 1e-8 * dx, "{backend:?}: {dx}, not {}", n as f64 * exact / x);
    }
}

const RECURSION: &str = "
def power(x, n):
    if n == 0:
        return 1.0
    return x * power(x, n - 1)

def endless(x):
    return 1.0 + endless(x)
";

#[test]
fn recursion_is_deep_and_bounded() {
    for backend in BACKENDS {
        let n = 100_000;
        let x = 1.0 + 1.0 / n as f64;
        let exact = (n as f64 * x.ln()).exp();
        let power = function(RECURSION, "power", backend);
        let value: f64 = on_small_stack(|| power.call((x, n)).expect("a value"));
        assert!((value - exact).abs() < 1e-9 * exact, "{backend:?}: {value}, not {exact}");
        let (dx, ()): (f64, ()) = on_small_stack(|| power.grad((x, n)).expect("a gradient"));
        assert!((dx - n as f64 * exact / x).abs() < 1e-9 * dx, "{backend:?}: {dx}, not {}", n as f64 * exact / x);
        let endless = function(RECURSION, "endless", backend);
        let answers =
            [on_small_stack(|| endless.call::<f64>((1.0,))), on_small_stack(|| endless.grad::<(f64,)>((1.0,)).map(|g| g.0))];
        for answer in answers {
            match answer {
                Err(Error::Trap(trap)) => assert_eq!(trap.kind, TrapKind::RecursionLimit, "{backend:?}"),
                other => panic!("{backend:?}: {other:?}"),
            }
        }
    }
}

/// What the code of a gradient needs.
fn gradient_stats(text: &str, args: &[Value]) -> Stats {
    let types: Vec<Type> = args.iter().map(Value::ty).collect();
    let f = function(text, "f", Backend::Jit);
    let compiled = f.compile(&types, &Request::Gradient(active(&types))).expect("a gradient");
    compiled.native().expect("native code").stats()
}

#[test]
fn gradients_without_loops_need_no_closures() {
    let x = [Value::F64(0.7)];
    let xy = [Value::F64(0.7), Value::F64(1.3)];
    let programs: &[(&str, &str, &[Value])] = &[
        ("straight line", "import math\ndef f(x):\n    y = math.sin(x) * x\n    return y / (1.0 + x * x)\n", &x),
        ("branch", "def f(x, y):\n    if x < y:\n        return x * y\n    else:\n        return x + y * y\n", &xy),
        (
            "if that is not last",
            "def f(x, y):\n    r = x\n    if x < y:\n        r = r * y\n    elif x < 2.0:\n        r = r - y\n    r = r * x\n    if r > 0.5:\n        r = r * r\n    return r * y\n",
            &xy,
        ),
        ("ternary", "def f(x, y):\n    a = x if x < y else y * x\n    b = y if a < 1.0 else a * a\n    return a * b\n", &xy),
        (
            "closure chosen by a branch",
            "import math\ndef f(x, y):\n    if x < y:\n        g = lambda t: t * y\n    else:\n        g = lambda t: math.sin(t) + x\n    return g(x) * y\n",
            &xy,
        ),
        (
            "closure chosen by a branch, called twice",
            "def f(x, y):\n    g = (lambda t: t * y) if x < y else (lambda t: t + x)\n    return g(g(x))\n",
            &xy,
        ),
        (
            "functions in a tuple",
            "import math\ndef f(x, y):\n    h = (lambda t: t * y, math.sin, lambda t: t + x * y)\n    return h[0](x) + h[1](y) * h[2](x)\n",
            &xy,
        ),
        (
            "function that returns functions",
            "def pair(a):\n    return lambda t: t * a, lambda t: t + a\n\ndef f(x, y):\n    g, h = pair(x * y)\n    return g(h(y))\n",
            &xy,
        ),
        (
            "compose, ten deep",
            "import math\ndef compose(f, g):\n    return lambda x: f(g(x))\n\ndef f(x):\n    h = compose(math.sin, math.cos)\n    h = compose(compose(compose(h, h), compose(h, h)), h)\n    h = compose(h, h)\n    return h(x)\n",
            &x,
        ),
        (
            "inner gradient",
            "from gradus import grad\ndef f(x, y):\n    return x * grad(lambda t: t * t * y if t > 0.5 else t + y)(x)\n",
            &xy,
        ),
    ];
    let mut wrong = Vec::new();
    for (name, text, args) in programs {
        let stats = gradient_stats(text, args);
        if (stats.allocation_sites, stats.indirect_calls) != (0, 0) {
            wrong.push(format!("{name}: {} allocations, {} indirect calls", stats.allocation_sites, stats.indirect_calls));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    // The figures do count: a loop's backpropagators are closures.
    let loops = gradient_stats(&POWER.replace("power", "f"), &[Value::F64(2.0), Value::I64(3)]);
    assert!(loops.allocation_sites > 0, "{loops:?}");
}

#[test]
fn a_trap_in_a_loop_names_the_line() {
    let text = "
def f(x, n):
    r = x
    while n > -3:
        n = n - 1
        r = r * x * (6 // n)
    return r
";
    for backend in BACKENDS {
        for simplify in [Simplify::Off, Simplify::AtEnd, Simplify::Interleaved] {
            let engine = Engine::new(Options { backend, simplify, ..Options::default() });
            let program = engine.parse(Source::new("judged.py", text)).expect("a correct program");
            let f = program.function("f").expect("it is there");
            let error = f.grad::<(f64, ())>((2.0, 3)).expect_err("a trap");
            assert!(matches!(&error, Error::Trap(t) if t.kind == TrapKind::DivisionByZero), "{backend:?}: {error}");
            let message = error.render(Some(program.source()));
            assert!(message.contains("judged.py:6") && message.contains("6 // n"), "{backend:?}, {simplify:?}:\n{message}");
        }
    }
}

#[test]
fn a_pullback_may_be_called_again() {
    let text = "
entry @main
graph @main(%x: f64, %n: i64) -> (f64, f64, f64) {
  %j: fn(f64, i64) -> (f64, fn(f64) -> (opaque, f64, zero)) = J @power
  %t: (f64, fn(f64) -> (opaque, f64, zero)) = call %j, %x, %n
  %pb: fn(f64) -> (opaque, f64, zero) = get<1> %t
  %a: (opaque, f64, zero) = call %pb, 1.0
  %b: (opaque, f64, zero) = call %pb, 1.0
  %c: (opaque, f64, zero) = call %pb, 2.0
  %ga: f64 = get<1> %a
  %gb: f64 = get<1> %b
  %gc: f64 = get<1> %c
  %r: (f64, f64, f64) = tuple %ga, %gb, %gc
  return %r
}
graph @power(%x.1: f64, %n.1: i64) -> f64 {
  %0: f64 = call @loop, %n.1, 1.0
  return %0
}
block @loop(%n.2: i64, %r.1: f64) -> f64 {
  %1: bool = gt %n.2, 0
  %2: fn() -> f64 = select %1, @body, @done
  %3: f64 = call %2
  return %3
}
block @body() -> f64 {
  %n.3: i64 = sub %n.2, 1
  %r.2: f64 = mul %r.1, %x.1
  %4: f64 = call @loop, %n.3, %r.2
  return %4
}
block @done() -> f64 {
  return %r.1
}
";
    let run = |m: &Module| {
        let args = [Value::F64(1.1), Value::I64(10)];
        let jit = Jit::compile(m).expect("code").run(&args).expect("an answer");
        let interp = Interp::new(m).expect("code").run(&args).expect("an answer");
        assert!(jit.same_bits(&interp), "{jit}, {interp}");
        let Value::Tuple(items) = jit else { panic!("a tuple") };
        assert!(items[0].same_bits(&items[1]), "{} and then {}", items[0], items[1]);
        let [Value::F64(once), _, Value::F64(twice)] = items[..] else { panic!("floats") };
        assert_eq!(2.0 * once, twice);
        assert!((once - 10.0 * 1.1_f64.powi(9)).abs() < 1e-12, "{once}");
    };
    let mut m = parse(text).expect("the text form");
    while gradus_ad::expand(&mut m, &gradus_ad::Plan::default(), 0).expect("a bounded order").count > 0 {}
    run(&m);
    gradus_opt::simplify(&mut m, &gradus_opt::Options::default());
    run(&m);
}

#[test]
fn functions_are_shared_by_threads() {
    fn shared<T: Send + Sync>(_: &T) {}
    for backend in BACKENDS {
        let power = function(POWER, "power", backend);
        shared(&power);
        std::thread::scope(|scope| {
            for thread in 0..4 {
                let power = &power;
                scope.spawn(move || {
                    for i in 0..20 {
                        let x = 1.0 + 0.1 * f64::from(i);
                        // Threads ask for different things first, and for all of them in the end.
                        if (i + thread) % 2 == 0 {
                            let y: f64 = power.call((x, 3)).expect("a value");
                            assert_eq!(y, x * x * x);
                        } else {
                            let (y, (dx, ())): (f64, (f64, ())) = power.value_and_grad((x, 3)).expect("a gradient");
                            assert_eq!(y, x * x * x);
                            assert!((dx - 3.0 * x * x).abs() < 1e-12 * dx);
                        }
                    }
                });
            }
        });
    }
}
