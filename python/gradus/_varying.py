"""Floats that functions read and that change: they are passed to the program, and not written into it, so that it stays as it is."""

from __future__ import annotations

import threading
import weakref
from typing import Any

Read = tuple[Any, str]
"""What reads a float, the code of a function, or has it, the class of an instance; and the name that it has there."""

ENUM = "enum "
"""How a name begins that is one of an enum, which a function reads."""
# What the compiler says where it would have to compare names of members that it does not know.
_COMPARES_TEXTS = "strings are compared when the program is compiled"
_LOCK = threading.RLock()
# What a float was when it was read first, as text; `_CHANGED` once it was another, `_FIXED` where the program must know it.
_SEEN: dict[int, tuple[weakref.ref[Any], dict[str, str]]] = {}
_CHANGED, _FIXED = "changed", "fixed"


def varies(read: Read, value: float) -> bool:
    """Whether a float was another one when it was read before: by this function or one of another closure, or of an instance in this place."""
    with _LOCK:
        known = _known(read[0])
        if known is None:
            return False
        seen = known.setdefault(read[1], repr(value))
        if seen not in (_CHANGED, _FIXED, repr(value)):
            seen = known[read[1]] = _CHANGED
        return seen == _CHANGED


def is_fixed(read: Read) -> bool:
    """Whether something is noted by `fix`."""
    with _LOCK:
        known = _known(read[0])
        return known is not None and known.get(read[1]) == _FIXED


def fix(reads: list[Read], error: str) -> bool:
    """Notes what an error may be about, so that another program is made: false if nothing is noted.

    A shape may depend on a float, which is written into programs from now on. Members of an enum that the run chooses are told apart by
    their numbers.
    """
    with _LOCK:
        noted = False
        for owner, name in reads:
            known = _known(owner)
            if known is not None and (not name.startswith(ENUM) or _COMPARES_TEXTS in error):
                noted, known[name] = True, _FIXED
        return noted


def _known(owner: Any) -> dict[str, str] | None:
    """What is known of an owner; nothing of one whose end cannot be noticed."""
    key = id(owner)
    found = _SEEN.get(key)
    if found is not None and found[0]() is owner:
        return found[1]
    try:
        reference = weakref.ref(owner, lambda _: _SEEN.pop(key, None))
    except TypeError:
        return None
    _SEEN[key] = (reference, {})
    return _SEEN[key][1]
