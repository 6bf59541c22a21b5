"""A path between two accesses of memory without a barrier: an earlier access, and the place of the walk.

A path has two sets of counters, as index expressions of ids, named dims and trip numbers: those `there`, at
the earlier access, and those `here`. `limits` are expressions that are not negative: a trip number is less
than the number of trips, and a loop that the path goes past has no trips.

Of each loop around the walk, the trip `here` has a form:

| form | the trip |
|---|---|
| SAME | that of the earlier access |
| NEXT | the next trip, or `turns` trips after it |
| LATER | any trip after that |
| FIRST | the first trip, or `turns` trips after it: the earlier access is before the loop |
| AFTER | any trip after that |

An asynchronous copy writes LDS until an `async_wait` for it. `copies` is how many copies were started since.

In a staggered loop the second half of the waves is a barrier behind the first half. `barriers` says for each
half of the wave that makes the earlier access, and for each half of the wave `here`, how many more barriers
the wave here has passed than the other wave had at the access, 1 at most. A wave that has passed more comes
after the access. A path ends at a place at which that is so of all waves: outside of staggered loops at the
next barrier.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from enum import Enum

from msgspec import Struct
from msgspec.structs import replace

from asmgen.blockwise.actions import Below, For, Waves
from asmgen.blockwise.program import TileStatement, TileValue
from asmgen.blockwise.rules.races.meeting import Tile
from asmgen.index import Index, Symbol
from asmgen.index.expression import constant
from isa.named_tuple import NamedTuple

_MOST_ALIKE = 4  # paths that differ in their limits alone


class Form(Enum):
    SAME = "same"
    NEXT = "next"
    LATER = "later"
    FIRST = "first"
    AFTER = "after"


class InLds(NamedTuple):
    """The part of LDS that a tile is in."""

    slot: Index
    origin: tuple[Index, ...]


class InBuffer(NamedTuple):
    """The elements of a buffer that a tile is in."""

    at: tuple[Index, ...]
    where: tuple[Below, ...]


class Access(Struct, frozen=True, eq=False):
    """A statement that accesses LDS or a buffer. `loops` are those around it, the outermost first, and `part`
    the waves of the region around it, None for all waves."""

    statement: TileStatement
    memory: TileValue
    place: InLds | InBuffer
    tile: Tile
    loops: tuple[For, ...]
    part: Waves | None

    @property
    def counters(self) -> tuple[Symbol, ...]:
        return tuple([loop.counter for loop in self.loops])


Barriers = tuple[int, int, int, int]  # from the first half to the first and second, from the second to both
IN_STEP: Barriers = 0, 0, 0, 0
OUT_OF_STEP: Barriers = 0, 1, -1, 0
EVERY_WAVE: Barriers = 1, 1, 1, 1
FIRST_HALF: Barriers = 1, 0, 1, 0
SECOND_HALF: Barriers = 0, 1, 0, 1
State = tuple[Barriers, int | None]  # of a path: its barriers and copies


class Trip(NamedTuple):
    """The trip of a loop in which the walk is, its counter, and the state of the path at its start."""

    form: Form
    turns: int
    counter: Index
    began: State


class Path(Struct, frozen=True):
    """From an earlier access to the place of the walk, with no barrier between.

    `is_exact` says that there is such a path for all values that meet the limits: no limit was left out.
    """

    access: Access
    there: tuple[Index, ...]
    here: tuple[Trip, ...]
    limits: frozenset[Index]
    barriers: Barriers
    copies: int | None = None
    is_exact: bool = True

    @property
    def state(self) -> State:
        return self.barriers, self.copies

    @property
    def is_open(self) -> bool:
        """Whether some waves may still be at the earlier access."""
        return self.copies is not None or min(self.barriers) < 1

    def passed(self, barriers: Barriers) -> Path:
        """The path after barriers that some of the waves here pass. A copy counts them from its wait on."""
        if self.copies is not None:
            return self
        one, two, three, four = [min(a + b, 1) for a, b in zip(self.barriers, barriers, strict=True)]
        return replace(self, barriers=(one, two, three, four))

    def limited(self, *limits: Index) -> Path | None:
        """The path with further limits; None if one of them is never met."""
        if any(limit.high < 0 for limit in limits):
            return None
        return replace(self, limits=self.limits.union([limit for limit in limits if limit.low < 0]))

    def substituted(self, values: dict[Symbol, Index]) -> Path | None:
        """The path with trip numbers replaced; None if a limit is never met then."""
        there = tuple([index.substitute(values) for index in self.there])
        limits = [index.substitute(values) for index in self.limits]
        return replace(self, there=there, limits=frozenset()).limited(*limits)


def present(paths: Iterable[Path | None]) -> list[Path]:
    return list(dict.fromkeys([path for path in paths if path is not None]))


def merged(paths: Sequence[Path]) -> list[Path]:
    """Paths without those that others include. Two paths that differ in one limit become one path without the
    limit if each value meets either limit."""
    alike: dict[Path, list[Path]] = {}
    for path in paths:
        others = alike.setdefault(replace(path, limits=frozenset(), is_exact=True), [])
        _add(others, path)
    return [path for others in alike.values() for path in others]


def _add(others: list[Path], path: Path) -> None:
    for other in others:
        joined = _joined(path, other)
        if joined is not None:
            others.remove(other)
            _add(others, joined)
            return
    others.append(path)
    if len(others) > _MOST_ALIKE:
        limits = frozenset([limit for limit in path.limits if all(limit in other.limits for other in others)])
        others[:] = [replace(path, limits=limits, is_exact=False)]


def _joined(one: Path, other: Path) -> Path | None:
    """A path for the values of either; None if that has other limits than theirs."""
    if one.limits <= other.limits and one.is_exact >= other.is_exact:
        return one
    if other.limits <= one.limits and other.is_exact >= one.is_exact:
        return other
    own, others = one.limits - other.limits, other.limits - one.limits
    if len(own) == len(others) == 1 and one.is_exact == other.is_exact:
        (limit,), (opposite,) = own, others
        if limit + opposite is constant(-1):
            return replace(one, limits=one.limits & other.limits)
    return None
