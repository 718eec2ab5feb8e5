# entry: f
# args: [0.1, -0.3]
# by: jax
# note: products with Hessians as JAX's autodiff cookbook makes them, in both orders, and a whole Hessian

import jax
import jax.numpy as jnp
from jax import grad, jvp


def energy(x):
    return jnp.sum(jnp.sin(x) * x)


def hvp(f, primals, tangents):
    return jvp(grad(f), primals, tangents)[1]


def hvp_revrev(f, primals, tangents):
    x, = primals
    v, = tangents
    return grad(lambda x: jnp.vdot(grad(f)(x), v))(x)


def f(x):
    v = jnp.array([1.0, 2.0])
    curved = hvp(energy, (x,), (v,)) - 2.0 * hvp_revrev(energy, (x,), (v,))
    return jnp.sum(curved) + jnp.sum(jax.hessian(energy)(x))
