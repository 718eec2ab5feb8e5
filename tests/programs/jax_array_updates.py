# entry: f
# args: [1.0, 2.0, 3.0, 4.0], 0.5
# by: jax
# note: `x.at[…]` leaves x as it is; `add` adds twice where a place is there twice

import jax.numpy as jnp


def f(x, v):
    y = x.at[0].set(v)
    y = y.at[1:3].add(2.0 * v)
    y = y.at[jnp.array([0, 0, 3])].add(jnp.array([1.0, 2.0, 3.0]) * v)
    y = y.at[-1].multiply(3.0).at[2].divide(v)
    y = y.at[1].power(2).at[0].max(x[1]).at[3].min(v)
    y = y.at[y > 2.0].mul(0.5).at[1].subtract(x[3], unique_indices=True)
    m = jnp.zeros((2, 2)).at[0, 1].set(v).at[1].set(x[:2]).at[:, 0].add(y[2:])
    counts = jnp.zeros(3, dtype=int).at[jnp.array([1, 1, 2])].add(1)
    return jnp.sum(y ** 2) + jnp.sum(x) + jnp.sum(m * m) + x.at[2].get() + jnp.sum(counts * x[:3])
