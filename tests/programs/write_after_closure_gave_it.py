# entry: f
# args: 2.0
# note: a variable that a closure reads is assigned what that closure returns
def apply(g, r):
    return g(r)


def f(x):
    r = [x, 2.0 * x]
    r = apply(lambda t: r, r)
    s = r
    s[0] = 7.0
    return r[0]
