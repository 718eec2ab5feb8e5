# entry: f
# args: 2.0
# args: -1.5
# order: 2
# note: enumerations: members, names and values, lookup, iteration, members as ints
from enum import Enum, IntEnum, auto


class Rule(Enum):
    MID = "mid"
    TRAP = "trap"

    def points(self):
        return 1 if self is Rule.MID else 2


class Color(Enum):
    RED = 1
    GREEN = 2
    CRIMSON = 1


class Mode(IntEnum):
    A = auto()
    B = auto()
    C = 10


def step(g, a, b, rule=Rule.MID):
    if rule is Rule.MID:
        return (b - a) * g((a + b) / 2.0)
    elif rule == Rule.TRAP:
        return (b - a) * (g(a) + g(b)) / 2.0
    return 0.0


def pick(x):
    return Color.RED if x > 0.0 else Color.GREEN


def f(x):
    g = lambda t: t**3
    s = step(g, 0.0, x) + step(g, 0.0, x, Rule.TRAP) + step(g, x, 3.0, Rule("trap")) * Rule["MID"].points()
    for c in Color:
        s += c.value * x
    for m in Mode:
        s += m * x + x**m.value / 100.0
    match pick(x):
        case Color.RED:
            s += x
        case Color.GREEN:
            s *= 2.0
    if pick(x) is not Color.RED and Color.CRIMSON is Color.RED and Color(2).name == "GREEN":
        s += 1.0
    return s + len(Color) + (x if Mode.A < Mode.B and Mode.C in Mode and Mode.B == 2 else 0.0)
