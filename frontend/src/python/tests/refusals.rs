//! What is refused, and how that looks.

use super::super::Program;
use super::refuse;
use expect_test::expect;
use gradus_ir::Reason;

#[test]
fn syntax() {
    refuse(
        "def f(x:\n    return x\n",
        expect![[r#"
        error: syntax error: expected an expression
         --> f.py:2:5
          |
        2 |     return x
          |     ^^^^^^
    "#]],
    );
    refuse(
        "def f(x):\n    return (x\n",
        expect![[r#"
        error: syntax error: unexpected EOF while parsing
         --> f.py:2:15
          |
        2 |     return (x
          |              ^
    "#]],
    );
}

#[test]
fn names() {
    refuse(
        "def f(count):\n    return cuont + 1\n",
        expect![[r#"
        error: unknown name `cuont`
         --> f.py:2:12
          |
        2 |     return cuont + 1
          |            ^^^^^
          |
          = hint: did you mean `count`?
    "#]],
    );
    refuse(
        "def f(x):\n    return np.sin(x)\n",
        expect![[r#"
        error: unknown name `np`
         --> f.py:2:12
          |
        2 |     return np.sin(x)
          |            ^^
          |
          = hint: write `import numpy as np` at the top of the file
    "#]],
    );
    refuse(
        "import numpy as np\ndef f(x):\n    return np.arcsn(x)\n",
        expect![[r#"
        error: `numpy.arcsn` is not supported
         --> f.py:3:12
          |
        3 |     return np.arcsn(x)
          |            ^^^^^^^^
          |
          = hint: did you mean `arcsin`?
    "#]],
    );
    refuse(
        "import torch\ndef f(x):\n    return torch.sin(x)\n",
        expect![[r#"
            error: the module `torch` is not supported
             --> f.py:1:8
              |
            1 | import torch
              |        ^^^^^
              |
              = hint: supported are files beside the program, and math, cmath, numpy, scipy, statistics, functools, itertools, operator, collections, concurrent.futures, contextlib, copy, bisect, dataclasses, typing, gradus, autograd, jax and myia
        "#]],
    );
    refuse(
        "from scipy.special import *\ndef f(x):\n    return kv(1.0, x)\n",
        expect![[r#"
        error: `kv` is not known here, but may come from `import *`
         --> f.py:3:12
          |
        1 | from scipy.special import *
          | --------------------------- all is imported here
        2 | def f(x):
        3 |     return kv(1.0, x)
          |            ^^
          |
          = hint: import the names one by one, to see which are supported
    "#]],
    );
    refuse(
        "class A:\n    x: float\ndef f(x):\n    return A(x)\n",
        expect![[r#"
        error: a class that is no dataclass is not supported
         --> f.py:1:7
          |
        1 | class A:
          |       ^
          |
          = hint: write `@dataclass(frozen=True)` before it, or `__init__` in it
    "#]],
    );
}

#[test]
fn unassigned_variables() {
    refuse(
        "def f(n):\n    while n > 0:\n        s = s + n\n        n = n - 1\n    return n\n",
        expect![[r#"
        error: the variable `s` may be unassigned here
         --> f.py:3:13
          |
        3 |         s = s + n
          |         -   ^
          |         |
          |         assigned here, but not on every path
    "#]],
    );
    refuse(
        "def f(x):\n    del x\n    return x\n",
        expect![[r#"
            error: the variable `x` may be unassigned here
             --> f.py:3:12
              |
            1 | def f(x):
              |       - assigned here, but not on every path
            2 |     del x
            3 |     return x
              |            ^
        "#]],
    );
}

#[test]
fn values_that_are_dropped() {
    refuse(
        "def f(x):\n    x + 1\n    return x\n",
        expect![[r#"
        error: the value of this expression is dropped
         --> f.py:2:5
          |
        2 |     x + 1
          |     ^^^^^
          |
          = hint: assign it to a variable or return it
    "#]],
    );
}

#[test]
fn library_calls() {
    refuse(
        "import math\ndef f(x):\n    return math.sin(x, x)\n",
        expect![[r#"
        error: `sin` takes 1 argument, got 2
         --> f.py:3:12
          |
        3 |     return math.sin(x, x)
          |            ^^^^^^^^^^^^^^
    "#]],
    );
    refuse(
        "import math\ndef f(x):\n    return math.pi(x)\n",
        expect![[r#"
        error: `math.pi` is a number, not a function
         --> f.py:3:12
          |
        3 |     return math.pi(x)
          |            ^^^^^^^^^^
    "#]],
    );
    refuse(
        "def f(x):\n    return int(x, 2)\n",
        expect![[r#"
        error: `int` with 2 arguments is not supported
         --> f.py:2:12
          |
        2 |     return int(x, 2)
          |            ^^^^^^^^^
    "#]],
    );
    refuse(
        "from gradus import grad\ndef f(x):\n    return grad(f, x)(x)\n",
        expect![[r#"
        error: what to differentiate for must be a literal
         --> f.py:3:20
          |
        3 |     return grad(f, x)(x)
          |                    ^
          |
          = hint: write the position of the argument, its name in quotes, or a tuple of these
    "#]],
    );
    refuse(
        "from gradus import grad\ndef f(x):\n    return grad(f, arg=1)(x)\n",
        expect![[r#"
        error: `grad` has no such argument
         --> f.py:3:20
          |
        3 |     return grad(f, arg=1)(x)
          |                    ^^^^^
          |
          = hint: write `grad(f, argnums=0)`
    "#]],
    );
}

/// Each of these names its construct; the program stands for it alone.
#[test]
fn constructs() {
    for (name, text) in [
        ("a class in a function, or one that depends on what the top level changes,", "class A: y = x"),
        ("`global`", "global y"),
        ("`async def`", "async def g(): pass"),
        ("assignment to an attribute", "x.y = 1"),
        ("a generator", "y = (i for i in x)"),
        ("`del` of this", "del x.shape"),
        ("a comprehension that assigns", "y = [1 for x[0] in x]"),
        ("an asynchronous comprehension", "y = [i async for i in x]"),
        ("a bytes literal", "y = b''"),
        ("`yield` of a generator that is not gone over at once", "y = yield x"),
        ("`getattr` takes", "y = getattr(x, 1)"),
        ("this format", "print('%.2é' % x)"),
        ("this format", "print('%d of %d' % x)"),
        ("this format", "print('%*d' % (3, x))"),
        ("this format", "print('100%' % x)"),
    ] {
        let text = format!("def f(x):\n    {text}\n    return x\n");
        let list = Program::parse("f.py", &text).expect("it parses").lower("f").map(|_| ()).expect_err(&text);
        assert_eq!(list.len(), 1);
        assert_eq!(list[0].reason, Reason::Unsupported, "{text}");
        assert!(list[0].message.starts_with(name), "{text}{}", list[0].message);
        assert!(list[0].span.start < list[0].span.end && list[0].span.end as usize <= text.len());
    }
}

/// The top level does these, and a function reads what they may change.
#[test]
fn top_level() {
    for (name, text) in [
        ("the builtin `exec`", "k = 1.0\nexec('k = 3.0')\ndef f(x):\n    return k * x\n"),
        ("assignment to an element of this", "k = 1.0\nglobals()['k'] = 3.0\ndef f(x):\n    return k * x\n"),
        ("assignment to an element of this", "k = 1.0\ndef g():\n    globals()['k'] = 3.0\ng()\ndef f(x):\n    return k * x\n"),
        ("assignment to an attribute", "import math\nmath.pi = 3.0\ndef f(x):\n    return math.pi * x\n"),
        (
            "the variable `C.m` may be unassigned",
            "class C:\n    def m(self, x):\n        return x\ndef g(self, x):\n    return 5.0 * x\nC.m = g\ndef f(x):\n    return C().m(x)\n",
        ),
    ] {
        let list = Program::parse("f.py", text).expect("it parses").lower("f").map(|_| ()).expect_err(text);
        assert!(list[0].message.starts_with(name), "{text}{}", list[0].message);
    }
}

#[test]
fn headers() {
    refuse(
        "@cache\ndef f(x):\n    return x\n",
        expect![[r#"
        error: `f` has decorators and cannot be the entry
         --> f.py:2:5
          |
        2 | def f(x):
          |     ^
          |
          = hint: call it in a function without: `def main(…): return f(…)`
    "#]],
    );
    refuse(
        "def f(x, y, x):\n    return x\n",
        expect![[r#"
        error: there are two parameters `x`
         --> f.py:1:13
          |
        1 | def f(x, y, x):
          |             ^
    "#]],
    );
    refuse(
        "def f(x):\n    return f(x=x, x=1)\n",
        expect![[r#"
        error: this keyword argument is given twice
         --> f.py:2:19
          |
        2 |     return f(x=x, x=1)
          |                   ^^^
    "#]],
    );
}

#[test]
fn unknown_functions() {
    let program = Program::parse("f.py", "def power(x): return x\nN = 3\ng = power\n").expect("it parses");
    assert_eq!(program.functions(), ["power"]);
    assert_eq!(program.lower("powr").expect_err("refused")[0].hint.as_deref(), Some("did you mean `power`?"));
    assert!(program.lower("N").is_err());
    assert!(program.lower("g").is_ok());
}
