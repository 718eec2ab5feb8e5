# command: run
# entry: f
# args: 2.0
# exit: 3
# message: `refused` is a module of the program
# line: 11
from beside import refused


def f(x):
    return g(refused, x)


def g(module, x):
    return module.area(x)
