"""The ops of tile programs: a frozen record each. Its fields are the op's attributes.

Fields that several records share have the same meaning in all of them:

- `at` is the element of the buffer for an element of the tile: an index for each dim of the buffer, made of
  ids of the workgroup, counters of loops and the coordinates of the tile, `c0`, `c1`, ... An index may also
  be data: `v0` is the value, at the same coordinates, of the first extra operand of the op, and `v1` that of
  the next.
- `where` are conditions on the same names. If one of them fails, the element is not read or written.
- `otherwise` is the value of elements that are not read. In a `loose` tile they have any value.
- `origin` is the element of LDS at which the tile begins, a multiple of the tile's size along each axis.
  `slot` is the number of its slot.

`asmgen.blockwise.op_table` has the name, the operands and the rule of each.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from math import gcd
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from asmgen.blockwise.layout.layout import Layout
from asmgen.index import Index, Symbol, constant, symbol
from asmgen.index.expression import as_symbol
from asmgen.index.size import Dim, size_of
from asmgen.ir.constants import Numbers
from asmgen.ir.program import Body, Op, Scope
from asmgen.ir.types import ElementType
from asmgen.lanewise.records import NO_RESULT
from isa.named_tuple import NamedTuple

Number = int | float
ZERO = constant(0)


class Combine(Enum):
    """The operation that combines two partial results. `any` and `all` are for bools. `linear` is of scans:
    an element is a pair, a factor a and a summand b, and (a, b) before (c, d) is (a c, b c + d).
    """

    SUM = "sum"
    PROD = "prod"
    MAX = "max"
    MIN = "min"
    ANY = "any"
    ALL = "all"
    LINEAR = "linear"

    @property
    def parts(self) -> int:
        """The tiles that have a part of each element."""
        return 2 if self is Combine.LINEAR else 1


class Below(NamedTuple):
    """The condition `left < right`."""

    left: Index
    right: Index


Setting = (
    Index
    | Below
    | Symbol
    | ElementType
    | Op
    | Layout
    | Body
    | Enum
    | int
    | float
    | bool
    | str
    | tuple["Setting", ...]
)


class Action(Struct, frozen=True):
    """The base of the ops."""


def settings(action: Action) -> list[tuple[str, Setting, Setting | None]]:
    """The attributes of an op: the name, the value and the default of each, None if it has none."""
    defaults = field_defaults(type(action))
    return [(name, getattr(action, name), defaults.get(name)) for name in fields_of(type(action))]


class Parameter(Action, frozen=True):
    """`@param:NAME`: a buffer in global memory, read or written; the host's name of it is `name`. If `result`
    is not `NO_RESULT`, the buffer is an argument, and the kernel writes this result of the program to it."""

    name: str
    result: int = NO_RESULT


class Literal(Action, frozen=True):
    """`@literal{1, 2, 3}`: a buffer in global memory that has these numbers, row-major."""

    values: Numbers


class Fill(Action, frozen=True):
    """A tile with `value` in every element."""

    value: Number


class Positions(Action, frozen=True):
    """A tile of indices: each element is `at`, computed from the coordinates of the element."""

    at: tuple[Index]


class TileLoad(Action, frozen=True):
    """A tile of a buffer's elements. If it is `loose`, no reader uses an element if its condition fails."""

    at: tuple[Index, ...]
    where: tuple[Below, ...] = ()
    otherwise: Number = 0
    loose: bool = False


class TileStore(Action, frozen=True):
    """A tile's elements are written to a buffer. If several lanes have copies of an element, the first of
    them writes. If it `adds`, each element is added to the element of the buffer in a single step, so that
    several may go to one place.
    """

    at: tuple[Index, ...]
    where: tuple[Below, ...] = ()
    adds: bool = False


class Mask(Action, frozen=True):
    """The operand's elements, except that those for which a condition fails are `otherwise`."""

    where: tuple[Below, ...]
    otherwise: Number = 0


class Pointwise(Action, frozen=True):
    """An op of the graph without attributes, applied element by element. All operands have the same
    layout.
    """

    op: Op


class Iterate(Action, frozen=True):
    """Trips of a body for each element, until its condition is false: a tile for each carried value. If it is
    `masked`, a last operand of bools says which elements have trips; the others keep their values.
    """

    body: Body
    masked: bool = False


class Convert(Action, frozen=True):
    """The elements as another type, rounded as the graph's `convert` does."""

    to: ElementType


class BitCast(Action, frozen=True):
    """The bits of the elements as another type of the same size."""

    to: ElementType


class Unpack(Action, frozen=True):
    """Of each element, an integer, the number of `bits` bits at the place `at`: place 0 has the lowest bits.
    `to` is i8 or u8; an i8 has the sign of the number's uppermost bit.
    """

    at: tuple[Index]
    to: ElementType
    bits: int


class Reduce(Action, frozen=True):
    """The elements along `axes` combined, within a lane, a wave or the workgroup, as `within` says.

    Within the workgroup the axes have size 1 afterwards, and every lane has the result. Within a lane or a
    wave some elements stay apart, and an axis keeps a size: if a tile of `{16,512}` has four rows in the
    registers of each lane, and four waves have four rows each, its reduction along axis 0 within a lane is
    `{4,512}`, a row a wave.

    A `diagonal` reduction is of two axes, and combines only elements with the same coordinate along both.
    """

    op: Combine
    axes: tuple[int, ...]
    within: Scope = Scope.WORKGROUP
    diagonal: bool = False


class Scan(Action, frozen=True):
    """Each element combined with all before it along `axis`, or with all after it in `reverse`; `exclusive`
    leaves the element itself out. The elements of a linear recurrence are in two tiles, the factors and the
    summands, and the result has the summands.

    A further operand is what comes before the tile, an element for each row. With it there is a second
    result: the same with the whole row combined, which is what comes before the next tile.

    If the row goes on in other workgroups, `over` is the name of the id along which it does. The further
    operand is then what comes before the tile of the first of them, and the last is a buffer of words
    (`asmgen.ir.passed_words`). The workgroups of a kernel with such a scan get their ids in the order in
    which they start, so each may wait for those with lower ids.
    """

    op: Combine
    axis: int
    exclusive: bool = False
    reverse: bool = False
    over: str = ""


class SumParts(Action, frozen=True):
    """The sums of the tiles that the workgroups along the id `over` have, element by element, in the order of
    the id. Each wave adds up the elements that it has itself.

    The last operands are a buffer for the tiles, and a buffer that counts, for each wave, the workgroups that
    have written theirs. It is 0 before the kernel, and 0 again after it. The statement ends a wave, unless
    the same wave of every other workgroup came first: the statements after it run once for all workgroups
    along the id.
    """

    over: str


class Sort(Action, frozen=True):
    """The integers along `axis` in ascending order, or the `first` least of them, a power of two; 0 is all.
    Blocks of `blocks` adjacent integers, a power of two, are in this order already; 0 if none is.

    A second operand has a number for each key, its place, say. Keys then move with their numbers, in the
    order of the key and of the number if keys are equal, and the numbers are a second result.
    """

    axis: int
    first: int = 0
    blocks: int = 0


class BinSum(Action, frozen=True):
    """The sums of a tile's elements by the bins that a second tile names: element k of the result, of the
    stated type, is the sum of the elements of bin k. Elements of other bins count nowhere. The order of
    the additions is open.
    """


class Broadcast(Action, frozen=True):
    """Axes of size 1 repeated to the sizes of the stated type. Every holder has the elements that it needs
    already, so nothing moves.
    """


class Relayout(Action, frozen=True):
    """The same elements in the layout of the stated type."""


class Reshape(Action, frozen=True):
    """The same elements in the same holders, with the sizes of the stated type. The row-major number of an
    element stays the same, so nothing moves."""


SCALED = 32  # elements along k that a power of two of a contract multiplies


class Contract(Action, frozen=True):
    """`a {M,K}` times `b {K,N}` added to `c {M,N}`, which gives the result's type and layout.

    `by` names the matrix instruction; without it each lane multiplies its own elements. Further operands are
    scales, powers of two {M,K/32} and {K/32,N}: the instruction multiplies each 32 elements of a row of a,
    and of a column of b, by a scale.
    """

    by: str = ""


class For(Action, frozen=True):
    """Runs its region for `counter` = `start`, `start + step`, ... below `stop`. The values that the region
    yields are carried to the next trip.

    If it is `staggered`, the second half of the waves passes one more barrier before the loop, and the first
    half one more after it: within the loop the second half is a barrier behind in the text.
    """

    counter: Symbol
    start: Index
    stop: Index
    step: int = 1
    staggered: bool = False


def counted(name: str, start: Index | Dim, stop: Index | Dim, step: int = 1, staggered: bool = False) -> For:
    """A loop over a range. Its counter gets bounds and a known divisor from the range."""
    first, end = ZERO + start, ZERO + stop
    span, multiple = end - first, gcd(first.multiple, step)
    last = first.high + (span.constant - 1) // step * step if span.is_constant else end.high - 1
    high = max(first.low, last // multiple * multiple)
    if end.terms and span.multiple % step == 0 and (end - step).high == high:
        limit = size_of(end - step)  # of whole trips, as often as the launch says
        return For(as_symbol(symbol(name, first.low, limit, multiple)), first, end, step, staggered)
    return For(as_symbol(symbol(name, first.low, high, multiple)), first, end, step, staggered)


class Stage(Action, frozen=True):
    """Ends a stage of a loop. The statements after it are for a trip that began earlier, so that the loop
    reads ahead (`asmgen.blockwise.pipelining`).
    """


class Waves(Action, frozen=True):
    """Runs its region in the waves from `first` to before `stop` alone. Their number is a power of two, and
    divides `first`. The region is a program of these waves: its layouts have their wave bits. The tiles that
    it yields are tiles of these waves: another region of the same waves reads them, and a loop carries them.
    """

    first: int
    stop: int

    @property
    def count(self) -> int:
        return self.stop - self.first


class Yield(Action, frozen=True):
    """Ends a region."""


class LdsAllocate(Action, frozen=True):
    """LDS for the tiles of the stated type."""


class LdsStore(Action, frozen=True):
    """A tile is written to LDS. Other waves may read it after a barrier."""

    origin: tuple[Index, ...] = ()
    slot: Index = ZERO


class LdsLoad(Action, frozen=True):
    """A tile is read from LDS, in the layout of the stated type, by the target's transposing load `by` if it
    has such a load."""

    origin: tuple[Index, ...] = ()
    slot: Index = ZERO
    by: str = ""


class Barrier(Action, frozen=True):
    """Every wave of the workgroup waits here for all others, and then sees their earlier writes."""


class Priority(Action, frozen=True):
    """Sets the priority of the waves, 0 to 3, for the statements that follow. A kernel starts with 0. If
    several waves of a SIMD can issue an instruction, the wave with the highest priority issues first. No
    instruction moves past this statement."""

    level: int


class Order(Action, frozen=True):
    """Accesses of memory and matrix instructions of the statements before it come before those of the
    statements after it. Other instructions, such as arithmetic and addresses, may pass it."""


class AsyncCopy(Action, frozen=True):
    """A tile of a buffer is copied to LDS without registers; `layout` says which lane moves an element.
    Elements that fail a condition become 0.

    An `async_wait` waits for it, and neither a barrier nor a reader.
    """

    at: tuple[Index, ...]
    layout: Layout
    where: tuple[Below, ...] = ()
    origin: tuple[Index, ...] = ()
    slot: Index = ZERO


class AsyncWait(Action, frozen=True):
    """Waits until at most the last `pending` of the wave's `async_copy` are under way. Other waves see the
    copied elements after the next barrier.
    """

    pending: int = 0


def fields_of(record: type[Struct]) -> tuple[str, ...]:
    """The names of all fields in their order."""
    return record.__struct_fields__


def needed_fields(record: type[Struct]) -> tuple[str, ...]:
    """The names of the fields without a default, which come first."""
    return record.__struct_fields__[: len(record.__struct_fields__) - len(record.__struct_defaults__)]


def field_defaults(record: type[Struct]) -> dict[str, Any]:
    """The defaults by the names of their fields."""
    names = record.__struct_fields__[len(needed_fields(record)) :]
    return dict(zip(names, record.__struct_defaults__, strict=True))


def substituted(action: Action, values: Mapping[Symbol, Index]) -> Action:
    """The op with every symbol of `values` in its attributes replaced; the counter of a loop stays."""
    return replace(action, **{name: _of(value, values) for name, value, _ in settings(action)})


def _of(value: Setting, values: Mapping[Symbol, Index]) -> Setting:
    if isinstance(value, Index):
        return value.substitute(values)
    if isinstance(value, Below):
        return Below(value.left.substitute(values), value.right.substitute(values))
    if isinstance(value, tuple) and not isinstance(value, Layout | ElementType):
        return tuple([_of(item, values) for item in value])
    return value


def indices_of(action: Action) -> list[Index]:
    """Every index expression of an op's attributes."""
    indices: list[Index] = []
    for _, value, _ in settings(action):
        _collect(value, indices)
    return indices


def _collect(value: Setting, indices: list[Index]) -> None:
    if isinstance(value, Index):
        indices.append(value)
    elif isinstance(value, tuple) and not isinstance(value, Layout | ElementType):
        for item in value:
            _collect(item, indices)
