# entry: f
# args: 3.0
# note: the closure is the default of another, and sees the later assignment


def f(x):
    scale = 1.0

    def g(y, h=lambda z: z * scale):
        return h(y)

    scale = 2.0
    return g(x)
