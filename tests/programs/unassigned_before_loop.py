# entry: total
# args: 0.7, 5
# args: 2.2, 2
# note: variables that a loop assigns first: what surely runs assigns them, and so does what a flag stands for
def surely(x):
    for i in range(3):
        t = 0.0
        for j in range(1, 3):
            z = x * i * j
            t += z
        w = z * t
    return w + t * i


def first(x, n):
    t = 0.0
    for i in range(n):
        if i == 0:
            y = x
        else:
            y = y * x
        t += y
    return t


def found(x, n):
    ok = False
    for i in range(n):
        if x * i > 2.0 and not ok:
            best = x * i
            ok = True
    if ok:
        return best * best
    return x


def until(x):
    n = 0
    while True:
        n += 1
        y = x * n
        if y > 3.0:
            break
    return y * n


def total(x: float, n: int) -> float:
    return surely(x) + first(x, n) + found(x, n) + until(x)
