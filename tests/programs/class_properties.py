# entry: f
# args: 2.0
# args: 0.3
# order: 2
# note: setters of properties, classes inside of others, questions about classes and members, arguments of __post_init__
from dataclasses import InitVar, dataclass, field


class Ball:
    class Skin:
        def __init__(self, depth):
            self.depth = depth

    __slots__ = ("_r", "skin")

    def __init__(self, r):
        self._r = r
        self.skin = Ball.Skin(r * 0.1)

    @property
    def r(self):
        return self._r

    @r.setter
    def r(self, value):
        self._r = value * 2.0

    def copy(self):
        return type(self)(self.r)

    def grown(self, by):
        self.r += by
        return self


class Big(Ball):
    pass


@dataclass
class Scaled:
    a: float
    k: InitVar[float] = 3.0
    b: list = field(default_factory=list)

    def __post_init__(self, k):
        self.a = self.a * k


@dataclass
class More(Scaled):
    c: float = 1.0


def kind(x):
    if type(x) is Ball:
        return 1.0
    if type(x) == Big:
        return 2.0
    return 3.0


def f(x):
    @dataclass
    class Pair:
        u: float
        v: float

        def prod(self):
            return self.u * self.v

    ball = Ball(x)
    ball.r = x * x
    s = ball.r + Ball.Skin(x).depth + ball.skin.depth * ball.copy().r
    big = Big(x).grown(x)
    s += big.r * kind(big) + kind(ball) * x + (x if issubclass(Big, Ball) else 0.0)
    scaled = Scaled(x)
    if hasattr(ball, "skin") and not hasattr(scaled, "skin"):
        s += getattr(ball, "skin").depth + getattr(scaled, "skin", 5.0)
    more = More(x, 2.0, c=x)
    more.b.append(x)
    s += more.a * more.c + Scaled(x).a + more.b[0] + Pair(x, s).prod()
    return s + len(type(big).__name__) + len(ball.__class__.__name__)
