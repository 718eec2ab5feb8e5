# The elementwise functions that the library is made of.
from numpy import arccos, arccosh, arcsin, arcsinh, arctan, arctan2, arctanh, copysign, cos, cosh, exp, expm1, floor, inf, isfinite, isnan
from math import fmod
from numpy import log, log10, log1p, log2, logaddexp, logical_and, logical_not, logical_or, maximum, minimum, nan, pi, power, rint, sign, sin, sinh, sqrt, tan, tanh
from scipy.special import erf, erfc, expit, gammaln
