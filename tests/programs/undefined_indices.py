# entry: swaps
# args: [0.4, 1.3, 2.1, 0.9], 3
# note: elements that arms in a loop swap by lists of indices: on the other paths there is no such list
def swaps(b, q):
    y = b * 1.0
    for k in range(q):
        if y[0] > 1.0:
            y[[0, 2]] = y[[2, 0]]
        elif y[0] > 0.5:
            y[[0, 3]] = y[[3, 0]]
    return (y * y * b).sum()
