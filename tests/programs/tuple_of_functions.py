# entry: f
# args: 1.5, 0.5
# closed: [2*x*y + y, x*x + x]
# note: a function that returns a tuple of functions


def ring(scale):
    def add(a, b):
        return scale * (a + b)

    def mul(a, b):
        return scale * a * b

    return add, mul


def f(x, y):
    add, mul = ring(y)
    return mul(x, x) + add(x, 0.0)
