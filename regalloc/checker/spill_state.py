"""The state of the check of spill code at a point: the values that places of memory and new registers
certainly contain.

`Programs` tells registers of the program from those of spill code. `Entry` follows the lanes of a block: a
block may begin with changes of EXEC that activate its lanes, and spill code before such a change has not run
in the lanes that it activates. After a later change of EXEC, lanes may be on that were off, and the other way
round: earlier reloads are forgotten, and no store is allowed. `Edges` joins the states of the edges to a
block: scratch, AGPRs and vector registers flow along logical edges, lanes of VGPRs and scalar registers along
linear edges.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property

from isa.diagnostics import InternalError
from isa.instruction import ExecMode, Immediate, Instr
from isa.lane_masks import reads_exec, writes_exec
from isa.named_tuple import NamedTuple
from isa.program import Block, Edge, Kernel
from isa.registers import FIRST_VIRTUAL, Register, RegisterClass
from regalloc.cfg import ControlFlow
from regalloc.checker.spill_repeats import Repeats
from regalloc.checker.values import constant

Value = int
"""A unit of the first program, a physical unit, or `-1 - bits` for a constant."""

Place = tuple[int, int]
"""A place of memory for a unit: (-1, dword) of scratch, (-2, new virtual AGPR), or (VGPR, lane)."""

SCRATCH = -1
ACCUMULATORS = -2

Held = dict[Place | int, frozenset[Value]]
"""The values that a place, or a new virtual unit, certainly contains."""


class State(NamedTuple):
    """The contents at a point: values of places, and of the new virtual units. `fresh` are the units of the
    program that their instruction would give the same value again."""

    memory: Held
    brought: Held
    fresh: set[Value]

    def copy(self) -> State:
        return State(dict(self.memory), dict(self.brought), set(self.fresh))


def is_of_lanes(place: Place | int) -> bool:
    """Whether a place is in scratch or in AGPRs, which each lane has for itself."""
    return isinstance(place, tuple) and place[0] in (SCRATCH, ACCUMULATORS)


def met_of(tables: list[Held]) -> Held:
    """The contents on which all tables agree."""
    if not tables:
        return {}
    met = tables[0]
    for other in tables[1:]:
        met = {key: both for key, held in met.items() if (both := held & other.get(key, frozenset()))}
    return met


STAGE = "spill check"


class Programs:
    """`before` is the program, `after` the program with spill code. Virtual units from `new` on belong to
    spill code, `lanes` are the VGPRs set apart for spilled SGPRs, and `point` is the position of the
    check."""

    def __init__(self, before: Kernel, after: Kernel) -> None:
        self.before = before
        self.after = after
        self.new = FIRST_VIRTUAL + len(before.owners)
        self.lanes = {register.first for register in after.spill_lanes}
        self.point = ""

    def fail(self, message: str) -> InternalError:
        """The error to raise at the position of the check."""
        return InternalError(STAGE, f"{self.after.name}:{self.point}", message)

    def name(self, unit: int) -> str:
        """How a unit is named in messages."""
        if unit < FIRST_VIRTUAL:
            return str(Register(unit))
        return f"%{self.after.owner(Register(unit)).name}"

    def is_vector(self, unit: Place | int) -> bool:
        """Whether each lane has a value of its own in a unit; a place of memory is none."""
        return isinstance(unit, int) and self.after.register_class(Register(unit)).value != "s"

    def is_new_agpr(self, register: Register) -> bool:
        """Whether spill code has a register for its own in the file of accumulators."""
        return register.first >= self.new and self.after.register_class(register) is RegisterClass.AGPR

    @cached_property
    def local(self) -> set[Place | int]:
        """The registers of spill code that a single block names, with their places. They are defined before
        they are read there, so no edge takes their values along. None is a parameter."""
        homes: dict[int, int] = {}  # the block that names a unit; -1 if several do
        for number, block in enumerate(self.after.blocks):
            edges = (*block.linear, *block.logical)
            arguments = (argument for edge in edges for argument in edge.arguments)
            operands = (operand for instr in block.code for operand in instr.operands)
            for register in (*arguments, *operands):
                if isinstance(register, Register) and register.first >= self.new:
                    for unit in register.units:
                        if homes.setdefault(unit, number) != number:
                            homes[unit] = -1
        units = [unit for unit, home in homes.items() if home >= 0]
        return {*units, *((ACCUMULATORS, unit) for unit in units)}

    def must_be_new(self, register: Register) -> None:
        """Raise InternalError if spill code writes a register of the program."""
        if register.first < self.new:
            raise self.fail(f"{self.name(register.first)} is the program's, and spill code writes it")

    def values(self, unit: int, state: State) -> frozenset[Value]:
        """The contents of a register: itself if it belongs to the program, or else the values that reloads
        brought."""
        if unit < self.new:
            return frozenset((unit,))
        if self.is_new_agpr(Register(unit)):
            return state.memory.get((ACCUMULATORS, unit), frozenset())
        return state.brought.get(unit, frozenset())

    def same(self, wanted: Register, actual: Register, state: State) -> None:
        """Raise InternalError if `found` may not contain the value of `wanted` in the program."""
        if wanted.count != actual.count:
            raise self.fail(f"{actual.count} registers for {wanted.count}")
        for wanted_unit, actual_unit in zip(wanted.units, actual.units, strict=True):
            if wanted_unit != actual_unit and (
                actual_unit < self.new or wanted_unit not in self.values(actual_unit, state)
            ):
                raise self.fail(
                    f"{self.name(actual_unit)} is read for {self.name(wanted_unit)}, which it may lack"
                )


class Entry:
    """A walk of a block of the program, which begins in a state."""

    def __init__(self, programs: Programs, block: Block, state: State) -> None:
        self._programs = programs
        self._keepers: dict[Value, list[tuple[Held, Place | int]]] = {}  # what may contain a value
        for table in (state.memory, state.brought):
            for key, held in table.items():
                self._note(table, key, held)
        self._of_entry = _entry_writes(block)
        self._early: set[Place | int] = set()  # places and units written by spill code so far
        self._is_parted = False  # whether EXEC has changed since the lanes came together

    def change(self, instr: Instr, state: State) -> None:
        """An instruction of the program writes EXEC."""
        if any(instr is entry_write for entry_write in self._of_entry):
            for key in self._early:
                state.memory.pop(key, None)
                state.brought.pop(key, None)
            return
        self._is_parted = True
        for unit in [unit for unit in state.brought if self._programs.is_vector(unit)]:
            del state.brought[unit]

    def bring(self, unit: int, values: frozenset[Value], state: State) -> None:
        """Spill code puts values into a new register that is no memory."""
        if self._programs.is_vector(unit):
            self._early.add(unit)
        self.put(state.brought, unit, values)

    def store(self, place: Place, values: frozenset[Value], state: State) -> None:
        """Spill code puts values into scratch or AGPRs. Raises InternalError if lanes with these values are
        off."""
        if self._is_parted:
            raise self._programs.fail("a store after a change of EXEC misses the lanes that it switched off")
        self._early.add(place)
        self.put(state.memory, place, values)

    def put(self, table: Held, key: Place | int, values: frozenset[Value]) -> None:
        """Put values into a place or a register, whatever EXEC is."""
        table[key] = values
        self._note(table, key, values)

    def forget(self, written: Iterable[Value]) -> None:
        """Values are computed again: the places and registers that contain them have those of earlier
        trips."""
        for value in written:
            for table, key in self._keepers.pop(value, ()):
                held = table.get(key)
                if held is not None and value in held:
                    table[key] = held - {value}

    def _note(self, table: Held, key: Place | int, values: frozenset[Value]) -> None:
        for value in values:
            self._keepers.setdefault(value, []).append((table, key))


def _entry_writes(block: Block) -> list[Instr]:
    """The changes of EXEC at the start of a block, after which its lanes are on.

    Only scalar code precedes them. A change that reads EXEC is of this kind if there is code for lanes after
    it; otherwise it switches lanes off for the following blocks.
    """
    masked = [i for i, instr in enumerate(block.instructions) if instr.row.exec_mode is not ExecMode.SCALAR]
    first = masked[0] if masked else len(block.instructions)
    return [
        instr
        for instr in block.instructions[:first]
        if writes_exec(instr) and (masked or not reads_exec(instr))
    ]


class Edges:
    """The edges of both programs."""

    def __init__(self, programs: Programs, flow: ControlFlow, repeats: Repeats) -> None:
        self._programs = programs
        self._flow = flow
        self._repeats = repeats

    def enter(self, number: int, leaving: Mapping[int, State]) -> State:
        """The state at the start of a block, from every predecessor walked so far."""
        memory: Held = {}
        brought: Held = {}
        fresh: set[Value] | None = None
        is_vector, local = self._programs.is_vector, self._programs.local
        for graph, is_logical in ((self._flow.linear, False), (self._flow.logical, True)):
            arriving = [
                self._pass_edge(leaving[predecessor], predecessor, number, is_logical)
                for predecessor in graph.predecessors[number]
                if predecessor in leaving
            ]
            for state in arriving:
                fresh = set(state.fresh) if fresh is None else fresh & state.fresh
            memory |= met_of([
                {
                    place: held
                    for place, held in state.memory.items()
                    if is_of_lanes(place) is is_logical and place not in local
                }
                for state in arriving
            ])  # fmt: skip
            brought |= met_of([
                {
                    unit: held
                    for unit, held in state.brought.items()
                    if unit not in local and is_vector(unit) is is_logical
                }
                for state in arriving
            ])  # fmt: skip
        return State(memory, brought, fresh or set())

    def _pass_edge(self, left: State, source: int, target: int, is_logical: bool) -> State:
        """The state after an edge: parameters have the values of their arguments in place of their old
        values."""
        old, new = self._programs.before.blocks[target], self._programs.after.blocks[target]
        parameters = old.vector_parameters if is_logical else old.scalar_parameters
        kept = new.vector_parameters if is_logical else new.scalar_parameters
        if not parameters:
            return left
        self._programs.point = f"{self._programs.before.blocks[source].label}: edge to {old.label}"
        given = _edge(self._programs.before.blocks[source], old.label, is_logical)
        handed = _edge(self._programs.after.blocks[source], old.label, is_logical)
        if len(kept) != len(handed.arguments) or len(parameters) != len(given.arguments):
            raise self._programs.fail("arguments do not match the parameters")
        state = left.copy()
        arguments = dict(zip(kept, handed.arguments, strict=True))
        named: dict[Value, set[Value]] = {}  # the units of parameters, by the value that they get
        own, local = {unit for parameter in parameters for unit in parameter.units}, self._programs.local
        for parameter, argument in zip(parameters, given.arguments, strict=True):
            if parameter in arguments:
                self._same_argument(argument, arguments[parameter], state)
            for k, unit in enumerate(parameter.units):
                value = constant(argument, k) if isinstance(argument, Immediate) else argument.first + k
                named.setdefault(value, set()).add(unit)
        for table in (state.memory, state.brought):
            for key, held in table.items():
                if key in local:
                    continue
                if not own.isdisjoint(held) or not named.keys().isdisjoint(held):
                    fresh = {unit for value in held for unit in named.get(value, ())}
                    table[key] = frozenset((held - own) | fresh)
        self._repeats.forget(state.fresh, own)
        return state

    def _same_argument(
        self, argument: Register | Immediate, handed: Register | Immediate, state: State
    ) -> None:
        if isinstance(argument, Register) and isinstance(handed, Register):
            self._programs.same(argument, handed, state)
            return
        is_same = argument == handed
        if isinstance(argument, Immediate) and isinstance(handed, Register):
            values = [self._programs.values(unit, state) for unit in handed.units]
            is_same = all(constant(argument, k) in value for k, value in enumerate(values))
        if not is_same:
            raise self._programs.fail(f"{handed} is handed on for {argument}")


def _edge(block: Block, target: str, is_logical: bool) -> Edge:
    return next(edge for edge in (block.logical if is_logical else block.linear) if edge.target == target)
