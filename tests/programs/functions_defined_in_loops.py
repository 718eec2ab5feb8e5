# entry: f
# args: 2.0
# args: 0.5
# note: functions that are defined in loops and branches, and used in the next turn or after it


def after_loop(x):
    for i in range(3):
        def scaled(y):
            return y * (2.0 + i)

        x = scaled(x) * 0.5
    return scaled(x)


def in_next_turn(x):
    for i in range(3):
        if i > 0:
            x = scaled(x)

        def scaled(y):
            return y * (2.0 + i) * x

    return x


def recursive(x):
    n = 0
    while n < 2 or x < 3.0:
        def power(y, k=2):
            return y if k == 0 else (1.0 + 0.1 * n) * x * power(y, k - 1)

        x = power(x) * 0.3 + 1.0
        n += 1
    return power(x)


def of_each_other(x):
    for i in range(2):
        def inner(y):
            return y * (i + 1.0)

        outer = lambda y: inner(y) + y
        x = outer(x)
    return outer(x) + inner(x)


def in_branch(x):
    if x > 1.0:
        def scaled(y):
            return y * y

    def kept(y):
        return scaled(y) * x

    return kept(x) if x > 1.0 else x


def f(x):
    return after_loop(x) + in_next_turn(x) + recursive(x) + of_each_other(x) + in_branch(x)
