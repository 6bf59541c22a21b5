"""`for` and `while`: a scalar branch if every lane makes the same trips, EXEC masks if not.

A `for` that certainly makes its first trip, as from 0 to 4096, tests only at its end:

    loop:  body, counter := counter + step; counter >= stop: to `done`
    again: to `loop`
    done

`again` has the edge's arguments, and no instruction if they are in the parameters' registers already. Any
other loop tests in a header of its own:

    loop:  test, to `done` if it fails
    body:  body, to `loop`
    done

`passes.rotate` puts a copy of the test at the end of the body. A divergent loop takes lanes out of EXEC in
its header as they finish, and ends when none is left. Nothing is written in lanes that have left, so they
keep their values; a carried lane mask keeps their bits by a merge. The results of the loop are the values of
its header's parameters when a lane leaves.
"""

from __future__ import annotations

from asmgen.ir.program import Region, Statement, Value, lane_type
from asmgen.ir.types import I32
from asmgen.lanewise.records import trip_of
from asmgen.select.control.branches import Body
from asmgen.select.control.merge import (
    edge_arguments,
    is_mask,
    merge_registers,
    put_mask_merge,
    take_arguments,
)
from asmgen.select.lanes.masks import put_condition, put_scalar_condition
from asmgen.select.memory.induction import close_loop, open_loop
from asmgen.select.operands import put_mask, put_scalar, put_vector
from asmgen.select.records import OpenLoop
from asmgen.select.selection import Part, Selection
from asmgen.select.uses import constant_of
from isa.lane_masks import MaskOperation
from isa.named_tuple import NamedTuple
from isa.program import Block, Edge
from isa.registers import Register

_LESS_SCALAR = {True: "s_cmp_lt_i32", False: "s_cmp_lt_u32"}
_LESS_VECTOR = {True: ("v_cmp_lt_i32", "v_cmp_gt_i32"), False: ("v_cmp_lt_u32", "v_cmp_gt_u32")}


def select_for(s: Selection, statement: Statement, body: Body) -> None:
    """`body` selects the statements of a region."""
    (region,) = statement.regions
    counter = region.parameters[0]
    around, s.trip = s.trip, trip_of(statement)
    if s.is_uniform(counter) and s.is_uniform(statement.operands[1]):
        select_uniform = _entered_for if _is_entered(s, statement) else _uniform_for
        select_uniform(s, statement, region, body)
    else:
        _divergent_for(s, statement, region, body)
    s.trip = around


def _is_entered(s: Selection, statement: Statement) -> bool:
    """Whether the first trip of a loop is made for certain: both bounds are known."""
    start, stop = (constant_of(bound, s.uses) for bound in statement.operands[:2])
    return start is not None and stop is not None and start < stop


def _enter_loop(s: Selection, statement: Statement, region: Region) -> tuple[Block, Block]:
    """End the block before a loop and begin its header; both blocks."""
    start, _, _, *initial = statement.operands
    emitter = s.emitter
    label = emitter.label("loop")
    before = emitter.block
    merge = merge_registers(s, region.parameters)
    scalars, vectors = edge_arguments(s, region.parameters, (start, *initial))
    emitter.end((Edge(label, scalars),), (Edge(label, vectors),))
    return before, emitter.start(label, merge.scalars, merge.vectors)


def _uniform_for(s: Selection, statement: Statement, region: Region, body: Body) -> None:
    emitter = s.emitter
    stop = statement.operands[1]
    counter = region.parameters[0]
    before, header = _enter_loop(s, statement, region)
    inside, done = emitter.label("body"), emitter.label("done")
    branches = (Edge(done), Edge(inside))
    with emitter.scope(before):
        put_scalar(
            emitter, _LESS_SCALAR[_is_signed(counter)], (), (s.scalar_part(counter), s.scalar_part(stop))
        )
        emitter.end(branches, branches, "s_cbranch_scc0")
        _ = emitter.start(inside)
        following, scalars, vectors, addresses = _trip(
            s, statement, region, body, open_loop(s, statement, region, before, header)
        )
    emitter.end((Edge(header.label, (following, *scalars)),), (Edge(header.label, (*vectors, *addresses)),))
    _ = emitter.start(done)
    _take_results(s, statement, region)


def _entered_for(s: Selection, statement: Statement, region: Region, body: Body) -> None:
    emitter = s.emitter
    stop = statement.operands[1]
    before, header = _enter_loop(s, statement, region)
    again, done = emitter.label("again"), emitter.label("done")
    branches = (Edge(done), Edge(again))
    with emitter.scope(before):
        following, scalars, vectors, addresses = _trip(
            s, statement, region, body, open_loop(s, statement, region, before, header)
        )
        put_scalar(
            emitter, _LESS_SCALAR[_is_signed(region.parameters[0])], (), (following, s.scalar_part(stop))
        )
    emitter.end(branches, branches, "s_cbranch_scc0")
    _ = emitter.start(again)
    emitter.end((Edge(header.label, (following, *scalars)),), (Edge(header.label, (*vectors, *addresses)),))
    _ = emitter.start(done)
    take_arguments(s, statement.results, scalars, vectors)


class _Trip(NamedTuple):
    """The next counter, and the arguments of the next trip: carried values, and addresses that advance with
    it."""

    counter: Register
    scalars: tuple[Part, ...]
    vectors: tuple[Part, ...]
    addresses: tuple[Register, ...]


def _trip(s: Selection, statement: Statement, region: Region, body: Body, loop: OpenLoop | None) -> _Trip:
    """The body of a loop that every lane makes alike."""
    origin = s.emitter.origin
    around = s.loops
    s.loops = around if loop is None else [*around, loop]
    body(s, region.statements)
    s.loops = around
    s.emitter.origin = origin
    following = s.emitter.sgpr()
    put_scalar(
        s.emitter,
        "s_add_u32",
        (following,),
        (s.scalar_part(region.parameters[0]), s.scalar_part(statement.operands[2])),
    )
    scalars, vectors = edge_arguments(s, region.parameters[1:], region.yielded)
    return _Trip(following, scalars, vectors, close_loop(s, loop, following))


def _take_results(s: Selection, statement: Statement, region: Region) -> None:
    """The results of a loop are the values of its header's parameters when a lane leaves."""
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
        scalars, vectors = edge_arguments(s, region.parameters[1:], region.yielded)
        kept = kept_masks(s, region.parameters[1:], scalars)
    emitter.end((Edge(header.label, (*counters[0], *kept)),), (Edge(header.label, (*counters[1], *vectors)),))
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


def kept_masks(s: Selection, carried: tuple[Value, ...], following: tuple[Part, ...]) -> tuple[Part, ...]:
    """The next lane masks, with the bits of lanes that have left the loop as they were."""
    before = [mask for parameter in carried if is_mask(s, parameter) for mask in s.parts(parameter)]
    kept: list[Part] = []
    for old, new in zip(before, following, strict=True):
        mask = s.emitter.mask()
        put_mask_merge(s, mask, old, new)
        kept.append(mask)
    return tuple(kept)


def _is_signed(value: Value) -> bool:
    return lane_type(value).element is I32


def select_while(s: Selection, statement: Statement, body: Body) -> None:
    """`body` selects the statements of a region."""
    test, inner = statement.regions
    emitter, masks = s.emitter, s.emitter.masks
    (condition,) = test.yielded
    is_uniform = s.is_uniform(condition)
    saved = None if is_uniform else emitter.mask()
    if saved is not None:
        emitter.put_mask(MaskOperation.MOVE, saved, masks.exec)
    around, s.trip = s.trip, ""
    before, header = _enter(s, statement, test)
    inside, done = emitter.label("body"), emitter.label("done")
    branches = (Edge(done), Edge(inside))
    with emitter.scope(before):
        body(s, test.statements)
        if is_uniform:
            put_scalar_condition(s, condition)
        else:
            put_mask(emitter, MaskOperation.AND, masks.exec, masks.exec, put_condition(s, condition))
        emitter.end(branches, branches, "s_cbranch_scc0" if is_uniform else "s_cbranch_execz")
        _ = emitter.start(inside)
        for parameter, tested in zip(inner.parameters, test.parameters, strict=True):
            s.define(parameter, s.parts(tested))
        body(s, inner.statements)
        scalars, vectors = edge_arguments(s, test.parameters, inner.yielded)
        if not is_uniform:
            scalars = kept_masks(s, test.parameters, scalars)
    emitter.end((Edge(header, scalars),), (Edge(header, vectors),))
    s.trip = around
    _ = emitter.start(done)
    if saved is not None:
        emitter.put_mask(MaskOperation.MOVE, masks.exec, saved)
    for result, parameter in zip(statement.results, test.parameters, strict=True):
        s.define(result, s.parts(parameter))


def _enter(s: Selection, statement: Statement, test: Region) -> tuple[Block, str]:
    """End the block before the loop and begin its header; the block before, and the header's label."""
    emitter = s.emitter
    label, before = emitter.label("loop"), emitter.block
    merge = merge_registers(s, test.parameters)
    scalars, vectors = edge_arguments(s, test.parameters, statement.operands)
    emitter.end((Edge(label, scalars),), (Edge(label, vectors),))
    _ = emitter.start(label, merge.scalars, merge.vectors)
    return before, label
