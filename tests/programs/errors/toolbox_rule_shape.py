# entry: f
# args: 1.5
# exit: 2
# message: a cotangent of a float is shaped like it, this is a tuple
# line: 12


from gradus import custom_vjp, grad


def f(x):
    square = custom_vjp(lambda y, a: lambda g: ((g, g),))(lambda a: a * a)

    return grad(lambda b: square(b))(x)
