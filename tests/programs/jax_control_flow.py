# entry: f
# args: 0.7, [1.0, 2.0, 3.0]
# args: 1.6, [0.5, -2.0]
# by: jax
# note: control flow of `jax.lax` with carries that are tuples and dicts; loops that count have a length that is known

import jax.numpy as jnp
from jax import lax


def cumulative(x, xs):
    def step(carry, a):
        total, product = carry
        total, product = total * x + a, product * a
        return (total, product), {"sine": jnp.sin(total), "both": (total, product)}

    return lax.scan(step, (0.0, 1.0), xs)


def rnn(w, xs):
    def cell(h, row):
        h = jnp.tanh(w * h + row)
        return h, h

    return lax.scan(cell, jnp.zeros(2), xs, reverse=True)


def power(x):
    return lax.fori_loop(0, 5, lambda i, val: val * x + i, 1.0)


def halvings(x):
    def cond_fun(val):
        n, y = val
        return jnp.logical_and(y > 0.1, n < 20)

    def body_fun(val):
        n, y = val
        return n + 1, y / 2.0

    return lax.fori_loop(0, 3, lambda i, v: v * jnp.cos(v), x) + power(x)


def choices(x):
    a = lax.cond(x > 1.0, lambda y: y * y, lambda y: jnp.sin(y), x)
    b = lax.cond(x > 1.0, x, lambda y: y ** 3, x, lambda y: -y)
    c = lax.cond(x < 1.0, lambda p, q: p - q, lambda p, q: p * q, x, 2.0)
    branches = [lambda y: y, lambda y: 2.0 * y, lambda y: jnp.cos(y)]
    d = lax.switch(1, branches, x) + lax.switch(7, branches, x) + lax.switch(-3, branches, x)
    e = lax.select(x > 1.0, x * 3.0, x * 5.0)
    return a + b + c + d + e


def f(x, xs):
    (total, product), ys = cumulative(x, xs)
    first, second = ys["both"]
    h, hs = rnn(x, jnp.outer(xs, jnp.array([0.1, 0.2])))
    counted, _ = lax.scan(lambda c, _: (c * x + 1.0, None), 0.0, None, length=4)
    mapped = lax.map(lambda t: t ** 2 * x, xs)
    out = total + product + jnp.sum(ys["sine"]) + jnp.sum(first * second) + jnp.sum(h) + jnp.sum(hs ** 2)
    out = out + counted + jnp.sum(mapped) + halvings(x) + choices(x)
    out = out + jnp.sum(lax.cumsum(xs, reverse=True) * lax.dynamic_slice_in_dim(xs, 1, 1))
    return out + jnp.sum(lax.clamp(0.0, xs, 1.5)) + lax.rsqrt(x) + lax.max(x, 1.0) * lax.stop_gradient(x) + lax.integer_pow(x, 3)
