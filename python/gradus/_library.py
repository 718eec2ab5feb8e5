"""Modules that the language knows, and which name of which of them a live object is."""

from __future__ import annotations

import builtins
import sys
import sysconfig
from types import ModuleType

_MODULES = (
    "math",
    "cmath",
    "operator",
    "functools",
    "itertools",
    "collections",
    "statistics",
    "bisect",
    "heapq",
    "concurrent.futures",
    "contextlib",
    "copy",
    "dataclasses",
    "typing",
    "abc",
    "numpy",
    "numpy.linalg",
    "numpy.fft",
    "numpy.random",
    "scipy",
    "scipy.special",
    "scipy.stats",
    "scipy.linalg",
    "scipy.constants",
    "scipy.integrate",
    "scipy.interpolate",
    "scipy.optimize",
    "scipy.signal",
    "jax",
    "jax.numpy",
    "jax.numpy.linalg",
    "jax.numpy.fft",
    "jax.lax",
    "jax.nn",
    "jax.random",
    "jax.tree",
    "jax.tree_util",
    "jax.flatten_util",
    "jax.scipy",
    "jax.scipy.special",
    "jax.scipy.stats",
    "jax.scipy.stats.norm",
    "jax.scipy.linalg",
    "autograd.builtins",
    "autograd",
    "autograd.differential_operators",
    "autograd.extend",
    "autograd.misc.flatten",
    "autograd.misc.optimizers",
    "autograd.numpy",
    "autograd.numpy.linalg",
    "autograd.numpy.fft",
    "autograd.scipy",
    "autograd.scipy.special",
    "autograd.scipy.stats",
    "autograd.scipy.stats.norm",
    "autograd.scipy.stats.multivariate_normal",
    "autograd.scipy.linalg",
    "autograd.scipy.signal",
    "autograd.scipy.integrate",
    "myia",
    "myia.api",
    "myia.composite",
    "myia.operations",
    "myia.prim.py_implementations",
    "myia.xtype",
    "gradus",
)
_STANDARD = sysconfig.get_path("stdlib"), sysconfig.get_path("platstdlib")
_PACKAGES = frozenset(name.split(".")[0] for name in _MODULES)

# Packages that are no programs for Gradus, and too large to follow on the chance that they are.
_FOREIGN = frozenset(
    "IPython absl bokeh cupy dask django flask flax h5py haiku ipykernel joblib keras lightning logging loguru matplotlib "
    "mxnet networkx numba optax pandas plotly polars pyarrow pydantic pytest _pytest requests rich seaborn sklearn "
    "statsmodels sympy tensorboard tensorflow tensorflow_probability torch torchvision tqdm triton wandb xarray".split()
)

# A literal says what these are, and equal ones may be the same object.
_PLAIN = (int, float, complex, bool, str, bytes, tuple, list, dict, set, frozenset, type(None), ModuleType)

_stamp: tuple[tuple[int, int], ...] = ()
_index: dict[int, tuple[object, str, str]] = {}


def is_library(module: str) -> bool:
    """Whether a module, by its dotted name, is one of the language or in the package of one."""
    return module.split(".")[0] in _PACKAGES


def is_foreign(module: str) -> bool:
    """Whether a module is not to be followed: one of Python itself, or of a large package."""
    package = module.split(".")[0]
    if package in _PACKAGES:
        return False
    return package in _FOREIGN or (package in sys.stdlib_module_names and package != "__main__" and not _is_beside(package))


def _is_beside(package: str) -> bool:
    """Whether a module of the user has the name of one of Python."""
    file = getattr(sys.modules.get(package), "__file__", None)
    return isinstance(file, str) and not file.startswith(_STANDARD)


def is_followed(module: str) -> bool:
    """Whether a module may be one of the user."""
    return not is_library(module) and not is_foreign(module)


def find(value: object, hint: str = "") -> tuple[str, str] | None:
    """Module and name of a live object that the language may know; the name in the user's text, where it is one of several."""
    _refresh()
    found = _index.get(id(value))
    if found is not None and found[0] is value:
        _, module, name = found
        return module, hint if vars(sys.modules[module]).get(hint) is value else name
    return _by_its_own_name(value)


def find_builtin(value: object) -> str | None:
    """Name of a builtin of Python."""
    name = getattr(value, "__name__", None)
    return name if isinstance(name, str) and vars(builtins).get(name) is value else None


def _by_its_own_name(value: object) -> tuple[str, str] | None:
    kind = type(value)
    if not (isinstance(value, type) or kind.__name__ in ("function", "builtin_function_or_method", "ufunc")):
        return None
    module, name = getattr(value, "__module__", None), getattr(value, "__name__", None)
    if not isinstance(module, str) or not isinstance(name, str) or not is_library(module):
        return None
    home = sys.modules.get(module)
    return (module, name) if home is not None and vars(home).get(name) is value else None


def _refresh() -> None:
    global _stamp, _index
    # Some modules import their parts when these are asked for.
    stamp = tuple((id(m), len(vars(m))) for name in _MODULES if (m := sys.modules.get(name)) is not None)
    if stamp == _stamp:
        return
    index: dict[int, tuple[object, str, str]] = {}
    ranks: dict[int, tuple[bool, bool]] = {}
    for module in _MODULES:
        for name, value in list(vars(sys.modules[module]).items()) if module in sys.modules else ():
            if isinstance(value, _PLAIN) or name.startswith("_"):
                continue
            # Objects have many names: those that they give themselves are the best.
            own = getattr(value, "__module__", None) == module, getattr(value, "__name__", None) == name
            if id(value) not in ranks or own > ranks[id(value)]:
                ranks[id(value)] = own
                index[id(value)] = (value, module, name)
    # Other threads see the one or the other.
    _index, _stamp = index, stamp
