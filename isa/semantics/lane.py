"""What a semantics key resolves to, and the registries the other modules of this package fill.

A lane function takes the `Mode` and one array per source, typed as the operand's `type` says (`f32` float32,
`i32` int32, `mask` bool, `f16x2` float16 with a last axis of 2, ...), in the order of the row's spelt uses
and accumulators, then the implicit reads in unit order (EXEC only where the row is scalar, MODE never). It
returns one array per explicit define, then per implicit write in unit order; a single one without a tuple.
Arrays broadcast.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, overload

import numpy as np
from msgspec import Struct

from isa.semantics.mode import Array

LaneResult = Any
LaneCallable = Callable[..., LaneResult]


class LaneFunction(Struct, frozen=True):
    """`call(mode, *sources)`; `saturating` is the form that the clamp modifier asks of an integer
    instruction.

    `into(mode, result, *sources)` puts its one result into an array, which may be that of a source too.
    """

    call: LaneCallable
    saturating: LaneCallable | None = None
    flushes: bool = True  # whether MODE's denormal flushing acts on it
    into: LaneCallable | None = None
    approximate: bool = False  # whether its result is any number of an interval (`Mode.approximation`)


class Components(Struct, frozen=True):
    """What the row's components do, all of them reading before any writes."""


class ByModifier(Struct, frozen=True):
    """A lane function that modifiers choose: `of` takes their values, 0 for those that the row does not
    have."""

    names: tuple[str, ...]
    of: Callable[..., LaneFunction]


@overload
def pure(function: Callable[[Array], LaneResult], saturating: LaneCallable | None = None) -> LaneFunction: ...
@overload
def pure(
    function: Callable[[Array, Array], LaneResult], saturating: LaneCallable | None = None
) -> LaneFunction: ...
@overload
def pure(
    function: Callable[[Array, Array, Array], LaneResult], saturating: LaneCallable | None = None
) -> LaneFunction: ...
@overload
def pure(function: LaneCallable, saturating: LaneCallable | None = None) -> LaneFunction: ...
def pure(function: LaneCallable, saturating: LaneCallable | None = None) -> LaneFunction:
    """A lane function that does not depend on MODE."""
    into = _ufunc_into(function) if isinstance(function, np.ufunc) else None
    return LaneFunction(
        _ignoring_mode(function), _ignoring_mode(saturating) if saturating else None, into=into
    )


def chained(first: np.ufunc, second: np.ufunc) -> LaneFunction:
    """second(first(a, b), c)."""

    def into(mode: object, result: Array, a: Array, b: Array, c: Array) -> None:
        second(first(a, b), c, out=result)

    def call(mode: object, a: Array, b: Array, c: Array) -> Array:
        return second(first(a, b), c)

    return LaneFunction(call, into=into)


def _ufunc_into(function: np.ufunc) -> LaneCallable:
    def into(mode: object, result: Array, *sources: Array) -> None:
        function(*sources, out=result)

    return into


def _ignoring_mode(function: LaneCallable) -> LaneCallable:
    def call(mode: object, *sources: Array) -> LaneResult:
        return function(*sources)

    return call


def moded(function: LaneCallable, into: LaneCallable | None = None) -> LaneFunction:
    """A lane function whose first argument is the MODE."""
    return LaneFunction(function, into=into)
