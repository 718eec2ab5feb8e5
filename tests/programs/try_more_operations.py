# entry: f
# args: 1.5
# args: 2.5
# order: 2
# closed: [57.0 - 1.0 / x**2]
# note: handlers of what builtins, powers, deletions, unpacking and lists of other lengths raise


def divided(x):
    try:
        return divmod(x, x - x)[0]
    except ZeroDivisionError:
        return 7.0 * x


def inverse(x):
    try:
        return pow(x - x, -2) * x
    except ZeroDivisionError:
        return 7.0 * x


def large(x):
    base = 100.0
    for i in range(3):
        base = base * 10.0
    try:
        return base**400.0 * x
    except OverflowError:
        return 7.0 * x


def larger(x):
    base = 100.0
    for i in range(3):
        base = base * 10.0
    try:
        return base**4000 * x
    except OverflowError:
        return 7.0 * x


def deleted(x):
    s = x
    try:
        items = [x, 2.0]
        del items[5]
    except IndexError:
        s = 7.0 * x
    return s


def popped(x):
    items = [x, 2.0]
    try:
        return items.pop(9)
    except IndexError:
        return 7.0 * x


def unpacked(x):
    s = x
    try:
        a, b = [x, 2.0, x]
    except ValueError:
        s = 7.0 * x
    return s


def least(x):
    try:
        return min(v for v in [x] if v > 100.0)
    except ValueError:
        return 7.0 * x


def fine(x):
    try:
        items = [x, 1.0 / x, 3.0]
        del items[2]
        a, b = items
        return divmod(7, 4)[0] + pow(2.0, 3) - 9.0 + max([a]) + min(v for v in [b] if v < 100.0)
    except (ValueError, IndexError, ArithmeticError):
        return 0.0


def f(x):
    return (
        divided(x) + inverse(x) + large(x) + larger(x) + deleted(x) + popped(x) + unpacked(x) + least(x) + fine(x)
    )
