# entry: f
# args: {"t": "tuple", "v": [{"t": "tuple", "v": [0.5, 0.2]}, {"t": "tuple", "v": [-0.1, 0.9]}]}, 11
# note: 2 by 2 matrices as tuples, by repeated squaring


def matmul(m, n):
    (a, b), (c, d) = m
    (e, f), (g, h) = n
    return (a * e + b * g, a * f + b * h), (c * e + d * g, c * f + d * h)


def f(m, n):
    r = ((1.0, 0.0), (0.0, 1.0))
    while n > 0:
        if n % 2 == 1:
            r = matmul(r, m)
        m = matmul(m, m)
        n //= 2
    (a, b), (c, d) = r
    return a + 2 * b + 3 * c + 4 * d
