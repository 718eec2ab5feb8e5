# entry: f
# args: 2.0
# exit: 2
# message: are given the rule first
# line: 10
# note: the rule of JAX's decorator comes later, that of ours is its argument
from gradus import custom_jvp


@custom_jvp
def square(x):
    return x * x


def f(x):
    return square(x)
