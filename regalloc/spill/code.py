"""Spill code: the program that a plan describes, still in SSA form on virtual registers."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence, Set

from isa.build import build
from isa.instruction import Immediate, Instr, Operand, Origin
from isa.moves import copy_row
from isa.program import Block, Edge, Kernel
from isa.registers import FIRST_VIRTUAL, Register
from regalloc.allocation import RELOAD, SPILL
from regalloc.spill.facts import SpillFacts
from regalloc.spill.homes import SpillHomes
from regalloc.spill.memory import SPARE, SpillMemory
from regalloc.spill.moves import edge_pairs, file_edges
from regalloc.spill.plan import Action, ArgumentKey, OperandKey, Pass, Point, Reload, SpillPlan


class SpillWriter:
    """Writes a plan into a kernel. `homes` are the homes of its values, and `memory` is the memory of those
    without a spare register. `agprs` are the registers that `find_agprs` returns."""

    def __init__(
        self, kernel: Kernel, facts: SpillFacts, plan: SpillPlan, homes: SpillHomes, memory: SpillMemory,
        agprs: Set[int],
    ) -> None:  # fmt: skip
        self._kernel = kernel
        self._facts = facts
        self._plan = plan
        self._places = homes.places
        self._memory = memory
        self._spare = homes.in_registers
        self._agprs = agprs
        self._copies: dict[int, Register] = {}  # the spare registers of a register, by its first unit
        self._left_out = {unit: value for unit, value in plan.brought().items() if self._first(unit) in agprs}
        self._stores: dict[Point, list[int]] = {}
        for unit, point in sorted(plan.stores.items()):
            if unit in homes.places or (unit in self._spare and self._first(unit) not in agprs):
                self._stores.setdefault(point, []).append(unit)

    def blocks(self) -> list[Block]:
        """Every block with its stores, reloads, new operands and remaining parameters."""
        return [self._block(number, block) for number, block in enumerate(self._kernel.blocks)]

    def _block(self, number: int, block: Block) -> Block:
        self._passed: dict[Register, Register] = {}
        self._passed_units: set[int] = set()
        instructions: list[Instr] = []
        for index, instr in enumerate(block.instructions):
            instructions += self._before((number, index))
            instructions.append(self._renamed(instr, self._plan.operands.get((number, index))))
        end = len(block.instructions)
        instructions += self._before((number, end))
        instructions += self._rest_passed(block)
        terminator = block.terminator
        if terminator is not None:
            instructions += self._before((number, end + 1))
            terminator = self._renamed(terminator, self._plan.operands.get((number, end + 1)))
        arguments = self._plan.operands.get((number, end), {})
        return Block(
            block.label, tuple(filter(self._is_parameter, block.scalar_parameters)),
            tuple(filter(self._is_parameter, block.vector_parameters)),
            instructions, terminator,
            self._edges(block.linear, is_logical=False, renamed=arguments),
            self._edges(block.logical, is_logical=True, renamed=arguments),
        )  # fmt: skip

    def _is_parameter(self, parameter: Register) -> bool:
        """Whether a parameter of a block stays a parameter, in its own file or in AGPRs."""
        if parameter not in self._plan.in_memory:
            return True
        number, _ = self._facts.sites[parameter.first]
        return parameter.first in self._spare and any(
            self._facts.is_read(number, 0, unit) for unit in parameter.units
        )

    def _edges(
        self, edges: tuple[Edge, ...], is_logical: bool, renamed: dict[OperandKey, Register]
    ) -> tuple[Edge, ...]:
        return tuple(
            Edge(
                edge.target,
                tuple(
                    self._argument(parameter, renamed.get(ArgumentKey(is_logical, e, a), argument))
                    for a, (parameter, argument) in enumerate(edge_pairs(self._facts, edge, is_logical))
                    if self._is_parameter(parameter)
                ),
            )
            for e, edge in enumerate(edges)
        )

    def _argument(self, parameter: Register, argument: Register | Immediate) -> Register | Immediate:
        """The argument for a parameter. For a parameter in AGPRs it is the register that the end of the block
        filled, or the AGPRs that the argument is in already."""
        if parameter not in self._plan.in_memory:
            return argument
        passed = self._passed.get(parameter)
        if passed is not None:
            return passed
        assert isinstance(argument, Register), "a constant is passed by an action"
        return self._spare_of(argument)

    def _rest_passed(self, block: Block) -> Iterator[Instr]:
        """The units of parameters in AGPRs that their arguments have already, if other units are combined
        with them."""
        for edge in file_edges(block, self._facts) if self._passed else ():
            for parameter, argument in edge_pairs(self._facts, edge, self._facts.is_vector):
                if parameter in self._passed and isinstance(argument, Register):
                    for k, unit in enumerate(parameter.units):
                        if unit not in self._passed_units:
                            held = self._spare_of(argument.part(k))
                            yield self._move(self._passed[parameter].part(k), held, SPILL)

    def _renamed(self, instr: Instr, renamed: dict[OperandKey, Register] | None) -> Instr:
        if not renamed:
            return instr
        operands: list[Operand] = [
            self._brought(renamed[i]) if i in renamed else operand for i, operand in enumerate(instr.operands)
        ]
        return instr.as_row(instr.row, tuple(operands), instr.modifiers)

    def _brought(self, register: Register) -> Register:
        """The register of a reload, or the AGPRs with its value if it is left out."""
        value = self._left_out.get(register.first)
        return register if value is None else self._spare_of(Register(value, register.count))

    def _first(self, unit: int) -> int:
        return self._kernel.owners[unit - FIRST_VIRTUAL].first

    def _spare_of(self, register: Register) -> Register:
        """The spare registers with the value of a register; itself if it is in AGPRs throughout."""
        first = self._first(register.first)
        if first in self._agprs:
            return register
        if first not in self._copies:
            self._copies[first] = self._new_spare(first)
        return self._copies[first].part(register.first - first, register.count)

    def _new_spare(self, first: int) -> Register:
        owner = self._kernel.owner(Register(first))
        spare, name = SPARE[self._facts.register_class], f"{owner.name}_apart"
        return self._kernel.new_register(spare, owner.count, owner.align, name, owner.place)

    # ---- the code of a point

    def _before(self, point: Point) -> Iterator[Instr]:
        for first, count in _runs(self._stores.get(point, ()), self._first):
            yield from self._store(Register(first, count), tuple(range(first, first + count)))
        for action in self._plan.actions.get(point, ()):
            yield from self._act(action)

    def _act(self, action: Action) -> Iterator[Instr]:
        match action:
            case Reload(_, _, Instr() as again):
                yield again
            case Reload(register, units):
                if register.first not in self._left_out:
                    yield from self._reload(register, units)
            case Pass(source, units):
                moves, register = self._in_file(source, len(units))
                yield from moves
                if units[0] in self._spare:
                    yield from self._pass(register, units)
                else:
                    yield from self._store(register, units)

    def _pass(self, register: Register, units: tuple[int, ...]) -> Iterator[Instr]:
        """Copy a register to the AGPRs that the block passes on for units of a parameter."""
        parameter = self._kernel.owner(Register(units[0])).register
        if parameter not in self._passed:
            self._passed[parameter] = self._new_spare(parameter.first)
        self._passed_units.update(units)
        for k, unit in enumerate(units):
            yield self._move(self._passed[parameter].part(unit - parameter.first), register.part(k), SPILL)

    def _in_file(self, source: Register | Immediate, count: int) -> tuple[list[Instr], Register]:
        """The source itself if it is a register of the file, or else a new register with the move that fills
        it."""
        register_class = self._facts.register_class
        if isinstance(source, Register) and self._kernel.register_class(source) is register_class:
            return [], source
        new = self._kernel.new_register(register_class, count, count)
        parts = [
            Immediate(source.bits >> 32 * k & 0xFFFFFFFF) if isinstance(source, Immediate) else source.part(k)
            for k in range(count)
        ]
        return [self._move(new.part(k), part, SPILL) for k, part in enumerate(parts)], new

    def _move(self, register: Register, source: Register | Immediate, origin: Origin) -> Instr:
        """A copy of a register or a constant to a register of any file."""
        kernel = self._kernel
        of = kernel.register_class(source) if isinstance(source, Register) else None
        return build(
            copy_row(kernel.table, kernel.register_class(register), of), register, source, origin=origin
        )

    def _store(self, register: Register, units: tuple[int, ...]) -> Iterator[Instr]:
        for k, unit in enumerate(units):
            if unit in self._spare:
                yield self._move(self._spare_of(Register(unit)), register.part(k), SPILL)
        for part, place in self._pieces(register, units):
            yield from self._memory.store(part, place)

    def _reload(self, register: Register, units: tuple[int, ...]) -> Iterator[Instr]:
        constants = self._facts.constants
        for k, unit in enumerate(units):
            if unit in constants:
                yield self._move(register.part(k), Immediate(constants[unit]), RELOAD)
            elif unit in self._spare:
                yield self._move(register.part(k), self._spare_of(Register(unit)), RELOAD)
        for part, place in self._pieces(register, units):
            yield from self._memory.load(part, place)

    def _pieces(self, register: Register, units: tuple[int, ...]) -> Iterator[tuple[Register, int]]:
        """The parts of a register that a single instruction moves, each with its first place."""
        # a register that the program names itself is aligned as its number is
        owner = self._kernel.owner(register) if register.is_virtual else None
        begin, whole = (
            (owner.first, owner.align) if owner is not None else (0, register.first & -register.first)
        )
        k = 0
        while k < len(units):
            place = self._places.get(units[k])
            if place is None:
                k += 1
                continue
            count = 1
            while k + count < len(units) and self._places.get(units[k + count]) == place + count:
                count += 1
            offset = register.first + k - begin
            align = min(whole or 1, offset & -offset) if offset else whole or 1
            count = self._memory.widest(count, align)
            yield register.part(k, count), place
            k += count


def _runs(units: Sequence[int], owner: Callable[[int], int]) -> Iterator[tuple[int, int]]:
    """Consecutive units of an owner: the first, and their number."""
    first = count = 0
    for unit in units:
        if count and unit == first + count and owner(unit) == owner(first):
            count += 1
            continue
        if count:
            yield first, count
        first, count = unit, 1
    if count:
        yield first, count
