# entry: f
# args: 0.7
# note: what autograd's own tests go through: gradients of dicts and lists of parameters, Hessians, checkpoints, partial
import numpy as np
from functools import partial
from gradus import checkpoint, grad, hessian, jacrev, value_and_grad


def d_in_loop(d):
    total = 0.0
    for k in d:
        total = total + np.sum(np.sin(d[k]))
    for k, v in d.items():
        total = total + np.sum(v) * len(k)
    for v in d.values():
        total = total * 1.0 + np.sum(v * v)
    return total


def nested(params, inputs):
    for W, b in params:
        outputs = np.dot(inputs, W) + b
        inputs = np.tanh(outputs)
    return np.sum(outputs)


def with_lists(xs):
    a, b = xs[0], xs[1:]
    ys = [x * 2.0 for x in b] + [a]
    ys.append(ys[0] * ys[-1])
    return sum(ys) + max(ys) + len(ys)


def f(x):
    d = {"a": x, "bc": np.array([x, x * x])}
    g = grad(d_in_loop)(d)
    p = ((np.array([[x, 1.0], [2.0, x]]), np.array([x, 0.5])), (np.array([[1.0], [x]]), np.array([0.1])))
    gp = grad(nested)(p, np.array([1.0, 2.0]))
    gl = grad(with_lists)((x, 2.0, 3.0))
    H = hessian(lambda v: np.dot(np.dot(v, np.array([[1.0, x], [0.0, 2.0]])), v))(np.array([x, 1.0]))
    part = grad(partial(lambda a, b: a * b * x, b=2.0))(x)
    J = jacrev(lambda a: np.roll(np.sin(a), 1))(np.array([x, 1.0, 2.0]))
    ck = checkpoint(lambda *args: sum(args) * args[0])
    return (g["a"] + np.sum(g["bc"]) + np.sum(gp[0][0]) + np.sum(gp[1][1]) + gl[0] * gl[1] + np.sum(H) + part
            + np.sum(J @ np.array([1.0, 2.0, 3.0])) + ck(x, x / 3.0) + value_and_grad(lambda v: 3.0 * v ** 3.2)(x)[1])
