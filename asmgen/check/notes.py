"""Notes: findings that may be right, or are only slower.

* LDS accesses that are under way when another wave, or the same wave, may reach the same address.
* Matrix instructions with operands that all begin in the same bank of VGPRs. On gfx11 and gfx12 a VGPR's bank
  is its number modulo four. A, B and C are read together, so such operands cost an instruction of 32 cycles
  two more (llvm-project issue 204254, measured on gfx1151).
* A wave's priority that is still raised at the end of a function. A wave of higher priority issues before the
  others of its SIMD (CDNA3 ISA, S_SETPRIO). A priority for a loop of matrix instructions then also applies to
  the code after it, which mostly waits for memory.
"""

from __future__ import annotations

from collections.abc import Iterator

from asmgen.check.analyses import FixedPoint, WaitLack
from asmgen.check.listing import ListedFunction
from asmgen.check.mistakes import Mistake
from asmgen.passes.waits.counters import LDS_FILLED, LDS_READ, Counters, reads_lds
from isa.hazards.facts import is_matrix
from isa.instruction import Immediate, Instr, Label, Row, Trait, Unit
from isa.program import Block, Kernel
from isa.registers import FIRST_VGPR, Register, register_name
from isa.target import Target

_READS = "LDS reads are under way at this barrier, and a write by another wave after it may come before them"
_FILLS = "a load straight to LDS is under way; it is legal only if it fills another part of LDS"


def lds_notes(function: ListedFunction, flow: FixedPoint[Counters, WaitLack]) -> Iterator[Mistake]:
    """Reads that no barrier waited for, and reads while loads straight to LDS are under way; each such load
    once."""
    told: set[int] = set()
    fills = any(Trait.LDS_DMA in instr.row.traits for instr in function.instructions)
    for block, (first, _) in zip(flow.kernel.blocks, function.block_ranges(), strict=True):
        if not any(_is_asked(instr, fills) for instr in block.code):
            continue
        state = flow.entries[block.label].copy()
        for index, instr in enumerate(block.code, first):
            if _is_asked(instr, fills):
                yield from _notes_at(index, instr, state, told)
            _ = flow.analysis.step(state, instr)


def _is_asked(instr: Instr, fills: bool) -> bool:
    return Trait.SIGNAL in instr.row.traits or (fills and reads_lds(instr.row))


def _notes_at(index: int, instr: Instr, counters: Counters, told: set[int]) -> Iterator[Mistake]:
    """At a signal the latest read that is under way; at a read the latest load straight to LDS, unless it is
    missing."""
    is_signal = Trait.SIGNAL in instr.row.traits
    for state in counters.states:
        latest = state.latest((LDS_READ,) if is_signal else (LDS_FILLED,))
        if latest is None or latest[1].row.unit is Unit.FLAT:
            continue
        if is_signal:
            yield Mistake(index, "CHK006", _READS, latest[1], is_note=True)
        elif state.needed((LDS_FILLED,), False) is None and id(latest[1]) not in told:
            told.add(id(latest[1]))
            yield Mistake(index, "CHK007", _FILLS, latest[1], is_note=True)


def same_banks(function: ListedFunction, target: Target) -> Iterator[Mistake]:
    """The matrix instructions of a function with VGPR operands that all begin in the same bank."""
    if not target.matrix_banks:
        return
    for index, instr in enumerate(function.instructions):
        matrices = _matrices(instr)
        banks = {(matrix.first - FIRST_VGPR) % target.matrix_banks for matrix in matrices}
        if len(matrices) > 1 and len(banks) == 1:
            names = ", ".join(register_name(matrix) for matrix in matrices)
            text = (
                f"{names} all begin in VGPR bank {banks.pop()} of {target.matrix_banks}, wanted different "
                "banks, which are read faster"
            )
            yield Mistake(index, "CHK009", text, is_note=True)


def _matrices(instr: Instr) -> list[Register]:
    """A, B and C, if they are registers."""
    if not is_matrix(instr.row):
        return []
    operands = (instr.operands[use] for use in instr.row.uses if _is_of_a_matrix(instr.row, use))
    return [operand for operand in operands if isinstance(operand, Register)]


def _is_of_a_matrix(row: Row, use: int) -> bool:
    """C of a sparse instruction is its destination, unspelt; the kept half of a result is not an operand of
    the product."""
    spec = row.operands[use]
    if Trait.SPARSE in row.traits:
        return spec.type != "b32"
    return not spec.hidden


_BITS = 3


class Raised:
    """The instructions that raised the priority which the wave has here, on some path."""

    __slots__ = ("by",)

    def __init__(self) -> None:
        self.by: dict[int, Instr] = {}  # by identity

    def copy(self) -> Raised:
        other = Raised()
        other.by = dict(self.by)
        return other

    def merge(self, other: Raised) -> bool:
        before = len(self.by)
        self.by |= other.by
        return len(self.by) > before


class Priority:
    """The wave's priority, as an analysis: an end lacks the lowering of a raised priority."""

    def empty(self) -> Raised:
        return Raised()

    def step(self, state: Raised, instr: Instr) -> list[Instr]:
        if Trait.PRIORITY in instr.row.traits:
            state.by = {id(instr): instr} if priority_of(instr) else {}
        return list(state.by.values()) if _ends(instr) else []

    def leave(self, state: Raised, block: Block) -> tuple[()]:
        return ()

    def alike(self, first: Raised, second: Raised) -> bool:
        return first.by.keys() == second.by.keys()


def priority_of(instr: Instr) -> int:
    """The priority that an instruction of `Trait.PRIORITY` sets, from 0, the wave's initial priority, to
    3."""
    (operand,) = instr.operands
    assert isinstance(operand, Immediate)
    return operand.bits & _BITS


def raised_priorities(function: ListedFunction, kernel: Kernel) -> Iterator[Mistake]:
    """The instructions that raise the priority with which a function ends, each once."""
    if not any(Trait.PRIORITY in instr.row.traits and priority_of(instr) for instr in function.instructions):
        return
    flow = FixedPoint(kernel, Priority())
    left = {id(instr) for lacks in flow.lacks.values() for _, instr in lacks}
    for index, instr in enumerate(function.instructions):
        if id(instr) in left:
            text = (
                f"the priority {priority_of(instr)} is still raised at the end of the function, wanted "
                "s_setprio 0 after the code that needs it"
            )
            yield Mistake(index, "CHK008", text, is_note=True)


def _ends(instr: Instr) -> bool:
    """Whether a function ends here: the wave ends, or goes back to a caller."""
    traits = instr.row.traits
    returns = Trait.BRANCH in traits and not instr.row.defines and not isinstance(instr.operands[-1], Label)
    return Trait.END in traits or returns
