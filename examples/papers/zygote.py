# Examples of Zygote's documentation (FluxML/Zygote.jl, docs/src, and the notebooks "Differentiation for Hackers" that it refers to), as
# programs for Gradus. The rows of docs/papers.md run them.

from cmath import log as clog
from cmath import sin as csin
from dataclasses import dataclass
from math import atan2, cos, log, pi, sin, sqrt, tan

import numpy as np

from gradus import (
    checkpoint,
    custom_vjp,
    forwarddiff,
    grad,
    hessian,
    hook,
    jacfwd,
    jacrev,
    jvp,
    nestlevel,
    stop_gradient,
    value_and_grad,
    vjp,
)


# README


def line(x):
    return 5 * x + 3


def slope(x):
    return grad(line)(x)


# A table of functions, of which the argument names one.
def by_name(name, x):
    functions = {"sin": sin, "cos": cos, "tan": tan}
    return grad(lambda x: functions[name](x))(x)


# A gradient of the user's own.
@custom_vjp(lambda y, a, b: lambda dy: (dy, dy))
def add(a, b):
    return a + b


def added(a, b):
    return add(a, b)


def plainly_added(a, b):
    return a + b


# A model is a record of its parameters, and an argument.
def predict(model, x):
    return model["W"] @ x + model["b"]


def predicted(model):
    return sum(predict(model, np.array([1.0, 2.0, 3.0])))


# Taking gradients


def quadratic(x):
    return 3 * x**2 + 2 * x + 1


def product(a, b):
    return a * b


def product3(a, b, c):
    return a * b * c


def sum_of_product(W, x):
    return np.sum(W @ x)


def pow(x, n):
    r = 1
    for i in range(n):
        r *= x
    return r


def pow2(x, n):
    return 1 if n <= 0 else x * pow2(x, n - 1)


# A name that the run reads.
def asked(x):
    return by_name(input(), x)


# A dict that lives outside of the function, which writes to it.
def through_a_dict(x):
    d = {"x": 0.0}

    def f(x):
        d["x"] = x
        return d["x"] * d["x"]

    return grad(f)(x), d["x"]


def sum_of_squares(x):
    return np.sum(abs(x) ** 2)


def sizes(x, y, axis):
    p = x.shape[axis]
    return np.sum(x**p + y)


def array_result(x):
    return 2 * x


# Structs


@dataclass(frozen=True)
class Point:
    x: float
    y: float

    def __add__(self, other):
        return Point(self.x + other.x, self.y + other.y)

    def __sub__(self, other):
        return Point(self.x - other.x, self.y - other.y)


def dist(p):
    return sqrt(p.x**2 + p.y**2)


def dist_of_sum(a, b):
    return dist(a + b)


# Differentiating models


def linear(theta, x):
    return theta["W"] @ x + theta["b"]


def loss(theta, x):
    return np.sum(linear(theta, x))


@dataclass(frozen=True)
class Linear:
    W: np.ndarray
    b: np.ndarray

    def __call__(self, x):
        return self.W @ x + self.b


def of_layer(model, x):
    return np.sum(model(x))


# Pullbacks


def pullback_of_sin(x):
    y, back = vjp(sin, x)
    return y, back(1.0)


# The pullback of sin as one writes it by hand.
def dsin(x):
    return sin(x), lambda dy: (dy * cos(x),)


def gradsin(x):
    _, back = dsin(x)
    return back(1.0)


def mygradient(f, *x):
    _, back = vjp(f, *x)
    return back(1.0)


def of_sin(x):
    return mygradient(sin, x)


# One pullback, called twice with other seeds.
def pullback_twice(a, b, c):
    y, back = vjp(product3, a, b, c)
    return y, back(1.0), back(2.0)


def twice(x):
    return [x, x]


def pullback_of_pair(x):
    _, back = vjp(twice, x)
    return back([1.0, 1.0]), back([2.0, None])


# The seed of an array result is an array.
def pullback_of_array(x, seed):
    y, back = vjp(lambda x: x * 3, x)
    return y, back(seed)


# A pullback multiplies the Jacobian from the left.
def left_product(x, v):
    def f(x):
        return np.array([x[0] * x[1], cos(x[0])])

    return vjp(f, x)[1](v)[0], v @ jacfwd(f)(x)


# Custom adjoints


@custom_vjp(lambda y, a, b: lambda dc: (dc * b, dc * a))
def mul(a, b):
    return a * b


def multiplied(a, b):
    return mul(a, b)


def first_field(p):
    return p.x


# Getters whose rules give a point, not a record of fields.
@custom_vjp(lambda y, p: lambda dx: (Point(dx, 0.0),))
def width(p):
    return p.x


@custom_vjp(lambda y, p: lambda dy: (Point(0.0, dy),))
def height(p):
    return p.y


def high(p):
    return height(p)


def dist_by_getters(p):
    return sqrt(width(p) ** 2 + height(p) ** 2)


# Gradient hooks


# The hook of the page, by a rule.
def my_hook(f, x):
    return custom_vjp(lambda y, x: lambda dx: (f(dx),))(lambda x: x)(x)


def my_negated(a, b):
    return my_hook(lambda c: -c, a) * b


def negated(a, b):
    return hook(lambda c: -c, a) * b


def shown(c):
    print("gradient of a:", c)
    return c


def showing(a, b):
    return hook(shown, a) * b


def clipped(a, b):
    return hook(lambda c: min(max(c, -1.0), 1.0), a) * b


# What is shown is the share of this use, not the gradient of the variable.
def shown_once(a):
    return hook(shown, a) * a


def shown_never(a, b):
    unused = hook(shown, a)
    return a * b


# Checkpoints


def checkpointed_sin(x):
    return checkpoint(sin)(x)


# A checkpoint by a rule that takes the pullback again.
def my_checkpoint(f, x):
    return custom_vjp(lambda y, x: lambda dy: vjp(f, x)[1](dy))(f)(x)


def my_checkpointed(x):
    return my_checkpoint(sin, x)


def noisy_sin(x):
    print(x)
    return sin(x)


def noisy(x):
    return checkpoint(noisy_sin)(x)


# Reflection


def levels(x):
    print(nestlevel(), "levels of nesting")
    return x


def nest0(x):
    return levels(x)


def nest1(x):
    return grad(levels)(x)


def nest2(x):
    return grad(lambda x: x * grad(levels)(x))(x)


def isderiving(x):
    return x * (1.0 if nestlevel() > 0 else 0.0)


# Complex numbers


def abs2(z):
    return z.real**2 + z.imag**2


def real_log(z):
    return clog(z).real


# The derivative of log from the gradient of its real part, then of its imaginary part.
def log_by_parts(x, y):
    z = complex(x, y)
    return grad(lambda z: clog(z).real)(z).conjugate(), (-1j * grad(lambda z: clog(z).imag)(z)).conjugate()


# The same of log(conj(z)), which is not holomorphic: the two differ.
def conj_log_by_parts(x, y):
    z = complex(x, y)
    f = lambda z: clog(z.conjugate())
    return grad(lambda z: f(z).real)(z).conjugate(), (-1j * grad(lambda z: f(z).imag)(z)).conjugate()


def wirtinger(f, z):
    du = grad(lambda z: complex(f(z)).real)(z)
    dv = grad(lambda z: complex(f(z)).imag)(z)
    return (du.conjugate() + 1j * dv.conjugate()) / 2, (du + 1j * dv) / 2


def wirtinger_of_quadratic(x, y):
    return wirtinger(lambda z: 3 * z**2 + 2 * z + 1, complex(x, y))


def wirtinger_of_abs2(x, y):
    return wirtinger(abs2, complex(x, y))


def complex_result(z):
    return z * z


# Internals


def J_sin(x):
    return sin(x), lambda dy: dy * cos(x)


def J_cos(x):
    return cos(x), lambda dy: -dy * sin(x)


def J_mul(a, b):
    return a * b, lambda dc: (b * dc, a * dc)


def by_hand(a, b):
    return J_sin(a)[1](1.0), J_mul(a, b)[1](1.0)


def foo(x):
    a = sin(x)
    b = cos(a)
    return b


# The pullback of foo by those of the functions that it calls.
def J_foo(x):
    a, da = J_sin(x)
    b, db = J_cos(a)

    def back(db_):
        return da(db(db_))

    return b, back


def foo_by_hand(x):
    return J_foo(x)[1](1.0)


# The adjoint of pow: a list of pullbacks, and the loop in reverse.
def J_pow(x, n):
    r = 1.0
    Js = []
    for i in range(n):
        r, back = J_mul(r, x)
        Js.append(back)

    def pullback(dr):
        dx = 0.0
        for i in range(n - 1, -1, -1):
            dr, more = Js[i](dr)
            dx += more
        return dx

    return r, pullback


def pow_by_hand(x, n):
    return J_pow(x, n)[1](1.0)


# The pullback of a closure: the first part is the gradient of what it captures.
def closure(x):
    a = 3.0
    df, dx = vjp(lambda f, x: f(x), lambda x: x * a, x)[1](1.0)
    return df.a, dx


def of_function(x):
    df, dx = vjp(lambda f, x: f(x), sin, x)[1](1.0)
    return df, dx


# A rule whose pullback fails when it is called.
def bad_rule(y, x):
    def back(dy):
        if dy != 0.0:
            raise ValueError("bad")
        return (dy,)

    return back


@custom_vjp(bad_rule)
def bad(x):
    return x


def calls_bad(x):
    return bad(sin(x))


# Limitations


# Mutation of the argument, in place.
def f_(x):
    x[:] = 2 * x
    return x


def in_place(x):
    return np.sum(f_(x))


def g_inner(x, y):
    for i in range(len(y)):
        x[i] = 2 * y[i]
    return x


def g_outer(y):
    z = np.empty_like(y)
    g_inner(z, y)
    return z


def outer(y):
    return np.sum(g_outer(y))


# A root that catches its failure, and one that tests before.
def safe_sqrt(x):
    try:
        return sqrt(x)
    except ValueError:
        return 0.0


def tested_sqrt(x):
    return sqrt(x) if x > 0 else 0.0


# A function of another language.
def clock(x):
    import ctypes

    return ctypes.CDLL(None).clock() * x


# The same without mutation.
def g_better(y):
    return 2 * y


def better(y):
    return np.sum(g_better(y))


def comprehension(xs, ys):
    return sum([x * y for x in xs for y in ys])


# A function that writes, given to forward mode.
def doubled(y):
    z = np.empty_like(y)
    for i in range(len(y)):
        z[i] = 2 * y[i]
    return z


def forwards(y):
    return np.sum(forwarddiff(doubled, y))


def push_pop(x):
    stack = [x]
    stack.append(x * x)
    stack.append(x * stack[1])
    return stack.pop() + stack.pop()


@dataclass
class Cell:
    first: float
    second: float


def mutable_struct(x):
    cell = Cell(x, 1.0)
    cell.first = cell.first * cell.first
    cell.second = cell.first * x
    return cell.first + cell.second


# A name that is bound anew in a loop, from an int to a float.
def mysum(x, n):
    tot = 0
    for i in range(n):
        tot += x**n
    return tot


def rebound_by_a_closure(x):
    tot = 0.0

    def more(y):
        nonlocal tot
        tot += y * y

    more(x)
    more(2 * x)
    return tot


def second(x):
    return grad(grad(sin))(x)


# Utilities


def jacobian_of_slice(a):
    return jacrev(lambda a: 100 * a[0:3] ** 2)(a)


def jacobian_of_two(a, x):
    return jacrev(lambda a, x: a**2 * x, (0, 1))(a, x)


def jacobian_of_prod(a):
    return jacrev(lambda a: np.prod(a, axis=1))(a)


def with_tuple(a, t):
    return np.sum(a * t[0]) + t[1]


def withjacobian(x):
    return np.cumsum(x), jacrev(np.cumsum)(x)


def hessian_of_product(x):
    return hessian(lambda x: x[0] * x[1])(x)


def cubes(x):
    return np.sum(x**3)


def hessian_of_cubes(x):
    return hessian(cubes)(x).reshape(4, 4)


def hessian_of_sin():
    return hessian(sin)(pi / 2)


def hessian_reverse(x):
    return jacrev(jacrev(cubes))(x).reshape(4, 4)


def diaghessian(x):
    return np.diag(hessian(cubes)(x).reshape(4, 4)).reshape(2, 2)


def diaghessian_of_atan(y, x):
    return grad(grad(atan2, 0), 0)(y, x), grad(grad(atan2, 1), 1)(y, x)


def hessian_of_atan(yx):
    return hessian(lambda yx: atan2(yx[0], yx[1]))(yx)


def withgradient(x):
    return value_and_grad(quadratic)(x)


def ignored(x):
    return x * stop_gradient(x)


# A buffer that is written, and then read as a whole.
def buffer(x):
    b = np.zeros(3)
    for i in range(3):
        b[i] = x[i] * i
    return np.sum(b * b)


# Parameters that a hook moves while the gradient is on its way.
def eager(w, x):
    def moved(dw):
        print("w becomes", w - 0.1 * dw)
        return dw

    return hook(moved, w) * x


# Differentiation for Hackers


def fraction(x):
    return x / (1 + x * x)


def sin_cos(x):
    return sin(cos(x))


def nested_sum(x):
    return grad(lambda x: x * grad(lambda y: x + y)(1.0))(x)


def nested_product(x):
    return grad(lambda x: x * grad(lambda y: x * y)(1.0))(x)


def vector(x):
    return np.array([x[0] * x[1], cos(x[0])])


def vector_jacobian(x):
    return jacrev(vector)(x)


# A step along the imaginary axis, beside the derivative.
def complex_step(x):
    return csin((x + 1e-10j) ** 2).imag / 1e-10, jvp(lambda x: sin(x**2), (x,), (1.0,))[1]
