# entry: f
# args: [1.0, 2.0], [3.0, 4.0]
# by: jax
# note: `vmap` over arguments given by name, and axes said for each part of an argument
import jax
import jax.numpy as jnp


def by_name(a, s):
    return jax.vmap(lambda x, k, *, m: x * k + m**2)(a, k=s, m=a)


def of_dict(a, s):
    return jax.vmap(lambda d: d["a"] * d["s"], in_axes=({"a": 0, "s": None},))({"s": s, "a": a})


def nested(a, s):
    def g(d, t):
        return d["a"] * d["p"][0] * t + d["p"][1]

    return jax.vmap(g, in_axes=({"a": 0, "p": (0, None)}, None))({"p": (s, s), "a": a}, 2.0)


def other_axes(a, s):
    return jax.vmap(lambda x, y: x * y, in_axes=(-1, 1), out_axes=1)(a[None, :], s[None, :])


def f(a, s):
    return jnp.sum(by_name(a, s)) + jnp.sum(of_dict(a, s) * s) + jnp.sum(nested(a, s) ** 2) + jnp.sum(other_axes(a, s))
