"""Writes what NumPy and SciPy give for the cases of tests/numpy_surface.rs: tests/numpy/surface.json.

    pip install numpy scipy
    python tests/oracle/numpy_surface.py            # all
    python tests/oracle/numpy_surface.py --check    # write nothing, compare with what is stored

The values are generated once and stored; running the tests needs no Python.

A case is an expression over the inputs below. A line `NAME: EXPRESSION; EXPRESSION` holds cases of one name of the library. After
`~` stand those that are differentiable at these inputs: their derivatives are checked, too. The file holds the inputs, then one
list [name, expression, differentiable, value, single] a line, arguments and values as the command takes arguments. `single` is the
value where the inputs that are arrays of floats are of float32, if there are any.
"""

import ast
import json
import sys
import warnings
from pathlib import Path

import numpy as np
from scipy import integrate, interpolate, linalg, optimize, signal, special, stats

OUT = Path(__file__).resolve().parent.parent / "numpy" / "surface.json"

random = np.random.default_rng(7)


def reals(*shape):
    return np.round(random.normal(size=shape), 3)


root = reals(3, 3)
INPUTS = {
    "s": 0.625,  # a number
    "k": 3,
    "v": reals(4),
    "w": reals(3),
    "o": reals(1),
    "x": reals(3, 4),
    "y": reals(3, 4),
    "c": reals(3, 1),
    "m": reals(3, 3),
    "spd": np.round(root @ root.T + np.eye(3), 3),
    "q": reals(4, 4),
    "t": reals(2, 3, 4),
    "stack_": reals(2, 3, 3),
    "u": np.round(random.uniform(0.1, 0.9, size=5), 3),  # inside of (0, 1)
    "pos": np.round(random.uniform(0.5, 3.0, size=(2, 3)), 3),
    "z": np.array([[2.0, 0.0, 3.0], [0.0, 0.0, -1.5]]),  # zeros among the factors
    "e": np.zeros((0, 3)),
    "e1": np.zeros(0),
    "i": random.integers(-4, 9, size=(2, 3)),
    "iv": random.integers(1, 5, size=4),
    "b": random.integers(0, 2, size=(2, 3)) > 0,
    "bv": np.array([True, False, True, True]),
    "ties": np.array([3.0, 1.0, 3.0, 2.0, 1.0]),
    "bad": np.array([1.0, np.nan, 0.5, -2.0]),
    "far": np.array([np.inf, 1.0, -np.inf, 800.0]),
    "big": np.array([[1000.0, 999.0, -5.0], [0.25, -1000.0, 0.5]]),
    "rank3": np.array([[1.0, 2.0, 3.0, 4.0], [2.0, 4.0, 6.0, 8.0], [1.0, 0.5, 2.0, 1.0], [3.0, 1.0, 1.0, 2.0]]),
}

CASES = """
np.sum: np.sum(e); np.sum(e, axis=0); np.sum(e, axis=1); np.sum(e, 0, keepdims=True); np.sum(i); np.sum(i, axis=-1); np.sum(b); np.sum(b, axis=0); np.sum(s); np.sum(k); np.sum(i, dtype=float); np.sum(np.broadcast_to(v, (3, 4)), axis=0); np.sum([1, 2.5, 3]); np.sum(t, axis=()); x.sum(); x.sum(0); x.sum(axis=1, keepdims=True); np.sum(x, where=x > 0); np.sum(i, axis=0, where=b); np.sum(x, 1, where=bv); np.sum(b, where=b) ~ np.sum(x); np.sum(x, axis=0); np.sum(t, axis=(0, -1)); np.sum(t, axis=1, keepdims=True); np.sum(np.broadcast_to(v, (3, 4))); np.sum(x, axis=0, where=bv)
np.mean: np.mean(i); np.mean(b); np.mean(e, axis=1); np.mean(t, axis=(0, 2)); t.mean(-1); np.mean(o); np.mean(s) ~ np.mean(x, axis=0); np.mean(x); np.mean(t, (1, 2), keepdims=True)
np.prod: np.prod(e); np.prod(e, axis=0); np.prod(i); np.prod(i, axis=1); np.prod(b); np.prod(x, axis=1, keepdims=True); np.prod(s); np.prod(k); x.prod() ~ np.prod(z); np.prod(z, axis=0); np.prod(z, axis=-1); np.prod(t, axis=(0, 2)); np.prod(o)
np.max: np.max(x); np.max(x, axis=0); np.max(i, axis=1); np.max(b, axis=0); np.max(b); np.max(bad); np.max(s); np.max(ties); np.max(t, (0, 1)); x.max(-1); np.max(far) ~ np.max(x, axis=1, keepdims=True); np.max(t, axis=(0, 2))
np.amax: np.amax(x, 0); np.amax(x)
np.min: np.min(x); np.min(i, axis=0); np.min(b); np.min(bad); x.min(axis=(0, 1)); np.min(far) ~ np.min(x, axis=0); np.min(t, axis=-1)
np.amin: np.amin(x, 0); np.amin(x)
np.ptp: np.ptp(x); np.ptp(i, axis=0); np.ptp(x, 1, keepdims=True); np.ptp(bad) ~ np.ptp(x, axis=-1)
np.average: np.average(x); np.average(i, 0); np.average(x, axis=1, weights=[1, 2, 3, 4]); np.average(v, weights=iv); np.average(x, weights=x * x); np.average(x, 0, keepdims=True) ~ np.average(x, 0, weights=w); np.average(v, weights=v * v)
np.median: np.median(x); np.median(x, axis=0); np.median(i, axis=1); np.median(bad); np.median(ties); np.median(t, (0, 2)); np.median(o); np.median(x, 1, keepdims=True) ~ np.median(x); np.median(w); np.median(x, axis=0)
np.quantile: np.quantile(x, 0.3); np.quantile(x, 0, axis=0); np.quantile(x, 1.0, axis=1); np.quantile(i, 0.25); np.quantile(bad, 0.5); np.quantile(t, 0.7, (0, 1), keepdims=True) ~ np.quantile(x, 0.3); np.quantile(x, s, axis=1)
np.percentile: np.percentile(x, 30); np.percentile(x, 62.5, axis=0); np.percentile(ties, 100) ~ np.percentile(x, 30)
np.count_nonzero: np.count_nonzero(z); np.count_nonzero(i > 1, axis=0); np.count_nonzero(b, 1, keepdims=True); np.count_nonzero(bad); np.count_nonzero(e, axis=0)
np.any: np.any(b); np.any(b, axis=1); np.any(i, axis=0); np.any(e, axis=0); np.any(bad); np.any(s); b.any(); np.any(b, keepdims=True)
np.all: np.all(b); np.all(b, axis=1); np.all(i > -9, axis=0); np.all(e, axis=0); np.all(bad); np.all(s); bv.all(0)
np.std: np.std(i); np.std(x, axis=1, ddof=1); x.std(); np.std(x, (0, 1), keepdims=True) ~ np.std(x); np.std(x, axis=0)
np.var: np.var(i, axis=0); np.var(e, axis=1); np.var(x, ddof=2); x.var(1); np.var(o); np.var(o, ddof=1) ~ np.var(x); np.var(t, axis=(0, 2), ddof=1)
np.argmax: np.argmax(x); np.argmax(x, axis=0); np.argmax(x, axis=-1, keepdims=True); np.argmax(ties); np.argmax(bad); np.argmax(i, 1); np.argmax(b); x.argmax(); np.argmax(x, keepdims=True)
np.argmin: np.argmin(x); np.argmin(t, axis=1); np.argmin(ties); np.argmin(bad); np.argmin(i); np.argmin(b, 0); x.argmin(1); np.argmin(far)
np.argsort: np.argsort(x); np.argsort(x, axis=0); np.argsort(i, axis=None); np.argsort(bad); np.argsort(far); np.argsort(e1); np.argsort(o); v.argsort()
np.sort: np.sort(x, axis=None); np.sort(i); np.sort(bad); np.sort(far); np.sort(b, axis=0); np.sort(e, axis=0); np.sort(e); np.sort(ties); np.sort(np.broadcast_to(v, (2, 4))) ~ np.sort(x); np.sort(x, axis=0); np.sort(t, axis=1)
np.cumsum: np.cumsum(i); np.cumsum(i, axis=0); np.cumsum(b); np.cumsum(e, axis=0); np.cumsum(e); np.cumsum(o); x.cumsum(1); np.cumsum(s) ~ np.cumsum(x); np.cumsum(x, axis=0); np.cumsum(t, axis=-2)
np.cumprod: np.cumprod(i); np.cumprod(e, axis=1); np.cumprod(x, axis=1); np.cumprod(o); iv.cumprod() ~ np.cumprod(z); np.cumprod(z, axis=0); np.cumprod(z, axis=1)
np.diff: np.diff(v); np.diff(x, axis=0); np.diff(i, 2); np.diff(bv); np.diff(o); np.diff(x, 0); np.diff(t, 1, 1); np.diff(v, 6) ~ np.diff(v); np.diff(x, 2); np.diff(x, axis=0)
ufuncs: np.add.outer(v, w); np.subtract.outer(x, v); np.multiply.outer(s, i); np.maximum.outer(iv, w); np.add.reduce(x); np.add.reduce(i, axis=1, keepdims=True); np.multiply.reduce(x, axis=None); np.maximum.reduce(x); np.minimum.reduce(i, 1); np.add.accumulate(x); np.multiply.accumulate(iv); np.add.accumulate(i, axis=1) ~ np.multiply.outer(w, x); np.subtract.outer(v, w); np.add.reduce(x); np.multiply.reduce(x); np.add.accumulate(x)
np.unwrap: np.unwrap(x * 5.0); np.unwrap(x * 5.0, axis=0); np.unwrap(v * 9.0, discont=4.0); np.unwrap(o); np.unwrap([0.0, 3.5, 7.5, 1.0, -4.0]) ~ np.unwrap(x * 5.0)
np.trapezoid: np.trapezoid(v); np.trapezoid(i); np.trapezoid(x, dx=0.5); np.trapezoid(x, w, axis=0); np.trapezoid(x, y); np.trapezoid(o) ~ np.trapezoid(x, v); np.trapezoid(v, dx=s); np.trapezoid(x, y, axis=0)
np.dot: np.dot(x, y.T); np.dot(i, i.T); np.dot(t, x.T); np.dot(v, 2.0); np.dot(s, k); np.dot(e, w); np.dot(e.T, e); np.dot(e1, e1); x.dot(v); np.dot([1, 2], [3, 4]) ~ np.dot(x, v); np.dot(v, v); np.dot(t, v); np.dot(s, x); np.dot(c, c.T)
np.matmul: i @ i.T; np.matmul(b, b.T); np.matmul(t, x.T); t @ v; w @ t; np.matmul(e, e.T); np.matmul(e.T, e); e @ w; stack_ @ m; m @ stack_; stack_[:1] @ stack_; np.matmul(o, o) ~ x @ v; w @ x; x @ y.T; stack_ @ stack_; np.broadcast_to(v, (3, 4)) @ x.T; v @ v
np.inner: np.inner(i, i); np.inner(t, x); np.inner(2.0, v); np.inner(x, v) ~ np.inner(v, v); np.inner(x, y); np.inner(m, w)
np.outer: np.outer(i, iv); np.outer(s, v); np.outer(e1, v) ~ np.outer(w, v); np.outer(m, w)
np.vdot: np.vdot(iv, iv); np.vdot(e, e) ~ np.vdot(v, v); np.vdot(x, y)
np.tensordot: np.tensordot(t, t, 3); np.tensordot(w, v, 0); np.tensordot(t, m, axes=(1, 0)); np.tensordot(i, i, ((0, 1), (0, 1))); np.tensordot(x, t, ([0, 1], [1, 2])); np.tensordot(x, t, axes=([1, 0], [2, 1])); np.tensordot(e, m, 1) ~ np.tensordot(x, v, 1); np.tensordot(t, x, ((-1,), (-1,))); np.tensordot(x, y)
np.einsum: np.einsum("ij,jk", m, x); np.einsum("ij->ji", x); np.einsum("ba", x); np.einsum("ii", m); np.einsum("ii->i", m); np.einsum("i,i", iv, iv); np.einsum("ij,ij->i", i, i); np.einsum("ijk->j", t); np.einsum("i,j->ij", w, v); np.einsum("i->", e1); np.einsum("ij,ij->j", e, e); np.einsum("ijj->i", stack_); np.einsum("ij,k->", x, w) ~ np.einsum("ij,jk,k->i", m, x, v); np.einsum("bij,bjk->bik", stack_, stack_); np.einsum("ij,ij", x, y); np.einsum("ij,ij->i", x, y); np.einsum("i,ij,j", w, x, v); np.einsum("bij,kj->bki", t, x); np.einsum("ii->i", m); np.einsum("bii", stack_)
np.cross: np.cross(w, [1, 2, 3]); np.cross(m, w); np.cross(i, i[0]); np.cross(e, w); np.cross(w[:2], [1, 2]); np.cross(x[:, :2], w[1:]) ~ np.cross(m, w); np.cross(w, stack_); np.cross(x[:, :2], y[:, 1:3])
np.convolve: np.convolve(v, w); np.convolve(w, v, "same"); np.convolve(v, [1, -1], "same"); np.convolve(v, w, mode="valid"); np.convolve(iv, [1, 2]); np.convolve(v, u, "same"); np.convolve(o, v) ~ np.convolve(v, w); np.convolve(v, w, "same"); np.convolve(v, w, "valid")
np.polyval: np.polyval(v, s); np.polyval(w, x); np.polyval(iv, i); np.polyval([1, 0, 2], 3); np.polyval(e1, x) ~ np.polyval(v, x); np.polyval(w, s)
np.kron: np.kron(iv, iv); np.kron(s, v); np.kron(i, b) ~ np.kron(w, v); np.kron(m, c); np.kron(v, x)
np.trace: np.trace(i); np.trace(x, offset=1); np.trace(x, -1); np.trace(t); np.trace(t, 0, 1, 2); np.trace(b); m.trace() ~ np.trace(m); np.trace(t, axis1=0, axis2=2)
np.diag: np.diag(iv); np.diag(v, 1); np.diag(v, -2); np.diag(x); np.diag(x, 2); np.diag(x, -1); np.diag(x, 9); np.diag(e1); np.diag(bv) ~ np.diag(v); np.diag(m); np.diag(w, -1)
np.diagonal: np.diagonal(x); np.diagonal(t, 1, 1, 2); np.diagonal(t, 0, -1, 0); m.diagonal(); np.diagonal(x, -9) ~ np.diagonal(t); np.diagonal(x, 1)
np.tril: np.tril(i); np.tril(b, -1); np.tril(t); np.tril(w) ~ np.tril(m); np.tril(x, 1)
np.triu: np.triu(i, 1); np.triu(t, -1); np.triu(e) ~ np.triu(m); np.triu(x, -1)
np.eye: np.eye(3); np.eye(2, 3); np.eye(3, 4, 1); np.eye(3, k=-1); np.eye(2, dtype=int); np.eye(0); np.eye(2, dtype=bool)
np.identity: np.identity(2); np.identity(3, int); np.identity(1)
np.tri: np.tri(3); np.tri(2, 4, 1); np.tri(3, k=-1, dtype=int)
np.vander: np.vander(w); np.vander(v, 3); np.vander(iv, increasing=True); np.vander(w, 0); np.vander(w, 1) ~ np.vander(v, 3, True); np.vander(w)
np.zeros: np.zeros(3); np.zeros((2, 3)); np.zeros((), int); np.zeros((0, 2)); np.zeros(2, dtype=bool); np.zeros(x.shape, np.int64)
np.ones: np.ones(3); np.ones((2, 1), dtype=int); np.ones(()); np.ones([2, 2])
np.full: np.full(3, 2); np.full((2, 2), 1.5); np.full((2,), 3, dtype=float); np.full((2, 3), [1, 2, 3]); np.full(2, True) ~ np.full((2, 2), s); np.full((2, 3), w)
np.empty: np.empty((2, 3)).shape; np.empty(2, int).shape
np.zeros_like: np.zeros_like(x); np.zeros_like(i); np.zeros_like(b); np.zeros_like(x, dtype=int); np.zeros_like(s)
np.ones_like: np.ones_like(x); np.ones_like(i, float); np.ones_like(b)
np.full_like: np.full_like(x, 2); np.full_like(i, 2.7); np.full_like(b, 3) ~ np.full_like(x, s)
np.arange: np.arange(5); np.arange(2, 7); np.arange(7, 2, -2); np.arange(0); np.arange(3, 1); np.arange(1, 8, 3); np.arange(4, dtype=float); np.arange(3.0); np.arange(3.0) // 2; np.arange(2, 4.5); np.arange(1, 2, 0.25)
np.linspace: np.linspace(0, 1, 5); np.linspace(2.0, 3.0); np.linspace(0, 1, 4, endpoint=False); np.linspace(0, 1, 1); np.linspace(0, 1, 0); np.linspace(1, 9, 5, dtype=int) ~ np.linspace(s, 2.0, 4); np.linspace(w, 1.0, 3)
np.array: np.array([1, 2, 3]); np.array([[1.5, 2], [3, 4]]); np.array([True, False]); np.array([]); np.array(5); np.array([1, 2], dtype=float); np.array([w, w]); np.array([1.9, -1.9], int) ~ np.array([s, 2.0, s * s]); np.array([[s, 1.0], [2.0, s]])
np.asarray: np.asarray([1, 2]); np.asarray(x, dtype=int); np.asarray(s)
np.copy: np.copy(x); x.copy(); np.copy(i)
np.astype: x.astype(int); i.astype(float); b.astype(np.float64); x.astype(bool); b.astype(int); i.astype("float64")
np.reshape: np.reshape(x, (4, 3)); np.reshape(x, -1); np.reshape(x, (2, -1)); x.reshape(2, 6); x.reshape((6, 2)); x.reshape(-1); np.reshape(e, (3, 0)); np.reshape(s, (1, 1)); np.reshape(o, ()); np.reshape(i, (3, 2)); np.reshape(x.T, (3, 4)); np.reshape(np.broadcast_to(v, (3, 4)), (2, 6)) ~ np.reshape(x, (2, 3, 2)); x.T.reshape(12)
np.ravel: np.ravel(x.T); np.ravel(s); np.ravel(e); t.ravel(); x.flatten() ~ np.ravel(m.T)
np.expand_dims: np.expand_dims(v, 0); np.expand_dims(v, -1); np.expand_dims(x, (0, 2)); np.expand_dims(s, 0); np.expand_dims(x, axis=(-1, 0)) ~ np.expand_dims(v, 1)
np.squeeze: np.squeeze(c); np.squeeze(c, 1); np.squeeze(o); np.squeeze(x); np.squeeze(np.zeros((1, 3, 1)), axis=(0, -1)); c.squeeze(-1) ~ np.squeeze(c)
np.swapaxes: np.swapaxes(t, 0, 2); np.swapaxes(t, -1, -2); x.swapaxes(0, 1) ~ np.swapaxes(t, 0, 1)
np.moveaxis: np.moveaxis(t, 0, -1); np.moveaxis(t, [0, 1], [-1, 0]); np.moveaxis(t, 2, 0) ~ np.moveaxis(t, -1, 0)
np.transpose: np.transpose(x); np.transpose(t, (1, 0, 2)); x.T; t.T; v.T; t.transpose(2, 0, 1); t.transpose((0, 2, 1)); np.transpose(t, (-1, 0, 1)); t.transpose() ~ np.transpose(t, (2, 0, 1)); x.T
np.broadcast_to: np.broadcast_to(s, (2, 2)); np.broadcast_to(v, (2, 3, 4)); np.broadcast_to(k, 3); np.broadcast_to(e, (2, 0, 3)) ~ np.broadcast_to(c, (3, 4)); np.broadcast_to(o, (3, 2))
np.broadcast_arrays: np.broadcast_arrays(v, c); np.broadcast_arrays(s, x, iv); np.broadcast_arrays(x) ~ np.broadcast_arrays(c, v)[0]
np.concatenate: np.concatenate((v, w)); np.concatenate([x, y], axis=1); np.concatenate([x, v], axis=None); np.concatenate([i, e]); np.concatenate([e, e]); np.concatenate([i, b]); np.concatenate((iv,)); np.concatenate(x) ~ np.concatenate([v, w, v]); np.concatenate([x, y], -1); np.concatenate(m)
np.stack: np.stack([v, v]); np.stack([v, iv], axis=1); np.stack((x, y), axis=-1); np.stack([s, k]) ~ np.stack([x, y], 1); np.stack([s, s * s])
np.vstack: np.vstack([v, v]); np.vstack([x, v]); np.vstack((s, 2)) ~ np.vstack([x, v])
np.hstack: np.hstack([v, w]); np.hstack([x, c]); np.hstack((s, v)) ~ np.hstack([x, c])
np.column_stack: np.column_stack([v, iv]); np.column_stack((w, x)) ~ np.column_stack([w, x])
np.dstack: np.dstack((v, v)); np.dstack([x, y])
np.split: np.split(v, 2); np.split(x, [1], axis=1); np.split(v, (1, 3)); np.split(v, [-1]); np.split(iv, [2, 9])
np.repeat: np.repeat(v, 2); np.repeat(x, 2, axis=0); np.repeat(x, 3, -1); np.repeat(w, [1, 0, 2]); np.repeat(i, 2); np.repeat(s, 3); np.repeat(v, 0); v.repeat(2) ~ np.repeat(x, 2, axis=1); np.repeat(w, [2, 0, 1])
np.tile: np.tile(v, 2); np.tile(x, (2, 1)); np.tile(v, (2, 2)); np.tile(x, (2, 1, 2)); np.tile(s, 3); np.tile(v, 0) ~ np.tile(x, (2, 2)); np.tile(c, (1, 1, 2))
np.roll: np.roll(v, 1); np.roll(v, -5); np.roll(x, 1); np.roll(x, 1, axis=0); np.roll(x, (1, 2), axis=(0, 1)); np.roll(i, 2, -1); np.roll(e, 1, axis=0); np.roll(v, 0) ~ np.roll(x, -1, 1); np.roll(x, 3)
np.flip: np.flip(v); np.flip(x); np.flip(t, 1); np.flip(t, (0, -1)); np.flip(e) ~ np.flip(x, 0)
np.flipud: np.flipud(x); np.flipud(v) ~ np.flipud(m)
np.fliplr: np.fliplr(i); np.fliplr(t) ~ np.fliplr(x)
np.append: np.append(v, 2.5); np.append(x, y); np.append(x, y, axis=1); np.append(iv, [1, 2]); np.append(e1, s) ~ np.append(v, w); np.append(x, y, 0)
np.pad: np.pad(v, 2); np.pad(x, (1, 2)); np.pad(x, ((0, 1), (2, 0)), constant_values=3); np.pad(i, 1, "edge"); np.pad(v, 5, mode="wrap"); np.pad(v, (3, 6), "reflect"); np.pad(v, 6, "symmetric"); np.pad(o, 2, "reflect"); np.pad(e, 1); np.pad(x, ((1, 1),), "edge"); np.pad(bv, 1) ~ np.pad(x, 1, "edge"); np.pad(v, (1, 2)); np.pad(x, 2, "reflect")
np.atleast_1d: np.atleast_1d(s); np.atleast_1d(x)
np.atleast_2d: np.atleast_2d(s); np.atleast_2d(v); np.atleast_2d(t) ~ np.atleast_2d(v)
np.atleast_3d: np.atleast_3d(s); np.atleast_3d(v); np.atleast_3d(x); np.atleast_3d(t)
np.clip: np.clip(x, -0.5, 0.5); np.clip(i, 0, 3); np.clip(x, None, 0.1); np.clip(x, 0.1, None); np.clip(x, c, 2.0); x.clip(-1, 1); x.clip(min=0.0); np.clip(bad, -1, 1); np.clip(i, 0.5, 2.5); np.clip(x, a_min=0.0, a_max=1.0) ~ np.clip(x, -0.5, 0.5)
np.where: np.where(x > 0, x, 0); np.where(b, i, -1); np.where(b, i, 0.5); np.where(x > 0, v, c); np.where(True, x, y); np.where(s > 0, 1.0, 2.0); np.where([True, False, True], w, 0.0); np.where(i, i, 1) ~ np.where(x > 0, np.sqrt(np.abs(x)), x * x); np.where(b, 1.0, s)
np.float_power: np.float_power(i, 2); np.float_power(pos, 0.5); np.float_power(2, -1) ~ np.float_power(pos, pos)
np.heaviside: np.heaviside(z, 0.5); np.heaviside(i, 1); np.heaviside(bad, 0.0); np.heaviside(s, 0.5) ~ np.heaviside(x, 0.5)
np.fix: np.fix(x); np.fix(far); np.fix(s)
np.ldexp: np.ldexp(x, i[0, 0]); np.ldexp(1.5e-300, 2000); np.ldexp(1, k) ~ np.ldexp(x, 3)
np.divmod: np.divmod(x, 0.7); np.divmod(i, 3); np.divmod(7, k)
np.modf: np.modf(x); np.modf(i); np.modf(z); np.modf(far); np.modf(bad); np.modf(s) ~ np.modf(x)[0]
np.isclose: np.isclose(x, x + 1e-9); np.isclose(far, far); np.isclose(bad, bad); np.isclose(bad, bad, equal_nan=True); np.isclose(x, y, rtol=1.0); np.isclose(i, 2); np.isclose(1.0, 1.0 + 1e-6); np.isclose(far, 1.0, 10.0)
np.allclose: np.allclose(x, x); np.allclose(x, y); np.allclose(bad, bad); np.allclose(v, v + 1e-3, atol=1e-2); np.allclose(e, 1.0)
np.logaddexp: np.logaddexp(x, y); np.logaddexp(far, far); np.logaddexp(far, 1.0); np.logaddexp(0.0, -40.0); np.logaddexp(s, 2); np.logaddexp(i, 1) ~ np.logaddexp(x, y); np.logaddexp(v, v); np.logaddexp(c, s)
np.maximum: np.maximum(x, 0.0); np.maximum(i, 2); np.maximum(bad, 0.0); np.maximum(x, c); np.maximum([1, 5], [3, 2]); np.maximum(b, False) ~ np.maximum(x, y)
np.minimum: np.minimum(x, 0.0); np.minimum(i, i.T.reshape(2, 3)); np.minimum(bad, 0.0); np.minimum(b, True) ~ np.minimum(x, c)
np.square: np.square(i); np.square(s); np.square([1.5, 2]) ~ np.square(x)
np.sign: np.sign(x); np.sign(i); np.sign(z); np.sign(bad)
np.abs: np.abs(x); np.abs(i); np.absolute(v); abs(x) ~ np.abs(x)
np.power: np.power(x, 2); np.power(i, 3); np.power(pos, 0.5); np.power(2.0, i); pos ** pos; np.power(pos, i); x ** 3 ~ np.power(pos, 1.7); pos ** pos; x ** 3; np.power(2.0, pos)
np.take: np.take(v, 2); np.take(v, [0, -1, 2]); np.take(x, [1, 1], axis=0); np.take(x, [[0, 1], [2, 3]], axis=1); np.take(x, 5); np.take(t, [1, 0], axis=-2); np.take(i, 1, 1); v.take(iv - 1) ~ np.take(x, [2, 0, 2], axis=0); np.take(x, [3, 3, 0], axis=1)
np.compress: np.compress([True, False, True], x, axis=0); np.compress([0, 1, 1], i); np.compress([False], v); np.compress((True, True, False, True), v) ~ np.compress([False, True, True, True], x, axis=1)
np.take_along_axis: np.take_along_axis(x, np.argsort(x, axis=1), axis=1); np.take_along_axis(x, np.argmax(x, axis=0, keepdims=True), 0); np.take_along_axis(v, np.array([0, -1]), 0) ~ np.take_along_axis(x, np.argsort(x, axis=0), 0)
np.round: np.round(x); np.round(x, 1); np.round(i); np.round(x, -1); x.round(2); np.round(2.5)
np.shape: np.shape(x); x.shape; s * np.shape(v)[0]; np.ndim(t); x.ndim; np.size(t); x.size; np.shape(2.0); len(x)
np.item: o.item(); x.item(1, 2); v.item(2); np.sum(x).item() ~ o.item(); x.item(0, 1)
limits: np.finfo(float).eps * s; np.finfo(np.float64).max; np.finfo(x.dtype).min; np.finfo(np.float32).eps * 1.0; np.finfo(float).tiny; np.iinfo(int).max; np.iinfo(np.int64).min
np.tolist: x.tolist(); i.tolist(); o.tolist(); v.flat[2]; x.flat[5]; x.conj(); np.isscalar(2.0); np.isscalar(x); np.isscalar(k); np.euler_gamma * s
np.linalg.det: np.linalg.det(m); np.linalg.det(q); np.linalg.det(stack_); np.linalg.det(i @ i.T); np.linalg.det(np.eye(1)) ~ np.linalg.det(m); np.linalg.det(q); np.linalg.det(m[:2, :2]); np.linalg.det(stack_); np.linalg.det(rank3)
np.linalg.inv: np.linalg.inv(m); np.linalg.inv(stack_) ~ np.linalg.inv(m); np.linalg.inv(q)
np.linalg.solve: np.linalg.solve(m, w); np.linalg.solve(m, x); np.linalg.solve(stack_, stack_); np.linalg.solve(m, [1, 2, 3]); np.linalg.solve(stack_, m) ~ np.linalg.solve(m, w); np.linalg.solve(spd, x)
np.linalg.norm: np.linalg.norm(x); np.linalg.norm(v, 1); np.linalg.norm(v, np.inf); np.linalg.norm(v, -np.inf); np.linalg.norm(v, 0); np.linalg.norm(v, 3); np.linalg.norm(x, "fro"); np.linalg.norm(x, 1); np.linalg.norm(x, np.inf); np.linalg.norm(x, -np.inf); np.linalg.norm(x, -1); np.linalg.norm(x, axis=0); np.linalg.norm(t, axis=(0, 2)); np.linalg.norm(t, 1, axis=(1, 2)); np.linalg.norm(x, 2, 1, True); np.linalg.norm(iv); np.linalg.norm(v, 2.5) ~ np.linalg.norm(x); np.linalg.norm(v, 1); np.linalg.norm(x, axis=1); np.linalg.norm(v, 3); np.linalg.norm(v, np.inf); np.linalg.norm(x, 1); np.linalg.norm(v, 2)
np.linalg.matrix_power: np.linalg.matrix_power(m, 3); np.linalg.matrix_power(m, 0); np.linalg.matrix_power(m, -2); np.linalg.matrix_power(stack_, 2); np.linalg.matrix_power(i @ i.T, 5); np.linalg.matrix_power(m, 1) ~ np.linalg.matrix_power(m, 4); np.linalg.matrix_power(m, -1)
np.linalg.cholesky: np.linalg.cholesky(spd); np.linalg.cholesky(np.eye(2)) ~ np.linalg.cholesky(spd)
np.linalg.slogdet: np.linalg.slogdet(m); np.linalg.slogdet(q); np.linalg.slogdet(stack_) ~ np.linalg.slogdet(m)[1]; np.linalg.slogdet(q)[1]
np.meshgrid: np.meshgrid(v, w); np.meshgrid(v, w, indexing="ij"); np.meshgrid(s, iv, w); np.meshgrid(x, v)[0] ~ np.meshgrid(v, w)[1]
np.indices: np.indices((2, 3)); np.indices((3,))
np.diag_indices: np.diag_indices(3); x[np.diag_indices(3)] ~ x[np.diag_indices(3)]
np.tril_indices: np.tril_indices(3); np.tril_indices(3, -1); np.tril_indices(3, 1, 4); np.tril_indices(2, -5); x[np.tril_indices(3, 0, 4)] ~ m[np.tril_indices(3)]
np.triu_indices: np.triu_indices(3); np.triu_indices(4, 2); np.triu_indices(3, -1, 4); np.triu_indices(2, k=9) ~ m[np.triu_indices(3, 1)]
np.delete: np.delete(v, 1); np.delete(x, [0, -1], axis=1); np.delete(x, 2, 0); np.delete(i, 3); np.delete(v, [0, 0, 2]); np.delete(o, 0) ~ np.delete(x, 1, axis=1)
np.insert: np.insert(v, 1, 5.0); np.insert(x, 1, w, axis=1); np.insert(x, -1, 2, axis=0); np.insert(i, 2, 9); np.insert(v, 4, [1, 2]); np.insert(iv, 1, 2.7); np.insert(x, 1, x, axis=0) ~ np.insert(x, 2, w, axis=1); np.insert(v, 0, w)
np.searchsorted: np.searchsorted(np.sort(u), u); np.searchsorted(np.sort(ties), ties, side="right"); np.searchsorted([1, 2, 3], 2); np.searchsorted(np.sort(bad), bad); np.searchsorted(np.sort(bad), bad, "right"); np.searchsorted(np.sort(v), x); np.searchsorted([1.0, 2.0], far)
np.isin: np.isin(i, [1, 3]); np.isin(ties, 3.0); np.isin(ties, [2.0, 1.0], invert=True); np.isin(k, [3]); np.isin(bad, bad); np.isin(i, iv)
np.digitize: np.digitize(x, [-1, 0.0, 1]); np.digitize(ties, [1.0, 2.0, 3.0], right=True); np.digitize(ties, [3.0, 2.0, 1.0]); np.digitize(ties, [3.0, 2.0, 1.0], right=True); np.digitize(s, [0.0]); np.digitize(i, [0, 3])
np.interp: np.interp(x, [-1, 0.5, 2], [3.0, 1.0, 2.0]); np.interp(i, [0, 1, 4], [1, 5, 2], left=-9, right=9.5); np.interp(s, [0.25], [2.0]); np.interp(bad, [0.0, 1.0], [1.0, 2.0]); np.interp(x, [0.5, 2.0, 1.0], [1.0, 3.0, 2.0], period=2.5); np.interp(u, np.sort(u), ties); np.interp(far, [0, 1], [1, 2]) ~ np.interp(x, [-1.0, 0.4, 1.9], w); np.interp(u * 3.0, np.cumsum(pos[0]), w)
np.select: np.select([x > 0.5, x > 0], [x, 10 * x], 7.0); np.select([i > 3, i > 0], [i, -i]); np.select([b, b], [pos, i]) ~ np.select([x > 0.5, x > 0], [x * x, np.sin(x)], 7.0)
np.histogram: np.histogram(x); np.histogram(x, 4); np.histogram(i, bins=3, range=(0, 6)); np.histogram(x, [-1, 0, 0.5, 2]); np.histogram(x, 3, density=True); np.histogram(v, 2, weights=iv); np.histogram(o, 2) ~ np.histogram(v, [-3.0, 0.0, 3.0], weights=v * v)[0]
np.logspace: np.logspace(0, 2, 5); np.logspace(-1, s, 4, base=2.0); np.logspace(0, 3, 3, endpoint=False) ~ np.logspace(0.0, s, 4)
np.geomspace: np.geomspace(1, 1000, 4); np.geomspace(-2.0, -0.25, 4); np.geomspace(1, 256, 8, endpoint=False); np.geomspace(2, 5, 1) ~ np.geomspace(s, pos, 4)
np.nan_to_num: np.nan_to_num(bad); np.nan_to_num(far); np.nan_to_num(bad, nan=2.5); np.nan_to_num(far, posinf=1.0, neginf=-2.0); np.nan_to_num(i) ~ np.nan_to_num(x)
np.sinc: np.sinc(x); np.sinc(i); np.sinc(0.0); np.sinc(1e-5) ~ np.sinc(x); np.sinc(z)
np.array_equal: np.array_equal(x, x); np.array_equal(x, y); np.array_equal(x, v); np.array_equal(i, [1, 2]); np.array_equal(bad, bad)
np.fromfunction: np.fromfunction(lambda i, j: 2 * i - j, (3, 4)); np.fromfunction(lambda i: i * s, (3,)) ~ np.fromfunction(lambda i, j: s * i ** j, (2, 3))
np.nansum: np.nansum(bad); np.nansum(x, axis=0); np.nansum(i); np.nansum(np.where(x > 0, x, np.nan), axis=1) ~ np.nansum(np.where(x > 0, x, np.nan), axis=0)
np.nanprod: np.nanprod(bad); np.nanprod(np.where(x > 0, x, np.nan), axis=1, keepdims=True) ~ np.nanprod(np.where(x > 0, x, np.nan))
np.nancumsum: np.nancumsum(bad); np.nancumsum(np.where(x > 0, x, np.nan), 1) ~ np.nancumsum(x, 0)
np.nanmean: np.nanmean(bad); np.nanmean(np.where(x > 0, x, np.nan), axis=1); np.nanmean(i) ~ np.nanmean(np.where(x > 0, x, np.nan))
np.nanvar: np.nanvar(bad); np.nanvar(x, axis=0, ddof=1); np.nanvar(np.where(x > 0, x, np.nan), keepdims=True); np.nanvar([1.0, np.nan], ddof=1) ~ np.nanvar(np.where(x > 0, x, np.nan))
np.nanstd: np.nanstd(bad); np.nanstd(x, 1) ~ np.nanstd(np.where(x > 0, x, np.nan))
np.nanmax: np.nanmax(bad); np.nanmax(x, axis=1); np.nanmax(np.where(x > 0, x, np.nan), 0) ~ np.nanmax(np.where(x > 0, x, np.nan)); np.nanmax(x, 0)
np.nanmin: np.nanmin(bad); np.nanmin(x, axis=1, keepdims=True); np.nanmin([np.nan, np.nan]) ~ np.nanmin(np.where(x > 0, x, np.nan)); np.nanmin(x, 1)
np.gradient: np.gradient(v); np.gradient(x); np.gradient(x, 0.5, axis=1); np.gradient(v, iv.cumsum()); np.gradient(x, 2.0, 0.5); np.gradient(v, edge_order=2); np.gradient(x, [1.0, 3.0, 4.0], 2, edge_order=2); np.gradient(i, axis=1) ~ np.gradient(x, axis=1); np.gradient(v, np.cumsum(1.0 + v * v)); np.gradient(x, axis=0, edge_order=2)
np.ediff1d: np.ediff1d(x); np.ediff1d(i) ~ np.ediff1d(x)
np.cov: np.cov(x); np.cov(v); np.cov(x, rowvar=False); np.cov(v, iv, bias=True); np.cov(x, y, ddof=0); np.cov(i) ~ np.cov(x); np.cov(v, v * v)
np.corrcoef: np.corrcoef(x); np.corrcoef(v, iv); np.corrcoef(v); np.corrcoef(x, rowvar=False) ~ np.corrcoef(x); np.corrcoef(v, v * v)[0, 1]
np.array_split: np.array_split(v, 3); np.array_split(x, 3, axis=1); np.array_split(w, 5); np.array_split(v, [1]) ~ np.array_split(v, 3)[0]
np.hsplit: np.hsplit(x, 2); np.hsplit(v, [1, 3]) ~ np.hsplit(x, 2)[1]
np.vsplit: np.vsplit(x, 3); np.vsplit(q, [1]) ~ np.vsplit(x, [1])[1]
np.rollaxis: np.rollaxis(t, 2); np.rollaxis(t, 0, 3); np.rollaxis(t, 1, 2); np.rollaxis(t, -1, -2) ~ np.rollaxis(t, 2)
np.rot90: np.rot90(x); np.rot90(x, 2); np.rot90(x, -1); np.rot90(t, 1, (1, 2)); np.rot90(i, 4); np.rot90(x, 1, (1, 0)) ~ np.rot90(x, 3)
np.resize: np.resize(v, (2, 3)); np.resize(x, 5); np.resize(i, (2, 2, 2)); np.resize(e1, 3) ~ np.resize(v, (3, 3))
np.diagflat: np.diagflat(v); np.diagflat(pos, 1); np.diagflat(s) ~ np.diagflat(pos)
np.correlate: np.correlate(u, w); np.correlate(w, u, "full"); np.correlate(u, w, mode="same"); np.correlate(v, w, "full"); np.correlate(iv, [1, 2]) ~ np.correlate(u, w, "full"); np.correlate(w, u, "valid")
np.polyadd: np.polyadd(v, w); np.polyadd([1, 2], 3); np.polysub(w, v); np.polysub(iv, s) ~ np.polyadd(v, w); np.polysub(w, v)
np.polymul: np.polymul(v, w); np.polymul([1, 2], [1, -2]) ~ np.polymul(v, w)
np.polyder: np.polyder(v); np.polyder(iv, 2); np.polyder(w, 3) ~ np.polyder(v)
np.polyint: np.polyint(v); np.polyint(iv, 2); np.polyint(w, 2, [1.0, 2.0]); np.polyint(w, k=3) ~ np.polyint(v, 2)
np.polyfit: np.polyfit(u, ties, 2); np.polyfit(iv * 1.0 + v, x.T, 1); np.polyfit(u, ties, 1, w=u); np.polyfit([0, 1, 2], [1, 3, 7], 2) ~ np.polyfit(u, ties, 2)
np.linalg.eigvalsh: np.linalg.eigvalsh(spd); np.linalg.eigvalsh(stack_); np.linalg.eigvalsh(q, UPLO="U"); np.linalg.eigvalsh(np.eye(3)); np.linalg.eigvalsh(rank3 + rank3.T); np.linalg.eigvalsh(i @ i.T) ~ np.linalg.eigvalsh(spd)
np.linalg.eigh: np.linalg.eigh(spd)[0]; np.linalg.eigh(spd)[1]; np.linalg.eigh(stack_)[1]; np.linalg.eigh(q, "U")[1]; np.linalg.eigh(spd.astype(float) * 1e200)[0] / 1e200; np.linalg.eigh(spd.astype(float) * 1e-200)[1] ~ np.linalg.eigh(spd)[0]; np.linalg.eigh(q)[1] @ (np.exp(np.linalg.eigh(q)[0])[:, None] * np.linalg.eigh(q)[1].T)
np.linalg.qr: np.linalg.qr(m); np.linalg.qr(x); np.linalg.qr(x.T); np.linalg.qr(x.T, "complete")[1]; np.linalg.qr(x, mode="r"); np.linalg.qr(stack_); np.linalg.qr(np.eye(3)) ~ np.linalg.qr(m)[0]; np.linalg.qr(x)[1]; np.linalg.qr(x.T)[0]
np.linalg.svd: np.linalg.svd(x)[1]; np.linalg.svd(m)[0]; np.linalg.svd(x, full_matrices=False)[2]; np.abs(np.linalg.svd(x)[2][3]); np.abs(np.linalg.svd(x.T)[0]); np.linalg.svd(x, compute_uv=False); np.linalg.svd(stack_, compute_uv=False); np.linalg.svd(stack_)[2]; np.linalg.svd(np.zeros((2, 2)))[1]; np.linalg.svd(x.T, full_matrices=False)[0].shape; np.linalg.svd(x.astype(float) * 1e200)[1] / 1e200; np.linalg.svd(m.astype(float) * 1e-200)[0] ~ np.linalg.svd(m.astype(float) * 1e200)[0]; np.linalg.svd(x, compute_uv=False); np.linalg.svd(m)[0]; np.linalg.svd(x, full_matrices=False)[2]
np.linalg.svdvals: np.linalg.svdvals(x); np.linalg.svdvals(stack_) ~ np.linalg.svdvals(q)
np.linalg.pinv: np.linalg.pinv(x); np.linalg.pinv(x.T); np.linalg.pinv(stack_); np.linalg.pinv(np.outer(v, w)); np.linalg.pinv(m, rcond=0.3) ~ np.linalg.pinv(x); np.linalg.pinv(x.T)
np.linalg.lstsq: np.linalg.lstsq(x.T, v); np.linalg.lstsq(x, w); np.linalg.lstsq(x.T, q, rcond=None); np.linalg.lstsq(m, x) ~ np.linalg.lstsq(x.T, v)[1]
np.linalg.matrix_rank: np.linalg.matrix_rank(x); np.linalg.matrix_rank(np.outer(v, w)); np.linalg.matrix_rank(rank3); np.linalg.matrix_rank(stack_); np.linalg.matrix_rank(x, tol=1.5)
np.linalg.cond: np.linalg.cond(m); np.linalg.cond(x); np.linalg.cond(stack_); np.linalg.cond(m, 1); np.linalg.cond(m, "fro") ~ np.linalg.cond(m); np.linalg.cond(m, np.inf)
np.linalg.multi_dot: np.linalg.multi_dot([x, v]); np.linalg.multi_dot([m, x, q]) ~ np.linalg.multi_dot([m, x, q])
special.logsumexp: special.logsumexp(x); special.logsumexp(x, axis=0); special.logsumexp(x, 1, keepdims=True); special.logsumexp(big, axis=1); special.logsumexp(far); special.logsumexp(far[2:3]); special.logsumexp(t, axis=(0, 2)); special.logsumexp(s); special.logsumexp(i) ~ special.logsumexp(x); special.logsumexp(x, axis=-1); special.logsumexp(big, axis=1)
special.expit: special.expit(x); special.expit(i); special.expit(far); special.expit(s) ~ special.expit(x)
special.gammaln: special.gammaln(pos); special.gammaln(x); special.gammaln(iv); special.gammaln(100.5); special.gammaln(1e10) ~ special.gammaln(pos); special.gammaln(x)
special.erfinv: special.erfinv(u); special.erfinv(-u); special.erfinv([0.0, 1.0, -1.0, 1e-9, 2.0]) ~ special.erfinv(u); special.erfinv(-u)
special.ndtri: special.ndtri(u); special.ndtri([0.0, 1.0, 1e-20, 0.5, 1.5]); special.ndtri(s) ~ special.ndtri(u)
special.ndtr: special.ndtr(x); special.ndtr(far); special.ndtr(i) ~ special.ndtr(x)
special.gamma: special.gamma(pos); special.gamma(x); special.gamma(iv); special.gamma(170.5); special.gamma(-0.5); special.gamma(z); special.gamma(-90.3); special.gamma([30.5, 1e-5, 23.0]) ~ special.gamma(pos); special.gamma(pos + 2.0)
special.digamma: special.digamma(pos); special.psi(x); special.digamma(iv) ~ special.digamma(pos)
special.polygamma: special.polygamma(1, pos); special.polygamma(2, pos); special.polygamma(0, iv) ~ special.polygamma(1, pos)
special.erf: special.erf(x); special.erf(far); special.erfc(x); special.erf(i) ~ special.erf(x)
special.softmax: special.softmax(x); special.softmax(x, axis=1); special.softmax(big, axis=0); special.softmax(v); special.softmax(i, axis=-1) ~ special.softmax(x, axis=1); special.softmax(v)
special.log_softmax: special.log_softmax(x); special.log_softmax(x, axis=1); special.log_softmax(big, axis=1); special.log_softmax(v) ~ special.log_softmax(x, axis=0)
special.logit: special.logit(u); special.logit(0.5); special.logit([0.0, 1.0, 0.75]) ~ special.logit(u)
special.xlogy: special.xlogy(z, pos); special.xlogy(0.0, 0.0); special.xlogy(2, 3); special.xlogy(z, 0.0); special.xlogy(z, np.nan) ~ special.xlogy(z, pos)
special.jn: special.j0(x); special.j1(x * 9.0); special.jn(3, x * 20.0); special.jn(iv, 2.5); special.jn(-2, v); special.j0(i) ~ special.j0(x); special.jn(2, x); special.j1(pos)
special.yn: special.y0(pos); special.y1(pos * 20.0); special.yn(3, pos); special.yn([-2, 5], s); special.y0([0.0, -1.0, 30.0]) ~ special.y0(pos); special.y1(pos); special.yn(3, pos + 2.0)
special.i0: special.i0(x); special.i1(x * 9.0); special.i0e(x); special.i1e(x) ~ special.i0(x); special.i1(x)
special.ive: special.ive(1.5, pos * 90.0) ~ special.ive(0.5, pos)
special.iv: special.iv(2.5, pos); special.iv(u[:3], pos); special.iv(-2, x); special.iv(0.5, -1.0) ~ special.iv(2, x); special.iv(1.5, pos); special.iv(u[:3], pos)
special.gammainc: special.gammainc(2.5, np.float64(pos)); special.gammainc(pos, pos); special.gammainc(k, np.float64(pos) * 30.0); special.gammainc(30, 25.0); special.gammainc([0.0, 1.0, 1.0, -1.0], [1.0, 0.0, np.inf, 1.0]); special.gammaincc(2.5, np.float64(pos)); special.gammaincc(pos, pos * 9.0); special.gammaincc(90.5, 80.0) ~ special.gammainc(2.5, np.float64(pos)); special.gammaincc(0.5, np.float64(pos)); special.gammainc(pos, pos)
special.betainc: special.betainc(pos, 1.5, u[0]); special.betainc(2.5, 0.5, u); special.betainc(1, 2, [0.0, 1.0, 2.0]) ~ special.betainc(2.5, 1.5, u); special.betainc(pos, 1.5, u[0])
special.beta: special.beta(pos, pos * 3.0); special.beta(30.5, np.float64(pos)); special.beta(2, 3); special.betaln(np.float64(pos), 0.25); special.betaln(np.float64(pos), 100.0); special.betaln(50.5, 60.25) ~ special.beta(pos, pos); special.beta(np.float64(pos), 30.0); special.betaln(np.float64(pos), 2.5); special.betaln(25.0, np.float64(pos))
special.others: special.rgamma(x); special.rgamma(z); special.gammasgn(x * 3.0); special.multigammaln(pos + 1.0, 3); special.erfcinv(u * 2.0); special.erfcinv([1e-300, 1.0, 0.0]); special.log_ndtr(x * 20.0); special.xlog1py(z, pos); special.entr(pos); special.entr([-1.0, 0.0]); special.rel_entr(pos, 0.5); special.rel_entr([0.0, 1.0, -1.0], [0.0, 0.0, 1.0]); special.kl_div(pos, u[0]) ~ special.rgamma(x); special.multigammaln(pos + 1.0, 3); special.erfcinv(u * 2.0); special.log_ndtr(x); special.xlog1py(v, u[:4]); special.entr(pos); special.rel_entr(u, u * 2.0); special.kl_div(u, 0.5)
linalg: linalg.cholesky(spd); linalg.cholesky(spd, lower=True); linalg.solve_triangular(spd, w); linalg.solve_triangular(m, x, trans=1); linalg.solve_triangular(spd, w, lower=True, unit_diagonal=True); linalg.solve_banded((1, 1), m, w); linalg.solve_banded((2, 0), m, x); linalg.solve_sylvester(m, spd, m); linalg.solve_sylvester(spd, q, x); linalg.sqrtm(spd); linalg.sqrtm(spd.astype(float) * 1e60) / 1e30; linalg.sqrtm(spd.astype(float) * 1e-60) * 1e30; linalg.inv(m); linalg.det(m); linalg.norm(v); linalg.solve(m, w) ~ linalg.cholesky(spd); linalg.solve_triangular(spd, w, lower=True); linalg.solve_banded((1, 1), spd, w); linalg.solve_sylvester(spd, spd, m); linalg.sqrtm(spd)
signal: signal.convolve(v, w); signal.convolve(w, v, "same"); signal.convolve(v, w, mode="same"); signal.convolve(v, w, "valid"); signal.convolve(x, m); signal.convolve(x, m, "same"); signal.convolve(x, m[:2], "valid"); signal.convolve(t, t[:, :2, :2]); signal.convolve(i, iv[None, :]) ~ signal.convolve(x, m, "same"); signal.convolve(v, w)
integrate: integrate.odeint(lambda y, t: -y * np.array([1.0, 0.5]), np.array([1.0, 2.0]), np.array([0.0, 0.5, 2.0]), rtol=1e-13, atol=1e-14) > 0.5 ~ integrate.odeint(lambda y, t, a: np.array([y[1], -np.sin(y[0]) * a]), np.float64(w[:2]), np.array([0.0, 0.5]), args=(s,)).sum() > -9.0
integrate.sums: integrate.simpson(np.float64(v)); integrate.simpson(np.float64(w), x=[0.0, 1.0, 1.5]); integrate.simpson(np.float64(x), dx=0.5, axis=0); integrate.simpson(np.float64(u), x=[0.0, 0.5, 1.5, 2.0, 4.0]); integrate.simpson(np.float64(x), x=[0.0, 1.0, 1.5, 3.0]); integrate.simpson(np.float64(w[:2])); integrate.trapezoid(np.float64(v), dx=0.5); integrate.cumulative_trapezoid(np.float64(x), axis=0); integrate.cumulative_trapezoid(np.float64(v), x=[0.0, 1.0, 1.5, 3.0], initial=0); integrate.cumulative_simpson(np.float64(u)); integrate.cumulative_simpson(np.float64(v), x=[0.0, 1.0, 1.5, 3.0], initial=2.0); integrate.cumulative_simpson(np.float64(x), dx=0.5, axis=0); integrate.romb(np.float64(u)); integrate.romb(np.float64(w), dx=0.25); integrate.fixed_quad(lambda t: np.exp(s * t), 0.0, 2.0)[0]; integrate.fixed_quad(lambda t, p: t ** 9 * p, -1.0, s, args=(2.0,), n=7)[0] ~ integrate.simpson(np.float64(v), x=np.cumsum(np.float64(u[:4]))); integrate.cumulative_simpson(np.float64(u), initial=0.0); integrate.romb(np.float64(u), dx=s); integrate.fixed_quad(lambda t: np.exp(s * t), 0.0, s)[0]
integrate.quad: integrate.quad(lambda t: np.exp(-s * t), 0, 2.0)[0]; integrate.quad(lambda t, p: np.sin(t * p), s, 0.0, args=(2.0,))[0]; integrate.quad(lambda t: np.exp(-t * t), -np.inf, np.inf, epsabs=1e-13, epsrel=1e-13)[0]; integrate.quad_vec(lambda t: np.array([t, t * t]) * s, 0.0, 1.5)[0]; integrate.quad(lambda t: abs(t - 0.25), 0.0, s, points=[0.25])[0] ~ integrate.quad(lambda t: np.exp(-s * t), 0, s)[0]
interpolate.CubicSpline: interpolate.CubicSpline(np.float64([0.0, 0.7, 1.5, 2.2, 3.1]), np.float64(u))(3.0 * np.float64(u)); interpolate.CubicSpline(np.float64([0.0, 0.7, 1.5, 2.2, 3.1]), np.float64(u), bc_type="natural")(3.0 * np.float64(u), 1); interpolate.CubicSpline(np.float64([0.0, 0.7, 1.5, 2.2, 3.1]), np.float64(u), bc_type="clamped")(x * 3.0, 2); interpolate.CubicSpline(np.float64([0.0, 0.7, 1.5, 2.2, 3.1]), np.float64(u), bc_type=((1, 0.5), (2, s)))(s); interpolate.CubicSpline(np.arange(4.0), np.float64(x), axis=1)(np.float64(w)); interpolate.CubicSpline(np.arange(3.0), np.float64(x), extrapolate=False)(np.float64(y)); interpolate.CubicSpline([0.0, 2.0], [1.0, s])(1.5); interpolate.CubicSpline(np.float64([0.0, 0.7, 1.5, 2.2, 3.1]), [1.0, 0.5, s, 2.0, 1.0], bc_type="periodic")(np.float64(y) * 5.0); interpolate.CubicSpline(np.float64([0.0, 0.7, 1.5, 2.2, 3.1]), np.float64(u)).integrate(0.25, 3.0); interpolate.CubicSpline(np.float64([0.0, 0.7, 1.5, 2.2, 3.1]), np.float64(u)).derivative(2)(3.0 * np.float64(u)); interpolate.CubicSpline(np.float64([0.0, 0.7, 1.5, 2.2, 3.1]), np.float64(u)).antiderivative()(3.0 * np.float64(u)) ~ interpolate.CubicSpline(np.float64([0.0, 0.7, 1.5, 2.2, 3.1]) * s, np.float64(u))(3.0 * np.float64(u)); interpolate.CubicSpline(np.float64([0.0, 0.7, 1.5, 2.2, 3.1]), np.float64(u), bc_type="natural")(np.float64(v), 1)
interpolate.others: interpolate.PchipInterpolator(np.float64([0.0, 0.7, 1.5, 2.2, 3.1]), np.float64(u))(3.0 * np.float64(u)); interpolate.PchipInterpolator(np.float64([0.0, 0.7, 1.5, 2.2, 3.1]), [1.0, 1.0, s, 2.0, 1.0])(x, 1); interpolate.Akima1DInterpolator(np.float64([0.0, 0.7, 1.5, 2.2, 3.1]), np.float64(u))(np.float64(y)); interpolate.Akima1DInterpolator(np.float64([0.0, 0.7, 1.5, 2.2, 3.1]), np.float64(u), method="makima", extrapolate=True)(np.float64(y)); interpolate.make_interp_spline(np.float64([0.0, 0.7, 1.5, 2.2, 3.1]), np.float64(u), k=2)(3.0 * np.float64(u)); interpolate.make_interp_spline(np.float64([0.0, 0.7, 1.5, 2.2, 3.1]), np.float64(u))(3.0 * np.float64(u), 2); interpolate.BSpline([0.0, 0.0, 0.0, 1.0, 2.0, 3.0, 3.0, 3.0], np.float64(u), 2)(3.0 * np.float64(u)); interpolate.splev(3.0 * np.float64(u), interpolate.splrep(np.float64([0.0, 0.7, 1.5, 2.2, 3.1]), np.float64(u)), der=1); interpolate.BarycentricInterpolator(np.float64([0.0, 0.7, 1.5, 2.2, 3.1]), np.float64(u))(np.float64(y)); interpolate.BarycentricInterpolator(np.float64([0.0, 0.7, 1.5, 2.2, 3.1]), np.float64(u)).derivative(np.float64([0.0, 0.7, 1.5, 2.2, 3.1]), 2) ~ interpolate.PchipInterpolator(np.float64([0.0, 0.7, 1.5, 2.2, 3.1]) * s, np.float64(u))(3.0 * np.float64(u)); interpolate.Akima1DInterpolator(np.float64([0.0, 0.7, 1.5, 2.2, 3.1]) + s, np.float64(u), extrapolate=True)(3.0 * np.float64(u)); interpolate.make_interp_spline(np.float64([0.0, 0.7, 1.5, 2.2, 3.1]) + s, np.float64(u), k=2)(3.0 * np.float64(u)); interpolate.BarycentricInterpolator(np.float64([0.0, 0.7, 1.5, 2.2, 3.1]) * s, np.float64(u))(3.0 * np.float64(u))
interpolate.interp1d: interpolate.interp1d(np.float64([0.0, 0.7, 1.5, 2.2, 3.1]), np.float64(u))(3.0 * np.float64(u)); interpolate.interp1d(np.float64([0.0, 0.7, 1.5, 2.2, 3.1]), np.float64(u), bounds_error=False)(np.float64(y)); interpolate.interp1d(np.float64([0.0, 0.7, 1.5, 2.2, 3.1]), np.float64(u), bounds_error=False, fill_value=(s, 2.0))(np.float64(y)); interpolate.interp1d(np.float64([0.0, 0.7, 1.5, 2.2, 3.1]), np.float64(u), fill_value="extrapolate")(np.float64(y)); interpolate.interp1d(np.float64([0.0, 0.7, 1.5, 2.2, 3.1]), np.float64(u), kind="nearest", fill_value="extrapolate")(np.float64(y)); interpolate.interp1d(np.float64([0.0, 0.7, 1.5, 2.2, 3.1]), np.float64(u), kind="previous", fill_value="extrapolate")(np.float64(y)); interpolate.interp1d(np.float64([0.0, 0.7, 1.5, 2.2, 3.1]), np.float64(u), kind="next")(3.0 * np.float64(u)); interpolate.interp1d(np.float64([0.0, 0.7, 1.5, 2.2, 3.1]), np.float64(u), kind="cubic")(3.0 * np.float64(u)); interpolate.interp1d(np.float64([0.0, 0.7, 1.5, 2.2, 3.1]), np.float64(u), kind="quadratic")(3.0 * np.float64(u)); interpolate.interp1d([2.0, 0.0, 1.0], np.float64(x), axis=0)(np.float64([[0.5, 1.0], [1.5, 2.0]])) ~ interpolate.interp1d(np.float64([0.0, 0.7, 1.5, 2.2, 3.1]) * s, np.float64(u), fill_value="extrapolate")(3.0 * np.float64(u)); interpolate.interp1d(np.float64([0.0, 0.7, 1.5, 2.2, 3.1]), np.float64(u), kind="cubic")(3.0 * np.float64(u)); interpolate.interp1d(np.float64([0.0, 0.7, 1.5, 2.2, 3.1]), np.float64(u), kind="nearest")(3.0 * np.float64(u))
optimize: optimize.brentq(lambda t: t ** 3 - s, 0, 2); optimize.bisect(lambda t, p: t ** 3 - p, 0.0, 2.0, args=(s,), xtol=1e-15); optimize.newton(lambda t: t ** 3 - s, 1.0); optimize.approx_fprime(np.float64(v), lambda t: np.sum(t * t) * 0.0); optimize.rosen(np.float64(v)); optimize.rosen_der(np.float64(v)) ~ optimize.brentq(lambda t: t ** 3 - s, 0, 2); optimize.fsolve(lambda t: t ** 3 - s, [1.0]); optimize.rosen_der(np.float64(v) * 0.1)
fft: np.abs(np.fft.fft(np.float64(x))); np.fft.fft(np.float64(u)).imag; np.fft.fft(np.float64(x), n=6, axis=0, norm="ortho").real; np.fft.ifft(np.float64(x), norm="forward").imag; np.fft.rfft(np.float64(u)).real; np.fft.rfft(np.float64(t), 3, 1, "forward").imag; np.fft.irfft(np.float64(u)); np.fft.irfft(np.float64(u) * (1 + 2j), 9); np.fft.fft2(np.float64(t)).real; np.fft.ifft2(np.float64(t)).imag; np.fft.fftn(np.float64(t), s=(3, 2)).real; np.fft.ifftn(np.float64(t), axes=(0, 2)).imag; np.fft.rfft2(np.float64(t)).imag; np.fft.irfft2(np.float64(t) * 1j); np.fft.rfftn(np.float64(t), axes=(0, 2)).real; np.fft.irfftn(np.float64(t), norm="ortho"); np.fft.hfft(np.float64(u) * 1j, 7); np.fft.ihfft(np.float64(u), norm="ortho").imag; np.fft.fftshift(x); np.fft.fftshift(x, axes=1); np.fft.ifftshift(t, (0, 2)); np.fft.fftfreq(5, 0.25); np.fft.fftfreq(4); np.fft.rfftfreq(5, d=2.0); np.abs(np.fft.fft(np.arange(12) % 5)); np.fft.fft(np.arange(67) % 9).real; np.fft.ifft(np.arange(134) % 9 * 1j).imag; np.fft.fft(i).real ~ np.abs(np.fft.fft(np.float64(x))); np.fft.rfft(np.float64(u), norm="ortho").imag; np.fft.irfft(np.float64(x) * (1 - 2j), 6); np.fft.fft2(np.float64(x) * np.exp(1j * np.float64(y))).imag; np.fft.irfft2(np.float64(x)); np.fft.fft(np.float64(t), 16).real
complex: np.abs(np.sqrt(np.float64(x) + 1j * np.float64(y))); np.log(np.float64(x) + 1j * np.float64(y)).imag; np.angle(np.float64(x) * (1 + 1j)); (np.float64(x) * 1j) @ np.float64(y).T == 1j; np.real(np.concatenate([np.float64(v) * 1j, np.float64(w)])); np.imag(np.stack([np.float64(v) * 1j, v])); np.where(x > 0, x * 1j, 2.0).imag > 1; np.linalg.norm(np.float64(x) + 1j * np.float64(y)); np.var(np.float64(x) + 1j * np.float64(y), axis=0); np.linalg.inv(np.float64(m) + 1j * np.float64(spd)).imag; np.linalg.det(np.float64(m) + 1j * np.float64(spd)).real; np.zeros(3, dtype=complex).real; np.ones((2, 2), np.complex128).imag; np.array([1j, 2.0]).imag; np.iscomplex(np.array([1j, 2.0])); np.isreal(np.array([1j, 2.0])); np.iscomplexobj(x); np.real_if_close(x); np.prod(np.float64(x) + 1j).imag; np.cumsum(np.float64(v) * 1j).imag; np.einsum("ij,kj->ik", np.float64(x) * 1j, np.float64(y)).imag; (np.float64(m)[:, 1] * 1j)[::-1].imag; np.outer(np.float64(v) * 1j, np.float64(w) + 2j).real; np.vdot(np.float64(v) * 1j, np.float64(v) + 2j).real; (np.float64(v) * 1j).conj().imag; ((np.float64(v) + 2j) ** 0.5).real; ((np.float64(v) + 2j) ** (1 + 2j)).imag; np.diag(np.float64(w) * 1j).imag; np.tril(np.float64(m) * 1j).imag; np.count_nonzero(np.float64(z) * 1j) ~ np.abs(np.sqrt(np.float64(x) + 1j * np.float64(y))); np.log(np.float64(x) + 1j * np.float64(y)).real; ((np.float64(x) + 2j) ** 1.5).imag; np.linalg.inv(np.float64(m) + 1j * np.float64(spd)).imag; np.linalg.solve(np.float64(m) + 1j * np.float64(spd), np.float64(w)).real; np.tanh(np.float64(x) + 1j * np.float64(y)).imag; np.prod(np.float64(v) + 1j).real; np.linalg.norm(np.float64(x) + 1j * np.float64(y)); np.var(np.float64(x) + 1j * np.float64(y)); np.einsum("ij,kj->ik", np.float64(x) * np.exp(1j * np.float64(x)), np.float64(y)).imag; np.arctan(np.float64(x) + 2j).real; np.arcsin(np.float64(x) + 2j).imag; np.exp(np.float64(x) * 1j).imag; np.linalg.slogdet(np.float64(q) + 1j * np.float64(q).T)[1]; np.linalg.det(np.float64(np.eye(5)) + np.outer(np.float64(u) * 1j, np.float64(u) ** 2)).imag
stats.norm: stats.norm.pdf(x); stats.norm.pdf(i, 1, 2); stats.norm.logpdf(x, 0.5, 2.0); stats.norm.logpdf(x, loc=v, scale=2.0); stats.norm.logpdf(0.3); stats.norm.logpdf(pos, scale=pos); stats.norm.cdf(x, w[0]); stats.norm.cdf(far); stats.norm.sf(x); stats.norm.sf(x, 1.0, 3.0); stats.norm.logcdf(x); stats.norm.logcdf(x * 30.0); stats.norm.logsf(x * 30.0, 0.5); stats.norm.logcdf(-1e3); stats.norm.logcdf(x - 30.0); stats.norm.logpdf(k); stats.norm.ppf(u); stats.norm.ppf(u, 1.0, 2.0) ~ stats.norm.pdf(x); stats.norm.logpdf(x, v, 2.0); stats.norm.logpdf(0.3, s, pos); stats.norm.cdf(x); stats.norm.sf(x, s, 2.0); stats.norm.logcdf(x); stats.norm.logcdf(x - 30.0); stats.norm.logsf(x); stats.norm.ppf(u, s, 2.0)
stats.expon: stats.expon.pdf(x); stats.expon.logpdf(x, -0.5, 2.0); stats.expon.cdf(x); stats.expon.sf(x, 0.1); stats.expon.pdf(0.0) ~ stats.expon.logpdf(pos, -0.5, s); stats.expon.pdf(x); stats.expon.cdf(x); stats.expon.sf(x)
stats.uniform: stats.uniform.pdf(x); stats.uniform.logpdf(x, -1.0, 2.0); stats.uniform.cdf(x, -1, 3) ~ stats.uniform.logpdf(u, 0.0, 1.5); stats.uniform.cdf(u)
stats.laplace: stats.laplace.pdf(x); stats.laplace.logpdf(x, 0.25, 2.0); stats.laplace.cdf(x) ~ stats.laplace.logpdf(x, s, 2.0); stats.laplace.pdf(pos); stats.laplace.cdf(x)
stats.logistic: stats.logistic.pdf(x); stats.logistic.logpdf(x, 0.25, 2.0); stats.logistic.cdf(x); stats.logistic.cdf(far) ~ stats.logistic.logpdf(x, s, 2.0); stats.logistic.pdf(pos); stats.logistic.cdf(x)
stats.cauchy: stats.cauchy.pdf(x); stats.cauchy.logpdf(x, 0.25, 2.0); stats.cauchy.cdf(x) ~ stats.cauchy.logpdf(x, s, 2.0); stats.cauchy.pdf(pos); stats.cauchy.cdf(x)
stats.t: stats.t.pdf(x, 3.0); stats.t.logpdf(x, k, 0.25, 2.0); stats.t.logpdf(pos, pos) ~ stats.t.logpdf(x, s, 0.1, 2.0); stats.t.logpdf(pos, pos); stats.t.pdf(x, 2.5)
stats.t.cdf: stats.t.cdf(x, 2.5); stats.t.sf(x, k, 0.25, 2.0); stats.t.logcdf(x, 4.0); stats.t.cdf(0.0, 1.0) ~ stats.t.cdf(x, 2.5); stats.t.sf(x, 3, s); stats.t.cdf(v, pos[0, 0])
stats.gamma.cdf: stats.gamma.cdf(x, 2.5); stats.gamma.sf(pos, 0.5, 0.25, 2.0); stats.chi2.cdf(pos, 3); stats.chi2.sf(x, 2.5) ~ stats.gamma.cdf(pos, 2.5); stats.chi2.sf(pos, 3)
stats.beta.cdf: stats.beta.cdf(x, 2.0, 3.0); stats.beta.sf(u, 0.5, 0.75); stats.poisson.cdf(i, 2.5); stats.poisson.sf([0, 3, -1], 1.5); stats.multivariate_normal.entropy(cov=spd) ~ stats.beta.cdf(u, 2.0, 3.0); stats.poisson.cdf(2, pos); stats.multivariate_normal.entropy(cov=spd)
stats.gamma: stats.gamma.pdf(pos, 2.0); stats.gamma.logpdf(pos, pos, 0.25, 2.0); stats.gamma.logpdf(x, 1.5); stats.gamma.pdf(0.0, 1.0); stats.gamma.logpdf(pos, a=k) ~ stats.gamma.logpdf(pos, pos); stats.gamma.logpdf(pos, s, 0.25, 2.0); stats.gamma.pdf(pos, 2.0)
stats.chi2: stats.chi2.pdf(pos, 3.0); stats.chi2.logpdf(pos, k, 0.25, 2.0); stats.chi2.logpdf(x, 2.5) ~ stats.chi2.logpdf(pos, pos); stats.chi2.pdf(pos, s)
stats.beta: stats.beta.pdf(u, 2.0, 3.0); stats.beta.logpdf(u, 0.5, 0.75); stats.beta.logpdf(x, 1.5, 2.5, -0.5, 2.0); stats.beta.logpdf(0.25, pos, pos.T[0, 0]) ~ stats.beta.logpdf(u, 2.0, s); stats.beta.logpdf(0.25, pos, pos); stats.beta.pdf(u, 1.5, 2.5)
stats.lognorm: stats.lognorm.pdf(pos, 0.5); stats.lognorm.logpdf(x, 0.75, -0.25, 2.0); stats.lognorm.logpdf(pos, pos) ~ stats.lognorm.logpdf(pos, s); stats.lognorm.pdf(pos, pos)
stats.poisson: stats.poisson.pmf(i, 2.5); stats.poisson.logpmf(iv, u[:4]); stats.poisson.logpmf(k, pos); stats.poisson.logpmf([0, 1, -1, 2.5], 1.5) ~ stats.poisson.logpmf(k, pos); stats.poisson.pmf(iv, u[:4])
stats.multivariate_normal: stats.multivariate_normal.logpdf(w, w * 0.5, spd); stats.multivariate_normal.logpdf(x.T, w, spd); stats.multivariate_normal.pdf(w, cov=spd); stats.multivariate_normal.logpdf(w, mean=w * 2.0, cov=0.5); stats.multivariate_normal.logpdf(s); stats.multivariate_normal.logpdf(v, 0.5, 2.0); stats.multivariate_normal.logpdf(w, w * 0.5, pos[0]); stats.multivariate_normal.logpdf(np.stack([x.T, x.T * 0.5]), cov=spd); stats.multivariate_normal.logpdf(x.T[:1], w, spd) ~ stats.multivariate_normal.logpdf(w, w * 0.5, spd); stats.multivariate_normal.logpdf(x.T, w, spd @ spd); stats.multivariate_normal.pdf(w, cov=spd)
stats.dirichlet: stats.dirichlet.logpdf(u / u.sum(), np.array([0.5, 1.5, 2.5, 1.0, 3.0])); stats.dirichlet.pdf(u[:2] / (u[0] + u[1]), [2.0, 3.0]) ~ stats.dirichlet.logpdf(np.float64(u) / np.float64(u).sum(), 1.0 + np.float64(u))
masked: x[x > 0].sum(); np.sum(i[i > 2]); x[x > 9].mean(); np.mean(i[i < 3]); x[x > 9].prod(); np.prod(i[b]); b[i > 0].any(); np.all(b[i > 0]); np.sum(b[b]); x[x > 0].sum(0) ~ np.sum(x[x > 0.1]); x[x < 0.1].mean(); np.prod(pos[pos > 0.7])
indexing: x[0]; x[-1, 2]; x[1:, ::2]; x[::-1]; x[..., 1]; x[:, None].shape; t[0, :, 1:3]; x[[0, 2]]; x[[0, 2], [1, 3]]; x[:, [1, 1, 0]]; t[:, [2, 0]]; x[k - 1, k]; v[iv - 1]; i[::-1, ::-2]; b[0]; x[2:0:-1, 3]; t[..., None, 0].shape; x[5:]; v[-3:-1] ~ x[0]; x[:, 1]; x[1:, ::2]; x[[0, 2, 0]]; x[[0, 2], [1, 3]]; t[..., 0]; x[::-1, 1:]; x[k - 1]
operators: x + v; x - c; x * i.T[0, 0]; x / c; i // 2; i % 3; x // 0.3; x % 0.7; -x; +x; i / 2; i + 0.5; b + b; b * i; x > c; i == i[0]; b & (i > 0); b | (i > 0); b ^ (i > 0); ~b; 2.0 ** x; i ** 2; x < y; b == True; 1 / pos; k * x; x + [1, 2, 3, 4]; i - b; iv * iv[:, None]; (x > 0) * 1.0 ~ x + v; x * c; x / pos[0, 0]; v - c; -x * s; 1.0 / pos; 2.0 ** x; x % 0.7
dtypes: np.exp(i); np.log(i); np.sqrt(i); np.sin(i); np.cos(i); np.tan(i); np.tanh(i); np.arctan(i); np.sinh(i); np.cosh(i); np.arcsinh(i); np.log1p(i); np.expm1(i); np.exp2(i); np.cbrt(i); np.floor(i); np.ceil(i); np.trunc(i); np.rint(i); np.abs(i); np.sign(i); np.negative(i); np.square(i); np.positive(i); np.isnan(i); np.isfinite(i); np.isinf(i); np.degrees(i); np.fabs(i); np.add(i, 3); np.subtract(i, 3); np.multiply(i, 3); np.divide(i, 3); np.floor_divide(i, 3); np.mod(i, 3); np.remainder(i, 3); np.fmod(i, 3); np.power(i, 3); np.maximum(i, 3); np.minimum(i, 3); np.arctan2(i, 3); np.hypot(i, 3); np.copysign(i, 3); np.less(i, 3); np.greater_equal(i, 3); np.not_equal(i, 3); np.true_divide(i, 3); np.floor(k); np.sqrt(k); np.abs(k); np.sign(k); np.square(k); np.rint(k); np.exp(k); np.abs(b); np.floor(b); np.add(b, b); np.multiply(b, b); np.maximum(b, i); np.floor_divide(i, 0.5); np.power(i, 2.0); i ** 2.0; i // np.where(i == 0, 1, i); i % i[0]; abs(i); i / i[0, 0]; -i; k // 2 * i; np.where(b, 1, 2); np.where(b, True, False); np.where(True, 1, 2.5); np.where(b, k, s); round(s); x // 1; b * 2; b + 1; b / 2; -(b * 1); b == i; b < b[0]; np.sum(i) / 2; np.max(i) * 2; i[0, 0] + b[0, 0]; np.float64(i); np.int64(x); np.float64(3); np.bool_(i)
float32: np.zeros(3, dtype=np.float32); np.zeros((0, 2), np.float32); np.ones((2, 2), np.float32); np.full(2, 0.1, dtype=np.float32); np.full((2, 2), [0.1, 2], np.float32); np.empty(2, np.float32).dtype == np.float32; np.eye(2, dtype=np.float32); np.identity(2, np.float32); np.array([1, 0.1, True], dtype=np.float32); np.array([1, 2], np.float32); np.asarray(x, dtype=np.float32); np.asarray([0.1], np.float32); np.arange(4, dtype=np.float32); np.arange(5, 1, -2, dtype=np.float32); np.linspace(0, 1, 4, dtype=np.float32); np.zeros_like(x, dtype=np.float32); np.ones_like(i, np.float32); np.full_like(x, s, dtype=np.float32); x.astype(np.float32).dtype == np.float32; x.astype("float32").dtype == x.dtype; np.float32(x); np.float32(i); np.float32(b); np.float32(0.1); np.float32(3); x.astype(np.float32).astype(np.float64); far.astype(np.float32); (far * 1e300).astype(np.float32); (v * 1e-40).astype(np.float32); bad.astype(np.float32); np.float32(x).astype(int); np.float32(x).astype(bool); np.float32(x) + y; np.float32(x) + 1; np.float32(x) * 0.1; 0.1 - np.float32(x); np.float32(x) * s; np.float32(pos) + i; np.float32(pos) * b; np.float32(pos) / i[1]; i / np.float32(pos); np.float32(i) // 2; np.float32(i) % 3; np.float32(pos) ** 2; np.float32(pos) ** 2.5; np.float32(pos) ** -1; 2 ** np.float32(pos); np.float32(pos) ** k; np.float32(x) == x; np.float32(x) < y; np.float32(x) > 0.1; np.float32(0.1) * x; np.maximum(np.float32(x), y); np.where(b, np.float32(pos), 0.1); np.where(b, np.float32(pos), i); np.concatenate([np.float32(v), w]); np.concatenate([np.float32(v), iv]); np.stack([np.float32(v), np.float32(v)]); np.stack([np.float32(v), bv]); np.float32(x) @ y.T; np.float32(x) @ np.float32(y).T; np.float32(m) @ np.float32(w); np.float32(pos) @ i.T; np.sum(x, dtype=np.float32); np.sum(np.float32(x)); np.sum(np.float32(x), dtype=np.float64); np.mean(np.float32(x)); np.cumsum(i, dtype=np.float32); np.prod(iv, dtype=np.float32); np.float32(x)[1, 2]; np.float32(x)[0] * 0.1; np.exp(np.float32(x)); np.sqrt(np.float32(pos)); np.floor(np.float32(x)); np.abs(np.float32(x)); np.isnan(np.float32(bad)); np.einsum("ij,kj->ik", np.float32(x), y); np.clip(np.float32(x), -0.1, 0.1); np.linalg.inv(np.float32(m)); np.linalg.solve(np.float32(m), w); special.expit(np.float32(x)); len(np.float32(x)); np.argmax(np.float32(x)); np.sort(np.float32(far)) ~ np.float32(1.0) * x; np.float64(np.float32(np.ones(4))) * v
keywords: np.sum(a=x, axis=0); np.mean(x, axis=-1, keepdims=True); np.reshape(x, shape=(4, 3)); np.moveaxis(t, source=0, destination=1); np.take(x, indices=[0, 1], axis=1); np.roll(x, shift=1, axis=1); np.repeat(x, repeats=2, axis=0); np.tile(A=x, reps=2); np.full(shape=2, fill_value=1.0); np.eye(N=3, M=2, k=1); np.linspace(start=0, stop=1, num=3); np.swapaxes(x, axis1=0, axis2=1); np.diag(v=v, k=1); np.tril(m=m, k=1); np.kron(a=v, b=w); np.stack(arrays=[v, v], axis=1); np.split(v, indices_or_sections=2); np.linalg.norm(x=x, ord=1, axis=0); np.tensordot(a=x, b=v, axes=1); np.argmax(a=x, axis=1); np.concatenate((x, y), axis=1); np.zeros(shape=(2, 1), dtype=int); np.zeros(2, None); special.logsumexp(a=x, axis=1, keepdims=True); np.std(x, axis=0, ddof=1, keepdims=True); np.array(object=[1, 2], dtype=float); np.broadcast_to(array=v, shape=(2, 4)); np.ones_like(a=x, dtype=int); x.sum(axis=(0, 1)); x.mean(axis=0, keepdims=True); x.std(ddof=1); x.max(axis=0); x.argmin(axis=0); x.take([0, 1], axis=1); x.round(decimals=1); x.trace(offset=1); x.diagonal(offset=1); x.any(axis=0); x.cumsum(axis=0); x.repeat(2, axis=1); x.squeeze(axis=None); x.prod(axis=0); x.var(axis=0); x.dtype == np.float64; i.dtype == int; x.T.T.shape; x.ravel().shape[0]; x.reshape(-1, 2).sum(axis=0); (x + y).T @ w; np.linalg.inv(a=m) @ m > 0.5
elementwise: np.exp(x); np.log(pos); np.sqrt(pos); np.sin(x); np.cos(x); np.tan(x); np.tanh(x); np.arcsin(u); np.arccos(u); np.arctan(x); np.arctan2(x, y); np.log1p(pos); np.expm1(x); np.sinh(x); np.cosh(x); np.arcsinh(x); np.arccosh(pos + 1.0); np.arctanh(u); np.log2(pos); np.log10(pos); np.exp2(x); np.hypot(x, c); np.isnan(bad); np.isinf(far); np.isfinite(far); np.add(i, 2); np.subtract([1, 2], 1); np.multiply([1, 2], 2); np.divide(i, 4); np.add([1, 2], [3, 4]); np.negative(x); np.reciprocal(pos); np.floor_divide(i, 2); np.mod(i, 3); np.cbrt(x); np.logical_and(b, i); np.logical_or(b, False); np.logical_not(i); np.equal([1, 2], [1, 3]); np.fmod(x, 0.7); np.copysign(1.0, x); np.exp(i); np.sqrt([4, 9]); np.floor(x); np.ceil(x); np.trunc(x); np.rint(x) ~ np.exp(x); np.log(pos); np.arctan2(x, y); np.hypot(x, c); np.tanh(x); np.sqrt(pos); np.cbrt(x); np.arcsin(u); np.multiply(x, c); np.divide(v, c + 3.0)
"""


def typed(value):
    """A value as the command takes arguments."""
    if isinstance(value, tuple):
        return {"t": "tuple", "v": [typed(item) for item in value]}
    if isinstance(value, list):
        return {"t": "tuple", "v": [typed(item) for item in value]}
    array = np.asarray(value)
    if array.ndim == 0:
        kind = {"f": "f64", "i": "i64", "b": "bool"}[array.dtype.kind]
        return {"t": kind, "v": number(array.item())}
    elements = array.ravel() if array.dtype == np.float32 else array.ravel().tolist()
    return {"t": "array", "dtype": array.dtype.name, "shape": list(array.shape), "data": [number(x) for x in elements]}


def is_floats(value):
    return isinstance(value, np.ndarray) and value.dtype == np.float64


SINGLE = {name: value.astype(np.float32) if is_floats(value) else value for name, value in INPUTS.items()}


def mentions_floats(expression):
    names = (node.id for node in ast.walk(ast.parse(expression)) if isinstance(node, ast.Name))
    return any(is_floats(INPUTS.get(name)) for name in names)


def number(x):
    if isinstance(x, (float, np.floating)) and not np.isfinite(x):
        return "nan" if np.isnan(x) else "inf" if x > 0 else "-inf"
    # The shortest decimals.
    return float(str(x)) if isinstance(x, np.float32) else x


def cases():
    for line in CASES.strip().splitlines():
        name, rest = line.split(": ", 1)
        plain, _, smooth = rest.partition(" ~ ")
        for is_smooth, part in ((False, plain), (True, smooth)):
            for expression in filter(None, part.split("; ")):
                yield name, expression.strip(), is_smooth


def main():
    warnings.simplefilter("ignore")
    lines = ["{" + '"inputs": ' + json.dumps({name: typed(value) for name, value in INPUTS.items()}) + ",", '"cases": [']
    rows = []
    modules = {"np": np, "integrate": integrate, "interpolate": interpolate, "linalg": linalg, "optimize": optimize, "signal": signal, "special": special, "stats": stats}
    for name, expression, smooth in cases():
        value, single = (eval(expression, {**modules, **inputs}) for inputs in (INPUTS, SINGLE))
        single = typed(single) if mentions_floats(expression) else None
        rows.append(json.dumps([name, expression, smooth, typed(value), single]))
    text = "\n".join(lines) + "\n" + ",\n".join(rows) + "\n]}\n"
    if "--check" in sys.argv:
        sys.exit(0 if OUT.read_text() == text else "the stored values differ")
    OUT.parent.mkdir(exist_ok=True)
    OUT.write_text(text)


if __name__ == "__main__":
    main()
