# entry: f
# args: 1.5
# exit: 1
# message: there is no value here, but `None`
# line: 14
# note: where conditions leave only `None` of a value of several kinds
from dataclasses import dataclass
@dataclass(frozen=True)
class Cell:
    value: float
def value_of(cell):
    if isinstance(cell, Cell):
        return cell.value
    return cell.value * 2.0
def f(x):
    return value_of(None if x > 1.0 else Cell(x))
