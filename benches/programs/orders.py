# One derivative of a function, of order 1 to 8: in reverse mode by `grad` of `grad`, in forward mode by `jvp` of `jvp`.

import math

from gradus import grad, jvp


def f(x):
    return math.exp(math.sin(x) * x) / (1.0 + x * x)


def d(f):
    return lambda x: jvp(f, (x,), (1.0,))[1]


def reverse1(x):
    return grad(f)(x)


def reverse2(x):
    return grad(grad(f))(x)


def reverse3(x):
    return grad(grad(grad(f)))(x)


def reverse4(x):
    return grad(grad(grad(grad(f))))(x)


def reverse5(x):
    return grad(grad(grad(grad(grad(f)))))(x)


def reverse6(x):
    return grad(grad(grad(grad(grad(grad(f))))))(x)


def reverse7(x):
    return grad(grad(grad(grad(grad(grad(grad(f)))))))(x)


def reverse8(x):
    return grad(grad(grad(grad(grad(grad(grad(grad(f))))))))(x)


def forward1(x):
    return d(f)(x)


def forward2(x):
    return d(d(f))(x)


def forward3(x):
    return d(d(d(f)))(x)


def forward4(x):
    return d(d(d(d(f))))(x)


def forward5(x):
    return d(d(d(d(d(f)))))(x)


def forward6(x):
    return d(d(d(d(d(d(f))))))(x)


def forward7(x):
    return d(d(d(d(d(d(d(f)))))))(x)


def forward8(x):
    return d(d(d(d(d(d(d(d(f))))))))(x)
