# entry: f
# args: 2.0
# exit: 2
# message: does not define `__mul__`
# line: 15
# note: an operator of another class
from dataclasses import dataclass
@dataclass(frozen=True)
class A:
    x: float
    def __add__(self, o):
        return A(self.x + o.x)
def f(x):
    a = A(x)
    return (a + a * a).x
