# entry: f
# args: 0.5, 1.0
# note: a tuple is the state of the loop


def f(x, y):
    s = (x, (y, 0))
    for i in range(6):
        a, (b, n) = s
        s = (a * 0.9 + b, (b - 0.1 * a, n + 1))
    return s[0] * s[1][0] + s[1][1]
