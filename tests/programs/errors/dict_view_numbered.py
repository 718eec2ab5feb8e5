# entry: f
# args: 1.5
# exit: 3
# message: may share its memory is read later
# line: 12


def f(x):
    d = {"a": x, "b": 2.0}
    total = 0.0
    for i, (k, v) in enumerate(d.items()):
        d["b"] = v * 2.0
        total += i * v
    return total
