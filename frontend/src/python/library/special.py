# scipy.special.

# The greatest element, rounded: a shift that avoids overflow as well, and that is constant to derivatives.
def _shift(a, axis):
    shift = rint(max(a, axis, keepdims=True))
    return select(isfinite(shift), shift, 0.0)
def special_logsumexp(a, axis=None, *, keepdims=False):
    a = _floats(a)
    shift = _shift(a, axis)
    return _kept(log(sum(exp(a - shift), axis, keepdims=True)) + shift, _axes(axis, ndim(a)), keepdims)
def special_softmax(x, axis=None):
    x = _floats(x)
    e = exp(x - _shift(x, axis))
    return e / sum(e, axis, keepdims=True)
def special_log_softmax(x, axis=None):
    x = _floats(x)
    shifted = x - _shift(x, axis)
    return shifted - log(sum(exp(shifted), axis, keepdims=True))
def special_logit(x):
    x = _floats(x)
    s = 2.0 * (x - 0.5)
    near = logical_and(x >= 0.3, x <= 0.65)
    return select(near, log1p(s) - log1p(-s), log(x / (1.0 - x)))
def special_xlogy(x, y):
    x = array_of(x)
    y = array_of(y)
    ends = logical_or(y <= 0.0, y == inf)
    return select(logical_and(x == 0.0, ends), 0.0, x * log(y))
def special_digamma(x):
    return special_polygamma(0, x)
def special_psi(x):
    return special_polygamma(0, x)
def special_polygamma(n, x):
    return polygamma_of(array_of(n), array_of(x))
