# entry: f
# args: 0.7
# exit: 3
# message: may share its memory is read later
# line: 9
def f(x):
    d = {"a": 1.0}
    b = d
    b["a"] = x
    return d["a"] * x
