# entry: f
# args: 1.5
# note: closures that capture the values of one iteration and are called in it


def f(x):
    total = 0.0
    for i in range(5):
        y = x * i
        g = lambda z: z * y + i
        total += g(total) * 0.1 + g(x)
    return total
