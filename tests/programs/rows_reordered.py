# entry: f
# args: 1.5, 0.25
# args: 0.25, 1.5
# order: 1
# note: rows that a list holds in another order are as distinct as before: swapped, sorted, reversed, taken out and put in again
def determinant(m):
    m = [list(row) for row in m]
    n = len(m)
    total = 1.0
    for i in range(n):
        p = max(range(i, n), key=lambda r: abs(m[r][i]))
        if p != i:
            m[i], m[p] = m[p], m[i]
            total = -total
        total = total * m[i][i]
        for r in range(i + 1, n):
            k = m[r][i] / m[i][i]
            for c in range(i, n):
                m[r][c] = m[r][c] - k * m[i][c]
    return total


def swapped(x):
    m = [[x, 1.0], [2.0, x], [3.0, 4.0]]
    k = max(range(3), key=lambda i: m[i][1])
    m[0], m[k] = m[k], m[0]
    m[1][0] = x * x
    return m[0][0] * m[2][0] + m[1][1]


def in_order(x):
    m = [[x, 1.0], [2.0, x], [3.0, 4.0]]
    m.sort(key=lambda r: r[0])
    m[0][0] = x * x
    m = sorted(m, key=lambda r: -r[1])
    m[1][1] = x
    return m[0][0] * m[2][0] + m[1][1]


def turned(x):
    m = [[x, 1.0], [2.0, x], [3.0, 4.0]]
    m.reverse()
    m[0][0] = x * x
    m = m[1:] + m[:1]
    m[1][0] = x
    return m[0][0] * m[2][0] + m[1][1]


def taken(x):
    m = [[x, 1.0], [2.0, x], [3.0, 4.0]]
    r = m.pop(0)
    r[1] = x
    m[0][0] = x * x
    m.append(r)
    m[1][1] = 3.0 * x
    m.insert(1, m.pop())
    m[1][0] = 5.0 * x
    return m[0][0] * m[1][1] + m[2][1] + m[1][0]


# The floats of the lists differ from path to path.
def shortest(w):
    inf = 1e9
    n = 4
    distance = [[0.0 if i == j else (w if (i + 1) % n == j else inf) for j in range(n)] for i in range(n)]
    for k in range(n):
        for i in range(n):
            for j in range(n):
                if distance[i][k] + distance[k][j] < distance[i][j]:
                    distance[i][j] = distance[i][k] + distance[k][j]
    return distance[0][3] + distance[3][1]


def f(x, y):
    first = determinant([[x, y, 1.0], [y, 2.0, x * y], [x + y, 1.0, 3.0]])
    return first + swapped(x) + in_order(y) + turned(x) + taken(y) + shortest(x * y)
