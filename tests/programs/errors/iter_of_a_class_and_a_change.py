# entry: f
# args: 2.0
# exit: 3
# message: a loop that may change what `__iter__` goes over
# line: 21


class Line:
    def __init__(self, a, n):
        self.a = a
        self.n = n

    def __iter__(self):
        for i in range(self.n):
            yield self.a * i


def f(x):
    line = Line(x, 3)
    s = 0.0
    for v in line:
        line.n = 2
        s += v
    return s
