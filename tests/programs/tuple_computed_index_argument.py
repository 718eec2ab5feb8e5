# entry: f
# args: [1.0, -2.0, 3.0], 2.0
# closed: [[x * x, x, 1.0], 2.0 * t[0] * x + t[1]]


def f(t, x):
    total = 0.0
    for i in range(len(t)):
        total = total * x + t[i]
    return total
