# entry: f
# args: 1.3, 5
# closed: [n * x ** (n - 1), None]
# note: powers by a loop, as in Myia's first examples

from myia import myia
from myia.operations import scalar_gt, scalar_mul, scalar_sub


@myia
def f(x, n):
    result = 1.0
    while scalar_gt(n, 0):
        result = scalar_mul(result, x)
        n = scalar_sub(n, 1)
    return result
