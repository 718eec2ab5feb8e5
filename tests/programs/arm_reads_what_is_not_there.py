# entry: f
# args: 1.5
# order: 2
# note: an arm that the run does not take reads what is not there
from dataclasses import dataclass


@dataclass(frozen=True)
class Cell:
    value: float


def machine(code, x):
    stack = []
    for op in code:
        if op == 0:
            stack.append(x)
        else:
            stack.append(stack.pop() * stack.pop())
    return stack[-1]


def value_of(cell):
    if isinstance(cell, Cell):
        return cell.value
    return cell.value * 2.0


def third(t, x):
    return t[2] if x > 100.0 else t[0]


def f(x):
    code = [0, 0, 1] if x > 0.0 else [0, 0, 0]
    return machine(code, x) + value_of(None if x > 100.0 else Cell(x)) * third((x, 2.0), x)
