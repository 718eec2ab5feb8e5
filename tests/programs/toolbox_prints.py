# entry: f
# args: 1.5
# note: what a function prints that the toolbox differentiates is printed once, in order: `tests/command.rs` has the lines; its parts have second derivatives in `toolbox_prints_maps.py` and so on
from gradus import grad, hessian, hvp, jacfwd, jacrev, jvp, linearize, vjp


def noisy(x):
    print("at", x)
    assert x > 0.0, "positive"
    return x * x * x


def f(x):
    y, back = vjp(noisy, x)
    s = y * back(2.0)[0]
    print("vjp", s)
    y, t = jvp(noisy, (2.0 * x,), (1.0,))
    s = s + y * t
    print("jvp", s)
    y, along = linearize(noisy, 3.0 * x)
    s = s + along(1.0) + along(2.0)
    print("linearize", s)
    s = s + jacfwd(noisy)(4.0 * x) + jacrev(noisy)(5.0 * x)
    print("Jacobians", s)
    s = s + hessian(noisy)(6.0 * x) + hvp(noisy, 7.0 * x, 0.5)
    print("second", s)
    return s + grad(lambda z: jvp(noisy, (z,), (1.0,))[1])(x)
