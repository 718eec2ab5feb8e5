# Singular values and vectors as LAPACK has them for small matrices, signs included: by reflections to two diagonals (`dgebrd`), after
# a triangle if there are many rows, and by implicit QR steps from there, without a shift where that would lose digits (`dbdsqr`).

def _svd_value(a):
    scale = _scale_of(a)
    u, s, vt = _svd_of_scaled(a / scale)
    return u, scale * s, vt
def _svd_of_scaled(a):
    m, n = shape_of(a)
    if m >= 11 * n // 6 and m > n:
        q, r = _reflected(a)
        u, s, vt = _svd_of_scaled(r[:n])
        return q[:, :n] @ u, s, vt
    if n >= 11 * m // 6 and n > m:
        q, r = _reflected(transpose(a))
        u, s, vt = _svd_of_scaled(transpose(r[:m]))
        return u, s, vt @ transpose(q[:, :m])
    k = _smaller(m, n)
    left, d, e, right = _bidiagonal(a if m >= n else transpose(a))
    u, v = eye(k), eye(k)
    if m < n:
        # The lower of the two diagonals becomes the upper one.
        left, right = right, left
        for i in range(k - 1):
            c, s, r = _rotation_of(d[i], e[i])
            d[i] = r
            e[i] = s * d[i + 1]
            d[i + 1] = c * d[i + 1]
            u = _with_turned_rows(u, i, c, s)
    d, u, v = _singular_of_two_diagonals(d, e, u, v)
    # A negative value turns its right vector, one that is alone the left one.
    signs = select(with_shape(d, (k, 1)) < 0.0, -1.0, 1.0)
    u, v = (signs * u, v) if k == 1 else (u, signs * v)
    order = argsort(-abs(d))
    return left[:, :k] @ transpose(u[order]), abs(d)[order], v[order] @ transpose(right[:, :k])
def _bidiagonal(a):
    m, n = shape_of(a)
    left, right = eye(m), eye(n)
    for i in range(n):
        w, scale = _reflector(a[:, i], i)
        a = a - outer(scale * w, w @ a)
        left = left - outer(left @ w, scale * w)
        w, scale = _reflector(a[i], i + 1)
        a = a - outer(a @ w, scale * w)
        right = right - outer(right @ w, scale * w)
    return left, diagonal(a), concat((diagonal(a, 1)[:n - 1], zeros(1)), 0), right
# The reflection I - scale w wᵀ that leaves nothing of a vector behind the element i, nor changes what is before.
def _reflector(x, i):
    places = iota((len(x), 0))
    x = select(places >= i, x, 0.0)
    rest = select(places > i, x, 0.0)
    if sum(rest * rest) == 0.0:
        return 0.0 * x, 0.0
    w = select(places == i, x + copysign(sqrt(sum(x * x)), x[i]), x)
    return w, 2.0 / sum(w * w)
# Whether a part changes no digit that such values have.
def _is_small(part, whole):
    return not whole + part / 16.0 > whole if _have_more_digits() else part <= 1.0956e-14 * whole
# Signs of singular values are left as they come. Between the elements i and i + 1 of d is e[i]; vectors are rows.
def _singular_of_two_diagonals(d, e, u, v):
    n = len(d)
    least = abs(d[0])
    before = least
    for i in range(1, n):
        before = abs(d[i]) * (before / (before + abs(e[i - 1]))) if before > 0.0 else 0.0
        least = minimum(least, before)
    least = least / sqrt(1.0 * n)
    last = n - 1
    old_first, old_last, by = -2, -2, 1
    rounds = 0
    while last > 0 and rounds < 60 * n * n:
        rounds += 1
        if _is_small(abs(d[last]), least):
            d[last] = 0.0
        first = last - 1
        greatest = abs(d[last])
        while first >= 0 and not _is_small(abs(e[first]), least):
            if _is_small(abs(d[first]), least):
                d[first] = 0.0
            greatest = maximum(greatest, maximum(abs(d[first]), abs(e[first])))
            first = first - 1
        first = first + 1
        if first == last:
            last = last - 1
        elif first == last - 1:
            d, u, v = _singular_of_two(d, e, u, v, first)
            e[first] = 0.0
            last = last - 2
        else:
            if first > old_last or last < old_first:
                by = 1 if abs(d[first]) >= abs(d[last]) else -1
            start, end = (first, last) if by > 0 else (last, first)
            edge = _smaller(end, end - by)
            done = _is_small(abs(e[edge]), abs(d[end]))
            smallest = abs(d[start])
            before = smallest
            j = start
            while j != end and not done:
                edge = _smaller(j, j + by)
                done = _is_small(abs(e[edge]), before)
                before = abs(d[j + by]) * (before / (before + abs(e[edge])))
                smallest = minimum(smallest, before)
                j = j + by
            if done:
                e[edge] = 0.0
            else:
                old_first, old_last = first, last
                shift = 0.0
                if 1.0956e-14 * n * smallest > 1.1102230246251565e-16 * greatest:
                    shift = _least_of_two(d[end - by], e[_smaller(end, end - by)], d[end])
                    shift = 0.0 if (shift / d[start]) ** 2 < 1.1102230246251565e-16 else shift
                d, e, u, v = _step_of_two_diagonals(d, e, u, v, start, end, by, shift)
    return d, u, v
def _step_of_two_diagonals(d, e, u, v, start, end, by, shift):
    j = start
    f = d[j] if shift == 0.0 else (abs(d[j]) - shift) * (copysign(1.0, d[j]) + shift / d[j])
    g = e[_smaller(j, j + by)]
    c, old_c, old_s = 1.0, 1.0, 0.0
    while j != end:
        k = j + by
        i = _smaller(j, k)
        if shift == 0.0:
            c, s, r = _rotation_of(d[j] * c, e[i])
            if j != start:
                e[_smaller(j, j - by)] = old_s * r
            old_c, old_s, r = _rotation_of(old_c * r, d[k] * s)
            d[j] = r
        else:
            c, s, r = _rotation_of(f, g)
            if j != start:
                e[_smaller(j, j - by)] = r
            f = c * d[j] + s * e[i]
            e[i] = c * e[i] - s * d[j]
            g = s * d[k]
            d[k] = c * d[k]
            old_c, old_s, r = _rotation_of(f, g)
            d[j] = r
            f = old_c * e[i] + old_s * d[k]
            d[k] = old_c * d[k] - old_s * e[i]
            if k != end:
                i = _smaller(k, k + by)
                g = old_s * e[i]
                e[i] = old_c * e[i]
                i = _smaller(j, k)
        if by > 0:
            v = _with_turned_rows(v, i, c, s)
            u = _with_turned_rows(u, i, old_c, old_s)
        else:
            v = _with_turned_rows(v, i, old_c, -old_s)
            u = _with_turned_rows(u, i, c, -s)
        j = k
    i = _smaller(end, end - by)
    if shift == 0.0:
        h = d[end] * c
        d[end] = h * old_c
        e[i] = h * old_s
    else:
        e[i] = f
    return d, e, u, v
# Of (f g; 0 h) the smaller singular value.
def _least_of_two(f, g, h):
    less, more, size = minimum(abs(f), abs(h)), maximum(abs(f), abs(h)), abs(g)
    if less == 0.0:
        return 0.0
    a, b = 1.0 + less / more, (more - less) / more
    if size < more:
        c = (size / more) ** 2
        return less * (2.0 / (sqrt(a * a + c) + sqrt(b * b + c)))
    c = more / size
    return 2.0 * less * c / (sqrt(1.0 + (a * c) ** 2) + sqrt(1.0 + (b * c) ** 2))
# The block of two whose first element is i, made diagonal (`dlasv2`).
def _singular_of_two(d, e, u, v, i):
    f, g, h = d[i], e[i], d[i + 1]
    swapped = abs(h) > abs(f)
    p, q = (h, f) if swapped else (f, h)
    less, greater, cl, sl, cr, sr = _upper_of_two(p, g, q)
    if swapped:
        cl, sl, cr, sr = sr, cr, sl, cl
    size = abs(g)
    if size > abs(p):
        side = copysign(1.0, sr) * copysign(1.0, cl) * copysign(1.0, g)
    elif swapped:
        side = copysign(1.0, sr) * copysign(1.0, sl) * copysign(1.0, h)
    else:
        side = copysign(1.0, cr) * copysign(1.0, cl) * copysign(1.0, f)
    d[i] = copysign(greater, side)
    d[i + 1] = copysign(less, side * copysign(1.0, f) * copysign(1.0, h))
    return d, _with_turned_rows(u, i, cl, sl), _with_turned_rows(v, i, cr, sr)
def _upper_of_two(f, g, h):
    p, q, size = abs(f), abs(h), abs(g)
    if size == 0.0:
        return q, p, 1.0, 0.0, 1.0, 0.0
    # Of numbers with more digits that of the formula below counts.
    if p == 0.0 or p < 1.1102230246251565e-16 * size and not _have_more_digits():
        return p / size * q, size, 1.0, h / g, f / g, 1.0
    gap = p - q
    l, m = gap / p, g / f
    t = 2.0 - l
    s, r = hypot_of(t, m), hypot_of(l, m)
    a = 0.5 * (s + r)
    if m * m > 0.0:
        t = (m / (s + t) + m / (r + l)) * (1.0 + a)
    elif l == 0.0:
        t = copysign(2.0, f) * copysign(1.0, g)
    else:
        t = g / copysign(gap, f) + m / t
    l = sqrt(t * t + 4.0)
    cr, sr = 2.0 / l, t / l
    return q / a, p * a, (cr + sr * m) / a, h / f * sr / a, cr, sr
