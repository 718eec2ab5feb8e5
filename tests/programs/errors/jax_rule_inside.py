# entry: f
# args: 2.0
# exit: 2
# message: of the top level
# line: 12
# note: rules of JAX are stated at the top level of the file

import jax


def f(x):
    @jax.custom_jvp
    def inner(x):
        return x * x

    return inner(x)
