# entry: f
# args: 1.3
# args: -0.6
# note: a loop over the entries of a dict that writes to them, to others, and to another dict


def f(x):
    d = {"a": x, "b": 2.0}
    out = {"a": 0.0, "b": 0.0}
    total = 0.0
    for k, v in d.items():
        out[k] = v * x
    for k, v in out.items():
        out[k] = v * v
    for k, v in d.items():
        d["b"] = v + x
        total += v * v
    for v in d.values():
        d["a"] = v * x
        total += v
    return total + out["a"] * out["b"] + d["a"]
