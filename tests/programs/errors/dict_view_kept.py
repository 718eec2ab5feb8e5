# entry: f
# args: 1.5
# exit: 3
# message: may share its memory is read later
# line: 11


def f(x):
    d = {"a": x, "b": 2.0}
    values = d.values()
    d["a"] = 3.0
    return sum(values)
