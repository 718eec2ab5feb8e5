# What programs for JAX use, but for derivatives that `gradus` has by the same names: `from jax import …`, `jax.lax`, `jax.nn`. Names that
# are primitives, or functions of the rest of the library, are in the tables of `names/jax.rs`.

# A function is compiled as it is used, so this says nothing.
def jax_jit(fun=None, *, static_argnums=None, static_argnames=None, donate_argnums=None, donate_argnames=None, inline=False):
    return _same if fun is None else fun
def jax_checkpoint(fun, *, policy=None, prevent_cse=True, static_argnums=()):
    return gradus_checkpoint(fun)

# Rules. Those of a file are stated after the function (`rules.rs`), which is given to these then.
def jax_custom_jvp(fun, nondiff_argnums=()):
    return refuse("the rule of a `custom_jvp` is stated after it, `@f.defjvp`; neither captures variables of a function around it")
def jax_custom_vjp(fun, nondiff_argnums=()):
    return refuse("the rule of a `custom_vjp` is stated after it, `f.defvjp(fwd, bwd)`; neither captures variables of a function around it")
def _by_jvp(f, rule, symbolic_zeros=False, nondiff_argnums=()):
    if constant(symbolic_zeros, "`symbolic_zeros`"):
        return refuse("rules that are told of `symbolic_zeros` are not supported")
    numbers = _argument_numbers(nondiff_argnums)
    if len(numbers) == 0:
        return _custom(f, rule, _custom_jvp)
    def without(args, tangents):
        told = rule(*_chosen(args, numbers, True), _chosen(args, numbers, False), _chosen(tangents, numbers, False, "tangents"))
        unknown = _unknown_tangent(_chosen(tangents, numbers, True, "tangents"))
        return (told[0], jax_tree_map(lambda part: part + unknown, told[1]))
    return _custom(f, without, _custom_jvp)
# One rule for each argument, which gives what its tangent adds, or `None`.
def _by_jvps(f, *rules):
    def ruled(*args, **named):
        return _custom_jvp(f, all_together, bound(f, args, named))
    def all_together(args, tangents):
        return _pushed_by_each(ruled(*args), rules, args, tangents)
    return ruled
def _pushed_by_each(y, rules, args, tangents):
    total = None
    for rule, tangent in zip(rules, tangents):
        if rule is not None and tangent is not None:
            part = rule(tangent, y, *args)
            total = part if total is None else _tree_sum(total, part)
    return (y, total)
def _tree_sum(x, y):
    return jax_tree_map(_sum_of, x, y)
# The value comes from `fwd` where there is a derivative, as in JAX.
def _by_fwd_and_bwd(f, fwd, bwd, symbolic_zeros=False, optimize_remat=False, nondiff_argnums=()):
    if constant(symbolic_zeros, "`symbolic_zeros`"):
        return refuse("rules that are told of `symbolic_zeros` are not supported")
    numbers = _argument_numbers(nondiff_argnums)
    def cotangents(args, residuals, cotangent):
        if len(numbers) == 0:
            return bwd(residuals, cotangent)
        return _beside_none(bwd(*_chosen(args, numbers, True), residuals, cotangent), args, numbers)
    def function(*args, **named):
        performed(f(*args, **named))
        return _fwd_bwd(f, fwd, cotangents, bound(f, args, named))
    return function
def _fwd_bwd(f, fwd, bwd, args):
    return applied_ruled(_fwd_bwd_value, _fwd_bwd_back, _fwd_bwd_push, (f, fwd, bwd, args))
def _fwd_bwd_value(f, fwd, bwd, args):
    return applied(f, args)
def _fwd_bwd_back(f, fwd, bwd, args):
    y, residuals = _forwards(fwd, args)
    def pullback(cotangent):
        return (no_captures(), _of_captures(f, args, cotangent), _nothing(fwd), _nothing(bwd), _backwards(bwd, args, residuals, cotangent, y))
    return (y, pullback)
def _fwd_bwd_push(own, f, fwd, bwd, args, df, dfwd, dbwd, tangents):
    y, residuals = _forwards(fwd, args)
    def pullback(cotangent):
        return _backwards(bwd, args, residuals, cotangent, y)
    return (y, _with_captures(_transposed(pullback, y)(tangents), f, df, args))
def _forwards(fwd, args):
    both = _by_rule(fwd, args)
    return both if is_tuple(both) and len(both) == 2 else refuse("`fwd` of a `custom_vjp` gives the value and what `bwd` needs")
def _backwards(bwd, args, residuals, cotangent, y):
    cotangents = _by_rule(bwd, (args, residuals, shown(cotangent, y)))
    return given(cotangents, args, bwd) if is_tuple(cotangents) else refuse("`bwd` of a `custom_vjp` gives a tuple, one for each argument")
# A function that gives the value and what takes its cotangent to that of each argument.
def jax_custom_gradient(fun):
    def rule(y, *args):
        back = fun(*args)[1]
        return lambda cotangent: back(cotangent) if len(args) > 1 else _as_one(back(cotangent))
    return _custom(lambda *args, **named: fun(*args, **named)[0], rule, _custom_vjp)
def _as_one(cotangent):
    return cotangent if is_tuple(cotangent) else (cotangent,)
def _argument_numbers(argnums):
    argnums = constant(argnums, "`nondiff_argnums`")
    return argnums if is_tuple(argnums) else (argnums,)
# The arguments with these numbers, or all others. (What is recursive ends because a tuple gets shorter.) `whose` keeps code for tangents
# apart from code for arguments, which is constant to them.
def _chosen(args, numbers, are_these, whose="arguments"):
    if len(args) == 0:
        return ()
    rest = _chosen(args[1:], _one_less(numbers), are_these, whose)
    is_it = _has_zero(numbers) if are_these else not _has_zero(numbers)
    return args[:1] + rest if is_it else rest
def _beside_none(cotangents, args, numbers):
    if len(args) == 0:
        return () if len(cotangents) == 0 else refuse("`bwd` of a `custom_vjp` gives nothing for what has no derivative")
    if _has_zero(numbers):
        return (_no_derivative(args[0]),) + _beside_none(cotangents, args[1:], _one_less(numbers))
    return cotangents[:1] + _beside_none(cotangents[1:], args[1:], _one_less(numbers))
# A rule says nothing of the derivative with respect to these: NaN, where there are floats.
def _no_derivative(x):
    return x * nan if _has_floats(x) else None
def _has_floats(x):
    return _is_float(x) if is_array(x) else isinstance(x, float)
def _unknown_tangent(tangents):
    total = 0.0
    for t in tangents:
        total = total + sum(strong_product(t, nan)) if _has_floats(t) else total
    return total
def _has_zero(numbers):
    return len(numbers) > 0 and (numbers[0] == 0 or _has_zero(numbers[1:]))
def _one_less(numbers):
    return () if len(numbers) == 0 else (numbers[0] - 1,) + _one_less(numbers[1:])

# Control flow.
def jax_lax_cond(pred, *args, operand="none"):
    if len(args) == 4 and callable(args[1]) and not callable(args[0]):
        return args[1](args[0]) if pred else args[3](args[2])
    operands = args[2:] if isinstance(operand, str) else (operand,)
    return args[0](*operands) if pred else args[1](*operands)
# An index that is out of range means the nearest one, as in JAX.
def jax_lax_switch(index, branches, *operands):
    return _switched(index, tuple(branches), operands)
def _switched(index, branches, operands):
    if len(branches) == 1 or index <= 0:
        return branches[0](*operands)
    return _switched(index - 1, branches[1:], operands)
def jax_lax_fori_loop(lower, upper, body_fun, init_val, *, unroll=None):
    for i in range(lower, upper):
        init_val = body_fun(i, init_val)
    return init_val
def jax_lax_while_loop(cond_fun, body_fun, init_val):
    while cond_fun(init_val):
        init_val = body_fun(init_val)
    return init_val
# What the rows of results look like says the first call, of which nothing else is used.
def jax_lax_scan(f, init, xs=None, length=None, reverse=False, unroll=1):
    n = length if xs is None else _length(xs, 0, length)
    n = constant(n, "the `length` of a `scan`")
    backwards = constant(reverse, "`reverse`")
    rows = _no_rows(_scan_step(f, init, xs, 0, n)[1], n)
    carry = init
    for i in range(n):
        k = n - 1 - i if backwards else i
        carry, row = _scan_step(f, carry, xs, k, n)
        rows = _with_row(rows, k, row)
    return (carry, rows)
def _scan_step(f, carry, xs, k, n):
    both = f(carry, None if xs is None else _item_of(xs, k) if n > 0 else _none_of(xs, k))
    return both if is_tuple(both) and len(both) == 2 else refuse("a step of a `scan` gives what the next one is given, and a row")
def jax_lax_map(f, xs):
    return _mapped_rows(f, (xs,), (0,))

# Arrays.
def jax_lax_clamp(min, x, max):
    return select(x <= min, min, select(x >= max, max, x))
def jax_lax_concatenate(operands, dimension):
    return concatenate(operands, dimension)
def jax_lax_cumprod(operand, axis=0, reverse=False):
    return _cumulated(cumprod, operand, axis, constant(reverse, "`reverse`"))
def jax_lax_cumsum(operand, axis=0, reverse=False):
    return _cumulated(cumsum, operand, axis, constant(reverse, "`reverse`"))
def _cumulated(function, x, axis, reverse):
    return flip(function(flip(x, axis), axis), axis) if reverse else function(x, axis)
def jax_lax_div(x, y):
    if not _is_float(array_of(x)) and not _is_float(array_of(y)):
        return refuse("`lax.div` of integers rounds towards zero: write `//`, which rounds down")
    return x / y
def jax_lax_integer_pow(x, y):
    return x ** y
def jax_lax_iota(dtype, size):
    return arange(size, dtype=dtype)
def jax_lax_rsqrt(x):
    return 1.0 / sqrt(x)
def jax_lax_select(pred, on_true, on_false):
    return where(pred, on_true, on_false)
# Places that are out of range are moved into it, as in JAX.
def jax_lax_dynamic_slice(operand, start_indices, slice_sizes):
    for axis in range(len(slice_sizes)):
        operand = jax_lax_dynamic_slice_in_dim(operand, start_indices[axis], slice_sizes[axis], axis)
    return operand
def jax_lax_dynamic_slice_in_dim(operand, start_index, slice_size, axis=0):
    return take(operand, _places_within(operand, start_index, slice_size, axis), axis)
def jax_lax_dynamic_index_in_dim(operand, index, axis=0, keepdims=True):
    found = jax_lax_dynamic_slice_in_dim(operand, index, 1, axis)
    return found if constant(keepdims, "`keepdims`") else squeeze(found, axis)
def jax_lax_dynamic_update_slice_in_dim(operand, update, start_index, axis):
    places = _places_within(operand, start_index, shape_of(update)[axis], axis)
    return moveaxis(with_item(moveaxis(operand, axis, 0), places, moveaxis(update, axis, 0)), 0, axis)
def _places_within(x, start, size, axis):
    n = shape_of(x)[axis]
    start = select(start < 0, start + n, start)
    return minimum(maximum(start, 0), n - size) + arange(size)

# `x.at[i].set(v)` and the like: what shares nothing with x.
def _set_at(x, index, values, *, indices_are_sorted=False, unique_indices=False):
    return with_item(array_of(x), index, values)
def _got_at(x, index, *, indices_are_sorted=False, unique_indices=False):
    return array_of(x)[index]
# Where a place occurs twice, both are added: this is the transpose of taking what is there.
def _added_at(x, index, values, *, indices_are_sorted=False, unique_indices=False):
    x = array_of(x)
    if not _has_places(index):
        return _changed_at(x, index, values, _sum_of)
    if not _is_float(x):
        return as_type(_added_at(as_type(x, "float64"), index, _floats(values)), dtype_of(x))
    there, pullback = pulled(lambda x: x[index], (x,))
    return x + shown(pullback(given(broadcast_to(_floats(values), shape_of(there)), there, "cotangent"))[1], x)
def _subtracted_at(x, index, values, *, indices_are_sorted=False, unique_indices=False):
    return _added_at(x, index, -array_of(values))
def _multiplied_at(x, index, values, *, indices_are_sorted=False, unique_indices=False):
    return _changed_at(array_of(x), index, values, lambda a, b: a * b)
def _divided_at(x, index, values, *, indices_are_sorted=False, unique_indices=False):
    return _changed_at(array_of(x), index, values, lambda a, b: a / b)
def _powered_at(x, index, values, *, indices_are_sorted=False, unique_indices=False):
    return _changed_at(array_of(x), index, values, lambda a, b: a ** b)
def _less_at(x, index, values, *, indices_are_sorted=False, unique_indices=False):
    return _changed_at(array_of(x), index, values, lambda a, b: minimum(a, b))
def _greater_at(x, index, values, *, indices_are_sorted=False, unique_indices=False):
    return _changed_at(array_of(x), index, values, lambda a, b: maximum(a, b))
def _applied_at(x, index, function):
    return _changed_at(array_of(x), index, None, lambda a, b: function(a))
def _changed_at(x, index, values, change):
    if is_array(index) and dtype_of(index) == "bool":
        return select(index, change(x, values), x)
    if _has_places(index):
        return refuse("such a change at an array of places is not supported, since one may be there twice: there are `set` and `add`")
    return with_item(x, index, change(x[index], values))
def _has_places(index):
    if is_tuple(index):
        for part in index:
            if _has_places(part):
                return True
        return False
    return is_array(index) and dtype_of(index) != "bool"

# Activations, with what JAX has for their derivatives at kinks.
def jax_nn_relu(x):
    x = _floats(x)
    return select(x <= 0.0, 0.0, x)
def jax_nn_relu6(x):
    x = _floats(x)
    return select(x <= 0.0, 0.0, select(x >= 6.0, 6.0, x))
def jax_nn_softplus(x):
    return logaddexp(x, 0.0)
def jax_nn_soft_sign(x):
    return x / (abs(x) + 1.0)
def jax_nn_silu(x):
    return x * expit(x)
def jax_nn_mish(x):
    return x * tanh(jax_nn_softplus(x))
def jax_nn_log_sigmoid(x):
    return -jax_nn_softplus(-x)
def jax_nn_elu(x, alpha=1.0):
    x = _floats(x)
    return select(x > 0.0, x, alpha * expm1(select(x > 0.0, 0.0, x)))
def jax_nn_celu(x, alpha=1.0):
    x = _floats(x)
    return select(x > 0.0, x, alpha * expm1(select(x > 0.0, 0.0, x) / alpha))
def jax_nn_selu(x):
    # With all digits that JAX has of them, of which a float holds the first part.
    return (1.0507009873554805 - 6.5806650147054e-18) * jax_nn_elu(x, 1.6732632423543772 + 8.48170429916717e-17)
def jax_nn_leaky_relu(x, negative_slope=0.01):
    x = _floats(x)
    return select(x >= 0.0, x, negative_slope * x)
def jax_nn_hard_tanh(x):
    x = _floats(x)
    return select(x > 1.0, 1.0, select(x < -1.0, -1.0, x))
def jax_nn_hard_sigmoid(x):
    return jax_nn_relu6(x + 3.0) / 6.0
def jax_nn_gelu(x, approximate=True):
    if constant(approximate, "`approximate`"):
        return x * (0.5 * (1.0 + tanh(sqrt(2.0 / pi) * (x + 0.044715 * x ** 3))))
    return 0.5 * x * erfc(-x * sqrt(0.5))
def jax_nn_softmax(x, axis=-1):
    return special_softmax(x, axis)
def jax_nn_log_softmax(x, axis=-1):
    return special_log_softmax(x, axis)
def jax_nn_one_hot(x, num_classes, *, dtype="float64", axis=-1):
    hot = expand_dims(array_of(x), -1) == arange(num_classes)
    return moveaxis(as_type(hot, dtype), -1, axis)
