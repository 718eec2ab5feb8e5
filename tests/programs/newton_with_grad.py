# entry: f
# args: 2.0
# args: 7.5
# closed: [a ** (-2.0 / 3.0) / 3.0]
# note: Newton's method, its derivative by grad, differentiated with respect to what the closure captures

from gradus import grad


def newton(g, x, n):
    dg = grad(g)
    for _ in range(n):
        x = x - g(x) / dg(x)
    return x


def f(a):
    return newton(lambda x: x * x * x - a, 1.5, 9)
