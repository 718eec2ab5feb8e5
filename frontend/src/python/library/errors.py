# Exceptions as values, and the tests of operations that raise.

@dataclass(frozen=True)
class raised_exception:
    _code_of_it: int
    _raise_it_again: object
    def __repr__(self):
        return refuse("the text of an exception is not supported")
def _never():
    raise RuntimeError("nothing was raised")
def _is_number(x):
    return isinstance(x, (int, float, bool))
def _divides_by_zero(a, b):
    return b == 0 if _is_number(a) and _is_number(b) else False
def _is_power_of_zero(a, b):
    return a == 0 and b < 0 if _is_number(a) and _is_number(b) else False
def _is_outside(xs, i):
    if not isinstance(i, int):
        return False
    if isinstance(xs, (list, tuple, str)):
        return i < -len(xs) or i >= len(xs)
    if is_array(xs) and ndim(xs) > 0:
        return i < -len(xs) or i >= len(xs)
    return False
def _lacks_key(d, key):
    return key not in d if isinstance(d, dict) else False
def _is_outside_domain(y, args, has_poles):
    if not isinstance(y, float):
        return False
    bad = y != y or has_poles and (y == inf or y == -inf)
    for x in args:
        x = float(x)
        bad = bad and x - x == 0.0
    return bad
def _is_beyond_range(y, args):
    if not isinstance(y, float):
        return False
    bad = y == inf or y == -inf
    for x in args:
        x = float(x)
        bad = bad and x - x == 0.0
    return bad
def _is_empty(xs):
    return len(xs) == 0 if isinstance(xs, list) else False
def _has_no_keys(d):
    return len(d) == 0 if isinstance(d, dict) else False
def _has_others(xs, n):
    return len(xs) != n if isinstance(xs, (list, tuple)) or is_array(xs) and ndim(xs) > 0 else False
def _has_fewer(xs, n):
    return len(xs) < n if isinstance(xs, (list, tuple)) or is_array(xs) and ndim(xs) > 0 else False
def _lacks_element(xs, x):
    return x not in xs if isinstance(xs, (list, tuple)) else False
def _is_not_finite(x):
    return not all(isfinite(x))
# Managers of contexts for `with` that do nothing here.
@dataclass(frozen=True)
class null_context:
    value: object
    def __enter__(self):
        return self.value
    def __exit__(self, kind, value, trace):
        return None
def contextlib_nullcontext(enter_result=None):
    return null_context(enter_result)
def errstate(**kinds):
    return null_context(None)
def printoptions(*args, **options):
    return null_context(None)
def jax_disable_jit(disable=True):
    return null_context(None)
def jax_named_scope(name):
    return null_context(None)
def jax_default_matmul_precision(precision):
    return null_context(None)
# Tasks: each is done when it is handed over, so what they give does not depend on their order.
@dataclass(frozen=True)
class task_pool:
    workers: object
    def __enter__(self):
        return self
    def __exit__(self, kind, value, trace):
        return None
    def map(self, f, *xs, timeout=None, chunksize=1):
        return builtins_map(f, *xs)
    def submit(self, f, *args, **named):
        return finished_task(f(*args, **named))
    def shutdown(self, wait=True, cancel_futures=False):
        return None
@dataclass(frozen=True)
class finished_task:
    value: object
    def result(self, timeout=None):
        return self.value
    def done(self):
        return True
def futures_ThreadPoolExecutor(max_workers=None, **options):
    return task_pool(max_workers)
def futures_ProcessPoolExecutor(max_workers=None, **options):
    return task_pool(max_workers)
def futures_as_completed(fs, timeout=None):
    return fs
