# A reversible network (Gomez et al. 2017, "The reversible residual network"): each layer moves one half of the state by what it makes of
# the other half, so what came in can be computed from what went out. By its rule, the derivative goes back from the last state alone and
# computes the states again on its way; as written, every state is kept. It is an example of Zygote's paper ("Don't Unroll Adjoint", Innes
# 2018). Gives the norm of the gradient both ways.
#
#   $ gradus run examples/reversible.py norms 0.5 200
#   (60.0136399954255, 60.01363999542556)
#   $ gradus check examples/reversible.py by_rule 0.5 20
#
# `gradus compare` shows what is kept for 200 layers: as written a tape of 296 bytes a layer, arrays included, by the rule none. What is left
# of the heap, 100 kB of 303 kB, are the layers and the gradient with respect to them.
#
#   $ gradus compare examples/reversible.py written 0.5 200
#   $ gradus compare examples/reversible.py by_rule 0.5 200

import numpy as np
from gradus import custom_vjp, grad, vjp


def moved(w, x):
    return np.tanh(w @ x)


def network(layers, a, b):
    for k in range(len(layers)):
        a = a + moved(layers[k, 0], b)
        b = b + moved(layers[k, 1], a)
    return a, b


def rule(y, layers, a, b):
    def back(cotangent):
        (a, b), (da, db) = y, cotangent
        dlayers = np.zeros(layers.shape)
        for k in reversed(range(len(layers))):
            by, pull = vjp(moved, layers[k, 1], a)
            dlayers[k, 1], more = pull(db)
            b, da = b - by, da + more
            by, pull = vjp(moved, layers[k, 0], b)
            dlayers[k, 0], more = pull(da)
            a, db = a - by, db + more
        return dlayers, da, db

    return back


@custom_vjp(rule)
def reversible(layers, a, b):
    return network(layers, a, b)


def loss(of, layers):
    a, b = of(layers, np.array([1.0, -0.5, 0.25]), np.array([0.5, 0.0, -1.0]))
    return a @ b


def made(scale, n):
    return scale * np.sin(12.9898 * np.arange(n * 18)).reshape(n, 2, 3, 3)


def written(scale, n):
    return loss(network, made(scale, n))


def by_rule(scale, n):
    return loss(reversible, made(scale, n))


def norms(scale, n):
    layers = made(scale, n)
    one, other = (grad(lambda w: loss(of, w))(layers) for of in (network, reversible))
    return np.linalg.norm(one), np.linalg.norm(other)
