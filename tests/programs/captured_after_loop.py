# entry: f
# args: 0.7, 3
# args: 0.7, 1
# note: comprehensions and functions that capture what a loop, or one branch, assigns

from gradus import grad


def f(x, n):
    for i in range(3):
        c = x * (i + 1)
    for j in range(n):
        d = x * x * (j + 1)
    total = sum(c * k for k in (1, 2))
    g = lambda t: t * t * d

    def h(t):
        return t * c

    if n > 2:
        s = x * total
    late = lambda: s * x
    return total + g(x) + grad(g)(x) + grad(h)(x) + (late() if n > 2 else x)
