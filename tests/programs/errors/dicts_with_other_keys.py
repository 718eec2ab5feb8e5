# entry: f
# args: 2.0
# exit: 2
# message: with the key 'b'
# line: 9, 11
# note: the key that differs is named
def f(x):
    if x > 1.0:
        d = {"a": x}
    else:
        d = {"b": x}
    return d["a"]
