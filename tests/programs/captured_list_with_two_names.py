# entry: f
# args: 2.0


def f(x):
    out = [x]
    other = out

    def grow(v):
        out.append(v)
        return v

    return grow(x) + sum(other)
