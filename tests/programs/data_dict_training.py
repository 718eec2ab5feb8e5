# entry: train
# args: 0.3
# order: 2
# note: descent on a dict of parameters; items, keys, values and get
from gradus import grad

def loss(p, x):
    return (p["w"] * x + p["b"] - 1.0) ** 2 + 0.1 * p["w"] ** 2

def train(rate):
    p = {"w": 0.5, "b": -0.25}
    for i in range(3):
        g = grad(loss)(p, 1.5)
        p = {"w": p["w"] - rate * g["w"], "b": p["b"] - rate * g["b"]}
    total = 0.0
    for k, v in p.items():
        total = total * rate + v
    for v in p.values():
        total = total + v * v
    for k in p.keys():
        total = total + p[k]
    return total + p.get("w") * p.get("c", 2.0)
