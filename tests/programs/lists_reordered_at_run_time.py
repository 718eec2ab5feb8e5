# entry: f
# args: 3, 1.5
# args: 4, 0.5
# order: 1
# note: lists whose length only the run knows, sorted and turned in place while others hold what they held

def sorted_twice(n: int, x: float):
    values = []
    i = 0
    while i < n:
        values.append(x * i)
        i += 1
    up = sorted(values, key=lambda v: -v)
    values.sort()
    return up[0] + 2 * values[0]

def rows_sorted(n: int, x: float):
    rows = []
    i = 0
    while i < n:
        rows.append([x * i, 1.0])
        i += 1
    rows.sort(key=lambda r: -r[0])
    rows[0][0] = x * x
    return rows[0][0] + rows[1][0]

def rows_swapped(n: int, x: float):
    rows = []
    i = 0
    while i < n:
        rows.append([x * i, 1.0])
        i += 1
    for i in range(n):
        rows[i][1] = rows[i][0] * x
    rows[0], rows[1] = rows[1], rows[0]
    rows[0][0] = x * x
    return rows[0][0] + rows[1][0] + rows[1][1]

def turned(n: int, x: float):
    values = [x * i for i in range(n)]
    old = list(values)
    values.reverse()
    values[0] = x * x
    w = values[1:]
    values.append(3.0)
    return old[0] + old[n - 1] + values[0] + w[0]

def row_taken(n: int, x: float):
    grid = [[x * i * j for j in range(n)] for i in range(n)]
    for i in range(n):
        for j in range(n):
            if i > j:
                grid[i][j] = grid[j][i] + x
    row = grid.pop(0)
    return grid[0][0] + row[0] + grid[1][0]

def f(n: int, x: float):
    return sorted_twice(n, x) + rows_sorted(n, x) + rows_swapped(n, x) + turned(n, x) + row_taken(n, x)
