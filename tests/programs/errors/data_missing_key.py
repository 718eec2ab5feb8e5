# entry: f
# args: 2.0
# exit: 2
# message: this dict has no key `b`
# line: 8
# note: a key that a dict does not have
def f(x):
    return {"a": x}["b"]
