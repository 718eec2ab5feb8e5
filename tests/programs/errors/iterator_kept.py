# entry: f
# args: 1.5
# exit: 3
# message: an iterator that is kept must be taken once, before anything that it is made of changes
# line: 9
# note: `map` computes its elements when they are asked for
def f(x):
    w = [x, 2.0]
    doubled = map(lambda v: v * 2, w)
    w[0] = 5.0
    return sum(doubled)
