"""`for`: a scalar branch where every lane makes the same trips, EXEC masks where not (decision 2).

A divergent loop takes lanes out of EXEC in its header as they finish, and ends when none is left. Lanes that have left
keep their values, since nothing is written in them; a carried lane mask keeps their bits by a merge. What the loop gives is
what its header's parameters hold when a lane leaves.
"""

from __future__ import annotations

from asmgen.ir.program import Region, Statement, Value
from asmgen.ir.types import I32
from asmgen.select.control import Body
from asmgen.select.merge import edge_arguments, is_mask, merge_registers, put_mask_merge, yielded
from asmgen.select.operands import put_scalar, put_vector
from asmgen.select.selection import Part, Selection, lane_type
from isa.lane_masks import MaskOperation
from isa.program import Block, Edge

_LESS_SCALAR = {True: "s_cmp_lt_i32", False: "s_cmp_lt_u32"}
_LESS_VECTOR = {True: ("v_cmp_lt_i32", "v_cmp_gt_i32"), False: ("v_cmp_lt_u32", "v_cmp_gt_u32")}


def select_for(s: Selection, statement: Statement, body: Body) -> None:
    """`body` selects the statements of a region."""
    (region,) = statement.regions
    counter = region.parameters[0]
    if s.is_uniform(counter) and s.is_uniform(statement.operands[1]):
        _uniform_for(s, statement, region, body)
    else:
        _divergent_for(s, statement, region, body)


def _enter_loop(s: Selection, statement: Statement, region: Region) -> tuple[Block, str]:
    """End the block before a loop and begin its header; the block before, and the header's label."""
    start, _, _, *initial = statement.operands
    emitter = s.emitter
    header = emitter.label("loop")
    before = emitter.block
    merge = merge_registers(s, region.parameters)
    scalars, vectors = edge_arguments(s, region.parameters, (start, *initial))
    emitter.end((Edge(header, scalars),), (Edge(header, vectors),))
    _ = emitter.start(header, merge.scalars, merge.vectors)
    return before, header


def _uniform_for(s: Selection, statement: Statement, region: Region, body: Body) -> None:
    emitter = s.emitter
    stop, step = statement.operands[1:3]
    counter = region.parameters[0]
    before, header = _enter_loop(s, statement, region)
    inside, done = emitter.label("body"), emitter.label("done")
    branches = (Edge(done), Edge(inside))
    with emitter.scope(before):
        put_scalar(emitter, _LESS_SCALAR[_is_signed(counter)], (), (s.scalar_part(counter), s.scalar_part(stop)))
        emitter.end(branches, branches, "s_cbranch_scc0")
        _ = emitter.start(inside)
        body(s, region.statements)
        following = emitter.sgpr()
        put_scalar(emitter, "s_add_u32", (following,), (s.scalar_part(counter), s.scalar_part(step)))
        scalars, vectors = edge_arguments(s, region.parameters[1:], yielded(region))
    emitter.end((Edge(header, (following, *scalars)),), (Edge(header, vectors),))
    _ = emitter.start(done)
    _take_results(s, statement, region)


def _take_results(s: Selection, statement: Statement, region: Region) -> None:
    """The results of a loop are what its header holds when a lane leaves."""
    for result, parameter in zip(statement.results, region.parameters[1:], strict=True):
        s.define(result, s.parts(parameter))


def _divergent_for(s: Selection, statement: Statement, region: Region, body: Body) -> None:
    emitter = s.emitter
    stop, step = statement.operands[1:3]
    counter = region.parameters[0]
    masks = emitter.masks
    saved = emitter.mask()
    emitter.put_mask(MaskOperation.MOVE, saved, masks.exec)
    before, header = _enter_loop(s, statement, region)
    inside, done = emitter.label("body"), emitter.label("done")
    branches = (Edge(done), Edge(inside))
    with emitter.scope(before):
        name, other = _LESS_VECTOR[_is_signed(counter)]
        put_vector(emitter, name, (masks.vcc,), (s.scalar_part(counter), s.scalar_part(stop)), reversed=other)
        emitter.put_mask(MaskOperation.AND, masks.exec, masks.exec, masks.vcc)
        emitter.end(branches, branches, "s_cbranch_execz")
        _ = emitter.start(inside)
        body(s, region.statements)
        counters = _next_counter(s, counter, step)
        scalars, vectors = edge_arguments(s, region.parameters[1:], yielded(region))
        kept = _kept_masks(s, region, scalars)
    emitter.end((Edge(header, (*counters[0], *kept)),), (Edge(header, (*counters[1], *vectors)),))
    _ = emitter.start(done)
    emitter.put_mask(MaskOperation.MOVE, masks.exec, saved)
    _take_results(s, statement, region)


def _next_counter(s: Selection, counter: Value, step: Value) -> tuple[tuple[Part, ...], tuple[Part, ...]]:
    """The next counter as a scalar or as a vector argument."""
    emitter = s.emitter
    sources = (s.scalar_part(counter), s.scalar_part(step))
    if s.is_uniform(counter):
        following = emitter.sgpr()
        put_scalar(emitter, "s_add_u32", (following,), sources)
        return (following,), ()
    following = emitter.vgpr()
    put_vector(emitter, "v_add_u32", (following,), sources)
    return (), (following,)


def _kept_masks(s: Selection, region: Region, following: tuple[Part, ...]) -> tuple[Part, ...]:
    """The next lane masks, with the bits of lanes that have left the loop as they were; scalar values pass."""
    before = [mask for parameter in region.parameters[1:] if is_mask(s, parameter) for mask in s.parts(parameter)]
    kept: list[Part] = []
    for old, new in zip(before, following, strict=True):
        mask = s.emitter.mask()
        put_mask_merge(s, mask, old, new)
        kept.append(mask)
    return tuple(kept)


def _is_signed(value: Value) -> bool:
    return lane_type(value).element is I32
