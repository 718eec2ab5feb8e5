# entry: f
# args: 1.1, 9
# note: two nested functions that call each other and capture


def f(x, n):
    y = x * x

    def ping(k, acc):
        if k == 0:
            return acc * y
        return pong(k - 1, acc + x)

    def pong(k, acc):
        if k == 0:
            return acc - y
        return ping(k - 1, acc * y)

    return ping(n, x)
