//! The toolbox where no reference answer says it: rules that are not the derivative, levels of nesting, and what is kept.

use gradus::{Backend, Engine, Function, Options, Plan, Request, Simplify, Source, Strategy, Value, active};

const STRATEGIES: [Strategy; 2] = [Strategy::Closure, Strategy::Stack];

fn function(text: &str, options: Options) -> Function {
    let engine = Engine::new(options);
    engine.parse(Source::new("toolbox.py", text)).and_then(|p| p.function("f")).expect("a correct program")
}

/// By every strategy, executor and order of simplification.
fn everywhere(text: &str, check: impl Fn(&Function)) {
    for strategy in STRATEGIES {
        for backend in [Backend::Jit, Backend::Interp] {
            for simplify in [Simplify::Interleaved, Simplify::AtEnd, Simplify::Off] {
                check(&function(text, Options { backend, plan: strategy.into(), simplify, ..Options::default() }));
            }
        }
    }
}

#[test]
fn a_rule_need_not_be_the_derivative() {
    let clipped = "
from gradus import custom_vjp
@custom_vjp(lambda y, x: lambda g: (min(max(g, -1.0), 1.0) * 2.0 * x,))
def square(x):
    return x * x
def f(x, y):
    return square(x) * y
";
    everywhere(clipped, |f| {
        for (y, dx) in [(0.5, 3.0), (5.0, 6.0), (-7.0, -6.0)] {
            let (value, gradient) = f.value_and_grad::<(f64, f64)>().and_then(|f| f.call((3.0, y))).expect("an answer");
            assert_eq!((value, gradient), (9.0 * y, (dx, 9.0)));
        }
    });
}

#[test]
fn a_rule_holds_however_the_function_is_called() {
    let text = "
from gradus import custom_jvp, custom_vjp, grad, jvp
def value(x):
    return 2.0 * x
def pushed(args, tangents):
    return value(args[0]), 7.0 * tangents[0]
def pulled(y, x):
    return lambda g: (30.0 * g,)
def spread(h, *args):
    return h(*args)
def f(x):
    one = custom_jvp(pushed)(value)
    other = custom_vjp(pulled)(value)
    a = grad(lambda x: spread(one, x) + spread(other, x))(x)
    b = jvp(lambda x: spread(one, x) + spread(other, x), (x,), (1.0,))[1]
    return a + 1000.0 * b
";
    everywhere(text, |f| assert_eq!(f.typed::<f64, f64>().and_then(|f| f.call(3.0)).expect("an answer"), 37.0 + 37_000.0));
}

#[test]
fn a_rule_holds_at_every_order() {
    // Twice the value: so the value of the function, in the rule, has a derivative that is twice the value, and so on.
    let text = "
from gradus import custom_jvp, custom_vjp, grad, jvp
def pushed(args, tangents):
    y = one(args[0])
    return y, 2.0 * y * tangents[0]
def by_call(y, x):
    return lambda g: (2.0 * other(x) * g,)
def by_value(y, x):
    return lambda g: (2.0 * y * g,)
def value(x):
    return x
one = custom_jvp(pushed)(value)
other = custom_vjp(by_call)(value)
third = custom_vjp(by_value)(value)
def forward(h):
    return lambda x: jvp(h, (x,), (1.0,))[1]
def f(x):
    total = 0.0
    for h in (one, other, third):
        for inner in (grad, forward):
            total = total + 100.0 * inner(inner(inner(h)))(x)
            for outer in (grad, forward):
                total = total + inner(h)(x) + 10.0 * outer(inner(h))(x)
    return total
";
    everywhere(text, |f| {
        let answer = f.typed::<f64, f64>().and_then(|f| f.call(3.0)).expect("an answer");
        assert_eq!(answer, 3.0 * (4.0 * (6.0 + 10.0 * 12.0) + 2.0 * 100.0 * 24.0));
    });
}

#[test]
fn a_rule_holds_where_the_function_is_called_as_well() {
    let text = "
from gradus import custom_vjp, grad
def rule(y, x):
    return lambda g: (2.0 * g,)
@custom_vjp(rule)
def h(x):
    return 7.0 * x
def both(k, x):
    return k(x) + 100.0 * grad(k)(x)
def f(x):
    return h(x) + 100.0 * grad(h)(x) + 1000.0 * both(h, x)
";
    everywhere(text, |f| assert_eq!(f.typed::<f64, f64>().and_then(|f| f.call(3.0)).expect("an answer"), 221.0 * 1001.0));
}

#[test]
fn a_rule_may_be_written_in_the_decorator() {
    let text = "
from gradus import custom_vjp, grad
@custom_vjp(lambda y, x: lambda g: (g * h(x),))
def h(x):
    return x * x
def more(r):
    return lambda f: lambda x: f(x) + r(x)
@more(lambda x: k(x - 1.0) if x > 0.0 else 0.0)
def k(x):
    return x * x
def f(x):
    return grad(h)(x) + 100.0 * k(x) + 10000.0 * grad(k)(x)
";
    everywhere(text, |f| {
        assert_eq!(f.typed::<f64, f64>().and_then(|f| f.call(5.0)).expect("an answer"), 25.0 + 5500.0 + 300_000.0);
    });
}

#[test]
fn a_loop_may_take_a_derivative_of_another_order_each_time() {
    let text = "
import math
from gradus import grad
def f(x):
    g = math.sin
    for i in range(3):
        g = grad(g)
    h = lambda y: y ** 3
    n = 0
    while n < 2:
        h = grad(h)
        n += 1
    return g(x) + 100.0 * h(x)
";
    everywhere(text, |f| {
        let answer = f.typed::<f64, f64>().and_then(|f| f.call(0.7)).expect("an answer");
        assert!((answer + 0.7f64.cos() - 420.0).abs() < 1e-9, "{answer}");
    });
}

#[test]
fn what_is_checkpointed_may_call_itself() {
    let text = "
from gradus import checkpoint, grad
@checkpoint
def h(x, scale=1.0):
    return x if x < 1.0 else h(x / 2.0, scale=2.0) * x * scale
def f(x):
    return grad(h)(x)
";
    // h(x) = x³ / 4 at 3.
    everywhere(text, |f| assert_eq!(f.typed::<f64, f64>().and_then(|f| f.call(3.0)).expect("an answer"), 6.75));
}

#[test]
fn jacobians_are_shaped_as_results_of_arguments() {
    let text = "
import numpy as np
from dataclasses import dataclass
from gradus import hessian, jacfwd, jacrev, vmap
@dataclass(frozen=True)
class Point:
    x: float
    y: float
def g(x, y, scale=1.0):
    return x * y * scale, x + y * y, x
def h(x, y):
    return (x * x).sum() * np.prod(y)
def on(p):
    return {'a': p['x'] * p['y'], 'b': Point(p['x'], 2.0 * p['y'])}
def f(x, y):
    total = 0.0
    for jacobian in (jacfwd, jacrev):
        (ax, ay), (bx, by), (cx, cy) = jacobian(g, (0, -1))(x, y, scale=2.0)
        total = total + ax + 10.0 * ay + 100.0 * bx + 1000.0 * by + 1e4 * cx + 1e5 * cy
        j = jacobian(on)({'x': x, 'y': y})
        total = total + 1e6 * j['a']['y'] + 1e7 * j['b'].y['y'] + 1e8 * j['b'].x['y']
    blocks = hessian(h, (0, 1))(np.array([x, y]), np.array([1.0, 2.0, 3.0]))
    rows = vmap(lambda p: {'s': p['v'] * p['v']})({'v': np.array([x, y])})
    nothing = vmap(lambda x: x * x)(np.zeros((0,)))
    return total + blocks[0][1].shape[0] * 0.1 + blocks[0][1][1, 2] * 0.01 + rows['s'][1] * 0.001 + len(nothing)
";
    everywhere(text, |f| {
        let answer = f.typed::<(f64, f64), f64>().and_then(|f| f.call((2.0, 3.0))).expect("an answer");
        let one = 6.0 + 40.0 + 100.0 + 6000.0 + 1e4 + 2e6 + 2e7;
        let rest = 0.2 + 2.0 * 3.0 * 2.0 * 0.01 + 9.0 * 0.001;
        assert!((answer - 2.0 * one - rest).abs() < 1e-6, "{answer}");
    });
}

#[test]
fn a_gradient_of_a_function_with_rules_goes_in_reverse() {
    let text = "
from gradus import hook
def f(x, n):
    for i in range(n):
        x = hook(lambda g: g if g < 4.0 else 4.0, x) * 2.0
    return x
";
    let f = function(text, Options::default());
    let (value, (dx, ())) = f.value_and_grad::<(f64, i64)>().and_then(|f| f.call((1.0, 5))).expect("an answer");
    assert_eq!((value, dx), (32.0, 4.0));
}

#[test]
fn code_knows_how_deep_in_derivatives_it_is() {
    let text = "
from gradus import grad, jvp, nestlevel
def g(x):
    return x * x * nestlevel()
def f(x):
    return x * nestlevel() + 10.0 * grad(g)(x) + 100.0 * jvp(grad(g), (x,), (1.0,))[1]
";
    everywhere(text, |f| {
        // 2 x at level 1, and 2 at level 2; all of it is one level deeper in a gradient.
        assert_eq!(f.typed::<f64, f64>().and_then(|f| f.call(3.0)).expect("an answer"), 60.0 + 400.0);
        let dx = f.grad::<f64>().and_then(|f| f.call(3.0)).expect("an answer");
        assert_eq!(dx, 1.0 + 10.0 * 2.0 * 2.0);
    });
}

/// The bytes of tapes that the gradient of a loop of 200 steps, with 20 steps each, is recorded in.
fn recorded(f: &str) -> usize {
    let text = "
import math
from gradus import checkpoint, checkpoint_loop
def step(s):
    for j in range(20):
        s = math.sin(s) * 1.01 + 0.1 * math.exp(-s * s)
    return s
"
    .to_owned()
        + f;
    let f = function(&text, Options { plan: Plan::from(Strategy::Stack), ..Options::default() });
    let args = [Value::F64(0.7), Value::I64(200)];
    let types: Vec<_> = args.iter().map(Value::ty).collect();
    let compiled = f.compile(&types, &Request::Reverse(active(&types))).expect("a gradient");
    compiled.native().expect("native code").run_with_usage(&args).expect("an answer").1.tape_bytes
}

#[test]
fn checkpoints_record_less() {
    let plain = recorded("def f(s, n):\n    for i in range(n):\n        s = step(s)\n    return s\n");
    let each = recorded("def f(s, n):\n    g = checkpoint(step)\n    for i in range(n):\n        s = g(s)\n    return s\n");
    let slots = recorded("def f(s, n):\n    return checkpoint_loop(lambda i, s: step(s), n, s, 4)\n");
    assert!(plain >= 200 * 20 * 16, "{plain}");
    assert!(each <= 200 * 8 + 20 * 16, "{each}");
    assert!(slots <= 20 * 16, "{slots}");
}

#[test]
fn forward_mode_runs_through_what_reverse_mode_computes_again() {
    let text = "
import math
from gradus import checkpoint
def f(x, n):
    step = checkpoint(lambda s: math.sin(s) * x)
    s = x
    for i in range(n):
        s = step(s)
    return s
";
    let f = function(text, Options { plan: Plan::from(Strategy::Stack), ..Options::default() });
    let (y, forward) = f.jvp::<(f64, i64), f64>().and_then(|f| f.call(((0.8, 9), (1.0, ())))).expect("an answer");
    let (z, (reverse, ())) = f.value_and_grad::<(f64, i64)>().and_then(|f| f.call((0.8, 9))).expect("an answer");
    assert_eq!(y, z);
    assert!((forward - reverse).abs() < 1e-13 * forward.abs(), "{forward}, {reverse}");
}

#[test]
fn one_compiled_pullback_serves_many_cotangents() {
    let text = "def f(x, y, n):\n    return x * x * y, n, (y, x / y)\n";
    everywhere(text, |f| {
        let f = f.vjp::<(f64, f64, i64), (f64, i64, (f64, f64))>().expect("a pullback");
        let (value, pullback) = f.call((3.0, 2.0, 5)).expect("a value");
        assert_eq!(value, (18.0, 5, (2.0, 1.5)));
        assert_eq!(pullback.call((1.0, (), (0.0, 0.0))).expect("a gradient"), (12.0, 9.0, ()));
        assert_eq!(pullback.call((0.0, (), (1.0, 4.0))).expect("a gradient"), (2.0, -2.0, ()));
    });
}

/// Jacobians and Hessians in tuples of tuples, of results that are such; answers are closed forms, exact on these numbers.
#[test]
fn derivatives_in_tuples_of_tuples() {
    let text = "
import numpy as np
from gradus import hessian, jacfwd, jacrev
def product(t):
    return t[0][0] * t[0][1] * t[1] * t[1]
def parts(t):
    return (t[0][0] * t[1], (t[1], t[0][1] * np.array([1.0, 2.0]))), t[0][1] * t[0][1]
def f(a, b, c):
    t = ((a, b), c)
    h, (g,) = hessian(product)(t), hessian(product, (0,))(t)
    forwards, backwards = jacfwd(parts)(t), jacrev(parts)(t)
    second = h[0][1][1], h[1][0][0], g[0][0][0][1], g[1][0][1]
    first = forwards[0][0][1], forwards[0][1][1][0][1][1], forwards[1][0][1]
    return second, first, (backwards[0][0][0][0], backwards[0][1][1][0][1][0], backwards[1][0][1])
";
    let (a, b, c) = (0.5, -0.75, 1.5);
    everywhere(text, |f| {
        type Answer = ((f64, f64, f64, f64), (f64, f64, f64), (f64, f64, f64));
        let found: Answer = f.typed::<(f64, f64, f64), _>().and_then(|f| f.call((a, b, c))).expect("an answer");
        let second = (2.0 * a * c, 2.0 * b * c, 2.0 * b * c, 2.0 * a * b);
        assert_eq!(found, (second, (a, 2.0, 2.0 * b), (c, 1.0, 2.0 * b)));
    });
}
