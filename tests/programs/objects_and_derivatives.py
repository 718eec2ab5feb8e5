# entry: f
# args: 1.3
# args: -0.6
# note: derivatives with respect to lists that have several names, and of functions that write to lists


from gradus import grad


def loss(w):
    return w[0] * w[0] * w[1]


def filled(out, t):
    out.append(t * t)
    return out


def inner(t):
    out = [t]
    filled(out, t)
    return out[0] * out[1]


def f(x):
    w = [x, 2.0]
    same = w
    same[0] = x * x
    g = grad(loss)(w)
    other = g
    other[0] += 1.0
    return g[0] * w[1] + g[1] + grad(inner)(x)
