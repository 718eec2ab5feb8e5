# Dicts whose keys only the run knows: the keys and the values, in the order in which they came. Where there are many, each key has a slot
# by its hash, or the next free one, with its place among the keys; -1 is a free slot.
# That a dict is one of these inference decides: its keys are constants, until two paths would have different ones.

@dataclass(frozen=True)
class table:
    _keys: object
    _values: object
    _slots: object

    def __len__(self):
        return len(self._keys)
    def __bool__(self):
        return len(self._keys) > 0
    def __contains__(self, key):
        return _table_place(self, key) < len(self._keys)
    def __getitem__(self, key):
        return self._values[_known_place(self, key)]
    def __setitem__(self, key, value):
        d = as_table(self, (key,), (value,))
        i = _table_place(d, key)
        if i == len(d._keys):
            return _with_entry(d, key, value)
        return table(d._keys, d._values.__setitem__(i, value), d._slots)
    def __additem__(self, key, value):
        i = _known_place(self, key)
        return table(self._keys, self._values.__additem__(i, value), self._slots)
    def __without__(self, key):
        gone = _known_place(self, key)
        if gone == len(self._keys) - 1:
            # No other key came after it, so no other one went by its slot.
            slots = self._slots if len(self._slots) == 0 else self._slots.__setitem__(_slot_of(self, key), -1)
            return table(self._keys.__drop_last__(), self._values.__drop_last__(), slots)
        rest = table(as_list((), self._keys), as_list((), self._values), as_list((), self._slots))
        for i in range(len(self._keys)):
            if i != gone:
                rest = _with_entry(rest, self._keys[i], self._values[i])
        return rest
    def __iter__(self):
        return list_iterator(self._keys, 0)
    def __tuple__(self):
        return self._keys
    def __reversed__(self):
        return reversed(self._keys)
    def __enumerate__(self, start):
        return enumerate(self._keys, start)
    def __sum__(self, start):
        return self._keys.__sum__(start)
    def __min__(self):
        return self._keys.__min__()
    def __max__(self):
        return self._keys.__max__()
    def __unpacked__(self, names):
        return unpacked(self._keys, names)
    def __starred__(self, before, after):
        return starred(self._keys, before, after)
    def __eq__(self, other):
        if not isinstance(other, dict):
            return False
        other = as_table(other, (), ())
        if len(self._keys) != len(other._keys):
            return False
        for i in range(len(self._keys)):
            at = _table_place(other, self._keys[i])
            if at == len(other._keys) or other._values[at] != self._values[i]:
                return False
        return True
    def __or__(self, other):
        return _merged_tables(self, as_table(_held(other), (), ()))
    def __ror__(self, other):
        return _merged_tables(as_table(_held(other), (), ()), self)
    def get(self, key, default=None):
        i = _table_place(self, key)
        return self._values[i] if i < len(self._keys) else default
    def keys(self):
        return self._keys
    def values(self):
        return self._values
    def items(self):
        pairs = as_list((), ())
        for i in range(len(self._keys)):
            pairs = pairs.__append__((self._keys[i], self._values[i]))
        return pairs
    def __print__(self):
        say(0, "{{", ())
        for i in range(len(self._keys)):
            if i > 0:
                say(0, ", ", ())
            say(0, "{!r}: {!r}", (self._keys[i], self._values[i]))
        say(0, "}}", ())
    def __gradient__(self, cotangent):
        return table(self._keys, self._values.__gradient__(cotangent[1]), self._slots)
    @staticmethod
    def __item__(d, key):
        return as_table(d, (), ())[key]
    @staticmethod
    def __with_item__(d, key, value):
        return as_table(d, (), ()).__setitem__(key, value)
    @staticmethod
    def __with_added__(d, key, value):
        return as_table(d, (), ()).__additem__(key, value)
    @staticmethod
    def __has__(d, key):
        return key in as_table(d, (), ())

# The place of a key; the number of keys, if it is none of them.
def _table_place(d, key):
    if len(d._slots) > 0:
        i = d._slots[_slot_of(d, key)]
        return i if i >= 0 else len(d._keys)
    i = 0
    while i < len(d._keys) and d._keys[i] != key:
        i += 1
    return i
def _known_place(d, key):
    i = _table_place(d, key)
    if i == len(d._keys):
        raise KeyError(f"{key!r}")
    return i
# The slot of a key, or a free one if it has none.
def _slot_of(d, key):
    size = len(d._slots)
    at = _hash(key) * size >> 32
    i = d._slots[at]
    while i >= 0 and d._keys[i] != key:
        at = at + 1 if at + 1 < size else 0
        i = d._slots[at]
    return at
# With a key that is not there yet. A quarter of the slots or more, and less than half, have keys.
def _with_entry(d, key, value):
    count = len(d._keys) + 1
    keys, values = d._keys.__append__(key), d._values.__append__(value)
    if count <= 8:
        return table(keys, values, d._slots)
    if count * 2 <= len(d._slots):
        return table(keys, values, d._slots.__setitem__(_slot_of(d, key), count - 1))
    whole = table(keys, values, as_list((-1,), ()) * (count * 4))
    for i in range(count):
        whole = table(keys, values, whole._slots.__setitem__(_slot_of(whole, keys[i]), i))
    return whole
def _merged_tables(a, b):
    for i in range(len(b._keys)):
        a = a.__setitem__(b._keys[i], b._values[i])
    return a
# A number below 2 ** 32, the same for equal keys: an int, and the float that is equal to it, have one.
def _hash(key):
    if is_tuple(key):
        number = 0
        for part in key:
            number = (number * 65599 + _hash(part)) & 0xFFFFFFFF
        return number
    if isinstance(key, str):
        return _hash(number_of(key))
    if isinstance(key, float):
        if key - key != 0.0:
            return 0
        return _hash(int(key % 2147483648.0)) ^ int(key % 1.0 * 4294967296.0)
    return ((key & 0x7FFFFFFF) * 2654435769) & 0xFFFFFFFF
