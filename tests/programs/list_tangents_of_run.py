# entry: f
# args: 1.55, 2
# args: -0.77, 9
# wrt: 0
# note: each element of a list whose length only the run knows has its own tangent, and its own cotangent from a rule and from a hook

from gradus import custom_vjp, grad, hook, hvp, jvp


def scaled(w, n):
    xs = []
    for i in range(int(abs(w) * n) + 1):
        xs.append(w * i)
    return xs


def cubes(xs):
    s = 0.0
    for i in range(len(xs)):
        s = s + (i + 1) * xs[i] ** 3
    return s


@custom_vjp(lambda y, xs: lambda g: ([3.0 * (i + 1) * g * x * x for i, x in enumerate(xs)],))
def ruled(xs):
    return cubes(xs)


def f(w, n):
    xs = scaled(w, n)
    first = jvp(cubes, (xs,), ([x * x for x in xs],))[1]
    second = hvp(cubes, xs, [x + 1.0 for x in xs])
    weighted = 0.0
    for i in range(len(second)):
        weighted = weighted + (i + 2) * second[i]
    hooked = cubes(hook(lambda g: [2.0 * c - c for c in g], xs))
    return first / 1000.0 + weighted / 100.0 + ruled(xs) + hooked
