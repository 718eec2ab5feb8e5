# entry: f
# command: grad
# args: 2.0
# exit: 2
# message: no derivative before `defvjp`
# line: 10
# note: a `primitive` of Autograd has a value, but no derivative without a rule
from autograd.extend import primitive

@primitive
def square(x):
    return x * x


def f(x):
    return square(x)
