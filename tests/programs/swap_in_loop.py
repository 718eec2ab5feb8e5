# entry: f
# args: 1.5, 2.0
# note: parallel assignment in a loop


def f(a, b):
    for _ in range(7):
        a, b = b, a * 0.5 + b * b * 0.1
    return a + 2 * b
