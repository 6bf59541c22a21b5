"""Registers with a single definition from variables that are written several times.

Every write of such a variable gets a register of its own. If several meet at a block, the block gets a
parameter. VGPRs meet along the edges of lanes, SGPRs along the edges of the wave (`isa.program`).

Source: M. Braun et al., "Simple and Efficient Construction of Static Single Assignment Form" (CC 2013), on
the finished flow graph: the value at the start of a block is asked for when it is read.
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct, field
from msgspec.structs import replace

from isa.build import build
from isa.diagnostics import InputError, Place
from isa.instruction import Immediate, Instr, Label, Operand
from isa.moves import copy_row
from isa.named_tuple import NamedTuple
from isa.program import Block, Edge, Kernel, VirtualRegister
from isa.registers import EXEC, Register, RegisterClass


def construct(kernel: Kernel) -> Kernel:
    """The kernel with a single definition of each virtual unit. `InputError` HND010 at the line that reads a
    variable that some path does not write."""
    kernel = kernel.with_blocks([_copied(block) for block in _without_critical_edges(kernel.blocks)])
    written = _written_twice(kernel)
    for is_vector in (False, True):
        variables = [owner for owner in written if _is_vector(owner.register_class) is is_vector]
        if variables:
            _Renaming(kernel, variables, is_vector).run()
    return kernel


def _copied(block: Block) -> Block:
    return Block(
        block.label, block.scalar_parameters, block.vector_parameters, [*block.instructions],
        block.terminator, block.linear, block.logical,
    )  # fmt: skip


def _is_vector(register_class: RegisterClass) -> bool:
    return register_class is not RegisterClass.SGPR


def _written_twice(kernel: Kernel) -> list[VirtualRegister]:
    """The variables with a unit that several instructions write."""
    once: set[int] = set()
    twice: dict[int, VirtualRegister] = {}
    for instr in kernel.instructions():
        for i in instr.row.defines:
            operand = instr.operands[i]
            if isinstance(operand, Register) and operand.is_virtual:
                if not once.isdisjoint(operand.units):
                    owner = kernel.owner(operand)
                    twice[owner.first] = owner
                once.update(operand.units)
    return list(twice.values())


def _without_critical_edges(blocks: list[Block]) -> list[Block]:
    """A block on each linear edge between a block with several successors and a block with several
    predecessors: the place of the copies for the parameters of the latter. `arrange` removes it if it stays
    empty."""
    entered: dict[str, int] = {}
    for block in blocks:
        for edge in block.linear:
            entered[edge.target] = entered.get(edge.target, 0) + 1
    result: list[Block] = []
    for block in blocks:
        between: list[Block] = []
        if len(block.linear) > 1:
            block = _split(block, entered, between)
        result += [block, *between]
    return result


def _split(block: Block, entered: Mapping[str, int], between: list[Block]) -> Block:
    """The block with its critical edges through new blocks. An edge that only skips work for no lanes is none
    that a lane takes."""
    terminator = block.terminator
    assert terminator is not None, block.label
    is_of_lanes = EXEC not in terminator.row.reads
    linear, logical = list(block.linear), list(block.logical)
    for i, edge in enumerate(block.linear):
        if entered[edge.target] < 2:
            continue
        label = f"{block.label}.{edge.target}"
        between.append(Block(label, linear=(edge,), logical=(edge,) if is_of_lanes else ()))
        linear[i] = Edge(label)
        if is_of_lanes:
            logical = [Edge(label) if one.target == edge.target else one for one in logical]
        if i == 0:
            terminator = replace(terminator, operands=(Label(label),))
    return Block(
        block.label, block.scalar_parameters, block.vector_parameters, block.instructions, terminator,
        tuple(linear), tuple(logical),
    )  # fmt: skip


UNWRITTEN = Register(-1, 1024)  # the value of a variable that nothing has written yet


class _Open(Struct):
    """A register that a block fills part by part: the parts that it has, and the instruction that began
    it."""

    version: Register
    filled: set[int]


class _Completion(NamedTuple):
    """Parts that a register takes from the value before it, in front of an instruction."""

    variable: VirtualRegister
    version: Register
    missing: tuple[int, ...]


class _Plan(Struct):
    """The writes of a block: the register of each, by instruction and variable, the last of each variable,
    and the values completed in front of an instruction."""

    versions: dict[tuple[int, int], Register] = field(default_factory=dict)
    last: dict[int, Register] = field(default_factory=dict)
    completions: dict[int, list[_Completion]] = field(default_factory=dict)


class _Meeting(NamedTuple):
    """A parameter of a block: the values of a variable meet there."""

    block: str
    parameter: Register


class _Reading(NamedTuple):
    """An instruction that reads a value of a variable."""

    reader: Instr
    variable: VirtualRegister
    value: Register


class _Renaming:
    """The variables of one kind, vectors or scalars, in a kernel."""

    def __init__(self, kernel: Kernel, variables: list[VirtualRegister], is_vector: bool) -> None:
        self._kernel = kernel
        self._is_vector = is_vector
        self._variables = {variable.first: variable for variable in variables}
        self._blocks = {block.label: block for block in kernel.blocks}
        self._entering: dict[str, list[str]] = {block.label: [] for block in kernel.blocks}
        for block in kernel.blocks:
            for edge in block.logical if is_vector else block.linear:
                self._entering[edge.target].append(block.label)
        self._plans: dict[str, _Plan] = {}
        self._before: dict[Register, Register] = {}  # of each register filled in parts, the value before it
        self._copied: set[int] = set()  # units that copies of parts write
        self._starts: dict[tuple[str, int], Register] = {}
        self._arguments: dict[_Meeting, dict[str, Register]] = {}
        self._readings: list[_Reading] = []

    def run(self) -> None:
        for block in self._kernel.blocks:
            self._plans[block.label] = self._plan(block)
        for block in self._kernel.blocks:
            self._rewrite(block)
        same = self._same()
        self._require_written(same)
        self._replace(same)
        self._drop_unwritten_copies()
        self._place_parameters(same)

    def _variable(self, operand: Operand) -> VirtualRegister | None:
        """The variable that an operand is a part of; None if it needs no renaming."""
        if not isinstance(operand, Register) or not operand.is_virtual:
            return None
        return self._variables.get(self._kernel.owner(operand).first)

    def _version(self, variable: VirtualRegister, place: Place | None) -> Register:
        return self._kernel.new_register(
            variable.register_class, variable.count, variable.align, variable.name, place or variable.place
        )

    def _plan(self, block: Block) -> _Plan:
        """Choose the register of each write. Writes of different parts fill a register, until an instruction
        reads a part that none of them wrote."""
        plan, opened = _Plan(), dict[int, _Open]()
        for position, instr in enumerate(block.instructions):
            for i in instr.row.uses:
                self._complete_for(plan, opened, position, instr.operands[i])
            for i in instr.row.defines:
                variable = self._variable(instr.operands[i])
                if variable is not None:
                    self._note_write(
                        plan, opened, position, variable, instr, _parts(instr.operands[i], variable)
                    )
        for first, one in opened.items():
            self._complete(plan, len(block.instructions), self._variables[first], one)
        return plan

    def _complete_for(self, plan: _Plan, opened: dict[int, _Open], position: int, operand: Operand) -> None:
        variable = self._variable(operand)
        one = opened.get(variable.first) if variable is not None else None
        if variable is not None and one is not None and not _parts(operand, variable) <= one.filled:
            self._complete(plan, position, variable, one)

    def _complete(self, plan: _Plan, position: int, variable: VirtualRegister, one: _Open) -> None:
        missing = tuple(part for part in range(variable.count) if part not in one.filled)
        if missing:
            plan.completions.setdefault(position, []).append(_Completion(variable, one.version, missing))
            one.filled.update(missing)

    def _note_write(
        self, plan: _Plan, opened: dict[int, _Open], position: int, variable: VirtualRegister, instr: Instr,
        parts: set[int],
    ) -> None:  # fmt: skip
        first = variable.first
        one = opened.get(first)
        if one is None or not one.filled.isdisjoint(parts):
            if one is not None and len(parts) < variable.count:
                self._complete(plan, position, variable, one)
            place = instr.origin.place if instr.origin else None
            one = opened[first] = _Open(self._version(variable, place), set())
        one.filled |= parts
        plan.versions[position, first] = plan.last[first] = one.version

    def _rewrite(self, block: Block) -> None:
        """Rename what each instruction reads and writes."""
        plan = self._plans[block.label]
        current: dict[int, Register] = {}
        code: list[Instr] = []
        for position, instr in enumerate(block.instructions):
            self._put_completions(plan, position, instr, code)
            operands = list(instr.operands)
            for i in instr.row.uses:
                variable = self._variable(operands[i])
                if variable is not None:
                    value = self._read(block.label, variable, current)
                    self._readings.append(_Reading(instr, variable, value))
                    operands[i] = _moved(operands[i], variable, value)
            for i in instr.row.defines:
                variable = self._variable(operands[i])
                if variable is None:
                    continue
                version = plan.versions[position, variable.first]
                if len(_parts(operands[i], variable)) < variable.count and version not in self._before:
                    self._before[version] = self._read(block.label, variable, current)
                current[variable.first] = version
                operands[i] = _moved(operands[i], variable, version)
            code.append(
                instr if tuple(operands) == instr.operands else replace(instr, operands=tuple(operands))
            )
        if block.instructions:
            self._put_completions(plan, len(block.instructions), block.instructions[-1], code)
        block.instructions[:] = code

    def _put_completions(self, plan: _Plan, position: int, instr: Instr, code: list[Instr]) -> None:
        """Copies of the parts that a register takes from the value before it, if that has any."""
        for variable, version, missing in plan.completions.get(position, ()):
            before = self._before[version]
            if before is UNWRITTEN:
                continue
            row = copy_row(self._kernel.table, variable.register_class, variable.register_class)
            for part in missing:
                self._copied.add(version.first + part)
                code.append(build(row, version.part(part), before.part(part), origin=instr.origin))

    def _read(self, label: str, variable: VirtualRegister, current: Mapping[int, Register]) -> Register:
        return current.get(variable.first) or self._start(label, variable)

    def _end(self, label: str, variable: VirtualRegister) -> Register:
        """The value of a variable at the end of a block."""
        return self._plans[label].last.get(variable.first) or self._start(label, variable)

    def _start(self, label: str, variable: VirtualRegister) -> Register:
        """The value of a variable at the start of a block."""
        chain: list[str] = []
        while True:
            found = self._starts.get((label, variable.first))
            if found is None:
                chain.append(label)
                entering = self._entering[label]
                if not entering:
                    found = UNWRITTEN
                elif len(entering) > 1:
                    found = self._meeting(label, variable)
                else:
                    (label,) = entering
                    found = self._plans[label].last.get(variable.first)
            if found is not None:
                for passed in chain:
                    self._starts[passed, variable.first] = found
                return found

    def _meeting(self, label: str, variable: VirtualRegister) -> Register:
        """A parameter for the values that the blocks before bring."""
        parameter = self._version(variable, None)
        self._starts[label, variable.first] = parameter
        arguments = self._arguments[_Meeting(label, parameter)] = dict[str, Register]()
        for entering in self._entering[label]:
            arguments[entering] = self._end(entering, variable)
        return parameter

    def _same(self) -> dict[Register, Register]:
        """The parameters that always have the same value, with that value."""
        same: dict[Register, Register] = {}
        changed = True
        while changed:
            changed = False
            for meeting, arguments in list(self._arguments.items()):
                values = {_found(same, value) for value in arguments.values()} - {meeting.parameter}
                if len(values) == 1:
                    same[meeting.parameter] = values.pop()
                    del self._arguments[meeting]
                    changed = True
        return same

    def _require_written(self, same: dict[Register, Register]) -> None:
        """`InputError` at the first instruction that reads what some way there does not write."""
        unwritten = {UNWRITTEN}
        count = 0
        while count != len(unwritten):
            count = len(unwritten)
            for meeting, arguments in self._arguments.items():
                if not unwritten.isdisjoint(_found(same, value) for value in arguments.values()):
                    unwritten.add(meeting.parameter)
        for reading in self._readings:
            if _found(same, reading.value) in unwritten:
                raise unwritten_error(reading.variable, reading.reader)

    def _drop_unwritten_copies(self) -> None:
        """Remove copies of parts that nothing writes, and give a value to such parts at places at which ways
        meet: any will do, since nothing reads them but the parameter."""
        written = {unit for meeting in self._arguments for unit in meeting.parameter.units}
        pending: dict[int, int] = {}  # the source of each copy, by its destination
        for instr in self._kernel.instructions():
            for i in instr.row.defines:
                target = instr.operands[i]
                if not isinstance(target, Register):
                    continue
                if target.first in self._copied:
                    source = instr.operands[1]
                    assert isinstance(source, Register)
                    pending[target.first] = source.first
                else:
                    written.update(target.units)
        while made := [unit for unit, source in pending.items() if source in written]:
            written.update(made)
            for unit in made:
                del pending[unit]
        for block in self._kernel.blocks:
            block.instructions[:] = [instr for instr in block.instructions if not _writes_any(instr, pending)]
        self._fill_arguments(written)

    def _fill_arguments(self, written: set[int]) -> None:
        arguments = {value for values in self._arguments.values() for value in values.values()}
        for block in self._kernel.blocks:
            for version in self._plans[block.label].last.values():
                holes = (
                    [unit for unit in version.units if unit not in written] if version in arguments else []
                )
                owner = self._kernel.owner(version)
                row = copy_row(self._kernel.table, owner.register_class, None)
                block.instructions[:0] = [build(row, Register(unit), 0) for unit in holes]
                written.update(holes)

    def _place_parameters(self, same: dict[Register, Register]) -> None:
        """Give the blocks their parameters and the edges their arguments. A value that is not written is any
        value: only copies of parts that nothing reads take it."""
        for meeting, arguments in self._arguments.items():
            block = self._blocks[meeting.block]
            if self._is_vector:
                block.vector_parameters += (meeting.parameter,)
            else:
                block.scalar_parameters += (meeting.parameter,)
            for label, value in arguments.items():
                found = _found(same, value)
                self._bring(self._blocks[label], meeting.block, Immediate(0) if found is UNWRITTEN else found)

    def _bring(self, source: Block, target: str, value: Register | Immediate) -> None:
        def brought(edge: Edge) -> Edge:
            return Edge(edge.target, (*edge.arguments, value)) if edge.target == target else edge

        if self._is_vector:
            source.logical = tuple(map(brought, source.logical))
        else:
            source.linear = tuple(map(brought, source.linear))

    def _replace(self, same: dict[Register, Register]) -> None:
        """Name the value itself in place of a parameter that always has it."""
        ranges = {unit: (old, _found(same, new)) for old, new in same.items() for unit in old.units}
        if not ranges:
            return
        for block in self._kernel.blocks:
            code: list[Instr] = []
            for instr in block.instructions:
                operands = [_replaced(operand, ranges) for operand in instr.operands]
                kept = tuple([operand for operand in operands if operand is not None])
                if len(kept) == len(operands):
                    code.append(instr if kept == instr.operands else replace(instr, operands=kept))
            block.instructions[:] = code


def _writes_any(instr: Instr, units: Mapping[int, int]) -> bool:
    return any(
        isinstance(one := instr.operands[i], Register) and one.first in units for i in instr.row.defines
    )


def _parts(operand: Operand, variable: VirtualRegister) -> set[int]:
    """The registers of a variable that an operand names."""
    assert isinstance(operand, Register)
    return {unit - variable.first for unit in operand.units}


def _moved(operand: Operand, variable: VirtualRegister, version: Register) -> Register:
    assert isinstance(operand, Register)
    return version.part(operand.first - variable.first, operand.count)


def _found(same: Mapping[Register, Register], value: Register) -> Register:
    while value in same:
        value = same[value]
    return value


def _replaced(operand: Operand, ranges: Mapping[int, tuple[Register, Register]]) -> Operand | None:
    """The operand with the values of parameters; None for a value that nothing writes."""
    if not isinstance(operand, Register) or operand.first not in ranges:
        return operand
    old, new = ranges[operand.first]
    return None if new is UNWRITTEN else new.part(operand.first - old.first, operand.count)


def unwritten_error(variable: VirtualRegister, reader: Instr) -> InputError:
    """The error for a read that some way reaches without a write."""
    place = reader.origin.place if reader.origin and reader.origin.place else str(reader.row.mnemonic)
    made = f"it is made at line {variable.place.line}" if variable.place else ""
    return InputError(
        place, "HND010", f"{reader.row.mnemonic} reads a register that not every way here writes",
        (made,) if made else (), "write it before the branch or the loop, with k.assign for instance",
    )  # fmt: skip
