# New arrays, conversions, and elementwise functions that are no primitives.

def array(object, dtype=None):
    return _typed(array_of(object), dtype)
def asarray(a, dtype=None):
    return _typed(array_of(a), dtype)
# With elements of a type that a program names.
def _typed(a, dtype):
    if dtype is None:
        return a
    if dtype == "complex128":
        return _as_complex(a)
    if isinstance(a, complex) and dtype != "bool":
        return refuse(("complex numbers as ", dtype, " would lose a part; write `.real`, or `np.abs`"))
    return as_type(a, dtype)
def copy(a):
    return array_of(a)
def _copy_method(a):
    if _is_object(a):
        return _as_objects(_copy_method(_held(a)))
    if is_array(a):
        return copy(a)
    # An element of an array.
    if isinstance(a, (int, float)):
        return a
    return dict(a) if isinstance(a, dict) else a[:]
def astype(x, dtype):
    return _typed(array_of(x), dtype)

def full(shape, fill_value, dtype=None):
    return _typed(broadcast_to(array(fill_value), shape), dtype)
def _is_float(x):
    return dtype_of(x) == "float64" or dtype_of(x) == "float32"
# What is made of `a` alone: floats of 32 bits if that is such an array. A scalar is rounded to one.
def _narrow_like(a, x):
    return as_type(x, "float32") if dtype_of(array_of(a)) == "float32" else x
def _dtype_or_float(dtype):
    return "float64" if dtype is None else dtype
def zeros(shape, dtype=None):
    return full(shape, 0, _dtype_or_float(dtype))
def ones(shape, dtype=None):
    return full(shape, 1, _dtype_or_float(dtype))
def empty(shape, dtype=None):
    return full(shape, 0, _dtype_or_float(dtype))
def full_like(a, fill_value, dtype=None):
    return full(shape_of(a), fill_value, dtype_of(a) if dtype is None else dtype)
def zeros_like(a, dtype=None):
    return full_like(a, 0, dtype)
def ones_like(a, dtype=None):
    return full_like(a, 1, dtype)
def empty_like(prototype, dtype=None):
    return full_like(prototype, 0, dtype)

def arange(start, stop=None, step=1, dtype=None):
    if stop is None:
        return arange(0, start, step, dtype)
    start = constant(start, "the start of `arange`")
    stop = constant(stop, "the end of `arange`")
    step = constant(step, "the step of `arange`")
    if isinstance(start + stop + step, float):
        n = _larger(-int(floor((start - stop) / step)), 0)
        # Floats, if it is the end alone that is one.
        start = float(start)
        return array(start + iota((n, 0)) * ((start + step) - start), dtype)
    if step == 0:
        return refuse("the step of `arange` is zero")
    n = _larger(-((start - stop) // step), 0)
    return array(start + step * iota((n, 0)), dtype)
def linspace(start, stop, num=50, endpoint=True, *, dtype=None):
    start = array_of(start)
    stop = array_of(stop)
    num = constant(num, "the number of points")
    gaps = num - 1 if endpoint else num
    sizes = _joined(shape_of(start), shape_of(stop))
    if dtype is None and dtype_of(start + stop) == "float32":
        dtype = "float32"
    points = with_shape(iota((num, 0)), (num,) + (1,) * len(sizes)) * ((stop - start) / _larger(gaps, 1)) + start
    if endpoint and num > 1:
        last = broadcast(as_type(stop, "float64"), (1,) + sizes)
        points = concat((_cut(points, 0, 0, 1, num - 1), last), 0)
    return array(points, dtype)
def eye(N, M=None, k=0, dtype=None):
    sizes = (N, N if M is None else M)
    return as_type(iota(sizes + (0,)) + k == iota(sizes + (1,)), _dtype_or_float(dtype))
def identity(n, dtype=None):
    return eye(n, None, 0, dtype)
def tri(N, M=None, k=0, dtype=None):
    sizes = (N, N if M is None else M)
    return as_type(iota(sizes + (0,)) + k >= iota(sizes + (1,)), _dtype_or_float(dtype))
def vander(x, N=None, increasing=False):
    x = array_of(x)
    x = as_type(x, "float64") if _is_float(x) else as_type(x, "int64")
    n = constant(len(x) if N is None else N, "the number of powers")
    columns = ()
    for i in _numbers(n):
        columns = columns + (x ** (i if increasing else n - 1 - i),)
    return zeros((len(x), 0), dtype_of(x)) if n == 0 else stack(columns, 1)
def tril(m, k=0):
    return _triangle(array_of(m), k, True)
def triu(m, k=0):
    return _triangle(array_of(m), k, False)
def _triangle(m, k, lower):
    m = broadcast(m, shape_of(m) * 2) if ndim(m) == 1 else m
    if ndim(m) < 2:
        return refuse("a triangle is that of a matrix")
    sizes = shape_of(m)[-2:]
    above = iota(sizes + (1,)) - iota(sizes + (0,))
    kept = above <= k if lower else above >= k
    return select(kept, m, _typed(0, dtype_of(m)))

def fmod(x1, x2):
    x1 = array_of(x1)
    x2 = array_of(x2)
    if _is_float(x1) or _is_float(x2):
        return remainder_of(x1, x2)
    r = x1 % x2
    return select(logical_and(r != 0, (x1 < 0) != (x2 < 0)), r - x2, r)
def divmod(x1, x2):
    x1 = array_of(x1)
    x2 = array_of(x2)
    return x1 // x2, x1 % x2
# The parts have the sign of the number, zero too.
def modf(x):
    x = _floats(x)
    whole = select(isfinite(x), select(x < 0.0, -floor(-x), floor(x)), x)
    part = select(x < 0.0, -(whole - x), x - whole)
    return select(isfinite(x), part, select(isnan(x), x, copysign(0.0, x))), whole
# By two halves, since the power alone may be out of range.
def ldexp(x1, x2):
    half = array_of(x2) // 2
    return array_of(x1) * power(2.0, half) * power(2.0, array_of(x2) - half)
def reciprocal(x):
    x = array_of(x)
    if not _is_float(x) and not isinstance(x, complex):
        return refuse("NumPy's reciprocals of integers are integers, so most are zero; write `1.0 / x`")
    return 1.0 / x
def float_power(x1, x2):
    return power(as_type(array_of(x1), "float64"), as_type(array_of(x2), "float64"))
def heaviside(x1, x2):
    x1 = array_of(x1) * 1.0
    x2 = array_of(x2) * 1.0
    return as_type(select(isnan(x1), x1, select(x1 == 0.0, x2, select(x1 < 0.0, 0.0, 1.0))), dtype_of(x1 + x2))
def isclose(a, b, rtol=1e-05, atol=1e-08, equal_nan=False):
    a = array_of(a) * 1.0
    b = array_of(b) * 1.0
    near = logical_and(abs(a - b) <= atol + rtol * abs(b), isfinite(b))
    return logical_or(logical_or(near, a == b), logical_and(equal_nan, logical_and(isnan(a), isnan(b))))
def allclose(a, b, rtol=1e-05, atol=1e-08, equal_nan=False):
    return all(isclose(a, b, rtol, atol, equal_nan))
def where(condition, x=None, y=None, *, size=None, fill_value=None):
    if x is None and y is None:
        return nonzero(condition, size=size, fill_value=fill_value)
    return select(array_of(condition), array_of(x), array_of(y))
def clip(a, a_min=None, a_max=None, *, min=None, max=None):
    a = array_of(a)
    low = min if a_min is None else a_min
    high = max if a_max is None else a_max
    a = a if low is None else maximum(a, low)
    return a if high is None else minimum(a, high)
def _clip_method(a, min=None, max=None):
    return clip(a, min, max)
def round(a, decimals=0):
    a = array_of(a)
    decimals = constant(decimals, "the number of decimals")
    if dtype_of(a) == "int64" and decimals >= 0:
        return a
    if decimals == 0:
        return rint(a)
    if decimals > 0:
        return rint(a * 10.0 ** decimals) / 10.0 ** decimals
    return rint(a / 10.0 ** -decimals) * 10.0 ** -decimals
def logspace(start, stop, num=50, endpoint=True, base=10.0):
    return power(base * 1.0, linspace(start, stop, num, endpoint))
def geomspace(start, stop, num=50, endpoint=True):
    start = array_of(start) * 1.0
    stop = array_of(stop) * 1.0
    # Both may be negative.
    points = copysign(power(10.0, linspace(log10(abs(start)), log10(abs(stop)), num, endpoint)), start)
    num = constant(num, "the number of points")
    sizes = (1,) + shape_of(start + stop)
    if num == 0 or (num == 1 and not endpoint):
        return points
    points = concat((broadcast(start, sizes), _cut(points, 0, 1, 1, num - 1)), 0)
    return points if not endpoint or num == 1 else concat((_cut(points, 0, 0, 1, num - 1), broadcast(stop, sizes)), 0)
def finfo(dtype):
    return refuse("the limits of a type are read one by one, as in `np.finfo(float).eps`")
def iinfo(type):
    return refuse("the limits of a type are read one by one, as in `np.iinfo(int).max`")
def _limit_of_floats(dtype, name):
    double = dtype == "float64"
    if not double and dtype != "float32":
        return refuse(("`finfo` of ", dtype, " is not supported"))
    if name == "eps":
        return 2.220446049250313e-16 if double else 1.1920928955078125e-07
    if name == "max" or name == "min":
        greatest = 1.7976931348623157e308 if double else 3.4028234663852886e38
        return greatest if name == "max" else -greatest
    if name == "tiny" or name == "smallest_normal":
        return 2.2250738585072014e-308 if double else 1.1754943508222875e-38
    if name == "resolution":
        return 1e-15 if double else 1e-6
    return refuse(("`", name, "` of `finfo` is not supported"))
def _limit_of_ints(dtype, name):
    if dtype != "int64":
        return refuse(("`iinfo` of ", dtype, " is not supported"))
    if name == "max":
        return 9223372036854775807
    return -9223372036854775807 - 1 if name == "min" else refuse(("`", name, "` of `iinfo` is not supported"))
def nan_to_num(x, copy=True, nan=0.0, posinf=None, neginf=None):
    if not constant(copy, "`copy`"):
        return refuse("`nan_to_num` writes to no array: `copy=False` is not supported")
    x = array_of(x)
    if isinstance(x, complex):
        return complex(nan_to_num(x.real, copy, nan, posinf, neginf), nan_to_num(x.imag, copy, nan, posinf, neginf))
    if not _is_float(x):
        return x
    greatest = 3.4028234663852886e38 if dtype_of(x) == "float32" else 1.7976931348623157e308
    x = select(isnan(x), nan, x)
    x = select(x == inf, greatest if posinf is None else posinf, x)
    return select(x == -inf, -greatest if neginf is None else neginf, x)
# 1 where the argument is zero. Around it by a series, since derivatives of the quotient lose digits there.
def sinc(x):
    x = array_of(x) * pi
    near = abs(x) < 1.0
    y = select(near, 1.0, x)
    s = x * x
    series = 1.0 + 0.0 * s
    for k in range(10, 0, -1):
        series = 1.0 - s / (2.0 * k * (2.0 * k + 1.0)) * series
    return select(near, series, sin(y) / y)
def array_equal(a1, a2):
    return all(array_of(a1) == array_of(a2)) if shape(a1) == shape(a2) else False
def fromfunction(function, shape):
    sizes = _shape(shape)
    grids = ()
    for i in _numbers(len(sizes)):
        grids = grids + (as_type(iota(sizes + (i,)), "float64"),)
    return function(*grids)
