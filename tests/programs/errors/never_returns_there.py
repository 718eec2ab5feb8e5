# entry: f
# args: 1.5
# exit: 1
# message: KeyError: unbound
# line: 11
# note: a call that can only fail fails
def lookup(key, env):
    for name, value in env:
        if name == key:
            return value
    raise KeyError("unbound")
def pair(e, env):
    if e[0] > 1.0:
        return lookup(1, env)
    return e
def f(x):
    return pair((x, x * x), [])[1]
