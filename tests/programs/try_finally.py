# entry: f
# args: 0.9
# order: 2
# note: `finally` on each way out: at the end, by return, break, continue, by what is raised; handlers in handlers; raising again


def first(x):
    log = []
    for k in range(5):
        try:
            if k == 3:
                break
            if k == 1:
                continue
            log.append(x * k)
        finally:
            log.append(1.0)
    else:
        log.append(100.0)
    return sum(log)


def second(x):
    y = x
    try:
        for k in range(3):
            try:
                if k == 2:
                    return y * x
                y = y * 2.0
            finally:
                y = y + 1.0
    finally:
        y = y * 1000.0


def third(x, k):
    r = x
    try:
        try:
            if k == 0:
                raise KeyError("a")
            if k == 1:
                raise ValueError("b")
            r = r * 3.0
        except KeyError:
            try:
                raise IndexError("c")
            except LookupError as e:
                r = r * 5.0
                raise
        finally:
            r = r + x
    except ValueError:
        r = r * 7.0
    except IndexError:
        r = r * 11.0
    else:
        r = r * 13.0
    return r


def fourth(x):
    while True:
        try:
            return x * 2.0
        finally:
            break
    return x * 3.0


def f(x):
    return first(x) * second(x) + third(x, 0) + third(x, 1) * third(x, 2) + fourth(x)
