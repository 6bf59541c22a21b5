"""Pointwise outputs on a lane: the guard, the index, the values, the stores."""

from __future__ import annotations

from asmgen.gen.evaluate import Evaluator, coordinates_of, weighted_sum
from asmgen.gen.indexing import DimMap, access_strides
from asmgen.gen.tiling import Section, identity_map, tensor_type
from asmgen.ir.program import Statement, Value
from asmgen.ir.types import U32, TensorType, row_major
from asmgen.lanewise.builder import LaneBuilder


def lower_section(
    builder: LaneBuilder, defined: dict[Value, Statement], section: Section, lane: Value, lanes: int
) -> None:
    """`lane` is the global id, `lanes` how many the grid has; those that have no elements are masked."""
    if lanes == section.lanes:
        _body(builder, defined, section, lane)
        return
    guard = builder.less(lane, builder.constant(section.lanes, U32))

    def body() -> tuple[Value, ...]:
        _body(builder, defined, section, lane)
        return ()

    _ = builder.if_(guard, body)


def _body(builder: LaneBuilder, defined: dict[Value, Statement], section: Section, lane: Value) -> None:
    vector, elements = section.vector, section.space.elements
    base = lane if vector == 1 else builder.mul(lane, builder.constant(vector, U32))
    if elements % vector:
        # The last lane steps back and writes some elements a second time, with the same values.
        base = builder.min(base, builder.constant(elements - vector, U32))
    coordinates = _coordinates(builder, section, lane, base)

    def locate(type_: TensorType, where: DimMap) -> tuple[Value, int]:
        strides = section.space.strides(access_strides(len(section.dims), type_.dims, type_.strides, where))
        inner = strides[-1] if strides else 0
        if strides == row_major(section.space.dims):
            return base, inner
        return weighted_sum(builder, coordinates, strides) or builder.constant(0, U32), inner

    evaluator = Evaluator(builder, defined, vector, locate)
    for copy in section.copies:
        value, buffer = copy.operands
        with builder.at(copy):
            result = evaluator.value(value, identity_map(len(section.dims)))
            builder.store(buffer, base, evaluator.narrowed(result, tensor_type(buffer).element))


def _coordinates(builder: LaneBuilder, section: Section, lane: Value, base: Value) -> list[Value]:
    """The coordinates of a lane's first element, outermost first."""
    dims, vector = section.space.dims, section.vector
    if len(dims) <= 1:
        return [base][: len(dims)]
    coordinates = coordinates_of(builder, lane, (*dims[:-1], dims[-1] // vector))
    if vector > 1:
        coordinates[-1] = builder.mul(coordinates[-1], builder.constant(vector, U32))
    return coordinates
