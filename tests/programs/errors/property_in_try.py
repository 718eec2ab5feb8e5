# entry: f
# args: 1.5
# exit: 1
# message: ZeroDivisionError
# line: 14


class R:
    def __init__(self, v):
        self.v = v

    @property
    def inv(self):
        return 1 / self.v


def f(x):
    # Nobody hands on what a property raises, so that the run ends.
    try:
        return x + R(x - x).inv
    except ZeroDivisionError:
        return -1.0
