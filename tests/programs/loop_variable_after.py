# entry: f
# args: 1.5, 5
# closed: [10.0 + 4.0, None]


def f(x, n):
    i = 0
    total = 0.0
    for i in range(n):
        total += i * x
    return total + i * x
