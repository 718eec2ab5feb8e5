# entry: f
# args: 0.7
# args: 1.3
# note: an inner loop left by break, an outer loop left by another


def f(x):
    total = 0.0
    for i in range(10):
        p = 1.0
        for j in range(20):
            p = p * x + i
            if p > 50.0:
                break
            if j > i:
                break
        total += p
        if total > 300.0:
            break
    return total
