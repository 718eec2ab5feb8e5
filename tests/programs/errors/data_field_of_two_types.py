# entry: f
# args: 2.0
# exit: 2
# message: the field `value` of a Cell
# line: 15
# note: the instances of a recursive class have fields of one type
from dataclasses import dataclass
from typing import Optional
@dataclass(frozen=True)
class Cell:
    value: object
    rest: Optional["Cell"]
def f(x):
    a = Cell(x, None)
    b = Cell((x, x), a)
    return b.value[0]
