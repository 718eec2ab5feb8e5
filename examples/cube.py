# Figure 1 of "Automatic differentiation in ML: Where we are and where we should be going" (van Merriënboer et al. 2018): the
# gradient of x ** 3, taken by `grad` inside of the program.
#
#   $ gradus run examples/cube.py derivative 2.0
#   12.0
#
# What is left of it after optimisation, three operations:
#
#   $ gradus ir examples/cube.py derivative 2.0 --primal --stage optimised
#   entry @derivative
#   graph @derivative(%x: f64) -> f64 {
#     %0: f64 = mul %x, %x
#     %1: f64 = add %0, %0
#     %2: f64 = add %1, %0
#     return %2
#   }
#
# The same as a picture, for Graphviz:
#
#   $ gradus dot examples/cube.py derivative 2.0 --primal --stage optimised
#
# Value and gradient together share the square, which makes four:
#
#   $ gradus ir examples/cube.py cube 2.0
#   entry @cube
#   graph @cube(%x: f64) -> (f64, (f64,)) {
#     %0: f64 = mul %x, %x
#     %1: f64 = mul %0, %x
#     %2: f64 = add %0, %0
#     %3: f64 = add %2, %0
#     %4: (f64,) = tuple %3
#     %5: (f64, (f64,)) = tuple %1, %4
#     return %5
#   }

from gradus import grad


def cube(x):
    return x**3


def derivative(x):
    return grad(cube)(x)
