"""Functions of f32 with a result that is rounded to 16 bits in the end, at least in part.

    y = exp(x) -> f16              the graph: within 1/16 ULP of f16, then rounded (docs/numerics.md)
    y = exp_for_f16(x) -> f32      later stages: the f32 that is rounded, or read before it is rounded

An op of the graph on f16, bf16 and 8-bit floats is computed in f32. Its row here says that the computation
needs no more digits than the type has, and no more of f32's range: a function for an f16 may take a denormal
f32 as 0, since f16 rounds it to 0.
"""

from __future__ import annotations

from asmgen.graph import ops
from asmgen.graph.infer.elementwise import same_type, widen
from asmgen.ir.program import Op
from asmgen.ir.types import BF16, ELEMENT_TYPES, F16, F32, HALVES, ElementType, computed

SHARE = 1 / 16  # ULP of the type by which a function may err before the result is rounded
FUNCTIONS = (
    ops.DIV, ops.ERF, ops.EXP, ops.LOG, ops.LOG2, ops.POW, ops.RECIP, ops.RSQRT, ops.SIGMOID, ops.SQRT,
    ops.TANH,
)  # fmt: skip


def _row(op: Op, element: ElementType) -> Op:
    return Op(
        f"{op.name}_for_{element}", op.stages, op.minimum, op.maximum, same_type, pointwise=True,
        types=frozenset({F32.name}), ulps=op.ulps, masks=op.masks,
    )  # fmt: skip


_ROWS = {(op, element): _row(op, element) for op in FUNCTIONS for element in HALVES}
ROUNDED_FUNCTIONS: dict[str, Op] = {row.name: row for row in _ROWS.values()}
_ORIGINS = {row: origin for origin, row in _ROWS.items()}


_NARROW_FLOATS = frozenset([name for name in ops.FLOATS if computed(ELEMENT_TYPES[name]).name != name])
# A value in the type in which it is computed. It may have more digits than its own type, if `convert`
# rounds; so what reads a sum of bf16 need not wait for its rounding.
WIDEN = Op("widen", ops.ADD.stages, 1, 1, widen, pointwise=True, types=_NARROW_FLOATS)


def rounded_to(op: Op, element: ElementType) -> Op:
    """The row of a function of f32 for results of `element`; the op itself if it has no such row."""
    if element.bits > F16.bits or not element.is_float:
        return op
    return _ROWS.get((op, BF16 if element is BF16 else F16), op)


def function_of(op: Op) -> Op:
    """The op of the graph that a row is made for; the op itself if it is no such row."""
    return _ORIGINS[op][0] if op in _ORIGINS else op


def rounding_of(op: Op, element: ElementType) -> ElementType | None:
    """The type to which the result of an op on `element` is rounded in the end, if the op needs no more
    digits."""
    if op in _ORIGINS:
        return _ORIGINS[op][1]
    return element if rounded_to(op, element) is not op else None


ROUNDED_OPS: dict[str, Op] = {**ROUNDED_FUNCTIONS, WIDEN.name: WIDEN}
