# entry: f
# args: 3, 2.0
# note: the elements of a list whose length only the run knows are one object
def f(n: int, x: float):
    rows = []
    row = [x, 1.0]
    m = int(x)
    for i in range(n + m):
        rows.append(row)
    rows[0][0] = 5.0
    return rows[1][0]
