# entry: f
# args: 2.7
# args: -2.7
# closed: [float(int(x)) + round(x) + 2 * x + copysign(1, x) + 3 * x * x]


def f(x):
    whole = int(x)
    near = round(x)
    yes = bool(x)
    return x * float(whole) + x * near + yes * pow(x, 2) + abs(x) + pow(x, 3)
