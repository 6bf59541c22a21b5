"""Sums of f32 with f16 operands: `v_fma_mix_f32` widens each f16 source, so a conversion needs no instruction
if each of its lanes is read by a single sum.

    y = convert[f32](x: f16x2); z = add(acc, y)      v_fma_mix_f32 z0, x, 1.0, acc0 op_sel_hi:[1,0,0]
                                                     v_fma_mix_f32 z1, x, 1.0, acc1 op_sel:[1,0,0] ...

A product by 1 is exact, so the fma rounds once, as the sum does. A source that is not f16 is read with its 32
bits, and so is the inline 1.0 (RDNA3 ISA, V_FMA_MIX_F32).
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from asmgen.graph.ops import LITERAL, graph_op
from asmgen.ir.program import Statement, Value
from asmgen.ir.types import F16, F32, LaneType
from asmgen.lanewise import ops
from asmgen.lanewise.records import Extract
from asmgen.select.arithmetic.alu import SourceOperand, source_of
from asmgen.select.arithmetic.narrow import Place, place_of
from asmgen.select.operands import with_sign
from asmgen.select.selection import Part, Selection, lane_type
from asmgen.select.uses import CONVERT, Use, Uses
from isa.constants import inline_spelling
from isa.instruction import Immediate
from isa.registers import Register

ADD, SUB = graph_op("add"), graph_op("sub")
_SUMS = frozenset({ADD, SUB, ops.FMA})
_ONE = Immediate(0x3F800000)


def find_mixed(uses: Uses) -> None:
    """Note the values that their readers take as f16: conversions to f32, and parts of them."""
    for value, statement in uses.defined.items():
        if statement.op is not CONVERT or not _widens(statement, uses):
            continue
        readers = list(_readers(uses, value))
        taken = [lane for _, first, count in readers for lane in range(first, first + count)]
        if readers and all(ok for ok, _, _ in readers) and len(set(taken)) == len(taken):
            (source,) = statement.operands
            uses.mixed[value] = source, 0
            for use in uses.of(value):
                if use.statement.op is ops.EXTRACT:
                    uses.mixed[use.statement.result] = source, Extract.of(use.statement)[0]


def _widens(statement: Statement, uses: Uses) -> bool:
    """Whether a conversion is of f16 in a register to f32."""
    known = uses.defined.get(statement.operands[0])
    if known is None or known.op is LITERAL:
        return False
    source, target = statement.operands[0].type, statement.result.type
    return (
        isinstance(source, LaneType)
        and isinstance(target, LaneType)
        and source.element is F16
        and target.element is F32
    )


def _readers(uses: Uses, value: Value) -> Iterator[tuple[bool, int, int]]:
    """Of each reader of a conversion, or of parts of it: whether it is a sum in its region, and the lanes
    that it reads.
    """
    for use in uses.of(value):
        if use.statement.op is not ops.EXTRACT:
            yield _is_sum(uses, use, value), 0, _lanes(value)
            continue
        part, (first, _) = use.statement.result, Extract.of(use.statement)
        is_here = use.region == uses.region[value]
        for inner in uses.of(part):
            yield is_here and _is_sum(uses, inner, part), first, _lanes(part)


def _is_sum(uses: Uses, use: Use, value: Value) -> bool:
    return use.statement.op in _SUMS and use.region == uses.region[value]


def _lanes(value: Value) -> int:
    assert isinstance(value.type, LaneType)
    return value.type.lanes


def select_mixed(s: Selection, statement: Statement) -> bool:
    """Append a sum with an f16 operand; False, and nothing is appended, if it has none."""
    if statement.op not in _SUMS or not any(operand in s.uses.mixed for operand in statement.operands):
        return False
    sources = [_Source.of(s, operand) for operand in statement.operands]
    if statement.op is not ops.FMA:
        a, b = sources
        if statement.op is SUB:
            b = b.turned()
        sources = [a, _Source(SourceOperand((_ONE,), "f32")), b]
    result = s.destination(statement.result)
    for lane in range(lane_type(statement.result).lanes):
        _put(s, result.part(lane), sources, lane)
    return True


class _Source:
    """An operand of a sum: f32, or f16, whose lanes are at `places`."""

    def __init__(self, source: SourceOperand, places: tuple[Place, ...] = ()) -> None:
        self.source, self.places = source, places

    @classmethod
    def of(cls, s: Selection, value: Value) -> _Source:
        if value not in s.uses.mixed:
            return cls(source_of(s, value))
        narrow, first = s.uses.mixed[value]
        places = tuple([place_of(s, narrow, first + lane) for lane in range(lane_type(value).lanes)])
        return cls(SourceOperand((), "f16"), places)

    def turned(self) -> _Source:
        return _Source(replace(self.source, neg=not self.source.neg), self.places)

    def part(self, lane: int) -> tuple[Part, int]:
        """The register, and which half of it is read."""
        if self.places:
            return self.places[lane].part, int(self.places[lane].byte > 0)
        return self.source.parts[lane if len(self.source.parts) > 1 else 0], 0


def _put(s: Selection, result: Register, sources: list[_Source], lane: int) -> None:
    neg = abs_ = 0
    halves: list[int] = []
    chosen: list[Part] = []
    for position, operand in enumerate(sources):
        (part, half), source = operand.part(lane), operand.source
        halves.append(half)
        if isinstance(part, Immediate):
            signed = with_sign(part, "f32", source.neg, source.abs) or part
            is_inline = inline_spelling(signed.bits, "f32") is not None
            chosen.append(signed if is_inline else s.emitter.vector_constant(signed.bits))
            continue
        chosen.append(part)
        neg |= source.neg << position
        abs_ |= source.abs << position
    row = s.emitter.table.row("v_fma_mix_f32")
    scalars = [part for part in chosen if s.emitter.is_scalar(part)]
    kept = scalars[:1]
    operands = [s.emitter.to_vgpr(part) if part in scalars and part not in kept else part for part in chosen]
    kinds = tuple([int(bool(operand.places)) for operand in sources])
    modifiers = {"op_sel": tuple(halves), "op_sel_hi": kinds}
    signs = {name: mask for name, mask in (("neg", neg), ("abs", abs_)) if mask}
    s.emitter.put(row, result, *operands, **signs, **modifiers)
