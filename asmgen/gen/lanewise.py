"""Lanewise: what one lane does. Tensors are left only as buffers; every value is a lane value.

Invariant after it: an index is within its buffer wherever a lane reads or writes (`asmgen.lanewise.interpret`
checks it).
"""

from __future__ import annotations

from asmgen.gen.evaluate import splat_of
from asmgen.gen.row_lowering import lower_rows
from asmgen.gen.section_lowering import lower_section
from asmgen.gen.stated import check_ops, check_sections
from asmgen.gen.tiling import definitions, sections
from asmgen.graph.ops import LITERAL, PARAM, RETURN
from asmgen.ir.program import Module, Program, Stage, Statement, Value
from asmgen.ir.types import U32
from asmgen.lanewise.builder import LaneBuilder
from asmgen.lanewise.ops import COPY, LAUNCH, LDS_ALLOCATE
from asmgen.lanewise.reduction_ops import GRIDWISE_REDUCE
from isa.targets import TargetId


def lanewise(program: Program, target: TargetId) -> Program:
    """Raises `InputError` where a module states what does not fit its shapes, as only a user's text may."""
    return Program(Stage.LANEWISE, tuple(_module(module, target) for module in program.modules), str(target))


def _module(module: Module, target: TargetId) -> Module:
    check_ops(module)
    builder = LaneBuilder(
        value.name for statement in module.statements for value in statement.results if _stays(statement)
    )
    for statement in module.statements:
        if _stays(statement):
            builder.append(statement)
    if any(statement.op is GRIDWISE_REDUCE for statement in module.statements):
        lower_rows(builder, module, target.target)
    else:
        _lower_sections(builder, module)
    return_ = module.statements[-1]
    copies = [statement for statement in module.statements if statement.op is COPY]
    builder.append(Statement(RETURN, tuple(copy.operands[1] for copy in copies), (), {}, (), return_.place))
    return builder.module(module.name)


def _stays(statement: Statement) -> bool:
    """The launch, the parameters, LDS, and literals that must lie in memory."""
    return statement.op in (LAUNCH, PARAM, LDS_ALLOCATE) or (
        statement.op is LITERAL and splat_of(statement) is None
    )


def _lower_sections(builder: LaneBuilder, module: Module) -> None:
    attributes = module.statements[0].attributes
    block, grid, vector = attributes["block"], attributes["grid"], attributes["vector"]
    assert isinstance(block, tuple) and isinstance(grid, tuple) and isinstance(vector, int)
    threads, groups = block[0], grid[0]
    assert isinstance(threads, int) and isinstance(groups, int)
    defined = definitions(module)
    found = sections(defined, [statement for statement in module.statements if statement.op is COPY], vector)
    check_sections(module.statements[0], found, threads * groups)
    if not found:
        return
    lane = _global_id(builder, threads, groups)
    for section in found:
        lower_section(builder, defined, section, lane, threads * groups)


def _global_id(builder: LaneBuilder, threads: int, groups: int) -> Value:
    if groups == 1:
        return builder.local_id()
    offset = builder.mul(builder.workgroup_id(), builder.constant(threads, U32))
    return builder.add(offset, builder.local_id())
