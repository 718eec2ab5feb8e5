# entry: f
# args: 0.7
# exit: 2
# message: a function that `hook` lets through captures `x`, which would get no derivative
# line: 8
# note: what a hook is shown of a cotangent holds nothing of functions, so the derivative of what they capture was lost
from gradus import hook
def f(x): return hook(lambda c: c, (lambda a: a * x) if x > 0.5 else (lambda a: a))(x)
