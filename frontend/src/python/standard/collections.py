# The containers of CPython's `collections` that are classes here: they hold lists, and find a key by looking at each.


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
    def __init__(self, default_factory=None):
        self.default_factory = default_factory
        self._keys = []
        self._values = []

    def __getitem__(self, key):
        at = self._place(key)
        if at == len(self._keys):
            self._keys.append(key)
            self._values.append(self.default_factory())
        return self._values[at]

    def __setitem__(self, key, value):
        at = self._place(key)
        if at == len(self._keys):
            self._keys.append(key)
            self._values.append(value)
        else:
            self._values[at] = value

    def _place(self, key):
        at = 0
        while at < len(self._keys) and self._keys[at] != key:
            at = at + 1
        return at

    def get(self, key, default=None):
        at = self._place(key)
        return self._values[at] if at < len(self._keys) else default

    def keys(self):
        return self._keys[:]

    def values(self):
        return self._values[:]

    def items(self):
        return [(k, v) for k, v in zip(self._keys, self._values)]

    def __len__(self):
        return len(self._keys)

    def __contains__(self, key):
        return self._place(key) < len(self._keys)

    def __iter__(self):
        return iter(self._keys)


class Counter(defaultdict):
    def __init__(self, iterable=()):
        self.default_factory = int
        self._keys = []
        self._values = []
        self.update(iterable)

    def __getitem__(self, key):
        return self.get(key, 0)

    def update(self, iterable):
        for key in iterable:
            self[key] = self.get(key, 0) + (iterable[key] if isinstance(iterable, (dict, defaultdict)) else 1)

    def most_common(self, n=None):
        pairs = sorted(self.items(), key=lambda pair: pair[1], reverse=True)
        return pairs if n is None else pairs[:n]

    def elements(self):
        return [k for k, n in self.items() for _ in range(n)]

    def total(self):
        return sum(self._values)
