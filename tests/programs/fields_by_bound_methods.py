# entry: f
# args: 1.5
# args: -0.7
# order: 2
# note: instances in a dict, bound methods in a list


class C:
    def __init__(self, x):
        self.x = x
    def double(self):
        self.x *= 2.0
def f(x):
    cs = {"a": C(x), "b": C(2.0)}
    for k in cs:
        cs[k].double()
    fs = [c.double for c in cs.values()]
    for h in fs:
        h()
    return cs["a"].x * cs["b"].x
