# entry: f
# args: 2.0
# exit: 3
# message: comprehension
# line: 9


def f(x):
    return {i: x * i for i in range(3)}
