# entry: f
# args: 1.5


def f(x):
    a, b, c = range(1, 4)
    t = tuple(range(10, 0, -3))
    weights = list(range(4))
    total = a * x + b * x ** 2 + c * x ** 3
    for i, w in enumerate(range(5, 8), 2):
        total += i * w * x
    for i, w, v in zip(range(3), (x, 2.0, 3.0), t):
        total += i * w * v
    for w in reversed(range(2, 9, 3)):
        total = total / x + w
    for i in tuple(reversed(range(1, 8, 3))):
        total = total * 0.5 + i
    for i, w in enumerate((1.0, x), start=1):
        total += i * w
    r = range(2, 20, 5)
    total += sum(range(10)) + min(range(3, 9)) * max(range(-4, 7, 2)) + sum((x, x), 1.0) + sum(range(3), start=4)
    return total + len(t) * weights[-1] + t[0] - t[3] + len(range(0, -7, -2)) + r[1] + r[-1] + len(r[1:3])
