# entry: f
# args: {"t": "tuple", "v": [0.5, 2.0, -1.5]}
# closed: [(5 * t[0] ** 4 * t[1], t[0] ** 5 + 2 * t[1], 1.0)]
# note: tuples as arguments; items are read and replaced

from myia.operations import scalar_add, scalar_mul, tuple_getitem, tuple_len, tuple_setitem


def f(t):
    a = tuple_getitem(t, 0)
    changed = tuple_setitem(t, 0, a**tuple_len((1, 2, 3, 4, 5)))
    product = scalar_mul(changed[0], changed[1])
    return scalar_add(scalar_add(product, scalar_mul(t[1], t[1])), changed[2])
