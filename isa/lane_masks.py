"""Lane masks: a bit for each lane, in an SGPR or a pair, the scalar operations on them, and the instructions
that write or read the mask EXEC.

A wave of 32 lanes keeps a mask in a single SGPR: EXEC in its lower half, and the implicit mask of short
encodings in the lower half of VCC (RDNA3 ISA, section 3.2.2).

Many passes ask of each instruction whether it writes EXEC, the mask of the lanes that are on. Most rows have
no result that may be EXEC, which is looked up once for each row.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from functools import cache

from isa.instruction import Instr, Kind, Row
from isa.named_tuple import NamedTuple
from isa.registers import EXEC, VCC, VCC_LO, Register

MASK_TYPES = frozenset({"mask", "mask32"})  # of operands that are lane masks
_EXEC_UNITS = frozenset(EXEC.units)
_MAY_BE_EXEC = Kind.EXEC | Kind.SGPR  # an SGPR pair of assembly may include EXEC


class MaskOperation(Enum):
    """Operations on masks; `LaneMasks.operations` has their instructions."""

    MOVE = "move"
    SELECT = "select"  # by SCC
    NOT = "not"
    AND = "and"
    AND_NOT = "and not"  # the bits of the first that are off in the second
    OR = "or"
    XOR = "xor"
    XNOR = "xnor"
    AND_SAVE_EXEC = "and save exec"  # EXEC's old value is the result
    SHIFT_LEFT = "shift left"

    __hash__ = object.__hash__  # as of `isa.registers.RegisterClass`


class LaneMasks(NamedTuple):
    """The masks of a wave size: their number of SGPRs, EXEC and VCC as masks, and the mask of all lanes."""

    lanes: int
    exec: Register
    vcc: Register
    operations: Mapping[MaskOperation, str]

    @property
    def units(self) -> int:
        return self.exec.count

    @property
    def every_lane(self) -> int:
        return (1 << self.lanes) - 1


_WAVE64 = LaneMasks(
    64,
    EXEC,
    VCC,
    {
        MaskOperation.MOVE: "s_mov_b64", MaskOperation.SELECT: "s_cselect_b64",
        MaskOperation.NOT: "s_not_b64", MaskOperation.AND: "s_and_b64", MaskOperation.AND_NOT: "s_andn2_b64",
        MaskOperation.OR: "s_or_b64", MaskOperation.XOR: "s_xor_b64", MaskOperation.XNOR: "s_xnor_b64",
        MaskOperation.AND_SAVE_EXEC: "s_and_saveexec_b64", MaskOperation.SHIFT_LEFT: "s_lshl_b64",
    },
)  # fmt: skip
_WAVE32 = LaneMasks(
    32,
    EXEC.part(0),
    VCC_LO,
    {
        MaskOperation.MOVE: "s_mov_b32", MaskOperation.SELECT: "s_cselect_b32",
        MaskOperation.NOT: "s_not_b32", MaskOperation.AND: "s_and_b32", MaskOperation.AND_NOT: "s_andn2_b32",
        MaskOperation.OR: "s_or_b32", MaskOperation.XOR: "s_xor_b32", MaskOperation.XNOR: "s_xnor_b32",
        MaskOperation.AND_SAVE_EXEC: "s_and_saveexec_b32", MaskOperation.SHIFT_LEFT: "s_lshl_b32",
    },
)  # fmt: skip
_BY_LANES = {masks.lanes: masks for masks in (_WAVE32, _WAVE64)}


def lane_masks(lanes: int) -> LaneMasks:
    """The masks of waves of `lanes` lanes."""
    return _BY_LANES[lanes]


@cache
def _may_write_exec(row: Row) -> bool:
    return any(register.overlaps(EXEC) for register in row.writes) or any(
        row.operands[i].kinds & _MAY_BE_EXEC for i in row.defines
    )


def writes_exec(instr: Instr) -> bool:
    """Whether an instruction writes EXEC or a half of it, by an operand or implicitly."""
    return _may_write_exec(instr.row) and not _EXEC_UNITS.isdisjoint(instr.units.written)


def reads_exec(instr: Instr) -> bool:
    """Whether an instruction reads EXEC as data, by an operand or implicitly; the mask that decides which
    lanes a vector instruction works on is not an operand."""
    return not _EXEC_UNITS.isdisjoint(instr.units.read)
