"""Calls of functions: values in and out, exceptions, memory, threads, and Ctrl-C."""

from __future__ import annotations

import collections
import copy
import dataclasses
import heapq
import math
import os
import pickle
import signal
import subprocess
import sys
import textwrap
import threading
from typing import Any, NamedTuple

import numpy as np
import pytest

import gradus


def sine(x: float) -> float:
    return math.sin(x)


decorated = gradus.jit(sine)


@dataclasses.dataclass(frozen=True)
class Layer:
    w: Any
    b: float
    name: str = "dense"


class Pair(NamedTuple):
    a: float
    b: float


def test_scalars_come_back_as_python_has_them() -> None:
    identity = gradus.jit(lambda x: x)
    for value in [2.0, 3, True, None, "text", 1 + 2j, (1.0, (2, False)), [1.0, [2.0]], {"a": 1.0, 3: (2.0,)}]:
        found = identity(value)
        assert found == value and type(found) is type(value)
    assert identity(np.float32(0.5)) == 0.5 and identity(np.int64(3)) == 3 and identity(np.array(2.5)) == 2.5


@pytest.mark.parametrize("dtype", ["float64", "float32", "int64", "bool", "int32", "uint8", ">f8", "<i2"])
def test_arrays_of_any_type_and_strides(dtype: str) -> None:
    x = np.arange(12).reshape(3, 4).astype(dtype)
    flip = gradus.jit(lambda x: x[::-1])
    for view in [x, x.T, x[:, ::2], np.asfortranarray(x), x[1:1]]:
        found = flip(view)
        # Ints of all sizes become those of 64 bits.
        assert np.array_equal(found, view[::-1]) and found.dtype.kind == view.dtype.kind.replace("u", "i")
    assert x.tolist() == np.arange(12).reshape(3, 4).astype(dtype).tolist()


def test_gradients_come_in_the_containers_of_arguments() -> None:
    def loss(p: Any, q: Any, x: float) -> Any:
        return np.sum(p.w * x) + p.b * q.a + q.b**2

    layer, pair = Layer(np.array([1.0, 2.0]), 0.5), Pair(2.0, 3.0)
    dp, dq = gradus.grad(loss, argnums=(0, 1))(layer, pair, 4.0)
    assert isinstance(dp, Layer) and dp.w.tolist() == [4.0, 4.0] and dp.b == 2.0 and dp.name is None
    assert isinstance(dq, Pair) and dq == (0.5, 6.0)
    assert gradus.grad(lambda d: d["x"] * d["y"][0])({"x": 2.0, "y": [3.0]}) == {"x": 3.0, "y": [2.0]}


def test_no_zero_of_a_gradient_has_a_sign() -> None:
    assert math.copysign(1.0, gradus.grad(lambda x, y: y)(1.0, 2.0)) == 1.0
    assert not np.signbit(gradus.grad(lambda x: np.sum(x * 0.0 * -1.0))(np.ones(3))).any()


def test_ints_decide_shapes_wherever_they_are() -> None:
    zeros = gradus.jit(lambda n: np.zeros(n))
    assert [zeros(n).size for n in (3, 4, 1000, 1000, 3)] == [3, 4, 1000, 1000, 3]
    assert gradus.jit(lambda x, s: np.reshape(x, s))(np.arange(6.0), (2, 3)).shape == (2, 3)
    assert gradus.jit(lambda c: np.ones(c["n"]) * c["k"])({"n": 3, "k": 2.0}).tolist() == [2.0] * 3


class Sized:
    def __init__(self, n: int) -> None:
        self.n = n


def test_code_for_some_ints_is_not_called_with_others() -> None:
    zeros = gradus.jit(lambda n: np.zeros(n))
    for kind in (np.int64, np.array, int, np.int32):
        assert [zeros(kind(n)).size for n in (3, 4, 3, 5)] == [3, 4, 3, 5]
    of_instance = gradus.jit(lambda s: np.zeros(s.n) + 1.0)
    assert [of_instance(Sized(n)).size for n in (3, 4, 3)] == [3, 4, 3]
    of_tuple = gradus.jit(lambda s: np.zeros(s))
    assert [of_tuple((n, 2)).size for n in (3, 4, 3)] == [6, 8, 6]
    chosen = gradus.jit(lambda x, wide: np.concatenate([x, x]) if wide else x)
    assert [chosen(np.ones(2), w).size for w in (True, False, True)] == [4, 2, 4]


def test_a_builtin_may_be_hidden_later() -> None:
    def size(x: float) -> float:
        return abs(x) * 2.0

    f = gradus.jit(size)
    assert f(-1.0) == 2.0
    globals()["abs"] = lambda x: x * 100.0
    try:
        assert f(-1.0) == size(-1.0) == -200.0
    finally:
        del globals()["abs"]
    assert f(-1.0) == 2.0


def test_an_int_has_no_derivative_but_where_that_is_allowed() -> None:
    with pytest.raises(TypeError, match=r"`x` is an int.*\n.*float\(2\)"):
        gradus.grad(lambda x: x * x)(2)
    assert gradus.grad(lambda x: x * x, allow_int=True)(2) == 4.0
    assert gradus.grad(lambda x: (x * x).sum(), allow_int=True)(np.arange(3)).tolist() == [0.0, 2.0, 4.0]


def test_functions_are_arguments() -> None:
    twice = gradus.jit(lambda f, x: f(f(x)))
    assert twice(math.sin, 1.0) == math.sin(math.sin(1.0))
    assert twice(lambda t: t + 1.0, 1.0) == 3.0


def test_the_first_nan() -> None:
    @gradus.jit
    def f(x: float) -> float:
        y = math.sqrt(x)
        return y * 2.0

    with gradus.options(trap_nan=True):
        assert f(0.0) == 0.0
        with pytest.raises(FloatingPointError) as failure:
            gradus.grad(f)(0.0)
        assert failure.value.lineno == f.__wrapped__.__code__.co_firstlineno + 2
    assert gradus.grad(f)(0.0) == math.inf


def test_traps_are_what_python_raises() -> None:
    def at(x: Any, i: int) -> Any:
        return x[i]

    with pytest.raises(IndexError) as caught:
        gradus.jit(at)(np.ones(3), 7)
    assert isinstance(caught.value, gradus.Trap)
    assert caught.value.filename == __file__ and caught.value.lineno == at.__code__.co_firstlineno + 1
    assert "^" in str(caught.value)
    with pytest.raises(ZeroDivisionError):
        gradus.jit(lambda a, b: a // b)(1, 0)

    def picky(x: float) -> float:
        if x > 1.0:
            raise KeyError("no such key")
        assert x > 0.0, "positive"
        return x

    with pytest.raises(KeyError, match="no such key"):
        gradus.jit(picky)(2.0)
    with pytest.raises(AssertionError, match="positive"):
        gradus.jit(picky)(-1.0)


def test_refusals_name_the_line() -> None:
    def reads(x: float) -> Any:
        return open("file") if x else x

    with pytest.raises(gradus.Unsupported) as caught:
        gradus.jit(reads)(1.0)
    assert caught.value.lineno == reads.__code__.co_firstlineno + 1
    assert caught.value.diagnostics[0]["message"] == "the builtin `open` is not supported"
    with pytest.raises(TypeError):
        gradus.jit(lambda x: x)(1.0, 2.0)

    def row(x: Any) -> Any:
        return x * 2.0

    with pytest.raises(gradus.CompileError, match="it is about `row`") as about:
        gradus.grad(row)(np.ones(2))
    assert (about.value.filename, about.value.lineno) == (__file__, row.__code__.co_firstlineno)


def test_places_in_files_that_import_containers() -> None:
    def waits(x: float, i: int) -> Any:
        heap = [x, 1.0]
        heapq.heappush(heap, 3.0)
        return heap[i]

    def misses(x: float) -> Any:
        queue = collections.deque([x])
        return x.foo(queue)  # type: ignore[attr-defined]

    with pytest.raises(IndexError) as caught:
        gradus.jit(waits)(2.0, 5)
    trap: Any = caught.value
    assert (trap.filename, trap.lineno) == (__file__, waits.__code__.co_firstlineno + 3)
    with pytest.raises(gradus.CompileError) as refused:
        gradus.jit(misses)(2.0)
    assert (refused.value.filename, refused.value.lineno) == (__file__, misses.__code__.co_firstlineno + 2)


def test_pullbacks_take_cotangents_loosely() -> None:
    value, pullback = gradus.vjp(lambda x, n: [x * n, {"a": x}, n], 2.0, 3)
    assert value == [6.0, {"a": 2.0}, 3]
    assert pullback([1, {"a": 2.0}, None]) == (5.0, None)
    assert pullback((None, {"a": 1.0}, 0)) == (1.0, None)

    def printing(x: float) -> float:
        print("x")
        return x * x

    value, pullback = gradus.vjp(printing, 3.0)
    assert (value, pullback(1.0)) == (9.0, (6.0,))


def test_results_are_lent_and_never_shared() -> None:
    double = gradus.jit(lambda x: x * 2.0)
    x = np.ones(10_000)
    y = double(x)
    z = double(y)
    assert z.base is not None and z[0] == 4.0 and y[0] == 2.0 and x[0] == 1.0
    same = gradus.jit(lambda x: (x, x + 1.0, x + 1.0))(y)
    same[0][0] = same[1][0] = 9.0
    assert y[0] == 2.0 and same[2][0] == 3.0
    assert double(y[::2])[0] == double(y.reshape(100, 100))[0, 0] == 4.0


def test_what_a_program_prints_is_pythons(capsys: pytest.CaptureFixture[str]) -> None:
    gradus.jit(lambda x: print("x is", x))(2.0)
    assert capsys.readouterr().out == "x is 2.0\n"


def test_copies_and_pickles() -> None:
    assert copy.deepcopy({"f": decorated})["f"] is decorated
    assert pickle.loads(pickle.dumps(gradus.grad(sine)))(0.0) == 1.0


def test_threads() -> None:
    def energy(x: Any, k: float) -> Any:
        return np.sum(np.sin(x * k))

    gradient, found, x = gradus.grad(energy), {}, np.linspace(0.0, 1.0, 5000)

    def work(i: int) -> None:
        found[i] = [gradient(x, float(i)).sum() for _ in range(50)]

    threads = [threading.Thread(target=work, args=(i,)) for i in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(np.allclose(found[i], np.sum(i * np.cos(i * x))) for i in range(8))


def test_what_is_kept_can_be_seen_and_forgotten() -> None:
    f = gradus.jit(lambda x: x + 1.0)
    f(1.0)
    f(np.ones(2))
    assert f.cache_info().programs == 1 and len(f.cache_info().signatures) == 2
    f.clear_cache()
    assert f.cache_info().programs == 0 and f(1.0) == 2.0


def test_ways_and_stages_can_be_seen() -> None:
    def loop(x: float, n: int) -> float:
        r = 1.0
        for _ in range(n):
            r = r * x
        return r

    gradient = gradus.grad(loop)
    assert gradient(2.0, 3) == 12.0
    assert "graph @main" in gradient.ir() and gradient.dot("typed").startswith("digraph")
    assert gradient.show()._repr_svg_().startswith("<svg") or "<svg" in gradient.show()
    assert "def loop" in gradient.ir("source", 2.0, 3)
    rows = gradient.compare(2.0, 30, seconds=0.001)
    assert [row["way"] for row in rows] == ["value", "closure", "stack", "forward"] and rows[2]["bytes_kept"] == 240
    assert "<table>" in rows._repr_html_()
    for strategy in ("closure", "stack"):
        with gradus.options(strategy=strategy, backend="interp"):
            assert gradient(2.0, 3) == 12.0
        assert gradus.jit(gradient, strategy=strategy)(2.0, 3) == 12.0
    with pytest.raises(ValueError, match="strategy"), gradus.options(strategy="tape"):
        gradient(2.0, 4.0)


@pytest.mark.skipif(not hasattr(signal, "SIGINT") or os.name == "nt", reason="signals of this system are others")
@pytest.mark.parametrize("backend", ["jit", "interp"])
def test_ctrl_c_ends_a_call(backend: str, tmp_path: Any) -> None:
    program = tmp_path / "endless.py"
    program.write_text(
        textwrap.dedent(f"""
        import gradus, os, signal, threading, time
        def endless(x):
            while x > 0.0:
                x = x * 1.0
            return x
        def press():
            time.sleep(1.0)
            os.kill(os.getpid(), signal.SIGINT)
        with gradus.options(backend="{backend}"):
            threading.Thread(target=press).start()
            try:
                gradus.jit(endless)(1.0)
            except KeyboardInterrupt:
                print("ended")
        print(gradus.jit(lambda x: x + 1.0)(1.0))
        """)
    )
    done = subprocess.run([sys.executable, str(program)], capture_output=True, text=True, timeout=60)
    assert done.stdout == "ended\n2.0\n", done.stderr
