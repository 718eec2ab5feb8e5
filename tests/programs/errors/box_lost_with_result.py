# entry: f
# args: 2.0
# exit: 3
# message: a Box or a variable that functions share would be lost with what this returns
# line: 11
# note: a box that is made where nobody is told of it would be another one outside
from gradus import Box, checkpoint

def f(x):
    b = Box(100.0)
    c = checkpoint(lambda y: Box(y))(x)
    c.set(7.0 * x)
    return b.get()
