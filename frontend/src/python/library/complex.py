# Complex numbers: a class like those of programs, so that derivatives go through it as through those. `np.exp(z)` and the like are
# its methods (`operator_methods` in `ir/src/infer/dispatch.rs`); formulas and branch cuts are those of CPython's cmath, after Kahan.

@dataclass(frozen=True)
class complex:
    real: float
    imag: float

    def __add__(self, other):
        if isinstance(other, complex):
            return complex(self.real + other.real, self.imag + other.imag)
        return _of_parts(self.real + _real_number(other), self.imag)
    def __radd__(self, other):
        return _of_parts(_real_number(other) + self.real, self.imag)
    def __sub__(self, other):
        if isinstance(other, complex):
            return complex(self.real - other.real, self.imag - other.imag)
        return _of_parts(self.real - _real_number(other), self.imag)
    def __rsub__(self, other):
        return _of_parts(_real_number(other) - self.real, -self.imag)
    def __mul__(self, other):
        if isinstance(other, complex):
            real = self.real * other.real - self.imag * other.imag
            return complex(real, self.real * other.imag + self.imag * other.real)
        x = _real_number(other)
        return complex(self.real * x, self.imag * x)
    def __rmul__(self, other):
        x = _real_number(other)
        return complex(x * self.real, x * self.imag)
    def __truediv__(self, other):
        if isinstance(other, complex):
            return _complex_quotient(self.real, self.imag, other)
        x = _real_number(other)
        return complex(self.real / x, self.imag / x)
    def __rtruediv__(self, other):
        return _complex_quotient(_real_number(other), 0.0, self)
    def __pow__(self, exponent):
        if isinstance(exponent, complex):
            return _complex_power(self, exponent)
        if isinstance(exponent, int):
            return _integer_power(self, exponent)
        return _real_power(self, _real_number(exponent))
    def __rpow__(self, base):
        return _complex_power(_as_complex(base), self)
    def __neg__(self):
        return complex(-self.real, -self.imag)
    def __eq__(self, other):
        other = _as_complex(other)
        if is_array(self.real) or is_array(other.real):
            return (self.real == other.real) & (self.imag == other.imag)
        return self.real == other.real and self.imag == other.imag
    def __bool__(self):
        return self.real != 0.0 or self.imag != 0.0
    # As of a real number, the derivative at zero is zero.
    def __abs__(self):
        return hypot_of(self.real, self.imag)
    def conjugate(self):
        return complex(self.real, -self.imag)

    # Of arrays: both parts are arrays. What the library asks of one (`array_methods` in `ir/src/operators.rs`) is asked of each part.
    def __is_array__(self):
        return is_array(self.real)
    def __shape__(self):
        return shape_of(self.real)
    def __dtype__(self):
        return "complex128"
    # Numbers of another type are asked for where real ones need not be floats of 64 bits.
    def __as_type__(self, dtype):
        return logical_not(_is_zero(self)) if dtype == "bool" else self
    def __broadcast__(self, sizes):
        return complex(broadcast(self.real, sizes), broadcast(self.imag, sizes))
    def __sum_to__(self, sizes):
        return complex(sum_to(self.real, sizes), sum_to(self.imag, sizes))
    def __with_shape__(self, sizes):
        return complex(with_shape(self.real, sizes), with_shape(self.imag, sizes))
    def __permute__(self, axes):
        return complex(permute(self.real, axes), permute(self.imag, axes))
    def __part__(self, cuts):
        return complex(part(self.real, cuts), part(self.imag, cuts))
    def __place__(self, values, cuts):
        values = _as_complex(values)
        return complex(place(self.real, values.real, cuts), place(self.imag, values.imag, cuts))
    def __gather__(self, places):
        return complex(gather(self.real, places), gather(self.imag, places))
    def __cumulate__(self, axis):
        return complex(cumulate(self.real, axis), cumulate(self.imag, axis))
    def __matmul__(self, other):
        other = _as_complex(other)
        real = matmul(self.real, other.real) - matmul(self.imag, other.imag)
        return complex(real, matmul(self.real, other.imag) + matmul(self.imag, other.real))
    def __rmatmul__(self, other):
        return complex(matmul(other, self.real), matmul(other, self.imag))
    # By the real matrix of twice the size.
    def __solution__(self, b):
        n = len(self)
        b = _as_complex(b)
        a = concat((concat((self.real, -self.imag), 1), concat((self.imag, self.real), 1)), 0)
        x = solution(a, concat((b.real, b.imag), 0))
        return complex(_cut(x, 0, 0, 1, n), _cut(x, 0, n, 1, n))
    def __rsolution__(self, a):
        return complex(solution(a, self.real), solution(a, self.imag))
    def __sign_of_det__(self):
        return _phase_and_size_of_det(self)[0]
    def __logarithm_of_det__(self):
        return _phase_and_size_of_det(self)[1]
    def __getitem__(self, index):
        return complex(_element_at(self.real, index), _element_at(self.imag, index))
    def __setitem__(self, index, value):
        value = _as_complex(value)
        index = together(index) if is_tuple(index) else index
        return complex(with_item(self.real, index, value.real), with_item(self.imag, index, value.imag))
    def __additem__(self, index, value):
        return self.__setitem__(index, self[index] + value)
    def __len__(self):
        return len(self.real)
    def __iter__(self):
        return complex_iterator(self, 0)
    def __tuple__(self):
        return _arrays(self)
    def __unpacked__(self, names):
        return _arrays(self) if len(self) == names else refuse(("cannot unpack ", len(self), " complex numbers into ", names, " names"))
    def __reversed__(self):
        return flip(self, 0)
    def __enumerate__(self, start):
        return [(start + i, z) for i, z in enumerate(_arrays(self))]
    def __sum__(self, start):
        for z in self:
            start = start + z
        return start
    # Of several values, of which one is complex or holds complex numbers.
    @staticmethod
    def __array__(object):
        return complex(array_of(_parts_of(object, False)), array_of(_parts_of(object, True)))
    @staticmethod
    def __concat__(arrays, axis):
        return complex(concat(_parts_of(arrays, False), axis), concat(_parts_of(arrays, True), axis))
    @staticmethod
    def __zip__(sequences):
        rows = [_arrays(sequence) if isinstance(sequence, complex) else sequence for sequence in sequences]
        return zip(*rows)
    @staticmethod
    def __select__(condition, x, y):
        x = _as_complex(x)
        y = _as_complex(y)
        return complex(select(condition, x.real, y.real), select(condition, x.imag, y.imag))

    def __exp__(self):
        size = exp(self.real)
        return complex(size * cos(self.imag), size * sin(self.imag))
    # Near the unit circle by how much the square of the size is more than 1.
    def __log__(self):
        size = hypot_of(self.real, self.imag)
        is_flat = abs(self.real) >= abs(self.imag)
        a = select(is_flat, self.real, self.imag)
        b = select(is_flat, self.imag, self.real)
        is_near = logical_and(size >= 0.71, size <= 1.73)
        excess = select(is_near, (a - 1.0) * (a + 1.0) + b * b, 0.0)
        return complex(select(is_near, 0.5 * log1p(excess), log(size)), _angle_of(self.imag, self.real))
    def __log10__(self):
        return log(self) / log(10.0)
    def __sqrt__(self):
        is_zero = _is_zero(self)
        is_right = self.real >= 0.0
        x = select(is_zero, 1.0, select(is_right, self.real, -self.real) / 8.0)
        s = select(is_zero, 0.0, 2.0 * sqrt(x + hypot_of(x, self.imag / 8.0)))
        d = select(is_zero, stopped(self.imag), self.imag) / select(is_zero, 1.0, 2.0 * s)
        # Which side of the cut it is says the sign of zero, too.
        side = copysign(1.0, self.imag)
        return complex(select(is_right, s, side * d), select(is_right, d, side * s))
    def __sin__(self):
        return complex(sin(self.real) * cosh(self.imag), cos(self.real) * sinh(self.imag))
    def __cos__(self):
        return complex(cos(self.real) * cosh(self.imag), -(sin(self.real) * sinh(self.imag)))
    def __tan__(self):
        return _over_i(tanh(_times_i(self)))
    def __sinh__(self):
        return complex(sinh(self.real) * cos(self.imag), cosh(self.real) * sin(self.imag))
    def __cosh__(self):
        return complex(cosh(self.real) * cos(self.imag), sinh(self.real) * sin(self.imag))
    def __tanh__(self):
        t = tanh(self.real)
        u = tan(self.imag)
        c = 1.0 / cosh(self.real)
        tu = t * u
        d = 1.0 + tu * tu
        return complex(t * (1.0 + u * u) / d, u / d * c * c)
    def __arcsin__(self):
        return _over_i(arcsinh(_times_i(self)))
    def __arccos__(self):
        s = sqrt(1.0 - self)
        t = sqrt(1.0 + self)
        return complex(2.0 * arctan2(s.real, t.real), arcsinh(t.real * s.imag - t.imag * s.real))
    def __arctan__(self):
        return _over_i(arctanh(_times_i(self)))
    def __arcsinh__(self):
        s = sqrt(complex(1.0 + self.imag, -self.real))
        t = sqrt(complex(1.0 - self.imag, self.real))
        return complex(arcsinh(s.real * t.imag - t.real * s.imag), arctan2(self.imag, s.real * t.real - s.imag * t.imag))
    def __arccosh__(self):
        s = sqrt(self - 1.0)
        t = sqrt(self + 1.0)
        return complex(arcsinh(s.real * t.real + s.imag * t.imag), 2.0 * arctan2(s.imag, t.real))
    def __arctanh__(self):
        # The formula is for the right half of the plane; the cuts of the left half are those of the right one, turned.
        sign = copysign(1.0, self.real)
        x = sign * self.real
        y = sign * self.imag
        d = 1.0 - x
        real = 0.25 * log1p(4.0 * x / (d * d + y * y))
        return complex(sign * real, sign * (-0.5 * arctan2(-2.0 * y, d * (1.0 + x) - y * y)))

@dataclass(frozen=True)
class complex_iterator:
    sequence: object
    at: int

    def __has_next__(self):
        return self.at < len(self.sequence)
    def __next__(self):
        return self.sequence[self.at]
    def __advance__(self):
        return complex_iterator(self.sequence, self.at + 1)

def _real_number(x):
    return as_type(x, "float64") if is_array(x) else float(x)
def _as_complex(z):
    return z if isinstance(z, complex) else _of_parts(_real_number(z), 0.0)
def _of_parts(real, imag):
    if is_array(real) or is_array(imag):
        sizes = _joined(shape_of(real), shape_of(imag))
        return complex(broadcast(real, sizes), broadcast(imag, sizes))
    return complex(real, imag)
# By elimination: the determinant divided by its size, and the logarithm of that.
def _phase_and_size_of_det(a):
    n = len(a)
    rows = iota((n, 0))
    phase, size = complex(1.0, 0.0), 0.0
    for k in range(n):
        column = where(rows >= k, a[:, k], 0.0)
        p = argmax(abs(column))
        pivot, top = column[p], a[p]
        a = where(with_shape(rows == p, (n, 1)), a[k], a)
        a = where(with_shape(rows == k, (n, 1)), top, a)
        a = a - outer(where(rows > k, a[:, k] / pivot, 0.0), top)
        phase = phase * (pivot / abs(pivot)) * select(p == k, 1.0, -1.0)
        size = size + log(abs(pivot))
    return phase, size
# Several indices come as a tuple, which to an array is something else.
def _element_at(a, index):
    if is_tuple(index):
        return a[together(index)]
    return a[index]
def _is_zero(z):
    return logical_and(z.real == 0.0, z.imag == 0.0)
# What nested tuples with complex numbers, or arrays of them, have for parts.
def _parts_of(object, imaginary):
    if is_tuple(object):
        return [_parts_of(part, imaginary) for part in object]
    z = _as_complex(object)
    return z.imag if imaginary else z.real
def _times_i(z):
    return complex(-z.imag, z.real)
def _over_i(z):
    return complex(z.imag, -z.real)
# At zero there is no derivative, so none is taken.
def _angle_of(y, x):
    angle = arctan2(y, x)
    return select(logical_and(x == 0.0, y == 0.0), stopped(angle), angle)
# Smith's quotient (1962), without overflow between.
def _complex_quotient(a, b, z):
    if is_array(a) or is_array(b) or is_array(z.real):
        x = abs(z.real) >= abs(z.imag)
        small = where(x, z.imag, z.real)
        large = where(x, z.real, z.imag)
        ratio = small / large
        d = large + small * ratio
        return _of_parts(where(x, a + b * ratio, a * ratio + b) / d, where(x, b - a * ratio, b * ratio - a) / d)
    if abs(z.real) >= abs(z.imag):
        ratio = z.imag / z.real
        d = z.real + z.imag * ratio
        return complex((a + b * ratio) / d, (b - a * ratio) / d)
    ratio = z.real / z.imag
    d = z.real * ratio + z.imag
    return complex((a * ratio + b) / d, (b * ratio - a) / d)
def _integer_power(z, n):
    if n < 0:
        return 1.0 / _integer_power(z, -n)
    if n == 0:
        return ones_like(z) if is_array(z) else complex(1.0, 0.0)
    if n == 1:
        return z
    half = _integer_power(z, n // 2)
    return half * half if n % 2 == 0 else half * half * z
def _real_power(z, x):
    return _complex_power(z, _of_parts(x, 0.0))
def _complex_power(z, w):
    if is_array(z) or is_array(w):
        z = broadcast(z, _joined(shape_of(z), shape_of(w)))
        is_zero = _is_zero(z)
        nothing = select(w.real == 0.0, 1.0, select(w.real > 0.0, 0.0, nan))
        nothing = _power_of_zero(where(is_zero, z, 0.0), w.real, _of_parts(nothing, 0.0 * z.real))
        return where(is_zero, nothing, _power_by_logarithm(where(is_zero, 1.0, z), w))
    return _power_of_zero(z, w.real, complex(0.0 ** w.real, 0.0)) if _is_zero(z) else _power_by_logarithm(z, w)
# Whole powers have the derivatives of products at zero, of fourth and higher ones three of these; other powers are constants there.
def _power_of_zero(z, n, value):
    product = z
    for k in range(1, 5):
        value = select(n == k, product, value)
        product = product * z
    return value
def _power_by_logarithm(z, w):
    size = hypot_of(z.real, z.imag)
    angle = arctan2(z.imag, z.real)
    return _polar(size ** w.real * exp(-angle * w.imag), angle * w.real + log(size) * w.imag)
def _polar(size, angle):
    return complex(size * cos(angle), size * sin(angle))

def builtins_complex(real=0.0, imag=None):
    if imag is None:
        return _as_complex(real)
    if isinstance(real, complex) or isinstance(imag, complex):
        return real + _times_i(_as_complex(imag))
    return complex(_real_number(real), _real_number(imag))

def real(val):
    val = array_of(val)
    return val.real if isinstance(val, complex) else val
def imag(val):
    val = array_of(val)
    return val.imag if isinstance(val, complex) else _zero_of(val)
def _zero_of(x):
    if is_array(x):
        return zeros_like(x)
    return 0 if isinstance(x, int) else 0.0
def iscomplex(x):
    return imag(x) != 0
def isreal(x):
    return imag(x) == 0
def iscomplexobj(x):
    return isinstance(array_of(x), complex)
def isrealobj(x):
    return not iscomplexobj(x)
def real_if_close(a):
    a = array_of(a)
    return refuse("whether a complex number is near a real one only the run knows; write `.real`") if isinstance(a, complex) else a
def conj(x):
    x = array_of(x)
    return x.conjugate() if isinstance(x, complex) else x
def conjugate(x):
    return conj(x)
def angle(z, deg=False):
    z = array_of(z)
    radians = _angle_of(z.imag, z.real) if isinstance(z, complex) else arctan2(0.0, z)
    return radians * (180.0 / pi) if constant(deg, "`deg`") else radians

def cmath_acos(z):
    return arccos(_as_complex(z))
def cmath_acosh(z):
    return arccosh(_as_complex(z))
def cmath_asin(z):
    return arcsin(_as_complex(z))
def cmath_asinh(z):
    return arcsinh(_as_complex(z))
def cmath_atan(z):
    return arctan(_as_complex(z))
def cmath_atanh(z):
    return arctanh(_as_complex(z))
def cmath_cos(z):
    return cos(_as_complex(z))
def cmath_cosh(z):
    return cosh(_as_complex(z))
def cmath_exp(z):
    return exp(_as_complex(z))
def cmath_log(z, *base):
    w = log(_as_complex(z))
    return w if len(base) == 0 else w / log(_as_complex(base[0]))
def cmath_log10(z):
    return log10(_as_complex(z))
def cmath_phase(z):
    return angle(_as_complex(z))
def cmath_polar(z):
    z = _as_complex(z)
    return (abs(z), angle(z))
def cmath_rect(r, phi):
    return _polar(_real_number(r), _real_number(phi))
def cmath_sin(z):
    return sin(_as_complex(z))
def cmath_sinh(z):
    return sinh(_as_complex(z))
def cmath_sqrt(z):
    return sqrt(_as_complex(z))
def cmath_tan(z):
    return tan(_as_complex(z))
def cmath_tanh(z):
    return tanh(_as_complex(z))
def cmath_isfinite(z):
    z = _as_complex(z)
    return isfinite(z.real) and isfinite(z.imag)
def cmath_isinf(z):
    return abs(_as_complex(z)) == inf
def cmath_isnan(z):
    z = _as_complex(z)
    return isnan(z.real) or isnan(z.imag)
