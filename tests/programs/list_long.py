# entry: f
# args: 0.9
# note: lists that loops with constant counts make long; what needs no length that is known costs the compiler the same for any count
import math


def chain(x):
    xs = [x]
    for i in range(1000):
        xs.append(xs[-1] * 0.999 + 0.001 * i * x)
    return sum(xs) * 1e-6 + len(xs)


def nested(x):
    table = []
    for i in range(40):
        for j in range(40):
            if (i + j) % 3 != 0:
                table.append(x * i - 0.1 * j + 0.013)
    return sum([t * t for t in table if t > 0.0]) * 1e-4


def emptied(x):
    pairs = [(x * i, 1.0 / (i + 1)) for i in range(600)]
    total = 0.0
    while len(pairs) > 0:
        a, b = pairs.pop()
        total = total * 0.9 + a * b
    return total


def short(x):
    # A short list beside long ones is still a tuple: its elements have different types.
    parts = [x, (x, 2)]
    for i in range(3):
        parts.append((parts[0], i))
    return sum([a * b for a, b in parts[1:]]) * parts[0]


def f(x):
    return chain(x) + nested(x) + emptied(x) + short(x) + math.sin(x)
