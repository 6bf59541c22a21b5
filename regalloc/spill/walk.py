"""The choice of the values that leave their registers, block by block (Braun and Hack 2009, Belady's rule on
a flow graph).

Walking forward, the walk knows at each point which values are in registers. An operand without a register is
reloaded before its instruction, into a new virtual register. If room is needed, the values with the furthest
next use leave, and each is stored once, in the block that defines it.

At the start of a block a value is in a register only if it is in the same register at the end of every
predecessor. So no new block parameters are needed: a value that a loop does not keep for a whole trip is not
in a register at the start of the loop, and is reloaded at its use. Discovering this may take another walk,
which starts with that knowledge. Each walk knows more than the last, so they end.
"""

from __future__ import annotations

from collections.abc import Collection

from isa.instruction import Instr, OperandSpec
from isa.registers import Register
from regalloc.slots import PARAMETERS, slot_instruction
from regalloc.spill.facts import SpillFacts
from regalloc.spill.moves import MemoryMoves, edge_pairs, file_edges, file_parameters, shared_places
from regalloc.spill.plan import ArgumentKey, Crowded, SpillPlan
from regalloc.spill.room import Held, NoRoom, Read, SpillRoom


class SpillWalk:
    """Walks until nothing changes; `plan` is the result. `SpillRoom` describes the budget.

    Another run, with more points `crowded`, starts with the values that earlier runs put into memory.
    """

    def __init__(self, facts: SpillFacts, budget: int) -> None:
        self.facts = facts
        self.budget = budget
        self.crowded = Crowded()
        self.places = shared_places(facts)
        self.absent: dict[int, set[int]] = {}  # per block, the units that it does not find in registers
        self.in_memory: set[Register] = set()
        self.plan = SpillPlan()
        self.room = SpillRoom(facts, budget, self.crowded, self.plan)
        self.changed = True
        self._leaving: dict[int, Held] = {}
        self._entered: dict[int, Held] = {}

    def run(self) -> SpillPlan:
        """The plan for this budget. Raises NoRoom if a single point needs more."""
        self.changed = True
        while self.changed:
            self.changed = False
            self.plan = SpillPlan(in_memory=self.in_memory)
            self.room = SpillRoom(self.facts, self.budget, self.crowded, self.plan)
            self._leaving.clear()
            for number in self.facts.graph.order:
                self._walk(number)
            self._compare_entries()
        return self.plan

    def _compare_entries(self) -> None:
        """Note the values that a predecessor, walked after its successor, does not pass on in a register."""
        for number in self.facts.graph.order:
            for before in self.facts.graph.predecessors[number]:
                left = self._leaving.get(before, {})
                lost = {unit for unit, place in self._entered[number].items() if left.get(unit) != place}
                if lost:
                    self.absent.setdefault(number, set()).update(lost)
                    self.changed = True

    # ---- a block

    def _walk(self, number: int) -> None:
        held = self._enter(number)
        slots = self.facts.liveness.slots[number]
        block = self.facts.kernel.blocks[number]
        before = self.crowded.before
        for index in range(len(slots.uses)):
            if (number, index) in before:
                self.room.let_leave(before[number, index], number, index, held)
            if index == slots.copies:
                self._pass_arguments(number, index, held)
            else:
                self._bring(number, index, self._operand_reads(slot_instruction(block, index)), held, set())
            self._define(number, index, held)
            if index in self.facts.exec_writes[number]:
                self._drop_reloaded(held)
        self._leaving[number] = held

    def _enter(self, number: int) -> Held:
        """The values in registers at the start of a block, its parameters included, as far as there is
        room."""
        facts = self.facts
        arriving = [
            self._leaving[predecessor]
            for predecessor in facts.graph.predecessors[number]
            if predecessor in self._leaving
        ]
        live = [unit for unit in facts.liveness.entering(number) if self.facts.is_of_file(unit)]
        absent = self.absent.get(number, set())
        held: Held = {}
        for unit in live:
            places = {left.get(unit, -1) for left in arriving}
            if len(places) == 1 and -1 not in places and unit not in absent:
                held[unit] = places.pop()
            else:
                self.room.store(unit, number, 0)
        parameters = list(file_parameters(facts.kernel.blocks[number], facts))
        leaving = self.crowded.before.get((number, PARAMETERS), set())
        self.room.let_leave(leaving, number, 0, held)
        for predecessor in parameters:
            is_leaving = not leaving.isdisjoint(predecessor.units) and predecessor not in self.in_memory
            if is_leaving and self._may_be_in_memory(number, predecessor):
                self._put_in_memory(predecessor)
        self._choose_entry(number, parameters, held)
        self._entered[number] = dict(held)
        for register in parameters:
            if register not in self.in_memory:
                held.update((unit, unit) for unit in register.units if self.facts.is_read(number, 0, unit))
        return held

    def _choose_entry(self, number: int, parameters: list[Register], held: Held) -> None:
        """Keep the values with the nearest use in registers. A parameter lives in memory as a whole, or not
        at all."""
        here = [parameter for parameter in parameters if parameter not in self.in_memory]
        count = len(held) + sum(parameter.count for parameter in here) + self.facts.physical[number][0]
        movable = [parameter for parameter in here if self._may_be_in_memory(number, parameter)]
        while count > self.budget:
            waiting: list[tuple[int, int, Register | None]] = [
                (self.facts.next_uses.at(number, 0, unit), unit, None)
                for unit in held
                if self.room.may_leave(unit)
            ]
            waiting += [
                (
                    min(self.facts.next_uses.at(number, 0, unit) for unit in parameter.units),
                    parameter.first,
                    parameter,
                )
                for parameter in movable
            ]
            if not waiting:
                raise NoRoom((number, 0), count)
            _, unit, register = max(waiting, key=lambda parameter: parameter[:2])
            if register is None:
                self.room.evict(unit, number, 0, held)
                count -= 1
            else:
                movable.remove(register)
                self._put_in_memory(register)
                count -= register.count

    def _put_in_memory(self, parameter: Register) -> None:
        self.in_memory.add(parameter)
        self.changed = True

    def _may_be_in_memory(self, number: int, register: Register) -> bool:
        """Whether every predecessor can put an argument into memory for this block alone."""
        graph = self.facts.graph
        return all(
            len(graph.successors[predecessor]) == 1 for predecessor in graph.predecessors[number]
        ) and not (self.facts.kept.intersection(register.units))

    # ---- the operands of a point

    def _operand_reads(self, instr: Instr | None) -> list[Read]:
        if instr is None:
            return []
        row = instr.row
        return [
            Read(index, operand, self._alignment(row.operands[index]))
            for index in row.uses
            if isinstance(operand := instr.operands[index], Register) and self.facts.holds(operand)
        ]

    def _argument_reads(self, number: int) -> list[Read]:
        """The arguments of a block's edges that are of the file, but for parameters in memory."""
        block = self.facts.kernel.blocks[number]
        return [
            Read(ArgumentKey(is_logical, e, a), argument, 1)
            for is_logical, edges in ((False, block.linear), (True, block.logical))
            for e, edge in enumerate(edges)
            for a, (parameter, argument) in enumerate(edge_pairs(self.facts, edge, is_logical))
            if isinstance(argument, Register)
            and self.facts.holds(argument)
            and parameter not in self.in_memory
        ]

    def _alignment(self, spec: OperandSpec) -> int:
        return spec.align if self.facts.is_vector else spec.scalar_align or spec.align

    def _pass_arguments(self, number: int, index: int, held: Held) -> None:
        """Put the arguments of a block's edges in registers, and write the parameters that live in memory. If
        a parameter overwrites the memory of a value, the value is reloaded before."""
        self._limit_arguments(number, index)
        moves = MemoryMoves(self.room, self.places, self.in_memory, number, index)
        kept: set[int] = set()
        reads = self._argument_reads(number)
        for read in reads:
            if moves.overwrite(read.register):
                self._bring(number, index, [read], held, kept)
                kept.update(read.register.units)
        moves.make(held, kept)
        self._bring(number, index, reads, held, kept)

    def _limit_arguments(self, number: int, index: int) -> None:
        """Put parameters in memory if their arguments alone exceed the budget."""
        movable = [
            (target, parameter)
            for edge in file_edges(self.facts.kernel.blocks[number], self.facts)
            for target in (self.facts.liveness.flow.index[edge.target],)
            for parameter in file_parameters(self.facts.kernel.blocks[target], self.facts)
            if parameter not in self.in_memory and self._may_be_in_memory(target, parameter)
        ]
        movable.sort(
            key=lambda pair: min(self.facts.next_uses.at(pair[0], 0, unit) for unit in pair[1].units)
        )
        while movable and self._argument_count(number, index) > self.budget:
            self._put_in_memory(movable.pop()[1])

    def _argument_count(self, number: int, index: int) -> int:
        """The registers that the arguments of a block's edges take together."""
        arguments = {unit for read in self._argument_reads(number) for unit in read.register.units}
        return len(arguments) + self.facts.physical[number][index]

    def _bring(
        self, number: int, index: int, reads: list[Read], held: Held, kept_too: Collection[int]
    ) -> None:
        """Put every operand of a point in a register, the widest first: a narrower operand may be a part of
        it."""
        if not reads:
            return
        reads = sorted(reads, key=lambda read: -read.register.count)
        wanted = {unit for read in reads for unit in read.register.units}.union(kept_too)
        present = [read for read in reads if self.room.current(read, held) is not None]
        absent = {(read.register, read.align): read for read in reads if read not in present}
        kept = {unit for read in present for unit in read.register.units}
        for read in absent.values():  # units in the wrong register are reloaded with the rest
            for unit in read.register.units:
                if unit in held and unit not in kept:
                    self.room.evict(unit, number, index, held)
        self.room.make_room(number, index, held, sum(read.register.count for read in absent.values()), wanted)
        renamed = self.plan.operands.setdefault((number, index), {})
        for read in reads:
            current = self.room.current(read, held)
            register = current if current is not None else self.room.bring(number, index, read, held)
            if register != read.register:
                renamed[read.key] = register

    # ---- the results of a point

    def _define(self, number: int, index: int, held: Held) -> None:
        facts = self.facts
        slots = facts.liveness.slots[number]
        used = {unit for unit in slots.uses[index] if unit in held}
        dying = {unit for unit in used if not self.facts.is_read(number, index + 1, unit)}
        results = [unit for unit in slots.defines[index] if self.facts.is_of_file(unit)]
        overlays, early = facts.constraints.overlays, facts.constraints.early
        apart = [unit for unit in results if unit in early and overlays.get(unit) not in dying]
        if apart:
            self.room.make_room(number, index, held, len(apart), used)
        for unit in dying:
            del held[unit]
        self.room.let_leave(self.crowded.after.get((number, index), ()), number, index, held)
        if results:
            self.room.make_room(number, index, held, len(results), set())
        held.update((unit, unit) for unit in results if self.facts.is_read(number, index + 1, unit))

    def _drop_reloaded(self, held: Held) -> None:
        """Lanes may be on from here that were off when a value was brought back."""
        for unit, place in list(held.items()):
            if unit != place:
                del held[unit]
