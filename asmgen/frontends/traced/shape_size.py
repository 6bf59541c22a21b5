"""A size that the launch knows as a traced function sees it: `x.shape[0]` of an input ("n", 1024).

The function may compute with it and give it to reshape and the like. A decision by its value would be made
once, for every launch, and is refused.
"""

from __future__ import annotations

from typing import NoReturn, cast

from asmgen.frontends.traced.places import caller
from asmgen.index import Index
from asmgen.index.size import Dim, Size, size_of
from isa.diagnostics import InputError


class ShapeSize(Size):
    """A size in a shape; the sizes computed from it are ShapeSizes too. Raises `InputError` TRC008 if it
    is compared with a number or used as a number."""

    def _of(self, expression: Index) -> Dim:
        size = size_of(expression)
        return ShapeSize(size.expression) if isinstance(size, Size) else size

    def __eq__(self, other: object) -> bool:
        if isinstance(other, int):
            raise _refused(self)
        return super().__eq__(other)

    def __hash__(self) -> int:
        return super().__hash__()

    def __lt__(self, _other: object) -> bool:
        raise _refused(self)

    def __le__(self, _other: object) -> bool:
        raise _refused(self)

    def __gt__(self, _other: object) -> bool:
        raise _refused(self)

    def __ge__(self, _other: object) -> bool:
        raise _refused(self)

    def __bool__(self) -> NoReturn:
        raise _refused(self)

    def __index__(self) -> int:
        raise _refused(self)

    def __int__(self) -> int:
        raise _refused(self)

    def __float__(self) -> float:
        raise _refused(self)

    def __truediv__(self, _other: object) -> float:
        raise _refused(self)

    def __rtruediv__(self, _other: object) -> float:
        raise _refused(self)


def of_shape(size: Dim) -> int:
    """A size as a traced function sees it: as numpy types it, also if it is a `ShapeSize`."""
    return cast("int", ShapeSize(size.expression)) if isinstance(size, Size) else size


def as_given(size: Dim) -> Dim:
    """A size that a traced function gives back, as the graph has it."""
    return size_of(size.expression) if isinstance(size, Size) else size


def known(size: Dim) -> int:
    """A size that the code depends on; `InputError` TRC008 for a size that only the launch knows."""
    if isinstance(size, Size):
        raise _refused(size)
    return size


def _refused(size: Size) -> InputError:
    return InputError(
        caller(),
        "TRC008",
        f"the value of {size} is asked for, wanted none: only the launch knows it",
        help="compile with a number in the place of the name, or compute on arrays",
    )
