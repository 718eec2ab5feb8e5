"""Writes the reference answers of tests/programs: NAME.out beside each NAME.py.

    pip install mpmath numpy autograd jax
    python tests/oracle/generate.py               # every program
    python tests/oracle/generate.py NAME ...      # these
    python tests/oracle/generate.py --check       # write nothing, compare with what is stored
    python tests/oracle/generate.py FILE.py FUNC ARG ...   # print one answer, as `gradus grad` would

The answers are generated once and stored; running the tests needs no Python.

A value is what CPython gives for the file itself, with two differences that docs/language.md asks for: `math` functions give inf and
nan where CPython's raise, and a program marked `# result: float` has an int result turned into a float (where an int meets a
float).
A gradient is a central difference of the same file run on mpmath numbers of 300 digits with a step of 1e-50, so that its error,
even for derivatives nested four deep, is far below the last bit of a double. It shares nothing with the compiler: no derivative
is written down here, and a kink or a jump is noticed. `gradus.grad` inside of a program is a central difference too.

Header lines of a program (comments before the first other line):

    # entry: f               the function that is called
    # args: 2.0, 3           arguments as the command takes them; one answer per such line. A list of numbers is an array to the
                             command, a tuple is written {"t": "tuple", "v": [2.0, 3]}, a list {"t": "list", "v": [2.0, 3]},
                             a dict {"a": 2.0}, an instance of a class of the program {"t": "struct", "cls": "Point", "v": {"x": 2.0, "y": 3.0}},
                             a complex number {"t": "complex", "v": [1.0, 2.0]}
    # wrt: 0, 2              differentiate with respect to these (default: every argument that holds a float)
    # order: 2               store the second derivative too; `wrt` must leave one float argument (default: 1)
    # result: float          the result is a float even where CPython leaves an int
    # precision: single      arguments that are arrays of floats are of float32; answers are compared with that precision
    # closed: [3*x**2, None] the gradient in closed form, over the entry's parameters; checked against the stored answer
    # closed second: 6*x     the same for the second derivative
    # by-hand                the .out file is written by hand (kinks, poles, division by zero); its values are checked on NumPy's
                           floats, whose division does not raise, and its gradients against the closed forms; where the program has
                           handlers of exceptions, `math` is CPython's
    # by: jax                the answers are those of JAX, or of Autograd, which run the program as it is (tracers.py)
    # note: ...              what the program is there for

NAME.out holds one JSON object a line: `value`, `gradient` (one entry per argument, shaped like it, null where there is none; null
as a whole where the result is not one float), and `second` where the order is 2. Tuples are arrays, records and dicts are objects; inf and nan are strings.
"""

import builtins
import cmath
import contextlib
import dataclasses
import functools
import inspect
import json
import math
import statistics
import sys
import threading
import types
from pathlib import Path

import mpmath
import myia_names
import numpy
import solvers
import tracers
from mpmath import mp, mpc, mpf

PROGRAMS = Path(__file__).resolve().parent.parent / "programs"
sys.path.append(str(PROGRAMS))
TOLERANCE = 1e-13
SINGLE_TOLERANCE = 1e-5
mp.dps = 300
STEP = mpf(10) ** -50
NEGLIGIBLE = 1e-80  # what a difference leaves of a zero

# What mpmath's numbers lack of Python's number protocol.
mpf.__floordiv__ = lambda a, b: mpmath.floor(a / b)
mpf.__rfloordiv__ = lambda a, b: mpmath.floor(b / a)
mpf.__divmod__ = lambda a, b: (a // b, a % b)
mpf.__rdivmod__ = lambda a, b: (b // a, b % a)
mpf.copy = lambda a: a
mpf.__round__ = lambda a, digits=None: int(mpmath.nint(a)) if digits is None else mpf(round(float(a), digits))


# The modules a program may import -----------------------------------------------------------------------------------------------

PRECISE = {
    "sqrt": mpmath.sqrt, "cbrt": lambda x: mpmath.sign(x) * mpmath.cbrt(abs(x)), "hypot": lambda *xs: mpmath.sqrt(sum(x * x for x in xs)),
    "exp": mpmath.exp, "exp2": lambda x: mpf(2) ** x, "expm1": mpmath.expm1,
    "log": lambda x, *base: mpmath.log(x) / mpmath.log(*base) if base else mpmath.log(x),
    "log2": lambda x: mpmath.log(x) / mpmath.log(2), "log10": mpmath.log10, "log1p": mpmath.log1p,
    "sin": mpmath.sin, "cos": mpmath.cos, "tan": mpmath.tan,
    "asin": mpmath.asin, "acos": mpmath.acos, "atan": mpmath.atan, "atan2": mpmath.atan2,
    "sinh": mpmath.sinh, "cosh": mpmath.cosh, "tanh": mpmath.tanh,
    "asinh": mpmath.asinh, "acosh": mpmath.acosh, "atanh": mpmath.atanh,
    "erf": mpmath.erf, "erfc": mpmath.erfc, "gamma": mpmath.gamma, "pow": lambda x, y: x ** y, "fabs": abs,
    "degrees": lambda x: x * (180 / mpmath.pi), "radians": lambda x: x * (mpmath.pi / 180),
    "fmod": lambda x, y: x - y * truncate(x / y), "copysign": lambda x, y: abs(x) if y >= 0 else -abs(x),
    "fma": lambda x, y, z: x * y + z, "remainder": lambda x, y: x - y * mpmath.nint(x / y),
    "lgamma": lambda x: mpmath.log(abs(mpmath.gamma(x))),
    "modf": lambda x: (x - truncate(x), truncate(x)), "frexp": mpmath.frexp, "ldexp": lambda x, i: x * mpf(2) ** i,
    "floor": lambda x: int(mpmath.floor(x)), "ceil": lambda x: int(mpmath.ceil(x)), "trunc": lambda x: int(truncate(x)),
    "isnan": mpmath.isnan, "isinf": mpmath.isinf, "isfinite": mpmath.isfinite,
}  # fmt: skip


PRECISE_COMPLEX = {
    "phase": mpmath.arg, "log": lambda z, *base: mpmath.log(z, *base), "rect": lambda r, phi: r * mpmath.expj(phi),
    "polar": lambda z: (abs(z), mpmath.arg(z)),
}  # fmt: skip


class Box:
    """A mutable cell."""

    def __init__(self, value):
        self.value = value

    def get(self):
        return self.value

    def set(self, value):
        self.value = value



def truncate(x):
    return mpmath.floor(x) if x >= 0 else mpmath.ceil(x)


def conjugate(z):
    return z.conjugate()


def is_array(x):
    return isinstance(x, numpy.ndarray)


def is_precise(args):
    """Whether any is a number of mpmath's, or an array of them: an array of objects."""
    return any(isinstance(a, (mpf, mpc)) or is_array(a) and a.dtype == object for a in args)


def by_precision(precise, plain, total):
    """A function that computes with mpmath on mpmath's numbers and as CPython does on others; `total` where CPython raises."""

    @functools.wraps(plain)
    def function(*args):
        if is_precise(args):
            if any(map(is_array, args)):
                return numpy.frompyfunc(precise, len(args), 1)(*args)
            return precise(*args)
        try:
            result = plain(*args)
            if any(map(is_array, args)):
                return result
            return result.item() if isinstance(result, (numpy.ndarray, numpy.generic)) else result
        except (OverflowError, ValueError):
            return float(total(*args))

    return function


NUMPY_NAMES = {
    "asin": "arcsin", "acos": "arccos", "atan": "arctan", "atan2": "arctan2",
    "asinh": "arcsinh", "acosh": "arccosh", "atanh": "arctanh", "pow": "power", "remainder": "",
}  # fmt: skip


def math_module():
    module = types.ModuleType("math")
    for name in dir(math):
        value = getattr(math, name)
        if callable(value) and name in PRECISE:
            total = getattr(numpy, NUMPY_NAMES.get(name, name), value)
            value = by_precision(PRECISE[name], value, total)
        setattr(module, name, value)
    module.dist = lambda p, q: PRECISE["hypot"](*(a - b for a, b in zip(p, q))) if is_precise([*p, *q]) else math.dist(p, q)
    module.fsum = lambda xs: sum(xs) if is_precise(xs) else math.fsum(xs)
    if not hasattr(math, "fma"):  # CPython 3.13 has it
        rounded_once = lambda x, y, z: float(mpf(x) * mpf(y) + mpf(z))
        module.fma = by_precision(PRECISE["fma"], rounded_once, rounded_once)
    return module


def statistics_module():
    """CPython's sums of exact fractions cannot take mpmath's numbers."""
    module = types.ModuleType("statistics")
    vars(module).update(vars(statistics))
    mean = lambda xs: sum(xs) / len(xs)
    squares = lambda xs, center=None: sum((x - (mean(xs) if center is None else center)) ** 2 for x in xs)
    precise = {
        "mean": mean, "fmean": mean,
        "pvariance": lambda xs, mu=None: squares(xs, mu) / len(xs), "variance": lambda xs, xbar=None: squares(xs, xbar) / (len(xs) - 1),
        "pstdev": lambda xs, mu=None: mpmath.sqrt(squares(xs, mu) / len(xs)),
        "stdev": lambda xs, xbar=None: mpmath.sqrt(squares(xs, xbar) / (len(xs) - 1)),
    }  # fmt: skip
    for name, function in precise.items():
        plain = getattr(statistics, name)
        setattr(module, name, lambda xs, *rest, f=function, plain=plain: (f if is_precise(xs) else plain)(xs, *rest))
    return module


def functools_module():
    module = types.ModuleType("functools")
    vars(module).update(vars(functools))
    # What was computed of a float is not the answer for the number of mpmath's that is equal to it.
    cache = lambda f: functools.lru_cache(None, typed=True)(f)
    module.cache = cache
    module.lru_cache = lambda f=None, **kwargs: cache(f) if callable(f) else cache
    return module


def cmath_module():
    module = types.ModuleType("cmath")
    for name in dir(cmath):
        value = getattr(cmath, name)
        if callable(value):
            value = by_precision(PRECISE_COMPLEX.get(name, getattr(mpmath, name, None)), value, value)
        setattr(module, name, value)
    return module


class ComplexType(type):
    """The type of `Complex`."""

    def __instancecheck__(cls, x):
        return isinstance(x, (complex, mpc))

    def __call__(cls, real=0.0, imag=0.0):
        return mpc(real) + mpc(0, 1) * imag if is_precise([real, imag]) else complex(real, imag)


class Complex(metaclass=ComplexType):
    """Python's `complex`, of which mpmath's numbers are too."""


def numpy_module():
    precise = dict(PRECISE)
    precise.update((long, PRECISE[short]) for short, long in NUMPY_NAMES.items())
    for name in ("floor", "ceil", "trunc"):
        precise[name] = lambda x, f=PRECISE[name]: mpf(f(x))
    precise.update(
        abs=abs, sign=mpmath.sign, square=lambda x: x * x, negative=lambda x: -x, reciprocal=lambda x: 1 / x,
        maximum=lambda a, b: a if a > b else b, minimum=lambda a, b: a if a < b else b,
        where=lambda c, a, b: a if c else b, power=lambda a, b: a ** b,
    )  # fmt: skip
    module = types.ModuleType("numpy")
    precise.update(real=lambda z: z.real, imag=lambda z: z.imag, conj=conjugate, conjugate=conjugate, angle=mpmath.arg)
    module.pi, module.e, module.inf, module.nan = math.pi, math.e, math.inf, math.nan
    module.newaxis = None
    for name in ARRAYS:
        setattr(module, name, getattr(numpy, name))
    # New arrays hold numbers of the precision that the program is run with.
    for name in ("zeros", "ones", "eye", "full", "linspace"):
        setattr(module, name, new_array(getattr(numpy, name)))
    module.array = lambda x: numpy.array(x, dtype=object) if has_float(x) and MODE["precise"] else numpy.array(x)
    for name, function in precise.items():
        if hasattr(numpy, name):
            setattr(module, name, by_precision(function, getattr(numpy, name), getattr(numpy, name)))
    module.random = random_module()
    # A type of elements as the program names it.
    module.__getattr__ = lambda name: object if MODE["precise"] and name in DTYPES else getattr(numpy, name)
    return module


class Random:
    """A generator of NumPy's, which gives mpmath's numbers where the program is run with these."""

    def __init__(self, of):
        self.of = of

    def __getattr__(self, name):
        draw = getattr(self.of, name)

        def drawn(*args, **kwargs):
            x = draw(*args, **kwargs)
            return precise(x) if MODE["precise"] else x

        return drawn

    def moved(self, name, standard, parameters, loc, scale, size):
        """What NumPy makes of a standard draw, of which it takes no numbers of mpmath's."""
        if not is_precise([loc, scale]):
            return self.__getattr__(name)(*parameters, size)
        shape = numpy.broadcast_shapes(numpy.shape(loc), numpy.shape(scale)) if size is None else size
        return loc + scale * precise(getattr(self.of, standard)(None if shape == () else shape))

    def normal(self, loc=0.0, scale=1.0, size=None):
        return self.moved("normal", "standard_normal", (loc, scale), loc, scale, size)

    def uniform(self, low=0.0, high=1.0, size=None):
        return self.moved("uniform", "random", (low, high), low, high - low, size)

    def exponential(self, scale=1.0, size=None):
        return self.moved("exponential", "standard_exponential", (scale,), 0.0, scale, size)


def random_module():
    module = types.ModuleType("numpy.random")
    module.__getattr__ = lambda name: getattr(numpy.random, name)
    plain = lambda x: x.of if isinstance(x, Random) else x
    for name in ("default_rng", "Generator", "RandomState"):
        setattr(module, name, lambda *args, of=getattr(numpy.random, name): Random(of(*map(plain, args))))
    return module


DTYPES = ("float32", "float64")


# Functions of NumPy that work on arrays of mpmath's numbers as they do on others.
ARRAYS = [
    "arange", "argmax", "argmin", "argsort", "broadcast_to", "concatenate", "cumsum", "diag", "dot", "einsum", "expand_dims",
    "flip", "full_like", "inner", "matmul", "max", "mean", "min", "moveaxis", "ones_like", "outer", "prod", "ravel", "repeat",
    "reshape", "roll", "sort", "squeeze", "stack", "sum", "swapaxes", "tensordot", "tile", "trace", "transpose", "tril", "triu",
    "vstack", "hstack", "zeros_like",
]  # fmt: skip

MODE = {"precise": False}


def new_array(plain):
    def made(*args, **kwargs):
        array = plain(*args, **kwargs)
        return precise_array(array) if MODE["precise"] else array

    return made


def precise_array(x):
    return numpy.vectorize(mpf, otypes=[object])(x) if x.size else x.astype(object)


class FloatType(type):
    """The type of `Float`."""

    def __instancecheck__(cls, x):
        return isinstance(x, (float, mpf))

    def __call__(cls, x=0.0):
        return x if isinstance(x, mpf) else float(x)


class Float(metaclass=FloatType):
    """Python's `float`, of which mpmath's numbers are too."""


def is_record(x):
    """Whether x is an instance of a class of the program, a dict, or a function that captures floats."""
    if isinstance(x, (dict, types.SimpleNamespace)) or is_function(x) and any(map(has_float, fields(x).values())):
        return True
    return hasattr(x, "_fields") or dataclasses.is_dataclass(x) and not isinstance(x, type)


def is_function(x):
    return isinstance(x, (types.FunctionType, types.MethodType, functools.partial))


def cells(f):
    """What a function captures, and the defaults that are no constants of its code, by name; but itself."""
    captured = {n: c.cell_contents for n, c in zip(f.__code__.co_freevars, f.__closure__ or ()) if c.cell_contents is not f}
    names = f.__code__.co_varnames[: f.__code__.co_argcount]
    defaults = f.__defaults__ or ()
    return captured | dict(zip(names[len(names) - len(defaults) :], defaults))


def rebuilt(f, values):
    """A function with other values for what it captures."""
    if isinstance(f, functools.partial):
        return functools.partial(values["func"], *values["args"], **values["keywords"])
    if isinstance(f, types.MethodType):
        return types.MethodType(values["__func__"], values["__self__"])
    names = f.__code__.co_freevars
    held = tuple(types.CellType(values[name]) if name in values else types.CellType() for name in names)
    defaults = cells(f).keys() - set(names)
    own = tuple(values[name] for name in f.__code__.co_varnames[: f.__code__.co_argcount] if name in defaults)
    made = types.FunctionType(f.__code__, f.__globals__, f.__name__, own, held)
    for name, cell in zip(names, held):
        if name not in values:
            cell.cell_contents = made
    return made


def shaped(x, values):
    """A cotangent of a record: that of a function is the record of what it captures."""
    return types.SimpleNamespace(**values) if is_function(x) else alike(x, values)


def fields(x):
    """The names and values of a record's fields."""
    if isinstance(x, dict):
        return x
    if isinstance(x, types.SimpleNamespace):
        return vars(x)
    if isinstance(x, functools.partial):
        return {"func": x.func, "args": x.args, "keywords": x.keywords}
    if isinstance(x, types.MethodType):
        return {"__self__": x.__self__, "__func__": x.__func__}
    if is_function(x):
        return cells(x)
    names = x._fields if hasattr(x, "_fields") else [f.name for f in dataclasses.fields(x)]
    return {name: getattr(x, name) for name in names}


def alike(x, values):
    """A record like x with other values in its fields."""
    if is_function(x):
        return rebuilt(x, values)
    return values if isinstance(x, dict) else type(x)(**values)


def has_float(x):
    if is_record(x):
        return any(map(has_float, fields(x).values()))
    if isinstance(x, (tuple, list)):
        return any(map(has_float, x))
    if is_array(x):
        return x.dtype.kind in "fO"
    return isinstance(x, (float, mpf, complex, mpc))


def difference(f, x):
    """The derivative of f, from what x is to numbers, shaped like x: None where x holds no float."""
    if is_record(x):
        parts = fields(x)
        at = lambda name: lambda v: f(alike(x, {**parts, name: v}))
        return shaped(x, {name: difference(at(name), part) for name, part in parts.items()})
    if isinstance(x, (tuple, list)):
        of = type(x)
        replace = lambda i: lambda v: f(x[:i] + of((v,)) + x[i + 1 :])
        return of(difference(replace(i), x[i]) for i in range(len(x)))
    if not has_float(x):
        return None
    if is_array(x):
        x = precise(x)

        def replace(place):
            def varied(v):
                changed = x.copy()
                changed[place] = v
                return f(changed)

            return varied

        gradient = numpy.empty(x.shape, dtype=object)
        for place in numpy.ndindex(x.shape):
            gradient[place] = difference(replace(place), x[place])
        return gradient
    if isinstance(x, (complex, mpc)):
        # The direction of steepest ascent.
        x = mpc(x)
        return mpc(difference(lambda re: f(mpc(re, x.imag)), x.real), difference(lambda im: f(mpc(x.real, im)), x.imag))
    x = mpf(x)
    above, here, below = f(x + STEP), f(x), f(x - STEP)
    derivative = (above - below) / (2 * STEP)
    if abs(above - 2 * here + below) / STEP > mpf(10) ** -20 * (1 + abs(derivative)):
        raise AssertionError(f"a kink or a jump at {mpmath.nstr(x, 17)}: write the answer by hand")
    return derivative


def differentiable(x):
    """An argument in which a derivative is asked for: of an int the float."""
    return (mpf if MODE["precise"] else float)(x) if type(x) is int else x


def value_and_grad(f, wrt=0, *names, argnums=None, has_aux=False, allow_int=False):
    signature = inspect.signature(f)
    wrt = (wrt, *names) if names else wrt if argnums is None else argnums

    @functools.wraps(f)
    def derivative(*args, **kwargs):
        bound = signature.bind(*args, **kwargs)
        bound.apply_defaults()
        names = list(bound.arguments)
        chosen = [i if isinstance(i, str) else names[i] for i in (wrt if isinstance(wrt, tuple) else (wrt,))]
        for name in chosen:
            bound.arguments[name] = differentiable(bound.arguments[name])

        def one(name):
            if not has_float(bound.arguments[name]):
                raise TypeError(f"no derivative with respect to {name}: it holds no float")

            def varied(x):
                changed = inspect.BoundArguments(signature, {**bound.arguments, name: x})
                value = f(*changed.args, **changed.kwargs)
                return value[0] if has_aux else value

            return difference(varied, bound.arguments[name])

        value = f(*bound.args, **bound.kwargs)
        gradients = tuple(map(one, chosen))
        return value, gradients if isinstance(wrt, tuple) else gradients[0]

    return derivative


def grad(f, wrt=0, *names, argnums=None, has_aux=False, allow_int=False):
    both = value_and_grad(f, wrt, *names, argnums=argnums, has_aux=has_aux)

    @functools.wraps(f)
    def derivative(*args, **kwargs):
        value, gradient = both(*args, **kwargs)
        return (gradient, value[1]) if has_aux else gradient

    return derivative


# The toolbox, by differences: what each function is for, and nothing of how a compiler does it. A rule for a derivative is not
# looked at, so a program whose rules are wrong on purpose has its answers written by hand.


def plus(a, t):
    """a + t, of what t says the change is: None for none."""
    if t is None:
        return a
    if is_record(a):
        return alike(a, {name: plus(part, fields(t)[name]) for name, part in fields(a).items()})
    if isinstance(a, (tuple, list)):
        return type(a)(map(plus, a, t))
    return a + t


def scaled(h, t):
    if is_record(t):
        return alike(t, {name: scaled(h, part) for name, part in fields(t).items()})
    if isinstance(t, (tuple, list)):
        return type(t)(scaled(h, part) for part in t)
    return None if t is None else t * h


def slope(at, base):
    """The derivative at 0 of `at`, from a number to floats as in `base`, which is its value there."""
    if is_record(base):
        part = lambda name: slope(lambda h: fields(at(h))[name], fields(base)[name])
        return shaped(base, {name: part(name) for name in fields(base)})
    if isinstance(base, (tuple, list)):
        return type(base)(slope(lambda h, i=i: at(h)[i], base[i]) for i in range(len(base)))
    if not has_float(base):
        return None
    above, below = at(STEP), at(-STEP)
    return (above - below) / (2 * STEP)


def jvp(f, args, tangents):
    args = [a if t is None else differentiable(a) for a, t in zip(precise(args), tangents)]
    at = lambda h: f(*map(plus, args, scaled(h, tangents)))
    y = at(mpf(0))
    return y, slope(at, y)


def inner(a, b):
    """The product of a cotangent and a value; of what has none, zero."""
    if is_record(b):
        return inner(tuple(fields(a).values()), tuple(fields(b).values()))
    if isinstance(b, (tuple, list)):
        return sum((inner(x, y) for x, y in zip(a, b)), mpf(0))
    if a is None or not has_float(b):
        return mpf(0)
    if isinstance(b, (complex, mpc)):
        return a.real * b.real + a.imag * b.imag
    return numpy.sum(a * b) if is_array(b) else a * b


def vjp(f, *args, has_aux=False):
    value = (lambda *args: f(*args)[0]) if has_aux else f

    def pullback(cotangent):
        one = lambda i: difference(lambda x: inner(cotangent, value(*args[:i], x, *args[i + 1 :])), args[i])
        return tuple(one(i) for i in range(len(args)))

    return (value(*args), pullback, f(*args)[1]) if has_aux else (f(*args), pullback)


def linearize(f, *args):
    return f(*args), lambda *tangents: jvp(f, args, tangents)[1]


def hvp(f, x, v):
    return jvp(lambda x: vjp(f, x)[1](mpf(1))[0], (differentiable(x),), (v,))[1]


def compressed(part, rows, columns):
    """The entries of a part of a Jacobian that are not zero, in compressed rows, where the compiler may have more of them."""
    if isinstance(part, tuple):
        rows = rows if isinstance(rows, tuple) else (rows,) * len(part)
        columns = columns if isinstance(columns, tuple) else (columns,) * len(part)
        return tuple(map(compressed, part, rows, columns))
    matrix = numpy.array(part, dtype=object).reshape(numpy.size(rows), numpy.size(columns))
    places = [[k for k, v in enumerate(row) if v != 0] for row in matrix]
    data = numpy.array([v for row in matrix for v in row if v != 0], dtype=object)
    return data, numpy.array(sum(places, []), dtype=int), numpy.cumsum([0] + [len(row) for row in places])


def jacobian(f, argnums=0, has_aux=False, sparse=False, allow_int=False):
    if sparse:
        of_arguments = lambda args: tuple(args[i] for i in argnums) if isinstance(argnums, tuple) else args[argnums]
        dense = jacobian(f, argnums)
        return lambda *args: compressed(dense(*args), f(*args), of_arguments(args))
    if has_aux:
        first = jacobian(lambda *args: f(*args)[0], argnums)
        return lambda *args: (first(*args), f(*args)[1])

    def at(y, of, x):
        if isinstance(y, tuple):
            return tuple(at(y[i], lambda x, i=i: of(x)[i], x) for i in range(len(y)))
        if is_record(y):
            return shaped(y, {name: at(part, lambda x, n=name: fields(of(x))[n], x) for name, part in fields(y).items()})
        if not is_array(y):
            return difference(of, x)
        places = [difference(lambda x, p=place: of(x)[p], x) for place in numpy.ndindex(y.shape)]
        stack = lambda parts: (
            tuple(map(stack, zip(*parts))) if isinstance(parts[0], tuple)
            else numpy.array(parts, dtype=object).reshape(y.shape + numpy.shape(parts[0]))
        )  # fmt: skip
        return stack(places)

    def jacobian_of(*args):
        chosen = [range(len(args))[i] for i in (argnums if isinstance(argnums, tuple) else (argnums,))]
        args = [differentiable(a) if i in chosen else a for i, a in enumerate(precise(args))]
        one = lambda i: at(f(*args), lambda x: f(*args[:i], x, *args[i + 1 :]), args[i])
        if not isinstance(argnums, tuple):
            return one(argnums)
        beside = lambda y, parts: (
            tuple(beside(y[i], [p[i] for p in parts]) for i in range(len(y))) if isinstance(y, tuple) else tuple(parts)
        )  # fmt: skip
        return beside(f(*args), [one(i) for i in argnums])

    return jacobian_of


def hessian(f, argnums=0, has_aux=False, sparse=False, allow_int=False):
    return jacobian(jacobian(f, argnums, has_aux), argnums, has_aux, sparse)


def stop_gradient(x):
    """Without what a difference adds, which is far smaller."""
    if isinstance(x, tuple):
        return tuple(map(stop_gradient, x))
    if is_array(x):
        return numpy.vectorize(stop_gradient, otypes=[x.dtype])(x)
    if not isinstance(x, mpf):
        return x
    with mpmath.workdps(35):
        return +x


def checkpoint_loop(body, n, state, slots):
    for i in range(n):
        state = body(i, state)
    return state


def fixed_point(f, x0, *params, tol=1e-12):
    x = precise(x0) if MODE["precise"] else x0
    tol = mpf(10) ** -250 if MODE["precise"] else tol
    while True:
        x, before = f(x, *params), x
        if farthest(x, before) <= tol:
            return x


def farthest(x, y):
    """The largest difference of the numbers in two values of one shape."""
    if is_record(x):
        return max(farthest(part, fields(y)[name]) for name, part in fields(x).items())
    return numpy.max(abs(numpy.array(x) - numpy.array(y)))


def vmap(f, in_axes=0, out_axes=0):
    def mapped(*args):
        axes = in_axes if isinstance(in_axes, tuple) else (in_axes,) * len(args)
        row = lambda x, axis, k: x if axis is None else numpy.moveaxis(x, axis, 0)[k]
        n = next(x.shape[a] for x, a in zip(args, axes) if a is not None)
        rows = [f(*(row(x, a, k) for x, a in zip(args, axes))) for k in range(n)]

        def stack(rows, axis):
            if not isinstance(rows[0], tuple):
                return numpy.moveaxis(numpy.array(rows), 0, axis)
            axes = axis if isinstance(axis, tuple) else (axis,) * len(rows[0])
            return tuple(map(stack, zip(*rows), axes))

        return stack(rows, out_axes)

    return mapped


def taylor(f, x, order, direction=None):
    """The value and the derivatives up to an order, each by differences of the one before."""
    g, at = (f, differentiable(x)) if direction is None else (lambda t: f(x + t * direction), 0.0)
    found = [g(at)]
    for _ in range(order):
        g = grad(g)
        found.append(g(at))
    return tuple(found)


TOOLBOX = {
    "jvp": jvp, "vjp": vjp, "linearize": linearize, "hvp": hvp,
    "jacfwd": jacobian, "jacrev": jacobian, "hessian": hessian,
    "stop_gradient": stop_gradient, "checkpoint": lambda f: f, "checkpoint_loop": checkpoint_loop,
    "custom_vjp": lambda rule: lambda f: f, "custom_jvp": lambda rule: lambda f: f,
    "hook": lambda f, x: x, "nestlevel": lambda: 0, "forwarddiff": lambda f, x: f(x),
    "fixed_point": fixed_point, "vmap": vmap, "taylor": taylor,
}  # fmt: skip


def load(text, name):
    """The globals of a program, run with the modules above in place of CPython's. One that handles what `math` raises has CPython's."""
    gradus = types.ModuleType("gradus")
    gradus.grad, gradus.value_and_grad = grad, value_and_grad
    vars(gradus).update(TOOLBOX)
    gradus.Box = Box
    scope = {
        "__name__": name,
        "float": Float,
        "complex": Complex,
        "pow": lambda a, b, *modulus: pow(a, b, *modulus) if modulus else a**b,
    }
    replaced = {"math": math if "except" in text and "by-hand" in text else math_module(), "cmath": cmath_module(), "functools": functools_module(), "statistics": statistics_module(), "numpy": numpy_module(), "gradus": gradus}
    replaced["numpy.random"] = replaced["numpy"].random
    replaced[name] = types.ModuleType(name)  # where dataclasses look up what annotations in quotes mention
    replaced |= solvers.load(MODE)
    replaced |= myia_names.modules(replaced["math"], grad, value_and_grad, vjp)
    kept = {key: sys.modules.get(key) for key in replaced}
    sys.modules.update(replaced)
    # The modules of programs have those above, so each load runs them anew.
    for key in [k for k, m in sys.modules.items() if str(getattr(m, "__file__", "")).startswith(f"{PROGRAMS}/")]:
        del sys.modules[key]
    try:
        exec(compile(text, name, "exec"), scope)
    finally:
        for key, module in kept.items():
            sys.modules.pop(key) if module is None else sys.modules.__setitem__(key, module)
    return scope


# Answers ------------------------------------------------------------------------------------------------------------------------


def from_json(text, scope=None):
    """Arguments; classes are those of `scope`, the globals of the program."""

    def value(x):
        if isinstance(x, dict) and x.get("t") == "complex":
            return complex(*x["v"])
        if isinstance(x, dict) and x.get("t") == "tuple":
            return tuple(map(value, x["v"]))
        if isinstance(x, dict) and x.get("t") == "list":
            return list(map(value, x["v"]))
        if isinstance(x, dict) and x.get("t") == "struct":
            return scope[x["cls"]](**value(x["v"]))
        if isinstance(x, dict):
            return {name: value(part) for name, part in x.items()}
        if not isinstance(x, list):
            return x
        try:
            array = numpy.array(x)
        except ValueError:
            array = None
        # Nested lists of numbers, all of one length in each depth.
        return array if array is not None and array.dtype.kind in "if" and x else tuple(map(value, x))

    return tuple(map(value, json.loads(f"[{text}]")))


def single(x):
    if isinstance(x, tuple):
        return tuple(map(single, x))
    return x.astype(numpy.float32) if is_array(x) and x.dtype.kind == "f" else x


def to_json(x):
    """As JSON data: tuples are arrays, every kind of float a float without negative zero, inf and nan strings."""
    if is_record(x):
        return {name: to_json(part) for name, part in fields(x).items()}
    if isinstance(x, (tuple, list)):
        return [to_json(item) for item in x]
    if is_array(x):
        return to_json(x.tolist())
    if x is None or isinstance(x, (bool, int, str)):
        return x
    if isinstance(x, (numpy.bool_, numpy.integer)):
        return x.item()
    if isinstance(x, (complex, mpc)):
        return {"real": to_json(x.real), "imag": to_json(x.imag)}
    x = float(x)
    if math.isnan(x):
        return "nan"
    if math.isinf(x):
        return "inf" if x > 0 else "-inf"
    return 0.0 if abs(x) < NEGLIGIBLE else x


def precise(x):
    if is_record(x):
        return alike(x, {name: precise(part) for name, part in fields(x).items()})
    if isinstance(x, (tuple, list)):
        return type(x)(map(precise, x))
    if is_array(x):
        return precise_array(x.astype(float)) if x.dtype.kind == "f" else x
    return mpf(x) if isinstance(x, float) else mpc(x) if isinstance(x, complex) else x


def close(a, b, tolerance=TOLERANCE):
    """Whether the two agree in shape, and in every number to the tolerance."""
    if isinstance(a, dict) and isinstance(b, dict):
        return a.keys() == b.keys() and all(close(a[key], b[key], tolerance) for key in a)
    if isinstance(a, (list, tuple)) and isinstance(b, (list, tuple)):
        return len(a) == len(b) and all(close(x, y, tolerance) for x, y in zip(a, b))
    if any(x is None or isinstance(x, str) for x in (a, b)):
        return a == b
    return abs(a - b) <= tolerance * max(1.0, abs(a), abs(b))


def answer(f, args, wrt=None, order=1, as_float=False, tolerance=TOLERANCE):
    function = f
    # A program may write to its arguments.
    f = lambda *args: function(*(a.copy() if is_array(a) else a for a in args))
    MODE["precise"] = False
    value = f(*args)
    if isinstance(value, numpy.float32):
        value = float(value)
    if as_float and isinstance(value, int):
        value = float(value)
    result = {"value": to_json(value), "gradient": None}
    if not isinstance(value, (float, mpf)):
        return result

    args = precise(args)
    MODE["precise"] = True
    if not close(result["value"], to_json(f(*args)), tolerance):
        raise AssertionError(f"the value is {result['value']}, but {f(*args)} in high precision: another path was taken")
    wrt = [i for i in range(len(args)) if has_float(args[i])] if wrt is None else wrt
    vary = lambda i: lambda x: f(*args[:i], x, *args[i + 1 :])
    result["gradient"] = [to_json(difference(vary(i), args[i])) if i in wrt else None for i in range(len(args))]
    if order == 2:
        (i,) = wrt
        at = vary(i)
        second = (at(args[i] + STEP) - 2 * at(args[i]) + at(args[i] - STEP)) / STEP**2
        result["second"] = to_json(second)
    return result


class Program:
    def __init__(self, path):
        self.path = path
        self.text = path.read_text()
        self.scope = load(self.text, path.stem)
        self.args, self.entry, self.wrt, self.order = [], None, None, 1
        self.by_hand = self.as_float = self.is_single = False
        self.closed = self.closed_second = None
        for line in self.text.splitlines():
            if not line.startswith("#"):
                break
            key, _, rest = (part.strip() for part in line[1:].partition(":"))
            match key:
                case "entry":
                    self.entry = rest
                case "args":
                    self.args.append(from_json(rest, self.scope))
                case "wrt":
                    self.wrt = [int(i) for i in rest.split(",")]
                case "order":
                    self.order = int(rest)
                case "result":
                    self.as_float = rest == "float"
                case "precision":
                    self.is_single = rest == "single"
                case "closed":
                    self.closed = rest
                case "closed second":
                    self.closed_second = rest
                case "by-hand":
                    self.by_hand = True
                case "note":
                    pass
                case _:
                    raise ValueError(f"{path.name}: unknown header '{key}'")
        if not self.entry or not self.args:
            raise ValueError(f"{path.name}: no entry or no arguments")

    def answers(self):
        if self.by_hand:
            return [json.loads(line) for line in self.path.with_suffix(".out").read_text().splitlines()]
        f = self.scope[self.entry]
        tolerance = SINGLE_TOLERANCE if self.is_single else TOLERANCE
        args = [single(args) for args in self.args] if self.is_single else self.args
        return [answer(f, args, self.wrt, self.order, self.as_float, tolerance) for args in args]

    def check(self, answers):
        f = self.scope[self.entry]
        for args, found in zip(self.args, answers, strict=True):
            if self.by_hand:
                value = to_json(f(*(numpy.float64(a) if isinstance(a, float) else a for a in args)))
                if not close(value, found["value"]):
                    raise AssertionError(f"{self.path.name}{args}: the value is {found['value']}, by CPython {value}")
            bound = inspect.signature(f).bind(*args)
            bound.apply_defaults()
            scope = {**vars(math), **bound.arguments}
            for text, key in [(self.closed, "gradient"), (self.closed_second, "second")]:
                if text is None:
                    continue
                expected = to_json(eval(text, scope))
                if not close(expected, found[key]):
                    raise AssertionError(f"{self.path.name}{args}: {key} is {found[key]}, in closed form {expected}")


def main(arguments):
    numpy.seterr(all="ignore")
    if arguments and arguments[0].endswith(".py"):
        path, function, *args = arguments
        scope = load(Path(path).read_text(), path)
        print(json.dumps(answer(scope[function], from_json(",".join(args), scope))))
        return 0
    check = "--check" in arguments
    names = [a for a in arguments if a != "--check"]
    failed = 0
    for path in sorted(PROGRAMS.glob("*.py")):
        if names and path.stem not in names:
            continue
        try:
            with contextlib.redirect_stdout(None):  # what programs print
                is_traced = tracers.system(path) is not None
                program = None if is_traced else Program(path)
                answers = tracers.answers(path) if is_traced else program.answers()
                if not is_traced:
                    program.check(answers)
            text = "".join(json.dumps(line) + "\n" for line in answers)
            out = path.with_suffix(".out")
            by_hand = not is_traced and program.by_hand
            if check and out.read_text() != text and not by_hand:
                raise AssertionError(f"{out.name} is not what is generated")
            if not check and not by_hand:
                out.write_text(text)
        except Exception as error:
            failed += 1
            print(f"{path.name}: {type(error).__name__}: {error}", file=sys.stderr)
    if failed:
        print(f"{failed} programs failed", file=sys.stderr)
    return failed


if __name__ == "__main__":
    sys.setrecursionlimit(1_000_000)
    threading.stack_size(512 << 20)
    outcome = []
    thread = threading.Thread(target=lambda: outcome.append(main(sys.argv[1:])))
    thread.start()
    thread.join()
    sys.exit(0 if outcome == [0] else 1)
