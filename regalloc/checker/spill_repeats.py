"""The computations that spill code may repeat, found from the program alone, for the check of spill code.

A result follows from the operands of its instruction. Until an operand is written again, the same instruction
on registers with the same values gives the same result. The check follows which results these are (`fresh`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from isa.instruction import Instr, ModifierValue, Operand, Row
from isa.program import Kernel
from isa.registers import DWORD, FIRST_VIRTUAL, Register
from isa.repeatable import depends_on_operands, keeps_modes, kernarg_bytes
from regalloc.allocation import RELOAD

_Key = tuple[Row, tuple[tuple[str, ModifierValue], ...]]

POINTER = "kernarg_segment_ptr"
"""The role of the registers that the hardware gives the address of the arguments in."""


class Repeats:
    """The instructions of a program that its spill code repeats, and the loads of its arguments."""

    def __init__(self, before: Kernel, after: Kernel) -> None:
        wanted = {_key(instr) for instr in after.instructions() if instr.origin == RELOAD}
        self._instructions: dict[_Key, list[Instr]] = {}
        self._dependents: dict[int, set[int]] = {}
        self._pointer = _unchanged_pointer(before) if wanted else None
        self._arguments: dict[int, set[int]] = {}
        modes = bool(wanted) and keeps_modes(before)
        for instr in before.instructions() if wanted else ():
            if modes and _key(instr) in wanted and depends_on_operands(instr.row):
                self._instructions.setdefault(_key(instr), []).append(instr)
                for unit in _read(instr):
                    self._dependents.setdefault(unit, set()).update(_written(instr))
            loaded = kernarg_bytes(instr, self._pointer)
            if loaded is not None:
                for place, unit in zip(loaded[::DWORD], _written(instr), strict=True):
                    self._arguments.setdefault(place, set()).add(unit)

    def results(self, instr: Instr) -> tuple[int, ...]:
        """The units that an instruction of the program has just written and that it would give again."""
        if not self._instructions:
            return ()
        is_one = any(instr is other for other in self._instructions.get(_key(instr), ()))
        written = _written(instr)
        return written if is_one and _read(instr).isdisjoint(written) else ()

    def forget(self, fresh: set[int], written: Iterable[int]) -> None:
        """Remove the results with an operand that is written anew."""
        if fresh:
            for unit in written:
                fresh.difference_update(self._dependents.get(unit, ()))

    def repeated(
        self, instr: Instr, fresh: set[int], values: Callable[[int], frozenset[int]]
    ) -> list[frozenset[int]] | None:
        """By unit of its result, the value that an instruction of spill code computes again; None for any
        other instruction. `values` gives the contents of a register."""
        same = [
            repeated
            for repeated in self._instructions.get(_key(instr), ())
            if _same_operands(repeated, instr, values)
        ]
        if not same:
            return None
        results = [[unit for unit in _written(repeated) if unit in fresh] for repeated in same]
        whole = [
            units
            for units, repeated in zip(results, same, strict=True)
            if len(units) == len(_written(repeated))
        ]
        count = len(_written(instr))
        return [frozenset(units[k] for units in whole) for k in range(count)]

    def loaded(self, instr: Instr) -> list[frozenset[int]] | None:
        """By unit of its result, the values of the program that a load of arguments brings; None for anything
        else."""
        places = kernarg_bytes(instr, self._pointer)
        if places is None:
            return None
        return [frozenset(self._arguments.get(place, ())) for place in places[::DWORD]]


def _key(instr: Instr) -> _Key:
    return instr.row, instr.modifiers


def _same_operands(wanted: Instr, repeated: Instr, values: Callable[[int], frozenset[int]]) -> bool:
    return all(
        index in wanted.row.defines or _same_operand(first, second, values)
        for index, (first, second) in enumerate(zip(wanted.operands, repeated.operands, strict=True))
    )


def _same_operand(wanted: Operand, repeated: Operand, values: Callable[[int], frozenset[int]]) -> bool:
    if not isinstance(wanted, Register) or not isinstance(repeated, Register):
        return wanted == repeated
    if wanted.count != repeated.count or (wanted.first < FIRST_VIRTUAL and wanted != repeated):
        return False
    return all(unit in values(other) for unit, other in zip(wanted.units, repeated.units, strict=True))


def _read(instr: Instr) -> set[int]:
    """The units that an instruction names; the mask that decides on its lanes is not among them."""
    operands = [instr.operands[index] for index in instr.row.uses]
    return {unit for operand in operands if isinstance(operand, Register) for unit in operand.units}


def _written(instr: Instr) -> tuple[int, ...]:
    return instr.units.written


def _unchanged_pointer(kernel: Kernel) -> Register | None:
    """The register of the kernel's arguments, if nothing overwrites it."""
    pointer = dict(kernel.abi.entry).get(POINTER)
    written = {unit for instr in kernel.instructions() for unit in _written(instr)}
    return pointer if pointer is not None and written.isdisjoint(pointer.units) else None
