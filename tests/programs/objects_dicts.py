# entry: f
# args: 1.3
# args: -0.6
# note: dicts under several names, and functions that write to them


def step(state, dt):
    state["v"] -= state["x"] * dt
    state["x"] += state["v"] * dt
    state["path"][1] += state["x"]


def f(x):
    state = {"x": x, "v": 1.0, "path": [x, 0.0]}
    same = state
    for _ in range(2):
        step(state, 0.25)
    options = dict(rate=x, decay=0.5)
    alias = options
    alias.update({"rate": x * x}, decay=0.25)
    copy = {**options, "rate": 3.0}
    copy["decay"] += 1.0
    path = state["path"]
    path[0] *= 2.0
    return same["x"] * same["v"] + sum(same["path"]) * options["rate"] + copy["rate"] * copy["decay"] + options.get("decay", x)
