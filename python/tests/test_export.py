"""Exported programs: by JAX, from files, and by a plugin of XLA."""

from __future__ import annotations

import enum
import importlib.util
import json
import math
import os
import subprocess
import sys
import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import gradus
import numpy as np
import pytest

RNG = np.random.default_rng(0)
X, Y = RNG.normal(size=(64, 3)), RNG.normal(size=64)
P = {"w": [RNG.normal(size=(3, 8)), RNG.normal(size=(8, 1))], "b": [np.zeros(8), np.zeros(1)]}


def root(a: float) -> float:
    """Loops until it is exact enough."""
    x = a
    while abs(x * x - a) > 1e-12:
        x = 0.5 * (x + a / x)
    return x


def loss(p: Any, x: Any, y: Any) -> Any:
    hidden = np.tanh(x @ p["w"][0] + p["b"][0])
    return (((hidden @ p["w"][1] + p["b"][1])[:, 0] - y) ** 2).mean()


def picked(x: Any, i: int) -> Any:
    return x[i] * 2.0, i + 1, i > 0


@dataclass(frozen=True)
class Line:
    a: Any
    b: Any


class Point(NamedTuple):
    x: Any
    y: Any


class Side(enum.Enum):
    LEFT = 1
    RIGHT = 2


def on_line(line: Line, x: float, side: Side, g: Callable[[float], float]) -> Point:
    y = g(line.a * x + line.b)
    return Point(x, y) if side is Side.LEFT else Point(y, x)


class BadError(Exception):
    pass


def checked(x: float) -> float:
    if x < 0.0:
        raise BadError(f"{x} is bad")
    return math.sqrt(x)


@pytest.fixture(autouse=True)
def _wide(request: pytest.FixtureRequest) -> None:
    if "jax" in request.fixturenames:
        request.getfixturevalue("jax").config.update("jax_enable_x64", True)


@pytest.fixture
def jax() -> Any:
    return pytest.importorskip("jax")


def close(a: Any, b: Any, tolerance: float = 1e-12) -> None:
    """Whether trees are alike; leaves are numbers and arrays."""
    if isinstance(a, dict):
        assert set(a) == set(b)
        a, b = list(a.values()), [b[k] for k in a]
    if isinstance(a, (tuple, list)):
        assert len(a) == len(b)
        for left, right in zip(a, b, strict=True):
            close(left, right, tolerance)
    else:
        np.testing.assert_allclose(np.asarray(a), np.asarray(b), rtol=tolerance, atol=tolerance)


def run(script: str, *args: Any, **env: str) -> str:
    """What a process says that runs a script."""
    path = os.pathsep.join([str(Path(gradus.__file__).parent.parent), str(Path(__file__).parent)])
    done = subprocess.run(
        [sys.executable, "-c", script, *map(str, args)], env={**os.environ, "PYTHONPATH": path, **env}, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


class TestProgram:
    def test_text(self) -> None:
        exported = gradus.export(picked, np.ones(3), 1)
        assert "stablehlo.dynamic_slice" in exported.stablehlo or "stablehlo.gather" in exported.stablehlo
        assert exported.params == ["tensor<3xf64>", "tensor<i64>"]
        assert exported.results == ["tensor<f64>", "tensor<i64>", "tensor<i1>"]
        line = picked.__code__.co_firstlineno + 1
        assert ("index out of range", line) in exported.faults
        assert repr(exported) == "<gradus export of picked: (tensor<3xf64>, tensor<i64>) -> (tensor<f64>, tensor<i64>, tensor<i1>)>"

    def test_artifact(self, jax: Any) -> None:
        from jax._src.interpreters import mlir
        from jaxlib.mlir import ir
        from jaxlib.mlir.dialects import stablehlo

        for exported in (gradus.export(picked, np.ones(3), 1), gradus.export(root, 2.0), gradus.export(lambda x: math.erf(x), 2.0)):
            with mlir.make_ir_context() as context:
                found = stablehlo.deserialize_portable_artifact(context, exported.artifact())
                assert str(found) == str(ir.Module.parse(exported.stablehlo))

    def test_derivatives(self) -> None:
        assert gradus.export(gradus.value_and_grad(root), 2.0).results == ["tensor<f64>", "tensor<f64>"]
        assert gradus.export(gradus.hessian(lambda x: (x**3).sum()), np.ones(2)).results == ["tensor<2x2xf64>"]

    def test_unsupported(self) -> None:
        def prints(x: float) -> float:
            print(x)
            return x

        with pytest.raises(gradus.Unsupported, match="prints") as caught:
            gradus.export(prints, 1.0)
        assert caught.value.lineno == prints.__code__.co_firstlineno + 1
        with pytest.raises(gradus.Unsupported, match="a string comes out"):
            gradus.export(lambda x: "a" if x > 0.0 else "b", 1.0)
        with pytest.raises(gradus.CompileError):
            gradus.export(lambda x: x.nothing, 1.0)


class TestJax:
    def test_loop_that_values_decide_about(self, jax: Any) -> None:
        f = gradus.export(root, 1.0).jax()
        for a in (2.0, 30.0, 400.0):
            close(f(a), math.sqrt(a))
            close(jax.jit(f)(a), math.sqrt(a))
            close(jax.jit(jax.grad(f))(a), 0.5 / math.sqrt(a))
            close(jax.grad(jax.grad(f))(a), gradus.grad(gradus.grad(root))(a), 1e-9)

        def in_jax(a: Any) -> Any:
            return jax.lax.while_loop(lambda x: abs(x * x - a) > 1e-12, lambda x: 0.5 * (x + a / x), a)

        with pytest.raises(ValueError, match="Reverse-mode differentiation does not work"):
            jax.grad(in_jax)(2.0)

    def test_trees(self, jax: Any) -> None:
        exported = gradus.export(loss, P, X, Y)
        f = exported.jax()
        value, gradient = jax.value_and_grad(in_jax_numpy(jax))(P, X, Y)
        close(f(P, X, Y), value)
        close(jax.jit(jax.value_and_grad(f))(P, X, Y), (value, gradient))
        close(jax.grad(f, argnums=(1, 2))(P, X, Y), jax.grad(in_jax_numpy(jax), argnums=(1, 2))(P, X, Y))
        close(f(dict(reversed(P.items())), X, y=Y), value)

    def test_any_result(self, jax: Any) -> None:
        def f(x: Any, n: int) -> Any:
            return {"y": np.sin(x) * n, "n": n + 1, "rest": (x.sum(), None, [n > 2])}

        g = gradus.export(f, np.ones(3), 2).jax()
        found = g(np.arange(3.0), 5)
        assert found["n"] == 6 and found["rest"][1] is None and found["rest"][2] == [True] and list(found) == ["y", "n", "rest"]
        assert all(isinstance(leaf, jax.Array) for leaf in jax.tree.leaves(found))
        _, pullback = jax.vjp(lambda x: {k: v for k, v in g(x, 5).items() if k == "y"}, np.arange(3.0))
        close(pullback({"y": np.array([1.0, 2.0, 3.0])})[0], np.cos(np.arange(3.0)) * 5 * np.array([1.0, 2.0, 3.0]))
        close(jax.jacrev(lambda x: g(x, 2)["y"])(np.arange(3.0)), np.diag(2.0 * np.cos(np.arange(3.0))))
        close(jax.jit(g)(np.arange(3.0), 5)["y"], np.sin(np.arange(3.0)) * 5)

    def test_records(self, jax: Any) -> None:
        f = gradus.export(on_line, Line(1.0, 2.0), 1.0, Side.LEFT, math.sin).jax()
        found = f(Line(2.0, 1.0), 3.0, Side.LEFT, math.sin)
        assert type(found) is Point
        close(found, (3.0, math.sin(7.0)))
        close(jax.grad(lambda a: f(Line(a, 1.0), 3.0, Side.LEFT, math.sin).y)(2.0), 3.0 * math.cos(7.0))
        with pytest.raises(TypeError, match=r"exported for `side = <Side.LEFT: 1>`"):
            f(Line(2.0, 1.0), 3.0, Side.RIGHT, math.sin)
        with pytest.raises(TypeError, match="`line` is an instance of `Line`"):
            f((2.0, 1.0), 3.0, Side.LEFT, math.sin)

    def test_complex(self, jax: Any) -> None:
        f = gradus.export(lambda z: (abs(z * z + 1.0), z * 2j), 1j).jax()
        g = jax.grad(lambda z: abs(z * z + 1.0))
        close(f(1 + 2j), (abs((1 + 2j) ** 2 + 1.0), -4 + 2j))
        close(jax.grad(lambda z: f(z)[0])(1 + 2j), g(1 + 2j))

    def test_closures_are_constants(self, jax: Any) -> None:
        weights, power = np.arange(6.0).reshape(2, 3), 2.0
        exported = gradus.export(lambda x: ((weights @ x) ** power).sum(), np.ones(3))
        assert exported.params == ["tensor<3xf64>", "tensor<2x3xf64>"]
        f, before = exported.jax(), weights.copy()
        weights[:] = 0.0
        close(f(np.ones(3)), ((before @ np.ones(3)) ** 2).sum())
        close(jax.grad(f)(np.ones(3)), 2.0 * before.T @ (before @ np.ones(3)))

    def test_arrays_of_jax(self, jax: Any) -> None:
        exported = gradus.export(loss, P, jax.numpy.asarray(X), jax.numpy.asarray(Y))
        close(jax.jit(exported.jax())(P, jax.numpy.asarray(X), Y), loss(P, X, Y))

    def test_options(self) -> None:
        with gradus.options(strategy="closure"):
            exported = gradus.export(gradus.grad(root), 2.0)
        assert exported.results == ["tensor<f64>"]

    def test_floats_of_32_bits(self, jax: Any) -> None:
        exported = gradus.export(lambda x: np.tanh(x) * x, np.ones(3, np.float32))
        with jax.enable_x64(False):
            x = np.linspace(0.0, 1.0, 3, dtype=np.float32)
            close(exported.jax()(x), np.tanh(x) * x, 1e-6)
            assert jax.grad(lambda x: exported.jax()(x).sum())(x).dtype == np.float32
            with pytest.raises(gradus.Error, match=r'jax.config.update\("jax_enable_x64", True\)'):
                gradus.export(root, 1.0).jax()(1.0)

    def test_vmap(self, jax: Any) -> None:
        f = gradus.export(root, 1.0).jax()
        a = np.array([3.0, 2.0, 30.0])
        close(jax.vmap(f)(a), np.sqrt(a))
        close(jax.jit(jax.vmap(jax.grad(f)))(a), 0.5 / np.sqrt(a))
        close(jax.grad(lambda a: jax.vmap(f)(a).sum())(a), 0.5 / np.sqrt(a))

    def test_failures_are_nan(self, jax: Any) -> None:
        f = gradus.export(picked, np.ones(3), 1).jax()
        assert f(np.arange(3.0), 2)[0] == 4.0
        y, _, _ = jax.jit(f)(np.arange(3.0), 5)
        assert np.isnan(y)
        assert np.isnan(jax.grad(lambda x: f(x, 5)[0])(np.arange(3.0))).all()

    def test_full_tapes_are_nan(self, jax: Any) -> None:
        f = gradus.export(root, 2.0, trips=3).jax()
        value, gradient = jax.value_and_grad(f)(2.0)
        close(value, math.sqrt(2.0))
        assert np.isnan(gradient)
        assert ("a tape is full", None) in gradus.export(gradus.grad(root), 2.0, trips=3).faults

    def test_recursion(self, jax: Any, tmp_path: Path) -> None:
        def tower(x: float, n: int) -> float:
            return x if n == 0 else math.sin(tower(x, n - 1)) * x

        exported = gradus.export(tower, 1.0, 1)
        close(exported.jax()(0.7, 9), tower(0.7, 9))
        assert np.isnan(gradus.export(tower, 1.0, 1, trips=4).jax()(0.7, 99))
        # Its pullback is made of functions that only the run knows.
        with pytest.raises(gradus.Unsupported, match="XLA has no function values"):
            jax.grad(exported.jax())(0.7, 9)
        loaded = gradus.load_exported(exported.save(tmp_path / "tower")).jax()
        close(loaded(0.7, 9), tower(0.7, 9))
        with pytest.raises(gradus.Error, match="XLA has no function values"):
            jax.grad(loaded)(0.7, 9)

    def test_constants_among_arguments(self, jax: Any) -> None:
        f = gradus.export(lambda n, x: np.zeros(n).sum() + n * x, 3, 2.0).jax()
        close(jax.grad(partial(f, 3))(2.0), 3.0)
        with pytest.raises(TypeError, match="exported for `n = 3`, and 4 is given"):
            f(4, 2.0)
        with pytest.raises(TypeError, match="exported for `n = 3`, and a value that JAX traces is given"):
            jax.jit(f)(3, 2.0)
        g = gradus.export(lambda p, mode: p["x"] * (2.0 if mode == p["mode"] else 3.0), {"x": 1.0, "mode": "two"}, "two").jax()
        close(g({"x": 5.0, "mode": "two"}, "two"), 10.0)
        close(jax.grad(lambda x: g({"x": x, "mode": "two"}, "two"))(5.0), 2.0)
        with pytest.raises(TypeError, match="exported for `mode = 'two'`, and 'three' is given"):
            g({"x": 5.0, "mode": "two"}, "three")
        with pytest.raises(TypeError, match="exported for `p"):
            g({"x": 5.0, "mode": "three"}, "two")

    @pytest.mark.parametrize(
        ("args", "message"),
        [
            ((P, X), r"for the arguments \(p, x, y\)"),
            ((P, X[:5], Y), r"`x` is float64\[64, 3\] in the exported program, and float64\[5, 3\]"),
            ((P, X.astype(np.float32), Y), "and float32"),
            (({"w": P["w"]}, X, Y), "`p` is a dict with the keys 'w', 'b'"),
            (({**P, "w": P["w"][:1]}, X, Y), r"`p\['w'\]` is a list of 2"),
        ],
    )
    def test_other_arguments(self, jax: Any, args: Any, message: str) -> None:
        with pytest.raises(TypeError, match=message):
            gradus.export(loss, P, X, Y).jax()(*args)

    def test_int_for_float(self, jax: Any) -> None:
        with pytest.raises(TypeError, match="`a` is float in the exported program, and int64"):
            gradus.export(root, 1.0).jax()(2)

    def test_what_has_no_derivative(self, jax: Any) -> None:
        f = gradus.export(lambda x, n: (x * n, n * 2), 1.0, 2).jax()
        close(jax.grad(lambda x: f(x, 3)[0])(1.0), 3.0)
        close(jax.grad(lambda x: f(x, 3)[1] * x)(2.0), 6.0)
        with pytest.raises(TypeError, match="forward-mode"):
            jax.jvp(lambda x: f(x, 3)[0], (1.0,), (1.0,))


def in_jax_numpy(jax: Any) -> Any:
    jnp = jax.numpy

    def loss(p: Any, x: Any, y: Any) -> Any:
        hidden = jnp.tanh(x @ p["w"][0] + p["b"][0])
        return (((hidden @ p["w"][1] + p["b"][1])[:, 0] - y) ** 2).mean()

    return loss


SHARDED = """
import jax, numpy as np
jax.config.update("jax_enable_x64", True)
from jax.sharding import Mesh, NamedSharding, PartitionSpec
import gradus
from test_export import P, X, Y, close, loss

f = gradus.export(loss, P, X, Y).jax()
devices = np.array(jax.devices())
assert len(devices) == 4
mesh = Mesh(devices, ("data",))
rows, all_of_it = NamedSharding(mesh, PartitionSpec("data")), NamedSharding(mesh, PartitionSpec())
step = jax.jit(jax.value_and_grad(f), in_shardings=(all_of_it, rows, rows))
value, gradient = step(P, X, Y)
close((value, gradient), gradus.value_and_grad(loss)(P, X, Y))
text = step.lower(P, X, Y).compile().as_text()
assert "all-reduce" in text and "all-gather" not in text
x = jax.device_put(X, rows)
assert len(x.addressable_shards) == 4
close(jax.jit(jax.grad(f))(P, x, jax.device_put(Y, rows)), gradient)
close(f(P, x, Y), value)
print("same")
"""


def test_several_devices(jax: Any) -> None:
    assert run(SHARDED, XLA_FLAGS="--xla_force_host_platform_device_count=4") == "same\n"


LOADED = """
import sys
import gradus
gradus._native.Program = None
gradus._function.capture = None
import jax
jax.config.update("jax_enable_x64", True)
from test_export import P, X, Y, Line, Side, close, math, np

f = gradus.load_exported(sys.argv[1])
value, gradient = jax.value_and_grad(f.jax())(P, X, Y)
print(float(value), float(abs(gradient["w"][0]).sum()), f.params[0])
g = gradus.Exported.load(sys.argv[2]).jax()
print(float(g(Line(2.0, 1.0), 3.0, Side.LEFT, math.sin).y))
h = gradus.load_exported(sys.argv[3]).jax()
print(float(h(2.0)), float(jax.grad(h)(2.0)), float(jax.grad(jax.grad(h))(2.0)))
try:
    jax.grad(jax.grad(jax.grad(h)))(2.0)
except gradus.Error as e:
    print(e)
"""


class TestFiles:
    def test_round_trip(self, jax: Any, tmp_path: Path) -> None:
        import test_export  # The classes here have this name for another process.

        files = [tmp_path / name for name in "abc"]
        assert gradus.export(loss, P, X, Y).save(files[0]) == files[0]
        gradus.export(test_export.on_line, test_export.Line(1.0, 2.0), 1.0, test_export.Side.LEFT, math.sin).save(files[1])
        gradus.export(root, 1.0).save(files[2], orders=2)
        said = run(LOADED, *files).splitlines()
        value, gradient = gradus.value_and_grad(loss)(P, X, Y)
        first, total, param = said[0].split()
        close([float(first), float(total)], [value, abs(gradient["w"][0]).sum()])
        assert param == "tensor<3x8xf64>"
        close(float(said[1]), math.sin(7.0))
        close([float(s) for s in said[2].split()], [math.sqrt(2.0), 0.5 / math.sqrt(2.0), -0.25 / math.sqrt(2.0) ** 3], 1e-9)
        assert said[3] == "the file has no derivative of this order"

    def test_without_jax(self, tmp_path: Path) -> None:
        exported = gradus.export(picked, np.ones(3), 1)
        loaded = gradus.load_exported(exported.save(tmp_path / "picked"))
        assert (loaded.stablehlo, loaded.params, loaded.results) == (exported.stablehlo, exported.params, exported.results)
        assert loaded.faults == exported.faults and loaded.name == "picked"
        assert loaded.artifact() == exported.artifact()

    def test_without_artifact(self, tmp_path: Path) -> None:
        saved = gradus.export(root, 2.0).save(tmp_path / "root")
        with zipfile.ZipFile(saved) as archive, zipfile.ZipFile(tmp_path / "old", "w") as old:
            for name in archive.namelist():
                if not name.endswith(".mlirbc"):
                    old.writestr(name, archive.read(name))
        with pytest.raises(gradus.Error, match="wrote no artifact"):
            gradus.load_exported(tmp_path / "old").artifact()

    def test_no_derivative(self, tmp_path: Path) -> None:
        loaded = gradus.load_exported(gradus.export(lambda n: n + 1, 1).save(tmp_path / "n"))
        assert loaded.results == ["tensor<i64>"]

    def test_other_files(self, tmp_path: Path) -> None:
        file = tmp_path / "file"
        file.write_text("text")
        with pytest.raises(gradus.Error, match="no export of Gradus"):
            gradus.load_exported(file)
        with zipfile.ZipFile(file, "w") as archive:
            archive.writestr("export.json", json.dumps({"format": "gradus export", "version": 99}))
        with pytest.raises(gradus.Error, match="version 99, and this version of Gradus reads version 1"):
            gradus.load_exported(file)

    def test_classes_that_are_not_there(self, jax: Any, tmp_path: Path) -> None:
        import test_export

        file = gradus.export(lambda line: line.a * 2.0, test_export.Line(1.0, 2.0)).save(tmp_path / "line")
        with zipfile.ZipFile(file) as archive:
            said, text = json.loads(archive.read("export.json")), archive.read("program.mlir")
        said |= {"classes": {name: "nowhere:Line" for name in said["classes"]}, "no_derivative": "there is none"}
        with zipfile.ZipFile(file, "w") as archive:
            archive.writestr("export.json", json.dumps(said))
            archive.writestr("program.mlir", text)
        with pytest.raises(gradus.Error, match="needs `Line` of the module `nowhere`"):
            gradus.load_exported(file).jax()(Line(1.0, 2.0))

    def test_what_has_no_name(self, tmp_path: Path) -> None:
        @dataclass
        class Local:
            a: float

        with pytest.raises(gradus.Error, match="does not find the class `Local`"):
            gradus.export(lambda l: l.a, Local(1.0)).save(tmp_path / "local")
        with pytest.raises(gradus.Error, match="the argument `g` has no name"):
            gradus.export(lambda g, x: g(x), lambda x: x * 2.0, 1.0).save(tmp_path / "g")


def plugin() -> str | None:
    """Why there is no plugin of XLA."""
    if os.environ.get("GRADUS_XLA_PLUGIN"):
        return None
    found = importlib.util.find_spec("xla_plugins") and importlib.util.find_spec("xla_plugins.xla_cpu_pjrt")
    return None if found else "neither GRADUS_XLA_PLUGIN nor the package xla_plugins.xla_cpu_pjrt names a plugin of XLA"


@pytest.mark.skipif(plugin() is not None, reason=str(plugin()))
class TestPlugin:
    def test_values(self) -> None:
        assert gradus.jit(root, backend="xla")(2.0) == gradus.jit(root)(2.0)
        with gradus.options(backend="xla"):
            close(gradus.value_and_grad(loss)(P, X, Y), gradus.value_and_grad(loss)(P, X, Y))
            close(gradus.grad(root)(2.0), 0.5 / math.sqrt(2.0))
            assert gradus.jit(picked)(np.ones(3), 1) == (2.0, 2, True)
            # A tape that is full becomes larger.
            long = gradus.grad(lambda x, n: decayed(x, n))(1.0, 5000)
        close(long, gradus.grad(lambda x, n: decayed(x, n))(1.0, 5000), 1e-9)

    def test_pullback(self) -> None:
        value, pullback = gradus.vjp(gradus.jit(root, backend="xla"), 2.0)
        close((value, pullback(2.0)[0]), (math.sqrt(2.0), 1.0 / math.sqrt(2.0)))

    def test_several_devices(self) -> None:
        wanted = gradus.value_and_grad(loss)(P, X, Y)
        with gradus.options(backend="xla", mesh="data=4", shard="x=data,y=data"):
            close(gradus.value_and_grad(loss)(P, X, Y), wanted)
        doubled = gradus.jit(lambda x: 2.0 * x, backend="xla", mesh="data=4", shard="return=data")
        close(doubled(np.arange(8.0)), 2.0 * np.arange(8.0))
        with pytest.raises(gradus.Error, match="no argument is called `z`"):
            gradus.jit(loss, backend="xla", mesh="data=4", shard="z=data")(P, X, Y)

    def test_failures(self) -> None:
        with pytest.raises(IndexError) as caught:
            gradus.jit(picked, backend="xla")(np.ones(3), 5)
        assert isinstance(caught.value, gradus.Trap) and caught.value.lineno == picked.__code__.co_firstlineno + 1
        with pytest.raises(BadError, match=r"-1.0 is bad") as bad:
            gradus.jit(checked, backend="xla")(-1.0)
        assert isinstance(bad.value, gradus.Trap) and bad.value.lineno == checked.__code__.co_firstlineno + 2
        with pytest.raises(gradus.Unsupported, match="a string comes out"):
            gradus.jit(lambda x: "a" if x > 0.0 else "b", backend="xla")(1.0)


def decayed(x: float, n: int) -> float:
    while n > 0:
        x = x - 0.001 * x * x
        n = n - 1
    return x


class TestOptions:
    def test_lists_in_dicts_by_the_interpreter(self) -> None:
        with gradus.options(backend="interp"):
            close(gradus.jit(loss)(P, X, Y), loss(P, X, Y))

    def test_no_plugin(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.delenv("GRADUS_XLA_PLUGIN", raising=False)
        monkeypatch.setitem(sys.modules, "xla_plugins.xla_cpu_pjrt", None)
        with pytest.raises(ValueError, match="GRADUS_XLA_PLUGIN"):
            gradus.jit(root, backend="xla")(2.0)

    def test_misfits(self) -> None:
        with pytest.raises(ValueError, match="cannot load the XLA plugin /nowhere.so"):
            gradus.jit(root, backend="xla", plugin="/nowhere.so")(2.0)
        with pytest.raises(ValueError, match="no axis of a mesh"):
            gradus.jit(root, backend="xla", plugin="/nowhere.so", mesh="data")(2.0)
        with pytest.raises(ValueError, match="plugin, mesh and shard"):
            gradus.jit(root, device="gpu")(2.0)
