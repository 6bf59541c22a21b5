"""Matrix instructions as layouts: the elements of A, B and C in each lane of a wave.

v_mfma_f32_16x16x16_f16, waves of 64 lanes:

    a  {16,16}  reg(0:1 0:2) lane(1:0 2:0 4:0 8:0 0:4 0:8)      a lane has four k of a row
    b  {16,16}  reg(1:0 2:0) lane(0:1 0:2 0:4 0:8 4:0 8:0)      and four k of a column
    c  {16,16}  reg(1:0 2:0) lane(0:1 0:2 0:4 0:8 4:0 8:0)      four rows of a column

They are derived, element by element, from the tables of the emulator
(`isa.semantics.matrix_layouts`).
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from asmgen.blockwise.layout.algebra import holders
from asmgen.blockwise.layout.layout import Layout, join, layout
from asmgen.ir.types import ELEMENT_TYPES, ElementType, LaneType
from isa.diagnostics import InternalError
from isa.table import table_of
from isa.target import Target

_ELEMENTS = tuple(dict.fromkeys(ELEMENT_TYPES.values()))


class Instruction(NamedTuple):
    """`layouts` are those of a {M,K}, b {K,N} and c {M,N}, and `elements` their types."""

    name: str
    layouts: tuple[Layout, Layout, Layout]
    elements: tuple[ElementType, ElementType, ElementType]

    @property
    def sizes(self) -> tuple[int, int, int]:
        """M, N and K."""
        a, b, _ = self.layouts
        return (a.sizes[0], b.sizes[1], a.sizes[1])


@cache
def instruction(name: str, target: Target) -> Instruction | None:
    """A matrix instruction by its name. None if the target has no such instruction, if it multiplies
    several pairs of matrices, or if the type of its elements is not a type in memory.
    """
    from asmgen.lanewise.matrices import OPERANDS, matrix_row, semantics_of
    from isa.semantics.matrix_formats import ElementFormat

    row = matrix_row(table_of(target), name)
    if row is None or semantics_of(row).shape.blocks != 1:
        return None
    what, lanes = semantics_of(row), target.wave_size
    specs = [next(spec for spec in row.operands if spec.name == operand) for operand in OPERANDS]
    formats = (what.first, what.second, what.result)
    counts = [32 * spec.count // ElementFormat(form).bits for spec, form in zip(specs, formats, strict=True)]
    size, inner = what.shape.size, what.shape.inner
    first, second = (what.layout.factor(what.shape, lanes, count) for count in counts[:2])
    result = what.layout.result(what.shape, lanes)
    layouts = (
        _linear(name, (size, inner), (first.line[:, None] * inner + first.inner).tolist()),
        _linear(name, (inner, size), (second.inner * size + second.line[:, None]).tolist()),
        _linear(name, (size, size), (result.row * size + result.column[:, None]).tolist()),
    )
    types = {str(LaneType(element, count)): element for element in _ELEMENTS for count in counts}
    a, b, c = [types.get(spec.type) for spec in specs]
    return None if a is None or b is None or c is None else Instruction(name, layouts, (a, b, c))


def _linear(name: str, sizes: tuple[int, int], elements: list[list[int]]) -> Layout:
    """The layout in which lane l has element `numbers[l][r]`, a row-major number, in register r;
    `InternalError` if no layout does that.
    """
    of_registers = tuple([elements[0][1 << bit] for bit in range(len(elements[0]).bit_length() - 1)])
    of_lanes = tuple([elements[1 << bit][0] for bit in range(len(elements).bit_length() - 1)])
    made = layout(sizes, of_registers, of_lanes)
    if any(
        join(made.element(holder), sizes) != elements[holder.lane][holder.register]
        for holder in holders(made)
    ):
        raise InternalError("blockwise", name, "its operands are no layout of bits")
    return made
