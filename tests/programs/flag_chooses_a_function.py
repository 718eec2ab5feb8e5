# entry: f
# args: 1.5
# args: -0.5
# order: 2
# note: a constant decides which of two functions is returned, whose results differ in type
def one(x):
    return x * x


def two(x):
    return (x, x)


def pick(flag):
    return one if flag else two


def choose(mode):
    if mode == "one":
        return one
    return two


def f(x):
    return pick(True)(x) + pick(False)(x)[0] * choose("one")(x) + choose("two")(x)[1]
