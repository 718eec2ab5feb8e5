# entry: f
# args: 1.5
# args: -0.5
# order: 2
# closed: [3*x**2 + 4*x]
# note: a table of functions that call one which is defined after it

def f(x):
    rules = [lambda v: walk(1, v) * 2.0, lambda v: v + x]
    def walk(i, v):
        return rules[i](v) * x
    return rules[0](x) * 0.5 + x * x * x - walk(1, x) + 2.0 * x * x
