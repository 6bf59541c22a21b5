"""The ops of tile programs: one frozen record each, whose fields are the op's attributes.

A field that several records have means the same in all of them:

- `at` is the element of a buffer, an index for each of its dims, in ids of the workgroup, counters of loops
  and the coordinates of the tile: `c0`, `c1`, ... An index may be data too: `v0` is the value, at the same
  coordinates, of the first operand after those that the op has anyway, `v1` of the next.
- `where` are conditions on the same names. Elements for which one fails are not read or written.
- `otherwise` is what such an element is instead.
- `origin` is where in LDS the tile begins; its sizes divide it, so that placing stays linear. `slot` is which
  of the slots.

`asmgen.blockwise.rows` has the name, the operands and the rule of each.
"""

from __future__ import annotations

from enum import Enum
from math import gcd
from typing import NamedTuple

from msgspec import Struct

from asmgen.blockwise.layout.layout import Layout
from asmgen.blockwise.records import field_defaults, fields_of
from asmgen.index import Index, Symbol, constant, symbol
from asmgen.index.expression import as_symbol
from asmgen.ir.program import Op, Scope
from asmgen.ir.types import ElementType

Number = int | float
ZERO = constant(0)


class Combine(Enum):
    """What makes one partial result of two. `any` and `all` are of bool."""

    SUM = "sum"
    PROD = "prod"
    MAX = "max"
    MIN = "min"
    ANY = "any"
    ALL = "all"


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
    """The attributes of an op: the name, the value and the default of each, None where it has none."""
    defaults = field_defaults(type(action))
    return [(name, getattr(action, name), defaults.get(name)) for name in fields_of(type(action))]


class Parameter(Action, frozen=True):
    """`@param:NAME`: a buffer in global memory, read or written; the host's name of it is `name`."""

    name: str


class Literal(Action, frozen=True):
    """`@literal{1, 2, 3}`: a buffer in global memory that has these numbers, row-major."""

    values: tuple[Number, ...]


class Fill(Action, frozen=True):
    """A tile of which every element is `value`."""

    value: Number


class Positions(Action, frozen=True):
    """A tile of indices: `at` of each element, in its coordinates."""

    at: tuple[Index]


class TileLoad(Action, frozen=True):
    """A tile of a buffer's elements."""

    at: tuple[Index, ...]
    where: tuple[Below, ...] = ()
    otherwise: Number = 0


class TileStore(Action, frozen=True):
    """A tile's elements go to a buffer. Of holders with copies one writes."""

    at: tuple[Index, ...]
    where: tuple[Below, ...] = ()


class Mask(Action, frozen=True):
    """The operand, with `otherwise` where a condition fails."""

    where: tuple[Below, ...]
    otherwise: Number = 0


class Pointwise(Action, frozen=True):
    """An op of the graph without attributes, element by element. The operands have one layout."""

    op: Op


class Convert(Action, frozen=True):
    """The elements as another type, rounded as the graph's `convert` does."""

    to: ElementType


class BitCast(Action, frozen=True):
    """The bits of the elements as another type of the same size."""

    to: ElementType


class Reduce(Action, frozen=True):
    """The elements along `axes` combined, as far as holders `within` a lane, a wave or the workgroup have
    them.

    Within the workgroup the axes have size 1 afterwards and every holder has the result. Within less, an axis
    keeps the bits that lanes or waves hold: `{16,512}` over axis 0, with rows in registers and two wave bits,
    is `{4,512}` within a lane.
    """

    op: Combine
    axes: tuple[int, ...]
    within: Scope = Scope.WORKGROUP


class Scan(Action, frozen=True):
    """Each element combined with all before it along `axis`; `exclusive` leaves the element itself out."""

    op: Combine
    axis: int
    exclusive: bool = False


class Broadcast(Action, frozen=True):
    """Axes of size 1 repeated to the sizes written. Every holder has what it needs already; nothing moves."""


class Relayout(Action, frozen=True):
    """The same elements, held as the type written says."""


class Contract(Action, frozen=True):
    """`a {M,K}` times `b {K,N}` added to `c {M,N}`, which gives the result's type and layout.

    `by` names the matrix instruction; without one each holder multiplies what it has.
    """

    by: str = ""


class For(Action, frozen=True):
    """Its region for `counter` from `start` on, below `stop`, by `step`. What the region yields is carried to
    the next trip.
    """

    counter: Symbol
    start: Index
    stop: Index
    step: int = 1


def counted(name: str, start: Index | int, stop: Index | int, step: int = 1) -> For:
    """A loop whose counter has the bounds, and the multiple, that the range gives it."""
    start, stop = start + ZERO, stop + ZERO
    span, multiple = stop - start, gcd(start.multiple, step)
    last = start.high + (span.constant - 1) // step * step if span.is_constant else stop.high - 1
    counter = symbol(name, start.low, max(start.low, last // multiple * multiple), multiple)
    return For(as_symbol(counter), start, stop, step)


class Yield(Action, frozen=True):
    """Ends a region."""


class LdsAllocate(Action, frozen=True):
    """LDS for the tiles of the type written."""


class LdsStore(Action, frozen=True):
    """A tile goes to LDS. Other waves may read it after a barrier."""

    origin: tuple[Index, ...] = ()
    slot: Index = ZERO


class LdsLoad(Action, frozen=True):
    """A tile from LDS, in the layout written."""

    origin: tuple[Index, ...] = ()
    slot: Index = ZERO


class Barrier(Action, frozen=True):
    """Every wave of the workgroup comes here before one goes on, and then sees what all wrote before."""


class AsyncCopy(Action, frozen=True):
    """A tile of a buffer goes to LDS without registers; `layout` says which lane moves which element."""

    at: tuple[Index, ...]
    layout: Layout
    where: tuple[Below, ...] = ()
    origin: tuple[Index, ...] = ()
    slot: Index = ZERO


class AsyncWait(Action, frozen=True):
    """Waits until at most `pending` of the wave's asynchronous copies, the last ones, are under way."""

    pending: int = 0
