"""Matrix instructions as layouts: the elements of A, B and C in each lane of a wave.

v_mfma_f32_16x16x16_f16, waves of 64 lanes:

    a  {16,16}  reg(0:1 0:2) lane(1:0 2:0 4:0 8:0 0:4 0:8)      a lane has four k of a row
    b  {16,16}  reg(1:0 2:0) lane(0:1 0:2 0:4 0:8 4:0 8:0)      and four k of a column
    c  {16,16}  reg(1:0 2:0) lane(0:1 0:2 0:4 0:8 4:0 8:0)      four rows of a column

They are derived, element by element, from the tables of the emulator
(`isa.semantics.matrix_layouts`).

A sum has no order, so the elements along k may have any numbers, the same in a and b. With eight adjacent k
in a lane, an access of 16 bytes reads the operands of two instructions:

    a  {16,32}  reg(0:1 0:2 0:4) lane(1:0 2:0 4:0 8:0 0:8 0:16)
    b  {32,16}  reg(1:0 2:0 4:0) lane(0:1 0:2 0:4 0:8 8:0 16:0)

The transposed product is b' a', and a is laid out as b'. So if the instruction takes b as its a, and a as its
b, c is transposed, and a lane has four columns of a row, next to each other in memory:

    c  {16,16}  reg(0:1 0:2) lane(1:0 2:0 4:0 8:0 0:4 0:8)
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from math import prod

from asmgen.blockwise.layout.algebra import Division, divide, holders, transpose
from asmgen.blockwise.layout.layout import Layout, Sizes, join, layout, moved, split
from asmgen.ir.types import ELEMENT_TYPES, ElementType, LaneType, computed
from isa.diagnostics import InternalError
from isa.instruction import Trait
from isa.named_tuple import NamedTuple
from isa.table import table_of
from isa.target import Target

_ELEMENTS = tuple(dict.fromkeys(ELEMENT_TYPES.values()))


_K_AXES = (1, 0, None)  # of a, b and c


class Instruction(NamedTuple):
    """`layouts` are those of a {M,K}, b {K,N} and c {M,N}, and `elements` their types, in each combination
    that the instruction takes: all have the same numbers of bits."""

    name: str
    layouts: tuple[Layout, Layout, Layout]
    elements: tuple[tuple[ElementType, ElementType, ElementType], ...]
    scales: tuple[Layout, Layout] | None = None  # those of the scales {M,K/32} and {K/32,N}

    @property
    def sizes(self) -> tuple[int, int, int]:
        """M, N and K."""
        a, b, _ = self.layouts
        return (a.sizes[0], b.sizes[1], a.sizes[1])

    @property
    def factor_bytes(self) -> int:
        """Those of an element of b."""
        return self.elements[0][1].bytes

    @property
    def turned(self) -> Layout | None:
        """The layout of c if a and b change places: the instruction then multiplies the transposed matrices.

        None if a is not laid out as the transposed b.
        """
        a, b, c = self.layouts
        return transpose(c, (1, 0)) if a == transpose(b, (1, 0)) else None

    def division(self, number: int, whole: Layout) -> Division | None:
        """The instruction's tiles in operand `number`; None if it has no such tiles. k may have any order,
        and the tiles of c may be `turned`."""
        axis, own = _K_AXES[number], self.layouts[number]
        if axis is None:
            return divide(whole, own) or self._turned_division(whole)
        whole = _in_order(whole, axis, self.k_order(number, whole))
        return divide(_in_order(whole, 1, self.n_order(number, whole)), own)

    def is_turned(self, c: Layout) -> bool:
        """Whether a and b change places for a result in this layout."""
        return divide(c, self.layouts[2]) is None and self._turned_division(c) is not None

    def _turned_division(self, c: Layout) -> Division | None:
        return None if self.turned is None else divide(_in_order(c, 1, self.n_order(2, c)), self.turned)

    def k_order(self, number: int, whole: Layout) -> tuple[int, ...]:
        """The steps along k of an operand in the order in which the instruction numbers them; empty for
        c."""
        axis = _K_AXES[number]
        return () if axis is None else _order_of(whole, self.layouts[number], axis)

    def n_order(self, number: int, whole: Layout) -> tuple[int, ...]:
        """The same along n, of b and of a turned c; other operands have their columns in order, or none."""
        own = self.turned if number == 2 else self.layouts[1]
        return _order_of(whole, own, 1) if number and own is not None else ()


@cache
def instruction(name: str, target: Target) -> Instruction | None:
    """A matrix instruction by its name. None if the target has no such instruction, if it multiplies
    several pairs of matrices, or if the type of its elements is not a type in memory.
    """
    from asmgen.lanewise.matrices import OPERANDS, matrix_row, operand_types, semantics_of
    from isa.semantics.matrix_formats import CHOSEN_FORMATS, ElementFormat

    row = matrix_row(table_of(target), name)
    if row is None or semantics_of(row).shape.blocks != 1:
        return None
    what, lanes = semantics_of(row), target.wave_size
    specs = [next(spec for spec in row.operands if spec.name == operand) for operand in OPERANDS]
    formats = (what.first or CHOSEN_FORMATS[0], what.second or CHOSEN_FORMATS[0], what.result)
    counts = [32 * spec.count // ElementFormat(form).bits for spec, form in zip(specs, formats, strict=True)]
    size, inner = what.shape.size, what.shape.inner
    first, second = [
        what.factor(ElementFormat(form), lanes, count)
        for form, count in zip(formats[:2], counts[:2], strict=True)
    ]
    result = what.layout.result(what.shape, lanes)
    layouts = (
        _linear(name, (size, inner), (first.line[:, None] * inner + first.inner).tolist()),
        _linear(name, (inner, size), (second.inner * size + second.line[:, None]).tolist()),
        _linear(name, (size, size), (result.row * size + result.column[:, None]).tolist()),
    )
    types = {str(LaneType(element, count)): element for element in _ELEMENTS for count in counts}
    taken: list[tuple[ElementType, ElementType, ElementType]] = []
    for names in operand_types(row):
        a, b, c = [types.get(name) for name in names[: len(OPERANDS)]]
        if a is None or b is None or c is None:
            return None
        taken.append((a, b, c))
    return Instruction(
        name, layouts, tuple(taken), _scale_layouts(name, size, lanes) if what.chosen else None
    )


def _scale_layouts(name: str, size: int, lanes: int) -> tuple[Layout, Layout]:
    """Each group of lanes has the scales of 32 elements along k of its rows (`MatrixMultiply._scales`)."""
    blocks = lanes // size
    of_rows = [[lane % size * blocks + lane // size] for lane in range(lanes)]
    of_columns = [[lane] for lane in range(lanes)]
    return _linear(name, (size, blocks), of_rows), _linear(name, (blocks, size), of_columns)


class Rated(NamedTuple):
    """A matrix instruction, and the clocks for which it keeps the matrix unit of a SIMD."""

    by: Instruction
    clocks: int

    @property
    def pace(self) -> float:
        """The clocks of a product."""
        return self.clocks / prod(self.by.sizes)


@cache
def fastest(
    element: ElementType, target: Target, rounds: bool = False, has_powers: bool = False
) -> Rated | None:
    """The first of `multiplying`; None if there is none."""
    return next(multiplying(element, target, rounds, has_powers), None)


def multiplies_exactly(element: ElementType, target: Target) -> bool:
    """Whether matrix instructions of the target multiply numbers of a type, denormals too."""
    rated = fastest(element, target)
    return rated is not None and Trait.FLUSHES not in table_of(target).row(rated.by.name).traits


def flushes_products(target: Target) -> bool:
    """Whether matrix instructions of f16 and bf16 take denormals for zeros, and give zeros for them."""
    return any(Trait.FLUSHES in row.traits for row in table_of(target).matrices)


@cache
def largest(
    element: ElementType, target: Target, rounds: bool = False, has_powers: bool = False
) -> Rated | None:
    """The largest of `multiplying` with as many products in a clock as the first; None if there is none."""
    found = list(multiplying(element, target, rounds, has_powers))
    return next((each for each in reversed(found) if each.pace == found[0].pace), None)


def multiplying(
    element: ElementType, target: Target, rounds: bool = False, has_powers: bool = False
) -> Iterator[Rated]:
    """The matrix instructions of the target that multiply numbers of a type as they are, or rounded if
    `rounds`, and sum products in the type in which they are computed: those with the most products in a
    clock first, and of these the smallest. With `has_powers`, those that multiply each 32 elements along k by
    a power of two, and without it the others.
    """
    from asmgen.lanewise.matrices import matrix_row, operand_types, semantics_of
    from isa.timing.machine import MACHINES

    table, pass_clocks = table_of(target), MACHINES[target.name].matrix_pass.clocks
    wanted = (element.name, element.name, computed(element).name)
    found: list[tuple[float, int, str, int]] = []
    for row in table.matrices:
        if matrix_row(table, row.operation) is None or (Trait.ROUNDS in row.traits) > rounds:
            continue
        what = semantics_of(row)
        taken = [tuple([name.partition("x")[0] for name in types]) for types in operand_types(row)]
        taken = [types[: len(wanted)] for types in taken]
        if wanted not in taken or what.shape.blocks != 1 or what.chosen != has_powers:
            continue
        products, clocks = what.shape.size**2 * what.shape.inner, max(row.passes, 1) * pass_clocks
        found.append((clocks / products, products, row.operation, clocks))
    for _, _, name, clocks in sorted(found):
        by = instruction(name, target)
        if by is not None:
            yield Rated(by, clocks)


def rounds(name: str, target: Target) -> bool:
    """Whether a matrix instruction rounds its factors; no instruction rounds none."""
    return bool(name) and Trait.ROUNDS in table_of(target).row(name).traits


def _order_of(whole: Layout, own: Layout, axis: int) -> tuple[int, ...]:
    """The steps along an axis of an operand in the order in which the instruction numbers them.

    Lanes decide: the step of a lane bit has the place of the instruction's step in that bit. The other places
    take the other steps, the smallest first. Steps that are no powers of two stay in order.
    """
    steps = [1 << bit for bit in range(whole.sizes[axis].bit_length() - 1)]
    of_lanes: dict[int, int] = {}  # by the instruction's step, the step of the operand
    for have, want in zip(whole.lanes, own.lanes, strict=False):
        place = split(want, own.sizes)[axis]
        if place:
            of_lanes[place] = split(have, whole.sizes)[axis]
    taken = set(of_lanes.values())
    if own.sizes[axis] > whole.sizes[axis] or len(taken) < len(of_lanes) or not taken <= set(steps):
        return tuple(steps)
    others = iter([step for step in steps if step not in taken])
    return tuple([of_lanes[place] if place in of_lanes else next(others) for place in steps])


def _in_order(whole: Layout, axis: int, order: tuple[int, ...]) -> Layout:
    """The layout with the steps along an axis renumbered: the first of `order` becomes 1, the next 2."""
    if list(order) == sorted(order):
        return whole

    def move(at: Sizes) -> Sizes:
        step_of_axis = sum(1 << bit for bit, step in enumerate(order) if at[axis] & step)
        return (*at[:axis], step_of_axis, *at[axis + 1 :])

    bases = moved(whole, whole.sizes, move)
    return layout(whole.sizes, bases.registers, bases.lanes, bases.waves, whole.repeat)


def _linear(name: str, sizes: tuple[int, int], elements: list[list[int]]) -> Layout:
    """The layout in which lane l has element `elements[l][r]`, a row-major number, in register r;
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
