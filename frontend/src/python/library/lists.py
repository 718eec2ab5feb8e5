# Lists whose length only the run knows: the number of elements, and a vector of them, which may leave room before the first one.
# That a list is one of these inference decides: it is a tuple, until it would have to have two lengths.

@dataclass(frozen=True)
class list:
    _count: int
    _elements: object

    def __len__(self):
        return self._count
    def __bool__(self):
        return self._count > 0
    def __getitem__(self, i):
        return vector_at(self, index_in(i, self._count))
    def __setitem__(self, i, value):
        xs = as_list(self, (value,))
        return vector_with(xs, index_in(i, xs._count), value, xs._count)
    def __additem__(self, i, value):
        return self.__setitem__(i, self[i] + value)
    def __slice__(self, start, stop, step):
        by = 1 if step is None else step
        last = self._count if by > 0 else self._count - 1
        first = 0 if by > 0 else -1
        at = (first if by > 0 else last) if start is None else _bound(start, self._count, first, last)
        end = (last if by > 0 else first) if stop is None else _bound(stop, self._count, first, last)
        xs = as_list((), self)
        for i in range(at, end, by):
            xs = xs.__append__(self[i])
        return xs
    def __drop_last__(self):
        if self._count == 0:
            return self
        return vector_moved(self, 0, self._count - 1)
    def __drop_first__(self):
        if self._count == 0:
            return self
        xs = vector_moved(self, 1, self._count - 1)
        # Places before the first element are given up where they would be most of the vector.
        return _with_room(xs, 0) if vector_first(xs) > xs._count + 32 else xs
    def __prepend__(self, value):
        xs = as_list(self, (value,))
        if vector_first(xs) == 0:
            xs = _with_room(xs, xs._count + 4)
        return vector_with(vector_moved(xs, -1, xs._count), 0, value, xs._count + 1)
    def __append__(self, value):
        xs = as_list(self, (value,))
        return vector_with(xs, xs._count, value, xs._count + 1)
    def __extend__(self, items):
        xs = self
        for x in items:
            xs = xs.__append__(x)
        return xs
    def __extends__(self, before):
        if not is_tuple(before):
            return as_list(before, self).__extend__(self)
        xs = self
        for x in reversed(before):
            xs = xs.__prepend__(x)
        return xs
    def __add__(self, other):
        return self.__extend__(other)
    def __radd__(self, other):
        return self.__extends__(other)
    def __mul__(self, n):
        xs = as_list((), self)
        for _ in range(n):
            xs = xs.__extend__(self)
        return xs
    def __rmul__(self, n):
        return self * n
    def __eq__(self, other):
        xs = as_list(other, self)
        if self._count != xs._count:
            return False
        for i in range(self._count):
            if self[i] != xs[i]:
                return False
        return True
    def __iter__(self):
        return list_iterator(self, 0)
    def __contains__(self, value):
        for x in self:
            if x == value:
                return True
        return False
    def __sum__(self, start):
        for x in self:
            start = start + x
        return start
    def __min__(self):
        best = self[0]
        for x in self:
            if x < best:
                best = x
        return best
    def __max__(self):
        best = self[0]
        for x in self:
            if x > best:
                best = x
        return best
    def __reversed__(self):
        return self.__slice__(None, None, -1)
    def __enumerate__(self, start):
        pairs = as_list((), ())
        for x in self:
            pairs = pairs.__append__((start, x))
            start = start + 1
        return pairs
    def __tuple__(self):
        return self
    # With a length that inference has counted.
    def __as_array__(self, n):
        if self._count != n:
            raise ValueError("a list has another length than was counted when the program was compiled")
        n = constant(n, "the number of elements")
        if n == 0:
            return array_of(())
        first = array_of(self[0])
        result = zeros((n,) + shape_of(first), dtype_of(first))
        for i in range(n):
            result[i] = self[i]
        return result
    def __unpacked__(self, names):
        # Only what is needed is checked, so the check of the number is part of the last index.
        last = index_in(self._count - 1, names) + names - self._count
        return _elements(self, 0, names - 1) + (self[last],)
    def __starred__(self, before, after):
        first = index_in(before, self._count - after + 1)
        right = _elements(self, self._count - after + first - before, after)
        return _elements(self, 0, before) + (self[first:self._count - after],) + right
    @staticmethod
    def __repeated__(values, n):
        return as_list(values, ()) * varying(n)
    @staticmethod
    def __listed__(values):
        return as_list([x for x in values], ())
    @staticmethod
    def __sliced__(values, start, stop, step):
        return as_list(values, ()).__slice__(start, stop, step)
    @staticmethod
    def __spliced__(values, start, stop, step, new, adds):
        items = as_list(tuple(new), values)
        xs = as_list(values, items)
        if adds:
            items = xs.__slice__(start, stop, step).__extend__(items)
        if step is None:
            at = 0 if start is None else _bound(start, xs._count, 0, xs._count)
            end = xs._count if stop is None else _bound(stop, xs._count, 0, xs._count)
            return xs.__slice__(None, at, None).__extend__(items).__extend__(xs.__slice__(at if end < at else end, None, None))
        places = as_list(tuple(range(xs._count)), ()).__slice__(start, stop, step)
        if places._count != items._count:
            raise ValueError("a slice with a step takes as many values as it has")
        for i in range(items._count):
            xs = xs.__setitem__(places[i], items[i])
        return xs
    @staticmethod
    def __zip__(sequences):
        lists = [as_list(tuple(s), ()) for s in sequences]
        count = lists[0]._count
        for xs in lists:
            if xs._count < count:
                count = xs._count
        rows = as_list((), ())
        for i in range(count):
            rows = rows.__append__(tuple([xs[i] for xs in lists]))
        return rows
    def __print__(self):
        say(0, "[", ())
        for i in range(self._count):
            if i > 0:
                say(0, ", ", ())
            say(0, "{!r}", (self[i],))
        say(0, "]", ())
    def __gradient__(self, cotangent):
        gradients = as_list((), ())
        for i in range(self._count):
            gradients = gradients.__append__(shown(vector_part(cotangent[1], self, i), self[i]))
        return gradients
    def __given__(self, tangents, what):
        tangents = as_list(tangents, ())
        # Where one of them is shorter an element is missing, which is said.
        count = self._count if self._count > tangents._count else tangents._count
        tangent = vector_tangent(None, self, 0, None)
        for i in range(count):
            tangent = vector_tangent(tangent, self, i, given(tangents[i], self[i], what))
        return (given(None, self._count, what), tangent)

@dataclass(frozen=True)
class list_iterator:
    sequence: object
    at: int

    def __has_next__(self):
        return self.at < self.sequence._count
    def __next__(self):
        return vector_at(self.sequence, self.at)
    def __advance__(self):
        return list_iterator(self.sequence, self.at + 1)

def _bound(i, count, first, last):
    i = i + count if i < 0 else i
    return first if i < first else last if i > last else i
def _elements(xs, first, count):
    # A tuple, since the count is a constant.
    return () if count == 0 else _elements(xs, first, count - 1) + (xs[first + count - 1],)
# The same elements, with so many places before the first.
def _with_room(xs, room):
    moved = vector_moved(as_list((), xs), room, xs._count)
    for i in range(xs._count):
        moved = vector_with(moved, i, xs[i], xs._count)
    return moved
