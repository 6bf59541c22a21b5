"""Blockwise: what a workgroup shares: the LDS through which the waves of a block reduction meet.

Invariant after it: every LDS buffer that the kernel needs is allocated.
"""

from __future__ import annotations

from asmgen.gen.tiling import tensor_type
from asmgen.ir.program import Module, Program, Stage, Statement, Value
from asmgen.ir.types import tensor
from asmgen.lanewise.names import fresh_name
from asmgen.lanewise.ops import LDS_ALLOCATE
from asmgen.lanewise.reduction_ops import GRIDWISE_REDUCE
from asmgen.lanewise.types import computed
from isa.targets import TargetId


def blockwise(program: Program, target: TargetId) -> Program:
    return Program(
        Stage.BLOCKWISE,
        tuple(_module(module, target.target.wave_size) for module in program.modules),
        str(target),
    )


def _module(module: Module, wave: int) -> Module:
    taken = {value.name for statement in module.statements for value in statement.results}
    statements: list[Statement] = []
    for statement in module.statements:
        if statement.op is GRIDWISE_REDUCE and statement.attributes["algo"] == "block":
            statements += _with_lds(statement, wave, taken)
        else:
            statements.append(statement)
    return Module(module.name, tuple(statements))


def _with_lds(reduction: Statement, wave: int, taken: set[str]) -> list[Statement]:
    """The reduction with LDS of its own, one element for each wave: no wave waits until another has read."""
    block = reduction.attributes["block_size"]
    assert isinstance(block, int)
    element = computed(tensor_type(reduction.result).element)
    lds = Value(fresh_name("lds", taken), tensor(element, (block // wave,)))
    allocate = Statement(
        LDS_ALLOCATE, (), (lds,), {"size": block // wave, "type": element.name}, (), reduction.place
    )
    return [
        allocate,
        Statement(
            GRIDWISE_REDUCE,
            (*reduction.operands, lds),
            reduction.results,
            reduction.attributes,
            (),
            reduction.place,
        ),
    ]
