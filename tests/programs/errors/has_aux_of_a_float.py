# entry: f
# args: 2.0
# exit: 2
# line: 9
# message: `grad` needs a function that returns a float and something else
from gradus import grad

def f(x):
    return grad(lambda w: w * w, has_aux=True)(x)[0]
