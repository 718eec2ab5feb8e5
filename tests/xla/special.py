"""One function for each operation, for special values."""

import math

import numpy as np
from scipy import special


def exp(x): return np.exp(x)
def exp2(x): return np.exp2(x)
def expm1(x): return np.expm1(x)
def log(x): return np.log(x)
def log2(x): return np.log2(x)
def log10(x): return np.log10(x)
def log1p(x): return np.log1p(x)
def sin(x): return np.sin(x)
def cos(x): return np.cos(x)
def tan(x): return np.tan(x)
def asin(x): return np.arcsin(x)
def acos(x): return np.arccos(x)
def atan(x): return np.arctan(x)
def sinh(x): return np.sinh(x)
def cosh(x): return np.cosh(x)
def tanh(x): return np.tanh(x)
def asinh(x): return np.arcsinh(x)
def acosh(x): return np.arccosh(x)
def atanh(x): return np.arctanh(x)
def sqrt(x): return np.sqrt(x)
def cbrt(x): return np.cbrt(x)
def expit(x): return special.expit(x)
def erf(x): return special.erf(x)
def erfc(x): return special.erfc(x)
def gammaln(x): return special.gammaln(x)
def digamma(x): return special.digamma(x)
def trigamma(x): return special.polygamma(1, x)
def tetragamma(x): return special.polygamma(2, x)
def absolute(x): return np.abs(x)
def negative(x): return -x
def sign(x): return np.sign(x)
def floor(x): return np.floor(x)
def ceil(x): return np.ceil(x)
def trunc(x): return np.trunc(x)
def rint(x): return np.rint(x)
def single(x): return x.astype(np.float32).astype(np.float64)


def add(x, y): return x + y
def subtract(x, y): return x - y
def multiply(x, y): return x * y
def divide(x, y): return x / y
def floor_divide(x, y): return x // y
def modulo(x, y): return x % y
def fmod(x, y): return np.fmod(x, y)
def power(x, y): return x ** y
def minimum(x, y): return np.minimum(x, y)
def maximum(x, y): return np.maximum(x, y)
def hypot(x, y): return np.hypot(x, y)
def arctan2(x, y): return np.arctan2(x, y)
def copysign(x, y): return np.copysign(x, y)
def logaddexp(x, y): return np.logaddexp(x, y)
def less(x, y): return np.where(x < y, 1.0, 0.0) + np.where(x == y, 2.0, 0.0) + np.where(x != y, 4.0, 0.0)


def total(x): return np.sum(x)
def greatest(x): return np.max(x)
def least(x): return np.min(x)
def place(x): return np.argmax(x) * 1000 + np.argmin(x)
def order(x): return np.argsort(x)
def running(x): return np.cumsum(x)
def backwards(x): return x[::-1] * 1.0
def every_other(x): return x[1::2] * 1.0


def int_add(a, b): return a + b
def int_subtract(a, b): return a - b
def int_multiply(a, b): return a * b
def int_floor_divide(a, b): return a // b
def int_modulo(a, b): return a % b
def int_power(a, b): return a ** b
def int_negative(a, b): return -a + 0 * b
def int_absolute(a, b): return abs(a) + 0 * b
def int_index(a, b): return np.array([1.0, 2.0, 3.0])[a] + 0.0 * b
def int_of_float(a, b): return int(a * 1e18) + 0 * b
def int_and(a, b): return (a & b) - (a | b) + (a ^ b)


def wrap_add(x, y): return x + y
def wrap_multiply(x, y): return x * y
def wrap_floor_divide(x, y): return x // y
def wrap_modulo(x, y): return x % y


def empty(x): return x[:0] * 2.0
def empty_total(x): return np.sum(x[:0])
def one(x): return x[:1] * 2.0


def narrow_loop(x, n):
    """A tape that is larger than it was thought to be."""
    for i in range(n):
        x = math.sin(x) + 0.5 * x
    return x
