# Whole numbers, and rounding to decimal places.

def builtins_round(x, ndigits=None):
    if is_array(x):
        return round(x, 0 if ndigits is None else ndigits)
    if ndigits is None:
        return round_int(x)
    return _rounded_int(x, ndigits) if isinstance(x, int) else _rounded(stopped(x), ndigits)
def _rounded_int(x, n):
    if n >= 0:
        return x + 0
    unit = 10 ** -n
    below = x // unit
    rest = 2 * (x - below * unit)
    return (below + 1 if rest > unit or rest == unit and below % 2 == 1 else below) * unit
# As CPython: the float nearest to the decimal that is nearest to x, of two such decimals the even one. Powers of ten up to 22 are exact, and
# so is the error of a product or a quotient, which says on which side of a tie x is. What has no more digits than asked for, by its size,
# is returned as it is.
def _rounded(x, n):
    if n > 22 or n < -22:
        return _rounded_far(x, n)
    unit = 10.0 ** n if n >= 0 else 10.0 ** -n
    y = x * unit if n >= 0 else x / unit
    if not abs(y) < 2.0 ** 53:
        return x
    error = fused(x, unit, -y) if n >= 0 else fused(-y, unit, x)
    whole = rint(y)
    if y - whole == 0.5 and error > 0.0:
        whole = whole + 1.0
    elif y - whole == -0.5 and error < 0.0:
        whole = whole - 1.0
    return whole / unit if n >= 0 else whole * unit
def _rounded_far(x, n):
    if n > 323 or n > 0 and not abs(x) < 1e-6 or x == 0.0 or not isfinite(x):
        return x
    if n < -308 or n < 0 and abs(x) < 1e22:
        return x * 0.0
    raise ValueError("`round` of this number to more than 22 digits is not supported")
def math_comb(n, k):
    if n < 0 or k < 0:
        raise ValueError("`comb` of a negative number")
    result = 1
    for i in range((k if k < n - k else n - k) if k <= n else 0):
        result = result * (n - i) // (i + 1)
    return result if k <= n else 0
def math_dist(p, q):
    if len(p) != len(q):
        return refuse("`dist` of points with different numbers of coordinates")
    return math_hypot(*[a - b for a, b in zip(p, q)])
def math_factorial(n):
    if n < 0:
        raise ValueError("`factorial` of a negative number")
    result = 1
    for i in range(2, n + 1):
        result = result * i
    return result
# The exponent by the logarithm may be one off; a subnormal number is made a normal one first.
def math_frexp(x):
    if x == 0.0 or not isfinite(x):
        return float(x), 0
    shift = 54 if abs(x) < 2.0 ** -1022 else 0
    exponent = int(floor(log2(abs(stopped(x)) * 2.0 ** shift))) + 1 - shift
    part = ldexp(x, -exponent)
    if abs(part) >= 1.0:
        return 0.5 * part, exponent + 1
    if abs(part) < 0.5:
        return 2.0 * part, exponent - 1
    return part, exponent
def math_gcd(*xs):
    result = 0
    for x in xs:
        while x != 0:
            result, x = x, result % x
    return abs(result)
def math_isclose(a, b, *, rel_tol=1e-09, abs_tol=0.0):
    a, b = float(a), float(b)
    if a == b:
        return True
    near = maximum(rel_tol * maximum(abs(a), abs(b)), abs_tol)
    return isfinite(a) and isfinite(b) and abs(a - b) <= near
def math_isqrt(n):
    if n < 0:
        raise ValueError("`isqrt` of a negative number")
    root = int(sqrt(float(n)))
    # The float may be one off.
    if root * root > n:
        return root - 1
    return root + 1 if n - root * root > 2 * root else root
def math_lcm(*xs):
    result = 1
    for x in xs:
        result = 0 if x == 0 or result == 0 else abs(x // math_gcd(result, x) * result)
    return result
def math_ldexp(x, i):
    return ldexp(float(x), i)
def math_modf(x):
    return (float(x), float(stopped(x))) if x == 0.0 else modf(float(x))
def math_perm(n, k=None):
    k = n if k is None else k
    if n < 0 or k < 0:
        raise ValueError("`perm` of a negative number")
    result = 1 if k <= n else 0
    for i in range(k if k <= n else 0):
        result = result * (n - i)
    return result
# As CPython: exact, with the even one of two quotients that are as near. The sign of zero is a sign, too.
def math_remainder(x, y):
    x, y = float(x), abs(float(y))
    side = copysign(1.0, x)
    size = side * x
    if y == inf and isfinite(x):
        return x
    rest = fmod(size, y)
    if rest < y - rest:
        return side * rest
    if rest > y - rest:
        return side * (rest - y)
    return side * (rest - 2.0 * fmod(0.5 * (size - rest), y))
def math_sumprod(p, q):
    total = 0
    for a, b in zip(p, q):
        total = total + a * b
    return total
