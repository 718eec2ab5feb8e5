# entry: f
# args: 1.5
# args: 3.25
# order: 2
# closed: [5*x**4 + 3*x**2 + 6*x]
# closed second: 20*x**3 + 6*x + 6
# note: what is printed before a variable without a value is read is printed where the run fails there, too (tests/command/printed.rs)


def f(x):
    print("begin")
    return straight(x) + looped(x) + 2.0 * closed(x) + boxed(x)


def straight(x):
    if x > 1.0:
        z = x * x
    print("straight")
    y = x * z
    print("product", y)
    return y * z


def looped(x):
    print("looped")
    n = 2
    while n > 0:
        print("turn", n)
        if x > 0.75 or n == 2:
            factor = x
        if n < 2:
            del factor
            if x > 0.5:
                factor = x
        n = n - len(str_of(factor))
    return x * x * factor


def str_of(x):
    return (x,)


def closed(x):
    if x > 0.25:
        scale = x
    def g(y):
        print("closed")
        return y * scale
    print("made")
    return g(x)


def boxed(x):
    total = 0.0
    if x > 0.125:
        last = x
    def add(y):
        nonlocal total
        print("add", y)
        total = total + y
    add(x * x)
    add([quiet(x), last][1] * 0.0)
    return quiet(x) * total / x


def quiet(x):
    if x > 0.0:
        inner = x
    return (lambda k: inner * k)(1.0)


def refused(x):
    print("begin")
    if x > 1.0:
        root = x ** 0.5
    elif x < 0.0:
        print("refused")
        fail()
    y = 1.0 * x
    print("product", y)
    return y * root


def fail():
    raise ValueError("no root")
