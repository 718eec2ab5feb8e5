# entry: f
# args: 0.6, 0.3, 8
# note: a reversible layer: its rule recomputes the inputs from the outputs (Gomez et al. 2017)

import math
from gradus import custom_vjp, vjp


def left(x):
    return 0.5 * math.sin(x)


def right(x):
    return 0.3 * math.cos(x)


def layer_rule(y, state):
    def back(g):
        b = y[1] - right(y[0])
        a, pull_right = y[0] - left(b), vjp(right, y[0])[1]
        ga = g[0] + pull_right(g[1])[0]
        gb = g[1] + vjp(left, b)[1](ga)[0]
        return ((ga + 0.0 * a, gb),)

    return back


@custom_vjp(layer_rule)
def layer(state):
    a, b = state
    a = a + left(b)
    return a, b + right(a)


def f(x, y, n):
    state = (x, y)
    for _ in range(n):
        state = layer(state)
    return state[0] * state[1]
