"""The stages of a loop, and the rules that a loop with stages keeps.

    total = for[k = 0 to 4096 step 64](zero) (acc) {
      t = tile_load[at={row, c1 + k}](x)        stage 0
      stage()
      next = add(acc, t)                        stage 1
      yield(next)
    }

The rewrite (`asmgen.blockwise.pipelining`) runs stage 1 of a trip together with stage 0 of the next trip. In
general stage `s` of trip `j` runs in iteration `j + s`. The order within a trip stays, and so does the order
of the trips within a stage. The rules say what may change its order:

- A carried value is read no earlier than in the stage that makes it.
- Two accesses of the same memory keep their order if either writes, or are shown to have no element in
  common.
- A buffer that the loop reads and writes is accessed in a single stage, together with every barrier.
- LDS is allocated before the loop, and the loop does not stop before its start.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from asmgen.blockwise.actions import (
    AsyncCopy,
    Barrier,
    For,
    LdsAllocate,
    LdsLoad,
    LdsStore,
    Stage,
    TileLoad,
    TileStore,
    Yield,
)
from asmgen.blockwise.op_table import row_of
from asmgen.blockwise.program import Kernel, TileStatement, TileValue
from asmgen.blockwise.rules.trips_apart import Access, Counters, common_trips
from asmgen.blockwise.types import LdsType
from asmgen.index import Symbol
from asmgen.index.reach import reach
from asmgen.index.search import TooManyParts
from asmgen.ir.program import walk
from isa.named_tuple import NamedTuple

MOST_STAGES = 8


class Staged(NamedTuple):
    """A loop with stages. `homes` is the first stage that knows each value of the region. A carried value is
    known in the stage that makes it: in that stage of the next trip.
    """

    statement: TileStatement
    loop: For
    stages: tuple[tuple[TileStatement, ...], ...]
    homes: dict[TileValue, int]

    @property
    def depth(self) -> int:
        """How many trips stage 0 is ahead of the last stage."""
        return len(self.stages) - 1

    @property
    def parameters(self) -> tuple[TileValue, ...]:
        return self.statement.regions[0].parameters

    @property
    def yields(self) -> dict[TileValue, TileValue]:
        """The value that each carried value has in the next trip."""
        (region,) = self.statement.regions
        return dict(zip(region.parameters, region.yielded, strict=True))


class StageFault(NamedTuple):
    rule: str
    statement: TileStatement


class Placed(NamedTuple):
    """A statement of a loop, and its stage."""

    stage: int
    statement: TileStatement


def staged(statement: TileStatement) -> Staged | None:
    """The stages of a loop; None for a statement without stages of its own."""
    if not isinstance(statement.op, For):
        return None
    (region,) = statement.regions
    if not any(isinstance(inner.op, Stage) for inner in region.statements):
        return None
    stages: list[list[TileStatement]] = [[]]
    for inner in region.statements:
        if isinstance(inner.op, Stage):
            stages.append([])
        elif not isinstance(inner.op, Yield):
            stages[-1].append(inner)
    made = {value: stage for stage, some in enumerate(stages) for one in some for value in one.results}
    split = Staged(statement, statement.op, tuple([tuple(some) for some in stages]), made)
    carried = {parameter: _home(split, parameter) for parameter in split.parameters}
    return split._replace(homes={**made, **carried})


def _home(split: Staged, parameter: TileValue) -> int:
    """The stage that makes a carried value; 0 if it comes from outside of the loop."""
    yields, seen = split.yields, {parameter}
    value = yields[parameter]
    while value in yields and value not in seen:
        seen.add(value)
        value = yields[value]
    return 0 if value in yields else split.homes.get(value, 0)


def read_by(statement: TileStatement) -> list[TileValue]:
    """The values that a statement reads, those inside its regions too."""
    return list(dict.fromkeys([value for inner in walk((statement,)) for value in inner.operands]))


def stage_faults(kernel: Kernel) -> Iterator[StageFault]:
    """The broken rules of all loops with stages."""
    yield from [
        StageFault("it stands outside of a loop, wanted it in the region of a `for`", statement)
        for region in _no_loops(kernel.statements)
        for statement in region
        if isinstance(statement.op, Stage)
    ]
    for statement in kernel.walk():
        split = staged(statement)
        if split is not None:
            yield from _faults(split)


def _no_loops(statements: Sequence[TileStatement]) -> Iterator[Sequence[TileStatement]]:
    """The statements of a kernel, and of each region in it that is not of a `for`."""
    yield statements
    for statement in walk(statements):
        if not isinstance(statement.op, For):
            yield from [region.statements for region in statement.regions]


def _faults(split: Staged) -> Iterator[StageFault]:
    if len(split.stages) > MOST_STAGES:
        rule = f"the loop has {len(split.stages)} stages, wanted {MOST_STAGES} at most"
        yield StageFault(rule, split.statement)
        return
    span = split.loop.stop - split.loop.start
    if not span.is_constant and reach(span)[0] < 0:
        least = reach(span)[0]
        rule = f"the loop has stages, and its stop may be less than its start: {span.text} may be {least}"
        yield StageFault(rule, split.statement)
        return
    placed = [Placed(number, one) for number, some in enumerate(split.stages) for one in some]
    inner = [Placed(number, one) for number, outer in placed for one in walk((outer,))]
    for _, statement in inner:
        if isinstance(statement.op, LdsAllocate):
            yield StageFault("a loop with stages allocates no LDS; allocate it before the loop", statement)
    yield from _carried_backwards(split, placed)
    yield from _of_lds(split, inner)
    yield from _of_buffers(split, inner)


def _carried_backwards(split: Staged, placed: Sequence[Placed]) -> Iterator[StageFault]:
    for stage, statement in placed:
        for value in read_by(statement):
            home = split.homes.get(value, 0)
            if home > stage:
                maker = next(one for _, one in placed if _made_from(split, value) in one.results)
                yield StageFault(
                    f"stage {stage} reads {value.name}, which stage {home} of the trip before makes by "
                    f"{_named(maker)}; put both into one stage",
                    statement,
                )


def _made_from(split: Staged, parameter: TileValue) -> TileValue:
    """The value of the region that a carried value is made of."""
    value = parameter
    while value in split.yields:
        value = split.yields[value]
    return value


def _of_lds(split: Staged, inner: Sequence[Placed]) -> Iterator[StageFault]:
    """Accesses of LDS that change their order. At a distance of as many trips as stages they keep it, since
    the later stage comes first in an iteration.
    """
    counters = _counters(inner)
    accesses = [one for one in inner if isinstance(one.statement.op, LdsLoad | LdsStore | AsyncCopy)]
    for earlier, later in _pairs(accesses):
        x, y = lds_access(earlier.statement), lds_access(later.statement)
        for distance in range(1, later.stage - earlier.stage):
            fault = _reordered(split, earlier, later, (x, y), counters, distance)
            if fault is not None:
                yield fault
                break


def _of_buffers(split: Staged, inner: Sequence[Placed]) -> Iterator[StageFault]:
    """Accesses of buffers that the loop writes."""
    counters = _counters(inner)
    written = {one.statement.operands[1] for one in inner if isinstance(one.statement.op, TileStore)}
    accesses = [
        one
        for one in inner
        if isinstance(one.statement.op, TileLoad | TileStore | AsyncCopy)
        if _buffer(one.statement) in written
    ]
    for earlier, later in _pairs(accesses):
        x, y = _of_memory_access(earlier.statement), _of_memory_access(later.statement)
        for distance in range(1, later.stage - earlier.stage + 1):
            fault = _reordered(split, earlier, later, (x, y), counters, distance)
            if fault is not None:
                yield fault
                break
    read = {_buffer(one.statement) for one in accesses if not isinstance(one.statement.op, TileStore)}
    shared = [one for one in accesses if _buffer(one.statement) in read]
    for barrier in [one for one in inner if isinstance(one.statement.op, Barrier)]:
        for stage, statement in shared:
            if stage != barrier.stage:
                yield StageFault(
                    f"stage {stage} accesses {_buffer(statement).name}, which the loop reads and writes, and "
                    f"{_named(barrier.statement)} is in stage {barrier.stage}; put both into one stage",
                    statement,
                )
                return


def _counters(inner: Sequence[Placed]) -> frozenset[Symbol]:
    """The counters of the loops inside."""
    return frozenset([one.statement.op.counter for one in inner if isinstance(one.statement.op, For)])


def _pairs(accesses: Sequence[Placed]) -> Iterator[tuple[Placed, Placed]]:
    for number, later in enumerate(accesses):
        for earlier in accesses[:number]:
            if earlier.stage < later.stage:
                yield earlier, later


def _reordered(
    split: Staged,
    earlier: Placed,
    later: Placed,
    accesses: tuple[Access, Access],
    inner: frozenset[Symbol],
    distance: int,
) -> StageFault | None:
    """The fault that two accesses, the latter `distance` trips before the former, change their order."""
    memory, name = accesses[0].memory, split.loop.counter.name
    try:
        trips = common_trips(*accesses, split.loop, inner, distance)
    except TooManyParts:
        trips = Counters(-1, -1)
    if trips is None:
        return None
    what = "slots" if isinstance(memory.type, LdsType) else "elements"
    help = f"use other {what} or fewer stages"
    by, stages = _named(later.statement), (earlier.stage, later.stage)
    if trips.later < 0:
        rule = (
            f"stage {stages[0]} runs before stage {stages[1]} of earlier trips, and it is not shown that "
            f"{by} accesses other elements of {memory.name} there; {help}"
        )
    else:
        rule = (
            f"stage {stages[0]} of {name} = {trips.later} runs before stage {stages[1]} of {name} = "
            f"{trips.earlier}, in which {by} accesses the same elements of {memory.name}; {help}"
        )
    return StageFault(rule, earlier.statement)


def _named(statement: TileStatement) -> str:
    at = f" at {statement.place}" if statement.place else ""
    return f"{row_of(statement.op).name}{at}"


def _buffer(statement: TileStatement) -> TileValue:
    return statement.operands[1 if isinstance(statement.op, TileStore) else 0]


def _of_memory_access(statement: TileStatement) -> Access:
    action = statement.op
    assert isinstance(action, TileLoad | TileStore | AsyncCopy)
    writes = isinstance(action, TileStore)
    return Access(_buffer(statement), writes, action.at, (1,) * len(action.at))


def lds_access(statement: TileStatement) -> Access:
    """The access of a load, a store or a copy: a slot of LDS, and the elements in it."""
    action = statement.op
    assert isinstance(action, LdsLoad | LdsStore | AsyncCopy)
    memory = statement.operands[0 if isinstance(action, LdsLoad) else 1]
    assert isinstance(memory.type, LdsType)
    if isinstance(action, AsyncCopy):
        shape = action.layout.shape
    else:
        tile = statement.result if isinstance(action, LdsLoad) else statement.operands[0]
        shape = tile.type.shape
    whole = memory.type.shape
    origin = action.origin or tuple([action.slot * 0 for _ in whole])
    writes = not isinstance(action, LdsLoad)
    return Access(memory, writes, (action.slot, *origin), (1, *shape))
