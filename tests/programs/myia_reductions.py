# entry: f
# args: [[1.0, 2.0, -0.5], [0.4, 0.2, 0.7]]
# note: reductions to shapes with fewer axes, and with axes of length 1; other shapes

from myia.operations import array_map, array_reduce, array_to_scalar, reshape, scalar_add, scalar_mul, transpose


def f(x):
    columns = array_reduce(scalar_mul, x, (3,))
    rows = array_reduce(scalar_add, x, (2, 1))
    turned = transpose(x, (1, 0))
    both = array_map(scalar_mul, turned, reshape(x, (3, 2)))
    parts = (array_reduce(scalar_add, columns, ()), array_reduce(scalar_mul, rows, ()), array_reduce(scalar_add, both, ()))
    return parts[0] * parts[1] + parts[2]
