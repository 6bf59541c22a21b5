"""Arguments of edges for parameters that live in memory, and the memory that parameters share with their
arguments.

A block writes each such argument at its end, after the last read of the value that it overwrites. A block
parameter and its arguments may have the same place in memory if none of them is needed while another is
written. A loop that carries a spilled sum then stores the new sum over the old sum, and its back edge moves
nothing.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from isa.instruction import Immediate
from isa.program import Block, Edge
from isa.registers import Register
from regalloc.intervals import overlap
from regalloc.spill.facts import SpillFacts
from regalloc.spill.plan import Pass
from regalloc.spill.room import Held, Read, SpillRoom


def shared_places(facts: SpillFacts) -> dict[int, int]:
    """For the units of parameters and arguments the unit that names their place; others have their own."""
    chosen: dict[int, int] = {}
    members: dict[int, list[int]] = {}
    segments = facts.intervals.segments
    for parameter, argument in parameter_arguments(facts):
        for one, other in zip(parameter.units, argument.units, strict=True):
            mine, theirs = chosen.get(one, one), chosen.get(other, other)
            if mine == theirs:
                continue
            first, second = members.get(mine, [mine]), members.get(theirs, [theirs])
            if any(overlap(segments.get(a, []), segments.get(b, [])) for a in first for b in second):
                continue
            members[mine] = [*first, *second]
            chosen.update((unit, mine) for unit in members[mine])
    return chosen


def parameter_arguments(facts: SpillFacts) -> list[tuple[Register, Register]]:
    """Every parameter of the file with each of its arguments that is a virtual register of the file."""
    blocks = {block.label: block for block in facts.kernel.blocks}
    return [
        (parameter, argument)
        for block in facts.kernel.blocks
        for edge in file_edges(block, facts)
        for parameter, argument in zip(
            file_parameters(blocks[edge.target], facts, whole=True), edge.arguments, strict=True
        )
        if not isinstance(argument, Immediate) and facts.holds(argument) and facts.holds(parameter)
    ]


def file_edges(block: Block, facts: SpillFacts) -> tuple[Edge, ...]:
    """The edges along which the file's values live."""
    return block.logical if facts.is_vector else block.linear


def file_parameters(block: Block, facts: SpillFacts, whole: bool = False) -> tuple[Register, ...]:
    """The parameters of a block that are of the file; with `whole` all that its edges have arguments for."""
    parameters = block.vector_parameters if facts.is_vector else block.scalar_parameters
    return parameters if whole else tuple(parameter for parameter in parameters if facts.holds(parameter))


def edge_pairs(
    facts: SpillFacts, edge: Edge, is_logical: bool
) -> Iterator[tuple[Register, Register | Immediate]]:
    """Every parameter that an edge has an argument for, with it."""
    target = facts.kernel.blocks[facts.liveness.flow.index[edge.target]]
    parameters = target.vector_parameters if is_logical else target.scalar_parameters
    return zip(parameters, edge.arguments, strict=True)


class MemoryMoves:
    """The arguments that a block writes for the parameters `in_memory`, at its slot of edge copies. `places`
    name the memory that units share."""

    def __init__(
        self,
        room: SpillRoom,
        places: dict[int, int],
        in_memory: Collection[Register],
        number: int,
        index: int,
    ) -> None:
        self._room = room
        self._facts = room.facts
        self._places = places
        self._in_memory = in_memory
        self._point = number, index
        self._moves = self._wanted()
        self._overwritten = {self._place(unit) for move in self._moves for unit in move.units}

    def overwrite(self, register: Register) -> bool:
        """Whether some of it is in memory that is written here."""
        return any(self._place(unit) in self._overwritten for unit in register.units)

    def make(self, held: Held, kept: set[int]) -> None:
        """Plan the moves. `kept` are units that stay in their registers; the moves add the sources that wait
        there."""
        moves = self._moves
        if any(isinstance(move.source, Register) and self.overwrite(move.source) for move in moves):
            moves = [part for move in moves for part in _units_of(move)]
        while moves:
            move = self._next(moves, held, kept)
            moves.remove(move)
            for part in self._parts(move, held, kept):
                passed = Pass(self._source(part, held, kept), part.units)
                self._room.plan.actions.setdefault(self._point, []).append(passed)

    def _next(self, moves: list[Pass], held: Held, kept: set[int]) -> Pass:
        """A move to a target that no other move reads. If there is none, reload a source, and keep it until
        its turn."""
        readers: dict[int, list[Pass]] = {}
        for move in moves:
            if isinstance(move.source, Register) and kept.isdisjoint(move.source.units):
                for unit in move.source.units:
                    readers.setdefault(self._place(unit), []).append(move)
        for move in moves:
            if all(reader is move for unit in move.units for reader in readers.get(self._place(unit), ())):
                return move
        blocking = next(iter(readers.values()))[0]
        kept.update(blocking.source.units if isinstance(blocking.source, Register) else ())
        self._source(blocking, held, kept)
        return self._next(moves, held, kept)

    def _wanted(self) -> list[Pass]:
        """The moves of a block to parameters in memory: runs of their units with their sources.

        Units that already share their place with the argument are left out: they are stored at their
        definition.
        """
        moves: list[Pass] = []
        for edge in file_edges(self._facts.kernel.blocks[self._point[0]], self._facts):
            for parameter, argument in edge_pairs(self._facts, edge, self._facts.is_vector):
                if parameter in self._in_memory and self._lives(edge, parameter):
                    stays = [self._stays(unit, k, argument) for k, unit in enumerate(parameter.units)]
                    for k, stay in enumerate(stays):
                        if stay and isinstance(argument, Register):
                            self._room.store(argument.first + k, *self._point)
                    moves += _runs(parameter, argument, stays)
        return moves

    def _stays(self, unit: int, k: int, argument: Register | Immediate) -> bool:
        """Whether part `k` of an argument is in the place of a parameter's unit already."""
        if not isinstance(argument, Register) or not self._facts.holds(argument):
            return False
        given = argument.first + k
        return given not in self._facts.constants and self._place(unit) == self._place(given)

    def _parts(self, move: Pass, held: Held, kept: Collection[int]) -> list[Pass]:
        """A move as a whole if its source is in a register or there is room for it, else unit by unit."""
        source = move.source
        if isinstance(source, Register):
            if not self._facts.holds(source) or self._room.current(Read(0, source, 1), held) is not None:
                return [move]
            together = set(kept).union(source.units)
        else:
            together = set(kept).union(move.units)
        if len(together) + self._facts.physical[self._point[0]][self._point[1]] <= self._room.budget:
            return [move]
        return _units_of(move)

    def _source(self, move: Pass, held: Held, kept: Collection[int]) -> Register | Immediate:
        """The register of an argument that goes to memory. An argument of another file is copied on its
        way."""
        argument = move.source
        if not isinstance(argument, Register) or not self._facts.holds(argument):
            self._room.make_room(*self._point, held, len(move.units), kept)
            return argument
        read = Read(0, argument, 1)
        current = self._room.current(read, held)
        if current is not None:
            return current
        self._room.make_room(*self._point, held, argument.count, kept)
        return self._room.bring(*self._point, read, held)

    def _lives(self, edge: Edge, parameter: Register) -> bool:
        target = self._facts.liveness.flow.index[edge.target]
        return any(self._facts.is_read(target, 0, unit) for unit in parameter.units)

    def _place(self, unit: int) -> int:
        return self._places.get(unit, unit)


def _runs(parameter: Register, argument: Register | Immediate, stays: Sequence[bool]) -> list[Pass]:
    """The units of a parameter that do not stay, those next to each other together."""
    runs: list[Pass] = []
    first = 0
    for end in range(len(stays) + 1):
        if end == len(stays) or stays[end]:
            if end > first:
                units = tuple(range(parameter.first + first, parameter.first + end))
                runs.append(Pass(_part(argument, first, end - first), units))
            first = end + 1
    return runs


def _units_of(move: Pass) -> list[Pass]:
    """A move unit by unit."""
    return [Pass(_part(move.source, k), (unit,)) for k, unit in enumerate(move.units)]


def _part(source: Register | Immediate, k: int, count: int = 1) -> Register | Immediate:
    """`count` units of a register or of a constant, from unit `k` on."""
    if isinstance(source, Register):
        return source.part(k, count)
    return Immediate(source.bits >> 32 * k & (1 << 32 * count) - 1)
