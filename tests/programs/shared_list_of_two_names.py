# entry: f
# args: 1.5


def f(x):
    hist = [1.0]

    def add(v):
        nonlocal hist
        hist = hist + [v]

    add(x)
    a = hist
    hist.append(x)
    add(x)
    return sum(a)
