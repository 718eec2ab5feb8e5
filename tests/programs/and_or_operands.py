# entry: f
# args: 0.0, 2.0
# args: 3.0, 2.0
# args: 3.0, 0.0
# by-hand
# closed: [1.0 if x else 2.0, 2.0 if x else 1.0]
# note: and and or give an operand, as in Python


def f(x, y):
    return (x or y) + 2.0 * (x and y)
