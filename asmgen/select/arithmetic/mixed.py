"""Sums and products of f32 with f16 operands or results: `v_fma_mix_f32` widens each f16 source, so a
conversion needs no instruction if each of its lanes is read by a single sum or product.

    y = convert[f32](x: f16x2); z = add(acc, y)      v_fma_mix_f32 z0, x, 1.0, acc0 op_sel_hi:[1,0,0]
                                                     v_fma_mix_f32 z1, x, 1.0, acc1 op_sel:[1,0,0] ...

A product by 1 is exact, so the fma rounds once, as the sum does; a product plus -0 is the product. A source
that is not f16 is read with its 32 bits, and so is the inline 1.0 (RDNA3 ISA, V_FMA_MIX_F32).

    z = convert[f16](mul(x, y))                      v_fma_mixlo_f16 z, x0, y0, -0
                                                     v_fma_mixhi_f16 z, x1, y1, -0

The halves of a register are written by two instructions that round the f32 to f16, as the conversion does.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from asmgen.graph.ops import LITERAL, graph_op
from asmgen.ir.program import Statement, Value, lane_type
from asmgen.ir.types import F16, F32, LaneType
from asmgen.lanewise import ops
from asmgen.lanewise.records import Extract
from asmgen.select.arithmetic.narrow import Place, place_of
from asmgen.select.operands import put_vector, with_sign
from asmgen.select.selection import Part, Selection, SourceOperand, source_of
from asmgen.select.uses import CONVERT, Use, Uses
from isa.constants import inline_spelling
from isa.instruction import Immediate, Row
from isa.registers import Register

ADD, SUB, MUL = graph_op("add"), graph_op("sub"), graph_op("mul")
_SUMS = frozenset({ADD, SUB, MUL, ops.FMA})
_ONE = Immediate(0x3F800000)
_ZERO = Immediate(0)


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


def find_rounded(uses: Uses) -> None:
    """Note the sums and products that are only rounded to f16."""
    for statement in uses.defined.values():
        if statement.op is not CONVERT or not is_rounding(statement):
            continue
        (value,) = statement.operands
        made = uses.defined.get(value)
        is_own = uses.only(value) is not None and value not in uses.uniform
        if is_own and made is not None and made.op in _SUMS:
            uses.rounded.add(value)


def is_rounding(statement: Statement) -> bool:
    """Whether a conversion is of f32 to pairs of f16."""
    source, target = statement.operands[0].type, statement.result.type
    is_narrow = isinstance(target, LaneType) and target.element is F16 and target.lanes > 1
    return is_narrow and isinstance(source, LaneType) and source.element is F32


def _widens(statement: Statement, uses: Uses) -> bool:
    """Whether a conversion is of f16 in a register to f32."""
    known = uses.defined.get(statement.operands[0])  # None for a value that a loop carries
    if known is not None and known.op is LITERAL:
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
    if statement.op not in _SUMS or s.uses.mixed.keys().isdisjoint(statement.operands):
        return False
    sources = _factors(s, statement)
    result = s.destination(statement.result)
    row = s.emitter.table.row("v_fma_mix_f32")
    for lane in range(lane_type(statement.result).lanes):
        _put(s, row, result.part(lane), sources, lane)
    return True


def _factors(s: Selection, statement: Statement) -> list[_Source]:
    """The three operands of a fma that is the sum or product of a statement."""
    sources = [_Source.of(s, operand) for operand in statement.operands]
    if statement.op is ops.FMA:
        return sources
    a, b = sources
    if statement.op is MUL:
        return [a, b, _Source(SourceOperand((_ZERO,), "f32", neg=True))]
    return [a, _Source(SourceOperand((_ONE,), "f32")), b.turned() if statement.op is SUB else b]


def put_rounded(s: Selection, statement: Statement, register: Register) -> None:
    """A conversion of f32 to f16, two lanes in a register. A sum or product that only it reads is made and
    rounded by the same instruction.
    """
    (value,) = statement.operands
    is_made = value in s.uses.rounded
    if is_made:
        sources = _factors(s, s.uses.defined[value])
    else:
        of_one = (_Source(SourceOperand((_ONE,), "f32")), _Source(SourceOperand((_ZERO,), "f32", neg=True)))
        sources = [_Source(source_of(s, value)), *of_one]
    low, high = (s.emitter.table.row(f"v_fma_mix{half}_f16") for half in ("lo", "hi"))
    lanes = lane_type(statement.result).lanes
    for lane in range(0, lanes, 2):
        unit = register.part(lane // 2)
        first = s.emitter.vgpr() if lane + 1 < lanes else unit
        old = _old(s, sources, lane, lane + 1 < lanes) if is_made else None
        if old is None:
            _put_narrowed(s, first, sources[0], lane)
        else:
            _put(s, low, first, sources, lane, old)
        if lane + 1 < lanes:
            _put(s, high, unit, [source.renamed(old, first) for source in sources], lane + 1, first)


def _put_narrowed(s: Selection, result: Register, operand: _Source, lane: int) -> None:
    (part, _), source = operand.part(lane), operand.source
    signed = with_sign(part, "f32", source.neg, source.abs)
    if signed is not None:
        put_vector(s.emitter, "v_cvt_f16_f32", (result,), (signed,))
    else:
        put_vector(s.emitter, "v_cvt_f16_f32", (result,), (part,), int(source.neg), int(source.abs))


def _old(s: Selection, sources: list[_Source], lane: int, has_upper: bool) -> Register:
    """The register with the upper half that the result of the lower half keeps: an f16 operand, so that its
    upper half is read from the result, or an f32 that was read before. The i-th result takes the i-th
    register of an operand, so both may be at the same place of their tuples.
    """
    for source in sources:
        part, half = source.part(lane)
        is_pair = bool(source.places) and has_upper and not half and source.part(lane + 1) == (part, 1)
        if is_pair and isinstance(part, Register) and s.emitter.is_vgpr(part):
            return part
    for source in sources:
        part, _ = source.part(lane // 2)
        if not source.places and isinstance(part, Register) and s.emitter.is_vgpr(part):
            return part
    return s.emitter.vector_constant(0)


class _Source:
    """An operand of a sum: f32, or f16 with its lanes at `places`."""

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

    def renamed(self, old: Register | None, new: Register) -> _Source:
        """The operand with its f16 pair read from another register."""
        places = [place._replace(part=new) if place.part == old else place for place in self.places]
        return _Source(self.source, tuple(places))

    def part(self, lane: int) -> tuple[Part, int]:
        """The register, and which half of it is read."""
        if self.places:
            return self.places[lane].part, int(self.places[lane].byte > 0)
        return self.source.parts[lane if len(self.source.parts) > 1 else 0], 0


def _put(s: Selection, row: Row, result: Register, sources: list[_Source], lane: int, *old: Register) -> None:
    neg = abs_ = 0
    halves: list[int] = []
    chosen: list[Part] = []
    for position, operand in enumerate(sources):
        (part, half), source = operand.part(lane), operand.source
        halves.append(half)
        if isinstance(part, Immediate):
            signed = with_sign(part, "f32", source.neg, source.abs) or part
            if part == _ZERO:
                chosen.append(part)
                neg |= source.neg << position
                continue
            is_inline = inline_spelling(signed.bits, "f32") is not None
            chosen.append(signed if is_inline else s.emitter.vector_constant(signed.bits))
            continue
        chosen.append(part)
        neg |= source.neg << position
        abs_ |= source.abs << position
    scalars = [part for part in chosen if s.emitter.is_scalar(part)]
    kept = scalars[:1]
    operands = [s.emitter.to_vgpr(part) if part in scalars and part not in kept else part for part in chosen]
    kinds = tuple([int(bool(operand.places)) for operand in sources])
    modifiers = {"op_sel": tuple(halves), "op_sel_hi": kinds}
    signs = {name: mask for name, mask in (("neg", neg), ("abs", abs_)) if mask}
    s.emitter.put(row, result, *operands, *old, **signs, **modifiers)
