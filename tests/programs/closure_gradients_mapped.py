# entry: f
# args: 1.5
# args: -0.5
# order: 2
# by-hand
# closed: [2*cos(x - 0.2*cos(x))*(1 + 0.2*sin(x))]
# closed second: -2*sin(x - 0.2*cos(x))*(1 + 0.2*sin(x))**2 + 2*cos(x - 0.2*cos(x))*0.2*cos(x)
# note: a step of descent by `tree_map` over a closure and its gradient: functions and ints that it captures stay
import math
import jax
from gradus import grad


def layer(w, act, n):
    return lambda y: act(w * y) * n


def f(x):
    one = layer(x, math.sin, 2)
    d = grad(lambda g: g(1.0))(one)
    return jax.tree_util.tree_map(lambda p, g: p - 0.1 * g, one, d)(1.0)
