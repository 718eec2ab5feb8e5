# `itertools`, and what builtins do with sequences beside it. Where Python has iterators these are lists.

def _first_of(xs, *default):
    for x in xs:
        return x
    if len(default) == 0:
        raise StopIteration("there is no element")
    return default[0]
# What goes over an instance of a class with `__iter__`, and what is taken of it at once.
def _iter_from(xs):
    return iter_of(xs)
def _all_from(xs):
    items = []
    for x in xs:
        items.append(x)
    return items
def _tuple_from(xs):
    return tuple(_all_from(xs))
def _sum_from(xs, start):
    for x in xs:
        start = start + x
    return start
def _min_from(xs):
    items = _all_from(xs)
    best = items[0]
    for x in items:
        if x < best:
            best = x
    return best
def _max_from(xs):
    items = _all_from(xs)
    best = items[0]
    for x in items:
        if x > best:
            best = x
    return best
def _contains_from(xs, value):
    for x in xs:
        if x == value:
            return True
    return False
def _enumerate_from(xs, start):
    return numbered_iterator(iter_of(xs), start)
def _next_from(xs, *default):
    if has_next(xs):
        return next_of(xs)
    if len(default) == 0:
        raise StopIteration("there is no element")
    return default[0]
def _zip_strict(*xs, strict=False):
    if constant(strict, "`strict`"):
        for x in xs[1:]:
            if is_tuple(x) and is_tuple(xs[0]):
                if len(x) != len(xs[0]):
                    return refuse("`zip` of sequences with different lengths")
            elif len(x) != len(xs[0]):
                raise ValueError("`zip` of sequences with different lengths")
    return zip(*xs)
def itertools_accumulate(xs, func=None, *, initial=None):
    result = [] if initial is None else [initial]
    for x in xs:
        if len(result) == 0:
            result = result + [x]
        elif func is None:
            result = result + [result[-1] + x]
        else:
            result = result + [func(result[-1], x)]
    return result
def itertools_chain(*xs):
    result = ()
    for x in xs:
        result = result + tuple(x)
    return result
def _chain_of(xss):
    return itertools_chain(*xss)
def itertools_combinations(xs, r):
    return _combinations(tuple(xs), constant(r, "`r`"), 1)
def itertools_combinations_with_replacement(xs, r):
    return _combinations(tuple(xs), constant(r, "`r`"), 0)
def _combinations(xs, r, step):
    if r == 0:
        return ((),)
    result = ()
    for i in range(len(xs)):
        for rest in _combinations(xs[i + step:], r - 1, step):
            result = result + ((xs[i],) + rest,)
    return result
def itertools_batched(xs, n, *, strict=False):
    xs = tuple(xs)
    n = constant(n, "the length of a batch")
    if strict and len(xs) % n != 0:
        return refuse("the last batch of `batched` is shorter")
    return tuple([xs[i:i + n] for i in range(0, len(xs), n)])
def itertools_compress(data, selectors):
    return [x for x, is_kept in zip(data, selectors) if is_kept]
def itertools_count(start=0, step=1):
    return refuse("`count` has no end: write `range(…)`, or `enumerate(xs, start)`")
def itertools_cycle(xs):
    return refuse("`cycle` has no end: write `xs * n`")
def itertools_dropwhile(f, xs):
    result, dropping = [], True
    for x in xs:
        dropping = dropping and f(x)
        if not dropping:
            result = result + [x]
    return result
def itertools_filterfalse(f, xs):
    return [x for x in xs if not (x if f is None else f(x))]
def itertools_islice(xs, *bounds):
    xs = tuple(xs)
    if len(bounds) == 1:
        return xs[:bounds[0]]
    return xs[bounds[0]:bounds[1]] if len(bounds) == 2 else xs[bounds[0]:bounds[1]:bounds[2]]
def itertools_pairwise(xs):
    xs = tuple(xs)
    return zip(xs, xs[1:])
def itertools_permutations(xs, r=None):
    xs = tuple(xs)
    return _permutations(xs, len(xs) if r is None else constant(r, "`r`"))
def _permutations(xs, r):
    if r == 0:
        return ((),)
    result = ()
    for i in range(len(xs)):
        for rest in _permutations(xs[:i] + xs[i + 1:], r - 1):
            result = result + ((xs[i],) + rest,)
    return result
def itertools_product(*xs, repeat=1):
    rows = ((),)
    for _ in range(constant(repeat, "`repeat`")):
        for x in xs:
            longer = ()
            for row in rows:
                for item in tuple(x):
                    longer = longer + (row + (item,),)
            rows = longer
    return rows
def itertools_repeat(x, times=None):
    if times is None:
        return refuse("`repeat` without a number of times has no end")
    return [x] * times
def itertools_starmap(f, xs):
    return [f(*x) for x in xs]
def itertools_takewhile(f, xs):
    result = []
    for x in xs:
        if not f(x):
            break
        result = result + [x]
    return result
def itertools_tee(xs, n=2):
    return (tuple(xs),) * constant(n, "the number of iterators")
def itertools_zip_longest(*xs, fillvalue=None):
    longest = 0
    for x in xs:
        longest = len(x) if len(x) > longest else longest
    rows = ()
    for i in range(longest):
        row = ()
        for x in xs:
            row = row + (x[i] if i < len(x) else fillvalue,)
        rows = rows + (row,)
    return rows

# Functions remember by whole numbers, strings, and tuples of them.
def _is_key(x):
    if isinstance(x, tuple):
        for y in x:
            if not _is_key(y):
                return False
        return True
    return isinstance(x, (int, str))
# Of a function that does not come back to itself nobody sees whether it remembers.
def functools_cache(f):
    return f
def functools_lru_cache(maxsize=None, typed=False):
    return maxsize if callable(maxsize) else lambda f: f
def functools_wraps(wrapped):
    return lambda f: f
def functools_update_wrapper(wrapper, wrapped):
    return wrapper
# By how many come before each, with the function of two that says it.
def functools_cmp_to_key(mycmp):
    return lambda x: _Compared(mycmp, x)
@dataclass(frozen=True)
class _Compared:
    compare: object
    value: object
    def __lt__(self, other):
        return self.compare(self.value, other.value) < 0
    def __gt__(self, other):
        return self.compare(self.value, other.value) > 0
    def __eq__(self, other):
        return self.compare(self.value, other.value) == 0
def operator_call(obj, *args, **kwargs):
    return obj(*args, **kwargs)
def operator_countOf(a, b):
    return _list_count(a, b)
def operator_indexOf(a, b):
    return _list_index(a, b)
def operator_index(a):
    return a + 0 if isinstance(a, int) else refuse("only an int is an index")
def operator_is_(a, b):
    return a is None and b is None if a is None or b is None else refuse("`is_` is known of `None` alone")
def operator_is_not(a, b):
    return not operator_is_(a, b)
def operator_itemgetter(*items):
    if len(items) == 1:
        return lambda x: x[items[0]]
    return lambda x: tuple([x[i] for i in items])
