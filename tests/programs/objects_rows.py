# entry: f
# args: 1.3
# args: -0.6
# note: rows of a list of lists by names of their own, in loops and by indices of the run


def f(x):
    grid = [[0.0] * 2 for _ in range(2)]
    for i in range(2):
        row = grid[i]
        row[i] += x * (i + 1)
    for row in grid:
        row[0] *= row[1] + x
    last = grid[-1]
    grid[0], grid[1] = grid[1], grid[0]
    last[1] = x * x
    return sum(sum(row) for row in grid) * grid[0][1] + len(last)
