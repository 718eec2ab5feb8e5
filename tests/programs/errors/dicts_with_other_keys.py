# entry: f
# args: 2.0
# exit: 2
# message: this dict has no key `a`
# line: 12
# note: on one of the paths the dict has another key
def f(x):
    if x > 1.0:
        d = {"a": x}
    else:
        d = {"b": x}
    return d["a"]
