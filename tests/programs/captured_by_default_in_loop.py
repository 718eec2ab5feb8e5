# entry: f
# args: 0.5, 3
# note: each closure is the default of the next, and sees the assignment between the two


def f(x, n):
    h = lambda v: v * x
    z = x
    for i in range(n):
        z = h(z) + 1.0
        h = lambda v, g=h: g(v + z)
    return h(z)
