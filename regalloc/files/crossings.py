"""Registers in the files chosen for them, with the copies between the files that this takes.

    v_mfma_f32_16x16x16_f16 %d, %a, %b, %c         %d and %c are AGPRs now
    v_accvgpr_read_b32 %d_again, %d[0]             a reader that takes no AGPR
    v_cvt_f16_f32 %h, %d_again

A register becomes an AGPR if all instructions that write it may write AGPRs. Otherwise it stays a VGPR, and
each of its writers is followed by a copy to an AGPR, which the other readers read. A copy is next to the
instruction that it serves, so both run under the same EXEC.
"""

from __future__ import annotations

from collections.abc import Set

from msgspec.structs import replace

from isa.build import build
from isa.instruction import Immediate, Instr, Operand
from isa.lane_masks import writes_exec
from isa.moves import find_crossing, find_fill
from isa.program import Block, Edge, Kernel, VirtualRegister
from isa.registers import FIRST_VIRTUAL, Register, RegisterClass
from regalloc.allocation import CROSSING
from regalloc.files.webs import fills_agprs, row_files
from regalloc.liveness import Liveness

_WORD = 0xFFFFFFFF


def put_in_files(kernel: Kernel, liveness: Liveness, agprs: Set[int]) -> Kernel:
    """An equivalent kernel in SSA in which the virtual registers that begin at `agprs` are in AGPRs, and all
    others of class AV in VGPRs."""
    return _Crossings(kernel, liveness, agprs).run()


class _Crossings:
    def __init__(self, kernel: Kernel, liveness: Liveness, agprs: Set[int]) -> None:
        self._index = liveness.flow.index
        self._before = kernel
        self._agprs = agprs
        self._split = _written_as_vgprs(kernel, agprs)
        self._kernel = replace(kernel, owners=self._owners())
        self._apart: dict[int, Register] = {}  # the AGPRs of a register that stays in VGPRs
        self._read: dict[Register, Register] = {}  # VGPRs with the value of AGPRs, here in the block
        self._code: list[Instr] = []

    def run(self) -> Kernel:
        return self._kernel.with_blocks([self._block(block) for block in self._kernel.blocks])

    def _owners(self) -> list[VirtualRegister]:
        """The virtual registers by unit, with their files."""
        moved: dict[int, VirtualRegister] = {}
        for owner in self._before.owners:
            first = owner.first
            if first in moved:
                continue
            file = owner.register_class
            if first in self._agprs and first not in self._split:
                file = RegisterClass.AGPR
            elif file is RegisterClass.AV:
                file = RegisterClass.VGPR
            is_same = file is owner.register_class
            moved[first] = owner if is_same else replace(owner, register_class=file)
        return [moved[owner.first] for owner in self._before.owners]

    def _block(self, block: Block) -> Block:
        self._code = []
        self._read.clear()
        for instr in block.instructions:
            self._instruction(instr)
            if writes_exec(instr):
                self._read.clear()  # other lanes may be on
        logical = tuple(self._edge(edge) for edge in block.logical)
        return Block(
            block.label, block.scalar_parameters, block.vector_parameters, self._code, block.terminator,
            block.linear, logical,
        )  # fmt: skip

    def _instruction(self, instr: Instr) -> None:
        operands: list[Operand] | None = None
        written: list[Register] = []
        for index, takes_agprs, _, _ in row_files(instr.row).operands:
            operand = instr.operands[index]
            if not isinstance(operand, Register) or not self._is_agpr(operand):
                continue
            if index in instr.row.defines:
                if self._first(operand) in self._split:
                    written.append(operand)
                continue
            moved = self._held(operand) if takes_agprs else self._vgprs_of(operand)
            if moved != operand:
                operands = operands or list(instr.operands)
                operands[index] = moved
        self._code.append(
            instr if operands is None else instr.as_row(instr.row, tuple(operands), instr.modifiers)
        )
        for register in written:
            self._copy(RegisterClass.AGPR, self._held(register), register)

    def _edge(self, edge: Edge) -> Edge:
        """An edge with each argument in the file of its parameter."""
        parameters = self._kernel.blocks[self._index[edge.target]].vector_parameters
        arguments = tuple(map(self._argument, parameters, edge.arguments))
        return edge if arguments == edge.arguments else Edge(edge.target, arguments)

    def _argument(self, parameter: Register, argument: Register | Immediate) -> Register | Immediate:
        is_held = isinstance(argument, Register) and self._is_agpr(argument)
        if not self._is_agpr(parameter):
            return self._vgprs_of(argument) if isinstance(argument, Register) and is_held else argument
        if isinstance(argument, Register) and is_held:
            return self._held(argument)
        if isinstance(argument, Immediate):
            if fills_agprs(argument, parameter.count):
                return argument
            argument = self._filled(argument, parameter.count)
        agprs = self._like(parameter)
        self._copy(RegisterClass.AGPR, agprs, argument)
        return agprs

    def _is_agpr(self, register: Register) -> bool:
        """Whether a register of the program is in AGPRs now."""
        return register.first >= FIRST_VIRTUAL and self._first(register) in self._agprs

    def _first(self, register: Register) -> int:
        return self._before.owners[register.first - FIRST_VIRTUAL].first

    def _held(self, register: Register) -> Register:
        """The AGPRs with the value of a register of the program."""
        first = self._first(register)
        if first not in self._split:
            return register
        if first not in self._apart:
            self._apart[first] = self._like(Register(first, self._before.owner(register).count))
        return self._apart[first].part(register.first - first, register.count)

    def _like(self, register: Register) -> Register:
        """New AGPRs in the shape of a virtual register."""
        owner = self._before.owner(register)
        return self._kernel.new_register(
            RegisterClass.AGPR, register.count, owner.align, f"{owner.name}_in_a", owner.place
        )

    def _vgprs_of(self, register: Register) -> Register:
        """VGPRs with the value of AGPRs: copies, made once in a block for each EXEC."""
        copied = self._read.get(register)
        if copied is None:
            owner = self._before.owner(register)
            align = min(register.count, owner.align)
            copied = self._kernel.new_register(
                RegisterClass.VGPR, register.count, align, f"{owner.name}_in_v", owner.place
            )
            self._copy(RegisterClass.VGPR, copied, self._held(register))
            self._read[register] = copied
        return copied

    def _filled(self, constant: Immediate, count: int) -> Register:
        """New VGPRs with the words of a constant."""
        filled = self._kernel.new_register(RegisterClass.VGPR, count)
        row = find_fill(self._kernel.table, RegisterClass.VGPR, 1)
        assert row is not None, "every target fills single registers"
        for k in range(count):
            word = Immediate(constant.bits >> 32 * k & _WORD)
            self._code.append(build(row, filled.part(k), word, origin=CROSSING))
        return filled

    def _copy(self, to: RegisterClass, target: Register, source: Register) -> None:
        file = RegisterClass.VGPR if to is RegisterClass.AGPR else RegisterClass.AGPR
        row = find_crossing(self._kernel.table, to, file)
        assert row is not None, "only targets with AGPRs have webs in them"
        for k in range(target.count):
            self._code.append(build(row, target.part(k), source.part(k), origin=CROSSING))


def _written_as_vgprs(kernel: Kernel, agprs: Set[int]) -> set[int]:
    """Those of the registers that begin at `agprs` that an instruction writes which may not write AGPRs."""
    split: set[int] = set()
    for block in kernel.blocks:
        for instr in block.instructions:
            for index, takes_agprs, _, _ in row_files(instr.row).operands:
                operand = instr.operands[index]
                if takes_agprs or index not in instr.row.defines or not isinstance(operand, Register):
                    continue
                if operand.first >= FIRST_VIRTUAL:
                    first = kernel.owners[operand.first - FIRST_VIRTUAL].first
                    if first in agprs:
                        split.add(first)
    return split
