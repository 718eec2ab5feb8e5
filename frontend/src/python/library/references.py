# Lists and dicts as the objects that they are in Python: a box with a list or a dict as a value, which all that have the object share. A
# program is lowered so if those as values are not enough for it.

@dataclass(frozen=True)
class mutable_list:
    _box: object

    def __len__(self):
        return len(_held(self))
    def __bool__(self):
        return len(_held(self)) > 0
    def __getitem__(self, i):
        return _held(self)[i]
    def __iter__(self):
        return mutable_list_iterator(self, 0)
    def __add__(self, other):
        return _new_list(_held(self) + _held(other))
    def __radd__(self, other):
        return _new_list(other + _held(self))
    def __mul__(self, n):
        return _new_list(_held(self) * n)
    def __rmul__(self, n):
        return _new_list(_held(self) * n)
    def __eq__(self, other):
        return _plain(self) == _plain(other)
    def __lt__(self, other):
        return _plain(self) < _plain(other)
    def __le__(self, other):
        return _plain(self) <= _plain(other)
    def __gt__(self, other):
        return _plain(self) > _plain(other)
    def __ge__(self, other):
        return _plain(self) >= _plain(other)
    def __extends__(self, before):
        items = list_from(before)
        items.extend(_held(self))
        return items
    def __contains__(self, value):
        return value in _held(self)
    def __sum__(self, start):
        return sum(_held(self), start)
    def __min__(self):
        return min(_held(self))
    def __max__(self):
        return max(_held(self))
    def __reversed__(self):
        return reversed(_held(self))
    def __enumerate__(self, start):
        return enumerate(_held(self), start)
    def __tuple__(self):
        return tuple(_held(self))
    def __unpacked__(self, names):
        return unpacked(_held(self), names)
    def __starred__(self, before, after):
        return starred(_held(self), before, after)

# Python's iterators see what becomes of the list.
@dataclass(frozen=True)
class mutable_list_iterator:
    sequence: object
    at: int

    def __iter__(self):
        return self
    def __has_next__(self):
        return self.at < len(_held(self.sequence))
    def __next__(self):
        return self.sequence[self.at]
    def __advance__(self):
        return mutable_list_iterator(self.sequence, self.at + 1)

@dataclass(frozen=True)
class backward_iterator:
    sequence: object
    at: int

    def __iter__(self):
        return self
    def __has_next__(self):
        return self.at >= 0 and self.at < len(_held(self.sequence))
    def __next__(self):
        return self.sequence[self.at]
    def __advance__(self):
        return backward_iterator(self.sequence, self.at - 1)

@dataclass(frozen=True)
class numbered_iterator:
    iterator: object
    at: int

    def __iter__(self):
        return self
    def __has_next__(self):
        return has_next(self.iterator)
    def __next__(self):
        return (self.at, next_of(self.iterator))
    def __advance__(self):
        return numbered_iterator(advance(self.iterator), self.at + 1)

@dataclass(frozen=True)
class zipped_iterator:
    iterators: tuple

    def __iter__(self):
        return self
    def __has_next__(self):
        for iterator in self.iterators:
            if not has_next(iterator):
                return False
        return True
    def __next__(self):
        return tuple([next_of(iterator) for iterator in self.iterators])
    def __advance__(self):
        return zipped_iterator(tuple([advance(iterator) for iterator in self.iterators]))

@dataclass(frozen=True)
class mutable_dict:
    _box: object

    def __len__(self):
        return len(_held(self))
    def __bool__(self):
        return len(_held(self)) > 0
    def __getitem__(self, key):
        return _held(self)[key]
    def __iter__(self):
        return iter_of(tuple(_held(self)))
    def __tuple__(self):
        return tuple(_held(self))
    def __contains__(self, key):
        return key in _held(self)
    def __eq__(self, other):
        return _plain(self) == _plain(other)
    def __or__(self, other):
        return _new_dict(_held(self) | _held(other))
    def __ror__(self, other):
        return other | _held(self)
    def __min__(self):
        return min(tuple(_held(self)))
    def __max__(self):
        return max(tuple(_held(self)))
    def __sum__(self, start):
        return sum(tuple(_held(self)), start)

def _is_object(x):
    return isinstance(x, (mutable_list, mutable_dict)) or _is_array_object(x)
def _boxed(items):
    box = boxed_by(_new_box)
    _set_box(box, items)
    return box
def _new_list(items):
    return mutable_list(_boxed(items))
def _new_dict(items):
    return mutable_dict(_boxed(items))
def _must_be_object(x):
    return 0 if _is_object(x) else refuse("assignment to an element of this is not supported; give it a name first")
# What is in an object, or the value itself.
def _held(x):
    if x is None:
        return x
    if _is_array_object(x):
        return _array_in(x)
    return opened(_content(x._box), x._box, 0) if _is_object(x) else x
# The same of what is written to.
def _changeable(x):
    return _held(x) if x is not None else _no_item_of_none()
def _no_item_of_none():
    raise TypeError("'NoneType' object does not support item assignment")
# The object that holds `items` from here on, which was `x`.
def _holding(x, items):
    if x is None:
        return _no_item_of_none()
    if _is_array_object(x):
        _hold_array(x, items)
        return x
    if _is_object(x):
        _set_box(x._box, _held(items))
        return x
    return items
# What holds an object that was written to: an object of its own is there already.
def _put_back(holder, index, item):
    if _is_object(item):
        return holder
    items = _held(holder)
    items[index] = item
    return _holding(holder, items)
def _added(x, y):
    if isinstance(x, mutable_list):
        items = list_from(tuple(_held(x)))
        items.extend(_held(y))
        return _holding(x, items)
    return _assigned(x, x + y)
def _item_added(items, index, value):
    if _is_object(items[index]):
        _added(items[index], value)
        return items
    items[index] += _fitting(items, value)
    return items
def _multiplied(x, y):
    return _holding(x, list_from(tuple(_held(x) * y))) if isinstance(x, mutable_list) else _assigned(x, x * y)
def _merged(x, y):
    return _holding(x, _held(x) | _held(y)) if isinstance(x, mutable_dict) else _assigned(x, x | y)
def _part_of(whole, part, slice):
    return _new_list(part) if isinstance(whole, mutable_list) else whole[slice] if _is_array_object(whole) else part
# Objects for lists and dicts that nobody else has.
def _as_objects(x):
    if _is_object(x):
        return x
    if isinstance(x, list):
        xs = [_as_objects(v) for v in x]
        return _new_list(xs) if has_list_objects() else xs
    if is_tuple(x):
        return tuple([_as_objects(v) for v in x])
    if isinstance(x, dict):
        entries = {k: _as_objects(x[k]) for k in x}
        return _new_dict(entries) if has_list_objects() else entries
    if has_array_objects() and is_array(x):
        return _new_array(x, ())
    return x
# A value, with all that is in it.
def _plain(x):
    x = _held(x)
    if isinstance(x, list):
        return [_plain(v) for v in x]
    if is_tuple(x):
        return tuple([_plain(v) for v in x])
    if isinstance(x, dict):
        return {k: _plain(x[k]) for k in x}
    return x
# The function for what calls it with values.
def _of_values(f):
    return lambda *args: _plain(f(*[_as_objects(v) for v in args]))
# A function of the library for what calls it with objects.
def _on_objects(f):
    return lambda *args: _as_objects(f(*[_plain(v) for v in args]))
# What a function of SciPy calls.
def _callback(x):
    return _of_values(x) if callable(x) else _plain(x)
# What gives an element of a dict as it is when it is asked for.
def _entry_of(d):
    return lambda key: (key, d[key])
def _entry_value_of(d):
    return lambda key: d[key]
def _going_backwards(xs):
    return backward_iterator(xs, varying(len(_held(xs)) - 1)) if _is_object(xs) else reversed(_held(xs))
# What a loop goes over that does not see it change.
def _no_object(x):
    if isinstance(x, mutable_array):
        return _gone_over(x) if is_array(x._value) else refuse("a loop over an iterator of an array that may change is not supported")
    return refuse("a loop over an iterator of a list that may change is not supported: write `list(…)`") if _is_object(x) else x
def _numbered(xs, start=0):
    return numbered_iterator(iter_of(xs), start) if _is_object(xs) else enumerate(xs, start)
def _zipped(*xs):
    return zipped_iterator(tuple([iter_of(x) for x in xs]))
