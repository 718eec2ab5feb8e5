# entry: f
# args: [[0.3, -1.2], [0.7, 2.0]], [[0.5, 0.4], [-0.9, 1.1]], [1.0, -2.0]
# by: jax
# note: linear algebra and reductions of arrays of complex numbers

import jax.numpy as jnp


def f(x, y, v):
    z = x + 1j * y
    w = jnp.linalg.solve(z, v) + jnp.linalg.inv(z) @ (1j * v)
    both = jnp.stack([w, v], axis=1)
    t = jnp.einsum("ij,jk->ki", z, jnp.concatenate([both, z], axis=1))
    p = jnp.prod(z, axis=0) + jnp.cumsum(z[:, 1]) - jnp.mean(z.T, axis=1)
    q = jnp.sqrt(p) * z[0] ** 1.5 + jnp.where(v > 0.0, jnp.tanh(p), 2j) - jnp.outer(v, w)[1]
    total = jnp.abs(jnp.linalg.det(z)) + jnp.linalg.norm(t) + jnp.var(z) + jnp.vdot(w, z[1]).real
    return total + jnp.sum(jnp.abs(q) * jnp.angle(q)) + jnp.sum(jnp.conj(t[::2]).imag ** 3)
