"""Maxima and minima in which a NaN stays, of targets that have those of three numbers:

    v_maximum3_f32 %m, %a, %b, %b
    v_maximum3_f32 %r, %m, %c, %c        v_maximum3_f32 %r, %a, %b, %c
    v_minimum3_f32 %s, %m, %c, %c        v_maximumminimum_f32 %s, %a, %b, %c

A maximum is the same in any order: it is NaN if any source is NaN, and +0 is above -0 (docs/semantics.md).
"""

from __future__ import annotations

from asmgen.passes.ssa import Rewriter, Site
from isa.instruction import Instr, Operand, Row
from isa.named_tuple import NamedTuple
from isa.operations import Operation, plain_meaning, sources
from isa.registers import Register

# an extreme of the other extreme, as a single instruction
_OF_OTHER = {
    Operation.FLOAT_MINIMUM_OF_THREE: "v_maximumminimum_f32",
    Operation.FLOAT_MAXIMUM_OF_THREE: "v_minimummaximum_f32",
}


class _Pair(NamedTuple):
    """The two sources of an extreme, the last of which is there twice."""

    operation: Operation
    first: Operand
    last: Operand


def extreme_of_three(outer: Instr, site: Site, rewriter: Rewriter) -> Instr | None:
    """An extreme of two together with the extreme of two that makes a source of it; None if there is none,
    or if others read that source. The later of two is drawn in: the earlier need not wait for its sources."""
    pair = _pair(outer)
    candidates = list[tuple[Site, Row, tuple[Operand, ...]]]()
    for value, other in () if pair is None else ((pair.first, pair.last), (pair.last, pair.first)):
        definition = rewriter.definition(value) if isinstance(value, Register) else None
        inner = None if definition is None else _pair(definition[1])
        if pair is None or definition is None or inner is None:
            continue
        is_same = inner.operation is pair.operation
        row = outer.row if is_same else rewriter.table.find(_OF_OTHER[pair.operation])
        read = (inner.first, inner.last)
        if row is None or not _is_read_here_alone(value, outer, rewriter):
            continue
        if all(_may_read(each, outer, site, rewriter) for each in read):
            candidates.append((definition[0], row, (outer.operands[0], *read, other)))
    for _, row, operands in sorted(candidates, key=lambda each: each[0], reverse=True):
        if rewriter.is_legal(row, operands):
            return outer.as_row(row, operands)
    return None


def _pair(instr: Instr) -> _Pair | None:
    meaning = plain_meaning(instr)
    if meaning is None or meaning.operation not in _OF_OTHER:
        return None
    first, second, third = sources(instr, meaning)
    return _Pair(meaning.operation, first, second) if second == third and first != second else None


def _is_read_here_alone(value: Operand, reader: Instr, rewriter: Rewriter) -> bool:
    units = value.units if isinstance(value, Register) else ()
    reads = reader.units.tracked_read
    return all(rewriter.use_counts.get(unit, 0) == reads.count(unit) for unit in units)


def _may_read(operand: Operand, reader: Instr, site: Site, rewriter: Rewriter) -> bool:
    return not isinstance(operand, Register) or rewriter.may_read(operand, reader.row, site.block)
