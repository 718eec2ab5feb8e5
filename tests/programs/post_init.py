# entry: f
# args: 0.7, 3
# args: 1.3, 2
# wrt: 0
# note: dataclasses that check and compute fields once they are made
from dataclasses import dataclass, field
from gradus import grad


@dataclass(frozen=True)
class Range:
    low: float
    high: float = 10.0
    width: float = field(default=0.0)

    def __post_init__(self):
        assert self.low <= self.high, f"{self.low} above {self.high}"
        if self.low < -100.0:
            raise ValueError("too low")
        object.__setattr__(self, "width", self.high - self.low)

    def clip(self, x):
        return self.low if x < self.low else self.high if x > self.high else x * self.width


@dataclass(frozen=True)
class Scaled(Range):
    by: float = 2.0

    def middle(self):
        return (self.low + self.width * 0.5) * self.by


def f(x: float, n: int) -> float:
    r = Range(x, high=x * x + 5.0)
    s = Scaled(-x, by=x)
    inner = grad(lambda t: Range(t * 0.1, t * x).width)(x)
    return r.clip(2.0) + s.middle() * n + inner
