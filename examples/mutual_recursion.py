# Mutual recursion: sine and cosine of an angle from those of its half, until the angle is small enough for two terms of the
# series. What is differentiated is the program, so the gradient is the cosine up to the error of the series; cos(1.0) is
# 0.5403023058681398.
#
#   $ gradus grad examples/mutual_recursion.py sin 1.0
#   value     0.8414709847072261
#   gradient  0.5403023055215104


def sin(x):
    if abs(x) < 0.01:
        return x - x**3 / 6
    return 2 * sin(x / 2) * cos(x / 2)


def cos(x):
    if abs(x) < 0.01:
        return 1 - x**2 / 2
    return 1 - 2 * sin(x / 2) ** 2
