# entry: f
# args: 1.5


class T:
    def __init__(self):
        self.rows = []
    def add(self, r):
        self.rows.append(r)
def f(x):
    t = T()
    r = [x, 1.0]
    t.add(r)
    r[0] = 7.0
    return t.rows[0][0]
