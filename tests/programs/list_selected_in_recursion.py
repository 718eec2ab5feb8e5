# entry: kth
# args: {"t": "list", "v": [2.0, 1.0, 5.0, 4.0]}, 2
# args: {"t": "list", "v": [2.0, 1.0, 5.0]}, 0
# note: a recursion on lists whose length only the run knows, some always empty where it is looked at first; the gradient is shaped like what is given
def kth(xs, k):
    pivot = xs[0]
    smaller = []
    larger = []
    for x in xs[1:]:
        if x < pivot:
            smaller.append(x)
        else:
            larger.append(x)
    if k < len(smaller):
        return kth(smaller, k)
    if k == len(smaller):
        return pivot * pivot
    return kth(larger, k - len(smaller) - 1)
