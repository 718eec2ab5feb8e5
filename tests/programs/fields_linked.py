# entry: f
# args: 1.5
# args: -0.7
# order: 2
# note: a stack of nodes that are linked by assignment


class Node:
    def __init__(self, v):
        self.v = v
        self.next = None
class Stack:
    def __init__(self):
        self.head = None
        self.n = 0
    def push(self, v):
        node = Node(v)
        node.next = self.head
        self.head = node
        self.n += 1
    def pop(self):
        v = self.head.v
        self.head = self.head.next
        self.n -= 1
        return v
def f(x):
    s = Stack()
    for i in range(4):
        s.push(x * (i + 1))
    t = 0.0
    while s.n > 0:
        t = t * x + s.pop()
    return t
