"""Dead code: instructions, and block parameters with their arguments, that nothing which must happen depends
on."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping
from functools import cache
from itertools import compress

from isa.instruction import Immediate, Instr, Row, Trait
from isa.named_tuple import NamedTuple
from isa.program import Block, Edge, Kernel
from isa.registers import FIRST_VIRTUAL, SCC, Register, Units, units_among
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
        _swept(block, code, live.reads, live.entered)
        for block, code in zip(kernel.blocks, live.code(), strict=True)
    ]
    return Swept(kernel.with_blocks(blocks), live.reads, live.awaited())


class _Liveness:
    """The units that something live reads, each with how many instructions do, and the live instructions,
    found from the roots. Instructions are numbered through the kernel.

    A single walk from the last instruction to the first finds almost all of them, since readers come after
    the definition. A value that a loop's next trip reads is found late: an instruction without readers when
    the walk came to it is looked up by its results.
    """

    def __init__(self, kernel: Kernel) -> None:
        self._kernel = kernel
        self.entered = {block.label: block for block in kernel.blocks}  # by the target of an edge
        self._code = [instr for block in kernel.blocks for instr in block.instructions]
        self._is_live = bytearray(len(self._code))
        self._needed: set[int] = set()  # the units that live code reads
        self._reads: list[int] = []  # these units, for each reader
        self._passed: dict[int, int] = {}  # the instructions that nothing needed so far, by their results
        self._parameters: dict[int, int] = {}  # the first unit of the parameter that a unit belongs to
        self._arguments: dict[int, list[Register]] = {}  # by the first unit of a parameter that is not needed
        self._scc_sources: dict[int, int] = {}
        self._awaited: list[int] = []  # the writers of SCC for other blocks and for terminators
        self._pending: list[int] = []
        for block in kernel.blocks:
            self._index_arguments(block)
        for block in kernel.blocks:
            if block.terminator is not None:
                self._read(block.terminator)
        end = len(self._code)
        for block, is_awaited in zip(kernel.blocks[::-1], scc_awaited_at_ends(kernel)[::-1], strict=True):
            first = end - len(block.instructions)
            self._index_scc(first, block, is_awaited)
            self._walk(first, end)
            end = first
        self._drain()
        self.reads = dict.fromkeys(self._needed, 0) | Counter(self._reads)

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

    def _walk(self, first: int, end: int) -> None:
        """Find the live instructions from before `end` back to `first`."""
        code, is_live, needed, sources = self._code, self._is_live, self._needed, self._scc_sources
        reads = self._reads
        for number in range(end - 1, first - 1, -1):
            instr = code[number]
            row, units = instr.row, instr.units
            if not is_live[number]:  # otherwise a reader of its SCC is live
                is_asked = bool(row.writes) or needed.isdisjoint(units.written)
                if is_asked and is_removable(row) and not _defines_any(instr, needed):
                    self._passed.update(dict.fromkeys(_units_defined(instr), number))
                    continue
                is_live[number] = True
            read = units.tracked_read
            reads += read
            if not needed.issuperset(read):
                self._need(read)
            if number in sources:
                is_live[sources[number]] = True

    def _index_scc(self, first: int, block: Block, is_awaited: bool) -> None:
        """For each reader of SCC its writer; the last writer is live if SCC is awaited at the end."""
        end = len(block.instructions)
        for reader, writer in scc_sources(block.instructions, is_awaited).items():
            if reader == end:
                self._is_live[first + writer] = True
                self._awaited.append(first + writer)
            else:
                self._scc_sources[first + reader] = first + writer

    def _index_arguments(self, block: Block) -> None:
        for edge, parameters in _edges_with_parameters(self.entered, block):
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
        units = instr.units.tracked_read
        self._reads += units
        if not self._needed.issuperset(units):
            self._need(units)

    def _need(self, units: Iterable[int]) -> None:
        """Note units that live code reads, and what edges and instructions behind the walk have to define for
        them."""
        passed, parameters = self._passed, self._parameters
        stack = [units]
        while stack:
            units = stack.pop()
            self._needed.update(units)
            if passed.keys().isdisjoint(units) and parameters.keys().isdisjoint(units):
                continue
            for unit in units:
                if unit in passed:
                    self._mark(passed[unit])
                if unit in parameters:
                    stack += [argument.units for argument in self._arguments.pop(parameters[unit], ())]

    def _drain(self) -> None:
        """Follow the instructions that the walk passed before something needed them."""
        code, pending, writers = self._code, self._pending, self._scc_sources
        while pending:
            number = pending.pop()
            self._read(code[number])
            if number in writers:
                self._mark(writers[number])


def _defines_any(instr: Instr, needed: Container[int]) -> bool:
    """Whether an instruction defines any of some units by an operand, or a physical register."""
    for i in instr.row.defines:
        operand = instr.operands[i]
        if isinstance(operand, Register):
            first, count = operand
            if first < FIRST_VIRTUAL or first in needed:
                return True
            if count > 1 and any(unit in needed for unit in range(first + 1, first + count)):
                return True
    return False


def _units_defined(instr: Instr) -> Units:
    """The units that an instruction defines by its operands."""
    return units_among([instr.operands[i] for i in instr.row.defines])


def _edges_with_parameters(
    entered: Mapping[str, Block], block: Block
) -> list[tuple[Edge, tuple[Register, ...]]]:
    pairs = [(edge, entered[edge.target].scalar_parameters) for edge in block.linear if edge.arguments]
    return pairs + [
        (edge, entered[edge.target].vector_parameters) for edge in block.logical if edge.arguments
    ]


def _swept(block: Block, code: list[Instr], units: Container[int], entered: Mapping[str, Block]) -> Block:
    return Block(
        block.label,
        _kept(block.scalar_parameters, units),
        _kept(block.vector_parameters, units),
        code,
        block.terminator,
        tuple([_swept_edge(edge, entered[edge.target].scalar_parameters, units) for edge in block.linear]),
        tuple([_swept_edge(edge, entered[edge.target].vector_parameters, units) for edge in block.logical]),
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
