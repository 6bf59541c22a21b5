"""Races, and their words."""

from __future__ import annotations

from collections.abc import Sequence

from asmgen.blockwise.layout.layout import Sizes
from asmgen.blockwise.op_table import row_of
from asmgen.blockwise.program import TileStatement
from asmgen.blockwise.rules.races.path import Access, InLds, Path
from asmgen.ir.shapes import format_list
from isa.named_tuple import NamedTuple


class Side(NamedTuple):
    """An access in a case: the counters of the loops around it, the wave, and the ids of its workgroup if
    the two accesses are of different workgroups."""

    counters: tuple[tuple[str, int], ...]
    wave: int
    ids: tuple[tuple[str, int], ...] = ()


class Case(NamedTuple):
    """The place and the trips at which two accesses meet. `known` are the ids and the named dims that both
    have in common, and `slot` is that of LDS."""

    known: tuple[tuple[str, int], ...]
    slot: int | None
    element: Sizes
    earlier: Side
    later: Side


class Race(NamedTuple):
    """`statement` races with the statement `earlier`. Without a case it is not shown that they do not."""

    rule: str
    statement: TileStatement
    earlier: TileStatement
    case: Case | None


def race(path: Path, later: Access, case: Case | None) -> Race:
    """Of two accesses with a path between them."""
    earlier = path.access
    name, by = later.memory.name, named(earlier.statement)
    does = "writes" if later.tile.writes else "reads"
    missing, help = _missing(path)
    if path.copies is not None:
        may = "write to" if earlier.tile.writes else "read of"
        rule = f"a wave {does} elements that a copy may still {may} {name} by {by}"
        missing, help = "no async_wait() waits for it before", "put async_wait() and barrier() there"
    elif earlier.tile.writes:
        rule = f"a wave {does} what another writes to {name} by {by}"
    else:
        rule = f"a wave overwrites what another may still read of {name} by {by}"
    if case is None:
        common = "a slot and an element" if isinstance(later.place, InLds) else "an element"
        unknown = f"it is not shown that no {rule[2:]}: they may have {common} in common"
        return Race(f"{unknown}, and {missing}; {help}", later.statement, earlier.statement, None)
    return Race(f"{rule}, and {missing}: {_words(case)}; {help}", later.statement, earlier.statement, case)


def race_across(one: Access, other: Access, case: Case | None) -> Race:
    """The race of accesses of different workgroups. It is reported at the statement of the first access."""
    does = "writes" if one.tile.writes else "reads"
    rule = f"a workgroup {does} what another writes to {one.memory.name} by {named(other.statement)}"
    if not other.tile.writes:
        rule = f"a workgroup writes what another reads of {one.memory.name} by {named(other.statement)}"
    help = "the workgroups of a launch have no order: give each its own elements, or use two kernels"
    if case is None:
        words = f"it is not shown that no {rule[2:]}: they may have an element in common"
        return Race(f"{words}; {help}", one.statement, other.statement, None)
    return Race(f"{rule}: {_words(case)}; {help}", one.statement, other.statement, case)


def race_within(access: Access, case: Case | None, elements: tuple[Sizes, Sizes] | None) -> Race:
    """The race of two elements of a stored tile that go to the same element of a buffer."""
    help = "give each element of the tile its own, or a condition"
    if case is None or elements is None:
        rule = (
            f"it is not shown that no two elements of the tile go to the same element of {access.memory.name}"
        )
        return Race(f"{rule}; {help}", access.statement, access.statement, None)
    known = f"for {_list((*case.known, *case.earlier.counters))}, " * bool(
        case.known or case.earlier.counters
    )
    first, second = map(format_list, elements)
    both = f"{known}{first} and {second} to {format_list(case.element)}"
    rule = f"two elements of the tile go to the same element of {access.memory.name}: {both}"
    return Race(f"{rule}; {help}", access.statement, access.statement, case)


def named(statement: TileStatement) -> str:
    place = f" at {statement.place}" if statement.place else ""
    return f"{row_of(statement.op).name}{place}"


def _missing(path: Path) -> tuple[str, str]:
    if any(barriers == 1 for barriers in path.barriers):
        return "the waves are out of step in a staggered loop", "put one more barrier() there"
    return "no barrier is between", "put barrier() there"


def _words(case: Case) -> str:
    """`for row = 3, element {0,4} of slot 1, by wave 0 in trip k = 0 and then wave 1 in trip k = 16`, or
    `element {0,4}, by workgroup row = 0 in trip k = 0 and workgroup row = 1`."""
    known = f"for {_list(case.known)}, " if case.known else ""
    first, second = [_side(side) for side in (case.earlier, case.later)]
    slot = f" of slot {case.slot}" if case.slot is not None else ""
    then = "and" if case.earlier.ids else "and then"
    return f"{known}element {format_list(case.element)}{slot}, by {first} {then} {second}"


def _side(side: Side) -> str:
    of = f"workgroup {_list(side.ids)}" if side.ids else f"wave {side.wave}"
    return of + (f" in trip {_list(side.counters)}" if side.counters else "")


def _list(numbers: Sequence[tuple[str, int]]) -> str:
    return ", ".join([f"{name} = {value}" for name, value in numbers])
