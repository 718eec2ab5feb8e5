# entry: f
# args: 1.5
# exit: 3
# message: what this prints would be lost
# line: 10
# note: that one function of the toolbox has called it does not mean that another did
import numpy as np
from gradus import jvp, vmap
def noisy(x):
    print("at", x)
    return x * x
def f(x):
    return jvp(noisy, (x,), (1.0,))[1] + vmap(noisy)(np.array([x, x]))[1]
