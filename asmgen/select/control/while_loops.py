"""`while`: the test and then the body, as long as the test holds.

    loop:  test, to `done` where it fails
    body:  body, to `loop`
    done

Where the test is the same in every lane it is a scalar branch; else lanes leave EXEC as theirs fails, and
keep the values that they have then, as in a divergent `for` (`loops`).
"""

from __future__ import annotations

from asmgen.ir.program import Region, Statement
from asmgen.select.control.branches import Body
from asmgen.select.control.loops import kept_masks
from asmgen.select.control.merge import edge_arguments, merge_registers, yielded
from asmgen.select.lanes.masks import put_condition, put_scalar_condition
from asmgen.select.operands import put_mask
from asmgen.select.selection import Selection
from isa.lane_masks import MaskOperation
from isa.program import Block, Edge


def select_while(s: Selection, statement: Statement, body: Body) -> None:
    """`body` selects the statements of a region."""
    test, inner = statement.regions
    emitter, masks = s.emitter, s.emitter.masks
    (condition,) = yielded(test)
    is_uniform = s.is_uniform(condition)
    saved = None if is_uniform else emitter.mask()
    if saved is not None:
        emitter.put_mask(MaskOperation.MOVE, saved, masks.exec)
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
        scalars, vectors = edge_arguments(s, test.parameters, yielded(inner))
        if not is_uniform:
            scalars = kept_masks(s, test.parameters, scalars)
    emitter.end((Edge(header, scalars),), (Edge(header, vectors),))
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
