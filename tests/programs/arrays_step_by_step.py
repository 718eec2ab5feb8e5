# entry: f
# args: 0.7
# note: what Tangent's own tests go through: writes to arrays, slices, dicts, stacks
import numpy as np


def cart2polar(a, b):
    r = np.sqrt(a**2.0 + b**2.0)
    theta = np.arctan2(b, a)
    return r, theta


def dict_saxpy(val):
    return val['a'] * val['b'] + val['c']


def dict_wrapper(abc):
    a, b, c = abc
    return dict_saxpy(dict(a=a, b=b, c=c))


def passthru(a, b, c, i):
    x = a, b, c
    return x[i]


def listcomp(a):
    return np.sum([i * 3 for i in a])


def while_big(a):
    while np.abs(a) > 0.1:
        a = a * 0.5
    return a


def active_subscript(x):
    y = np.zeros_like(x)
    for i in range(len(x)):
        y[i] = x[i]
    return np.sum(y)


def init_array(x):
    h = np.zeros((len(x), 3))
    for t in range(len(h)):
        h[t] = x[t]
    return np.sum(h)


def rnn(inputs, W):
    h = np.zeros((4, 3))
    for t in range(3):
        h[t + 1] = np.dot(inputs[t], W) + h[t]
    return np.sum(h[1:])


def augassign(a):
    x = a * a
    x *= x
    return x


def nested_dict(p):
    return p['i']['j'] * p['i']['k']


def extended_slice(x):
    return np.sum(x[::2, np.newaxis])


def anf_list(a):
    b = [1, a * a, 2]
    return np.sum(b)


def subscript3(x):
    y = x ** 2.0
    x = x.copy()
    x[0] = y[1] * y[2]
    return np.sum(x * y)


def pushing(a):
    stack = []
    y = a * a
    stack.append(a)
    aa = stack.pop()
    return y * aa * aa


def f(x):
    r, t = cart2polar(x, 2.0)
    v = np.array([x, 2.0, x * x])
    W = np.ones((3, 3)) * x
    return (r * t + dict_wrapper((x, 2.0, x)) + passthru(x, 1.0, 2.0, 0) + listcomp(v) + while_big(x) + active_subscript(v)
            + init_array(v) + rnn(W, W) + augassign(x) + nested_dict({'i': {'j': x, 'k': 3.0}}) + extended_slice(v)
            + anf_list(x) + subscript3(v.copy()) + pushing(x))
