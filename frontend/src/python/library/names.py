# The elementwise functions that the library is made of.
from numpy import exp, floor, inf, isfinite, isnan, log, log1p, logical_and, logical_or, maximum, minimum, nan, power, rint, sqrt
