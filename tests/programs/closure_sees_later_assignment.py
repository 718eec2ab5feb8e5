# entry: f
# args: 2.0, 5.0
# closed: [1.0 + 2 * y, 2 * x]
# note: called by name in its own function, it reads a variable as it is at the call


def f(x, y):
    scale = 1.0

    def g(z):
        return scale * z

    a = g(x)
    scale = 2.0 * y
    return a + g(x)
