# entry: f
# args: 0.5
# exit: 1
# message: the variable `scaled` has no value here
# line: 10
# note: the function is defined in a branch that this argument does not take
def f(x):
    if x > 1.0:
        def scaled(y): return 2.0 * y
    return scaled(x)
