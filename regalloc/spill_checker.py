"""Proof that spill code keeps the meaning of a program, found without asking how it was chosen.

The program before and after are walked side by side. Every instruction of the first must come again in the
second, in its block and in order, with registers that certainly hold the same values; what is between them
must be spill code: stores to scratch, to new AGPRs or to lanes of the VGPRs set apart for it, loads from
there, moves of constants or registers into new ones, and instructions of the program that are repeated
(`regalloc.spill_repeats`). What memory certainly holds is followed along the
edges to a fixed point: scratch and AGPRs along logical edges, since each lane has its own and fills it under
EXEC; lanes of VGPRs along linear ones. An AGPR is memory here: it has a value from before a change of EXEC
for the lanes that had it then. An instruction may write or read it itself where the first program has a VGPR.
Where EXEC changes in the middle of a block, lanes may be on afterwards that were off, and the
other way round: what loads brought before is forgotten, and nothing may be stored after.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property

from isa.diagnostics import InternalError
from isa.exec_use import reads_exec, writes_exec
from isa.instruction import ExecMode, Immediate, Instr, Operand, Trait, Unit
from isa.program import Block, Edge, Kernel
from isa.registers import FIRST_VIRTUAL, Register, RegisterClass
from regalloc.cfg import build_control_flow
from regalloc.checker_pairs import physical_units
from regalloc.spill_memory import DWORD, RELOAD, SPILL
from regalloc.spill_repeats import Repeats
from regalloc.spill_state import (
    ACCUMULATORS,
    SCRATCH,
    Held,
    Place,
    State,
    Value,
    constant,
    is_of_lanes,
    met_of,
)  # fmt: skip

STAGE = "spill check"
PLAIN = 2  # operands of a move that does nothing else


def check_spills(before: Kernel, after: Kernel) -> None:
    """Prove `after` against `before`. InternalError at the first operand that may hold something else."""
    if after is not before:
        _SpillChecker(before, after).run()


class _SpillChecker:
    def __init__(self, before: Kernel, after: Kernel) -> None:
        self._before = before
        self._after = after
        self._flow = build_control_flow(before)
        self._new = FIRST_VIRTUAL + len(before.owners)
        self._lanes = {register.first for register in after.spill_lanes}
        self._point = ""
        self._is_parted = False  # whether EXEC has changed in the block since its lanes came together
        self._of_entry: list[Instr] = []
        self._early: set[Place | int] = set()  # what spill code wrote in the block before its lanes were on
        self._repeats = Repeats(before, after)

    def _fail(self, message: str) -> InternalError:
        return InternalError(STAGE, f"{self._after.name}:{self._point}", message)

    def run(self) -> None:
        """Walk the blocks until nothing changes; the last walk has judged every operand with what is true."""
        self._same_shape()
        leaving: dict[int, State] = {}
        pending = list(self._flow.linear.order)
        while pending:
            again: set[int] = set()
            for number in pending:
                state = self._walk(number, self._enter(number, leaving))
                if leaving.get(number) != state:
                    leaving[number] = state
                    again |= {*self._flow.linear.successors[number], *self._flow.logical.successors[number]}
            pending = [number for number in self._flow.linear.order if number in again]

    def _same_shape(self) -> None:
        """The blocks and edges are those of the program, no parameter is new, and what holds spilled SGPRs is
        nothing that the program names."""
        before, after = self._before, self._after
        if [block.label for block in before.blocks] != [block.label for block in after.blocks]:
            raise self._fail("the blocks are not those of the program")
        for old, new in zip(before.blocks, after.blocks, strict=True):
            self._point = old.label
            for one, other in ((old.linear, new.linear), (old.logical, new.logical)):
                if [edge.target for edge in one] != [edge.target for edge in other]:
                    raise self._fail("the edges are not those of the program")
            for one, other in (
                (old.scalar_parameters, new.scalar_parameters),
                (old.vector_parameters, new.vector_parameters),
            ):
                if any(register not in one and not self._is_new_agpr(register) for register in other):
                    raise self._fail("a parameter that the program does not have")
        named = physical_units(before).union(*(register.units for _, register in before.abi.entry))
        for unit in sorted(self._lanes & named):
            raise self._fail(f"{Register(unit)} is the program's, and holds spilled SGPRs")

    def _enter(self, number: int, leaving: dict[int, State]) -> State:
        """What holds where a block begins: what every predecessor that has been walked leaves."""
        memory: Held = {}
        brought: Held = {}
        fresh: set[Value] | None = None
        for graph, is_logical in ((self._flow.linear, False), (self._flow.logical, True)):
            arriving = [
                self._pass_edge(leaving[one], one, number, is_logical)
                for one in graph.predecessors[number]
                if one in leaving
            ]
            for state in arriving:
                fresh = set(state.fresh) if fresh is None else fresh & state.fresh
            memory |= met_of([
                {place: held for place, held in state.memory.items() if is_of_lanes(place) is is_logical}
                for state in arriving
            ])  # fmt: skip
            brought |= met_of([
                {unit: held for unit, held in state.brought.items() if self._is_vector(unit) is is_logical}
                for state in arriving
            ])  # fmt: skip
        return State(memory, brought, fresh or set())

    def _is_new_agpr(self, register: Register) -> bool:
        """Whether spill code has a register for its own in the file of accumulators."""
        return register.first >= self._new and self._after.register_class(register) is RegisterClass.AGPR

    def _is_vector(self, unit: Place | int) -> bool:
        return isinstance(unit, int) and self._after.register_class(Register(unit)).value != "s"

    def _pass_edge(self, left: State, source: int, target: int, is_logical: bool) -> State:
        """The state after an edge: parameters have the values of its arguments instead of their old ones."""
        old, new = self._before.blocks[target], self._after.blocks[target]
        parameters = old.vector_parameters if is_logical else old.scalar_parameters
        kept = new.vector_parameters if is_logical else new.scalar_parameters
        if not parameters:
            return left
        self._point = f"{self._before.blocks[source].label}: edge to {old.label}"
        given = _edge(self._before.blocks[source], old.label, is_logical)
        handed = _edge(self._after.blocks[source], old.label, is_logical)
        if len(kept) != len(handed.arguments) or len(parameters) != len(given.arguments):
            raise self._fail("arguments do not match the parameters")
        state = left.copy()
        arguments = dict(zip(kept, handed.arguments, strict=True))
        for one in kept:
            if self._is_new_agpr(one):
                self._pass_agprs(one, arguments[one], left, state)
        named: dict[Value, set[Value]] = {}
        for parameter, argument in zip(parameters, given.arguments, strict=True):
            if parameter in arguments:
                self._same_argument(argument, arguments[parameter], state)
            for k, unit in enumerate(parameter.units):
                value = constant(argument, k) if isinstance(argument, Immediate) else argument.first + k
                named.setdefault(value, set()).add(unit)
        for table in (state.memory, state.brought):
            for key, held in table.items():
                alive = {value for value in held if not self._is_parameter(value, parameters)}
                fresh = {unit for value in held for unit in named.get(value, ())}
                table[key] = frozenset(alive | fresh)
        self._repeats.forget(state.fresh, {unit for parameter in parameters for unit in parameter.units})
        return state

    def _pass_agprs(self, to: Register, argument: Register | Immediate, left: State, state: State) -> None:
        """Give a parameter of spill code's own what its argument holds."""
        if not isinstance(argument, Register) or argument.count != to.count:
            raise self._fail(f"{argument} is handed on for {self._name(to.first)}")
        for k, unit in enumerate(to.units):
            state.memory[ACCUMULATORS, unit] = self._values(argument.first + k, left)

    def _is_parameter(self, value: Value, parameters: Iterable[Register]) -> bool:
        return any(value in parameter.units for parameter in parameters)

    def _same_argument(
        self, argument: Register | Immediate, handed: Register | Immediate, state: State
    ) -> None:
        if isinstance(argument, Immediate) or isinstance(handed, Immediate):
            if argument != handed:
                raise self._fail(f"{handed} is handed on for {argument}")
            return
        self._same(argument, handed, state)

    # ---- one block

    def _walk(self, number: int, state: State) -> State:
        old, new = self._before.blocks[number], self._after.blocks[number]
        waiting = list(old.code)[::-1]
        self._is_parted = False
        self._of_entry = _entry_writes(old)
        self._early = set()
        for instr in new.code:
            self._point = f"{new.label}: {instr.row.mnemonic}"
            if instr.origin in (SPILL, RELOAD):
                self._act(instr, state)
                continue
            if not waiting:
                raise self._fail("an instruction that the program does not have")
            self._instruction(waiting.pop(), instr, state)
        if waiting:
            raise self._fail(f"{waiting[-1].row.mnemonic} of the program is missing")
        return state

    def _instruction(self, old: Instr, new: Instr, state: State) -> None:
        if old.row is not new.row or old.modifiers != new.modifiers or len(old.operands) != len(new.operands):
            raise self._fail(f"wanted {old.row.mnemonic} as the program has it")
        for index, (wanted, found) in enumerate(zip(old.operands, new.operands, strict=True)):
            if not isinstance(wanted, Register) or not isinstance(found, Register):
                if wanted != found:
                    raise self._fail(f"operand {index} is {found}, wanted {wanted}")
            elif index in old.row.uses:
                self._same(wanted, found, state)
            elif wanted != found and (not self._is_new_agpr(found) or wanted.count != found.count):
                raise self._fail(f"operand {index} is {found}, wanted {wanted}")
        written = {unit for register in old.defined() for unit in register.units}
        if any(register.first in self._lanes for register in old.defined()):
            raise self._fail("a VGPR that holds spilled SGPRs is written")
        for table in (state.memory, state.brought):
            for key, held in table.items():
                if held & written:
                    table[key] = held - written
        self._write_agprs(old, new, state)
        self._repeats.forget(state.fresh, written)
        state.fresh.update(self._repeats.results(old))
        if not writes_exec(old):
            return
        if any(old is one for one in self._of_entry):
            for key in self._early:
                state.memory.pop(key, None)
                state.brought.pop(key, None)
        else:
            self._is_parted = True
            for unit in [unit for unit in state.brought if self._is_vector(unit)]:
                del state.brought[unit]

    def _write_agprs(self, old: Instr, new: Instr, state: State) -> None:
        """New AGPRs that an instruction writes hold the results that it has in the program."""
        for index in old.row.defines:
            wanted, found = old.operands[index], new.operands[index]
            if wanted != found and isinstance(wanted, Register) and isinstance(found, Register):
                for one, unit in zip(wanted.units, found.units, strict=True):
                    state.memory[ACCUMULATORS, unit] = frozenset((one,))

    def _same(self, wanted: Register, found: Register, state: State) -> None:
        if wanted.count != found.count:
            raise self._fail(f"{found.count} registers for {wanted.count}")
        for one, other in zip(wanted.units, found.units, strict=True):
            if one != other and (other < self._new or one not in self._values(other, state)):
                raise self._fail(f"{self._name(other)} is read for {self._name(one)}, which it may not hold")

    def _name(self, unit: int) -> str:
        if unit < FIRST_VIRTUAL:
            return str(Register(unit))
        return f"%{self._after.owner(Register(unit)).name}"

    # ---- spill code

    def _act(self, instr: Instr, state: State) -> None:
        row = instr.row
        if Trait.MOVE in row.traits:
            self._move(instr, state)
        elif Trait.LANE_WRITE in row.traits or Trait.LANE_READ in row.traits:
            self._lane(instr, state)
        elif row.unit is Unit.SCRATCH:
            self._scratch(instr, state)
        else:
            self._again(instr, state)

    def _again(self, instr: Instr, state: State) -> None:
        """What computes a value of the program again: the same instruction on the same operands, or a load
        of arguments."""
        units = self._repeats.loaded(instr)
        if units is None:
            units = self._repeats.repeated(instr, state.fresh, lambda unit: self._values(unit, state))
        if units is None:
            raise self._fail("this is no spill code")
        result = instr.operands[instr.row.defines[0]]
        assert isinstance(result, Register), "a row of this kind has a register for its result"
        self._is_new(result)
        for unit, values in zip(result.units, units, strict=True):
            self._early.update((unit,) if self._is_vector(unit) else ())
            state.brought[unit] = values

    def _move(self, instr: Instr, state: State) -> None:
        target, source = instr.operands[:2]
        if (
            not isinstance(target, Register)
            or instr.row.writes
            or instr.modifiers
            or len(instr.operands) > PLAIN
        ):
            raise self._fail("this is no plain move")
        self._is_new(target)
        if self._is_new_agpr(target):
            self._to_agprs(target, source, state)
            return
        again = self._repeats.repeated(instr, state.fresh, lambda unit: self._values(unit, state))
        for k, unit in enumerate(target.units):
            self._early.update((unit,) if self._is_vector(unit) else ())
            values = again[k] if again is not None else frozenset[Value]()
            if isinstance(source, Immediate):
                values |= {constant(source, k), *self._defined_as(source, k)}
            elif isinstance(source, Register):
                values |= self._values(source.first + k, state)
            state.brought[unit] = values

    def _to_agprs(self, target: Register, source: Operand, state: State) -> None:
        """A copy to AGPRs is a store of what its source holds."""
        if not isinstance(source, Register):
            raise self._fail("AGPRs are filled from registers")
        for k, unit in enumerate(target.units):
            self._bring(unit, self._values(source.first + k, state), state)

    def _bring(self, unit: int, values: frozenset[Value], state: State) -> None:
        """Spill code puts values into a new vector register; AGPRs are memory."""
        if not self._is_new_agpr(Register(unit)):
            self._early.add(unit)
            state.brought[unit] = values
            return
        if self._is_parted:
            raise self._fail("a store after a change of EXEC misses the lanes that it switched off")
        self._early.add((ACCUMULATORS, unit))
        state.memory[ACCUMULATORS, unit] = values

    def _defined_as(self, source: Immediate, k: int) -> set[int]:
        """The units of the program that a plain move defines from the same constant."""
        return self._constants.get(source.bits >> 32 * k & 0xFFFFFFFF, set())

    @cached_property
    def _constants(self) -> dict[int, set[int]]:
        found: dict[int, set[int]] = {}
        for instr in self._before.instructions():
            if Trait.MOVE in instr.row.traits and not instr.modifiers and not instr.row.ties:
                target, source = instr.operands[:2]
                if isinstance(target, Register) and target.is_virtual and isinstance(source, Immediate):
                    for k, unit in enumerate(target.units):
                        found.setdefault(source.bits >> 32 * k & 0xFFFFFFFF, set()).add(unit)
        return found

    def _values(self, unit: int, state: State) -> frozenset[Value]:
        """What a register holds: itself where it is the program's, or what brought it."""
        if unit < self._new:
            return frozenset((unit,))
        if self._is_new_agpr(Register(unit)):
            return state.memory.get((ACCUMULATORS, unit), frozenset())
        return state.brought.get(unit, frozenset())

    def _is_new(self, register: Register) -> None:
        if register.first < self._new:
            raise self._fail(f"{self._name(register.first)} is the program's, and spill code writes it")

    def _lane(self, instr: Instr, state: State) -> None:
        is_write = Trait.LANE_WRITE in instr.row.traits
        register, other, lane = instr.operands[:3]
        vgpr, scalar = (register, other) if is_write else (other, register)
        if (
            not isinstance(vgpr, Register)
            or not isinstance(scalar, Register)
            or not isinstance(lane, Immediate)
        ):
            raise self._fail("a lane of a register is wanted, and a register")
        if vgpr.first not in self._lanes:
            raise self._fail(f"{vgpr} is not set apart for spilled SGPRs")
        if lane.bits >= self._after.target.target.wave_size:
            raise self._fail(f"lane {lane.bits} is in no wave")
        place = vgpr.first, lane.bits
        if is_write:
            state.memory[place] = self._values(scalar.first, state)
        else:
            self._is_new(scalar)
            state.brought[scalar.first] = state.memory.get(place, frozenset())

    def _scratch(self, instr: Instr, state: State) -> None:
        row = instr.row
        is_store = Trait.STORE in row.traits
        vectors = [one for one in instr.operands if isinstance(one, Register) and self._is_vector(one.first)]
        if len(vectors) != 1:
            raise self._fail("the address of spilled values is the same in every lane")
        data = vectors[0]
        first = self._offset(instr, data.count, state) // DWORD
        for k, unit in enumerate(data.units):
            place = SCRATCH, first + k
            if is_store:
                self._early.add(place)
                if self._is_parted:
                    raise self._fail("a store after a change of EXEC misses the lanes that it switched off")
                state.memory[place] = self._values(unit, state)
            else:
                self._is_new(data)
                self._bring(unit, state.memory.get(place, frozenset()), state)

    def _offset(self, instr: Instr, count: int, state: State) -> int:
        """The byte of scratch that an access begins at; its SGPR must hold a constant."""
        offset = instr.modifier("offset")
        assert isinstance(offset, int)
        for operand in instr.operands:
            if isinstance(operand, Register) and not self._is_vector(operand.first):
                held = [value for value in self._values(operand.first, state) if value < 0]
                if len(held) != 1:
                    raise self._fail(f"{self._name(operand.first)} holds no known offset")
                offset += -1 - held[0]
        end = offset + DWORD * count
        if offset < self._before.scratch_bytes or offset % DWORD or end > self._after.scratch_bytes:
            raise self._fail(f"byte {offset} is outside of the scratch for spills")
        return offset


def _entry_writes(block: Block) -> list[Instr]:
    """The changes of EXEC with which a block begins: from there on its lanes are on.

    Only scalar code is before them. One that reads EXEC is of this kind if there is code for lanes after it;
    otherwise it switches lanes off for the blocks that follow.
    """
    masked = [i for i, instr in enumerate(block.instructions) if instr.row.exec_mode is not ExecMode.SCALAR]
    first = masked[0] if masked else len(block.instructions)
    return [
        instr
        for instr in block.instructions[:first]
        if writes_exec(instr) and (masked or not reads_exec(instr))
    ]


def _edge(block: Block, target: str, is_logical: bool) -> Edge:
    return next(edge for edge in (block.logical if is_logical else block.linear) if edge.target == target)
