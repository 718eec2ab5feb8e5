# entry: f
# args: 0.7, 1.9, 6
# order: 1
# note: lists whose length only the run knows, sorted: of floats, by a key, of tuples, in place, and as a queue
import math


def events(x, y):
    queue = [(0.0, 0)]
    total = 0.0
    while len(queue) > 0 and total < 9.0:
        time, i = queue[0]
        queue = queue[1:]
        total += time * (i + 1)
        if i < 4:
            queue.append((time + x, i + 1))
            queue.append((time + x * y, i + 2))
        queue.sort()
    return total


def f(x, y, n):
    xs = []
    k = 0
    while k < n:
        xs.append(math.sin(x * k * k) * y)
        k += 1
    xs.sort(reverse=True)
    up = sorted(xs)
    down = sorted(xs, key=lambda v: v * v, reverse=True)
    total = 0.0
    for i in range(len(xs)):
        total += up[i] * i + down[i] * i * i + xs[i] * xs[i] * (i + 1)
    return total + events(x, y)
