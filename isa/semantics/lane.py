"""The records that a semantics key resolves to, and the registries that other modules of this package fill.

A lane function takes the `Mode` and an array for each source, of the operand's `type` (`f32` float32, `i32`
int32, `mask` bool, `f16x2` float16 with a last axis of 2, ...). Sources are in the order of the row's spelt
uses and accumulators, then the implicit reads in unit order (EXEC only if the row is scalar, MODE never). It
returns an array for each explicit define, then for each implicit write in unit order; a single array without
a tuple. Arrays broadcast.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, overload

import numpy as np
from msgspec import Struct

from isa.semantics.mode import Array, Mode, flush

LaneResult = Any
LaneCallable = Callable[..., LaneResult]


class LaneFunction(Struct, frozen=True):
    """`call(mode, *sources)`; `saturating` is the form that the clamp modifier asks of an integer
    instruction.

    `into(mode, result, *sources)` writes its single result into an array, which may also be a source.
    """

    call: LaneCallable
    saturating: LaneCallable | None = None
    flushes: bool = True  # whether MODE's denormal flushing acts on it
    into: LaneCallable | None = None
    approximate: bool = False  # whether its result is any number of an interval (`Mode.approximation`)


class Components(Struct, frozen=True):
    """The semantics of a row's components; all of them read before any writes."""


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


def flushing(function: LaneFunction) -> LaneFunction:
    """A function of floats that takes denormals for zeros, and gives zeros for denormals."""

    def call(mode: Mode, *sources: Array) -> Array:
        return flush(function.call(mode, *[flush(source) for source in sources]))

    return LaneFunction(call)


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
    """A lane function with MODE as its first argument."""
    return LaneFunction(function, into=into)
