# entry: f
# args: 1.5
# order: 2
# note: failures on paths that are not taken, in functions that are called for them, are no part of a derivative

def check(x):
    assert x > 0.0, f"x is {x:.2f}, not positive"
    if x > 100.0:
        raise ValueError("too large: " + str(x))


def root(x):
    if x < 0.0:
        raise ValueError(f"no root of {x}")
    return x ** 0.5


def f(x):
    check(x)
    y = 0.0
    for i in range(4):
        assert i < 10
        y += root(x * i + 1.0)
    check(y)
    return y * x
