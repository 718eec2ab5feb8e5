//! Numbers, tuples and ranges.

use super::{FLOAT, INT, check, typed};
use expect_test::expect;

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
    check(
        text,
        &[FLOAT, INT],
        expect![[r#"
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
    "#]],
    );
}

#[test]
fn a_function_has_an_instance_per_argument_types() {
    check(
        "def g(a): return a * a\ndef f(x, n): return g(n) * g(x)",
        &[FLOAT, INT],
        expect![[r#"
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
    "#]],
    );
}

#[test]
fn powers_with_literal_exponents_are_products() {
    check(
        "def f(x, n): return x**3, x**-2, n**2, n**-1, x**n, n**n, 2.0**x",
        &[FLOAT, INT],
        expect![[r#"
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
    "#]],
    );
}

#[test]
fn booleans_count_as_integers() {
    check(
        "def f(x): return True + 1, -(x > 0), (x > 0) * x, x > True",
        &[FLOAT],
        expect![[r#"
            entry @f
            graph @f(%x: f64) -> (i64, i64, f64, bool) {
              %0: bool = gt %x, 0.0
              %1: i64 = int %0
              %2: i64 = neg %1
              %3: bool = gt %x, 0.0
              %4: f64 = float %3
              %5: f64 = mul %4, %x
              %6: bool = gt %x, 1.0
              %7: (i64, i64, f64, bool) = tuple 2, %2, %5, %6
              return %7
            }
        "#]],
    );
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
    check(
        text,
        &[INT, FLOAT],
        expect![[r#"
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
    "#]],
    );
}

#[test]
fn a_program_that_never_returns_is_taken_to_return_a_float() {
    check(
        "def f(x): return 1 + f(x)",
        &[FLOAT],
        expect![[r#"
        entry @f
        graph @f(%x: f64) -> f64 {
          %0: f64 = call @f, %x
          %1: f64 = add 1.0, %0
          return %1
        }
    "#]],
    );
}

#[test]
fn a_loop_over_a_tuple_unrolls() {
    let text = "
def f(x):
    s = 0
    for i, v in enumerate((x, 2)):
        s += (3, x)[i] * v
    return s
";
    check(
        text,
        &[FLOAT],
        expect![[r#"
            entry @f
            graph @f(%x: f64) -> f64 {
              %0: f64 = float 0
              %1: f64 = mul 3.0, %x
              %s: f64 = add %0, %1
              %2: f64 = mul %x, 2.0
              %s.1: f64 = add %s, %2
              return %s.1
            }
        "#]],
    );
}

#[test]
fn tuples_are_sliced_joined_and_compared_statically() {
    check(
        "def f(x, n): t = (x, n) + (1,) * 2; return t[1:], t[-1], len(t), sum(t), (x, n) < (n, 1)",
        &[FLOAT, INT],
        expect![[r#"
            entry @f
            graph @f(%x: f64, %n: i64) -> ((i64, i64, i64), i64, i64, f64, bool) {
              %0: (i64, i64, i64) = tuple %n, 1, 1
              %1: f64 = add 0.0, %x
              %2: f64 = float %n
              %3: f64 = add %1, %2
              %4: f64 = add %3, 1.0
              %5: f64 = add %4, 1.0
              %6: f64 = float %n
              %7: bool = lt %x, %6
              %8: f64 = float %n
              %9: bool = eq %x, %8
              %10: bool = lt %n, 1
              %11: bool = and %9, %10
              %12: bool = or %7, %11
              %13: ((i64, i64, i64), i64, i64, f64, bool) = tuple %0, 1, 4, %5, %12
              return %13
            }
        "#]],
    );
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
    check(
        text,
        &[INT],
        expect![[r#"
        entry @f
        graph @f(%n: i64) -> i64 {
          %r: (i64, i64) = tuple 0, %n
          %0: i64 = get<1> %r
          %1: i64 = sub %0, 1
          %2: i64 = get<0> %r
          %3: i64 = sub %2, 1
          %4: (i64, i64) = tuple %1, %3
          %5: i64 = call @f.loop, %4, 0
          return %5
        }
        block @f.loop(%6: (i64, i64), %s: i64) -> i64 {  ; free %r
          %7: i64 = get<0> %6
          %8: i64 = get<1> %6
          %9: bool = gt %7, %8
          %10: fn() -> i64 = select %9, @f.body, @f.done
          %11: i64 = call %10
          return %11
        }
        block @f.body() -> i64 {  ; free %6, %s, %r
          %12: i64 = get<0> %6
          %13: i64 = wrap_add %12, -1
          %14: i64 = get<1> %6
          %15: (i64, i64) = tuple %13, %14
          %i: i64 = get<0> %6
          %16: i64 = get<1> %r
          %17: i64 = get<0> %r
          %18: i64 = sub %16, %17
          %19: i64 = max 0, %18
          %20: i64 = mul %i, %19
          %s.1: i64 = add %s, %20
          %21: i64 = call @f.loop, %15, %s.1
          return %21
        }
        block @f.done() -> i64 {  ; free %s
          return %s
        }
        "#]],
    );
}

/// A test runs on a small native stack, so that recursion over the program would be seen.
#[test]
fn long_programs() {
    let lines = |n: usize, line: &str| -> String { (0..n).map(|i| line.replace('#', &i.to_string())).collect() };
    let straight = format!("def f(x):\n{}    return x\n", lines(50_000, "    x = x * 0.5 + #.0\n"));
    let calls = format!(
        "def f0(x): return x\n{}def f(x): return f3000(x)\n",
        (1..=3000).map(|i| format!("def f{i}(x): return f{}(x) + 1\n", i - 1)).collect::<String>()
    );
    let ifs = format!("def f(x):\n    y = 1\n{}    return y\n", lines(1000, "    if x > #.0:\n        y = y + x\n"));
    let closures = format!(
        "def c(g, h): return lambda x: g(h(x))\ndef f(x):\n    h = lambda x: x\n    g = h\n{}    return h(x)\n",
        lines(200, "    h = c(h, g)\n")
    );
    for text in [straight, calls, ifs, closures] {
        let module = typed(&text, &[FLOAT]);
        assert!(module.starts_with("entry @f"), "{module}");
    }
}

#[test]
fn a_loop_is_unrolled_for_a_list_that_grows() {
    let text = "
def f(x):
    l = []
    for i in range(2):
        l.append(x)
    return l[1]
";
    check(
        text,
        &[FLOAT],
        expect![[r#"
            entry @f
            graph @f(%x: f64) -> f64 {
              return %x
            }
        "#]],
    );
}

#[test]
fn a_call_with_a_star() {
    check(
        "def g(a, b): return a * b\ndef f(x):\n    t = (x, 2.0)\n    return g(*t)",
        &[FLOAT],
        expect![[r#"
            entry @f
            graph @f(%x: f64) -> f64 {
              %0: (f64, f64) = tuple %x, 2.0
              %1: f64 = call @apply, %0
              return %1
            }
            graph @apply(%2: (f64, f64)) -> f64 {
              %3: f64 = get<0> %2
              %4: f64 = get<1> %2
              %5: f64 = call @g, %3, %4
              return %5
            }
            graph @g(%a: f64, %b: f64) -> f64 {
              %6: f64 = mul %a, %b
              return %6
            }
        "#]],
    );
}
