# entry: total
# args: 0.7, 5
# args: 1.3, 4
# note: max and min with a key or a default, infinities written as text
def largest(x):
    best = float("-inf")
    for v in [x, x * x, 2.0 * x]:
        best = max(best, v)
    return best if best < float("inf") else 0.0


def fixed(x):
    xs = [x, 3.0 * x, -x]
    return max(xs, key=lambda v: v * v) * min(xs, key=abs) + max([], default=x) + max(xs, default=0.0)


def records(x):
    a, b = max([(x, 1.0), (2.0 * x, 0.5), (x * x, 3.0)], key=lambda p: p[0] * p[1])
    c, d = min((x, 1.0), (x + 2.0, 2.0), key=lambda p: p[0])
    table = {"a": 2.0 * x, "b": x * x}
    return a * b + c * d + min(table.values(), key=lambda v: v)


def grown(x, n):
    xs = []
    for i in range(n):
        xs.append(x * (i - 2.25))
    return max(xs, key=lambda v: -v * v) * min(xs, key=lambda v: v)


def total(x: float, n: int) -> float:
    return largest(x) + fixed(x) + records(x) + grown(x, n)
