# entry: f
# args: 2.5, 3
# note: as in CPython, an annotation takes any number, which stays what it is


def scaled(n: int, y: float):
    z: int = n * y
    return z // 2 + y * y


def f(x: int, n: float):
    return scaled(x, n) * x + n // 2
