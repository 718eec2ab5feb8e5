# entry: main
# args: 0.5, 0.3
# args: 0.7, 3.0
# args: -1.5, 0.0
# note: boxes of several layouts meet: one is opened in the arm that knows its layout, and nowhere above
from gradus import grad


def helper(x):
    v = max(-0.75, x)
    if not v > 0.5:
        for i in range(3):
            pass
    v -= x and -0.75
    return max(v, 2.0)


def main(x, y):
    y -= grad(helper)(x)
    if y > 0.5:
        pass
    return x + y
