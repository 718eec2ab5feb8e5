# entry: f
# args: 1.5, 7
# args: -0.5, 12
# note: lists whose length only the run knows, read and changed at both ends: queues, stacks, and recursion over what follows the first


def queue(x, n):
    waiting, total = [x], 0.0
    for i in range(n):
        v = waiting.pop(0)
        total += v * i
        waiting.append(v * 0.7)
        waiting.append(v * x)
    return total


def front(x, n):
    xs = []
    for i in range(n):
        xs.insert(0, x**i)
    return sum([v * i for i, v in enumerate(xs)])


def shifted(x, n):
    history = [x, x * x]
    for i in range(n):
        history = history[1:] + [history[0] * 0.5 + i]
        if i % 3 == 0:
            history = [x * i, 1.0] + history
    return history[0] + 2.0 * history[-1] + len(history)


def total(xs):
    return 0.0 if len(xs) == 0 else xs[0] + 0.5 * total(xs[1:])


def made_in_order(x, n):
    values = [(x * (i * 7 % 5), i) for i in range(n)]
    values.sort(reverse=True)
    return values


def in_order(x, n):
    values = [(x * (i * 7 % 5), i) for i in range(n)]
    up, down = sorted(values, key=lambda v: v[0]), sorted(values, key=lambda v: v[0], reverse=True)
    first = [i for _, i in up] + [i for _, i in down]
    values = made_in_order(x, n)
    return sum([v * k for k, (v, _) in enumerate(up)]) + values[1][0] + first[1] * 10 + first[-2]


def f(x, n):
    xs = []
    for i in range(n):
        xs.append(x * i)
    return queue(x, n) + front(x, n) + shifted(x, n) + total(xs) + in_order(x, n) + total([x] + [x, x * x] + xs)
