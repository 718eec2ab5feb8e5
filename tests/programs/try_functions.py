# entry: f
# args: 1.3
# order: 2
# note: what functions raise that are called in a `try`: helpers of helpers, recursion, nested functions, methods and makers of instances


class Shrinks(RuntimeError):
    pass


class Never(Shrinks):
    pass


class Spring:
    def __init__(self, stiffness):
        if stiffness <= 0.0:
            raise ValueError("a spring pulls")
        self.stiffness = stiffness

    def force(self, x):
        if x > 2.0:
            raise Shrinks("it breaks")
        return -self.stiffness * x

    def energy(self, x):
        return self.force(x) * x * -0.5


def root(x, steps):
    y = x
    for _ in range(steps):
        y = y - (y * y - x) / (2.0 * y)
        if abs(y * y - x) < 1e-13:
            return y
    raise Never("no convergence")


def deep(x, depth):
    if depth > 4:
        raise RecursionError("too deep")
    return x if x > 3.0 else deep(x * x, depth + 1)


def twice(x):
    return deep(x, 0) + deep(x / 2.0, 0)


def f(x):
    def inner(y):
        if y > 1.5:
            raise ValueError("too large")
        return y * scale

    scale, total = x * 2.0, 0.0
    for k in range(4):
        try:
            total += inner(x * k * 0.5) + Spring(k - 1.0).energy(x * k)
        except ValueError:
            total += x
        except Shrinks as error:
            total -= x * x
    try:
        total += root(x, 1)
    except Never:
        total += root(x, 30) * 10.0
    try:
        return total * twice(x)
    except RecursionError:
        return total * twice(x * 2.0)
