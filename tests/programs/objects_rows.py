# entry: f
# args: 1.3
# args: -0.6
# order: 2
# note: rows of a list of lists by names of their own, in loops and by indices of the run


def f(x):
    grid = [[0.0] * 3 for _ in range(3)]
    grid[1][1] = x
    for i in range(3):
        row = grid[i]
        for j in range(3):
            row[j] += x * (i + j)
    for row in grid:
        row[0] *= row[2]
    last = grid[-1]
    grid[0], grid[1] = grid[1], last
    last[1] = x * x
    return sum(sum(row) for row in grid) * grid[1][1] + len(last)
