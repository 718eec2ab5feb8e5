# entry: f
# args: 0.7
# args: 1.3
# note: derivatives of an instance that can be called, and of grad with its keywords given before its function
from dataclasses import dataclass
from functools import partial

from gradus import grad, hvp, jacrev, jvp, value_and_grad, vjp


@dataclass(frozen=True)
class Square:
    w: float

    def __call__(self, x, y=1.0):
        return self.w * x * x * y


def of(model, x):
    value, gradient = value_and_grad(model, argnums=(0, 1))(x, 2.0 * x)
    return value * gradient[1] + gradient[0]


def f(x: float) -> float:
    square = Square(x)
    value, pullback = vjp(square, 3.0 * x)
    _, tangent = jvp(square, (x,), (2.0,))
    second = partial(grad, argnums=1)
    both = partial(value_and_grad, argnums=(0,))
    total = value * pullback(2.0)[0] + tangent + hvp(square, x, 0.5) + jacrev(square)(x)
    total += second(square)(x, 3.0) + grad(square, argnums=1)(x, 2.0)
    inner = both(lambda a, b: a * square(b, a))(x, 2.0)
    return total + of(square, x) * inner[0] + inner[1][0] + of(lambda x, y: x * y, x) + grad(grad(square))(x)
