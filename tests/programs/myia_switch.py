# entry: f
# args: 1.5, -0.4
# args: -1.5, 0.4
# note: switch chooses between values, or between functions that are called then

from myia.operations import bool_and, bool_not, scalar_gt, scalar_lt, scalar_mul, scalar_sin, scalar_usub, switch, user_switch


def f(x, y):
    function = switch(scalar_gt(x, 0.0), scalar_sin, scalar_usub)
    inner = user_switch(bool_and(scalar_lt(y, 1.0), bool_not(scalar_gt(x, y))), scalar_mul(y, y), y)
    return scalar_mul(function(x), inner)
