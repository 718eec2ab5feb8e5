# entry: f
# args: [1.1, 0.25, 2.0], 5
# note: elements of lists of known length, written to at indices that only the run knows
def ranks(x):
    order = sorted(range(3), key=lambda i: x[i])
    ranks = [0] * 3
    for rank, i in enumerate(order):
        ranks[i] = rank + 1
    return ranks


def counted(x, n):
    counts, sums, grid = [0] * 4, [0.0] * 4, [[x[0], 1.0], [2.0, x[1]]]
    k = 0
    while k < n:
        i = int(x[0] * k) % 4
        counts[i] += 1
        sums[-1 - i] += x[k % 3] * x[i % 3]
        grid[i % 2][k % 2] *= x[2]
        k += 1
    return counts, sums, grid


def f(x, n):
    a, b, c = ranks(x)
    counts, sums, grid = counted(x, n)
    total = a * x[0] + b * x[1] * x[1] + c * x[2]
    for i in range(4):
        total += counts[i] * sums[i]
    return total + grid[0][0] * grid[0][1] + grid[1][0] * grid[1][1] ** 2
