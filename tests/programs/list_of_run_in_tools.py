# entry: f
# args: 0.7
# note: lists whose length only the run knows, in and out of `jvp`, and given to `checkpoint`; a string given to it
import math
from gradus import checkpoint, grad, jvp


def made(x):
    return [x * (i + 1) for i in range(int(x * 6.0))]


def squares(xs):
    return [q * q for q in xs]


def pushed(x):
    xs = made(x)
    return sum(jvp(squares, (xs,), (xs,))[1])


def second(x):
    xs = made(x)
    return sum(jvp(grad(lambda xs: sum(q * q * q for q in xs)), (xs,), (xs,))[1])


def again(x):
    return checkpoint(lambda xs: sum(math.sin(q) for q in xs))(made(x))


def chosen(x):
    return checkpoint(lambda a, k: math.sin(a) if k == "sin" else 0.0)(x, "sin")


def f(x):
    return pushed(x) + second(x) + again(x) * chosen(x)
