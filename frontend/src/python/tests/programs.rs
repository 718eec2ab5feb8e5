//! Statements and expressions. The results are CPython's.

use super::check;
use super::evaluate::V::{Bool, Float, Int};
use expect_test::expect;

#[test]
fn arithmetic_and_assignment() {
    check(
        "def f(x, y):\n    z = x + y\n    z *= 2\n    a = b = z - 1\n    return (a, b, -z, +x)\n",
        &[&[Int(3), Int(4)]],
        expect!["(13, 13, -14, 3)"],
    );
    check(
        "def f(a, b):\n    a, b = b, a + b\n    (c, (d, e)), g = ((a, (b, 7)), 8)\n    return a, b, c, d, e, g\n",
        &[&[Int(1), Int(2)]],
        expect!["(2, 3, 2, 3, 7, 8)"],
    );
    check(
        "def f(x: float, n: int = 2) -> float:\n    'a docstring'\n    y: float = x\n    return y ** n\n",
        &[&[Float(3.0)], &[Int(3), Int(3)]],
        expect!["9.0 27"],
    );
}

#[test]
fn branches() {
    let sign =
        "def f(x):\n    if x > 0:\n        s = 1\n    elif x < 0:\n        s = -1\n    else:\n        return 0\n    return s\n";
    check(sign, &[&[Int(5)], &[Int(-5)], &[Int(0)]], expect!["1 -1 0"]);
    check("def f(x):\n    if x:\n        x = x + 1\n    return x\n", &[&[Int(0)], &[Int(1)]], expect!["0 2"]);
    check("def f(x):\n    if x > 0:\n        return 1\n", &[&[Int(0)], &[Int(1)]], expect!["None 1"]);
    check(
        "def f(x, y):\n    return (1 if x > y else 2 if x == y else 3) * 10\n",
        &[&[Int(1), Int(0)], &[Int(1), Int(1)], &[Int(0), Int(1)]],
        expect!["10 20 30"],
    );
}

#[test]
fn booleans_are_operands() {
    check(
        "def f(x, y):\n    return (x and y, x or y, not x)\n",
        &[&[Int(0), Int(3)], &[Int(2), Int(3)]],
        expect!["(0, 3, True) (3, 2, False)"],
    );
    check(
        "def f(x, y, z):\n    return x and y or z\n",
        &[&[Int(0), Int(3), Int(5)], &[Int(2), Int(3), Int(5)], &[Int(2), Int(0), Int(5)]],
        expect!["5 3 5"],
    );
    check(
        "def f(x, y):\n    if x and (y or x > 1) and not (x == 3 and y):\n        return 1\n    return 2\n",
        &[&[Int(1), Float(0.0)], &[Int(2), Float(0.0)], &[Int(3), Float(1.0)], &[Int(0), Float(1.0)]],
        expect!["2 1 2 2"],
    );
    check("def f(x):\n    return x == 0 or 1 // x\n", &[&[Int(0)], &[Int(1)]], expect!["True 1"]);
    let chained = "def f(a, b, c):\n    if a < b < c:\n        return 1\n    return 2 if a < b <= c != 7 else 3\n";
    check(
        chained,
        &[&[Int(1), Int(2), Int(3)], &[Int(1), Int(3), Int(3)], &[Int(3), Int(2), Int(3)], &[Int(1), Int(7), Int(7)]],
        expect!["1 2 3 3"],
    );
    check(
        "def f(x):\n    return x is None, x is not None\n",
        &[&[Int(0)], &[super::V::None]],
        expect!["(False, True) (True, False)"],
    );
}

#[test]
fn while_loops() {
    let pow = "def f(x, n):\n    r = 1\n    while n > 0:\n        r = r * x\n        n = n - 1\n    return r\n";
    check(pow, &[&[Int(2), Int(10)], &[Int(2), Int(0)]], expect!["1024 1"]);
    let collatz = "def f(n):\n    k = 0\n    while True:\n        if n == 1:\n            break\n        k += 1\n        if n % 2 == 0:\n            n = n // 2\n            continue\n        n = 3 * n + 1\n    return k\n";
    check(collatz, &[&[Int(1)], &[Int(6)], &[Int(27)]], expect!["0 8 111"]);
    let orelse = "def f(n):\n    i = 2\n    while i < n:\n        if n % i == 0:\n            r = i\n            break\n        i += 1\n    else:\n        r = -1\n    return r\n";
    check(orelse, &[&[Int(7)], &[Int(15)], &[Int(2)]], expect!["-1 3 -1"]);
    check("def f(n):\n    while 1:\n        n = n - 1\n        if n < 0:\n            return n\n", &[&[Int(3)]], expect!["-1"]);
}

#[test]
fn for_loops() {
    check(
        "def f(n):\n    s = 0\n    for i in range(n):\n        s = s * 10 + i\n    return s\n",
        &[&[Int(4)], &[Int(0)]],
        expect!["123 0"],
    );
    check(
        "def f(a, b):\n    s = 0\n    for i in range(a, b, 2):\n        s = s * 10 + i\n    return s\n",
        &[&[Int(1), Int(6)], &[Int(1), Int(7)]],
        expect!["135 135"],
    );
    check(
        "def f(a, b):\n    s = 0\n    for i in range(a, b, -1):\n        s = s * 10 + i\n        i = 100\n    return s\n",
        &[&[Int(5), Int(1)]],
        expect!["5432"],
    );
    check(
        "def f(a, b, c):\n    s = 0\n    for i in range(a, b, c):\n        s = s * 10 + i\n    return s\n",
        &[&[Int(5), Int(1), Int(-2)], &[Int(1), Int(5), Int(3)]],
        expect!["53 14"],
    );
    check(
        "def f(n):\n    i = -1\n    for i in range(n):\n        pass\n    return i\n",
        &[&[Int(4)], &[Int(0)]],
        expect!["3 -1"],
    );
    let nested = "def f(n):\n    s = 0\n    for i in range(n):\n        for j in range(i, n):\n            if j == 3:\n                break\n            if i == j:\n                continue\n            s = s * 10 + j\n        else:\n            s = -s\n    return s\n";
    check(nested, &[&[Int(3)], &[Int(5)]], expect!["-118 -122"]);
    let search = "def f(t, x):\n    for i, v in enumerate(t):\n        if v == x:\n            return i\n    return None\n";
    let tuple = || super::V::Tuple(vec![Int(5), Int(6)].into());
    check(search, &[&[tuple(), Int(6)], &[tuple(), Int(7)]], expect!["1 None"]);
    check(
        "def f(t):\n    p = 1\n    for (a, b) in t:\n        p = p * a + b\n    else:\n        p = -p\n    return p\n",
        &[&[super::V::Tuple(vec![tuple(), tuple()].into())]],
        expect!["-61"],
    );
}

#[test]
fn tuples() {
    check(
        "def f(x):\n    t = (x, [x + 1, ()], 3,)\n    return t[0], t[1][0], t[-1], len(t), t[1:], t[:-1], t[0:2], (x,)\n",
        &[&[Int(1)]],
        expect!["(1, 2, 3, 3, ((2, ()), 3), (1, (2, ())), (1, (2, ())), (1,))"],
    );
    check(
        "def f(x):\n    return sum((x, x, x)), tuple(range(3)), (1,) + (x,)\n",
        &[&[Int(5)]],
        expect!["(15, (0, 1, 2), (1, 5))"],
    );
}

#[test]
fn calls() {
    check(
        "def g(a, b=2, c=3):\n    return a * 100 + b * 10 + c\ndef f(x):\n    return g(x), g(x, 5), g(x, c=7), g(c=1, a=x, b=0)\n",
        &[&[Int(1)]],
        expect!["(123, 153, 127, 101)"],
    );
    check(
        "def even(n):\n    return True if n == 0 else odd(n - 1)\ndef odd(n):\n    return False if n == 0 else even(n - 1)\ndef f(n):\n    return even(n), odd(n)\n",
        &[&[Int(7)]],
        expect!["(False, True)"],
    );
    check(
        "N = 3\ng = lambda x: x + N\ndef f(x, y=-2, h=g, k=N):\n    return h(x) * y - k\nN = 4\n",
        &[&[Int(1)]],
        expect!["-13"],
    );
    check("def f(n):\n    return 1 if n < 2 else f(n - 1) + f(n - 2)\n", &[&[Int(10)]], expect!["89"]);
    check(
        "N = 3\nT = (1, N + 1)\nneg = -2.5\nsq = lambda x: x * x\nalias = sq\nA, B = 10, 20\ndef f(x):\n    return alias(x) + N * T[1] + neg + A * B\nN = 4\n",
        &[&[Int(3)]],
        expect!["222.5"],
    );
    check(
        "from functools import partial\ndef g(a, b, c=1):\n    return a * 100 + b * 10 + c\ndef f(x):\n    return partial(g, x)(2), partial(g, x, 3)(), partial(g, x)(4, c=5)\n",
        &[&[Int(1)]],
        expect!["(121, 131, 145)"],
    );
}

#[test]
fn libraries() {
    check(
        "import math\nfrom math import sin as s\nimport numpy as np\ndef f(x):\n    return math.sqrt(x), s(0.0), np.square(x), np.where(x > 1, 2, 3), math.pi, abs(-x), max(1, x, 2)\n",
        &[&[Int(4)]],
        expect!["(2.0, 0.0, 16, 2, 3.141592653589793, 4, 4)"],
    );
    check(
        "import math\ndef twice(g, x):\n    return g(g(x))\ndef f(x):\n    h = math.sqrt\n    return twice(math.sqrt, x), h(x), twice(bool, x)\n",
        &[&[Float(16.0)]],
        expect!["(2.0, 4.0, True)"],
    );
    check(
        "def f(x):\n    import math\n    return math.sqrt(x) if bool(x) else 0\n",
        &[&[Float(16.0)], &[Bool(false)]],
        expect!["4.0 0"],
    );
}

#[test]
fn only_what_is_reached_is_lowered() {
    check(
        "import torch\nclass A: pass\ntry:\n    y = 1\nexcept: pass\ndef g(x):\n    yield x\ndef f(x):\n    return x\nif __name__ == '__main__':\n    f = 3\n    print(f)\n",
        &[&[Int(4)]],
        expect!["4"],
    );
}

#[test]
fn stars() {
    check(
        "def g(a, b):\n    return a + 10 * b\ndef f(x, y):\n    return g(*(x, y)), [*(x, y), 3, *(y,)], (*[],)\n",
        &[&[Int(1), Int(2)]],
        expect!["(21, (1, 2, 3, 2), ())"],
    );
    check(
        "def f(x, y):\n    a, *b = (x, y, 3)\n    *c, d = (x,)\n    (e, *_, g), h = (x, 5, y), 7\n    return a, b, c, d, e, g, h\n",
        &[&[Int(1), Int(2)]],
        expect!["(1, (2, 3), (), 1, 1, 2, 7)"],
    );
}

#[test]
fn comprehensions() {
    check(
        "def f(x, y):\n    e = 7\n    t = [e * y for e in (x, y, 3) if e > 1]\n    return t, [(a, b) for a in t for b in (a, x)], e\n",
        &[&[Int(1), Int(2)]],
        expect!["((4, 6), ((4, 4), (4, 1), (6, 6), (6, 1)), 7)"],
    );
    check(
        "def f(x):\n    s = sum(e * x for e in (1, 2, x))\n    x = 2\n    return s, sum((e for e in (x, s)), 5), [[i + j for j in (i, x)] for i in (1, s)]\n",
        &[&[Int(3)]],
        expect!["(18, 25, ((2, 3), (36, 20)))"],
    );
    check(
        "def f(x):\n    return all(e > 0 for e in (1, x)), any(e > 2 for e in (1, x) for _ in (1, 2)), all(e for e in ())\n",
        &[&[Int(3)], &[Int(0)]],
        expect!["(True, True, True) (False, False, True)"],
    );
    check(
        "def f(x):\n    s = 0\n    for i in (1, 2):\n        s = s + sum(s * e + i for e in (x, 1))\n    return s\n",
        &[&[Int(3)]],
        expect!["14"],
    );
}

#[test]
fn lists_that_change() {
    check(
        "def f(x, y):\n    l = [x]\n    l.append(y)\n    l.extend((x, 3))\n    last = l.pop()\n    return l, last\n",
        &[&[Int(1), Int(2)]],
        expect!["((1, 2, 1), 3)"],
    );
    check(
        "def f(x):\n    y = (z := x + 1) * z\n    del x\n    while (n := z) > 3:\n        z = z - 1\n    return y, z, n\n",
        &[&[Int(4)]],
        expect!["(25, 3, 3)"],
    );
}
