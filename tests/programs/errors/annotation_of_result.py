# entry: f
# args: 2.0
# exit: 2
# message: int
# line: 9


def f(x) -> int:
    return (x, x)
