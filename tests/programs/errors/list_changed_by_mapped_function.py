# entry: f
# args: 1.5
# exit: 3
# message: shares memory with what is defined outside of this function
# line: 13


def f(x):
    values = [x, 2.0, 1.0]
    same = values

    def g(v):
        same[1] = v * 2.0
        return v

    return sum(list(map(g, values)))
