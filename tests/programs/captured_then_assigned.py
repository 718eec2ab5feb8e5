# entry: f
# args: 2.0
# note: the closure lives on and sees the later assignment


def f(x):
    scale = 1.0
    g = (lambda z: scale * z, x)
    scale = 3.0
    return g[0](x)
