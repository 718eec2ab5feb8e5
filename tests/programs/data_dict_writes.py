# entry: f
# args: 0.7
# order: 2
# note: writes to dicts that nobody else sees; equal dicts have their keys in any order
def step(p, h):
    p = dict(p)
    p["x"] = p["x"] + h * p["v"]
    p["v"] -= h * p["x"]
    return p

def f(x):
    p = {"x": x, "v": 1.0}
    for i in range(4):
        p = step(p, 0.1)
    seen = {"a": x}
    old = dict(seen)
    seen["b"] = p["x"]
    seen["a"] *= 2.0
    grid = [[x, 1.0], [2.0, x * x]]
    rows = [list(row) for row in grid[:]]
    rows[0][0] = seen["b"]
    same = 1.0 if {"a": 1, "b": 2} == {"b": 2, "a": 1} else 5.0
    return p["x"] * p["v"] + seen["a"] * seen["b"] + old["a"] + rows[0][0] * grid[0][0] * same
