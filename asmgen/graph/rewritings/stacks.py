"""Makes windows of equal slices of a value that are stacked.

    a = slice[axes={0}, starts={0}, ends={8}](x)             x has 10 elements
    b = slice[axes={0}, starts={1}, ends={9}](x)   becomes   w = windows[sizes={3}, axes={0}, strides={1}](x)
    c = slice[axes={0}, starts={2}, ends={10}](x)            y = transpose[permutation={1,0}](w)
    y = concat[axis=0](a, b, c)                              of a, b and c as rows of {1,8}

Convolutions and stencils in numpy are often written so, along several axes at a time. A window has an index
for each element, and a concat has a condition and an access for each of its operands.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from asmgen.graph.ops import CONCAT, RESHAPE, SLICE, STEP, TRANSPOSE, WINDOWS
from asmgen.graph.rewritings.rewriter import Rewriter
from asmgen.index.size import Size
from asmgen.ir.program import Module, Statement, Value, definitions, tensor_type
from asmgen.ir.shapes import Dims
from asmgen.ir.slices import ends_of
from isa.named_tuple import NamedTuple


def with_windows(module: Module) -> Module:
    """The module with windows in place of each such concat."""
    defined = definitions(module)
    rewriter = Rewriter(module)
    for statement in module.statements:
        stack = _stack(statement, defined) if statement.op is CONCAT else None
        if stack is None:
            rewriter.keep(statement)
        else:
            _write(rewriter, statement, stack)
    return rewriter.module()


class _Part(NamedTuple):
    """The elements `starts[axis] + n * steps[axis]` of a value, for each n below the length of an axis."""

    of: Value
    starts: tuple[int, ...]
    steps: tuple[int, ...]


class _Move(NamedTuple):
    """The next part starts `distance` elements later along an axis, and there are `number` such parts."""

    axis: int
    number: int
    distance: int


class _Stack(NamedTuple):
    """Parts along a new axis: the first of them, how many elements it has along each axis, and how the others
    follow, the move of the next part last."""

    axis: int
    first: _Part
    lengths: Dims
    moves: tuple[_Move, ...]


def _stack(concat: Statement, defined: Mapping[Value, Statement]) -> _Stack | None:
    given = concat.attributes["axis"]
    assert isinstance(given, int), "the parser reads an integer"
    dims = tensor_type(concat.result).dims
    axis = given % len(dims)
    lengths = dims[:axis] + dims[axis + 1 :]
    if 0 in lengths:
        return None
    parts: list[_Part] = []
    for operand in concat.operands:
        row = defined[operand]
        if not row.op.keeps_order or tensor_type(operand).dims[axis] != 1:
            return None
        part = _part(row.operands[0], defined)
        if part is None or tensor_type(row.operands[0]).dims != lengths:
            return None
        if parts and (part.of is not parts[0].of or part.steps != parts[0].steps):
            return None
        parts.append(part)
    moves = _moves([part.starts for part in parts])
    stack = _Stack(axis, parts[0], lengths, moves)
    return stack if moves and _has_named_dims_whole(stack) else None


def _has_named_dims_whole(stack: _Stack) -> bool:
    """Whether each part has all elements along the axes that only the launch knows."""
    first, moving = stack.first, {move.axis for move in stack.moves}
    return all(
        axis not in moving
        and (first.starts[axis], first.steps[axis]) == (0, 1)
        and length == tensor_type(first.of).dims[axis]
        for axis, length in enumerate(stack.lengths)
        if isinstance(length, Size)
    )


def _part(value: Value, defined: Mapping[Value, Statement]) -> _Part | None:
    """The part of a value that its slices and steps leave; None if only the launch knows it."""
    rank = len(tensor_type(value).dims)
    starts, steps = [0] * rank, [1] * rank
    while (statement := defined[value]).op in (SLICE, STEP):
        (value,) = statement.operands
        axes = [axis % rank for axis in _listed(statement, "axes") if isinstance(axis, int)]
        if statement.op is STEP:
            for axis, step in zip(axes, _listed(statement, "steps"), strict=True):
                if not isinstance(step, int) or step < 1:
                    return None
                starts[axis], steps[axis] = starts[axis] * step, steps[axis] * step
            continue
        for axis, start, end in zip(
            axes, _listed(statement, "starts"), _listed(statement, "ends"), strict=True
        ):
            first = ends_of(tensor_type(value).dims[axis], start, end)[0]
            if isinstance(first, Size):
                return None
            starts[axis] += first
    return _Part(value, tuple(starts), tuple(steps))


def _listed(statement: Statement, name: str) -> Dims:
    value = statement.attributes[name]
    return tuple([dim for dim in value if isinstance(dim, int | Size)]) if isinstance(value, tuple) else ()


def _moves(starts: Sequence[tuple[int, ...]]) -> tuple[_Move, ...]:
    """How each part follows the part before it; empty if they do not follow by the same moves, each along an
    axis of its own."""
    moves: list[_Move] = []
    left = list(starts)
    while len(left) > 1:
        distances = [after - before for before, after in zip(left[0], left[1], strict=True)]
        axes = [axis for axis, distance in enumerate(distances) if distance]
        if len(axes) != 1 or distances[axes[0]] < 0 or any(axes[0] == move.axis for move in moves):
            return ()
        count = 2
        while count < len(left) and left[count] == _moved(left[0], axes[0], count * distances[axes[0]]):
            count += 1
        moves.insert(0, _Move(axes[0], count, distances[axes[0]]))
        left = left[::count]
    return tuple(moves) if _places(starts[0], moves) == list(starts) else ()


def _places(first: tuple[int, ...], moves: Sequence[_Move]) -> list[tuple[int, ...]]:
    places = [first]
    for move in moves:
        places = [
            _moved(place, move.axis, nth * move.distance) for place in places for nth in range(move.number)
        ]
    return places


def _moved(starts: tuple[int, ...], axis: int, distance: int) -> tuple[int, ...]:
    return (*starts[:axis], starts[axis] + distance, *starts[axis + 1 :])


def _write(rewriter: Rewriter, concat: Statement, stack: _Stack) -> None:
    value = _all_elements(rewriter, concat, stack)
    moves = sorted(stack.moves)
    value = rewriter.apply(
        WINDOWS, (value,), concat,
        sizes=tuple([move.number for move in moves]),
        axes=tuple([move.axis for move in moves]),
        strides=tuple([stack.first.steps[move.axis] for move in moves]),
        dilations=tuple([move.distance for move in moves]),
    )  # fmt: skip
    # an axis of windows is followed by that of their elements
    at = [axis + sum(move.axis < axis for move in moves) for axis in range(len(stack.lengths))]
    elements = [at[move.axis] + 1 for move in stack.moves]
    permutation = (*at[: stack.axis], *elements, *at[stack.axis :])
    value = rewriter.apply(TRANSPOSE, (value,), concat, permutation=permutation)
    rewriter.finish(RESHAPE, (value,), concat, dims=tensor_type(concat.result).dims)


def _all_elements(rewriter: Rewriter, concat: Statement, stack: _Stack) -> Value:
    """The elements of all parts, from the first of the first part to the last of the last; those along axes
    without moves are every so many as in a part."""
    first, reach = stack.first, {move.axis: (move.number - 1) * move.distance for move in stack.moves}
    known = [(axis, length) for axis, length in enumerate(stack.lengths) if not isinstance(length, Size)]
    axes = tuple([axis for axis, _ in known])
    starts = tuple([first.starts[axis] for axis in axes])
    ends = tuple(
        [
            first.starts[axis] + (length - 1) * first.steps[axis] + reach.get(axis, 0) + 1
            for axis, length in known
        ]
    )
    value = rewriter.apply(SLICE, (first.of,), concat, axes=axes, starts=starts, ends=ends)
    steps = tuple([1 if axis in reach else first.steps[axis] for axis in axes])
    return rewriter.apply(STEP, (value,), concat, axes=axes, steps=steps) if max(steps) > 1 else value
