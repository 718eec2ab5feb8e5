# entry: f
# args: 1.5
# exit: 3
# message: must be taken once, before anything that it is made of changes
# line: 9
# note: the function reads `k` when the elements are asked for
def f(x):
    k = x
    scaled = map(lambda v: v * k, [1.0, 2.0])
    k = 10.0
    return sum(scaled)
