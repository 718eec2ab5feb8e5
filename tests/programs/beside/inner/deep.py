"""Two packages down."""


def cubed(x):
    return x * x * x


def step(x):
    from ..solve import half

    return half(x) + abs(x)
