# entry: f
# args: 0.5
# exit: 3
# message: write `__eq__` in the class
# line: 7
# note: instances of a class without `__eq__` compared
class P:
    def __init__(self, x):
        self.x = x
def f(x):
    return x if P(x) == P(x) else 0.0
