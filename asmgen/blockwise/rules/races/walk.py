"""Walks a kernel for the paths between accesses of memory without a barrier: which access may follow which.

    for[k = 0 to 64 step 16] {
      lds_store[slot=(k floordiv 16) mod 2](t, lds)
      barrier()
      u = lds_load[slot=(k floordiv 16) mod 2](lds)
    }

The load of trip k comes before the store of trip k + 16: the path passes the end of the body once.

The walk goes through the statements of a loop until no new path arrives at their start. A path that passes a
whole trip and has the same state as before, of barriers and copies, may come to any later trip. If the trip
changes its state, it comes to the next trip alone: a copy that the trip waits for ends at the next barrier.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from msgspec.structs import replace

from asmgen.blockwise.actions import AsyncCopy, AsyncWait, Barrier, For, Waves
from asmgen.blockwise.program import Kernel, TileStatement, TileValue
from asmgen.blockwise.rules.races.accesses import accesses
from asmgen.blockwise.rules.races.path import (
    EVERY_WAVE,
    FIRST_HALF,
    IN_STEP,
    OUT_OF_STEP,
    SECOND_HALF,
    Access,
    Barriers,
    Form,
    Path,
    Trip,
    merged,
    present,
)
from asmgen.index import Index, symbol
from asmgen.index.expression import as_symbol
from asmgen.ir.program import walk
from isa.named_tuple import NamedTuple


class _Loop(NamedTuple):
    """A loop around the walk. `trip` is the number of the current trip, and `later` that of trips after it.
    `counter` is the counter by the trip numbers of all loops around, and `limit` is not negative if there is
    such a trip. If `varies`, the counter bounds loops inside."""

    action: For
    trip: Index
    later: Index
    counter: Index
    limit: Index
    varies: bool


def follow(kernel: Kernel, memory: frozenset[TileValue], judge: Callable[[Path, Access], None]) -> None:
    """Ask `judge` about each access of some memory, LDS or buffers, and each path from an earlier access of
    it that arrives there."""
    _ = _Walk(kernel, memory, judge).statements(kernel.statements, [], True)


class _Walk:
    def __init__(
        self, kernel: Kernel, memory: frozenset[TileValue], judge: Callable[[Path, Access], None]
    ) -> None:
        self._memory = memory
        self._judge = judge
        self._loops: list[_Loop] = []
        self._part: Waves | None = None  # the waves of the region around
        loops = [statement for statement in kernel.walk() if isinstance(statement.op, For)]
        self._numbers = {id(loop): number for number, loop in enumerate(loops)}
        waits = [statement.op.pending for statement in kernel.walk() if isinstance(statement.op, AsyncWait)]
        self._most = max(waits, default=0)  # copies that a wait leaves under way

    def statements(
        self, statements: Sequence[TileStatement], paths: list[Path], is_first: bool
    ) -> list[Path]:
        """The paths at the end: of those at the start, and of the accesses here if the walk `is_first`."""
        for statement in statements:
            match statement.op:
                case Barrier():
                    paths = _passed(paths, EVERY_WAVE)
                case AsyncWait(pending=pending):
                    paths = merged([self._waited(path, pending) for path in paths])
                case For() as action:
                    paths = self._loop(statement, action, paths, is_first)
                case Waves() as action:
                    self._part = action
                    paths = self.statements(statement.regions[0].statements, paths, is_first)
                    self._part = None
                case _ if not self._memory.isdisjoint(statement.operands):
                    paths = self._accesses(statement, paths, is_first)
                case _:
                    pass
        return paths

    def _accesses(self, statement: TileStatement, paths: list[Path], is_first: bool) -> list[Path]:
        loops = tuple([loop.action for loop in self._loops])
        here = [access for access in accesses(statement, loops, self._part) if access.memory in self._memory]
        for access in here:
            for path in paths:
                if path.access.memory is access.memory:
                    self._judge(path, access)
        is_copy = isinstance(statement.op, AsyncCopy)
        if is_copy:
            paths = merged([self._behind(path) for path in paths])
        return (
            [*paths, *[self._begun(access, 0 if is_copy else None) for access in here]] if is_first else paths
        )

    def _begun(self, access: Access, copies: int | None) -> Path:
        there = tuple([loop.counter for loop in self._loops])
        state = self._steps, copies
        here = tuple([Trip(Form.SAME, 0, counter, state) for counter in there])
        limits = frozenset([loop.limit for loop in self._loops if loop.limit.low < 0])
        return Path(access, there, here, limits, *state)

    @property
    def _steps(self) -> Barriers:
        """How many more barriers a wave has passed here than another wave has passed here."""
        return OUT_OF_STEP if any(loop.action.staggered for loop in self._loops) else IN_STEP

    def _waited(self, path: Path, pending: int) -> Path:
        """A path behind a wait that leaves `pending` copies under way."""
        is_over = path.copies is not None and path.copies >= pending
        if is_over and self._part not in (None, path.access.part):
            return replace(path, is_exact=False)
        return replace(path, copies=None, barriers=self._steps) if is_over else path

    def _behind(self, path: Path) -> Path:
        """A path with another copy started since, if all waves of the earlier copy start it."""
        if path.copies is None:
            return path
        if self._part not in (None, path.access.part):
            return replace(path, is_exact=False)
        return replace(path, copies=min(path.copies + 1, self._most))

    # Loops

    def _loop(self, statement: TileStatement, action: For, paths: list[Path], is_first: bool) -> list[Path]:
        if not action.staggered:
            return self._trips(statement, action, paths, is_first)
        behind = self._trips(statement, action, _passed(paths, SECOND_HALF), is_first)
        return _passed(behind, FIRST_HALF)

    def _trips(self, statement: TileStatement, action: For, paths: list[Path], is_first: bool) -> list[Path]:
        (region,) = statement.regions
        inside = list(walk(region.statements))
        loop = self._entered(statement, action, inside)
        if loop is None or not any(self._matters(statement) for statement in inside):
            return paths
        past = [path.limited(-self._room(path, action) - 1) for path in paths]
        self._loops.append(loop)
        new = present([self._first(path, loop) for path in paths])
        left: list[Path | None] = []
        seen: set[Path] = set()
        while new or is_first:
            seen.update(new)
            ends = self.statements(region.statements, new, is_first)
            is_first = False
            left += [self._left(path, loop) for path in ends]
            new = [path for path in present([self._then(path, loop) for path in ends]) if path not in seen]
        _ = self._loops.pop()
        return merged(present([*past, *left]))

    def _matters(self, statement: TileStatement) -> bool:
        """Whether a path may begin or change at a statement."""
        match statement.op:
            case Barrier() | AsyncWait():
                return True
            case For() as loop:
                return loop.staggered
            case _:
                return not self._memory.isdisjoint(statement.operands)

    def _entered(
        self, statement: TileStatement, action: For, inside: Iterable[TileStatement]
    ) -> _Loop | None:
        """The loop around its statements; None if it never has a trip."""
        known = {loop.action.counter: loop.counter for loop in self._loops}
        start, stop = action.start.substitute(known), action.stop.substitute(known)
        last = (stop - start - 1).high // action.step
        if last < 0:
            return None
        name = f"{action.counter.name}#{self._numbers[id(statement)]}"
        trip, later = symbol(name, 0, last), symbol(f"{name}+", 1, max(last, 1))
        counter = start + trip * action.step
        bounds = [
            bound
            for statement in inside
            if isinstance(statement.op, For)
            for bound in (statement.op.start, statement.op.stop)
        ]
        varies = any(action.counter in bound.symbols for bound in bounds)
        return _Loop(action, trip, later, counter, stop - counter - 1, varies)

    def _ends(self, path: Path, action: For) -> tuple[Index, Index]:
        """Start and stop of a loop for the counters of a path."""
        known = {
            loop.action.counter: trip.counter for loop, trip in zip(self._loops, path.here, strict=False)
        }
        return action.start.substitute(known), action.stop.substitute(known)

    def _room(self, path: Path, action: For) -> Index:
        """An index that is at least 0 if a loop has a trip."""
        start, stop = self._ends(path, action)
        return stop - start - 1

    def _first(self, path: Path, loop: _Loop) -> Path | None:
        """A path from before a loop, in its first trip."""
        start, stop = self._ends(path, loop.action)
        first = Trip(Form.FIRST, 0, start, path.state)
        return replace(path, here=(*path.here, first)).limited(stop - start - 1)

    def _then(self, path: Path, loop: _Loop) -> Path | None:
        """A path from the end of a trip, at the start of the next."""
        form, turns, counter, began = path.here[-1]
        _, stop = self._ends(path, loop.action)
        limits, is_exact = path.limits, path.is_exact
        later = as_symbol(loop.later)
        match form:
            case Form.SAME:
                trip = Trip(Form.NEXT, 1, counter + loop.action.step, path.state)
            case _ if path.state != began:
                trip = Trip(form, turns + 1, counter + loop.action.step, path.state)
            case Form.NEXT | Form.FIRST:
                wider = Form.LATER if form is Form.NEXT else Form.AFTER
                trip = Trip(wider, turns, counter + loop.later * loop.action.step, began)
                is_exact = is_exact and not loop.varies
            case Form.LATER | Form.AFTER:
                trip = path.here[-1]
                limits = frozenset([limit for limit in limits if later not in limit.symbols])
        moved = replace(path, here=(*path.here[:-1], trip), limits=limits, is_exact=is_exact)
        return moved.limited(stop - trip.counter - 1)

    def _left(self, path: Path, loop: _Loop) -> Path | None:
        """A path from the end of the last trip, behind the loop."""
        room = self._room(path, loop.action)
        last = room // loop.action.step
        form, turns, _, _ = path.here[-1]
        limits = [room]
        match form:
            case Form.SAME | Form.NEXT:
                values = {loop.trip: last - turns}
                limits.append(last - turns)
            case Form.LATER:
                values = {loop.later: last - turns - loop.trip}
                limits.append(last - turns - loop.trip - 1)
            case Form.FIRST:
                values = dict[Index, Index]()
                limits += [last - turns, turns - last]
            case Form.AFTER:
                values = {loop.later: last - turns}
                limits.append(last - turns - 1)
        outside = replace(path, here=path.here[:-1])
        left = outside.substituted({as_symbol(symbol): value for symbol, value in values.items()})
        return left.limited(*limits) if left is not None else None


def _passed(paths: Iterable[Path], barriers: Barriers) -> list[Path]:
    """The paths that are open after barriers of some waves."""
    return [path for path in [path.passed(barriers) for path in paths] if path.is_open]
