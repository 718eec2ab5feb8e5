# entry: f
# args: 1.5


class T:
    def __init__(self):
        row = [0.0, 0.0]
        self.rows = [row, row]
    def put(self, v):
        self.rows[0][0] = v
def f(x):
    t = T()
    t.put(x)
    return t.rows[1][0]
