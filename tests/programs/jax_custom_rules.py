# entry: f
# args: 0.3, 2.5
# by: jax
# note: rules that are stated after the function: `@f.defjvp`, `f.defjvps`, `f.defvjp(fwd, bwd)`, arguments without derivatives, names
# note: and defaults of arguments

from functools import partial

import jax
import jax.numpy as jnp
from jax import custom_jvp, custom_vjp, grad, jvp


@custom_jvp
def log1pexp(x):
    return jnp.log(1.0 + jnp.exp(x))


@log1pexp.defjvp
def log1pexp_jvp(primals, tangents):
    (x,) = primals
    (x_dot,) = tangents
    ans = log1pexp(x)
    ans_dot = (1 - 1 / (1 + jnp.exp(x))) * x_dot
    return ans, ans_dot


@jax.custom_jvp
def area(x, y, scale=2.0):
    return x * y * scale


# On purpose not the real ones.
area.defjvps(lambda x_dot, ans, x, y, scale: 3.0 * y * x_dot, lambda y_dot, ans, x, y, scale: ans * y_dot, None)


@jax.custom_vjp
def tilt_gradient(lo, hi, x):
    return x


def tilt_gradient_fwd(lo, hi, x):
    return x, (lo, hi)


def tilt_gradient_bwd(res, g):
    lo, hi = res
    return (None, None, g * (hi - 0.5 * lo))


tilt_gradient.defvjp(tilt_gradient_fwd, tilt_gradient_bwd)


@partial(custom_vjp, nondiff_argnums=(0,))
def fixed_point(f, a, x_guess):
    def cond_fun(carry):
        x_prev, x = carry
        return jnp.abs(x_prev - x) > 1e-14

    def body_fun(carry):
        _, x = carry
        return x, f(a, x)

    _, x_star = jax.lax.while_loop(cond_fun, body_fun, (x_guess, f(a, x_guess)))
    return x_star


def fixed_point_fwd(f, a, x_init):
    x_star = fixed_point(f, a, x_init)
    return x_star, (a, x_star)


def fixed_point_rev(f, res, x_star_bar):
    a, x_star = res
    slope = grad(f, 1)(a, x_star)
    return x_star_bar * grad(f)(a, x_star) / (1.0 - slope), jnp.zeros_like(x_star)


fixed_point.defvjp(fixed_point_fwd, fixed_point_rev)


def newton_sqrt(a):
    update = lambda a, x: 0.5 * (x + a / x)
    return fixed_point(update, a, a)


@partial(jax.custom_jvp, nondiff_argnums=(0, 2))
def app(f, x, n):
    return f(x) * n


@app.defjvp
def app_jvp(f, n, primals, tangents):
    (x,) = primals
    (x_dot,) = tangents
    return f(x) * n, 2.0 * n * x_dot


@jax.custom_gradient
def reversed_square(x):
    return x ** 2, lambda g: -2.0 * g * x


def f(x, a):
    out = log1pexp(x) + grad(log1pexp)(x) + grad(grad(log1pexp))(x) + grad(log1pexp)(1000.0)
    out = out + area(x, a) + area(x, y=a, scale=3.0) + area(y=x, x=a)
    out = out + jnp.sin(3.0 * tilt_gradient(-0.75, 0.75, x)) + tilt_gradient(lo=-0.1, hi=0.1, x=x)
    return out + newton_sqrt(a) + app(lambda t: t ** 3, x, 4) + reversed_square(x)
