"""The answers of JAX and of Autograd, for programs of tests/programs whose header says `by: jax` or `by: autograd`.

Such a program is run unchanged, with all its modules, on floats of 64 bits; its derivatives are those of the system it is written for.
"""

import json
import math

import numpy


def system(path):
    """The system that a program is written for, if its header names one."""
    for line in path.read_text().splitlines():
        if not line.startswith("#"):
            return None
        key, _, rest = (part.strip() for part in line[1:].partition(":"))
        if key == "by":
            return rest
    return None


def answers(path):
    """One answer for each line of arguments."""
    scope = {"__name__": path.stem}
    by, array = system(path), numpy.array
    if by == "jax":
        import jax

        jax.config.update("jax_enable_x64", True)
        array = jax.numpy.array
    text = path.read_text()
    exec(compile(text, str(path), "exec"), scope)
    headers = [line[1:].partition(":") for line in text.splitlines() if line.startswith("#")]
    headers = [(key.strip(), rest.strip()) for key, _, rest in headers]
    f = scope[dict(headers)["entry"]]
    gradients = {"jax": gradients_by_jax, "autograd": gradients_by_autograd}[by]
    found = []
    for key, rest in headers:
        if key == "args":
            # A program may write to its arguments.
            args = lambda: [argument(a, array) for a in json.loads(f"[{rest}]")]
            value = f(*args())
            is_tree = isinstance(value, (tuple, list, dict))
            is_float = not is_tree and numpy.ndim(value) == 0 and numpy.asarray(value).dtype.kind == "f"
            found.append({"value": plain(value), "gradient": gradients(f, args) if is_float else None})
    return found


def argument(a, array):
    """An argument as the command takes it: nested lists of numbers are an array."""
    if isinstance(a, dict):
        of = lambda v: argument(v, array)
        return tuple(map(of, a["v"])) if a.get("t") == "tuple" else {k: of(v) for k, v in a.items()}
    return array(a) if isinstance(a, list) else a


def has_float(a):
    if isinstance(a, (tuple, dict)):
        return any(map(has_float, a.values() if isinstance(a, dict) else a))
    return numpy.asarray(a).dtype.kind == "f"


def gradients_by_jax(f, args):
    import jax

    one = lambda i: plain(jax.grad(f, argnums=i, allow_int=True)(*args()))
    return [one(i) if has_float(a) else None for i, a in enumerate(args())]


def gradients_by_autograd(f, args):
    import autograd

    return [plain(autograd.grad(f, i)(*args())) if has_float(a) else None for i, a in enumerate(args())]


def plain(x):
    if isinstance(x, dict):
        return {k: plain(v) for k, v in x.items()}
    if isinstance(x, (tuple, list)):
        return [plain(v) for v in x]
    x = numpy.asarray(x)
    if x.dtype.kind not in "fibu":
        return None  # the tangents of ints
    if x.ndim > 0:
        return [plain(v) for v in x]
    x = x.item()
    return x if not isinstance(x, float) or math.isfinite(x) else {math.inf: "inf", -math.inf: "-inf"}.get(x, "nan")
