"""`if`: a scalar branch for a uniform condition, EXEC masks for a divergent condition.

A divergent `if` runs its two sides in turn, each under its lanes:

    before: save := exec, exec := exec & condition; none left: to `flow`
    then
    flow:   exec := save & ~exec, the lanes of the other side; none left: to `join`
    else
    join:   exec := save

A lane goes before -> then -> join or before -> else -> join (logical edges); the wave goes through all of
them in order (linear edges). Vector results merge along logical edges. A lane mask is in an SGPR, so it
merges by hand in `join`, while EXEC still has the lanes of `else`: (then & ~exec) | (else & exec).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from asmgen.graph.ops import BITWISE_AND, EQUAL
from asmgen.ir.program import Region, Statement, Value
from asmgen.lanewise import ops
from asmgen.lanewise.atomic_ops import ATOMIC_OPS
from asmgen.lanewise.reduction_ops import IS_LANE
from asmgen.select.control.merge import Merge, edge_arguments, merge_registers, put_mask_merge
from asmgen.select.lanes.masks import put_any_in_vcc, put_condition, put_scalar_condition
from asmgen.select.lanes.reductions import put_one_lane
from asmgen.select.memory.lds import make_lds_addresses
from asmgen.select.operands import put_mask
from asmgen.select.selection import Part, Selection
from asmgen.select.uses import constant_of
from isa.instruction import Immediate
from isa.lane_masks import MaskOperation
from isa.program import Block, Edge

SHORT_BODY = 6  # statements that are cheaper to issue for no lane than to branch around

Body = Callable[[Selection, tuple[Statement, ...]], None]


def select_if(s: Selection, statement: Statement, body: Body) -> None:
    """`body` selects the statements of a region."""
    if s.is_uniform(statement.operands[0]):
        _uniform_if(s, statement, body)
    else:
        _divergent_if(s, statement, body)


def _side(s: Selection, region: Region, body: Body) -> None:
    body(s, region.statements)


def _uniform_if(s: Selection, statement: Statement, body: Body) -> None:
    emitter, results = s.emitter, statement.results
    then, join = emitter.label("then"), emitter.label("join")
    other = emitter.label("else") if len(statement.regions) > 1 else join
    branches = (Edge(other), Edge(then))
    emitter.end(branches, branches, _put_uniform_condition(s, statement.operands[0]))
    # the parameters of the join are made before its edges, and the results are defined by it
    merge = Merge((), ())
    ends: list[Block] = []
    for label, region in zip((then, other), statement.regions, strict=False):
        _ = emitter.start(label)
        with emitter.scope():
            _side(s, region, body)
            if not ends:
                merge = merge_registers(s, results)
            scalars, vectors = edge_arguments(s, results, region.yielded)
        ends.append(emitter.block)
        emitter.end((Edge(join, scalars),), (Edge(join, vectors),))
    _ = emitter.start(join, merge.scalars, merge.vectors)


def _put_uniform_condition(s: Selection, condition: Value) -> str:
    """Compute a uniform condition; the name of the branch that is taken if it fails."""
    made = s.uses.defined[condition] if condition in s.uses.deferred else None
    if made is None or made.op is not ops.ANY_LANE:
        put_scalar_condition(s, condition)
        return "s_cbranch_scc0"
    put_any_in_vcc(s, made.operands[0])
    return "s_cbranch_vccz"


def _divergent_if(s: Selection, statement: Statement, body: Body) -> None:
    if statement in s.uses.last:
        _last_if(s, statement, body)
    elif len(statement.regions) == 1:
        _one_sided_if(s, statement, body)
    else:
        _two_sided_if(s, statement, body)


def _last_if(s: Selection, statement: Statement, body: Body) -> None:
    """Nothing but the end follows: lanes without the condition are not needed again."""
    emitter = s.emitter
    (region,), condition = statement.regions[:1], statement.operands[0]
    then, end = emitter.label("then"), emitter.label("end")
    branches = (Edge(end), Edge(then))
    if (
        condition in s.uses.deferred
        and s.uses.defined[condition].op is IS_LANE
        and s.emitter.kernel.fills_waves
    ):
        put_one_lane(s, emitter.masks.exec, s.uses.defined[condition])
        emitter.end((Edge(then),), branches)
    else:
        mask = put_condition(s, condition)
        put_mask(emitter, MaskOperation.AND, emitter.masks.exec, emitter.masks.exec, mask)
        emitter.end(branches, branches, "s_cbranch_execz")
    _ = emitter.start(then)
    with emitter.scope():
        _side(s, region, body)
    emitter.end((Edge(end),), (Edge(end),))
    _ = emitter.start(end)


def _one_sided_if(s: Selection, statement: Statement, body: Body) -> None:
    emitter = s.emitter
    skips = not _is_taken(s, statement) and _worth_skipping(statement.regions[0])
    if not skips:
        make_lds_addresses(s, statement.regions[0].statements)
    mask = put_condition(s, statement.operands[0])
    saved = emitter.mask()
    emitter.put_mask(MaskOperation.AND_SAVE_EXEC, saved, mask)
    then, join = emitter.label("then"), emitter.label("join")
    emitter.end(
        (Edge(join), Edge(then)) if skips else (Edge(then),),
        (Edge(then), Edge(join)),
        "s_cbranch_execz" if skips else "",
    )
    _ = emitter.start(then)
    with emitter.scope():
        _side(s, statement.regions[0], body)
    emitter.end((Edge(join),), (Edge(join),))
    _ = emitter.start(join)
    emitter.put_mask(MaskOperation.MOVE, emitter.masks.exec, saved)


def _is_taken(s: Selection, statement: Statement) -> bool:
    """Whether a lane of each wave runs the only region of an `if`."""
    condition = s.uses.defined.get(statement.operands[0])
    if condition is None or condition.op is IS_LANE:
        return condition is not None
    return _only_stores(statement.regions[0]) and _holds_in_each_wave(s, condition)


def _only_stores(region: Region) -> bool:
    """Whether a region only stores values. Inside another `if` it may have no lane, and then does nothing."""
    return all(each.op in _STORES or not (each.op in _TOUCHES or each.regions) for each in region.statements)


def _holds_in_each_wave(s: Selection, condition: Statement) -> bool:
    """Whether a condition compares bits of a lane's number in its wave with a constant."""
    kernel = s.emitter.kernel
    if condition.op is not EQUAL or not kernel.fills_waves or kernel.workgroup[1:] != (1, 1):
        return False
    masked, wanted = s.uses.defined.get(condition.operands[0]), constant_of(condition.operands[1], s.uses)
    if masked is None or masked.op is not BITWISE_AND or wanted is None:
        return False
    local, mask = s.uses.defined.get(masked.operands[0]), constant_of(masked.operands[1], s.uses)
    if local is None or local.op is not ops.LOCAL_ID or mask is None:
        return False
    return mask < kernel.target.target.wave_size and wanted & ~mask == 0


def _worth_skipping(region: Region) -> bool:
    """Whether to branch around a region when no lane is in it: always if it touches memory or has regions of
    its own."""
    return len(region.statements) > SHORT_BODY or any(
        s.op in _TOUCHES or s.regions for s in region.statements
    )


_TOUCHES = frozenset(
    {
        ops.LOAD,
        ops.VECTOR_LOAD,
        ops.STORE,
        ops.VECTOR_STORE,
        ops.LDS_LOAD,
        ops.LDS_TRANSPOSE_LOAD,
        ops.LDS_STORE,
        ops.LOAD_TO_LDS,
        ops.SCRATCH_LOAD,
        ops.SCRATCH_STORE,
        ops.LANE_SHUFFLE,
        ops.LANE_EXCHANGE,
        *ATOMIC_OPS,
    }
)


_STORES = frozenset({ops.STORE, ops.VECTOR_STORE, ops.LDS_STORE})


def _two_sided_if(s: Selection, statement: Statement, body: Body) -> None:
    emitter, results = s.emitter, statement.results
    mask = put_condition(s, statement.operands[0])
    saved = emitter.mask()
    emitter.put_mask(MaskOperation.AND_SAVE_EXEC, saved, mask)
    then, flow, other, join = (emitter.label(stem) for stem in ("then", "flow", "else", "join"))
    merge = merge_registers(s, results)
    merged = tuple(
        zip(
            merge.scalars,
            (emitter.mask() for _ in merge.scalars),
            (emitter.mask() for _ in merge.scalars),
            strict=True,
        )
    )

    first = _skipped_side(s, statement.regions[0], then, (Edge(then), Edge(other)))
    scalars, vectors = _run_side(s, statement.regions[0], then, results, body)
    emitter.end((Edge(flow, scalars),), (Edge(join, vectors),))
    _end_skip(s, first, flow, merge)

    _ = emitter.start(flow, tuple(taken for _, taken, _ in merged))
    emitter.put_mask(MaskOperation.AND_NOT, emitter.masks.exec, saved, emitter.masks.exec)
    second = _skipped_side(s, statement.regions[1], other, ())
    scalars, vectors = _run_side(s, statement.regions[1], other, results, body)
    emitter.end((Edge(join, scalars),), (Edge(join, vectors),))
    _end_skip(s, second, join, merge)

    _ = emitter.start(join, tuple(left for _, _, left in merged), merge.vectors)
    for result, taken, left in merged:
        put_mask_merge(s, result, taken, left)
    emitter.put_mask(MaskOperation.MOVE, emitter.masks.exec, saved)


def _skipped_side(s: Selection, region: Region, start: str, logical: tuple[Edge, ...]) -> str | None:
    """End the block before a side, with a branch around the side if that is worth it; the label of the
    branch."""
    if not _worth_skipping(region):
        s.emitter.end((Edge(start),), logical)
        return None
    skip = s.emitter.label("skip")
    s.emitter.end((Edge(skip), Edge(start)), logical, "s_cbranch_execz")
    return skip


def _run_side(
    s: Selection, region: Region, label: str, results: Sequence[Value], body: Body
) -> tuple[tuple[Part, ...], tuple[Part, ...]]:
    """Select a side into blocks of its own; its scalar and vector arguments of the join."""
    _ = s.emitter.start(label)
    with s.emitter.scope():
        _side(s, region, body)
        return edge_arguments(s, results, region.yielded)


def _end_skip(s: Selection, label: str | None, target: str, merge: Merge) -> None:
    """The block of a skipped side: no lane was in it, so that its lane masks are empty."""
    if label is None:
        return
    _ = s.emitter.start(label)
    s.emitter.end((Edge(target, (Immediate(0),) * len(merge.scalars)),), ())
