# entry: f
# args: 1.5
# exit: 2
# message: 2 cotangents are given for one value
# line: 12


from gradus import custom_vjp, grad


def f(x):
    square = custom_vjp(lambda y, a: lambda g: (g, g))(lambda a: a * a)
    return grad(square)(x)
