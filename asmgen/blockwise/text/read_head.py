"""Reads the head of a kernel: dims, workgroups, results and named layouts."""

from __future__ import annotations

from asmgen.blockwise.layout.layout import Layout
from asmgen.blockwise.rules.access import is_reserved
from asmgen.blockwise.text.read_attributes import Scoped
from asmgen.index import Index, Symbol, symbol
from asmgen.index.expression import as_symbol, dim_symbol
from asmgen.index.size import Dim, Sizes, at_least, most_where_alone, size_of, symbols_of
from asmgen.index.text import read_index
from asmgen.ir.named_dims import why_reserved
from asmgen.ir.read_dims import NamedDims, check_range
from asmgen.ir.relaunches import read_results
from asmgen.text.cursor import Cursor
from asmgen.text.lexer import Token, TokenKind
from isa.diagnostics import Place
from isa.named_tuple import NamedTuple


class Names(NamedTuple):
    """The names of a kernel, except those of values: `indices` are dims, ids and counters, `sizes` the dims
    alone.
    """

    layouts: dict[str, Layout]
    indices: dict[str, Index]
    sizes: NamedDims

    def scoped(self, cursor: Cursor) -> Scoped:
        """A reader of attributes that knows these names."""
        return Scoped(cursor, self.indices, self.layouts)


def check_index_name(cursor: Cursor, name: Token) -> None:
    """An id or a counter has no name that means something else in an index: `c0`, `v0`, `wave`."""
    if is_reserved(name.text):
        has = "the wave of an element" if name.text == "wave" else "a coordinate or a datum of an element"
        cursor.fail(name, "GEN005", f"{name.text} is {has} in every index, wanted another name")


class Head(NamedTuple):
    """`counts` are the workgroups along each axis of `grid`, if they depend on a dim."""

    place: Place
    name: str
    dims: tuple[Symbol, ...]
    grid: tuple[Symbol, ...]
    counts: Sizes
    waves: int
    lanes: int
    results: tuple[tuple[str, int], ...]
    names: Names


class HeadReader:
    """The head of a kernel, from `kernel` to its last named layout."""

    def __init__(self, cursor: Cursor) -> None:
        self._cursor = cursor
        self._names = Names({}, {}, NamedDims({}))

    def head(self) -> Head:
        """The head of the kernel; the cursor is at its first statement afterwards."""
        cursor = self._cursor
        place = cursor.place(cursor.expect("kernel", "'kernel' or the end of the file"))
        _ = cursor.expect("@")
        name = cursor.identifier("the kernel's name").text
        dims = self._named_dims() if cursor.at("dims") else ()
        _ = cursor.expect("grid")
        ids = cursor.listed("(", ")", self._workgroup_id)
        grid = tuple([as_symbol(index) for index, _ in ids])
        counts = tuple([count for _, count in ids])
        waves, lanes = self._count("waves"), self._count("lanes")
        results = read_results(cursor) if cursor.at("results") else ()
        _ = cursor.expect("{")
        cursor.skip_newlines()
        while cursor.at("layout"):
            self._name_layout()
        sized = counts if any(symbols_of(counts)) else ()
        return Head(place, name, dims, grid, sized, waves, lanes, results, self._names)

    def _named_dims(self) -> tuple[Symbol, ...]:
        """`dims(n: 1 to 1048575)`: the sizes that the launch knows."""
        cursor = self._cursor
        _ = cursor.next()

        def one() -> Symbol:
            name = cursor.identifier("the name of a dim")
            is_there = name.text in self._names.indices
            why = why_reserved(name.text) or ("it is there already" if is_there else "")
            if why:
                cursor.fail(
                    name,
                    "GEN014",
                    f"{name.text} is the name of a dim: {why}",
                    help="choose another name for the dim",
                )
            _ = cursor.expect(":")
            low = self._names.scoped(cursor).integer()
            _ = cursor.expect("to", "'to' and the largest size")
            place = cursor.peek()
            high = self._names.scoped(cursor).integer()
            check_range(cursor, place, low, high)
            self._names.indices[name.text] = dim_symbol(name.text, low, high)
            return as_symbol(self._names.indices[name.text])

        dims = tuple(cursor.listed("(", ")", one))
        self._names = self._names._replace(sizes=NamedDims(dict(self._names.indices)))
        return dims

    def _workgroup_id(self) -> tuple[Index, Dim]:
        """An id and how many workgroups there are along it."""
        name = self._cursor.identifier("the name of a workgroup's id")
        check_index_name(self._cursor, name)
        _ = self._cursor.expect(":")
        place = self._cursor.peek()
        is_plain = place.kind is TokenKind.NUMBER and self._cursor.peek(1).text in (",", ")")
        count = self._names.scoped(self._cursor).integer() if is_plain else size_of(self._count_of_dims())
        if not at_least(count, 1).is_possible or most_where_alone(count) >= 1 << 32:
            self._cursor.fail(place, "GEN008", f"got a grid of {count} workgroups, wanted 1 to 2^32 - 1")
        self._names.indices[name.text] = symbol(name.text, 0, count - 1)
        return self._names.indices[name.text], count

    def _count_of_dims(self) -> Index:
        """An expression of the named dims."""
        if not self._names.sizes.known:
            self._cursor.fail(
                self._cursor.peek(), "GEN008", f"got {self._cursor.peek()}, wanted a whole number"
            )
        return read_index(self._cursor, self._names.sizes.known)

    def _count(self, what: str) -> int:
        _ = self._cursor.expect(what, f"'{what}(number)'")
        _ = self._cursor.expect("(")
        count = self._names.scoped(self._cursor).integer()
        _ = self._cursor.expect(")")
        return count

    def _name_layout(self) -> None:
        cursor = self._cursor
        _ = cursor.next()
        name = cursor.identifier("the layout's name")
        if name.text in self._names.layouts:
            cursor.fail(
                name, "GEN005", f"layout {name.text} is defined a second time, wanted a name of its own"
            )
        _ = cursor.expect("=")
        self._names.layouts[name.text] = self._names.scoped(cursor).layout()
        cursor.end_of_statement()
