# entry: f
# args: 2.0
# exit: 2
# message: more than one value for the argument `a`
# line: 12
# note: by its name and in a dict

def g(x, **named):
    return x * named["a"]

def f(x):
    return g(x, a=x, **{"a": x})
