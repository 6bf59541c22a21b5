"""Proof that spill code keeps the meaning of a program, independent of the choice of spills.

The checker walks the program before and after side by side. Every instruction of the first must occur in the
second, in its block and in order, with registers that certainly contain the same values. Everything between
them must be spill code:

- stores to scratch, to new AGPRs or to lanes of the VGPRs set apart for it, and loads from there;
- moves of constants or registers into new registers;
- repeated instructions of the program (`spill_repeats`).

Anything else is refused, and so are writes of the program's registers. The contents of memory are followed
along the edges to a fixed point: scratch and AGPRs along logical edges, since each lane has its own and fills
it under EXEC; lanes of VGPRs along linear edges. An AGPR counts as memory: after a change of EXEC it keeps
its value for the lanes that had it before. A register of the program may be an AGPR in place of a VGPR.
"""

from __future__ import annotations

from functools import cached_property

from isa.instruction import Immediate, Instr, Operand, Origin, Trait, Unit
from isa.lane_masks import writes_exec
from isa.program import Kernel
from isa.registers import DWORD, Register
from regalloc.allocation import CROSSING, RELOAD, SPILL
from regalloc.cfg import build_control_flow
from regalloc.checker.pairs import physical_units
from regalloc.checker.spill_repeats import Repeats
from regalloc.checker.spill_state import ACCUMULATORS, SCRATCH, Edges, Entry, Programs, State, Value
from regalloc.checker.values import constant
from regalloc.dataflow import Worklist

PLAIN = 2  # operands of a move that does nothing else


class SpillCode:
    """The effect of spill code on a state, an instruction at a time."""

    def __init__(self, programs: Programs, repeats: Repeats) -> None:
        self._programs = programs
        self._repeats = repeats

    def act(self, instr: Instr, state: State, entry: Entry) -> None:
        """Change `state` by the effect of the instruction. Raises InternalError if it is not spill code."""
        row = instr.row
        if Trait.MOVE in row.traits:
            self._move(instr, state, entry)
        elif Trait.LANE_WRITE in row.traits or Trait.LANE_READ in row.traits:
            self._lane(instr, state, entry)
        elif row.unit is Unit.SCRATCH:
            self._scratch(instr, state, entry)
        else:
            self._again(instr, state, entry)

    def _again(self, instr: Instr, state: State, entry: Entry) -> None:
        """A repeated computation of the program: the same instruction on the same operands, or a load of
        arguments."""
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
            raise self._programs.fail("this is not a plain move")
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
        """A copy to AGPRs stores the contents of its source."""
        if not isinstance(source, Register):
            raise self._programs.fail("AGPRs are filled from registers")
        for k, unit in enumerate(target.units):
            entry.store((ACCUMULATORS, unit), self._programs.values(source.first + k, state), state)

    def _lane(self, instr: Instr, state: State, entry: Entry) -> None:
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
            entry.put(state.memory, place, self._programs.values(scalar.first, state))
        else:
            self._programs.must_be_new(scalar)
            entry.put(state.brought, scalar.first, state.memory.get(place, frozenset()))

    def _scratch(self, instr: Instr, state: State, entry: Entry) -> None:
        row = instr.row
        is_store = Trait.STORE in row.traits
        registers = [operand for operand in instr.operands if isinstance(operand, Register)]
        vectors = [operand for operand in registers if self._programs.is_vector(operand.first)]
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
        """The first byte of scratch of an access; its SGPR must contain a constant."""
        offset = instr.modifier("offset")
        assert isinstance(offset, int)
        for operand in instr.operands:
            if isinstance(operand, Register) and not self._programs.is_vector(operand.first):
                held = [value for value in self._programs.values(operand.first, state) if value < 0]
                if len(held) != 1:
                    raise self._programs.fail(
                        f"{self._programs.name(operand.first)} contains no known offset"
                    )
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
        constants: dict[int, set[int]] = {}
        for instr in self._programs.before.instructions():
            if Trait.MOVE in instr.row.traits and not instr.modifiers and not instr.row.ties:
                target, source = instr.operands[:2]
                if isinstance(target, Register) and target.is_virtual and isinstance(source, Immediate):
                    for k, unit in enumerate(target.units):
                        constants.setdefault(source.bits >> 32 * k & 0xFFFFFFFF, set()).add(unit)
        return constants


def check_spills(before: Kernel, after: Kernel) -> None:
    """Prove `after` against `before`. Raises InternalError at the first operand that may contain another
    value."""
    if after is not before:
        _SpillChecker(before, after, frozenset((SPILL, RELOAD))).run()


def check_files(before: Kernel, after: Kernel) -> None:
    """Like `check_spills`, for the copies between VGPRs and AGPRs that the choice of files inserts."""
    if after is not before:
        _SpillChecker(before, after, frozenset((CROSSING,))).run()


class _SpillChecker:
    """The walk, and the judgement of the program's own instructions. Instructions of the origins `inserted`
    are not the program's own."""

    def __init__(self, before: Kernel, after: Kernel, inserted: frozenset[Origin]) -> None:
        self._inserted = inserted
        self._before = before
        self._after = after
        self._flow = build_control_flow(before)
        self._programs = Programs(before, after)
        self._repeats = Repeats(before, after)
        self._edges = Edges(self._programs, self._flow, self._repeats)
        self._code = SpillCode(self._programs, self._repeats)

    def run(self) -> None:
        """Walk the blocks until nothing changes; the last walk has judged every operand with the final
        states."""
        self._same_shape()
        entering: dict[int, State] = {}
        leaving: dict[int, State] = {}
        waiting = Worklist(self._flow.linear.order)
        for number in waiting:
            entered = self._edges.enter(number, leaving)
            if entering.get(number) == entered:
                continue
            entering[number] = entered
            state = self._walk(number, entered.copy())
            if leaving.get(number) != state:
                leaving[number] = state
                waiting.add((*self._flow.linear.successors[number], *self._flow.logical.successors[number]))

    def _same_shape(self) -> None:
        """Check that blocks and edges are those of the program, that no parameter is new, and that the
        program does not name the VGPRs that keep spilled SGPRs in their lanes."""
        before, after = self._before, self._after
        if [block.label for block in before.blocks] != [block.label for block in after.blocks]:
            raise self._programs.fail("the blocks are not those of the program")
        for old, new in zip(before.blocks, after.blocks, strict=True):
            self._programs.point = old.label
            for wanted, actual in ((old.linear, new.linear), (old.logical, new.logical)):
                if [edge.target for edge in wanted] != [edge.target for edge in actual]:
                    raise self._programs.fail("the edges are not those of the program")
            for wanted, actual in (
                (old.scalar_parameters, new.scalar_parameters),
                (old.vector_parameters, new.vector_parameters),
            ):
                if any(register not in wanted for register in actual):
                    raise self._programs.fail("a parameter that the program does not have")
        named = physical_units(before).union(*(register.units for _, register in before.abi.entry))
        for unit in sorted(self._programs.lanes & named):
            raise self._programs.fail(f"{Register(unit)} belongs to the program, but contains spilled SGPRs")

    def _walk(self, number: int, state: State) -> State:
        old, new = self._before.blocks[number], self._after.blocks[number]
        waiting = list(old.code)[::-1]
        entry = Entry(self._programs, old, state)
        for instr in new.code:
            self._programs.point = f"{new.label}: {instr.row.mnemonic}"
            if instr.origin in self._inserted:
                self._code.act(instr, state, entry)
                continue
            if not waiting:
                raise self._programs.fail("an instruction that the program does not have")
            self._instruction(waiting.pop(), instr, state, entry)
        if waiting:
            raise self._programs.fail(f"{waiting[-1].row.mnemonic} of the program is missing")
        return state

    def _instruction(self, old: Instr, new: Instr, state: State, entry: Entry) -> None:
        """Check that `new` is `old` and reads the same values; afterwards both have written the same."""
        if new is not old:
            self._same_operands(old, new, state)
        written = old.units.written
        if self._programs.lanes and not self._programs.lanes.isdisjoint(written):
            raise self._programs.fail("a VGPR with spilled SGPRs is written")
        entry.forget(written)
        self._repeats.forget(state.fresh, written)
        state.fresh.update(self._repeats.results(old))
        if writes_exec(old):
            entry.change(old, state)

    def _same_operands(self, old: Instr, new: Instr, state: State) -> None:
        if old.row is not new.row or old.modifiers != new.modifiers or len(old.operands) != len(new.operands):
            raise self._programs.fail(f"wanted {old.row.mnemonic} as the program has it")
        for index, (wanted, actual) in enumerate(zip(old.operands, new.operands, strict=True)):
            if not isinstance(wanted, Register) or not isinstance(actual, Register):
                if wanted != actual:
                    raise self._programs.fail(f"operand {index} is {actual}, wanted {wanted}")
            elif index in old.row.uses:
                self._programs.same(wanted, actual, state)
            elif wanted != actual:
                raise self._programs.fail(f"operand {index} is {actual}, wanted {wanted}")
