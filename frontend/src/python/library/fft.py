# numpy.fft. Transforms are along the first axis of a matrix, of which each column is one.

def fft_fft(a, n=None, axis=-1, norm=None):
    return _transform_along(_dft, _as_complex(array_of(a)), n, axis, _forward_scale(norm))
def fft_ifft(a, n=None, axis=-1, norm=None):
    return _transform_along(_inverse_dft, _as_complex(array_of(a)), n, axis, _backward_scale(norm))
def fft_rfft(a, n=None, axis=-1, norm=None):
    a = array_of(a)
    if isinstance(a, complex):
        return refuse("`rfft` is of real numbers, these are complex")
    y = fft_fft(a, n, axis, norm)
    axis = _axis(axis, ndim(y))
    return _cut(y, axis, 0, 1, shape_of(y)[axis] // 2 + 1)
# What is left out are the conjugates of what is there.
def fft_irfft(a, n=None, axis=-1, norm=None):
    a = _as_complex(array_of(a))
    axis = _axis(axis, ndim(a))
    n = constant(2 * (shape_of(a)[axis] - 1) if n is None else n, "the number of points")
    if n < 1:
        return refuse(("a transform of ", n, " points"))
    half = _fitted(a, n // 2 + 1, axis)
    rest = conj(flip(_cut(half, axis, 1, 1, (n - 1) // 2), axis))
    return fft_ifft(concat((half, rest), axis), n, axis, norm).real
def fft_hfft(a, n=None, axis=-1, norm=None):
    return fft_irfft(conj(a), n, axis, _other_norm(norm))
def fft_ihfft(a, n=None, axis=-1, norm=None):
    return conj(fft_rfft(a, n, axis, _other_norm(norm)))
def fft_fftn(a, s=None, axes=None, norm=None):
    return _along_all(fft_fft, array_of(a), s, axes, norm)
def fft_ifftn(a, s=None, axes=None, norm=None):
    return _along_all(fft_ifft, array_of(a), s, axes, norm)
def fft_rfftn(a, s=None, axes=None, norm=None):
    a = array_of(a)
    places, counts = _transformed(a, s, axes)
    return _along_all(fft_fft, fft_rfft(a, counts[-1], places[-1], norm), counts[:-1], places[:-1], norm)
def fft_irfftn(a, s=None, axes=None, norm=None):
    a = array_of(a)
    places, counts = _transformed(a, s, axes)
    last = None if s is None else counts[-1]
    return fft_irfft(_along_all(fft_ifft, a, counts[:-1], places[:-1], norm), last, places[-1], norm)
def fft_fft2(a, s=None, axes=(-2, -1), norm=None):
    return fft_fftn(a, s, axes, norm)
def fft_ifft2(a, s=None, axes=(-2, -1), norm=None):
    return fft_ifftn(a, s, axes, norm)
def fft_rfft2(a, s=None, axes=(-2, -1), norm=None):
    return fft_rfftn(a, s, axes, norm)
def fft_irfft2(a, s=None, axes=(-2, -1), norm=None):
    return fft_irfftn(a, s, axes, norm)
def _along_all(transform, a, s, axes, norm):
    places, counts = _transformed(a, s, axes)
    for axis, n in zip(places, counts):
        a = transform(a, n, axis, norm)
    return a
# The axes, and how many points there are along each.
def _transformed(a, s, axes):
    rank = ndim(a)
    if axes is None:
        axes = _numbers(rank) if s is None else _numbers(rank)[rank - len(s):]
    places = ()
    for axis in _integers(axes, "the axes"):
        places = places + (_axis(axis, rank),)
    counts = _picked(shape_of(a), places) if s is None else tuple(_integers(s, "the numbers of points"))
    if len(places) != len(counts):
        return refuse(("numbers of points for ", len(counts), " axes, where there are ", len(places)))
    return places, counts
def fft_fftshift(x, axes=None):
    return _shifted(array_of(x), axes, 1)
def fft_ifftshift(x, axes=None):
    return _shifted(array_of(x), axes, -1)
def _shifted(x, axes, sign):
    for axis in _numbers(ndim(x)) if axes is None else _integers(axes, "the axes"):
        n = shape_of(x)[axis]
        x = roll(x, n // 2 if sign > 0 else -(n // 2), axis)
    return x
def fft_fftfreq(n, d=1.0):
    n = constant(n, "the number of frequencies")
    places = iota((n, 0))
    return select(places <= (n - 1) // 2, places, places - n) * (1.0 / (n * d))
def fft_rfftfreq(n, d=1.0):
    n = constant(n, "the number of frequencies")
    return iota((n // 2 + 1, 0)) * (1.0 / (n * d))

# The power of the number of points by which a transform is divided.
def _forward_scale(norm):
    if norm is None or norm == "backward":
        return 0.0
    return 0.5 if norm == "ortho" else 1.0 if norm == "forward" else refuse(("a transform has no norm ", norm))
def _backward_scale(norm):
    return 1.0 - _forward_scale(norm)
def _other_norm(norm):
    return "forward" if norm is None or norm == "backward" else "backward" if norm == "forward" else norm
def _transform_along(transform, a, n, axis, scale):
    axis = _axis(axis, ndim(a))
    n = constant(shape_of(a)[axis] if n is None else n, "the number of points")
    if n < 1:
        return refuse(("a transform of ", n, " points"))
    a = moveaxis(_fitted(a, n, axis), axis, 0)
    sizes = shape_of(a)
    y = transform(with_shape(a, (n, size(a) // n)))
    y = y if scale == 0.0 else y * (1.0 / (n if scale == 1.0 else n ** 0.5))
    return moveaxis(with_shape(y, sizes), 0, axis)
# Cut off, or continued by zeros.
def _fitted(a, n, axis):
    sizes = shape_of(a)
    if n <= sizes[axis]:
        return a if n == sizes[axis] else _cut(a, axis, 0, 1, n)
    return concat((a, zeros(_with(sizes, axis, n - sizes[axis]), dtype_of(a))), axis)
# With the parts exchanged a transform is its inverse, but for the scale.
def _inverse_dft(z):
    return _exchanged(_dft(_exchanged(z)))
def _exchanged(z):
    return complex(z.imag, z.real)
# Stockham's algorithm (Van Loan, Computational Frameworks for the Fast Fourier Transform, 1.7): what is left of each of `p` transforms
# of `n / p` points lies beside the columns, where it is one more of them.
def _dft(z):
    columns = shape_of(z)[1]
    count = len(z)
    roots = _roots_of_unity(count)
    n = count
    while n > 1:
        p = _radix(n)
        q = n // p
        z = with_shape(z, (p, size(z) // p))
        z = _dft_by_matrix(z) if p <= 64 else _dft_by_chirps(z)
        if q > 1:
            z = with_shape(z, (p, q, size(z) // n))
            turns = gather(roots, iota((p, q, 1, 0)) * iota((p, q, 1, 1)) * (count // n))
            z = permute(z * turns, (1, 0, 2))
        n = q
    return with_shape(z, (count, columns))
# 8, 4, or the least prime factor.
def _radix(n):
    for p in (8, 4, 2):
        if n % p == 0:
            return p
    p = 3
    while n % p != 0 and p * p <= n:
        p = p + 2
    return p if n % p == 0 else n
def _dft_by_matrix(z):
    p = len(z)
    if p == 1:
        return z
    if p == 2:
        return concat((z[:1] + z[1:], z[:1] - z[1:]), 0)
    roots = gather(_roots_of_unity(p), iota((p, p, 0)) * iota((p, p, 1)) % p)
    c, s = roots.real, roots.imag
    matrix = concat((concat((c, -s), 1), concat((s, c), 1)), 0)
    y = matrix_product(matrix, concat((z.real, z.imag), 0))
    return complex(y[:p], y[p:])
# Of a large prime number of points, by a convolution (Bluestein 1970).
def _dft_by_chirps(z):
    p = len(z)
    n = 1
    while n < 2 * p - 1:
        n = 2 * n
    places = iota((p, 1, 0))
    chirps = gather(_roots_of_unity(2 * p), places * places % (2 * p))
    back = conj(chirps)
    filter = concat((back, zeros((n - 2 * p + 1, 1), "complex128"), flip(back[1:], 0)), 0)
    product = _dft(_fitted(z * chirps, n, 0)) * _dft(filter)
    return _inverse_dft(product)[:p] * chirps * (1.0 / n)
# The powers of the first root of unity below the axis; at eighths of a turn without an error.
def _roots_of_unity(n):
    eighths = iota((n, 0)) * 8
    near = (eighths + n // 2) // n if n % 2 == 0 else (2 * eighths + n) // (2 * n)
    angle = (eighths - near * n) * (pi / 4.0 / n)
    c, s = cos(angle), sin(angle)
    h = sqrt(0.5)
    real = gather(array_of((1.0, h, 0.0, -h, -1.0, -h, 0.0, h, 1.0)), near)
    imag = gather(array_of((0.0, h, 1.0, h, 0.0, -h, -1.0, -h, 0.0)), near)
    return complex(real * c - imag * s, -(real * s + imag * c))
