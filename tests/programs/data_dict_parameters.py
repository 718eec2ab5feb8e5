# entry: loss
# args: {"w": 0.5, "b": -0.25, "scale": [1.0, 2.0, 0.5]}, [0.1, 0.2, 0.3]
# note: a dict of parameters, and the gradient a dict
import numpy as np

def predict(p, x):
    return np.tanh(p["w"] * x * p["scale"] + p["b"])

def loss(p, x):
    e = predict(p, x) - 0.5
    return np.sum(e * e) + p["b"] ** 2
