# entry: f
# args: 1.5
# args: 2.5
# order: 2
# note: what a dataclass says of its instances and fields: order, names, what is compared, made and written
from dataclasses import KW_ONLY, dataclass, field


@dataclass(frozen=True, order=True)
class Task:
    cost: float
    name: str = field(compare=False, default="a", repr=False)


@dataclass(frozen=True, order=True, slots=True, eq=True)
class Late(Task):
    delay: float = 0.0


@dataclass(frozen=True, kw_only=True)
class Options:
    rate: float = 1.0
    size: float


@dataclass(frozen=True)
class Mixed:
    value: float
    _: KW_ONLY
    shift: float = 3.0
    slope: float


@dataclass(frozen=True)
class Derived:
    value: float
    twice: float = field(init=False)
    five: float = field(init=False, default=5.0)
    rate: float = field(default=2.0, kw_only=True)

    def __post_init__(self):
        object.__setattr__(self, "twice", self.value * 2.0)


@dataclass(frozen=True)
class Filled:
    value: float
    weights: list = field(init=False, default_factory=lambda: [1.0, 2.0], metadata={"unit": "kg"})


def f(x):
    tasks = [Task(x), Task(2.0, "b"), Task(x - 1.0)]
    print(tasks[1], Late(2.0, "c", 3.0), Derived(1.0, rate=4.0))
    total = max(tasks).cost * 10.0 + sorted(tasks)[0].cost * x
    if Task(x) == Task(x, "z") and Task(x) < Task(x + 1.0, "q") and Late(x, "a", 1.0) >= Late(x, "b"):
        total += x**3
    total += Options(size=x).size * Options(rate=x, size=2.0).rate
    total += Mixed(x, slope=2.0).shift * x + Mixed(1.0, shift=x, slope=x).slope
    match Mixed(x, slope=x * x):
        case Mixed(value, slope=slope):
            total += value * slope
    total += Derived(x).twice + Derived(x, rate=x).rate * Derived(x).five
    return total + Filled(x).weights[1] * x
