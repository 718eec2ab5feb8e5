# entry: f
# args: 2.0
# args: 1.5
# order: 2
# by-hand
# closed: [-1 / x**2 - 1 / (x - 1.0)**2]
# closed second: 2 / x**3 + 2 / (x - 1.0)**3
# note: at 2.0 the loop ends at x == 0.0, where the reciprocal is inf and not read


def f(x):
    total = 0.0
    while True:
        r = 1.0 / x
        if x <= 0.0:
            return total
        total += r
        x -= 1.0
