# A network that learns a ring, as a program for JAX: parameters are a tree, a step is jitted, and gradients of single points come from
# `vmap` of `grad`. Gives the loss before and after, and the largest norm of the gradient of a point, which are JAX's own answers.
#
#   $ gradus run examples/jax_network.py train 200 0.5
#   (0.6931034917150622, 0.4545786913483676, 5.922620409751357)

import jax
import jax.numpy as jnp
from jax import grad, jit, lax, vmap
from jax.tree_util import tree_leaves, tree_map

jax.config.update("jax_enable_x64", True)


def layer(n, m, seed):
    return {"w": jnp.sin(seed + 12.9898 * jnp.arange(n * m)).reshape(n, m) / jnp.sqrt(n), "b": jnp.zeros(m)}


def network(params, x):
    for layer in params[:-1]:
        x = jnp.tanh(x @ layer["w"] + layer["b"])
    return (x @ params[-1]["w"] + params[-1]["b"])[0]


def loss(params, x, y):
    return jnp.logaddexp(0.0, -y * network(params, x))


def mean_loss(params, xs, ys):
    return jnp.mean(vmap(loss, in_axes=(None, 0, 0))(params, xs, ys))


# Points in a square, and whether they are in the ring.
def data(n):
    xs = jnp.stack([jnp.cos(7.0 * jnp.arange(n)), jnp.sin(11.0 * jnp.arange(n))], axis=1)
    radius = jnp.linalg.norm(xs, axis=1)
    return xs, jnp.where((radius > 0.5) & (radius < 1.0), 1.0, -1.0)


def train(steps, rate):
    xs, ys = data(40)
    params = [layer(2, 8, 0.0), layer(8, 8, 1.0), layer(8, 1, 2.0)]

    @jit
    def step(params):
        gradients = grad(mean_loss)(params, xs, ys)
        return tree_map(lambda p, g: p - rate * g, params, gradients)

    before = mean_loss(params, xs, ys)
    params = lax.fori_loop(0, steps, lambda i, params: step(params), params)
    single = vmap(grad(loss), in_axes=(None, 0, 0))(params, xs, ys)
    norms = jnp.sqrt(sum(jnp.sum(g.reshape(40, -1) ** 2, axis=1) for g in tree_leaves(single)))
    return before, mean_loss(params, xs, ys), jnp.max(norms)
