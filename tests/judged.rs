//! What a compiler of this kind must stand, and no small program shows: long loops, deep recursion, code without closures or tapes, traps
//! that name the user's line, pullbacks called twice, many threads.

use gradus::{
    Backend, Closures, Engine, Error, Function, Mode, Options, Plan, Request, Simplify, Source, Strategy, Type, Value, active,
};
use gradus_backend::Usage;
use gradus_backend::interp::Interp;
use gradus_backend::jit::{Jit, Stats};
use gradus_ir::parse::parse;
use gradus_ir::{Module, Nest, Prim, TrapKind};

const BACKENDS: [Backend; 2] = [Backend::Jit, Backend::Interp];
const STRATEGIES: [Strategy; 2] = [Strategy::Closure, Strategy::Stack];

fn function(text: &str, name: &str, backend: Backend, strategy: Strategy) -> Function {
    let engine = Engine::new(Options { backend, plan: strategy.into(), ..Options::default() });
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
        for strategy in STRATEGIES {
            let x = 1.0 + 1.0 / n as f64;
            let power = function(POWER, "power", backend, strategy);
            let power = power.value_and_grad::<(f64, i64)>().expect("a gradient");
            let (y, (dx, ())) = on_small_stack(|| power.call((x, n)).expect("an answer"));
            let exact = (n as f64 * x.ln()).exp();
            let exact_dx = n as f64 * exact / x;
            assert!((y - exact).abs() < 1e-8 * exact, "{backend:?}, {strategy:?}: {y}, not {exact}");
            assert!((dx - exact_dx).abs() < 1e-8 * dx, "{backend:?}, {strategy:?}: {dx}, not {exact_dx}");
        }
    }
}

/// What the gradient of `f` in its float arguments takes by native code.
fn usage(text: &str, args: &[Value], strategy: Strategy) -> Usage {
    let types: Vec<Type> = args.iter().map(Value::ty).collect();
    let f = function(text, "f", Backend::Jit, strategy);
    let compiled = f.compile(&types, &Request::Gradient(active(&types))).expect("a gradient");
    compiled.native().expect("native code").run_with_usage(args).expect("an answer").1
}

#[test]
fn tapes_hold_what_is_needed() {
    let power = POWER.replace("power", "f");
    for n in [0, 1, 1000, 100_000] {
        let args = [Value::F64(1.0), Value::I64(n)];
        let n = n as usize;
        // r of each iteration.
        let stack = usage(&power, &args, Strategy::Stack);
        assert_eq!((stack.tape_bytes, stack.records), (8 * n, n), "{stack:?}");
        assert_eq!(stack.heap_bytes, usage(&power, &[Value::F64(1.0), Value::I64(0)], Strategy::Stack).heap_bytes);
        // So do closures, which are a chain.
        let closure = usage(&power, &args, Strategy::Closure);
        assert_eq!((closure.tape_bytes, closure.records, closure.heap_bytes), (8 * n, n, 0), "{closure:?}");
    }
    // Sums need nothing of their iterations but how many there were, and integers are not recorded without need.
    let sums = "def f(x, n):\n    s = 0.0\n    for i in range(n):\n        s = s + x\n    return s\n";
    assert_eq!(usage(sums, &[Value::F64(2.0), Value::I64(100)], Strategy::Stack).tape_bytes, 0);
    // The state of each step; what its stages were is computed again.
    let lorenz = include_str!("../benches/programs/lorenz.py").replace("def lorenz(", "def f(");
    let start = [1.0, 1.2, 0.9, 10.0, 28.0, 8.0 / 3.0].map(Value::F64);
    let steps = usage(&lorenz, &[&start[..], &[Value::I64(100)]].concat(), Strategy::Stack);
    assert_eq!((steps.tape_bytes, steps.records), (2400, 100), "{steps:?}");
    // A tape serves all runs of an inner loop.
    let nested = "
def f(x, n):
    r = x
    for i in range(n):
        for j in range(i):
            r = r * x
    return r
";
    let inner = usage(nested, &[Value::F64(1.0), Value::I64(100)], Strategy::Stack);
    assert!(inner.records <= 100 * 99 / 2 + 100, "{inner:?}");
    // The closures of both loops are one chain.
    let chain = usage(nested, &[Value::F64(1.0), Value::I64(100)], Strategy::Closure);
    assert!(chain.objects == 0 && chain.records <= 100 * 99 / 2 + 200, "{chain:?}");
}

#[test]
fn a_function_that_never_returns_is_differentiated() {
    for strategy in STRATEGIES {
        let endless = function("def f(x, n):\n    return f(x * x, n + 1)\n", "f", Backend::Jit, strategy);
        let gradient = endless.compile(&[Type::F64, Type::I64], &Request::Gradient(vec![0])).expect("a gradient");
        // There is no return for the adjoint to begin at.
        assert!(gradient.report().decisions.iter().all(|d| d.strategy == Strategy::Closure), "{strategy:?}");
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
    for (backend, strategy) in BACKENDS.into_iter().flat_map(|b| STRATEGIES.map(|s| (b, s))) {
        let n = 100_000;
        let x = 1.0 + 1.0 / n as f64;
        let exact = (n as f64 * x.ln()).exp();
        let power = function(RECURSION, "power", backend, strategy);
        let value = power.typed::<(f64, i64), f64>().expect("a value");
        let value = on_small_stack(|| value.call((x, n)).expect("a value"));
        assert!((value - exact).abs() < 1e-9 * exact, "{backend:?}: {value}, not {exact}");
        let gradient = power.grad::<(f64, i64)>().expect("a gradient");
        let (dx, ()) = on_small_stack(|| gradient.call((x, n)).expect("a gradient"));
        assert!((dx - n as f64 * exact / x).abs() < 1e-9 * dx, "{backend:?}: {dx}, not {}", n as f64 * exact / x);
        let endless = function(RECURSION, "endless", backend, strategy);
        for endless in [endless.typed::<f64, f64>(), endless.grad::<f64>()] {
            let endless = endless.expect("it is compiled");
            match on_small_stack(|| endless.call(1.0)) {
                Err(Error::Trap(trap)) => assert_eq!(trap.kind, TrapKind::RecursionLimit, "{backend:?}"),
                other => panic!("{backend:?}: {other:?}"),
            }
        }
    }
}

/// What the code of a gradient needs.
fn gradient_stats(text: &str, args: &[Value], strategy: Strategy) -> Stats {
    let types: Vec<Type> = args.iter().map(Value::ty).collect();
    let f = function(text, "f", Backend::Jit, strategy);
    let compiled = f.compile(&types, &Request::Gradient(active(&types))).expect("a gradient");
    compiled.native().expect("native code").stats()
}

#[test]
fn code_grows_with_the_program() {
    type Statement = fn(usize) -> String;
    let statements: [(&str, Statement); 3] = [
        ("if", |i| format!("    if y > {i}.5:\n        y = y * 1.01 + x\n    else:\n        y = math.sin(y) + {i}.0\n")),
        ("closures", |i| {
            format!("    if y > {i}.5:\n        h = lambda t: t * y\n    else:\n        h = lambda t: t + x\n    y = h(x)\n")
        }),
        ("loops", |_| "    for i in range(3):\n        y = y * 1.01 + x\n".into()),
    ];
    for ((what, statement), strategy) in statements.iter().flat_map(|s| STRATEGIES.map(|strategy| (s, strategy))) {
        let sizes: Vec<usize> = [20, 40, 80]
            .map(|n| {
                let body: String = (0..n).map(statement).collect();
                let text = format!("import math\ndef f(x):\n    y = x\n{body}    return y\n");
                let f = function(&text, "f", Backend::Jit, strategy);
                f.compile(&[Type::F64], &Request::Gradient(vec![0])).expect("a gradient").report().nodes.1
            })
            .to_vec();
        let (first, second) = (sizes[1] - sizes[0], sizes[2] - sizes[1]);
        assert!(second <= 2 * first + first / 5, "{what}, {strategy:?}: {sizes:?} nodes of 20, 40 and 80 statements");
    }
}

/// Programs without loops.
fn without_loops() -> Vec<(&'static str, &'static str, Vec<Value>)> {
    let x = vec![Value::F64(0.7)];
    let xy = vec![Value::F64(0.7), Value::F64(1.3)];
    let list: &[(&str, &str, &[Value])] = &[
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
    list.iter().map(|&(name, text, args)| (name, text, args.to_vec())).collect()
}

#[test]
fn gradients_without_loops_need_no_closures() {
    let mut wrong = Vec::new();
    for (name, text, args) in without_loops() {
        for strategy in STRATEGIES {
            let stats = gradient_stats(text, &args, strategy);
            if (stats.allocation_sites, stats.indirect_calls) != (0, 0) {
                let Stats { allocation_sites, indirect_calls, .. } = stats;
                wrong.push(format!("{name}, {strategy:?}: {allocation_sites} allocations, {indirect_calls} indirect calls"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    // The figures do count: a loop's backpropagators are closures, before they are a tape.
    let plan = Strategy::Closure.into();
    let engine = Engine::new(Options { closures: Closures::Objects, plan, ..Options::default() });
    let power = engine.parse(Source::new("judged.py", POWER)).and_then(|p| p.function("power")).expect("a correct program");
    let loops = power.compile(&[Type::F64, Type::I64], &Request::Gradient(vec![0])).expect("a gradient");
    let stats = loops.native().expect("native code").stats();
    assert!(stats.allocation_sites > 0, "{stats:?}");
}

/// How many `push` a module has.
fn pushes(m: &Module) -> usize {
    let nest = Nest::new(m, &[m.entry.expect("an entry")]);
    nest.graphs().iter().flat_map(|&g| nest.schedule(g)).filter(|&&n| m.as_prim(n) == Some(Prim::Push)).count()
}

#[test]
fn code_without_loops_has_no_tape() {
    for simplify in [Simplify::Off, Simplify::AtEnd, Simplify::Interleaved] {
        let options = || Options { simplify, plan: Strategy::Stack.into(), ..Options::default() };
        let compiled = |text: &str, args: &[Value], request: &Request| {
            let types: Vec<Type> = args.iter().map(Value::ty).collect();
            let program = Engine::new(options()).parse(Source::new("judged.py", text)).expect("a correct program");
            program.function("f").expect("it is there").compile(&types, request).expect("a derivative")
        };
        for (name, text, args) in without_loops() {
            let types: Vec<Type> = args.iter().map(Value::ty).collect();
            for request in [Request::Gradient(active(&types)), Request::Orders(0, vec![Mode::Reverse; 2])] {
                let code = compiled(text, &args, &request);
                assert_eq!(pushes(&code.stages().lowered), 0, "{name}, {simplify:?}, {request:?}");
            }
        }
        let power = compiled(&POWER.replace("power", "f"), &[Value::F64(2.0), Value::I64(3)], &Request::Gradient(vec![0]));
        assert_eq!(pushes(&power.stages().lowered), 1, "a loop has one, {simplify:?}");
    }
}

/// Second order through a branch, and through a recursion, where J by rewriting of values fails.
#[test]
fn second_order_through_branches_and_recursion() {
    let branch = "def f(x):\n    if x > 1.0:\n        return x * x * x\n    else:\n        return x * x\n";
    let recursion = "
def power(x, n):
    if n == 0:
        return 1.0
    return x * power(x, n - 1)

def f(x):
    return power(x, 5)
";
    let cases = [(branch, 2.0, 12.0), (branch, 0.5, 2.0), (recursion, 2.0, 160.0)];
    for (backend, inner, outer) in
        BACKENDS.into_iter().flat_map(|b| STRATEGIES.into_iter().flat_map(move |i| STRATEGIES.map(|o| (b, i, o))))
    {
        for (text, x, expected) in cases {
            let plan = Plan { orders: vec![inner, outer], ..Plan::default() };
            let engine = Engine::new(Options { backend, plan, ..Options::default() });
            let f = engine.parse(Source::new("judged.py", text)).and_then(|p| p.function("f")).expect("a correct program");
            let second = f.compile(&[Type::F64], &Request::Orders(0, vec![Mode::Reverse; 2])).expect("a second derivative");
            let answer = second.run(&[Value::F64(x)]).expect("an answer");
            let Value::Tuple(orders) = &answer else { panic!("{answer}") };
            assert!(orders[2].same_bits(&Value::F64(expected)), "{backend:?}, {inner:?} then {outer:?}: {answer}");
        }
    }
}

/// A join's pullback is one of several closures that capture the pullback of the join before. Simplified only after both derivatives were
/// expanded, the ways through all of them are not to be told apart: there are too many.
#[test]
fn choices_in_a_row_do_not_multiply() {
    let text = "
def f(x):
    if x > 0.0 and x > 0.1 and x > 0.2 and x > 0.3 and x > 0.4 and x > 0.5:
        y = sin(x)
    else:
        y = x * x
    return y
";
    let text = format!("from math import sin\n{text}");
    let options = Options { simplify: Simplify::AtEnd, plan: Strategy::Closure.into(), ..Options::default() };
    let program = Engine::new(options).parse(Source::new("judged.py", &text)).expect("a correct program");
    let f = program.function("f").expect("it is there");
    let second = f.compile(&[Type::F64], &Request::Orders(0, vec![Mode::Reverse; 2])).expect("a second derivative");
    let answer = second.run(&[Value::F64(0.25)]).expect("an answer");
    let Value::Tuple(orders) = &answer else { panic!("{answer}") };
    assert!(orders[2].same_bits(&Value::F64(2.0)), "{answer}");
    let report = &second.stages().report;
    let (nodes, expanded) = (report.nodes.1, report.expanded);
    assert!(nodes < 20_000 && expanded < 1_000, "{nodes} nodes, {expanded} derivatives");
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
            for strategy in STRATEGIES {
                let engine = Engine::new(Options { backend, simplify, plan: strategy.into(), ..Options::default() });
                let program = engine.parse(Source::new("judged.py", text)).expect("a correct program");
                let f = program.function("f").expect("it is there");
                let error = f.grad::<(f64, i64)>().and_then(|g| g.call((2.0, 3))).expect_err("a trap");
                assert!(matches!(&error, Error::Trap(t) if t.kind == TrapKind::DivisionByZero), "{backend:?}: {error}");
                let message = error.render(Some(program.source()));
                let named = message.contains("judged.py:6") && message.contains("6 // n");
                assert!(named, "{backend:?}, {simplify:?}, {strategy:?}:\n{message}");
            }
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
    for strategy in STRATEGIES {
        let mut m = parse(text).expect("the text form");
        while gradus_ad::expand(&mut m, &strategy.into()).expect("a bounded order").count > 0 {}
        assert_eq!(pushes(&m), usize::from(strategy == Strategy::Stack));
        run(&m);
        gradus_opt::simplify(&mut m, &gradus_opt::Options::default(), &mut Default::default());
        run(&m);
    }
}

const QUICKSORT: &str = "
from gradus import grad

def quicksort(xs):
    if len(xs) <= 1:
        return xs
    pivot = xs[len(xs) // 2]
    left = [x for x in xs if x < pivot]
    middle = [x for x in xs if x == pivot]
    right = [x for x in xs if x > pivot]
    return quicksort(left) + middle + quicksort(right)

def weighted(a, b, c):
    s = quicksort([a, b, c, a * b, 0.5])
    return sum((i + 1) * v for i, v in enumerate(s))

def second(a, b, c):
    return grad(weighted)(a, b, c) * a * a
";

/// The pullback of each call captures those of the two calls in it: if these were parameters wherever it is one, they would be a tree
/// that grows exponentially.
#[test]
fn closures_that_share_others_stay_small() {
    let function = function(QUICKSORT, "second", Backend::Jit, Strategy::Closure);
    let compiled = function.compile(&[Type::F64, Type::F64, Type::F64], &Request::Gradient(vec![0])).expect("code");
    let nodes = compiled.stages().optimised.node_count();
    assert!(nodes < 20_000, "{nodes} nodes");
    // -0.4, 0.5, 0.7, 0.84, 1.2
    let gradient = function.grad::<(f64, f64, f64)>().and_then(|g| g.call((1.2, 0.7, -0.4))).expect("a gradient");
    assert!((gradient.0 - 2.0 * 1.2 * (4.0 * 0.7 + 5.0)).abs() < 1e-12, "{gradient:?}");
}

#[test]
fn functions_are_shared_by_threads() {
    fn shared<T: Send + Sync>(_: &T) {}
    for (backend, strategy) in BACKENDS.into_iter().flat_map(|b| STRATEGIES.map(|s| (b, s))) {
        let power = function(POWER, "power", backend, strategy);
        shared(&power);
        std::thread::scope(|scope| {
            for thread in 0..4 {
                let power = &power;
                scope.spawn(move || {
                    for i in 0..20 {
                        let x = 1.0 + 0.1 * f64::from(i);
                        // Threads ask for different things first, and for all of them in the end.
                        if (i + thread) % 2 == 0 {
                            let y = power.typed::<(f64, i64), f64>().and_then(|f| f.call((x, 3))).expect("a value");
                            assert_eq!(y, x * x * x);
                        } else {
                            let gradient = power.value_and_grad::<(f64, i64)>().expect("a gradient");
                            let (y, (dx, ())) = gradient.call((x, 3)).expect("a gradient");
                            assert_eq!(y, x * x * x);
                            assert!((dx - 3.0 * x * x).abs() < 1e-12 * dx);
                        }
                    }
                });
            }
        });
    }
}
