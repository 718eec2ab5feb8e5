//! Closures, and which value of a variable they see.

use super::evaluate::V::Int;
use super::{check, check_text, refuse};
use crate::python::Program;
use expect_test::expect;

#[test]
fn captured_values() {
    check("def f(x):\n    def g(y):\n        return x * 10 + y\n    return g(1) + g(2)\n", &[&[Int(3)]], expect!["63"]);
    check("def f(x):\n    return (lambda y: (lambda z: x * 100 + y * 10 + z))(2)(3)\n", &[&[Int(1)]], expect!["123"]);
    check(
        "def compose(g, h):\n    return lambda x: g(h(x))\ndef f(x):\n    k = compose(lambda a: a + 1, lambda a: a * 2)\n    for i in range(3):\n        k = compose(k, k)\n    return k(x)\n",
        &[&[Int(1)]],
        expect!["511"],
    );
    check(
        "def f(x):\n    fs = (lambda y: x + y, lambda y: x * y)\n    return fs[0](5), fs[1](5)\n",
        &[&[Int(2)]],
        expect!["(7, 10)"],
    );
    check(
        "def f(x):\n    x = x + 1\n    if x > 3:\n        x = x * 2\n    g = lambda: x\n    return g()\n",
        &[&[Int(1)], &[Int(3)]],
        expect!["2 8"],
    );
    check(
        "def f(n):\n    y = lambda g: (lambda x: g(lambda v: x(x)(v)))(lambda x: g(lambda v: x(x)(v)))\n    return y(lambda self: lambda k: 1 if k == 0 else k * self(k - 1))(n)\n",
        &[&[Int(5)]],
        expect!["120"],
    );
}

#[test]
fn recursion_inside() {
    check(
        "def f(n):\n    def fact(k):\n        return 1 if k == 0 else k * fact(k - 1)\n    return fact(n)\n",
        &[&[Int(5)]],
        expect!["120"],
    );
    check("def f(n):\n    fact = lambda k: 1 if k == 0 else k * fact(k - 1)\n    return fact(n)\n", &[&[Int(5)]], expect!["120"]);
    check(
        "def f(n, a):\n    def even(k):\n        return a if k == 0 else odd(k - 1)\n    b = a + 1\n    def odd(k):\n        return b if k == 0 else even(k - 1)\n    return even(n)\n",
        &[&[Int(4), Int(10)], &[Int(5), Int(10)]],
        expect!["10 11"],
    );
    check(
        "def f(n):\n    for i in range(n):\n        def g(k):\n            return i if k == 0 else h(k - 1)\n        def h(k):\n            return -i if k == 0 else g(k - 1)\n        n = n * 2 + g(i)\n    return n\n",
        &[&[Int(4)]],
        expect!["61"],
    );
}

#[test]
fn a_variable_assigned_after_the_closure() {
    check(
        "def f(x):\n    def g(y):\n        return y * k\n    k = 3\n    a = g(x)\n    k = 5\n    return a, g(x)\n",
        &[&[Int(2)]],
        expect!["(6, 10)"],
    );
    check(
        "def f(x):\n    def g(y):\n        return y + x if y > 100 else g(y * 2)\n    a = g(1)\n    x = x * 1000\n    return a, g(1)\n",
        &[&[Int(2)]],
        expect!["(130, 2128)"],
    );
    check(
        "def f(x):\n    def g(y):\n        return y + x\n    def h(y):\n        return g(y) * 2\n    x = x * 1000\n    return h(1)\n",
        &[&[Int(2)]],
        expect!["4002"],
    );
    check(
        "def f(n):\n    s = 0\n    for i in range(n):\n        g = lambda y: y * 10 + i\n        s = g(s)\n    return s\n",
        &[&[Int(4)]],
        expect!["123"],
    );
    check(
        "def f(n):\n    g = lambda y: y * 10 + n\n    s = 0\n    while n > 0:\n        s = g(s)\n        n -= 1\n    return s\n",
        &[&[Int(4)]],
        expect!["4321"],
    );
    // Returned from a loop: the variable is not assigned any more.
    check(
        "def f(n):\n    for i in range(n):\n        if i == 3:\n            return lambda: i\n",
        &[&[Int(9)]],
        expect!["<function>"],
    );
    // Passed on, but not kept beyond the iteration.
    check(
        "def apply(g, x):\n    return g(x)\ndef f(n):\n    s = 0\n    for i in range(n):\n        s = s - apply(lambda y: y * 2 + i, s)\n    return s\n",
        &[&[Int(4)]],
        expect!["-2"],
    );
    check(
        "def apply(g, x):\n    return g(x)\ndef f(n):\n    s = 0\n    for i in range(n):\n        s = s + apply(lambda y: y * 2 + i, s)\n    return s\n",
        &[&[Int(4)]],
        expect!["18"],
    );
    check(
        "def f(n):\n    s = 0\n    for i in range(n):\n        g = lambda y, i=i: y * 10 + i\n        s = (g, g)[0](s)\n    return s\n",
        &[&[Int(4)]],
        expect!["123"],
    );
}

#[test]
fn what_may_outlive_an_assignment_in_a_result_is_left_to_inference() {
    check_text(
        "def step(g, x):\n    return g(x)\ndef f(x, n):\n    for i in range(n):\n        x = step(lambda y: y + i, x)\n    return x\n",
        expect![[r#"
            graph @f(%x, %n) {
              %0 = wrap_add %n, 0
              %1 = call @f.loop, 0, %x
              return %1
            }
            block @f.loop(%i, %x.1) {  ; free %0
              %2 = lt %i, %0
              %3 = select %2, @f.body, @f.done
              %4 = call %3
              return %4
            }
            block @f.body() {  ; free %x.1, %i, %0
              %x.2 = call @step, @f.lambda, %x.1
              %5 = wrap_add %i, 1
              %6 = data %x.2, "i", 53, 54
              %7 = call @f.loop, %5, %6
              return %7
            }
            graph @step(%g, %x.3) {
              %8 = call %g, %x.3
              return %8
            }
            graph @f.lambda(%y) {  ; free %i
              %9 = add %y, %i
              return %9
            }
            block @f.done() {  ; free %x.1
              return %x.1
            }
        "#]],
    );
}

#[test]
fn what_outlives_an_assignment_reads_a_box() {
    for text in [
        "def f(x):\n    g = lambda: x\n    x = x + 1\n    return g\n",
        "def f(n):\n    t = ()\n    for i in range(n):\n        t = t + (lambda: i,)\n    return t[0]()\n",
        "def f(x):\n    def g():\n        return lambda: x\n    h = g()\n    x = x + 1\n    return h()\n",
    ] {
        let (m, _) = Program::parse("f.py", text).expect("it parses").lower("f").expect("it is lowered");
        assert!(m.has_boxes(), "{text}");
    }
    let (m, _) = Program::parse("f.py", "def f(x):\n    g = lambda: x\n    x = x + 1\n    return g()\n")
        .expect("it parses")
        .lower("f")
        .expect("it is lowered");
    assert!(!m.has_boxes(), "a closure that is only called is given the variable");
}

#[test]
fn what_is_not_assigned_is_refused() {
    refuse(
        "def f(x):\n    def g():\n        return y\n    return g() + x\n    y = 1\n",
        expect![[r#"
        error: the variable `y` may be unassigned here
         --> f.py:3:16
          |
        3 |         return y
          |                ^
    "#]],
    );
}
