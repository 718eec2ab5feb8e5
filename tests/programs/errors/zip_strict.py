# entry: f
# args: 2.0
# exit: 2
# message: `zip` of sequences with different lengths
# line: 8
# note: sequences with different lengths
def f(x):
    return sum([a * b for a, b in zip([x, 1.0], [x], strict=True)])
