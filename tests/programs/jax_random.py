# entry: f
# args: [0.5, 2.0], 42
# by: jax
# note: keys, and numbers that are made of parameters
import jax
import jax.numpy as jnp
from jax import random


def f(w, seed):
    key = random.PRNGKey(seed)
    k1, k2, k3 = random.split(key, 3)
    z = w[0] + w[1] * random.normal(k1, (4,))
    u = random.uniform(k2, (3,), minval=w[0], maxval=w[1])
    total = jnp.sum(z**2) + jnp.sum(u**3) + random.truncated_normal(k3, -w[0], w[1])
    for i in range(3):
        k = random.fold_in(key, i)
        total = total + w[1] * random.exponential(k) + random.laplace(k) * w[0]
    rows = jax.vmap(lambda k: random.normal(k, (2,)) @ w)(random.split(k2, 5))
    mean = random.multivariate_normal(k3, w, jnp.array([[2.0, 0.5], [0.5, 1.0]]) * w[1])
    return total + jnp.sum(rows**2) + jnp.sum(mean) + random.lognormal(k1, w[0], (2,)).sum()
