# Sets: dicts whose values are of no account. They go over their elements in the order in which these came.


class set:
    def __init__(self, iterable=()):
        self._entries = {}
        for x in list(iterable):
            self._entries[x] = True

    def add(self, x):
        self._entries[x] = True

    def discard(self, x):
        if x in self._entries:
            del self._entries[x]

    def remove(self, x):
        del self._entries[x]

    def clear(self):
        self._entries = {}

    def copy(self):
        return set(self)

    def update(self, *others):
        for other in others:
            for x in list(other):
                self._entries[x] = True

    def union(self, *others):
        result = set(self)
        result.update(*others)
        return result

    def intersection(self, other):
        other = set(other)
        return set([x for x in self if x in other])

    def difference(self, other):
        other = set(other)
        return set([x for x in self if x not in other])

    def symmetric_difference(self, other):
        other = set(other)
        return self.difference(other).union(other.difference(self))

    def intersection_update(self, other):
        self._entries = {x: True for x in self.intersection(other)}

    def difference_update(self, other):
        for x in list(other):
            self.discard(x)

    def isdisjoint(self, other):
        return len(self.intersection(other)) == 0

    def issubset(self, other):
        return len(self.difference(other)) == 0

    def issuperset(self, other):
        return set(other).issubset(self)

    def __or__(self, other):
        return self.union(other)

    def __and__(self, other):
        return self.intersection(other)

    def __sub__(self, other):
        return self.difference(other)

    def __xor__(self, other):
        return self.symmetric_difference(other)

    def __ior__(self, other):
        self.update(other)
        return self

    def __iand__(self, other):
        self.intersection_update(other)
        return self

    def __isub__(self, other):
        self.difference_update(other)
        return self

    def __le__(self, other):
        return self.issubset(other)

    def __ge__(self, other):
        return other.issubset(self)

    def __lt__(self, other):
        return len(self) < len(other) and self.issubset(other)

    def __gt__(self, other):
        return len(other) < len(self) and other.issubset(self)

    def __eq__(self, other):
        return isinstance(other, set) and len(self) == len(other) and self.issubset(other)

    def __len__(self):
        return len(self._entries)

    def __bool__(self):
        return len(self._entries) > 0

    def __contains__(self, x):
        return x in self._entries

    def __iter__(self):
        return iter(list(self._entries))


class frozenset(set):
    pass
