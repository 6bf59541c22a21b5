"""Gridwise: output buffers, the reductions' algorithm, and the grid.

Invariant after it: every returned value is copied to a buffer of its own, which is a parameter after the
inputs; every reduction is a `gridwise_reduce`; a `launch` statement is first.
"""

from __future__ import annotations

from collections.abc import Sequence

from asmgen.gen.row_plan import RowPlan, row_plan
from asmgen.gen.tiling import WORKGROUP, Section, definitions, sections, tensor_type
from asmgen.graph.fuse import TEMPORARY, FusedKernel
from asmgen.graph.ops import PARAM, RETURN
from asmgen.ir.program import Attribute, Module, Program, Stage, Statement, Value
from asmgen.ir.types import tensor
from asmgen.lanewise.builder import LaneBuilder
from asmgen.lanewise.ops import COPY, LAUNCH
from asmgen.lanewise.reduction_ops import GRIDWISE_REDUCE, REDUCTIONS
from isa.diagnostics import InputError, Place
from isa.target import round_up
from isa.targets import TargetId

LARGEST_INDEX = 1 << 32  # elements of a buffer that a u32 index reaches
OUTPUT = "z_output"


def gridwise(kernels: Sequence[FusedKernel], target: TargetId) -> Program:
    """Raises `InputError` where a buffer has more elements than an index reaches."""
    return Program(Stage.GRIDWISE, tuple(_module(kernel, target) for kernel in kernels), str(target))


def _module(kernel: FusedKernel, target: TargetId) -> Module:
    module = kernel.module
    *body, return_ = module.statements
    builder = LaneBuilder(value.name for statement in module.statements for value in statement.results)
    outputs: list[Statement] = []
    copies: list[Statement] = []
    for value, result in zip(return_.operands, kernel.results, strict=True):
        type_ = tensor_type(value)
        name = OUTPUT if result >= 0 else f"{TEMPORARY}_{-1 - result}"
        buffer = Value(builder.fresh(name), tensor(type_.element, type_.dims))
        outputs.append(
            Statement(PARAM, (), (buffer,), {"name": buffer.name if result >= 0 else name}, (), return_.place)
        )
        copies.append(
            Statement(
                COPY, (value, buffer), (Value(builder.fresh("copy"), buffer.type),), {}, (), return_.place
            )
        )
    for statement in (*body, *outputs):
        _check_span(statement)
    parameters = [statement for statement in body if statement.op is PARAM]
    rest = [statement for statement in body if statement.op is not PARAM]
    defined = definitions(module)
    reductions = [statement for statement in rest if statement.op in REDUCTIONS]
    if reductions:
        plan = row_plan(defined, reductions, copies, target.target.wave_size)
        launch = _row_launch(plan, kernel.results, return_.place)
        rest = [
            _reduction(statement, plan) if statement.op in REDUCTIONS else statement for statement in rest
        ]
    else:
        launch = _launch(sections(defined, copies), kernel.results, return_.place, target)
    final = Statement(RETURN, tuple(copy.result for copy in copies), (), {}, (), return_.place)
    return Module(module.name, (launch, *parameters, *outputs, *rest, *copies, final))


def _check_span(statement: Statement) -> None:
    for value in statement.results:
        if not statement.operands and tensor_type(value).span > LARGEST_INDEX:
            raise InputError(
                statement.place or value.name,
                "GEN110",
                f"{value.name} reaches over {tensor_type(value).span} elements, wanted at most "
                f"{LARGEST_INDEX}",
                help="split the tensor, or shorten its strides",
            )


def _reduction(statement: Statement, plan: RowPlan) -> Statement:
    attributes: dict[str, Attribute] = {"op": REDUCTIONS[statement.op], **plan.stated()}
    return Statement(GRIDWISE_REDUCE, statement.operands, statement.results, attributes, (), statement.place)


def _row_launch(plan: RowPlan, results: tuple[int, ...], place: Place | None) -> Statement:
    return _launch_statement(plan.groups, plan.layout.block, plan.layout.vector, results, place)


def _launch(
    found: list[Section], results: tuple[int, ...], place: Place | None, target: TargetId
) -> Statement:
    lanes = max((section.lanes for section in found), default=0)
    wave = target.target.wave_size
    block = min(WORKGROUP, max(wave, round_up(lanes, wave)))
    vector = max((section.vector for section in found), default=1)
    return _launch_statement(-(-lanes // block), block, vector, results, place)


def _launch_statement(
    groups: int, block: int, vector: int, results: tuple[int, ...], place: Place | None
) -> Statement:
    in_order = results == tuple(range(len(results)))
    attributes: dict[str, Attribute] = {
        "grid": (groups, 1, 1), "block": (block, 1, 1), "vector": vector,
        "results": () if in_order else results,
    }  # fmt: skip
    return Statement(LAUNCH, (), (), attributes, (), place)
