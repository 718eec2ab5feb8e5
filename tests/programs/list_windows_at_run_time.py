# entry: f
# args: 1.1, 0.4, 3
# args: 1.1, 0.4, 8
# note: the median of medians: slices of a constant number of elements of a list whose length only the run knows, the last one shorter
def select(xs, k):
    if len(xs) <= 5:
        return sorted(xs)[k]
    medians = []
    for i in range(0, len(xs), 5):
        group = sorted(xs[i:i + 5])
        medians.append(group[len(group) // 2])
    pivot = select(medians, len(medians) // 2)
    below = [x for x in xs if x < pivot]
    above = [x for x in xs if x > pivot]
    if k < len(below):
        return select(below, k)
    if k == len(below):
        return pivot
    return select(above, k - len(below) - 1)


def f(a, b, k):
    xs = []
    for i in range(11):
        xs.append((a * i * 7.3 + b) % 5.0)
    return select(xs, k) ** 2
