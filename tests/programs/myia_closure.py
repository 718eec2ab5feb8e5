# entry: f
# args: 1.2, -0.6
# closed: [2 * x * y, x**2 + 2 * y]
# note: nested functions that see each other and their surroundings

from myia.operations import scalar_add, scalar_mul


def f(x, y):
    a = scalar_mul(x, y)

    def g(z):
        def h():
            return scalar_mul(a, z)

        return h()

    def k(z):
        return scalar_add(g(z), scalar_mul(y, y))

    return k(x)
