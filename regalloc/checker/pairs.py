"""The correspondence of rewritten and original instructions; everything between them must be copies.

It also lists the physical registers of the two programs.
"""

from __future__ import annotations

from msgspec import Struct

from isa.diagnostics import InternalError
from isa.instruction import Instr, Trait
from isa.named_tuple import NamedTuple
from isa.program import Block, Kernel
from isa.registers import EXEC, FIRST_VIRTUAL, Register, units_among
from regalloc.allocation import COPY_ORIGIN

STAGE = "register allocation check"


class PairedStep(Struct, frozen=True):
    """An original instruction, its counterpart (None for a removed move), and the copies before it."""

    copies: list[Instr]
    original: Instr
    rewritten: Instr | None


class Pair(NamedTuple):
    """A block of the original as steps; `tail` are copies after the last of them."""

    original: Block
    steps: list[PairedStep]
    tail: list[Instr]


def pair_programs(kernel: Kernel, units: dict[int, int], rewritten: Kernel) -> list[Pair]:
    """Pair the blocks of two programs. Raises InternalError if the rewritten program is not the original with
    inserted copies."""
    if [block.label for block in rewritten.blocks] != [block.label for block in kernel.blocks]:
        raise InternalError(STAGE, kernel.name, "the blocks are not those of the original")
    for what, before, after in (
        ("the workgroup", kernel.workgroup, rewritten.workgroup),
        ("LDS", kernel.lds_bytes, rewritten.lds_bytes),
        ("scratch", kernel.scratch_bytes, rewritten.scratch_bytes),
        ("the VGPRs of spilled SGPRs", kernel.spill_lanes, rewritten.spill_lanes),
        ("the registers that are given", kernel.abi, rewritten.abi),
    ):
        if before != after:
            raise InternalError(STAGE, kernel.name, f"{what}: {after}, and {before} in the original")
    return [
        _Pairing(kernel, units, a, b).pair() for a, b in zip(kernel.blocks, rewritten.blocks, strict=True)
    ]


class _Pairing:
    """Two blocks side by side."""

    def __init__(self, kernel: Kernel, units: dict[int, int], original: Block, rewritten: Block) -> None:
        self.name = kernel.name
        self.units = units
        self.original = original
        self.rewritten = rewritten
        self.stream = iter(rewritten.instructions)
        self.following = next(self.stream, None)

    def _fail(self, where: str, message: str) -> InternalError:
        return InternalError(STAGE, f"{self.name}:{self.original.label}:{where}", message)

    def pair(self) -> Pair:
        self._same_edges()
        steps: list[PairedStep] = []
        for index, instr in enumerate(self.original.instructions):
            copies = self._copies()
            if self._moves_in_place(instr):
                steps.append(PairedStep(copies, instr, None))
                continue
            following = self.following
            if following is None or not _corresponds(instr, following):
                raise self._fail(str(index), f"{instr.row.mnemonic} is not in the rewritten program")
            steps.append(PairedStep(copies, instr, following))
            self.following = next(self.stream, None)
        tail = self._copies()
        if self.following is not None:
            raise self._fail("end", f"{self.following.row.mnemonic} is not in the original program")
        return self._with_terminator(steps, tail)

    def _same_edges(self) -> None:
        before, after = self.original, self.rewritten
        for kind, edges, new_edges in (
            ("linear", before.linear, after.linear),
            ("logical", before.logical, after.logical),
        ):
            if [edge.target for edge in edges] != [edge.target for edge in new_edges]:
                raise self._fail(kind, "the edges are not those of the original")
        if (
            after.scalar_parameters
            or after.vector_parameters
            or any(edge.arguments for edge in (*after.linear, *after.logical))
        ):
            raise self._fail("parameters", "a parameter or an argument is left")

    def _copies(self) -> list[Instr]:
        copies: list[Instr] = []
        while self.following is not None and self.following.origin == COPY_ORIGIN:
            copies.append(self.following)
            self.following = next(self.stream, None)
        return copies

    def _with_terminator(self, steps: list[PairedStep], tail: list[Instr]) -> Pair:
        original, rewritten = self.original.terminator, self.rewritten.terminator
        if original is None:
            if rewritten is not None:
                raise self._fail("terminator", "the terminator is not in the original program")
            return Pair(self.original, steps, tail)
        if rewritten is None or not _corresponds(original, rewritten):
            raise self._fail("terminator", "the terminator is not that of the original")
        return Pair(self.original, [*steps, PairedStep(tail, original, rewritten)], [])

    def _moves_in_place(self, instr: Instr) -> bool:
        """Whether an instruction copies a register to itself; such moves are left out."""
        if (
            Trait.MOVE not in instr.row.traits
            or instr.modifiers
            or instr.row.ties
            or len(instr.operands) != 2
        ):
            return False
        target, source = instr.operands
        if (
            not isinstance(target, Register)
            or not isinstance(source, Register)
            or target.count != source.count
        ):
            return False
        return all(
            self.units.get(a, a) == self.units.get(b, b)
            for a, b in zip(target.units, source.units, strict=True)
        )


def _corresponds(original: Instr, rewritten: Instr) -> bool:
    """Whether two instructions are the same but for the registers they name."""
    if (
        original.row is not rewritten.row
        or original.modifiers != rewritten.modifiers
        or rewritten.origin == COPY_ORIGIN
    ):
        return False
    after_all = rewritten.operands
    if len(original.operands) != len(after_all):
        return False
    for index, before in enumerate(original.operands):
        after = after_all[index]
        if before is after:
            continue
        is_other = (
            before.count != after.count
            if isinstance(before, Register) and isinstance(after, Register) and before.first >= FIRST_VIRTUAL
            else before != after
        )
        if is_other and not any(use == index for use, _ in original.row.ties):
            return False
    return True


def physical_units(*kernels: Kernel) -> set[int]:
    """The physical units that occur in kernels; the states need no other units."""
    named = set(EXEC.units)
    for kernel in kernels:
        for block in kernel.blocks:
            for instruction in block.instructions:
                units = instruction.units
                named.update(units.read, units.written)
            for edge in (*block.linear, *block.logical):
                named.update(units_among(edge.arguments))
    return {unit for unit in named if unit < FIRST_VIRTUAL}
