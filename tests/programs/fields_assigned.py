# entry: f
# args: 1.5
# args: -0.7
# order: 2
# note: fields that a method assigns: an optimizer with momentum, an int that counts


class Momentum:
    def __init__(self, lr, beta):
        self.lr = lr
        self.beta = beta
        self.v = 0.0
        self.steps = 0
    def step(self, w, g):
        self.v = self.beta * self.v + g
        self.steps += 1
        return w - self.lr * self.v
def f(x):
    opt = Momentum(0.1, x)
    w = 1.0
    for i in range(5):
        w = opt.step(w, 2 * w * x)
    return w * opt.steps
