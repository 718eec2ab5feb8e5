//! Inference of small programs: the typed module as text, and the messages for what is wrong.

use expect_test::{Expect, expect};
use gradus_frontend::{python::Program, render};
use gradus_ir::{Type, infer::infer, print::print, verify::verify};

const FLOAT: Type = Type::F64;
const INT: Type = Type::I64;

fn typed(text: &str, args: &[Type]) -> String {
    let program = Program::parse("t.py", text).unwrap();
    let say = |d: Vec<_>| render(&d, Some(program.source()));
    let (m, entry) = match program.lower("f") {
        Ok(lowered) => lowered,
        Err(d) => panic!("{}", say(d)),
    };
    match infer(&m, entry, args) {
        Ok(m) => {
            verify(&m).unwrap_or_else(|e| panic!("{e}\n{}", print(&m)));
            print(&m)
        }
        Err(d) => say(d),
    }
}

fn check(text: &str, args: &[Type], expected: Expect) {
    expected.assert_eq(&typed(text, args));
}

// --- values

#[test]
fn an_integer_meets_a_float_in_a_loop() {
    let text = "
def f(x, n):
    r = 1
    while n > 0:
        r = r * x
        n = n - 1
    return r
";
    check(text, &[FLOAT, INT], expect![[r#"
        entry @f
        graph @f(%x: f64, %n: i64) -> f64 {
          %0: f64 = call @f.loop, %n, 1.0
          return %0
        }
        block @f.loop(%n.1: i64, %r: f64) -> f64 {  ; free %x
          %1: bool = gt %n.1, 0
          %2: fn() -> f64 = select %1, @f.body, @f.done
          %3: f64 = call %2
          return %3
        }
        block @f.body() -> f64 {  ; free %n.1, %r, %x
          %n.2: i64 = sub %n.1, 1
          %r.1: f64 = mul %r, %x
          %4: f64 = call @f.loop, %n.2, %r.1
          return %4
        }
        block @f.done() -> f64 {  ; free %r
          return %r
        }
    "#]]);
}

#[test]
fn a_function_has_an_instance_per_argument_types() {
    check("def g(a): return a * a\ndef f(x, n): return g(n) * g(x)", &[FLOAT, INT], expect![[r#"
        entry @f
        graph @f(%x: f64, %n: i64) -> f64 {
          %0: i64 = call @g, %n
          %1: f64 = float %0
          %2: f64 = call @g.1, %x
          %3: f64 = mul %1, %2
          return %3
        }
        graph @g(%a: i64) -> i64 {
          %4: i64 = mul %a, %a
          return %4
        }
        graph @g.1(%a.1: f64) -> f64 {
          %5: f64 = mul %a.1, %a.1
          return %5
        }
    "#]]);
}

#[test]
fn powers_with_literal_exponents_are_products() {
    check("def f(x, n): return x**3, x**-2, n**2, n**-1, x**n, n**n, 2.0**x", &[FLOAT, INT], expect![[r#"
        entry @f
        graph @f(%x: f64, %n: i64) -> (f64, f64, i64, f64, f64, i64, f64) {
          %0: f64 = mul %x, %x
          %1: f64 = mul %0, %x
          %2: f64 = mul %x, %x
          %3: f64 = div 1.0, %2
          %4: i64 = mul %n, %n
          %5: f64 = float %n
          %6: f64 = div 1.0, %5
          %7: f64 = powi %x, %n
          %8: i64 = ipow %n, %n
          %9: f64 = pow 2.0, %x
          %10: (f64, f64, i64, f64, f64, i64, f64) = tuple %1, %3, %4, %6, %7, %8, %9
          return %10
        }
    "#]]);
}

#[test]
fn booleans_count_as_integers() {
    check("def f(x): return True + 1, -(x > 0), (x > 0) * x, x > True", &[FLOAT], expect![[r#"
        entry @f
        graph @f(%x: f64) -> (i64, i64, f64, bool) {
          %0: bool = gt %x, 0.0
          %1: i64 = int %0
          %2: i64 = neg %1
          %3: bool = gt %x, 0.0
          %4: f64 = float %3
          %5: f64 = mul %4, %x
          %6: f64 = float true
          %7: bool = gt %x, %6
          %8: (i64, i64, f64, bool) = tuple 2, %2, %5, %7
          return %8
        }
    "#]]);
}

#[test]
fn recursion() {
    let text = "
def even(n, x):
    return x if n == 0 else odd(n - 1, x * x)

def odd(n, x):
    return 1 if n == 0 else even(n - 1, x)

def f(n, x):
    return even(n, x)
";
    check(text, &[INT, FLOAT], expect![[r#"
        entry @f
        graph @f(%n: i64, %x: f64) -> f64 {
          %0: f64 = call @even, %n, %x
          return %0
        }
        graph @even(%n.1: i64, %x.1: f64) -> f64 {
          %1: bool = eq %n.1, 0
          %2: fn() -> f64 = select %1, @even.then, @even.else
          %3: f64 = call %2
          return %3
        }
        block @even.then() -> f64 {  ; free %x.1
          %4: f64 = call @even.join, %x.1
          return %4
        }
        block @even.join(%5: f64) -> f64 {
          return %5
        }
        block @even.else() -> f64 {  ; free %n.1, %x.1
          %6: i64 = sub %n.1, 1
          %7: f64 = mul %x.1, %x.1
          %8: f64 = call @odd, %6, %7
          %9: f64 = call @even.join, %8
          return %9
        }
        graph @odd(%n.2: i64, %x.2: f64) -> f64 {
          %10: bool = eq %n.2, 0
          %11: fn() -> f64 = select %10, @odd.then, @odd.else
          %12: f64 = call %11
          return %12
        }
        block @odd.then() -> f64 {
          %13: f64 = call @odd.join, 1.0
          return %13
        }
        block @odd.join(%14: f64) -> f64 {
          return %14
        }
        block @odd.else() -> f64 {  ; free %n.2, %x.2
          %15: i64 = sub %n.2, 1
          %16: f64 = call @even, %15, %x.2
          %17: f64 = call @odd.join, %16
          return %17
        }
    "#]]);
}

#[test]
fn a_program_that_never_returns_is_taken_to_return_a_float() {
    check("def f(x): return 1 + f(x)", &[FLOAT], expect![[r#"
        entry @f
        graph @f(%x: f64) -> f64 {
          %0: f64 = call @f, %x
          %1: f64 = add 1.0, %0
          return %1
        }
    "#]]);
}

// --- tuples and ranges

#[test]
fn a_loop_over_a_tuple_unrolls() {
    let text = "
def f(x):
    s = 0
    for i, v in enumerate((x, 2)):
        s += (3, x)[i] * v
    return s
";
    check(text, &[FLOAT], expect![[r#"
        entry @f
        graph @f(%x: f64) -> f64 {
          %0: (f64, i64) = tuple %x, 2
          %1: f64 = get<0> %0
          %2: (i64, f64) = tuple 0, %1
          %3: (i64, i64) = tuple 1, 2
          %4: ((i64, f64), (i64, i64)) = tuple %2, %3
          %5: f64 = call @f.loop, %4, 0
          return %5
        }
        block @f.loop(%6: ((i64, f64), (i64, i64)), %s: i64) -> f64 {  ; free %x
          %7: f64 = call @f.body
          return %7
        }
        block @f.body() -> f64 {  ; free %6, %s, %x
          %8: f64 = float %s
          %9: (i64, f64) = get<0> %6
          %v: f64 = get<1> %9
          %10: f64 = mul 3.0, %v
          %s.1: f64 = add %8, %10
          %11: f64 = call @f.loop.1, %6, %s.1
          return %11
        }
        block @f.loop.1(%12: ((i64, f64), (i64, i64)), %s.2: f64) -> f64 {  ; free %x
          %13: f64 = call @f.body.1
          return %13
        }
        block @f.body.1() -> f64 {  ; free %12, %s.2, %x
          %14: (i64, f64) = tuple 3, %x
          %15: f64 = get<1> %14
          %16: f64 = mul %15, 2.0
          %s.3: f64 = add %s.2, %16
          %17: f64 = call @f.loop.2, %12, %s.3
          return %17
        }
        block @f.loop.2(%18: ((i64, f64), (i64, i64)), %s.4: f64) -> f64 {
          %19: f64 = call @f.done
          return %19
        }
        block @f.done() -> f64 {  ; free %s.4
          return %s.4
        }
    "#]]);
}

#[test]
fn tuples_are_sliced_joined_and_compared_statically() {
    check("def f(x, n): t = (x, n) + (1,) * 2; return t[1:], t[-1], len(t), sum(t), (x, n) < (n, 1)", &[FLOAT, INT], expect![[r#"
        entry @f
        graph @f(%x: f64, %n: i64) -> ((i64, i64, i64), i64, i64, f64, bool) {
          %0: (f64, i64) = tuple %x, %n
          %1: f64 = get<0> %0
          %2: i64 = get<1> %0
          %t: (f64, i64, i64, i64) = tuple %1, %2, 1, 1
          %3: i64 = get<1> %t
          %4: (i64, i64, i64) = tuple %3, 1, 1
          %5: f64 = get<0> %t
          %6: f64 = add 0.0, %5
          %7: i64 = get<1> %t
          %8: f64 = float %7
          %9: f64 = add %6, %8
          %10: f64 = add %9, 1.0
          %11: f64 = add %10, 1.0
          %12: (f64, i64) = tuple %x, %n
          %13: f64 = get<0> %12
          %14: (i64, i64) = tuple %n, 1
          %15: i64 = get<0> %14
          %16: f64 = float %15
          %17: bool = lt %13, %16
          %18: f64 = float %15
          %19: bool = eq %13, %18
          %20: i64 = get<1> %12
          %21: bool = lt %20, 1
          %22: bool = and %19, %21
          %23: bool = or %17, %22
          %24: ((i64, i64, i64), i64, i64, f64, bool) = tuple %4, 1, 4, %11, %23
          return %24
        }
    "#]]);
}

#[test]
fn a_range_is_a_value() {
    let text = "
def f(n):
    s = 0
    r = range(n)
    for i in reversed(r):
        s += i * len(r)
    return s
";
    check(text, &[INT], expect![[r#"
        entry @f
        graph @f(%n: i64) -> i64 {
          %r: (i64, i64) = tuple 0, %n
          %0: i64 = get<0> %r
          %1: i64 = get<1> %r
          %2: i64 = get<0> %r
          %3: i64 = sub %1, %2
          %4: i64 = sub %3, 1
          %5: i64 = floor_div %4, 1
          %6: i64 = mul %5, 1
          %7: i64 = add %0, %6
          %8: i64 = sub %0, 1
          %9: (i64, i64) = tuple %7, %8
          %10: i64 = call @f.loop, %9, 0
          return %10
        }
        block @f.loop(%11: (i64, i64), %s: i64) -> i64 {  ; free %r
          %12: i64 = get<0> %11
          %13: i64 = get<1> %11
          %14: bool = gt %12, %13
          %15: fn() -> i64 = select %14, @f.body, @f.done
          %16: i64 = call %15
          return %16
        }
        block @f.body() -> i64 {  ; free %11, %s, %r
          %17: i64 = get<0> %11
          %18: i64 = wrap_add %17, -1
          %19: i64 = get<1> %11
          %20: (i64, i64) = tuple %18, %19
          %i: i64 = get<0> %11
          %21: i64 = get<1> %r
          %22: i64 = get<0> %r
          %23: i64 = sub %21, %22
          %24: i64 = sub %23, 1
          %25: i64 = floor_div %24, 1
          %26: i64 = add %25, 1
          %27: i64 = max 0, %26
          %28: i64 = mul %i, %27
          %s.1: i64 = add %s, %28
          %29: i64 = call @f.loop, %20, %s.1
          return %29
        }
        block @f.done() -> i64 {  ; free %s
          return %s
        }
    "#]]);
}

// --- functions as values

#[test]
fn a_callee_that_is_known_is_called_by_name() {
    let text = "
def f(x):
    y = x + 1.0
    g = (lambda a: a * y, lambda a: a - y)
    return g[0](g[1](x))
";
    check(text, &[FLOAT], expect![[r#"
        entry @f
        graph @f(%x: f64) -> f64 {
          %y: f64 = add %x, 1.0
          %0: f64 = call @f.lambda.1, %x
          %1: f64 = call @f.lambda, %0
          return %1
        }
        graph @f.lambda(%a: f64) -> f64 {  ; free %y
          %2: f64 = mul %a, %y
          return %2
        }
        graph @f.lambda.1(%a.1: f64) -> f64 {  ; free %y
          %3: f64 = sub %a.1, %y
          return %3
        }
    "#]]);
}

#[test]
fn one_of_two_functions_is_a_value() {
    let text = "
def f(x, c):
    g = (lambda a: 1) if c else (lambda a: a * x)
    return g(x)
";
    check(text, &[FLOAT, Type::Bool], expect![[r#"
        entry @f
        graph @f(%x: f64, %c: bool) -> f64 {
          %0: fn() -> f64 = select %c, @f.then, @f.else
          %1: f64 = call %0
          return %1
        }
        block @f.then() -> f64 {  ; free %x
          %2: f64 = call @f.join, @f.lambda
          return %2
        }
        block @f.join(%g: fn(f64) -> f64) -> f64 {  ; free %x
          %3: f64 = call %g, %x
          return %3
        }
        graph @f.lambda(%a: f64) -> f64 {
          return 1.0
        }
        block @f.else() -> f64 {  ; free %x
          %4: f64 = call @f.join, @f.lambda.1
          return %4
        }
        graph @f.lambda.1(%a.1: f64) -> f64 {  ; free %x
          %5: f64 = mul %a.1, %x
          return %5
        }
    "#]]);
}

#[test]
fn a_value_called_with_two_signatures_is_a_pair() {
    let text = "
def f(x, n):
    g = (lambda a: a + 1) if n > 2 else (lambda a: a * 2)
    return g(x), g(n)
";
    check(text, &[FLOAT, INT], expect![[r#"
        entry @f
        graph @f(%x: f64, %n: i64) -> (f64, i64) {
          %0: bool = gt %n, 2
          %1: fn() -> (f64, i64) = select %0, @f.then, @f.else
          %2: (f64, i64) = call %1
          return %2
        }
        block @f.then() -> (f64, i64) {  ; free %n, %x
          %3: (fn(f64) -> f64, fn(i64) -> i64) = tuple @f.lambda, @f.lambda.1
          %4: (f64, i64) = call @f.join, %3
          return %4
        }
        block @f.join(%g: (fn(f64) -> f64, fn(i64) -> i64)) -> (f64, i64) {  ; free %x, %n
          %5: fn(f64) -> f64 = get<0> %g
          %6: f64 = call %5, %x
          %7: fn(i64) -> i64 = get<1> %g
          %8: i64 = call %7, %n
          %9: (f64, i64) = tuple %6, %8
          return %9
        }
        graph @f.lambda(%a: f64) -> f64 {
          %10: f64 = add %a, 1.0
          return %10
        }
        graph @f.lambda.1(%a.1: i64) -> i64 {
          %11: i64 = add %a.1, 1
          return %11
        }
        block @f.else() -> (f64, i64) {  ; free %n, %x
          %12: (fn(f64) -> f64, fn(i64) -> i64) = tuple @f.lambda.2, @f.lambda.3
          %13: (f64, i64) = call @f.join, %12
          return %13
        }
        graph @f.lambda.2(%a.2: f64) -> f64 {
          %14: f64 = mul %a.2, 2.0
          return %14
        }
        graph @f.lambda.3(%a.3: i64) -> i64 {
          %15: i64 = mul %a.3, 2
          return %15
        }
    "#]]);
}

#[test]
fn continuations_that_grow_are_one_class() {
    let text = "
def factorial(n, k):
    return k(1) if n == 0 else factorial(n - 1, lambda v: k(n * v))

def f(n):
    return factorial(n, lambda v: v)
";
    check(text, &[INT], expect![[r#"
        entry @f
        graph @f(%n: i64) -> i64 {
          %0: i64 = call @factorial, %n, @f.lambda
          return %0
        }
        graph @factorial(%n.1: i64, %k: fn(i64) -> i64) -> i64 {
          %1: bool = eq %n.1, 0
          %2: fn() -> i64 = select %1, @factorial.then, @factorial.else
          %3: i64 = call %2
          return %3
        }
        block @factorial.then() -> i64 {  ; free %k
          %4: i64 = call %k, 1
          %5: i64 = call @factorial.join, %4
          return %5
        }
        block @factorial.join(%6: i64) -> i64 {
          return %6
        }
        block @factorial.else() -> i64 {  ; free %n.1, %k
          %7: i64 = sub %n.1, 1
          %8: i64 = call @factorial, %7, @factorial.lambda
          %9: i64 = call @factorial.join, %8
          return %9
        }
        graph @factorial.lambda(%v: i64) -> i64 {  ; free %k, %n.1
          %10: i64 = mul %n.1, %v
          %11: i64 = call %k, %10
          return %11
        }
        graph @f.lambda(%v.1: i64) -> i64 {
          return %v.1
        }
    "#]]);
}

#[test]
fn compositions_that_grow_in_a_loop_are_one_class() {
    let text = "
def compose(f, g):
    return lambda x: f(g(x))

def f(x, n):
    h = lambda v: v
    for _ in range(n):
        h = compose(h, compose(lambda v: v * x, h))
    return h(x)
";
    check(text, &[FLOAT, INT], expect![[r#"
        entry @f
        graph @f(%x: f64, %n: i64) -> f64 {
          %0: i64 = wrap_add %n, 0
          %1: f64 = call @f.loop, 0, @f.h
          return %1
        }
        block @f.loop(%_: i64, %h: fn(f64) -> f64) -> f64 {  ; free %0, %x
          %2: bool = lt %_, %0
          %3: fn() -> f64 = select %2, @f.body, @f.done
          %4: f64 = call %3
          return %4
        }
        block @f.body() -> f64 {  ; free %_, %h, %0, %x
          %5: i64 = wrap_add %_, 1
          %6: fn(f64) -> f64 = call @compose, @f.lambda, %h
          %h.1: fn(f64) -> f64 = call @compose, %h, %6
          %7: f64 = call @f.loop, %5, %h.1
          return %7
        }
        graph @compose(%f: fn(f64) -> f64, %g: fn(f64) -> f64) -> fn(f64) -> f64 {
          return @compose.lambda
        }
        graph @compose.lambda(%x.1: f64) -> f64 {  ; free %f, %g
          %8: f64 = call %g, %x.1
          %9: f64 = call %f, %8
          return %9
        }
        graph @f.lambda(%v: f64) -> f64 {  ; free %x
          %10: f64 = mul %v, %x
          return %10
        }
        block @f.done() -> f64 {  ; free %h, %x
          %11: f64 = call %h, %x
          return %11
        }
        graph @f.h(%v.1: f64) -> f64 {
          return %v.1
        }
    "#]]);
}

#[test]
fn the_y_combinator() {
    let text = "
def fix(g):
    return (lambda u: u(u))(lambda u: g(lambda n: u(u)(n)))

def f(n):
    return fix(lambda self: lambda n: 1.0 if n == 0 else n * self(n - 1))(n)
";
    check(text, &[INT], expect![[r#"
        entry @f
        graph @f(%n: i64) -> f64 {
          %0: () = tuple
          %1: fn(i64) -> f64 = call @fix, %0
          %2: f64 = call %1, %n
          return %2
        }
        graph @fix(%g: ()) -> fn(i64) -> f64 {
          %3: fn(i64) -> f64 = call @fix.lambda, @fix.lambda.1
          return %3
        }
        graph @fix.lambda(%u: fn(fn) -> fn(i64) -> f64) -> fn(i64) -> f64 {
          %4: fn(i64) -> f64 = call %u, %u
          return %4
        }
        graph @fix.lambda.1(%u.1: fn(fn) -> fn(i64) -> f64) -> fn(i64) -> f64 {
          %5: fn(i64) -> f64 = call @f.lambda, @lambda.lambda.1
          return %5
        }
        graph @f.lambda(%self: fn(i64) -> f64) -> fn(i64) -> f64 {
          return @lambda.lambda
        }
        graph @lambda.lambda(%n.1: i64) -> f64 {  ; free %self
          %6: bool = eq %n.1, 0
          %7: fn() -> f64 = select %6, @lambda.then, @lambda.else
          %8: f64 = call %7
          return %8
        }
        block @lambda.then() -> f64 {
          %9: f64 = call @lambda.join, 1.0
          return %9
        }
        block @lambda.join(%10: f64) -> f64 {
          return %10
        }
        block @lambda.else() -> f64 {  ; free %n.1, %self
          %11: f64 = float %n.1
          %12: i64 = sub %n.1, 1
          %13: f64 = call %self, %12
          %14: f64 = mul %11, %13
          %15: f64 = call @lambda.join, %14
          return %15
        }
        graph @lambda.lambda.1(%n.2: i64) -> f64 {  ; free %u.1
          %16: fn(i64) -> f64 = call @fix.lambda.1, %u.1
          %17: f64 = call %16, %n.2
          return %17
        }
    "#]]);
}

#[test]
fn defaults_and_keywords() {
    let text = "
def f(x):
    y = x * x
    def g(a, b=y, c=2):
        return a * b - c
    return g(x) + g(x, c=1) + g(b=1.0, a=x)
";
    check(text, &[FLOAT], expect![[r#"
        entry @f
        graph @f(%x: f64) -> f64 {
          %y: f64 = mul %x, %x
          %0: f64 = call @f.g, %x
          %1: f64 = call @f.g.2, %x, 1
          %2: f64 = add %0, %1
          %3: f64 = call @f.g.3, 1.0, %x
          %4: f64 = add %2, %3
          return %4
        }
        graph @f.g(%a: f64) -> f64 {  ; free %y
          %5: f64 = call @f.g.1, %a, %y, 2
          return %5
        }
        graph @f.g.1(%a.1: f64, %b: f64, %c: i64) -> f64 {
          %6: f64 = mul %a.1, %b
          %7: f64 = float %c
          %8: f64 = sub %6, %7
          return %8
        }
        graph @f.g.2(%a.2: f64, %c.1: i64) -> f64 {  ; free %y
          %9: f64 = call @f.g.1, %a.2, %y, %c.1
          return %9
        }
        graph @f.g.3(%b.1: f64, %a.3: f64) -> f64 {
          %10: f64 = call @f.g.1, %a.3, %b.1, 2
          return %10
        }
    "#]]);
}

// --- derivatives

const GRAD: &str = "from gradus import grad, value_and_grad\n";

fn check_grad(text: &str, args: &[Type], expected: Expect) {
    check(&format!("{GRAD}{text}"), args, expected);
}

#[test]
fn grad_of_a_closure_and_of_a_grad() {
    check_grad("def f(x, y): return grad(grad(lambda a: a * a * y))(x)", &[FLOAT, FLOAT], expect![[r#"
        entry @f
        graph @f(%x: f64, %y: f64) -> f64 {
          %0: f64 = call @grad, %x
          return %0
        }
        graph @grad(%a: f64) -> f64 {  ; free %y
          %1: fn(f64) -> (f64, fn(f64) -> (opaque, f64)) = J @grad.1
          %2: (f64, fn(f64) -> (opaque, f64)) = call %1, %a
          %3: fn(f64) -> (opaque, f64) = get<1> %2
          %4: (opaque, f64) = call %3, 1.0
          %5: f64 = get<1> %4
          return %5
        }
        graph @grad.1(%a.1: f64) -> f64 {  ; free %y
          %6: fn(f64) -> (f64, fn(f64) -> (opaque, f64)) = J @f.lambda
          %7: (f64, fn(f64) -> (opaque, f64)) = call %6, %a.1
          %8: fn(f64) -> (opaque, f64) = get<1> %7
          %9: (opaque, f64) = call %8, 1.0
          %10: f64 = get<1> %9
          return %10
        }
        graph @f.lambda(%a.2: f64) -> f64 {  ; free %y
          %11: f64 = mul %a.2, %a.2
          %12: f64 = mul %11, %y
          return %12
        }
    "#]]);
}

#[test]
fn grad_with_respect_to_several() {
    check_grad("def f(x): return value_and_grad(lambda a, n, b: a * b * n, ('b', 0))(x, 2, b=x)", &[FLOAT], expect![[r#"
        entry @f
        graph @f(%x: f64) -> (f64, (f64, f64)) {
          %0: (f64, (f64, f64)) = call @value_and_grad, %x, 2, %x
          return %0
        }
        graph @value_and_grad(%a: f64, %n: i64, %b: f64) -> (f64, (f64, f64)) {
          %1: fn(f64, i64, f64) -> (f64, fn(f64) -> (opaque, f64, zero, f64)) = J @f.lambda
          %2: (f64, fn(f64) -> (opaque, f64, zero, f64)) = call %1, %a, %n, %b
          %3: f64 = get<0> %2
          %4: fn(f64) -> (opaque, f64, zero, f64) = get<1> %2
          %5: (opaque, f64, zero, f64) = call %4, 1.0
          %6: f64 = get<3> %5
          %7: f64 = get<1> %5
          %8: (f64, f64) = tuple %6, %7
          %9: (f64, (f64, f64)) = tuple %3, %8
          return %9
        }
        graph @f.lambda(%a.1: f64, %n.1: i64, %b.1: f64) -> f64 {
          %10: f64 = call @f.lambda.1, %a.1, %n.1, %b.1
          return %10
        }
        graph @f.lambda.1(%a.2: f64, %n.2: i64, %b.2: f64) -> f64 {
          %11: f64 = mul %a.2, %b.2
          %12: f64 = float %n.2
          %13: f64 = mul %11, %12
          return %13
        }
    "#]]);
}

#[test]
fn a_gradient_has_none_where_there_is_no_derivative() {
    check_grad("def f(x): return grad(lambda p: p[0] * p[1][0] * x)((2, (x, 1)))", &[FLOAT], expect![[r#"
        entry @f
        graph @f(%x: f64) -> (none, (f64, none)) {
          %0: (f64, i64) = tuple %x, 1
          %1: (i64, (f64, i64)) = tuple 2, %0
          %2: (none, (f64, none)) = call @grad, %1
          return %2
        }
        graph @grad(%p: (i64, (f64, i64))) -> (none, (f64, none)) {  ; free %x
          %3: fn((i64, (f64, i64))) -> (f64, fn(f64) -> (opaque, (zero, (f64, zero)))) = J @f.lambda
          %4: (f64, fn(f64) -> (opaque, (zero, (f64, zero)))) = call %3, %p
          %5: fn(f64) -> (opaque, (zero, (f64, zero))) = get<1> %4
          %6: (opaque, (zero, (f64, zero))) = call %5, 1.0
          %7: (zero, (f64, zero)) = get<1> %6
          %8: (f64, zero) = get<1> %7
          %9: f64 = get<0> %8
          %10: (f64, none) = tuple %9, none
          %11: (none, (f64, none)) = tuple none, %10
          return %11
        }
        graph @f.lambda(%p.1: (i64, (f64, i64))) -> f64 {  ; free %x
          %12: i64 = get<0> %p.1
          %13: f64 = float %12
          %14: (f64, i64) = get<1> %p.1
          %15: f64 = get<0> %14
          %16: f64 = mul %13, %15
          %17: f64 = mul %16, %x
          return %17
        }
    "#]]);
}

#[test]
fn grad_of_an_unknown_function() {
    let text = "
def f(x, n):
    g = lambda a: a * x
    while n > 0:
        g = grad(g)
        n = n - 1
    return g(x)
";
    check_grad(text, &[FLOAT, INT], expect![[r#"
        entry @f
        graph @f(%x: f64, %n: i64) -> f64 {
          %0: f64 = call @f.loop, %n, @f.g
          return %0
        }
        block @f.loop(%n.1: i64, %g: fn(f64) -> f64) -> f64 {  ; free %x
          %1: bool = gt %n.1, 0
          %2: fn() -> f64 = select %1, @f.body, @f.done
          %3: f64 = call %2
          return %3
        }
        block @f.body() -> f64 {  ; free %n.1, %g, %x
          %n.2: i64 = sub %n.1, 1
          %4: f64 = call @f.loop, %n.2, @grad
          return %4
        }
        graph @grad(%a: f64) -> f64 {  ; free %g
          %5: fn(f64) -> (f64, fn(f64) -> (opaque, f64)) = J %g
          %6: (f64, fn(f64) -> (opaque, f64)) = call %5, %a
          %7: fn(f64) -> (opaque, f64) = get<1> %6
          %8: (opaque, f64) = call %7, 1.0
          %9: f64 = get<1> %8
          return %9
        }
        block @f.done() -> f64 {  ; free %g, %x
          %10: f64 = call %g, %x
          return %10
        }
        graph @f.g(%a.1: f64) -> f64 {  ; free %x
          %11: f64 = mul %a.1, %x
          return %11
        }
    "#]]);
}

// --- messages

#[test]
fn operands_that_do_not_fit() {
    check("def f(x):\n    t = (x, x)\n    return x + t", &[FLOAT], expect![[r#"
        error: unsupported operand types for `+`: float and tuple of (float, float)
         --> t.py:3:12
          |
        1 | def f(x):
          |       - this is a float
        2 |     t = (x, x)
          |         ------ this is a tuple of (float, float)
        3 |     return x + t
          |            ^^^^^
    "#]]);
    check("import math\ndef f(x): return math.sin((x, x))", &[FLOAT], expect![[r#"
        error: `sin` needs a number, this is a tuple of (float, float)
         --> t.py:2:18
          |
        2 | def f(x): return math.sin((x, x))
          |                  ^^^^^^^^^------^
          |                           |
          |                           this is a tuple of (float, float)
    "#]]);
    check("def f(x): return x[0], (x, x)[2], (x, x)[x]", &[FLOAT], expect![[r#"
        error: a float cannot be indexed
         --> t.py:1:18
          |
        1 | def f(x): return x[0], (x, x)[2], (x, x)[x]
          |       -          ^^^^
          |       |
          |       this is a float
        error: tuple index 2 is out of range, the tuple has 2 values
         --> t.py:1:24
          |
        1 | def f(x): return x[0], (x, x)[2], (x, x)[x]
          |                        ------^^^
          |                        |
          |                        this is a tuple of (float, float)
        error: a tuple index must be an int, this is a float
         --> t.py:1:35
          |
        1 | def f(x): return x[0], (x, x)[2], (x, x)[x]
          |       -                           ------^^^
          |       |                           |
          |       this is a float             this is a tuple of (float, float)
    "#]]);
    check("def f(x):\n    a, b = (x, x, x)\n    return a", &[FLOAT], expect![[r#"
        error: cannot unpack 3 values into 2 names
         --> t.py:2:5
          |
        2 |     a, b = (x, x, x)
          |     ^^^^   --------- this is a tuple of (float, float, float)
    "#]]);
    check("def f(x):\n    for i in range(x): x = x + 1.0\n    return x", &[FLOAT], expect![[r#"
        error: `range` needs ints, this is a float
         --> t.py:2:20
          |
        1 | def f(x):
          |       - this is a float
        2 |     for i in range(x): x = x + 1.0
          |                    ^
    "#]]);
}

#[test]
fn paths_that_do_not_meet() {
    let text = "
def f(x):
    if x > 1.0:
        r = x + 1.0
    else:
        r = (x, x)
    return r
";
    check(text, &[FLOAT], expect![[r#"
        error: `r` is a tuple of (float, float) here and a float elsewhere
         --> t.py:6:13
          |
        4 |         r = x + 1.0
          |             ------- a float here
        5 |     else:
        6 |         r = (x, x)
          |             ^^^^^^
          |
          = hint: a variable has one type where paths meet; use two names
    "#]]);
    let text = "
def f(x):
    if x > 1.0:
        return x + 1.0
    return x, x
";
    check(text, &[FLOAT], expect![[r#"
        error: the function returns a tuple of (float, float) here and a float elsewhere
         --> t.py:5:12
          |
        4 |         return x + 1.0
          |                ------- a float here
        5 |     return x, x
          |            ^^^^
    "#]]);
    check("def f(x):\n    if x > 1.0:\n        return x", &[FLOAT], expect![[r#"
        error: the function returns None here and a float elsewhere
         --> t.py:1:5
          |
        1 | def f(x):
          |     ^ - a float here
    "#]]);
}

#[test]
fn calls_that_do_not_fit() {
    check("def g(a, b=1): return a\ndef f(x): return g(x, x, x)", &[FLOAT], expect![[r#"
        error: `g` takes 2 arguments, but 3 were given
         --> t.py:2:18
          |
        1 | def g(a, b=1): return a
          |     - `g` is defined here
        2 | def f(x): return g(x, x, x)
          |                  ^^^^^^^^^^
    "#]]);
    check("def g(a, b=1): return a\ndef f(x): return g(b=x)", &[FLOAT], expect![[r#"
        error: `g` is called without the argument `a`
         --> t.py:2:18
          |
        1 | def g(a, b=1): return a
          |     - `g` is defined here
        2 | def f(x): return g(b=x)
          |                  ^^^^^^
    "#]]);
    check("def g(a, b=1): return a\ndef f(x): return g(x, c=x)", &[FLOAT], expect![[r#"
        error: `g` has no argument named `c`
         --> t.py:2:18
          |
        1 | def g(a, b=1): return a
          |     - `g` is defined here
        2 | def f(x): return g(x, c=x)
          |                  ^^^^^^^^^
    "#]]);
    check("def g(a, b=1): return a\ndef f(x): return g(x, a=x)", &[FLOAT], expect![[r#"
        error: `g` is given more than one value for the argument `a`
         --> t.py:2:18
          |
        1 | def g(a, b=1): return a
          |     - `g` is defined here
        2 | def f(x): return g(x, a=x)
          |                  ^^^^^^^^^
    "#]]);
    check("def f(x): return x(1)", &[FLOAT], expect![[r#"
        error: a float cannot be called
         --> t.py:1:18
          |
        1 | def f(x): return x(1)
          |       -          ^^^^
          |       |
          |       this is a float
    "#]]);
    check("def f(x): return x", &[FLOAT, FLOAT], expect![[r#"
        error: `f` takes 1 argument, but 2 were given
         --> t.py:1:5
          |
        1 | def f(x): return x
          |     ^
          |     |
          |     `f` is defined here
    "#]]);
    check("def f(x): return lambda y: y", &[FLOAT], expect![[r#"
        error: the entry returns a function
         --> t.py:1:11
          |
        1 | def f(x): return lambda y: y
          |           ^^^^^^^^^^^^^^^^^^
          |
          = hint: call it, and return what it gives
    "#]]);
}

#[test]
fn types_that_grow_without_end() {
    let text = "
def g(k, n):
    return 1.0 if n == 0 else g((lambda v: v, k), n - 1)

def f(x):
    return g(x, 3)
";
    check(text, &[FLOAT], expect![[r#"
        error: tuples are nested more than 200 deep here, or hold more than 65536 values
         --> t.py:3:33
          |
        2 | def g(k, n):
          |       - this is a tuple of (function, tuple)
        3 |     return 1.0 if n == 0 else g((lambda v: v, k), n - 1)
          |                                 ^^^^^^^^^^^^^^^^
          |
          = hint: is there a recursion that puts a tuple into itself?
    "#]]);
}

#[test]
fn derivatives_that_do_not_exist() {
    check_grad("def f(x): return grad(x)(x)", &[FLOAT], expect![[r#"
        error: `grad` needs a function, this is a float
         --> t.py:2:18
          |
        2 | def f(x): return grad(x)(x)
          |       -          ^^^^^^^
          |       |
          |       this is a float
    "#]]);
    check_grad("def f(x): return grad(lambda n: 2.0 * n)(3)", &[FLOAT], expect![[r#"
        error: there is no derivative with respect to an int
         --> t.py:2:18
          |
        2 | def f(x): return grad(lambda n: 2.0 * n)(3)
          |                  ^^^^^^^^^^^^^^^^^^^^^^^--- this is an int
          |
          = hint: give a float: write `3.0`, not `3`
    "#]]);
    check_grad("def f(x): return grad(lambda a: (a, a))(x)", &[FLOAT], expect![[r#"
        error: `grad` needs a function that returns a float, this returns a tuple of (float, float)
         --> t.py:2:18
          |
        2 | def f(x): return grad(lambda a: (a, a))(x)
          |                  ^^^^^^^^^^^^^^^------^
          |                                 |
          |                                 a tuple of (float, float) is returned here
          |
          = hint: differentiate a function that returns one of its values
    "#]]);
    check_grad("def f(x): return grad(lambda a: int(a))(x)", &[FLOAT], expect![[r#"
        error: `grad` needs a function that returns a float, this returns an int
         --> t.py:2:18
          |
        2 | def f(x): return grad(lambda a: int(a))(x)
          |                  ^^^^^^^^^^^^^^^------^
          |                                 |
          |                                 an int is returned here
          |
          = hint: convert it by `float(…)`
    "#]]);
    check_grad("def g(a): return a\ndef f(x): return grad(g, 1)(x)", &[FLOAT], expect![[r#"
        error: there is no argument 1 to differentiate with respect to, the function has 1 argument
         --> t.py:3:18
          |
        2 | def g(a): return a
          |     - the function is defined here
        3 | def f(x): return grad(g, 1)(x)
          |                  ^^^^^^^^^^
    "#]]);
    check_grad("def g(a): return a\ndef f(x): return grad(g, 'b')(x)", &[FLOAT], expect![[r#"
        error: there is no argument `b` to differentiate with respect to
         --> t.py:3:18
          |
        2 | def g(a): return a
          |     - the function is defined here
        3 | def f(x): return grad(g, 'b')(x)
          |                  ^^^^^^^^^^^^
    "#]]);
    check_grad("def g(a, b=1.0): return a\ndef f(x): return grad(g, 'b')(x)", &[FLOAT], expect![[r#"
        error: the argument `b` is to be differentiated with respect to, but the call does not give it
         --> t.py:3:18
          |
        2 | def g(a, b=1.0): return a
          |     - the function is defined here
        3 | def f(x): return grad(g, 'b')(x)
          |                  ^^^^^^^^^^^^
    "#]]);
    check_grad("def f(x): return grad(lambda g: g(x))(lambda a: a)", &[FLOAT], expect![[r#"
        error: there is no derivative with respect to a function
         --> t.py:2:18
          |
        2 | def f(x): return grad(lambda g: g(x))(lambda a: a)
          |                  ^^^^^^^^^^^^^^^^^^^^------------- this is a function
    "#]]);
}
