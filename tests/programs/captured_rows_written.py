# entry: f
# args: 1.5, 4
# args: 0.25, 3
# note: lists of lists that the functions inside of their function write to: a table of what is known, and neighbours in a graph


def paths(x, n):
    table = [[-1.0] * n for _ in range(n)]

    def count(i, j):
        if i == 0 or j == 0:
            return x
        if table[i][j] < 0.0:
            table[i][j] = count(i - 1, j) + count(i, j - 1) * 0.5
        return table[i][j]

    return count(n - 1, n - 1) + table[1][1]


def degrees(x):
    near = [[] for _ in range(3)]

    def edge(u, v, weight):
        near[u].append((v, weight))
        near[v].append((u, weight))

    edge(0, 1, x)
    edge(1, 2, x * x)
    near[2][0] = (0, 3.0 * x)
    return sum(len(near[i]) * (i + 1) for i in range(3)) + sum(w * (v + 1) for us in [near[1], near[2]] for v, w in us)


def replaced(x):
    rows = [[x] for _ in range(2)]

    def change():
        rows[0] = [2.0, x]
        rows[0][0] *= x
        rows[1].append(rows[0][0])

    change()
    change()
    return sum(sum(row) for row in rows)


def f(x, n):
    return paths(x, n) + degrees(x) + replaced(x)
