"""The rules of `contract`.

`contract` multiplies matrices: c {M,N} += a {M,K} b {K,N}. Without a matrix instruction every lane multiplies
its own elements, so that it needs the whole rows of a and columns of b of its elements of c:

c  reg(0:1 1:0) lane(0:2 2:0)      each lane has a 2 x 2 block of c
a  reg(0:1 0:2 1:0) lane(0:0 2:0)  and of a, `{4,4}`, its two rows, whole: lane bit 0 is a copy
b  reg(1:0 2:0 0:1) lane(0:2 0:0)  of b, `{4,4}`, its two columns

With a matrix instruction each operand consists of the instruction's tiles (`asmgen.blockwise.matrix`), with k
in any order that a and b have in common, and each tile of c transposed or not. The same rule applies to waves
and tiles instead of lanes and elements: a wave that has tiles of c in two rows of tiles needs these two rows
of tiles of a, whole.

Tiles of more than two axes are several matrices, each in waves of its own, and their product is that of each
pair of matrices (`asmgen.blockwise.layout.beside`).
"""

from __future__ import annotations

from collections.abc import Sequence

from asmgen.blockwise.layout.algebra import divide, project
from asmgen.blockwise.layout.beside import matrix_of
from asmgen.blockwise.layout.layout import Layout
from asmgen.blockwise.layout.text import division_fault, layout_difference, print_layout
from asmgen.blockwise.matrix import Instruction, instruction
from asmgen.blockwise.rules.codes import BrokenRule, broken
from asmgen.blockwise.types import TileType
from asmgen.ir.shapes import format_list
from asmgen.ir.types import BOOL, E8M0
from isa.target import Target

_NAMES = ("a", "b", "c")


def check_rules(a: TileType, b: TileType, c: TileType, by: str) -> TileType:
    """The result's type, which is c's. Raises `BrokenRule`."""
    shapes = [tile.shape for tile in (a, b, c)]
    if any(len(shape) < 2 for shape in shapes) or len({shape[:-2] for shape in shapes}) > 1:
        broken(f"operands of {', '.join(map(format_list, shapes))}, wanted matrices, or as many of each")
    (m, k), (inner, n), of_c = [shape[-2:] for shape in shapes]
    if inner != k or of_c != (m, n):
        broken(f"operands of {', '.join(map(format_list, shapes))}, wanted {{M,K}}, {{K,N}} and {{M,N}}")
    if a.element is not b.element:
        broken(f"a is of {a.element} and b of {b.element}, wanted one type")
    if BOOL in (a.element, c.element):
        broken(f"a is of {a.element} and c of {c.element}, wanted numbers; convert the tile")
    of_a, of_b, of_c = [_matrix(name, tile) for name, tile in zip(_NAMES, (a, b, c), strict=True)]
    if not by:
        _check_all(of_a, of_b, of_c)
    return c


def _matrix(name: str, tile: TileType) -> Layout:
    """The layout of each matrix of an operand."""
    own = matrix_of(tile.layout)
    if own is None:
        broken(f"{name} has several matrices in a wave, wanted each in waves of its own; relayout {name}")
    return own


def check_instruction(types: tuple[TileType, TileType, TileType], by: str, target: Target) -> None:
    """The matrix instruction that a contract names is one of the target's, and takes such tiles. Raises
    `BrokenRule`.
    """
    own = instruction(by, target)
    if own is None:
        broken(f"{by} is not a matrix instruction of {target.name} in waves of {target.wave_size} lanes")
    elements = tuple([tile.element for tile in types])
    if elements not in own.elements:
        for name, element, taken in zip(_NAMES, elements, zip(*own.elements, strict=True), strict=True):
            if element not in taken:
                wanted = " or ".join(dict.fromkeys(map(str, taken)))
                broken(f"{by} takes {wanted} for {name}, and the tile is of {element}")
    layouts = [_matrix(name, tile) for name, tile in zip(_NAMES, types, strict=True)]
    a, b, c = [_placed(number, of, own) for number, of in enumerate(layouts)]
    orders = [own.k_order(number, layouts[number]) for number in (0, 1)]
    if orders[0] != orders[1]:
        of_a, of_b = [", ".join(map(str, order)) for order in orders]
        broken(f"{by} takes the steps along k of a in the order {of_a}, and those of b in the order {of_b}")
    columns = own.n_order(1, layouts[1]), own.n_order(2, layouts[2])
    if own.is_turned(layouts[2]) and columns[0] != columns[1]:
        of_b, of_c = [", ".join(map(str, order)) for order in columns]
        broken(f"{by} takes the steps along n of b in the order {of_b}, and gives those of c in {of_c}")
    try:
        _check_all(a, b, c)
    except BrokenRule as rule:
        broken(f"counted in tiles of {by}, {rule}")


def check_scales(
    scales: Sequence[TileType], types: tuple[TileType, TileType, TileType], by: str, target: Target
) -> None:
    """The scales of a contract: the instruction takes them, they consist of its tiles, and these lie as those
    of the factors do. Raises `BrokenRule`."""
    own = instruction(by, target)
    wanted = own.scales if own is not None else None
    if own is None or wanted is None or not scales:
        if (wanted is None) != (not scales):
            broken(
                f"{by} takes {'no' if wanted is None else 'two'} scales, and the contract has {len(scales)}"
            )
        return
    if len(scales) != len(wanted):
        broken("there are scales of a, and none of b, wanted both or none")
    for number, (tile, layout) in enumerate(zip(scales, wanted, strict=True)):
        name, factor = f"the tile of the scales of {_NAMES[number]}", _matrix(_NAMES[number], types[number])
        held = _matrix(name, tile)
        sizes = tuple(
            [
                size // own.layouts[number].sizes[axis] * layout.sizes[axis]
                for axis, size in enumerate(factor.sizes)
            ]
        )
        if tile.element is not E8M0:
            broken(f"{name} is of {tile.element}, wanted {E8M0}")
        if held.sizes != sizes:
            broken(f"{name} is {format_list(held.sizes)}, wanted {format_list(sizes)}")
        order = own.k_order(number, factor)
        division, of_factor = divide(held, layout), own.division(number, factor)
        if division is None or of_factor is None or list(order) != sorted(order):
            broken(f"{name} does not consist of tiles of {by}, or {_NAMES[number]} has k in another order")
        if _unordered(division.quotient) != _unordered(of_factor.quotient):
            broken(f"{name} does not lie as the tiles of {by} in {_NAMES[number]} do; relayout it")


def _placed(number: int, whole: Layout, by: Instruction) -> Layout:
    """The places of the instruction's tiles in an operand."""
    division = by.division(number, whole)
    if division is None:
        name, own = _NAMES[number], by.layouts[number]
        broken(
            f"{name} does not consist of tiles of {by.name}, which are {format_list(own.sizes)} @ "
            f"{print_layout(own)}: {division_fault(whole, own)}; relayout {name}"
        )
    return division.quotient


def _check_all(a: Layout, b: Layout, c: Layout) -> None:
    _check_holders(a, c, 1, "a")
    _check_holders(b, c, 0, "b")


def _check_holders(operand: Layout, result: Layout, summed: int, name: str) -> None:
    """Check the layout of an operand: the summed axis is in registers, and along its other axis it has the
    layout of the result.
    """
    wanted, have = project(result, (summed,)), project(operand, (summed,))
    difference = (
        "bases" if wanted is None or have is None else layout_difference(_unordered(have), _unordered(wanted))
    )
    if difference:
        broken(
            f"the layout of {name} does not match the rows or columns of c in the same lanes: they differ in "
            f"{difference}; relayout {name}"
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
    """The layout with its registers in a fixed order, so that layouts that differ only in that order are
    equal.
    """
    return of._replace(registers=tuple(sorted(of.registers)))


def _along_other(of: Layout, basis: int, axis: int) -> bool:
    """Whether a basis of a matrix steps along the axis that is not `axis`."""
    columns = of.sizes[1]
    return basis % columns != 0 if axis == 0 else basis // columns != 0
