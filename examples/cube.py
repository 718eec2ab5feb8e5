# Figure 1 of "Automatic differentiation in ML: Where we are and where we should be going" (van Merriënboer et al. 2018).
#
#   $ gradus grad examples/cube.py cube 2.0
#
# gives 8.0 and 12.0. Look at what is left of the gradient after optimisation, at most three operations:
#
#   $ gradus dot examples/cube.py cube_gradient 2.0 --stage optimised

from gradus import grad


def cube(x):
    return x**3


def cube_gradient(x):
    return grad(cube)(x)
