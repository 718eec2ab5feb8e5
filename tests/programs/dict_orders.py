# entry: f
# args: 0.7, 3
# args: -1.3, 2
# order: 2
# wrt: 0
# note: dicts with the same keys in another order meet where paths join


def make(x, n):
    if n > 2:
        return {"a": x, "b": (x * x, 1)}
    return {"b": (x, 2.0), "a": 3.0 * x}


def f(x: float, n: int) -> float:
    if x > 0.0:
        d = {"a": x, "b": x**2, "c": 1}
    else:
        d = {"c": x, "b": 1.0, "a": 2.0 * x}
    e = make(x, n)
    s = {"u": x, "v": 1.0}
    for i in range(n):
        s = {"v": s["u"] * x, "u": s["v"] + i} if i % 2 == 0 else {"u": s["u"], "v": s["v"] * x}
    nested = {"p": d, "q": x} if n > 2 else {"q": 2.0 * x, "p": {"b": x, "c": x, "a": x}}
    return d["a"] * d["b"] + d["c"] * e["a"] + e["b"][0] * e["b"][1] + s["u"] * s["v"] + nested["p"]["a"] * nested["q"]
