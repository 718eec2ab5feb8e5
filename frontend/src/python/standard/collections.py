# The containers of CPython's `collections` that are classes here: they hold lists and dicts.


class deque:
    def __init__(self, iterable=(), maxlen=None):
        self.maxlen = maxlen
        self._items = []
        self.extend(iterable)

    def append(self, x):
        self._items.append(x)
        if self.maxlen is not None and len(self._items) > self.maxlen:
            self._items.pop(0)

    def appendleft(self, x):
        self._items.insert(0, x)
        if self.maxlen is not None and len(self._items) > self.maxlen:
            self._items.pop()

    def extend(self, iterable):
        for x in iterable:
            self.append(x)

    def extendleft(self, iterable):
        for x in iterable:
            self.appendleft(x)

    def pop(self):
        return self._items.pop()

    def popleft(self):
        return self._items.pop(0)

    def rotate(self, n=1):
        if len(self._items) > 0:
            k = n % len(self._items)
            self._items = self._items[len(self._items) - k:] + self._items[:len(self._items) - k]

    def clear(self):
        self._items = []

    def copy(self):
        return deque(self._items, self.maxlen)

    def count(self, x):
        return self._items.count(x)

    def index(self, x):
        return self._items.index(x)

    def insert(self, i, x):
        if self.maxlen is not None and len(self._items) >= self.maxlen:
            raise IndexError("deque already at its maximum size")
        self._items.insert(i, x)

    def remove(self, value):
        self._items.remove(value)

    def reverse(self):
        self._items.reverse()

    def __len__(self):
        return len(self._items)

    def __bool__(self):
        return len(self._items) > 0

    def __getitem__(self, i):
        return self._items[i]

    def __setitem__(self, i, value):
        self._items[i] = value

    def __contains__(self, value):
        return value in self._items

    def __iter__(self):
        return iter(self._items)

    def __reversed__(self):
        return self._items[::-1]


class defaultdict:
    def __init__(self, default_factory=None, items=()):
        self.default_factory = default_factory
        self._entries = {}
        self.update(items)

    def __getitem__(self, key):
        if key not in self._entries:
            self._entries[key] = self.default_factory()
        return self._entries[key]

    def __setitem__(self, key, value):
        self._entries[key] = value

    def __delitem__(self, key):
        del self._entries[key]

    def update(self, items):
        if isinstance(items, (dict, defaultdict)):
            for key in items:
                self._entries[key] = items[key]
        else:
            for key, value in items:
                self._entries[key] = value

    def get(self, key, default=None):
        return self._entries.get(key, default)

    def pop(self, key):
        value = self._entries[key]
        del self._entries[key]
        return value

    def setdefault(self, key, default=None):
        if key not in self._entries:
            self._entries[key] = default
        return self._entries[key]

    def keys(self):
        return list(self._entries)

    def values(self):
        return list(self._entries.values())

    def items(self):
        return list(self._entries.items())

    def clear(self):
        self._entries = {}

    def __len__(self):
        return len(self._entries)

    def __bool__(self):
        return len(self._entries) > 0

    def __contains__(self, key):
        return key in self._entries

    def __iter__(self):
        return iter(list(self._entries))


class Counter(defaultdict):
    def __init__(self, iterable=()):
        self.default_factory = int
        self._entries = {}
        self.update(iterable)

    def __getitem__(self, key):
        return self._entries.get(key, 0)

    def update(self, iterable):
        for key in list(iterable):
            self._entries[key] = self.get(key, 0) + (iterable[key] if isinstance(iterable, (dict, defaultdict)) else 1)

    def subtract(self, iterable):
        for key in list(iterable):
            self._entries[key] = self.get(key, 0) - (iterable[key] if isinstance(iterable, (dict, defaultdict)) else 1)

    def most_common(self, n=None):
        pairs = sorted(self.items(), key=lambda pair: pair[1], reverse=True)
        return pairs if n is None else pairs[:n]

    def elements(self):
        return [k for k, n in self.items() for _ in range(n)]

    def total(self):
        return sum(self.values())
