# entry: f
# args: 1.5
# exit: 2
# message: is shaped like it
# line: 12


from gradus import grad, hook


def f(x):
    return grad(lambda a: hook(lambda g: (g, g), a))(x)
