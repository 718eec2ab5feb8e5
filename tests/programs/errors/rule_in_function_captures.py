# entry: f
# args: 2.0
# exit: 2
# message: the value of this expression is dropped
# line: 13
# note: the function with the rule captures a variable that changes, so it stays where it is, and its rule is not read as one
import jax

def f(x):
    x = x + 1.0
    @jax.custom_jvp
    def g(y): return y * x
    g.defjvp(lambda p, t: (g(p[0]), 3.0 * t[0]))
    return jax.grad(g)(2.0)
