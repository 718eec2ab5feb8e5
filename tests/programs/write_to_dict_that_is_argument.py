# entry: f
# args: 0.7
def fill(d, x):
    d["a"] = x
    return x

def f(x):
    d = {"a": 1.0}
    y = fill(d, x)
    return d["a"] * y
