# entry: f
# args: 0.7, 3.5
# wrt: 0
# note: derivatives, inside of a program, of functions that make lists whose length only the run knows; of lists of such
from gradus import grad


def f(x, m):
    def g(y):
        xs = []
        i = 0.0
        while i < m:
            xs.append(y**2 * i)
            i += 1.0
        return sum(xs) * y

    slopes = []
    i = 1.0
    while i < m:
        slopes.append(grad(lambda t: g(t) * i)(x))
        i += 1.0
    return slopes[0] * slopes[-1] + grad(g)(x)
