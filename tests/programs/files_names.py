# entry: f
# args: 0.7
# args: 2.0
# order: 2
# note: names that several files have; a module's name that is assigned; imports in functions, in both arms of an if
import numpy as np
from numpy import sqrt

from beside import shapes, tables
from beside.shapes import Circle as Disc, Square
from beside.solve import pow_of

tables.limit = 4.0


def pow(x, n):
    return x + n


def area(shape):
    return shape.area() * 2.0


def g(x, cubed):
    if x > 1.0:
        from beside.inner.deep import cubed as h
    else:
        from beside.solve import half as h
    return h(x) + cubed


def f(x):
    from beside.inner.deep import cubed

    limited = tables.limited(x)
    shape = Disc(x)
    pairs = [shapes for shapes in (x, 2.0 * x)]
    total = area(shape) + shapes.area(Square(x)) + pow_of(x) + pow(x, 1.0)
    return total + limited + g(x, cubed(x)) + np.sum(sqrt(np.array(pairs))) + isinstance(shape, shapes.Circle)
