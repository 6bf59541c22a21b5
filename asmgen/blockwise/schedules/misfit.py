"""Checks whether a choice fits a kernel. A choice in text is used as written, or refused with the rule."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from msgspec.structs import asdict

from asmgen.blockwise.schedules.choices import (
    Choice,
    Column,
    Contract,
    Pairs,
    Pointwise,
    Row,
    Scan,
    Sort,
    Transpose,
    name_of,
)
from asmgen.blockwise.schedules.elements.sections import Section, has_open_rows
from asmgen.blockwise.schedules.kernel_graph import LEAST_OF_PAIRS, RESULTS_OF_PAIRS, Graph
from asmgen.blockwise.schedules.work import Work
from asmgen.index.size import Size, divides, most
from asmgen.ir.program import tensor_type
from isa.target import Target

if TYPE_CHECKING:
    pass

_POWERS = ("rows", "lanes", "waves", "teams", "vector", "m", "n", "k", "elements")
_LARGEST_ACCESS = 16  # elements


def misfit(graph: Graph, choice: Choice, target: Target) -> str:
    """The rule that a choice breaks for a kernel, in words; empty if it breaks none."""
    broken = (
        _of_kind(graph, choice, target)
        or misfit_of_powers(choice, target)
        or _of_sizes(choice, target)
        or _of_passed_on(graph, choice, target)
    )
    if broken or not isinstance(choice, Contract):
        return broken
    from asmgen.blockwise.schedules.product_misfit import misfit_of_choice

    return misfit_of_choice(graph, choice, target)


def _of_kind(graph: Graph, choice: Choice, target: Target) -> str:
    if choice.body is not graph.body:
        return f"{name_of(choice)} is for kernels with {choice.body.value}"
    match choice:
        case Column() if graph.work.reduces_fast:
            return "column is for a last dim that is kept; row is for a last dim that is reduced"
        case Pairs():
            return _of_pairs(graph.work, choice, target)
        case Row(short=int()) if not isinstance(graph.work.dims[graph.work.reduced[-1]], Size):
            return "short is for rows of a length that the launch knows"
        case Row(joined=int()) if not _has_open_rows(graph.work):
            return "joined is for several reduced axes, of which the launch knows the last"
        case Row(middle=int(middle), short=None):
            return f"middle is {middle} without a short, wanted a short that is below middle"
        case Row(middle=int(middle), short=int(short)) if middle <= short:
            return f"short is {short} and middle is {middle}, wanted a short that is below middle"
        case Pointwise(rest=int(rest)) if rest != 1 or choice.row:
            return f"rest is {rest} and row is {choice.row}, wanted rest=1 without row"
        case Pointwise(row=None, rows=int(rows)):
            return f"rows is {rows}, wanted row=N too, the elements from a row to the next"
        case Pointwise(short=int()) if not has_open_rows(graph.sections):
            return "short is for an output with rows of a length that the launch knows"
        case Pointwise(short=None, many=int(many)):
            return f"many is {many} without a short, wanted the most elements of a short row too"
        case Pointwise(row=int(row)):
            sections = [section.in_rows if choice.rows else section for section in graph.sections]
            return _of_padded_rows(sections, row, choice.vector) or _of_several_rows(sections, choice.rows)
        case Transpose():
            return _of_squares(graph, choice)
        case Scan(short=int()) if not _has_short_rows(graph):
            return "short is for rows along memory of a length that the launch knows, which are not in parts"
        case Sort():
            return _of_sort(graph, choice, target)
        case Contract():
            from asmgen.blockwise.schedules.product_misfit import misfit_of_products

            return misfit_of_products(graph)
        case _:
            return ""


def _has_open_rows(work: Work) -> bool:
    """Whether loops go along outer reduced dims, and the launch knows the last."""
    return work.reduces_fast and len(work.reduced) > 1 and isinstance(work.dims[-1], Size)


def _has_short_rows(graph: Graph) -> bool:
    """Whether the launch may find that whole rows of a scan are short."""
    work = graph.work
    return work.reduces_fast and isinstance(work.dims[-1], Size) and not graph.way.part


def _of_pairs(work: Work, choice: Pairs, target: Target) -> str:
    """The rule that rows of two buffers break."""
    if not work.of_pairs:
        return (
            f"pairs is for reductions over the last dim, of rows of two buffers: {LEAST_OF_PAIRS} of each at "
            f"least, and {RESULTS_OF_PAIRS} results"
        )
    lanes, columns = choice.lanes * choice.across, work.dims[work.kept[-1]]
    if lanes > target.wave_size:
        return f"lanes * across is {lanes}, and a wave has {target.wave_size}"
    if isinstance(columns, int) and columns < choice.columns:
        return f"columns is {choice.columns}, and the second buffer has {columns} rows"
    return ""


def _of_padded_rows(sections: Sequence[Section], row: int, vector: int) -> str:
    """The rule that rows break that begin at multiples of `row`."""
    if row % vector:
        return f"row is {row}, wanted a multiple of the {vector} elements of a vector"
    for section in sections:
        if (
            not section.groups
            or any(isinstance(size, Size) for size in section.merged[1:])
            or section.is_of_rows
        ):
            return "row is for outputs of rows with a known number of elements"
        if row < most(section.merged[-1]):
            return f"row is {row}, and a row has {section.merged[-1]} elements"
    return ""


def _of_several_rows(sections: Sequence[Section], rows: int | None) -> str:
    """The rule that a lane with elements in several rows breaks."""
    if rows is None:
        return ""
    for section in sections:
        size = (1, *section.merged[:-1])[-1]
        if isinstance(size, Size) or size < rows:
            return f"rows is {rows}, and the axis has {size} rows"
        if section.copies.number > 1:
            return f"rows is {rows}, and elements are copies of each other"
    return ""


def _of_sort(graph: Graph, choice: Sort, target: Target) -> str:
    """A sort has its whole row at once."""
    size, held = graph.work.planned[graph.work.reduced[-1]], choice.lanes * choice.waves * choice.elements
    if choice.shared is not None:
        return _of_shared_sort(graph.work, choice, held, target)
    if held < size or held >= 2 * size:
        return f"a workgroup has {held} elements of a row, wanted the least power of two from {size} on"
    if graph.work.reduces_fast and choice.vector != 1:
        return f"vector is {choice.vector}, wanted 1: memory is contiguous along the row"
    return ""


def _of_shared_sort(work: Work, choice: Sort, held: int, target: Target) -> str:
    """The rows of a length that only the launch knows share all lanes of a workgroup."""
    size = work.dims[work.reduced[-1]]
    if not isinstance(size, Size):
        return "shared is for rows of a length that the launch knows"
    if choice.shared != 1:
        return f"shared is {choice.shared}, wanted 1 or nothing"
    if work.reduces_fast and choice.lanes != target.wave_size:
        return f"lanes is {choice.lanes}, wanted {target.wave_size} if rows along memory share a workgroup"
    if (choice.teams, choice.vector) != (1, 1) or held < most(size):
        return f"shared wants teams=1, vector=1 and places for {most(size)} elements, got {held}"
    return ""


def _of_squares(graph: Graph, choice: Transpose) -> str:
    """The rule that a square breaks. A square is no longer than its axes; its sides are powers of two, or a
    side is a whole axis. Elements after the last whole square need workgroups of their own if the lanes have
    successive squares, so their number must be known."""
    axes = graph.transposed
    if axes is None:
        return "transpose is for buffers that are contiguous along another dim than the output"
    sizes = axes.sizes(tensor_type(graph.returns[0]).dims)
    for name, own, size in (
        ("across", choice.across, sizes[axes.read]),
        ("vector", choice.vector, sizes[axes.written]),
    ):
        if not isinstance(size, Size) and own > size:
            return f"{name} is {own}, and the axis has {size} elements"
        if own & (own - 1) and size != own:
            return f"{name} is {own}, wanted a power of two or {size}, all elements of the axis"
        if choice.lanes is None and isinstance(size, Size) and not divides(own, size).is_shown:
            return f"only the launch knows how many elements follow the last {own} of an axis, wanted lanes"
    return ""


def misfit_of_powers(choice: Choice, target: Target) -> str:
    """The rule of powers of two that a choice breaks, whatever its kernel; empty if it breaks none."""
    given = _numbers(choice)
    for name in _powers(choice):
        count = given.get(name, 1)
        if count < 1 or count & (count - 1):
            return f"{name} is {count}, wanted a power of two"
    if given.get("lanes", 1) > target.wave_size:
        return f"lanes is {given['lanes']}, and a wave has {target.wave_size}"
    return ""


def _of_sizes(choice: Choice, target: Target) -> str:
    given, most = _numbers(choice), target.max_workgroup
    if not isinstance(choice, Transpose) and given.get("vector", 1) > _LARGEST_ACCESS:
        return f"vector is {given['vector']}, wanted {_LARGEST_ACCESS} at most"
    lanes = target.wave_size * given.get("waves", 1) * given.get("teams", 1)
    return f"a workgroup of {lanes} lanes, and the target's has {most} at most" if lanes > most else ""


def _numbers(choice: Choice) -> dict[str, int]:
    return {name: value for name, value in asdict(choice).items() if isinstance(value, int)}


def _powers(choice: Choice) -> tuple[str, ...]:
    """The numbers of a choice that are powers of two."""
    if isinstance(choice, Scan):
        return (*_POWERS, "repeat", "short")
    if isinstance(choice, Pairs):
        return (*_POWERS, "columns", "across")
    return tuple([name for name in _POWERS if name != "vector"]) if isinstance(choice, Transpose) else _POWERS


def _of_passed_on(graph: Graph, choice: Choice, target: Target) -> str:
    """The rule of scans of which workgroups pass on what precedes their parts."""
    if not isinstance(choice, Scan) or not graph.way.is_passed_on:
        return ""
    part, has = graph.way.part, target.wave_size * choice.waves * choice.vector * choice.repeat
    if not graph.work.reduces_fast:
        return "passed_on is for a scan along which memory is contiguous"
    if choice.lanes != target.wave_size or choice.teams != 1 or has != part:
        whole = f"lanes={target.wave_size}, teams=1, and waves * vector * repeat = part / {target.wave_size}"
        return f"a workgroup has to have the {part} elements of a part of a row at a time, wanted {whole}"
    return ""
