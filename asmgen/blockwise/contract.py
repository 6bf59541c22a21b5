"""The rule of `contract` without a matrix instruction: every holder has the rows and columns that its
elements need.

c  reg(0:1 1:0) lane(0:2 2:0)      each holder has a 2 x 2 block of c
a  reg(0:1 0:2 1:0) lane(0:0 2:0)  and of a, `{4,4}`, its two rows, whole: lane bit 0 is a copy
b  reg(1:0 2:0 0:1) lane(0:2 0:0)  of b, `{4,4}`, its two columns
"""

from __future__ import annotations

from asmgen.blockwise.differences import layout_difference
from asmgen.blockwise.layout.algebra import project
from asmgen.blockwise.layout.layout import Layout
from asmgen.blockwise.rules import broken
from asmgen.blockwise.types import TileType
from asmgen.ir.shapes import format_list


def check_contract(a: TileType, b: TileType, c: TileType, by: str) -> TileType:
    """The result's type, which is c's. Raises `BrokenRule`."""
    shapes = [tile.shape for tile in (a, b, c)]
    if any(len(shape) != 2 for shape in shapes):
        broken(f"operands of {', '.join(map(format_list, shapes))}, wanted matrices")
    (m, k), (inner, n), of_c = shapes
    if inner != k or of_c != (m, n):
        broken(f"operands of {', '.join(map(format_list, shapes))}, wanted {{M,K}}, {{K,N}} and {{M,N}}")
    if a.element is not b.element:
        broken(f"a is of {a.element} and b of {b.element}, wanted one type")
    if not by:
        _check_holders(a.layout, c.layout, 1, "a")
        _check_holders(b.layout, c.layout, 0, "b")
    return c


def _check_holders(operand: Layout, result: Layout, summed: int, name: str) -> None:
    """Apart from the axis that is summed, which its registers have, an operand is held as the result without
    its other axis.
    """
    wanted, have = project(result, (summed,)), project(operand, (summed,))
    difference = (
        "bases" if wanted is None or have is None else layout_difference(_unordered(have), _unordered(wanted))
    )
    if difference:
        broken(
            f"{name} is not held as the rows or columns of c that its holders have: they "
            f"differ in {difference}; relayout {name}"
        )
    if any(
        basis not in operand.registers
        for basis in operand.columns
        if basis and not _along_other(operand, basis, summed)
    ):
        broken(
            f"{name} has the axis that is summed, {summed}, in lanes or waves, wanted it in "
            f"registers; relayout {name}"
        )


def _unordered(of: Layout) -> Layout:
    """The layout with its registers in one order: which register has what does not matter here."""
    return of._replace(registers=tuple(sorted(of.registers)))


def _along_other(of: Layout, basis: int, axis: int) -> bool:
    """Whether a basis has a part outside `axis`, of a matrix."""
    columns = of.sizes[1]
    return basis % columns != 0 if axis == 0 else basis // columns != 0
