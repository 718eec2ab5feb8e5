# entry: f
# args: 0.4, 3
# order: 2
# note: `update` of dicts, of those in others too
import math


def f(x, n):
    p = {"w": x, "b": 1.0}
    p.update({"w": x * x, "c": 2.0})
    p.update(b=x + p["c"])
    state = {"step": 0, "moments": {"m": 0.0, "v": 1.0}}
    for i in range(n):
        g = math.cos(x * i) * p["b"]
        state["moments"].update({"m": 0.9 * state["moments"]["m"] + g, "v": state["moments"]["v"] * g})
        state.update(step=state["step"] + 1)
    return p["w"] * p["c"] + state["moments"]["m"] * state["moments"]["v"] * state["step"]
