"""Makes parts of index expressions once, and remembers results of functions of them.

Expressions are compared by identity, so a part that is still used somewhere must not be made a second time.
A part that nothing uses any more is freed: a process that compiles all day needs no more memory for it.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import lru_cache
from typing import Any, TypeVar
from weakref import WeakValueDictionary

Part = TypeVar("Part")

# Results of each function. Programs with named dims ask for up to 5,000 different sums; a sum takes about
# half a kilobyte.
_MOST_REMEMBERED = 1 << 14
PARTS: WeakValueDictionary[tuple[Hashable, ...], Any] = WeakValueDictionary()


def once(kind: Callable[..., Part], *fields: Hashable) -> Part:
    """The part of this kind with these fields, the same object as long as it is used."""
    key = (kind, *fields)
    part = PARTS.get(key)
    if part is None:
        part = PARTS[key] = kind(*fields)
    return part


remembered = lru_cache(maxsize=_MOST_REMEMBERED)
"""Keeps the latest results of a function of expressions."""
