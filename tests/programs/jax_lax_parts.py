# entry: f
# args: [[0.5, -1.5, 2.0, 0.25], [1.5, 0.75, -0.25, -2.0], [0.1, 1.2, -0.7, 0.9]], [0.3, -1.1, 0.8]
# by: jax
# note: parts of arrays, sorts, reductions, products and prefixes by jax.lax; sums of segments; activations of jax.nn

import jax
import jax.numpy as jnp
from jax import lax


def parts(x):
    a = lax.slice(x, (0, 1), (3, 4), (2, 1))
    b = lax.slice_in_dim(x, 1, -1, axis=1)
    c = lax.index_in_dim(x, -1, axis=0, keepdims=False)
    d = lax.dynamic_update_slice(x, jnp.ones((2, 2)) * x[0, 0], (1, 2))
    e = lax.dynamic_update_index_in_dim(x, c, 1, axis=0)
    g = lax.pad(x, 0.5, ((1, 0, 1), (-1, 2, 0)))
    h = lax.select_n(x > 0.0, x, x * x) + lax.collapse(x[None], 0, 2)
    k = lax.broadcast_in_dim(c, (2, 4), (1,)) * lax.broadcast(c, (2,))
    return sum(jnp.sum(jnp.sin(v * (1.0 + jnp.arange(v.size).reshape(v.shape)))) for v in (a, b, c, d, e, g, h, k))


def reduced(x, w):
    y = lax.dot_general(x, x, (((1,), (1,)), ((), ()))) + lax.batch_matmul(x, x.T)
    s = lax.reduce_max(x, (0,)) * lax.reduce_sum(x, (0,)) + lax.reduce_prod(x, (0,)) - lax.reduce_min(x, (0,))
    r = lax.reduce(x, 1.0, lax.mul, (1,)) + lax.cumlogsumexp(w) + lax.cummax(w, reverse=True) - lax.cummin(w)
    return jnp.sum(jnp.sin(y)) + jnp.sum(s ** 2) + jnp.sum(r ** 3)


def ordered(x, w):
    values, places = lax.top_k(x, 2)
    keys, moved = lax.sort((w, w * w), num_keys=1)
    first, second = lax.sort_key_val(x, x * x, dimension=0)
    third = lax.sort(x, dimension=0)
    weights = jnp.arange(12.0).reshape(3, 4)
    return jnp.sum(values * places) + jnp.sum(keys * moved ** 2) + jnp.sum((first + second - third) * weights)


def scanned(x, w):
    def step(a, b):
        return a[0] * b[0], b[0] * a[1] + b[1]

    p, q = lax.associative_scan(step, (x, x * x), axis=1)
    r = lax.associative_scan(jnp.add, w, reverse=True)
    return jnp.sum(p * q) + jnp.sum(r ** 3)


def segments(x, w):
    ids = jnp.array([1, 0, 1])
    a = jax.ops.segment_sum(x, ids, num_segments=3)
    b = jax.ops.segment_max(w, ids, num_segments=2) * jax.ops.segment_min(w, ids, 2)
    return jnp.sum(jnp.sin(a)) + jnp.sum(b)


def activations(x):
    y = jax.nn.glu(x) + jax.nn.hard_silu(x)[:, :2] + jax.nn.squareplus(x)[:, 1:3] + jax.nn.sparse_plus(x)[:, ::2]
    z = jax.nn.standardize(x) + jax.nn.log1mexp(1.0 + x * x) + jax.nn.logmeanexp(x, axis=1, keepdims=True)
    return jnp.sum(y ** 2) + jnp.sum(jnp.sin(z))


def f(x, w):
    return parts(x) + reduced(x, w) + ordered(x, w) + scanned(x, w) + segments(x, w) + activations(x)
