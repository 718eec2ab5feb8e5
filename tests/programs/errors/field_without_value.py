# entry: f
# args: 1.5
# exit: 1
# message: the field `z` has no value yet
# line: 10


class A:
    def go(self):
        return self.z
    def set(self, v):
        self.z = v
def f(x):
    a = A()
    if x > 100.0:
        a.set(x)
    return a.go()
