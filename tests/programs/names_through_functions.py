# entry: f
# args: 1.5
# args: -0.5
# order: 2
# note: strings that choose are constants also where functions that are values, or of the library, hand them on
from functools import reduce


def f(x):
    d = {"p": x * x, "q": 2.0 * x}
    def scaled(k):
        return d[k] * x
    def apply(g, name):
        return g(name)
    y = sum(map(lambda k: d[k], d)) + reduce(lambda h, k: d[k] + h, ["p", "q", "p"], x)
    y = y + apply(scaled, "p") + apply(lambda k: 3.0 if k == "q" else d["q"], "q") * x
    return y + grammar(x) + max(map(scaled, ("p", "q")))


def grammar(x):
    rules = {
        "sum": lambda d, v: parse("product", d, v) + v,
        "product": lambda d, v: v * x if d == 0 else parse("sum", d - 1, v * x),
    }
    def parse(rule, d, v):
        return rules[rule](d, v)
    return parse("sum", 1, x)
