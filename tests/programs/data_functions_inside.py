# entry: f
# args: 0.5
# args: 1.5
# order: 2
# note: functions and closures in records and dicts; records that are called; closures over records
import math
from dataclasses import dataclass
from typing import Callable

@dataclass(frozen=True)
class Layer:
    weight: float
    bias: float
    activation: Callable = math.tanh

    def __call__(self, x):
        return self.activation(self.weight * x + self.bias)

@dataclass(frozen=True)
class Chain:
    first: Callable
    second: Callable

    def __call__(self, x):
        return self.second(self.first(x))

def f(x):
    model = Chain(Layer(x, 0.5), Chain(Layer(2.0, x, math.sin), lambda t: t * x))
    table = {"sin": math.sin, "scale": lambda t: t * model.first.weight, "model": model}
    y = 0.25
    for i in range(3):
        y = table["scale"](table["sin"](y)) + table["model"](y + i)
    return y
