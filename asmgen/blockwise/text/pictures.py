"""Draws tiles as comments of the text: the wave, lane and register of each element.

A tile `t` of {2,256} with the layout `reg(0:1 0:2) lane(0:4 0:8 0:16 0:32 0:64 0:128) wave(1:0)`, as
`kernel --emit blockwise --holders t` prints it below its statement:

    # t {2,256}: the wave, lane and register of each element
    #        column 0  column 1  column 2  column 3  column 4  column 5  ...  column 255
    # row 0  w0 l0 r0  w0 l0 r1  w0 l0 r2  w0 l0 r3  w0 l1 r0  w0 l1 r1  ...  w0 l63 r3
    # row 1  w1 l0 r0  w1 l0 r1  w1 l0 r2  w1 l0 r3  w1 l1 r0  w1 l1 r1  ...  w1 l63 r3
    # not shown: 249 of 256 columns

If several registers have an element, the picture shows the first of them, and a line below the picture gives
their number. A large tile is drawn with its first rows and columns and its last, and a line below gives the
number of those left out. In a tile of three dims or more, rows are named by all coordinates but the last:
`row 2:0`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from math import prod

from asmgen.blockwise.layout.algebra import holder_of
from asmgen.blockwise.layout.layout import Layout, Sizes, split
from asmgen.blockwise.layout.queries import copying
from asmgen.blockwise.program import Kernel, TileProgram, TileValue
from asmgen.blockwise.types import TileType
from asmgen.ir.shapes import format_list
from isa.diagnostics import InputError, close_names

EVERY = "all"
_MOST_ROWS = 8
_MOST_COLUMNS = 8
_WIDTH = 104  # characters of a line, so that it has room for its indent
_GAP = "..."

Pictures = dict[TileValue, list[str]]
Shown = list[int | None]  # the numbers of rows or columns, None for a gap


def pictures(program: TileProgram, wanted: str) -> Pictures:
    """The lines to print after the definition of each drawn tile: the tile called `wanted` in any kernel, or
    every tile if `wanted` is `all`.

    A tile with the layout of an earlier tile of its kernel refers to that picture. Raises `InputError` CLI011
    if no tile of the program has the name.
    """
    drawings: Pictures = {}
    for kernel in program.kernels:
        drawn: dict[Layout, str] = {}
        for value in _values(kernel):
            if wanted not in (EVERY, value.name) or not isinstance(value.type, TileType):
                continue
            layout = value.type.layout
            if layout in drawn:
                drawings[value] = [f"# {value.name}: the same layout as {drawn[layout]}"]
                continue
            drawn[layout] = value.name
            drawings[value] = [f"# {line}".rstrip() for line in picture(value.name, layout)]
    if not drawings:
        raise _no_tile(program, wanted)
    return drawings


def _values(kernel: Kernel) -> Iterator[TileValue]:
    """Every value in the order of the text: carried values of a loop come before its results."""
    for statement in kernel.walk():
        if not statement.regions:
            yield from statement.results
        for region in statement.regions:
            yield from region.parameters
    for statement in kernel.walk():
        if statement.regions:
            yield from statement.results


def _no_tile(program: TileProgram, wanted: str) -> InputError:
    values = [value for kernel in program.kernels for value in _values(kernel)]
    tiles = dict.fromkeys([value.name for value in values if isinstance(value.type, TileType)])
    what = "is in memory or LDS" if wanted in [value.name for value in values] else "is not a value here"
    message = f"{wanted} {what}, wanted the name of a tile, or {EVERY} for every tile"
    return InputError("--holders", "CLI011", message, help=close_names(wanted, tiles))


def picture(name: str, of: Layout) -> Iterator[str]:
    """The lines of a tile's picture."""
    *outer, columns = of.shape
    rows = prod(outer)
    shown_rows, shown_columns = _shown(rows, _MOST_ROWS), _fitting_columns(of, rows, columns)
    yield f"{name} {format_list(of.shape)}: the wave, lane and register of each element"
    heads = ["" if row is None else _row_name(split(row, tuple(outer))) for row in shown_rows]
    cells = [[_cell(of, row, column) for column in shown_columns] for row in shown_rows]
    titles = [_GAP if column is None else f"column {column}" for column in shown_columns]
    yield from _table(["", *heads], [titles, *cells])
    yield from _left_out(rows, shown_rows, columns, shown_columns)
    yield from _copies(of)


def _shown(count: int, most: int) -> Shown:
    """The numbers to show of `count`: all of them, or the first numbers, None for a gap, and the last."""
    return [*range(count)] if count <= most else [*range(most - 1), None, count - 1]


def _fitting_columns(of: Layout, rows: int, columns: int) -> Shown:
    """As many columns as fit in a line, by the widest cell that the tile can have."""
    widest = len(f"w{of.wave_count - 1} l{of.lane_count - 1} r{of.register_count - 1}")
    width = max(widest, len(f"column {columns - 1}")) + 2
    head = len(_row_name((rows - 1,) * max(1, of.rank - 1)))
    return _shown(columns, max(2, min(_MOST_COLUMNS, (_WIDTH - head - len(_GAP) - 2) // width)))


def _row_name(coordinates: Sizes) -> str:
    return f"row {':'.join(map(str, coordinates))}" if coordinates else ""


def _cell(of: Layout, row: int | None, column: int | None) -> str:
    if row is None or column is None:
        return _GAP
    holder = holder_of(of, split(row * of.shape[-1] + column, of.shape))
    return f"w{holder.wave} l{holder.lane} r{holder.register}"


def _table(heads: Iterable[str], rows: list[list[str]]) -> Iterator[str]:
    """Rows with their heads, each column as wide as its widest text."""
    heads = list(heads)
    first = max(map(len, heads))
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for head, row in zip(heads, rows, strict=True):
        cells = "  ".join([text.ljust(width) for text, width in zip(row, widths, strict=True)])
        yield f"{head.ljust(first)}  {cells}" if first else cells


def _left_out(rows: int, shown_rows: Shown, columns: int, shown_columns: Shown) -> Iterator[str]:
    """A line about the holders that a picture with gaps does not show."""
    left = [
        f"{count - len(shown) + 1} of {count} {what}"
        for what, count, shown in (("rows", rows, shown_rows), ("columns", columns, shown_columns))
        if None in shown
    ]
    if left:
        yield f"not shown: {', '.join(left)}"


def _copies(of: Layout) -> Iterator[str]:
    """The number of holders of each element, if it is more than one holder."""
    bits = copying(of)
    named = [
        f"{part} {_numbers(numbers)}"
        for part, numbers in (("register", bits.registers), ("lane", bits.lanes), ("wave", bits.waves))
        if numbers
    ]
    if named:
        count = 1 << sum(map(len, bits))
        yield f"{count} holders have each element; they differ in the bits of {', '.join(named)}"


def _numbers(bits: tuple[int, ...]) -> str:
    return " ".join(map(str, bits))
