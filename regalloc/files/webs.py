"""Webs of virtual registers that share a vector file, VGPRs or AGPRs.

Registers belong to the same web if an instruction wants them in the same file (ties, an accumulator and its
result), or if a copy between them would be in a loop (a parameter of a block and its argument):

    loop(%c):  v_mfma_f32_16x16x16_f16 %d, %a, %b, %c      %c and %d are a web
               -> loop(%d)

A web of class AV needs no copy in either file. A web of class VGPR has an operand that takes no AGPR, so it
can be in AGPRs only with copies between the files there.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from msgspec import Struct, field

from isa.constants import inline_spelling
from isa.instruction import ExecMode, Immediate, Instr, Kind, Row, Trait, Unit
from isa.named_tuple import NamedTuple
from isa.program import Kernel, VirtualRegister
from isa.registers import FIRST_VIRTUAL, Register, RegisterClass
from regalloc.lanes import changes_exec, lane_values
from regalloc.liveness import Liveness
from regalloc.slots import VECTOR_CLASSES

_READS_OTHER_LANES = frozenset({Trait.CROSS_LANE, Trait.LANE_READ, Trait.LANE_WRITE})


class FileWeb(Struct):
    """A web. `members` are its virtual registers. `copies` counts the copies between files that AGPRs would
    cost outside of loops, `copies_in_loops` those in loops.

    A `pinned` web stays in VGPRs: a copy under EXEC would miss lanes that are off, and an instruction of the
    web reads or keeps these.
    """

    members: list[VirtualRegister] = field(default_factory=list)
    is_accumulator: bool = False
    is_pinned: bool = False
    wants_agprs: bool = False
    wants_vgprs: bool = False
    copies: int = 0
    copies_in_loops: int = 0

    @property
    def register_class(self) -> RegisterClass:
        """The file that the operands allow; AV if they allow either."""
        if self.wants_agprs:
            return RegisterClass.AGPR
        return RegisterClass.VGPR if self.wants_vgprs else RegisterClass.AV


class OperandFile(NamedTuple):
    """A vector operand of a row: whether it may be an AGPR, whether the instruction reads or keeps lanes that
    are off, and whether it is the accumulator or the result of a matrix instruction."""

    operand: int
    takes_agprs: bool
    wants_lanes: bool
    is_accumulator: bool


class RowFiles(NamedTuple):
    """The vector operands of a row, and the pairs of operands that share a file."""

    operands: tuple[OperandFile, ...]
    together: tuple[tuple[int, int], ...]


@cache
def row_files(row: Row) -> RowFiles:
    """The files that a row's vector operands take."""
    places = {spec.name: index for index, spec in enumerate(row.operands)}
    together = (*row.ties, *((i, places[s.same_file]) for i, s in enumerate(row.operands) if s.same_file))
    shared = {index for pair in together for index in pair}
    looks_at_others = row.exec_mode is not ExecMode.MASKED or not row.traits.isdisjoint(_READS_OTHER_LANES)
    operands = tuple(
        OperandFile(
            index, Kind.AGPR in spec.kinds, looks_at_others or index in shared,
            row.unit is Unit.MATRIX and (index in row.defines or index in shared),
        )
        for index, spec in enumerate(row.operands)
        if spec.kinds & (Kind.VGPR | Kind.AGPR)
    )  # fmt: skip
    return RowFiles(operands, together)


def find_file_webs(kernel: Kernel, liveness: Liveness) -> list[FileWeb]:
    """The webs of a verified kernel, in the order of their first registers."""
    return _Finder(kernel, liveness).run()


class _Finder:
    def __init__(self, kernel: Kernel, liveness: Liveness) -> None:
        self._kernel = kernel
        self._liveness = liveness
        self._depths = liveness.flow.logical.depths
        self._is_parted = changes_exec(kernel) or not kernel.fills_waves
        self._lanes = lane_values(kernel, liveness)
        self._webs: dict[int, FileWeb] = {}  # by the first unit of each virtual register
        for owner in {owner.first: owner for owner in kernel.owners}.values():
            if owner.register_class in VECTOR_CLASSES:
                self._webs[owner.first] = FileWeb(
                    [owner], wants_agprs=owner.register_class is RegisterClass.AGPR
                )

    def run(self) -> list[FileWeb]:
        for number, block in enumerate(self._kernel.blocks):
            is_looped = self._depths[number] > 0
            for instr in block.code:
                self._instruction(instr, is_looped)
        edges = list(logical_arguments(self._kernel, self._liveness))
        for source, parameter, argument in sorted(edges, key=lambda edge: -self._depths[edge[0]]):
            self._edge(self._depths[source] > 0, parameter, argument)
        return list({id(web): web for web in self._webs.values()}.values())

    def _instruction(self, instr: Instr, is_looped: bool) -> None:
        operands = instr.operands
        files = row_files(instr.row)
        for index, takes_agprs, wants_lanes, is_accumulator in files.operands:
            operand = operands[index]
            if not isinstance(operand, Register) or (web := self._web(operand)) is None:
                continue
            web.is_accumulator |= is_accumulator
            if not takes_agprs:
                web.wants_vgprs = True
                web.is_pinned |= wants_lanes and self._is_parted
                self._count(web, operand.count, is_looped)
        for index, other in files.together:
            one, two = operands[index], operands[other]
            if isinstance(one, Register) and isinstance(two, Register):
                self._join(one, two)

    def _edge(self, is_looped: bool, parameter: Register, argument: Register | Immediate) -> None:
        if isinstance(argument, Immediate):
            if not fills_agprs(argument, parameter.count):
                self._count(self._webs[parameter.first], parameter.count, is_looped)
            return
        of_argument = self._web(argument)
        if of_argument is not None and self._is_joined(is_looped, parameter, argument):
            self._join(parameter, argument)
            return
        self._count(self._webs[parameter.first], parameter.count, is_looped)
        if of_argument is not None:
            self._count(of_argument, parameter.count, is_looped)

    def _is_joined(self, is_looped: bool, parameter: Register, argument: Register) -> bool:
        """Whether a parameter and an argument share a file. Outside of loops they do if either may be in any,
        or if a copy under EXEC would miss lanes."""
        if is_looped or (argument.first in self._lanes and parameter.first in self._lanes):
            return True
        webs = self._web(parameter), self._web(argument)
        return any(web is not None and web.register_class is RegisterClass.AV for web in webs)

    def _web(self, register: Register) -> FileWeb | None:
        """The web of a virtual register; None if the register is physical or a scalar."""
        if register.first < FIRST_VIRTUAL:
            return None
        return self._webs.get(self._kernel.owners[register.first - FIRST_VIRTUAL].first)

    def _count(self, web: FileWeb, copies: int, is_looped: bool) -> None:
        if is_looped:
            web.copies_in_loops += copies
        else:
            web.copies += copies

    def _join(self, one: Register, other: Register) -> None:
        """Join the webs of two registers."""
        first, second = self._web(one), self._web(other)
        if first is None or second is None or first is second:
            return
        large, small = (first, second) if len(first.members) >= len(second.members) else (second, first)
        large.members += small.members
        large.is_accumulator |= small.is_accumulator
        large.is_pinned |= small.is_pinned
        large.wants_agprs |= small.wants_agprs
        large.wants_vgprs |= small.wants_vgprs
        large.copies += small.copies
        large.copies_in_loops += small.copies_in_loops
        self._webs.update((owner.first, large) for owner in small.members)


def fills_agprs(constant: Immediate, count: int) -> bool:
    """Whether AGPRs can be filled with the words of a constant at once: they take no literals."""
    words = (constant.bits >> 32 * k & 0xFFFFFFFF for k in range(count))
    return all(inline_spelling(word, "b32") is not None for word in words)


def logical_arguments(
    kernel: Kernel, liveness: Liveness
) -> Iterator[tuple[int, Register, Register | Immediate]]:
    """The source block of each logical edge with each parameter and its argument."""
    blocks, index = kernel.blocks, liveness.flow.index
    for number, block in enumerate(blocks):
        for edge in block.logical:
            parameters = blocks[index[edge.target]].vector_parameters
            for parameter, argument in zip(parameters, edge.arguments, strict=True):
                yield number, parameter, argument
