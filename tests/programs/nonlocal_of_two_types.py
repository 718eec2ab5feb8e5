# entry: f
# args: 2.0, 3
# note: two variables that functions inside assign, of two types: each has a box of its own; and `count` of a list of run-time length


def f(x, n):
    total, pair = 1.0, (1.0, 2)
    seen = []

    def note(v):
        nonlocal total, pair
        total = total + v
        pair = (v * total, 3)
        seen.append(v)

    for i in range(n):
        note(x * i)
    return total + pair[0] * seen.count(2.0 * x)
