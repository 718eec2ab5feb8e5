# Figure 1 of "Automatic differentiation in ML: Where we are and where we should be going" (van Merriënboer et al. 2018).
#
#   $ gradus grad examples/cube.py cube 2.0
#   value     8.0
#   gradient  12.0
#
# What is left of it after optimisation: three operations for the gradient, one of which the value shares.
#
#   $ gradus ir examples/cube.py cube 2.0 --stage optimised
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
#
# The same as a picture:
#
#   $ gradus dot examples/cube.py cube 2.0 --stage optimised


def cube(x):
    return x**3
