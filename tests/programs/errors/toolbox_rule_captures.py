# entry: f
# args: 1.5
# exit: 2
# message: captures `k`, which would get no derivative
# line: 13


from gradus import custom_vjp


def f(x):
    k = x * 2.0
    times = custom_vjp(lambda y, a: lambda g: (g,))(lambda a: a * k)
    return times(x)
