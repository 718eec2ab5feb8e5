# entry: f
# args: 2.0
# exit: 1
# message: none
# line: 17
# note: None where a record is needed, which only the run shows
from dataclasses import dataclass
from typing import Optional
@dataclass(frozen=True)
class Cell:
    value: float
    rest: Optional["Cell"]
def f(x):
    cells = Cell(x, None)
    total = 0.0
    while total < 10.0:
        total = total + cells.value
        cells = cells.rest
    return total
