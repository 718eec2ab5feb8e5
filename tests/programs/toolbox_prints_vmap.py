# entry: f
# args: 1.5
# note: a function that prints, mapped over rows
import numpy as np
from gradus import jvp, vmap
def noisy(x):
    print("at", x)
    return x * x
def f(x):
    return jvp(noisy, (x,), (1.0,))[1] + vmap(noisy)(np.array([x, x]))[1]
