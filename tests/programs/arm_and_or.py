# entry: f
# args: 0.0
# args: 0.25
# by-hand
# closed: [2.0 if x == 0 else 3.0]
# note: and and or do not evaluate what they do not need


def f(x):
    if x != 0.0 and 1.0 / x > 2.0:
        return 3.0 * x
    return 2.0 * x
