"""The type of a reduction's result, from the layout of its operand.

{1,1024} @ reg(0:1 0:2) lane(0:4 ... 0:128) wave(0:256 0:512) along axis 1
within the workgroup    {1,1} @ lane(0:0 ... 0:0) wave(0:0 0:0)     every lane has the result
within a lane           {1,256} @ lane(0:1 ... 0:32) wave(0:64 0:128)     a number a lane
"""

from __future__ import annotations

from asmgen.blockwise.actions import Combine, Reduce
from asmgen.blockwise.layout.algebra import project
from asmgen.blockwise.layout.layout import (
    Layout,
    Sizes,
    basis_text,
    is_power_of_two,
    layout,
    moved,
    split,
    without_axes,
)
from asmgen.blockwise.layout.queries import mixed, within_axes
from asmgen.blockwise.rules.codes import broken
from asmgen.blockwise.types import TileType
from asmgen.ir.program import Scope
from asmgen.ir.shapes import format_list
from asmgen.ir.types import BOOL

_LOGICAL = (Combine.ANY, Combine.ALL)


def reduced(tile: TileType, action: Reduce) -> TileType:
    """The result's type. Raises `BrokenRule`."""
    rank = tile.layout.rank
    if (
        not action.axes
        or any(not 0 <= axis < rank for axis in action.axes)
        or len(set(action.axes)) != len(action.axes)
    ):
        broken(f"axes are {format_list(action.axes)}, wanted some of 0 to {rank - 1}, each once")
    if (tile.element is BOOL) != (action.op in _LOGICAL):
        wanted = "any or all" if tile.element is BOOL else "sum, prod, max or min"
        broken(f"{action.op.value} of {tile.element}, wanted {wanted}")
    if action.diagonal and (action.within is Scope.LANE or diagonal_axes(tile.layout, action.axes) is None):
        broken(
            f"the diagonal of the axes {format_list(action.axes)}, wanted two axes of the same size: the "
            f"lanes have an axis, and the registers of a lane the other; relayout the operand"
        )
    return TileType(tile.element, partial(tile.layout, action.axes, action.within))


def diagonal_axes(of: Layout, axes: tuple[int, ...]) -> tuple[int, int] | None:
    """The axis in the registers of a lane, and the axis in the lanes, if `axes` are two such, of the same
    size."""
    if len(axes) != 2 or of.shape[axes[0]] != of.shape[axes[1]]:
        return None
    for registers, lanes in (axes, axes[::-1]):
        own, other = within_axes(of, (registers,)), within_axes(of, (lanes,))
        is_in_lane = not (own.lanes or own.waves) and of.counts[lanes] == 1
        if is_in_lane and not (other.registers or other.waves):
            return registers, lanes
    return None


def partial(of: Layout, axes: tuple[int, ...], within: Scope) -> Layout:
    """The layout of the result along `axes`: registers are always combined, lanes and waves as
    `within` says.
    """
    both = mixed(of, axes)
    if both:
        broken(
            f"the basis {basis_text(both[0], of.sizes)} is both along the axes "
            f"{format_list(axes)} and not; relayout the operand"
        )
    bits = within_axes(of, axes)
    lanes = () if within >= Scope.WAVE else tuple([of.lanes[bit] for bit in bits.lanes])
    waves = () if within >= Scope.WORKGROUP else tuple([of.waves[bit] for bit in bits.waves])
    left = sorted((*lanes, *waves))
    if not left:
        whole = project(of, axes)
        assert whole is not None, "no basis is both along the axes and not"
        return whole
    if not all(is_power_of_two(basis) for basis in left):
        broken(
            f"the bases along the axes {format_list(axes)} mix coordinates; relayout the "
            f"operand, or reduce within the workgroup"
        )
    return _renumbered(of, axes, left)


def _renumbered(of: Layout, axes: tuple[int, ...], left: list[int]) -> Layout:
    """The elements renumbered: along `axes` only the bits of `left` remain, closed up in their order."""
    place: dict[Sizes, Sizes] = {}
    sizes = [1 if axis in axes else size for axis, size in enumerate(of.sizes)]
    for basis in left:
        element = split(basis, of.sizes)
        axis = next(axis for axis in axes if element[axis])
        place[element] = tuple([sizes[axis] if at == axis else 0 for at in range(of.rank)])
        sizes[axis] *= 2
    bases = moved(of, tuple(sizes), lambda at: place.get(at) or without_axes(at, axes))
    registers = tuple([basis for basis in bases.registers if basis])
    repeat = tuple([1 if axis in axes else count for axis, count in enumerate(of.counts)])
    return layout(tuple(sizes), registers, bases.lanes, bases.waves, repeat)
