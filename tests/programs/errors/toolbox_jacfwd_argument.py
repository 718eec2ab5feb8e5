# entry: f
# args: 1.5
# exit: 2
# message: there is no argument 3
# line: 12


from gradus import jacfwd


def f(x):
    return jacfwd(lambda a: a * x, 3)(x)
