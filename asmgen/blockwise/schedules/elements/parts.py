"""Cuts an output at the borders of the operands of concats, so that no element is computed for places of
another.

    concat[axis=1](a, b), of {9,64} each       {9,64} of a, stored from {0,0}; {9,64} of b, from {0,64}
    two concats [axis=1] joined [axis=0]       four rectangles
    stack of red, green and blue, {N,3}        {N,1} of each: a lane has whole pixels
    two stages of a transform, {R,64}          four of {R,1,1,16}: 64 columns are 2 by 2 by 16 of the stages
    relu of a concat                           as the concat, by the indices alone

A cut across rows needs whole accesses on both sides of a border, or rows of about the same number of
elements, or rows that are short: these become parts of an element each.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import prod

from asmgen.blockwise.schedules.elements.indices import ZERO, Indices, reshaped
from asmgen.blockwise.schedules.elements.maps import numbers, visited
from asmgen.blockwise.schedules.elements.merged_dims import coordinate_symbols
from asmgen.graph.fusion.keep import SHORT_ROW
from asmgen.graph.ops import CONCAT, RESHAPE
from asmgen.index import Index, Symbol
from asmgen.index.nodes import Quotient, Remainder
from asmgen.index.size import Dim, Size, Sizes, number
from asmgen.ir.program import Statement, Value, tensor_type
from isa.named_tuple import NamedTuple

MOST_PARTS = 16  # of an output
SPARE = 8  # the places between rows are at most an eighth of their elements


class Part(NamedTuple):
    """The `dims` elements of a value in the dims `view` from `begin` on. The first is the element `first` of
    the output in the dims `whole`, which has its elements in the same order. The value is the output, or an
    operand of a concat. `access` are the elements of an access of memory.
    """

    value: Value
    view: Sizes
    begin: Sizes
    dims: Sizes
    first: Sizes
    whole: Sizes
    access: int


def parts(defined: Mapping[Value, Statement], value: Value, access: int) -> Sequence[Part]:
    """The parts of an output. A lane has accesses of up to so many elements. A reshaped output is cut in the
    dims before, as records that are joined in the end.
    """
    before = value
    while defined[before].op is RESHAPE:
        before = defined[before].operands[0]
    found = _parts_of(defined, before, access)
    return found if len(found) > 1 or before is value else _parts_of(defined, value, access)


def _parts_of(defined: Mapping[Value, Statement], value: Value, access: int) -> Sequence[Part]:
    dims = tensor_type(value).dims
    zeros = (0,) * len(dims)
    found = _cut_whole(defined, Part(value, dims, zeros, dims, zeros, dims, access))
    while True:
        digits = [_by_digit(defined, part) or [part] for part in found]
        finer = [part for pieces in digits for piece in pieces for part in _cut_whole(defined, piece)]
        if not len(found) < len(finer) <= MOST_PARTS:
            return found
        found = finer


def _cut_whole(defined: Mapping[Value, Statement], whole: Part) -> list[Part]:
    """A part between the borders of the concats along its axes."""
    pending, found = [whole], list[Part]()
    while pending:
        part = _of_operand(defined, pending.pop())
        cut = _cut(defined, part)
        found += [] if cut else [part]
        pending += reversed(cut)
        if len(pending) + len(found) > MOST_PARTS:
            return [whole]
    return found


def _of_operand(defined: Mapping[Value, Statement], part: Part) -> Part:
    """The same elements as a part of the operand, if a single operand of a concat contains them."""
    statement = defined[part.value]
    is_same = part.view == tensor_type(part.value).dims
    if statement.op is not CONCAT or not is_same or any(isinstance(size, Size) for size in part.begin):
        return part
    axis = _axis(statement)
    start, size = part.begin[axis], part.dims[axis]
    first = 0
    for operand in statement.operands:
        count = tensor_type(operand).dims[axis]
        if isinstance(count, Size) or isinstance(start, Size) or isinstance(size, Size):
            return part
        if first <= start and start + size <= first + count:
            begin = (*part.begin[:axis], start - first, *part.begin[axis + 1 :])
            view = tensor_type(operand).dims
            return _of_operand(defined, part._replace(value=operand, view=view, begin=begin))
        first += count
    return part


def _cut(defined: Mapping[Value, Statement], part: Part) -> list[Part]:
    """The part in pieces along an axis; empty if it stays in one piece."""
    symbols = coordinate_symbols(part.dims)
    for statement, index in _concats(defined, part, symbols):
        axis = next((axis for axis, symbol in enumerate(symbols) if _is_along(index, symbol)), None)
        if axis is None:
            continue
        borders = list(_borders(statement, index, symbols[axis], part.dims[axis]))
        pieces = _pieces(part, axis, borders) if borders else []
        if pieces:
            return pieces
    return []


def _concats(
    defined: Mapping[Value, Statement], part: Part, symbols: Indices
) -> Iterator[tuple[Statement, Index]]:
    """The concats of which an element of a part is made, each with the index along its axis."""
    at = tuple([symbol + first for symbol, first in zip(symbols, part.begin, strict=True)])
    dims = tensor_type(part.value).dims
    for leaf, _ in visited(defined, part.value, at if part.view == dims else reshaped(at, part.view, dims)):
        statement = defined[leaf.value]
        if statement.op is CONCAT:
            yield statement, leaf.indices[_axis(statement)]


def _by_digit(defined: Mapping[Value, Statement], part: Part) -> list[Part]:
    """The part in pieces by a digit of an index that says which operand of a concat has the element; empty if
    there is none."""
    symbols = coordinate_symbols(part.dims)
    for statement, at in _concats(defined, part, symbols):
        sizes = {tensor_type(each).dims[_axis(statement)] for each in statement.operands}
        size = sizes.pop()
        if sizes or isinstance(size, Size) or not size:
            continue
        index = at // size  # the number of the operand
        if index.low == index.high:
            continue
        axis = next((axis for axis, each in enumerate(symbols) if each.symbols == index.symbols), None)
        digit = None if axis is None else _digit(index, part.dims[axis])
        pieces = [] if axis is None or digit is None else _pieces_of_digit(part, axis, digit)
        if pieces:
            return pieces
    return []


class _Digit(NamedTuple):
    """`(index floordiv step) mod size`."""

    step: int
    size: int


def _digit(index: Index, size: Dim) -> _Digit | None:
    """The digit of a symbol of so many values that an index is."""
    step, count = 1, 0
    while len(index.terms) == 1 and not index.constant and index.terms[0][1] == 1:
        ((atom, _),) = index.terms
        match atom:
            case Symbol():
                whole = step * (count or 1)
                if isinstance(size, Size) or size % whole:
                    return None
                return _Digit(step, count or size // step)
            case Quotient():
                index, step = atom.inner, step * atom.by
            case Remainder() if atom.by % (step * (count or 1)) == 0:
                index, count = atom.inner, count or atom.by // step
            case _:
                return None
    return None


def _pieces_of_digit(part: Part, axis: int, digit: _Digit) -> list[Part]:
    """A piece for each value of a digit of the index along an axis, if it is worth a cut."""
    whole, known = digit.step * digit.size, (part.begin, part.dims, part.view, part.first, part.whole)
    sizes = [number(size) for sizes in known for size in sizes[axis:] if not isinstance(size, Size)]
    if len(sizes) < len(known) * len(part.dims[axis:]) or any(number(size[axis]) % whole for size in known):
        return []

    def apart(sizes: Sizes, *inner: int) -> Sizes:
        return (*sizes[:axis], number(sizes[axis]) // whole, *inner, *sizes[axis + 1 :])

    own = part._replace(
        view=apart(part.view, digit.size, digit.step),
        begin=apart(part.begin, 0, 0),
        dims=apart(part.dims, digit.size, digit.step),
        first=apart(part.first, 0, 0),
        whole=apart(part.whole, digit.size, digit.step),
    )
    row = number(prod(own.dims[axis + 2 :]))
    if row % part.access == 0:
        return [_piece(own, axis + 1, place, 1) for place in range(digit.size)]
    return _elements(own, axis + 1) if row * digit.size <= SHORT_ROW else []


def _is_along(index: Index, symbol: Index) -> bool:
    return symbol is not ZERO and (index - symbol).is_constant


def _borders(statement: Statement, index: Index, symbol: Index, size: Dim) -> Iterator[int]:
    """The places along an axis of a part at which an operand of a concat begins."""
    moved, first = (index - symbol).constant, 0
    for operand in statement.operands:
        count = tensor_type(operand).dims[_axis(statement)]
        if isinstance(count, Size) or isinstance(size, Size):
            return
        if 0 < first - moved < size and count:
            yield first - moved
        first += count


def _pieces(part: Part, axis: int, borders: list[int]) -> list[Part]:
    """The part between borders along an axis, if it is worth a cut."""
    outer, row = prod(part.dims[:axis]), prod(part.dims[axis:])
    size = part.dims[axis]
    if isinstance(row, Size) or isinstance(size, Size):
        return []
    ends = [*borders, size]
    sizes = [end - begin for begin, end in zip([0, *borders], ends, strict=True)]
    lengths = [row // size * own for own in sizes]
    if outer == 1 or (not isinstance(outer, Size) and _fits(lengths, part.access)):
        return [_piece(part, axis, end - size, size) for size, end in zip(sizes, ends, strict=True)]
    if row > SHORT_ROW:
        return []
    return _elements(part, axis)


def _elements(part: Part, axis: int) -> list[Part]:
    """A part for each element of a row that begins with an axis."""
    pieces = [part]
    for along in range(axis, len(part.dims)):
        pieces = [
            _piece(piece, along, place, 1) for piece in pieces for place in range(number(part.dims[along]))
        ]
    return pieces


def _piece(part: Part, axis: int, begin: int, size: int) -> Part:
    moved = [begin if at == axis else 0 for at in range(len(part.dims))]
    return part._replace(
        begin=tuple([own + by for own, by in zip(part.begin, moved, strict=True)]),
        first=tuple([own + by for own, by in zip(part.first, moved, strict=True)]),
        dims=(*part.dims[:axis], size, *part.dims[axis + 1 :]),
    )


def _fits(rows: Sequence[int], access: int) -> bool:
    """Whether rows of these elements are whole accesses, or almost as long as the longest of them rounded up
    to whole accesses: all rows then begin at the same multiples.
    """
    longest = -(-max(rows) // access) * access
    are_alike = min(rows) >= access and (longest - min(rows)) * SPARE <= min(rows)
    return are_alike or not any(row % access for row in rows)


def _axis(concat: Statement) -> int:
    (axis,) = numbers(concat, "axis")
    return axis % tensor_type(concat.result).rank
