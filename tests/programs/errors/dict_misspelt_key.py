# entry: f
# args: 2.0
# exit: 2
# message: did you mean 'alpha'?
# line: 8
# note: a key that a dict does not have
def f(x):
    return {"alpha": x, "beta": 1.0}["alhpa"]
