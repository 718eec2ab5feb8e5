# entry: f
# args: 1.0, -0.7, 2.5
# args: 2.0, 1.5, 0.1
# note: a real function of the complex roots of a polynomial, found by Newton's method

def root(a, b, c, z):
    for _ in range(30):
        z = z - (a * z * z + b * z + c) / (2 * a * z + b)
    return z


def f(a, b, c):
    z = root(a, b, c, 0.3 + 0.9j)
    return z.real + 2 * z.imag + abs(z)
