"""The copies that an allocation needs: before tied instructions, and for the arguments of edges.

Vector arguments are copied at the end of the logical predecessor, under its EXEC. Scalar arguments are copied
at the end of the linear predecessor, or at the head of the entered block if the predecessor has other
successors.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property

from isa.instruction import ExecMode, Immediate
from isa.program import Block, Edge, VirtualRegister
from isa.registers import FIRST_AGPR, FIRST_VGPR, FIRST_VIRTUAL, Register, RegisterClass
from regalloc.allocation import Insertions
from regalloc.constraints import Constraints
from regalloc.lanes import waiting_values
from regalloc.pools import Pool
from regalloc.scan.linear_scan import OutOfRegisters, Problem
from regalloc.scan.parallel_copy import Lanes, Move, build_moves, sequentialise


class CopyPlacer:
    """Finds the copies of an allocation. `units` maps virtual to physical units, `used` are the units that
    the allocation touches."""

    def __init__(
        self, problem: Problem, pools: dict[RegisterClass, Pool], units: dict[int, int], used: set[int]
    ) -> None:
        self.kernel = problem.kernel
        self.liveness = problem.liveness
        self.unread = problem.intervals.unused
        self.pools = pools
        self.units = units
        self.used = used
        self.lanes = problem.lanes
        self.insertions: Insertions = {}
        self.coalesced = 0

    def place(self, constraints: Constraints) -> Insertions:
        """All copies of the kernel. Raises OutOfRegisters if a copy needs a temporary register and none is
        free."""
        if constraints.overlays or constraints.early_physical:
            self._place_ties()
        for number, block in enumerate(self.kernel.blocks):
            self._place_edges(number, block)
        return self.insertions

    @cached_property
    def _waiting(self) -> dict[int, set[int]]:
        """For every block, the values that lanes which wait elsewhere will read."""
        return waiting_values(self.kernel, self.liveness, set(range(len(self.kernel.blocks))))

    def _physical(self, unit: int) -> int:
        return self.units[unit] if unit >= FIRST_VIRTUAL else unit

    def _moves(self, target: Register, source: Register | Immediate, ignoring: bool) -> list[Move]:
        """The moves of a copy. They are `ignoring` EXEC if a reader of the target looks at lanes that are
        off."""
        moves: list[Move] = []
        for k, unit in enumerate(target.units):
            if isinstance(source, Immediate):
                moves.append(Move(self._physical(unit), Immediate(source.bits >> 32 * k & 0xFFFFFFFF)))
            else:
                value = source.first + k
                whole = ignoring and value in self.lanes and unit in self.lanes
                moves.append(Move(self._physical(unit), self._physical(value), whole))
        self.coalesced += sum(move.target == move.source for move in moves)
        return moves

    def _place_ties(self) -> None:
        for number, block in enumerate(self.kernel.blocks):
            for index, instr in enumerate(block.instructions):
                if not instr.row.ties:
                    continue
                moves: list[Move] = []
                for use, define in instr.row.ties:
                    target, source = instr.operands[define], instr.operands[use]
                    if isinstance(target, Register) and isinstance(source, Register):
                        moves += self._moves(target, source, instr.row.exec_mode is ExecMode.IGNORED)
                if any(move.target != move.source for move in moves):
                    self._insert(
                        number, index, moves, self.liveness.live_at(block.label, index) if self.lanes else ()
                    )

    def _place_edges(self, number: int, block: Block) -> None:
        blocks, index = self.kernel.blocks, self.liveness.flow.index
        end = self.liveness.slots[number].copies
        vector: list[Move] = []
        for edge in block.logical:
            vector += self._arguments(blocks[index[edge.target]].vector_parameters, edge)
        scalar: list[Move] = []
        for edge in block.linear:
            target = index[edge.target]
            moves = self._arguments(blocks[target].scalar_parameters, edge)
            if len(block.linear) == 1:
                scalar = moves
            else:
                self._insert(target, 0, moves, self.liveness.entering(target))
        if not vector and not scalar:
            return
        leaving = self.liveness.leaving(number)
        for file in (
            [move for move in vector if move.target < FIRST_AGPR],
            [move for move in vector if move.target >= FIRST_AGPR],
        ):
            self._insert(number, end, file, (*leaving, *_units(scalar)))
        self._insert(number, end, scalar, leaving)

    def _arguments(self, parameters: tuple[Register, ...], edge: Edge) -> list[Move]:
        """The moves of an edge's arguments. Parameters without readers need none."""
        moves: list[Move] = []
        for parameter, argument in zip(parameters, edge.arguments, strict=True):
            if not self.unread.issuperset(parameter.units):
                moves += self._moves(parameter, argument, ignoring=True)
        return moves

    def _insert(self, number: int, index: int, moves: list[Move], live: Iterable[int]) -> None:
        """Insert copies before a slot. `live` are the units, virtual or physical, that are live there besides
        the copies' own."""
        if all(move.target == move.source for move in moves):
            return  # so it is on most edges

        def taken(lanes: Lanes = Lanes.ACTIVE) -> set[int]:
            off = self._waiting.get(number, ()) if lanes is Lanes.ALL else ()
            return {self._physical(unit) for unit in (*live, *off)} | set(_units(moves))

        def temporary(lanes: Lanes) -> int | None:
            if moves[0].target < FIRST_VGPR:
                return self._free_scalar(taken(), number, index)
            file = RegisterClass.VGPR if moves[0].target < FIRST_AGPR else RegisterClass.AGPR
            free = self._free_unit(file, taken(lanes))
            if free is None and (lanes is Lanes.MIXED or file is RegisterClass.AGPR):
                raise self._nothing_free(number, index, file)
            return free

        def save() -> Register:
            return self._free_mask(taken(), number, index)

        built = build_moves(sequentialise(moves, temporary), save, self.kernel.table)
        if built:
            self.insertions[number, index] = self.insertions.get((number, index), ()) + built

    def _free_unit(self, register_class: RegisterClass, taken: set[int]) -> int | None:
        """A free register, preferably a register that the program uses anyway."""
        free = self._free(register_class, taken)
        if not free:
            return None
        chosen = next((unit for unit in free if unit in self.used), free[0])
        self.used.add(chosen)
        return chosen

    def _free_scalar(self, taken: set[int], number: int, index: int) -> int:
        unit = self._free_unit(RegisterClass.SGPR, taken)
        if unit is None:
            raise self._nothing_free(number, index, RegisterClass.SGPR)
        return unit

    def _free_mask(self, taken: set[int], number: int, index: int) -> Register:
        """SGPRs for a lane mask: a single SGPR, or an aligned pair in waves of 64."""
        count = self.kernel.table.target.wave_size // 32
        free = set(self._free(RegisterClass.SGPR, taken))
        masks = [
            Register(unit, count)
            for unit in sorted(free)
            if unit % count == 0 and free.issuperset(range(unit, unit + count))
        ]
        if not masks:
            raise self._nothing_free(number, index, RegisterClass.SGPR, count)
        chosen = next((mask for mask in masks if self.used.issuperset(mask.units)), masks[0])
        self.used.update(chosen.units)
        return chosen

    def _free(self, register_class: RegisterClass, taken: set[int]) -> list[int]:
        pool = self.pools[register_class]
        return [
            pool.first + i
            for i in range(pool.mask.bit_length())
            if pool.mask >> i & 1 and pool.first + i not in taken
        ]

    def _nothing_free(
        self, number: int, index: int, register_class: RegisterClass, count: int = 1
    ) -> OutOfRegisters:
        """The temporary register of a copy counts as a value without a register."""
        needed = VirtualRegister("copy", register_class, 0, count, count)
        return OutOfRegisters(needed, number, index)


def _units(moves: list[Move]) -> list[int]:
    return [unit for move in moves for unit in (move.target, move.source) if not isinstance(unit, Immediate)]
