# Arrays as the objects that they are in NumPy. One that nobody writes to is its value, with the place where it is made. Where something
# writes to the arrays of a place, they are boxes: inference begins again with those (`is_written`). A view of such an array reads and
# writes the elements of that. Whether NumPy's `reshape` gives a view depends on how an array lies in memory: `_order` is `()` if that is
# one row after the other, and `None` if nobody knows.
class array_object:
    __add__ = lambda self, other: _fresh(_held(self) + _plain(other), (self, other))
    __radd__ = lambda self, other: _fresh(_plain(other) + _held(self), (self, other))
    __sub__ = lambda self, other: _fresh(_held(self) - _plain(other), (self, other))
    __rsub__ = lambda self, other: _fresh(_plain(other) - _held(self), (self, other))
    __mul__ = lambda self, other: _fresh(_held(self) * _plain(other), (self, other))
    __rmul__ = lambda self, other: _fresh(_plain(other) * _held(self), (self, other))
    __truediv__ = lambda self, other: _fresh(_held(self) / _plain(other), (self, other))
    __rtruediv__ = lambda self, other: _fresh(_plain(other) / _held(self), (self, other))
    __floordiv__ = lambda self, other: _fresh(_held(self) // _plain(other), (self, other))
    __rfloordiv__ = lambda self, other: _fresh(_plain(other) // _held(self), (self, other))
    __mod__ = lambda self, other: _fresh(_held(self) % _plain(other), (self, other))
    __rmod__ = lambda self, other: _fresh(_plain(other) % _held(self), (self, other))
    __pow__ = lambda self, other: _fresh(_held(self) ** _plain(other), (self, other))
    __rpow__ = lambda self, other: _fresh(_plain(other) ** _held(self), (self, other))
    __and__ = lambda self, other: _fresh(_held(self) & _plain(other), (self, other))
    __rand__ = lambda self, other: _fresh(_plain(other) & _held(self), (self, other))
    __or__ = lambda self, other: _fresh(_held(self) | _plain(other), (self, other))
    __ror__ = lambda self, other: _fresh(_plain(other) | _held(self), (self, other))
    __xor__ = lambda self, other: _fresh(_held(self) ^ _plain(other), (self, other))
    __rxor__ = lambda self, other: _fresh(_plain(other) ^ _held(self), (self, other))
    __eq__ = lambda self, other: _fresh(_held(self) == _plain(other), (self, other))
    __ne__ = lambda self, other: _fresh(_held(self) != _plain(other), (self, other))
    __lt__ = lambda self, other: _fresh(_held(self) < _plain(other), (self, other))
    __le__ = lambda self, other: _fresh(_held(self) <= _plain(other), (self, other))
    __gt__ = lambda self, other: _fresh(_held(self) > _plain(other), (self, other))
    __ge__ = lambda self, other: _fresh(_held(self) >= _plain(other), (self, other))
    __neg__ = lambda self: _fresh(-_held(self), (self,))
    __abs__ = lambda self: _fresh(abs(_held(self)), (self,))
    __invert__ = lambda self: _fresh(~_held(self), (self,))
    __len__ = lambda self: len(_held(self))
    __bool__ = lambda self: bool(_held(self))
    __float__ = lambda self: float(_held(self))
    __int__ = lambda self: int(_held(self))
    __iter__ = lambda self: mutable_list_iterator(self, 0)
    __contains__ = lambda self, value: value in _held(self)
    __tuple__ = lambda self: tuple(_rows_of(self))
    __reversed__ = lambda self: reversed(_rows_of(self))
    __enumerate__ = lambda self, start: enumerate(_rows_of(self), start)
    __unpacked__ = lambda self, names: unpacked(_rows_of(self), names)
    __starred__ = lambda self, before, after: starred(_rows_of(self), before, after)
    __sum__ = lambda self, start: sum(_rows_of(self), start)
    __min__ = lambda self: min(_held(self))
    __max__ = lambda self: max(_held(self))

    def __getitem__(self, index):
        index = _plain(index)
        value = _held(self)[index]
        if not is_array(value):
            return value
        if not _is_basic(index):
            return _new_array(value, () if ndim(value) < 2 else None)
        site = site_of(self._box)
        order = self._order if isinstance(index, int) else None
        if is_written(site):
            return array_view(site, self, index, order)
        return mutable_array(site, value, order)

# The box holds the array, or there is nothing in it, and the array is `_value`.
@dataclass(frozen=True)
class mutable_array(array_object):
    _box: object
    _value: object
    _order: object

# What an index gives of an array that is written to.
@dataclass(frozen=True)
class array_view(array_object):
    _box: object
    _of: object
    _index: object
    _order: object

# The elements at some places of such an array, in its order.
@dataclass(frozen=True)
class array_of_places(array_object):
    _box: object
    _of: object
    _places: object
    _order: object
    _writable: object

def _is_array_object(x):
    return isinstance(x, (mutable_array, array_view, array_of_places))
def _is_basic(index):
    if isinstance(index, list):
        return False
    if is_tuple(index):
        for part in index:
            if not _is_basic(part):
                return False
        return True
    return not (is_array(index) or isinstance(index, bool))
def _new_array(values, order):
    site = site_of(None)
    if is_written(site):
        return mutable_array(_boxed(values), (), order)
    return mutable_array(site, values, order)
# An array that the top level makes once.
def _of_top_level(x):
    if not is_array(x):
        return x
    site = site_of(None)
    if is_written(site):
        return refuse("an array of the top level, which others may read, is not written to; write to a copy: `.copy()`")
    return mutable_array(site, x, ())
# What is computed of numbers, or is one of several objects.
def _computed(value):
    return _new_array(value, None) if is_array(value) else value
# What is computed with operands. Its elements lie in memory as theirs do.
def _fresh(values, operands):
    return _new_array(values, _order_of(values, operands)) if is_array(values) else _as_objects(values)
def _order_of(values, operands):
    for x in operands:
        x = _held(x) if isinstance(x, mutable_list) else x
        if is_tuple(x) and _order_of(values, x) is None:
            return None
        if _is_array_object(x) and ndim(values) > 1:
            if ndim(_held(x)) > 1 and x._order is None:
                return None
    return ()
def _array_in(x):
    if isinstance(x, array_view):
        return _held(x._of)[x._index]
    if isinstance(x, array_of_places):
        return ravel(_held(x._of))[x._places]
    return opened(_content(x._box), x._box, 0) if is_tuple(x._value) else x._value
# The array has these elements from here on.
def _hold_array(x, values):
    if isinstance(x, array_view):
        whole = _held(x._of)
        whole[x._index] = values
        return _hold_array(x._of, whole)
    if isinstance(x, array_of_places):
        if x._writable is None:
            return refuse("NumPy lets nobody write to the result of this function, which is a view; write `.copy()`")
        whole = _held(x._of)
        elements = ravel(whole)
        elements[x._places] = values
        return _hold_array(x._of, with_shape(elements, shape_of(whole)))
    return _set_box(x._box, values) if is_tuple(x._value) else writes_to(x._box)
# `x += y` and the like: the array has these elements, of the type that it is of.
def _assigned(x, values):
    if not _is_array_object(x):
        return values
    elements = _held(x)
    values = _plain(values)
    if _rank_of_type(elements) < _rank_of_type(values):
        return refuse("an array of this type does not take these elements in place; write `x = x + y`")
    elements[...] = values
    _hold_array(x, elements)
    return x
def _rank_of_type(x):
    dtype = dtype_of(array_of(x))
    return 0 if dtype == "bool" else 1 if dtype == "int64" else 2 if dtype == "float64" or dtype == "float32" else 3
# What an element of a list or an array becomes.
def _fitting(items, value):
    return _plain(value) if is_array(items) else value
# The elements of what is gone over: those of an array of several axes are views of it.
def _rows_of(x):
    return tuple([x[i] for i in _numbers(len(_held(x)))]) if ndim(_held(x)) > 1 else _held(x)
def _gone_over(x):
    return _rows_of(x) if _is_array_object(x) else _held(x)

# What a function of NumPy gives that picks elements of `x`: a view. `places` is what it gives for their places.
def _moved(x, values, places, needs_order, keeps_order, is_writable):
    if not _is_array_object(x):
        return _as_objects(values)
    if isinstance(values, list):
        parts = [_moved(x, v, p, needs_order, keeps_order, is_writable) for v, p in zip(values, places)]
        return _new_list(parts) if has_list_objects() else parts
    site = site_of(x._box)
    order = x._order if keeps_order else None
    if not is_written(site):
        return mutable_array(site, values, order)
    if needs_order and x._order is None and (ndim(_held(x)) > 1 or ndim(values) == 1):
        return refuse("whether this is a view of the array, which is written to, depends on how that lies in memory; write `.copy()`")
    return array_of_places(site, x, places, order, () if is_writable else None)
def _own_places(x):
    x = array_of(_held(x))
    return with_shape(iota((size(x), 0)), shape_of(x))
# The diagonal of a matrix is a view, a matrix with an array for its diagonal is none.
def _diagonal_in(x, values, places):
    return _moved(x, values, places, False, False, False) if ndim(values) < ndim(_held(x)) else _as_objects(values)
# What is the array itself if it is of the type that is asked for.
def _itself(x, values):
    return x if _is_array_object(x) and dtype_of(_held(x)) == dtype_of(values) else _as_objects(values)
# What may be a view that we have no form for.
def _part_in_memory(x, values):
    if not _is_array_object(x) or not is_array(values):
        return _as_objects(values)
    site = site_of(x._box)
    if is_written(site):
        return refuse("a view of an array that is written to, by this function, is not supported; write `.copy()`")
    return mutable_array(site, values, None)

# What NumPy's functions give that is put into the array `out`.
def _put_into(out, values):
    if shape_of(array_of(values)) != shape_of(_held(_written(out))):
        return refuse("`out` has another shape than what is put there")
    return _assigned(out, values)
# Functions that write to their first argument.
def _written(x):
    return x if _is_array_object(x) else refuse("an array of the top level, which others may read, is not written to")
def _add_at(a, indices, b):
    _hold_array(_written(a), _added_at(_held(a), _with_arrays(_plain(indices)), _with_arrays(_plain(b))))
def _subtract_at(a, indices, b):
    _hold_array(_written(a), _subtracted_at(_held(a), _with_arrays(_plain(indices)), _with_arrays(_plain(b))))
# An index, or values, with arrays for lists.
def _with_arrays(x):
    if isinstance(x, list):
        return array_of(x)
    return tuple([_with_arrays(part) for part in x]) if isinstance(x, tuple) else x
def copyto(dst, src, where=True):
    _hold_array(_written(dst), select(_plain(where), _plain(src), _held(dst)))
def fill_diagonal(a, val):
    n = _smaller(shape_of(_held(a))[0], shape_of(_held(a))[1])
    places = arange(n)
    _hold_array(_written(a), with_item(_held(a), together((places, places)), _plain(val)))
def put(a, ind, v):
    elements = with_item(ravel(_held(a)), array_of(_plain(ind)), _plain(v))
    _hold_array(_written(a), with_shape(elements, shape_of(_held(a))))
def putmask(a, mask, values):
    copyto(a, values, mask)
