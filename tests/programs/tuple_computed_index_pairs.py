# entry: f
# args: 1.5, 0
# args: 1.5, 4
# note: what is picked may be a function, a tuple, or the only value there is


def f(x, n):
    steps = [lambda y: y * y, lambda y: x * y + 1.0, lambda y: y - x]
    pairs = ((x, 1), (2.0, 2), (x * 3.0, 3))
    only = (x,)
    y = x
    for i in range(n):
        y = steps[i % 3](y) * pairs[(i * i) % 3][0] / pairs[-i % 3][1]
    return y + only[n % 1] + pairs[n > 2][0]
