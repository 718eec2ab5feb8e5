# entry: f
# args: 1.5
# exit: 3
# message: what a pullback captures has no gradient here
# line: 9
from gradus import vjp
def f(x):
    y, back = vjp(lambda a: a * x, x)
    return vjp(lambda b: b(1.0)[0], back)[1](1.0)[0].y
