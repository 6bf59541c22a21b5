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

from dataclasses import MISSING, dataclass, fields, is_dataclass
from enum import Enum
from math import gcd
from typing import NamedTuple

from asmgen.blockwise.layout.layout import Layout
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


class Action:
    """The base of the ops."""

    __slots__ = ()


def settings(action: Action) -> list[tuple[str, Setting, Setting | None]]:
    """The attributes of an op: the name, the value and the default of each, None where it has none."""
    assert is_dataclass(action), action
    return [(field.name, getattr(action, field.name), _default(field.default)) for field in fields(action)]


def _default(value: Setting) -> Setting | None:
    return None if value is MISSING else value


@dataclass(frozen=True, slots=True)
class Parameter(Action):
    """`@param:NAME`: a buffer in global memory, read or written; the host's name of it is `name`."""

    name: str


@dataclass(frozen=True, slots=True)
class Literal(Action):
    """`@literal{1, 2, 3}`: a buffer in global memory that has these numbers, row-major."""

    values: tuple[Number, ...]


@dataclass(frozen=True, slots=True)
class Fill(Action):
    """A tile of which every element is `value`."""

    value: Number


@dataclass(frozen=True, slots=True)
class Positions(Action):
    """A tile of indices: `at` of each element, in its coordinates."""

    at: tuple[Index]


@dataclass(frozen=True, slots=True)
class TileLoad(Action):
    """A tile of a buffer's elements."""

    at: tuple[Index, ...]
    where: tuple[Below, ...] = ()
    otherwise: Number = 0


@dataclass(frozen=True, slots=True)
class TileStore(Action):
    """A tile's elements go to a buffer. Of holders with copies one writes."""

    at: tuple[Index, ...]
    where: tuple[Below, ...] = ()


@dataclass(frozen=True, slots=True)
class Mask(Action):
    """The operand, with `otherwise` where a condition fails."""

    where: tuple[Below, ...]
    otherwise: Number = 0


@dataclass(frozen=True, slots=True)
class Pointwise(Action):
    """An op of the graph without attributes, element by element. The operands have one layout."""

    op: Op


@dataclass(frozen=True, slots=True)
class Convert(Action):
    """The elements as another type, rounded as the graph's `convert` does."""

    to: ElementType


@dataclass(frozen=True, slots=True)
class BitCast(Action):
    """The bits of the elements as another type of the same size."""

    to: ElementType


@dataclass(frozen=True, slots=True)
class Reduce(Action):
    """The elements along `axes` combined, as far as holders `within` a lane, a wave or the workgroup have
    them.

    Within the workgroup the axes have size 1 afterwards and every holder has the result. Within less, an axis
    keeps the bits that lanes or waves hold: `{16,512}` over axis 0, with rows in registers and two wave bits,
    is `{4,512}` within a lane.
    """

    op: Combine
    axes: tuple[int, ...]
    within: Scope = Scope.WORKGROUP


@dataclass(frozen=True, slots=True)
class Scan(Action):
    """Each element combined with all before it along `axis`; `exclusive` leaves the element itself out."""

    op: Combine
    axis: int
    exclusive: bool = False


@dataclass(frozen=True, slots=True)
class Broadcast(Action):
    """Axes of size 1 repeated to the sizes written. Every holder has what it needs already; nothing moves."""


@dataclass(frozen=True, slots=True)
class Relayout(Action):
    """The same elements, held as the type written says."""


@dataclass(frozen=True, slots=True)
class Contract(Action):
    """`a {M,K}` times `b {K,N}` added to `c {M,N}`, which gives the result's type and layout.

    `by` names the matrix instruction; without one each holder multiplies what it has.
    """

    by: str = ""


@dataclass(frozen=True, slots=True)
class For(Action):
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


@dataclass(frozen=True, slots=True)
class Yield(Action):
    """Ends a region."""


@dataclass(frozen=True, slots=True)
class LdsAllocate(Action):
    """LDS for the tiles of the type written."""


@dataclass(frozen=True, slots=True)
class LdsStore(Action):
    """A tile goes to LDS. Other waves may read it after a barrier."""

    origin: tuple[Index, ...] = ()
    slot: Index = ZERO


@dataclass(frozen=True, slots=True)
class LdsLoad(Action):
    """A tile from LDS, in the layout written."""

    origin: tuple[Index, ...] = ()
    slot: Index = ZERO


@dataclass(frozen=True, slots=True)
class Barrier(Action):
    """Every wave of the workgroup comes here before one goes on, and then sees what all wrote before."""


@dataclass(frozen=True, slots=True)
class AsyncCopy(Action):
    """A tile of a buffer goes to LDS without registers; `layout` says which lane moves which element."""

    at: tuple[Index, ...]
    layout: Layout
    where: tuple[Below, ...] = ()
    origin: tuple[Index, ...] = ()
    slot: Index = ZERO


@dataclass(frozen=True, slots=True)
class AsyncWait(Action):
    """Waits until at most `pending` of the wave's asynchronous copies, the last ones, are under way."""

    pending: int = 0
