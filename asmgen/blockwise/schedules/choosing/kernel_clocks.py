"""Estimates the clocks of a kernel from its bytes, its instructions and its lanes, to compare ways in which a
graph becomes kernels (`asmgen.graph.fusion.repeated_values`).

The estimate is the start of each launch, the waits of a wave, and the time of the bytes or of the
instructions of all waves, whichever is longer. The lanes are those of the workgroups that its schedule has.
The numbers are those of the clock model (`isa.timing`).
"""

from __future__ import annotations

from math import prod

from asmgen.blockwise.schedules.choices import Body, Column, Pairs, Pointwise, Row
from asmgen.blockwise.schedules.choosing.choose import choose
from asmgen.blockwise.schedules.choosing.column import column_groups, is_held
from asmgen.blockwise.schedules.choosing.joint import clocks_to_move, launch_clocks
from asmgen.blockwise.schedules.choosing.pairs import pair_groups
from asmgen.blockwise.schedules.choosing.parts import Share
from asmgen.blockwise.schedules.choosing.room import row_groups
from asmgen.blockwise.schedules.kernel_graph import Graph
from asmgen.blockwise.schedules.work import Work
from asmgen.graph.fusion.evaluations import count, evaluations, issues
from asmgen.graph.ops import PARAM
from asmgen.ir.program import Value
from asmgen.ir.types import F64
from isa.named_tuple import NamedTuple
from isa.target import Target


class _Lanes(NamedTuple):
    """The lanes that compute at once, the launches, and how often each element is computed."""

    lanes: int
    launches: int = 1
    passes: int = 1


def clocks_of(graph: Graph, share: Share, target: Target) -> float:
    """The clocks of a kernel of known dims, of which reductions are in the parts of `share`."""
    params = [each.result for each in graph.module.statements if each.op is PARAM]
    moved = clocks_to_move(sum([_bytes(value) for value in (*params, *graph.returns)]), target)
    most = target.units * target.simds * target.wave_size
    wide = max([count(each) for each in graph.returns], default=1)
    lanes = _lanes(graph, share, target) if graph.body is Body.REDUCTIONS else _Lanes(min(most, wide))
    computed = lanes.passes * _issue_clocks(graph, target) / max(target.wave_size, lanes.lanes)
    return lanes.launches * (launch_clocks(target) + waits(target)) + max(moved, computed)


def waits(target: Target) -> int:
    """The clocks in which a wave waits for its arguments, a load and a store. After the start of its launch,
    add of 5,000 f32 takes 1,304 clocks on gfx942 and 3,064 on gfx1201; these waits are 1,239 and 3,008."""
    from isa.timing.caches import CACHES

    caches = CACHES[target.name]
    arguments = 0 if target.preload else caches.scalar_memory.clocks
    return arguments + caches.memory.clocks + caches.store.clocks


def _issue_clocks(graph: Graph, target: Target) -> float:
    """The clocks for which the instructions of all elements keep the vector ALU of a lane."""
    from isa.timing.machine import MACHINES

    machine, often = MACHINES[target.name], evaluations(graph.module)
    return sum(
        [
            often.get(value, 0.0) * issues(statement) * issue.clocks
            for value, statement in graph.defined.items()
            for issue in (machine.double_issue if value.type.element is F64 else machine.issue,)
        ]
    )


def _lanes(graph: Graph, share: Share, target: Target) -> _Lanes:
    """The lanes of a kernel of reductions. Rows that do not stay in registers are computed again for each
    level of its reductions and for its outputs."""
    work = graph.work
    choice = choose(work, target)
    groups = share.parts * _groups(choice, work, target)
    units = min(target.units, groups)
    waves = 1 if isinstance(choice, Pointwise | Pairs) else choice.waves * choice.teams
    lanes = min(units * target.simds, groups * waves) * target.wave_size
    is_read_once = share.parts > 1 or _is_held(choice, work, target)
    passes = 1 if is_read_once else work.levels + work.whole
    return _Lanes(min(lanes, prod(work.planned)), 1 + (share.parts > 1), passes)


def _groups(choice: Pointwise | Row | Column | Pairs, work: Work, target: Target) -> int:
    match choice:
        case Row():
            return row_groups(choice, work, target)
        case Column():
            return column_groups(choice, work)
        case Pairs():
            return pair_groups(choice, work, target)
        case Pointwise():
            return 1


def _is_held(choice: Pointwise | Row | Column | Pairs, work: Work, target: Target) -> bool:
    """Whether all elements of a row stay in registers: as many as two pieces."""
    match choice:
        case Row():
            piece = choice.vector * choice.lanes * choice.waves * choice.repeat
            return prod([work.planned[axis] for axis in work.reduced]) <= 2 * piece
        case Column():
            return is_held(choice, work, target)
        case Pairs() | Pointwise():
            return True


def _bytes(value: Value) -> int:
    return count(value) * value.type.element.bytes
