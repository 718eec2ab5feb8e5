# entry: f
# args: 0.9, 6
# note: trip counts depend on the indices outside


def f(x, n):
    total = 0.0
    for i in range(n):
        for j in range(i):
            for k in range(j, i + 1):
                total = total * 0.99 + x ** (k - j) * (i - j)
    return total
