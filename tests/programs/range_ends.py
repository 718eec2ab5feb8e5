# entry: f
# args: 1.5, 0, 1
# args: -0.5, 5, 3
# note: steps beyond the last value of a range leave the integers of 64 bits
BIG = 4611686018427387904
TOP = 9223372036854775807
LOW = -9223372036854775807 - 1


def known(x):
    total = 0.0
    for i in range(0, 2**63 - 1, 2**62):
        total += x * (i // BIG + 1)
    for i in range(-2, LOW, -BIG):
        total += x * x * (i // BIG)
    for i in reversed(range(LOW + 1, TOP, BIG)):
        total = total * x + i // BIG
    return total + len(range(LOW, TOP, BIG)) + range(LOW, TOP, BIG)[3] // BIG


def steps(x, n, step):
    total = 0.0
    for i in range(TOP - n, TOP, step + 1):
        total += x * (TOP - i)
    for i in range(LOW + n, LOW, -step - 1):
        total = total * x + (i - LOW)
    for i in reversed(range(LOW + 1 + n, TOP - n, BIG + step)):
        total = total * x + i // BIG
    for i in reversed(range(TOP - 1, TOP - n - step, -step)):
        total += x * x * (TOP - i)
    for i in reversed(range(n, n - step, step + 1)):
        total += 100.0
    r = range(LOW + n, TOP - 1, BIG + step)
    for i in range(len(r)):
        total += x * (r[i] // BIG + r[-1] // BIG)
    return total


def constant(x, n):
    total = 0.0
    for i in range(TOP - 7 * n, TOP, 7):
        total += x * (TOP - i)
    for i in reversed(range(n, TOP, 5 * 1000000000000000000)):
        total = total * x + i // 1000000000000000000
    r = range(LOW + n, TOP - n, BIG)
    return total + len(r) + r[2] // BIG


def f(x, n, step):
    return known(x) + steps(x, n, step) * x + constant(x, n)
