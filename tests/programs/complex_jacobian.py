# entry: f
# args: 0.7, -1.2
# note: the derivative of a function that is not holomorphic is a matrix, of the gradients of its parts

from gradus import jacfwd, jacrev


def parts(x, y):
    z = complex(x, y)
    w = z.conjugate() * z**2 + 1j * abs(z)
    return w.real, w.imag


def f(x, y):
    reverse = jacrev(parts, (0, 1))(x, y)
    forward = jacfwd(parts, (0, 1))(x, y)
    return reverse, forward
