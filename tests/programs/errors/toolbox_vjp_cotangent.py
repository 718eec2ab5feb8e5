# entry: f
# args: 1.5
# exit: 2
# message: a cotangent of a float is shaped like it
# line: 12


from gradus import vjp


def f(x):
    y, pullback = vjp(lambda a: a * a, x)
    return pullback((1.0, 2.0))[0]
