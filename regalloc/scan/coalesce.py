"""The units that would save a copy, or a longer encoding, by sharing a register.

Nothing is merged beforehand. The scan tries the registers of a unit's partners first, then those of the
partners of partners without a register, and so on. So a block parameter, its arguments on every edge, and
values joined to them by ties or moves tend to share a register.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

from isa.instruction import Encoding, Instr, Row, Trait
from isa.named_tuple import NamedTuple
from isa.operations import ACCUMULATING
from isa.program import Kernel
from isa.registers import FIRST_VIRTUAL, Register
from isa.table import Table
from regalloc.allocation import RELOAD, SPILL
from regalloc.cfg import ControlFlow
from regalloc.scan.carried import carried_pairs

Partners = dict[int, list[int]]
"""For a virtual unit, the units, virtual or physical, with which sharing a register saves something, the most
useful first."""


def find_partners(kernel: Kernel, flow: ControlFlow) -> Partners:
    """Partners by ties, then by edge arguments, by moves, by values that a loop carries, and by operands that
    a shorter encoding needs in VCC or in the same register."""
    copied, shorter = _saving_pairs(kernel, flow)
    partners: Partners = {}
    _join(partners, kernel, copied)
    for one, other in carried_pairs(kernel, flow):
        _pair(partners, one, other)
    _join(partners, kernel, shorter)
    return partners


def find_saving_partners(kernel: Kernel, flow: ControlFlow) -> Partners:
    """Like `find_partners` without the values that a loop carries: sharing these saves nothing by itself."""
    partners: Partners = {}
    for pairs in _saving_pairs(kernel, flow):
        _join(partners, kernel, pairs)
    return partners


_Pairs = list[tuple[Register, Register]]


def _saving_pairs(kernel: Kernel, flow: ControlFlow) -> tuple[_Pairs, _Pairs]:
    """The pairs of registers that save a copy by sharing a register, and the pairs that save a longer
    encoding."""
    ties: _Pairs = []
    moves: _Pairs = []
    shorter: _Pairs = []
    table = kernel.table
    for block in kernel.blocks:
        for instr in block.instructions:
            row = instr.row
            if row.ties:
                ties += [pair for use, define in row.ties if (pair := _registers(instr, define, use))]
            if (
                Trait.MOVE in row.traits
                and instr.origin not in (SPILL, RELOAD)  # its two registers must differ
                and (pair := _registers(instr, row.defines[0], row.uses[0]))
            ):
                moves.append(pair)
            short = when_short(table, row)
            if short.fixed:
                shorter += [
                    (operand, register)
                    for i, register in short.fixed
                    if isinstance(operand := instr.operands[i], Register)
                ]
            if short.accumulates and (pair := _registers(instr, row.defines[0], row.uses[-1])):
                shorter.append(pair)
    return [*ties, *_edge_pairs(kernel, flow), *moves], shorter


def _join(partners: Partners, kernel: Kernel, pairs: Iterable[tuple[Register, Register]]) -> None:
    """Make the units of registers of the same class partners, each of its counterpart."""
    for one, other in pairs:
        if kernel.register_class(one) is not kernel.register_class(other):
            continue
        if one.count == other.count == 1:
            _pair(partners, one.first, other.first)
        else:
            for a, b in zip(one.units, other.units, strict=True):
                _pair(partners, a, b)


def _pair(partners: Partners, one: int, other: int) -> None:
    if one >= FIRST_VIRTUAL:
        partners.setdefault(one, []).append(other)
    if other >= FIRST_VIRTUAL:
        partners.setdefault(other, []).append(one)


def _registers(instr: Instr, result: int, source: int) -> tuple[Register, Register] | None:
    one, other = instr.operands[result], instr.operands[source]
    return (one, other) if isinstance(one, Register) and isinstance(other, Register) else None


def _edge_pairs(kernel: Kernel, flow: ControlFlow) -> list[tuple[Register, Register]]:
    """Every parameter with each register it takes."""
    pairs: list[tuple[Register, Register]] = []
    for block in kernel.blocks:
        for edge in block.linear:
            parameters = kernel.blocks[flow.index[edge.target]].scalar_parameters
            pairs += [
                (p, a) for p, a in zip(parameters, edge.arguments, strict=True) if isinstance(a, Register)
            ]
        for edge in block.logical:
            parameters = kernel.blocks[flow.index[edge.target]].vector_parameters
            pairs += [
                (p, a) for p, a in zip(parameters, edge.arguments, strict=True) if isinstance(a, Register)
            ]
    return pairs


class Short(NamedTuple):
    """The needs of a shorter encoding of a row: the operands that it has in a fixed register, with that
    register, and whether the result takes the register of the last source."""

    fixed: tuple[tuple[int, Register], ...]
    accumulates: bool


@cache
def when_short(table: Table, row: Row) -> Short:
    """The needs of a shorter encoding of a row; no needs if there is none."""
    if row.encoding is not Encoding.E64 and row.operation not in ACCUMULATING:
        return Short((), False)
    accumulates = table.find(ACCUMULATING.get(row.operation, "")) is not None
    short = next((other for other in table.named(row.name) if other.encoding is Encoding.E32), None)
    if short is None:
        return Short((), accumulates)
    fixed = {spec.name: spec.fixed for spec in short.operands if spec.fixed is not None}
    places = [
        (i, register) for i, spec in enumerate(row.operands) if (register := fixed.get(spec.name)) is not None
    ]
    return Short(tuple(places), accumulates)
