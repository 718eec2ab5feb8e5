# entry: f
# args: 0.8, 4
# note: a function whose loop calls the function


def f(x, n):
    if n == 0:
        return x
    total = 1.0
    for i in range(n):
        total = total * 0.5 + f(x * 0.9, i) * x
    return total
