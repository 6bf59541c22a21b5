"""Dead code: instructions, and block parameters with their arguments, that nothing which must happen depends
on."""

from __future__ import annotations

from collections.abc import Container, Iterator
from functools import cache
from itertools import compress

from isa.instruction import Immediate, Instr, Row, Trait
from isa.named_tuple import NamedTuple
from isa.program import Block, Edge, Kernel
from isa.registers import FIRST_VIRTUAL, SCC, Register
from regalloc.flags import scc_awaited_at_ends, scc_sources

_KEPT = frozenset(
    {
        Trait.SIDE_EFFECT, Trait.STORE, Trait.ATOMIC, Trait.BARRIER, Trait.WAIT, Trait.NOP, Trait.BRANCH,
        Trait.CONDITIONAL_BRANCH, Trait.END,
        Trait.CACHE, Trait.LDS_DMA,
    }
)  # fmt: skip


@cache
def is_removable(row: Row) -> bool:
    """Whether an instruction of this row does nothing but define its results, SCC among them."""
    return row.traits.isdisjoint(_KEPT) and all(register == SCC for register in row.writes)


class Swept(NamedTuple):
    """A kernel without dead code, the number of reads of each unit by instructions, and the instructions that
    write an SCC that is read, by block and position."""

    kernel: Kernel
    reads: dict[int, int]
    awaited: list[tuple[int, int]]


def remove_dead(kernel: Kernel) -> Swept:
    """A kernel without unused instructions and parameters."""
    live = _Liveness(kernel)
    blocks = [
        _swept(block, code, live.reads, kernel)
        for block, code in zip(kernel.blocks, live.code(), strict=True)
    ]
    return Swept(kernel.with_blocks(blocks), live.reads, live.awaited())


class _Liveness:
    """The units that something live reads, each with how many instructions do, and the live instructions,
    found from the roots. Instructions are numbered through the kernel."""

    def __init__(self, kernel: Kernel) -> None:
        self.reads: dict[int, int] = {}
        self._kernel = kernel
        self._code = [instr for block in kernel.blocks for instr in block.instructions]
        self._is_live = bytearray(len(self._code))
        self._definitions: dict[int, int] = {}
        self._parameters: dict[int, int] = {}  # the first unit of the parameter that a unit belongs to
        self._arguments: dict[int, list[Register]] = {}  # by the first unit of a parameter that is not needed
        self._scc_sources: dict[int, int] = {}
        self._awaited: list[int] = []  # the writers of SCC for other blocks and for terminators
        self._pending: list[int] = []
        self._index()
        first = 0
        for block, is_awaited in zip(kernel.blocks, scc_awaited_at_ends(kernel), strict=True):
            self._index_scc(first, block, is_awaited)
            self._index_arguments(block)
            first += len(block.instructions)
        for block in kernel.blocks:
            if block.terminator is not None:
                self._read(block.terminator)
        self._drain()

    def code(self) -> Iterator[list[Instr]]:
        """The live instructions of each block."""
        first = 0
        for block in self._kernel.blocks:
            end = first + len(block.instructions)
            yield list(compress(block.instructions, self._is_live[first:end]))
            first = end

    def awaited(self) -> list[tuple[int, int]]:
        """The live instructions that write an SCC that is read, by block and position among live
        instructions."""
        is_live, places = self._is_live, list[tuple[int, int]]()
        readers = [writer for reader, writer in self._scc_sources.items() if is_live[reader]]
        writers = sorted({*self._awaited, *readers}, reverse=True)
        first = 0
        for number, block in enumerate(self._kernel.blocks):
            end = first + len(block.instructions)
            while writers and writers[-1] < end:
                places.append((number, is_live.count(1, first, writers.pop())))
            first = end
        return places

    def _index(self) -> None:
        """Index the definitions, and the instructions that have to stay."""
        definitions = self._definitions
        for number, instr in enumerate(self._code):
            row, operands = instr.row, instr.operands
            stays = not is_removable(row)
            for i in row.defines:
                operand = operands[i]
                if not isinstance(operand, Register):
                    continue
                first, count = operand
                if first < FIRST_VIRTUAL:
                    stays = True
                elif count == 1:
                    definitions[first] = number
                else:
                    definitions.update(dict.fromkeys(range(first, first + count), number))
            if stays:
                self._mark(number)

    def _index_scc(self, first: int, block: Block, is_awaited: bool) -> None:
        """For each reader of SCC its writer; the last writer is live if SCC is awaited at the end."""
        end = len(block.instructions)
        for reader, writer in scc_sources(block.instructions, is_awaited).items():
            if reader == end:
                self._mark(first + writer)
                self._awaited.append(first + writer)
            else:
                self._scc_sources[first + reader] = first + writer

    def _index_arguments(self, block: Block) -> None:
        for edge, parameters in _edges_with_parameters(self._kernel, block):
            for argument, parameter in zip(edge.arguments, parameters, strict=True):
                if isinstance(argument, Register):
                    # a parameter that stays takes its arguments whole
                    self._parameters.update(dict.fromkeys(parameter.units, parameter.first))
                    self._arguments.setdefault(parameter.first, []).append(argument)

    def _mark(self, number: int) -> None:
        if not self._is_live[number]:
            self._is_live[number] = True
            self._pending.append(number)

    def _read(self, instr: Instr) -> None:
        reads, definitions, parameters = self.reads, self._definitions, self._parameters
        for unit in instr.units.tracked_read:
            if unit in reads:
                reads[unit] += 1
                continue
            reads[unit] = 1
            if unit in definitions:
                self._mark(definitions[unit])
            if unit in parameters:
                self._need_arguments(parameters[unit])

    def _need_arguments(self, parameter: int) -> None:
        """Note the arguments of a parameter, through all the blocks that pass it on."""
        stack = self._arguments.pop(parameter, [])
        while stack:
            for unit in stack.pop().units:
                if unit in self.reads:
                    continue
                self.reads[unit] = 0  # no instruction reads it yet
                if unit in self._definitions:
                    self._mark(self._definitions[unit])
                if unit in self._parameters:
                    stack += self._arguments.pop(self._parameters[unit], ())

    def _drain(self) -> None:
        code, pending, writers = self._code, self._pending, self._scc_sources
        while pending:
            number = pending.pop()
            self._read(code[number])
            if number in writers:
                self._mark(writers[number])


def _edges_with_parameters(kernel: Kernel, block: Block) -> list[tuple[Edge, tuple[Register, ...]]]:
    pairs = [(edge, kernel.block(edge.target).scalar_parameters) for edge in block.linear if edge.arguments]
    return pairs + [
        (edge, kernel.block(edge.target).vector_parameters) for edge in block.logical if edge.arguments
    ]


def _swept(block: Block, code: list[Instr], units: Container[int], kernel: Kernel) -> Block:
    return Block(
        block.label,
        _kept(block.scalar_parameters, units),
        _kept(block.vector_parameters, units),
        code,
        block.terminator,
        tuple(_swept_edge(edge, kernel.block(edge.target).scalar_parameters, units) for edge in block.linear),
        tuple(
            _swept_edge(edge, kernel.block(edge.target).vector_parameters, units) for edge in block.logical
        ),
    )


def _is_needed(parameter: Register, units: Container[int]) -> bool:
    return any(unit in units for unit in parameter.units)


def _kept(parameters: tuple[Register, ...], units: Container[int]) -> tuple[Register, ...]:
    return (
        tuple(parameter for parameter in parameters if _is_needed(parameter, units))
        if parameters
        else parameters
    )


def _swept_edge(edge: Edge, parameters: tuple[Register, ...], units: Container[int]) -> Edge:
    if not edge.arguments:
        return edge
    arguments: list[Register | Immediate] = []
    for argument, parameter in zip(edge.arguments, parameters, strict=True):
        if _is_needed(parameter, units):
            arguments.append(argument)
    return Edge(edge.target, tuple(arguments))
