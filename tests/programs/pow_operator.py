# entry: f
# args: 2.0, 3
# args: -1.5, 4
# args: 1.25, -3
# args: 3.0, 1
# closed: [3*x**2 + n * x ** (n - 1) - 2 / x**3 + 0.5 * (x*x + 1)**-0.5 * 2*x + 2.0**x * log(2.0), None]
# note: every kind of exponent: a literal, a run-time integer, a negative literal, a float; and a variable one


def f(x, n):
    return x**3 + x**n + x**-2 + (x * x + 1.0) ** 0.5 + 2.0**x
