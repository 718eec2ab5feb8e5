# The names that programs for Myia use: `from myia.operations import …`. Those that are primitives are in the table of `names.rs`.

def myia_myia(f=None, *, backend=None, backend_options=None, specialize_values=None, return_backend=None):
    return _same if f is None else f
def _same(x):
    return x
def myia_identity(x):
    return x
def myia_return_(x):
    return x
def myia_switch(condition, a, b):
    return a if condition else b
def myia_user_switch(condition, a, b):
    return a if condition else b

def myia_scalar_div(x, y):
    return int(x / y) if isinstance(x, int) and isinstance(y, int) else x / y
def myia_scalar_cast(x, t):
    return as_type(x, t)
# An array without axes is a scalar.
def myia_scalar_to_array(x, *type):
    return x
def myia_array_to_scalar(x):
    return reshape(x, ())

def myia_array_map(f, *xs):
    sizes = shape_of(array_of(xs[0]))
    for x in xs:
        if shape_of(array_of(x)) != sizes:
            return refuse(("`array_map` over arrays of shapes ", sizes, " and ", shape_of(array_of(x))))
    return broadcast_to(f(*xs), sizes)
# Axes of length 1 in the shape are reduced, and so are those in front that it does not have. The function is associative.
def myia_array_reduce(f, x, shp):
    extra = ndim(x) - len(shp)
    if extra < 0:
        return refuse(("an array of shape ", shape_of(x), " cannot be reduced to the shape ", shp))
    for axis in range(ndim(x)):
        n = shape_of(x)[axis]
        to = 1 if axis < extra else shp[axis - extra]
        if to != n and to != 1:
            return refuse(("an array of shape ", shape_of(x), " cannot be reduced to the shape ", shp))
        if to == 1 and n > 1:
            x = expand_dims(_reduced_rows(f, moveaxis(x, axis, 0)), axis)
    return reshape(x, shp)
def _reduced_rows(f, rows):
    n = len(rows)
    if n == 1:
        return rows[0]
    half = n // 2
    reduced = _reduced_rows(f, f(rows[:half], rows[half:2 * half]))
    return reduced if n % 2 == 0 else f(reduced, rows[n - 1])
def myia_distribute(x, shp):
    return broadcast_to(x, shp)
def myia_transpose(x, permutation=None):
    return transpose(x, permutation)
def myia_reshape(x, shp):
    return reshape(x, shp)
def myia_shape(x):
    return shape(x)
def myia_dot(x, y):
    return matmul(x, y)

def myia_make_tuple(*xs):
    return xs
def myia_make_list(*xs):
    return xs
def myia_tuple_setitem(xs, i, x):
    return xs[:i] + (x,) + xs[i + 1:]
def myia_list_setitem(xs, i, x):
    return myia_tuple_setitem(tuple(xs), i, x)
def myia_list_append(xs, x):
    return tuple(xs) + (x,)
def myia_list_map(f, *xs):
    return builtins_map(f, *xs)
def myia_list_reduce(f, xs, start):
    return functools_reduce(f, xs, start)

def myia_hyper_map(f, *xs):
    if is_tuple(xs[0]):
        return [myia_hyper_map(f, *parts) for parts in zip(*xs)]
    return f(*xs)
def myia_hyper_add(x, y):
    return myia_hyper_map(_sum_of, x, y)
def myia_gadd(x, y):
    return myia_hyper_map(_sum_of, x, y)
def _sum_of(x, y):
    return x + y
def myia_zeros_like(x):
    return myia_hyper_map(_zero_like, x)
def myia_ones_like(x):
    return myia_hyper_map(_one_like, x)
def _zero_like(x):
    return () if callable(x) else _zero_of(x)
def _one_like(x):
    if is_array(x):
        return ones_like(x)
    return 1 if isinstance(x, int) else 1.0

# Of a function, the one that gives the value and its pullback, which gives what belongs to the function and then to each argument.
def myia_J(x):
    if not callable(x):
        return x
    def transformed(*args):
        y, pullback = pulled(x, args)
        def back(cotangent):
            return ((),) + after(shown(pullback(given(cotangent, y, "cotangent"))[1:], args), y)
        return (y, back)
    return transformed
def myia_Jinv(x):
    return x
