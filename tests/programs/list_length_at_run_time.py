# entry: f
# args: 0.5, 6
# args: 1.25, 1
# wrt: 0
# note: lists that grow, shrink and are written to by numbers of elements that the run decides


def f(x, n):
    xs = [x]
    while n > 1:
        n = n // 2 if n % 2 == 0 else 3 * n + 1
        xs.append(xs[-1] * x + n)
    for i in range(len(xs)):
        xs[i] = xs[i] * xs[0] + i
        xs[-1] += xs[i]
    stack = [x * 0.25]
    total = 0.0
    while stack:
        y = stack.pop()
        if y < 2.0:
            stack.append(y * 2.5)
            stack.append(y * y + 2.0)
        else:
            total = total + y * y
    for y in xs:
        total = total + y * y
    return total / len(xs) + max(xs) * x - min(xs)
