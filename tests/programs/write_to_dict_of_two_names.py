# entry: f
# args: 0.7
def f(x):
    d = {"a": 1.0}
    b = d
    b["a"] = x
    return d["a"] * x
