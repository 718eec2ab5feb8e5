# entry: f
# args: 2.0, [0.1, 0.2, 0.3]
# wrt: 1
# by-hand
# note: rules of functions inside of a function, all of which capture its variables
import jax
import jax.numpy as jnp


def scaled(x, y):
    k = x * 0.5

    @jax.custom_vjp
    def go(y):
        return x * jnp.sin(y) * k

    def fwd(y):
        return go(y), y

    def bwd(y, g):
        return (g * x * jnp.cos(y) * k,)

    go.defvjp(fwd, bwd)
    return go(y)


def bent(x, y):
    @jax.custom_jvp
    def go(y):
        return x * y * y

    @go.defjvp
    def go_jvp(primals, tangents):
        (y,), (t,) = primals, tangents
        return x * y * y, 2.0 * x * y * t

    return go(y)


def f(x, y):
    return jnp.sum(jax.vmap(scaled, in_axes=(None, 0))(x, y)) + bent(x, y[0])
