# entry: f
# args: 1.5
# args: -0.7
# order: 2
# note: views of dicts whose values are read from variables and fields that were assigned before


class P:
    def __init__(self, v):
        self.v = v

    def parts(self):
        return {"v": self.v, "w": self.v * self.v}


def f(x):
    o = P(x)
    o.v = 3.0 * x
    fields = {"a": o.v}
    u = x

    def step():
        nonlocal u
        u = u + 1.0
        return u

    variables = {"a": u, "b": step(), "c": step()}
    s = 0.0
    for k, v in o.parts().items():
        s = s * x + v
    return s + sum(fields.values()) * sum(variables.values())
