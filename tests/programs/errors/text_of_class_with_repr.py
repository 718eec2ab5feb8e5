# entry: f
# args: 2.0
# exit: 2
# message: cannot be written as text
# line: 19
# note: what the class says of its text is not computed


class Vector:
    def __init__(self, x):
        self.x = x

    def __repr__(self):
        return "a vector"


def f(x):
    v = Vector(x)
    print(v)
    return x
