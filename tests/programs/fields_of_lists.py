# entry: f
# args: 1.5
# args: -0.7
# order: 2
# note: lists of instances that change, in a field of one that changes


class P:
    def __init__(self, x):
        self.x = x
        self.v = 0.0
    def step(self, dt):
        self.v -= self.x * dt
        self.x += self.v * dt
class World:
    def __init__(self):
        self.ps = []
        self.t = 0.0
    def add(self, p):
        self.ps.append(p)
    def step(self, dt):
        for p in self.ps:
            p.step(dt)
        self.t += dt
    def energy(self):
        return sum(0.5 * p.v * p.v + 0.5 * p.x * p.x for p in self.ps)
def f(x):
    w = World()
    w.add(P(x))
    w.add(P(2.0 * x))
    for i in range(5):
        w.step(0.1)
    w.add(P(w.t))
    return w.energy()
