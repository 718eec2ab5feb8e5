# entry: f
# args: 1.3, 5
# order: 2
# note: `__iadd__` and its like: they change the instance, or give another one; without them `x += y` is `x + y`
class Sum:
    def __init__(self, value):
        self.value = value

    def __iadd__(self, other):
        self.value += other
        return self

    def __imul__(self, other):
        self.value = self.value * other
        return self

    def __add__(self, other):
        return Sum(self.value + other)

    def __sub__(self, other):
        return Sum(self.value - other)


class Meter:
    def __init__(self, v):
        self.v = v

    def __add__(self, other):
        return Meter(self.v + other)

    def __iadd__(self, other):
        return Meter(self.v + 2.0 * other)


def f(x, n):
    a = Sum(x)
    b = a
    for k in range(n):
        a += x * k
    b *= x
    c = a
    a -= 1.0
    m = Meter(x)
    m += x * x
    held = [Sum(x), Sum(1.0)]
    held[0] += x
    t = 1.0
    t += x
    return a.value * 2.0 + b.value + c.value + m.v + held[0].value * t
