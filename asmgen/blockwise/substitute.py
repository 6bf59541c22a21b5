"""Symbols of an op's attributes replaced: a counter by its value, a coordinate by another.

tile_load[at={k + c0}] with k := 16 is tile_load[at={16 + c0}]
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec.structs import replace

from asmgen.blockwise.actions import Action, Below, Setting, settings
from asmgen.blockwise.layout.layout import Layout
from asmgen.index import Index, Symbol
from asmgen.ir.types import ElementType


def substituted(action: Action, values: Mapping[Symbol, Index]) -> Action:
    """The op with every symbol of `values` in its attributes replaced; the counter of a loop stays."""
    return replace(action, **{name: _of(value, values) for name, value, _ in settings(action)})


def _of(value: Setting, values: Mapping[Symbol, Index]) -> Setting:
    if isinstance(value, Index):
        return value.substitute(values)
    if isinstance(value, Below):
        return Below(value.left.substitute(values), value.right.substitute(values))
    if isinstance(value, tuple) and not isinstance(value, Layout | ElementType):
        return tuple([_of(item, values) for item in value])
    return value


def indices_of(action: Action) -> list[Index]:
    """Every index expression of an op's attributes."""
    found: list[Index] = []
    for _, value, _ in settings(action):
        _collect(value, found)
    return found


def _collect(value: Setting, found: list[Index]) -> None:
    if isinstance(value, Index):
        found.append(value)
    elif isinstance(value, tuple) and not isinstance(value, Layout | ElementType):
        for item in value:
            _collect(item, found)
