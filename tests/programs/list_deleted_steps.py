# entry: f
# args: 1.5
# args: -0.7
# order: 2
# note: `del` of slices with a step, of lists of known length and of others


def f(x):
    known = [x, 2 * x, 3 * x, x * x]
    del known[::2]
    ints = list(range(9))
    del ints[::3]
    grown = [x]
    for i in range(5):
        grown.append(x * i)
    del grown[1::2]
    del grown[::-2]
    return known[0] * known[1] + ints[2] * x + len(ints) + sum(grown) * x + len(grown)
