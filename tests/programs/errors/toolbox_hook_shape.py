# entry: f
# args: 1.5
# exit: 2
# message: is shaped like it
# line: 12


from gradus import hook


def f(x):
    return hook(lambda g: (g, g), x)
