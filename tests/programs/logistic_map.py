# entry: f
# args: 0.3, 3.2, 20


def f(x, r, n):
    for _ in range(n):
        x = r * x * (1 - x)
    return x
