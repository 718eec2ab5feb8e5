"""Makes random programs whose lists, dicts, tables (dicts with keys that only the run knows), sets and instances have several names, and compares the command with CPython.

    python tests/oracle/objects.py FIRST LAST target/debug/gradus

One program for each number from FIRST to LAST. CPython runs it over dual numbers, which gives the value and the gradient; Gradus answers by
one of several ways, in turn. Programs that differ, are refused or take too long are kept in the folder `target/objects`, and named. The
last line counts them all. Exit code 1 where an answer differs.
"""

import concurrent.futures
import pathlib
import random
import re
import subprocess
import sys

KEPT = pathlib.Path("target/objects")
WAYS = [[], ["--strategy", "stack"], ["--no-simplify", "--strategy", "closure"], ["--backend", "interp"]]
# No two numbers of a program are equal by accident: the derivative of `max` there is a convention.
ARGUMENTS = (1.3171, 0.7253)

HELPERS = """
class Obj:
    def __init__(self, v):
        self.v = v
def scale(p, k):
    for i in range(len(p)):
        p[i] = p[i] * k
def push(p, v):
    p.append(v)
def mix(p, q):
    p[0] = q[1] + p[1]
    q[0] *= 0.5
def bump(m, v):
    for r in m:
        r[0] += v
def first(p, q):
    return p if p[0] < q[0] else q
def same(p):
    return p
def step(d, k):
    d['a'] = d['b'] * k
    d['b'] += 0.25
def key(v):
    return 0 if v < -0.2 else 1 if v < 0.4 else 2 if v < 0.9 else 3 if v < 1.6 else 4
def note(t, k, v):
    t[k] = t.get(k, 0.0) + v
def descend(p, n):
    if n > 0:
        p[0] += 0.5 * p[1]
        descend(p, n - 1)
"""


class Dual:
    """A number with its derivatives in the two arguments."""

    def __init__(self, v, d=(0.0, 0.0)):
        self.v, self.d = v, d

    @staticmethod
    def of(x):
        return x if isinstance(x, Dual) else Dual(float(x))

    def __add__(self, other):
        other = Dual.of(other)
        return Dual(self.v + other.v, tuple(a + b for a, b in zip(self.d, other.d)))

    def __mul__(self, other):
        other = Dual.of(other)
        return Dual(self.v * other.v, tuple(a * other.v + self.v * b for a, b in zip(self.d, other.d)))

    __radd__, __rmul__ = __add__, __mul__

    def __neg__(self):
        return -1.0 * self

    def __sub__(self, other):
        return self + -Dual.of(other)

    def __rsub__(self, other):
        return Dual.of(other) + -self

    def __lt__(self, other):
        return self.v < Dual.of(other).v

    def __gt__(self, other):
        return self.v > Dual.of(other).v

    def __eq__(self, other):
        return self.v == Dual.of(other).v


class Writer:
    """The lines of a program that is made at random, and the names in it. Derived classes make its statements."""

    def __init__(self, seed):
        self.random, self.count, self.lines = random.Random(seed), 0, []

    def pick(self, *of):
        return self.random.choice(of)

    def name(self, letter):
        self.count += 1
        return f"{letter}{self.count}"

    def say(self, indent, *lines):
        self.lines += [indent + line for line in lines]

    def statements(self, names, depth, indent, count):
        for _ in range(count):
            self.statement(names, depth, indent)


class Maker(Writer):
    """A program: `names` are its variables, with a letter for the kind of each: float, list, matrix, dict, object, table, set."""

    def of(self, names, kind):
        found = [name for name, its in names.items() if its == kind]
        return self.random.choice(found) if found else None

    def number(self, names, depth=2):
        chance = self.random.random()
        lists, rows, dicts, objects = (self.of(names, kind) for kind in "lmdo")
        if depth and chance < 0.35:
            return f"({self.number(names, depth - 1)} {self.pick(*'+-*')} {self.number(names, depth - 1)})"
        if chance < 0.53 and lists:
            return self.pick(f"{lists}[{self.pick(0, 1, -1)}]", f"sum({lists})", f"max({lists})", f"1.0 * len({lists})")
        if chance < 0.6 and lists:
            other = self.of(names, "l")
            return self.pick(f"sum(u * v for u, v in zip({lists}, {other}))", f"sum([v for v in {lists} if v > 0.1])")
        if chance < 0.68 and rows:
            return self.pick(f"{rows}[{self.pick(0, 1)}][{self.pick(0, 1)}]", f"sum({rows}[{self.pick(0, 1)}])")
        if chance < 0.72 and objects:
            return f"{objects}.v[{self.pick(0, 1)}]"
        tables, sets = self.of(names, "t"), self.of(names, "s")
        if depth and chance < 0.75 and tables:
            k, n = self.key(names, depth), self.number(names, 0)
            return self.pick(f"sum({tables}.values())", f"{tables}.get({k}, {n})", f"1.0 * len({tables})", f"(0.7 if {k} in {tables} else {n})")
        if depth and chance < 0.76 and sets:
            return self.pick(f"1.5 * len({sets})", f"(0.8 if {self.key(names, depth)} in {sets} else 1.2)", f"0.1 * sum({sets})")
        if chance < 0.77 and dicts:
            return self.pick(f"{dicts}['{self.pick(*'ab')}']", f"sum({dicts}.values())", f"{dicts}.get('a', 0.0)")
        return self.pick("0.5", "1.5", "-0.3", *[name for name, kind in names.items() if kind == "f"] * 2)

    def key(self, names, depth=1):
        return f"key({self.number(names, max(depth - 1, 0))})"

    def table(self, names):
        known, n = self.of(names, "t"), self.number(names, 1)
        forms = ["{}", f"{{{self.key(names)}: {n}}}", f"{{k: {n} for k in range({self.pick(2, 3)})}}"]
        forms += [known, f"dict({known})", f"{known}.copy()", f"{{k: v * {n} for k, v in {known}.items()}}"] if known else []
        return self.pick(*forms)

    def set(self, names):
        known, k = self.of(names, "s"), self.key(names)
        forms = ["set()", f"{{{k}, {self.key(names)}}}", f"set([{k}])"]
        forms += [known, f"{known}.copy()", f"{known} | {{{k}}}", f"{known} - {{{k}}}", f"set({known})"] if known else []
        return self.pick(*forms)

    def list(self, names):
        a, b, rows, objects, n = *(self.of(names, kind) for kind in "llmo"), self.number(names, 1)
        forms = [f"[{', '.join(self.number(names, 1) for _ in range(self.random.randint(2, 4)))}]"]
        if a:
            forms += [a, b, f"{a}[:]", f"list({a})", f"{a} + [{n}]", f"{a}.copy()", f"[v * {n} for v in {a}]", f"sorted({a})"]
            forms += [f"first({a}, {b})", f"({a} if {n} < {self.number(names, 0)} else {b})", f"{a}[::-1]", f"[*{a}, {n}]"]
            forms += [f"list(reversed({a}))", f"sorted({a}, key=lambda t: -t)", f"same({a})", f"list(map(lambda t: t * {n}, {a}))"]
        forms += [f"{rows}[{self.pick(0, 1)}]"] * 3 if rows else []
        forms += [f"{objects}.v"] * 3 if objects else []
        return self.pick(*forms)

    def matrix(self, names):
        rows = self.of(names, "m")
        forms = [f"[{self.list(names)}, {self.list(names)}]", f"[{self.list(names)}] * 2"]
        forms += [f"[[{self.number(names, 1)}] * 2 for _ in range(2)]"]
        forms += [rows, f"list({rows})", f"{rows}[:]", f"[r[:] for r in {rows}]"] if rows else []
        return self.pick(*forms)

    def dict(self, names):
        known, n = self.of(names, "d"), self.number(names, 1)
        forms = [f"{{'a': {n}, 'b': {self.number(names, 1)}}}", f"dict(a={self.number(names, 1)}, b={n})"]
        forms += [known, f"dict({known})", f"{{**{known}, 'a': {n}}}", f"{known}.copy()"] if known else []
        return self.pick(*forms)

    def change(self, names):
        """A statement that changes something, if there is something to change."""
        a, b, rows, dicts, other, objects = (self.of(names, kind) for kind in "llmddo")
        n, at = self.number(names, 1), self.pick(0, 1)
        forms = []
        if a:
            forms += [f"{a}[{self.pick(0, 1, -1)}] = {n}", f"{a}[{at}] {self.pick('+=', '*=', '-=')} {n}", f"{a}.append({n})"]
            forms += [f"{a} += [{n}]", f"{a}.extend([{n}])", f"{a}.insert({at}, {n})", f"{a}.reverse()", f"{a}.sort()"]
            forms += [f"{a}[0], {a}[1] = {a}[1], {a}[0]", f"scale({a}, {n})", f"push({a}, {n})", f"mix({a}, {b})", f"descend({a}, 2)"]
            forms += [f"{a}[0:1] = [{n}]", f"{a}[1:] = [{n}, {n}]", f"del {a}[2:]", f"{a}[:] = {self.list(names)}", f"{a} *= 2"]
        if rows:
            forms += [f"{rows}[{at}][{self.pick(0, 1)}] = {n}", f"scale({rows}[{at}], {n})", f"bump({rows}, {n})"]
            forms += [f"{rows}[{at}] = {self.list(names)}", f"{rows}[{at}] += [{n}]"]
        if dicts:
            forms += [f"{dicts}['{self.pick(*'ab')}'] {self.pick('=', '+=', '*=')} {n}", f"step({dicts}, {n})"]
            forms += [f"{dicts}.update(a={n})", f"{dicts}.update({other})", f"{dicts} |= {other}"]
        if objects:
            forms += [f"{objects}.v[{at}] {self.pick('=', '+=', '*=')} {n}", f"{objects}.v.append({n})"] * 2
        tables, held, sets, k = self.of(names, "t"), self.of(names, "t"), self.of(names, "s"), self.key(names)
        if tables:
            forms += [f"{tables}[{k}] = {n}", f"note({tables}, {k}, {n})", f"{tables}.pop({k}, {n})", f"{tables}.setdefault({k}, {n})"] * 2
            forms += [f"{tables}.update({{{k}: {n}}})", f"{tables}.update({held})", f"{tables} |= {held}"]
        if sets:
            forms += [f"{sets}.add({k})", f"{sets}.discard({k})", f"{sets} |= {{{k}}}"] * 2
        return self.pick(*forms) if forms else "pass"

    def statement(self, names, depth, indent):
        a, total, rows, dicts = (self.of(names, kind) for kind in "lfmd")
        total = None if total in ("x", "y") else total
        kind = self.random.random()
        if depth == 2 and kind < 0.4:
            letter = self.pick(*"fllmmdottts")
            made = {"f": self.number, "l": self.list, "m": self.matrix, "d": self.dict, "t": self.table, "s": self.set}.get(letter)
            name = self.name(letter)
            self.say(indent, f"{name} = {made(names) if made else f'Obj({self.list(names)})'}")
            names[name] = letter
        elif kind < 0.7 or not depth:
            self.say(indent, self.change(names))
        elif kind < 0.76:
            self.say(indent, f"for {self.name('i')} in range({self.pick(1, 2, 3)}):")
            self.statements(dict(names), depth - 1, indent + "    ", self.pick(1, 2))
        elif kind < 0.82:
            self.say(indent, f"if {self.number(names)} {self.pick('<', '>')} {self.number(names, 1)}:")
            self.statements(dict(names), depth - 1, indent + "    ", self.pick(1, 2))
        elif kind < 0.9 and a and total:
            v, k, other = self.name("v"), self.name("k"), self.of(names, "l")
            inner = {**names, v: "f"}
            head = self.pick(f"{v} in {a}", f"{k}, {v} in enumerate({a})", f"{k}, {v} in zip({a}, {other})", f"{v} in reversed({a})")
            # A loop must not make its own list longer, for it would not end.
            write = f"{other}[{self.pick(0, 1)}] = {self.number(inner, 1)}"
            self.say(indent, f"for {head}:", f"    {total} += {v}", f"    {self.pick('pass', write)}")
        elif kind < 0.93 and rows:
            r = self.name("r")
            self.say(indent, f"for {r} in {rows}:", f"    {r}[{self.pick(0, 1)}] += {self.number({**names, r: 'l'}, 1)}")
        elif kind < 0.95 and dicts and total:
            k, v, other = self.name("k"), self.name("v"), self.of(names, "d")
            self.say(indent, f"for {k}, {v} in {dicts}.items():", f"    {total} += {v}", f"    {other}['b'] = {v} * 0.5")
        elif kind < 0.98 and self.of(names, "t") and total:
            k, table = self.name("k"), self.of(names, "t")
            self.say(indent, f"for {k} in {table}:", f"    {total} += {table}[{k}] * (0.5 + {k})", f"    {table}[{k}] = {self.number(names, 1)}")
        elif depth == 2 and a:
            self.bind(names, indent, a)
        else:
            self.say(indent, "pass")

    def bind(self, names, indent, a):
        """New names for what there is, in other ways than by an assignment."""
        f, rest, n = self.name("f"), self.name("l"), self.number(names, 1)
        form = self.pick("star", "tuple", "inside", "pop")
        if form == "star":
            self.say(indent, f"{f}, *{rest} = {a}", f"{rest}.append({n})", f"{rest}.append(0.5)")
            names[f], names[rest] = "f", "l"
        elif form == "tuple":
            pair = self.name("t")
            self.say(indent, f"{pair} = ({a}, {n})", f"{pair}[0][0] = {pair}[1] * 2.0", f"{rest} = {pair}[0]")
            names[rest] = "l"
        elif form == "inside":
            g = self.name("g")
            self.say(indent, f"def {g}(q):", f"    {a}[{self.pick(0, 1)}] = q", f"    return q * {a}[1]", f"{f} = {g}({n})")
            names[f] = "f"
        else:
            self.say(indent, f"{f} = 0.0", f"if len({a}) > 2:", f"    {f} = {a}.pop()")
            names[f] = "f"

    def program(self):
        names = {"x": "f", "y": "f", "f0": "f"}
        self.lines = [*HELPERS.strip().split("\n"), "def f(x, y):", "    f0 = x * y"]
        self.statements(names, 2, "    ", self.random.randint(5, 14))
        forms = {"f": "{0}", "l": "sum({0})", "m": "sum({0}[0]) * 0.7 + sum({0}[1])", "d": "{0}['a'] * 0.3 + {0}['b']", "o": "sum({0}.v)"}
        forms |= {"t": "sum({0}.values()) * 1.1 + len({0})", "s": "0.3 * len({0})"}
        results = [forms[kind].format(name) for name, kind in names.items() if name not in "xy"]
        return "\n".join([*self.lines, "    return " + " + ".join(results), ""])


def expected(text):
    """The value and the gradient; none where CPython raises, or numbers grow."""
    scope = {}
    try:
        exec(text, scope)
        result = Dual.of(scope["f"](Dual(ARGUMENTS[0], (1.0, 0.0)), Dual(ARGUMENTS[1], (0.0, 1.0))))
    except Exception:
        return None
    return (result.v, result.d, 1e-8) if abs(result.v) < 1e12 else None


def compare(seed, text, right, command):
    """What became of a program: its seed, how it ended, and why. `right` is its value and its gradient."""
    path = KEPT / f"{seed}.py"
    path.write_text(text)
    call = [command, "grad", str(path), "f", *map(str, ARGUMENTS), *WAYS[seed % len(WAYS)]]
    try:
        run = subprocess.run(call, capture_output=True, text=True, timeout=100)
    except subprocess.TimeoutExpired:
        return seed, "too long", ""
    if run.returncode in (2, 3):
        return seed, "refused", run.stderr.split("\n")[0]
    if run.returncode:
        return seed, "WRONG", run.stderr.split("\n")[0]
    numbers = re.findall(r"(?<![\w.])-?\d[\d.]*(?:e[-+]?\d+)?|nan|inf", run.stdout)
    (value, *gradient), (answer, derivatives, precision) = map(float, numbers), right
    size = 1 + abs(answer)
    is_right = abs(value - answer) <= 1e-9 * size
    is_right &= all(abs(a - b) <= precision * (size + abs(b)) for a, b in zip(gradient, derivatives, strict=True))
    if not is_right:
        return seed, "WRONG", f"{value}, {gradient}, right are {answer}, {derivatives}"
    path.unlink()
    return seed, "right", ""


def hunt(program, expected, first, last, command):
    """Compares the programs of these numbers: `program` makes one of a number, `expected` gives its answers, if it has some."""
    KEPT.mkdir(parents=True, exist_ok=True)
    counts = {}

    def one(seed):
        text = program(seed)
        right = expected(text)
        return (seed, "left out", "") if right is None else compare(seed, text, right, command)

    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for seed, what, why in pool.map(one, range(int(first), int(last))):
            counts[what] = counts.get(what, 0) + 1
            if what not in ("right", "left out"):
                print(seed, what, why, flush=True)
    print(counts)
    sys.exit("WRONG" in counts)


if __name__ == "__main__":
    hunt(lambda seed: Maker(seed).program(), expected, *sys.argv[1:])
