# entry: f
# args: 1.5
# note: a method that is not in the subset is called, though its result is not used
from dataclasses import dataclass
@dataclass(frozen=True)
class Stack:
    items: list
    def push(self, v):
        self.items.append(v)
        return self
def f(x):
    stack = Stack([x])
    _ = stack.push(2.0)
    return float(len(stack.items))
