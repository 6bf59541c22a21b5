"""Indexing of traced arrays: by integers, slices, `...` and None the result is a view (slice, step, reverse,
squeeze and unsqueeze of the graph); by arrays of integers a gather; by a mask a selection."""

from __future__ import annotations

from collections.abc import Sequence
from operator import index
from typing import SupportsIndex, cast

from asmgen.frontends.traced.array import Array, apply
from asmgen.frontends.traced.gathering import gathered
from asmgen.frontends.traced.keys import WANTED, Part, Slice, checked, is_basic, parts_of, range_of
from asmgen.frontends.traced.selection import Selection, mask_of
from asmgen.frontends.traced.shape_size import as_given
from asmgen.frontends.traced.tracer import caller
from asmgen.frontends.traced.views import viewed
from asmgen.index.size import Size
from asmgen.ir.slices import OPEN_END
from isa.diagnostics import InputError


def indexed(x: Array, key: object) -> Array | Selection:
    """`x[key]` as numpy has it; `InputError` TRC006 for keys that numpy does not have either."""
    mask = mask_of(x, key)
    if mask is not None:
        return Selection(x, mask)
    parts = parts_of(x, key)
    if not is_basic(parts):
        return gathered(x, parts)
    if len(parts) == x.ndim and all(isinstance(part, int) for part in parts) and not _has_dots(key):
        return basic(x, parts)  # numpy gives a scalar, which is no view
    from asmgen.frontends.traced.assignment import put

    return viewed(x, lambda base: basic(base, parts), lambda base, new: put(base, parts, new), key)


def _has_dots(key: object) -> bool:
    return any(each is ... for each in cast("Sequence[object]", key if isinstance(key, tuple) else (key,)))


def basic(x: Array, parts: Sequence[Part]) -> Array:
    """The elements that integers and slices take."""
    starts, ends, steps = dict[int, int](), dict[int, int](), dict[int, int]()
    dropped, turned = list[int](), list[int]()
    axis = 0
    for part in parts:
        if part is None:
            continue
        size = x.type.dims[axis]
        if isinstance(part, slice):
            start, end, step = _extent(part, axis, size)
            if (start, end) != (0, as_given(size)):
                starts[axis], ends[axis] = start, end
            if abs(step) != 1:
                steps[axis] = abs(step)
            if step < 0:
                turned.append(axis)
        else:
            assert isinstance(part, int), "the key is a basic one"
            number = checked(part, axis, size)
            starts[axis] = number
            ends[axis] = OPEN_END if number == -1 else number + 1
            dropped.append(axis)
        axis += 1
    if starts:
        x = apply("slice", x, axes=tuple(starts), starts=tuple(starts.values()), ends=tuple(ends.values()))
    if steps:
        x = apply("step", x, axes=tuple(steps), steps=tuple(steps.values()))
    if turned:
        x = apply("reverse", x, axes=tuple(turned))
    if dropped:
        x = apply("squeeze", x, axes=tuple(dropped))
    is_new = [part is None for part in parts if part is None or isinstance(part, slice)]
    added = tuple(position for position, new in enumerate(is_new) if new)
    return apply("unsqueeze", x, axes=added) if added else x


def _extent(key: Slice, axis: int, size: int) -> tuple[int, int, int]:
    """The start, the end and the step of a slice; with a step below 0 those of the elements in the order of
    the axis, which are reversed afterwards."""
    if not _is_named(key, size):
        taken = range_of(key, axis, size)
        if taken.step > 0:
            return taken.first, max(taken.first, key.indices(size)[1]), taken.step
        return (taken.low, taken.first + 1, taken.step) if taken.length else (0, 0, taken.step)
    try:
        start, end, step = _parts(key, size)
    except TypeError as error:
        raise InputError(caller(), "TRC006", f"got the index {key}, wanted {WANTED}") from error
    if step < 1 and not (step == -1 and key.start is None and key.stop is None):
        message = (
            f"got a slice with step {step} of a size that only the launch knows, wanted a step from 1 on"
        )
        raise InputError(caller(), "TRC006", message, help="np.flip(x, axis) reverses")
    return start, end if isinstance(end, Size) or end < 0 else max(start, end), step


def _is_named(key: Slice, size: int) -> bool:
    """Whether the launch alone knows what a slice takes."""
    return any(isinstance(one, Size) for one in (size, key.start, key.stop))


def _parts(key: Slice, size: int) -> tuple[int, int, int]:
    """The numbers of a slice as they are given: what they are of a size that only the launch knows is said
    where the slice is one of the graph."""
    start, end, step = [
        otherwise
        if part is None
        else as_given(part)
        if isinstance(part, Size)
        else index(cast("SupportsIndex", part))
        for part, otherwise in ((key.start, 0), (key.stop, as_given(size)), (key.step, 1))
    ]
    return start, end, step
