"""Programs that are captured from live functions: their text, what runs, where its lines are from, and what must not change."""

from __future__ import annotations

import cmath
import collections
import functools
import heapq
import importlib
import importlib.util
import json
import linecache
import math
import os
import subprocess
import sys
import textwrap
import time
import types
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

try:
    import gradus
except ImportError:
    # Without the native part, the capture alone.
    gradus = types.ModuleType("gradus")
    gradus.__path__ = [str(Path(__file__).parent.parent / "gradus")]
    sys.modules["gradus"] = gradus

from gradus._capture import Apply, NoSource, Program, capture

Load = Callable[..., Any]


class Made:
    """An object as the operators of Gradus make it."""

    def __init__(self, expression: Any) -> None:
        self.__gradus_expression__ = expression

    def __call__(self, *args: Any) -> Any:
        return self.__gradus_expression__(*args)


def grad(f: Any, argnums: Any = 0) -> Made:
    return Made(Apply("grad", (f,), {"argnums": argnums}))


def custom_vjp(rule: Any) -> Callable[[Any], Made]:
    return lambda f: Made(Apply("call", (Apply("custom_vjp", (rule,), {}), f), {}))


@pytest.fixture
def load(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Load:
    """Writes modules into a folder and imports the last."""
    monkeypatch.syspath_prepend(tmp_path)
    before = set(sys.modules)

    def load(text: str, **others: str) -> Any:
        for name, content in {**others, "program": text}.items():
            path = tmp_path / f"{name}.py"
            path.parent.mkdir(exist_ok=True)
            path.write_text(textwrap.dedent(content).lstrip("\n"))
        importlib.invalidate_caches()
        return importlib.import_module("program")

    yield load
    for name in set(sys.modules) - before:
        if str(tmp_path) in str(getattr(sys.modules[name], "__file__", "")):
            del sys.modules[name]
    linecache.clearcache()


def answer(program: Program, *args: Any, entry: str = "main") -> Any:
    """What the command gives for a program, if there is the command."""
    command = os.environ.get("GRADUS")
    if command is None:
        pytest.skip("GRADUS is not set to the command")
    path = Path(os.environ.get("TMPDIR", "/tmp")) / f"captured_{os.getpid()}.py"
    path.write_text(program.text)
    run = [command, "run", str(path), entry, "--json", "--args-json", "/dev/stdin"]
    done = subprocess.run(run, input=json.dumps(args), capture_output=True, text=True)
    path.unlink()
    assert done.returncode == 0, done.stderr + program.text
    return json.loads(done.stdout.splitlines()[-1])["value"]


def check(f: Any, *args: Any, expected: Any = None, **others: Any) -> Program:
    """Captures a function and compares what its program gives."""
    program = capture(f, len(args), (), {}, bakes_arrays=True, **others)
    assert program.text.endswith("\n")
    assert all(guard.holds() for guard in program.guards)
    compile(program.text, "program", "exec")
    if "GRADUS" in os.environ:
        wanted = f(*args) if expected is None else expected
        assert answer(program, *args) == pytest.approx(wanted, rel=1e-12)
    return program


def texts(f: Any, count: int = 1) -> str:
    return capture(f, count, (), {}).text


# Functions.


def test_functions_constants_and_modules(load: Load) -> None:
    m = load(
        """
        import math
        import numpy as np
        from math import sin as s
        from numpy import *
        root = np.sqrt
        K = 2.5

        def helper(x):
            return s(x) * K + math.pi


        def f(x):
            return helper(x) + np.cos(x) + root(x) + tanh(x)
        """
    )
    program = check(m.f, 0.5)
    assert program.missing == {}
    for line in ["import math", "import numpy as np", "from math import sin as s", "from numpy import sqrt as root", "K = 2.5"]:
        assert line in program.text.splitlines()


def test_nothing_but_what_is_reached(load: Load) -> None:
    m = load("""
        import os
        raise_later = 1
        class Unused: pass


        def unused(x):
            return os


        def f(x):
            return x
        """)
    assert texts(m.f) == "def f(x):\n    return x\ndef main(x):\n    return f(x)\n"


def test_main_takes_positions_keywords_and_static_arguments(load: Load) -> None:
    m = load("""
        def f(x, g, scale=1.0, *, mode='a'):
            return g(x) * scale if mode == 'a' else x


        def twice(x):
            return 2.0 * x
        """)
    program = capture(m.f, 2, ("scale",), {1: m.twice, "mode": "a"})
    assert program.text.splitlines()[-2:] == ["def main(x, scale):", "    return f(x, twice, scale=scale, mode='a')"]
    assert program.direct is None
    if "GRADUS" in os.environ:
        assert answer(program, 3.0, 0.5) == 3.0


def test_names_of_parameters_do_not_hide_what_main_calls(load: Load) -> None:
    m = load("""
        def x(x):
            return x + 1.0


        def f(*args):
            return args[0] + args[1]
        """)
    assert texts(m.x).splitlines()[-2:] == ["def main(x_2):", "    return x(x_2)"]
    assert "def main(a0, a1):" in texts(m.f, 2)
    check(m.x, 1.0)


def test_lambdas_of_one_line(load: Load) -> None:
    m = load(
        """
        fs = [lambda x: x + 1.0, lambda x: x - 1.0, lambda x: (lambda y: y * x)(3.0)]
        pair = (lambda x: x * 2.0, lambda x: x * 3.0)
        g = (lambda x:
             x
         * 5.0)


        def f(x):
            return pair[0](x) + 10.0 * pair[1](x) + g(x)
        """
    )
    for one in [*m.fs, *m.pair, m.g, m.f]:
        check(one, 2.0)
    assert "fs" not in texts(m.fs[1]) and "x - 1.0" in texts(m.fs[1])


def test_lambdas_without_positions(load: Load, monkeypatch: pytest.MonkeyPatch) -> None:
    from gradus import _source

    m = load("""
        c = 3.0
        def make(k):
            return lambda x: x * k, lambda x: x + k, lambda x: x + c
        fs = make(2.0)
        """)

    class WithoutPositions:
        def __init__(self, code: types.CodeType) -> None:
            self._code = code

        def __getattr__(self, name: str) -> Any:
            if name == "co_positions":
                raise AttributeError(name)
            return getattr(self._code, name)

    def chosen(nodes: Any, code: Any, imported: Any) -> Any:
        return whole(nodes, WithoutPositions(code), imported)

    whole = _source._the_lambda
    monkeypatch.setattr(_source, "_equals", lambda made, live, equals=_source._equals: equals(made, getattr(live, "_code", live)))
    monkeypatch.setattr(_source, "_the_lambda", chosen)
    assert [texts(f).split(": ", 1)[1].split(")")[0] for f in m.fs] == ["x * k", "x + k", "x + c"]


def test_closures_made_twice(load: Load) -> None:
    m = load(
        """
        def make(c):
            def inner(x):
                return x * c
            return inner


        two, five = make(2.0), make(5.0)


        def f(x):
            return two(x) + 100.0 * five(x)
        """
    )
    program = check(m.f, 1.5)
    assert "def inner_2(x):" in program.text and "c_2 = 5.0" in program.text
    assert sum(guard.kind == "cell" for guard in program.guards) == 2


def test_recursive_closure_and_mutual_recursion(load: Load) -> None:
    m = load(
        """
        def make():
            def rec(x, n):
                return x if n == 0 else rec(x * 2.0, n - 1)
            return rec
        rec = make()


        def even(x, n):
            return 1.0 if n == 0 else x * odd(x, n - 1)


        def odd(x, n):
            return 1.0 if n == 0 else x * even(x, n - 1)


        def f(x):
            return rec(x, 3) + even(x, 4)
        """
    )
    check(m.f, 1.5)


def test_deep_chains_of_functions(load: Load) -> None:
    links = "".join(f"def f{i}(x):\n    return f{i + 1}(x) + 1.0\n" for i in range(3000))
    m = load(links + "def f3000(x):\n    return x\n")
    assert texts(m.f0).count("def ") == 3002


def test_strings_keep_their_lines(load: Load) -> None:
    m = load('def make():\n    def f(x):\n        text = """a\n    b"""\n        return x + len(text)\n    return f\nf = make()\n')
    program = check(m.f, 1.0)
    assert "a\n    b" in program.text


def test_decorators_of_plain_functions_are_dropped(load: Load) -> None:
    m = load("""
        def keep(label):
            return lambda f: f


        @keep('a')
        @keep('b')
        def f(x):
            return x
        """)
    assert texts(m.f) == "def f(x):\n    return x\ndef main(x):\n    return f(x)\n"


def test_wrappers_are_what_is_called(load: Load) -> None:
    m = load(
        """
        import functools


        def doubled(f):
            @functools.wraps(f)
            def wrapper(*args):
                return 2.0 * f(*args)
            return wrapper


        @doubled
        def f(x):
            return x + 1.0


        def g(x):
            return f(x)
        """
    )
    check(m.g, 3.0)
    check(m.f, 3.0)


def test_caches(load: Load) -> None:
    m = load(
        """
        from functools import cache, lru_cache


        @cache
        def fib(n):
            return n if n < 2 else fib(n - 1) + fib(n - 2)


        @lru_cache(maxsize=7)
        def g(n):
            return n + 1


        def f(n):
            return fib(n) + g(n)
        """
    )
    program = check(m.f, 20)
    assert "@lru_cache(maxsize=None)\ndef fib(n):" in program.text and "@lru_cache(maxsize=7)\ndef g(n):" in program.text


def test_partial(load: Load) -> None:
    m = load(
        """
        from functools import partial


        def power(n, x, scale=1.0):
            return scale * x ** n


        cube = partial(power, 3, scale=2.0)


        def f(x):
            return cube(x)
        """
    )
    check(m.f, 1.5)
    check(m.cube, 1.5)
    assert texts(m.cube).splitlines()[-2] == "def main(x):"


def test_defaults_are_those_of_the_live_function(load: Load) -> None:
    m = load(
        """
        K = 2.0
        def double(x):
            return 2.0 * x


        def f(x, k=K, g=double, n=(1, 2), h=lambda v: v + 1.0, *, s=-1.0):
            return g(x) * k + n[1] + h(x) * s


        K = 50.0
        double = None
        """
    )
    program = check(m.f, 3.0)
    assert "k=2.0, g=double, n=(1, 2), h=h, *, s=-1.0" in program.text
    m.f.__defaults__ = (7.0, m.f.__defaults__[1], (1, 3), abs)
    assert not all(guard.holds() for guard in program.guards)
    assert "k=7.0, g=double, n=(1, 3), h=abs" in check(m.f, 3.0).text


# Modules of the user.


def test_defaults_that_change(load: Load) -> None:
    m = load("def f(x, seen=[]):\n    return x + len(seen)\n")
    program = check(m.f, 3.0)
    m.f.__defaults__[0].append(1.0)
    assert not all(guard.holds() for guard in program.guards)


def test_modules_of_the_user(load: Load) -> None:
    m = load(
        """
        import helper
        import package.inner as inner
        from helper import g as other
        import package.inner


        def f(x):
            g = 1.0
            return helper.g(x) + g + inner.h(x) + other(x) + package.inner.K + helper.np.sin(x)
        """,
        **{
            "helper": """
            import numpy as np
            def g(x):
                return x * 2.0
            """,
            "package/__init__": "",
            "package/inner": """
            from . import more
            K = 4.0


            def h(x):
                return more.h(x) + K
            """,
            "package/more": """
            def h(x):
                return x * 7.0
            """,
        },
    )
    program = check(m.f, 0.5)
    assert program.missing == {}
    assert "g_2(x) + g" in program.text
    assert any(guard.holder is vars(sys.modules["helper"]) and guard.key == "g" for guard in program.guards)


def test_a_module_of_the_user_with_a_name_of_python(load: Load, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "colorsys", raising=False)
    m = load("""
        import colorsys


        def f(x):
            return colorsys.g(x)
        """, colorsys="""
        def g(x):
            return 2.0 * x
        """)
    check(m.f, 0.5)


def test_variables_that_functions_assign(load: Load) -> None:
    m = load(
        """
        import other
        class A:
            pass


        current = A
        count = 0


        def change():
            global current, count
            current = None
            count += 1


        def f(x):
            return x if current is A else change() or count + other.count
        """,
        other="count = 0\n",
    )
    program = capture(m.f, 1, (), {})
    assert "current = A\n" in program.text and "global current, count\n" in program.text and "count_2 = 0\n" in program.text
    compile(program.text, "program", "exec")


def test_chains_over_lines_keep_the_numbers_of_lines(load: Load) -> None:
    m = load("""
        import helper


        def f(x):
            return (helper
                .g(x)
                + helper.g(x) + y)

        y = 1.0
        """, helper="""
        def g(x):
            return x
        """)
    program = check(m.f, 0.5)
    assert program.place(program.text.encode().index(b"y)"))[1:] == (7, 24)


def test_imports_inside_functions(load: Load) -> None:
    m = load(
        """
        import helper


        def f(x):
            from helper import g as h
            import helper
            import math
            return h(x) + helper.g(x) + math.sin(x)
        """,
        helper="""
        def g(x):
            return 2.0 * x
        """,
    )
    check(m.f, 0.5)


def test_two_objects_of_one_name(load: Load) -> None:
    m = load(
        """
        import a, b
        step = 9.0


        def f(x):
            return a.run(x) + 10.0 * b.run(x) + step
        """,
        a="""
        def step(x):
            return x + 1.0


        def run(x):
            return step(x)
        """,
        b="""
        def step(x):
            return x + 2.0


        def run(x):
            def inner(step):
                return step
            return step(x) + inner(3.0)
        """,
    )
    program = check(m.f, 0.5)
    assert {"step", "step_2", "step_3"} <= {line[4:].split("(")[0].split(" ")[0] for line in program.text.splitlines()} | {"step"}


def test_a_name_of_the_user_that_another_module_means_as_a_builtin(load: Load) -> None:
    m = load("""
        import other
        def sum(x):
            return 100.0


        def f(x):
            return sum(x) + other.total(x)
        """, other="""
        def total(x):
            return sum((x, x))
        """)
    check(m.f, 1.0)


def test_renaming_in_strings_annotations_and_global_statements(load: Load) -> None:
    m = load(
        """
        import other
        from dataclasses import dataclass
        K = 1


        @dataclass
        class P:
            x: float


        def f(x):
            return P(x).x + other.g(x)
        """,
        other="""
        from dataclasses import dataclass
        from typing import Optional
        K = 3


        @dataclass
        class P:
            v: float
            rest: Optional['P'] = None


        def g(x: 'P') -> P:
            assert x > 0.0, f'{K} {P} K'
            return P(x, P(2.0)).rest.v
        """,
    )
    program = check(m.f, 1.5)
    assert "rest: Optional['P_2'] = None" in program.text and "def g(x: 'P_2') -> P_2:" in program.text and "{P_2} K" in program.text


def test_scopes(load: Load) -> None:
    m = load(
        """
        import other
        a = b = c = d = e = 1.0


        def f(x):
            return other.g(x) + a + b + c + d + e
        """,
        other="""
        a, b, c, d, e = 10.0, 20.0, 30.0, 40.0, 50.0


        def g(x):
            a = 1.0
            values = [b * x for b in (b, a)]
            def inner(c):
                nonlocal a
                a = 2.0
                return c + d
            if (e := x) > 0.0:
                pass
            return sum(values) + inner(x) + (lambda d: d)(x) + c + e
        """,
    )
    program = check(m.f, 0.5)
    assert "for b in (b_2, a)]" in program.text and "return c + d_2" in program.text and "+ c_2 + e\n" in program.text


# Classes and constants.

DATA = """
from dataclasses import dataclass, field
from typing import NamedTuple, Optional, ClassVar
from collections import namedtuple
import math

K = 2.0


def relu(x):
    return x if x > 0.0 else 0.0


@dataclass(frozen=True)
class Base:
    a: float

    def twice(self, k=K):
        return relu(self.a) * k


@dataclass(frozen=True)
class Layer(Base):
    b: float = K
    act: str = "sin"
    rest: Optional["Layer"] = None
    scale: ClassVar[float] = 3.0

    @property
    def half(self):
        return self.b / 2.0

    @staticmethod
    def make(x):
        return Layer(x)

    @classmethod
    def more(cls, x):
        return cls(x, 1.0)

    def __call__(self, x):
        return math.sin(x) * self.twice() + self.half + self.scale


class Point(NamedTuple):
    x: float
    y: float = 1.0


Pair = namedtuple("Pair", "left right")
K = 100.0


class Plain:
    n = K

    def __init__(self, w):
        self.w = 2.0 * w
        self.name = "plain"

    def __call__(self, x):
        return self.w * x + self.n


layer = Layer(2.0, 3.0, rest=Layer(1.0))
point = Point(1.0, float("inf"))
pair = Pair(5.0, [1.0])
plain = Plain(3.0)
Plain.m = 4.0
bound = layer.twice


def f(x):
    p = Point(x, point.x)
    return layer(x) + layer.rest.half + Layer.make(x)(x) + Layer.more(x).b + p.y + pair.left + plain(x) + plain.m + bound()
"""


def test_classes_and_instances(load: Load) -> None:
    m = load(DATA)
    program = check(m.f, 0.5)
    assert program.missing == {}
    assert program.classes["Layer"] is m.Layer and program.classes["Base"] is m.Base
    assert program.text.index("class Base") < program.text.index("class Layer")
    assert program.classes["Pair"] is m.Pair and program.classes["Plain_made"] is m.Plain
    m.Plain.m = 5.0
    assert not all(guard.holds() for guard in program.guards)


def test_targets_that_are_no_functions(load: Load) -> None:
    m = load(DATA)
    check(m.layer, 0.5)
    check(m.plain, 0.5)
    check(m.layer.twice, 0.5)
    check(m.bound, 0.5)
    assert "return Layer(a, b)" in texts(m.Layer, 2)
    assert texts(m.layer.twice).splitlines()[-2] == "def main(k):"
    assert texts(m.layer).splitlines()[-2] == "def main(x):"


def test_classes_of_arguments(load: Load) -> None:
    m = load(DATA + "\n\ndef g(layer):\n    return layer.half\n")
    program = capture(m.g, 1, (), {}, [m.Layer])
    assert program.classes["Layer"] is m.Layer
    if "GRADUS" in os.environ:
        argument = {"t": "struct", "cls": "Layer", "v": {"a": 1.0, "b": 3.0}}
        assert answer(program, argument) == 1.5


def test_local_classes(load: Load) -> None:
    m = load(
        """
        from dataclasses import dataclass
        def make(k):
            @dataclass
            class Base:
                x: float
            @dataclass
            class C(Base):
                y: float = 2.0
                def total(self):
                    return self.x * self.y + k
            def f(x):
                return C(x).total()
            return f
        f = make(3.0)
        """
    )
    check(m.f, 0.5)


def test_replaced_methods_are_refused(load: Load) -> None:
    m = load("""
        class C:
            def m(self):
                return 1.0


        def f(x):
            return C().m() + x


        def other(self):
            return 2.0


        C.m = other
        """)
    assert "replaced" in capture(m.f, 1, (), {}).missing["C"]


def test_decorators_of_classes(load: Load) -> None:
    m = load(
        """
        from dataclasses import dataclass
        REGISTRY = []


        def register(*args, **kwargs):
            return lambda c: REGISTRY.append(c) or c


        @register(
            1)
        @dataclass(frozen=True)
        class P:
            x: float


        @register()
        class Q:
            def y(self):
                return 2.0


        def f(x):
            return P(x).x + Q().y()
        """
    )
    program = check(m.f, 0.5)
    assert "register" not in program.text
    assert program.place(program.text.encode().index(b"class P"))[1] == 12


def test_constants(load: Load) -> None:
    m = load(
        """
        import numpy as np
        inf, nan, c, big = float('-inf'), float('nan'), 1 - 2j, np.float64(0.1)
        nested = {'a': [1, (2.0, None)], 3: {'b': True}, (0, 1): 'x\\n'}
        r, s, t, e = range(1, 9, 2), slice(1, 3), (5.0,), ()
        names = {'p'}
        shape = np.float32
        kind = np.dtype('float32')


        def f(x):
            return x + nested['a'][1][0] + nested[3]['b'] + sum(r) + t[0] + len(e) + min(inf, 0.0) * 0.0 + big


        def g(x):
            return (inf, nan, c, names, s, shape, kind)
        """
    )
    program = capture(m.f, 1, (), {})
    values: dict[str, Any] = {}
    exec(capture(m.g, 1, (), {}).text, values)
    # One object under two names has one.
    assert values["g"](1.0)[-2:] == (np.float32, np.float32)
    assert values["inf"] == -math.inf and math.isnan(values["nan"]) and values["c"] == 1 - 2j
    assert values["names"] == ("p",) and values["s"] == slice(1, 3) and values["shape"] is np.float32
    exec(program.text, values)
    assert values["nested"] == m.nested and values["r"] == m.r and values["big"] == 0.1
    assert not cmath.isnan(values["c"])


def test_the_same_list_under_two_names(load: Load) -> None:
    m = load("""
        L = [1.0, 2.0]
        M = L


        def f(x):
            return L[0] + M[1] + x
        """)
    program = check(m.f, 0.5)
    assert program.text.count("[1.0, 2.0]") == 1
    m.L.append(3.0)
    assert not all(guard.holds() for guard in program.guards)


def test_unions_and_type_variables(load: Load) -> None:
    m = load(
        """
        from dataclasses import dataclass
        from typing import Generic, TypeVar, Union
        T = TypeVar('T')


        @dataclass
        class A(Generic[T]):
            x: T


        @dataclass
        class B:
            x: float


        Either = A | B
        Other = Union[A, None]


        def f(x):
            return 1.0 if isinstance(A(x), Either) and isinstance(A(x), Other) else 2.0
        """
    )
    check(m.f, 0.5)


# Arrays.


def test_arrays_are_given(load: Load) -> None:
    m = load(
        """
        import numpy as np
        W = np.ones((2, 2))
        params = {'w': np.zeros(3), 'n': 2, 'more': [np.ones(2)]}
        alpha = np.array(3.0)


        def make(c):
            def f(x):
                W = 1.0
                return x @ c + g(x) + params['w'] + params['more'][0]
            return f


        def g(x):
            return W @ x + alpha


        f = make(np.full(2, 5.0))
        """
    )
    program = capture(m.f, 1, (), {})
    assert program.text.splitlines()[-2] == "def main(x, c, params_w, params_more_0, W):"
    assert "params = {'w': params_w, 'n': 2, 'more': [params_more_0]}" in program.text and "alpha = 3.0" in program.text
    m.W = np.full((2, 2), 7.0)
    m.params["w"] = np.zeros(4)
    assert all(guard.holds() for guard in program.guards)
    assert [g.fetch().sum() for g in program.given] == [10.0, 0.0, 2.0, 28.0]
    assert [g.kind for g in program.given] == ["cell", "item", "item", "dict"]
    m.params["n"] = 3
    assert not all(guard.holds() for guard in program.guards)


def test_two_names_of_one_array_are_fetched_each(load: Load) -> None:
    m = load("""
        import numpy as np
        A = B = np.ones(2)


        def f(x):
            return A + B
        """)
    assert [g.name for g in capture(m.f, 1, (), {}).given] == ["A", "B"]


def test_small_arrays_of_ints_are_part_of_the_text(load: Load) -> None:
    m = load(
        """
        import numpy as np
        index = np.array([2, 0])
        mask = np.array([[True, False]])
        empty = np.zeros((0, 2), dtype=int)
        many = np.arange(100)


        def f(x):
            return x[index] + mask.shape[0] + many.sum() + empty.shape[1]
        """
    )
    program = capture(m.f, 1, (), {})
    for line in ["index = np.array([2, 0])", "mask = np.array([[True, False]])", "empty = np.zeros((0, 2), dtype=np.int64)"]:
        assert line in program.text.splitlines()
    assert [g.name for g in program.given] == ["many"]
    m.index[0] = 1
    assert not all(guard.holds() for guard in program.guards)


def test_arrays_in_instances(load: Load) -> None:
    m = load(
        """
        import numpy as np
        from dataclasses import dataclass


        @dataclass(frozen=True)
        class Linear:
            w: np.ndarray
            n: int

            def __call__(self, x):
                return self.w @ x * self.n


        linear = Linear(np.ones((2, 2)), 3)
        """
    )
    program = capture(m.linear, 1, (), {})
    assert "(w=linear_w, n=3)" in program.text or "_w, n=3)" in program.text
    (given,) = program.given
    assert given.kind == "attr" and given.holder is m.linear and given.fetch() is m.linear.w


def test_arrays_of_other_packages(load: Load) -> None:
    jnp = pytest.importorskip("jax.numpy")
    m = load("""
        W = None


        def f(x):
            return W * x
        """)
    m.W = jnp.ones(3)
    assert [g.name for g in capture(m.f, 1, (), {}).given] == ["W"]


# Gradus itself.


def test_operators_on_live_functions(load: Load) -> None:
    m = load("""
        def f(x):
            return x ** 3


        def user(x):
            return slope(x) + both(x)
        """)
    m.slope, m.both = grad(m.f), grad(m.f)
    program = check(m.user, 2.0, expected=24.0)
    assert "slope = grad(f, argnums=0)" in program.text and "from gradus import grad" in program.text
    assert texts(m.slope).splitlines()[-2] == "def main(x):"
    check(m.slope, 2.0, expected=12.0)


def test_rules_are_decorators(load: Load) -> None:
    m = load("""
        def f(x):
            return g(x) * 2.0


        def g(x):
            return x * x


        def rule(y, x):
            return lambda ct: (7.0 * ct,)
        """)
    m.g = custom_vjp(m.rule)(m.g)
    check(m.f, 3.0, expected=18.0)
    program = check(grad(m.f), 3.0, expected=14.0)
    assert "@custom_vjp(rule)\ndef g(x):" in program.text


def test_a_rule_beside_the_plain_function(load: Load) -> None:
    m = load("""
        def g(x):
            return x * x


        def rule(y, x):
            return lambda ct: (7.0 * ct,)


        plain = g


        def f(x):
            return g(x) + plain(x)
        """)
    m.g = custom_vjp(m.rule)(m.plain)
    program = check(grad(m.f), 3.0, expected=13.0)
    assert "= custom_vjp(rule)(g" in program.text


def test_jit_is_the_function(load: Load) -> None:
    m = load(
        """
        def jit(f):
            return f


        class C:
            def __init__(self, a):
                self.a = a

            @jit
            def m(self, x):
                return self.a * x


        @jit
        def f(x):
            return C(x).m(x)
        """
    )
    m.f, m.C.m = Made(m.f), Made(m.C.m)
    program = check(m.f, 3.0, expected=9.0)
    assert "@jit" not in program.text
    assert program.place(program.text.encode().index(b"return self.a"))[1] == 11


def test_wraps_does_not_make_an_operator(load: Load) -> None:
    m = load("""
        def f(x):
            return x


        def g(x):
            return 5.0 * x
        """)
    functools.update_wrapper(m.g, Made(m.f))
    m.g.__gradus_expression__ = m.f
    check(m.g, 2.0, expected=10.0)


def test_order_of_definitions(load: Load) -> None:
    m = load("""
        def f(x):
            return g(x)


        def k(x):
            return h(x) * x


        def h(x):
            return x


        table = None
        """)
    m.g = grad(m.k)
    m.table = [m.g, m.f]
    exec_text = texts(m.f)
    assert exec_text.index("def k") < exec_text.index("g = grad(k")
    check(m.f, 3.0, expected=6.0)


# What there is no source of.


def test_no_source() -> None:
    scope: dict[str, Any] = {}
    exec("def f(x):\n    return x", scope)
    for f in [scope["f"], eval("lambda x: x"), [].append, "".join]:
        with pytest.raises(NoSource):
            capture(f, 1, (), {})


def test_builtins_and_functions_of_the_language_are_targets() -> None:
    assert texts(math.sin).splitlines() == ["from math import sin", "def main(a0):", "    return sin(a0)"]
    assert "return abs(a0)" in texts(abs)


def test_what_cannot_be_captured_is_left_out(load: Load) -> None:
    m = load(
        """
        import logging, os, threading
        log = logging.getLogger('a')
        lock = threading.Lock()


        def f(x, loud=False):
            if loud:
                log.info(x)
                print(os.getcwd(), lock, never_there)
            return x + 1.0
        """
    )
    program = check(m.f, 1.0)
    assert set(program.missing) == {"log", "os", "lock"}
    assert "Logger" in program.missing["log"]


def test_instances_that_contain_themselves(load: Load) -> None:
    m = load("""
        L = [1.0]
        L.append(L)


        def f(x):
            return L[0] + x
        """)
    assert "itself" in capture(m.f, 1, (), {}).missing["L"]


def test_files_that_have_changed(load: Load) -> None:
    m = load("""
        def f(x):
            return x + 1.0


        def g(x):
            return x
        """)
    path = Path(m.__file__)
    path.write_text(path.read_text().replace("1.0", "2.0"))
    os.utime(path, (time.time() + 5, time.time() + 5))
    with pytest.raises(NoSource, match="changed"):
        capture(m.f, 1, (), {})
    capture(m.g, 1, (), {})


def test_notebooks() -> None:
    text = """
        from dataclasses import dataclass
        @dataclass
        class P:
            x: float


        def f(x):
            return P(x).x
        """
    text = textwrap.dedent(text).lstrip("\n")
    name = "<ipython-input-1-abc>"
    linecache.cache[name] = (len(text), None, text.splitlines(True), name)
    module = types.ModuleType("notebook")
    sys.modules["notebook"] = module
    try:
        exec(compile(text, name, "exec"), vars(module))
        program = check(module.f, 2.0)
        assert program.sections[1][1] == name or any(s[1] == name for s in program.sections)
    finally:
        del sys.modules["notebook"], linecache.cache[name]


def test_doctests() -> None:
    import doctest

    seen: list[str] = []
    test = doctest.DocTestParser().get_doctest(
        ">>> def f(x):\n...     return 2.0 * x\n>>> seen.append(texts(f))\n", {"seen": seen, "texts": texts}, "example", None, 0
    )
    assert doctest.DocTestRunner(verbose=False).run(test).failed == 0
    assert seen[0].startswith("def f(x):\n    return 2.0 * x")


# Places.


def test_places_in_files(load: Load) -> None:
    m = load(
        """
        import helper


        def make(é):
            def inner(x):
                é2 = 'é'; return len(é2) + helper.g(x) + é(x)
            return inner


        f = make(lambda v: v *
          3.0)
        """,
        helper="""
        # A comment.


        @(lambda f: f)
        def g(x):
            return x
        """,
    )
    program = capture(m.f, 1, (), {})
    text = program.text.encode()
    source = Path(m.__file__).read_bytes().split(b"\n")
    for word in [b"inner", b"len", "é(x)".encode(), b"v *", b"3.0"]:
        at = text.index(word)
        file, line, column = program.place(at)
        assert file == m.__file__ and source[line - 1][column:].startswith(word), word
    file, line, column = program.place(text.index(b"return x"))
    assert (Path(file).name, line, column) == ("helper.py", 6, 4)
    assert program.place(text.index(b"def main"))[0] == "<gradus>"
    starts = [s[0] for s in program.sections]
    assert starts == sorted(starts) and all(start == 0 or text[start - 1 : start] == b"\n" for start in starts)


# What must not change.


def test_guards(load: Load) -> None:
    text = (
        """
        import helper
        import math
        K = 1.5


        def g(x):
            return x


        def make(c):
            def f(x):
                return g(x) * c + K + helper.h(x) + math.pi
            def change(v):
                nonlocal c
                c = v
            return f, change


        f, change = make(2.5)
        """
    )

    def changed(change: Callable[[Any], object]) -> bool:
        sys.modules.pop("program", None)
        m = load(text, helper="""
            def h(x):
                return x
            """)
        program = capture(m.f, 1, (), {})
        assert all(guard.holds() for guard in program.guards)
        change(m)
        return not all(guard.holds() for guard in program.guards)

    assert changed(lambda m: setattr(m, "K", 2.0))
    assert changed(lambda m: setattr(m, "g", lambda x: x))
    assert changed(lambda m: m.change(3.0))
    assert changed(lambda m: delattr(m, "K"))
    assert changed(lambda m: setattr(m.helper, "h", None))
    assert changed(lambda m: setattr(m, "helper", math))
    assert changed(lambda m: setattr(m.g, "__code__", (lambda x: 2.0).__code__))
    assert not changed(lambda m: setattr(m, "unread", 3.0))


def test_captures_are_fast(load: Load) -> None:
    m = load("""
        import numpy as np
        K = 2.0


        def g(x):
            return np.sin(x) * K


        def f(x):
            return g(x) + g(2.0 * x)
        """)
    capture(m.f, 1, (), {})
    start = time.perf_counter()
    for _ in range(50):
        capture(m.f, 1, (), {})
    assert (time.perf_counter() - start) / 50 < 0.003


def test_containers_of_the_standard_library():
    def f(x):
        queue = collections.deque([x, 2.0])
        queue.append(x * x)
        heap = []
        heapq.heappush(heap, queue.popleft())
        heapq.heappush(heap, queue.pop())
        sums = collections.defaultdict(float)
        for i in range(4):
            sums[i % 2] += x**i
        counts = collections.Counter([1, 1, 2])
        return heapq.heappop(heap) * sums[0] + sums[1] * counts[1]

    value, gradient = gradus.value_and_grad(f)(1.5)
    assert value == f(1.5)
    assert gradient == 23.25
