# The elementwise functions that the library is made of.
from numpy import arccos, arccosh, arcsin, arcsinh, arctan, arctan2, arctanh, copysign, cos, cosh, exp, floor, inf, isfinite, isnan, log
from numpy import log10, log1p, logical_and, logical_not, logical_or, maximum, minimum, nan, pi, power, rint, sin, sinh, sqrt, tan, tanh
