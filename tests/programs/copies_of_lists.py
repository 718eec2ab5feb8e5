# entry: f
# args: 1.5
# order: 2
# note: what is taken of a list of numbers is no part of it
def f(x):
    w = [x, 2.0 * x, 3.0]
    a, *rest = w
    rest.append(x)
    rest[0] = 5.0 * x
    pairs = list(zip(w, rest))
    numbered = tuple(enumerate(w))
    w[0] = x * x
    w.append(7.0)
    return a + rest[0] * w[1] + pairs[0][0] * pairs[1][1] * w[0] + numbered[0][1] * len(rest) + len(w)
