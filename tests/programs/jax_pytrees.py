# entry: f
# args: {"b": 0.1, "w": [0.3, -0.4]}, 3
# by: jax
# note: parameters that are trees, `has_aux`, compiled training steps, `ravel_pytree`, leaves in the order of sorted keys

from functools import partial
from typing import NamedTuple

import jax
import jax.numpy as jnp
from jax import jit, value_and_grad, vmap
from jax.flatten_util import ravel_pytree
from jax.tree_util import tree_flatten, tree_leaves, tree_map, tree_reduce, tree_unflatten


class State(NamedTuple):
    params: dict
    count: float


def predict(params, x):
    return jnp.tanh(jnp.dot(params["w"], x)) + params["b"]


def loss(params, xs, ys):
    preds = vmap(predict, in_axes=(None, 0))(params, xs)
    return jnp.mean((preds - ys) ** 2), {"preds": preds}


@partial(jit, static_argnums=(3,))
def update(state, xs, ys, rate):
    (value, aux), grads = value_and_grad(loss, has_aux=True)(state.params, xs, ys)
    params = tree_map(lambda p, g: p - rate * g, state.params, grads)
    return State(params, state.count + value), jnp.sum(aux["preds"])


def f(params, steps):
    xs = jnp.array([[1.0, 2.0], [-0.5, 0.3], [0.7, -1.1]])
    ys = jnp.array([0.5, -0.2, 0.1])
    state = State(params, 0.0)
    seen = 0.0
    for _ in range(steps):
        state, total = update(state, xs, ys, 0.1)
        seen = seen + total
    leaves, treedef = tree_flatten(state.params)
    again = tree_unflatten(treedef, [2.0 * leaf for leaf in leaves])
    flat, unravel = ravel_pytree(state.params)
    doubled = jax.tree.map(jnp.sin, (again, None, [unravel(flat * flat)]))
    out = tree_reduce(lambda a, b: a + jnp.sum(b), doubled, 0.0)
    first = tree_leaves({"z": 1.0, "a": state.params})[0]
    return out + state.count + seen + first * flat[0] + jnp.sin(jnp.ones(2)).block_until_ready()[0]
