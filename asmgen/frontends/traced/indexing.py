"""Indexing of traced arrays by integers, slices, `...` and None: slice, step, squeeze and unsqueeze of the
graph."""

from __future__ import annotations

from collections.abc import Sequence
from operator import index
from typing import SupportsIndex, TypeAlias, cast

from asmgen.frontends.traced.array import Array, apply
from asmgen.frontends.traced.shape_size import as_given
from asmgen.frontends.traced.tracer import caller
from asmgen.index.size import Size
from asmgen.ir.slices import OPEN_END
from isa.diagnostics import InputError

Slice: TypeAlias = "slice[object, object, object]"
_WANTED = "integers, slices with a step from 1 on, None or ..."


def indexed(x: Array, key: object) -> Array:
    """`x[key]` as numpy has it; `InputError` TRC006 for keys that need the values of an array, or go
    backwards."""
    keys = _whole_key(x, list(cast("Sequence[object]", key)) if isinstance(key, tuple) else [key])
    starts, ends, steps, dropped = dict[int, int](), dict[int, int](), dict[int, int](), list[int]()
    axis = 0
    for each in keys:
        if each is None:
            continue
        if isinstance(each, slice):
            start, end, step = _extent(cast("Slice", each), x.type.dims[axis])
            if (start, end) != (0, as_given(x.type.dims[axis])):
                starts[axis], ends[axis] = start, end
            if step != 1:
                steps[axis] = step
        else:
            number = _number(each, axis, x.type.dims[axis])
            starts[axis] = number
            ends[axis] = OPEN_END if number == -1 else number + 1
            dropped.append(axis)
        axis += 1
    if starts:
        x = apply("slice", x, axes=tuple(starts), starts=tuple(starts.values()), ends=tuple(ends.values()))
    if steps:
        x = apply("step", x, axes=tuple(steps), steps=tuple(steps.values()))
    if dropped:
        x = apply("squeeze", x, axes=tuple(dropped))
    is_new = [each is None for each in keys if each is None or isinstance(each, slice)]
    added = tuple(position for position, new in enumerate(is_new) if new)
    return apply("unsqueeze", x, axes=added) if added else x


def _whole_key(x: Array, keys: list[object]) -> list[object]:
    """One key for every axis, with the Nones between them."""
    used = sum(key is not None and key is not ... for key in keys)
    if used > x.ndim:
        raise InputError(
            caller(), "TRC006", f"got {used} indices of an array of {x.ndim} axes, wanted at most {x.ndim}"
        )
    if sum(key is ... for key in keys) > 1:
        raise InputError(caller(), "TRC006", "got `...` twice, wanted it once")
    whole = slice(None)
    at = next((position for position, key in enumerate(keys) if key is ...), None)
    before, after = (keys, []) if at is None else (keys[:at], keys[at + 1 :])
    return [*before, *[whole] * (x.ndim - used), *after]


def _extent(key: Slice, size: int) -> tuple[int, int, int]:
    try:
        start, end, step = _parts(key, size) if _is_named(key, size) else key.indices(size)
    except (TypeError, ValueError) as error:
        raise InputError(caller(), "TRC006", f"got the index {key}, wanted {_WANTED}") from error
    if step < 1:
        raise InputError(
            caller(),
            "TRC006",
            f"got a slice with step {step}, wanted {_WANTED}",
            help="np.flip(x, axis) reverses",
        )
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


def _number(key: object, axis: int, size: int) -> int:
    if isinstance(key, bool | Array) or not isinstance(key, SupportsIndex):
        help = "np.where(condition, a, b) chooses" if isinstance(key, Array) else ""
        raise InputError(
            caller(), "TRC006", f"got an index of type {type(key).__name__}, wanted {_WANTED}", help=help
        )
    number = index(key)
    if isinstance(size, Size):
        return number
    if not -size <= number < size:
        raise InputError(
            caller(),
            "TRC006",
            f"index {number} is outside of axis {axis} of size {size}, wanted {-size} to {size - 1}",
        )
    return number % size
