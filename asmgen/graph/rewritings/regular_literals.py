"""Literals of many regular numbers are computed from the index of each element, so that no launch reads them.

    k = @literal{0, 1, ..., 4095} -> i64, {4096}           numpy's arange

    i = iota[axis=0, out_lens={4096}]
    k = convert[target_type=i64](i)

    e = @literal{1, 0, ..., 0, 1} -> f32, {4096,4096}      numpy's eye: 67 MB

    r = iota[axis=0, out_lens={4096,1}]
    c = iota[axis=1, out_lens={1,4096}]
    e = where(equal(c, r), one, zero)

Numbers are regular if they rise by a step along each axis, or if a matrix has a number in a band and another
number outside. A band consists of adjacent diagonals, as in numpy's eye and tri, or in the mask of a causal
attention. Factors of products stay literals.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from asmgen.graph.block_dots import PRODUCTS
from asmgen.graph.ops import (
    ADD,
    CONVERT,
    DOT_GENERAL,
    EQUAL,
    GREATER,
    IDENTITY,
    IOTA,
    LESS,
    LITERAL,
    LOGICAL_AND,
    MUL,
    MULTIBROADCAST,
    NOT,
    REDUCTIONS,
    WHERE,
)
from asmgen.graph.rewritings.rewriter import Rewriter
from asmgen.index.size import number
from asmgen.ir.constants import Constants
from asmgen.ir.numbers import integer_range
from asmgen.ir.program import Module, Op, Statement, Value, literal_numbers, tensor_type
from asmgen.ir.types import BOOL, F32, F64, I32, row_major
from isa.named_tuple import NamedTuple

if TYPE_CHECKING:
    import numpy as np

    Numbers = np.ndarray[Any, Any]

_LEAST = 256  # numbers: a lane reads fewer in about the time in which it computes them


class _Steps(NamedTuple):
    """Integers that begin with `first` and rise by a step along each axis."""

    first: int
    steps: tuple[int, ...]


class _Band(NamedTuple):
    """A matrix with the number `inside` on the diagonals from `low` to `high`, and `outside` on the others.
    None is the end of the matrix. A diagonal is the column less the row."""

    low: int | None
    high: int | None
    inside: float
    outside: float


def with_regular_literals(module: Module) -> Module:
    """The module with such literals computed."""
    literals = [each for each in module.statements if may_be_regular(each)]
    factors = _factors(module) if literals else set[Value]()
    found = {each: _pattern(each) for each in literals if each.result not in factors}
    regular = {each: pattern for each, pattern in found.items() if pattern is not None}
    if not regular:
        return module
    rewriter = Rewriter(module)
    for statement in module.statements:
        match regular.get(statement):
            case None:
                rewriter.keep(statement)
            case _Steps() as steps:
                _write_steps(rewriter, statement, steps)
            case _Band() as band:
                _write_band(rewriter, statement, band)
    return rewriter.module()


def may_be_regular(statement: Statement) -> bool:
    """Whether a statement is a literal with so many numbers that they are compared with patterns."""
    if statement.op is not LITERAL:
        return False
    type_ = tensor_type(statement.result)
    return isinstance(type_.elements, int) and type_.elements >= _LEAST and not type_.element.is_code


def _factors(module: Module) -> set[Value]:
    """The values that are factors of products, moved or converted: a computed factor may take a launch."""
    factors: set[Value] = set()
    for statement in reversed(module.statements):
        is_product = statement.op in PRODUCTS or statement.op is DOT_GENERAL
        is_moved = statement.op is CONVERT or not (statement.op.pointwise or statement.op in REDUCTIONS)
        if is_product or (is_moved and not factors.isdisjoint(statement.results)):
            factors.update(statement.operands)
    return factors


def _pattern(statement: Statement) -> _Steps | _Band | None:
    type_ = tensor_type(statement.result)
    if type_.strides != row_major(type_.dims):
        return None
    import numpy as np

    numbers = literal_numbers(statement)
    array = numbers.array if isinstance(numbers, Constants) else np.array(numbers)
    if array.dtype.kind not in "biuf" or array.size != type_.elements:
        return None
    shaped: Numbers = array.reshape([number(dim) for dim in type_.dims])
    if type_.element is BOOL:
        return _band(shaped)
    is_counted = not type_.element.is_float or type_.element in (F32, F64)
    return (_steps(shaped) if is_counted else None) or _band(shaped)


def _steps(numbers: Numbers) -> _Steps | None:
    """The steps of integers of i32, also if they are floats: f32 has every integer of 24 bits."""
    import numpy as np

    low, high = integer_range(I32) if numbers.dtype.kind != "f" else (0, 1 << 24)
    first = numbers.flat[0]
    if not low <= first <= high or int(first) != first:
        return None
    steps: list[int] = []
    for axis, dim in enumerate(numbers.shape):
        second = numbers[tuple([int(each == axis) for each in range(numbers.ndim)])] if dim > 1 else first
        if not low <= second <= high or int(second) != second:
            return None
        steps.append(int(second) - int(first))
    last = int(first) + sum(step * (dim - 1) for step, dim in zip(steps, numbers.shape, strict=True))
    if not any(steps) or not low <= last <= high or last != numbers.flat[-1]:
        return None
    expected: Numbers = np.full(numbers.shape, int(first), dtype=np.int64)
    for axis, step in enumerate(steps):
        along = [-1 if each == axis else 1 for each in range(numbers.ndim)]
        index = np.arange(int(numbers.shape[axis]), dtype=np.int64)
        expected = expected + index.reshape(along) * step
    # the largest number need not be a corner that was compared above: steps may have different signs
    has_room = low <= expected.min() and expected.max() <= high
    return _Steps(int(first), tuple(steps)) if has_room and _is_same(expected, numbers) else None


def _band(numbers: Numbers) -> _Band | None:
    import numpy as np

    sides = [int(dim) for dim in numbers.shape if dim > 1]
    if len(sides) != 2:
        return None
    matrix = numbers.reshape(sides)
    rows, columns = sides
    diagonals = np.concatenate([matrix[:0:-1, 0], matrix[0]])  # from that of the last row
    outside = diagonals[0] if diagonals[0] == diagonals[-1] else diagonals[-1]
    others = np.flatnonzero(diagonals != outside)
    if others.size == 0 or others[-1] - others[0] + 1 != others.size:
        return None
    inside = diagonals[others[0]]
    if not (diagonals[others] == inside).all():
        return None
    place = np.arange(columns)[None, :] - np.arange(rows)[:, None]
    first, last = int(others[0]) - (rows - 1), int(others[-1]) - (rows - 1)
    if not _is_same(np.where((place >= first) & (place <= last), inside, outside), matrix):
        return None
    low, high = (None if first == 1 - rows else first), (None if last == columns - 1 else last)
    return _Band(low, high, inside.item(), outside.item())


def _is_same(expected: Numbers, numbers: Numbers) -> bool:
    """Whether all numbers are as expected, zeros with their signs."""
    import numpy as np

    if not np.array_equal(expected, numbers):
        return False
    return numbers.dtype.kind != "f" or np.array_equal(np.signbit(expected), np.signbit(numbers))


def _write_steps(rewriter: Rewriter, statement: Statement, steps: _Steps) -> None:
    type_ = tensor_type(statement.result)
    value: Value | None = None
    for axis, step in enumerate(steps.steps):
        if step:
            term = _index(rewriter, statement, axis)
            if step != 1:
                term = rewriter.apply(MUL, (term, rewriter.literal(step, I32, statement)), statement)
            value = term if value is None else rewriter.apply(ADD, (value, term), statement)
    assert value is not None, "some axis has a step"
    if steps.first:
        value = rewriter.apply(ADD, (value, rewriter.literal(steps.first, I32, statement)), statement)
    _finish(rewriter, statement, value, CONVERT if type_.element is not I32 else IDENTITY)


def _write_band(rewriter: Rewriter, statement: Statement, band: _Band) -> None:
    type_ = tensor_type(statement.result)
    row_axis, column_axis = [axis for axis, dim in enumerate(type_.dims) if dim != 1]
    row, column = _index(rewriter, statement, row_axis), _index(rewriter, statement, column_axis)

    def beside(more: int) -> Value:
        """The column of a row that is in a diagonal."""
        if not more:
            return row
        return rewriter.apply(ADD, (row, rewriter.literal(more, I32, statement)), statement)

    if band.low is not None and band.low == band.high:
        is_inside = rewriter.apply(EQUAL, (column, beside(band.low)), statement)
    else:
        sides = [(GREATER, band.low - 1)] if band.low is not None else []
        sides += [(LESS, band.high + 1)] if band.high is not None else []
        tests = [rewriter.apply(op, (column, beside(more)), statement) for op, more in sides]
        is_inside = tests[0] if len(tests) == 1 else rewriter.apply(LOGICAL_AND, tuple(tests), statement)
    if type_.element is BOOL:
        _finish(rewriter, statement, is_inside, IDENTITY if band.inside else NOT)
        return
    numbers = [rewriter.literal(each, type_.element, statement) for each in (band.inside, band.outside)]
    rewriter.finish(WHERE, (is_inside, *numbers), statement)


def _index(rewriter: Rewriter, statement: Statement, axis: int) -> Value:
    dims = tensor_type(statement.result).dims
    along = tuple([dim if each == axis else 1 for each, dim in enumerate(dims)])
    return rewriter.apply(IOTA, (), statement, axis=axis, out_lens=along)


def _finish(rewriter: Rewriter, statement: Statement, value: Value, op: Op) -> None:
    """Write the literal's result, of a value that has its dims or those of some of its axes."""
    type_ = tensor_type(statement.result)
    if tensor_type(value).dims != type_.dims:
        value = rewriter.apply(MULTIBROADCAST, (value,), statement, out_lens=type_.dims)
    target = {"target_type": type_.element.name} if op is CONVERT else {}
    rewriter.finish(op, (value,), statement, **target)
