# entry: f
# args: 1.5
# args: -0.5
# note: what no way leads to is not looked at, where `and`, `or` and `not` have constants after what the run decides

OPEN, CLOSED = range(2)
(FIRST, SECOND), third = (1.0, 2.0), 3.0


def laplacian(rows, n):
    def at(i, j, di, dj):
        return rows[i][j] if i == 0 and di < 0 or j == n - 1 and dj > 0 else rows[i + di][j + dj]

    return [[at(i, j, -1, 0) + at(i, j, 0, 1) - 2.0 * rows[i][j] for j in range(n)] for i in range(n)]


def neighbours(row, x):
    return [row[j + 1] if x > 0.0 and j + 1 < len(row) else 0.0 for j in range(len(row))]


def ends(row, x):
    return [0.0 if x > 1.0 or not (j > 0 and x < 9.0) else row[j - 1] for j in range(len(row))]


def walk(x, state):
    return x if state == CLOSED else x * SECOND + third * FIRST


def f(x):
    rows = laplacian([[x, x * x, 1.0], [2.0, x, x**3], [x, 1.0, x]], 3)
    total = sum(neighbours(rows[0], x)) + 2.0 * sum(neighbours(rows[1], -x)) + sum(ends(rows[2], x))
    if x > 0.0 and 1 > 2:
        total = (x, x)[5]
    return total + walk(x, OPEN) * walk(x, CLOSED)
