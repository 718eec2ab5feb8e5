# entry: f
# args: 1.5
# args: 2.75
# note: `:=` in a comprehension binds a name of the function around
def found(xs):
    if any((hit := v) > 2.5 for v in xs):
        return hit * hit
    return 0.0


def f(x):
    xs = [x, 2.0, 3.0 * x]
    squares = [y * y for v in xs if (y := v * 2.0) > 3.5]
    total = 0.0
    sums = [total := total + v for v in xs]
    rows = [sum([(last := a * b) for a in xs]) for b in [x, 3.0]]
    return sum(squares) + total * sums[1] + rows[0] * last + found(xs) + found([x])
