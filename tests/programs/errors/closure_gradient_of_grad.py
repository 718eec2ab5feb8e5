# entry: f
# args: 1.5
# exit: 3
# message: write a `lambda` that calls it
# line: 8
from gradus import grad, vjp
def f(x):
    return vjp(lambda g, y: g(y), grad(lambda y: y * y * x), x)[1](1.0)[1]
