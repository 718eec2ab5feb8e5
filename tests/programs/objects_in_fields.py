# entry: f
# args: 1.3
# args: -0.6
# order: 2
# note: lists in fields, read under other names and given to others


class Node:
    def __init__(self, value):
        self.value = value
        self.kids = []

    def add(self, node):
        self.kids.append(node)
        return node


class Log:
    def __init__(self, entries):
        self.entries = entries

    def note(self, value):
        self.entries.append(value)
        return value


def total(node):
    return node.value + sum([total(kid) for kid in node.kids])


def f(x):
    root = Node(x)
    kids = root.kids
    child = root.add(Node(x * x))
    child.add(Node(0.5))
    kids.append(Node(2.0 * x))
    entries = [1.0]
    one, other = Log(entries), Log(entries)
    one.note(x)
    other.note(x * x * x)
    entries[0] = total(root)
    return sum(one.entries) * len(kids) + other.entries[0]
