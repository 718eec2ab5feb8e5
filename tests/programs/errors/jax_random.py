# entry: f
# args: 2.0
# exit: 3
# message: make random numbers outside
# line: 8
# note: random numbers of JAX are refused

from jax import numpy as jnp, random


def f(x):
    return x + jnp.sum(random.normal(random.PRNGKey(0), (3,)))
