"""Rematerialisation: values computed again from operands that are in registers at that point.

v_lshlrev_b32_e32 %at, 2, v0         ids, addresses, moves from another file: an instruction
...                                  of the full rate, and no store
v_lshlrev_b32_e32 %at_again, 2, v0
s_load_dwordx2 %p, s[0:1], 0x10      arguments of the kernel, which never change, outside of loops
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cached_property

from isa.build import build
from isa.instruction import Instr, Operand, Trait
from isa.program import Kernel
from isa.registers import DWORD, FIRST_VIRTUAL, Register, RegisterClass
from isa.repeatable import depends_on_operands, keeps_modes, kernarg_bytes
from regalloc.allocation import RELOAD
from regalloc.liveness import Liveness

KERNARG_POINTER = "kernarg_segment_ptr"
_LOADS = {
    1: "s_load_dword",
    2: "s_load_dwordx2",
    4: "s_load_dwordx4",
    8: "s_load_dwordx8",
    16: "s_load_dwordx16",
}

CurrentOf = Callable[[Register, int], Register | None]
"""The register with the value of a register of the file at a point, with an alignment."""


class Remat:
    """Finds the instructions that compute the values of a file of a verified kernel again."""

    def __init__(self, kernel: Kernel, liveness: Liveness, register_class: RegisterClass) -> None:
        self._kernel = kernel
        self._liveness = liveness
        self._register_class = register_class
        self._live: tuple[int, list[set[int]]] = -1, []  # of the block that was asked about last

    @cached_property
    def _definitions(self) -> Mapping[int, tuple[Register, Instr]]:
        """By its first unit, each register of the file that an instruction computes which may be repeated."""
        kernel = self._kernel
        if not keeps_modes(kernel):
            return {}
        definitions: dict[int, tuple[Register, Instr]] = {}
        for instr in kernel.instructions():
            if depends_on_operands(instr.row) and Trait.QUARTER not in instr.row.traits:
                result = instr.operands[instr.row.defines[0]]
                if isinstance(result, Register) and result.is_virtual:
                    definitions[result.first] = result, instr
        return definitions

    @cached_property
    def _arguments(self) -> Mapping[int, int]:
        """For the units that a scalar load fills from the kernarg segment, the byte there."""
        arguments: dict[int, int] = {}
        for instr in self._kernel.instructions():
            loaded = kernarg_bytes(instr, self._pointer)
            result = instr.operands[instr.row.defines[0]] if loaded is not None else None
            if loaded is not None and isinstance(result, Register) and result.is_virtual:
                arguments.update(zip(result.units, loaded[::DWORD], strict=True))
        return arguments

    @cached_property
    def _pointer(self) -> Register | None:
        pointer = dict(self._kernel.abi.entry).get(KERNARG_POINTER)
        return pointer if pointer is not None and self._written.isdisjoint(pointer.units) else None

    @cached_property
    def _written(self) -> set[int]:
        """The physical units that an instruction writes."""
        return {
            unit
            for instr in self._kernel.instructions()
            for register in instr.defined()
            if register.first < FIRST_VIRTUAL
            for unit in register.units
        }

    def again(
        self, register: Register, new: Register, point: tuple[int, int], current: CurrentOf, is_looped: bool
    ) -> Instr | None:
        """The instruction that computes the value of `register` into `new`, before a point; None if its
        operands are not in registers there. Arguments of the kernel are not loaded again in a loop."""
        result, instr = self._definitions.get(register.first, (None, None))
        if instr is not None and result == register:
            operands = [
                self._operand(instr, index, new, point, current) for index in range(len(instr.operands))
            ]
            if None in operands:
                return None
            known_operands = tuple(operand for operand in operands if operand is not None)
            return Instr(instr.row, known_operands, instr.modifiers, RELOAD, touches=instr.touches)
        return None if is_looped else self._argument(register, new, point)

    def _operand(
        self, instr: Instr, index: int, new: Register, point: tuple[int, int], current: CurrentOf
    ) -> Operand | None:
        """An operand of a repeated instruction at a point; None if its value is not there."""
        operand = instr.operands[index]
        if index in instr.row.defines:
            return new
        if not isinstance(operand, Register):
            return operand
        if operand.is_virtual and self._kernel.register_class(operand) is self._register_class:
            return current(operand, instr.row.operands[index].align)
        return operand if self._is_there(operand, point) else None

    def _argument(self, register: Register, new: Register, point: tuple[int, int]) -> Instr | None:
        """A load of an argument, or of a part of some, from the kernarg segment."""
        name = _LOADS.get(register.count)
        places = [self._arguments.get(unit, -1) for unit in register.units]
        wanted = list(range(places[0], places[0] + DWORD * register.count, DWORD))
        if name is None or self._pointer is None or places[0] < 0 or places != wanted:
            return None
        if not self._is_there(self._pointer, point):
            return None
        return build(self._kernel.table.row(name), new, self._pointer, places[0], origin=RELOAD)

    def _is_there(self, register: Register, point: tuple[int, int]) -> bool:
        """Whether a register of another file, or a physical register, has its only value at a point and
        later."""
        units = set(register.units)
        is_fixed = register.is_virtual or self._written.isdisjoint(units)
        return is_fixed and units <= self._live_before(*point)

    def _live_before(self, block: int, index: int) -> set[int]:
        """The units that are live before a slot."""
        number, sets = self._live
        if number != block:
            sets = list(self._walk(block))[::-1]
            self._live = block, sets
        return sets[index]

    def _walk(self, block: int) -> Iterator[set[int]]:
        slots = self._liveness.slots[block]
        live = set(self._liveness.leaving(block))
        for defined, used in zip(reversed(slots.defines), reversed(slots.uses), strict=True):
            live = (live - set(defined)) | set(used)
            yield live
