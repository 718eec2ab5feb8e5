# command: grad
# entry: f
# args: 0.5
# exit: 2
# message: the key 'b'
# line: 8, 9
def g(x):
    d = {"a": x}
    e = {"a": x, "b": x}
    if x > 1.0:
        return d
    return e


def f(x):
    return g(x)["a"]
