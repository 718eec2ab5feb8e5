# entry: f
# args: 1.5
# order: 2
# closed: [0.0]
# closed second: 0.0


def f(x):
    return 3.5
