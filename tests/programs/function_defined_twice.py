# entry: f
# args: 2.0
# args: -0.5
# order: 2
# closed: [40*x]
# closed second: 40
# note: the second definition is found in a box, and so must be what it captures, as it is assigned once more

def f(x):
    fs = [lambda y: g(y)]
    u = x
    def g(y):
        return 1.0
    def g(y):
        return u * y
    u = x * 10.0
    return fs[0](x) + (lambda: u)() * x
