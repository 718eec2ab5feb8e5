# entry: f
# args: 2.0
# exit: 2
# message: scale
# line: 12
# note: an assignment makes the name a local everywhere in the function

scale = 2.0


def f(x):
    y = scale * x
    scale = y
    return scale
