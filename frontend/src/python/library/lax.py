# jax.lax, jax.ops and jax.nn: parts of arrays, reductions, sorts, scans of what is associative, windows and convolutions.

def jax_lax_argmax(operand, axis, index_dtype="int64"):
    return argmax(operand, axis)
def jax_lax_argmin(operand, axis, index_dtype="int64"):
    return argmin(operand, axis)
def jax_lax_round(x, rounding_method=0):
    x = _floats(x)
    return rint(x) if constant(rounding_method, "`rounding_method`") == 1 else copysign(floor(abs(x) + 0.5), x)
def jax_lax_complex(x, y):
    return complex(x, y)
def jax_lax_batch_matmul(lhs, rhs, precision=None):
    return matmul(lhs, rhs)
def jax_lax_broadcast(operand, sizes):
    return broadcast_to(operand, tuple(sizes) + shape(operand))
def jax_lax_broadcast_in_dim(operand, shape, broadcast_dimensions):
    operand = array_of(operand)
    sizes = (1,) * len(shape)
    for axis, n in zip(broadcast_dimensions, shape_of(operand)):
        sizes = _with(sizes, axis, n)
    return broadcast_to(with_shape(operand, sizes), shape)
def jax_lax_broadcasted_iota(dtype, shape, dimension):
    return as_type(iota(tuple(shape) + (dimension,)), dtype)
def jax_lax_collapse(operand, start_dimension, stop_dimension=None):
    operand = array_of(operand)
    sizes = shape_of(operand)
    stop = len(sizes) if stop_dimension is None else stop_dimension + len(sizes) if stop_dimension < 0 else stop_dimension
    return with_shape(operand, sizes[:start_dimension] + (_product(sizes[start_dimension:stop]),) + sizes[stop:])
def jax_lax_split(operand, sizes, axis=0):
    ends, end = (), 0
    for n in sizes:
        end = end + n
        ends = ends + (end,)
    return split(operand, ends[:-1], axis)
def jax_lax_slice(operand, start_indices, limit_indices, strides=None):
    operand = array_of(operand)
    for axis in _numbers(ndim(operand)):
        step = 1 if strides is None else strides[axis]
        operand = jax_lax_slice_in_dim(operand, start_indices[axis], limit_indices[axis], step, axis)
    return operand
def jax_lax_slice_in_dim(operand, start_index, limit_index, stride=1, axis=0):
    operand = array_of(operand)
    axis = _axis(axis, ndim(operand))
    n = shape_of(operand)[axis]
    first = 0 if start_index is None else start_index + n if start_index < 0 else start_index
    last = n if limit_index is None else limit_index + n if limit_index < 0 else limit_index
    if last > n or first > last:
        return refuse(("the part from ", first, " to ", last, " of an axis of length ", n))
    return _cut(operand, axis, first, stride, -((first - last) // stride))
def jax_lax_index_in_dim(operand, index, axis=0, keepdims=True):
    n = shape(operand)[axis]
    index = index + n if index < 0 else index
    found = jax_lax_slice_in_dim(operand, index, index + 1, 1, axis)
    return found if constant(keepdims, "`keepdims`") else squeeze(found, axis)
def jax_lax_dynamic_update_index_in_dim(operand, update, index, axis):
    update = array_of(update)
    update = update if ndim(update) == ndim(operand) else expand_dims(update, axis)
    return jax_lax_dynamic_update_slice_in_dim(operand, update, index, axis)
def jax_lax_dynamic_update_slice(operand, update, start_indices):
    return _updated_slice(array_of(operand), array_of(update), tuple(start_indices), 0)
def _updated_slice(operand, update, starts, axis):
    if axis == ndim(operand) - 1:
        return jax_lax_dynamic_update_slice_in_dim(operand, update, starts[axis], axis)
    part = jax_lax_dynamic_slice_in_dim(operand, starts[axis], shape_of(update)[axis], axis)
    return jax_lax_dynamic_update_slice_in_dim(operand, _updated_slice(part, update, starts, axis + 1), starts[axis], axis)
def jax_lax_select_n(which, *cases):
    if dtype_of(array_of(which)) == "bool":
        return where(which, cases[1], cases[0])
    return choose(which, cases)
# Low, high and interior widths, of which the first two may be negative.
def jax_lax_pad(operand, padding_value, padding_config):
    operand = array_of(operand)
    for axis, (low, high, inside) in enumerate(padding_config):
        operand = _padded(operand, padding_value, axis, low, high, inside)
    return operand
def _padded(a, value, axis, low, high, inside):
    sizes = shape_of(a)
    n = sizes[axis]
    if inside > 0 and n > 0:
        a = expand_dims(a, axis + 1)
        a = concat((a, full(_with(shape_of(a), axis + 1, inside), value, dtype_of(a))), axis + 1)
        n = (n - 1) * (inside + 1) + 1
        a = _cut(with_shape(a, _with(sizes, axis, sizes[axis] * (inside + 1))), axis, 0, 1, n)
    first, last = _larger(-low, 0), n - _larger(-high, 0)
    a = _cut(a, axis, first, 1, last - first)
    before = full(_with(sizes, axis, _larger(low, 0)), value, dtype_of(a))
    after_ = full(_with(sizes, axis, _larger(high, 0)), value, dtype_of(a))
    return concat((before, a, after_), axis)

# Products along axes, of batches.
def jax_lax_dot_general(lhs, rhs, dimension_numbers, precision=None, preferred_element_type=None):
    (inside_a, inside_b), (both_a, both_b) = dimension_numbers
    a, b = array_of(lhs), array_of(rhs)
    labels = tuple([_label_of(i, inside_a, both_a, 0, 0) for i in _numbers(ndim(a))])
    others = tuple([_label_of(i, inside_b, both_b, 0, ndim(a)) for i in _numbers(ndim(b))])
    result = tuple([200 + i for i in _numbers(len(both_a))])
    result = result + _without(labels, others) + _without(others, labels)
    product = _contracted(a, labels, b, others, result)
    return _permuted(product, _places_of(result, _result_labels(labels, others, result)))
def _label_of(axis, inside, both, first, other):
    if _among(axis, both):
        return 200 + _place_of(axis, both)
    return 100 + _place_of(axis, inside) if _among(axis, inside) else 300 + other + axis

# Reductions.
def jax_lax_reduce_sum(operand, axes):
    return sum(operand, tuple(axes))
def jax_lax_reduce_prod(operand, axes):
    return prod(operand, tuple(axes))
def jax_lax_reduce_max(operand, axes):
    return max(operand, tuple(axes))
def jax_lax_reduce_min(operand, axes):
    return min(operand, tuple(axes))
def jax_lax_reduce_and(operand, axes):
    return all(operand, tuple(axes))
def jax_lax_reduce_or(operand, axes):
    return any(operand, tuple(axes))
def jax_lax_reduce(operands, init_values, computation, dimensions):
    a = array_of(operands)
    rows = _in_front(a, _axes(tuple(dimensions), ndim(a)))
    result = broadcast_to(as_type(array_of(init_values), dtype_of(a)), shape_of(rows)[1:])
    for k in range(len(rows)):
        result = computation(result, rows[k])
    return result
def jax_lax_cummax(operand, axis=0, reverse=False):
    return _cumulated(lambda x, axis: jax_lax_associative_scan(maximum, x, axis=axis), operand, axis, constant(reverse, "`reverse`"))
def jax_lax_cummin(operand, axis=0, reverse=False):
    return _cumulated(lambda x, axis: jax_lax_associative_scan(minimum, x, axis=axis), operand, axis, constant(reverse, "`reverse`"))
def jax_lax_cumlogsumexp(operand, axis=0, reverse=False):
    return _cumulated(lambda x, axis: jax_lax_associative_scan(logaddexp, x, axis=axis), operand, axis, constant(reverse, "`reverse`"))
# All prefixes at once, of neighbours at distances 1, 2, 4, … (Hillis and Steele 1986), of all arrays of a tree.
def jax_lax_associative_scan(fn, elems, reverse=False, axis=0):
    n = _length(elems, axis, None)
    if constant(reverse, "`reverse`"):
        turned = jax_tree_map(lambda x: flip(x, axis), elems)
        return jax_tree_map(lambda x: flip(x, axis), _prefixes(fn, turned, axis, n, 1))
    return _prefixes(fn, elems, axis, n, 1)
def _prefixes(fn, x, axis, n, by):
    if by >= n:
        return x
    left = jax_tree_map(lambda a: _cut_along(a, axis, 0, n - by), x)
    right = jax_tree_map(lambda a: _cut_along(a, axis, by, n - by), x)
    head = jax_tree_map(lambda a: _cut_along(a, axis, 0, by), x)
    both = jax_tree_map(lambda a, b: concat((a, b), _axis(axis, ndim(a))), head, fn(left, right))
    return _prefixes(fn, both, axis, n, 2 * by)
def _cut_along(a, axis, first, count):
    return _cut(a, _axis(axis, ndim(a)), first, 1, count)

# Sorts. Of several arrays by the first one; equal ones stay in their order.
def jax_lax_sort(operand, dimension=-1, is_stable=True, num_keys=1):
    if not is_tuple(operand):
        return sort(operand, dimension)
    order = None
    for key in reversed(operand[:constant(num_keys, "`num_keys`")]):
        key = array_of(key)
        there = key if order is None else take_along_axis(key, order, dimension)
        by = argsort(there, dimension)
        order = by if order is None else take_along_axis(order, by, dimension)
    return tuple([take_along_axis(one, order, dimension) for one in operand])
def jax_lax_sort_key_val(keys, values, dimension=-1, is_stable=True):
    order = argsort(keys, dimension)
    return take_along_axis(keys, order, dimension), take_along_axis(values, order, dimension)
def jax_lax_top_k(operand, k, *, axis=-1):
    operand = array_of(operand)
    order = argsort(-operand, axis)
    order = _cut_along(order, axis, 0, constant(k, "`k`"))
    return take_along_axis(operand, order, axis), order
def jax_lax_approx_max_k(operand, k, reduction_dimension=-1, recall_target=0.95):
    return jax_lax_top_k(operand, k, axis=reduction_dimension)

# Sums, products and extremes of segments. Ids that are no segment count for nothing.
def jax_ops_segment_sum(data, segment_ids, num_segments=None, indices_are_sorted=False, unique_indices=False):
    data, hot = _in_segments(data, segment_ids, num_segments)
    return tensordot(as_type(hot, dtype_of(data)), data, 1)
def jax_ops_segment_max(data, segment_ids, num_segments=None, indices_are_sorted=False, unique_indices=False):
    return _of_segments(max, -inf, data, segment_ids, num_segments)
def jax_ops_segment_min(data, segment_ids, num_segments=None, indices_are_sorted=False, unique_indices=False):
    return _of_segments(min, inf, data, segment_ids, num_segments)
def jax_ops_segment_prod(data, segment_ids, num_segments=None, indices_are_sorted=False, unique_indices=False):
    return _of_segments(prod, 1, data, segment_ids, num_segments)
def _of_segments(reduction, nothing, data, ids, n):
    data, hot = _in_segments(data, ids, n)
    if not _is_float(data) and nothing != 1:
        return as_type(_of_segments_inside(reduction, nothing, as_type(data, "float64"), hot), dtype_of(data))
    return _of_segments_inside(reduction, nothing, data, hot)
def _of_segments_inside(reduction, nothing, data, hot):
    sizes = shape_of(data)
    inside = with_shape(hot, shape_of(hot) + (1,) * (len(sizes) - 1))
    return reduction(as_type(select(inside, data, nothing), dtype_of(data)), 1)
def _in_segments(data, ids, n):
    data, ids = array_of(data), array_of(ids)
    if n is None:
        return refuse("how many segments there are only the run knows: write `num_segments=`")
    n = constant(n, "the number of segments")
    if ndim(ids) != 1 or shape_of(ids)[0] != shape_of(data)[0]:
        return refuse(("ids of shape ", shape_of(ids), " for an array of shape ", shape_of(data)))
    return data, iota((n, len(ids), 0)) == ids

# Windows along all axes: the elements of each as the last axis.
def jax_lax_reduce_window(operand, init_value, computation, window_dimensions, window_strides, padding, base_dilation=None, window_dilation=None):
    a = array_of(operand)
    rank = ndim(a)
    dilation = (1,) * rank if window_dilation is None else tuple(window_dilation)
    widths = _margins(padding, shape_of(a), tuple(window_dimensions), tuple(window_strides), dilation)
    for axis in _numbers(rank):
        inside = 0 if base_dilation is None else base_dilation[axis] - 1
        a = _padded(a, init_value, axis, widths[axis][0], widths[axis][1], inside)
    windows = _windows_of(a, tuple(window_dimensions), tuple(window_strides), dilation)
    result = as_type(array_of(init_value), dtype_of(a))
    for k in _numbers(shape_of(windows)[-1]):
        result = computation(result, windows[..., k])
    return result
# A string, or two numbers for each axis.
def _margins(padding, sizes, window, strides, dilation):
    if not isinstance(padding, str):
        return tuple(padding)
    margins = ()
    for n, w, s, d in zip(sizes, window, strides, dilation):
        total = _larger((-(-n // s) - 1) * s + (w - 1) * d + 1 - n, 0)
        margins = margins + ((total // 2, total - total // 2) if padding == "SAME" else (total - total // 2, total // 2) if padding == "SAME_LOWER" else (0, 0),)
    return margins if padding == "SAME" or padding == "VALID" or padding == "SAME_LOWER" else refuse(("there is no padding ", padding))
def _windows_of(a, window, strides, dilation):
    pieces = ()
    rank = len(window)
    for offset in itertools_product(*[_numbers(n) for n in window]):
        piece = a
        for axis in _numbers(rank):
            n = (shape_of(a)[axis] - (window[axis] - 1) * dilation[axis] - 1) // strides[axis] + 1
            piece = _cut(piece, axis, offset[axis] * dilation[axis], strides[axis], n)
        pieces = pieces + (piece,)
    return stack(pieces, -1)

# Convolutions: of batches of channels, with kernels of output and input channels, in the order of axes that `dimension_numbers` says.
def jax_lax_conv(lhs, rhs, window_strides, padding, precision=None, preferred_element_type=None):
    return jax_lax_conv_general_dilated(lhs, rhs, window_strides, padding)
def jax_lax_conv_with_general_padding(lhs, rhs, window_strides, padding, lhs_dilation, rhs_dilation, precision=None):
    return jax_lax_conv_general_dilated(lhs, rhs, window_strides, padding, lhs_dilation, rhs_dilation)
def jax_lax_conv_general_dilated(lhs, rhs, window_strides, padding, lhs_dilation=None, rhs_dilation=None, dimension_numbers=None, feature_group_count=1, batch_group_count=1, precision=None, preferred_element_type=None):
    if constant(batch_group_count, "`batch_group_count`") != 1:
        return refuse("groups of batches in a convolution are not supported")
    a, b = array_of(lhs), array_of(rhs)
    rank = ndim(a) - 2
    of_a, of_b, of_result = _orders_of_axes(dimension_numbers, rank)
    a, b = _permuted(a, of_a), _permuted(b, of_b)
    strides = tuple(window_strides)
    dilation = (1,) * rank if rhs_dilation is None else tuple(rhs_dilation)
    inside = (1,) * rank if lhs_dilation is None else tuple(lhs_dilation)
    long = tuple([(n - 1) * d + 1 for n, d in zip(shape_of(a)[2:], inside)])
    for axis, (low, high) in enumerate(_margins(padding, long, shape_of(b)[2:], strides, dilation)):
        a = _padded(a, 0, axis + 2, low, high, inside[axis] - 1)
    groups = constant(feature_group_count, "`feature_group_count`")
    channels, outputs = shape_of(a)[1] // groups, shape_of(b)[0] // groups
    if shape_of(b)[1] != channels or shape_of(a)[1] % groups != 0 or shape_of(b)[0] % groups != 0:
        return refuse((shape_of(a)[1], " channels in ", groups, " groups for kernels of ", shape_of(b)[1], " channels"))
    results = ()
    for g in _numbers(groups):
        part_of_a = _cut(a, 1, g * channels, 1, channels)
        part_of_b = _cut(b, 0, g * outputs, 1, outputs)
        results = results + (_convolved(part_of_a, part_of_b, strides, dilation),)
    return _permuted(concat(results, 1), of_result)
# One product of matrices for all places of the kernel.
def _convolved(a, b, strides, dilation):
    rank = len(strides)
    windows = _windows_of(moveaxis(a, (0, 1), (-2, -1)), shape_of(b)[2:], strides, dilation)
    sizes = shape_of(windows)
    rows = with_shape(windows, (_product(sizes[:rank + 1]), sizes[-2] * sizes[-1]))
    product = rows @ transpose(with_shape(b, (len(b), sizes[-2] * sizes[-1])))
    return moveaxis(with_shape(product, sizes[:rank + 1] + (len(b),)), (-2, -1), (0, 1))
def _orders_of_axes(numbers, rank):
    if numbers is None:
        axes = _numbers(rank + 2)
        return axes, axes, axes
    if not is_tuple(numbers) or not isinstance(numbers[0], str):
        return refuse("`dimension_numbers` is three strings here: (\"NHWC\", \"HWIO\", \"NHWC\")")
    a, b, result = numbers
    space = "".join([c for c in a if c != "N" and c != "C"])
    of_a = tuple([a.find(c) for c in "NC" + space])
    of_b = tuple([b.find(c) for c in "OI" + space])
    return of_a, of_b, tuple([("NC" + space).find(c) for c in result])
def jax_lax_conv_transpose(lhs, rhs, strides, padding, rhs_dilation=None, dimension_numbers=None, transpose_kernel=False):
    if constant(transpose_kernel, "`transpose_kernel`"):
        return refuse("`transpose_kernel` is not supported")
    b = array_of(rhs)
    rank = ndim(b) - 2
    numbers = ((("NHC", "HIO", "NHC"), ("NHWC", "HWIO", "NHWC"), ("NHWDC", "HWDIO", "NHWDC"))[rank - 1]) if dimension_numbers is None else dimension_numbers
    of_b = _orders_of_axes(numbers, rank)[1]
    margins = ()
    for i in _numbers(rank):
        d = 1 if rhs_dilation is None else rhs_dilation[i]
        k, s = (shape_of(b)[of_b[i + 2]] - 1) * d + 1, strides[i]
        if isinstance(padding, str):
            total = k + s - 2 if padding == "SAME" else k + s - 2 + _larger(k - s, 0)
            low = (k - 1 if s > k - 1 else -(-total // 2)) if padding == "SAME" else k - 1
            margins = margins + ((low, total - low),)
        else:
            margins = margins + (padding[i],)
    return jax_lax_conv_general_dilated(lhs, rhs, (1,) * rank, margins, tuple(strides), rhs_dilation, numbers)

def jax_nn_glu(x, axis=-1):
    a, b = split(x, 2, axis)
    return a * expit(b)
def jax_nn_hard_silu(x):
    return x * jax_nn_hard_sigmoid(x)
def jax_nn_squareplus(x, b=4.0):
    return 0.5 * (x + sqrt(x * x + b))
def jax_nn_sparse_plus(x):
    x = _floats(x)
    return select(x <= -1.0, 0.0, select(x >= 1.0, x, 0.25 * (x + 1.0) ** 2))
def jax_nn_sparse_sigmoid(x):
    x = _floats(x)
    return 0.5 * clip(x + 1.0, 0.0, 2.0)
def jax_nn_log1mexp(x):
    x = _floats(x)
    near = x < 0.6931471805599453
    return select(near, log(-expm1(-select(near, x, 1.0))), log1p(-exp(-select(near, 1.0, x))))
def jax_nn_logmeanexp(x, axis=None, keepdims=False):
    n = _product(_picked(shape(x), _axes(axis, ndim(x))))
    return special_logsumexp(x, axis, keepdims=keepdims) - log(1.0 * n)
def jax_nn_standardize(x, axis=-1, mean=None, variance=None, epsilon=1e-5):
    return _standardized(_floats(x), axis, mean, variance, epsilon)
def _standardized(x, axis, center, spread, epsilon):
    center = mean(x, axis, keepdims=True) if center is None else center
    spread = mean(x * x, axis, keepdims=True) - center * center if spread is None else spread
    return (x - center) / sqrt(spread + epsilon)
# Of (batch, length, heads, size), or without the batch.
def jax_nn_dot_product_attention(query, key, value, bias=None, mask=None, *, scale=None, is_causal=False):
    query, key, value = array_of(query), array_of(key), array_of(value)
    repeats = shape_of(query)[-2] // shape_of(key)[-2]
    key, value = repeat(key, repeats, -2), repeat(value, repeats, -2)
    scale = shape_of(query)[-1] ** -0.5 if scale is None else scale
    scores = einsum("...qhd,...khd->...hqk", query, key) * scale
    scores = scores if bias is None else scores + bias
    if is_causal:
        q, k = shape_of(scores)[-2:]
        scores = select(iota((q, k, 0)) >= iota((q, k, 1)), scores, -0.7 * 1.7976931348623157e308)
    scores = scores if mask is None else select(array_of(mask), scores, -0.7 * 1.7976931348623157e308)
    return einsum("...hqk,...khd->...qhd", special_softmax(scores, -1), value)
