# What Python's own library has beside NumPy: builtins, methods of dicts, `functools`, `math`.

def _all_of(xs):
    for x in xs:
        if not x:
            return False
    return True
def _any_of(xs):
    for x in xs:
        if x:
            return True
    return False
# Operators that are functions of the library, unless a class defines them.
def _positive(a):
    # A bool becomes an int; subtracting zero keeps every float, -0.0 too.
    return a.__pos__() if defines(a, "__pos__") else a - 0
# Of ints, and of arrays of these. Bits that are lost are an overflow.
def left_shift(a, n):
    if defines(a, "__lshift__"):
        return a.__lshift__(n)
    if defines(n, "__rlshift__"):
        return n.__rlshift__(a)
    a, n = _ints(a), _ints(n)
    if is_array(a) or is_array(n):
        return a * 2 ** n
    # One bit later than the power fits: -1 << 63. What is no zero overflows beyond.
    return a * 2 ** _shift_count(n) if n < 63 else a * 2 ** 62 * (2 if n == 63 else 4)
def _shift_count(n):
    if n < 0:
        raise ValueError("negative shift count")
    return n
def right_shift(a, n):
    if defines(a, "__rshift__"):
        return a.__rshift__(n)
    if defines(n, "__rrshift__"):
        return n.__rrshift__(a)
    a, n = _ints(a), _ints(n)
    if is_array(a) or is_array(n):
        return where(n < 63, a // 2 ** minimum(n, 62), a // 2 ** 62 // 2)
    return a // 2 ** _shift_count(n) if n < 63 else a // 2 ** 62 // 2
def _ints(a):
    if dtype_of(array_of(a)) == "float64" or dtype_of(array_of(a)) == "float32":
        return refuse("only ints are shifted")
    return a
def _power_modulo(a, n, modulus):
    if isinstance(a, float) or isinstance(n, float) or isinstance(modulus, float):
        return refuse("`pow` with a modulus is of ints")
    if n < 0:
        raise ValueError("`pow` with a modulus needs an exponent that is not negative")
    result, a = 1 % modulus, a % modulus
    while n > 0:
        if n % 2 == 1:
            result = result * a % modulus
        n = n // 2
        if n > 0:
            a = a * a % modulus
    return result
def builtins_divmod(a, b):
    return a.__divmod__(b) if defines(a, "__divmod__") else (a // b, a % b)
def builtins_filter(f, xs):
    return [x for x in xs if (x if f is None else f(x))]
def builtins_map(f, *xs):
    if len(xs) == 0:
        return refuse("`map` needs something to go over")
    return [f(*x) for x in zip(*xs)]
def _max_by(*xs, key=None, default=None):
    xs = tuple(xs[0]) if len(xs) == 1 and isinstance(xs[0], dict) else xs[0] if len(xs) == 1 else xs
    if len(xs) == 0:
        if default is None:
            raise ValueError("`max` of nothing needs a default")
        return default
    best = xs[0]
    most = best if key is None else key(best)
    for x in xs[1:]:
        value = x if key is None else key(x)
        if value > most:
            best, most = x, value
    return best
def _min_by(*xs, key=None, default=None):
    xs = tuple(xs[0]) if len(xs) == 1 and isinstance(xs[0], dict) else xs[0] if len(xs) == 1 else xs
    if len(xs) == 0:
        if default is None:
            raise ValueError("`min` of nothing needs a default")
        return default
    best = xs[0]
    least = best if key is None else key(best)
    for x in xs[1:]:
        value = x if key is None else key(x)
        if value < least:
            best, least = x, value
    return best
def builtins_sorted(xs, *, key=None, reverse=False):
    xs = xs if defines(xs, "__append__") else tuple(xs)
    keys = xs if key is None else [key(x) for x in xs]
    if defines(xs, "__append__"):
        return _sorted_list(xs, keys, constant(reverse, "`reverse`"))
    for k in keys:
        if is_array(k):
            return refuse("`sorted` of what is no number is not supported")
    if len(xs) < 2:
        return [*xs]
    if constant(reverse, "`reverse`"):
        # Equal values stay in their order.
        return [*reversed(_sorted(tuple(reversed(xs)), tuple(reversed(keys)), key))]
    return _sorted(xs, keys, key)
# The strings that keys are, or begin with, if these decide: an order that is known when the program is compiled.
def _strings(keys):
    firsts = ()
    for k in keys:
        first = k[0] if is_tuple(k) and len(k) > 0 else k
        if not isinstance(first, str) or is_tuple(k) and first in firsts:
            return None
        firsts = firsts + (first,)
    return firsts
def _sorted_strings(xs, keys):
    order = ()
    for i in range(len(keys)):
        at = 0
        for j in order:
            at = at if keys[i] < keys[j] else at + 1
        order = order[:at] + (i,) + order[at:]
    return [xs[i] for i in order]
def _sorted(xs, keys, key):
    if _strings(keys) is not None:
        return _sorted_strings(xs, _strings(keys))
    if is_tuple(keys[0]) or defines(keys[0], "__lt__"):
        # How many come before each.
        keys = [sum([1 if other < k else 0 for other in keys]) for k in keys]
    elif key is None:
        return [*sort(array_of(xs))]
    return [xs[i] for i in tuple(argsort(array_of(keys)))]
# Of a list whose length only the run knows: the places of its elements, in runs that are in order, merged two by two.
def _sorted_list(xs, keys, reverse):
    count = len(xs)
    order = as_list([i for i in range(count)], (0,))
    width = 1
    while width < count:
        merged = as_list((), (0,))
        for first in range(0, count, 2 * width):
            left, right = first, _at_most(first + width, count)
            middle, last = right, _at_most(right + width, count)
            for _ in range(first, last):
                # Of equal elements the left one comes first.
                if left == middle or right < last and _comes_before(keys[order[right]], keys[order[left]], reverse):
                    merged = merged.__append__(order[right])
                    right += 1
                else:
                    merged = merged.__append__(order[left])
                    left += 1
        order = merged
        width *= 2
    return [xs[i] for i in order]
def _at_most(i, last):
    return i if i < last else last
def _comes_before(a, b, reverse):
    return a > b if reverse else a < b
def _in_order(x, axis=-1, *, key=None, reverse=False):
    return sort(x, axis) if is_array(x) else builtins_sorted(x, key=key, reverse=reverse)
def _is_bool(x, value):
    return x == value if isinstance(x, bool) else False
def builtins_dict(items=None, **named):
    if items is None:
        return named
    if isinstance(items, dict):
        return {**items, **named}
    return {**{k: v for k, v in items}, **named}
def _list_count(xs, value):
    xs = _held(xs)
    if isinstance(xs, str):
        return (len(xs) - len(_str_replace(xs, value, ""))) // len(value)
    count = 0
    for x in xs:
        if x == value:
            count += 1
    return count
def _list_index(xs, value):
    xs = _held(xs)
    for i in range(len(xs)):
        if xs[i] == value:
            return i
    raise ValueError("the value is not in the list")
def _list_insert(xs, i, value):
    return [value] + xs if i == 0 else xs[:i] + [value] + xs[i:]
def _list_remove(xs, value):
    return _list_without(xs, _list_index(xs, value))
def _list_without(xs, i):
    i = i + len(xs) if i < 0 else i
    return xs[1:] if i == 0 else xs[:i] + xs[i + 1:]
def _deleted(xs, i):
    if is_array(xs):
        return refuse("the elements of an array cannot be deleted: write `np.delete(x, i)`")
    if isinstance(xs, dict):
        return _without_key(xs, i)
    return _list_without(xs, index_in(i, len(xs)))
def _without_key(d, key):
    d = table_for(d, key)
    if defines(d, "__without__"):
        return d.__without__(key)
    return {k: v for k, v in d.items() if k != key} if key in d else refuse(("the dict has no key ", key))
def _places_in(xs):
    return [*range(len(xs))]
def _without_places(xs, gone):
    return [xs[i] for i in range(len(xs)) if i not in gone]
def _list_reverse(xs):
    return xs[::-1]
def _list_clear(xs):
    return xs[:0]
def _filled_with(a, value):
    return full_like(a, value) if is_array(a) else refuse("only arrays are filled")
# What `pop` leaves.
def _without_item(xs, i):
    return _without_key(xs, i) if isinstance(xs, dict) else _list_without(xs, index_in(i, len(xs)))
def _without_last(xs):
    return xs[:index_in(-1, len(xs))]
def _dict_popped(d, key, default):
    return _dict_get(d, key, default) if isinstance(d, dict) else refuse("`pop` of a list takes nothing but a place")
# What `pop` with a default leaves.
def _without_it(d, key):
    return _without_key(d, key) if key in d else d
def _dict_last(d):
    d = _held(d)
    if len(d) == 0:
        raise KeyError("'popitem(): dictionary is empty'")
    key = tuple(d)[-1]
    return (key, d[key])
def _dict_without_last(d):
    return _without_key(d, tuple(d)[-1])
def _dict_with_default(d, key, value):
    return d if key in d else {**d, key: value}
def _dict_without(d, keys):
    return {k: v for k, v in d.items() if k not in keys}
def _dict_of_keys(keys, value=None):
    return {k: value for k in keys}
def _dict_get(d, key, default=None):
    d = _held(d)
    return d[key] if key in d else default
def _dict_items(d):
    d = _held(d)
    return [(k, d[k]) for k in d]
def _dict_keys(d):
    d = _held(d)
    return tuple(d)
def _dict_values(d):
    d = _held(d)
    return [d[k] for k in d]
def functools_reduce(f, xs, *start):
    if len(start) == 0:
        xs = tuple(xs)
        if len(xs) == 0:
            raise ValueError("`reduce` of nothing needs a value to start with")
        start = xs[:1]
        xs = xs[1:]
    result = start[0]
    for x in xs:
        result = f(result, x)
    return result
def math_fsum(xs):
    total = 0.0
    for x in xs:
        total = total + x
    return total
def math_hypot(*xs):
    if len(xs) == 0:
        return 0.0
    if len(xs) == 1:
        return abs(float(xs[0]))
    result = hypot_of(xs[0], xs[1])
    for x in xs[2:]:
        result = hypot_of(result, x)
    return result
def math_prod(xs, *, start=1):
    for x in xs:
        start = start * x
    return start
