# entry: f
# args: 1.5
# order: 2
# closed: [2.0 * x**7 / 3.0]
# closed second: 14.0 * x**6 / 3.0
# note: functions that are computed again or have rules print once, and what rules and hooks print is printed with the derivative:
# note: `tests/command.rs` has the lines
from gradus import checkpoint, custom_jvp, custom_vjp, hook


@checkpoint
def cube(x):
    print("cube", x)
    return x * x * x


def square_rule(y, x):
    print("rule of", y)

    def back(cotangent):
        print("back", cotangent)
        return (2.0 * x * cotangent,)

    return back


@custom_vjp(square_rule)
def square(x):
    print("square", x)
    return x * x


def third_rule(args, tangents):
    print("along")
    return args[0] / 3.0, tangents[0] / 3.0


@custom_jvp(third_rule)
def third(x):
    print("third", x)
    return x / 3.0


def seen(cotangent):
    print("cotangent", cotangent)
    return cotangent


class Layer:
    def __init__(self, weight):
        self.weight = weight

    @checkpoint
    def __call__(self, x):
        print("layer", self.weight)
        return self.weight * x


again = checkpoint(lambda x: x * third(x))


def f(x):
    y = cube(x)
    y = hook(seen, y)
    y = square(0.5 * y)
    return Layer(y)(again(x))
