# entry: f
# args: 1.5, 6
# order: 2
# note: an element at an index that only the run knows is of the kinds that a condition has left, if nothing was written in between
def f(x, n):
    table = [None] * (n + 1)

    def fib(k):
        if table[k] is not None:
            return table[k]
        r = x if k < 2 else fib(k - 1) * 0.5 + fib(k - 2)
        table[k] = r
        return r

    rows = [None if x > i else (x, i * 1.0) for i in range(4)]
    s = 0.0
    for i in range(n - 2):
        if rows[i] is not None:
            s = s + rows[i][0] * rows[i][1]
    return fib(n) + s
