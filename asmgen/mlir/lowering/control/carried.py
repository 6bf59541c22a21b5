"""Values that loops carry: lane values, indices with bounds, and cells of private memory.

A loop is lowered first with the bounds that its carried indices have at the beginning. If the body exceeds
these bounds, or changes a cell that the loop does not carry, the loop is lowered again with wider bounds and
that cell.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from asmgen.ir.program import Value
from asmgen.mlir.lowering.context import Lowering
from asmgen.mlir.lowering.control.slots import (
    WIDER,
    Cell,
    SlotBounds,
    all_slots,
    check_same_memory,
    copied,
    in_form,
    rebuilt_all,
    slots_from,
    with_cell,
)
from asmgen.mlir.lowering.values import Index, Lowered, Memory, Slot
from asmgen.mlir.source import Operation
from isa.named_tuple import NamedTuple

Body = Callable[[Sequence[Lowered]], Sequence[Lowered]]


class _Plan(NamedTuple):
    """The bounds of each slot of the carried values, and the carried cells."""

    bounds: tuple[SlotBounds, ...]
    cells: tuple[Cell, ...]


class _Replan(Exception):
    """The loop must carry more."""

    def __init__(self, plan: _Plan) -> None:
        super().__init__()
        self.plan = plan


class Carried:
    """The carried values of a loop that is lowered by a plan."""

    def __init__(
        self, lower: Lowering, operation: Operation, initial: Sequence[Lowered], plan: _Plan
    ) -> None:
        self._lower = lower
        self._operation = operation
        self._like = initial
        self._plan = plan
        self._bounds = (*plan.bounds, *[None] * len(plan.cells))

    def initial(self) -> list[Value]:
        slots = [*all_slots(self._like), *[self._lower.cells[c.memory][c.number] for c in self._plan.cells]]
        return [in_form(self._lower, slot, known) for slot, known in zip(slots, self._bounds, strict=True)]

    def enter(self, values: Sequence[Value]) -> list[Lowered]:
        """The lowered values at the start of the body. Sets the carried cells."""
        slots = slots_from(values, self._bounds)
        count = len(self._plan.bounds)
        for cell, slot in zip(self._plan.cells, slots[count:], strict=True):
            assert isinstance(slot, Value)
            lower = self._lower
            lower.cells[cell.memory] = with_cell(lower.cells[cell.memory], cell.number, slot)
        return rebuilt_all(self._like, slots[:count])

    def leave(self, results: Sequence[Lowered], before: dict[Memory, list[Value]]) -> list[Value]:
        """The next carried values; `_Replan` if they do not fit. `before` are the cells at the start of the
        body."""
        check_same_memory(self._like, results, self._operation)
        slots = all_slots(results)
        changed = [
            Cell(memory, i)
            for memory, cells in before.items()
            for i, cell in enumerate(cells)
            if self._lower.cells[memory][i] is not cell and Cell(memory, i) not in self._plan.cells
        ]
        bounds = tuple(
            [_wide_enough(slot, known) for slot, known in zip(slots, self._plan.bounds, strict=True)]
        )
        if changed or bounds != self._plan.bounds:
            raise _Replan(_Plan(bounds, (*self._plan.cells, *changed)))
        slots += [self._lower.cells[cell.memory][cell.number] for cell in self._plan.cells]
        return [in_form(self._lower, slot, known) for slot, known in zip(slots, self._bounds, strict=True)]


def _wide_enough(slot: Slot, known: SlotBounds) -> SlotBounds:
    """Bounds that include the slot: the known bounds, or the next wider bounds."""
    if not isinstance(slot, Index) or known is None or known.contains(slot.bounds):
        return known
    both = known.joined(slot.bounds)
    return next(wider for wider in WIDER if wider.contains(both))


def _first_plan(initial: Sequence[Lowered]) -> _Plan:
    slots = all_slots(initial)
    return _Plan(tuple([slot.bounds if isinstance(slot, Index) else None for slot in slots]), ())


def carry(
    lower: Lowering,
    operation: Operation,
    initial: Sequence[Lowered],
    make: Callable[[Carried], Sequence[Value]],
) -> list[Lowered]:
    """Make a loop by the first plan that fits."""
    plan = _first_plan(initial)
    before = copied(lower.cells)
    while True:
        carried = Carried(lower, operation, initial, plan)
        try:
            with lower.builder.nested() as statements:
                results = make(carried)
        except _Replan as wanted:
            plan, lower.cells = wanted.plan, copied(before)
            continue
        for statement in statements:
            lower.builder.append(statement)
        lower.cells = before
        return carried.enter(results)


def repeated(lower: Lowering, operation: Operation, initial: Sequence[Lowered], body: Body) -> list[Lowered]:
    """Repeat `body` while the first value, a bool, is true; gives the last values."""

    def make(carried: Carried) -> Sequence[Value]:
        def run(values: tuple[Value, ...]) -> Sequence[Value]:
            given = carried.enter(values)
            before = copied(lower.cells)
            return carried.leave(body(given), before)

        return lower.builder.while_(carried.initial(), lambda values: values[0], run)

    return carry(lower, operation, initial, make)
