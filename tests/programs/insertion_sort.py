# entry: f
# args: 1.3, 0.7
# args: 0.4, 2.1
# note: what conditions are made of stays known where loops are unrolled, and so does how often loops in them run
def sort(xs: list[float]) -> list[float]:
    a = [x for x in xs]
    for i in range(1, len(a)):
        key = a[i]
        j = i - 1
        while j >= 0 and a[j] > key:
            a[j + 1] = a[j]
            j -= 1
        a[j + 1] = key
    return a


def series(x, n):
    z = []
    for i in range(n):
        z.append(x + sum(z[m] * x for m in range(i)))
    return z[n - 1]


def peaks(xs):
    t = 0.0
    for i in range(len(xs)):
        if i + 1 < len(xs) and i > 0 and xs[i] > xs[i - 1] and xs[i] > xs[i + 1]:
            t += xs[i] * xs[i + 1]
    return t


def f(x: float, y: float) -> float:
    a = sort([x * y, y, x - y, x * 2.0])
    return a[0] + 2.0 * a[1] + 3.0 * a[2] * a[3] + series(x, 4) + peaks([x, x * x + y, y, 3.0 * x, x * y])
