"""Where truths of lanes are computed: next to what asks for them, where too many would be held at once.

A truth is a mask in SGPRs, of two for each element in a wave of 64 lanes. A row of 36 elements a lane, each
compared with the row's extreme before the first of them is chosen, would hold 36 of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from asmgen.graph.ops import LITERAL
from asmgen.ir.program import Region, Statement, Value
from asmgen.ir.types import BOOL, LaneType
from asmgen.lanewise.math.cleanup import is_pure
from asmgen.select.selection import lane_type, units

MOST_HELD = 24  # truths at once: 48 SGPRs of some 100, of which the arguments have theirs


def truths_last(statements: Sequence[Statement]) -> list[Statement]:
    """The statements of a region. Where more than `MOST_HELD` truths are held at once, each of them comes
    right before the first statement that needs it, and so do values that take no more registers than what
    they are made of.
    """
    if _most_held(statements) <= MOST_HELD:
        return list(statements)
    waiting: dict[Value, tuple[int, Statement]] = {}
    ordered: list[Statement] = []
    numbers = {statement.result for statement in statements if statement.op is LITERAL}
    for number, statement in enumerate(statements):
        if _is_moved(statement, numbers):
            waiting[statement.result] = number, statement
        else:
            ordered += _needed(statement, waiting)
            ordered.append(statement)
    return ordered


def _most_held(statements: Sequence[Statement]) -> int:
    """The most truths that are held at once, in the order of the statements; all, where they are few."""
    every = sum(_truths(value) for statement in statements for value in statement.results)
    if every <= MOST_HELD:
        return every
    last: dict[Value, int] = {}
    for number, statement in enumerate(statements):
        last.update((value, number) for value in _read(statement))
    ends: dict[int, int] = {}
    held = most = 0
    for number, statement in enumerate(statements):
        for value in statement.results:
            count = _truths(value) if value in last else 0
            held += count
            ends[last.get(value, number)] = ends.get(last.get(value, number), 0) + count
        most = max(most, held)
        held -= ends.get(number, 0)
    return most


def _truths(value: Value) -> int:
    type_ = value.type
    return type_.lanes if isinstance(type_, LaneType) and type_.element is BOOL else 0


def _is_moved(statement: Statement, numbers: set[Value]) -> bool:
    """Whether a statement gives a truth, or a value in no fewer registers than its operands are in: the index
    of an element, which is the sum of another one and one of `numbers`. A statement of several results stays
    in its place.
    """
    if not is_pure(statement) or not statement.operands or len(statement.results) != 1:
        return False
    made_of = _size(set(statement.operands) - numbers)
    return _truths(statement.result) > 0 or _size(statement.results) >= made_of


def _size(values: Iterable[Value]) -> int:
    """32-bit registers."""
    return sum(units(lane_type(value)) for value in values)


def _needed(statement: Statement, waiting: dict[Value, tuple[int, Statement]]) -> list[Statement]:
    """The waiting statements that one needs, in the order in which they were; they wait no longer."""
    found: list[tuple[int, Statement]] = []
    pending = [statement]
    while pending:
        needed = [waiting.pop(value) for value in _read(pending.pop()) if value in waiting]
        found += needed
        pending += [each for _, each in needed]
    return [each for _, each in sorted(found, key=lambda one: one[0])]


def _read(statement: Statement) -> Iterator[Value]:
    yield from statement.operands
    for region in statement.regions:
        yield from _read_within(region)


def _read_within(region: Region) -> Iterator[Value]:
    for statement in region.statements:
        yield from _read(statement)
