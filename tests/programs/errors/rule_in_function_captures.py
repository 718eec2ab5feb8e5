# entry: f
# args: 2.0
# exit: 2
# message: the value of this expression is dropped
# line: 12
# note: the function with the rule captures `x`, so it stays where it is, and what states its rule is no rule
import jax

def f(x):
    @jax.custom_jvp
    def g(y): return y * x
    g.defjvp(lambda p, t: (g(p[0]), 3.0 * t[0]))
    return jax.grad(g)(2.0)
