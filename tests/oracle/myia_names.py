"""The names of Myia's programs as its documentation has them, on Python's and NumPy's own: modules for tests/oracle/generate.py."""

import functools
import operator
import types

import numpy

MODULES = ("myia", "myia.api", "myia.composite", "myia.operations", "myia.prim.py_implementations", "myia.xtype")


def modules(elementary, grad, value_and_grad, vjp):
    """The modules, each with all names; `elementary` has `exp` and the like on every kind of number."""
    names = {"scalar_" + name: getattr(elementary, name) for name in ("exp", "log", "sin", "cos", "tan", "tanh", "floor")}
    names.update(NAMES, grad=grad, value_and_grad=value_and_grad, J=lambda x: transformed(x, vjp) if callable(x) else x)
    module = types.ModuleType("myia")
    vars(module).update(names)
    module.__path__ = []
    return dict.fromkeys(MODULES, module) | {"myia.prim": module}


def transformed(f, vjp):
    def both(*args):
        y, pullback = vjp(f, *args)
        return y, lambda cotangent: ((),) + tuple(pullback(cotangent))

    return both


def myia(f=None, **options):
    return (lambda f: f) if f is None else f


def scalar_div(x, y):
    return int(x / y) if isinstance(x, int) and isinstance(y, int) else x / y


def sign(x):
    return (x > 0) - (x < 0)


def array_map(f, *xs):
    return numpy.frompyfunc(f, len(xs), 1)(*xs) if xs[0].dtype == object else numpy.vectorize(f, otypes=[float])(*xs)


def array_reduce(f, x, shp):
    for axis in range(x.ndim - len(shp)):
        x = functools.reduce(functools.partial(array_map, f), x) if x.ndim > 1 else functools.reduce(f, x)
    for axis, n in enumerate(shp):
        if n == 1 and x.shape[axis] > 1:
            rows = numpy.moveaxis(x, axis, 0)
            reduced = functools.reduce(functools.partial(array_map, f), rows) if x.ndim > 1 else functools.reduce(f, rows)
            x = numpy.expand_dims(reduced, axis)
    return x


def setitem(xs, i, x):
    return tuple(xs[:i]) + (x,) + tuple(xs[i + 1 :])


def hyper_map(f, *xs):
    return tuple(hyper_map(f, *parts) for parts in zip(*xs)) if isinstance(xs[0], (tuple, list)) else f(*xs)


NAMES = dict(
    myia=myia, identity=lambda x: x, return_=lambda x: x, partial=functools.partial,
    switch=lambda c, a, b: a if c else b, user_switch=lambda c, a, b: a if c else b,
    scalar_add=operator.add, scalar_sub=operator.sub, scalar_mul=operator.mul, scalar_div=scalar_div,
    scalar_floordiv=operator.floordiv, scalar_mod=operator.mod, scalar_pow=operator.pow, scalar_uadd=operator.pos,
    scalar_usub=operator.neg, scalar_abs=abs, scalar_sign=sign, scalar_max=max, scalar_min=min,
    scalar_eq=operator.eq, scalar_ne=operator.ne, scalar_lt=operator.lt, scalar_le=operator.le, scalar_gt=operator.gt,
    scalar_ge=operator.ge, bool_and=operator.and_, bool_or=operator.or_, bool_not=operator.not_, bool_eq=operator.eq,
    f32="float32", f64="float64", i64="int64", scalar_cast=lambda x, t: int(x) if t == "int64" else x * 1.0,
    scalar_to_array=lambda x, *t: x, array_to_scalar=lambda x: x, array_map=array_map, array_reduce=array_reduce,
    distribute=numpy.broadcast_to, transpose=numpy.transpose, reshape=numpy.reshape, shape=numpy.shape, dot=numpy.dot,
    make_tuple=lambda *xs: xs, make_list=lambda *xs: xs, tuple_getitem=operator.getitem, list_getitem=operator.getitem,
    tuple_setitem=setitem, list_setitem=setitem, tuple_len=len, list_len=len, list_append=lambda xs, x: tuple(xs) + (x,),
    list_map=lambda f, *xs: tuple(map(f, *xs)), list_reduce=functools.reduce,
    hyper_map=hyper_map, hyper_add=lambda a, b: hyper_map(operator.add, a, b), gadd=lambda a, b: hyper_map(operator.add, a, b),
    zeros_like=lambda x: hyper_map(lambda v: v * 0, x), ones_like=lambda x: hyper_map(lambda v: v * 0 + 1, x), Jinv=lambda x: x,
)  # fmt: skip
