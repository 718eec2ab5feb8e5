# entry: f
# args: [0.1, -0.3, 0.6], 0.2
# by: jax
# note: JAX's autodiff cookbook: gradients, whole Jacobians, pullbacks under `vmap`

import jax
import jax.numpy as jnp
from jax import grad, jacfwd, jacrev, jit, linearize, value_and_grad, vjp, vmap

jax.config.update("jax_enable_x64", True)

inputs = jnp.array([[0.52, 1.12, 0.77], [0.88, -1.08, 0.15]])
targets = jnp.array([True, False])


def sigmoid(x):
    return 0.5 * (jnp.tanh(x / 2) + 1)


def predict(W, b, inputs):
    return sigmoid(jnp.dot(inputs, W) + b)


def loss(W, b):
    preds = predict(W, b, inputs)
    label_probs = preds * targets + (1 - preds) * (1 - targets)
    return -jnp.sum(jnp.log(label_probs))


def loss2(params_dict):
    preds = predict(params_dict["W"], params_dict["b"], inputs)
    return -jnp.sum(jnp.log(preds * targets + (1 - preds) * (1 - targets)))


def vmap_mjp(f, x, M):
    y, vjp_fun = vjp(f, x)
    outs, = vmap(vjp_fun)(M)
    return outs


def vmap_jmp(f, W, M):
    _, f_jvp = linearize(f, W)
    return vmap(f_jvp)(M)


@jit
def f(W, b):
    W_grad, b_grad = grad(loss, (0, 1))(W, b)
    by_name = grad(loss2)({"W": W, "b": b})
    loss_value, Wb_grad = value_and_grad(loss, argnums=(0, 1))(W, b)
    of_W = lambda W: predict(W, b, inputs)
    J = jacfwd(of_W)(W)
    K = jacrev(of_W)(W)
    rows = vmap_mjp(of_W, W, jnp.stack([jnp.arange(2.0), jnp.ones(2)]))
    columns = vmap_jmp(of_W, W, jnp.eye(3))
    out = jnp.sum(W_grad * by_name["W"]) + b_grad * by_name["b"] + loss_value + jnp.sum(Wb_grad[0])
    return out + jnp.sum(J * K) + jnp.sum(rows ** 2) + jnp.sum(columns ** 3)
