# entry: main
# args: 1.9, 3
# args: -0.7, 0
# order: 2
# closed: [1.0, None]
# closed second: 0.0
# note: each closure calls a closure that the same function makes; derivatives of it must not be unrolled without end


def helper(x, n):
    if n <= 0:
        return lambda t: x
    return lambda t: helper(t, n - 1)(t)


def main(x, n):
    return helper(x, n)(x)
