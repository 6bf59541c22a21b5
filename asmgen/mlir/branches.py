"""Branches, whose sides give values and change cells of private memory."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from asmgen.ir.program import Region, Statement, Value
from asmgen.lanewise import ops
from asmgen.mlir.choices import choose, is_choice
from asmgen.mlir.context import Lowering
from asmgen.mlir.lowered import Lowered, Slot
from asmgen.mlir.slots import (
    Bounds,
    Cell,
    all_slots,
    check_same_memory,
    copied,
    in_form,
    joined,
    rebuilt_all,
    slots_from,
    with_cell,
)
from asmgen.mlir.source import Operation


def branch(
    lower: Lowering,
    operation: Operation,
    condition: Value,
    then: Callable[[], Sequence[Lowered]],
    otherwise: Callable[[], Sequence[Lowered]] | None,
) -> list[Lowered]:
    """`if`; the results are what the two sides give. A condition that is a constant leaves one side."""
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
    bounds = [joined(one, other) for one, other in zip(slots_a, slots_b, strict=True)]
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
    lower: Lowering, begun: list[Statement], slots: Sequence[Slot], bounds: Sequence[Bounds]
) -> list[Value]:
    """What a region yields, in forms that both sides have."""
    with lower.builder.nested(begun):
        return [in_form(lower, slot, known) for slot, known in zip(slots, bounds, strict=True)]


def _region(lower: Lowering, begun: list[Statement], values: Sequence[Value]) -> Region:
    with lower.builder.nested(begun) as statements:
        _ = lower.builder.emit(ops.YIELD, *values)
    return Region((), tuple(statements))
