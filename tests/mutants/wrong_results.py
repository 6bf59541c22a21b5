"""Ten kinds of wrong results, each produced at run time from a launch.

For a program, a kind has several ways (the lost element, the reduction), or a reason why it has none: the result
would be right.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from msgspec import Struct

from asmgen.ir.arrays import Array
from asmgen.ir.program import Program
from asmgen.ir.types import NumberKind
from tests.mutants import wrong_graphs
from tests.mutants.buffers import largest, output_types, parameter_types, results_of, row_axis, with_input
from tests.mutants.remade import Choose, Remake, by_program
from tests.mutants.seam import Launched, Wrong
from tests.mutants.wrong_graphs import reduced_axes, reductions, row_length, swappable

WAVE = 64


class Way(Struct, frozen=True):
    """One way to a wrong result."""

    name: str
    run: Wrong


Ways = tuple[Way, ...] | str  # or why there is none

_PLACES: dict[str, Callable[[int], int]] = {
    "first": lambda length: 0,
    "third": lambda length: length // 3,
    "middle": lambda length: length // 2,
    "last": lambda length: length - 1,
}


def _zero(graph: Program) -> Ways:
    return _of_outputs(graph, "0", _zeros_like)


def _twice(graph: Program) -> Ways:
    return _of_outputs(graph, "twice", lambda array: array + array, bools="a bool has no double")


def _lost(graph: Program) -> Ways:
    found = reductions(graph)
    if found:
        return tuple(
            _reduction_way(graph, number, wrong_graphs.without_chosen, place, _at(place))
            for number in found for place in _PLACES
        )  # fmt: skip
    return tuple(way for place in _PLACES for way in _of_elements(graph, place, _at(place)))


def _counted_twice(graph: Program) -> Ways:
    found = reductions(graph)
    if not found:
        ways = [way for place in _PLACES for way in _of_elements(graph, place, _at(place), times=2)]
        return tuple(ways) or "a bool has no double"
    numbers = [number for number, reduction in found.items() if wrong_graphs.counts_again(reduction)]
    ways = [_reduction_way(graph, number, wrong_graphs.with_chosen_twice, place, _at(place)) for number in numbers for place in _PLACES]
    return tuple(ways) or "max and min are the same of an element counted twice"


def _tail_lost(graph: Program) -> Ways:
    found = reductions(graph)
    if found:
        return tuple(_reduction_way(graph, number, wrong_graphs.without_chosen, "tail", _tail) for number in found)
    return _of_elements(graph, "tail", _tail)


def _wave_lost(graph: Program) -> Ways:
    found = reductions(graph)
    if not found:
        large = any(type_.size >= 2 * WAVE for type_ in output_types(graph))
        return _of_elements(graph, "wave", _wave) if large else "the outputs are no longer than one wave"
    numbers = [number for number, reduction in found.items() if row_length(reduction) >= 2 * WAVE]
    ways = tuple(_reduction_way(graph, number, wrong_graphs.without_chosen, "wave", _wave) for number in numbers)
    return ways or "a row is no longer than one wave"


def _neighbours_row(graph: Program) -> Ways:
    """The last row has the result of the row before it."""
    axes = [row_axis(graph, type_.shape) for type_ in output_types(graph)]
    if all(axis is None for axis in axes):
        return "there is one row"

    def run(launched: Launched) -> list[Array]:
        after = launched.honest(launched.buffers)
        for position, _, type_ in results_of(launched.signature):
            axis = row_axis(graph, type_.shape)
            if axis is not None:
                rows = np.moveaxis(after[position].reshape(type_.shape), axis, 0)
                rows[-1] = rows[-2]
        return after

    return (Way("last row", run),)


def _off_by_one_row(graph: Program) -> Ways:
    """Every row is read from the place of the next row; the last row from its own place."""
    axis = row_axis(graph, largest(parameter_types(graph)).shape)
    if axis is None:
        return "there is one row"

    def shifted(array: Array) -> Array:
        rows = np.moveaxis(array, axis, 0)
        return np.moveaxis(np.concatenate([rows[1:], rows[-1:]]), 0, axis)

    return (Way("input", lambda launched: launched.honest(with_input(launched, shifted))),)


def _wrong_axis(graph: Program) -> Ways:
    """The largest input is read as if its last dim were its first."""
    dims = largest(parameter_types(graph)).shape
    longer = [axis for axis, dim in enumerate(dims) if dim > 1]
    if len(longer) < 2:
        return "there is one axis"
    found = reductions(graph)
    if found and all(set(longer) <= set(reduced_axes(reduction)) for reduction in found.values()):
        return "a result takes every element, in whatever order"

    def turned(array: Array) -> Array:
        return np.transpose(np.reshape(array, array.shape[::-1]))

    return (Way("input", lambda launched: launched.honest(with_input(launched, turned))),)


def _max_for_sum(graph: Program) -> Ways:
    numbers = swappable(graph)
    ways = tuple(Way(f"statement {number}", by_program(wrong_graphs.with_op_swapped, number, None)) for number in numbers)
    return ways or "no op that could be taken for another"


KINDS: dict[str, Callable[[Program], Ways]] = {
    "0": _zero,
    "twice": _twice,
    "one element lost": _lost,
    "one counted twice": _counted_twice,
    "neighbour's row": _neighbours_row,
    "last tail lost": _tail_lost,
    "a wave's partial lost": _wave_lost,
    "wrong axis": _wrong_axis,
    "off by one row": _off_by_one_row,
    "max for sum": _max_for_sum,
}


def _zeros_like(array: Array) -> Array:
    return np.zeros(array.shape, array.dtype)


def _at(place: str) -> Choose:
    return lambda length: np.arange(length) == _PLACES[place](length)


def _tail(length: int) -> Array:
    """The elements after the last whole wave; without any, the last four elements, or the last element."""
    count = length % WAVE or (4 if length > 4 else 1)
    return np.arange(length) >= length - (count if count < length else 1)


def _wave(length: int) -> Array:
    """The elements of a wave near the middle of the row; the last element of a row shorter than two waves."""
    first = length // 2 // WAVE * WAVE
    return (np.arange(length) // WAVE == first // WAVE) if length >= 2 * WAVE else _at("last")(length)


def _reduction_way(graph: Program, number: int, remake: Remake, name: str, choose: Choose) -> Way:
    kind = reductions(graph)[number].op.name
    return Way(f"{name} of {kind} {number}", by_program(remake, number, choose))


def _of_outputs(graph: Program, name: str, change: Callable[[Array], Array], bools: str = "") -> Ways:
    """One way for each output, which changes every element. `bools` is the reason why bool outputs have none."""
    numbers = [number for number, type_ in enumerate(output_types(graph)) if not (bools and type_.element.kind is NumberKind.BOOL)]

    def way(number: int) -> Way:
        def run(launched: Launched) -> list[Array]:
            after = launched.honest(launched.buffers)
            for position, result, _ in results_of(launched.signature):
                if result == number:
                    after[position] = change(after[position])
            return after

        return Way(f"{name}, output {number}", run)

    return tuple(way(number) for number in numbers) or bools


def _of_elements(graph: Program, name: str, choose: Choose, times: int = 0) -> tuple[Way, ...]:
    """Set the chosen elements of each output to 0, or multiply them by `times`; bools are not multiplied."""

    def change(array: Array) -> Array:
        return np.where(choose(array.size), array * array.dtype.type(times), array)

    ways = _of_outputs(graph, name, change, bools="a bool has no double" if times else "")
    return () if isinstance(ways, str) else ways
