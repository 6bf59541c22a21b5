"""Loops over a body: each element runs trips until its own condition is false.

The numbers of an element are known within bounds. So its condition may be true and false, and its values are
then those before and those after the trip. An element that is in this state in `MOST_UNSURE` trips may have
any result: its bounds have lost all digits, which says nothing about a kernel. Then its values decide if it
ends.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray

from asmgen.graph.bodies import carried_number, of_attributes
from asmgen.graph.reference.ranges import FloatRange, IntegerRange, Range, rearranged
from asmgen.ir.numbers import integer_range
from asmgen.ir.program import Statement
from asmgen.ir.types import BOOL
from isa.diagnostics import InputError

Trip = Callable[[Sequence[Range]], Sequence[Range]]
Choose = Callable[[Range, Range, Range], Range]
MOST_TRIPS = 1 << 12
MOST_UNSURE = 64


def iterated(statement: Statement, operands: Sequence[Range], trip: Trip, choose: Choose) -> Range:
    """The result of `iterate`. `trip` evaluates the body, and `choose` is `where`.

    Raises `InputError` GEN305 if an element runs more than `MOST_TRIPS` trips.
    """
    result = carried_number(statement)
    shape = np.broadcast_shapes(*[operand.value.shape for operand in operands])
    state = [rearranged(each, lambda array: np.broadcast_to(array, shape).reshape(-1)) for each in operands]
    ended, places = _memory(state[result]), np.arange(state[0].value.size)
    unsure = np.zeros(places.size, np.int64)
    for _ in range(MOST_TRIPS):
        if not places.size:
            return rearranged(ended, lambda array: array.reshape(shape))
        more, *following = trip(state)
        assert isinstance(more, IntegerRange), "the body's first result is a bool"
        unsure += more.low != more.high
        is_lost = unsure > MOST_UNSURE
        goes_on = np.where(is_lost, more.value, more.high) != 0
        _put(ended, places, state[result], ~goes_on)
        _put(ended, places, _anything(state[result]), ~goes_on & is_lost)
        state = [choose(more, new, old) for new, old in zip(following, state, strict=True)]
        if is_lost.any():
            state = [_of_values(each, is_lost) for each in state]
        if not goes_on.all():
            state = [_chosen(each, goes_on) for each in state]
            places, unsure = places[goes_on], unsure[goes_on]
    name = of_attributes(statement).module.name
    raise InputError(
        statement.place or name, "GEN305",
        f"{name}: element {int(places[0])} of {statement.result.name} has more than {MOST_TRIPS} trips, "
        f"wanted a loop that ends for every input",
        help="end it by a counter besides, as in `more = logical_and(goes_on, less(k, most))`",
    )  # fmt: skip


def _of_values(given: Range, taken: NDArray[np.bool_]) -> Range:
    """The ranges with those of some elements made their values alone, so that these go on as numbers do."""
    low, high = [np.where(taken, given.value, end).astype(end.dtype) for end in (given.low, given.high)]
    if isinstance(given, IntegerRange):
        return replace(given, low=low, high=high)
    may_be_nan = np.where(taken, np.isnan(given.value), given.may_be_nan)
    return replace(given, low=low, high=high, may_be_nan=may_be_nan, free_zero=given.free_zero & ~taken)


def _chosen(range_: Range, stays: NDArray[np.bool_]) -> Range:
    return rearranged(range_, lambda array: array[stays])


def _memory(like: Range) -> Range:
    """Arrays that a range's elements can be written to."""
    if isinstance(like, IntegerRange):
        return IntegerRange(like.element, *[np.empty_like(like.value) for _ in range(3)])
    numbers = [np.empty_like(like.low) for _ in range(3)]
    return FloatRange(like.element, *numbers, *[np.empty(like.value.shape, np.bool_) for _ in range(2)])


def _put(ended: Range, places: NDArray[Any], given: Range, taken: NDArray[np.bool_]) -> None:
    if taken.any():
        for name in (each for each in ended.__struct_fields__ if each not in ("element", "scale")):
            getattr(ended, name)[places[taken]] = getattr(given, name)[taken]


def _anything(given: Range) -> Range:
    """Any number of the type."""
    if isinstance(given, FloatRange):
        everywhere = np.ones(given.value.shape, np.bool_)
        low, high = np.full_like(given.low, -np.inf), np.full_like(given.low, np.inf)
        return replace(given, low=low, high=high, may_be_nan=everywhere, free_zero=everywhere)
    least, greatest = (0, 1) if given.element is BOOL else integer_range(given.element)
    return replace(given, low=np.full_like(given.low, least), high=np.full_like(given.high, greatest))
