# Programs for the claims of "Don't Unroll Adjoint: Differentiating SSA-Form Programs" (Innes 2018). The rows of docs/papers.md run them.

from math import exp, sin

import numpy as np

from gradus import grad, vjp


def fraction(a, b):
    return a / (a + b**2)


# The Wengert list of `fraction`, its pullbacks called in reverse, and gradients of variables that are used twice added up.
def by_pullbacks(a, b):
    y1, back1 = vjp(lambda b: b**2, b)
    y2, back2 = vjp(lambda a, y1: a + y1, a, y1)
    y3, back3 = vjp(lambda a, y2: a / y2, a, y2)
    da, dy2 = back3(1.0)
    more, dy1 = back2(dy2)
    (db,) = back1(dy1)
    return y3, (da + more, db)


def pow(x, n):
    r = 1
    while n > 0:
        n -= 1
        r *= x
    return r


def pow_recursive(x, n):
    return 1 if n <= 0 else x * pow_recursive(x, n - 1)


# A gradient of what takes a gradient.
def nested(x):
    return x * grad(lambda y: sin(x * y))(1.0)


# An array that a loop writes to, and reads what it wrote.
def written(x, n):
    a = np.zeros(n)
    a[0] = x
    for i in range(1, n):
        a[i] = a[i - 1] * x
    return np.sum(a)


# A list of cells, each a pair of a value and the rest.
def cons(head, tail):
    return (head, tail)


def product_of_list(x, y):
    cells = cons(x, cons(y, cons(x, None)))
    product = 1.0
    first, rest = cells
    second, rest = rest
    third, _ = rest
    return product * first * second * third


def compose(f, g):
    return lambda x: f(g(x))


def composed(x):
    return compose(sin, compose(exp, sin))(x)


# One definition, for a float, an array, and a complex number.
def square(x):
    return x * x


def of_float(x):
    return grad(square)(x)


def of_array(x):
    return grad(lambda x: np.sum(square(x)))(x)


def of_complex(x, y):
    return grad(lambda z: square(z).real)(complex(x, y))


def clamp(x):
    if x > 1.0:
        return x * x
    return 3.0 * x


# A loop in a loop, left early.
def triangles(x, n):
    total = 0.0
    for i in range(n):
        for j in range(i + 1):
            total += x * j
            if total > 20.0:
                return total * x
    return total


# What a loop computes and its adjoint does not read.
def summed(x, n):
    total = 0.0
    for i in range(n):
        total += 3.0 * x
    return total


# The argument of a product is written to after the product has read it.
def overwritten(x):
    x = x.copy()
    y = np.sum(x * x)
    x[:] = 0.0
    return y + np.sum(x)


# A stack: what is pushed is popped in reverse.
def stacked(x, n):
    stack = []
    for i in range(n):
        stack.append(x * (i + 1))
    total = 0.0
    while stack:
        total = total * x + stack.pop()
    return total


# Fields of a record have gradients of their own; both reads of one add up.
def of_fields(p):
    return p["x"] * p["y"] + p["x"]


# The gradient of a call with respect to what the called function captures.
def captured(a, b):
    f = lambda x: a * x + b
    df, dx = vjp(lambda f, x: f(x), f, 2.0)[1](1.0)
    return df.a, df.b, dx


def line(x):
    return 5 * x + 3


def slope(x):
    return grad(line)(x)


def sincos(x):
    return sin(x) * np.cos(x)


def logsumexp(x):
    return np.log(np.sum(np.exp(x)))


# Logistic regression with ten classes would be this with more columns.
def logistic(W, b, x):
    return np.sum(1 / (1 + np.exp(-(W @ x + b))))


def mlp(W1, b1, W2, b2, x):
    return np.sum(W2 @ np.tanh(W1 @ x + b1) + b2)
