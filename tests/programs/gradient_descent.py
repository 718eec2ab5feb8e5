# entry: f
# args: 3.0, -1.0
# note: twenty steps on a function of two variables, differentiated with respect to the start

from gradus import grad


def loss(x, y):
    return (x - 1.0) ** 2 + 3.0 * (y + x * 0.5) ** 2


def f(x, y):
    step = grad(loss, (0, 1))
    for _ in range(20):
        gx, gy = step(x, y)
        x -= 0.1 * gx
        y -= 0.1 * gy
    return x * y
