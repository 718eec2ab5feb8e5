# entry: f
# args: 2.0
# exit: 3
# message: the module `matplotlib.pyplot` is not supported
# line: 7
# note: the arm is taken by one of two calls
import matplotlib.pyplot as plt

def scaled(x, plot=False):
    if plot:
        plt.plot(x)
    return 2.0 * x

def f(x):
    return scaled(x) + scaled(x, plot=x > 1.0)
