# `jax.random`: the bits that JAX gives, by threefry (Salmon et al. 2011) on the number of each element, as JAX does it where arrays may be
# split over devices (`jax_threefry_partitionable`, its default). A key is an array of two ints of 32 bits, of `key` as of `PRNGKey`.

def _hashed_pair(first, second, x, y):
    keys = (first, second, first ^ second ^ 466688986)
    x, y = _low_half(wrapped_sum(x, first)), _low_half(wrapped_sum(y, second))
    for i in _numbers(5):
        for count in ((13, 15, 26, 6), (17, 29, 16, 24))[i % 2]:
            x = _low_half(wrapped_sum(x, y))
            y = _low_half(shifted_up(y, count) | shifted_down(y, 32 - count)) ^ x
        x = _low_half(wrapped_sum(x, keys[(i + 1) % 3]))
        y = _low_half(wrapped_sum(wrapped_sum(y, keys[(i + 2) % 3]), i + 1))
    return (x, y)
def _checked_key(key):
    key = array_of(key)
    if dtype_of(key) != "int64" or shape_of(key) != (2,):
        return refuse(("a key is what `jax.random.key` and `split` give, this is an array of shape ", shape_of(key)))
    return key
# Of each element what `of` makes of its two words.
def _hashed_array(key, sizes, dtype, of):
    key = _checked_key(key)
    first, second = key[0], key[1]
    if len(sizes) == 0:
        return of(*_hashed_pair(first, second, 0, 0))
    xs = zeros(_product(sizes), dtype)
    for k in range(_product(sizes)):
        xs[k] = of(*_hashed_pair(first, second, shifted_down(k, 32), _low_half(k)))
    return with_shape(xs, sizes)
def _joined_words(x, y):
    return shifted_up(x, 32) | y
def _mixed_word(x, y):
    return x ^ y

def jax_random_PRNGKey(seed, *, impl=None):
    if impl is not None and impl != "threefry2x32":
        return refuse("of the generators of JAX `threefry2x32` is supported")
    if not isinstance(seed, int):
        return refuse("the seed of a key is an int")
    return stack((shifted_down(seed, 32), _low_half(seed)))
def jax_random_key(seed, *, impl=None):
    return jax_random_PRNGKey(seed, impl=impl)
def jax_random_key_data(keys):
    return array_of(keys)
def jax_random_wrap_key_data(key_bits_array, *, impl=None):
    return array_of(key_bits_array)
def jax_random_clone(key):
    return key
def jax_random_split(key, num=2):
    key, sizes = _checked_key(key), _shape(num)
    words = zeros(2 * _product(sizes), "int64")
    for k in range(_product(sizes)):
        words[2 * k], words[2 * k + 1] = _hashed_pair(key[0], key[1], shifted_down(k, 32), _low_half(k))
    return with_shape(words, sizes + (2,))
def jax_random_fold_in(key, data):
    key = _checked_key(key)
    return stack(_hashed_pair(key[0], key[1], 0, _low_half(data)))
def jax_random_bits(key, shape=(), dtype="uint32"):
    if dtype != "uint32":
        return refuse("bits are those of `uint32`, as ints")
    return _hashed_array(key, _shape(shape), "int64", _mixed_word)

# Shapes that the parameters give, and that they must fit into.
def _sampled_shape(shape, *parameters):
    return _drawn_sizes(shape, tuple([array_of(p) for p in parameters]))
def _sampled_or_scalar(shape, *parameters):
    sizes = _sampled_shape(shape, *parameters)
    return () if sizes is None else sizes
def _sampled_dtype(dtype):
    dtype = _dtype_or_float(dtype)
    return dtype if dtype == "float64" or dtype == "float32" else refuse(("random floats of type ", dtype, " are not supported"))
# Of the bits of the mantissa, those of a number from 1 up to 2, less 1.
def _unit_array(key, sizes, dtype):
    if dtype == "float32":
        return stopped(_hashed_array(key, sizes, dtype, lambda x, y: shifted_down(x ^ y, 9) * 1.1920928955078125e-07))
    return stopped(_hashed_array(key, sizes, dtype, lambda x, y: shifted_down(_joined_words(x, y), 12) * 2.220446049250313e-16))
def _in_dtype(x, dtype):
    return as_type(array_of(x), dtype)
def jax_random_uniform(key, shape=(), dtype=None, minval=0.0, maxval=1.0):
    dtype = _sampled_dtype(dtype)
    minval, maxval = _in_dtype(minval, dtype), _in_dtype(maxval, dtype)
    floats = _unit_array(key, _sampled_or_scalar(shape, minval, maxval), dtype)
    return maximum(minval, floats * (maxval - minval) + minval)
# The number beside -1, and the smallest normal one.
def _least_above(dtype):
    return -0.9999999999999999 if dtype == "float64" else -0.9999999403953552
def _tiny(dtype):
    return _limit_of_floats(dtype, "tiny")
def jax_random_normal(key, shape=(), dtype=None):
    dtype = _sampled_dtype(dtype)
    u = jax_random_uniform(key, shape, dtype, _least_above(dtype), 1.0)
    return stopped(_in_dtype(1.4142135623730951, dtype) * special_erfinv(u))
def jax_random_truncated_normal(key, lower, upper, shape=None, dtype=None):
    dtype = _sampled_dtype(dtype)
    lower, upper = _in_dtype(lower, dtype), _in_dtype(upper, dtype)
    sizes = _sampled_or_scalar(shape, lower, upper)
    root = _in_dtype(1.4142135623730951, dtype)
    xs = root * special_erfinv(jax_random_uniform(key, sizes, dtype, erf(lower / root), erf(upper / root)))
    return minimum(maximum(xs, stopped(lower)), stopped(upper))
def jax_random_lognormal(key, sigma=1.0, shape=None, dtype=None):
    sigma = _in_dtype(sigma, _sampled_dtype(dtype))
    return exp(jax_random_normal(key, _sampled_or_scalar(shape, sigma), dtype) * sigma)
def jax_random_exponential(key, shape=(), dtype=None):
    return -log1p(-_unit_array(key, _shape(shape), _sampled_dtype(dtype)))
def jax_random_gumbel(key, shape=(), dtype=None, mode=None):
    if mode is not None and mode != "low":
        return refuse("`mode` of `gumbel` is \"low\"")
    dtype = _sampled_dtype(dtype)
    return -log(-log(jax_random_uniform(key, shape, dtype, _tiny(dtype), 1.0)))
def jax_random_laplace(key, shape=(), dtype=None):
    u = jax_random_uniform(key, shape, dtype, _least_above(_sampled_dtype(dtype)), 1.0)
    return sign(u) * log1p(-abs(u))
def jax_random_logistic(key, shape=(), dtype=None):
    dtype = _sampled_dtype(dtype)
    x = jax_random_uniform(key, shape, dtype, _tiny(dtype), 1.0)
    return log(x) - log1p(-x)
def jax_random_cauchy(key, shape=(), dtype=None):
    dtype = _sampled_dtype(dtype)
    return tan(_in_dtype(pi, dtype) * (jax_random_uniform(key, shape, dtype, _limit_of_floats(dtype, "eps"), 1.0) - 0.5))
def jax_random_bernoulli(key, p=0.5, shape=None, mode="low"):
    if mode != "low":
        return refuse("`mode` of `bernoulli` is \"low\"")
    p = _floats(p)
    return _unit_array(key, _sampled_or_scalar(shape, p), dtype_of(p)) < p
def jax_random_rademacher(key, shape=(), dtype=None):
    return 2 * as_type(jax_random_bernoulli(key, 0.5, shape), "int64" if dtype is None else dtype) - 1

def jax_random_randint(key, shape, minval, maxval, dtype=None):
    if dtype is not None and dtype != "int64":
        return refuse("random ints of other types than `int64` are not supported")
    minval, maxval = array_of(minval), array_of(maxval)
    sizes = _sampled_or_scalar(shape, minval, maxval)
    keys = jax_random_split(key)
    upper, lower = [_hashed_array(k, sizes, "int64", _joined_words) for k in (keys[0], keys[1])]
    return _each_of(_int_within, sizes, "int64", upper, lower, minval, maxval)
def _int_within(upper, lower, minval, maxval):
    span = wrapped_difference(maxval, minval) if maxval > minval else 1
    factor = _unsigned_remainder(4294967296, span)
    factor = _unsigned_remainder(wrapped_product(factor, factor), span)
    offset = wrapped_product(_unsigned_remainder(upper, span), factor)
    offset = _unsigned_remainder(wrapped_sum(offset, _unsigned_remainder(lower, span)), span)
    return wrapped_sum(minval, offset)
# The array of what a function gives for the elements of others, and for numbers.
def _each_of(f, sizes, dtype, *parameters):
    if len(sizes) == 0:
        return f(*parameters)
    each = tuple([ravel(broadcast(p, sizes)) if is_array(p) else p for p in parameters])
    xs = zeros(_product(sizes), dtype)
    for k in range(_product(sizes)):
        xs[k] = f(*[p[k] if is_array(p) else p for p in each])
    return with_shape(xs, sizes)

# Sorted by random words as often as JAX does, so that no two are alike in all.
def _permuted_places(key, n):
    places = iota((n, 0))
    for _ in _numbers(0 if n <= 1 else 1 if n <= 1625 else 2 if n <= 2642245 else 3):
        keys = jax_random_split(key)
        key = keys[0]
        places = places[order_of(_hashed_array(keys[1], (n,), "int64", _mixed_word))]
    return places
def jax_random_permutation(key, x, axis=0, independent=False):
    x = array_of(x)
    if ndim(x) == 0:
        return _permuted_places(key, constant(x, "the number of elements"))
    if constant(independent, "`independent`") and ndim(x) > 1:
        return refuse("independent permutations are not supported: write `vmap` over keys")
    axis = _axis(axis, ndim(x))
    return take(x, _permuted_places(key, shape_of(x)[axis]), axis)
def jax_random_choice(key, a, shape=(), replace=True, p=None, axis=0, mode=None):
    a, sizes = array_of(a), _shape(shape)
    axis = 0 if ndim(a) == 0 else _axis(axis, ndim(a))
    n = constant(a, "the number of elements") if ndim(a) == 0 else shape_of(a)[axis]
    if not replace and _product(sizes) > n:
        return refuse(("a sample of ", _product(sizes), " elements without replacement is larger than the ", n, " there are"))
    places = _chosen_places(key, n, sizes, replace, p)
    return places if ndim(a) == 0 else take(a, places, axis)
def _chosen_places(key, n, sizes, replace, p):
    if p is None:
        return jax_random_randint(key, sizes, 0, n) if replace else with_shape(_permuted_places(key, n)[:_product(sizes)], sizes)
    p = _floats(p)
    if shape_of(p) != (n,):
        return refuse(("there is one probability for each of the ", n, " elements, not an array of shape ", shape_of(p)))
    if replace:
        sums = cumsum(p)
        return searchsorted(sums, sums[n - 1] * (1 - _unit_array(key, sizes, dtype_of(p))))
    scores = jax_random_gumbel(key, (n,), dtype_of(p)) + log(p)
    return with_shape(order_of(-scores)[:_product(sizes)], sizes)
def jax_random_categorical(key, logits, axis=-1, shape=None, replace=True, mode=None):
    logits = _floats(logits)
    if not constant(replace, "`replace`"):
        return refuse("`categorical` without replacement is not supported")
    axis = _axis(axis, ndim(logits))
    rest = shape_of(logits)[:axis] + shape_of(logits)[axis + 1:]
    sizes = rest if shape is None else _shape(shape)
    before = len(sizes) - len(rest)
    if before < 0 or _joined(sizes, rest) != sizes:
        return refuse(("the logits have the shape ", rest, ", which does not fit into ", sizes))
    inner = sizes[before:]
    inner = inner[:axis] + (shape_of(logits)[axis],) + inner[axis:]
    return argmax(jax_random_gumbel(key, sizes[:before] + inner, dtype_of(logits), mode) + logits, before + axis)
def jax_random_multivariate_normal(key, mean, cov, shape=None, dtype=None, method="cholesky"):
    dtype = _sampled_dtype(dtype)
    mean, cov = _in_dtype(mean, dtype), _in_dtype(cov, dtype)
    if ndim(mean) != 1 or shape_of(cov) != shape_of(mean) * 2:
        return refuse("`multivariate_normal` takes a vector and a matrix")
    factor = _normal_factor(cov, method)
    return mean + jax_random_normal(key, (() if shape is None else _shape(shape)) + shape_of(mean), dtype) @ transpose(factor)
def _normal_factor(cov, method):
    if method == "cholesky":
        return linalg_cholesky(cov)
    if method == "eigh":
        values, vectors = linalg_eigh(cov)
        return vectors * sqrt(values)
    if method == "svd":
        u, values, _ = linalg_svd(cov)
        return u * sqrt(values)
    return refuse(("`method` is \"cholesky\", \"eigh\" or \"svd\", not ", method))
