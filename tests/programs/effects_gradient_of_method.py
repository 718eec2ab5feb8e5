# entry: f
# args: 0.7
# order: 2
# note: the gradient of a bound method, in a file in which something is printed
from gradus import grad
from dataclasses import dataclass
@dataclass(frozen=True)
class S:
    k: float

    def energy(self, x):
        return self.k * x ** 3

def f(x):
    return grad(S(x).energy)(x)

def noisy(x):
    print(x)
    return x
