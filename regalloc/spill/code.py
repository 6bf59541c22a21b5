"""Spill code: the program that a plan describes, still in SSA form on virtual registers."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from isa.build import build
from isa.instruction import Immediate, Instr, Operand, Origin
from isa.moves import find_fill
from isa.program import Block, Edge, Kernel
from isa.registers import Register
from regalloc.allocation import RELOAD, SPILL
from regalloc.spill.facts import SpillFacts
from regalloc.spill.homes import SpillHomes
from regalloc.spill.memory import SpareRegisters, SpillMemory
from regalloc.spill.plan import Action, ArgumentKey, OperandKey, Pass, Point, Reload, SpillPlan


class SpillWriter:
    """Writes a plan into a kernel. `homes` are the homes of its values, and `memory` is the memory of those
    without a spare register."""

    def __init__(
        self, kernel: Kernel, facts: SpillFacts, plan: SpillPlan, homes: SpillHomes, memory: SpillMemory
    ) -> None:
        self._kernel = kernel
        self._facts = facts
        self._plan = plan
        self._places = homes.places
        self._memory = memory
        self._spare = SpareRegisters(kernel, homes.in_registers, facts.register_class)
        self.origins: list[list[int]] = []  # by block and slot of the new kernel, the old slot
        self._stores: dict[Point, list[int]] = {}
        for unit, point in sorted(plan.stores.items()):
            if unit in homes.places or unit in homes.in_registers:
                self._stores.setdefault(point, []).append(unit)

    def blocks(self) -> list[Block]:
        """Every block with its stores, reloads, new operands and remaining parameters."""
        return [self._block(number, block) for number, block in enumerate(self._kernel.blocks)]

    def _block(self, number: int, block: Block) -> Block:
        self._passed: dict[Register, Register] = {}
        self._passed_units: set[int] = set()
        instructions: list[Instr] = []
        origins: list[int] = []
        for index, instr in enumerate(block.instructions):
            instructions += self._before((number, index))
            instructions.append(self._renamed(instr, self._plan.operands.get((number, index))))
            origins += [index] * (len(instructions) - len(origins))
        end = len(block.instructions)
        instructions += self._before((number, end))
        instructions += self._rest_passed(block)
        terminator = block.terminator
        if terminator is not None:
            instructions += self._before((number, end + 1))
        self.origins.append(origins + [end] * (len(instructions) + 1 - len(origins)) + [end + 1])
        if terminator is not None:
            terminator = self._renamed(terminator, self._plan.operands.get((number, end + 1)))
        arguments = self._plan.operands.get((number, end), {})
        return Block(
            block.label, self._kept(number, block.scalar_parameters),
            self._kept(number, block.vector_parameters),
            instructions, terminator,
            self._edges(block.linear, is_logical=False, renamed=arguments),
            self._edges(block.logical, is_logical=True, renamed=arguments),
        )  # fmt: skip

    def _kept(self, number: int, parameters: tuple[Register, ...]) -> tuple[Register, ...]:
        """The parameters of a block that are in registers, of whichever file."""
        return tuple(
            self._spare.of(parameter) if parameter in self._plan.in_memory else parameter
            for parameter in parameters
            if self._is_parameter(number, parameter)
        )

    def _is_parameter(self, number: int, parameter: Register) -> bool:
        """Whether a parameter of a block stays a parameter, in its own file or in AGPRs."""
        if parameter not in self._plan.in_memory:
            return True
        return self._spare.holds(parameter.first) and any(
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
                    for a, (parameter, argument) in enumerate(
                        zip(self._parameters(edge, is_logical), edge.arguments, strict=True)
                    )
                    if self._is_parameter(self._target(edge), parameter)
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
        return self._spare.of(argument)

    def _rest_passed(self, block: Block) -> Iterator[Instr]:
        """The units of parameters in AGPRs that their arguments have already, if other units are combined
        with them."""
        for edge in block.logical:
            for parameter, argument in zip(self._parameters(edge, True), edge.arguments, strict=True):
                passed = self._passed.get(parameter)
                if passed is None or not isinstance(argument, Register):
                    continue
                for k, unit in enumerate(parameter.units):
                    if unit not in self._passed_units:
                        held = self._spare.of(argument.part(k))
                        yield self._spare.move(passed.part(k), held)

    def _target(self, edge: Edge) -> int:
        return self._facts.liveness.flow.index[edge.target]

    def _parameters(self, edge: Edge, is_logical: bool) -> tuple[Register, ...]:
        target = self._kernel.blocks[self._target(edge)]
        return target.vector_parameters if is_logical else target.scalar_parameters

    def _renamed(self, instr: Instr, renamed: dict[OperandKey, Register] | None) -> Instr:
        if not renamed:
            return instr
        operands: list[Operand] = [renamed.get(i, operand) for i, operand in enumerate(instr.operands)]
        return instr.as_row(instr.row, tuple(operands), instr.modifiers)

    # ---- the code of a point

    def _before(self, point: Point) -> Iterator[Instr]:
        stores = self._stores.get(point)
        if stores:
            for first, count in _runs(stores, lambda unit: self._kernel.owner(Register(unit)).first):
                yield from self._store(Register(first, count), tuple(range(first, first + count)))
        for action in self._plan.actions.get(point, ()):
            yield from self._act(action)

    def _act(self, action: Action) -> Iterator[Instr]:
        match action:
            case Reload(_, _, Instr() as again):
                yield again
            case Reload(register, units):
                yield from self._reload(register, units)
            case Pass(source, units):
                moves, register = self._in_file(source, len(units))
                yield from moves
                if self._spare.holds(units[0]):
                    parameter = self._kernel.owner(Register(units[0])).register
                    if parameter not in self._passed:
                        self._passed[parameter] = self._spare.another(parameter)
                    passed = self._passed[parameter].part(units[0] - parameter.first, len(units))
                    self._passed_units.update(units)
                    yield from self._spare.store(register, passed)
                else:
                    yield from self._store(register, units)

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
        return [self._fill(new.part(k), part, SPILL) for k, part in enumerate(parts)], new

    def _fill(self, register: Register, source: Register | Immediate, origin: Origin) -> Instr:
        row = find_fill(self._kernel.table, self._facts.register_class, 1)
        assert row is not None, "every target fills single registers"
        return build(row, register, source, origin=origin)

    def _store(self, register: Register, units: tuple[int, ...]) -> Iterator[Instr]:
        for k, unit in enumerate(units):
            if self._spare.holds(unit):
                yield from self._spare.store(register.part(k), self._spare.of(Register(unit)))
        for part, place in self._pieces(register, units):
            yield from self._memory.store(part, place)

    def _reload(self, register: Register, units: tuple[int, ...]) -> Iterator[Instr]:
        constants = self._facts.constants
        for k, unit in enumerate(units):
            if unit in constants:
                yield self._fill(register.part(k), Immediate(constants[unit]), RELOAD)
            elif self._spare.holds(unit):
                yield from self._spare.load(register.part(k), self._spare.of(Register(unit)))
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


def _runs(units: list[int], owner: Callable[[int], int]) -> Iterator[tuple[int, int]]:
    """Consecutive units of an owner: the first, and their number."""
    first = count = 0
    for unit in units:
        if count and unit == first + count and owner(unit) == owner(first):
            count += 1
            continue
        if count:
            yield first, count
        first, count = unit, 1
    yield first, count
