# entry: f
# args: 1.5
# args: -0.5
# note: `**kwargs` in definitions and calls, defaults beside `*args`, dicts that are merged, made by comprehensions and by `dict`


def scaled(x, y=2.0, *rest, scale=1.0, **others):
    total = x * y * scale
    for r in rest:
        total = total + r
    for name in others:
        total = total + others[name]
    if "extra" in others:
        total = total * others["extra"]
    return total


def handed_on(x, **others):
    return scaled(x, **others) + scaled(x, 3.0, x, x * x, scale=2.0, **{"extra": x, **others})


def f(x):
    a = scaled(x) + scaled(x, extra=x, b=x * x) + scaled(x, 1.0, 2.0, x)
    d = {"scale": x}
    b = scaled(x, y=x, **d) + handed_on(x, q=x)
    e = {**d, "t": x * x, "scale": 2.0 * x}
    g = {k: v * x for k, v in e.items()}
    h = {name: x for name in ("p", "q")}
    m = {k: 2.0 * v for k, v in h.items() if k == "p"}
    n = dict(a=x, b=2.0 * x)
    o = dict(n, c=1.0) | {"a": x * x}
    p = dict(zip(("u", "v"), (x, x * x)))
    return a * b + g["t"] * g["scale"] + h["q"] + m["p"] + len(m) + o["a"] * o["b"] * o["c"] + p["u"] * p["v"]
