# entry: f
# args: 1.5
# exit: 2
# message: a function is needed here, this is a float
# line: 12


from gradus import vjp


def f(x):
    return vjp(x, 2.0)[0]
