# entry: f
# args: [[[[0.5, -1.5, 2.0, 0.25], [1.5, 0.75, -0.25, -2.0], [0.1, 1.2, -0.7, 0.9]], [[1.0, 0.2, -0.3, 0.6], [-0.4, 1.1, 0.8, -0.9], [0.7, -1.3, 0.05, 0.45]]]], [[[[0.3, -1.1], [0.8, 0.4]], [[0.9, 0.15], [-0.6, 0.35]]], [[[1.2, -0.2], [0.5, 0.65]], [[-0.75, 0.1], [0.25, -0.85]]]]
# by: jax
# note: convolutions of batches of channels with strides, margins, holes and groups, in other orders of axes; windows

import jax.numpy as jnp
from jax import lax


def f(x, k):
    a = lax.conv(x, k, (1, 1), "SAME")
    b = lax.conv_general_dilated(x, k, (2, 1), [(1, 0), (0, 2)], rhs_dilation=(1, 2))
    c = lax.conv_general_dilated(x, k[:, :1], (1, 1), "VALID", feature_group_count=2)
    y = jnp.transpose(x, (0, 2, 3, 1))
    h = jnp.transpose(k, (2, 3, 1, 0))
    d = lax.conv_general_dilated(y, h, (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"))
    e = lax.conv_general_dilated(x, k, (1, 1), [(0, 1), (1, 0)], lhs_dilation=(2, 1))
    g = lax.conv_transpose(y, h, (2, 1), "SAME")
    m = lax.reduce_window(x, -jnp.inf, lax.max, (1, 1, 2, 2), (1, 1, 1, 2), "VALID")
    s = lax.reduce_window(x, 0.0, lax.add, (1, 1, 2, 3), (1, 1, 1, 1), "SAME")
    return sum(jnp.sum(jnp.sin(v + 0.1 * jnp.arange(v.size).reshape(v.shape))) for v in (a, b, c, d, e, g, m, s))
