# entry: f
# args: 1.3
# args: -0.6
# note: lists in fields, read under other names and given to others


class Log:
    def __init__(self, entries):
        self.entries = entries

    def note(self, value):
        self.entries.append(value)
        return value


def f(x):
    entries = [1.0]
    one, other = Log(entries), Log(entries)
    one.note(x)
    seen = one.entries
    other.note(x * x * x)
    seen[0] = x + 2.0
    return sum(one.entries) * len(entries) + other.entries[0]
