# entry: f
# args: 1.5, 4
# args: 1.5, 9


def f(x, n):
    r = range(1, n, 2)
    s = range(10, -10, -n)
    total = x * r[0] + r[-1]
    for i in range(len(r)):
        total = total + r[i] * x + s[i % len(s)]
    return total
