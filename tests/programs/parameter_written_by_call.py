# entry: f
# args: 2.0
# note: arguments are values: who calls does not see what the function does to its parameter


def swap(values, i, j):
    values[i], values[j] = values[j], values[i]


def f(x):
    w = [x, 2.0 * x]
    swap(w, 0, 1)
    return w[0]
