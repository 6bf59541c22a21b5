"""Elements at places along an axis. Places that are known when the program is read need no index array:

1 2 3    slice        1 3 5        step
3 2 1 0  reverse      0 0 1 1 2 2  resample
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from asmgen.frontends.tensors.op_call import OpCall
from asmgen.frontends.tensors.stablehlo.shapes import reshaped
from asmgen.frontends.traced.array import Array, apply
from asmgen.index.size import Size
from isa.named_tuple import NamedTuple

_MOST_RESAMPLED = 512  # places, of which all pairs are compared


def at_places(x: Array, axis: int, places: Sequence[int]) -> Array | None:
    """The elements of x at places along an axis, each of them within it; None if the places need a table."""
    size = x.type.dims[axis]
    if isinstance(size, Size) or not places:
        return None
    steps = {later - earlier for earlier, later in itertools.pairwise(places)}
    if len(steps) > 1:
        return _resampled(x, axis, places, size)
    step = steps.pop() if steps else 0
    first, last = min(places), max(places)
    if (first, last) != (0, size - 1):
        x = apply("slice", x, axes=(axis,), starts=(first,), ends=(last + 1,))
    if abs(step) > 1:
        x = apply("step", x, axes=(axis,), steps=(abs(step),))
    if step < 0:
        return apply("reverse", x, axes=(axis,))
    if step or len(places) == 1:
        return x
    dims = x.type.dims
    return apply("multibroadcast", x, out_lens=(*dims[:axis], len(places), *dims[axis + 1 :]))


def taken_by(call: OpCall, x: Array, axis: int, index: Array) -> Array:
    """The elements of x at the places of an index array of any rank, as by `gather` of the graph: negative
    indices count from the end, and those out of range are clamped."""
    known, size = call.computed(index), x.type.dims[axis]
    if known is not None and isinstance(size, int):
        from_start = np.where(known < 0, known + size, known).ravel()
        taken = at_places(x, axis, np.clip(from_start, 0, size - 1).tolist())
        if taken is not None:
            dims = x.type.dims
            return reshaped(taken, (*dims[:axis], *known.shape, *dims[axis + 1 :]))
    return apply("gather", x, index, axis=axis)


class _Line(NamedTuple):
    """Element d is at (by * d + plus) / over, rounded down."""

    by: int
    plus: int
    over: int


def _resampled(x: Array, axis: int, places: Sequence[int], size: int) -> Array | None:
    line = _line(places, size)
    if line is None:
        return None
    by, plus, over = line
    return apply("resample", x, axis=axis, size=(len(places),), by=by, plus=plus, over=over)


def _line(places: Sequence[int], size: int) -> _Line | None:
    """A line that gives the places, rounded down and clamped to an axis of so many elements; None if there is
    none that rises.

    A place p at d bounds the line: p <= by / over * d + plus / over < p + 1, but the first element of the
    axis does so only above, and the last only below. Two places so bound the slope.
    """
    if len(places) > _MOST_RESAMPLED:
        return None
    place = np.array(places)
    below, above = np.flatnonzero(place > 0)[:, None], np.flatnonzero(place < size - 1)[None, :]
    run, rise = below - above, place[below] - place[above] - 1
    slope = _simplest(
        _bound(run, rise, run > 0, np.argmax, Fraction(-1)),
        _bound(run, rise, run < 0, np.argmin, Fraction(size + 1)),
    )
    if slope is None:
        return None
    by, over = slope.numerator, slope.denominator
    number = np.arange(len(places))
    plus = int((over * place - by * number)[below].max())
    is_line = np.array_equal(np.clip((by * number + plus) // over, 0, size - 1), place)
    return _Line(by, plus, over) if is_line else None


def _bound(
    run: NDArray[Any],
    rise: NDArray[Any],
    taken: NDArray[Any],
    choose: Callable[[Any], Any],
    otherwise: Fraction,
) -> Fraction:
    """The chosen quotient of rises by runs that are taken."""
    if not taken.any():
        return otherwise
    rises, runs = rise[taken], run[taken]
    number = int(choose(rises / runs))
    return Fraction(int(rises[number]), int(runs[number]))


def _simplest(least: Fraction, most: Fraction) -> Fraction | None:
    """The fraction >= 0 with the smallest divisor between two numbers, without these; None if there is
    none."""
    if least >= most or most <= 0:
        return None
    if least < 0:
        return Fraction(0)
    whole = least.numerator // least.denominator
    if whole + 1 < most:
        return Fraction(whole + 1)
    # both lie within a step of whole numbers: the simplest is 1 over the simplest of the inverses
    rest = _simplest_inverse(least - whole, most - whole)
    return None if rest is None else whole + 1 / rest


def _simplest_inverse(least: Fraction, most: Fraction) -> Fraction | None:
    return _simplest(1 / most, 1 / least) if least else Fraction(1 // most + 1)
