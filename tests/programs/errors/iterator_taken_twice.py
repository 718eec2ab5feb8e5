# entry: f
# args: 1.5
# exit: 3
# message: write a list: `list(…)`
# line: 8
# note: the second sum is that of nothing
def f(x):
    pairs = zip([x, 2.0], [1.0, 2.0])
    return sum(p * q for p, q in pairs) + sum(p + q for p, q in pairs)
