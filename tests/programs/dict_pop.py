# entry: f
# args: 1.3
# args: -0.4
# order: 2
# note: `pop` of keys, `setdefault`, `dict.fromkeys`, and the order of constant strings


def popped(x):
    d = {"w": x, "b": 2.0 * x, "a": x * x, 3: 4.0}
    w = d.pop("w")
    z = d.pop("z", 3.0)
    b = d.pop("b", 9.0)
    d.pop("nothing", None)
    return w * z + b * d.pop(3) * x + d["a"] * len(d)


def given(x):
    d = {"a": x}
    s = d.setdefault("q", x**3)
    t = d.setdefault("a", 7.0)
    d.setdefault("r", 5.0)
    d.setdefault("r", 6.0)
    e = dict.fromkeys(["u", "v"], x)
    e["u"] = 2.0
    return s * t + d["r"] * d["q"] + e["u"] * e["v"] * len(d)


def ordered(x):
    d = {"b": x, "a": x * x, "c": 3.0}
    t = 0.0
    for i, k in enumerate(sorted(d)):
        t = t * 2.0 + d[k] * (i + 1)
    for i, (k, v) in enumerate(sorted(d.items())):
        t = t * 2.0 + v * (i + 1)
    for i, (k, v) in enumerate(sorted(d.items(), key=lambda kv: kv[0], reverse=True)):
        t = t * 2.0 + v * (i + 1)
    for k in sorted(["c", "a", "b", "a"], reverse=True):
        t = t * 1.5 + d[k]
    return t


def f(x):
    return popped(x) + given(x) + ordered(x)
