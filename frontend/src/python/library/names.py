# The elementwise functions that the library is made of.
from numpy import exp, inf, isfinite, log, log1p, logical_and, logical_or, maximum, minimum, nan, rint, sqrt
