# entry: f
# args: 2.0, 3
# closed: [n * x ** (n - 1), None]


def f(x: float, n: int) -> float:
    """Annotations are accepted and checked; a docstring is no statement."""
    total: float = 1.0
    for i in range(n):
        total *= x
    return total
