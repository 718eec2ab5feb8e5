# entry: f
# args: 1.1
# args: 3.0
# args: 0.5
# note: a return inside of nested loops


def f(x):
    p = x
    for i in range(5):
        for j in range(4):
            p = p * x
            if p > 20.0:
                return p + i * x + j
    return -p
