"""The fields of a record's class, and which of them text may leave out.

For `class Pointwise(Struct)` with `vector: int`, `waves: int` and `repeat: int = 1` the fields are
`vector`, `waves` and `repeat`, the needed fields `vector` and `waves`, and the defaults `{"repeat": 1}`.
"""

from __future__ import annotations

from typing import Any

from msgspec import Struct


def fields_of(record: type[Struct]) -> tuple[str, ...]:
    """The names of all fields in their order."""
    return record.__struct_fields__


def needed_fields(record: type[Struct]) -> tuple[str, ...]:
    """The names of the fields without a default, which come first."""
    return record.__struct_fields__[: len(record.__struct_fields__) - len(record.__struct_defaults__)]


def field_defaults(record: type[Struct]) -> dict[str, Any]:
    """The defaults by the names of their fields."""
    names = record.__struct_fields__[len(needed_fields(record)) :]
    return dict(zip(names, record.__struct_defaults__, strict=True))
