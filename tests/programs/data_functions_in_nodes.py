# entry: f
# args: 0.4
# args: 1.3
# order: 2
# note: closures in a linked list, called by a loop: what a box holds reaches whoever opens it
import math
from dataclasses import dataclass
from typing import Callable, Optional

@dataclass(frozen=True)
class Step:
    function: Callable
    rest: Optional["Step"]

def f(x):
    steps = None
    for i in range(3):
        steps = Step(lambda t: t * x + math.sin(t), steps)
    y = x
    while steps is not None:
        y = steps.function(y)
        steps = steps.rest
    return y
