# entry: f
# args: 0.7, -1.2
# args: -2.5, 0.3
# note: operators of complex numbers with complex numbers, floats and integers on both sides


def f(x, y):
    z = complex(x, y)
    w = (2 + 3j) * z - 1 / z + z**3 - (1 - z) / (0.5 - 2j) + z.conjugate() * 0.25
    w = w / 2 - z * x + y * z
    w -= -z
    w *= 1j
    return w.real * w.imag + (z**-2).real + abs(z - 3)
