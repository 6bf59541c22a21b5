"""The choices of each schedule: frozen records, and their text.

Counts of lanes and waves are powers of two. `vector` is the number of adjacent elements in a lane's access.
`repeat` is the most accesses that a lane has at a time along the axis of its registers; it may be any number.
`asmgen.blockwise.schedules.choosing.choose` chooses for a target.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from typing import ClassVar

from msgspec import Struct

from asmgen.blockwise.actions import fields_of, needed_fields
from asmgen.text.cursor import Cursor
from asmgen.text.lexer import TokenKind
from isa.diagnostics import close_names
from isa.target import Target

BLOCK = 4  # rows and columns that a lane of `Contract` multiplies by outer products
# Registers of the factors that such a lane reads from LDS at a time, and products along k, at most. With
# twice the registers, 2,048 cubed of f32 on gfx1201 takes 1.29 million clocks, 1.27 with 32
_REGISTERS_READ, PRODUCTS_READ = 32, 4
# Outer products of a unit with which LDS alone binds a launch, as workgroups hide each other's waits. 4,096
# cubed of f32 takes 6,177,732 clocks on gfx1100, 8,912,896 on gfx1201, with 8, 16 or 32 products along k in a
# trip, and with the last trip in the loop or after it. 2,048 cubed takes up to 16 % more clocks with 8
MANY_PRODUCTS = 1 << 29
PART = "part"  # the id of a workgroup among those of a tile with `parts`
QUAD = 4  # lanes along k with `quads`, which read 64 bytes together
STAGGERED_TRIPS = 8  # of a loop with waves out of step, at least: its beginning and end are long


class Body(Enum):
    """The kinds of kernels by the op that combines elements. A schedule takes kernels of a single kind."""

    PRODUCT = "a matrix product"
    REDUCTIONS = "reductions"
    SCANS = "scans"
    SORTS = "sorts"
    ADDITIONS = "additions to memory"
    POINTWISE = "no reductions"


class Pointwise(Struct, frozen=True):
    """`waves` are a workgroup's; it takes `waves * lanes of a wave * vector * repeat` elements. If `row` is
    given, each row begins at a multiple of `row`, a multiple of `vector`: the last vector of a row ends with
    the row, and vectors after it are the same. With `rest=1` no element is in two vectors: those after the
    last whole vector are taken an element a lane. With `rows` a lane has its elements in so many rows, which
    need `row`: the last rows end with the axis. With `short`, rows of up to so many elements share
    workgroups, if there are at least `many` rows: the number of an element is divided by the length of a row,
    which the launch knows.
    """

    body: ClassVar[Body] = Body.POINTWISE

    vector: int
    waves: int
    repeat: int = 1
    row: int | None = None
    rest: int | None = None
    rows: int | None = None
    short: int | None = None
    many: int | None = None


class Row(Struct, frozen=True):
    """Lanes lie along the reduced axis. Memory is contiguous along it, or accesses have a single element.

    A lane has `rows` rows in its registers; `lanes` lanes of a wave share a row, and `waves` waves; `teams`
    such sets of waves have rows of their own. A piece of a row is `vector * lanes * waves * repeat` columns.

    - A shorter row than two pieces stays in registers, as a whole piece and a remainder.
    - Otherwise a loop takes a piece at a time, once for each reduction that needs the result of another.
    - If several axes are reduced, a piece has all elements of the outer axes if that makes at most `repeat`
      accesses of a lane. Otherwise loops go along them.

    A trip of a loop that only adds up takes `pieces` pieces; by default as many as have `UNROLLED` bytes.

    With `short`, few lanes take each row of up to so many columns (`pages.versions`), if there are at least
    `many` rows, or columns are very few. The launch knows both. With `middle` too, a wave takes each longer
    row of up to so many columns.

    With `joined`, all reduced axes are a single axis if the last of them has up to so many elements, which
    the launch knows: an element is found by division. `short` and `middle` count all elements of a row then.
    """

    body: ClassVar[Body] = Body.REDUCTIONS

    rows: int
    lanes: int
    waves: int
    teams: int
    vector: int
    repeat: int
    pieces: int | None = None
    short: int | None = None
    many: int | None = None
    middle: int | None = None
    joined: int | None = None


class Column(Struct, frozen=True):
    """The axis along which memory is contiguous is kept, and another is reduced.

    A lane has `rows` rows next to each other, `vector` columns of each, `columns` times; `lanes` lanes of a
    wave lie along the columns, the others along the rows, as `waves` waves do; `teams` waves lie along the
    columns. `repeat` and `pieces` count as in `Row`, along the rows.
    """

    body: ClassVar[Body] = Body.REDUCTIONS

    rows: int
    columns: int
    lanes: int
    waves: int
    teams: int
    vector: int
    repeat: int
    pieces: int | None = None


class Pairs(Struct, frozen=True):
    """Each result is a reduction over a row of one buffer and a row of another (`Work.of_pairs`); memory is
    contiguous along the rows.

    A lane has `rows` rows of the first buffer and `columns` rows of the second, which are adjacent columns of
    the results. `lanes` lanes of a wave share these rows: each has `vector` adjacent elements of them at a
    time, `repeat` times. Of the other lanes `across` lie along the columns, the rest along the rows. A
    workgroup is a wave.
    """

    body: ClassVar[Body] = Body.REDUCTIONS

    rows: int
    columns: int
    lanes: int
    across: int
    vector: int
    repeat: int


class Transpose(Struct, frozen=True):
    """A lane has a square: `across` elements along the memory of the input, by `vector` elements along that
    of the output. `across` and `vector` are powers of two, or all elements along the axis.

    `lanes` lanes of a wave lie along the input's memory, and the others along the output's. If `lanes` is not
    given, the lanes have successive squares.
    """

    body: ClassVar[Body] = Body.POINTWISE

    across: int
    vector: int
    waves: int
    lanes: int | None = None


class Scan(Struct, frozen=True):
    """Each element is combined with all elements before it in its row. A workgroup has whole rows.

    `lanes` lanes of a wave and `waves` waves lie along the row; the other lanes and `teams` such sets of
    waves have rows of their own. A lane has `repeat` accesses of `vector` adjacent elements at a time, which
    are adjacent in the row. If memory is contiguous along the row, an access is along the row; otherwise it
    is across `vector` rows. `repeat` is a power of two.

    With `short`, a power of two, 32 lanes take each row of up to so many elements, which the launch knows.
    """

    body: ClassVar[Body] = Body.SCANS

    lanes: int
    waves: int
    teams: int
    vector: int
    repeat: int
    short: int | None = None


class Sort(Struct, frozen=True):
    """The elements of a row in order. A workgroup has whole rows.

    `lanes` lanes of a wave and `waves` waves lie along the row; the other lanes and `teams` such sets of
    waves have rows of their own. A lane has `elements` adjacent elements of a row, and of `vector` rows if
    memory is contiguous across rows: an access is across the rows then.

    With `shared=1` rows of a length that only the launch knows share a workgroup if they are short: each has
    as many lanes as it needs, of all lanes of the workgroup (`pages.shared_sort`).
    """

    body: ClassVar[Body] = Body.SORTS

    lanes: int
    waves: int
    teams: int
    vector: int
    elements: int
    shared: int | None = None


class Scatter(Struct, frozen=True):
    """A lane adds `vector` adjacent elements of the updates to memory, `repeat` times; `waves` are a
    workgroup's. With `bins` a workgroup first adds its elements to so many bins in LDS.
    """

    body: ClassVar[Body] = Body.ADDITIONS

    vector: int
    waves: int
    repeat: int = 1
    bins: int | None = None


class Contract(Struct, frozen=True):
    """A tile of `m` by `n` results a workgroup, of `k` products at a time; `by` is a matrix instruction.
    `buffers` are the slots of LDS. `stages` says how far the loop reads ahead:

    - 1: a trip loads, stores to LDS and multiplies;
    - 2: it loads for the next trip;
    - 3: it stores to LDS for the next trip, and loads for the trip after that.

    If it is not given, it is 2 if the registers of a lane have room for that, and 1 otherwise.

    With `apart=1` each wave has columns of its own, and reads and computes them in its registers; only the
    first factor goes through LDS.

    With `parts`, so many workgroups have the same tile, each with a part of k. The last of them adds up their
    sums (`asmgen.blockwise.actions.SumParts`).

    With `along=1` the waves lie along k: each multiplies its own part of the products of a trip for all
    results of the tile, and in the end they add up their sums through LDS. With `slices`, a wave stores so
    many parts of a trip to LDS in succession, in the same place.

    With `quads=1` too, four lanes next to each other also lie along k. They read the factors to their
    registers, without LDS, and the matrix instruction multiplies four times as much as it must. In the end
    the lanes add up their sums too.

    With `copies`, a lane copies so many bytes at a time straight from memory to LDS, `stages - 1` trips
    ahead. A factor that is computed, or of which memory has fewer elements in a row, still goes through
    registers.

    With `slices`, a trip reads its factors from LDS in so many parts along k, each before its products. The
    first part is read in the trip before, during the products of its last part. Without copies, a trip also
    stores to LDS for the next trip, and loads for the trip after that.

    With `lines=1`, the results go through LDS in the end, in the memory of the factors, so that lanes next to
    each other store whole lines.

    With `staggered=1`, the second half of the waves is a step behind the first half: one half accesses memory
    and LDS while the other multiplies. With `copies` too, a trip multiplies one half of its rows after the
    other.
    """

    body: ClassVar[Body] = Body.PRODUCT

    m: int
    n: int
    k: int
    waves: int
    buffers: int = 2
    by: str = ""
    stages: int | None = None
    apart: int | None = None
    copies: int | None = None
    slices: int | None = None
    along: int | None = None
    staggered: int | None = None
    quads: int | None = None
    lines: int | None = None
    parts: int | None = None

    @property
    def depth(self) -> int:
        """The products along k that a wave reads from LDS at a time."""
        return self.k // (self.waves * (self.slices or 1)) if self.along else self.k

    @property
    def reads_parts(self) -> bool:
        """Whether workgroups by this choice may read matrices of their own (`pages.product_parts`)."""
        is_other = self.copies or self.apart or self.staggered or (self.slices and not self.along)
        return bool(self.by and not is_other)

    @property
    def placed(self) -> int:
        """The products along k in a slot of LDS."""
        return self.k // (self.slices or 1) if self.along else self.k


def lds_with_sums(factors: int, sums: int, target: Target) -> int:
    """The bytes of LDS of a product with waves along k, by those of its factors and of the sums of all waves.
    The sums take the memory of the factors only if LDS does not have room for both: the waves then wait for
    each other once more."""
    return factors + sums if factors + sums <= target.lds_bytes else max(factors, sums)


Choice = Pointwise | Row | Column | Pairs | Transpose | Scan | Sort | Scatter | Contract
NAMES: dict[str, type[Choice]] = {
    "pointwise": Pointwise, "row": Row, "column": Column, "pairs": Pairs, "transpose": Transpose,
    "scan": Scan, "sort": Sort, "scatter": Scatter, "contract": Contract,
}  # fmt: skip


def lane_of(choice: Contract, target: Target) -> tuple[int, int]:
    """The rows and columns of a lane of outer products: no fewer columns than rows, and at least a block."""
    results = max(1, choice.m * choice.n // (target.wave_size * (1 if choice.along else choice.waves)))
    columns = min(max(BLOCK, 1 << results.bit_length() // 2), choice.n)
    return max(1, results // columns), columns


def products_read(choice: Contract, target: Target) -> int:
    """The products along k of which a lane of outer products reads the factors at a time."""
    together = _REGISTERS_READ // sum(lane_of(choice, target))
    return min(PRODUCTS_READ, choice.depth, 1 << max(1, together).bit_length() - 1)


def name_of(choice: Choice) -> str:
    return next(name for name, record in NAMES.items() if isinstance(choice, record))


def choice_text(choice: Choice) -> str:
    """`row[rows=1, lanes=64, ...]`, which `read_choice` reads."""
    name = name_of(choice)
    parts = [(key, getattr(choice, key)) for key in fields_of(type(choice))]
    return f"{name}[{', '.join([f'{key}={value}' for key, value in parts if value not in ('', None)])}]"


def read_choice(cursor: Cursor) -> Choice:
    """Raises `InputError`: GEN004 for the name of a schedule or of an attribute, GEN008 if a value is not a
    number, BLK004 for an attribute that is missing or given twice.
    """
    name = cursor.identifier("the name of a schedule")
    record = NAMES.get(name.text)
    if record is None:
        cursor.fail(
            name,
            "GEN004",
            f"{name.text} is not a schedule, wanted one of {', '.join(NAMES)}",
            close_names(name.text, NAMES),
        )
    known = fields_of(record)
    given: dict[str, int | str] = {}

    def attribute() -> None:
        key = cursor.identifier(f"an attribute of {name.text}")
        if key.text not in known:
            cursor.fail(
                key,
                "GEN004",
                f"{key.text} is not an attribute of {name.text}, wanted one of {', '.join(known)}",
                close_names(key.text, known),
            )
        if key.text in given:
            cursor.fail(key, "BLK004", f"{key.text} is given twice, wanted it once")
        _ = cursor.expect("=")
        given[key.text] = _read_value(cursor, key.text == "by")

    _ = cursor.listed("[", "]", attribute)
    missing = [key for key in needed_fields(record) if key not in given]
    if missing:
        wanted = f"{name.text}[{', '.join(f'{key}=...' for key in needed_fields(record))}]"
        cursor.fail(name, "BLK004", f"{name.text} has no {', '.join(missing)}, wanted {wanted}")
    return _made(record, given)


def _made(make: Callable[..., Choice], given: dict[str, int | str]) -> Choice:
    return make(**given)


def _read_value(cursor: Cursor, is_word: bool) -> int | str:
    if is_word:
        return cursor.identifier("the name of an instruction").text
    token = cursor.next()
    if token.kind is not TokenKind.NUMBER or not token.text.isdigit() or not 0 < int(token.text) < 1 << 31:
        cursor.fail(token, "GEN008", f"got {token}, wanted a whole number from 1 to {(1 << 31) - 1}")
    return int(token.text)
