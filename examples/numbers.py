# Floats need not be floats: fractions, measurements with their uncertainty, numbers of many digits.
#
#   $ gradus grad examples/numbers.py quadratic 1//3 --number rational
#   value     19//9
#   gradient  11//3
#
#   $ gradus grad examples/numbers.py quadratic 0.33333333±0.01 --number measurement
#   value     2.11 ± 0.04
#   gradient  3.67 ± 0.02
#
# Three steps of Newton's method towards the root of 2, and the derivative of these steps.
#
#   $ gradus grad examples/numbers.py root 2//1 3 --number rational
#   value     577//408
#   gradient  (7357//20808, None)
#
# The acceleration at the surface of the earth, from the length of a pendulum and its period.
#
#   $ gradus grad examples/numbers.py gravity 1.000±0.001 2.006±0.004 --number measurement
#   value     9.81 ± 0.04
#   gradient  (9.81 ± 0.04, -9.78 ± 0.06)
#
# Machin's formula, and a derivative with 60 digits:
#
#   $ gradus run examples/numbers.py machin --number big --digits 60
#   3.14159265358979323846264338327950288419716939937510582097494
#
#   $ gradus grad examples/numbers.py bump 0.1 --number big --digits 30 --order 2
#   value     0.99004983374916805357390597718
#   order 1   -0.198009966749833610714781195436
#   order 2   -1.94049767414836938500485571527
import math


def quadratic(x):
    return x**2 + 3 * x + 1


def root(x, n):
    y = 1
    for i in range(n):
        y = (y + x / y) / 2
    return y


def gravity(length, period):
    return 4 * math.pi**2 * length / period**2


def machin():
    return 16 * math.atan(1 / 5) - 4 * math.atan(1 / 239)


def bump(x):
    return math.exp(-x * x)
