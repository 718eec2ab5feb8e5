# entry: f
# args: [[0.5, -0.2], [0.1, 0.8]], [0.3, -0.6], [[1.0, 2.0], [-0.5, 0.4], [0.2, 0.7]]
# note: a layer of a network, by functions that are mapped over arrays

from myia.operations import array_map, array_reduce, array_to_scalar, distribute, dot, scalar_add, scalar_mul, scalar_tanh, shape


def f(w, b, x):
    z = dot(x, w)
    y = array_map(scalar_tanh, array_map(scalar_add, z, distribute(b, shape(z))))
    return array_to_scalar(array_reduce(scalar_add, array_map(scalar_mul, y, y), ()))
