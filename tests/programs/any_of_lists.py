# entry: f
# args: 2.0
# args: -0.5
# order: 2
# note: a list is complete before `any` and `all` look at it, what a generator gives is not
def f(x):
    n = 0.0
    def positive(y):
        nonlocal n
        n = n + y
        return y > 0.0
    some = any([positive(y) for y in [x, 2.0 * x, 3.0]])
    first = any(positive(y) for y in [x, 2.0 * x, 3.0])
    every = all([positive(y) for y in [-x, x]])
    last = all(positive(y * y) for y in (x, 2.0 * x))
    return n * x + (x if some and first else 0.0) + (x * x if every or last else 0.0)
