"""Makes random programs whose arrays have several names and views, and compares the command with NumPy.

    python tests/oracle/views.py FIRST LAST target/debug/gradus

One program for each number from FIRST to LAST. NumPy gives the value, and by central differences the gradient. The rest is as in
`objects.py`.
"""

import math
import sys

import numpy
from objects import ARGUMENTS, Writer, hunt

HELPERS = """
import numpy as np
class Obj:
    def __init__(self, v):
        self.v = v
def scale(p, k):
    p *= k
def fill(p, k):
    for i in range(len(p)):
        p[i] = k * i
def swap(p, q):
    t = p.copy()
    p[:] = q
    q[:] = t
def first(p, q):
    return p if p.sum() < q.sum() else q
def same(p):
    return p
def part(p):
    return p[1:]
def bump(m, k):
    for r in m:
        r[0] += k
def step(p, q):
    p += 0.1 * q
    q -= 0.1 * p
def descend(p, n):
    if n > 0:
        p[0] += 0.5 * p[-1]
        descend(p, n - 1)
"""


class Maker(Writer):
    """A program: `names` are its variables, with the shape of each: `()` for a float."""

    def of(self, names, test):
        found = [name for name, shape in names.items() if test(shape)]
        return self.random.choice(found) if found else None

    def alike(self, names, shape):
        return self.of(names, lambda s: s == shape)

    def number(self, names, depth=1):
        chance, a = self.random.random(), self.of(names, len)
        if depth and chance < 0.4:
            return f"({self.number(names, depth - 1)} {self.pick(*'+-*')} {self.number(names, depth - 1)})"
        if chance < 0.75 and a:
            index = ", ".join(str(self.random.randrange(-n, n)) for n in names[a])
            return self.pick(f"{a}[{index}]", f"{a}[{index}]", f"{a}.sum()", f"np.mean({a})")
        return self.pick("0.5", "1.5", "-0.3", *[name for name, shape in names.items() if shape == ()] * 2)

    def array(self, names, shape):
        """An expression for an array of a shape, which shares memory with no other, or perhaps does."""
        a, n = self.alike(names, shape), self.number(names)
        size = f"({', '.join(map(str, shape))},)" if shape else "()"
        forms = [f"np.full({size}, {n})", f"np.arange({math.prod(shape)}.0).reshape({size}) * {n}"]
        if a:
            b = self.alike(names, shape)
            forms += [f"{a} * {n}", f"{a} + {b}", f"np.sin({a})", f"{a}.copy()", f"np.maximum({a}, {b})", f"np.zeros_like({a}) + {n}"]
            forms += [a, b, f"first({a}, {b})", f"same({a})", f"({a} if {n} < 0.7 else {b})", f"np.asarray({a})", f"{a}[:]"]
        wider = self.of(names, lambda s: len(s) == len(shape) + 1 and s[1:] == shape)
        if wider:
            forms += [f"{wider}[{self.random.randrange(names[wider][0])}]"] * 3
        if len(shape) == 1:
            longer = self.of(names, lambda s: len(s) == 1 and s[0] > shape[0])
            if longer:
                at = self.random.randint(0, names[longer][0] - shape[0])
                forms += [f"{longer}[{at}:{at + shape[0]}]"] * 2
            column = self.of(names, lambda s: len(s) == 2 and s[0] == shape[0])
            forms += [f"{column}[:, {self.random.randrange(names[column][1])}]"] * 2 if column else []
            forms += [f"{a}[::-1]", f"np.array([{', '.join(self.number(names, 0) for _ in range(shape[0]))}])"] if a else []
            flat = self.of(names, lambda s: len(s) == 2 and math.prod(s) == shape[0])
            forms += [f"{flat}.ravel()", f"{flat}.reshape(-1)", f"{flat}.flatten()", f"np.ravel({flat})"] if flat else []
        if len(shape) == 2:
            turned = self.alike(names, shape[::-1])
            forms += [f"{turned}.T", f"np.transpose({turned})", f"np.sin({turned}.T)", f"np.maximum({turned}.T, 0.3)"] if turned else []
            forms += [f"{a}[[{self.pick('1, 0', '0, 0')}]]"] if a and shape[0] == 2 else []
            forms += [f"{a}[:, [{self.pick('1, 0', '0, 1')}]]"] if a and shape[1] == 2 else []
            flat = self.alike(names, (math.prod(shape),))
            forms += [f"{flat}.reshape({shape[0]}, -1)"] if flat else []
            row = self.alike(names, (shape[1],))
            forms += [f"np.array([{', '.join([row] * shape[0])}])"] if row else []
        return self.pick(*forms)

    def change(self, names):
        a = self.of(names, len)
        if not a:
            return ["pass"]
        shape, n = names[a], self.number(names)
        b, rows = self.alike(names, shape), self.of(names, lambda s: len(s) == 2)
        index = ", ".join(str(self.random.randrange(-k, k)) for k in shape)
        forms = [f"{a}[{index}] = {n}", f"{a}[{index}] {self.pick('+=', '*=', '-=')} {n}", f"{a} {self.pick('+=', '*=', '-=')} {n}"]
        forms += [f"{a} {self.pick('+=', '-=')} 0.5 * {b}", f"{a}[:] = {self.array(names, shape)}", f"{a}[0] = {n}", f"{a}[-1] *= {n}"]
        forms += [f"scale({a}, {n})", f"fill({a}, {n})", f"{a}[{a} > {n}] = {self.number(names, 0)}", f"{a}.fill({n})", f"{a}[...] += {n}"]
        forms += [f"descend({a}, 2)", f"{a}[::2] *= {n}", f"part({a})[...] *= {n}", f"step({a}, {b})", f"swap({a}, {b})"]
        forms += [f"{a}[[0, 1]] = {a}[[1, 0]]", f"{a}[:1], {a}[1:2] = {a}[1:2].copy(), {a}[:1].copy()", f"{a}.ravel()[0] = {n}"]
        if rows:
            forms += [f"bump({rows}, {n})", f"{rows}.T[0] = {n}", f"{rows}[:, 0] += {n}", f"{rows}[0][1] = {n}", f"{rows}[1:] *= {n}"]
        return [self.pick(*forms)]

    def statement(self, names, depth, indent):
        kind, a = self.random.random(), self.of(names, len)
        if depth == 2 and kind < 0.45:
            shape = self.pick((), (3,), (4,), (2, 3), (3, 2), (2, 2), (6,))
            name = self.name("a" if shape else "f")
            self.say(indent, f"{name} = {self.array(names, shape) if shape else self.number(names, 2)}")
            names[name] = shape
        elif kind < 0.72 or not depth or not a:
            self.say(indent, *self.change(names))
        elif kind < 0.79:
            self.say(indent, f"for {self.name('i')} in range({self.pick(1, 2, 3)}):")
            self.statements(dict(names), depth - 1, indent + "    ", self.pick(1, 2))
        elif kind < 0.86:
            self.say(indent, f"if {self.number(names)} {self.pick('<', '>')} {self.number(names)}:")
            self.statements(dict(names), depth - 1, indent + "    ", self.pick(1, 2))
        elif kind < 0.91:
            rows = self.of(names, lambda s: len(s) == 2)
            if rows:
                r = self.name("r")
                inner = {**names, r: names[rows][1:]}
                self.say(indent, f"for {r} in {rows}:", f"    {r}[{self.pick(0, 1)}] {self.pick('+=', '*=')} {self.number(inner)}")
        elif kind < 0.95:
            other, v = self.of(names, len), self.name("v")
            self.say(indent, f"for {v} in [{a}, {other}]:", f"    {v} *= {self.number(names)}")
        elif depth == 2:
            self.bind(names, indent, a)

    def bind(self, names, indent, a):
        """New names for what there is, in other ways than by an assignment."""
        b, n, shape, name = self.name("a"), self.number(names), names[a], self.name("o")
        form = self.pick("tuple", "list", "object", "inside", "dict")
        if form == "tuple":
            self.say(indent, f"{name} = ({a}, {n})", f"{b} = {name}[0]", f"{b} += {name}[1]")
        elif form == "list":
            other, c, again = self.alike(names, shape), self.alike(names, shape), self.name("o")
            copied = self.pick(name, f"list({name})", f"{name}[:]", f"[*{name}]", f"same({name})", f"[v for v in {name}]")
            forms = [f"{again}[0] = {c}", f"{again}.append({c})", f"{again}[1] += {n}", f"{again}[0][0] = {n}", f"{again}.reverse()"]
            forms += [f"for {self.name('v')} in {again}: {again}[0] *= 0.5", f"{again}.insert(0, {c})", f"scale({again}[1], {n})"]
            self.say(indent, f"{name} = [{a}, {other}]", f"{again} = {copied}", *self.random.sample(forms, 2), f"{b} = {name}[{self.pick(0, 1)}]")
        elif form == "dict":
            self.say(indent, f"{name} = {{'p': {a}}}", f"{name}['p'][0] = {n}", f"{b} = {name}['p']")
        elif form == "object":
            self.say(indent, f"{name} = Obj({a})", f"{name}.v[-1] = {n}", f"{name}.v *= {n}", f"{b} = {name}.v")
        else:
            self.say(indent, f"def {name}(q):", f"    {a}[0] = q", f"    return {a}", f"{b} = {name}({n})")
        names[b] = shape

    def program(self):
        names = {"x": (), "y": (), "f0": (), "a0": (3,)}
        self.lines = [*HELPERS.strip().split("\n"), "def f(x, y):", "    f0 = x * y", "    a0 = np.array([x, y, 0.4])"]
        self.statements(names, 2, "    ", self.random.randint(5, 14))
        weigh = lambda name, shape: f"({name} * np.arange({math.prod(shape)}.0).reshape({shape})).sum() + {name}.sum()" if shape else name
        return "\n".join([*self.lines, "    return " + " + ".join(weigh(*pair) for pair in names.items() if pair[0] not in "xy"), ""])


def expected(text):
    """The value and the gradient; none where NumPy raises, or numbers grow or jump."""
    scope = {}
    try:
        with numpy.errstate(all="raise"):
            exec(text, scope)
            f, (x, y), h = scope["f"], ARGUMENTS, 1e-6
            value = float(f(x, y))
            slopes = [
                [(f(x + k, y) - f(x - k, y)) / 2 / k for k in (h, 2 * h)],
                [(f(x, y + k) - f(x, y - k)) / 2 / k for k in (h, 2 * h)],
            ]
    except Exception:
        return None
    is_smooth = all(abs(a - b) < 1e-6 * (1 + abs(a) + abs(value)) for a, b in slopes)
    return (value, [float(a) for a, _ in slopes], 1e-4) if is_smooth and abs(value) < 1e6 else None


if __name__ == "__main__":
    hunt(lambda seed: Maker(seed).program(), expected, *sys.argv[1:])
