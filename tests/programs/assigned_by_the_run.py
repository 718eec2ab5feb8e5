# entry: total
# args: 0.7, 5
# args: 2.2, 2
# note: whether a variable has a value only the run knows; where it has none, reading it fails, as in CPython
def last(x, n):
    for i in range(n):
        y = x * x * i
    return y * i


def best(x, n):
    least = 1e9
    for i in range(n):
        loss = (x - 0.3 * i) ** 2
        if loss < least:
            least = loss
            at = i
            where = x * i
    return where * where * at + least * x


def branch(x):
    if x > 1.0:
        y = x * x
    if x > 2.0:
        return y * x
    return x


def nested(x, n):
    for i in range(n):
        for j in range(i):
            y = x * j
            if y * y > 0.1:
                z = y * x
    if x > 2.0:
        return y
    return y + z * z


def total(x: float, n: int) -> float:
    return last(x, n) + best(x, n) + branch(x) + nested(x, n)
