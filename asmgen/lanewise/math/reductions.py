"""Reductions taken apart: over the elements of a lane, and over the waves of a workgroup.

The order of a float sum is a tree, so that the error grows with the logarithm of the length; a sum of
products that may be contracted is a chain of fmas.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial, reduce
from math import nan

from asmgen.graph.ops import COMBINES
from asmgen.ir.identities import identity
from asmgen.ir.program import Attribute, Op, Statement, Value
from asmgen.ir.types import F32, I32, U32, LaneType
from asmgen.lanewise.builder import LaneBuilder
from asmgen.lanewise.math import simple
from asmgen.lanewise.ops import ANY_LANE
from asmgen.lanewise.records import LaneScan, Reduction
from asmgen.lanewise.reduction_ops import EXTREMES, IS_LANE, LANE_STEP
from isa.target import WIDEST_ACCESS

PACKED_UP_TO = {16: 2, 32: 4, 64: 4}  # lanes above which halves are combined as packed registers, by bits

Combine = Callable[[LaneBuilder, Value, Value], Value]
OverLanes = Callable[[LaneBuilder, tuple[Value, ...], Statement], Value]
Across = Callable[[LaneBuilder, Value, str], Value]  # the elements of a vector, by the name of a reduction


def _applied(op: Op) -> Combine:
    return lambda builder, a, b: builder.value(op, a, b)


COMBINE: dict[str, Combine] = {kind: _applied(op) for kind, op in COMBINES.items()}
COMBINE_NAN: dict[str, Combine] = {**COMBINE, "max": simple.max_nan, "min": simple.min_nan}
COMBINE_EXTREMES: dict[str, Combine] = {**COMBINE, "max": LaneBuilder.maximum, "min": LaneBuilder.minimum}
_NAN_BITS = {
    "max": 0x7FC00000,
    "min": 0xFFC00000 - (1 << 32),
}  # the NaN that is beyond every number, in the order of keys


def lane_reduce(across: Across) -> Callable[[LaneBuilder, tuple[Value, ...], Statement], Value]:
    """The expansion of `lane_reduce`."""
    return lambda builder, operands, statement: across(builder, operands[0], Reduction.of(statement).op)


def across(table: dict[str, Combine]) -> Across:
    """Combines the elements of a vector by pairs."""
    return lambda builder, vector, kind: _tree(builder, vector, kind, table[kind])


def across_nan(builder: LaneBuilder, vector: Value, kind: str) -> Value:
    """An extreme of the elements, or NaN if any element is NaN. An instruction chooses among three numbers,
    and another tests two: pairs that keep a NaN take twice as many instructions."""
    if kind not in _NAN_BITS or _lanes(vector) == 1:
        return _tree(builder, vector, kind, COMBINE[kind])
    has_nan = _has_nan(builder, vector)
    total = _tree(builder, vector, kind, COMBINE[kind])
    return builder.where(has_nan, builder.like(nan, total), total)


def _has_nan(builder: LaneBuilder, vector: Value) -> Value:
    """Whether an element of a vector is a NaN."""
    elements = [builder.extract(vector, lane) for lane in range(_lanes(vector))]
    tests = [builder.unordered(*elements[i : i + 2]) for i in range(0, len(elements) - 1, 2)]
    if len(elements) % 2:
        tests.append(builder.not_equal(elements[-1], elements[-1]))
    while len(tests) > 1:
        pairs = [builder.logical_or(a, b) for a, b in zip(tests[::2], tests[1::2], strict=False)]
        tests = [*pairs, *tests[len(pairs) * 2 :]]
    return tests[0]


def _tree(builder: LaneBuilder, vector: Value, kind: str, combine: Combine) -> Value:
    """Combine two halves as long as a half is whole pairs of packed registers. The rest is combined element
    by element, since halving it further would only make steps that depend on each other. An extreme of words
    is that of three neighbours, which an instruction chooses and a single load brings."""
    lanes = _lanes(vector)
    if kind in EXTREMES and vector.type.element.bits == F32.bits and lanes > 1:
        return _by_threes([builder.extract(vector, lane) for lane in range(lanes)], partial(combine, builder))
    whole = PACKED_UP_TO[vector.type.element.bits]
    while lanes > whole and lanes % 4 == 0:
        lanes //= 2
        vector = combine(builder, builder.extract(vector, 0, lanes), builder.extract(vector, lanes, lanes))
    parts = [builder.extract(vector, lane) for lane in range(lanes)] if lanes > 1 else [vector]
    while len(parts) > 1:
        pairs = [combine(builder, a, b) for a, b in zip(parts[::2], parts[1::2], strict=False)]
        parts = [*pairs, *parts[len(pairs) * 2 :]]
    return parts[0]


def _by_threes(parts: list[Value], combine: Callable[[Value, Value], Value]) -> Value:
    while len(parts) > 1:
        parts = [reduce(combine, parts[first : first + 3]) for first in range(0, len(parts), 3)]
    return parts[0]


def lane_dot(builder: LaneBuilder, operands: tuple[Value, ...], _statement: Statement) -> Value:
    """The sum of products, a chain of fmas."""
    a, b = operands
    total = builder.mul(builder.extract(a, 0), builder.extract(b, 0))
    for lane in range(1, _lanes(a)):
        total = builder.fma(builder.extract(a, lane), builder.extract(b, lane), total)
    return total


def _lanes(vector: Value) -> int:
    assert isinstance(vector.type, LaneType)
    return vector.type.lanes


def reduce_waves(
    table: dict[str, Combine], lanes: int, of_vector: Across | None = None
) -> Callable[[LaneBuilder, tuple[Value, ...], Statement], Value]:
    """The expansion of `reduce_waves`: the last of each wave's `lanes` lanes writes its result to LDS, then
    every lane reads them all. `of_vector` combines those that a lane has read, by pairs of `table` if it is
    not given."""

    def expand(builder: LaneBuilder, operands: tuple[Value, ...], statement: Statement) -> Value:
        value, lds = operands
        reduction = Reduction.of(statement)
        wave = builder.shift_right(builder.local_id(), builder.constant(lanes.bit_length() - 1, U32))

        def write() -> tuple[Value, ...]:
            builder.lds_store(lds, wave, value)
            return ()

        _ = builder.if_(builder.value(IS_LANE, lane=lanes - 1), write)
        builder.barrier()
        combine = table[reduction.op]
        total: Value | None = None
        longest = WIDEST_ACCESS // value.type.element.bytes
        for first in range(0, reduction.over, longest):
            count = min(longest, reduction.over - first)
            part = builder.lds_load(lds, builder.constant(first, U32), count)
            total = (
                part
                if total is None
                else combine(builder, total, part)
                if count == longest
                else builder.pack(total, part)
            )
        assert total is not None
        return (of_vector or across(table))(builder, total, reduction.op)

    return expand


def over_lanes_keeping_nan(builder: LaneBuilder, operands: tuple[Value, ...], statement: Statement) -> Value:
    """max and min of floats over lanes by the instructions in which a NaN stays."""
    keeps: dict[str, Attribute] = {"keeps_nan": True} if Reduction.of(statement).op in EXTREMES else {}
    (result,) = builder.apply(statement.op, operands, {**statement.attributes, **keeps})
    return result


def over_wave_nan(wave: int, of_group: OverLanes) -> OverLanes:
    """The expansion of `dpp_reduce` of floats that keeps a NaN. Over a whole wave, a single test of all lanes
    takes fewer steps than keys, or than steps of two instructions; `of_group` is that of fewer lanes."""

    def expand(builder: LaneBuilder, operands: tuple[Value, ...], statement: Statement) -> Value:
        reduction, (value,) = Reduction.of(statement), operands
        if reduction.op not in _NAN_BITS or reduction.over != wave:
            return of_group(builder, operands, statement)
        has_nan = builder.value(ANY_LANE, builder.not_equal(value, value))
        (total,) = builder.apply(statement.op, operands, statement.attributes)
        return builder.where(has_nan, builder.like(nan, total), total)

    return expand


def over_lanes_nan(builder: LaneBuilder, operands: tuple[Value, ...], statement: Statement) -> Value:
    """max and min of floats over lanes that keep a NaN: as integers, in an order with NaN beyond every
    number.

    A float's bits, with the bits below the sign flipped for negative numbers, are in the order of i32.
    """
    kind = Reduction.of(statement).op
    (value,) = operands
    if kind not in _NAN_BITS:
        (result,) = builder.apply(statement.op, operands, statement.attributes)
        return result
    bits = builder.bit_cast(value, I32)
    ordered = builder.where(builder.not_equal(value, value), builder.constant(_NAN_BITS[kind], I32), bits)
    (result,) = builder.apply(statement.op, (_key(builder, ordered),), statement.attributes)
    return builder.bit_cast(_key(builder, result), F32)


def dpp_reduce_by_steps(table: dict[str, Combine]) -> Callable[..., Value]:
    """The expansion of `dpp_reduce` of elements that no single instruction moves and combines."""

    def expand(builder: LaneBuilder, operands: tuple[Value, ...], statement: Statement) -> Value:
        (value,), reduction = operands, Reduction.of(statement)
        for bit in range(reduction.over.bit_length() - 1):
            other = builder.value(LANE_STEP, value, value, way="reduce", combined=1 << bit)
            value = table[reduction.op](builder, value, other)
        return value

    return expand


def dpp_scan_by_steps(table: dict[str, Combine]) -> Callable[..., Value]:
    """The expansion of `dpp_scan` of such elements. A lane without lanes before it combines a maximum or
    minimum with its own value, and a sum or a product with the identity element."""

    def expand(builder: LaneBuilder, operands: tuple[Value, ...], statement: Statement) -> Value:
        (value,), kind, scan = operands, Reduction.of(statement).op, LaneScan.of(statement)
        way = "reverse" if scan.reverse else "scan"
        for bit in range(scan.lanes.bit_length() - 1):
            is_extreme = kind in ("max", "min")
            neutral = value if is_extreme else builder.like(identity(kind, value.type.element), value)
            other = builder.value(LANE_STEP, value, neutral, way=way, combined=1 << bit)
            value = table[kind](builder, other, value)
        return value

    return expand


def _key(builder: LaneBuilder, bits: Value) -> Value:
    """Its own inverse."""
    sign = builder.shift_right(bits, builder.constant(31, U32))
    return builder.bitwise_xor(bits, builder.bitwise_and(sign, builder.constant(0x7FFFFFFF, I32)))
