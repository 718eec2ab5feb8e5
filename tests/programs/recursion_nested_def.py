# entry: f
# args: 1.3, 5


def f(x, n):
    def go(k):
        if k == n:
            return 1.0
        return x * go(k + 1) + k

    return go(0)
