"""Other packages around Gradus: PyTorch, JAX and SciPy."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import gradus
import numpy as np
import pytest

RNG = np.random.default_rng(0)
A, B = RNG.normal(size=(3, 4)), RNG.normal(size=4)


def layer(x: Any, w: Any) -> Any:
    return np.sin(x @ w).sum() + (x * x).sum()


def model(p: Any, *, scale: float = 2.0) -> Any:
    """Has a dict, a list in it, and what is no tensor."""
    hidden = np.tanh(p["w"] @ p["layers"][0]) * p["gain"] * scale
    return {"hidden": hidden, "n": 3, "loss": np.exp(p["layers"][1]).sum()}


def squared(x: float, bound: float) -> float:
    """Loops as often as its value says."""
    while x < bound:
        x = x * x
    return x


@dataclass(frozen=True)
class Line:
    a: Any
    b: Any


def on_line(line: Line, x: Any) -> Any:
    return line.a * x + line.b


class TestTorch:
    @pytest.fixture(autouse=True)
    def _torch(self) -> None:
        self.torch = pytest.importorskip("torch")

    def tensor(self, value: Any, **kwargs: Any) -> Any:
        return self.torch.tensor(value, dtype=kwargs.pop("dtype", self.torch.float64), requires_grad=True, **kwargs)

    def check(self, f: Any, *tensors: Any) -> None:
        assert self.torch.autograd.gradcheck(f, tensors, check_forward_ad=True)
        assert self.torch.autograd.gradgradcheck(f, tensors, check_fwd_over_rev=True)

    def test_arrays(self) -> None:
        self.check(gradus.torch(layer), self.tensor(A), self.tensor(B))

    def test_numbers(self) -> None:
        self.check(gradus.torch(lambda x, y: math.sin(x) * y), self.tensor(0.7), self.tensor(2.0))

    def test_several_results(self) -> None:
        self.check(gradus.torch(lambda x: (x.sum(), x * x)), self.tensor(B))

    def test_nested(self) -> None:
        f = gradus.torch(model)

        def flat(w: Any, h: Any, g: Any) -> Any:
            result = f({"w": w, "layers": [h, w], "gain": g})
            assert result["n"] == 3
            return result["hidden"], result["loss"]

        self.check(flat, self.tensor(A), self.tensor(B), self.tensor(1.5))

    def test_by_name(self) -> None:
        f = gradus.torch(model)
        self.check(lambda w, s: f({"w": w, "layers": [B, w], "gain": 1.5}, scale=s)["hidden"], self.tensor(A), self.tensor(0.5))

    def test_records(self) -> None:
        f = gradus.torch(on_line)
        self.check(lambda a, b, x: f(Line(a, b), x), self.tensor(2.0), self.tensor(1.0), self.tensor(B))

    def test_loops(self) -> None:
        x = self.tensor(1.5)
        f = gradus.torch(squared)
        f(x, 10.0).backward()
        assert x.grad.item() == pytest.approx(8 * 1.5**7)

    def test_ints_and_booleans(self) -> None:
        f = gradus.torch(lambda x, i: (x[i], x > 0.0, i))
        x, i = self.tensor(B), self.torch.tensor([2, 0])
        picked, positive, same = f(x, i)
        assert positive.dtype == self.torch.bool and same.dtype == self.torch.int64
        assert picked.requires_grad and not positive.requires_grad
        picked.sum().backward()
        assert x.grad.tolist() == [1.0, 0.0, 1.0, 0.0]

    def test_third_order(self) -> None:
        x = self.tensor(0.7)
        y = gradus.torch(lambda x: math.sin(x) * x)(x)
        for _ in range(3):
            (y,) = self.torch.autograd.grad(y, x, create_graph=True)
        assert y.item() == pytest.approx(-3 * math.sin(0.7) - 0.7 * math.cos(0.7))

    def test_twice_backwards(self) -> None:
        x = self.tensor(B)
        y = gradus.torch(lambda x: (x**3).sum())(x)
        y.backward(retain_graph=True)
        y.backward()
        assert np.allclose(x.grad.numpy(), 6 * B**2)

    def test_floats_of_32_bits(self) -> None:
        x, w = self.tensor(A, dtype=self.torch.float32), self.tensor(B, dtype=self.torch.float32)
        y = gradus.torch(layer)(x, w)
        y.backward()
        assert y.dtype == x.grad.dtype == self.torch.float32
        assert np.allclose(x.grad.numpy(), np.cos(A @ B)[:, None] * B + 2 * A, atol=1e-5)

    def test_views(self) -> None:
        x = self.tensor(A)
        gradus.torch(lambda x: (x[0] * x[1]).sum())(x.T).backward()
        assert np.allclose(x.grad.numpy()[:, 0], A[:, 1])

    def test_without_gradient(self) -> None:
        with self.torch.no_grad():
            assert not gradus.torch(layer)(self.tensor(A), self.tensor(B)).requires_grad

    def test_in_a_network(self) -> None:
        torch = self.torch
        torch.manual_seed(0)
        inner = torch.nn.Linear(4, 4).double()
        x = torch.from_numpy(A)
        softplus = gradus.torch(lambda z: np.log1p(np.exp(z)))
        softplus(inner(x)).sum().backward()
        found = inner.weight.grad.clone()
        inner.zero_grad()
        torch.nn.functional.softplus(inner(x)).sum().backward()
        assert torch.allclose(found, inner.weight.grad)

    def test_transforms(self) -> None:
        func = self.torch.func
        x, w = self.torch.from_numpy(A), self.torch.from_numpy(B)
        rows = self.torch.stack([x, 2 * x])

        def in_torch(x: Any, w: Any) -> Any:
            return self.torch.sin(x @ w).sum() + (x * x).sum()

        def both(operator: Any, *args: Any) -> None:
            assert self.torch.allclose(operator(gradus.torch(layer))(*args), operator(in_torch)(*args))

        both(func.grad, x, w)
        both(func.jacfwd, x, w)
        both(func.hessian, x, w)
        both(lambda f: func.jacrev(func.grad(f)), x, w)
        both(lambda f: func.vmap(func.grad(f), (0, None)), rows, w)

    def test_backwards_through_vmap(self) -> None:
        x, w = self.tensor(np.stack([A, 2 * A])), self.tensor(B)
        self.torch.func.vmap(gradus.torch(layer), (0, None))(x, w).sum().backward()
        rows = x.detach().numpy()
        assert np.allclose(x.grad.numpy(), np.cos(rows @ B)[..., None] * B + 2 * rows)
        assert np.allclose(w.grad.numpy(), np.einsum("nij,ni->j", rows, np.cos(rows @ B)))

    def test_run_time_sizes(self) -> None:
        def powers(x: float, bound: float) -> Any:
            found = [x]
            while found[-1] < bound:
                found.append(found[-1] * x)
            return sum(found)

        x = self.tensor(2.0)
        gradus.torch(powers)(x, 10.0).backward()
        assert x.grad.item() == 1.0 + 2 * 2.0 + 3 * 4.0 + 4 * 8.0

    def test_refusals(self) -> None:
        with pytest.raises(TypeError, match="complex"):
            gradus.torch(lambda x: x)(self.torch.zeros(2, dtype=self.torch.complex128))


class TestJax:
    @pytest.fixture(autouse=True)
    def _jax(self) -> Any:
        self.jax = pytest.importorskip("jax")
        before = self.jax.config.jax_enable_x64
        self.jax.config.update("jax_enable_x64", True)
        yield
        self.jax.config.update("jax_enable_x64", before)

    def agree(self, a: Any, b: Any) -> None:
        self.jax.tree_util.tree_map(lambda x, y: np.testing.assert_allclose(x, y, rtol=1e-10), a, b)

    def in_jax(self, x: Any, w: Any) -> Any:
        jnp = self.jax.numpy
        return jnp.sin(x @ w).sum() + (x * x).sum()

    def both(self, operator: Any, *args: Any) -> None:
        self.agree(operator(gradus.jax(layer))(*args), operator(self.in_jax)(*args))

    def test_values(self) -> None:
        self.both(lambda f: f, A, B)
        self.both(self.jax.jit, A, B)

    def test_gradients(self) -> None:
        grad = self.jax.grad
        self.both(lambda f: grad(f, (0, 1)), A, B)
        self.both(lambda f: self.jax.jit(grad(f, (0, 1))), A, B)

    def test_second_order(self) -> None:
        self.both(lambda f: self.jax.jacrev(self.jax.grad(f)), A, B)
        self.both(lambda f: self.jax.jit(self.jax.grad(lambda x, w: self.jax.grad(f)(x, w)[0].sum(), (0, 1))), A, B)

    def test_vmap(self) -> None:
        rows = np.stack([A, 2 * A])
        self.both(lambda f: self.jax.vmap(f, (0, None)), rows, B)
        self.both(lambda f: self.jax.jit(self.jax.vmap(self.jax.grad(f), (0, None))), rows, B)

    def test_nested(self) -> None:
        f = gradus.jax(model)

        def total(f: Any) -> Any:
            return lambda p, s: (lambda r: r["hidden"].sum() + r["loss"])(f(p, scale=s))

        def in_jax(p: Any, *, scale: Any) -> Any:
            jnp = self.jax.numpy
            hidden = jnp.tanh(p["w"] @ p["layers"][0]) * p["gain"] * scale
            return {"hidden": hidden, "loss": jnp.exp(p["layers"][1]).sum()}

        p = {"w": A, "layers": [B, A], "gain": 1.5}
        found = self.jax.grad(total(f), (0, 1))(p, 0.5)
        self.agree(found, self.jax.grad(total(in_jax), (0, 1))(p, 0.5))

    def test_records_and_ints(self) -> None:
        f = gradus.jax(lambda line, x, n: on_line(line, x) * n)
        found = self.jax.grad(lambda a: f(Line(a, 1.0), B, 3).sum())(2.0)
        self.agree(found, 3 * B.sum())

    def test_indices(self) -> None:
        f = gradus.jax(lambda x, i: (x[i] ** 2).sum())
        self.agree(self.jax.jit(self.jax.grad(f))(B, np.array([2, 0])), [2 * B[0], 0.0, 2 * B[2], 0.0])

    def test_loops(self) -> None:
        f = self.jax.jit(self.jax.grad(gradus.jax(squared)))
        self.agree(f(1.5, 10.0), 8 * 1.5**7)

    def test_floats_of_32_bits(self) -> None:
        x, w = A.astype(np.float32), B.astype(np.float32)
        value, gradient = self.jax.value_and_grad(gradus.jax(layer))(x, w)
        assert value.dtype == gradient.dtype == np.float32
        assert np.allclose(gradient, self.jax.grad(self.in_jax)(x, w), atol=1e-5)

    def test_without_x64(self) -> None:
        self.jax.config.update("jax_enable_x64", False)
        value, gradient = self.jax.jit(self.jax.value_and_grad(gradus.jax(layer)))(A, B)
        assert value.dtype == gradient.dtype == np.float32


class TestSciPy:
    @pytest.fixture(autouse=True)
    def _scipy(self) -> None:
        pytest.importorskip("scipy")

    def test_minimize(self) -> None:
        from scipy.optimize import minimize

        def rosen(x: Any) -> Any:
            return (100.0 * (x[1:] - x[:-1] ** 2) ** 2 + (1.0 - x[:-1]) ** 2).sum()

        x0 = np.full(10, 0.5)
        found = minimize(gradus.value_and_grad(rosen), x0, jac=True, method="L-BFGS-B")
        assert np.allclose(found.x, 1.0, atol=1e-4)
        found = minimize(rosen, x0, jac=gradus.grad(rosen), hess=gradus.hessian(rosen), method="trust-exact")
        assert np.allclose(found.x, 1.0)
        found = minimize(rosen, x0, jac=gradus.grad(rosen), hessp=lambda x, v: gradus.hvp(rosen, x, v), method="Newton-CG")
        assert np.allclose(found.x, 1.0, atol=1e-4)

    def test_sparse_matrices(self) -> None:
        from scipy.sparse import csr_matrix
        from scipy.sparse.linalg import spsolve

        def rosen(x: Any) -> Any:
            return (100.0 * (x[1:] - x[:-1] ** 2) ** 2 + (1.0 - x[:-1]) ** 2).sum()

        x = np.linspace(0.9, 1.1, 200)
        matrix = csr_matrix(gradus.hessian(rosen, sparse=True)(x))
        assert matrix.nnz == 598
        assert np.array_equal(matrix.toarray(), gradus.hessian(rosen)(x))
        assert matrix.shape == (200, 200) and matrix.has_canonical_format
        for _ in range(8):
            x = x - spsolve(csr_matrix(gradus.hessian(rosen, sparse=True)(x)), gradus.grad(rosen)(x))
        assert np.allclose(x, 1.0)
        rows = csr_matrix(gradus.jacrev(lambda x: x[1:] * x[:-1], sparse=True)(x))
        assert np.array_equal(rows.toarray(), gradus.jacfwd(lambda x: x[1:] * x[:-1])(x))

    def test_minimize_with_arguments(self) -> None:
        from scipy.optimize import minimize

        def distance(x: Any, centre: Any, scale: float) -> Any:
            return scale * ((x - centre) ** 2).sum()

        found = minimize(gradus.value_and_grad(distance), np.zeros(4), args=(B, 3.0), jac=True, method="BFGS")
        assert np.allclose(found.x, B)

    def test_root(self) -> None:
        from scipy.optimize import root

        def equations(x: Any) -> Any:
            return np.array([x[0] ** 2 + x[1] ** 2 - 4.0, x[0] * x[1] - 1.0])

        found = root(gradus.jit(equations), np.array([2.0, 0.3]), jac=gradus.jacfwd(equations))
        assert found.success and np.allclose(equations(found.x), 0.0)

    def test_least_squares(self) -> None:
        from scipy.optimize import least_squares

        t = np.linspace(0.0, 3.0, 20)
        y = 2.5 * np.exp(-1.3 * t)

        def residuals(p: Any) -> Any:
            return p[0] * np.exp(-p[1] * t) - y

        found = least_squares(residuals, np.array([1.0, 1.0]), jac=gradus.jacfwd(residuals))
        assert np.allclose(found.x, [2.5, 1.3])

    def test_solve_ivp(self) -> None:
        from scipy.integrate import solve_ivp

        def robertson(t: float, y: Any) -> Any:
            a, b, c = 0.04 * y[0], 3e7 * y[1] ** 2, 1e4 * y[1] * y[2]
            return np.array([-a + c, a - b - c, b])

        start = np.array([1.0, 0.0, 0.0])
        exact = {"method": "Radau", "rtol": 1e-8, "atol": 1e-10}
        found = solve_ivp(gradus.jit(robertson), (0.0, 40.0), start, jac=gradus.jacfwd(robertson, argnums=1), **exact)
        assert np.allclose(found.y[:, -1], [0.7158271, 9.1855e-06, 0.2841637], rtol=1e-4)


def test_missing_packages(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "torch", None)
    monkeypatch.setitem(__import__("sys").modules, "jax", None)
    with pytest.raises(ImportError, match="pip install torch"):
        gradus.torch(layer)
    with pytest.raises(ImportError, match="pip install jax"):
        gradus.jax(layer)


def test_functions_that_jax_makes_are_captured() -> None:
    jax = pytest.importorskip("jax")
    jax.config.update("jax_enable_x64", True)
    slope, rows = jax.grad(lambda x, y: x**3 * y, argnums=1), jax.vmap(lambda a, b: a * b, in_axes=(0, None))
    both, forwards = jax.value_and_grad(lambda x: x**3), jax.jacfwd(lambda x: x**2)
    f = gradus.grad(lambda x: slope(x, 2.0) + both(x)[1] + forwards(x))
    assert f(2.0) == 3 * 4.0 + 6 * 2.0 + 2.0
    assert gradus.jit(lambda v: rows(v, 2.0))(np.ones(2)).tolist() == [2.0, 2.0]
    key = jax.random.PRNGKey(3)
    assert gradus.jit(lambda: jax.random.uniform(key))() == float(jax.random.uniform(key))
