"""Branches: both sides give values and may change cells of private memory.

If both sides do little but arithmetic, all lanes compute both sides and select. This is a choice of four
instructions, and the masks of a branch alone are three:

    if(odd) {                                    tripled = mul(x, c3)
      tripled = mul(x, c3)                       raised = add(tripled, c1)
      raised = add(tripled, c1)        is        half = shift_right(x, c1)
      yield(raised)                              next = where(odd, raised, half)
    } {
      half = shift_right(x, c1)
      yield(half)
    }
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from asmgen.graph import ops as graph
from asmgen.ir.program import Region, Statement, Value
from asmgen.ir.types import LaneType, NumberKind
from asmgen.lanewise import ops
from asmgen.lanewise.builder import LaneBuilder
from asmgen.mlir.lowering.context import Lowering
from asmgen.mlir.lowering.control.slots import (
    Cell,
    SlotBounds,
    all_slots,
    check_same_memory,
    copied,
    in_form,
    joined,
    rebuilt_all,
    slots_from,
    with_cell,
)
from asmgen.mlir.lowering.values import Lowered, Slot
from asmgen.mlir.source import Operation


def branch(
    lower: Lowering,
    operation: Operation,
    condition: Value,
    then: Callable[[], Sequence[Lowered]],
    otherwise: Callable[[], Sequence[Lowered]] | None,
) -> list[Lowered]:
    """`if`: the results of both sides, joined. If the condition is a constant, only a single side remains."""
    known = lower.builder.literal_of(condition)
    if known is not None:
        return list(then()) if known else list(otherwise()) if otherwise is not None else []
    before = copied(lower.cells)
    with lower.builder.nested() as first:
        a = list(then())
    cells_a, lower.cells = lower.cells, copied(before)
    with lower.builder.nested() as second:
        b = list(otherwise()) if otherwise is not None else []
    cells_b = lower.cells
    check_same_memory(a, b, operation)
    changed = [
        Cell(memory, i)
        for memory, cells in before.items()
        for i in range(len(cells))
        if cells_a[memory][i] is not cells_b[memory][i]
    ]
    slots_a = [*all_slots(a), *[cells_a[cell.memory][cell.number] for cell in changed]]
    slots_b = [*all_slots(b), *[cells_b[cell.memory][cell.number] for cell in changed]]
    bounds = [joined(first_slot, other) for first_slot, other in zip(slots_a, slots_b, strict=True)]
    sides = (first, second)
    values = (_formed(lower, first, slots_a, bounds), _formed(lower, second, slots_b, bounds))
    if is_choice(lower, sides, values):
        results = choose(lower, condition, sides, values)
    else:
        regions = [_region(lower, first, values[0])]
        if slots_a or len(second):
            regions.append(_region(lower, second, values[1]))
        results = lower.builder.branch(condition, tuple(regions))
    slots = slots_from(results, bounds)
    lower.cells = before
    for cell, slot in zip(changed, slots[len(slots) - len(changed) :], strict=True):
        assert isinstance(slot, Value)
        lower.cells[cell.memory] = with_cell(lower.cells[cell.memory], cell.number, slot)
    return rebuilt_all(a, slots[: len(slots) - len(changed)])


def _formed(
    lower: Lowering, begun: list[Statement], slots: Sequence[Slot], bounds: Sequence[SlotBounds]
) -> list[Value]:
    """The values that a side yields, in forms common to both sides."""
    with lower.builder.nested(begun):
        return [in_form(lower, slot, known) for slot, known in zip(slots, bounds, strict=True)]


def _region(lower: Lowering, begun: list[Statement], values: Sequence[Value]) -> Region:
    with lower.builder.nested(begun) as statements:
        _ = lower.builder.emit(ops.YIELD, *values)
    return Region((), tuple(statements))


MOST_DONE = 4  # statements of both sides that are instructions
MOST_CHOSEN = 2  # results
_FREE = frozenset({graph.LITERAL, graph.BIT_CAST})
_SHORT = frozenset(
    {
        graph.ADD, graph.SUB, graph.MUL, graph.MIN, graph.MAX, graph.NEG, graph.ABS, graph.WHERE,
        graph.BITWISE_AND, ops.MULTIPLE, ops.SHIFT_LEFT, ops.SHIFT_RIGHT, graph.BITWISE_OR, graph.BITWISE_XOR,
        graph.BITWISE_NOT,
    }
)  # fmt: skip
_WORD_BITS = 32


def is_choice(
    lower: Lowering, sides: Sequence[Sequence[Statement]], results: Sequence[Sequence[Value]]
) -> bool:
    """Whether both sides of a branch with results are short enough to compute both."""
    chosen = results[0]
    if not 0 < len(chosen) <= MOST_CHOSEN or not all(map(_is_word, chosen)):
        return False
    done = [statement for side in sides for statement in side if statement.op not in _FREE]
    return len(done) <= MOST_DONE and all(_is_short(statement, lower.builder) for statement in done)


def _is_word(value: Value) -> bool:
    """Whether a value has 32 bits."""
    type_ = value.type
    is_one = isinstance(type_, LaneType) and type_.lanes == 1
    return is_one and type_.element.bits == _WORD_BITS


def _is_short(statement: Statement, builder: LaneBuilder) -> bool:
    """Whether a statement is a few instructions. A quotient is short only if it is unsigned and by a power of
    two."""
    if not all(map(_is_word, statement.results)):
        return False
    if statement.op is graph.DIV:
        divisor = builder.literal_of(statement.operands[1])
        is_power = isinstance(divisor, int) and divisor > 0 and divisor & (divisor - 1) == 0
        return is_power and _is_unsigned(statement.result)
    return statement.op in _SHORT


def _is_unsigned(value: Value) -> bool:
    assert isinstance(value.type, LaneType)
    return value.type.element.kind is NumberKind.UNSIGNED


def choose(
    lower: Lowering,
    condition: Value,
    sides: Sequence[Sequence[Statement]],
    results: Sequence[Sequence[Value]],
) -> tuple[Value, ...]:
    """Append both sides, and select among their results."""
    for side in sides:
        for statement in side:
            lower.builder.append(statement)
    first, second = results
    return tuple([lower.builder.where(condition, a, b) for a, b in zip(first, second, strict=True)])
