# entry: f
# args: 0.7, 3
# args: 1.3, 2
# order: 2
# wrt: 0
# note: classes whose __init__ assigns the fields, and that do not change afterwards
from gradus import grad


class Layer:
    count = 0

    def __init__(self, w, b=0.5, *, act=None):
        self.w = w
        self.b = b
        self.act = act
        self.sizes = [self.w * i for i in range(2)]
        self.sizes.append(self.b)

    def __call__(self, x):
        y = self.w * x + self.b + sum(self.sizes)
        return y if self.act is None else self.act(y)


class Model:
    def __init__(self, layers, power):
        scale = 1.0
        for layer in layers:
            scale *= layer.w
        self.layers = layers
        if power > 2:
            self.scale, self.label = scale, "big"
        else:
            self.scale = scale * scale
            self.label = "small"
            return
        self.scale += self.norm(lambda v: v * self.scale)

    def norm(self, g):
        return g(self.layers[0].w) ** 2

    @property
    def total(self):
        return self.scale * len(self.layers)

    def __add__(self, other):
        return Model(self.layers + other.layers, 1)

    def run(self, x):
        for layer in self.layers:
            x = layer(x)
        return x * self.scale


class Node:
    def __init__(self, value: float, next: "Node" = None):
        self.value = value
        self.next = next


class Small(Model):
    def tiny(self):
        return self.scale / 100.0


def f(x: float, n: int) -> float:
    m = Model([Layer(x), Layer(2.0, x, act=lambda y: y * y)], n)
    both = m + Model([Layer(w=1.0)], 3)
    chain = None
    for i in range(n):
        chain = Node(x * i, chain)
    total = 0.0
    while chain is not None:
        total += chain.value**2
        chain = chain.next
    g = grad(lambda p: Layer(p, p)(x))(x)
    return m.run(x) + m.total + both.scale * x + total + g + Small([Layer(x)], 2).tiny()
