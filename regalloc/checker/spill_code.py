"""The judgement of one instruction of spill code: what it brings into a register or takes to memory.

It is a move of a constant or a register, a write or a read of a lane that is set apart, a store to scratch or
a load from there, or an instruction of the program again. Anything else is refused, and so is what writes a
register of the program.
"""

from __future__ import annotations

from functools import cached_property

from isa.instruction import Immediate, Instr, Operand, Trait, Unit
from isa.registers import Register
from regalloc.allocation import DWORD
from regalloc.checker.spill_entry import Entry
from regalloc.checker.spill_programs import Programs
from regalloc.checker.spill_repeats import Repeats
from regalloc.checker.spill_state import ACCUMULATORS, SCRATCH, State, Value
from regalloc.checker.state import constant

PLAIN = 2  # operands of a move that does nothing else


class SpillCode:
    """What spill code does to a state, an instruction at a time."""

    def __init__(self, programs: Programs, repeats: Repeats) -> None:
        self._programs = programs
        self._repeats = repeats

    def act(self, instr: Instr, state: State, entry: Entry) -> None:
        """Change `state` as the instruction does. InternalError where it is no spill code."""
        row = instr.row
        if Trait.MOVE in row.traits:
            self._move(instr, state, entry)
        elif Trait.LANE_WRITE in row.traits or Trait.LANE_READ in row.traits:
            self._lane(instr, state)
        elif row.unit is Unit.SCRATCH:
            self._scratch(instr, state, entry)
        else:
            self._again(instr, state, entry)

    def _again(self, instr: Instr, state: State, entry: Entry) -> None:
        """What computes a value of the program again: the same instruction on the same operands, or a load
        of arguments."""
        units = self._repeats.loaded(instr)
        if units is None:
            units = self._repeated(instr, state)
        if units is None:
            raise self._programs.fail("this is no spill code")
        result = instr.operands[instr.row.defines[0]]
        assert isinstance(result, Register), "a row of this kind has a register for its result"
        self._programs.must_be_new(result)
        for unit, values in zip(result.units, units, strict=True):
            entry.bring(unit, values, state)

    def _repeated(self, instr: Instr, state: State) -> list[frozenset[Value]] | None:
        return self._repeats.repeated(instr, state.fresh, lambda unit: self._programs.values(unit, state))

    def _move(self, instr: Instr, state: State, entry: Entry) -> None:
        target, source = instr.operands[:2]
        if (
            not isinstance(target, Register)
            or instr.row.writes
            or instr.modifiers
            or len(instr.operands) > PLAIN
        ):
            raise self._programs.fail("this is no plain move")
        self._programs.must_be_new(target)
        if self._programs.is_new_agpr(target):
            self._to_agprs(target, source, state, entry)
            return
        again = self._repeated(instr, state)
        for k, unit in enumerate(target.units):
            values = again[k] if again is not None else frozenset[Value]()
            if isinstance(source, Immediate):
                values |= {constant(source, k), *self._defined_as(source, k)}
            elif isinstance(source, Register):
                values |= self._programs.values(source.first + k, state)
            entry.bring(unit, values, state)

    def _to_agprs(self, target: Register, source: Operand, state: State, entry: Entry) -> None:
        """A copy to AGPRs is a store of what its source holds."""
        if not isinstance(source, Register):
            raise self._programs.fail("AGPRs are filled from registers")
        for k, unit in enumerate(target.units):
            entry.store((ACCUMULATORS, unit), self._programs.values(source.first + k, state), state)

    def _lane(self, instr: Instr, state: State) -> None:
        is_write = Trait.LANE_WRITE in instr.row.traits
        register, other, lane = instr.operands[:3]
        vgpr, scalar = (register, other) if is_write else (other, register)
        if (
            not isinstance(vgpr, Register)
            or not isinstance(scalar, Register)
            or not isinstance(lane, Immediate)
        ):
            raise self._programs.fail("a lane of a register is wanted, and a register")
        if vgpr.first not in self._programs.lanes:
            raise self._programs.fail(f"{vgpr} is not set apart for spilled SGPRs")
        if lane.bits >= self._programs.after.target.target.wave_size:
            raise self._programs.fail(f"lane {lane.bits} is in no wave")
        place = vgpr.first, lane.bits
        if is_write:
            state.memory[place] = self._programs.values(scalar.first, state)
        else:
            self._programs.must_be_new(scalar)
            state.brought[scalar.first] = state.memory.get(place, frozenset())

    def _scratch(self, instr: Instr, state: State, entry: Entry) -> None:
        row = instr.row
        is_store = Trait.STORE in row.traits
        registers = [one for one in instr.operands if isinstance(one, Register)]
        vectors = [one for one in registers if self._programs.is_vector(one.first)]
        if len(vectors) != 1:
            raise self._programs.fail("the address of spilled values is the same in every lane")
        data = vectors[0]
        first = self._offset(instr, data.count, state) // DWORD
        for k, unit in enumerate(data.units):
            place = SCRATCH, first + k
            if is_store:
                entry.store(place, self._programs.values(unit, state), state)
                continue
            self._programs.must_be_new(data)
            held = state.memory.get(place, frozenset())
            if self._programs.is_new_agpr(data):
                entry.store((ACCUMULATORS, unit), held, state)
            else:
                entry.bring(unit, held, state)

    def _offset(self, instr: Instr, count: int, state: State) -> int:
        """The byte of scratch that an access begins at; its SGPR must hold a constant."""
        offset = instr.modifier("offset")
        assert isinstance(offset, int)
        for operand in instr.operands:
            if isinstance(operand, Register) and not self._programs.is_vector(operand.first):
                held = [value for value in self._programs.values(operand.first, state) if value < 0]
                if len(held) != 1:
                    raise self._programs.fail(f"{self._programs.name(operand.first)} holds no known offset")
                offset += -1 - held[0]
        begin, end = self._programs.before.scratch_bytes, self._programs.after.scratch_bytes
        if offset < begin or offset % DWORD or offset + DWORD * count > end:
            raise self._programs.fail(f"byte {offset} is outside of the scratch for spills")
        return offset

    def _defined_as(self, source: Immediate, k: int) -> set[int]:
        """The units of the program that a plain move defines from the same constant."""
        return self._constants.get(source.bits >> 32 * k & 0xFFFFFFFF, set())

    @cached_property
    def _constants(self) -> dict[int, set[int]]:
        found: dict[int, set[int]] = {}
        for instr in self._programs.before.instructions():
            if Trait.MOVE in instr.row.traits and not instr.modifiers and not instr.row.ties:
                target, source = instr.operands[:2]
                if isinstance(target, Register) and target.is_virtual and isinstance(source, Immediate):
                    for k, unit in enumerate(target.units):
                        found.setdefault(source.bits >> 32 * k & 0xFFFFFFFF, set()).add(unit)
        return found
