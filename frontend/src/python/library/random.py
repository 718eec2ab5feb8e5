# `numpy.random`: the very numbers that NumPy gives. A stream is a tuple of ints: the 128 bits of PCG64 (O'Neill 2014) and the increment, each
# as an upper and a lower half; then whether half of a draw of 64 bits is left, and that half. What draws takes a stream, and gives the
# number and the stream after it. A generator is a mutable box with a stream, so draws follow each other in the order of the program.

def _unsigned_less(a, b):
    least = -9223372036854775807 - 1
    return (a ^ least) < (b ^ least)
def _unsigned_remainder(a, b):
    if b < 0:
        return a if _unsigned_less(a, b) else wrapped_difference(a, b)
    # Twice half of `a`, which is no more than `b` off the remainder.
    rest = wrapped_difference(a, wrapped_product(shifted_up(shifted_down(a, 1) // b, 1), b))
    return rest if _unsigned_less(rest, b) else wrapped_difference(rest, b)
def _low_half(a):
    return a & 4294967295
def _word_product(a, b):
    return _low_half(wrapped_product(a, b))

# The words of 32 bits that seeds are mixed of. Where the constants of the hash stand depends on the number of words hashed before.
def _entropy_words(entropy):
    if isinstance(entropy, int):
        if entropy < 0:
            raise ValueError("expected non-negative integer")
        return (_low_half(entropy), shifted_down(entropy, 32))
    words = ()
    for x in tuple(_plain(entropy)):
        if x < 0 or x > 4294967295:
            raise ValueError("the ints of a seed that is a list are at least 0 and less than 2 ** 32")
        words = words + (x,)
    return words
def _hashed_word(word, before, factor, start):
    multiplier = start
    for _ in _numbers(before):
        multiplier = _word_product(multiplier, factor)
    word = _word_product(word ^ multiplier, _word_product(multiplier, factor))
    return word ^ shifted_down(word, 16)
def _mixed_words(x, y):
    word = _low_half(wrapped_difference(wrapped_product(x, 3389127133), wrapped_product(y, 1232336661)))
    return word ^ shifted_down(word, 16)
def _pool_of(words):
    hashed = lambda word, before: _hashed_word(word, before, 2468251765, 1135663077)
    pool, before = [], 0
    for i in _numbers(4):
        pool.append(hashed(words[i] if i < len(words) else 0, i))
    before = 4
    for i in _numbers(4):
        for k in _numbers(4):
            if i != k:
                pool[k] = _mixed_words(pool[k], hashed(pool[i], before))
                before = before + 1
    for word in words[4:]:
        for k in _numbers(4):
            pool[k] = _mixed_words(pool[k], hashed(word, before))
            before = before + 1
    return tuple(pool)
def _words_of_pool(pool, n):
    return tuple([_hashed_word(pool[i % 4], i, 1492356589, 2337405405) for i in _numbers(n)])

@dataclass(frozen=True)
class seed_sequence:
    entropy: object
    spawn_key: tuple
    _children: object

    def _words(self):
        words = _entropy_words(self.entropy)
        if len(self.spawn_key) == 0:
            return words
        return words + (0,) * _larger(4 - len(words), 0) + self.spawn_key
    def _wide_words(self, n):
        words = _words_of_pool(_pool_of(self._words()), 2 * n)
        return tuple([words[2 * i] | shifted_up(words[2 * i + 1], 32) for i in _numbers(n)])
    def generate_state(self, n_words, dtype="uint32"):
        n = constant(n_words, "the number of words")
        if dtype == "uint64":
            return refuse("words of 64 bits are no ints here, which have a sign; `default_rng` takes the sequence itself")
        return array_of(_words_of_pool(_pool_of(self._words()), n))
    def spawn(self, n_children):
        first = opened(_content(self._children), self._children, 0)
        n = constant(n_children, "the number of children")
        _set_box(self._children, first + n)
        return [_new_seeds(self.entropy, self.spawn_key + (first + i,)) for i in _numbers(n)]
def _new_seeds(entropy, spawn_key):
    return seed_sequence(entropy, spawn_key, _boxed(varying(0)))
def random_SeedSequence(entropy=None, *, spawn_key=(), pool_size=4):
    if entropy is None:
        return _without_seed()
    if constant(pool_size, "the size of the pool") != 4:
        return refuse("a pool of another size than 4 is not supported")
    return _new_seeds(entropy, tuple(_plain(spawn_key)))
def _without_seed():
    return refuse("numbers without a seed differ from run to run, and a program means the same in each; give a seed: `default_rng(0)`")

# The generator that all programs share has a state from call to call.
def _of_all():
    return refuse("draws of the generator that all share are not supported; make one: `rng = np.random.default_rng(seed)`, or `RandomState(seed)`")
def random_seed(*args, **named):
    return _of_all()
def random_rand(*args, **named):
    return _of_all()
def random_randn(*args, **named):
    return _of_all()
def random_random(*args, **named):
    return _of_all()
def random_random_sample(*args, **named):
    return _of_all()
def random_uniform(*args, **named):
    return _of_all()
def random_normal(*args, **named):
    return _of_all()
def random_standard_normal(*args, **named):
    return _of_all()
def random_exponential(*args, **named):
    return _of_all()
def random_integers(*args, **named):
    return _of_all()
def random_randint(*args, **named):
    return _of_all()
def random_poisson(*args, **named):
    return _of_all()
def random_gamma(*args, **named):
    return _of_all()
def random_beta(*args, **named):
    return _of_all()
def random_binomial(*args, **named):
    return _of_all()
def random_permutation(*args, **named):
    return _of_all()
def random_choice(*args, **named):
    return _of_all()
def random_shuffle(*args, **named):
    return _of_all()

@dataclass(frozen=True)
class random_bits:
    _box: object
    seed_seq: object

    def random_raw(self, size=None):
        return _drawn(self._box, _next_bits, size, "int64")
    def spawn(self, n_children):
        return [random_PCG64(seeds) for seeds in self.seed_seq.spawn(n_children)]
def random_PCG64(seed=None):
    if seed is None:
        return _without_seed()
    seeds = seed if isinstance(seed, seed_sequence) else _new_seeds(seed, ())
    high, low, increment_high, increment_low = seeds._wide_words(4)
    increment = (shifted_up(increment_high, 1) | shifted_down(increment_low, 63), shifted_up(increment_low, 1) | 1)
    first = _wide_sum(increment, (high, low))
    stream = _stepped(first + increment + (False, 0))
    return random_bits(_boxed(tuple([varying(x) for x in stream])), seeds)
def random_Generator(bit_generator):
    return random_generator(bit_generator)
def random_default_rng(seed=None):
    if isinstance(seed, random_generator):
        return seed
    return random_generator(seed if isinstance(seed, random_bits) else random_PCG64(seed))

def _wide_sum(x, y):
    low = wrapped_sum(x[1], y[1])
    return (wrapped_sum(wrapped_sum(x[0], y[0]), select(_unsigned_less(low, x[1]), 1, 0)), low)
def _stepped(stream):
    high, low, increment_high, increment_low, has_half, half = stream
    upper, lower = 2549297995355413924, 4865540595714422341
    cross = wrapped_sum(wrapped_product(high, lower), wrapped_product(low, upper))
    product = (wrapped_sum(high_product(low, lower), cross), wrapped_product(low, lower))
    return _wide_sum(product, (increment_high, increment_low)) + (increment_high, increment_low, has_half, half)
def _next_bits(stream):
    if len(stream) == 4:
        upper, stream = _next_of_twister(stream)
        lower, stream = _next_of_twister(stream)
        return (shifted_up(upper, 32) | lower, stream)
    stream = _stepped(stream)
    bits = stream[0] ^ stream[1]
    count = shifted_down(stream[0], 58)
    return (shifted_down(bits, count) | shifted_up(bits, 64 - count), stream)
def _next_half(stream):
    if len(stream) == 4:
        return _next_of_twister(stream)
    if stream[4]:
        return (stream[5], stream[:4] + (False, 0))
    bits, stream = _next_bits(stream)
    return (_low_half(bits), stream[:4] + (True, shifted_down(bits, 32)))
def _unit_draw(stream):
    if len(stream) == 4:
        upper, stream = _next_of_twister(stream)
        lower, stream = _next_of_twister(stream)
        return ((shifted_down(upper, 5) * 67108864.0 + shifted_down(lower, 6)) / 9007199254740992.0, stream)
    bits, stream = _next_bits(stream)
    return (shifted_down(bits, 11) * 1.1102230246251565e-16, stream)

# The stream of `RandomState` (Matsumoto, Nishimura 1998): its words, the place of the next, whether one of two normal numbers is left, and
# that number.
def _twister(seed):
    if seed < 0 or seed > 4294967295:
        raise ValueError("Seed must be between 0 and 2**32 - 1")
    words, word = zeros(624, "int64"), seed
    for i in range(624):
        words[i] = word
        word = _low_half(wrapped_product(word ^ shifted_down(word, 30), 1812433253) + i + 1)
    return (words, 624, False, 0.0)
def _next_of_twister(stream):
    words, place, has_normal, normal = stream
    if place == 624:
        words, place = _twisted(words), 0
    word = words[place]
    word = word ^ shifted_down(word, 11)
    word = word ^ shifted_up(word, 7) & 2636928640
    word = word ^ shifted_up(word, 15) & 4022730752
    return (word ^ shifted_down(word, 18), (words, place + 1, has_normal, normal))
def _twisted(words):
    for i in range(624):
        word = words[i] & 2147483648 | words[(i + 1) % 624] & 2147483647
        words[i] = words[(i + 397) % 624] ^ shifted_down(word, 1) ^ (word & 1) * 2567483615
    return words
# Of a point in the circle two numbers (Marsaglia's polar method).
def _polar_normal_draw(stream):
    if stream[2]:
        return (stream[3], stream[:2] + (False, 0.0))
    while True:
        u, stream = _unit_draw(stream)
        v, stream = _unit_draw(stream)
        u, v = 2.0 * u - 1.0, 2.0 * v - 1.0
        square = u * u + v * v
        if square < 1.0 and square != 0.0:
            size = sqrt(-2.0 * log(square) / square)
            return (size * v, stream[:2] + (True, size * u))
def _inverse_exponential_draw(stream):
    u, stream = _unit_draw(stream)
    return (-log(1.0 - u), stream)

# An int from 0 to `last`, which is unsigned (Lemire 2019).
def _bounded(stream, last):
    if last == 0:
        return (0, stream)
    if last > 0 and last < 4294967295:
        return _bounded_half(stream, last + 1)
    if last == 4294967295:
        return _next_half(stream)
    return _next_bits(stream) if last == -1 else _bounded_bits(stream, wrapped_sum(last, 1))
def _bounded_half(stream, count):
    bits, stream = _next_half(stream)
    product = wrapped_product(bits, count)
    if _low_half(product) < count:
        threshold = (4294967296 - count) % count
        while _low_half(product) < threshold:
            bits, stream = _next_half(stream)
            product = wrapped_product(bits, count)
    return (shifted_down(product, 32), stream)
def _bounded_bits(stream, count):
    bits, stream = _next_bits(stream)
    if _unsigned_less(wrapped_product(bits, count), count):
        threshold = _unsigned_remainder(wrapped_difference(0, count), count)
        while _unsigned_less(wrapped_product(bits, count), threshold):
            bits, stream = _next_bits(stream)
    return (high_product(bits, count), stream)
# The same of the draws that are no greater, of as many bits as `last` has.
def _masked(stream, last):
    if last == 0:
        return (0, stream)
    mask = last
    for count in (1, 2, 4, 8, 16, 32):
        mask = mask | shifted_down(mask, count)
    while True:
        bits, stream = _next_half(stream) if last < 4294967296 else _next_bits(stream)
        if bits & mask <= last:
            return (bits & mask, stream)

# Ziggurats (Marsaglia, Tsang 2000), with layers of `ziggurat.py`.
def _normal_draw(stream, layers):
    while True:
        bits, stream = _next_bits(stream)
        i, at = bits & 255, shifted_down(bits, 9) & 4503599627370495
        x = at * layers[i]
        x = select(bits & 256 == 0, x, -x)
        if at < layers[256 + i]:
            return (x, stream)
        if i == 0:
            return _normal_of_tail(stream, at & 256 == 0)
        u, stream = _unit_draw(stream)
        if (layers[511 + i] - layers[512 + i]) * u + layers[512 + i] < exp(-0.5 * x * x):
            return (x, stream)
def _normal_of_tail(stream, is_positive):
    while True:
        u, stream = _unit_draw(stream)
        v, stream = _unit_draw(stream)
        x, y = -(1.0 / _tail_of_normals()) * log1p(-u), -log1p(-v)
        if y + y > x * x:
            x = _tail_of_normals() + x
            return (x if is_positive else -x, stream)
def _exponential_draw(stream, layers, first=0):
    while True:
        bits, stream = _next_bits(stream)
        i, at = shifted_down(bits, 3) & 255, shifted_down(bits, 11)
        x = at * layers[first + i]
        if at < layers[first + 256 + i]:
            return (x, stream)
        u, stream = _unit_draw(stream)
        if i == 0:
            return (_tail_of_exponentials() - log1p(-u), stream)
        if (layers[first + 511 + i] - layers[first + 512 + i]) * u + layers[first + 512 + i] < exp(-x):
            return (x, stream)

# Draws of a shape: of that of the parameters, of which each element has its own, unless `size` says another.
def _drawn(box, draw, size, dtype, *parameters):
    parameters = tuple([stopped(array_of(_plain(p))) for p in parameters])
    sizes = _drawn_sizes(size, parameters)
    stream = opened(_content(box), box, 0)
    if sizes is None:
        x, stream = draw(stream, *parameters)
        _set_box(box, stream)
        return stopped(x)
    each = tuple([ravel(broadcast(p, sizes)) if is_array(p) else p for p in parameters])
    xs = zeros(_product(sizes), dtype)
    for k in range(_product(sizes)):
        x, stream = draw(stream, *[p[k] if is_array(p) else p for p in each])
        xs[k] = x
    _set_box(box, stream)
    return stopped(with_shape(xs, sizes))
def _drawn_sizes(size, parameters):
    joined = ()
    for p in parameters:
        joined = _joined(joined, shape_of(p))
    if size is None:
        return None if len(joined) == 0 else joined
    sizes = _shape(size)
    if _joined(sizes, joined) != sizes:
        return refuse(("the parameters have the shape ", joined, ", which does not fit into ", sizes))
    return sizes
def _some(condition):
    return any(condition) if is_array(condition) else condition
def _checked_scale(scale):
    if _some(scale < 0.0):
        raise ValueError("scale < 0")
    return scale

@dataclass(frozen=True)
class random_generator:
    bit_generator: object

    def _draws(self, draw, size, *parameters):
        return _drawn(self.bit_generator._box, draw, size, "float64", *parameters)
    def _counts(self, draw, size, *parameters):
        return _as_objects(_drawn(self.bit_generator._box, draw, size, "int64", *parameters))
    def _moved(self, draw, loc, scale, size):
        loc, scale = array_of(_plain(loc)), array_of(_plain(scale))
        return _as_objects(loc + scale * self._draws(draw, _drawn_sizes(size, (loc, scale))))
    def _scaled(self, draw, scale, size):
        scale = _checked_scale(array_of(_plain(scale)))
        return _as_objects(scale * self._draws(draw, _drawn_sizes(size, (scale,))))
    def spawn(self, n_children):
        return [random_generator(random_PCG64(seeds)) for seeds in self.bit_generator.seed_seq.spawn(n_children)]

    def random(self, size=None, dtype="float64"):
        return _as_objects(_in_doubles(dtype, self._draws(_unit_draw, size)))
    def uniform(self, low=0.0, high=1.0, size=None):
        low, high = array_of(_plain(low)), array_of(_plain(high))
        return self._moved(_unit_draw, low, high - low, size)
    def standard_normal(self, size=None, dtype="float64"):
        return _as_objects(_in_doubles(dtype, self._draws(_normal_drawer(), size)))
    def normal(self, loc=0.0, scale=1.0, size=None):
        return self._moved(_normal_drawer(), loc, _checked_scale(array_of(_plain(scale))), size)
    def lognormal(self, mean=0.0, sigma=1.0, size=None):
        return _as_objects(exp(_plain(self.normal(mean, sigma, size))))
    def standard_exponential(self, size=None, dtype="float64", method="zig"):
        if method == "inv":
            return _as_objects(_in_doubles(dtype, -log1p(-self._draws(_unit_draw, size))))
        return _as_objects(_in_doubles(dtype, self._draws(_exponential_drawer(), size)))
    def exponential(self, scale=1.0, size=None):
        return self._scaled(_exponential_drawer(), scale, size)
    def rayleigh(self, scale=1.0, size=None):
        return self._scaled(_rayleigh_drawer(), scale, size)
    def laplace(self, loc=0.0, scale=1.0, size=None):
        return self._moved(_laplace_draw, loc, _checked_scale(array_of(_plain(scale))), size)
    def gumbel(self, loc=0.0, scale=1.0, size=None):
        return self._moved(_gumbel_draw, loc, _checked_scale(array_of(_plain(scale))), size)
    def logistic(self, loc=0.0, scale=1.0, size=None):
        return self._moved(_logistic_draw, loc, _checked_scale(array_of(_plain(scale))), size)
    def weibull(self, a, size=None):
        a = array_of(_plain(a))
        return _as_objects(power(self._draws(_exponential_drawer(), _drawn_sizes(size, (a,))), 1.0 / a))
    def pareto(self, a, size=None):
        a = array_of(_plain(a))
        return _as_objects(expm1(self._draws(_exponential_drawer(), _drawn_sizes(size, (a,))) / a))

    def standard_gamma(self, shape, size=None, dtype="float64"):
        shape = array_of(_plain(shape)) * 1.0
        xs = self._draws(_gamma_drawer(), size, shape)
        return _as_objects(_in_doubles(dtype, _gamma_sample(broadcast(shape, shape_of(xs)), xs)))
    def gamma(self, shape, scale=1.0, size=None):
        shape = array_of(_plain(shape)) * 1.0
        scale = _checked_scale(array_of(_plain(scale)))
        return _as_objects(scale * _plain(self.standard_gamma(shape, _drawn_sizes(size, (shape, scale)))))
    def chisquare(self, df, size=None):
        return _as_objects(2.0 * _plain(self.standard_gamma(array_of(_plain(df)) / 2.0, size)))
    def beta(self, a, b, size=None):
        a, b = array_of(_plain(a)) * 1.0, array_of(_plain(b)) * 1.0
        xs = self._draws(_beta_drawer(), size, a, b)
        return _as_objects(_beta_sample(broadcast(a, shape_of(xs)), broadcast(b, shape_of(xs)), xs))
    def standard_t(self, df, size=None):
        return refuse("`standard_t` is not supported: it is `sqrt(df) * normal / sqrt(chisquare(df))`")
    def poisson(self, lam=1.0, size=None):
        lam = array_of(_plain(lam)) * 1.0
        if _some(lam < 0.0):
            raise ValueError("lam < 0 or lam is NaN")
        return self._counts(_poisson_draw, size, lam)
    def binomial(self, n, p, size=None):
        n, p = array_of(_plain(n)), array_of(_plain(p)) * 1.0
        if _some(n < 0) or _some(p < 0.0) or _some(p > 1.0):
            raise ValueError("n < 0, p < 0 or p > 1")
        return self._counts(_binomial_draw, size, n, p)
    def geometric(self, p, size=None):
        return refuse("`geometric` is not supported")
    def multivariate_normal(self, mean, cov, size=None, *, method="svd"):
        mean, cov = array_of(_plain(mean)) * 1.0, array_of(_plain(cov)) * 1.0
        if ndim(mean) != 1 or shape_of(cov) != shape_of(mean) * 2:
            return refuse("`multivariate_normal` takes a vector and a matrix")
        sizes = () if size is None else _shape(size)
        xs = self._draws(_normal_drawer(), sizes + shape_of(mean))
        return _as_objects(mean + xs @ transpose(_normal_factor(cov, method)))
    def dirichlet(self, alpha, size=None):
        return refuse("`dirichlet` is not supported")

    def integers(self, low, high=None, size=None, dtype="int64", endpoint=False):
        if dtype != "int64":
            return refuse("random ints of other types than `int64` are not supported")
        low, high = (0, low) if high is None else (low, high)
        low, high = _bounds_of_ints(low, high)
        last = high if endpoint else high - 1
        if _some(last < low):
            raise ValueError("low >= high")
        return self._counts(_int_draw, size, low, last)
    def _places(self, n):
        box = self.bit_generator._box
        places, stream = _shuffled_places(_masked, opened(_content(box), box, 0), iota((n, 0)), 1)
        _set_box(box, stream)
        return places
    def permutation(self, x, axis=0):
        x = array_of(_plain(x))
        if ndim(x) == 0:
            return _as_objects(self._places(constant(x, "the number of elements")))
        axis = _axis(axis, ndim(x))
        return _as_objects(take(x, self._places(shape_of(x)[axis]), axis))
    def _shuffled(self, x, axis=0):
        if not is_tuple(_plain(x)):
            return self.permutation(x, axis)
        places = self._places(len(x))
        return [x[places[i]] for i in range(len(x))]
    def permuted(self, x, axis=None, out=None):
        x = array_of(_plain(x))
        if axis is not None and ndim(x) > 1:
            return refuse("`permuted` along an axis is not supported; `permutation` moves whole rows")
        return _as_objects(with_shape(ravel(x)[self._places(size(x))], shape_of(x)))
    def choice(self, a, size=None, replace=True, p=None, axis=0, shuffle=True):
        a = array_of(_plain(a))
        axis = 0 if ndim(a) == 0 else _axis(axis, ndim(a))
        n = constant(a, "the number of elements") if ndim(a) == 0 else shape_of(a)[axis]
        places = self._chosen(n, size, constant(replace, "`replace`"), p, constant(shuffle, "`shuffle`"))
        return _as_objects(places if ndim(a) == 0 else take(a, places, axis))
    def _chosen(self, n, size, replace, p, shuffle):
        p = _checked_chances(n, p)
        if replace:
            return self._draws_of_counts(n, size) if p is None else _places_by_chance(p, self._draws(_unit_draw, size))
        sizes = _sizes_of_distinct(n, size)
        many = _product(sizes)
        box = self.bit_generator._box
        stream = opened(_content(box), box, 0)
        if p is not None:
            places, stream = _distinct_by_chance(stream, p, many)
        elif n > 10000 and many > n // (50 if shuffle else 20):
            places, stream = _shuffled_places(_bounded, stream, iota((n, 0)), _larger(n - many, 1))
            places = _cut(places, 0, n - many, 1, many)
        else:
            places, stream = _distinct_places(stream, n, many)
            places, stream = _shuffled_places(_bounded, stream, places, 1) if shuffle else (places, stream)
        _set_box(box, stream)
        return places[0] if len(sizes) == 0 else with_shape(places, sizes)
    def _draws_of_counts(self, n, size):
        return _drawn(self.bit_generator._box, _int_draw, size, "int64", 0, n - 1)

# The generator of `RandomState`, whose numbers are others.
def random_RandomState(seed=None):
    if seed is None:
        return _without_seed()
    if not isinstance(seed, int):
        return refuse("the seed of `RandomState` is an int")
    words, place, has_normal, normal = _twister(seed)
    return random_state(_boxed((words, varying(place), varying(has_normal), varying(normal))))
@dataclass(frozen=True)
class random_state:
    _box: object

    def _moved(self, draw, loc, scale, size):
        loc, scale = array_of(_plain(loc)), array_of(_plain(scale))
        return _as_objects(loc + scale * _drawn(self._box, draw, _drawn_sizes(size, (loc, scale)), "float64"))
    def random_sample(self, size=None):
        return _as_objects(_drawn(self._box, _unit_draw, size, "float64"))
    def random(self, size=None):
        return self.random_sample(size)
    def rand(self, *sizes):
        return self.random_sample(None if len(sizes) == 0 else sizes)
    def uniform(self, low=0.0, high=1.0, size=None):
        low = array_of(_plain(low))
        return self._moved(_unit_draw, low, array_of(_plain(high)) - low, size)
    def standard_normal(self, size=None):
        return _as_objects(_drawn(self._box, _polar_normal_draw, size, "float64"))
    def randn(self, *sizes):
        return self.standard_normal(None if len(sizes) == 0 else sizes)
    def normal(self, loc=0.0, scale=1.0, size=None):
        return self._moved(_polar_normal_draw, loc, _checked_scale(array_of(_plain(scale))), size)
    def lognormal(self, mean=0.0, sigma=1.0, size=None):
        return _as_objects(exp(_plain(self.normal(mean, sigma, size))))
    def standard_exponential(self, size=None):
        return _as_objects(_drawn(self._box, _inverse_exponential_draw, size, "float64"))
    def exponential(self, scale=1.0, size=None):
        return self._moved(_inverse_exponential_draw, 0.0, _checked_scale(array_of(_plain(scale))), size)
    def laplace(self, loc=0.0, scale=1.0, size=None):
        return self._moved(_laplace_draw, loc, _checked_scale(array_of(_plain(scale))), size)
    def gumbel(self, loc=0.0, scale=1.0, size=None):
        return self._moved(_gumbel_draw, loc, _checked_scale(array_of(_plain(scale))), size)
    def logistic(self, loc=0.0, scale=1.0, size=None):
        return self._moved(_logistic_draw, loc, _checked_scale(array_of(_plain(scale))), size)
    def poisson(self, lam=1.0, size=None):
        lam = array_of(_plain(lam)) * 1.0
        if _some(lam < 0.0):
            raise ValueError("lam < 0")
        return _as_objects(_drawn(self._box, _poisson_draw, size, "int64", lam))
    def randint(self, low, high=None, size=None, dtype="int64"):
        if dtype != "int64":
            return refuse("random ints of other types than `int64` are not supported")
        low, high = (0, low) if high is None else (low, high)
        low, high = _bounds_of_ints(low, high)
        if _some(high <= low):
            raise ValueError("low >= high")
        return _as_objects(_drawn(self._box, _masked_int_draw, size, "int64", low, high - 1))
    def _places(self, n):
        places, stream = _shuffled_places(_masked, opened(_content(self._box), self._box, 0), iota((n, 0)), 1)
        _set_box(self._box, stream)
        return places
    def permutation(self, x):
        x = array_of(_plain(x))
        if ndim(x) == 0:
            return _as_objects(self._places(constant(x, "the number of elements")))
        return _as_objects(take(x, self._places(len(x)), 0))
    def _shuffled(self, x):
        if not is_tuple(_plain(x)):
            return self.permutation(x)
        places = self._places(len(x))
        return [x[places[i]] for i in range(len(x))]
    def choice(self, a, size=None, replace=True, p=None):
        a = array_of(_plain(a))
        n = constant(a, "the number of elements") if ndim(a) == 0 else len(a)
        places = self._chosen(n, size, constant(replace, "`replace`"), p)
        return _as_objects(places if ndim(a) == 0 else take(a, places, 0))
    def _chosen(self, n, size, replace, p):
        p = _checked_chances(n, p)
        if replace:
            return self.randint(0, n, size) if p is None else _places_by_chance(p, _drawn(self._box, _unit_draw, size, "float64"))
        sizes = _sizes_of_distinct(n, size)
        if p is None:
            places = _cut(self._places(n), 0, 0, 1, _product(sizes))
        else:
            places, stream = _distinct_by_chance(opened(_content(self._box), self._box, 0), p, _product(sizes))
            _set_box(self._box, stream)
        return places[0] if len(sizes) == 0 else with_shape(places, sizes)
def _masked_int_draw(stream, low, last):
    x, stream = _masked(stream, wrapped_difference(last, low))
    return (wrapped_sum(low, x), stream)
def _checked_chances(n, p):
    if p is None:
        return p
    p = array_of(_plain(p)) * 1.0
    if shape_of(p) != (n,):
        return refuse(("there is one probability for each of the ", n, " elements, not an array of shape ", shape_of(p)))
    if any(p < 0.0):
        raise ValueError("probabilities are not non-negative")
    if abs(sum(p) - 1.0) > 1.4901161193847656e-08:
        raise ValueError("probabilities do not sum to 1")
    return p
def _sizes_of_distinct(n, size):
    sizes = () if size is None else _shape(size)
    if _product(sizes) > n:
        return refuse(("a sample of ", _product(sizes), " elements without replacement is larger than the ", n, " there are"))
    return sizes

def _in_doubles(dtype, xs):
    return xs if dtype == "float64" else refuse("random numbers of 32 bits are not supported: write `.astype(np.float32)`")
def _bounds_of_ints(low, high):
    low, high = array_of(_plain(low)), array_of(_plain(high))
    return refuse("random ints are drawn between ints") if _is_float(low) or _is_float(high) else (low, high)
def _int_draw(stream, low, last):
    x, stream = _bounded(stream, wrapped_difference(last, low))
    return (wrapped_sum(low, x), stream)
def _normal_drawer():
    layers = _layers_of_normals()
    return lambda stream: _normal_draw(stream, layers)
def _exponential_drawer():
    layers = _layers_of_exponentials()
    return lambda stream: _exponential_draw(stream, layers)
def _rayleigh_drawer():
    layers = _layers_of_exponentials()
    def draw(stream):
        x, stream = _exponential_draw(stream, layers)
        return (sqrt(2.0 * x), stream)
    return draw
def _laplace_draw(stream):
    u, stream = _positive_unit(stream)
    return (-log(2.0 - u - u) if u >= 0.5 else log(u + u), stream)
def _gumbel_draw(stream):
    u, stream = _unit_draw(stream)
    while u == 0.0:
        u, stream = _unit_draw(stream)
    return (-log(-log(1.0 - u)), stream)
def _logistic_draw(stream):
    u, stream = _positive_unit(stream)
    return (log(u / (1.0 - u)), stream)
def _positive_unit(stream):
    u, stream = _unit_draw(stream)
    while u == 0.0:
        u, stream = _unit_draw(stream)
    return (u, stream)

# Gamma numbers (Marsaglia, Tsang 2000a), and beta numbers of them (Johnk 1964 for small shapes).
def _all_layers():
    return concat((_layers_of_normals(), _layers_of_exponentials()), 0)
def _gamma_drawer():
    layers = _all_layers()
    return lambda stream, shape: _gamma_draw(stream, shape, layers)
def _gamma_draw(stream, shape, layers):
    if shape == 1.0:
        return _exponential_draw(stream, layers, 768)
    if shape <= 0.0:
        return (select(shape == 0.0, 0.0, nan), stream)
    if shape < 1.0:
        return _gamma_of_small(stream, shape, layers)
    b = shape - 1.0 / 3.0
    c = 1.0 / sqrt(9.0 * b)
    while True:
        x, stream = _normal_draw(stream, layers)
        v = 1.0 + c * x
        while v <= 0.0:
            x, stream = _normal_draw(stream, layers)
            v = 1.0 + c * x
        v = v * v * v
        u, stream = _unit_draw(stream)
        if u < 1.0 - 0.0331 * (x * x) * (x * x):
            return (b * v, stream)
        if log(u) < 0.5 * x * x + b * (1.0 - v + log(v)):
            return (b * v, stream)
def _gamma_of_small(stream, shape, layers):
    while True:
        u, stream = _unit_draw(stream)
        v, stream = _exponential_draw(stream, layers, 768)
        if u <= 1.0 - shape:
            x = power(u, 1.0 / shape)
            if x <= v:
                return (x, stream)
        else:
            y = -log((1.0 - u) / shape)
            x = power(1.0 - shape + shape * y, 1.0 / shape)
            if x <= v + y:
                return (x, stream)
def _beta_drawer():
    layers = _all_layers()
    return lambda stream, a, b: _beta_draw(stream, a, b, layers)
def _beta_draw(stream, a, b, layers):
    if a > 1.0 or b > 1.0:
        x, stream = _gamma_draw(stream, a, layers)
        y, stream = _gamma_draw(stream, b, layers)
        return (x / (x + y), stream)
    while True:
        u, stream = _unit_draw(stream)
        v, stream = _unit_draw(stream)
        x, y = power(u, 1.0 / a), power(v, 1.0 / b)
        if x + y <= 1.0 and u + v > 0.0:
            if x > 0.0 and y > 0.0:
                return (x / (x + y), stream)
            # Both are too small for a float, but not their ratio.
            x, y = log(u) / a, log(v) / b
            top = x if x > y else y
            return (exp(x - top - log(exp(x - top) + exp(y - top))), stream)
# The draw as a function of the shape: the number below which it has the probability that it has. So its derivative is that of the
# quantile (Figurnov et al. 2018).
def _gamma_sample(shape, xs):
    return _ruled(_last_of_two, _gamma_sample_rule, shape, xs)
def _last_of_two(shape, xs):
    return xs
def _gamma_sample_rule(z, shape, xs):
    x = _gamma_sample(shape, xs)
    back = gradus_vjp(lambda a: special_gammainc(a, x), shape)[1]
    return lambda g: back(-g / _gamma_density(shape, x)) + (None,)
def _beta_sample(a, b, xs):
    return _ruled(_last_of_three, _beta_sample_rule, a, b, xs)
def _last_of_three(a, b, xs):
    return xs
def _beta_sample_rule(z, a, b, xs):
    x = _beta_sample(a, b, xs)
    back = gradus_vjp(lambda a, b: special_betainc(a, b, x), a, b)[1]
    return lambda g: back(-g / _beta_density(a, b, x)) + (None,)

# Counts: by multiplication for small means, else by transformed rejection (Hormann 1993).
def _poisson_draw(stream, lam):
    if lam == 0.0:
        return (0, stream)
    if lam >= 10.0:
        return _poisson_of_large(stream, lam)
    least, product, count = exp(-lam), 1.0, 0
    while True:
        u, stream = _unit_draw(stream)
        product = product * u
        if product <= least:
            return (count, stream)
        count = count + 1
def _poisson_of_large(stream, lam):
    root, log_lam = sqrt(lam), log(lam)
    b = 0.931 + 2.53 * root
    a = -0.059 + 0.02483 * b
    inverse = 1.1239 + 1.1328 / (b - 3.4)
    near = 0.9277 - 3.6224 / (b - 2.0)
    while True:
        u, stream = _unit_draw(stream)
        v, stream = _unit_draw(stream)
        u = u - 0.5
        side = 0.5 - abs(u)
        k = floor((2.0 * a / side + b) * u + lam + 0.43)
        if side >= 0.07 and v <= near:
            return (int(k), stream)
        if k >= 0.0 and (side >= 0.013 or v <= side):
            if log(v) + log(inverse) - log(a / (side * side) + b) <= -lam + k * log_lam - gammaln(k + 1.0):
                return (int(k), stream)
def _binomial_draw(stream, n, p):
    if n == 0 or p == 0.0:
        return (0, stream)
    if p <= 0.5:
        return _binomial_of_half(stream, n, p)
    count, stream = _binomial_of_half(stream, n, 1.0 - p)
    return (n - count, stream)
def _binomial_of_half(stream, n, p):
    return _binomial_by_inversion(stream, n, p) if p * n <= 30.0 else _binomial_by_rejection(stream, n, p)
def _binomial_by_inversion(stream, n, p):
    q = 1.0 - p
    none, mean = exp(n * log1p(-p)), n * p
    bound = mean + 10.0 * sqrt(mean * q + 1.0)
    bound = n if n < bound else int(bound)
    count, chance = 0, none
    u, stream = _unit_draw(stream)
    while u > chance:
        count = count + 1
        if count > bound:
            count, chance = 0, none
            u, stream = _unit_draw(stream)
        else:
            u = u - chance
            chance = (n - count + 1) * p * chance / (count * q)
    return (count, stream)
# Kachitvichyanukul, Schmeiser 1988: points under a triangle, two parallelograms and two exponential tails.
def _binomial_by_rejection(stream, n, p):
    q = 1.0 - p
    spread, top = n * p * q, n * p + p
    m = int(floor(top))
    p1 = floor(2.195 * sqrt(spread) - 4.6 * q) + 0.5
    middle = m + 0.5
    left, right = middle - p1, middle + p1
    c = 0.134 + 20.5 / (15.3 + m)
    a = (top - left) / (top - left * p)
    left_rate = a * (1.0 + a / 2.0)
    a = (right - top) / (right * q)
    right_rate = a * (1.0 + a / 2.0)
    p2 = p1 * (1.0 + 2.0 * c)
    p3 = p2 + c / left_rate
    p4 = p3 + c / right_rate
    while True:
        u, stream = _unit_draw(stream)
        v, stream = _unit_draw(stream)
        u = u * p4
        if u <= p1:
            return (int(floor(middle - p1 * v + u)), stream)
        y, is_point = 0, v > 0.0
        if u <= p2:
            x = left + (u - p1) / c
            v = v * c + 1.0 - abs(m - x + 0.5) / p1
            y, is_point = int(floor(x)), v <= 1.0
        elif v > 0.0 and u <= p3:
            y = int(floor(left + log(v) / left_rate))
            v, is_point = v * (u - p2) * left_rate, y >= 0
        elif v > 0.0:
            y = int(floor(right - log(v) / right_rate))
            v, is_point = v * (u - p3) * right_rate, y <= n
        if is_point and _is_under_binomial(v, y, m, n, p, spread, middle):
            return (y, stream)
def _is_under_binomial(v, y, m, n, p, spread, middle):
    q, k = 1.0 - p, abs(y - m)
    if k <= 20 or k >= spread / 2.0 - 1.0:
        s = p / q
        a, ratio = s * (n + 1), 1.0
        for i in range(m + 1, y + 1):
            ratio = ratio * (a / i - s)
        for i in range(y + 1, m + 1):
            ratio = ratio / (a / i - s)
        return v <= ratio
    rho = (k / spread) * ((k * (k / 3.0 + 0.625) + 0.16666666666666666) / spread + 0.5)
    t, a = -k * k / (2.0 * spread), log(v)
    if a < t - rho:
        return True
    if a > t + rho:
        return False
    x, f, z, w = y + 1.0, m + 1.0, n + 1.0 - m, n - y + 1.0
    bound = middle * log(f / x) + (n - m + 0.5) * log(z / w) + (y - m) * log(w * p / (x * q))
    return a <= bound + _stirling_rest(f) + _stirling_rest(z) + _stirling_rest(x) + _stirling_rest(w)
def _stirling_rest(x):
    s = x * x
    return (13680.0 - (462.0 - (132.0 - (99.0 - 140.0 / s) / s) / s) / s) / x / 166320.0

# Places: of elements in a random order from the one after `first` on (Fisher, Yates), and of some of `n` that differ (Floyd).
def _shuffled_places(draw, stream, places, first):
    for i in range(len(places) - 1, first - 1, -1):
        k, stream = draw(stream, i)
        last = places[i]
        places[i] = places[k]
        places[k] = last
    return (places, stream)
def _distinct_places(stream, n, many):
    places, is_taken = zeros(many, "int64"), zeros(n, "bool")
    for k in range(n - many, n):
        place, stream = _bounded(stream, k)
        place = k if is_taken[place] else place
        is_taken[place] = True
        places[k - n + many] = place
    return (places, stream)
def _places_by_chance(p, xs):
    sums = cumsum(p)
    return searchsorted(sums / sums[len(p) - 1], xs, "right")
def _distinct_by_chance(stream, p, many):
    places, found = zeros(many, "int64"), 0
    p = stopped(p)
    while found < many:
        # A place that is drawn twice counts once, where it came first.
        sums = cumsum(p)
        sums = sums / sums[len(p) - 1]
        is_new = ones(len(p), "bool")
        for _ in range(many - found):
            u, stream = _unit_draw(stream)
            place = _place_in(sums, u)
            if is_new[place]:
                is_new[place] = False
                places[found] = place
                found = found + 1
        for k in range(found):
            p[places[k]] = 0.0
    return (places, stream)
# The number of sums that are no greater.
def _place_in(sums, u):
    low, high = 0, len(sums)
    while low < high:
        middle = (low + high) // 2
        if sums[middle] <= u:
            low = middle + 1
        else:
            high = middle
    return low
