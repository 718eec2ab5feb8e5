"""Times calls of Gradus from Python beside JAX (under `jit`, floats of 64 bits) and Autograd, as a table.

In each round every tool is timed once, so that what else the machine does hits all of them; a figure is the least of
all rounds. First calls compile: they are timed once, after each tool has compiled something else. Tools that are not
installed are left out, and so is what a tool cannot do.

Usage: python benches/calls.py [--rounds 20]
"""

# ruff: noqa: E402
from __future__ import annotations

import os

# Each tool has one thread: pools of several packages would wait for one another.
os.environ.update(OPENBLAS_NUM_THREADS="1", OMP_NUM_THREADS="1", XLA_FLAGS="--xla_cpu_multi_thread_eigen=false")

import argparse
import importlib
import math
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from types import ModuleType
from typing import Any

import gradus
import numpy as np

Run = Callable[[], Any]
ROUND = 2e-3
"""Seconds that a tool is timed in a round, if a call takes less."""


@dataclass
class Tool:
    """How a package is asked: its NumPy, and its operators."""

    name: str
    numpy: ModuleType
    compiled: Callable[[Any], Any]
    grad: Callable[..., Any]
    value_and_grad: Callable[[Any], Any]
    wait: Callable[[Any], Any] = lambda value: value


def tools() -> Iterator[Tool]:
    yield Tool("Gradus", np, gradus.jit, gradus.grad, gradus.value_and_grad)
    try:
        jax = importlib.import_module("jax")
    except ImportError:
        pass
    else:
        jax.config.update("jax_enable_x64", True)
        jnp = importlib.import_module("jax.numpy")

        def grad(f: Any, argnums: Any = 0) -> Any:
            return jax.jit(jax.grad(f, argnums))

        yield Tool("JAX", jnp, jax.jit, grad, lambda f: jax.jit(jax.value_and_grad(f)), jax.block_until_ready)
    try:
        autograd = importlib.import_module("autograd")
    except ImportError:
        pass
    else:
        yield Tool("Autograd", importlib.import_module("autograd.numpy"), lambda f: f, autograd.grad, autograd.value_and_grad)


def rosenbrock(np: Any) -> Any:
    return lambda x: np.sum(100.0 * (x[1:] - x[:-1] ** 2) ** 2 + (1.0 - x[:-1]) ** 2)


def scalar(tool: Tool) -> Iterator[tuple[str, Run]]:
    np = tool.numpy

    def f(x: Any) -> Any:
        return np.sin(np.cos(x))

    value, gradient = tool.compiled(f), tool.grad(f)
    yield "sin(cos x)", lambda: value(1.3)
    yield "sin(cos x), gradient", lambda: gradient(1.3)


def three_arrays(tool: Tool) -> Iterator[tuple[str, Run]]:
    np_ = tool.numpy

    def f(a: Any, b: Any, c: Any) -> Any:
        return np_.sum(np_.sin(a) * b + np_.exp(-c * c)) * np_.dot(a, c)

    arrays = [np.array([0.1, 0.2, 0.3]), np.array([1.0, 2.0, 3.0]), np.array([0.5, 0.4, 0.3])]
    value, gradient = tool.compiled(f), tool.grad(f, (0, 1, 2))
    yield "three arrays of 3", lambda: value(*arrays)
    yield "three arrays of 3, gradient", lambda: gradient(*arrays)


def valley(tool: Tool) -> Iterator[tuple[str, Run]]:
    x = np.linspace(-1.0, 1.0, 100)
    value, gradient = tool.compiled(rosenbrock(tool.numpy)), tool.grad(rosenbrock(tool.numpy))
    yield "Rosenbrock of 100", lambda: value(x)
    yield "Rosenbrock of 100, gradient", lambda: gradient(x)


def loop(tool: Tool) -> Iterator[tuple[str, Run]]:
    """1000 steps, until a value has fallen below a bound; JAX has no reverse mode there, so it goes forwards."""
    if tool.name == "JAX":
        lax, jax, jnp = importlib.import_module("jax.lax"), importlib.import_module("jax"), tool.numpy

        def f(x: Any) -> Any:
            return lax.while_loop(lambda x: x > 1e-3, lambda x: x - 0.00693 * jnp.sin(x), x)

        gradient = jax.jit(jax.jacfwd(f))
    else:
        sin = math.sin if tool.name == "Gradus" else tool.numpy.sin

        def f(x: Any) -> Any:
            while x > 1e-3:
                x = x - 0.00693 * sin(x)
            return x

        gradient = tool.grad(f)
    value = tool.compiled(f)
    yield "while, 1000 steps", lambda: value(1.0)
    yield "while, 1000 steps, gradient", lambda: gradient(1.0)


def descent(tool: Tool) -> Iterator[tuple[str, Run]]:
    try:
        from scipy.optimize import minimize
    except ImportError:
        return
    gradient = tool.value_and_grad(rosenbrock(tool.numpy))
    x0 = np.full(100, 0.5)
    yield "L-BFGS-B of SciPy, Rosenbrock of 100", lambda: minimize(gradient, x0, jac=True, method="L-BFGS-B").x


def network(tool: Tool) -> Iterator[tuple[str, Run]]:
    np_ = tool.numpy
    rng = np.random.default_rng(0)
    p = [rng.normal(size=(784, 64)) / 28.0, np.zeros(64), rng.normal(size=(64, 10)) / 8.0, np.zeros(10)]
    x, y = rng.normal(size=(32, 784)), np.eye(10)[rng.integers(0, 10, 32)]

    def loss(p: Any, x: Any, y: Any) -> Any:
        z = np_.tanh(x @ p[0] + p[1]) @ p[2] + p[3]
        return np_.mean(np_.log(np_.sum(np_.exp(z), axis=1)) - np_.sum(z * y, axis=1))

    gradient = tool.grad(loss)
    yield "MLP 784-64-10, batch of 32, gradient", lambda: gradient(p, x, y)


CASES: list[Callable[[Tool], Iterator[tuple[str, Run]]]] = [scalar, three_arrays, valley, loop, descent, network]


def timed(run: Run, wait: Callable[[Any], Any], times: int) -> float:
    start = time.perf_counter()
    for _ in range(times):
        result = run()
    wait(result)
    return (time.perf_counter() - start) / times


def numbers(value: Any) -> Any:
    """A result as one array, to compare tools by."""
    return np.concatenate([numbers(v) for v in value]) if isinstance(value, (tuple, list)) else np.ravel(np.asarray(value))


def shown(seconds: float) -> str:
    return f"{seconds * 1e6:.3g} µs" if seconds < 1e-3 else f"{seconds * 1e3:.3g} ms"


def main() -> None:
    parser = argparse.ArgumentParser(description="Times calls of Gradus beside JAX and Autograd.")
    parser.add_argument("--rounds", type=int, default=20)
    rounds = parser.parse_args().rounds
    present = list(tools())
    for tool in present:
        np_ = tool.numpy
        tool.wait(tool.grad(lambda x: np_.sum(x * x))(np.ones(2)))
    names = [tool.name for tool in present]
    print(f"| call | {' | '.join(names)} | first call: {' | '.join(names)} |")
    print("|---|" + "---:|" * (2 * len(names)))
    for case in CASES:
        for runs in zip(*(case(tool) for tool in present)):
            firsts = [timed(run, tool.wait, 1) for tool, (_, run) in zip(present, runs)]
            values = [numbers(run()) for _, run in runs]
            assert all(np.allclose(v, values[0], rtol=1e-5, atol=1e-5) for v in values), f"tools disagree on {runs[0][0]}"
            once = [timed(run, tool.wait, 1) for tool, (_, run) in zip(present, runs)]
            times = [max(1, int(ROUND / seconds)) for seconds in once]
            best = [math.inf] * len(present)
            for _ in range(rounds):
                found = [timed(run, tool.wait, n) for tool, (_, run), n in zip(present, runs, times)]
                best = list(map(min, best, found))
            cells = " | ".join(map(shown, [*best, *firsts]))
            print(f"| {runs[0][0]} | {cells} |", flush=True)


if __name__ == "__main__":
    main()
