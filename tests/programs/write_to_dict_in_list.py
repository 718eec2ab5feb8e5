# entry: f
# args: 0.7
def f(x):
    ps = [{"x": x, "v": 1.0}, {"x": 2.0, "v": x}]
    for p in ps:
        p["x"] += 0.1 * p["v"]
    return sum(p["x"] for p in ps)
