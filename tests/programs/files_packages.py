# entry: f
# args: 1.5
# args: -0.5
# order: 2
# note: a package beside the file: relative imports, names that a package hands on, modules that import each other, tables that run
import beside
import beside.inner.deep
from beside import solve, tables as t
from beside.inner import deep

try:
    import numba_that_is_not_there as numba
except ImportError:
    numba = None

try:
    from math import sqrt
except ImportError:
    sqrt = None


def f(x):
    cubed = deep.cubed(x) * beside.scale
    return solve(x) + cubed + beside.inner.deep.step(x) * t.ENTRIES[2] + beside.area(beside.Circle(x)) + sqrt(x * x + 1.0)


if __name__ == "__main__":
    import nothing_of_the_kind
