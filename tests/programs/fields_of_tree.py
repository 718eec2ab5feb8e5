# entry: f
# args: 1.5
# note: a tree that grows by recursion, its instances reached by several ways


class Tree:
    def __init__(self, key):
        self.key = key
        self.left = None
        self.right = None
        self.sum = key
def insert(t, k):
    t.sum = t.sum + k
    if k < t.key:
        if t.left is None:
            t.left = Tree(k)
        else:
            insert(t.left, k)
    else:
        if t.right is None:
            t.right = Tree(k)
        else:
            insert(t.right, k)
def f(x):
    t = Tree(x)
    for k in [x * 0.5, x * 2.0, x * 0.25]:
        insert(t, k)
    return t.sum * t.left.left.key
