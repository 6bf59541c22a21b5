"""Maps an element of a result to the elements of the operands, for the ops that move elements; and a value to
its leaves, the elements of buffers from which it is computed.

    transpose[permutation={1,0}](x)   the element {i, j} of the result is {j, i} of x
    reshape[dims={6,4}](x: {2,12})    {i, j} is {(4*i + j) floordiv 12, (4*i + j) mod 12}
    concat[axis=0](x: {2,4}, y)       {i, j} is {i, j} of x if i < 2, else {i - 2, j} of y
    gather[axis=0](x, n: {5})         {i, j} is {d, j} of x, and d is the element {i} of n
    take_along_axis[axis=0](x, n)     {i, j} is {d, j} of x, and d is the element {i, j} of n

A pointwise op has the result's own indices. Some elements of `pad` and `concat` are no elements of an
operand: `where` are the conditions. An index that is data, such as d, has a symbol of its own
(`indices.Data`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping

from asmgen.blockwise.actions import Below, Number
from asmgen.blockwise.schedules.elements.indices import ZERO, Conditions, Data, Datum, Indices, reshaped
from asmgen.graph import ops
from asmgen.graph.infer.windows import windows_of
from asmgen.index import Index, constant
from asmgen.index.nodes import NotAnIndex
from asmgen.index.size import Dim, Size, Sizes, at_least, number
from asmgen.ir import constants
from asmgen.ir.program import Op, Statement, Value, tensor_type
from asmgen.ir.slices import kept_by
from asmgen.ir.types import TensorType
from asmgen.lanewise.records import numbers_of
from isa.diagnostics import InternalError
from isa.named_tuple import NamedTuple


class Position(NamedTuple):
    """The indices of an element of an operand, and the conditions under which it exists."""

    indices: Indices
    where: Conditions = ()


class OperandElement(NamedTuple):
    """An element of an operand, and the conditions under which it exists."""

    value: Value
    indices: Indices
    where: Conditions


Map = Callable[[Statement, TensorType, Indices], Position]


def sizes(statement: Statement, name: str) -> Sizes:
    """A list of sizes among a statement's attributes."""
    value = statement.attributes[name]
    listed = value if isinstance(value, tuple) else (value,)
    return tuple([size for size in listed if isinstance(size, int | Size)])


def numbers(statement: Statement, name: str) -> tuple[int, ...]:
    """A list of integers among a statement's attributes."""
    return tuple([number(size) for size in sizes(statement, name)])


def _axes(statement: Statement, rank: int, name: str = "axes") -> tuple[int, ...]:
    return tuple([axis % rank for axis in numbers(statement, name)])


def _same(_statement: Statement, _operand: TensorType, at: Indices) -> Position:
    return Position(at)


def _aligned_right(_statement: Statement, operand: TensorType, at: Indices) -> Position:
    tail = at[len(at) - operand.rank :]
    return Position(
        tuple([ZERO if dim == 1 else index for dim, index in zip(operand.dims, tail, strict=True)])
    )


def _from_axis(statement: Statement, operand: TensorType, at: Indices) -> Position:
    (axis,) = numbers(statement, "axis")
    first = axis % len(at) if at else 0
    return Position(at[first : first + operand.rank])


def _transposed(statement: Statement, operand: TensorType, at: Indices) -> Position:
    moved = dict(zip(_axes(statement, operand.rank, "permutation"), at, strict=True))
    return Position(tuple([moved[axis] for axis in range(operand.rank)]))


def _reshaped(statement: Statement, operand: TensorType, at: Indices) -> Position:
    return Position(reshaped(at, tensor_type(statement.result).dims, operand.dims))


def _sliced(statement: Statement, operand: TensorType, at: Indices) -> Position:
    return Position(tuple([index + first for index, (first, _) in zip(at, kept_by(statement), strict=True)]))


def _stepped(statement: Statement, operand: TensorType, at: Indices) -> Position:
    steps = dict(zip(_axes(statement, operand.rank), numbers(statement, "steps"), strict=True))
    return Position(tuple([index * steps.get(axis, 1) for axis, index in enumerate(at)]))


def _resampled(statement: Statement, operand: TensorType, at: Indices) -> Position:
    """The element at a place along an axis, or the nearest edge."""
    (axis,), (by,), (plus,), (over,) = [numbers(statement, name) for name in ("axis", "by", "plus", "over")]
    axis %= operand.rank
    place = at[axis] * by + plus
    place = _at_least_zero(place) if plus < 0 else place
    inside = (place // over).at_most(operand.dims[axis] - 1)
    return Position((*at[:axis], inside, *at[axis + 1 :]))


def _windowed(statement: Statement, operand: TensorType, at: Indices) -> Position:
    """Element k of window o."""
    left = iter(at)
    of_axis = {window.axis: window for window in windows_of(statement.op, statement.attributes, operand.rank)}
    moved: list[Index] = []
    for axis in range(operand.rank):
        index, window = next(left), of_axis.get(axis)
        moved.append(
            index if window is None else index * window.stride + next(left) * window.dilation - window.before
        )
    return Position(tuple(moved))


def _reversed(statement: Statement, operand: TensorType, at: Indices) -> Position:
    axes = _axes(statement, operand.rank)
    return Position(
        tuple(
            [
                constant(operand.dims[axis] - 1) - index if axis in axes else index
                for axis, index in enumerate(at)
            ]
        )
    )


def _rolled(statement: Statement, operand: TensorType, at: Indices) -> Position:
    """An element comes from `shift` places before it, and from the other end of its axis."""
    shifts = dict(zip(_axes(statement, operand.rank), numbers(statement, "shifts"), strict=True))
    moved = list(at)
    for axis, shift in shifts.items():
        size = number(operand.dims[axis])
        if size:
            moved[axis] = (at[axis] + -shift % size) % size
    return Position(tuple(moved))


def _squeezed(statement: Statement, operand: TensorType, at: Indices) -> Position:
    gone, left = _axes(statement, operand.rank), iter(at)
    return Position(tuple([ZERO if axis in gone else next(left) for axis in range(operand.rank)]))


def _unsqueezed(statement: Statement, _operand: TensorType, at: Indices) -> Position:
    new = _axes(statement, len(at))
    return Position(tuple([index for axis, index in enumerate(at) if axis not in new]))


def _padded(statement: Statement, operand: TensorType, at: Indices) -> Position:
    """The element of a padded operand. With a constant border, indices outside of the operand are outside of
    its dims, and the conditions say so."""
    pads = numbers(statement, "pads")
    moved = tuple([index - before for index, before in zip(at, pads, strict=False)])
    borders = list(zip(moved, pads, pads[operand.rank :], operand.dims, strict=False))
    inside = _INSIDE.get(str(statement.attributes["mode"]))
    if inside is not None:
        return Position(tuple([inside(*border) for border in borders]))
    where: list[Below] = []
    for index, before, after, dim in borders:
        where += [Below(constant(-1), index)] if before else []
        where += [Below(index, constant(dim))] if after else []
    return Position(moved, tuple(where))


def _nearest(index: Index, before: int, after: int, dim: Dim) -> Index:
    """The index, or the index of the nearest edge."""
    above = _at_least_zero(index) if before else index
    return above.at_most(dim - 1) if after else above


def _mirrored(index: Index, before: int, after: int, dim: Dim) -> Index:
    """The index, mirrored at the first and at the last element. The bounds of the mirrored index are not
    known to be within the dim, so it is clamped to the dim.
    """
    above = index - index.at_most(0) * 2 if before else index
    last = constant(dim - 1)
    inside = above + (last - above).at_most(0) * 2 if after else above
    return _at_least_zero(inside).smaller(last)


def _at_least_zero(index: Index) -> Index:
    return -(-index).at_most(0)


_INSIDE: Mapping[str, Callable[[Index, int, int, Dim], Index]] = {"edge": _nearest, "reflect": _mirrored}


def _unpacked(statement: Statement, _operand: TensorType, at: Indices) -> Position:
    """The element that has the number among others."""
    from asmgen.graph.infer.unpack import Packing

    axis, _, count = Packing.of(statement)
    return Position((*at[:axis], at[axis] // count, *at[axis + 1 :]))


MAPS: Mapping[Op, Map] = {
    ops.MULTIBROADCAST: _aligned_right,
    ops.BROADCAST: _from_axis,
    ops.CONTIGUOUS: _same,
    ops.IDENTITY: _same,
    ops.TRANSPOSE: _transposed,
    ops.RESHAPE: _reshaped,
    ops.SLICE: _sliced,
    ops.STEP: _stepped,
    ops.WINDOWS: _windowed,
    ops.RESAMPLE: _resampled,
    ops.REVERSE: _reversed,
    ops.ROLL: _rolled,
    ops.SQUEEZE: _squeezed,
    ops.UNSQUEEZE: _unsqueezed,
    ops.PAD: _padded,
}
# Ops that also compute: of one element of their operand, and of its place.
_COMPUTED: Mapping[Op, Map] = {ops.UNPACK: _unpacked}


def moves(statement: Statement) -> bool:
    """Whether the statement computes nothing: its result has elements of its operand at known
    places.
    """
    return statement.op in MAPS


def is_chosen(statement: Statement) -> bool:
    """Whether data choose the elements of the first operand."""
    return statement.op in _CHOSEN


def is_walked(statement: Statement) -> bool:
    """Whether an element of the result is made of at most one element of each operand; not so for a
    reduction.
    """
    is_made = statement.op.pointwise or statement.op in _COMPUTED or statement.op is ops.CONCAT
    return is_made or moves(statement) or is_chosen(statement)


def reads_place(statement: Statement) -> bool:
    """Whether an element is computed from its place, and not only from elements of operands."""
    return statement.op in _COMPUTED


def has_border(statement: Statement) -> bool:
    """Whether some elements of the result are none of the operand's."""
    return statement.op is ops.PAD and statement.attributes["mode"] == "constant"


def splat_of(literal: Statement) -> Number | None:
    """The number of a literal that repeats a single number; else None."""
    number = constants.splat_of(numbers_of(literal))
    return int(number) if isinstance(number, bool) else number


def operand_elements(
    statement: Statement, at: Indices, data: Data, needed: Conditions = ()
) -> tuple[OperandElement, ...]:
    """The element of each operand from which the element `at` of the statement's result is made, needed
    only if the conditions are true. A concat has none of an operand that has no element at `at`. Raises
    `NotAnIndex` with the statement's place.
    """
    try:
        places = _found(statement, at, data, needed)
    except NotAnIndex as error:
        error.place = error.place or statement.place
        raise
    pairs = zip(statement.operands, places, strict=True)
    if statement.op is ops.CONCAT:
        pairs = _possible(pairs)
    return tuple(
        [OperandElement(operand, *_settled(place, tensor_type(operand))) for operand, place in pairs]
    )


def _possible(pairs: Iterable[tuple[Value, Position]]) -> Iterator[tuple[Value, Position]]:
    """The operands of a concat that may have the element, and the conditions that bounds do not decide."""
    for operand, place in pairs:
        gaps = [(right - left).bounds for left, right in place.where]
        if all(gap.high > 0 for gap in gaps):
            where = [condition for condition, gap in zip(place.where, gaps, strict=True) if gap.low <= 0]
            yield operand, place._replace(where=tuple(where))


def _found(statement: Statement, at: Indices, data: Data, needed: Conditions) -> tuple[Position, ...]:
    if statement.op is ops.CONCAT:
        return tuple(_joined(statement, at))
    if is_chosen(statement):
        return _CHOSEN[statement.op](statement, at, data, needed)
    of_op = MAPS.get(statement.op) or _COMPUTED.get(statement.op, _same if statement.op.pointwise else None)
    if of_op is None:
        raise InternalError(
            "schedules", f"{statement.op.name} at {statement.place}", "the op has no index map"
        )
    return tuple([of_op(statement, tensor_type(operand), at) for operand in statement.operands])


def _settled(element: Position, operand: TensorType) -> Position:
    """The index along a dim of one element is 0."""
    if 1 not in operand.dims or element.where:
        return element
    return Position(
        tuple([ZERO if dim == 1 else index for dim, index in zip(operand.dims, element.indices, strict=True)])
    )


def _joined(statement: Statement, at: Indices) -> Iterator[Position]:
    """The element of each operand of a concat: an operand begins at the end of the previous operand."""
    (given,) = numbers(statement, "axis")
    axis = given % len(at)
    first: Dim = 0
    whole = tensor_type(statement.result).dims[axis]
    for operand in statement.operands:
        size = tensor_type(operand).dims[axis]
        own = at[axis] - first
        where = [Below(constant(-1), own)] if first != 0 else []
        where += [] if at_least(first + size, whole).is_shown else [Below(own, constant(size))]
        where += [Below(ZERO, ZERO)] if size == 0 else []
        yield Position((*at[:axis], own, *at[axis + 1 :]), tuple(where))
        first += size


def _gathered(statement: Statement, at: Indices, data: Data, needed: Conditions) -> tuple[Position, Position]:
    """Of the data the element that the indices say, and the element of these."""
    axis, count = _chosen_axis(statement), tensor_type(statement.operands[1]).rank
    after = axis + count
    index, settled = _chosen(statement, axis, at[axis:after], data, needed)
    return Position((*at[:axis], index, *at[after:])), settled


def _along_axis(
    statement: Statement, at: Indices, data: Data, needed: Conditions
) -> tuple[Position, Position]:
    """The element of the data that an index chooses along an axis, and the element that has the index."""
    axis = _chosen_axis(statement)
    index, settled = _chosen(statement, axis, at, data, needed)
    return Position((*at[:axis], index, *at[axis + 1 :])), settled


def _chosen_axis(statement: Statement) -> int:
    """The axis along which indices choose elements of the first operand."""
    (given,) = numbers(statement, "axis")
    return given % tensor_type(statement.operands[0]).rank


def _chosen(
    statement: Statement, axis: int, place: Indices, data: Data, needed: Conditions
) -> tuple[Index, Position]:
    """The index that the element of the indices at `place` gives, and that element."""
    of_data, of_indices = [tensor_type(operand) for operand in statement.operands]
    settled = _settled(Position(place), of_indices)
    index = data.index(Datum(statement.operands[1], settled.indices, needed, of_data.dims[axis]))
    return index, Position(settled.indices)


_CHOSEN = {ops.GATHER: _gathered, ops.TAKE_ALONG_AXIS: _along_axis}


class Leaf(NamedTuple):
    """A buffer, or a literal, and which of its elements is read."""

    value: Value
    indices: Indices


def leaves(
    defined: Mapping[Value, Statement],
    root: Value,
    at: Indices,
    conditions: set[Below] | None = None,
    data: Data | None = None,
    seen: set[Leaf] | None = None,
) -> Iterator[Leaf]:
    """The leaves of an element of `root`, each once; results of reductions are leaves too. The conditions
    under which the elements exist are added to `conditions`, and indices that are data to `data`. Elements
    that an earlier call with the same `seen` has visited are left out.
    """
    for leaf, elements in visited(defined, root, at, data, seen):
        if not elements:
            yield leaf
        elif conditions is not None:
            conditions.update([condition for element in elements for condition in element.where])


def visited(
    defined: Mapping[Value, Statement],
    root: Value,
    at: Indices,
    data: Data | None = None,
    seen: set[Leaf] | None = None,
) -> Iterator[tuple[Leaf, tuple[OperandElement, ...]]]:
    """The elements from which an element of `root` is made, itself first, each with the elements of its
    operands; leaves have none. `data` and `seen` are as in `leaves`.
    """
    seen = set() if seen is None else seen
    stack, data = [Leaf(root, at)], data or Data()
    while stack:
        leaf = stack.pop()
        if leaf in seen:
            continue
        seen.add(leaf)
        statement = defined[leaf.value]
        if not statement.operands or not is_walked(statement):
            yield leaf, ()
            continue
        elements = operand_elements(statement, leaf.indices, data)
        yield leaf, elements
        stack += [Leaf(element.value, element.indices) for element in reversed(elements)]
