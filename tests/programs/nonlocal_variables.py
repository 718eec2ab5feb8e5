# entry: f
# args: 1.3
# order: 2
# note: variables that nested functions assign, a parameter among them, through two levels and as values

def accumulate(x):
    total = 0.0

    def add(v):
        nonlocal total
        total += v * x
        return total

    for i in range(3):
        add(x + i)
    return total * add(1.0)


def pair(n):
    def double():
        nonlocal n
        n = n * 2.0
        return n

    def get():
        return n

    return double, get


def deep(x):
    y = x

    def outer():
        def inner():
            nonlocal y
            y = y * y + x

        inner()
        inner()

    outer()
    return y


def f(x):
    double, get = pair(x)
    a = double()
    b = double()
    return accumulate(x) + a + b * get() + deep(x)
