# entry: f
# args: [1.0, {"t": "tuple", "v": [2.0, 3]}], 4.0
# args: [0.5, {"t": "tuple", "v": [1.5, 2]}], 1.0
# closed: [[2 * p[0] * s, [p[1][1] * p[1][0] ** (p[1][1] - 1), None]], p[0] * p[0]]
# note: the gradient of a tuple has its shape, with none at ints


def f(p, s):
    a, (b, n) = p
    return a * a * s + b**n
