# entry: f
# args: [0.5, -1.0, 2.0, 0.25, 1.5]
# by: jax
# note: a derivative of a derivative through a transform of a prime number of points

import jax
import jax.numpy as jnp


def energy(x):
    z = jnp.fft.rfft(x)
    return jnp.sum(jnp.abs(z) ** 3) + jnp.sum(jnp.cos(z.real) * z.imag)


def f(x):
    return jnp.sum(jax.grad(energy)(x) ** 2)
