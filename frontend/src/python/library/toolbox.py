# The toolbox of derivatives: `from gradus import …`. What derivatives pass is turned into what programs see by `shown`, and back by
# `given`; in between it stays as it is.

def _nothing(x):
    return given(None, x, "cotangent")
# What a function makes of each field of a tuple or record: another one like it.
def _each(function, x):
    parts = ()
    for part in fields_of(x):
        parts = parts + (function(part),)
    return alike(x, parts)
# The cotangent, or tangent, of a tuple or record that has none but this one of the part at `path`, which are the numbers of fields,
# from the outside inwards.
def _placed(x, path, part):
    if len(path) == 0:
        return part
    fields = fields_of(x)
    i = path[0]
    return alike(x, (None,) * i + (_placed(fields[i], path[1:], part),) + (None,) * (len(fields) - i - 1))
def _at(x, path):
    for i in path:
        x = fields_of(x)[i]
    return x
# A function, or an instance that can be called as one.
def _function(f):
    return f if callable(f) else f.__call__
# A function that is given these arguments by name, besides.
def _with_named(f, named):
    return f if len(named) == 0 else lambda *args: f(*args, **named)
def gradus_stop_gradient(x):
    return stopped(x)

# A function does once what it does, however often its derivatives need it: calls for derivatives alone are silent.
def gradus_vjp(f, *args, has_aux=False):
    y, pullback = pulled(f, args)
    if constant(has_aux, "`has_aux`"):
        if not is_tuple(y) or len(y) != 2:
            return refuse("`vjp` needs a function that returns a value and something else, since it `has_aux`")
        return _vjp_beside(y[0], y[1], pullback, args)
    def back(cotangent):
        return after(shown(pullback(given(cotangent, y, "cotangent"))[1:], args), y)
    return (y, back)
def _vjp_beside(y, more, pullback, args):
    def back(cotangent):
        return after(shown(pullback((given(cotangent, y, "cotangent"), _nothing(more)))[1:], args), (y, more))
    return (y, back, more)
def gradus_linearize(f, *args):
    y = applied(f, args)
    def tangent_map(*tangents):
        return after(shown(silently(pushed(f, _nothing(f), args, given(tangents, args, "tangent")))[1], y), y)
    return (y, tangent_map)
def gradus_hvp(f, x, v):
    x = differentiable(x)
    value = silently(f(x))
    if fields_of(value) is not None or is_array(value):
        return refuse("`hvp` needs a function that returns a float")
    def gradient(x):
        return gradus_vjp(f, x)[1](1.0)[0]
    y, tangent = pushed(gradient, _nothing(gradient), (x,), (given(v, x, "tangent"),))
    return after(shown(tangent, y), y)

# Taylor series, up to the order that terms are given for. The compiler passes the coefficients of a power series, of which derivatives
# are multiples.
def gradus_taylor(f, x, order, direction=None):
    order = constant(order, "`order`")
    if not isinstance(order, int) or order < 0 or order > 30:
        return refuse("`order` is a number of derivatives, from 0 to 30")
    x = differentiable(x)
    if direction is None and (fields_of(x) is not None or ndim(x) > 0):
        return refuse("`taylor` of a function of more than one number needs a `direction`, shaped like the argument")
    if order == 0:
        return (f(x),)
    first = 1.0 if direction is None else direction
    y, terms = _along_series(f, (x,), ((first,),) + ((None,),) * (order - 1))
    return (y,) + terms
def gradus_jet(f, primals, series):
    if fields_of(primals) is None or fields_of(series) is None or len(primals) != len(series):
        return refuse("`jet` takes a tuple of arguments, and for each a tuple of the derivatives of its series")
    if len(series) == 0:
        return refuse("`jet` needs an argument")
    order = len(series[0])
    terms = ()
    for k in range(order):
        term = ()
        for one in series:
            if len(one) != order:
                return refuse("the series of all arguments have as many terms")
            term = term + (_scaled(one[k], 1.0 / _order_factorial(k + 1)),)
        terms = terms + (term,)
    if order == 0 or order > 30:
        return refuse("`jet` takes from 1 to 30 terms of a series")
    y, results = _along_series(f, tuple([differentiable(x) for x in primals]), terms)
    return (y, _lists(y, results))
def _along_series(f, args, terms):
    tangents = ()
    for term in terms:
        tangents = tangents + (given(term, args, "tangent"),)
    both = pushed_series(f, (_nothing(f),) * len(terms), args, tangents)
    y = both[0]
    results = ()
    for k in range(len(terms)):
        results = results + (after(_scaled(shown(both[k + 1], y), _order_factorial(k + 1)), y),)
    return (y, results)
def _order_factorial(n):
    product = 1.0
    for k in range(n):
        product = product * (k + 1)
    return product
def _scaled(x, factor):
    if x is None or factor == 1.0:
        return x
    return x * factor if fields_of(x) is None else _each(lambda part: _scaled(part, factor), x)
# For each part of y the list of its terms.
def _lists(y, terms):
    fields = fields_of(y)
    if fields is None:
        return [term for term in terms]
    parts = ()
    for i in range(len(fields)):
        of_part = ()
        for term in terms:
            of_part = of_part + (fields_of(term)[i],)
        parts = parts + (_lists(fields[i], of_part),)
    return alike(y, parts)

# Nobody gives the state to a rule, which runs in a derivative.
def _by_rule(rule, args):
    return witnessed(rule, args)
# Functions with rules for their derivatives. The value is one of the function with its rule, for derivatives of the next order.
def gradus_custom_vjp(rule):
    return lambda f: _custom(f, rule, _custom_vjp)
def gradus_custom_jvp(rule):
    return lambda f: _custom(f, rule, _custom_jvp)
def _custom(f, rule, ruled):
    if not callable(f) and not defines(f, "__call__"):
        return refuse("`custom_vjp` and `custom_jvp` are given the rule first: `@custom_jvp(rule)`")
    f = _function(f)
    def function(*args, **named):
        performed(f(*args, **named))
        return ruled(f, rule, bound(f, args, named))
    return function
def _custom_value(f, rule, args):
    return applied(f, args)
# A rule is for the arguments. What the function captures has the derivatives that its code has: its cotangent, for which the function
# runs once more, and what it adds to a tangent.
def _of_captures(f, args, cotangent):
    if not captures_floats(f):
        return _nothing(f)
    again, seed = barrier((args, cotangent))
    return environment_of(pulled(f, again)[1](seed)[0], f, args)
def _with_captures(tangent, f, df, args):
    if not captures_floats(f):
        return tangent
    return summed(tangent, pushed(f, df, args, _nothing(args))[1])
def _custom_vjp(f, rule, args):
    return applied_ruled(_custom_value, _custom_vjp_back, _custom_vjp_push, (f, rule, args))
def _custom_vjp_back(f, rule, args):
    y = _custom_vjp(f, rule, args)
    back = _by_rule(rule, (y,) + args)
    def pullback(cotangent):
        return (no_captures(), _of_captures(f, args, cotangent), _nothing(rule), given(_by_rule(back, (shown(cotangent, y),)), args, rule))
    return (y, pullback)
def _custom_vjp_push(own, f, rule, args, df, drule, tangents):
    y = _custom_vjp(f, rule, args)
    back = _by_rule(rule, (y,) + args)
    def pullback(cotangent):
        return given(_by_rule(back, (shown(cotangent, y),)), args, rule)
    return (y, _with_captures(_transposed(pullback, y)(tangents), f, df, args))
def _custom_jvp(f, rule, args):
    return applied_ruled(_custom_value, _custom_jvp_back, _custom_jvp_push, (f, rule, args))
def _custom_jvp_back(f, rule, args):
    y = _custom_jvp(f, rule, args)
    def push(tangents):
        return _tangent_by(rule, args, tangents, y)
    transpose = _transposed(push, args)
    def pullback(cotangent):
        return (no_captures(), _of_captures(f, args, cotangent), _nothing(rule), transpose(cotangent))
    return (y, pullback)
def _custom_jvp_push(own, f, rule, args, df, drule, tangents):
    y = _custom_jvp(f, rule, args)
    return (y, _with_captures(_tangent_by(rule, args, tangents, y), f, df, args))
def _tangent_by(rule, args, tangents, y):
    both = witnessed(rule, (args, shown(tangents, args)))
    if not is_tuple(both) or len(both) != 2:
        return refuse("the rule of a `custom_jvp` gives the value and its tangent")
    return given(both[1], y, (rule, "tangent"))
# The transpose of a linear function of a cotangent or tangent of x is its pullback, at zero as anywhere. What the function captures
# is constant to it.
def _transposed(linear, x):
    back = pulled_last(linear, (_nothing(x),))[1]
    return lambda cotangent: back(cotangent)[1]

# Functions of the host, and functions with rules of the host. Rules are such functions, too. Where one of the two is missing, the other
# gives for each float of the arguments, or of the value, what it would. Rules take the arguments as one, which is a tuple where
# `single` is None.
def _native(f, pullback, pushforward, single, args):
    return applied_ruled(_native_value, _native_back, _native_push, (f, pullback, pushforward, single, args))
def _native_value(f, pullback, pushforward, single, args):
    return applied(f, args)
def _native_back(f, pullback, pushforward, single, args):
    y = _native(f, pullback, pushforward, single, args)
    x = args if single is None else args[0]
    def back(cotangent):
        seed = shown(cotangent, y)
        if pullback is None:
            cotangents = _of_floats(x, (), lambda tangent: _paired(seed, pushforward(y, x, shown(tangent, x)), y))
        else:
            cotangents = pullback(y, x, seed)
        cotangents = given(cotangents if single is None else (cotangents,), args, "cotangent")
        return (no_captures(), _nothing(f), _nothing(pullback), _nothing(pushforward), _nothing(single), cotangents)
    return (y, back)
def _native_push(own, f, pullback, pushforward, single, args, df, dpullback, dpushforward, dsingle, tangents):
    y = _native(f, pullback, pushforward, single, args)
    tangents = shown(tangents, args)
    x = args if single is None else args[0]
    dx = tangents if single is None else tangents[0]
    if pushforward is None:
        tangent = _of_floats(y, (), lambda cotangent: _paired(dx, pullback(y, x, shown(cotangent, y)), x))
    else:
        tangent = pushforward(y, x, dx)
    return (y, given(tangent, y, "tangent"))
# A cotangent or tangent of x, made of what a function gives for one that is 1 for a float of x and else 0.
def _of_floats(x, path, function):
    part = _at(x, path)
    if is_tuple(part):
        parts = ()
        for i in range(len(part)):
            parts = parts + (_of_floats(x, path + (i,), function),)
        return parts
    return function(given(_placed(x, path, 1.0), x, "tangent")) if isinstance(part, float) else None
# A cotangent of x applied to a tangent.
def _paired(a, b, x):
    if is_tuple(x):
        total = 0.0
        for i in range(len(x)):
            total = total + _paired(a[i], b[i], x[i])
        return total
    return a * b if isinstance(x, float) else 0.0

def gradus_hook(f, x):
    return applied_ruled(_hook_value, _hook_back, _hook_push, (f, recorded(x)))
def _hook_value(f, x):
    return x
def _hook_back(f, x):
    def pullback(cotangent):
        return (no_captures(), _nothing(f), given(_by_rule(f, (shown(cotangent, x),)), x, f))
    return (x, pullback)
def _hook_push(own, f, x, df, dx):
    def pullback(cotangent):
        return given(_by_rule(f, (shown(cotangent, x),)), x, f)
    return (x, _transposed(pullback, x)(dx))

# Nothing is kept but the arguments. The barrier keeps what is computed again from being what was computed before.
def gradus_checkpoint(f):
    def function(*args, **named):
        performed(f(*args, **named))
        return _checkpoint(_with_named(f, named), args)
    return function
def _checkpoint(f, args):
    return applied_ruled(_checkpoint_value, _checkpoint_back, _checkpoint_push, (f, args))
def _checkpoint_value(f, args):
    return applied(f, args)
def _checkpoint_back(f, args):
    def pullback(cotangent):
        again, seed = barrier((args, cotangent))
        cotangents = pulled(f, again)[1](seed)
        return (no_captures(), environment_of(cotangents[0], f, args), cotangents[1:])
    return (applied(f, args), pullback)
def _checkpoint_push(own, f, args, df, tangents):
    return pushed(f, df, args, tangents)

# Binomial checkpointing (Griewank & Walther 2000): a loop of n steps of which no more than `slots` states are kept at a time.
# The rules need a state of one type: that of what steps make of the first one, which may be an int, or `None`.
def gradus_checkpoint_loop(body, n, state, slots):
    if slots < 1:
        raise ValueError("`checkpoint_loop` needs a slot")
    first = state if varying(True) else _advanced(body, varying(0), n, state)
    return applied_ruled(_loop_value, _loop_back, _loop_push, (body, n, first, slots))
def _loop_value(body, n, state, slots):
    return _advanced(body, varying(0), n, state)
def _advanced(body, first, last, state):
    for i in range(first, last):
        state = body(i, state)
    return state
def _loop_back(body, n, state, slots):
    def pullback(cotangent):
        again, seed = barrier((state, cotangent))
        cotangent, environment = _loop_reversed(body, varying(0), n, again, seed, _nothing(body), slots)
        return (no_captures(), environment, _nothing(n), cotangent, _nothing(slots))
    return (_loop_value(body, n, state, slots), pullback)
def _loop_reversed(body, first, last, state, cotangent, environment, slots):
    if last - first <= 0:
        return (cotangent, environment)
    if last - first == 1:
        cotangents = pulled(body, (first, state))[1](cotangent)
        return (cotangents[2], summed(environment, environment_of(cotangents[0], body, (first, state))))
    middle = first + _first_part(last - first, slots)
    there = _advanced(body, first, middle, state)
    cotangent, environment = _loop_reversed(body, middle, last, there, cotangent, environment, slots - 1)
    return _loop_reversed(body, first, middle, state, cotangent, environment, slots)
# The steps of n before the next state that is kept. With s slots and every step done r times in advance, (s + r)!/s!r! steps can be
# reversed: `reached` is that number for one time less.
def _first_part(n, slots):
    reached = 1
    times = 1
    next = slots + 1
    while next < n:
        reached = next
        times = times + 1
        next = next * (slots + times) // times
    least = n - reached * slots // (slots + times - 1)
    return reached if reached < least else least
def _loop_push(own, body, n, state, slots, dbody, dn, dstate, dslots):
    for i in range(n):
        state, dstate = pushed(body, dbody, (i, state), (None, dstate))
    return (state, dstate)

# The fixed point x = f(x, *params) of a contraction, and its derivatives by the implicit function theorem: fixed points themselves. These
# are linear in what they start from, so their tolerance is relative: a small cotangent has as many digits as a large one. One that is
# the difference of larger numbers has fewer, and ends where rounding alone changes it: where it came no nearer for 50 rounds.
def gradus_fixed_point(f, x0, *params, tol=1e-12):
    return _fixed(f, x0, params, tol, False)
def _fixed(f, x0, params, tol, is_relative):
    return applied_ruled(_fixed_value, _fixed_back, _fixed_push, (f, x0, params, tol, is_relative))
def _fixed_value(f, x0, params, tol, is_relative):
    x = x0
    y = applied(f, (x,) + params)
    change = _distance(x, y)
    least, rounds = change, 0
    while change > (tol * _distance(_nothing(y), y) if is_relative else tol) and rounds < 50:
        x = y
        y = applied(f, (x,) + params)
        change = _distance(x, y)
        rounds = rounds + 1 if is_relative and change >= least else 0
        least = minimum(least, change)
    return y
def _distance(x, y):
    fields = fields_of(x)
    if fields is not None:
        farthest = 0.0
        for a, b in zip(fields, fields_of(y)):
            farthest = maximum(farthest, _distance(a, b))
        return farthest
    return max(abs(array_of(x) - array_of(y)))
def _fixed_back(f, x0, params, tol, is_relative):
    x = _fixed(f, x0, params, tol, is_relative)
    def pullback(cotangent):
        w = _fixed(_fixed_adjoint, cotangent, (f, x, params, cotangent), tol, True)
        cotangents = pulled(f, (x,) + params)[1](w)
        environment = environment_of(cotangents[0], f, (x,) + params)
        return (no_captures(), environment, _nothing(x0), cotangents[2:], _nothing(tol), _nothing(is_relative))
    return (x, pullback)
def _fixed_adjoint(w, f, x, params, cotangent):
    return summed(cotangent, pulled(f, (x,) + params)[1](w)[1])
def _fixed_push(own, f, x0, params, tol, is_relative, df, dx0, dparams, dtol, dis_relative):
    x = _fixed(f, x0, params, tol, is_relative)
    return (x, _fixed(_fixed_tangent, _nothing(x), (f, x, params, df, dparams), tol, True))
def _fixed_tangent(t, f, x, params, df, dparams):
    return pushed(f, df, (x,) + params, (t,) + dparams)[1]

# Jacobians: one derivative for each float that is varied, or for each that is looked at; `None` for what is no float. The compiler takes
# fewer where it finds entries to be zero (opt/src/batch/sparse).
# Ints in which a derivative is asked for are floats, with `allow_int` or without.
def gradus_jacfwd(f, argnums=0, has_aux=False, sparse=False, *, allow_int=False):
    return lambda *args, **named: _jacobian(_jacfwd, f, args, named, argnums, has_aux, sparse)
def gradus_jacrev(f, argnums=0, has_aux=False, sparse=False, *, allow_int=False):
    return lambda *args, **named: _jacobian(_jacrev, f, args, named, argnums, has_aux, sparse)
def gradus_hessian(f, argnums=0, has_aux=False, sparse=False, *, allow_int=False):
    return gradus_jacfwd(gradus_jacrev(f, argnums, has_aux), argnums, has_aux, sparse)
# A part of a Jacobian, with axes for the result and axes for the argument.
def _part(part, rows, columns, sparse):
    if sparse:
        return entries(with_shape(array_of(part), (_product(rows), _product(columns))))
    return part if len(rows + columns) == 0 else with_shape(part, rows + columns)
def _jacobian(jacobian, f, args, named, argnums, has_aux, sparse):
    sparse = constant(sparse, "`sparse`")
    beside = constant(has_aux, "`has_aux`")
    args = _in_floats(args, argnums)
    before = store()
    told = f(*args, **named) if beside else performed(f(*args, **named))
    done = store()
    # The derivative is that of what was called.
    set_store(before)
    found = _by_argument(jacobian, _value_alone(f) if beside else f, args, named, argnums, sparse)
    set_store(done)
    return (found, told[1]) if beside else found
def _value_alone(f):
    return lambda *args, **named: f(*args, **named)[0]
def _by_argument(jacobian, f, args, named, argnums, *more):
    argnums = constant(argnums, "`argnums`")
    if not is_tuple(argnums):
        return jacobian(lambda x: f(*_with_arguments(args, (argnums,), (x,)), **named), _argument(args, argnums), *more)
    # Of all these arguments together, as one that is a tuple.
    chosen = ()
    for i in argnums:
        chosen = chosen + (_argument(args, i),)
    return jacobian(lambda chosen: f(*_with_arguments(args, argnums, chosen), **named), chosen, *more)
def _argument(args, i):
    if not isinstance(i, int):
        return refuse(("`argnums` are the numbers of arguments, not ", i))
    if i < -len(args) or i >= len(args):
        return refuse(("there is no argument ", i, " of ", len(args), " to differentiate with respect to"))
    return differentiable(args[i])
# The arguments, of which those with these numbers are to have derivatives.
def _in_floats(args, argnums):
    chosen = constant(argnums, "`argnums`")
    if not is_tuple(chosen):
        chosen = (chosen,)
    return _with_arguments(args, chosen, tuple([_argument(args, i) for i in chosen]))
# The arguments with others in the place of those with these numbers.
def _with_arguments(args, argnums, others):
    result = ()
    for k in range(len(args)):
        arg = args[k]
        for i, other in zip(argnums, others):
            if i == k or i + len(args) == k:
                arg = other
        result = result + (arg,)
    return result
def _jacfwd(f, x, sparse):
    y = silently(f(x))
    def push(tangent):
        return after(shown(silently(pushed(f, _nothing(f), (x,), (given(tangent, x, "tangent"),)))[1], y), y)
    return _columns(y, x, push, (), sparse)
# For the part of y at `path` and each direction of x what `push` gives there.
def _columns(y, x, push, path, sparse):
    part = recorded(_at(y, path))
    fields = fields_of(part)
    if fields is not None:
        parts = ()
        for i in range(len(fields)):
            parts = parts + (_columns(y, x, push, path + (i,), sparse),)
        return alike(part, parts)
    if _is_discrete(part):
        return None
    if isinstance(part, complex):
        return _along(x, (), (), lambda tangent: _at(push(tangent), path), sparse)
    return _along(x, (), shape_of(part), lambda tangent: _at(push(tangent), path), sparse)
# What `push` gives for each direction of the part of x at `path`, arrays of this shape: shaped like the part, with its axes last.
def _along(x, path, sizes, push, sparse):
    part = recorded(_at(x, path))
    fields = fields_of(part)
    if fields is not None:
        parts = ()
        for i in range(len(fields)):
            parts = parts + (_along(x, path + (i,), sizes, push, sparse),)
        return alike(part, parts)
    if _is_discrete(part):
        return None
    if isinstance(part, complex):
        return refuse("a function of a complex number has two directions: take the Jacobian with respect to its two parts")
    if ndim(part) == 0:
        return _part(push(_placed(x, path, 1.0)), sizes, (), sparse)
    n = _product(shape_of(part))
    columns = zeros((n,) + sizes)
    for k in range(n):
        columns = with_item(columns, k, push(_placed(x, path, _unit(part, k))))
    return _part(moveaxis(columns, 0, -1), sizes, shape_of(part), sparse)
def _is_discrete(x):
    return x is None or callable(x) or isinstance(x, (int, str)) or is_array(x) and not _is_float(x)
def _unit(x, k):
    return with_shape(as_type(iota((_product(shape_of(x)), 0)) == k, dtype_of(x)), shape_of(x))
def _jacrev(f, x, sparse):
    y, pullback = silently(pulled(f, (x,)))
    def pull(cotangent):
        return after(shown(pullback(given(cotangent, y, "cotangent"))[1], x), y)
    return _rows(y, (), x, pull, sparse)
# For each direction of the part of y at `path` what `pull` gives, shaped like x, with the axes of the part first.
def _rows(y, path, x, pull, sparse):
    part = recorded(_at(y, path))
    fields = fields_of(part)
    if fields is not None:
        parts = ()
        for i in range(len(fields)):
            parts = parts + (_rows(y, path + (i,), x, pull, sparse),)
        return alike(part, parts)
    if _is_discrete(part):
        return None
    if isinstance(part, complex):
        return refuse("`jacrev` of a complex number is that of its two parts: return `(z.real, z.imag)`, or take `jacfwd`")
    if ndim(part) == 0:
        row = pull(_placed(y, path, 1.0))
        return _shaped_rows(row, x, (), True) if sparse else row
    n = _product(shape_of(part))
    rows = _no_rows(shown(_nothing(x), x), n)
    for k in range(n):
        rows = _with_row(rows, k, pull(_placed(y, path, _unit(part, k))))
    return _shaped_rows(rows, x, shape_of(part), sparse)
def _no_rows(x, n):
    if x is None:
        return None
    return zeros((n,) + shape_of(x), dtype_of(array_of(x))) if fields_of(x) is None else _each(lambda part: _no_rows(part, n), x)
def _with_row(rows, k, row):
    if rows is None:
        return None
    fields = fields_of(rows)
    if fields is None:
        return with_item(rows, k, row)
    parts = ()
    for a, b in zip(fields, fields_of(row)):
        parts = parts + (_with_row(a, k, b),)
    return alike(rows, parts)
def _shaped_rows(rows, x, sizes, sparse):
    if rows is None:
        return None
    fields = fields_of(x)
    if fields is None:
        return _part(rows, sizes, shape_of(x), sparse)
    parts = ()
    for a, b in zip(fields_of(rows), fields):
        parts = parts + (_shaped_rows(a, b, sizes, sparse),)
    return alike(x, parts)

# Forward mode inside of reverse mode: the cotangent is the product with the tangent in each direction.
def gradus_forwarddiff(f, x):
    performed(f(x))
    return applied_ruled(_forwarddiff_value, _forwarddiff_back, _forwarddiff_push, (f, recorded(x)))
def _forwarddiff_value(f, x):
    return f(x)
def _forwarddiff_back(f, x):
    y = f(x)
    def pullback(cotangent):
        def product(tangent):
            return _inner(cotangent, pushed(f, _nothing(f), (x,), (given(tangent, x, "tangent"),))[1], y)
        return (no_captures(), _of_captures(f, (x,), cotangent), given(_along(x, (), (), product, False), x, "cotangent"))
    return (y, pullback)
def _forwarddiff_push(own, f, x, df, dx):
    return pushed(f, df, (x,), (dx,))
def _inner(a, b, y):
    if is_tuple(y):
        total = 0.0
        for i, part in enumerate(y):
            total = total + _inner(a[i], b[i], part)
        return total
    return sum(a * b) if _is_float(y) else 0.0

# One row after the other. Arguments that are given by name are mapped over their first axes, as in JAX.
def gradus_vmap(f, in_axes=0, out_axes=0):
    return lambda *args, **named: _axes_out(_mapped(f, args, named, in_axes), constant(out_axes, "`out_axes`"))
def _mapped(f, args, named, in_axes):
    axes = constant(in_axes, "`in_axes`")
    axes = axes if is_tuple(axes) else (axes,) * len(args)
    if len(axes) != len(args):
        return refuse((len(axes), " axes for ", len(args), " arguments"))
    if len(named) > 0:
        return _mapped_rows(lambda *all: f(*all[:-1], **all[-1]), args + (named,), axes + (0,))
    return _mapped_rows(f, args, axes)
def _mapped_rows(f, args, axes):
    axes = tuple([_axes_of(axis, x) for axis, x in zip(axes, args)])
    n = None
    for axis, x in zip(axes, args):
        n = _length(x, axis, n)
    if n is None:
        return refuse("`vmap` needs an argument with an axis to map over")
    stacked = tuple([_axis_first(x, axis) for axis, x in zip(axes, args)])
    rows = _no_rows(silently(applied(f, _row_of(stacked, axes, _item_of if n > 0 else _none_of, 0))), n)
    for k in range(n):
        rows = _with_row(rows, k, applied(f, _row_of(stacked, axes, _item_of, k)))
    return rows
# What says the axes of the parts of an argument in the order of the parts. An axis, or `None`, is that of all parts.
def _axes_of(axes, x):
    if fields_of(axes) is None:
        return axes
    if isinstance(axes, dict) and isinstance(x, dict):
        return {k: _axes_of(axes[k], x[k]) for k in x}
    parts = fields_of(x)
    if parts is None or len(parts) != len(fields_of(axes)):
        return refuse("`in_axes` has other parts than the argument that it is for")
    return tuple([_axes_of(axis, part) for axis, part in zip(fields_of(axes), parts)])
def _each_with_axis(function, x, axes):
    parts = ()
    for part, axis in zip(fields_of(x), fields_of(axes)):
        parts = parts + (function(part, axis),)
    return alike(x, parts)
def _axes_out(y, axes):
    if not is_tuple(axes):
        return y if axes == 0 else _axis_out(y, axes)
    parts = fields_of(y)
    if parts is None or len(parts) != len(axes):
        return refuse((len(axes), " axes for a result that has not as many parts"))
    moved = ()
    for part, axis in zip(parts, axes):
        moved = moved + (_axes_out(part, axis),)
    return alike(y, moved)
def _axis_out(y, axis):
    return moveaxis(y, 0, axis) if fields_of(y) is None else _each(lambda part: _axis_out(part, axis), y)
def _axis_first(x, axis):
    if axis is None:
        return x
    if fields_of(axis) is not None:
        return _each_with_axis(_axis_first, x, axis)
    if fields_of(x) is not None:
        return _each(lambda part: _axis_first(part, axis), x)
    return moveaxis(x, axis, 0)
def _length(x, axis, n):
    if axis is None:
        return n
    parts = fields_of(x)
    if parts is not None:
        axes = (axis,) * len(parts) if fields_of(axis) is None else fields_of(axis)
        for part, one in zip(parts, axes):
            n = _length(part, one, n)
        return n
    if ndim(x) == 0:
        return refuse("`vmap` maps over an axis of an array, this argument, or a part of it, is a scalar: say `None` for it in `in_axes`")
    length = shape_of(x)[axis]
    if n is not None and n != length:
        return refuse(("axes of lengths ", n, " and ", length, " to map over"))
    return length
def _row_of(stacked, axes, item, k):
    row = ()
    for axis, x in zip(axes, stacked):
        row = row + (_row_item(x, axis, item, k),)
    return row
def _row_item(x, axis, item, k):
    if axis is None:
        return x
    if fields_of(axis) is None:
        return item(x, k)
    return _each_with_axis(lambda part, axis: _row_item(part, axis, item, k), x, axis)
def _item_of(x, k):
    return x[k] if fields_of(x) is None else _each(lambda part: _item_of(part, k), x)
# A row of what has none.
def _none_of(x, k):
    return zeros(shape_of(x)[1:]) if fields_of(x) is None else _each(lambda part: _none_of(part, k), x)
