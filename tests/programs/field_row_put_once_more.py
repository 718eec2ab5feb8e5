# entry: f
# args: 1.5


class T:
    def __init__(self, x):
        self.rows = [[x, 0.0]]
    def dup(self):
        self.rows.append(self.rows[0])
    def put(self, v):
        self.rows[0][0] = v
def f(x):
    t = T(x)
    t.dup()
    t.put(5.0 * x)
    return t.rows[1][0]
