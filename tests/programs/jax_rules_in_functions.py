# entry: f
# args: 1.3
# by: jax
# note: functions with rules inside of functions, as JAX's tests of custom rules have them

import jax
import jax.numpy as jnp


def by_decorator(x):
    @jax.custom_jvp
    def f(x, y):
        return jnp.sin(x) * scaled(y)

    @f.defjvp
    def f_jvp(primals, tangents):
        x, y = primals
        dx, dy = tangents
        return f(x, y), 2 * jnp.cos(x) * dx * scaled(y) + jnp.sin(x) * dy

    def scaled(y):
        return 0.5 * y

    return jax.grad(lambda x: f(x, 3.0))(x) + f(x, 1.0)


def by_forward_and_backward(x):
    @jax.custom_vjp
    def f(x):
        return jnp.sin(x)

    def f_fwd(x):
        return f(x), jnp.cos(x)

    def f_rev(cos_x, g):
        return (2 * cos_x * g,)

    f.defvjp(f_fwd, f_rev)
    return jax.grad(f)(x) + jax.vmap(jax.grad(f))(jnp.array([x, 2.0])).sum()


def by_argument(x):
    f = jax.custom_jvp(lambda x, y: x * y)
    f.defjvps(lambda dx, ans, x, y: 2 * y * dx, lambda dy, ans, x, y: 3 * x * dy)
    return sum(jax.grad(f, argnums=(0, 1))(x, 5.0))


def of_each_other(x):
    @jax.custom_jvp
    def f(x):
        return x * x

    @f.defjvp
    def f_jvp(primals, tangents):
        return f(primals[0]), tangents[0] * f(primals[0])

    @jax.custom_jvp
    def g(x):
        return f(x) * 3.0

    @g.defjvp
    def g_jvp(primals, tangents):
        return jax.jvp(f, primals, tangents)

    return jax.grad(g)(x) + jax.grad(jax.grad(f))(x)


def f(x):
    return by_decorator(x) + by_forward_and_backward(x) + by_argument(x) * of_each_other(x)
