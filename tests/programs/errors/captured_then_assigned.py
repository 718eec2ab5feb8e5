# entry: f
# args: 2.0
# exit: 2
# message: scale
# line: 11, 12
# note: the closure escapes and would see the later assignment


def f(x):
    scale = 1.0
    g = (lambda z: scale * z, x)
    scale = 3.0
    return g[0](x)
