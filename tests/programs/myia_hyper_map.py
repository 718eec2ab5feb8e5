# entry: f
# args: {"t": "tuple", "v": [0.5, {"t": "tuple", "v": [2.0, 3.0]}]}
# note: functions over nested tuples: sums of gradients, zeros like a value

from myia.operations import gadd, hyper_add, hyper_map, scalar_mul, zeros_like


def f(t):
    doubled = gadd(t, t)
    added = hyper_add(doubled, zeros_like(t))
    a, (b, c) = hyper_map(scalar_mul, added, t)
    return a * b + c
