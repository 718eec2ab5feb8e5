# entry: f
# args: 1.5
# args: 2.5
# order: 2
# note: `max`, `min` and `sorted` ask the class which of two instances comes first
from dataclasses import dataclass


@dataclass(frozen=True)
class Task:
    cost: float
    name: str

    def __lt__(self, other):
        return self.cost < other.cost

    def __gt__(self, other):
        return self.cost > other.cost


def f(x):
    a, b, c = Task(x * x, "a"), Task(4.0 * x - 3.0, "b"), Task(2.0, "c")
    tasks = [a, b, c]
    y = max(a, b).cost * 3.0 + min(a, b, c).cost * x + max(tasks).cost * x * x + min(tasks).cost
    first, second, third = sorted(tasks)
    return y + first.cost * x + second.cost * 2.0 + third.cost * x * x + sorted(tasks, reverse=True)[0].cost
