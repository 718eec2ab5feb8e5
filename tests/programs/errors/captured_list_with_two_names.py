# entry: f
# args: 2.0
# exit: 3
# message: shares memory with what is defined outside
# line: 13


def f(x):
    out = [x]
    other = out

    def grow(v):
        out.append(v)
        return v

    return grow(x) + sum(other)
