# What programs for Autograd use, but for `grad` and what NumPy and SciPy have: `from autograd import …`, `autograd.extend`, `autograd.misc`.

# Operators that take `argnum` and give a function; what such a function takes after the arguments is told apart by its place.
def autograd_elementwise_grad(fun, argnum=0):
    return lambda *args, **named: _by_argument(_of_ones, fun, args, named, argnum)
def _of_ones(f, x):
    y, pullback = gradus_vjp(f, x)
    return pullback(_one_like(y))[0]
def autograd_deriv(fun, argnum=0):
    return lambda *args, **named: _by_argument(lambda f, x: jvp_of(f, (x,), (_one_like(x),))[1], fun, args, named, argnum)
def autograd_jacobian(fun, argnum=0):
    return gradus_jacrev(fun, argnum)
def autograd_hessian(fun, argnum=0):
    return gradus_hessian(fun, argnum)
def autograd_hessian_vector_product(fun, argnum=0):
    return lambda *args, **named: _by_argument(lambda f, x: gradus_hvp(f, x, args[-1]), fun, args[:-1], named, argnum)
def autograd_vector_jacobian_product(fun, argnum=0):
    return lambda *args, **named: _by_argument(lambda f, x: gradus_vjp(f, x)[1](args[-1])[0], fun, args[:-1], named, argnum)
def autograd_make_vjp(fun, argnum=0):
    return lambda *args, **named: _by_argument(_pullback_first, fun, args, named, argnum)
def _pullback_first(f, x):
    y, pullback = gradus_vjp(f, x)
    return (lambda cotangent: pullback(cotangent)[0], y)
def autograd_make_jvp(fun, argnum=0):
    return lambda *args, **named: _by_argument(lambda f, x: lambda v: jvp_of(f, (x,), (v,)), fun, args, named, argnum)
def autograd_make_hvp(fun, argnum=0):
    def gradient_first(f, x):
        return _pullback_first(lambda x: gradus_vjp(f, x)[1](1.0)[0], x)
    return lambda *args, **named: _by_argument(gradient_first, fun, args, named, argnum)
def autograd_make_ggnvp(f, g=None, f_argnum=0):
    def product(f, x):
        y, pullback = gradus_vjp(f, x)
        outer = autograd_make_hvp(_half_of_squares if g is None else g)(y)[0]
        return lambda v: pullback(outer(jvp_of(f, (x,), (v,))[1]))[0]
    return lambda *args, **named: _by_argument(product, f, args, named, f_argnum)
def _half_of_squares(x):
    return 0.5 * sum(x ** 2, axis=-1)
def autograd_grad_and_aux(fun, argnum=0):
    return lambda *args, **named: _by_argument(_gradient_beside, fun, args, named, argnum)
def _gradient_beside(f, x):
    y, pullback, more = gradus_vjp(f, x, has_aux=True)
    return (pullback(1.0)[0], more)

# Rules. Those of a file are stated after the function (`rules.rs`), which is given to these then.
def autograd_primitive(f):
    return _custom(f, _no_rule, _custom_vjp)
def _no_rule(y, *args):
    return refuse("a `primitive` has no derivative before `defvjp` says what it is, at the top level and after it")
def autograd_notrace_primitive(f):
    return lambda *args, **named: stopped(f(*args, **named))
def autograd_defvjp(fun, *vjpmakers, argnums=None):
    numbers = _rule_numbers(vjpmakers, argnums)
    def rule(y, *args):
        pullbacks = ()
        for maker in _rules_of(args, vjpmakers, numbers):
            pullbacks = pullbacks + (None if maker is None else maker(y, *args),)
        return lambda cotangent: tuple([None if back is None else back(cotangent) for back in pullbacks])
    def ruled(*args, **named):
        performed(fun(*args, **named))
        return _custom_vjp(fun, rule, _given_arguments(fun, args, named))
    return ruled
def autograd_defjvp(fun, *jvpmakers, argnums=None):
    numbers = _rule_numbers(jvpmakers, argnums)
    def ruled(*args, **named):
        return _custom_jvp(fun, rule, _given_arguments(fun, args, named))
    def rule(args, tangents):
        return _pushed_by_each(ruled(*args), _rules_of(args, jvpmakers, numbers), args, tangents)
    return ruled
# Rules are given what the call gives, and not the defaults.
def _given_arguments(f, args, named):
    return args if len(named) == 0 else bound(f, args, named)
def _rule_numbers(rules, argnums):
    return tuple(range(len(rules))) if argnums is None else tuple(constant(argnums, "`argnums`"))
# The rule of each argument, or `None`.
def _rules_of(args, rules, numbers):
    found = ()
    for k in range(len(args)):
        found = found + (_rule_at(k, args[k], rules, numbers),)
    return found
def _rule_at(k, x, rules, numbers):
    for i, rule in zip(numbers, rules):
        if i == k:
            return rule
    if isinstance(x, float) or is_array(x) and _is_float(x):
        return refuse("no rule of this `primitive` is stated for an argument that holds floats: state `None` if it has no derivative")
    return None

# `autograd.misc`.
def autograd_flatten_func(func, example):
    flat, unflatten = jax_ravel_pytree(example)
    return (lambda x, *args: jax_ravel_pytree(func(unflatten(x), *args))[0], unflatten, flat)
def autograd_sgd(grad, x0, callback=None, num_iters=200, step_size=0.1, mass=0.9):
    x, unflatten = jax_ravel_pytree(x0)
    velocity = zeros(len(x))
    for i in range(num_iters):
        g = _step(grad, unflatten, x, i, callback)
        velocity = mass * velocity - (1.0 - mass) * g
        x = x + step_size * velocity
    return unflatten(x)
def autograd_rmsprop(grad, x0, callback=None, num_iters=100, step_size=0.1, gamma=0.9, eps=1e-08):
    x, unflatten = jax_ravel_pytree(x0)
    average = ones(len(x))
    for i in range(num_iters):
        g = _step(grad, unflatten, x, i, callback)
        average = average * gamma + g * g * (1.0 - gamma)
        x = x - step_size * g / (sqrt(average) + eps)
    return unflatten(x)
def autograd_adam(grad, x0, callback=None, num_iters=100, step_size=0.001, b1=0.9, b2=0.999, eps=1e-08):
    x, unflatten = jax_ravel_pytree(x0)
    m = zeros(len(x))
    v = zeros(len(x))
    for i in range(num_iters):
        g = _step(grad, unflatten, x, i, callback)
        m = (1.0 - b1) * g + b1 * m
        v = (1.0 - b2) * (g * g) + b2 * v
        x = x - step_size * (m / (1.0 - b1 ** (i + 1))) / (sqrt(v / (1.0 - b2 ** (i + 1))) + eps)
    return unflatten(x)
def _step(grad, unflatten, x, i, callback):
    if callback is not None:
        return refuse("a `callback` is not supported, for it would be called for what it does")
    return jax_ravel_pytree(grad(unflatten(x), i))[0]
