# entry: f
# args: 0.7, -1.2, 5
# args: -1.4, 0.9, -3
# args: 1.6, 2.1, 0
# note: powers with exponents of every kind


def f(x, y, n):
    z = complex(x, y)
    w = z**n + z**2.5 + z**x + 2**z + x**2**z + z ** (0.5 - 1j)
    return w.real - 3.0 * w.imag
