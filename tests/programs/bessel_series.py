# entry: f
# args: 1.5, 0
# args: 4.0, 2
# note: a series summed until the terms are small


def f(x, n):
    term = 1.0
    for k in range(1, n + 1):
        term *= x / 2 / k
    total = term
    k = 1
    while abs(term) > 1e-17 * abs(total):
        term = -term * x * x / 4 / (k * (k + n))
        total += term
        k += 1
    return total
