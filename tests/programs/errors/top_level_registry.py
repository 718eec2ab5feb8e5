# command: grad
# entry: f
# args: 2.0
# exit: 3
# message: shares memory with what is defined outside
# line: 11
# note: a decorator that changes a list of the top level
registry = []

def register(fn):
    registry.append(1.0)
    return fn

@register
def square(x):
    return x * x

def f(x):
    return len(registry) * square(x)
