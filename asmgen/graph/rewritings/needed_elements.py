"""Products, reductions, scans and sorts of the elements that slices leave.

    y = dot(h, w)                                  {8,512,32000} of {8,512,1024} and {1024,32000}
    t = slice[axes={1}, starts={511}, ends={512}](y)

becomes

    h_slice = slice[axes={1}, starts={511}, ends={512}](h)
    y = dot(h_slice, w)                            {8,1,32000}: the logits of the last tokens
    t = identity(y)

The elements that a statement's readers need are those of a box: a range of each axis. From the last
statement to the first, the box of a result gives those of its operands. Kernels read slices of buffers as
they are in memory.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Set
from math import prod

from asmgen.graph.infer.products import contraction
from asmgen.graph.ops import (
    DOT,
    DOT_GENERAL,
    IDENTITY,
    MULTIBROADCAST,
    REDUCTIONS,
    RESHAPE,
    SCANS,
    SLICE,
    SORTS,
    SQUEEZE,
    STEP,
    TRANSPOSE,
    UNSQUEEZE,
)
from asmgen.graph.rewritings.moves import axes_of, integers_of, permutation_of
from asmgen.graph.rewritings.retyped import RetypedCopy
from asmgen.index.size import Dim, Sizes, most
from asmgen.ir.program import Attributes, Module, Op, Statement, Value, tensor_type
from asmgen.ir.slices import kept_by

Box = tuple[tuple[Dim, Dim], ...]  # of each axis the first element that is needed, and that after the last

# The largest part of the elements of a product, and of those that are reduced, scanned or sorted, for which
# the operands are sliced. Columns 1 to 1,536 of the 2,048 of a product of f16 take 0.80 of the clocks on
# gfx942, and 0.70 on gfx1100. Sums of columns 1 to 1,537 would take 0.95 and 1.20, since their vectors are
# not aligned, and those of columns 1 to 1,025 take 0.84 and 1.00
_MOST_OF_PRODUCT, _MOST = 0.75, 0.5


def with_needed_elements(module: Module) -> Module:
    """The module in which statements make the elements that are needed, if a product, a reduction, a scan or
    a sort then makes far fewer."""
    boxes = _boxes(module)
    if not any(_is_worth_it(statement, boxes) for statement in module.statements):
        return module
    copy = _Copy(module, boxes)
    for statement in module.statements:
        copy.visit(statement)
    made = copy.module()
    # a size may be written in two ways
    return made if _dims_of_results(made) == _dims_of_results(module) else module


def _dims_of_results(module: Module) -> list[Sizes]:
    return [tensor_type(value).dims for value in module.statements[-1].operands]


def _boxes(module: Module) -> dict[Value, Box]:
    """The elements of each value that are made."""
    boxes: dict[Value, Box] = {}
    for statement in reversed(module.statements):
        for result in statement.results:
            boxes[result] = _made(statement, boxes.get(result, _whole(result)))
        for operand, box in zip(statement.operands, _needed(statement, boxes), strict=True):
            boxes[operand] = _united(boxes.get(operand, box), box, tensor_type(operand).dims)
    return boxes


def _made(statement: Statement, box: Box) -> Box:
    """The elements of a result that are made if those of a box are needed."""
    if not _has_boxes(statement):
        return _whole(statement.result)
    keeps = _ranges_kept(statement)
    whole = _whole(statement.result)
    return tuple([range_ if axis in keeps else whole[axis] for axis, range_ in enumerate(box)])


def _has_boxes(statement: Statement) -> bool:
    """Whether some elements of a result may be made without others."""
    if len(statement.results) != 1 or not statement.operands:
        return False
    if not statement.op.pointwise:
        return statement.op in _OPERANDS
    dims = tensor_type(statement.result).dims
    return all(tensor_type(operand).dims == dims for operand in statement.operands)


def _ranges_kept(statement: Statement) -> Set[int]:
    """The axes of a result along which a range may be made."""
    dims = tensor_type(statement.result).dims
    if statement.op in SCANS or statement.op in SORTS:
        return set(range(len(dims))) - set(axes_of(statement, "axis", len(dims)))
    if statement.op in _KEEP_ORDER:
        same = _same_dims(tensor_type(statement.operands[0]).dims, dims)
        return {axis for axis in same if axis is not None}
    return set(range(len(dims)))


def _needed(statement: Statement, boxes: Mapping[Value, Box]) -> list[Box]:
    """The elements of each operand that a statement needs."""
    if not _has_boxes(statement):
        return [_whole(operand) for operand in statement.operands]
    of, box = _OPERANDS.get(statement.op), boxes[statement.result]
    return [box] * len(statement.operands) if of is None else of(statement, box)


def _whole(value: Value) -> Box:
    return tuple([(0, dim) for dim in tensor_type(value).dims])


def _united(one: Box, other: Box, dims: Sizes) -> Box:
    """The least box with the elements of both. Ranges that the launch knows are equal, or the whole axis."""
    ranges: list[tuple[Dim, Dim]] = []
    for this, that, dim in zip(one, other, dims, strict=True):
        ends = (*this, *that)
        if this == that:
            ranges.append(this)
        elif all(isinstance(end, int) for end in ends):
            numbers = [end for end in ends if isinstance(end, int)]
            ranges.append((min(numbers), max(numbers)))
        else:
            ranges.append((0, dim))
    return tuple(ranges)


def _is_worth_it(statement: Statement, boxes: Mapping[Value, Box]) -> bool:
    """Whether a product, a reduction, a scan or a sort has far fewer elements. Of dims that the launch knows,
    the largest count."""
    if statement.op in (DOT, DOT_GENERAL):
        value, box, limit = statement.result, boxes[statement.result], _MOST_OF_PRODUCT
    elif statement.op in REDUCTIONS or statement.op in SCANS or statement.op in SORTS:
        value, box, limit = statement.operands[0], _needed(statement, boxes)[0], _MOST
    else:
        return False
    made = prod([most(end - first) for first, end in box])
    return made <= limit * prod([most(dim) for dim in tensor_type(value).dims])


# The boxes of operands, by the box of the result


def _of_broadcast(statement: Statement, box: Box) -> list[Box]:
    (operand,) = statement.operands
    return [_aligned_right(operand, box)]


def _aligned_right(operand: Value, box: Box) -> Box:
    """The elements of an operand that is broadcast to the dims of a result."""
    dims = tensor_type(operand).dims
    own = box[len(box) - len(dims) :]
    return tuple([(0, 1) if dim == 1 else range_ for dim, range_ in zip(dims, own, strict=True)])


def _of_transpose(statement: Statement, box: Box) -> list[Box]:
    moved = dict(zip(permutation_of(statement), box, strict=True))
    return [tuple([moved[axis] for axis in range(len(box))])]


def _of_slice(statement: Statement, box: Box) -> list[Box]:
    firsts = [first for first, _ in kept_by(statement)]
    return [tuple([(begin + first, end + first) for (begin, end), first in zip(box, firsts, strict=True)])]


def _of_step(statement: Statement, box: Box) -> list[Box]:
    steps = dict(zip(axes_of(statement, "axes", len(box)), integers_of(statement, "steps"), strict=True))
    ranges = [(steps.get(axis, 1), first, end) for axis, (first, end) in enumerate(box)]
    return [tuple([(first * step, (end - 1) * step + 1) for step, first, end in ranges])]


def _of_reshape(statement: Statement, box: Box) -> list[Box]:
    """Dims that stay as they are keep their range; others are merged or split, and are needed whole."""
    (operand,) = statement.operands
    dims = tensor_type(operand).dims
    same = _same_dims(dims, tensor_type(statement.result).dims)
    return [tuple([(0, dim) if axis is None else box[axis] for dim, axis in zip(dims, same, strict=True)])]


def _same_dims(dims: Sizes, made: Sizes) -> list[int | None]:
    """For each dim of an operand the dim of its reshape that is the same; None if there is none."""
    same: list[int | None] = [None] * len(dims)
    places = {prod(dims[:axis]): axis for axis, dim in enumerate(dims) if dim != 1}
    for number, dim in enumerate(made):
        axis = places.get(prod(made[:number]))
        if axis is not None and dims[axis] == dim:
            same[axis] = number
    return same


def _of_reduction(statement: Statement, box: Box) -> list[Box]:
    """All elements along the axes that are reduced."""
    results = tensor_type(statement.result).dims
    return [
        tuple(
            [
                range_ if dim == left else (0, dim)
                for range_, dim, left in zip(box, tensor_type(operand).dims, results, strict=True)
            ]
        )
        for operand in statement.operands
    ]


def _of_scan(statement: Statement, box: Box) -> list[Box]:
    """All elements along the axis."""
    axis = axes_of(statement, "axis", len(box))[0]
    return [
        tuple([(0, dim) if each == axis else box[each] for each, dim in enumerate(tensor_type(operand).dims)])
        for operand in statement.operands
    ]


def _of_dot(statement: Statement, box: Box) -> list[Box]:
    ranges = list(box)
    a, b = statement.operands
    k_of_a, k_of_b = (0, tensor_type(a).dims[-1]), (0, tensor_type(b).dims[-2:][0])
    columns = [ranges.pop()] if tensor_type(b).rank > 1 else []
    rows = [ranges.pop()] if tensor_type(a).rank > 1 else []
    return [
        _aligned_right(a, (*ranges, *rows, k_of_a)),
        _aligned_right(b, (*ranges, k_of_b, *columns)),
    ]


def _of_contraction(statement: Statement, box: Box) -> list[Box]:
    a, b = types = [tensor_type(operand) for operand in statement.operands]
    axes = contraction(statement.op, a, b, statement.attributes, statement.place)
    made: list[Box] = []
    for side, free in enumerate((axes.rows, axes.columns)):
        first = len(axes.batch) + (len(axes.rows) if side else 0)
        ranges = {pair[side]: box[number] for number, pair in enumerate(axes.batch)}
        ranges |= {axis: box[first + number] for number, axis in enumerate(free)}
        made.append(tuple([ranges.get(axis, (0, dim)) for axis, dim in enumerate(types[side].dims)]))
    return made


_OPERANDS: Mapping[Op, Callable[[Statement, Box], list[Box]]] = {
    DOT: _of_dot,
    DOT_GENERAL: _of_contraction,
    MULTIBROADCAST: _of_broadcast,
    RESHAPE: _of_reshape,
    SLICE: _of_slice,
    SQUEEZE: _of_reshape,
    STEP: _of_step,
    TRANSPOSE: _of_transpose,
    UNSQUEEZE: _of_reshape,
    **dict.fromkeys(REDUCTIONS, _of_reduction),
    **dict.fromkeys((*SCANS, *SORTS), _of_scan),
}
_KEEP_ORDER = frozenset({RESHAPE, SQUEEZE, UNSQUEEZE})
_SIZES = {MULTIBROADCAST: "out_lens", RESHAPE: "dims"}  # the attribute with the dims of the result


class _Copy(RetypedCopy):
    """The copy in which each value has the elements of its box."""

    def __init__(self, module: Module, boxes: Mapping[Value, Box]) -> None:
        super().__init__(module)
        self._boxes = boxes

    def visit(self, statement: Statement) -> None:
        needed = _needed(statement, self._boxes)
        operands = [
            self._part(statement, operand, box)
            for operand, box in zip(statement.operands, needed, strict=True)
        ]
        is_whole = all(self._boxes[value] == _whole(value) for value in statement.results)
        if statement.op is SLICE:
            self.write(statement, IDENTITY, tuple(operands), {})
        elif is_whole and operands == list(statement.operands):
            self.keep(statement)
        else:
            self.write(statement, statement.op, tuple(operands), self._attributes(statement))

    def _attributes(self, statement: Statement) -> Attributes:
        name = _SIZES.get(statement.op)
        if name is None:
            return statement.attributes
        dims = tuple([end - first for first, end in self._boxes[statement.result]])
        return {**statement.attributes, name: dims}

    def _part(self, reader: Statement, value: Value, box: Box) -> Value:
        """The elements of a value that a statement needs, of those that are made."""
        ranges = [
            (axis, needed[0] - made[0], needed[1] - made[0])
            for axis, (needed, made) in enumerate(zip(box, self._boxes[value], strict=True))
            if needed != made
        ]
        if not ranges:
            return value
        axes, starts, ends = [tuple(each) for each in zip(*ranges, strict=True)]
        return self.apply(reader, SLICE, (value,), {"axes": axes, "starts": starts, "ends": ends})
