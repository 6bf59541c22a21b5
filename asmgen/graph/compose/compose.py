"""Ops as sequences of simpler ops, so that the same lowering serves them on every type.

sqdiff(a, b) is d = a - b times itself; mod of integers is a - a/b * b, plus b if the signs differ;
isinf(x) is |x| = infinity. Few graphs have such ops, so the file of an op's function is loaded for the first
graph that does.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module

from asmgen.graph import ops
from asmgen.graph.builder import GraphBuilder
from asmgen.ir.program import Module, Op, Statement, Value
from asmgen.ir.types import BOOL, U32, ElementType, NumberKind


def compose(module: Module, propagates_nan: bool = False) -> Module:
    """The module without the ops that are made of others. `propagates_nan` is the rule of max and min."""
    module = _with_composed_bodies(module, propagates_nan)
    if not any(is_composed(statement) for statement in module.statements):
        return module
    builder = GraphBuilder([value.name for statement in module.statements for value in statement.results])
    for statement in module.statements:
        if is_composed(statement):
            made = _written(builder, statement, propagates_nan)
            builder.statements.append(_finished(builder, statement, made))
        else:
            builder.statements.append(statement)
    return Module(module.name, tuple(builder.statements))


def _with_composed_bodies(module: Module, propagates_nan: bool) -> Module:
    """The module with composed bodies of loops."""
    if not any(statement.op.has_body for statement in module.statements):
        return module
    from asmgen.graph.compose.bodies import with_body

    statements = [
        with_body(each, lambda body: compose(body, propagates_nan)) if each.op.has_body else each
        for each in module.statements
    ]
    return Module(module.name, tuple(statements))


def _written(builder: GraphBuilder, origin: Statement, propagates_nan: bool) -> Value:
    """Write the statements that `origin` is made of; their result."""
    from asmgen.graph.compose.writer import Writer

    file, function = COMPOSED[origin.op]
    write: Callable[..., Value] = getattr(import_module(f"asmgen.graph.compose.{file}"), function)
    return write(Writer(builder, origin, propagates_nan), *origin.operands)


def _finished(builder: GraphBuilder, origin: Statement, made: Value) -> Statement:
    """The statement that gives the result of `origin`: the last written statement, or a conversion."""
    last = builder.statements[-1]
    is_written = made not in origin.operands
    if is_written and made.type == origin.result.type and made in last.results:
        _ = builder.statements.pop()
        return Statement(last.op, last.operands, origin.results, last.attributes, (), origin.place)
    element = origin.result.type.element.name
    return Statement(ops.CONVERT, (made,), origin.results, {"target_type": element}, (), origin.place)


# The file of an op and its function there.
COMPOSED: dict[Op, tuple[str, str]] = {
    ops.SQDIFF: ("pointwise", "sqdiff"), ops.PRELU: ("pointwise", "prelu"), ops.SIGN: ("pointwise", "sign"),
    ops.ISNAN: ("pointwise", "isnan"), ops.ISINF: ("pointwise", "isinf"), ops.ELU: ("pointwise", "elu"),
    ops.LEAKY_RELU: ("pointwise", "leaky_relu"), ops.QUANTIZELINEAR: ("pointwise", "quantize"),
    ops.DEQUANTIZELINEAR: ("pointwise", "dequantize"), ops.FMOD: ("integers", "fmod"),
    ops.MOD: ("integers", "mod"), ops.POW: ("integers", "power"),
    ops.BITWISE_AND: ("integers", "bitwise_and"), ops.BITWISE_OR: ("integers", "bitwise_or"),
    ops.BITWISE_XOR: ("integers", "bitwise_xor"), ops.POPCOUNT: ("integers", "popcount"),
    ops.LEADING_ZEROS: ("integers", "leading_zeros"), ops.BIT_CAST: ("integers", "bit_cast"),
    ops.REDUCE_ANY: ("rows", "any_of"), ops.REDUCE_ALL: ("rows", "all_of"), ops.ARGMAX: ("rows", "argmax"),
    ops.ARGMIN: ("rows", "argmin"), ops.LOGSOFTMAX: ("rows", "logsoftmax"),
    ops.INSTANCENORM: ("rows", "instancenorm"), ops.GROUPNORM: ("rows", "groupnorm"),
    ops.REDUCE_WINDOW: ("windows", "reduce_window"), ops.MAX_POOL: ("windows", "max_pool"),
    ops.AVG_POOL: ("windows", "avg_pool"), ops.ONE_HOT: ("choices", "one_hot"),
    ops.NLL_LOSS: ("choices", "nll_loss"), ops.INTERPOLATE: ("resample", "interpolate"),
}  # fmt: skip

Types = tuple[ElementType, ElementType]  # of the first operand and of the result


def _of_floats(types: Types) -> bool:
    return types[1].is_float


def _of_numbers(types: Types) -> bool:
    return BOOL not in types


def _is_extended_by_zeros(types: Types) -> bool:
    return types[0].kind is NumberKind.UNSIGNED or _is_long(types)


def _is_long(types: Types) -> bool:
    return types[0].bits >= U32.bits


# Ops that exist on lanes too.
_STAYS: dict[Op, Callable[[Types], bool]] = {
    ops.FMOD: _of_floats, ops.MOD: _of_floats, ops.POW: _of_floats, ops.BITWISE_AND: _of_numbers,
    ops.BIT_CAST: _of_numbers, ops.BITWISE_OR: _of_numbers, ops.BITWISE_XOR: _of_numbers,
    ops.POPCOUNT: _is_extended_by_zeros, ops.LEADING_ZEROS: _is_long,
}  # fmt: skip


def is_composed(statement: Statement) -> bool:
    """Whether a statement is replaced by simpler statements."""
    op = statement.op
    if op not in COMPOSED:  # some have no operands
        return False
    return is_made_of_others(op, (statement.operands[0].type.element, statement.result.type.element))


def is_made_of_others(op: Op, types: Types) -> bool:
    """Whether an op of these types is only an op of the graph, made of simpler ops before tiles."""
    if op not in COMPOSED:
        return False
    stays = _STAYS.get(op)
    return stays is None or not stays(types)
