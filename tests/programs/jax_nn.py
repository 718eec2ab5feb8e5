# entry: f
# args: [0.0, -2.0, 3.0, 0.5]
# by: jax
# note: `jax.nn`, with JAX's derivatives at kinks, and `jax.scipy`

import jax
import jax.numpy as jnp
from jax import nn
from jax.nn import log_softmax, one_hot, relu
from jax.scipy.special import logsumexp
from jax.scipy.stats import norm


def f(x):
    smooth = nn.sigmoid(x) + nn.softplus(x) + nn.silu(x) + nn.swish(2.0 * x) + jax.nn.gelu(x) + nn.gelu(x, approximate=False) + nn.mish(x)
    kinked = relu(x) + nn.relu6(2.0 * x) + nn.elu(x, 1.5) + nn.selu(x) + nn.celu(x, 0.7) + nn.leaky_relu(x) + nn.hard_tanh(x)
    others = nn.log_sigmoid(x) + nn.soft_sign(x) + nn.hard_sigmoid(x) + nn.tanh(x)
    chosen = one_hot(jnp.array([2, 0]), 4)
    of_rows = nn.softmax(jnp.stack([x, 2.0 * x])) * log_softmax(jnp.stack([x * x, x]), axis=0)
    out = jnp.sum(smooth * kinked) + jnp.sum(others * x) + jnp.sum(jnp.dot(chosen, x) ** 2) + jnp.sum(of_rows)
    return out + logsumexp(x) + nn.logsumexp(x[1:]) + jnp.sum(norm.logpdf(x, 0.5, 2.0))
