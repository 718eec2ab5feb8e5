"""Constants of the user as text: numbers, containers, and arrays, which are parameters of the program."""

from __future__ import annotations

from collections import OrderedDict, deque
from types import MappingProxyType
from typing import Any

from ._base import CONTAINERS, Base, Unsupported, listed, may_change, own_name
from ._definitions import IMPORT, Array, Definition, Parts
from ._program import Place, is_numpy_scalar, is_scalar, snapshot
from ._varying import Read, varies

_MANY_ELEMENTS = 64


class Constants(Base):
    """Text of values."""

    def expression(self, value: Any, hint: str, place: Place) -> Parts:
        """Text of a value: itself where that is a literal, else a name."""
        if type(value) in CONTAINERS:
            return self._container(value, hint)
        if is_scalar(value):
            return [self._scalar(value)]
        return [self.refer(value, own_name(value) or hint, place)]

    def _scalar(self, value: Any) -> str:
        if is_numpy_scalar(value):
            value = value.item()
        if isinstance(value, complex):
            self.reserved.add("complex")
            return f"complex({self._scalar(value.real)}, {self._scalar(value.imag)})"
        if isinstance(value, float) and (value != value or value in (float("inf"), float("-inf"))):
            self.reserved.add("float")
            return f'float("{value}")'
        if not is_scalar(value) or is_numpy_scalar(value):
            raise Unsupported(f"a scalar of type {type(value).__name__}")
        return repr(value)

    def _container(self, value: Any, hint: str) -> Parts:
        if id(value) in self._within:
            raise Unsupported("a value that contains itself")
        self._within.add(id(value))
        try:
            parts = self._items(value, hint)
        finally:
            self._within.discard(id(value))
        if not self._within and may_change(value):
            self._guard("value", value, None, snapshot(value, self._is_given))
        return parts

    def _items(self, value: Any, hint: str) -> Parts:
        def item(v: Any, key: Any) -> Parts:
            return self.expression(v, f"{hint}_{key}", Place("item", value, key))

        if isinstance(value, (dict, MappingProxyType)):
            pairs: list[Parts] = [[*item(k, k), ": ", *item(v, k)] for k, v in value.items()]
            parts = listed("{", pairs, "}")
            if not isinstance(value, OrderedDict):
                return parts
            maker: Parts = [self._import("collections", "OrderedDict", "OrderedDict"), "("]
            return [*maker, *parts, ")"]
        if isinstance(value, (range, slice)):
            name = type(value).__name__
            self.reserved.add(name)
            return listed(f"{name}(", [item(v, i) for i, v in enumerate((value.start, value.stop, value.step))], ")")
        items = [item(v, i) for i, v in enumerate(value)]
        if isinstance(value, (list, deque)):
            return listed("[", items, "]")
        # A set is what is in it, in the order in which Python goes through it: programs ask it no more.
        return listed("(", items, ",)" if len(items) == 1 else ")")

    def _is_small(self, value: Any) -> bool:
        """Whether shapes or indices may depend on an array: it is part of the text."""
        kind = getattr(getattr(value, "dtype", None), "kind", None)
        return value.ndim == 0 or (kind in ("i", "u", "b") and value.size <= _MANY_ELEMENTS) or self.bakes_arrays

    def _is_given(self, value: Any) -> bool:
        return isinstance(getattr(value, "ndim", None), int) and not self._is_small(value)

    def _array(self, value: Any, hint: str, place: Place) -> Definition:
        if not isinstance(getattr(value, "ndim", None), int):
            raise Unsupported(f"an object of the class {type(value).__name__}")
        if getattr(getattr(value, "dtype", None), "kind", "f") not in "biufcV":
            raise Unsupported("an array of what are no numbers")
        if not self._is_small(value):
            return self._given(hint, place)
        if id(value) not in self._known:
            self._guard("value", value, None, snapshot(value, self._is_given))
            parts: Parts = [self._scalar(value.item())] if value.ndim == 0 else self._baked(value)
            self._remember(value, self._value(hint, parts))
        return self._known[id(value)]

    def _given(self, hint: str, place: Place) -> Definition:
        """What is at a place as a parameter of the program."""
        self._kept.append(place.holder)
        return self._once(("given", id(place.holder), _hashable(place.key)), lambda: Array(hint, IMPORT, place=place))

    def _varies(self, read: Read, value: float) -> bool:
        """Whether a float changes, so that it is to be given."""
        if self.bakes_arrays or not varies(read, value):
            return False
        self.varying.append(read)
        return True

    def _baked(self, value: Any) -> Parts:
        numpy = self._import("numpy", None, "np")
        # Ints have 64 bits.
        kind = "int64" if value.dtype.kind in "iu" else str(value.dtype)
        dtype: Parts = [", dtype=", numpy, f".{kind})"]
        if value.size == 0:
            return [numpy, f".zeros({tuple(value.shape)!r}", *dtype]
        is_usual = kind in ("int64", "float64", "bool", "complex128")
        return [numpy, f".array({self._nested(value.tolist())}", *([")"] if is_usual else dtype)]

    def _nested(self, value: Any) -> str:
        if isinstance(value, list):
            return "[" + ", ".join(map(self._nested, value)) + "]"
        return self._scalar(value)


def _hashable(key: Any) -> Any:
    return key if isinstance(key, (str, int, tuple)) else id(key)
