# entry: f
# args: 0.7, 0
# order: 2
# note: an operation that raises goes to its handler, in a loop, in a comprehension and at an index


def inverse(x, k):
    try:
        return 1.0 / (x * k)
    except ZeroDivisionError:
        return x * 7.0


def element(xs, k):
    try:
        return xs[k]
    except IndexError:
        return -xs[0]


def rest(x, k):
    try:
        return x * (7 % k) + x ** (k - 3)
    except (ZeroDivisionError, OverflowError) as error:
        return x * x * 3.0


def f(x, n):
    total = 0.0
    for k in range(3):
        total += inverse(x, k) * element([x, x * x], k + n)
    try:
        values = [x * x / (k - 1) for k in range(3)]
    except ArithmeticError:
        values = [x, x * x]
    else:
        values = values + [100.0]
    return total + sum(values) * rest(x, n) + rest(x, n + 2)
