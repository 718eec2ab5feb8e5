# entry: f
# args: 3.7
# args: 0.05
# by: jax
# note: a `while_loop` as JAX differentiates it: forwards

import jax
import jax.numpy as jnp
from jax import lax


def halvings(x):
    def cond_fun(val):
        n, y = val
        return jnp.logical_and(y > 0.1, n < 20)

    def body_fun(val):
        n, y = val
        return n + 1, y / 2.0 * jnp.cos(y)

    return lax.while_loop(cond_fun, body_fun, (0, x))


@jax.custom_jvp
def counted(x):
    n, y = halvings(x)
    return n * y


@counted.defjvp
def counted_jvp(primals, tangents):
    return jax.jvp(lambda x: halvings(x)[0] * halvings(x)[1], primals, tangents)


def f(x):
    return jax.lax.stop_gradient(counted(x)) + x * jax.jvp(halvings, (2.0,), (1.0,))[1][1] + x * jax.jacfwd(counted)(3.0)
