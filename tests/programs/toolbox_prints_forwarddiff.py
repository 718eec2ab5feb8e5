# entry: f
# args: 2.0
# note: a function that prints, differentiated forwards inside of reverse mode
from gradus import forwarddiff

def noisy(x):
    print("x is", x)
    return x * x
def f(x):
    return forwarddiff(noisy, x)
