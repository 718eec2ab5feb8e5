# entry: f
# args: 1.5
# order: 2
# by: jax
# note: what rules that are stated afterwards print: `tests/command.rs` has the lines
import jax


@jax.custom_vjp
def half(x):
    print("half", x)
    return 0.5 * x


def half_forwards(x):
    print("forwards", x)
    return 0.5 * x, None


def half_backwards(_, cotangent):
    print("backwards", cotangent)
    return (0.5 * cotangent,)


half.defvjp(half_forwards, half_backwards)


@jax.custom_jvp
def third(x):
    print("third", x)
    return x / 3.0


@third.defjvp
def third_rule(primals, tangents):
    print("along", primals)
    return primals[0] / 3.0, tangents[0] / 3.0


@jax.checkpoint
def square(x):
    return x * third(x)


def f(x):
    return square(half(x * x))
