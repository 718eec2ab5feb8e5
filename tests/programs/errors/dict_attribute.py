# entry: f
# args: 2.0
# exit: 2
# message: write `["alpha"]`
# line: 9
# note: keys are no attributes
def f(x):
    d = {"alpha": x}
    return d.alpha
