# entry: f
# args: 2.0
# exit: 3
# message: another class `complex` is not supported
# line: 11

from dataclasses import dataclass


@dataclass(frozen=True)
class complex:
    re: float


def f(x):
    return complex(x).re
