# entry: f
# args: 2.0
# exit: 1
# message: the variable `scale` has no value yet
# line: 10
# note: a variable that functions share is read before one of them assigns it: its box is empty, and was read as zero

def f(x):
    def scaled(v):
        return scale * v
    def prepare():
        nonlocal scale
        scale = x
    y = scaled(x)
    scale = 0.0
    prepare()
    return y
