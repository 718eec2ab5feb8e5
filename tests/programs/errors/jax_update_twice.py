# entry: f
# args: 2.0
# exit: 2
# message: `set` and `add`
# line: 12
# note: a place may be there twice, and JAX multiplies twice

import jax.numpy as jnp


def f(x):
    return jnp.sum(jnp.ones(3).at[jnp.array([0, 0])].multiply(x))
