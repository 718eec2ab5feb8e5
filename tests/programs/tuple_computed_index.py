# entry: f
# args: 2.0, 3
# args: 2.0, -1
# args: 0.5, -4
# note: an index that is computed, from either end; in a loop, as Horner's rule has it


def f(x, k):
    c = (x, 3.0, x * x, 0.5)
    total = 0.0
    for i in range(len(c)):
        total = total * x + c[i]
    i = len(c) - 1
    while i >= 0:
        total = total + c[i] * c[-1 - i]
        i -= 1
    return total * c[k]
