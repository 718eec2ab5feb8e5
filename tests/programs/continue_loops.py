# entry: f
# args: 0.9
# args: -1.1


def f(x):
    total = 0.0
    for i in range(12):
        if i % 3 == 0:
            continue
        total += x**i
    n = 0
    while n < 10:
        n += 1
        if n % 2:
            continue
        total *= x + n * 0.1
    return total
