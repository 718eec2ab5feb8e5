# entry: f
# args: 1.7, 2
# order: 2
# note: operators that classes define and that are functions of the library otherwise
from dataclasses import dataclass


@dataclass(frozen=True)
class V:
    x: float

    def __matmul__(self, o):
        return self.x * (o.x if isinstance(o, V) else o)

    def __rmatmul__(self, o):
        return o - self.x

    def __rshift__(self, o):
        return V(self.x + o.x * o.x)

    def __rlshift__(self, n):
        return self.x * n

    def __pos__(self):
        return V(self.x ** 2)

    def __int__(self):
        return int(self.x * 2.0)

    def __round__(self):
        return round(self.x) + 1

    def __divmod__(self, o):
        return self.x * o, self.x - o


def f(x, n):
    v = V(x)
    a, b = divmod(v, 0.3 * x)
    c = (v @ v) + (v @ 2.0) + (3.0 @ v) + (v >> V(0.5)).x + (n << v)
    return c * (+v).x + int(v) * a - round(v) * b + (+True) * x + (+x) + (+n)
