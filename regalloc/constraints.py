"""The constraints that rows put on an allocation besides liveness: ties, early clobbers, fixed registers."""

from __future__ import annotations

from functools import cache

from msgspec import Struct, field

from isa.instruction import Instr, Kind, Row, Unit
from isa.named_tuple import NamedTuple
from isa.program import Kernel
from isa.registers import Register
from isa.replay import is_replayed
from isa.targets import TargetId
from regalloc.slots import BlockSlots


class Constraints(Struct):
    """Constraints by virtual unit.

    `early` units are written while the instruction still reads its operands. If an
    operand dies there, such a result may take the operand's register nevertheless; `overlays` gives the unit
    of that operand: the tied operand (a copy comes before the instruction if the two differ), or the
    accumulator of a matrix instruction. `pinned`
    gives the physical unit of a `fixed` operand. `early_physical` lists the early writes of physical
    registers, as (slot, physical unit).
    """

    early: set[int] = field(default_factory=set)
    overlays: dict[int, int] = field(default_factory=dict)
    early_physical: set[tuple[int, int]] = field(default_factory=set)
    pinned: dict[int, int] = field(default_factory=dict)


class _RowDemands(NamedTuple):
    overlays: tuple[tuple[int, int], ...]
    early: tuple[int, ...]
    fixed: tuple[tuple[int, Register], ...]


@cache
def _demands(row: Row, target: TargetId) -> _RowDemands | None:
    replayed = is_replayed(row, target)
    early = tuple(i for i in row.defines if row.operands[i].early_clobber or replayed)
    fixed = tuple((i, spec.fixed) for i, spec in enumerate(row.operands) if spec.fixed is not None)
    overlays = row.ties + (_accumulators(row) if row.unit is Unit.MATRIX else ())
    return _RowDemands(overlays, early, fixed) if overlays or early or fixed else None


def _accumulators(row: Row) -> tuple[tuple[int, int], ...]:
    """(operand, result) of a matrix row: the result equals the accumulator, which is read like it, or lies
    apart from all."""
    return tuple(
        (use, define)
        for define in row.defines
        for use in row.uses
        if row.operands[use].type == row.operands[define].type and row.operands[use].kinds & Kind.INLINE
    )


def gather_constraints(kernel: Kernel, slots: list[BlockSlots]) -> Constraints:
    """Collect the constraints in a single walk over the instructions."""
    constraints = Constraints()
    rows = {instr.row for block in kernel.blocks for instr in block.instructions}
    asked = {row: demanded for row in rows if (demanded := _demands(row, kernel.target)) is not None}
    for block, block_slots in zip(kernel.blocks, slots, strict=True):
        for slot, instr in enumerate(block.instructions, block_slots.first):
            demands = asked.get(instr.row)
            if demands is not None:
                _instruction_constraints(constraints, instr, demands, slot)
    return constraints


def _instruction_constraints(constraints: Constraints, instr: Instr, demands: _RowDemands, slot: int) -> None:
    operands = instr.operands
    for index in demands.early:
        _mark_early(constraints, operands[index], slot)
    for use, define in demands.overlays:
        source, result = operands[use], operands[define]
        _mark_early(constraints, result, slot)
        if isinstance(source, Register) and isinstance(result, Register) and result.is_virtual:
            constraints.overlays.update(zip(result.units, source.units, strict=True))
    for index, fixed in demands.fixed:
        operand = operands[index]
        if isinstance(operand, Register) and operand.is_virtual:
            constraints.pinned.update(zip(operand.units, fixed.units, strict=True))


def _mark_early(constraints: Constraints, operand: object, slot: int) -> None:
    if not isinstance(operand, Register):
        return
    if operand.is_virtual:
        constraints.early.update(operand.units)
    else:
        constraints.early_physical.update((slot, unit) for unit in operand.units)
