# entry: f
# args: -0.5
# exit: 1
# message: AssertionError: not positive
# line: 12
# note: a dataclass that refuses what it is made of
from dataclasses import dataclass
@dataclass(frozen=True)
class P:
    x: float
    def __post_init__(self):
        assert self.x > 0.0, "not positive"
def f(x):
    return P(x).x
