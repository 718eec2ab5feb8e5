# entry: f
# args: -2.0
# exit: 1
# message: ValueError: -2.0 is negative
# line: 9
# note: nobody asks for the result of the call
def check(x):
    if x < 0.0:
        raise ValueError(f"{x} is negative")
    return x


def f(x):
    check(x)
    return 2.0
