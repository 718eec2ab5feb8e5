# entry: f
# args: 1.5
# args: -0.7
# order: 2
# note: fields of dataclasses that change, and `==` of their instances
from dataclasses import dataclass


@dataclass
class P:
    x: float
    v: float = 0.0

    def kick(self, dt):
        self.v -= self.x * dt
        self.x += self.v * dt


def f(x):
    ps = [P(x), P(2.0 * x, 1.0)]
    for t in range(4):
        for p in ps:
            p.kick(0.1)
    return ps[0].x * ps[1].v + (1.0 if ps[0] == ps[1] else x)
