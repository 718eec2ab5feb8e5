//! What is said about wrong programs.

use super::{FLOAT, INT, check, check_grad};
use expect_test::expect;

#[test]
fn operands_that_do_not_fit() {
    check(
        "def f(x):\n    t = (x, x)\n    return x + t",
        &[FLOAT],
        expect![[r#"
        error: unsupported operand types for `+`: float and tuple of (float, float)
         --> t.py:3:12
          |
        1 | def f(x):
          |       - this is a float
        2 |     t = (x, x)
          |         ------ this is a tuple of (float, float)
        3 |     return x + t
          |            ^^^^^
    "#]],
    );
    check(
        "import math\ndef f(x): return math.sin((x, x))",
        &[FLOAT],
        expect![[r#"
        error: `sin` needs a number, this is a tuple of (float, float)
         --> t.py:2:18
          |
        2 | def f(x): return math.sin((x, x))
          |                  ^^^^^^^^^------^
          |                           |
          |                           this is a tuple of (float, float)
    "#]],
    );
    check(
        "def f(x): return x[0], (x, x)[2], (x, x)[x]",
        &[FLOAT],
        expect![[r#"
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
        error: an index must be an int, this is a float
         --> t.py:1:35
          |
        1 | def f(x): return x[0], (x, x)[2], (x, x)[x]
          |       -                           ------^^^
          |       |                           |
          |       this is a float             this is a tuple of (float, float)
    "#]],
    );
    check(
        "def f(x):\n    a, b = (x, x, x)\n    return a",
        &[FLOAT],
        expect![[r#"
        error: cannot unpack 3 values into 2 names
         --> t.py:2:5
          |
        2 |     a, b = (x, x, x)
          |     ^^^^   --------- this is a tuple of (float, float, float)
    "#]],
    );
    check(
        "def f(x):\n    for i in range(x): x = x + 1.0\n    return x",
        &[FLOAT],
        expect![[r#"
        error: `range` needs ints, this is a float
         --> t.py:2:20
          |
        1 | def f(x):
          |       - this is a float
        2 |     for i in range(x): x = x + 1.0
          |                    ^
    "#]],
    );
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
    check(
        text,
        &[FLOAT],
        expect![[r#"
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
    "#]],
    );
    let text = "
def f(x):
    if x > 1.0:
        return x + 1.0
    return x, x
";
    check(
        text,
        &[FLOAT],
        expect![[r#"
        error: the function returns a tuple of (float, float) here and a float elsewhere
         --> t.py:5:12
          |
        4 |         return x + 1.0
          |                ------- a float here
        5 |     return x, x
          |            ^^^^
    "#]],
    );
}

#[test]
fn calls_that_do_not_fit() {
    check(
        "def g(a, b=1): return a\ndef f(x): return g(x, x, x)",
        &[FLOAT],
        expect![[r#"
        error: `g` takes 2 arguments, but 3 were given
         --> t.py:2:18
          |
        1 | def g(a, b=1): return a
          |     - `g` is defined here
        2 | def f(x): return g(x, x, x)
          |                  ^^^^^^^^^^
          |
          = hint: it is `g(a, b=…)`
    "#]],
    );
    check(
        "def g(a, b=1): return a\ndef f(x): return g(b=x)",
        &[FLOAT],
        expect![[r#"
        error: `g` is called without the argument `a`
         --> t.py:2:18
          |
        1 | def g(a, b=1): return a
          |     - `g` is defined here
        2 | def f(x): return g(b=x)
          |                  ^^^^^^
          |
          = hint: it is `g(a, b=…)`
    "#]],
    );
    check(
        "def g(a, b=1): return a\ndef f(x): return g(x, c=x)",
        &[FLOAT],
        expect![[r#"
        error: `g` has no argument named `c`
         --> t.py:2:18
          |
        1 | def g(a, b=1): return a
          |     - `g` is defined here
        2 | def f(x): return g(x, c=x)
          |                  ^^^^^^^^^
          |
          = hint: it is `g(a, b=…)`
    "#]],
    );
    check(
        "def g(a, b=1): return a\ndef f(x): return g(x, a=x)",
        &[FLOAT],
        expect![[r#"
        error: `g` is given more than one value for the argument `a`
         --> t.py:2:18
          |
        1 | def g(a, b=1): return a
          |     - `g` is defined here
        2 | def f(x): return g(x, a=x)
          |                  ^^^^^^^^^
          |
          = hint: it is `g(a, b=…)`
    "#]],
    );
    check(
        "def f(x): return x(1)",
        &[FLOAT],
        expect![[r#"
        error: a float cannot be called
         --> t.py:1:18
          |
        1 | def f(x): return x(1)
          |       -          ^^^^
          |       |
          |       this is a float
    "#]],
    );
    check(
        "def f(x): return x",
        &[FLOAT, FLOAT],
        expect![[r#"
        error: `f` takes 1 argument, but 2 were given
         --> t.py:1:5
          |
        1 | def f(x): return x
          |     ^
          |     |
          |     `f` is defined here
          |
          = hint: it is `f(x)`
    "#]],
    );
    check(
        "def f(x): return lambda y: y",
        &[FLOAT],
        expect![[r#"
        error: the entry returns a function
         --> t.py:1:11
          |
        1 | def f(x): return lambda y: y
          |           ^^^^^^^^^^^^^^^^^^
          |
          = hint: call it, and return what it gives
    "#]],
    );
}

#[test]
fn types_that_grow_without_end() {
    let text = "
def g(k, n):
    return 1.0 if n == 0 else g((lambda v: v, k), n - 1)

def f(x):
    return g(x, 3)
";
    check(
        text,
        &[FLOAT],
        expect![[r#"
            error: this tuple is nested more than 200 deep, or holds more than 65536 values
             --> t.py:3:33
              |
            2 | def g(k, n):
              |       - this is a tuple of (function, tuple)
            3 |     return 1.0 if n == 0 else g((lambda v: v, k), n - 1)
              |                                 ^^^^^^^^^^^^^^^^
              |
              = called: `g` in line 3
              = called: `g` in line 6
              = hint: is there a recursion that puts a tuple into itself?
        "#]],
    );
    let text = "
import numpy as np

def g(t, n):
    return np.sum(t) if n == 0 else g(np.concatenate([t, t[:1]]), n - 1)

def f(n):
    return g(np.zeros(1), n)
";
    check(
        text,
        &[INT],
        expect![[r#"
        error: `g` is called with more than 1000 different types of arguments
         --> t.py:4:5
          |
        4 | def g(t, n):
          |     ^
        5 |     return np.sum(t) if n == 0 else g(np.concatenate([t, t[:1]]), n - 1)
          |                                       -------------------------- the type of `t` grows with each call
    "#]],
    );
    let text = "
def f(x):
    t = (x, x)
    t = t + t + t + t + t + t + t + t + t + t + t + t + t + t + t + t
    t = t + t + t + t + t + t + t + t + t + t + t + t + t + t + t + t
    t = t + t + t + t + t + t + t + t + t + t + t + t + t + t + t + t
    t = t + t + t + t + t + t + t + t + t + t + t + t + t + t + t + t
    return t
";
    check(
        text,
        &[FLOAT],
        expect![[r#"
        error: this tuple is nested more than 200 deep, or holds more than 65536 values
         --> t.py:7:9
          |
        6 |     t = t + t + t + t + t + t + t + t + t + t + t + t + t + t + t + t
          |         ------------------------------------------------------------- this is a tuple of 8192 values
        7 |     t = t + t + t + t + t + t + t + t + t + t + t + t + t + t + t + t
          |         -----------------------------^^^^
          |         |
          |         this is a tuple of 65536 values
          |
          = hint: is there a recursion that puts a tuple into itself?
    "#]],
    );
}

#[test]
fn functions_that_never_return() {
    check(
        "def f(x): return f(x)[0]",
        &[FLOAT],
        expect![[r#"
        error: `f` never returns
         --> t.py:1:5
          |
        1 | def f(x): return f(x)[0]
          |     ^
    "#]],
    );
}

#[test]
fn the_path_to_what_has_no_derivative() {
    let text = "
def larger(x, y):
    return x > y


def choose(x):
    pair = (x, larger(x, 2.0))
    if x > 1.0:
        r = pair[1]
    else:
        r = False
    return r


def f(x):
    return grad(lambda t: choose(t))(x)
";
    check_grad(
        text,
        &[FLOAT],
        expect![[r#"
        error: `grad` needs a function that returns a float, this returns a bool
          --> t.py:17:12
           |
         4 |     return x > y
           |            ----- this makes a bool
        ...
         8 |     pair = (x, larger(x, 2.0))
           |                -------------- which comes from here
         9 |     if x > 1.0:
        10 |         r = pair[1]
           |             ------- which comes from here
        ...
        17 |     return grad(lambda t: choose(t))(x)
           |            ^^^^^^^^^^^^^^^---------^
           |                           |
           |                           a bool is returned here
           |
           = hint: convert it by `float(…)`
    "#]],
    );
}

#[test]
fn derivatives_that_do_not_exist() {
    check_grad(
        "def f(x): return grad(x)(x)",
        &[FLOAT],
        expect![[r#"
        error: `grad` needs a function, this is a float
         --> t.py:2:18
          |
        2 | def f(x): return grad(x)(x)
          |       -          ^^^^^^^
          |       |
          |       this is a float
    "#]],
    );
    check_grad(
        "def f(x): return grad(lambda b: 2.0 if b else x)(True)",
        &[FLOAT],
        expect![[r#"
            error: there is no derivative with respect to a bool
             --> t.py:2:18
              |
            2 | def f(x): return grad(lambda b: 2.0 if b else x)(True)
              |                  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^------ this is a bool
        "#]],
    );
    check_grad(
        "def f(x): return grad(lambda a: (a, a))(x)",
        &[FLOAT],
        expect![[r#"
        error: `grad` needs a function that returns a float, this returns a tuple of (float, float)
         --> t.py:2:18
          |
        2 | def f(x): return grad(lambda a: (a, a))(x)
          |                  ^^^^^^^^^^^^^^^------^
          |                                 |
          |                                 a tuple of (float, float) is returned here
          |
          = hint: differentiate a function that returns one of its values
    "#]],
    );
    check_grad(
        "def f(x): return grad(lambda a: int(a))(x)",
        &[FLOAT],
        expect![[r#"
        error: `grad` needs a function that returns a float, this returns an int
         --> t.py:2:18
          |
        2 | def f(x): return grad(lambda a: int(a))(x)
          |                  ^^^^^^^^^^^^^^^------^
          |                                 |
          |                                 an int is returned here
          |
          = hint: convert it by `float(…)`
    "#]],
    );
    check_grad(
        "def g(a): return a\ndef f(x): return grad(g, 1)(x)",
        &[FLOAT],
        expect![[r#"
        error: there is no argument 1 to differentiate with respect to, the function has 1 argument
         --> t.py:3:18
          |
        2 | def g(a): return a
          |     - the function is defined here
        3 | def f(x): return grad(g, 1)(x)
          |                  ^^^^^^^^^^
    "#]],
    );
    check_grad(
        "def g(a): return a\ndef f(x): return grad(g, 'b')(x)",
        &[FLOAT],
        expect![[r#"
        error: there is no argument `b` to differentiate with respect to
         --> t.py:3:18
          |
        2 | def g(a): return a
          |     - the function is defined here
        3 | def f(x): return grad(g, 'b')(x)
          |                  ^^^^^^^^^^^^
    "#]],
    );
    check_grad(
        "def g(a, b=1.0): return a\ndef f(x): return grad(g, 'b')(x)",
        &[FLOAT],
        expect![[r#"
        error: the argument `b` is to be differentiated with respect to, but the call does not give it
         --> t.py:3:18
          |
        2 | def g(a, b=1.0): return a
          |     - the function is defined here
        3 | def f(x): return grad(g, 'b')(x)
          |                  ^^^^^^^^^^^^
    "#]],
    );
    check_grad(
        "def f(x): return grad(lambda g: g(x))(lambda a: a)",
        &[FLOAT],
        expect![[r#"
        error: there is no derivative with respect to a function
         --> t.py:2:18
          |
        2 | def f(x): return grad(lambda g: g(x))(lambda a: a)
          |                  ^^^^^^^^^^^^^^^^^^^^------------- this is a function
    "#]],
    );
}
