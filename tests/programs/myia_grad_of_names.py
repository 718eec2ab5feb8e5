# entry: f
# args: 0.7, 1.9
# closed: [1 + y**3, 3*x*y**2]
# note: what to differentiate for by several names, in their order

from myia import grad


def g(x, y, z):
    return x * y * y * z


def f(x, y):
    by_z, by_x = grad(g, "z", "x")(x, y, x * y)
    return by_x + by_z / (y * y)
