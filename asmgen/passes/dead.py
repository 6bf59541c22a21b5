"""Dead code: instructions, and block parameters with their arguments, that nothing which must happen depends
on."""

from __future__ import annotations

from collections.abc import Container
from functools import cache
from typing import NamedTuple

from isa.instruction import Immediate, Instr, Row, Trait
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
    """A kernel without dead code, and the number of reads of each unit by instructions."""

    kernel: Kernel
    reads: dict[int, int]


def remove_dead(kernel: Kernel) -> Swept:
    """A kernel without unused instructions and parameters."""
    live = _Liveness(kernel)
    blocks = [
        _swept(block, live.instructions[number], live.reads, kernel)
        for number, block in enumerate(kernel.blocks)
    ]
    return Swept(kernel.with_blocks(blocks), live.reads)


class _Liveness:
    """The units that something live reads, each with how many instructions do, and the live instructions of
    each block, found from the roots."""

    def __init__(self, kernel: Kernel) -> None:
        self.kernel = kernel
        self.reads: dict[int, int] = {}
        self.instructions: list[list[bool]] = [[False] * len(block.instructions) for block in kernel.blocks]
        self._definitions: dict[int, tuple[int, int]] = {}
        self._arguments: dict[int, list[int]] = {}
        self._scc_sources: list[dict[int, int]] = []
        self._pending: list[tuple[int, int]] = []
        for number, (block, awaited) in enumerate(
            zip(kernel.blocks, scc_awaited_at_ends(kernel), strict=True)
        ):
            self._index(number, block)
            self._index_scc(number, block, awaited)
            self._index_arguments(block)
        for block in kernel.blocks:
            if block.terminator is not None:
                self._read(block.terminator)
        self._drain()

    def _index(self, number: int, block: Block) -> None:
        """Index the definitions, and the instructions that have to stay."""
        definitions = self._definitions
        for position, instr in enumerate(block.instructions):
            row, operands, site = instr.row, instr.operands, (number, position)
            stays = not is_removable(row)
            for i in row.defines:
                operand = operands[i]
                if isinstance(operand, Register):
                    first, count = operand
                    stays = stays or first < FIRST_VIRTUAL
                    for unit in (first,) if count == 1 else range(first, first + count):
                        definitions[unit] = site
            if stays:
                self._mark(number, position)

    def _index_scc(self, number: int, block: Block, is_awaited: bool) -> None:
        """For each reader of SCC its writer; the last writer is live if SCC is awaited at the end."""
        sources = scc_sources(block.instructions, is_awaited)
        self._scc_sources.append(sources)
        last = sources.get(len(block.instructions))
        if last is not None:
            self._mark(number, last)

    def _index_arguments(self, block: Block) -> None:
        for edge, parameters in _edges_with_parameters(self.kernel, block):
            for argument, parameter in zip(edge.arguments, parameters, strict=True):
                if isinstance(argument, Register):
                    for unit in parameter.units:  # a parameter that stays takes its arguments whole
                        self._arguments.setdefault(unit, []).extend(argument.units)

    def _mark(self, number: int, position: int) -> None:
        if not self.instructions[number][position]:
            self.instructions[number][position] = True
            self._pending.append((number, position))

    def _read(self, instr: Instr) -> None:
        operands, reads = instr.operands, self.reads
        for i in instr.row.uses:
            operand = operands[i]
            if isinstance(operand, Register):
                first, count = operand
                for unit in (first,) if count == 1 else range(first, first + count):
                    if unit in reads:
                        reads[unit] += 1
                        continue
                    reads[unit] = 1
                    site = self._definitions.get(unit)
                    if site is not None:
                        self._mark(*site)
                    if unit in self._arguments:
                        self._need_arguments(unit)

    def _need_arguments(self, parameter: int) -> None:
        """Note the arguments of a parameter's unit, through all the blocks that pass it on."""
        stack = list(self._arguments[parameter])
        while stack:
            unit = stack.pop()
            if unit in self.reads:
                continue
            self.reads[unit] = 0  # no instruction reads it yet
            site = self._definitions.get(unit)
            if site is not None:
                self._mark(*site)
            stack += self._arguments.get(unit, ())

    def _drain(self) -> None:
        while self._pending:
            number, position = self._pending.pop()
            self._read(self.kernel.blocks[number].instructions[position])
            writer = self._scc_sources[number].get(position)
            if writer is not None:
                self._mark(number, writer)


def _edges_with_parameters(kernel: Kernel, block: Block) -> list[tuple[Edge, tuple[Register, ...]]]:
    pairs = [(edge, kernel.block(edge.target).scalar_parameters) for edge in block.linear if edge.arguments]
    return pairs + [
        (edge, kernel.block(edge.target).vector_parameters) for edge in block.logical if edge.arguments
    ]


def _swept(block: Block, live: list[bool], units: Container[int], kernel: Kernel) -> Block:
    return Block(
        block.label,
        _kept(block.scalar_parameters, units),
        _kept(block.vector_parameters, units),
        [instr for instr, stays in zip(block.instructions, live, strict=True) if stays],
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
