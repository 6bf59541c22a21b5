"""The instructions that give the same result from the same operands, wherever they are."""

from __future__ import annotations

from functools import cache

from isa.instruction import Encoding, ExecMode, Immediate, Instr, Kind, Row, Trait, Unit
from isa.program import Kernel
from isa.registers import EXEC, MODE, Register

_LIKE_OTHERS = frozenset({Encoding.PLAIN, Encoding.E32, Encoding.E64})
_OF_MORE = frozenset({
    Trait.CROSS_LANE, Trait.PERMLANE, Trait.LANE_READ, Trait.LANE_WRITE, Trait.SIDE_EFFECT, Trait.HALF_WRITE,
})  # fmt: skip


@cache
def depends_on_operands(row: Row) -> bool:
    """Whether an instruction has a single result, which depends lane by lane on its operands only. The modes
    of floats count as given (`keeps_modes`)."""
    if row.unit not in (Unit.VALU, Unit.SALU) or row.encoding not in _LIKE_OTHERS or row.components:
        return False
    if row.events or row.ties or row.writes or len(row.defines) != 1 or not row.traits.isdisjoint(_OF_MORE):
        return False
    if row.exec_mode is ExecMode.SCALAR:
        return not row.reads
    is_mask = bool(row.operands[row.defines[0]].kinds & Kind.SGPR)  # with zeros for the lanes that are off
    return (
        row.exec_mode is ExecMode.MASKED and not is_mask and all(register == EXEC for register in row.reads)
    )


def keeps_modes(kernel: Kernel) -> bool:
    """Whether no instruction of a kernel changes how floats are rounded and flushed."""
    return not any(MODE in instr.row.writes for instr in kernel.instructions())


def kernarg_bytes(instr: Instr, pointer: Register | None) -> range | None:
    """The bytes of the kernarg segment that a scalar load reads, which never change; None for any other
    instruction. `pointer` is the register pair with the segment's address."""
    row = instr.row
    if row.unit is not Unit.SMEM or Trait.LOAD not in row.traits or instr.modifiers or len(row.defines) != 1:
        return None
    base, *offsets = [instr.operands[index] for index in row.uses]
    if base != pointer or len(offsets) != 1 or not isinstance(offsets[0], Immediate):
        return None
    first = offsets[0].bits
    return range(first, first + row.memory_bytes)
