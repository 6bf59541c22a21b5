"""The outputs of a kernel without reductions, grouped by their dims: outputs of the same dims are written
together.

z = add(x, b), x {2,3,4,4} and b {4,4}      a section of 96 elements with the dims 6 and 16
z = concat[axis=1](a, b), of {9,64} each    a section of {9,64}: a is stored to z from {0,0}, b from {0,64}

An output that is made of concats is stored in parts (`parts`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import gcd, prod

from asmgen.blockwise.actions import Below
from asmgen.blockwise.schedules.elements.copies import Copies, copies
from asmgen.blockwise.schedules.elements.indices import ZERO, Data, Indices, reshaped, total, unflattened
from asmgen.blockwise.schedules.elements.maps import leaves, splat_of
from asmgen.blockwise.schedules.elements.merged_dims import (
    Dims,
    apart,
    apart_at_sizes,
    coordinate_symbols,
    merged,
    stride,
)
from asmgen.graph.ops import CONCAT, IOTA, LITERAL
from asmgen.index import Index, Symbol
from asmgen.index.expression import as_symbol
from asmgen.index.size import Dim, Size, Sizes, divides, most, number
from asmgen.ir.program import Statement, Value, tensor_type
from asmgen.ir.types import row_major
from isa.named_tuple import NamedTuple
from isa.registers import DWORD
from isa.target import CACHE_LINE, WIDEST_ACCESS

OUTER_AXES = 2  # of a grid, for the rows of an output
FEWEST_OF_ROW = 512  # elements of a row that has workgroups of its own,
SPARE = 8  # the places between rows are at most an eighth of their elements
MOST_ROWS = 65535  # of so many rows


class Stored(NamedTuple):
    """A part of the output at `position`: the `dims` elements of a value in the dims `view` from `begin` on.
    The first is the element `first` of the output in the dims `whole`, which has its elements in the same
    order. The value is the output, or an operand of a concat.
    """

    position: int
    value: Value
    view: Sizes
    begin: Sizes
    dims: Sizes
    first: Sizes
    whole: Sizes

    def of_value(self, indices: Indices) -> Indices:
        """The element of the value that an element of the part is."""
        moved, dims = _moved(indices, self.begin), tensor_type(self.value).dims
        return moved if dims == self.view else reshaped(moved, self.view, dims)

    def at(self, indices: Indices, dims: Sizes) -> Indices:
        """The element of the output of these dims that an element of the part is."""
        moved = _moved(indices, self.first)
        return moved if dims == self.whole else reshaped(moved, self.whole, dims)


class Section(NamedTuple):
    """`stored` are the values that are stored; `groups` are the merged dims. In a `flat` section the number
    of an element is divided by its dims, also by dims that only the launch knows.
    """

    stored: tuple[Stored, ...]
    dims: Sizes
    groups: tuple[Dims, ...]
    is_contiguous: bool = False  # whether a buffer that is read lies as the outputs do, and all exist
    conditions: int = 0  # on which an element of a buffer, or the border around it, depends
    flat: bool = False
    shares_rows: bool = False  # whether a buffer has an element for each long row, which its lanes share
    columns: int = 0  # of a buffer with an element for each column alone, if there is any
    row: int = 0  # elements of a row, if data choose rows of a buffer, and all buffers have rows in one piece
    copies: Copies = Copies(())  # of elements, which a lane computes once; the dims are those apart
    read: tuple[Value, ...] = ()  # the buffer of each address that is read
    step: int = 1  # bytes between neighbours in the buffer in which they are furthest apart, within a line

    @property
    def elements(self) -> Dim:
        """Those that are no copies of each other."""
        return prod(self.merged)

    @property
    def merged(self) -> Sizes:
        return tuple([prod([self.dims[axis] for axis in group]) for group in self.groups])

    @property
    def is_of_rows(self) -> bool:
        """Whether rows are an axis of the grid: if only the launch knows an inner dim, so that no number is
        divided by it, or if a wave reads its numbers of a row once.
        """
        is_known = not any(isinstance(size, Size) for size in self.merged[1:])
        return not self.flat and (not is_known or self.shares_rows)

    @property
    def of_block(self) -> Dim:
        """The elements that workgroups along the first axis of the grid have: a row's, or all."""
        return prod(self.merged[self._first_of_row :]) if self.is_of_rows else self.elements

    @property
    def _first_of_row(self) -> int:
        """The number of the first group that a row of the grid has: the last, or with short rows as many as
        lanes need for their work. Numbers in a row are divided by known dims only. The one_hot of {33,n}
        integers with a depth of 2 takes 32,000 clocks on gfx1100 for n = 100,003, in place of 10,535,000 with
        a workgroup for 2 elements.
        """
        merged, first = self.merged, len(self.groups) - 1
        row = merged[first]
        while isinstance(row, int) and row < FEWEST_OF_ROW:
            first -= 1
            row *= merged[first]
        return first

    @property
    def in_rows(self) -> Section:
        """The section with its last axis apart from the others, so that a lane may have elements in several
        rows."""
        *outer, last = self.groups or ((),)
        return self._replace(groups=(*outer, last[:-1], last[-1:])) if len(last) > 1 else self

    @property
    def outer(self) -> tuple[Sizes, ...]:
        """If `is_of_rows`, the outer dims for each further axis of the grid; in each group only the first dim
        may be known to the launch alone.
        """
        groups: list[Sizes] = []
        for size in self.merged[: self._first_of_row] if self.is_of_rows else ():
            is_new = not groups or isinstance(size, Size)
            groups = [*groups, (size,)] if is_new else [*groups[:-1], (*groups[-1], size)]
        return tuple(reversed(groups))

    def vector(self, widest: int, in_rows: bool = False) -> int:
        """The number of adjacent elements of a lane, a power of two up to `widest`; `in_rows` says that no
        vector continues in the next row.

        Any vector that is no longer than the elements is legal: the last vector is moved back so that it ends
        with the last element. A vector may continue in the next row once: contiguous buffers then have a
        single access, and others are gathered.
        """
        width = min(widest, self._of_steps)
        if in_rows or (self.is_of_rows and self._first_of_row == len(self.groups) - 1):
            row = self.merged[-1]
            return width if isinstance(row, Size) else min(width, 1 << row.bit_length() - 1)
        elements = self.of_block
        while width > 1 and (
            (isinstance(elements, int) and width > elements) or (len(self.groups) > 1 and self._is_cut(width))
        ):
            width //= 2
        return width

    @property
    def _of_steps(self) -> int:
        """The most neighbours of a lane. If they lie apart in a buffer, they fill two accesses; if these are
        cut, as for pixels of three bytes, a single access; at least registers. More touch more lines at once.
        """
        step = max(1, self.step)
        fit = max(1, (1 if WIDEST_ACCESS % step else 2) * WIDEST_ACCESS // step)
        return max(DWORD // gcd(DWORD, step), 1 << fit.bit_length() - 1)

    def _is_cut(self, width: int) -> bool:
        """Whether rows end within vectors, and that is not worth their width."""
        inner = self.merged[-1]
        return not divides(width, inner).is_shown and (most(inner) < width or not self.is_contiguous)

    def in_row(self, row: Index, column: Index, copy: Index = ZERO) -> Indices:
        """The element of a row and a column, and the number of its copy."""
        return self._joined((*unflattened(row, self.merged[:-1]), column), copy)

    def at(self, number: Index, rows: Sequence[Index] = (), copy: Index = ZERO) -> Indices:
        """The element with a row-major number, in the rows with these numbers if `is_of_rows`, and the number
        of its copy.
        """
        if self.is_of_rows:
            places = [unflattened(row, dims) for row, dims in zip(rows, self.outer, strict=True)]
            outer = [place for group in reversed(places) for place in group]
            return self._joined((*outer, *unflattened(number, self.merged[self._first_of_row :])), copy)
        return self._joined(unflattened(number, self.merged), copy)

    def _joined(self, places: Indices, copy: Index) -> Indices:
        axes = self.copies.axes
        of_copy = unflattened(copy, tuple([self.dims[axis] for axis in axes]))
        groups = (*self.groups, *[(axis,) for axis in axes])
        return self.copies.joined(apart(self.dims, groups, (*places, *of_copy)))


def sections(defined: Mapping[Value, Statement], outputs: Sequence[Value]) -> tuple[Section, ...]:
    """The sections in the order of their first output; outputs without elements have none. Sections are flat
    if there are several, which share no grid of rows, or if there are more axes than a grid has.
    """
    together: dict[Sizes, list[Stored]] = {}
    for position, value in enumerate(outputs):
        dims = tensor_type(value).dims
        if 0 in dims:
            continue
        for stored in _parts(defined, position, value):
            together.setdefault(stored.dims, []).append(stored)
    made = tuple([_section(defined, dims, outputs, tuple(group)) for dims, group in together.items()])
    if len(made) == 1 and len(made[0].outer) <= OUTER_AXES:
        return made
    return tuple([section._replace(flat=True) for section in made])


def has_open_rows(found: Sequence[Section]) -> bool:
    """Whether a single section has rows, of a length that only the launch knows, along axes of the grid."""
    return len(found) == 1 and found[0].is_of_rows and isinstance(found[0].of_block, Size)


def _parts(defined: Mapping[Value, Statement], position: int, value: Value) -> Sequence[Stored]:
    dims, bytes_ = tensor_type(value).dims, tensor_type(value).element.bytes
    if not any(statement.op is CONCAT for statement in defined.values()):
        zeros = (0,) * len(dims)
        return [Stored(position, value, dims, zeros, dims, zeros, dims)]
    from asmgen.blockwise.schedules.elements.parts import parts

    found = parts(defined, value, WIDEST_ACCESS // bytes_)
    return [Stored(position, *part[:-1]) for part in found]


class _Walked(NamedTuple):
    """The addresses that are read with their buffers, all indices on which elements depend, those of them
    that are more than parts of addresses, and the conditions.
    """

    read: list[Index]
    buffers: list[Value]
    used: list[Index]
    alone: list[Index]
    conditions: set[Below]
    data: Data


def _walked(defined: Mapping[Value, Statement], group: tuple[Stored, ...], at: Indices) -> _Walked:
    walked = _Walked([], [], [], [], set(), Data())
    for stored in group:
        for leaf in leaves(defined, stored.value, stored.of_value(at), walked.conditions, walked.data):
            statement = defined[leaf.value]
            if statement.op is LITERAL and splat_of(statement) is not None:
                continue
            walked.used.extend(leaf.indices)
            if statement.op is IOTA:
                walked.alone.extend(leaf.indices)
            else:
                walked.read.append(total(leaf.indices, tensor_type(leaf.value).strides))
                walked.buffers.append(leaf.value)
    of_conditions = [side for condition in walked.conditions for side in condition]
    walked.used.extend(of_conditions)
    walked.alone.extend([*of_conditions, *walked.data.places])
    return walked


def _section(
    defined: Mapping[Value, Statement], dims: Sizes, outputs: Sequence[Value], group: tuple[Stored, ...]
) -> Section:
    symbols = coordinate_symbols(dims)
    walked = _walked(defined, group, symbols)
    access = WIDEST_ACCESS // min(tensor_type(stored.value).element.bytes for stored in group)
    copied = copies(dims, symbols, walked.used, access)
    if copied.number > 1:
        dims = copied.apart(dims)
        symbols = coordinate_symbols(dims)
        walked = _walked(defined, group, copied.joined(symbols))
    written = [
        total(stored.at(copied.joined(symbols), stored.whole), row_major(stored.whole)) for stored in group
    ]
    read, conditions, data = walked.read, walked.conditions, walked.data
    addresses = list(dict.fromkeys([*written, *read]))
    all_groups = merged(dims, copied.axes, symbols, addresses)
    kept = [group for group in all_groups if group[0] not in copied.axes]
    alone = frozenset[Symbol]().union(*[index.symbols for index in walked.alone])
    needed = [axis for axis, index in enumerate(symbols) if not alone.isdisjoint(index.symbols)]
    groups = apart_at_sizes(dims, kept, needed)
    own = total(symbols, row_major(dims))
    is_contiguous = own in read and not conditions and all(address is own for address in written)
    is_own = not conditions and all(address is own for address in written)
    row = _chosen_row(dims, groups, symbols, read, data) if is_own else 0
    shares = is_contiguous and not row and _shares_rows(dims, groups, symbols, read)
    is_chosen = is_own and any(data.used(address.symbols) for address in read)
    columns = _shared_columns(dims, groups, symbols, read) if is_contiguous or is_chosen else 0
    buffers = dict(zip(zip(read, walked.buffers, strict=True), walked.buffers, strict=True))
    return Section(
        stored=group,
        dims=dims,
        groups=groups,
        is_contiguous=is_contiguous,
        conditions=len(conditions),
        flat=False,
        shares_rows=shares,
        columns=columns,
        row=row,
        copies=copied,
        read=tuple(buffers.values()),
        step=_step(
            groups,
            symbols,
            [*zip(written, [outputs[stored.position] for stored in group], strict=True), *buffers],
        ),
    )


def _step(groups: tuple[Dims, ...], symbols: Indices, accesses: Iterable[tuple[Index, Value]]) -> int:
    """The most bytes between neighbours along the last group in a buffer, of those within a line."""
    inner = symbols[groups[-1][-1]] if groups else ZERO
    steps = [(stride(address, inner), tensor_type(value).element.bytes) for address, value in accesses]
    apart = [abs(step) * size for step, size in steps if isinstance(step, int) and abs(step) > 1]
    return max([step for step in apart if step < CACHE_LINE], default=1)


def _chosen_row(
    dims: Sizes, groups: tuple[Dims, ...], symbols: Indices, read: Sequence[Index], data: Data
) -> int:
    """The elements of a row, if data choose rows of a buffer, and each buffer has a row in one piece, or a
    number for it. 0 if only the launch knows an inner dim.
    """
    if len(groups) < 2 or any(isinstance(dims[axis], Size) for group in groups[1:] for axis in group):
        return 0
    own, inner = _symbols(groups[-1], symbols), symbols[groups[-1][-1]]
    if not any(data.used(address.symbols) for address in read):
        return 0
    for address in read:
        if not own.isdisjoint(data.reached(data.used(address.symbols))) or stride(address, inner) not in (
            0,
            1,
        ):
            return 0
    return prod([number(dims[axis]) for axis in groups[-1]])


def _shares_rows(dims: Sizes, groups: tuple[Dims, ...], symbols: Indices, read: Sequence[Index]) -> bool:
    """Whether rows are long and few, and a buffer has a number for each of them or for some together."""
    if len(groups) < 2 or any(isinstance(size, Size) for size in dims):
        return False
    inner = most(prod([dims[axis] for axis in groups[-1]]))
    if inner < FEWEST_OF_ROW or most(prod(dims)) > MOST_ROWS * inner:
        return False
    own = _symbols(groups[-1], symbols)
    return any(address.terms and own.isdisjoint(address.symbols) for address in read)


def _shared_columns(dims: Sizes, groups: tuple[Dims, ...], symbols: Indices, read: Sequence[Index]) -> int:
    """The number of columns, if a buffer has a number for each of them that all rows share; else 0."""
    inner = prod([dims[axis] for axis in groups[-1]]) if len(groups) > 1 else 0
    if isinstance(inner, Size):
        return 0
    own = _symbols(groups[-1], symbols) if groups else frozenset[Symbol]()
    return inner if any(address.terms and address.symbols <= own for address in read) else 0


def _symbols(group: Dims, symbols: Indices) -> frozenset[Symbol]:
    return frozenset([as_symbol(symbols[axis]) for axis in group if symbols[axis].terms])


def _moved(indices: Indices, by: Sizes) -> Indices:
    return tuple([index + size for index, size in zip(indices, by, strict=True)])
