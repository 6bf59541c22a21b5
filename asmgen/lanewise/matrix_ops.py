"""The row of `matrix`: one matrix instruction of the target, over a whole wave.

    d = matrix[by=v_mfma_f32_16x16x16_f16](a, b, c) -> f32x4

is D := A B + C. Each lane has its elements of A, B, C and D as the instruction's layouts say
(`isa.semantics.matrix_layouts`). Which targets have the instruction, and how long its vectors are there, is
in their tables: `asmgen.lanewise.matrices` holds a program to them.
"""

from __future__ import annotations

from asmgen.ir.program import AttributeKind, Attributes, AttributeSpec, Op, Scope, Stage
from asmgen.ir.types import LaneType, ValueType
from isa.diagnostics import InputError, Place

_NAMES = ("a", "b", "c")


def _infer_matrix(
    op: Op, types: tuple[ValueType, ...], _attributes: Attributes, place: Place | None
) -> tuple[ValueType, ...]:
    """The result has the type of c."""
    for name, type_ in zip(_NAMES, types, strict=True):
        if not isinstance(type_, LaneType):
            raise InputError(
                place or op.name, "GEN101", f"{op.name}: {name} is a tensor, wanted a lane value"
            )
    return (types[2],)


# What every lane has afterwards depends on what all lanes of its wave have before. EXEC does not matter to
# the machine, so that all of them must be there.
MATRIX = Op(
    "matrix", frozenset({Stage.LANEWISE, Stage.FINAL}), 3, 3, _infer_matrix,
    (AttributeSpec("by", AttributeKind.WORD),), effects=True, together=Scope.WAVE, most=Scope.LANE,
)  # fmt: skip
