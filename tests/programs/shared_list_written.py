# entry: f
# args: 1.5
# args: -0.5


def f(x):
    history = [1.0]

    def add(v):
        nonlocal history
        history.append(v)
        return len(history)

    n = 0
    for i in range(3):
        n += add(x * i)
    history.append(x)
    total = 0.0
    for h in history:
        total += h * h
    return total * n
