# entry: f
# args: 0.5
# args: 2.5
# order: 2
# note: prints, assertions and errors that are not raised, in what is differentiated
from dataclasses import dataclass

@dataclass(frozen=True)
class State:
    x: float
    n: int

def step(s):
    assert s.n < 10, f"too many steps: {s.n}"
    if s.x > 1e6:
        raise ValueError(f"x is {s.x:.3f}")
    return State(s.x * s.x + 0.1, s.n + 1)

def f(x):
    s = State(x, 0)
    while s.n < 3:
        s = step(s)
        print("step", s.n)
    return s.x
